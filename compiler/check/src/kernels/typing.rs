//! Types a whole kernel: its head, its launch and its body.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::checker::Checker;
use super::claims::Subject;
use super::free_type::Decided;
use super::launch;
use super::results::TypedKernel;
use crate::diagnostics::{self, CutShort, Diagnostic};
use dims::{Sym, Symbol};
use kernel::typed::{Kernel, ParamKind};
use syntax::span::Span;
use syntax::tree;

impl Checker<'_> {
    /// The typed kernel, and the types of variables without one that uses decided.
    pub(super) fn check(mut self, kernel: &tree::Kernel) -> (TypedKernel, Vec<(Span, Decided)>) {
        let excluded = self.assume(kernel);
        self.signature(kernel);
        self.block_size = launch::block_size(kernel);
        let launch = self.decide_launch(kernel).map(|()| self.launch.clone());
        // Without a launch it is not known whether there are threads enough for a loop over them.
        self.context.unknown_threads = launch.is_none();
        self.raiser.set_launch(self.launch.clone());
        let body = self.block(&kernel.body);
        self.check_tensors_of_tiles();
        self.hint_sizes_of_arrays();
        if let Some(body) = &body {
            self.check_agreement(body);
        }
        if self.raiser.has_too_many_choices() {
            let found = diagnostics::checks_cut_short(kernel.name.span, CutShort::Choices);
            self.evaluator.diagnostics.push(found);
        }
        let diagnostics = std::mem::take(&mut self.evaluator.diagnostics);
        let draft = body.filter(|_| !diagnostics.iter().any(Diagnostic::prevents_results)).map(|body| {
            Arc::new(Kernel {
                name: kernel.name.text.clone(),
                symbols: self.symbols(),
                facts: self.evaluator.facts.clone(),
                params: self.memories.params.clone(),
                launch: self.launch.clone(),
                collectives: std::mem::take(&mut self.collectives),
                shared: self.memories.shared.clone(),
                locals: std::mem::take(&mut self.locals),
                body,
                obligations: Vec::new(),
                must_fit: self.raiser.must_fit().to_vec(),
                exchanged: BTreeSet::new(),
            })
        });
        let found = self.found_types();
        let typed = TypedKernel {
            generics: self.evaluator.generics,
            excluded,
            launch,
            launched: self.launch,
            record: self.found.record,
            facts: self.evaluator.facts,
            diagnostics,
            draft,
            memories: self.memories,
            layouts: self.layouts,
            shared_sources: self.shared_sources,
        };
        (typed, found)
    }

    /// Every symbol on which the launch, the parameters or an access depends.
    fn symbols(&self) -> Vec<Symbol> {
        let mut symbols: BTreeSet<Symbol> = BTreeSet::new();
        symbols.extend(self.launch.blocks.symbols());
        symbols.extend(self.launch.threads.symbols());
        for param in &self.memories.params {
            if let ParamKind::Tensor { shape, strides, .. } = &param.kind {
                symbols.extend(shape.iter().chain(strides).flat_map(Sym::symbols));
            }
        }
        symbols.extend(
            self.memories
                .shared
                .iter()
                .flat_map(|array| array.shape.iter().chain([&array.length]))
                .flat_map(Sym::symbols),
        );
        for subject in &self.found.record.subjects {
            if let Subject::Access(record) = subject {
                symbols.extend(record.composed.map.symbols());
            }
        }
        symbols.extend(self.context.seen_symbols.iter().cloned());
        symbols.into_iter().collect()
    }
}
