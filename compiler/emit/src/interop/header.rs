//! The comment above an emitted text: the map and its assumptions.

use dims::{Facts, Sym};
use maps::IndexMap;

/// The lines of the comment, without comment marks.
pub(super) fn lines(name: &str, map: &IndexMap, facts: &Facts) -> Vec<String> {
    let mut lines = vec![format!("map {name}: {map}")];
    let symbols = map.symbols();
    let relevant = facts.iter().filter(|fact| fact.symbols().iter().any(|symbol| symbols.contains(symbol)));
    let stated: Vec<String> = relevant.map(ToString::to_string).collect();
    if !stated.is_empty() {
        lines.push(format!("for sizes with {}", stated.join(", ")));
    }
    lines
}

/// The conditions on sizes and coordinates under which all values fit 64 bits.
pub(super) fn limits(limits: &[Sym], is_unbounded: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if !limits.is_empty() {
        let values: Vec<String> = limits.iter().map(ToString::to_string).collect();
        lines.push(format!("right where these fit in 64 bits: {}", values.join(", ")));
    }
    if is_unbounded {
        lines.push("right for coordinates that are small enough for every value to fit in 64 bits".to_owned());
    }
    lines
}

/// The lines as comments.
pub(super) fn commented(mark: &str, lines: &[String]) -> String {
    lines.iter().map(|line| format!("{mark} {line}\n")).collect()
}
