//! The JSON that commands print. The field names are stable: others build on them.

use std::collections::BTreeMap;

use check::db::Db;
use ide::{Finding, Location};
use serde::Serialize;
use serde_json::Value;

use crate::ran::{Expect, Run, Time};

/// A place in a file; both numbers start at 0, columns are UTF-16 units.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) character: u32,
}

/// From one place to another.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Range {
    pub(crate) start: Position,
    pub(crate) end: Position,
}

/// What `check` prints.
#[derive(Debug, Serialize)]
pub(crate) struct Check {
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) summary: Summary,
}

/// The numbers at the end of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Summary {
    pub(crate) files: usize,
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
}

/// One diagnostic.
#[derive(Debug, Serialize)]
pub(crate) struct Diagnostic {
    pub(crate) file: String,
    pub(crate) code: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) message: String,
    pub(crate) range: Range,
    pub(crate) help: Vec<String>,
    pub(crate) related: Vec<Related>,
    pub(crate) fixes: Vec<Fix>,
}

/// A related place.
#[derive(Debug, Serialize)]
pub(crate) struct Related {
    pub(crate) file: String,
    pub(crate) range: Range,
    pub(crate) message: String,
}

/// Edits that fix a diagnostic.
#[derive(Debug, Serialize)]
pub(crate) struct Fix {
    pub(crate) title: String,
    pub(crate) edits: Vec<Edit>,
}

/// One replacement.
#[derive(Debug, Serialize)]
pub(crate) struct Edit {
    pub(crate) file: String,
    pub(crate) range: Range,
    pub(crate) text: String,
}

/// A place's lines and columns.
pub(crate) fn range(db: &dyn Db, location: &Location) -> Range {
    let index = ide::line_index(db, location.file);
    let position = |offset| {
        let position = index.position(offset);
        Position { line: position.line, character: position.character }
    };
    Range { start: position(location.range.start), end: position(location.range.end) }
}

/// A diagnostic as JSON has it.
pub(crate) fn diagnostic(db: &dyn Db, finding: &Finding) -> Diagnostic {
    let file = |location: &Location| location.file.path(db).to_owned();
    let related = finding.related.iter().map(|(location, message)| Related {
        file: file(location),
        range: range(db, location),
        message: message.clone(),
    });
    let fixes = finding.fixes.iter().map(|fix| Fix {
        title: fix.title.clone(),
        edits: fix
            .edits
            .iter()
            .map(|edit| Edit {
                file: file(&edit.location),
                range: range(db, &edit.location),
                text: edit.text.to_string(),
            })
            .collect(),
    });
    Diagnostic {
        file: file(&finding.location),
        code: finding.code,
        severity: finding.severity.name(),
        message: finding.message.clone(),
        range: range(db, &finding.location),
        help: finding.help.clone(),
        related: related.collect(),
        fixes: fixes.collect(),
    }
}

/// What `eval` prints.
#[derive(Debug, Serialize)]
pub(crate) struct Eval {
    pub(crate) r#type: &'static str,
    pub(crate) value: Value,
    pub(crate) display: String,
}

/// What `table` prints.
#[derive(Debug, Serialize)]
pub(crate) struct Table {
    pub(crate) upper_shape: Vec<i64>,
    pub(crate) lower_shape: Vec<Option<i64>>,
    pub(crate) rows: Vec<Row>,
}

/// One point of a map.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) upper: Vec<i64>,
    pub(crate) lower: Vec<i64>,
    pub(crate) valid: bool,
}

/// What `show` prints.
#[derive(Debug, Serialize)]
pub(crate) struct Show {
    pub(crate) items: Vec<Item>,
}

/// An item with its facts.
#[derive(Debug, Serialize)]
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) range: Range,
    pub(crate) display: String,
    /// The source of an item without a name.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) expression: String,
    pub(crate) errors: usize,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) documentation: String,
    #[serde(flatten)]
    pub(crate) facts: serde_json::Map<String, Value>,
}

/// What `run` prints.
#[derive(Debug, Serialize)]
pub(crate) struct Runs {
    pub(crate) runs: Vec<Run>,
}

/// What `tune` prints.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Tuned {
    pub(crate) kernel: String,
    pub(crate) device: String,
    /// What the device says it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) measured_on: Option<String>,
    pub(crate) bindings: BTreeMap<String, i64>,
    /// The fastest first; those that were not measured last.
    pub(crate) candidates: Vec<Tried>,
    /// The values of the fastest that computes what is expected.
    pub(crate) best: Option<BTreeMap<String, String>>,
    /// Whether later runs take them.
    pub(crate) kept: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

/// Values for generic parameters, and what was measured with them.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Tried {
    pub(crate) generics: BTreeMap<String, String>,
    /// Whether these are the kernel's defaults.
    pub(crate) is_default: bool,
    pub(crate) expect: Expect,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) time: Option<Time>,
    /// Why it was not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
}

/// What `fmt` prints.
#[derive(Debug, Serialize)]
pub(crate) struct Formatted {
    pub(crate) files: Vec<FormattedFile>,
}

/// The result for a file.
#[derive(Debug, Serialize)]
pub(crate) struct FormattedFile {
    pub(crate) file: String,
    pub(crate) changed: bool,
}

/// What `devices` prints.
#[derive(Debug, Serialize)]
pub(crate) struct Devices<D> {
    pub(crate) devices: Vec<D>,
}

/// What `emit` prints of a map.
#[derive(Debug, Serialize)]
pub(crate) struct EmittedMap {
    pub(crate) map: String,
    pub(crate) to: &'static str,
    /// The names of the functions that the source defines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) functions: Vec<String>,
    /// CuTe: the layout alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) layout: Option<String>,
    /// CuTe: the offset to add to the pointer.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) offset: String,
    pub(crate) source: String,
}

/// What `emit` prints of a kernel.
#[derive(Debug, Serialize)]
pub(crate) struct Emitted {
    pub(crate) kernel: String,
    pub(crate) to: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<String>,
    pub(crate) entry: String,
    pub(crate) source: String,
}

/// What `emit` prints of a level of the compiler.
#[derive(Debug, Serialize)]
pub(crate) struct Level {
    pub(crate) kernel: String,
    pub(crate) to: &'static str,
    pub(crate) source: String,
}

/// What `explain` prints.
#[derive(Debug, Serialize)]
pub(crate) struct Pages {
    pub(crate) pages: Vec<Page>,
}

/// The page of a diagnostic.
#[derive(Debug, Serialize)]
pub(crate) struct Page {
    pub(crate) code: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) title: &'static str,
    pub(crate) explanation: &'static str,
    pub(crate) wrong: &'static str,
    pub(crate) right: &'static str,
}
