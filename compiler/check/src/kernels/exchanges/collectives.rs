//! The threads over which values become one: `over: warp`, `over: block`, `over: w` in a loop `for w in threads(…)`.

use smol_str::SmolStr;

use super::super::bindings::Binding;
use super::super::checker::Checker;
use crate::diagnostics::{self, WrongExchange};
use crate::unit_words::UnitWord;
use kernel::collectives::Members;
use kernel::typed::{CollectiveId, Scope, Together};
use maps::hardware::WARP_LANES;
use syntax::span::Span;
use syntax::tree::{self, Argument};

/// Threads that give their values.
pub(super) struct Over {
    pub(super) together: Together,
    pub(super) members: Members,
}

impl Over {
    /// The collective as a scope.
    pub(super) fn scope(&self) -> Scope {
        match self.together {
            Together::Collective(id) => Scope::Threads(id),
            Together::Warp | Together::Block => Scope::Block,
        }
    }
}

/// The threads of a unit that exchange values, by the word behind `over:`.
pub(crate) fn unit_together(word: &str) -> Option<Together> {
    match UnitWord::from_name(word)? {
        UnitWord::Warp => Some(Together::Warp),
        UnitWord::Block => Some(Together::Block),
        UnitWord::Thread | UnitWord::Cluster => None,
    }
}

impl Checker<'_> {
    /// The threads that a call names.
    pub(super) fn over(&mut self, function: &str, named: &[&Argument], span: Span) -> Option<Over> {
        let Some(argument) = named.first() else {
            let iterators = self.collective_names();
            let why = WrongExchange::NoThreads { function, iterators: &iterators };
            return self.report(diagnostics::wrong_exchange(span, &why));
        };
        let at = argument.value.span;
        let tree::ExprKind::Name(word) = &argument.value.kind else {
            let iterators = self.collective_names();
            return self
                .report(diagnostics::wrong_exchange(at, &WrongExchange::NoCollective { iterators: &iterators }));
        };
        let together = match self.binding(word) {
            Some(Binding::Local(local)) => {
                let known = self.context.collectives.iter().rev().find(|(iterator, _)| iterator == local);
                known.map(|(_, id)| Together::Collective(*id))
            }
            Some(Binding::Broken) => return None,
            Some(_) => None,
            None => unit_together(word),
        };
        let Some(together) = together else {
            let iterators = self.collective_names();
            return self
                .report(diagnostics::wrong_exchange(at, &WrongExchange::NoCollective { iterators: &iterators }));
        };
        if self.context.unknown_threads {
            return None;
        }
        let members = self.members(function, together, word, at)?;
        Some(Over { together, members })
    }

    fn members(&mut self, function: &str, together: Together, word: &SmolStr, at: Span) -> Option<Members> {
        self.whole_warps(function, at)?;
        let found = match together {
            Together::Warp => Members::of_warp(),
            Together::Block => Members::of_block(self.launch.threads.as_constant()?),
            Together::Collective(id) => {
                let tiling = self.collective(id)?;
                if tiling.leaf_threads() == 1 {
                    self.evaluator.diagnostics.push(diagnostics::lone_exchange(at, function, word));
                }
                Members::of_tiling(self.collective(id)?)
            }
        };
        let Members::Other(threads) = found else { return Some(found) };
        let clusters = match together {
            Together::Collective(id) => {
                self.collective(id).is_some_and(|tiling| tiling.launch().cluster() > 1) && threads > WARP_LANES
            }
            Together::Warp | Together::Block => false,
        };
        self.report(diagnostics::wrong_exchange(at, &WrongExchange::Members { word, threads, clusters }))
    }

    /// The iterators of the loops over collectives around a statement, the innermost first.
    fn collective_names(&self) -> Vec<SmolStr> {
        let names = self.context.collectives.iter().rev();
        names.filter_map(|(local, _)| Some(self.locals.get(*local)?.name.clone())).collect()
    }
}

/// How the threads are called that exchange values, with the name of the iterator of a collective.
pub(in super::super) fn threads_in_words(
    together: Together,
    iterator: impl FnOnce(CollectiveId) -> Option<SmolStr>,
) -> String {
    match together {
        Together::Warp => "a warp".to_owned(),
        Together::Block => "the block".to_owned(),
        Together::Collective(id) => {
            iterator(id).map_or_else(|| "its collective".to_owned(), |name| format!("one iteration of `{name}`"))
        }
    }
}
