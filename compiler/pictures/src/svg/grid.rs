//! The cells of a grid, the labels beside them, the path through them, and the legend.

use super::super::colours::{self, Fill};
use super::super::labels::{self, Details, Sign};
use super::super::{Cell, CellState, Grid, Picture};
use super::layout::{GridLayout, PanelLayout, SIGN};
use super::write::{Escaped, Hex, Svg};

/// The colour of outlines; drawn on white, so that it is visible on any cell and background.
const OUTLINE: &str = "#c00018";

/// Writes a grid.
pub(super) fn write(
    out: &mut Svg,
    picture: &Picture,
    grid: &Grid,
    place: &GridLayout,
    interactive: Option<usize>,
    tooltips: bool,
) {
    beside(out, grid, place);
    boxes(out, picture, grid, place, interactive, tooltips);
    path(out, grid, place);
    texts(out, picture, grid, place, interactive);
    outlines(out, grid, place);
}

/// The numbers of rows and columns.
fn beside(out: &mut Svg, grid: &Grid, place: &GridLayout) {
    let colour = out.colour("faint");
    out.put(format_args!("<g class=\"faint\" fill=\"{colour}\" font-size=\"10\">"));
    let (step_x, step_y) = place.step;
    let (gutter, header) = (place.left - 5, place.top - 5);
    let corner = labels::corner(grid);
    if !corner.is_empty() {
        out.put(format_args!(
            "<text x=\"{gutter}\" y=\"{header}\" text-anchor=\"end\" font-style=\"italic\">{}</text>",
            Escaped(&corner)
        ));
    }
    for (row, label) in grid.row_labels.iter().enumerate() {
        let y = place.top + row as u32 * step_y + step_y / 2 + 3;
        out.put(format_args!("<text x=\"{gutter}\" y=\"{y}\" text-anchor=\"end\">{}</text>", Escaped(label)));
    }
    for (column, label) in grid.column_labels.iter().enumerate() {
        let x = place.left + column as u32 * step_x + step_x / 2;
        out.put(format_args!("<text x=\"{x}\" y=\"{header}\" text-anchor=\"middle\">{}</text>", Escaped(label)));
    }
    out.put(format_args!("</g>\n"));
}

/// The left upper corner of a cell.
fn corner(grid: &Grid, place: &GridLayout, number: usize) -> (u32, u32) {
    let (row, column) = (number / grid.columns(), number % grid.columns());
    (place.left + column as u32 * place.step.0, place.top + row as u32 * place.step.1)
}

fn boxes(
    out: &mut Svg,
    picture: &Picture,
    grid: &Grid,
    place: &GridLayout,
    interactive: Option<usize>,
    tooltips: bool,
) {
    out.put(format_args!("<g>"));
    let (width, height) = (place.step.0 - 1, place.step.1 - 1);
    for (number, cell) in grid.cells.iter().enumerate() {
        let Some(fill) = colours::fill(grid, picture.by, cell) else { continue };
        let (x, y) = corner(grid, place, number);
        // The outline of an open cell is centred on its edge, and has to stay inside.
        let area = match fill {
            Fill::Open => (x + 1, y + 1, width - 2, height - 2),
            _ => (x, y, width, height),
        };
        match (interactive, tooltips) {
            (Some(panel), _) => {
                out.rect(area, fill, format_args!(" data-panel=\"{panel}\" data-cell=\"{number}\"/>\n"));
            }
            (None, true) => {
                out.rect(area, fill, format_args!("><title>{}</title></rect>\n", Details(grid, cell)));
            }
            (None, false) => out.rect(area, fill, format_args!("/>\n")),
        }
    }
    out.put(format_args!("</g>\n"));
}

/// A line from cell to cell, along their left lower corners, where it crosses the fewest texts.
fn path(out: &mut Svg, grid: &Grid, place: &GridLayout) {
    if grid.path.len() < 2 {
        return;
    }
    let mut points = String::new();
    for number in &grid.path {
        let (x, y) = corner(grid, place, *number);
        let (x, y) = (x + 4, y + place.step.1 - 5);
        points.push_str(&format!("{x},{y} "));
    }
    let points = points.trim_end();
    out.put(format_args!(
        "<g fill=\"none\" pointer-events=\"none\" stroke-linejoin=\"round\"><polyline points=\"{points}\" \
         stroke=\"#ffffff\" stroke-width=\"3\" stroke-opacity=\"0.55\"/><polyline points=\"{points}\" \
         stroke=\"#303030\" stroke-width=\"1\" stroke-opacity=\"0.6\" marker-end=\"url(#arrow)\"/></g>\n"
    ));
}

fn texts(out: &mut Svg, picture: &Picture, grid: &Grid, place: &GridLayout, interactive: Option<usize>) {
    let font = place.font;
    out.put(format_args!("<g text-anchor=\"middle\" pointer-events=\"none\" font-size=\"{font}\">"));
    let (width, height) = (place.step.0 - 1, place.step.1 - 1);
    for (number, (cell, (main, small))) in grid.cells.iter().zip(&place.texts).enumerate() {
        if main.is_empty() {
            continue;
        }
        let (x, y) = corner(grid, place, number);
        let x = x + width / 2;
        let two_lines = place.two_lines && !small.is_empty();
        let baseline = y + height / 2 + if two_lines { 0 } else { font / 3 };
        let data = Data(interactive, number);
        let ink = Ink(out, picture, grid, cell).colour();
        out.put(format_args!("<text x=\"{x}\" y=\"{baseline}\"{ink}{data}>{}</text>", Escaped(main)));
        if two_lines {
            let below = baseline + 11;
            out.put(format_args!("<text x=\"{x}\" y=\"{below}\" font-size=\"9\"{ink}{data}>{}</text>", Escaped(small)));
        }
        out.put(format_args!("\n"));
    }
    out.put(format_args!("</g>\n"));
}

/// The number of a cell as attributes, for an interactive page.
struct Data(Option<usize>, usize);

impl std::fmt::Display for Data {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(panel) => write!(formatter, " data-panel=\"{panel}\" data-cell=\"{}\"", self.1),
            None => Ok(()),
        }
    }
}

/// The colour of the text in a cell.
struct Ink<'a>(&'a Svg, &'a Picture, &'a Grid, &'a Cell);

impl Ink<'_> {
    fn colour(&self) -> String {
        let Ink(out, picture, grid, cell) = self;
        match colours::fill(grid, picture.by, cell) {
            Some(Fill::Colour(fill)) if colours::ink(fill) == [255; 3] => " fill=\"#ffffff\"".to_owned(),
            // Black is the default colour of text.
            Some(Fill::Colour(_) | Fill::Hatched) | None => String::new(),
            Some(Fill::Open) => format!(" class=\"faint\" fill=\"{}\"", out.colour("faint")),
        }
    }
}

/// The outlines of the counterexample's cells and of cells out of bounds.
fn outlines(out: &mut Svg, grid: &Grid, place: &GridLayout) {
    let (width, height) = (place.step.0 - 1, place.step.1 - 1);
    for (number, cell) in grid.cells.iter().enumerate() {
        let (x, y) = corner(grid, place, number);
        if cell.outside && cell.state != CellState::Missing {
            out.put(format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"{OUTLINE}\" \
                 stroke-dasharray=\"3 2\" pointer-events=\"none\"/>\n"
            ));
        }
        if cell.marked {
            mark(out, (x, y), (width, height));
        }
    }
}

fn mark(out: &mut Svg, (x, y): (u32, u32), (width, height): (u32, u32)) {
    for (colour, thickness) in [("#ffffff", 5), (OUTLINE, 3)] {
        out.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"{colour}\" \
             stroke-width=\"{thickness}\" pointer-events=\"none\"/>"
        ));
    }
    out.put(format_args!("\n"));
}

/// The legend.
pub(super) fn legend(out: &mut Svg, place: &PanelLayout) {
    for (sign, text, x, y) in &place.legend {
        let (x, y) = (*x, *y);
        let area = (x, y, SIGN - 1, SIGN - 1);
        match sign {
            Sign::Colours => four_fields(out, (x, y), |part| colours::numbered(part.into())),
            Sign::Scale => four_fields(out, (x, y), |part| colours::scale(part, 3)),
            Sign::Hatched => out.rect(area, Fill::Hatched, format_args!("/>")),
            Sign::Open => out.rect((x + 1, y + 1, SIGN - 3, SIGN - 3), Fill::Open, format_args!("/>")),
            Sign::Marked => mark(out, (x + 1, y + 1), (SIGN - 3, SIGN - 3)),
            Sign::Outside => out.put(format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"13\" height=\"13\" fill=\"none\" stroke=\"{OUTLINE}\" \
                 stroke-dasharray=\"3 2\"/>"
            )),
            Sign::Path => out.put(format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"13\" height=\"13\" fill=\"#e0e0e0\"/><path d=\"M{x} {0}h11\" \
                 stroke=\"#303030\" marker-end=\"url(#arrow)\"/>",
                y + 7
            )),
        }
        let (colour, left, baseline) = (out.colour("faint"), x + SIGN + 6, y + 11);
        out.put(format_args!(
            "<text class=\"faint\" fill=\"{colour}\" x=\"{left}\" y=\"{baseline}\">{}</text>\n",
            Escaped(text)
        ));
    }
}

/// Four small fields, each with its colour.
fn four_fields(out: &mut Svg, (x, y): (u32, u32), colour: impl Fn(u32) -> colours::Rgb) {
    for part in 0..4u32 {
        let colour = colour(part);
        let (x, y) = (x + part % 2 * 7, y + part / 2 * 7);
        out.put(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"6\" height=\"6\" fill=\"{}\"/>", Hex(colour)));
    }
}
