//! Generic parameters of kernels, which are known when a kernel is checked, and the values for which it is checked.
//!
//! An *instance* of a kernel is the kernel with a value for each of its generic parameters. Typing, proofs and barriers
//! are queries about an instance. The diagnostics of a kernel are those of its default instance and of all the
//! candidates that it names; a `run` and the command line choose an instance, which is checked where it is chosen.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::db::{Db, Item};
use crate::diagnostics::{self, Diagnostic, Quantity, WrongGeneric};
use crate::effort;
use crate::evaluate::Evaluator;
use crate::settings;
pub use crate::values::{GenericValue, Generics};
use elements::ElementType;
use syntax::span::Span;
use syntax::tree::{Argument, Expr, ExprKind, Generic, GenericKind, Kernel, Name};

/// The most instances that a kernel may name.
const MOST_CANDIDATES: usize = 1024;

/// Values that `tune` may list besides generic parameters. They say how a kernel is executed and change no result.
pub const SCHEDULE_PARAMETERS: [&str; 2] = ["stages", "warps"];

/// What a kernel says about its generic parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GenericParameters {
    /// The values where none are given.
    pub default: Generics,
    /// The other instances that it names in `tune` and in lists of types.
    pub candidates: Vec<Generics>,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
}

/// The generic parameters of a kernel.
#[salsa::tracked]
pub fn generic_parameters(db: &dyn Db, item: Item) -> Arc<GenericParameters> {
    match item.declared_kernel(db) {
        Some(kernel) if !kernel.generics.is_empty() || !kernel.tune.is_empty() => {
            let declared = Declared { evaluator: Evaluator::new(db, item), kernel: &kernel };
            let (mut parameters, cut_short) = effort::of_item(db, item, || declared.parameters());
            parameters.diagnostics.extend(cut_short);
            Arc::new(parameters)
        }
        _ => Arc::default(),
    }
}

/// The instance of a kernel with some given values, and defaults for the others.
pub(crate) fn instance(db: &dyn Db, item: Item, given: &[(SmolStr, GenericValue)]) -> Generics {
    match item.declared_kernel(db) {
        Some(kernel) => Declared { evaluator: Evaluator::new(db, item), kernel: &kernel }.assign(given),
        None => Generics::default(),
    }
}

/// Evaluates the generic parameters of one kernel.
struct Declared<'db, 'k> {
    evaluator: Evaluator<'db>,
    kernel: &'k Kernel,
}

impl Declared<'_, '_> {
    fn parameters(mut self) -> GenericParameters {
        self.duplicates();
        let default = self.assign(&[]);
        let lists = self.lists();
        let diagnostics = std::mem::take(&mut self.evaluator.diagnostics);
        let candidates = self.candidates(&default, &lists);
        GenericParameters { default, candidates, diagnostics }
    }

    /// The instance with some given values. A default may use the parameters before it.
    fn assign(&mut self, given: &[(SmolStr, GenericValue)]) -> Generics {
        self.evaluator.generics = Generics::default();
        let chosen = settings::generics(self.evaluator.db).clone();
        for generic in &self.kernel.generics {
            let name = &generic.name.text;
            let value = match chosen.value(name) {
                Some(value) if self.is_chosen(generic, value) => Some(value),
                _ => match given.iter().find(|(known, _)| known == name) {
                    Some((_, value)) => Some(*value),
                    None => self.default_of(generic),
                },
            };
            self.evaluator.generics.push(name.clone(), value);
        }
        std::mem::take(&mut self.evaluator.generics)
    }

    /// Whether a value from the command line fits; reports one that does not.
    fn is_chosen(&mut self, generic: &Generic, value: GenericValue) -> bool {
        let fits = match (&generic.kind, value) {
            (GenericKind::Constant { .. }, GenericValue::Constant(_)) => true,
            (GenericKind::Element { types, .. }, GenericValue::Element(element)) => {
                types.iter().any(|name| name.text == element.name())
            }
            _ => false,
        };
        if !fits {
            let (name, types) = (&generic.name.text, types_of(generic));
            let why = WrongGeneric::Chosen { name, value: &value.to_string(), types };
            self.evaluator.diagnostics.push(diagnostics::generic_value(generic.span, &why));
        }
        fits
    }

    fn default_of(&mut self, generic: &Generic) -> Option<GenericValue> {
        match &generic.kind {
            GenericKind::Constant { default } => {
                let constant = self.evaluator.constant(default.as_ref()?, Quantity::GenericValue)?;
                Some(GenericValue::Constant(constant))
            }
            GenericKind::Element { types, default } => {
                let known: Vec<_> = types.iter().map(|name| self.evaluator.element_type(name)).collect();
                let known: Vec<ElementType> = known.into_iter().collect::<Option<_>>()?;
                let Some(default) = default else { return known.first().copied().map(GenericValue::Element) };
                self.type_among(generic, default)
            }
        }
    }

    /// The type with this name, if it is one of the parameter's.
    fn type_among(&mut self, generic: &Generic, word: &Name) -> Option<GenericValue> {
        let element = self.evaluator.element_type(word)?;
        let types = types_of(generic);
        if types.contains(&element.name()) {
            return Some(GenericValue::Element(element));
        }
        let why = WrongGeneric::NoneOf { name: &generic.name.text, value: element.name(), types };
        self.evaluator.report(diagnostics::generic_value(word.span, &why))
    }

    /// Reports names that are declared twice.
    fn duplicates(&mut self) {
        let generics = &self.kernel.generics;
        for (index, generic) in generics.iter().enumerate() {
            let name = &generic.name.text;
            if let Some(first) = generics[..index].iter().find(|first| first.name.text == *name && !name.is_empty()) {
                let found = diagnostics::duplicate_param(generic.name.span, name, first.name.span);
                self.evaluator.diagnostics.push(found);
            }
        }
    }

    /// The values that the kernel lists for its parameters.
    fn lists(&mut self) -> Vec<(SmolStr, Vec<GenericValue>)> {
        let mut lists = Vec::new();
        for generic in &self.kernel.generics {
            if let GenericKind::Element { types, .. } = &generic.kind {
                let known = types.iter().filter_map(|name| ElementType::from_name(&name.text));
                lists.push((generic.name.text.clone(), known.map(GenericValue::Element).collect()));
            }
        }
        for argument in &self.kernel.tune {
            if let Some((name, values)) = self.tuned(argument)
                && self.kernel.generics.iter().any(|generic| generic.name.text == name)
            {
                lists.retain(|(known, _)| *known != name);
                lists.push((name, values));
            }
        }
        let combinations = lists.iter().try_fold(1_usize, |count, (_, values)| count.checked_mul(values.len()));
        if combinations.is_none_or(|count| count > MOST_CANDIDATES) {
            let spans = self.kernel.tune.iter().map(|argument| argument.value.span);
            let generics = self.kernel.generics.iter().map(|generic| generic.span);
            let span = spans.chain(generics).reduce(Span::to).unwrap_or(self.kernel.name.span);
            let why = WrongGeneric::TooMany { found: combinations, most: MOST_CANDIDATES };
            self.evaluator.diagnostics.push(diagnostics::generic_value(span, &why));
            return Vec::new();
        }
        lists
    }

    /// One argument of `tune`.
    fn tuned(&mut self, argument: &Argument) -> Option<(SmolStr, Vec<GenericValue>)> {
        let ExprKind::List(elements) = &argument.value.kind else {
            let why = WrongGeneric::NoList;
            return self.evaluator.report(diagnostics::generic_value(argument.value.span, &why));
        };
        let names: Vec<&str> = self.kernel.generics.iter().map(|generic| &*generic.name.text).collect();
        let Some(name) = &argument.name else {
            return self.evaluator.report(diagnostics::generic_value(argument.value.span, &WrongGeneric::NoName));
        };
        let Some(generic) = self.kernel.generics.iter().find(|generic| generic.name.text == name.text) else {
            if SCHEDULE_PARAMETERS.contains(&name.text.as_str()) {
                let values = elements.iter().map(|element| self.evaluator.constant(element, Quantity::GenericValue));
                let values = values.collect::<Option<Vec<_>>>()?;
                return Some((name.text.clone(), values.into_iter().map(GenericValue::Constant).collect()));
            }
            let why = WrongGeneric::Untunable { kernel: &self.kernel.name.text, name: &name.text, generics: &names };
            return self.evaluator.report(diagnostics::generic_value(name.span, &why));
        };
        let values = elements.iter().map(|element| self.value(generic, element)).collect::<Option<Vec<_>>>()?;
        Some((name.text.clone(), values))
    }

    /// A value that is written for a parameter.
    fn value(&mut self, generic: &Generic, value: &Expr) -> Option<GenericValue> {
        match (&generic.kind, &value.kind) {
            (GenericKind::Constant { .. }, _) => {
                self.evaluator.constant(value, Quantity::GenericValue).map(GenericValue::Constant)
            }
            (GenericKind::Element { .. }, ExprKind::Name(word)) => {
                self.type_among(generic, &Name { text: word.clone(), span: value.span })
            }
            (GenericKind::Element { .. }, _) => {
                let why = WrongGeneric::NoType { name: &generic.name.text, types: types_of(generic) };
                self.evaluator.report(diagnostics::generic_value(value.span, &why))
            }
        }
    }

    /// Every combination of the listed values, without the default instance.
    fn candidates(&mut self, default: &Generics, lists: &[(SmolStr, Vec<GenericValue>)]) -> Vec<Generics> {
        let mut combinations: Vec<Vec<(SmolStr, GenericValue)>> = vec![Vec::new()];
        for (name, values) in lists {
            let longer = |chosen: &Vec<_>, value: &GenericValue| {
                let mut chosen = chosen.clone();
                chosen.push((name.clone(), *value));
                chosen
            };
            combinations =
                combinations.iter().flat_map(|chosen| values.iter().map(move |value| longer(chosen, value))).collect();
        }
        let mut found: Vec<Generics> = Vec::new();
        for given in combinations {
            let candidate = self.assign(&given);
            if candidate != *default && !found.contains(&candidate) {
                found.push(candidate);
            }
        }
        found
    }
}

impl Evaluator<'_> {
    /// The values after a kernel's name in a run; `None` if one was reported.
    pub(crate) fn given_generics(
        &mut self,
        kernel: Item,
        arguments: &[Argument],
    ) -> Option<Vec<(SmolStr, GenericValue)>> {
        let declared = kernel.declared_kernel(self.db)?;
        let names: Vec<&str> = declared.generics.iter().map(|generic| &*generic.name.text).collect();
        let mut given: Vec<(SmolStr, GenericValue)> = Vec::new();
        for argument in arguments {
            let name = argument.name.as_ref()?;
            let Some(generic) = declared.generics.iter().find(|generic| generic.name.text == name.text) else {
                let why = WrongGeneric::Unknown { kernel: &declared.name.text, name: &name.text, generics: &names };
                return self.report(diagnostics::generic_value(name.span, &why));
            };
            if given.iter().any(|(known, _)| *known == name.text) {
                let why = WrongGeneric::Twice { name: &name.text };
                return self.report(diagnostics::generic_value(name.span, &why));
            }
            // The value is an expression of this item, so that its symbols and its errors are, too.
            let db = self.db;
            let mut reader = Declared { evaluator: Evaluator::new(db, self.item), kernel: &declared };
            let value = reader.value(generic, &argument.value);
            self.diagnostics.append(&mut reader.evaluator.diagnostics);
            given.push((name.text.clone(), value?));
        }
        Some(given)
    }

    /// The element type with this name.
    pub(crate) fn element_type(&mut self, word: &Name) -> Option<ElementType> {
        match self.generics.element(&word.text) {
            Some(element) => Some(element),
            // The parser has reported the missing name, and the generic parameter its error.
            None if word.text.is_empty() || self.generics.is_broken(&word.text) => None,
            None => {
                let names = ElementType::ALL.map(ElementType::name);
                let nearest = crate::spelling::nearest(&word.text, names);
                self.report(diagnostics::unknown_element_type(word.span, &word.text, nearest))
            }
        }
    }
}

/// The names of the types that a parameter can be; none if it is a constant.
fn types_of(generic: &Generic) -> Vec<&str> {
    match &generic.kind {
        GenericKind::Constant { .. } => Vec::new(),
        GenericKind::Element { types, .. } => types.iter().map(|name| name.text.as_str()).collect(),
    }
}
