//! Diagnostics as SARIF 2.1.0, the form that code scanning reads.

use std::collections::BTreeSet;

use check::db::Db;
use check::diagnostics::{self, Severity};
use ide::{Finding, Location, Repair};
use serde_json::{Value, json};

use super::json;

/// The whole document.
pub(super) fn document(db: &dyn Db, findings: &[&Finding]) -> Value {
    let codes: BTreeSet<&str> = findings.iter().map(|finding| finding.code).collect();
    let rules: Vec<Value> = codes.iter().map(|code| rule(code)).collect();
    let results: Vec<Value> = findings.iter().map(|finding| result(db, finding)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "shapewright",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    })
}

fn rule(code: &str) -> Value {
    match diagnostics::page(code) {
        Some(page) => json!({
            "id": code,
            "shortDescription": { "text": page.title },
            "help": { "text": page.explanation, "markdown": page.explanation },
            "defaultConfiguration": { "level": level(page.severity) },
        }),
        None => json!({ "id": code }),
    }
}

fn result(db: &dyn Db, finding: &Finding) -> Value {
    let mut text = finding.message.clone();
    for help in &finding.help {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    let related = finding.related.iter().enumerate().map(|(id, (place, message))| {
        let mut value = location(db, place);
        value["id"] = json!(id);
        value["message"] = json!({ "text": message });
        value
    });
    let related: Vec<Value> = related.collect();
    let fixes: Vec<Value> = finding.fixes.iter().map(|fix| repair(db, fix)).collect();
    let mut value = json!({
        "ruleId": finding.code,
        "level": level(finding.severity),
        "message": { "text": text },
        "locations": [location(db, &finding.location)],
    });
    if !related.is_empty() {
        value["relatedLocations"] = Value::Array(related);
    }
    if !fixes.is_empty() {
        value["fixes"] = Value::Array(fixes);
    }
    value
}

fn repair(db: &dyn Db, fix: &Repair) -> Value {
    let changes = fix.edits.iter().map(|edit| {
        json!({
            "artifactLocation": { "uri": uri(edit.location.file.path(db)) },
            "replacements": [{
                "deletedRegion": region(db, &edit.location),
                "insertedContent": { "text": edit.text.as_str() },
            }],
        })
    });
    let changes: Vec<Value> = changes.collect();
    json!({ "description": { "text": fix.title }, "artifactChanges": changes })
}

fn location(db: &dyn Db, place: &Location) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(place.file.path(db)) },
            "region": region(db, place),
        },
    })
}

/// Lines and columns start at 1 here.
fn region(db: &dyn Db, place: &Location) -> Value {
    let range = json::range(db, place);
    json!({
        "startLine": range.start.line + 1,
        "startColumn": range.start.character + 1,
        "endLine": range.end.line + 1,
        "endColumn": range.end.character + 1,
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information | Severity::Hint => "note",
    }
}

/// A path as a relative or `file:` URI: everything but the unreserved characters and `/` is escaped.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len() + 8);
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
