//! Which maps a picture shows: those of a name, of a place in a file, or of a refuted claim. A loop over thread
//! collectives is drawn as the map from its iterations to their threads.

use std::sync::Arc;

use super::cursor::{cursor, occurrence_at};
use super::expressions::statement_at;
use super::names::Target;
use super::places::{bytes, position};
use super::shorten::on_one_line;
use super::value_at::value_at;
use smol_str::SmolStr;

use check::db::{Db, Item, SourceFile};
use check::evaluate;
use check::kernels::{self, CollectiveLoop, Meaning, PartitionMeaning, TileMeaning};
use check::names;
use check::values::Value;
use dims::Facts;
use maps::IndexMap;
use maps::threads::Tiling;
use pictures::{Division, Options, Picture, Subject};
use proofs::Counterexample;
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::{ItemKind, StatementKind};

mod claims;

pub use claims::{RefutedClaim, drawing_of_claim, refuted_claims};

/// The most views of one kernel that are drawn.
const MOST_VIEWS: usize = 4;

/// Maps that are drawn side by side.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The maps.
    pub maps: Vec<DrawnMap>,
    /// Whether the maps are the views of one kernel, which are not compared: they stand one below the other.
    pub stacked: bool,
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
    /// What the map is of.
    kind: Kind,
}

/// What a drawn map is of.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// A map of the file, a view, or the layout of a shared array.
    Map,
    /// A tiling with its iterators, whose map goes from iterations to threads.
    Tiling(Vec<SmolStr>),
    /// What each thread computes of a tile.
    Distribution,
    /// A tensor divided into tiles.
    Partition(Division),
}

impl DrawnMap {
    fn new(name: String, map: Arc<IndexMap>, facts: Facts) -> DrawnMap {
        DrawnMap { name, map, facts, kind: Kind::Map }
    }

    /// A tiling is drawn as what it assigns: the threads, by iteration.
    fn of_tiling(name: String, tiling: &Tiling) -> Option<DrawnMap> {
        let map = Arc::new(tiling.assignment().ok()?);
        let iterators = tiling.iterators().iter().map(|iterator| iterator.name.clone()).collect();
        Some(DrawnMap { name, map, facts: Facts::empty(), kind: Kind::Tiling(iterators) })
    }

    fn subject(&self) -> Subject<'_> {
        let kind = match &self.kind {
            Kind::Map => pictures::Kind::Map,
            Kind::Tiling(iterators) => pictures::Kind::Tiling(iterators),
            Kind::Distribution => pictures::Kind::Distribution,
            Kind::Partition(division) => pictures::Kind::Partition(division),
        };
        Subject { name: &self.name, map: &self.map, facts: &self.facts, kind }
    }
}

impl Drawing {
    /// The picture. The drawing's own counterexample and element size override the options.
    pub fn picture(&self, options: &Options<'_>) -> Picture {
        let subjects: Vec<Subject<'_>> = self.maps.iter().map(DrawnMap::subject).collect();
        let counterexample = self.counterexample.as_ref().or(options.counterexample);
        let element_bytes = self.element_bytes.unwrap_or(options.element_bytes);
        let stacked = self.stacked || options.stacked;
        pictures::picture(&subjects, &Options { counterexample, element_bytes, stacked, ..options.clone() })
    }
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
    let meanings = &kernels::typed_kernel(db, item).record.meanings;
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
    claims::at(db, at)
}

fn of_item(db: &dyn Db, item: Item) -> Option<Drawing> {
    if let Some(drawn) = map_of(db, item) {
        return Some(Drawing { maps: vec![drawn], ..Drawing::default() });
    }
    item.declared_kernel(db)?;
    let typed = kernels::typed_kernel(db, item);
    let mut drawing = Drawing { stacked: true, ..Drawing::default() };
    for (span, meaning) in &typed.record.meanings {
        let (map, kind, element) = match meaning {
            Meaning::View(view) => (&view.map, Kind::Map, view.element),
            Meaning::Partition(partition) => (&partition.map, of_partition(partition), partition.element),
            Meaning::Variable(_)
            | Meaning::Shared(_)
            | Meaning::ThreadArray(_)
            | Meaning::Tile(..)
            | Meaning::Defined(_) => continue,
        };
        let name = source(db, item, *span);
        if let Some(same) = drawing.maps.iter_mut().find(|drawn| *drawn.map == *map && drawn.kind == kind) {
            same.name = format!("{}, {name}", same.name);
        } else if drawing.maps.len() < MOST_VIEWS {
            drawing.maps.push(DrawnMap { name, map: Arc::new(map.clone()), facts: facts_of(typed), kind });
        }
        let bytes = element.size_bytes() as u32;
        drawing.element_bytes = Some(drawing.element_bytes.map_or(bytes, |widest| widest.max(bytes)));
    }
    for found in &typed.record.collectives {
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
    let (_, meaning) = typed.record.meanings.iter().find(|(span, _)| *span == declaration)?;
    let (map, kind, element) = match meaning {
        Meaning::View(view) => (Arc::new(view.map.clone()), Kind::Map, view.element),
        Meaning::Shared(array) => (Arc::clone(&array.layout), Kind::Map, array.element),
        Meaning::Partition(partition) => (Arc::new(partition.map.clone()), of_partition(partition), partition.element),
        Meaning::Tile(tile) => return tile_drawing(db, item, declaration, tile),
        Meaning::Defined(Value::Map(map)) => {
            let drawn = DrawnMap::new(source(db, item, declaration), Arc::clone(map), facts_of(typed));
            return Some(Drawing { maps: vec![drawn], ..Drawing::default() });
        }
        Meaning::ThreadArray(_) | Meaning::Defined(_) => return None,
        Meaning::Variable(_) => {
            let kernel = item.declared_kernel(db)?;
            let statement = statement_at(&kernel.body, declaration.start as usize)?;
            let StatementKind::For { domain, .. } = &statement.kind else { return None };
            return collective(db, item, domain.span.start as usize);
        }
    };
    let drawn = DrawnMap { name: source(db, item, declaration), map, facts: facts_of(typed), kind };
    Some(Drawing { maps: vec![drawn], element_bytes: Some(element.size_bytes() as u32), ..Drawing::default() })
}

fn of_partition(partition: &PartitionMeaning) -> Kind {
    let PartitionMeaning { shape, tile, order, .. } = partition;
    Kind::Partition(Division { shape: shape.clone(), tile: tile.clone(), order: order.clone() })
}

/// Which thread computes which element of a tile; `None` if none is computed for its own sake.
fn tile_drawing(db: &dyn Db, item: Item, declaration: Span, tile: &TileMeaning) -> Option<Drawing> {
    let kernel = item.declared_kernel(db)?;
    let statement = statement_at(&kernel.body, declaration.start as usize)?;
    let draft = kernels::typed_kernel(db, item).draft.as_ref()?;
    let maps = draft.distributions(tile.array?, statement.span);
    let name = source(db, item, declaration);
    let drawn =
        |map| DrawnMap { name: name.clone(), map: Arc::new(map), facts: Facts::empty(), kind: Kind::Distribution };
    let maps: Vec<DrawnMap> = maps.into_iter().take(MOST_VIEWS).map(drawn).collect();
    let element_bytes = Some(tile.element.size_bytes() as u32);
    (!maps.is_empty()).then_some(Drawing { maps, stacked: true, element_bytes, ..Drawing::default() })
}

/// The threads of the iterations of the loop whose `threads(…)` begins at a token.
fn collective(db: &dyn Db, item: Item, token: usize) -> Option<Drawing> {
    item.declared_kernel(db)?;
    let loops = &kernels::typed_kernel(db, item).record.collectives;
    let found = loops.iter().find(|found| found.span.start as usize == token)?;
    Some(Drawing { maps: vec![drawn_collective(db, item, found)?], ..Drawing::default() })
}

fn drawn_collective(db: &dyn Db, item: Item, found: &CollectiveLoop) -> Option<DrawnMap> {
    DrawnMap::of_tiling(source(db, item, found.span), &found.tiling)
}

fn facts_of(typed: &kernels::TypedKernel) -> Facts {
    typed.draft.as_ref().map_or_else(Facts::empty, |kernel| kernel.facts.clone())
}

/// Some tokens of an item as they are written, on one line.
fn source(db: &dyn Db, item: Item, span: Span) -> String {
    let file = item.file(db);
    let range = position(db, item).map_or(0..0, |position| bytes(db, file, position, span));
    on_one_line(file.text(db).get(range.start as usize..range.end as usize).unwrap_or_default())
}

#[cfg(test)]
mod tests;
