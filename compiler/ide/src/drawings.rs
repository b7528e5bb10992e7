//! Which maps a picture shows: those of a name, of a place in a file, or of a refuted claim. A loop over thread
//! collectives is drawn as the map from its iterations to their threads.

use std::ops::Range;
use std::sync::Arc;

use super::cursor::{cursor, items_in, occurrence_at};
use super::expressions::{holds, statement_at};
use super::findings::{Finding, item_diagnostics};
use super::names::Target;
use super::nodes::Node;
use super::places::{bytes, position};
use super::receiver::value_before;
use super::shorten::on_one_line;
use super::value_at::{value_at, value_of_span};
use smol_str::SmolStr;

use check::db::{Db, Item, SourceFile};
use check::evaluate;
use check::kernels::{self, CollectiveLoop, Meaning, TileMeaning};
use check::names;
use check::values::Value;
use dims::Facts;
use maps::IndexMap;
use maps::threads::Tiling;
use pictures::{Options, Picture, Subject};
use proofs::{Counterexample, Verdict};
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::{BinaryOp, Expr, ExprKind, ItemKind, StatementKind, Suffix, SuffixKind};

/// The most views of one kernel that are drawn.
const MOST_VIEWS: usize = 4;

/// Maps that are drawn side by side.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The maps.
    pub maps: Vec<DrawnMap>,
    /// The counterexample to outline.
    pub counterexample: Option<Counterexample>,
    /// The size of an element in bytes, if the drawn object determines it.
    pub element_bytes: Option<u32>,
}

/// A map with its name and the facts about its symbols.
#[derive(Clone, Debug)]
pub struct DrawnMap {
    /// Its name or source text.
    pub name: String,
    /// The map.
    pub map: Arc<IndexMap>,
    /// What is known of its symbols.
    pub facts: Facts,
    /// For a tiling, whose map goes from iterations to threads: its iterators.
    pub iterators: Vec<SmolStr>,
}

impl DrawnMap {
    fn new(name: String, map: Arc<IndexMap>, facts: Facts) -> DrawnMap {
        DrawnMap { name, map, facts, iterators: Vec::new() }
    }

    /// A tiling is drawn as what it assigns: the threads, by iteration.
    fn of_tiling(name: String, tiling: &Tiling) -> Option<DrawnMap> {
        let map = Arc::new(tiling.assignment().ok()?);
        let iterators = tiling.iterators().iter().map(|iterator| iterator.name.clone()).collect();
        Some(DrawnMap { name, map, facts: Facts::empty(), iterators })
    }

    fn subject(&self) -> Subject<'_> {
        Subject { name: &self.name, map: &self.map, facts: &self.facts, iterators: &self.iterators }
    }
}

impl Drawing {
    /// The picture. The drawing's own counterexample and element size override the options.
    pub fn picture(&self, options: &Options<'_>) -> Picture {
        let subjects: Vec<Subject<'_>> = self.maps.iter().map(DrawnMap::subject).collect();
        let counterexample = self.counterexample.as_ref().or(options.counterexample);
        let element_bytes = self.element_bytes.unwrap_or(options.element_bytes);
        pictures::picture(&subjects, &Options { counterexample, element_bytes, ..options.clone() })
    }
}

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

/// The map of this name, or the views and the loops over thread collectives of the kernel of this name; of `kernel.name`
/// what the kernel calls so. `None` if there is none, or if it has errors.
pub fn drawing(db: &dyn Db, file: SourceFile, name: &str) -> Option<Drawing> {
    let Some((kernel, name)) = name.split_once('.') else {
        return of_item(db, names::lookup(db, file, name.into())?);
    };
    let item = names::lookup(db, file, kernel.into())?;
    let mut drawing = Drawing::default();
    for (_, declaration) in declared_in(db, item).into_iter().filter(|(declared, _)| declared == name) {
        let Some(found) = local(db, item, declaration) else { continue };
        let room = MOST_VIEWS.saturating_sub(drawing.maps.len());
        drawing.maps.extend(found.maps.into_iter().take(room));
        drawing.element_bytes = drawing.element_bytes.max(found.element_bytes);
    }
    (!drawing.maps.is_empty()).then_some(drawing)
}

/// The names of a kernel that can be drawn, in the order of their declarations.
pub fn drawable_names(db: &dyn Db, file: SourceFile, kernel: &str) -> Vec<String> {
    let Some(item) = names::lookup(db, file, kernel.into()) else { return Vec::new() };
    let mut found: Vec<String> = Vec::new();
    for (name, declaration) in declared_in(db, item) {
        if !found.contains(&name) && local(db, item, declaration).is_some() {
            found.push(name);
        }
    }
    found
}

/// The names that the body of a kernel declares.
fn declared_in(db: &dyn Db, item: Item) -> Vec<(String, Span)> {
    if item.declared_kernel(db).is_none() {
        return Vec::new();
    }
    let meanings = &kernels::typed_kernel(db, item).meanings;
    meanings.iter().map(|(span, _)| (source(db, item, *span), *span)).collect()
}

/// The drawing for the place under a cursor: a map, a view, a shared array, a loop over thread collectives, or a
/// claim.
pub fn drawing_at(db: &dyn Db, file: SourceFile, offset: u32) -> Option<Drawing> {
    if let Some((_, occurrence)) = occurrence_at(db, file, offset) {
        return match &occurrence.target {
            Target::Declared(item, _) => {
                map_of(db, *item).map(|drawn| Drawing { maps: vec![drawn], ..Drawing::default() })
            }
            Target::Local(item, declaration) => local(db, *item, *declaration),
        };
    }
    let at = cursor(db, file, offset)?;
    let tokens = at.item.tokens(db);
    let loop_start = at.token + usize::from(tokens.kind(at.token) == Some(TokenKind::With));
    if let Some(drawing) = collective(db, at.item, loop_start) {
        return Some(drawing);
    }
    // A claim is the word after a dot. The claims of a kernel about its accesses are not written.
    let before = at.token.checked_sub(1).and_then(|before| tokens.kind(before));
    if before != Some(TokenKind::Dot) || at.item.declared_kernel(db).is_some() {
        return None;
    }
    claims(db, at.item).into_iter().find(|claim| holds(claim.span, at.token)).map(|claim| claim.drawing)
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

fn of_item(db: &dyn Db, item: Item) -> Option<Drawing> {
    if let Some(drawn) = map_of(db, item) {
        return Some(Drawing { maps: vec![drawn], ..Drawing::default() });
    }
    item.declared_kernel(db)?;
    let typed = kernels::typed_kernel(db, item);
    let mut drawing = Drawing::default();
    for (span, meaning) in &typed.meanings {
        let (map, element) = match meaning {
            Meaning::View(view) => (&view.map, view.element),
            Meaning::Partition(partition) => (&partition.map, partition.element),
            Meaning::Variable(_) | Meaning::Shared(_) | Meaning::Tile(..) | Meaning::Defined(_) => continue,
        };
        let name = source(db, item, *span);
        if let Some(same) = drawing.maps.iter_mut().find(|drawn| *drawn.map == *map) {
            same.name = format!("{}, {name}", same.name);
        } else if drawing.maps.len() < MOST_VIEWS {
            drawing.maps.push(DrawnMap::new(name, Arc::new(map.clone()), facts_of(typed)));
        }
        let bytes = element.size_bytes() as u32;
        drawing.element_bytes = Some(drawing.element_bytes.map_or(bytes, |widest| widest.max(bytes)));
    }
    for found in &typed.collectives {
        let drawn = drawn_collective(db, item, found);
        drawing.maps.extend(drawn.filter(|_| drawing.maps.len() < MOST_VIEWS));
    }
    (!drawing.maps.is_empty()).then_some(drawing)
}

fn map_of(db: &dyn Db, item: Item) -> Option<DrawnMap> {
    let tree = item.tree(db);
    let (ItemKind::Map { name, .. } | ItemKind::Tiling { name, .. }) = &tree.item.as_ref()?.kind else { return None };
    let evaluated = evaluate::value(db, item);
    match &evaluated.value {
        Some(Value::Map(map)) => Some(DrawnMap::new(name.text.to_string(), Arc::clone(map), evaluated.facts.clone())),
        Some(Value::Tiling(tiling)) => DrawnMap::of_tiling(name.text.to_string(), tiling),
        _ => None,
    }
}

/// A view, the layout of a shared array, or the threads of the iterations of a loop or of a step of a tiling.
fn local(db: &dyn Db, item: Item, declaration: Span) -> Option<Drawing> {
    if item.declared_kernel(db).is_none() {
        let known = value_at(db, item, declaration.start as usize)?;
        let Value::Tiling(tiling) = &known.value else { return None };
        let drawn = DrawnMap::of_tiling(source(db, item, known.span), tiling)?;
        return Some(Drawing { maps: vec![drawn], ..Drawing::default() });
    }
    let typed = kernels::typed_kernel(db, item);
    let (_, meaning) = typed.meanings.iter().find(|(span, _)| *span == declaration)?;
    let (map, element) = match meaning {
        Meaning::View(view) => (Arc::new(view.map.clone()), view.element),
        Meaning::Shared(array) => (Arc::clone(&array.layout), array.element),
        Meaning::Partition(partition) => (Arc::new(partition.map.clone()), partition.element),
        Meaning::Tile(tile) => return tile_drawing(db, item, declaration, tile),
        Meaning::Defined(Value::Map(map)) => {
            let drawn = DrawnMap::new(source(db, item, declaration), Arc::clone(map), facts_of(typed));
            return Some(Drawing { maps: vec![drawn], ..Drawing::default() });
        }
        Meaning::Defined(_) => return None,
        Meaning::Variable(_) => {
            let kernel = item.declared_kernel(db)?;
            let statement = statement_at(&kernel.body, declaration.start as usize)?;
            let StatementKind::For { domain, .. } = &statement.kind else { return None };
            return collective(db, item, domain.span.start as usize);
        }
    };
    let drawn = DrawnMap::new(source(db, item, declaration), map, facts_of(typed));
    Some(Drawing { maps: vec![drawn], counterexample: None, element_bytes: Some(element.size_bytes() as u32) })
}

/// Which thread computes which element of a tile; `None` if none is computed for its own sake.
fn tile_drawing(db: &dyn Db, item: Item, declaration: Span, tile: &TileMeaning) -> Option<Drawing> {
    let kernel = item.declared_kernel(db)?;
    let statement = statement_at(&kernel.body, declaration.start as usize)?;
    let draft = kernels::typed_kernel(db, item).draft.as_ref()?;
    let maps = draft.distributions(tile.array?, statement.span);
    let name = source(db, item, declaration);
    let drawn = |map| DrawnMap::new(name.clone(), Arc::new(map), Facts::empty());
    let maps: Vec<DrawnMap> = maps.into_iter().take(MOST_VIEWS).map(drawn).collect();
    let element_bytes = Some(tile.element.size_bytes() as u32);
    (!maps.is_empty()).then_some(Drawing { maps, counterexample: None, element_bytes })
}

/// The threads of the iterations of the loop whose `threads(…)` begins at a token.
fn collective(db: &dyn Db, item: Item, token: usize) -> Option<Drawing> {
    item.declared_kernel(db)?;
    let loops = &kernels::typed_kernel(db, item).collectives;
    let found = loops.iter().find(|found| found.span.start as usize == token)?;
    Some(Drawing { maps: vec![drawn_collective(db, item, found)?], ..Drawing::default() })
}

fn drawn_collective(db: &dyn Db, item: Item, found: &CollectiveLoop) -> Option<DrawnMap> {
    DrawnMap::of_tiling(source(db, item, found.span), &found.tiling)
}

fn facts_of(typed: &kernels::TypedKernel) -> Facts {
    typed.draft.as_ref().map_or_else(Facts::empty, |kernel| kernel.facts.clone())
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
    for refuted in &kernels::proven_kernel(db, item).refuted {
        let access = source(db, item, refuted.span);
        let drawn = DrawnMap::new(access.clone(), Arc::clone(&refuted.map), refuted.facts.clone());
        let element_bytes = Some(refuted.element.size_bytes() as u32);
        let drawing =
            Drawing { maps: vec![drawn], counterexample: Some(refuted.counterexample.clone()), element_bytes };
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
    Some(Drawing { maps, counterexample: Some(counterexample.clone()), element_bytes: None })
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

/// Some tokens of an item as they are written, on one line.
fn source(db: &dyn Db, item: Item, span: Span) -> String {
    let file = item.file(db);
    let range = position(db, item).map_or(0..0, |position| bytes(db, file, position, span));
    on_one_line(file.text(db).get(range.start as usize..range.end as usize).unwrap_or_default())
}

#[cfg(test)]
mod tests;
