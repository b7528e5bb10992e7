//! Calls of functions that the file or the kernel declares.
//!
//! A call is its body, read with the arguments in the places of the parameters ([`Evaluator::enter`]). Only the names of the
//! parameters and those of the function's own file are visible there. An argument is read once, where it stands; one that a
//! run computes gets a variable, unless it is evaluated under a condition of its expression, before which nothing can stand.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::bindings::Binding;
use super::checker::Checker;
use super::operand::Operand;
use super::statements::Declared;
use super::tiles::{Tile, TileVariable};
use crate::db::{Db, Item};
use crate::diagnostics::{self, Actual, Diagnostic, Expected, TooDeep};
use crate::evaluate::Calls;
use crate::values::{FunctionValue, GenericValue, Generics, Value};
use elements::ElementType;
use kernel::typed::{Expr, ExprKind, StatementKind};
use syntax::span::Span;
use syntax::tree::{self, Argument, Function, FunctionParam, Name, TypeName};

/// The most operations of an argument that is computed again for each use, and of one that is used once.
const MOST_REPEATED: usize = 256;
const MOST_ONCE: usize = 4096;
/// The most operations of what is used once and gets no variable.
const MOST_WITHOUT_VARIABLE: usize = 16;

/// What the names in brackets behind a function's name stand for.
type Inferred = Vec<(SmolStr, GenericValue)>;

/// What an argument is.
enum Given {
    /// What is known when the kernel is checked: a size, a constant, a shape, a map.
    Known(Value),
    /// A tile, or a number that a run computes.
    Computed(Tile),
    /// A tensor, a view or a partition by its name.
    Named(Binding),
}

/// The diagnostics of a function whose parameters all have scalar types, typed without a call.
pub(crate) fn function_diagnostics(db: &dyn Db, item: Item, function: &Arc<Function>) -> Vec<Diagnostic> {
    let element_of = |param: &FunctionParam| {
        let found = param.annotation.as_ref().filter(|found| found.shape.is_none())?;
        ElementType::from_name(&found.element.text)
    };
    let elements: Option<Vec<ElementType>> = function.params.iter().map(element_of).collect();
    let Some(elements) = elements.filter(|_| function.generics.is_empty()) else { return Vec::new() };
    let mut checker = Checker::new(db, item, Generics::default());
    checker.evaluator.calls = Calls::of_declaration();
    checker.note_expression(&function.body);
    for (param, element) in function.params.iter().zip(elements) {
        let local = checker.new_local(&param.name.text, element, false);
        checker.bind(&param.name, Binding::Local(local));
    }
    let (_, value) = checker.with_tiles(|checker| checker.tile(&function.body));
    if let Some(value) = value {
        checker.with_tiles(|checker| checker.result(function, value));
    }
    if checker.evaluator.calls.are_too_many() {
        return Vec::new();
    }
    checker.evaluator.diagnostics
}

/// What a name in the body of a function stands for.
enum Bound {
    /// A value that is known while the kernel is checked.
    Value(Value),
    /// What a name of the kernel stands for, or what is computed.
    Name(Binding),
}

impl Checker<'_> {
    /// The function that a word names, unless the kernel calls something else so.
    pub(super) fn function_named(&self, name: &str) -> Option<Arc<FunctionValue>> {
        if self.binding(name).is_some() {
            return None;
        }
        self.evaluator.function_named(name)
    }

    /// The place in the kernel for a place in the function whose body is being read.
    pub(super) fn place(&self, span: Span) -> Span {
        self.evaluator.calls.place(span)
    }

    /// `fn f(…) …` in a kernel.
    pub(super) fn local_function(&mut self, function: &Arc<Function>) -> Option<()> {
        let generics = self.evaluator.generics.known().into_iter().map(|(name, _)| name);
        let around: Vec<SmolStr> = self.evaluator.scope.names().cloned().chain(generics).collect();
        let errors = crate::function_bodies::body_errors(self.evaluator.db, self.evaluator.item, function, &around);
        let sound = errors.is_empty();
        self.evaluator.diagnostics.extend(errors);
        let value = self.evaluator.declared_function(function);
        self.define_as(&function.name, sound.then_some(value));
        sound.then_some(())
    }

    /// The value of a call; a number is a tile of rank 0.
    pub(super) fn called(&mut self, function: &FunctionValue, args: &[Argument], span: Span) -> Option<Tile> {
        let arguments = self.evaluator.arguments_of(function, args, span)?;
        let given: Vec<Option<Given>> = arguments.iter().map(|argument| self.argument(argument)).collect();
        let given = given.into_iter().collect::<Option<Vec<Given>>>()?;
        let places: Vec<Span> = arguments.iter().map(|argument| argument.span).collect();
        let (given, generics) = self.as_declared(function, given, &places, span)?;
        // What an argument needs is made where the call stands.
        let bound = self.bound(function, given, &places)?;
        let caller = self.evaluator.enter(function, span)?;
        self.evaluator.generics.extend(generics);
        let hidden = self.bindings.hide();
        for (param, bound) in function.function.params.iter().zip(bound) {
            self.bind_given(&param.name, bound);
        }
        let value = self.tile(&function.function.body);
        let value = value.and_then(|value| self.result(&function.function, value));
        self.bindings.show(hidden);
        self.evaluator.leave(caller);
        value
    }

    /// Reads an argument, or what a `let` in a function names.
    fn argument(&mut self, expr: &tree::Expr) -> Option<Given> {
        if let tree::ExprKind::Name(name) = &expr.kind
            && let Some(
                binding @ (Binding::Memory(_)
                | Binding::View(_)
                | Binding::Partition(_)
                | Binding::ThreadArray(_)
                | Binding::Tile(_)),
            ) = self.binding(name)
        {
            let binding = binding.clone();
            return match binding {
                Binding::Tile(_) => self.tile(expr).map(Given::Computed),
                _ => Some(Given::Named(binding)),
            };
        }
        if !self.mentions_tiles(expr) && !self.mentions_kernel(expr) && !self.computes(expr) {
            return self.evaluator.expr(expr).map(Given::Known);
        }
        self.tile(expr).map(Given::Computed)
    }

    /// The arguments with the types that the parameters have, and the generic parameters that follow from them.
    fn as_declared(
        &mut self,
        function: &FunctionValue,
        mut given: Vec<Given>,
        places: &[Span],
        span: Span,
    ) -> Option<(Vec<Given>, Inferred)> {
        let mut generics = Inferred::new();
        let function = &function.function;
        let is_generic = |word: &Name| function.generics.iter().any(|generic| generic.text == word.text);
        for (param, given) in function.params.iter().zip(&given) {
            let (Some(annotation), Given::Computed(tile)) = (&param.annotation, given) else { continue };
            let known = |name: &Name, generics: &[(SmolStr, GenericValue)]| {
                !is_generic(name) || generics.iter().any(|(known, _)| *known == name.text)
            };
            if !known(&annotation.element, &generics) && !tile.is_constant() {
                generics.push((annotation.element.text.clone(), GenericValue::Element(tile.element())));
            }
            for (extent, found) in annotation.shape.iter().flatten().zip(tile.extents()) {
                if let tree::ExprKind::Name(text) = &extent.kind {
                    let name = Name { text: text.clone(), span: extent.span };
                    if !known(&name, &generics) {
                        generics.push((text.clone(), GenericValue::Constant(*found)));
                    }
                }
            }
        }
        // A constant has the type that nothing else decides.
        for (param, given) in function.params.iter().zip(&given) {
            let Some(annotation) = &param.annotation else { continue };
            if is_generic(&annotation.element) && !generics.iter().any(|(name, _)| *name == annotation.element.text) {
                let element = match given {
                    Given::Computed(tile) => tile.element(),
                    Given::Known(value) => Operand::of_value(value).map_or(ElementType::I64, |found| found.natural()),
                    Given::Named(_) => continue,
                };
                generics.push((annotation.element.text.clone(), GenericValue::Element(element)));
            }
        }
        if let Some(open) =
            function.generics.iter().find(|generic| !generics.iter().any(|(name, _)| *name == generic.text))
        {
            return self.report(diagnostics::open_generic(span, &function.name.text, &open.text));
        }
        for ((param, given), place) in function.params.iter().zip(&mut given).zip(places) {
            if let Some(annotation) = &param.annotation {
                self.annotated(given, annotation, &generics, *place)?;
            }
        }
        Some((given, generics))
    }

    /// Gives an argument the type of its parameter.
    fn annotated(
        &mut self,
        given: &mut Given,
        annotation: &TypeName,
        generics: &[(SmolStr, GenericValue)],
        place: Span,
    ) -> Option<()> {
        let element = match generics.iter().find(|(name, _)| *name == annotation.element.text) {
            Some((_, GenericValue::Element(element))) => *element,
            Some(_) => return None,
            // An unknown type is reported at the function.
            None => ElementType::from_name(&annotation.element.text)?,
        };
        let tile = match given {
            Given::Computed(tile) => tile.clone(),
            Given::Known(value) => match Operand::of_value(value) {
                Some(operand) => Tile::number(operand),
                None => {
                    let found = Actual::Kind(value.kind());
                    return self.report(diagnostics::type_mismatch(place, &Expected::Type(element), &found));
                }
            },
            Given::Named(_) => {
                return self.report(diagnostics::type_mismatch(place, &Expected::Type(element), &Actual::Other));
            }
        };
        if let Some(shape) = &annotation.shape {
            self.has_shape(&tile, shape, generics, place)?;
        }
        let value = self.coerce(tile.value.clone(), element, place)?;
        *given = Given::Computed(tile.with_value(Operand::Typed(value)));
        Some(())
    }

    /// Whether a tile has the extents of a type.
    fn has_shape(
        &mut self,
        tile: &Tile,
        shape: &[tree::Expr],
        generics: &[(SmolStr, GenericValue)],
        place: Span,
    ) -> Option<()> {
        let outer = self.evaluator.generics.clone();
        self.evaluator.generics.extend(generics.to_vec());
        let extents = self.extents(shape, None, place);
        self.evaluator.generics = outer;
        let extents = extents?;
        match extents == tile.extents() {
            true => Some(()),
            false => self.report(diagnostics::tile_argument(place, &extents, tile.extents())),
        }
    }

    /// What the parameters of a function stand for.
    fn bound(&mut self, function: &FunctionValue, given: Vec<Given>, places: &[Span]) -> Option<Vec<Bound>> {
        let function = &function.function;
        let mut bound = Vec::with_capacity(given.len());
        let all_uses = Uses::of([&function.body]);
        for ((param, given), place) in function.params.iter().zip(given).zip(places) {
            let uses = all_uses.count(&param.name.text);
            bound.push(self.bound_to(given, &param.name.text, uses, *place)?);
        }
        Some(bound)
    }

    /// What a name that is used so often stands for.
    fn bound_to(&mut self, given: Given, name: &SmolStr, uses: usize, place: Span) -> Option<Bound> {
        Some(match given {
            Given::Known(value) => Bound::Value(value),
            Given::Named(binding) => Bound::Name(binding),
            Given::Computed(tile) => Bound::Name(self.computed(tile, name, uses, place)?),
        })
    }

    /// The binding of something that is computed: where it stands for more than a name does, it is computed once.
    fn computed(&mut self, tile: Tile, name: &SmolStr, uses: usize, place: Span) -> Option<Binding> {
        if tile.is_number() {
            return self.number_given(tile, name, uses, place);
        }
        let tile = if uses > 1 { self.stored(tile, place)? } else { tile };
        Some(Binding::Tile(TileVariable::Computed(Arc::new(tile.without_owner()))))
    }

    fn number_given(&mut self, tile: Tile, name: &SmolStr, uses: usize, place: Span) -> Option<Binding> {
        let value = match tile.value {
            Operand::Typed(value) if !is_simple(&value) => value,
            // The iterator of a collective may be asked for its threads.
            Operand::Typed(Expr { kind: ExprKind::Local(local), .. }) => return Some(Binding::Local(local)),
            value => return Some(Binding::Given(value)),
        };
        let mut operations = 0;
        value.walk(&mut |_| operations += 1);
        if uses <= 1 && operations <= MOST_WITHOUT_VARIABLE {
            return Some(Binding::Given(Operand::Typed(value)));
        }
        if self.context.of_statement.is_none() {
            let local = self.new_local(name, value.element, false);
            self.raiser.declare(local, &value);
            let assign = self.made(StatementKind::Assign { local, value }, place);
            self.tiles.add_before(assign);
            return Some(Binding::Local(local));
        }
        let most = if uses > 1 { MOST_REPEATED } else { MOST_ONCE };
        match operations <= most {
            true => Some(Binding::Given(Operand::Typed(value))),
            false => self.report(diagnostics::functions_too_deep(place, name, &TooDeep::Operations(most))),
        }
    }

    /// Makes a name of a function's body known.
    fn bind_given(&mut self, name: &Name, bound: Bound) {
        match bound {
            Bound::Value(value) => self.define_as(name, Some(value)),
            Bound::Name(binding) => self.bind(name, binding),
        }
    }

    /// The value of a block: that of its last expression.
    pub(super) fn value_of_block(&mut self, block: &tree::Block) -> Option<Tile> {
        let (last, before) = block.statements.split_last()?;
        let outer = self.bindings.len();
        let uses = Uses::of(block.statements.iter().flat_map(|statement| statement.expressions()));
        let defined: Vec<Option<()>> = before.iter().map(|statement| self.defined_in_block(statement, &uses)).collect();
        let value = match &last.kind {
            tree::StatementKind::Expr(value) if defined.iter().all(Option::is_some) => self.tile(value),
            // It has no value, which is reported at its declaration.
            _ => None,
        };
        self.unbind(outer);
        value
    }

    fn defined_in_block(&mut self, statement: &tree::Statement, uses: &Uses) -> Option<()> {
        match &statement.kind {
            tree::StatementKind::Let { name, element, shape: Some(shape), value, .. }
                if self.context.of_statement.is_none() && self.is_of_threads() && !self.mentions_tiles(value) =>
            {
                let declared = Declared { name, mutable: false, element: element.as_ref() };
                let statements = self.let_array(declared, shape, value, statement.span)?;
                self.tiles.add_before(statements);
                Some(())
            }
            tree::StatementKind::Let { name, element, shape, value, .. } => {
                let found = self.argument(value).and_then(|given| {
                    let mut given = given;
                    if let Some(element) = element {
                        let annotation = TypeName { element: element.clone(), shape: shape.clone() };
                        let generics = self.evaluator.generics.known();
                        self.annotated(&mut given, &annotation, &generics, value.span)?;
                    }
                    Some(given)
                });
                let uses = uses.count(&name.text);
                let Some(bound) = found.and_then(|given| self.bound_to(given, &name.text, uses, value.span)) else {
                    self.bind(name, Binding::Broken);
                    return None;
                };
                self.bind_given(name, bound);
                Some(())
            }
            tree::StatementKind::Define { word, name, value } => {
                let value = self.evaluator.defined_value(*word, name, value);
                let known = value.is_some();
                self.define_as(name, value);
                known.then_some(())
            }
            tree::StatementKind::Function(function) => {
                let value = self.evaluator.declared_function(function);
                self.define_as(&function.name, Some(value));
                Some(())
            }
            tree::StatementKind::Assert { value } => self.evaluator.assertion(value).map(|_| ()),
            _ => None,
        }
    }

    /// The value of a function's body in the type after `->`.
    fn result(&mut self, function: &Function, value: Tile) -> Option<Tile> {
        let Some(annotation) = &function.result else { return Some(value) };
        let generics = self.evaluator.generics.known();
        let mut given = Given::Computed(value);
        self.annotated(&mut given, annotation, &generics, function.body.span)?;
        match given {
            Given::Computed(tile) => Some(tile),
            Given::Known(_) | Given::Named(_) => None,
        }
    }
}

/// Whether computing an expression again costs nothing.
fn is_simple(value: &Expr) -> bool {
    matches!(
        value.kind,
        ExprKind::Constant(_)
            | ExprKind::Size(_)
            | ExprKind::Scalar(_)
            | ExprKind::Local(_)
            | ExprKind::BlockId
            | ExprKind::ThreadId
    )
}

/// How often names are said.
struct Uses(FxHashMap<SmolStr, usize>);

impl Uses {
    fn of<'e>(exprs: impl IntoIterator<Item = &'e tree::Expr>) -> Self {
        let mut uses = Self(FxHashMap::default());
        exprs.into_iter().for_each(|expr| uses.note(expr));
        uses
    }

    fn note(&mut self, expr: &tree::Expr) {
        match &expr.kind {
            tree::ExprKind::Name(name) => {
                // A hyphen between names may be a subtraction.
                for part in name.split('-').filter(|part| *part != name.as_str()).chain([name.as_str()]) {
                    *self.0.entry(part.into()).or_default() += 1;
                }
            }
            _ => expr.each_inside(|inner| self.note(inner)),
        }
    }

    fn count(&self, name: &str) -> usize {
        self.0.get(name).copied().unwrap_or(0)
    }
}
