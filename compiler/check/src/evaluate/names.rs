//! Names in expressions: what they mean, and what is said of those that mean nothing.

use smol_str::SmolStr;

use super::callees;
use super::evaluator::{Evaluator, Outcome};
use super::float_constants::float_constant;
use super::items::{dim_facts, value};
use crate::db::{DeclarationKind, Item};
use crate::diagnostics::{self, ItemOf};
use crate::kernel_names::{self, KernelName};
use crate::names;
use crate::spelling;
use crate::transforms;
use crate::values::{Definition, GenericValue, Value};
use dims::Sym;
use maps::threads;
use syntax::span::Span;
use syntax::tree::{BinaryOp, ItemKind};

impl Evaluator<'_> {
    pub(super) fn name(&mut self, name: &SmolStr, span: Span) -> Outcome {
        if self.own_symbols.contains(name) {
            return Some(Value::Int(Sym::symbol(self.symbol(self.item, name))));
        }
        match self.scope.get(name) {
            Some(Definition::Value(value)) => return Some(value.clone()),
            Some(Definition::Broken) => return None,
            None => {}
        }
        if self.generics.declares(name) {
            return match self.generics.value(name)? {
                GenericValue::Constant(value) => Some(Value::int(value)),
                GenericValue::Element(element) => self.report(diagnostics::type_as_value(span, name, element)),
            };
        }
        match names::lookup(self.db, self.item.file(self.db), name.clone()) {
            Some(declaration) => self.declared_value(declaration, name, span),
            None => self.hyphenated(name, span),
        }
    }

    fn declared_value(&mut self, declaration: Item, name: &SmolStr, span: Span) -> Outcome {
        match declaration.interface(self.db).kind {
            DeclarationKind::Dim => {
                let known = dim_facts(self.db, declaration).clone();
                self.learn(&known.facts, span);
                Some(Value::Int(Sym::symbol(self.symbol(declaration, name))))
            }
            DeclarationKind::Value | DeclarationKind::Unit | DeclarationKind::Tiling | DeclarationKind::Function => {
                let evaluated = value(self.db, declaration).clone();
                self.learn(&evaluated.facts, span);
                evaluated.value.clone()
            }
            DeclarationKind::Other => self.report(diagnostics::wrong_kind(span, name, ItemOf::Kernel)),
        }
    }

    /// Whether a name is one of the item itself.
    pub(super) fn declares_itself(&self, name: &str) -> bool {
        self.own_symbols.contains(name) || self.generics.declares(name) || self.scope.get(name).is_some()
    }

    /// Evaluates an undeclared word with hyphens as a subtraction, if its parts are declared.
    fn hyphenated(&mut self, name: &SmolStr, span: Span) -> Outcome {
        let parts: Vec<&str> = name.split('-').collect();
        let file = self.item.file(self.db);
        let own = |part: &str| self.declares_itself(part);
        let known = |part: &&str| own(part) || names::lookup(self.db, file, (*part).into()).is_some();
        if parts.len() < 2 || !parts.iter().all(known) {
            return self.unknown_name(name, span);
        }
        let mut parts = parts.into_iter();
        let mut value = self.name(&parts.next()?.into(), span)?;
        for part in parts {
            let right = self.name(&part.into(), span)?;
            value = self.binary(BinaryOp::Subtract, value, right, span)?;
        }
        Some(value)
    }

    fn unknown_name(&mut self, name: &SmolStr, span: Span) -> Outcome {
        if let Some(value) = float_constant(name) {
            return Some(Value::Float(value));
        }
        if let Some(unit) = threads::standard_unit(name) {
            return self.standard_unit(unit, span);
        }
        if threads::Parameter::from_name(name).is_some() {
            return self.report(diagnostics::parameter_outside(span, name));
        }
        if let Some(definition) = transforms::definition(name) {
            return self.report(diagnostics::transform_alone(span, name, definition.documentation.parameters));
        }
        if let Some(outcome) = self.name_of_kernel(name, span) {
            return outcome;
        }
        let nearest = self.nearest_name(name);
        self.report_once(diagnostics::unknown_name(span, name, nearest.as_deref()))
    }

    /// Reports a name of the surrounding kernel in an expression that is evaluated before the kernel runs.
    fn name_of_kernel(&mut self, name: &str, span: Span) -> Option<Outcome> {
        let tree = self.item.tree(self.db);
        let parsed = tree.item.as_ref()?;
        let ItemKind::Kernel(kernel) = &parsed.kind else { return None };
        let (kind, declared) = kernel_names::declared(kernel, name, span)?;
        if kind == KernelName::Broken {
            return Some(None);
        }
        Some(self.report_once(diagnostics::name_of_kernel(span, name, kind, declared)))
    }

    pub(super) fn unknown_callee(&mut self, name: &str, span: Span) -> Outcome {
        let nearest = self.nearest_name(name);
        self.report(diagnostics::unknown_callee(span, name, nearest.as_deref()))
    }

    /// The declared name that is most similar to an unknown one.
    fn nearest_name(&self, name: &str) -> Option<String> {
        if let Some(unit) = threads::standard_unit(&format!("cuda_{name}")) {
            return Some(unit.name.to_owned());
        }
        let declared = names::suggestions(self.db, self.item);
        let functions: Vec<&str> = callees::functions().collect();
        let units = threads::STANDARD_UNITS.iter().map(|unit| unit.name);
        let candidates = declared.into_iter().chain(functions.iter().map(|function| &**function)).chain(units);
        spelling::nearest(name, candidates).map(str::to_owned)
    }
}
