//! Edits of a map's declaration that remove its bank conflicts: a swizzle of its columns, or padding of its rows.
//!
//! Every edit is verified: the edited map has no bank conflicts.

use super::asked::Asked;
use super::evaluator::Evaluator;
use crate::db::Item;
use crate::diagnostics::{Fix, Place};
use crate::names;
use crate::values::Value;
use dims::{Facts, Sym};
use maps::hardware::BANK_WORD_BYTES;
use maps::row_major;
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, compose};
use proofs::memory::{self, Answer, Lanes};
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::{Expr, ExprKind, ItemKind, ReshapeMap, Suffix, SuffixKind};

impl Evaluator<'_> {
    /// The edits that remove the conflict in a question. The map must be named, since its declaration is edited.
    pub(super) fn bank_fixes(&self, asked: &Asked, lanes: &Lanes) -> Vec<Fix> {
        let Some((item, definition)) = self.definition(asked) else { return Vec::new() };
        let place = |span: Span| Place { item: (item != self.item).then_some(item), span };
        let mut fixes = Vec::new();
        if let Some((rows, columns)) = rows_and_columns(&asked.map)
            && is_call(&definition)
            && let Ok(swizzled) = swizzled(&asked.map, (rows, columns))
            && self.is_mended(asked, lanes, &swizzled)
        {
            fixes.push(Fix {
                title: format!("swizzle its columns by its rows with `xor({rows}, {columns})`"),
                edits: vec![(
                    place(Span::new(definition.span.end, definition.span.end)),
                    format!(" |> xor({rows}, {columns})").into(),
                )],
            });
        }
        if let Some((shape, strides, map)) = padded_rows(&definition, asked)
            && self.is_mended(asked, lanes, &map)
        {
            let text = format!("strided({shape}, {strides})");
            let title = format!("pad its rows: `{text}`");
            fixes.push(Fix { title, edits: vec![(place(definition.span), text.into())] });
        }
        if let ExprKind::ReshapeMap(map) = &definition.kind {
            fixes.extend(self.padded_dimension(asked, lanes, item, &definition, map, place));
        }
        fixes
    }

    /// The item that declares the map, and its expression, if the question begins with the map's name.
    fn definition(&self, asked: &Asked) -> Option<(Item, Expr)> {
        let tokens = self.item.tokens(self.db);
        let start = usize::try_from(asked.span.start).ok()?;
        if tokens.kind(start + 1) != Some(TokenKind::Dot) {
            return None;
        }
        let item = names::lookup(self.db, self.item.file(self.db), tokens.text(start).into())?;
        let tree = item.tree(self.db);
        match tree.item.as_ref().map(|parsed| &parsed.kind) {
            Some(ItemKind::Map { value, .. }) if tree.errors.is_empty() => Some((item, value.clone())),
            _ => None,
        }
    }

    /// Whether the edited map has no conflict where the original has one, and no new conflict along another coordinate.
    fn is_mended(&self, asked: &Asked, lanes: &Lanes, map: &IndexMap) -> bool {
        let degree = |map: &IndexMap, lanes: &Lanes| match memory::bank_conflicts(
            map,
            lanes,
            asked.element,
            &self.facts,
            &self.budget(),
        ) {
            Ok(Answer::Known(found)) => Some(found.degree),
            _ => None,
        };
        let no_worse = |axis: usize| {
            let along = Lanes::along(axis);
            matches!((degree(&asked.map, &along), degree(map, &along)), (Some(before), Some(after)) if after <= before.max(1))
        };
        let is_layout = map.upper.iter().all(|axis| axis.role == AxisRole::Local);
        degree(map, lanes) == Some(1) && (!is_layout || (0..map.upper.len()).all(no_worse))
    }

    /// A padded dimension of a `reshape_map`: `(32, 33)` for `32`.
    fn padded_dimension(
        &self,
        asked: &Asked,
        lanes: &Lanes,
        item: Item,
        whole: &Expr,
        map: &ReshapeMap,
        place: impl Fn(Span) -> Place,
    ) -> Option<Fix> {
        let pad = pad(asked);
        let sides = [("i", &map.local), ("t", &map.thread)];
        let entries = sides.iter().flat_map(|(word, side)| side.iter().enumerate().map(move |entry| (word, entry)));
        for (word, (position, entry)) in entries {
            let ExprKind::Int(Some(size)) = entry.kind else { continue };
            let Some(room) = size.checked_add(pad) else { continue };
            let number = |value: i64| Expr { kind: ExprKind::Int(Some(value)), ..entry.clone() };
            let mut other = map.clone();
            let side = if *word == "i" { &mut other.local } else { &mut other.thread };
            let Some(changed) = side.get_mut(position) else { continue };
            changed.kind = ExprKind::Tuple(vec![number(size), number(room)]);
            let mut trial = Evaluator::new(self.db, item);
            let Some(Value::Map(mended)) = trial.reshape_map(&other, whole.span) else { continue };
            if self.is_mended(asked, lanes, &mended) {
                let title = format!("pad dimension `{word}{position}`: `({size}, {room})`");
                return Some(Fix { title, edits: vec![(place(entry.span), format!("({size}, {room})").into())] });
            }
        }
        None
    }
}

/// The padding of a row in elements: one word, or one element if that is longer.
fn pad(asked: &Asked) -> i64 {
    (BANK_WORD_BYTES / asked.element.bytes()).max(1)
}

/// Whether the expression can be continued as a pipeline without parentheses.
fn is_call(definition: &Expr) -> bool {
    matches!(definition.kind, ExprKind::Postfix { .. } | ExprKind::Name(_))
}

/// The lengths of a layout of rows and columns.
fn rows_and_columns(map: &IndexMap) -> Option<(i64, i64)> {
    let [rows, columns] = map.upper.as_slice() else { return None };
    let length = |axis: &maps::UpperAxis| {
        axis.extent.as_ref().and_then(Sym::as_constant).filter(|_| axis.role == AxisRole::Local)
    };
    // The swizzle stays inside a row only if the number of columns is a power of two.
    let columns = length(columns).filter(|columns| *columns > 1 && columns.count_ones() == 1)?;
    Some((length(rows)?, columns))
}

/// The layout with its columns swizzled: `(row, column ^ (row % columns))` for `(row, column)`.
fn swizzled(map: &IndexMap, (_, columns): (i64, i64)) -> Result<IndexMap, MapError> {
    let facts = Facts::empty();
    let mut builder = MapBuilder::new(map.upper.clone(), &facts);
    let (row, column) = (builder.coordinate(0)?, builder.coordinate(1)?);
    let turned = builder.remainder(&row, &Sym::constant(columns))?;
    let column = builder.xor(&column, &turned)?;
    let lower = |value: Affine, axis: usize| LowerAxis {
        value,
        extent: map.upper.get(axis).and_then(|axis| axis.extent.clone()),
    };
    let swizzle = builder.finish(vec![lower(row, 0), lower(column, 1)])?;
    compose(map, &swizzle, &facts)
}

/// `row_major([…])` with padded rows: the texts of its shape and of its strides, and the map.
fn padded_rows(definition: &Expr, asked: &Asked) -> Option<(String, String, IndexMap)> {
    let ExprKind::Postfix { base, suffixes } = &definition.kind else { return None };
    let (ExprKind::Name(name), [Suffix { kind: SuffixKind::Call(_), .. }]) = (&base.kind, suffixes.as_slice()) else {
        return None;
    };
    if name != "row_major" || asked.map.upper.len() < 2 {
        return None;
    }
    let known = |axis: &maps::UpperAxis| axis.extent.clone().filter(|extent| extent.as_constant().is_some());
    let dims: Vec<Sym> = asked.map.upper.iter().map(known).collect::<Option<_>>()?;
    let mut padded = dims.clone();
    let last = padded.last_mut()?;
    *last = last.checked_add(&Sym::constant(pad(asked))).ok()?;
    let strides = row_major::strides(&padded).ok()?;
    let facts = Facts::empty();
    let mut builder = MapBuilder::new(asked.map.upper.clone(), &facts);
    let value = Affine::weighted_sum(&builder.coordinates().ok()?, &strides).ok()?;
    let map = builder.finish(vec![LowerAxis { value, extent: None }]).ok()?;
    let list = |sizes: Vec<Sym>| maps::shapes::Shape { dims: sizes }.to_string();
    Some((list(dims), list(strides), map))
}
