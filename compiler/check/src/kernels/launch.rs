//! Determines the launch from the launch clauses, or from the threads that the kernel's views need.

use super::checker::Checker;
use super::tiles::TILE_THREADS;
use super::view::Holder;
use crate::diagnostics::{self, BlockSize, Launched, Quantity, WrongLaunch};
use crate::evaluate::THREADS;
use crate::settings;
use crate::values::Value;
use dims::{CompareOp, Sym};
use kernel::LaunchLimits;
use kernel::typed::Launch;
use maps::AxisRole;
use maps::hardware::{MOST_BLOCK_THREADS, WARP_LANES};
use maps::threads::{Tiling, Unit};
use smol_str::SmolStr;
use syntax::span::Span;
use syntax::tree::{self, Block, DomainWord, Expr, ExprKind, LaunchClauseKind, StatementKind};

/// The default number of threads in a block.
const DEFAULT_BLOCK: i64 = 256;

/// The sizes of the launch that the views of a kernel need.
#[derive(Default)]
struct Needs {
    /// The number of blocks in a cluster.
    cluster: i64,
    /// Required numbers of threads in the launch.
    threads: Vec<Sym>,
    /// Required numbers of blocks.
    blocks: Vec<Sym>,
    /// Required numbers of threads in a block.
    block: Vec<Sym>,
    /// The number of threads in a block that the loops over collectives need.
    loops: Option<i64>,
    /// Whether some view works with any number of threads.
    any_number: bool,
}

impl Checker<'_> {
    /// Determines the numbers of blocks, of threads in a block and of blocks in a cluster; `None` if there is an error.
    pub(super) fn decide_launch(&mut self, kernel: &tree::Kernel) -> Option<()> {
        self.note_tiles(&kernel.body);
        let grid_loop = self.grid_loop_size(&kernel.body);
        let clause = |kind| kernel.clauses.iter().find(move |clause| clause.kind == kind);
        let cluster = match clause(LaunchClauseKind::Cluster) {
            Some(cluster) => self.cluster_size(cluster),
            None => Some(1),
        };
        let grid = clause(LaunchClauseKind::Grid).map(|grid| (grid.span, self.product(&grid.args, grid.span)));
        let block = clause(LaunchClauseKind::Block).map(|block| (block.span, self.product(&block.args, block.span)));
        let needs = self.needs(&kernel.body, cluster.unwrap_or(1));
        let written = (grid.is_some(), block.is_some());
        let threads = match block {
            Some((_, threads)) => threads,
            None => self.default_block(&needs, written.0),
        };
        let threads = threads?;
        let limits = LaunchLimits::for_target(settings::target(self.evaluator.db));
        self.check_limit(Launched::BlockThreads, &threads, limits.threads, block_span(kernel));
        let cluster = cluster?;
        // A whole cluster executes each iteration of a `for … in grid(…)`.
        let grid_loop = match grid_loop.map(|iterations| iterations.checked_mul(&Sym::constant(cluster))) {
            Some(blocks) => Some(self.evaluator.settle(kernel.name.span, blocks)?),
            None => None,
        };
        let blocks = match (grid, &grid_loop) {
            (Some((span, Some(blocks))), Some(iterations)) if blocks != *iterations => {
                let why = WrongLaunch::GridLoop { blocks: &blocks, cluster, needed: iterations };
                self.evaluator.diagnostics.push(diagnostics::launch_clause(span, &why));
                Some(iterations.clone())
            }
            (Some((_, blocks)), _) => blocks,
            (None, Some(iterations)) => Some(iterations.clone()),
            (None, None) => self.default_grid(&needs, &threads, kernel.name.span),
        };
        let blocks = blocks?;
        self.check_limit(Launched::GridBlocks, &blocks, limits.blocks, grid_span(kernel));
        self.hint_surplus(&needs, (&blocks, &threads), block_span(kernel), written == (true, true));
        self.check_whole_clusters(kernel, cluster, &blocks)?;
        self.launch = Launch { cluster, blocks, threads };
        Some(())
    }

    fn product(&mut self, args: &[Expr], span: Span) -> Option<Sym> {
        let sizes: Vec<Option<Sym>> = args.iter().map(|arg| self.evaluator.map_size(arg)).collect();
        if sizes.is_empty() {
            return self.report(diagnostics::launch_clause(span, &WrongLaunch::Empty));
        }
        let mut product = Sym::one();
        for size in sizes {
            let next = product.checked_mul(&size?);
            product = self.evaluator.settle(span, next)?;
        }
        Some(product)
    }

    /// The number of iterations of the kernel's `for … in grid(…)`.
    fn grid_loop_size(&mut self, body: &Block) -> Option<Sym> {
        let bound = self.bindings.len();
        let silent = std::mem::take(&mut self.evaluator.diagnostics);
        let size = body.statements.iter().find_map(|statement| {
            self.foresee(statement);
            let StatementKind::For { domain, .. } = &statement.kind else { return None };
            let Some((DomainWord::Grid, args)) = domain.domain_call() else { return None };
            let sizes = self.grid_sizes(args, Some(&body.statements))?;
            sizes.into_iter().try_fold(Sym::one(), |product, size| product.checked_mul(&size).ok())
        });
        self.evaluator.diagnostics = silent;
        self.unbind(bound);
        size
    }

    /// What the views in a body need. Their errors are reported later, when they are checked.
    fn needs(&mut self, body: &Block, cluster: i64) -> Needs {
        let silent = std::mem::take(&mut self.evaluator.diagnostics);
        let mut needs = Needs { cluster, ..Needs::default() };
        if self.tiles.is_used() {
            needs.block.push(Sym::constant(TILE_THREADS));
        }
        self.collect_needs(body, Some(Holder::Grid), &mut Vec::new(), &mut needs);
        self.evaluator.diagnostics = silent;
        needs
    }

    /// `scope` is the holder of the tensors in `body`, and `views` has the holders of its views; `None` if their number of
    /// threads depends on the launch.
    fn collect_needs(
        &mut self,
        body: &Block,
        scope: Option<Holder>,
        views: &mut Vec<(SmolStr, Option<Holder>)>,
        needs: &mut Needs,
    ) {
        let bound = self.bindings.len();
        for statement in &body.statements {
            self.foresee(statement);
            match &statement.kind {
                StatementKind::View { name, source, via: Some(via), per, .. } => {
                    let holder = match &source.kind {
                        ExprKind::Name(source) => {
                            views.iter().rev().find(|(view, _)| view == source).map_or(scope, |(_, holder)| *holder)
                        }
                        _ => scope,
                    };
                    let unit = match per.as_ref().map(|per| &per.kind) {
                        Some(ExprKind::Name(name)) => Holder::from_word(name).unwrap_or(Holder::Thread),
                        _ => Holder::Thread,
                    };
                    let map = self.view_map(via);
                    let thread = match &map {
                        Some(Value::Map(map)) => map.upper.last().filter(|axis| axis.role == AxisRole::Thread),
                        _ => None,
                    };
                    views.push((name.text.clone(), if thread.is_some() { Some(unit) } else { holder }));
                    if let Some(extent) = thread.and_then(|axis| axis.extent.as_ref()) {
                        if extent.symbols().iter().any(|symbol| symbol.name() == THREADS) {
                            needs.any_number = true;
                        } else if let Some(holder) = holder {
                            needs.note(holder, unit, extent);
                        }
                    }
                }
                StatementKind::For { domain, body, .. } => {
                    let inner = match domain.domain_call() {
                        Some((DomainWord::Grid, _)) => Some(Holder::Block),
                        Some((DomainWord::Threads, _)) => None,
                        None => scope,
                    };
                    self.note_collectives(domain, scope, needs);
                    self.collect_needs(body, inner, views, needs);
                }
                StatementKind::With { domain, body } => {
                    self.note_collectives(domain, scope, needs);
                    self.collect_needs(body, None, views, needs);
                }
                _ => statement.bodies().for_each(|body| self.collect_needs(body, scope, views, needs)),
            }
        }
        self.unbind(bound);
    }

    /// Notes how many threads a block must have for `for … in threads(count, unit)` and `with threads(low..high, unit)`. Those
    /// inside of another loop over collectives divide its threads, so they need no more.
    fn note_collectives(&mut self, domain: &Expr, scope: Option<Holder>, needs: &mut Needs) {
        let (Some(_), Some((DomainWord::Threads, [count, unit]))) = (scope, domain.domain_call()) else { return };
        let count = match &count.value.kind {
            ExprKind::Range(_, high) => self.evaluator.constant(high, Quantity::EndOfUnits),
            _ => self.evaluator.constant(&count.value, Quantity::Iterations),
        };
        let unit = self.evaluator.unit_value(&unit.value);
        let block = count.zip(unit).and_then(|(count, unit)| smallest_block(needs.cluster, count, &unit));
        needs.loops = needs.loops.max(block);
    }

    /// The number of threads in a block where none is written: what the views need, and no less than the loops do.
    fn default_block(&mut self, needs: &Needs, grid_written: bool) -> Option<Sym> {
        let of_views = self.block_for_views(needs, grid_written)?;
        match needs.loops {
            Some(threads) => self.largest(&[of_views, Sym::constant(threads)]),
            None => Some(of_views),
        }
    }

    fn block_for_views(&mut self, needs: &Needs, grid_written: bool) -> Option<Sym> {
        if let Some(most) = self.largest(&needs.block) {
            return Some(most);
        }
        if needs.threads.is_empty() {
            return Some(if needs.any_number { Sym::constant(DEFAULT_BLOCK) } else { Sym::one() });
        }
        let most = self.largest(&needs.threads)?;
        Some(match most.as_constant() {
            Some(threads) if threads <= DEFAULT_BLOCK && !grid_written => most,
            _ => Sym::constant(DEFAULT_BLOCK),
        })
    }

    fn default_grid(&mut self, needs: &Needs, threads: &Sym, span: Span) -> Option<Sym> {
        if let Some(blocks) = self.largest(&needs.blocks) {
            return Some(blocks);
        }
        let Some(most) = self.largest(&needs.threads) else {
            if needs.any_number {
                return self.report(diagnostics::launch_clause(span, &WrongLaunch::NoGrid));
            }
            return Some(Sym::one());
        };
        let blocks = most.cdiv(threads, &self.evaluator.facts);
        self.evaluator.settle(span, blocks)
    }

    fn largest(&mut self, sizes: &[Sym]) -> Option<Sym> {
        let (first, rest) = sizes.split_first()?;
        rest.iter().try_fold(first.clone(), |most, size| most.checked_max(size, &self.evaluator.facts)).ok()
    }

    /// Reports a part of the launch that exceeds its limit for every size.
    fn check_limit(&mut self, what: Launched, value: &Sym, limit: i64, span: Span) {
        if self.evaluator.facts.range(value).lo.is_some_and(|least| least > i128::from(limit)) {
            let found = diagnostics::launch_limit(span, what, value, limit);
            self.evaluator.diagnostics.push(found);
        }
    }

    /// The number of blocks in a cluster.
    fn cluster_size(&mut self, cluster: &tree::LaunchClause) -> Option<i64> {
        let target = settings::target(self.evaluator.db);
        let limit = LaunchLimits::for_target(target).cluster;
        let blocks = self.product(&cluster.args, cluster.span)?;
        let Some(size) = blocks.as_constant() else {
            return self.report(diagnostics::not_constant(cluster.span, Quantity::ClusterBlocks, &blocks));
        };
        match target {
            Some(target) if limit == 1 && size > 1 => self.report(diagnostics::no_clusters(cluster.span, target)),
            _ if size > limit => {
                self.report(diagnostics::launch_limit(cluster.span, Launched::ClusterBlocks, &blocks, limit))
            }
            _ => Some(size),
        }
    }

    /// Checks that the grid consists of whole clusters.
    fn check_whole_clusters(&mut self, kernel: &tree::Kernel, cluster: i64, blocks: &Sym) -> Option<()> {
        let size = Sym::constant(cluster);
        let rest = blocks.checked_remainder(&size, &self.evaluator.facts);
        let rest = self.evaluator.settle(grid_span(kernel), rest)?;
        match rest.as_constant() {
            // A claim that depends on sizes is checked at launch.
            None | Some(0) => Some(()),
            Some(rest) => {
                let why = WrongLaunch::PartOfCluster { blocks, cluster, rest };
                self.report(diagnostics::launch_clause(grid_span(kernel), &why))
            }
        }
    }

    fn hint_surplus(&mut self, needs: &Needs, launch: (&Sym, &Sym), span: Span, written: bool) {
        if !written {
            return;
        }
        let (Some(needed), Ok(launched)) = (self.largest(&needs.threads), launch.0.checked_mul(launch.1)) else {
            return;
        };
        if self.evaluator.facts.proves(&launched, CompareOp::Gt, &needed) {
            let found = diagnostics::surplus_threads(span, &launched, &needed);
            self.evaluator.diagnostics.push(found);
        }
    }
}

impl Needs {
    /// Records a view that divides the holder's elements into `extent` parts, one for each `unit`.
    fn note(&mut self, holder: Holder, unit: Holder, extent: &Sym) {
        let times = |count: i64| extent.checked_mul(&Sym::constant(count)).ok();
        match (holder, unit) {
            (Holder::Grid, Holder::Cluster) => self.blocks.extend(times(self.cluster)),
            (Holder::Grid, Holder::Block) => self.blocks.push(extent.clone()),
            (Holder::Grid, Holder::Warp) => self.threads.extend(times(WARP_LANES)),
            (Holder::Grid, _) => self.threads.push(extent.clone()),
            (Holder::Block, Holder::Warp) => self.block.extend(times(WARP_LANES)),
            (Holder::Block, _) => self.block.push(extent.clone()),
            _ => {}
        }
    }
}

/// The number of threads in the smallest block in which there are `count` units, if any block has so many.
fn smallest_block(cluster: i64, count: i64, unit: &Unit) -> Option<i64> {
    let smallest = Tiling::new(cluster, 1).ok()?.block_for(count.max(0), unit, 1);
    // A block of so many threads is beyond every limit, which is reported.
    smallest.or(Some(count).filter(|count| *count > MOST_BLOCK_THREADS))
}

/// The place where the number of threads in a block is written as one number, or could be added.
pub(super) fn block_size(kernel: &tree::Kernel) -> Option<BlockSize> {
    match kernel.clauses.iter().find(|clause| clause.kind == LaunchClauseKind::Block) {
        Some(clause) => match clause.args.as_slice() {
            [Expr { kind: ExprKind::Int(_), span }] => Some(BlockSize::Written(*span)),
            _ => None,
        },
        None => {
            let body = kernel.body.span.start;
            Some(BlockSize::LeftOut(Span::new(body, body)))
        }
    }
}

fn block_span(kernel: &tree::Kernel) -> Span {
    clause_span(kernel, LaunchClauseKind::Block)
}

fn grid_span(kernel: &tree::Kernel) -> Span {
    clause_span(kernel, LaunchClauseKind::Grid)
}

/// The span of the clause, or of the kernel's name if it is missing.
fn clause_span(kernel: &tree::Kernel, kind: LaunchClauseKind) -> Span {
    kernel.clauses.iter().find(|clause| clause.kind == kind).map_or(kernel.name.span, |clause| clause.span)
}
