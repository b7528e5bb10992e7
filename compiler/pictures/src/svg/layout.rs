//! The layout of a picture, in pixels.
//!
//! The font is monospaced; 0.61 of the size is an upper bound on the width of a character.

use super::super::labels::{self, Sign};
use super::super::{Grid, Panel, Picture, Strip};
use maps::hardware::BANKS;

/// The height of a line of text.
pub(super) const LINE: u32 = 17;
/// The space around everything.
const MARGIN: u32 = 14;
/// The space between parts.
const GAP: u32 = 12;
/// Text is not wrapped narrower than this.
const NARROWEST: u32 = 460;
/// The height above a grid where the columns are numbered.
const HEADER: u32 = 16;
/// The side of a sign of the legend.
pub(super) const SIGN: u32 = 14;

/// The places of everything in a picture.
pub(super) struct Layout {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) margin: u32,
    pub(super) panels: Vec<PanelLayout>,
    pub(super) caption: Vec<String>,
    pub(super) caption_top: u32,
}

/// The places of everything in a panel.
pub(super) struct PanelLayout {
    pub(super) left: u32,
    pub(super) top: u32,
    pub(super) heading: Vec<String>,
    pub(super) heading_top: u32,
    pub(super) grid: Option<GridLayout>,
    pub(super) legend: Vec<(Sign, String, u32, u32)>,
    pub(super) strip: Option<StripLayout>,
    pub(super) notes: Vec<String>,
    pub(super) notes_top: u32,
    width: u32,
    bottom: u32,
}

/// The places of cells.
pub(super) struct GridLayout {
    /// The left upper corner of the first cell.
    pub(super) left: u32,
    pub(super) top: u32,
    /// From one cell to the next.
    pub(super) step: (u32, u32),
    /// The size of the text in cells, and whether there is a second line.
    pub(super) font: u32,
    pub(super) two_lines: bool,
    /// What is written in each cell.
    pub(super) texts: Vec<(String, String)>,
}

/// The places of a strip.
pub(super) struct StripLayout {
    pub(super) left: u32,
    pub(super) heading: Vec<String>,
    pub(super) top: u32,
    /// The left upper corner of the first word.
    pub(super) words: (u32, u32),
    pub(super) step: (u32, u32),
    pub(super) font: u32,
}

/// The width of a number of characters.
pub(super) fn text_width(characters: usize, size: u32) -> u32 {
    let characters = u32::try_from(characters).unwrap_or(u32::MAX / 1000).min(u32::MAX / 10_000);
    (characters * size * 61).div_ceil(100)
}

impl Layout {
    pub(super) fn new(picture: &Picture, fitted: bool) -> Layout {
        let margin = if fitted { 6 } else { MARGIN };
        let (mut left, mut top) = (margin, margin);
        let mut panels: Vec<PanelLayout> = Vec::with_capacity(picture.panels.len());
        for panel in &picture.panels {
            let placed = PanelLayout::new(picture, panel, left, top, fitted);
            match picture.stacked {
                true => top = placed.bottom + 2 * MARGIN,
                false => left += placed.width + 2 * MARGIN,
            }
            panels.push(placed);
        }
        let bottom = panels.iter().map(|panel| panel.bottom).max().unwrap_or(margin);
        let right = panels.iter().map(|panel| panel.left + panel.width).max().unwrap_or(margin);
        let content = right.saturating_sub(margin);
        let caption =
            picture.caption.iter().filter(|_| !fitted).flat_map(|caption| wrap(caption, content.max(NARROWEST)));
        let caption: Vec<String> = caption.collect();
        let caption_top = bottom + if caption.is_empty() { 0 } else { GAP };
        let caption_width = caption.iter().map(|line| text_width(line.chars().count(), 12)).max().unwrap_or(0);
        let height = caption_top + LINE * caption.len() as u32 + margin;
        Layout { width: content.max(caption_width) + 2 * margin, height, margin, panels, caption, caption_top }
    }
}

impl PanelLayout {
    fn new(picture: &Picture, panel: &Panel, left: u32, top: u32, fitted: bool) -> PanelLayout {
        let cells = panel.grid.as_ref().map(|grid| Cells::new(picture, grid, fitted));
        let grid_width = cells.as_ref().map_or(0, Cells::width);
        let strip = panel.strip.as_ref().filter(|_| !fitted);
        let strip_width = strip.map_or(0, |strip| Words::new(strip).width());
        let content = grid_width.max(strip_width).max(if fitted { 0 } else { NARROWEST });

        let heading: Vec<String> = match fitted {
            true => Vec::new(),
            false => [&panel.formula, &panel.order].into_iter().flat_map(|text| wrap(text, content)).collect(),
        };
        let heading_top = if fitted { top } else { top + LINE };
        let mut y = heading_top + LINE * heading.len() as u32 + if fitted { 0 } else { GAP / 2 };
        let mut grid = None;
        let mut legend = Vec::new();
        if let (Some(shown), Some(cells)) = (&panel.grid, cells) {
            let height = cells.height();
            grid = Some(cells.at(left, y));
            y += height + GAP / 2;
            legend = place_legend(labels::legend(picture, shown), left, &mut y, content);
        }
        let strip = strip.map(|strip| {
            y += GAP;
            let words = Words::new(strip);
            let heading = wrap(&strip.summary(), content);
            let placed = words.at(left, y, heading);
            y = placed.words.1 + words.height();
            placed
        });
        let notes: Vec<String> = match fitted {
            true => Vec::new(),
            false => panel.notes.iter().flat_map(|note| wrap(note, content)).collect(),
        };
        let notes_top = if notes.is_empty() { y } else { y + GAP };
        let bottom = notes_top + LINE * notes.len() as u32;
        let texts = heading.iter().chain(&notes).map(|line| text_width(line.chars().count(), 12));
        let signs = legend.iter().map(|(_, text, x, _)| x - left + SIGN + 6 + text_width(text.chars().count(), 12));
        let width = texts.chain(signs).max().unwrap_or(0).max(grid_width).max(strip_width);
        PanelLayout { left, top, heading, heading_top, grid, legend, strip, notes, notes_top, width, bottom }
    }
}

/// The signs in sequence, on as many lines as they need.
fn place_legend(legend: Vec<(Sign, String)>, left: u32, y: &mut u32, content: u32) -> Vec<(Sign, String, u32, u32)> {
    let mut x = left;
    let mut placed = Vec::with_capacity(legend.len());
    for (sign, text) in legend {
        let width = SIGN + 6 + text_width(text.chars().count(), 12) + 16;
        if x > left && x + width - 16 > left + content {
            x = left;
            *y += LINE + 3;
        }
        placed.push((sign, text, x, *y));
        x += width;
    }
    if !placed.is_empty() {
        *y += LINE + 3;
    }
    placed
}

/// The sizes of the cells of a grid.
struct Cells {
    step: (u32, u32),
    font: u32,
    two_lines: bool,
    gutter: u32,
    columns: u32,
    rows: u32,
    texts: Vec<(String, String)>,
}

impl Cells {
    fn new(picture: &Picture, grid: &Grid, fitted: bool) -> Cells {
        let dense = labels::is_dense(grid);
        let texts: Vec<(String, String)> =
            grid.cells.iter().map(|cell| labels::of_cell_in_image(grid, picture.label, cell)).collect();
        let lengths = texts.iter().map(|(main, small)| (main.chars().count(), small.chars().count()));
        let (main, small) = lengths.fold((1, 0), |longest, (main, small)| (longest.0.max(main), longest.1.max(small)));
        let two_lines = small > 0 && !dense && !fitted;
        let font = if dense { 9 } else { 12 };
        let small = if two_lines { text_width(small, 9) } else { 0 };
        let labels = grid.column_labels.iter().map(|label| text_width(label.chars().count(), 10)).max().unwrap_or(0);
        let width = text_width(main, font).max(small) + if dense { 4 } else { 8 };
        let height = if two_lines {
            34
        } else if dense {
            17
        } else {
            24
        };
        let corner = labels::corner(grid);
        let rows = grid.row_labels.iter().chain([&corner]).map(|label| text_width(label.chars().count(), 10));
        Cells {
            step: (width.max(labels + 4).max(height), height),
            font,
            two_lines,
            gutter: rows.max().unwrap_or(0) + 8,
            columns: u32::try_from(grid.columns()).unwrap_or(u32::MAX),
            rows: u32::try_from(grid.row_labels.len()).unwrap_or(u32::MAX),
            texts,
        }
    }

    fn width(&self) -> u32 {
        self.gutter.saturating_add(self.columns.saturating_mul(self.step.0))
    }

    fn height(&self) -> u32 {
        self.rows.saturating_mul(self.step.1).saturating_add(HEADER)
    }

    fn at(self, left: u32, top: u32) -> GridLayout {
        let (left, top) = (left + self.gutter, top + HEADER);
        let Cells { step, font, two_lines, texts, .. } = self;
        GridLayout { left, top, step, font, two_lines, texts }
    }
}

/// The sizes of the words of a strip.
struct Words {
    step: (u32, u32),
    font: u32,
    gutter: u32,
    lines: u32,
}

impl Words {
    fn new(strip: &Strip) -> Words {
        let texts = strip.lines.iter().flat_map(|line| &line.words).map(|lanes| labels::of_word(lanes).chars().count());
        let font = 10;
        let width = text_width(texts.max().unwrap_or(1), font) + 5;
        let gutter = strip.lines.iter().map(|line| line.address.to_string().len()).max().unwrap_or(1);
        let lines = strip.lines.len() as u32;
        Words { step: (width.max(19), 19), font, gutter: text_width(gutter.max(4), font) + 8, lines }
    }

    fn width(&self) -> u32 {
        // There is a small gap between sectors.
        self.gutter + BANKS as u32 * self.step.0 + 3 * 4
    }

    fn height(&self) -> u32 {
        self.lines * self.step.1
    }

    fn at(&self, left: u32, top: u32, heading: Vec<String>) -> StripLayout {
        let words = (left + self.gutter, top + LINE * heading.len() as u32 + HEADER + 4);
        StripLayout { left, heading, top, words, step: self.step, font: self.font }
    }
}

/// A text in lines of at most this many pixels, broken at spaces where possible.
fn wrap(text: &str, width: u32) -> Vec<String> {
    let most = (width as usize * 100 / (12 * 61)).max(8);
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut length = 0;
    for word in text.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        if length > 0 && length + 1 + word.len() > most {
            lines.push(std::mem::take(&mut line));
            length = 0;
        }
        while word.len() > most {
            let rest = word.split_off(most);
            lines.push(word.into_iter().collect());
            word = rest;
        }
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        length += word.len();
        line.extend(word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}
