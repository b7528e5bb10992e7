//! Refuted claims: questions to maps, and accesses of kernels, each with the maps that its counterexample is drawn in.

use std::ops::Range;
use std::sync::Arc;

use super::super::cursor::{Cursor, items_in};
use super::super::expressions::holds;
use super::super::findings::{Finding, item_diagnostics};
use super::super::nodes::Node;
use super::super::places::{bytes, position};
use super::super::receiver::value_before;
use super::super::value_at::value_of_span;
use super::{Drawing, DrawnMap, source};
use check::db::{Db, Item, SourceFile};
use check::kernels;
use check::values::Value;
use maps::IndexMap;
use proofs::Verdict;
use syntax::span::Span;
use syntax::tree::{BinaryOp, Expr, ExprKind, ItemKind, Suffix, SuffixKind};

/// A refuted claim that can be drawn.
#[derive(Clone, Debug)]
pub struct RefutedClaim {
    /// The bytes of the claim.
    pub range: Range<u32>,
    /// The source of the claim on one line: the key for [`drawing_of_claim`].
    pub text: String,
    /// Its diagnostic.
    pub finding: Option<Finding>,
}

/// The refuted claims that a range touches.
pub fn refuted_claims(db: &dyn Db, file: SourceFile, range: Range<u32>) -> Vec<RefutedClaim> {
    let items = file.items(db).get(items_in(db, file, range.clone())).unwrap_or_default();
    let mut found = Vec::new();
    for item in items {
        for Claim { span, text, .. } in claims(db, *item) {
            let place = position(db, *item).map_or(0..0, |position| bytes(db, file, position, span));
            if place.start <= range.end && range.start <= place.end {
                let findings = item_diagnostics(db, *item).into_iter();
                let finding = findings.into_iter().find(|finding| {
                    let reported = &finding.location.range;
                    FAILURES.contains(&finding.code) && reported.start <= place.start && place.end <= reported.end
                });
                found.push(RefutedClaim { text, range: place, finding });
            }
        }
    }
    found
}

/// The claim with this source in a file, with its counterexample; `None` if it no longer exists or is not refuted.
pub fn drawing_of_claim(db: &dyn Db, file: SourceFile, text: &str) -> Option<Drawing> {
    file.items(db).iter().find_map(|item| {
        // Proofs take time; other items need none.
        let is_written = match item.declared_kernel(db) {
            Some(kernel) => text.starts_with(&in_kernel(&kernel.name.text, "")),
            None => may_claim(db, *item) && source(db, *item, all(db, *item)).contains(text),
        };
        let claims = if is_written { claims(db, *item) } else { Vec::new() };
        claims.into_iter().find(|claim| claim.text == text).map(|claim| claim.drawing)
    })
}

/// The drawing of the claim that a cursor is in.
pub(super) fn at(db: &dyn Db, at: Cursor) -> Option<Drawing> {
    claims(db, at.item).into_iter().find(|claim| holds(claim.span, at.token)).map(|claim| claim.drawing)
}

fn may_claim(db: &dyn Db, item: Item) -> bool {
    let tree = item.tree(db);
    let kind = tree.item.as_ref().map(|parsed| &parsed.kind);
    matches!(kind, Some(ItemKind::Assert { .. } | ItemKind::Show { .. } | ItemKind::Expr(_)))
}

/// A claim with its maps and the counterexample.
struct Claim {
    span: Span,
    /// Its key.
    text: String,
    drawing: Drawing,
}

/// The codes of what is reported of a refuted claim.
const FAILURES: &[&str] = &["assertion-failed", "race", "out-of-bounds", "not-fully-written"];

/// The key of a claim about an access in a kernel.
fn in_kernel(kernel: &str, access: &str) -> String {
    format!("kernel {kernel}: {access}")
}

/// The refuted claims about accesses of a kernel.
fn claims_of_kernel(db: &dyn Db, item: Item, name: &str) -> Vec<Claim> {
    let mut found: Vec<Claim> = Vec::new();
    for refuted in kernels::refuted_accesses(db, item) {
        let access = source(db, item, refuted.span);
        let drawn = DrawnMap::new(access.clone(), Arc::clone(&refuted.map), refuted.facts.clone());
        let element_bytes = Some(refuted.element.size_bytes() as u32);
        let drawing = Drawing {
            maps: vec![drawn],
            stacked: false,
            counterexample: Some(refuted.counterexample.clone()),
            element_bytes,
        };
        // The same access may occur several times.
        let same = found.iter().filter(|claim| claim.drawing.maps.iter().any(|drawn| drawn.name == access)).count();
        let text = if same == 0 { access } else { format!("{access} ({})", same + 1) };
        found.push(Claim { span: refuted.span, text: in_kernel(name, &text), drawing });
    }
    found
}

/// The refuted claims in an item: questions to maps, and accesses of a kernel.
fn claims(db: &dyn Db, item: Item) -> Vec<Claim> {
    if let Some(kernel) = item.declared_kernel(db) {
        return claims_of_kernel(db, item, &kernel.name.text);
    }
    let tree = item.tree(db);
    let Some(parsed) = tree.item.as_ref().filter(|_| may_claim(db, item)) else { return Vec::new() };
    let mut found = Vec::new();
    let mut open = vec![Node::Item(parsed)];
    while let Some(node) = open.pop() {
        open.extend(node.children().into_iter().rev());
        if let Node::Expr(expr) = node
            && let Some(drawing) = claim(db, item, expr)
        {
            found.push(Claim { span: expr.span, text: source(db, item, expr.span), drawing });
        }
    }
    found
}

/// The maps of a refuted question.
fn claim(db: &dyn Db, item: Item, expr: &Expr) -> Option<Drawing> {
    let operands: Vec<Span> = match &expr.kind {
        ExprKind::Postfix { base, suffixes } => vec![base.span.to(before_question(base, suffixes)?)],
        ExprKind::Chain { first, rest } => match rest.as_slice() {
            [link] if link.op == BinaryOp::Equal => vec![first.span, link.operand.span],
            _ => return None,
        },
        _ => return None,
    };
    let maps: Option<Vec<(Span, Arc<IndexMap>)>> = operands
        .iter()
        .map(|span| match value_of_span(db, item, *span).map(|known| known.value) {
            Some(Value::Map(map)) => Some((*span, map)),
            Some(_) => None,
            None => match value_before(db, item, span.end as usize)? {
                Value::Map(map) => Some((*span, map)),
                _ => None,
            },
        })
        .collect();
    let maps = maps?;
    let known = value_of_span(db, item, expr.span)?;
    let Value::Truth(truth) = &known.value else { return None };
    let Verdict::Refuted { counterexample, .. } = &truth.verdict else { return None };
    let drawn = |(span, map): (Span, Arc<IndexMap>)| DrawnMap::new(source(db, item, span), map, known.facts.clone());
    let maps = maps.into_iter().map(drawn).collect();
    Some(Drawing { maps, counterexample: Some(counterexample.clone()), ..Drawing::default() })
}

/// The tokens before the question in an expression such as `m.injective` or `m.covers(4)`.
fn before_question(base: &Expr, suffixes: &[Suffix]) -> Option<Span> {
    let asked = match suffixes {
        [before @ .., Suffix { kind: SuffixKind::Member(_), .. }] => before,
        [before @ .., Suffix { kind: SuffixKind::Member(_), .. }, Suffix { kind: SuffixKind::Call(_), .. }] => before,
        _ => return None,
    };
    Some(asked.last().map_or(base.span, |suffix| suffix.span))
}

fn all(db: &dyn Db, item: Item) -> Span {
    Span::new(0, item.tokens(db).len() as u32)
}
