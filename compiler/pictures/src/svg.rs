//! A picture as SVG. It needs no script, no font and nothing from elsewhere.

mod grid;
mod layout;
mod strip;
mod write;

use layout::{Layout, PanelLayout};
use write::Svg;

use super::Picture;

/// The colours of text and lines outside of cells. Cells have the same colours on any background.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Light or dark, as the reader's system is.
    #[default]
    Automatic,
    /// Dark text on white.
    Light,
    /// Light text on black.
    Dark,
    /// No background, and the text in the colour of the page that the picture is part of.
    Host,
}

/// How a picture is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SvgOptions {
    /// The colours around the cells.
    pub theme: Theme,
    /// Draw only the cells and the legend, no larger than this many pixels, where the rest is shown as text.
    pub fit: Option<(u32, u32)>,
    /// Whether cells have their numbers as attributes (`data-panel`, `data-cell`) for scripts of a page, in place of
    /// tooltips.
    pub interactive: bool,
}

/// The picture as an SVG document.
pub fn svg(picture: &Picture, options: SvgOptions) -> String {
    let layout = Layout::new(picture, options.fit.is_some());
    let mut out = Svg::new(options.theme);
    out.open(&picture.title, (layout.width, layout.height), options.fit);
    for (number, (panel, place)) in picture.panels.iter().zip(&layout.panels).enumerate() {
        panel_svg(&mut out, picture, panel, place, options.interactive.then_some(number), options.fit.is_some());
    }
    out.lines(layout.margin, layout.caption_top, &layout.caption, "ink", true);
    out.close()
}

fn panel_svg(
    out: &mut Svg,
    picture: &Picture,
    panel: &super::Panel,
    place: &PanelLayout,
    interactive: Option<usize>,
    fitted: bool,
) {
    if !fitted {
        out.lines(place.left, place.top, std::slice::from_ref(&panel.title), "ink", true);
        out.lines(place.left, place.heading_top, &place.heading, "faint", false);
    }
    if let (Some(grid), Some(cells)) = (&panel.grid, &place.grid) {
        // An interactive page describes the cells itself.
        let tooltips = interactive.is_none() && !fitted;
        grid::write(out, picture, grid, cells, interactive, tooltips);
        grid::legend(out, place);
    }
    if let (Some(strip), Some(words)) = (&panel.strip, &place.strip) {
        strip::write(out, strip, words);
    }
    out.lines(place.left, place.notes_top, &place.notes, "faint", false);
}
