//! Statements with tiles: `let t = px.load(i);`, `acc = mma(a, b, acc);`, `py.store(t, i);`.

use std::sync::Arc;

use smol_str::SmolStr;

use super::super::bindings::Binding;
use super::super::checker::Checker;
use super::super::claims::Subject;
use super::super::operand::Operand;
use super::products::MMA;
use super::tile::{Tile, TileVariable};
use super::uniform;
use super::uniform::Differs;
use crate::diagnostics::{self, Diagnostics, Number, WrongTile};
use kernel::typed::{ExprKind, Local, Memory, SharedId, Statement};
use syntax::grammar::joined;
use syntax::span::Span;
use syntax::tree::{self, BinaryOp, Name, Suffix, SuffixKind};

/// The most operations of a tile that is computed for each use.
const MOST_COMPUTED: usize = 16;

impl Checker<'_> {
    /// The statements to execute before the one that is being read, in which operations on tiles may stand.
    pub(in super::super) fn with_tiles<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> (Vec<Statement>, T) {
        let allowed = std::mem::replace(&mut self.tiles.allowed, true);
        let found = self.with_before(read);
        self.tiles.allowed = allowed;
        found
    }

    /// The statements to execute before the one that is being read.
    pub(in super::super) fn with_before<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> (Vec<Statement>, T) {
        let outer = std::mem::take(&mut self.tiles.before);
        let found = read(self);
        (std::mem::replace(&mut self.tiles.before, outer), found)
    }

    /// `let t = …;` of a tile. One of rank 0 is a number like any other.
    pub(in super::super) fn let_tile(
        &mut self,
        name: &Name,
        mutable: bool,
        element: Option<&Name>,
        shape: Option<&[tree::Expr]>,
        value: &tree::Expr,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let (mut statements, found) = self.with_tiles(|checker| checker.tile(value));
        let found = match shape {
            Some(shape) => found.and_then(|tile| self.has_extents(tile, name, shape)),
            None => found,
        };
        let element = match element {
            Some(word) => self.evaluator.element_type(word).map(Some),
            None => Some(None),
        };
        let (Some(tile), Some(element)) = (found, element) else {
            self.bind(name, Binding::Broken);
            return None;
        };
        if tile.rank() == 0 {
            let value = match element {
                Some(element) => self.coerce(tile.value, element, value.span),
                None => self.natural(tile.value, value.span),
            };
            statements.extend(self.let_statement(name, mutable, value, span)?);
            return Some(statements);
        }
        if !mutable && self.is_cheap(&tile) {
            let element = element.unwrap_or(tile.value.natural());
            let value = self.coerce(tile.value.clone(), element, value.span)?;
            let tile = Tile { value: Operand::Typed(value), own: None, ..tile };
            self.bind_tile(name, TileVariable::Computed(Arc::new(tile)));
            return Some(statements);
        }
        let (more, array) = self.with_tiles(|checker| {
            let element = element.unwrap_or(tile.value.natural());
            if tile.own.is_some() && tile.value.natural() == element {
                return tile.own;
            }
            let array = checker.array(element, &tile.shape, value.span)?;
            let contents = checker.contents_of(&tile, element);
            checker.store_in(array, tile, value.span)?;
            checker.raiser.know_contents(Memory::Shared(array), contents);
            Some(array)
        });
        statements.extend(more);
        let Some(array) = array else {
            self.bind(name, Binding::Broken);
            return None;
        };
        if let Some(stored) = self.memories.shared.get_mut(array) {
            stored.name = name.text.clone();
        }
        self.bind_tile(name, TileVariable::Array { array, mutable });
        Some(statements)
    }

    /// The tile, if it has the extents with which its name is declared.
    fn has_extents(&mut self, tile: Tile, name: &Name, shape: &[tree::Expr]) -> Option<Tile> {
        let span = shape.iter().map(|extent| extent.span).reduce(Span::to).unwrap_or(name.span);
        let declared = self.extents(shape, None, span)?;
        if declared == tile.shape {
            return Some(tile);
        }
        self.report(diagnostics::tile_declared(span, &name.text, &declared, &tile.shape))
    }

    /// `let t: f32[8] = …;` of a value without tiles.
    pub(in super::super) fn no_tile(
        &mut self,
        name: &Name,
        shape: &[tree::Expr],
        value: &tree::Expr,
    ) -> Option<Vec<Statement>> {
        self.bind(name, Binding::Broken);
        let span = shape.iter().map(|extent| extent.span).reduce(Span::to).unwrap_or(name.span);
        let declared = self.extents(shape, None, span)?;
        self.operand(value)?;
        self.report(diagnostics::tile_declared(span, &name.text, &declared, &[]))
    }

    /// Whether an expression is the name of a tile.
    pub(in super::super) fn is_tile(&self, expr: &tree::Expr) -> bool {
        matches!(&expr.kind, tree::ExprKind::Name(name) if matches!(self.binding(name), Some(Binding::Tile(_))))
    }

    /// Reports `t[0, 0] = 1.0;` of a tile.
    pub(in super::super) fn element_of_tile(
        &mut self,
        base: &tree::Expr,
        indices: &[tree::Expr],
        op: Option<BinaryOp>,
        value: &tree::Expr,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let (_, tile) = self.with_tiles(|checker| checker.tile(base));
        let tile = tile?;
        let tree::ExprKind::Name(name) = &base.kind else { return None };
        let places: Vec<SmolStr> = indices.iter().map(|index| self.text_of(index.span)).collect();
        let value = match op {
            Some(op) => format!("{name} {} {}", op.text(), self.text_of(value.span)).into(),
            None => self.text_of(value.span),
        };
        self.report(diagnostics::element_of_tile(span, name, &tile.shape, &places, &value))
    }

    /// The text of a part of the kernel, with the usual spaces.
    pub(in super::super) fn text_of(&self, span: Span) -> SmolStr {
        let tokens = self.evaluator.item.tokens(self.evaluator.db);
        joined(tokens, span.start as usize, span.end as usize).unwrap_or_default().into()
    }

    /// The number that is assigned to a variable of numbers.
    pub(in super::super) fn number_for(&mut self, local: Local, name: &str, value: &tree::Expr) -> Option<Operand> {
        if !self.tiles.allowed {
            return self.number_of_tiles(value);
        }
        let tile = self.tile(value)?;
        if tile.rank() == 0 {
            return Some(tile.value);
        }
        let is_this = |binding: &Binding| matches!(binding, Binding::Local(found) if *found == local);
        let declared =
            self.bindings.get(name).filter(|(.., binding)| is_this(binding)).map(|(_, declared, _)| *declared)?;
        let first = self.first_number(declared);
        let number = Number { name, declared, first: first.as_ref().map(|(places, text)| (*places, text.as_str())) };
        let found = diagnostics::tile_in_number(value.span, &number, tile.element(), &tile.shape);
        self.report(found)
    }

    /// The type with its colon and the first value of a variable, and the text of this, if it is a number of the text.
    fn first_number(&self, name: Span) -> Option<([Span; 2], SmolStr)> {
        let tokens = self.evaluator.item.tokens(self.evaluator.db);
        let start = name.end as usize;
        let equal = match tokens.text(start) {
            ":" => start + 2,
            _ => start,
        };
        let negated = usize::from(tokens.text(equal + 1) == "-");
        let end = equal + 2 + negated;
        let is_number = tokens.text(equal) == "=" && tokens.text(end) == ";";
        let (element, value) = (Span::new(name.end, equal as u32), Span::new(equal as u32 + 1, end as u32));
        is_number.then(|| ([element, value], self.text_of(value)))
    }

    fn bind_tile(&mut self, name: &Name, variable: TileVariable) {
        let binding = Binding::Tile(variable);
        self.note_meaning(name, &binding);
        self.bind(name, binding);
    }

    /// Whether the elements of a tile are computed again for each use rather than kept: few operations make them of their
    /// places and of numbers that stay the same. Then it is also known for each use between which bounds they lie.
    pub(super) fn is_cheap(&self, tile: &Tile) -> bool {
        let Operand::Typed(value) = &tile.value else { return true };
        let (mut nodes, mut varies) = (0, false);
        value.walk(&mut |expr| {
            nodes += 1;
            varies |= match &expr.kind {
                ExprKind::Load(_) | ExprKind::Math(..) => true,
                ExprKind::Local(local) => self.locals.get(*local).is_none_or(|local| local.mutable),
                _ => false,
            };
        });
        nodes <= MOST_COMPUTED && !varies
    }

    /// `t = …;`, `t += …;`
    pub(in super::super) fn assign_tile(
        &mut self,
        name: &SmolStr,
        at: Span,
        op: Option<BinaryOp>,
        value: &tree::Expr,
    ) -> Option<Vec<Statement>> {
        let (_, declaration, Binding::Tile(variable)) = self.bindings.get(name).cloned()? else { return None };
        let TileVariable::Array { array: own, mutable: true } = variable else {
            return self.report(diagnostics::immutable(at, name, declaration));
        };
        let (statements, done) = self.with_tiles(|checker| {
            checker.tiles.target = (op.is_none() && is_product(value)).then_some(own);
            let mut tile = checker.tile(value)?;
            checker.tiles.target = None;
            if let Some(op) = op {
                let current = checker.tile_in(own, at)?;
                let spans = (at, value.span);
                tile = checker.element_by_element(vec![current, tile], &[spans.0, spans.1], |checker, values| {
                    let [left, right] = <[_; 2]>::try_from(values).ok()?;
                    checker.assigned(op, left, right, spans)
                })?;
            }
            let element = checker.memories.shared.get(own)?.element;
            // A product is computed where it is assigned, and so reads like what was there before.
            let contents = if is_product(value) { None } else { checker.contents_of(&tile, element) };
            checker.put(own, tile, value.span)?;
            checker.raiser.know_contents(Memory::Shared(own), contents);
            Some(())
        });
        done.map(|()| statements)
    }

    /// Replaces the tile in an array. What reads the array at other elements than it writes is computed before.
    fn put(&mut self, array: SharedId, tile: Tile, span: Span) -> Option<()> {
        let shape = self.memories.shared.get(array)?.known_shape()?;
        let extended = match tile.rank() {
            0 => Tile { axes: self.axes(&shape), shape: shape.clone(), ..tile },
            _ => tile,
        };
        if extended.shape != shape {
            let why = WrongTile::Assigned { tile: &extended.shape, variable: &shape };
            return self.report(diagnostics::tile_shape(span, &why));
        }
        if extended.own.is_none() && extended.is_in(array) {
            return Some(());
        }
        let source = if extended.own.is_none() && extended.reads_elsewhere(array) {
            self.stored_apart(extended, span)?
        } else {
            extended
        };
        self.store_in(array, source, span)
    }

    fn stored_apart(&mut self, tile: Tile, span: Span) -> Option<Tile> {
        let array = self.kept(tile, span)?;
        self.tile_in(array, span)
    }

    /// Reports operations on tiles on which the threads of a block do not agree.
    pub(in super::super) fn check_agreement(&mut self, body: &[Statement]) {
        if !self.tiles.used || self.launch.threads.as_constant() == Some(1) {
            return;
        }
        let db = self.evaluator.db;
        for (span, differs) in uniform::disagreements(body, &|| db.unwind_if_revision_cancelled()) {
            let name = match differs {
                Differs::Variable(local) => self.locals.get(local).map(|local| local.name.clone()),
                Differs::Control | Differs::Number => None,
            };
            let found = diagnostics::tile_disagreement(span, name.as_deref(), differs == Differs::Control);
            self.evaluator.diagnostics.push_once_here(found);
        }
    }

    /// Reports a tensor whose elements are accessed both by themselves and through a partition, if it is written: the
    /// thread that wrote an element of a tile is not the program's business.
    pub(in super::super) fn check_tensors_of_tiles(&mut self) {
        let accessed = std::mem::take(&mut self.tiles.accessed);
        let mut reported: Vec<Memory> = Vec::new();
        for (view, first) in accessed {
            let memory = view.memory;
            if reported.contains(&memory) {
                continue;
            }
            let records = || {
                self.found.record.subjects.iter().filter_map(move |subject| match subject {
                    Subject::Access(record) if record.memory == memory => Some(record),
                    _ => None,
                })
            };
            // Atomic accesses meet no harm among themselves.
            if records().all(|record| record.kind.is_atomic()) {
                continue;
            }
            // Beside other accesses, each element of a tile belongs to one thread.
            if records().any(|record| record.kind.is_atomic())
                && let Some(verdict) = self.not_injective(&view)
            {
                let name = self.memories.name(memory);
                self.evaluator.diagnostics.push(diagnostics::tile_view_not_injective(first, &name, &verdict));
                continue;
            }
            let other = self.found.record.subjects.iter().find_map(|subject| match subject {
                Subject::Access(record) if record.memory == memory && !record.of_tile => Some(record.span),
                _ => None,
            });
            if let Some(span) = other {
                reported.push(memory);
                let name = self.memories.name(memory);
                self.evaluator.diagnostics.push(diagnostics::tile_and_elements(span, &name, first));
            }
        }
    }
}

/// Whether an expression is a call of `mma` alone.
fn is_product(expr: &tree::Expr) -> bool {
    let tree::ExprKind::Postfix { base, suffixes } = &expr.kind else { return false };
    matches!(&base.kind, tree::ExprKind::Name(name) if name == MMA.name())
        && matches!(suffixes.as_slice(), [Suffix { kind: SuffixKind::Call(_), .. }])
}
