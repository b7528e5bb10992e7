//! The kernels of tiles among the examples: the check of each, and edits in a file with all of them.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use comfy_table::Table;
use ide::CompilerDatabase;

use super::checks;
use super::timing::row;

/// The edits that are measured.
const EDITS: usize = 100;

/// What an edit changes: the number that is added to the variance of the layer norm.
const EDITED: &str = "variance + 1e-5";

/// Adds the rows.
///
/// # Errors
/// What could not be read, or is not there to be edited.
pub fn measure(root: &Path, table: &mut Table) -> Result<(), String> {
    let kernels = kernels_of_tiles(root)?;
    let slowest = kernels.iter().map(|(name, text)| (checks::check(text), name.as_str())).max();
    let (time, name) = slowest.ok_or("there are no kernels of tiles")?;
    let what = format!("check of the {} examples with tiles, the longest: {name}", kernels.len());
    row(table, &what, time, Duration::from_millis(50));
    let all = together(&kernels);
    let lines = all.lines().count();
    let what = format!("edit in a file with all of them, {lines} lines → diagnostics, 95 of 100");
    row(table, &what, edit(&all)?, Duration::from_millis(5));
    Ok(())
}

/// The examples that divide tensors into tiles, with their names.
fn kernels_of_tiles(root: &Path) -> Result<Vec<(String, String)>, String> {
    let mut found = checks::shape_files(root, "examples")?;
    found.retain(|(_, text)| text.contains("partition("));
    found.sort();
    Ok(found)
}

/// All texts as one, in which what they declare has names of its own.
fn together(texts: &[(String, String)]) -> String {
    texts.iter().enumerate().map(|(number, (_, text))| renamed(text, &format!("_{number}")) + "\n").collect()
}

/// The text with a suffix after the names that it declares.
fn renamed(text: &str, suffix: &str) -> String {
    let declared: BTreeSet<&str> = text.lines().flat_map(declared_names).collect();
    let mut result = String::with_capacity(2 * text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_of_word) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !is_of_word(c)).unwrap_or(from.len()));
        result.extend([before, word]);
        if declared.contains(word) {
            result.push_str(suffix);
        }
        rest = after;
    }
    result + rest
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The names that a line declares, if it begins an item.
fn declared_names(line: &str) -> Vec<&str> {
    let Some((keyword, rest)) = line.split_once(' ') else { return Vec::new() };
    let count = match keyword {
        "dim" => usize::MAX,
        "kernel" | "map" | "const" | "unit" => 1,
        _ => 0,
    };
    // The names of sizes stand before their facts.
    let names = rest.split(" where ").next().unwrap_or(rest).split(|c| !is_of_word(c));
    names.filter(|name| !name.is_empty()).take(count).collect()
}

/// The time from an edit to the diagnostics of the whole file that 95 of 100 do not exceed.
fn edit(text: &str) -> Result<Duration, String> {
    if !text.contains(EDITED) {
        return Err(format!("no example contains {EDITED}"));
    }
    let mut db = CompilerDatabase::default();
    let file = db.set_text("tiles.shape", text);
    let problems = ide::diagnostics(&db, file).len();
    let mut times: Vec<Duration> = (0..EDITS)
        .map(|number| {
            let text = text.replacen(EDITED, &format!("variance + {}e-5", number + 2), 1);
            let start = Instant::now();
            db.set_text("tiles.shape", &text);
            let found = ide::diagnostics(&db, file);
            let time = start.elapsed();
            assert_eq!(found.len(), problems, "an edit changes a number alone");
            time
        })
        .collect();
    times.sort_unstable();
    Ok(times[EDITS * 95 / 100 - 1])
}
