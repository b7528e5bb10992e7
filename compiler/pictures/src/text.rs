//! A picture as text: for terminals, for editors that show no images, and for tests.

use super::labels::{self, Sign};
use super::{By, Cell, CellState, Grid, Label, Picture, Space, Strip};

/// The most characters in a row of cells; in longer rows cells are shortened.
const LONGEST_ROW: usize = 130;

/// The picture as lines of text, each ended by a newline. Letters in cells replace the colours.
pub fn text(picture: &Picture) -> String {
    written(picture, true)
}

/// The cells, the first access of a warp and the notes, where the rest is shown as text.
pub fn text_of_cells(picture: &Picture) -> String {
    written(picture, false)
}

fn written(picture: &Picture, heading: bool) -> String {
    let mut lines = Vec::new();
    for (number, panel) in picture.panels.iter().enumerate() {
        if number > 0 {
            lines.push(String::new());
        }
        if heading {
            lines.push(format!("{} : {}", panel.title, panel.formula));
            lines.extend((!panel.order.is_empty()).then(|| panel.order.clone()));
        } else if picture.panels.len() > 1 {
            lines.push(panel.title.clone());
        }
        if let Some(grid) = &panel.grid {
            lines.extend(heading.then(String::new));
            rows(picture, grid, &mut lines);
            lines.extend(legend(picture, grid));
        }
        if let Some(strip) = &panel.strip {
            lines.push(String::new());
            words(strip, &mut lines);
        }
        if !panel.notes.is_empty() {
            lines.push(String::new());
            lines.extend(panel.notes.iter().map(|note| format!("note: {note}")));
        }
    }
    if let Some(caption) = &picture.caption {
        lines.push(String::new());
        lines.push(caption.clone());
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn rows(picture: &Picture, grid: &Grid, lines: &mut Vec<String>) {
    let (table, width) = match table(picture, grid, true) {
        (_, width) if grid.columns() * (width + 2) > LONGEST_ROW => table(picture, grid, false),
        whole => whole,
    };
    let corner = labels::corner(grid);
    let gutter = grid.row_labels.iter().chain([&corner]).map(|text| text.chars().count()).max().unwrap_or(0);
    let line = |label: &str, texts: &[String]| {
        let texts: Vec<String> = texts.iter().map(|text| format!("  {text:>width$}")).collect();
        format!("{label:>gutter$} {}", texts.concat())
    };
    lines.push(line(&corner, &grid.column_labels));
    lines.extend(grid.row_labels.iter().zip(&table).map(|(label, texts)| line(label, texts)));
}

/// The texts of all cells, and the width of the widest; `whole` with the second part of each.
fn table(picture: &Picture, grid: &Grid, whole: bool) -> (Vec<Vec<String>>, usize) {
    let of_row = |cells: &[Cell]| cells.iter().map(|cell| of_cell(picture, grid, cell, whole)).collect();
    let table: Vec<Vec<String>> = grid.rows().map(|(_, cells)| of_row(cells)).collect();
    let texts = table.iter().flatten().chain(&grid.column_labels);
    let width = texts.map(|text| text.chars().count()).max().unwrap_or(0);
    (table, width)
}

fn of_cell(picture: &Picture, grid: &Grid, cell: &Cell, whole: bool) -> String {
    let (main, small) = labels::of_cell(grid, picture.label, cell);
    let small = if whole { small } else { String::new() };
    let mut text = [main, small].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    match cell.state {
        CellState::Missing => return text,
        CellState::Masked => text.insert(0, '▒'),
        CellState::Empty => text.insert(0, '·'),
        CellState::Reached => text.push_str(&colour(picture, grid, cell)),
    }
    if cell.outside {
        text.push('!');
    }
    if cell.marked { format!("[{text}]") } else { text }
}

/// The meaning of a cell's colour, if its text does not show it.
fn colour(picture: &Picture, grid: &Grid, cell: &Cell) -> String {
    let says_thread =
        picture.label == Label::Thread || (picture.label == Label::Automatic && grid.space == Space::Slots);
    match (picture.by, cell.bank, cell.thread) {
        (By::Bank, Some(bank), _) if picture.label != Label::Bank => format!(":b{bank}"),
        (By::Thread, _, Some(thread)) if !says_thread => format!(":t{thread}"),
        _ => String::new(),
    }
}

fn legend(picture: &Picture, grid: &Grid) -> Option<String> {
    let signs = labels::legend(picture, grid).into_iter().filter_map(|(sign, meaning)| {
        let sign = match sign {
            Sign::Colours | Sign::Scale | Sign::Path => return None,
            Sign::Hatched => "▒",
            Sign::Open => "·",
            Sign::Marked => "[ ]",
            Sign::Outside => "!",
        };
        Some(format!("{sign} {meaning}"))
    });
    let signs: Vec<String> = signs.collect();
    (!signs.is_empty()).then(|| signs.join(", "))
}

fn words(strip: &Strip, lines: &mut Vec<String>) {
    lines.push(strip.summary());
    let texts = strip.lines.iter().flat_map(|line| &line.words).map(|lanes| labels::of_word(lanes).chars().count());
    let width = texts.max().unwrap_or(1).max(1);
    let gutter = strip.lines.iter().map(|line| line.address.to_string().len()).max().unwrap_or(1);
    for line in &strip.lines {
        let sectors = line.words.chunks(8).map(|words| {
            let words: Vec<String> = words
                .iter()
                .map(|lanes| if lanes.is_empty() { "·".to_owned() } else { labels::of_word(lanes) })
                .map(|text| format!("{text:>width$}"))
                .collect();
            words.join(" ")
        });
        let sectors: Vec<String> = sectors.collect();
        lines.push(format!("byte {:>gutter$}  {}", line.address, sectors.join(" | ")));
    }
}
