//! What was measured, for people.

use comfy_table::{CellAlignment, Table, presets};

use super::super::json::{Tried, Tuned};
use super::super::output::Output;
use super::super::report::duration;
use super::super::status::Failure;
use crate::ran::Expect;

/// Prints a table of all candidates, the fastest first, and what is kept.
pub(super) fn tuned(tuned: &Tuned, output: &mut Output) -> Result<(), Failure> {
    output.line(heading(tuned))?;
    let default = tuned.candidates.iter().find(|tried| tried.is_default);
    let default = default.and_then(|tried| tried.time.as_ref()).map(|time| time.run_us_median);
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["", "time", "bandwidth", "default's time / its", "compiled in", ""]);
    for tried in &tuned.candidates {
        table.add_row(row(tried, default, tuned.best.as_ref() == Some(&tried.generics)));
    }
    for column in 1..5 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for line in table.lines() {
        output.line(line.trim_end())?;
    }
    output.line(conclusion(tuned))?;
    for note in &tuned.notes {
        output.line(format_args!("note: {note}"))?;
    }
    output.finish()
}

/// `matmul with K = 512, M = 512 on cpu: 12 candidates`
fn heading(tuned: &Tuned) -> String {
    let sizes: Vec<String> = tuned.bindings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let with = if sizes.is_empty() { String::new() } else { format!(" with {}", sizes.join(", ")) };
    let on = if tuned.device.is_empty() { String::new() } else { format!(" on {}", tuned.device) };
    format!("{}{with}{on}: {}", tuned.kernel, ide::count(tuned.candidates.len(), "candidate"))
}

fn row(tried: &Tried, default: Option<f64>, is_best: bool) -> [String; 6] {
    let mark = if is_best { "✓ " } else { "  " };
    let name = format!("{mark}{}", values(tried));
    let mut remarks = Vec::new();
    if tried.is_default {
        remarks.push("default".to_owned());
    }
    if tried.expect == Expect::Failed {
        remarks.push("✗ expect failed".to_owned());
    }
    remarks.extend(tried.problem.clone());
    let remarks = remarks.join("; ");
    match &tried.time {
        None => [name, "–".to_owned(), String::new(), String::new(), String::new(), remarks],
        Some(time) => [
            name,
            duration(time.run_us_median),
            format!("{:.1} GB/s", time.gb_per_s),
            default.map_or(String::new(), |default| format!("{:.2}", default / time.run_us_median)),
            format!("{:.1} ms", time.compile_ms),
            remarks,
        ],
    }
}

fn values(tried: &Tried) -> String {
    let values: Vec<String> = tried.generics.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    values.join(", ")
}

fn conclusion(tuned: &Tuned) -> String {
    match &tuned.best {
        None => "no candidate could be measured".to_owned(),
        Some(best) => {
            let options: Vec<String> = best.iter().map(|(name, value)| format!("-G {name}={value}")).collect();
            let options = options.join(" ");
            match tuned.kept {
                true => format!("kept: runs of this kernel on this device, for sizes of this class, take {options}"),
                false => format!("the fastest: {options}"),
            }
        }
    }
}
