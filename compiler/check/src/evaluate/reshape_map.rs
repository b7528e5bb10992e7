//! `reshape_map(…)`: its syntax is checked and becomes a specification, which becomes a map.

use std::collections::HashSet;

use super::evaluator::{Evaluator, Outcome};
use crate::diagnostics::{self, Side};
use dims::{CompareOp, Proof, Sym, Symbol};
use maps::{LayoutEntry, ReshapeMapSpec};
use syntax::span::Span;
use syntax::tree::{Expr, ExprKind, Layout, PrefixOp, ReshapeMap};

/// The name of [`open_threads`].
pub const THREADS: &str = "threads";

/// The symbol for the number of threads if `linear` omits it; views replace it by the threads of their scope. No
/// declaration has its number.
pub fn open_threads() -> Symbol {
    Symbol::new(THREADS, u32::MAX)
}

/// A dimension of one side: its size `D`, its size `TD` in the tensor, and the span of the entry.
struct Dimension {
    size: Sym,
    in_tensor: Sym,
}

impl Evaluator<'_> {
    /// The map that a `reshape_map` makes.
    pub(crate) fn reshape_map(&mut self, map: &ReshapeMap, span: Span) -> Outcome {
        let local = self.dimensions(&map.local, map.local_span, Side::Local);
        let thread = self.dimensions(&map.thread, map.thread_span, Side::Thread);
        let offset = match &map.offset {
            Some(offset) => self.offset(offset),
            None => Some(Sym::zero()),
        };
        let counts = (map.local.len(), map.thread.len());
        if counts.0 == 0 || counts.1 == 0 {
            // Without dimensions the layout cannot be checked.
            return None;
        }
        let layout = match &map.layout {
            Some(layout) => self.layout(layout, counts),
            None => {
                Some((0..counts.0 + counts.1).map(|dimension| LayoutEntry { dimension, reversed: false }).collect())
            }
        };
        let (local, thread, offset, layout) = (local?, thread?, offset?, layout?);
        self.hint_clipped_reversals(map, &layout, &local, &thread);
        let pairs =
            |side: Vec<Dimension>| side.into_iter().map(|dimension| (dimension.size, dimension.in_tensor)).collect();
        let spec = ReshapeMapSpec { local: pairs(local), thread: pairs(thread), layout, offset };
        let result = maps::reshape_map(&spec, &self.facts);
        self.map(span, result)
    }

    fn dimensions(&mut self, entries: &[Expr], span: Span, side: Side) -> Option<Vec<Dimension>> {
        // The parser has reported missing brackets.
        if entries.is_empty() && span.start == span.end {
            return None;
        }
        if entries.is_empty() {
            return self.report(diagnostics::empty_side(span, side));
        }
        let dimensions: Vec<Option<Dimension>> = entries.iter().map(|entry| self.dimension(entry)).collect();
        dimensions.into_iter().collect()
    }

    fn dimension(&mut self, entry: &Expr) -> Option<Dimension> {
        match &entry.kind {
            ExprKind::Tuple(pair) => match pair.as_slice() {
                [size, in_tensor] => {
                    let (size, in_tensor) = (self.map_size(size), self.map_size(in_tensor));
                    Some(Dimension { size: size?, in_tensor: in_tensor? })
                }
                _ => self.report(diagnostics::dimension_entry(entry.span)),
            },
            _ => {
                let size = self.map_size(entry)?;
                Some(Dimension { in_tensor: size.clone(), size })
            }
        }
    }

    fn offset(&mut self, expr: &Expr) -> Option<Sym> {
        let offset = self.int(expr)?;
        match self.facts.prove(&offset, CompareOp::Ge, &Sym::zero()) {
            Proof::Refuted { .. } => self.report(diagnostics::negative_offset(expr.span, &offset)),
            _ => Some(offset),
        }
    }

    fn layout(&mut self, layout: &Layout, counts: (usize, usize)) -> Option<Vec<LayoutEntry>> {
        let mut entries: Vec<Option<LayoutEntry>> = Vec::with_capacity(layout.entries.len());
        let mut taken: Vec<Option<Span>> = vec![None; counts.0 + counts.1];
        let missing = std::cell::LazyCell::new(|| missing_dimensions(layout, counts));
        for entry in &layout.entries {
            let parsed = self.layout_entry(layout, entry, counts);
            let parsed = parsed.and_then(|parsed| match taken[parsed.dimension] {
                Some(first) => self.report(diagnostics::layout_duplicate(
                    entry.span,
                    &dimension_name(parsed.dimension, counts),
                    first,
                    &missing,
                    parsed.reversed,
                )),
                None => {
                    taken[parsed.dimension] = Some(entry.span);
                    Some(parsed)
                }
            });
            entries.push(parsed);
        }
        let entries = entries.into_iter().collect::<Option<Vec<_>>>()?;
        if entries.len() != counts.0 + counts.1 {
            let missing: Vec<String> = (0..taken.len())
                .filter(|dimension| taken[*dimension].is_none())
                .map(|dimension| dimension_name(dimension, counts))
                .collect();
            return self.report(diagnostics::layout_length(layout, counts.0 + counts.1, &missing));
        }
        Some(entries)
    }

    /// `2`, `-0`, `i0`, `-t1`.
    fn layout_entry(&mut self, layout: &Layout, entry: &Expr, counts: (usize, usize)) -> Option<LayoutEntry> {
        let (reversed, plain) = match &entry.kind {
            ExprKind::Prefix { ops, operand } if matches!(ops.as_slice(), [(PrefixOp::Negate, _)]) => {
                (true, &**operand)
            }
            _ => (false, entry),
        };
        let dimension = match &plain.kind {
            ExprKind::Int(Some(number)) => {
                match usize::try_from(*number).ok().filter(|number| *number < counts.0 + counts.1) {
                    Some(dimension) => dimension,
                    None => return self.report(diagnostics::layout_out_of_range(plain.span, *number, counts)),
                }
            }
            ExprKind::Error | ExprKind::Int(None) => return None,
            ExprKind::Name(name) => match named_dimension(name, counts) {
                NamedDimension::Is(dimension) => dimension,
                NamedDimension::Beyond { side, count } => {
                    let missing = missing_dimensions(layout, counts);
                    let unknown = diagnostics::layout_unknown_entry(plain.span, name, side, count, counts, &missing);
                    return self.report(unknown);
                }
                NamedDimension::Other => return self.report(diagnostics::layout_not_constant(plain.span, counts)),
            },
            _ => return self.report(diagnostics::layout_not_constant(plain.span, counts)),
        };
        Some(LayoutEntry { dimension, reversed })
    }

    fn hint_clipped_reversals(
        &mut self,
        map: &ReshapeMap,
        layout: &[LayoutEntry],
        local: &[Dimension],
        thread: &[Dimension],
    ) {
        let Some(written) = &map.layout else { return };
        for (entry, expr) in layout.iter().zip(&written.entries) {
            let dimension = local.iter().chain(thread).nth(entry.dimension);
            if let Some(dimension) = dimension
                && entry.reversed
                && dimension.size != dimension.in_tensor
            {
                let hint = diagnostics::reversal_clips(expr.span, &dimension.size, &dimension.in_tensor);
                self.diagnostics.push(hint);
            }
        }
    }
}

enum NamedDimension {
    Is(usize),
    Beyond { side: Side, count: usize },
    Other,
}

/// The dimension that `i0` or `t1` names.
fn named_dimension(name: &str, counts: (usize, usize)) -> NamedDimension {
    let (side, first, count) = match name.as_bytes().first() {
        Some(b'i') => (Side::Local, 0, counts.0),
        Some(b't') => (Side::Thread, counts.0, counts.1),
        _ => return NamedDimension::Other,
    };
    match name[1..].parse::<usize>() {
        Ok(number) if name[1..].bytes().all(|byte| byte.is_ascii_digit()) => {
            if number < count {
                NamedDimension::Is(first + number)
            } else {
                NamedDimension::Beyond { side, count }
            }
        }
        _ => NamedDimension::Other,
    }
}

/// The dimension that a word of a layout names.
pub fn named_entry(name: &str, counts: (usize, usize)) -> Option<usize> {
    match named_dimension(name, counts) {
        NamedDimension::Is(dimension) => Some(dimension),
        _ => None,
    }
}

/// The name of a dimension: `i0`, `t1`.
pub fn dimension_name(dimension: usize, counts: (usize, usize)) -> String {
    if dimension < counts.0 { format!("i{dimension}") } else { format!("t{}", dimension - counts.0) }
}

/// The dimension that an entry of the layout names, by number or by name; the minus sign is ignored.
pub fn layout_dimension(entry: &Expr, counts: (usize, usize)) -> Option<usize> {
    let plain = match &entry.kind {
        ExprKind::Prefix { operand, .. } => &operand.kind,
        kind => kind,
    };
    match plain {
        ExprKind::Int(Some(number)) => usize::try_from(*number).ok(),
        ExprKind::Name(name) => match named_dimension(name, counts) {
            NamedDimension::Is(dimension) => Some(dimension),
            _ => None,
        },
        _ => None,
    }
}

/// The dimensions that no entry of the layout names.
fn missing_dimensions(layout: &Layout, counts: (usize, usize)) -> Vec<String> {
    let named = |entry: &Expr| layout_dimension(entry, counts);
    let named: HashSet<usize> = layout.entries.iter().filter_map(named).collect();
    (0..counts.0 + counts.1)
        .filter(|dimension| !named.contains(dimension))
        .map(|dimension| dimension_name(dimension, counts))
        .collect()
}
