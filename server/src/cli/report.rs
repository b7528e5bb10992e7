//! A run's result, for people.

use serde_json::Value as Json;

use super::output::Output;
use super::status::Failure;
use crate::ran::{Expect, Run, Tensor, Time};

/// The most elements of an output that are shown.
const SHOWN: usize = 8;

/// Prints a run: `✓ scale on cpu: 1.2 ms · y f32[12] = [0, 2, 4, …] · expect passed`.
pub(super) fn run(run: &Run, output: &mut Output) -> Result<(), Failure> {
    let mark = if run.expect == Expect::Failed { "✗" } else { "✓" };
    let mut line = format!("{mark} {}", run.kernel);
    if !run.bindings.is_empty() {
        let bindings: Vec<String> = run.bindings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        line.push_str(&format!(" with {}", bindings.join(", ")));
    }
    line.push_str(&format!(" on {}: {}", run.device, duration(run.run_us)));
    for (name, tensor) in &run.outputs {
        line.push_str(&format!(" · {name} {}", shown(tensor)));
    }
    match run.expect {
        Expect::Passed => line.push_str(" · expect passed"),
        Expect::Failed => line.push_str(" · expect failed"),
        Expect::None => {}
    }
    output.line(line)?;
    if let Some(mismatch) = &run.first_mismatch {
        let index: Vec<String> = mismatch.index.iter().map(u64::to_string).collect();
        let at = if index.is_empty() { String::new() } else { format!(" at [{}]", index.join(", ")) };
        let count = run.mismatches.unwrap_or(1);
        let more = if count > 1 { format!(", the first of {count} wrong elements") } else { String::new() };
        output.line(format_args!(
            "    expected {}{at}, got {}{more}",
            number(&mismatch.expected),
            number(&mismatch.actual)
        ))?;
    }
    for (name, path) in &run.saved {
        output.line(format_args!("    {name} saved to {path}"))?;
    }
    for note in &run.notes {
        output.line(format_args!("    note: {note}"))?;
    }
    output.finish()
}

/// Prints what there is to know of a run.
pub(super) fn note(note: &str, output: &mut Output) -> Result<(), Failure> {
    output.line(format_args!("    note: {note}"))?;
    output.finish()
}

/// Prints what a run took.
pub(super) fn time(time: &Time, output: &mut Output) -> Result<(), Failure> {
    output.line(format_args!("    {}", measured(time)))?;
    if let Some(device) = &time.device {
        output.line(format_args!("    measured on {device}"))?;
    }
    for note in &time.notes {
        output.line(format_args!("    note: {note}"))?;
    }
    output.finish()
}

fn measured(time: &Time) -> String {
    let mut text = format!("{} median of {}", duration(time.run_us_median), time.runs);
    text.push_str(&format!(" · {} moved · {:.1} GB/s", bytes(time.bytes), time.gb_per_s));
    if let Some(percent) = time.percent_of_peak {
        text.push_str(&format!(" · {percent:.0} % of peak"));
    }
    if let Some(floor) = time.floor_us {
        text.push_str(&format!(" · an empty kernel takes {}", duration(floor)));
    }
    let cached = if time.cached { ", from the cache" } else { "" };
    text.push_str(&format!(" · compiled in {:.1} ms{cached}", time.compile_ms));
    text
}

/// `f32[12] = [0, 2, 4, …]`
fn shown(tensor: &Tensor) -> String {
    let dims: Vec<String> = tensor.shape.iter().map(u64::to_string).collect();
    let count: u128 = tensor.shape.iter().map(|dim| u128::from(*dim)).product();
    let mut elements: Vec<String> = tensor.sample.iter().take(SHOWN).map(number).collect();
    if count > elements.len() as u128 {
        elements.push("…".to_owned());
    }
    format!("{}[{}] = [{}]", tensor.dtype, dims.join(", "), elements.join(", "))
}

/// A number without insignificant digits.
fn number(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => decimal(float),
            _ => number.to_string(),
        },
        value => value.to_string(),
    }
}

/// A float as it is read most easily: with an exponent where it would begin or end with many zeros.
fn decimal(float: f64) -> String {
    match float.abs() {
        usual if usual == 0.0 || (1e-5..1e16).contains(&usual) => format!("{float}"),
        _ => format!("{float:e}"),
    }
}

pub(super) fn duration(microseconds: f64) -> String {
    match microseconds {
        short if short < 1e3 => format!("{short:.1} µs"),
        middle if middle < 1e6 => format!("{:.1} ms", middle / 1e3),
        long => format!("{:.2} s", long / 1e6),
    }
}

fn bytes(bytes: u64) -> String {
    match bytes as f64 {
        small if small < 1e3 => format!("{bytes} B"),
        small if small < 1e6 => format!("{:.1} kB", small / 1e3),
        middle if middle < 1e9 => format!("{:.1} MB", middle / 1e6),
        large => format!("{:.2} GB", large / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_shown_as_they_were_written() {
        for text in ["2.0470196e-16", "0.5", "-0.00123", "3e20", "0", "17", "123456.75", "1e-40"] {
            let value = serde_json::from_str(text).unwrap();
            assert_eq!(number(&value), text);
        }
    }
}
