//! The texts in cells and beside them.

use std::fmt;

use smol_str::SmolStr;

use super::{By, Cell, CellExtents, CellState, Grid, Label, Picture, Space};

/// The text of a cell: the main one, and a smaller one below it. Both may be empty.
pub(super) fn of_cell(grid: &Grid, label: Label, cell: &Cell) -> (String, String) {
    match cell.state {
        CellState::Missing => return Default::default(),
        CellState::Empty if label != Label::Slot && label != Label::Bank => return Default::default(),
        CellState::Masked if label == Label::Automatic && grid.space == Space::Slots => return Default::default(),
        _ => {}
    }
    let threaded = cell.thread.is_some();
    match label {
        Label::Automatic if grid.space == Space::Points => (tuple(&cell.lower), String::new()),
        Label::Automatic if threaded => (thread(grid, cell), local(grid, cell)),
        Label::Automatic | Label::Coordinate => (tuple(&cell.upper), String::new()),
        Label::Slot => (tuple(&cell.lower), String::new()),
        Label::Thread => (thread(grid, cell), String::new()),
        Label::Bank => (cell.bank.map_or_else(String::new, |bank| bank.to_string()), String::new()),
    }
}

/// The text of a cell of an image, in which colours show which cells belong together: a tile is named once.
pub(super) fn of_cell_in_image(grid: &Grid, label: Label, cell: &Cell) -> (String, String) {
    let named = cell.local.iter().all(|place| *place == 0) || matches!(label, Label::Slot | Label::Bank);
    if grid.tiles.is_some() && !named { Default::default() } else { of_cell(grid, label, cell) }
}

/// Characters of a coordinate that are shown; maps with dozens of axes have longer ones.
const LONGEST_COORDINATE: usize = 24;

/// `1,2`: several numbers as short as can be.
pub(super) fn tuple(values: &[i64]) -> String {
    if let [value] = values {
        return value.to_string();
    }
    let texts: Vec<String> = values.iter().map(i64::to_string).collect();
    let text = texts.join(",");
    match text.char_indices().nth(LONGEST_COORDINATE) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// `t3`, or `t3+1` if one more point reaches the slot; in a tiling `w1 t3`, the iteration; of a partition `0,1`, the tile.
fn thread(grid: &Grid, cell: &Cell) -> String {
    let others = if cell.others > 0 { format!("+{}", cell.others) } else { String::new() };
    match cell.thread {
        None => String::new(),
        Some(_) if grid.tiles.is_some() => tuple(&cell.upper),
        Some(thread) if grid.iterators.is_empty() => format!("t{thread}{others}"),
        Some(_) => {
            let values: Vec<String> = iteration(grid, cell).map(|(name, value)| format!("{name}{value}")).collect();
            format!("{}{others}", values.join(" "))
        }
    }
}

/// The values of a tiling's iterators.
fn iteration<'a>(grid: &'a Grid, cell: &'a Cell) -> impl Iterator<Item = (&'a SmolStr, &'a i64)> {
    grid.iterators.iter().zip(cell.upper.iter().skip(1))
}

/// `i2`: the index within the thread; in a tiling `#2`, that within the iteration.
fn local(grid: &Grid, cell: &Cell) -> String {
    if grid.tiles.is_some() {
        return String::new();
    }
    match (cell.local.is_empty(), grid.iterators.is_empty()) {
        (true, _) => String::new(),
        (false, true) => format!("i{}", tuple(&cell.local)),
        (false, false) => format!("#{}", tuple(&cell.local)),
    }
}

/// Everything that is known of a cell, in a line.
pub fn details(grid: &Grid, cell: &Cell) -> String {
    Details(grid, cell).to_string()
}

/// Everything that is known of a cell, in a line without XML special characters.
pub(super) struct Details<'a>(pub(super) &'a Grid, pub(super) &'a Cell);

impl fmt::Display for Details<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details(grid, cell) = *self;
        let mut between = "";
        let mut part = |out: &mut fmt::Formatter<'_>, text: fmt::Arguments<'_>| {
            out.write_str(std::mem::replace(&mut between, " · "))?;
            out.write_fmt(text)
        };
        if !grid.iterators.is_empty() {
            return tiled(out, grid, cell);
        }
        if let Some(CellExtents(extents)) = &grid.tiles {
            return divided(out, extents, cell);
        }
        if !cell.lower.is_empty() {
            part(out, format_args!("{} ", if grid.elements { "element" } else { "slot" }))?;
            list(out, &cell.lower, ",")?;
        }
        if !cell.upper.is_empty() {
            part(out, format_args!("coordinate ("))?;
            list(out, &cell.upper, ", ")?;
            out.write_str(")")?;
        }
        if let Some(thread) = cell.thread {
            part(out, format_args!("thread {thread}"))?;
        }
        if let (Some(bank), CellState::Reached) = (cell.bank, cell.state) {
            part(out, format_args!("bank {bank}"))?;
        }
        match (cell.state, grid.space) {
            (CellState::Masked, _) => part(out, format_args!("masked"))?,
            (CellState::Empty, _) => part(out, format_args!("nobody reaches it"))?,
            _ if cell.others == 1 => part(out, format_args!("one more point reaches it"))?,
            _ if cell.others > 1 => part(out, format_args!("{} more points reach it", cell.others))?,
            _ => {}
        }
        if cell.outside { part(out, format_args!("out of bounds")) } else { Ok(()) }
    }
}

/// `thread 38 · w = 1 · t = 3 · place 0`
fn tiled(out: &mut fmt::Formatter<'_>, grid: &Grid, cell: &Cell) -> fmt::Result {
    out.write_str("thread ")?;
    list(out, &cell.lower, ",")?;
    if cell.thread.is_none() {
        return out.write_str(" · no iteration");
    }
    for (name, value) in iteration(grid, cell) {
        write!(out, " · {name} = {value}")?;
    }
    out.write_str(" · place ")?;
    list(out, &cell.local, ",")
}

fn list(out: &mut fmt::Formatter<'_>, values: &[i64], between: &str) -> fmt::Result {
    for (position, value) in values.iter().enumerate() {
        out.write_str(if position == 0 { "" } else { between })?;
        write!(out, "{value}")?;
    }
    Ok(())
}

/// `elements [0..8, 64..80] · tile (0, 1)`, and whether that is beyond the edge.
fn divided(out: &mut fmt::Formatter<'_>, extents: &[i64], cell: &Cell) -> fmt::Result {
    let one = extents.iter().all(|extent| *extent == 1);
    out.write_str(if one { "element [" } else { "elements [" })?;
    for (position, (first, extent)) in cell.lower.iter().zip(extents).enumerate() {
        out.write_str(if position == 0 { "" } else { ", " })?;
        match extent {
            1 => write!(out, "{first}")?,
            _ => write!(out, "{first}..{}", first.saturating_add(*extent))?,
        }
    }
    out.write_str("] · tile (")?;
    list(out, &cell.upper, ", ")?;
    out.write_str(if cell.state == CellState::Masked { ") · beyond the edge" } else { ")" })
}

/// What the numbers of rows and of columns are where a cell is an element of a tensor with so many dimensions.
pub(super) fn dimensions(rank: usize) -> (String, String) {
    match rank {
        0 | 1 => ("element".to_owned(), String::new()),
        2 => ("row".to_owned(), "column".to_owned()),
        _ => {
            let first: Vec<String> = (0..rank - 1).map(|dimension| dimension.to_string()).collect();
            (format!("dimensions {}", first.join(",")), (rank - 1).to_string())
        }
    }
}

/// A sign of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// One colour per thread, bank or iteration.
    Colours,
    /// Colours from light to dark.
    Scale,
    Hatched,
    Open,
    Marked,
    Outside,
    Path,
}

/// The legend of the signs that occur in a grid.
pub(super) fn legend(picture: &Picture, grid: &Grid) -> Vec<(Sign, String)> {
    let has = |wanted: &dyn Fn(&Cell) -> bool| grid.cells.iter().any(wanted);
    let mut legend = Vec::new();
    if has(&|cell| cell.state == CellState::Reached) {
        legend.push(coloured_by(picture.by, grid));
    }
    if grid.path.len() > 1 {
        let meaning = match grid.space {
            Space::Slots if !grid.iterators.is_empty() => "the threads of one iteration, in order",
            Space::Slots => "one thread's elements, in order",
            Space::Points => "rising slots",
        };
        legend.push((Sign::Path, meaning.to_owned()));
    }
    if has(&|cell| cell.state == CellState::Masked) {
        let meaning = if grid.tiles.is_some() { "beyond the edge: padded, and not stored" } else { "masked" };
        legend.push((Sign::Hatched, meaning.to_owned()));
    }
    if has(&|cell| cell.state == CellState::Empty) {
        let meaning = if grid.iterators.is_empty() { "nobody reaches it" } else { "no iteration" };
        legend.push((Sign::Open, meaning.to_owned()));
    }
    if has(&|cell| cell.outside) {
        legend.push((Sign::Outside, "out of bounds".to_owned()));
    }
    if has(&|cell| cell.marked) {
        legend.push((Sign::Marked, "the counterexample".to_owned()));
    }
    legend
}

fn coloured_by(by: By, grid: &Grid) -> (Sign, String) {
    let banks = grid.cells.iter().any(|cell| cell.bank.is_some());
    let (sign, meaning) = match (by, grid.threads, grid.space) {
        (By::Bank, ..) if banks => (Sign::Colours, "a colour for each bank"),
        (By::Thread, true, _) if grid.tiles.is_some() => (Sign::Colours, "a colour for each tile"),
        (By::Thread, true, _) if !grid.iterators.is_empty() => (Sign::Colours, "a colour for each iteration"),
        (By::Thread, true, _) => (Sign::Colours, "a colour for each thread"),
        (_, _, Space::Points) => (Sign::Scale, "from light to dark: the slot"),
        (_, _, Space::Slots) => (Sign::Scale, "from light to dark: the place"),
    };
    (sign, meaning.to_owned())
}

/// Whether there are so many cells that each has room for one short text only.
pub(super) fn is_dense(grid: &Grid) -> bool {
    grid.columns() > 32
}

/// The text in the corner, above the row numbers and before the column numbers.
pub(super) fn corner(grid: &Grid) -> String {
    match (grid.row_title.is_empty(), grid.column_title.is_empty()) {
        (_, true) => grid.row_title.clone(),
        (true, false) => grid.column_title.clone(),
        (false, false) => format!("{}\\{}", grid.row_title, grid.column_title),
    }
}

/// The lanes that touch a word: `5`, or `5+3` for three more.
pub(super) fn of_word(lanes: &[u32]) -> String {
    match lanes {
        [] => String::new(),
        [lane] => lane.to_string(),
        [lane, others @ ..] => format!("{lane}+{}", others.len()),
    }
}
