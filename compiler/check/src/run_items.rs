//! Checks `run` items: their kernels, arguments and expectations.

mod arguments;
mod expectations;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::kernels::{CheckedKernel, checked_instance, typed_instance};
use crate::db::{Db, Item};
use crate::diagnostics::{self, Diagnostic, Quantity, Severity, WrongArgument, WrongGeneric};
use crate::effort;
use crate::evaluate::Evaluator;
use crate::generics::{self, generic_parameters};
use crate::names;
use crate::spelling;
use dims::{Solved, Sym, Symbol};
use kernel::NoRoom;
use kernel::run::{Init, Run};
use kernel::typed::{Param, ParamId, ParamKind};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use syntax::items::word_hash;
use syntax::span::Span;
use syntax::tree::{self, ItemKind};

pub use arguments::{INITIAL_FUNCTIONS, INITIAL_VALUES};
use expectations::Names;
pub use expectations::is_function as is_expectation_function;

/// The result of checking a `run` item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckedRun {
    /// The run; `None` if the item or its kernel has an error.
    pub run: Option<Arc<Run>>,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a `run` item.
#[salsa::tracked]
pub fn run(db: &dyn Db, item: Item) -> Arc<CheckedRun> {
    let Some(parsed) = &item.tree(db).item else { return Arc::default() };
    let ItemKind::Run(run) = &parsed.kind else { return Arc::default() };
    let mut checker = RunChecker {
        evaluator: Evaluator::new(db, item),
        params: Vec::new(),
        sizes: BTreeMap::new(),
        names: Names::default(),
    };
    let (run, cut_short) = effort::of_item(db, item, || checker.check(run));
    let mut diagnostics = checker.evaluator.diagnostics;
    diagnostics.extend(cut_short);
    let failed = diagnostics.iter().any(|found| found.severity() == Severity::Error);
    Arc::new(CheckedRun { run: run.filter(|_| !failed).map(Arc::new), diagnostics })
}

struct RunChecker<'db> {
    evaluator: Evaluator<'db>,
    params: Vec<Param>,
    /// The sizes that the item gives.
    sizes: BTreeMap<Symbol, i64>,
    /// What the names of the function stand for whose body is being read.
    names: Names,
}

impl RunChecker<'_> {
    fn report<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.evaluator.report(diagnostic)
    }

    fn check(&mut self, run: &tree::Run) -> Option<Run> {
        let kernel = self.find_kernel(run)?;
        let checked = self.instance(kernel, run)?;
        let bindings = self.bindings(&run.with, kernel, checked.kernel.as_deref());
        let arguments = self.arguments(run);
        self.sizes = self.said(bindings.as_ref(), arguments.as_deref());
        let expect = self.expectation(&run.expect);
        let save = self.saves(&run.save);
        let (bindings, arguments, expect) = (bindings?, arguments?, expect?);
        let save = save?;
        // Errors of the kernel are reported at the kernel.
        let kernel = checked.kernel.clone()?;
        self.hint_unbound(&kernel.symbols, &arguments, run.kernel.span);
        // Values that were not found may come from a file or from the command line.
        if let Err(why) = kernel::array_lengths(&kernel, &bindings)
            && !matches!(why, NoRoom::Unknown { .. })
        {
            return self.report(diagnostics::shared_too_large_for_run(run.kernel.span, &why));
        }
        if let Err(violated) = kernel.facts.admit(&bindings)
            && violated.is_certain()
        {
            return self.report(diagnostics::run_violates_fact(run.kernel.span, &violated));
        }
        Some(Run { kernel, bindings, arguments, expect, save })
    }

    /// The instance of the kernel that the run chooses.
    fn instance(&mut self, kernel: Item, run: &tree::Run) -> Option<CheckedKernel> {
        let db = self.evaluator.db;
        let given = self.evaluator.given_generics(kernel, &run.generics)?;
        let generics = generics::instance(db, kernel, &given);
        // What follows from an error of a default is not repeated here.
        if !generics.are_known() {
            return None;
        }
        let typed = typed_instance(db, kernel, generics.clone());
        self.params = typed.params().to_vec();
        let checked = checked_instance(db, kernel, generics.clone());
        let named = generic_parameters(db, kernel);
        let broken = checked_instance(db, kernel, named.default.clone()).kernel.is_none();
        let reported = broken || generics == named.default || !typed.excluded && named.candidates.contains(&generics);
        let error = checked.diagnostics.iter().find(|found| found.severity() == Severity::Error);
        if let Some(error) = error.filter(|_| !reported) {
            let spans = run.generics.iter().map(|argument| argument.value.span);
            let span = spans.reduce(Span::to).unwrap_or(run.kernel.span);
            let values = generics.beside(&named.default).to_string();
            let (kernel, values) = (run.kernel.text.as_str(), values.as_str());
            let why = match typed.excluded {
                true => WrongGeneric::Excluded { kernel, values, error: &error.message },
                false => WrongGeneric::Broken { kernel, values, error: &error.message },
            };
            return self.report(diagnostics::generic_value(span, &why));
        }
        Some(CheckedKernel::clone(checked))
    }

    fn find_kernel(&mut self, run: &tree::Run) -> Option<Item> {
        let db = self.evaluator.db;
        let file = self.evaluator.item.file(db);
        let name = &run.kernel.text;
        let is_kernel =
            |item: &Item| item.tree(db).item.as_ref().is_some_and(|parsed| matches!(parsed.kind, ItemKind::Kernel(_)));
        match names::lookup(db, file, name.clone()).filter(is_kernel) {
            Some(item) => Some(item),
            None => {
                let visible = names::visible(db, file);
                let kernels: Vec<&str> =
                    visible.iter().filter(|(_, item)| is_kernel(item)).map(|(name, _)| name.as_str()).collect();
                let nearest = spelling::nearest(name, kernels.iter().copied());
                self.report(diagnostics::unknown_kernel(run.kernel.span, name, nearest, &kernels))
            }
        }
    }

    fn bindings(
        &mut self,
        with: &[(tree::Name, tree::Expr)],
        item: Item,
        kernel: Option<&kernel::typed::Kernel>,
    ) -> Option<BTreeMap<Symbol, i64>> {
        let mut bindings = BTreeMap::new();
        // Of a kernel with an error only the parameters are known, and what is not in them may be elsewhere in it.
        let symbols = kernel.map_or_else(|| self.symbols_of_params(), |kernel| kernel.symbols_with_facts());
        for (position, (name, value)) in with.iter().enumerate() {
            if with[..position].iter().any(|(other, _)| other.text == name.text) {
                let why = WrongArgument::Twice { parameter: &name.text };
                return self.report(diagnostics::run_argument(name.span, &why));
            }
            let value = self.evaluator.constant(value, Quantity::RunSize);
            let Some(symbol) = symbols.iter().find(|symbol| symbol.name() == name.text) else {
                let Some(kernel) = kernel else { continue };
                // A size may stand in a kernel and yet make no difference, as in `cdiv(N, 32)` where `N <= 32`.
                let words = FxHashSet::from_iter([word_hash(&name.text)]);
                if item.tokens(self.evaluator.db).says_any(&words) {
                    continue;
                }
                let known: Vec<&str> = symbols.iter().map(Symbol::name).collect();
                let why = WrongArgument::NoSymbol { kernel: &kernel.name, name: &name.text, symbols: &known };
                return self.report(diagnostics::run_argument(name.span, &why));
            };
            bindings.insert(symbol.clone(), value?);
        }
        Some(bindings)
    }

    fn symbols_of_params(&self) -> BTreeSet<Symbol> {
        let shapes = self.params.iter().filter_map(|param| match &param.kind {
            ParamKind::Tensor { shape, .. } => Some(shape),
            ParamKind::Scalar => None,
        });
        shapes.flatten().flat_map(Sym::symbols).collect()
    }

    /// The sizes after `with`, and those that one-dimensional literals imply.
    fn said(&self, with: Option<&BTreeMap<Symbol, i64>>, arguments: Option<&[Option<Init>]>) -> BTreeMap<Symbol, i64> {
        let mut sizes = with.cloned().unwrap_or_default();
        for (param, argument) in self.params.iter().zip(arguments.unwrap_or_default()) {
            if let (ParamKind::Tensor { shape, .. }, Some(Init::Literal(elements))) = (&param.kind, argument)
                && let [dim] = shape.as_slice()
                && let Ok(extent) = i64::try_from(elements.len())
                && let Solved::Is(symbol, size) = dim.solve(extent, &|symbol| sizes.get(symbol).copied())
            {
                sizes.insert(symbol, size);
            }
        }
        sizes
    }

    /// The files to which tensors are saved.
    fn saves(&mut self, save: &[(tree::Name, tree::StringLiteral)]) -> Option<Vec<(ParamId, SmolStr)>> {
        let mut found: Option<Vec<(ParamId, SmolStr)>> = Some(Vec::with_capacity(save.len()));
        for (name, path) in save {
            let param = self.saved(&name.text, name.span);
            if found.iter().flatten().any(|(other, _)| Some(*other) == param) {
                let why = WrongArgument::Twice { parameter: &name.text };
                return self.report(diagnostics::run_argument(name.span, &why));
            }
            found = found.zip(param).map(|(mut all, param)| {
                all.push((param, path.text.clone()));
                all
            });
        }
        found
    }

    fn saved(&mut self, name: &str, span: Span) -> Option<ParamId> {
        let position = self.params.iter().position(|param| param.name == name);
        match position.and_then(|position| Some((position, self.params.get(position)?))) {
            Some((position, Param { kind: ParamKind::Tensor { mutable: true, .. }, .. })) => {
                Some(ParamId(u32::try_from(position).ok()?))
            }
            _ => self.report(diagnostics::save_target(span, name)),
        }
    }

    /// A size without a value is no error: the shape of a file or the command line may give it.
    fn hint_unbound(&mut self, symbols: &[Symbol], arguments: &[Option<Init>], span: Span) {
        if arguments.iter().any(|argument| matches!(argument, Some(Init::Npy(_)))) {
            return;
        }
        if let Some(symbol) = symbols.iter().find(|symbol| !self.sizes.contains_key(symbol)) {
            let found = diagnostics::run_unbound_symbol(span, symbol.name());
            self.evaluator.diagnostics.push(found);
        }
    }
}
