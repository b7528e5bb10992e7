//! A picture as JSON: for `draw --format json`, and for the panels of editors.

use pictures::{Cell, CellState, Grid, Picture, Space, Strip, cell_details, text};
use serde_json::{Value as Json, json};

/// A picture with its cells, as SVG and as text.
pub(crate) fn document(picture: &Picture, svg: &str) -> Json {
    let mut document = panels(picture);
    if let Some(fields) = document.as_object_mut() {
        fields.insert("text".to_owned(), json!(text(picture)));
        fields.insert("svg".to_owned(), json!(svg));
    }
    document
}

/// A picture with its cells.
pub(crate) fn panels(picture: &Picture) -> Json {
    let panels: Vec<Json> = picture
        .panels
        .iter()
        .map(|panel| {
            json!({
                "title": panel.title,
                "formula": panel.formula,
                "order": panel.order,
                "notes": panel.notes,
                "grid": panel.grid.as_ref().map(grid),
                "strip": panel.strip.as_ref().map(strip),
            })
        })
        .collect();
    json!({
        "title": picture.title,
        "caption": picture.caption,
        "panels": panels,
    })
}

fn grid(grid: &Grid) -> Json {
    let space = match grid.space {
        Space::Slots => "slots",
        Space::Points => "points",
    };
    let cells: Vec<Json> = grid.cells.iter().map(|cell| self::cell(grid, cell)).collect();
    json!({
        "space": space,
        "columns": grid.columns(),
        "row_labels": grid.row_labels,
        "column_labels": grid.column_labels,
        "cells": cells,
    })
}

/// A cell; `null` behind the end of the last row.
fn cell(grid: &Grid, cell: &Cell) -> Json {
    let state = match cell.state {
        CellState::Missing => return Json::Null,
        CellState::Reached => "reached",
        CellState::Masked => "masked",
        CellState::Empty => "empty",
    };
    json!({
        "state": state,
        "lower": cell.lower,
        "upper": cell.upper,
        "thread": cell.thread,
        "bank": cell.bank,
        "others": cell.others,
        "marked": cell.marked,
        "details": cell_details(grid, cell),
    })
}

fn strip(strip: &Strip) -> Json {
    json!({
        "summary": strip.summary(),
        "element_bytes": strip.element_bytes,
        "sectors": strip.sectors,
        "lanes": strip.lanes,
        "phases": strip.phases,
        "degree": strip.degree,
    })
}
