//! Index maps.

use super::values::map_extents;
use crate::document::{Document, inline};
use crate::facts::{MapFacts, Question};
use dims::Facts;
use maps::{IndexMap, Piece};
use proofs::Verdict;

/// A map with its shapes, its formula, its order and its verdicts.
pub(crate) fn map(known: &MapFacts) -> Document {
    let (upper, lower) = map_extents(&known.map);
    let shapes = format!("upper shape {}, lower shape {}", inline(upper), inline(lower));
    Document::joined([shapes.into(), formula(&known.map), verdicts(&known.verdicts)])
}

/// `[3, 4] → [12]`
pub(super) fn shapes(map: &IndexMap) -> String {
    let (upper, lower) = map_extents(map);
    format!("{upper} → {lower}")
}

/// The formula of a map, its pieces from the fastest to the slowest, and where it is valid.
pub(crate) fn formula(map: &IndexMap) -> Document {
    let conditions = map.conditions();
    let valid = match conditions.as_slice() {
        [] => String::new(),
        conditions => format!("valid where {}", inline(conditions.join(" && "))),
    };
    let names = map.axis_names().join(", ");
    let formulas = inline(format!("({names}) → {}", map.formulas().join(", ")));
    let described = maps::describe(map, &Facts::empty()).ok();
    let orders = described.iter().flat_map(|described| &described.pieces).map(|pieces| order(pieces).into());
    let orders = Document::joined(orders);
    Document::joined([formulas.into(), orders, valid.into()])
}

fn order(pieces: &[Piece]) -> String {
    if pieces.is_empty() {
        return String::new();
    }
    let pieces: Vec<String> =
        pieces.iter().map(|piece| format!("{} ({})", inline(piece.to_string()), extent(piece))).collect();
    format!("from the fastest to the slowest: {}", pieces.join(", "))
}

/// `4 values, stride 3`
pub(crate) fn extent(piece: &Piece) -> String {
    let values = piece.extent.as_ref().map_or_else(String::new, |extent| match extent.as_constant() {
        Some(1) => "1 value, ".to_owned(),
        _ => format!("{extent} values, "),
    });
    format!("{values}stride {}", piece.stride)
}

fn verdicts(questions: &[Question]) -> Document {
    let lines: Vec<String> = questions
        .iter()
        .map(|question| format!("{} {}: {}", mark(&question.verdict), inline(question.name), reason(&question.verdict)))
        .collect();
    Document::list("", lines)
}

/// A sign for a verdict: proven, refuted, open.
pub(crate) fn mark(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Proven { .. } => "✓",
        Verdict::Refuted { .. } => "✗",
        Verdict::Open { .. } => "?",
    }
}

/// The word for a question of [`MapFacts`].
pub(crate) fn word(question: &str) -> String {
    question.replace('_', " ")
}

/// The reason for a verdict.
pub(crate) fn reason(verdict: &Verdict) -> String {
    let why = match verdict {
        Verdict::Proven { rule } => return format!("proven, {rule}"),
        Verdict::Refuted { counterexample, .. } => format!("refuted, {counterexample}"),
        Verdict::Open { reason, .. } => format!("open, {reason}"),
    };
    match verdict.obligation() {
        Some(fact) => format!("{why}; it would hold if {}", inline(fact)),
        None => why,
    }
}
