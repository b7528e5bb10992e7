//! Evaluates expressions outside kernels, and with them the values of items.
//!
//! An [`Evaluator`] evaluates the tree of one item. It returns a value or reports a diagnostic; `None` always means
//! that a diagnostic was reported.

mod arguments;
mod arithmetic;
mod bank_fixes;
mod bits;
mod brackets;
mod callees;
mod calls;
mod compare;
mod connectives;
mod extremes;
mod float_constants;
mod functions;
mod items;
mod kernel_names;
mod members;
mod memory;
mod pipeline;
mod points;
mod prefixes;
mod remedy;
mod reshape_map;
mod shared;
mod tiling_members;
mod tilings;
mod units;
mod watch;

use std::rc::Rc;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::db::DeclarationKind;
use crate::db::{Db, Item};
use crate::diagnostics::{self, Diagnostic, Diagnostics, ItemOf, Quantity, Wanted};
use crate::names;
use crate::settings;
use crate::spelling;
use crate::transforms;
use crate::values::{Definition, GenericValue, Generics, Scope, Value};
use dims::{Arithmetic, Fact, Facts, Sym, Symbol};
use maps::shapes::Shape;
use maps::threads;
use proofs::Budget;
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::{Arm, BinaryOp, Expr, ExprKind, ItemKind};

pub(crate) use bits::{bits, complement, is_of_bits};
pub use brackets::dimension_position;
pub use callees::{functions, is_function, is_of_collectives};
pub(crate) use compare::comparison;
pub(crate) use extremes::Extreme;
pub use float_constants::{FLOAT_CONSTANTS, float_constant};
pub(crate) use functions::Calls;
pub use items::{Evaluated, dim_facts, evaluate_in_file, value};
pub(crate) use kernel_names::KernelName;
pub use members::{MAP_MEMBERS, SHAPE_MEMBERS};
pub use reshape_map::{THREADS, open_threads};
pub use reshape_map::{dimension_name, layout_dimension, named_entry};
pub use tiling_members::TILING_MEMBERS;
pub use units::{UNIT_MEMBERS, unit_functions};
pub(crate) use watch::Watch;

/// The most elements that names may add to those that are written in a list, a tuple or a shape.
const MOST_ELEMENTS_OF_NAMES: usize = 1024;

/// The value of an expression; `None` if a diagnostic was reported.
pub type Outcome = Option<Value>;

/// The bytes of stack that every step of a recursion needs; if fewer are left, more are allocated.
const STACK_LEFT: usize = 256 << 10;
/// The bytes of each further allocation.
const STACK_MORE: usize = 4 << 20;

/// Evaluates the expressions of one item.
#[derive(Clone)]
pub struct Evaluator<'db> {
    pub(crate) db: &'db dyn Db,
    pub(crate) item: Item,
    /// The facts about all symbols so far.
    pub(crate) facts: Facts,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Assumptions for the current expression: the negated left sides of the `||`s around it.
    otherwise: Vec<Fact>,
    /// The shape before the current bracket; `(k)` is its dimension k.
    subject: Option<Shape>,
    /// Whether the innermost bracket has no shape before it, so that `(k)` has no meaning.
    bare_bracket: bool,
    /// Symbols that the item itself declares (`dim`), which are not looked up.
    pub(crate) own_symbols: FxHashSet<SmolStr>,
    /// The generic parameters of the kernel that is checked.
    pub(crate) generics: Generics,
    /// The constants and maps of the kernel's body that are visible.
    pub(crate) scope: Scope,
    /// The prefix for the names of fresh dimensions (`?`).
    pub(crate) fresh_prefix: SmolStr,
    fresh_count: u32,
    /// The calls of functions whose bodies are being evaluated.
    pub(crate) calls: Calls,
    /// The callback of proofs that ends them when an edit is waiting.
    cancelled: Rc<dyn Fn() -> bool + 'db>,
    /// The watched expressions, and their values so far.
    pub(crate) watch: Option<Watch>,
    /// The questions about costs so far, in their order.
    asked: Vec<memory::Asked>,
}

/// What an evaluator has said, or has to say: all that a copy of it, which goes on from the same place, does not share.
pub(crate) struct Said {
    diagnostics: Vec<Diagnostic>,
    asked: Vec<memory::Asked>,
    watch: Option<Watch>,
}

impl<'db> Evaluator<'db> {
    /// An evaluator for the item's expressions.
    pub fn new(db: &'db dyn Db, item: Item) -> Self {
        Self {
            db,
            item,
            facts: Facts::empty(),
            otherwise: Vec::new(),
            diagnostics: Vec::new(),
            subject: None,
            bare_bracket: false,
            own_symbols: FxHashSet::default(),
            generics: Generics::default(),
            scope: Scope::default(),
            fresh_prefix: SmolStr::new("_"),
            fresh_count: 0,
            calls: Calls::default(),
            cancelled: Rc::new(settings::poll(db)),
            watch: None,
            asked: Vec::new(),
        }
    }

    /// Takes what was said so far, so that a copy begins with nothing said.
    pub(crate) fn take_said(&mut self) -> Said {
        let (diagnostics, asked) = (std::mem::take(&mut self.diagnostics), std::mem::take(&mut self.asked));
        Said { diagnostics, asked, watch: self.watch.take() }
    }

    /// Puts what was said back.
    pub(crate) fn put_said(&mut self, said: Said) {
        let Said { diagnostics, asked, watch } = said;
        (self.diagnostics, self.asked, self.watch) = (diagnostics, asked, watch);
    }

    /// Learns the facts that a copy has learned. No name of a dimension that the copy has made is given again.
    pub(crate) fn learn_from(&mut self, copy: &Evaluator<'_>) {
        self.facts.clone_from(&copy.facts);
        self.fresh_count = self.fresh_count.max(copy.fresh_count);
    }

    /// The limits of one proof.
    pub(crate) fn budget(&self) -> Budget<'_> {
        settings::budget(self.db, &*self.cancelled)
    }

    /// Reports a diagnostic; the result is always `None`.
    pub(crate) fn report<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.diagnostics.push(diagnostic);
        None
    }

    /// Whether an argument of a reduction is named as in numpy, `axis=1`, which has been reported as syntax.
    pub(crate) fn is_followed_by_equal(&self, name: Span, text: &str) -> bool {
        let is_of_numpy = matches!(text, "axis" | "axes" | "dim" | "keepdims" | "keepdim" | "keep_dims");
        is_of_numpy && self.item.tokens(self.db).kind(name.end as usize) == Some(TokenKind::Equal)
    }

    /// Reports an error that may occur at many places, but only once.
    pub(crate) fn report_once<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.diagnostics.push_once_saying(diagnostic);
        None
    }

    /// The value of an expression.
    pub fn expr(&mut self, expr: &Expr) -> Outcome {
        self.db.unwind_if_revision_cancelled();
        // Chains of declarations that refer to one another are evaluated recursively.
        stacker::maybe_grow(STACK_LEFT, STACK_MORE, || {
            let value = self.expr_here(expr);
            self.note_watched(expr, value.as_ref());
            value
        })
    }

    fn expr_here(&mut self, expr: &Expr) -> Outcome {
        match &expr.kind {
            ExprKind::Error | ExprKind::Int(None) => None,
            ExprKind::Int(Some(value)) => Some(Value::int(*value)),
            ExprKind::Unsigned(value) => Some(Value::Unsigned(*value)),
            ExprKind::Float(value) => Some(Value::Float(*value)),
            ExprKind::Bool(value) => Some(Value::Bool(*value)),
            ExprKind::Str(text) => Some(Value::Text(text.clone())),
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Underscore => Some(Value::Nothing),
            ExprKind::Question => Some(Value::Int(Sym::symbol(self.fresh_dimension(None)))),
            ExprKind::Paren(inner) => self.paren(inner, expr.span),
            ExprKind::Tuple(elements) => {
                let values = self.elements(elements)?;
                self.limited(Value::Tuple(values), elements)
            }
            ExprKind::List(elements) => self.bracket_literal(elements),
            ExprKind::Size(inner) => self.size(inner),
            ExprKind::Range(low, high) => {
                let (low, high) = (self.int(low), self.int(high));
                Some(Value::Range(low?, high?))
            }
            ExprKind::Chain { first, rest } => self.chain(first, rest),
            ExprKind::Prefix { ops, operand } => self.prefix(ops, operand),
            ExprKind::Postfix { base, suffixes } => self.postfix(base, suffixes),
            ExprKind::If { arms, otherwise } => self.choice(arms, otherwise),
            ExprKind::Block(block) => self.value_of_block(block),
            ExprKind::ReshapeMap(map) => self.reshape_map(map, expr.span),
            ExprKind::Unit { domain, box_ } => self.unit(domain, box_, expr.span),
            ExprKind::Launch(clauses) => self.launch(clauses, expr.span),
            ExprKind::Via(..) => self.report(diagnostics::via_alone(expr.span)),
            ExprKind::Group(_) => self.report(diagnostics::group_alone(expr.span)),
        }
    }

    /// The values of several expressions. All are evaluated, so that the errors of each are reported.
    pub(crate) fn elements(&mut self, elements: &[Expr]) -> Option<Vec<Value>> {
        let values: Vec<Outcome> = elements.iter().map(|element| self.expr(element)).collect();
        values.into_iter().collect()
    }

    /// A value of these elements; an error if names add so many to them that the cost exceeds that of the text.
    pub(super) fn limited(&mut self, value: Value, elements: &[Expr]) -> Outcome {
        match elements {
            [first, ..] if value.parts() > elements.len() + MOST_ELEMENTS_OF_NAMES => {
                let last = elements.last().unwrap_or(first);
                let span = Span { start: first.span.start, end: last.span.end };
                self.report(diagnostics::too_many_elements(span, MOST_ELEMENTS_OF_NAMES))
            }
            _ => Some(value),
        }
    }

    /// The value of an expression that has to be an integer.
    pub(crate) fn int(&mut self, expr: &Expr) -> Option<Sym> {
        match self.expr(expr)? {
            Value::Int(value) => Some(value),
            other => self.report(diagnostics::wrong_type(expr.span, Wanted::Integer, &other)),
        }
    }

    /// The value of an expression that has to be an integer without symbols.
    pub(crate) fn constant(&mut self, expr: &Expr, what: Quantity) -> Option<i64> {
        let value = self.int(expr)?;
        match value.as_constant() {
            Some(constant) => Some(constant),
            None => self.report(diagnostics::not_constant(expr.span, what, &value)),
        }
    }

    /// The result of arithmetic on dimensions, or a report of its error.
    pub(crate) fn settle<T>(&mut self, span: Span, result: Result<T, Arithmetic>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(Arithmetic::DivisionByZero { .. }) => self.report(diagnostics::division_by_zero(span)),
            Err(error) => self.report(diagnostics::overflow(span, &error)),
        }
    }

    fn name(&mut self, name: &SmolStr, span: Span) -> Outcome {
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

    /// The symbol that a `dim` item declares.
    pub(crate) fn symbol(&self, declaration: Item, name: &str) -> Symbol {
        let scope = salsa::plumbing::AsId::as_id(&declaration.file(self.db)).index();
        Symbol::new(name, scope)
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
    fn declares_itself(&self, name: &str) -> bool {
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

    fn unknown_callee(&mut self, name: &str, span: Span) -> Outcome {
        let nearest = self.nearest_name(name);
        self.report(diagnostics::unknown_callee(span, name, nearest.as_deref()))
    }

    /// The declared name that is most similar to an unknown one.
    fn nearest_name(&self, name: &str) -> Option<String> {
        if let Some(unit) = threads::standard_unit(&format!("cuda_{name}")) {
            return Some(unit.name.to_owned());
        }
        let declared = names::suggestions(self.db, self.item.file(self.db));
        let functions: Vec<&str> = callees::functions().collect();
        let units = threads::STANDARD_UNITS.iter().map(|unit| unit.name);
        let candidates = declared.into_iter().chain(functions.iter().map(|function| &**function)).chain(units);
        spelling::nearest(name, candidates).map(str::to_owned)
    }

    /// A fresh symbolic dimension. Dimension k of an item's own bracket is called `name(k)`.
    pub(crate) fn fresh_dimension(&mut self, position: Option<usize>) -> Symbol {
        let prefix = self.fresh_prefix.clone();
        let name = match position {
            Some(position) => format!("{prefix}({position})"),
            None => {
                self.fresh_count += 1;
                format!("{prefix}?{}", self.fresh_count)
            }
        };
        self.symbol(self.item, &name)
    }

    fn size(&mut self, inner: &Expr) -> Outcome {
        let shape = match self.expr(inner)? {
            Value::Threads(threads) => return Some(Value::int(threads.len())),
            value => self.as_shape(value, inner)?,
        };
        let size = shape.size();
        self.settle(inner.span, size).map(Value::Int)
    }

    /// The value of an expression that has to be a shape.
    pub(crate) fn shape(&mut self, expr: &Expr) -> Option<Shape> {
        let value = self.expr(expr)?;
        self.as_shape(value, expr)
    }

    fn choice(&mut self, arms: &[Arm], otherwise: &Expr) -> Outcome {
        for Arm { condition, value } in arms {
            if self.known_condition(condition)? {
                return self.expr(value);
            }
        }
        self.expr(otherwise)
    }

    /// Whether a condition holds, which has to be the same for every size.
    fn known_condition(&mut self, condition: &Expr) -> Option<bool> {
        match self.expr(condition)? {
            Value::Bool(value) => Some(value),
            Value::Truth(truth) => match truth.for_every_size() {
                Some(value) => Some(value),
                None => self.report(diagnostics::not_constant_condition(condition.span, &truth)),
            },
            other => self.report(diagnostics::wrong_type(condition.span, Wanted::Truth, &other)),
        }
    }
}
