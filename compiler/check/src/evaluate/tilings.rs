//! Tilings: `cluster(1) block(384) |> tile(w: 8, cuda_warp)`.

use std::sync::Arc;

use super::evaluator::{Evaluator, Outcome};
use crate::diagnostics::{self, BlockSize, Misplaced, Quantity, Wanted};
use crate::values::Value;
use maps::threads::{ThreadsError, Tiling, Unit};
use syntax::span::Span;
use syntax::tree::{Argument, Expr, ExprKind, LaunchClause, LaunchClauseKind, Link, Name, Suffix, SuffixKind};

/// A function that makes a tiling, or a step of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TilingFunction {
    Cluster,
    Block,
    Tile,
    Specialize,
}

impl TilingFunction {
    pub(super) const ALL: [TilingFunction; 4] = [Self::Cluster, Self::Block, Self::Tile, Self::Specialize];

    /// The word by which it is called.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Cluster => "cluster",
            Self::Block => "block",
            Self::Tile => "tile",
            Self::Specialize => "specialize",
        }
    }

    /// The function with this word.
    pub(super) fn from_word(word: &str) -> Option<TilingFunction> {
        Self::ALL.into_iter().find(|function| function.word() == word)
    }
}

/// The spans of a step's parts, for messages and fixes.
struct Places {
    whole: Span,
    name: Span,
    count: Span,
    unit: Span,
    /// The place where the block size is written as one number, or could be added.
    block: Option<BlockSize>,
}

impl Evaluator<'_> {
    /// Evaluates `cluster(c) block(b)`.
    pub(super) fn launch(&mut self, clauses: &[LaunchClause], span: Span) -> Outcome {
        let (mut cluster, mut block) = (None, None);
        for clause in clauses {
            let (place, word) = match clause.kind {
                LaunchClauseKind::Cluster => (&mut cluster, "cluster"),
                LaunchClauseKind::Block => (&mut block, "block"),
                LaunchClauseKind::Grid => {
                    return self.report(diagnostics::tiling_step(clause.span, &Misplaced::Grid));
                }
            };
            let [size] = clause.args.as_slice() else {
                return self.report(diagnostics::argument_count(clause.span, word, &["size"], clause.args.len()));
            };
            if place.replace(size).is_some() {
                return self.report(diagnostics::tiling_step(clause.span, &Misplaced::ClauseTwice(word)));
            }
        }
        self.launched(cluster, block, span)
    }

    /// Evaluates `block(b)` or `cluster(c)` alone, and reports steps that do not follow a tiling.
    pub(super) fn tiling_function(&mut self, function: TilingFunction, arguments: &[Argument], span: Span) -> Outcome {
        let word = function.word();
        match function {
            TilingFunction::Block => {
                let [size] = self.arguments(word, &["size"], 1, arguments, span)?;
                self.launched(None, size, span)
            }
            TilingFunction::Cluster => {
                let [size] = self.arguments(word, &["size"], 1, arguments, span)?;
                self.launched(size, None, span)
            }
            TilingFunction::Tile | TilingFunction::Specialize => {
                self.report(diagnostics::tiling_step(span, &Misplaced::StepAlone(word)))
            }
        }
    }

    fn launched(&mut self, cluster: Option<&Expr>, block: Option<&Expr>, span: Span) -> Outcome {
        let blocks = match cluster {
            Some(cluster) => self.constant(cluster, Quantity::ClusterBlocks),
            None => Some(1),
        };
        let Some(block) = block else {
            return self.report(diagnostics::tiling_step(span, &Misplaced::NoBlock));
        };
        let threads = self.constant(block, Quantity::BlockThreads)?;
        match Tiling::new(blocks?, threads) {
            Ok(tiling) => Some(Value::Tiling(Arc::new(tiling))),
            Err(error) => {
                let of_cluster = matches!(error, ThreadsError::Cluster { .. });
                let at = cluster.filter(|_| of_cluster).unwrap_or(block).span;
                self.report(diagnostics::tiling_launch(at, &error))
            }
        }
    }

    /// Evaluates `first |> step |> …`.
    pub(super) fn tiling_pipeline(&mut self, tiling: Arc<Tiling>, first: &Expr, rest: &[Link]) -> Outcome {
        let mut tiling = tiling;
        for link in rest {
            tiling = Arc::new(self.step(&tiling, &link.operand, block_size(first))?);
            // The value of a step in a pipeline is the tiling up to there.
            self.note_watched(&link.operand, Some(&Value::Tiling(tiling.clone())));
        }
        Some(Value::Tiling(tiling))
    }

    fn step(&mut self, tiling: &Tiling, step: &Expr, block: Option<BlockSize>) -> Option<Tiling> {
        let (name, arguments) = match &step.kind {
            ExprKind::Postfix { base, suffixes } => match (&base.kind, suffixes.as_slice()) {
                (ExprKind::Name(name), [Suffix { kind: SuffixKind::Call(arguments), .. }]) => {
                    (name.as_str(), arguments)
                }
                _ => return self.report(diagnostics::tiling_step(step.span, &Misplaced::NoCall)),
            },
            _ => return self.report(diagnostics::tiling_step(step.span, &Misplaced::NoCall)),
        };
        match TilingFunction::from_word(name) {
            Some(TilingFunction::Tile) => self.tile(tiling, arguments, step.span, block),
            Some(TilingFunction::Specialize) => self.specialize(tiling, arguments, step.span, block),
            Some(TilingFunction::Block | TilingFunction::Cluster) | None => {
                self.report(diagnostics::tiling_step(step.span, &Misplaced::NoStep(name)))
            }
        }
    }

    /// Evaluates `tile(w: 8, cuda_warp)`.
    fn tile(
        &mut self,
        tiling: &Tiling,
        arguments: &[Argument],
        span: Span,
        block: Option<BlockSize>,
    ) -> Option<Tiling> {
        let [Argument { name: Some(name), value: count }, unit] = arguments else {
            return self.report(match arguments {
                [Argument { name: None, .. }, _] => diagnostics::tiling_step(span, &Misplaced::NoIteratorName),
                _ => diagnostics::tiling_step(span, &Misplaced::TileArguments),
            });
        };
        if unit.name.as_ref().is_some_and(|name| name.text != "unit") {
            return self.report(diagnostics::tiling_step(span, &Misplaced::SecondIterator));
        }
        self.tiled(tiling, &name.text, (count, &unit.value), (span, name.span, block))
    }

    /// Evaluates `specialize(0..4, cuda_warp)`.
    fn specialize(
        &mut self,
        tiling: &Tiling,
        arguments: &[Argument],
        span: Span,
        block: Option<BlockSize>,
    ) -> Option<Tiling> {
        let [range, unit] = self.arguments("specialize", &["units", "unit"], 2, arguments, span)?;
        let (range, unit) = (range?, unit?);
        let ExprKind::Range(low, high) = &range.kind else {
            return self.report(diagnostics::tiling_step(range.span, &Misplaced::NoRange));
        };
        let (first, end) = (self.constant(low, Quantity::FirstUnit), self.constant(high, Quantity::EndOfUnits));
        let of = self.unit_value(unit)?;
        let places = Places { whole: span, name: range.span, count: high.span, unit: unit.span, block };
        match tiling.specialize(first?, end?, &of) {
            Ok(tiling) => Some(tiling),
            Err(error) => self.refused_step(tiling, &of, &error, &places),
        }
    }

    /// Adds the loop `for name in threads(count, unit)` to the tiling around it, with the iterator called `fresh`.
    pub(crate) fn threads_loop(
        &mut self,
        around: &Tiling,
        name: &Name,
        fresh: &str,
        arguments: &[Argument],
        span: Span,
        block: Option<BlockSize>,
    ) -> Option<Tiling> {
        let [count, unit] = self.arguments("threads", &["count", "unit"], 2, arguments, span)?;
        self.tiled(around, fresh, (count?, unit?), (span, name.span, block))
    }

    /// Adds an iterator to a tiling.
    fn tiled(
        &mut self,
        tiling: &Tiling,
        iterator: &str,
        (count, unit): (&Expr, &Expr),
        (whole, name, block): (Span, Span, Option<BlockSize>),
    ) -> Option<Tiling> {
        let (number, of) = (self.constant(count, Quantity::Iterations), self.unit_value(unit));
        let of = of?;
        let places = Places { whole, name, count: count.span, unit: unit.span, block };
        match tiling.tile(iterator, number?, &of) {
            Ok(tiling) => Some(tiling),
            Err(error) => self.refused_step(tiling, &of, &error, &places),
        }
    }

    /// Adds `with threads(lo..hi, unit)` to the tiling around it; the arguments begin with a range.
    pub(crate) fn with_threads(
        &mut self,
        around: &Tiling,
        arguments: &[Argument],
        span: Span,
        block: Option<BlockSize>,
    ) -> Option<Tiling> {
        self.specialize(around, arguments, span, block)
    }

    /// The value of an expression that has to be a unit.
    pub(crate) fn unit_value(&mut self, expr: &Expr) -> Option<Arc<Unit>> {
        match self.expr(expr)? {
            Value::Unit(unit) => Some(unit),
            other => self.report(diagnostics::wrong_type(expr.span, Wanted::Unit, &other)),
        }
    }

    fn refused_step<T>(&mut self, tiling: &Tiling, unit: &Unit, error: &ThreadsError, at: &Places) -> Option<T> {
        self.report(match error {
            ThreadsError::Fraction { .. }
            | ThreadsError::Domain { .. }
            | ThreadsError::BoxBeyondExtent { .. }
            | ThreadsError::Overflow => {
                let blocks = diagnostics::Blocks { sizes: unit.nearest_blocks(tiling.launch()), place: at.block };
                diagnostics::no_such_unit(at.unit, error, &blocks)
            }
            ThreadsError::AmbiguousDimension { .. } => diagnostics::ambiguous_dimension(at.unit, error),
            ThreadsError::NotEnough { fit, count, each, .. } => {
                let fewer = (*fit > 0).then_some((at.count, *fit));
                let larger = larger_block(tiling, unit, *count, *each, at);
                diagnostics::not_enough_threads(at.whole, error, fewer, larger)
            }
            ThreadsError::OnlyOne { count, threads, .. } => {
                let larger = larger_block(tiling, unit, *count, *threads, at);
                diagnostics::not_enough_threads(at.whole, error, Some((at.count, 1)), larger)
            }
            ThreadsError::Count { .. } | ThreadsError::EmptyRange { .. } => diagnostics::no_iterations(at.whole, error),
            ThreadsError::TooManySteps { most } => diagnostics::tiling_step(at.whole, &Misplaced::TooManySteps(*most)),
            ThreadsError::IteratorReused { name } => diagnostics::duplicate_iterator(at.name, name),
            _ => diagnostics::unit_does_not_fit(at.unit, error),
        })
    }
}

/// The place and the new value of a block size that fits `count` units of `each` threads.
fn larger_block(tiling: &Tiling, unit: &Unit, count: i64, each: i64, at: &Places) -> Option<(BlockSize, i64)> {
    Some((at.block?, tiling.block_for(count, unit, each)?))
}

/// The block size of a pipeline that begins with a launch, if it is written as a plain number.
fn block_size(first: &Expr) -> Option<BlockSize> {
    let size = match &first.kind {
        ExprKind::Launch(clauses) => {
            let block = clauses.iter().find(|clause| clause.kind == LaunchClauseKind::Block)?;
            block.args.first()?
        }
        ExprKind::Postfix { suffixes, .. } => match suffixes.as_slice() {
            [Suffix { kind: SuffixKind::Call(arguments), .. }] => &arguments.first()?.value,
            _ => return None,
        },
        _ => return None,
    };
    matches!(size.kind, ExprKind::Int(_)).then_some(BlockSize::Written(size.span))
}
