//! Arrays of which every thread has its own: `let mut acc : f32[4, 4] = 0.0;`, `let taps : f32[3] = [1.0, 2.0, 1.0];`.
//!
//! A thread's array is a memory of its own, as a shared array is, so its accesses are proven in bounds as all are. No other thread
//! reaches it: there is nothing to race with and nothing to wait for. Its declaration gives every element a value, each time that
//! it is executed.

use kernel::raise::Contents;
use kernel::typed::{
    Access, AccessKind, Constant, Expr, ExprKind, Memory, Residence, Scope, SharedArray, SharedId, Statement,
    StatementKind,
};
use smol_str::SmolStr;
use syntax::span::Span;
use syntax::tree;

use super::bindings::{Binding, ThreadArray};
use super::checker::Checker;
use super::shared_array::SharedSource;
use super::statements::Declared;
use crate::diagnostics::{self, Quantity, WrongArray, WrongAtomic};
use crate::values::Value;
use dims::Sym;
use elements::ElementType;

/// The most bytes of a thread's array: what its 255 registers hold.
const MOST_BYTES: i64 = 255 * 4;

/// What the elements of an array begin with.
enum Beginning {
    /// One number, everywhere.
    Number(Expr),
    /// A number for each element, in row-major order.
    List(Vec<Expr>),
}

impl Checker<'_> {
    /// Whether a declaration of an array is one of each thread: in a kernel of tiles, only threads by themselves have such.
    pub(super) fn is_of_threads(&self) -> bool {
        !self.tiles.is_used() || matches!(self.context.scope, Scope::Threads(_))
    }

    /// Checks `let a : f32[4] = e;`, where `e` is a number for all elements or a list. The name is bound even if there is an
    /// error.
    pub(super) fn let_array(
        &mut self,
        Declared { name, mutable, element }: Declared<'_>,
        shape: &[tree::Expr],
        value: &tree::Expr,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let element = element.and_then(|element| self.evaluator.element_type(element));
        let extents = self.evaluator.extents_of_array(shape, Quantity::ThreadExtent);
        let made = match element.zip(extents) {
            Some((element, extents)) => {
                let beginning = self.beginning(&name.text, value, element, &extents);
                self.thread_array(name, element, extents, span).zip(beginning)
            }
            None => {
                self.beginning_of_anything(value);
                None
            }
        };
        let array = made.as_ref().map(|(array, _)| ThreadArray { array: *array, mutable });
        let binding = array.map_or(Binding::Broken, Binding::ThreadArray);
        self.note_meaning(name, &binding);
        self.bind(name, binding);
        let (array, beginning) = made?;
        self.begin_array(array, beginning, mutable, span)
    }

    /// A new array of each thread, unless it is too large.
    fn thread_array(
        &mut self,
        name: &tree::Name,
        element: ElementType,
        shape: Vec<i64>,
        span: Span,
    ) -> Option<SharedId> {
        let length = shape.iter().try_fold(1i64, |product, extent| product.checked_mul(*extent));
        let bytes =
            i64::try_from(element.size_bytes()).ok().zip(length).and_then(|(size, length)| length.checked_mul(size));
        let Some(length) = length.filter(|_| bytes.is_some_and(|bytes| bytes <= MOST_BYTES)) else {
            let why = WrongArray::TooLarge { name: &name.text, element, shape: &shape, most: MOST_BYTES };
            return self.report(diagnostics::thread_array(span, &why));
        };
        let map = self.evaluator.row_major_layout(
            &shape.iter().copied().map(Sym::constant).collect::<Vec<_>>(),
            &Sym::constant(length),
            span,
        )?;
        let (name, span) = (name.text.clone(), name.span);
        let held = Residence::Registers;
        let id = self.memories.shared.push(SharedArray {
            name,
            element,
            shape: shape.into_iter().map(Sym::constant).collect(),
            length: Sym::constant(length),
            held,
            cleared: false,
            exchanged_by: None,
            span,
        });
        self.layouts.push(map);
        self.shared_sources.push(SharedSource { shape: Vec::new(), layout: Vec::new(), span });
        Some(id)
    }

    /// Checks that what is done with an element of what a word names can be done with one of a thread's array, if it is one.
    pub(super) fn check_kind(&mut self, word: &SmolStr, kind: AccessKind, span: Span) -> Option<()> {
        let (declaration, mutable) = match self.bindings.get(word) {
            Some((_, declaration, Binding::ThreadArray(ThreadArray { mutable, .. }))) => (*declaration, *mutable),
            _ => return Some(()),
        };
        match kind {
            AccessKind::Atomic(operation) => {
                self.report(diagnostics::wrong_atomic(span, &WrongAtomic::OfThread { operation, name: word.clone() }))
            }
            AccessKind::Store | AccessKind::Copy if !mutable => {
                self.report(diagnostics::immutable(span, word, declaration))
            }
            AccessKind::Store | AccessKind::Copy | AccessKind::Load => Some(()),
        }
    }

    /// What the elements begin with.
    fn beginning(
        &mut self,
        name: &SmolStr,
        value: &tree::Expr,
        element: ElementType,
        extents: &[i64],
    ) -> Option<Beginning> {
        if let Some(list) = self.named_list(value) {
            return self.beginning(name, &list, element, extents);
        }
        if !matches!(value.kind, tree::ExprKind::List(_)) {
            let operand = self.operand(value)?;
            return Some(Beginning::Number(self.coerce(operand, element, value.span)?));
        }
        let mut parts = Vec::new();
        self.listed(name, value, extents, 0, &mut parts)?;
        let mut values = Vec::with_capacity(parts.len());
        for part in parts {
            let operand = self.operand(part);
            values.push(operand.and_then(|operand| self.coerce(operand, element, part.span)));
        }
        Some(Beginning::List(values.into_iter().collect::<Option<_>>()?))
    }

    /// The list that a constant of the file names, as if it were written here.
    fn named_list(&mut self, value: &tree::Expr) -> Option<tree::Expr> {
        let tree::ExprKind::Name(name) = &value.kind else { return None };
        if self.binding(name).is_some() || !self.is_of_file(name) {
            return None;
        }
        match self.evaluator.expr(value)? {
            list @ (Value::List(_) | Value::Shape(_)) => written(&list, value.span),
            _ => None,
        }
    }

    /// Reports what is wrong with a value by itself, where what it is for is not known.
    fn beginning_of_anything(&mut self, value: &tree::Expr) {
        match &value.kind {
            tree::ExprKind::List(parts) => parts.iter().for_each(|part| self.beginning_of_anything(part)),
            _ => drop(self.operand(value)),
        }
    }

    /// The numbers of a list of lists, of which each dimension has as many parts as its extent says.
    fn listed<'t>(
        &mut self,
        name: &SmolStr,
        value: &'t tree::Expr,
        extents: &[i64],
        dimension: usize,
        parts: &mut Vec<&'t tree::Expr>,
    ) -> Option<()> {
        match (&value.kind, extents.get(dimension)) {
            (tree::ExprKind::List(_), None) => {
                let why = WrongArray::Nested { name, shape: extents };
                self.report(diagnostics::thread_array(value.span, &why))
            }
            (tree::ExprKind::List(list), Some(extent)) if i64::try_from(list.len()) == Ok(*extent) => {
                list.iter().try_for_each(|part| self.listed(name, part, extents, dimension + 1, parts))
            }
            (tree::ExprKind::List(list), Some(_)) => {
                let why = WrongArray::Parts { name, shape: extents, dimension, found: list.len() };
                self.report(diagnostics::thread_array(value.span, &why))
            }
            (_, Some(_)) => {
                let why = WrongArray::Flat { name, shape: extents, dimension };
                self.report(diagnostics::thread_array(value.span, &why))
            }
            (_, None) => {
                parts.push(value);
                Some(())
            }
        }
    }

    /// The statements that give every element its value.
    fn begin_array(
        &mut self,
        array: SharedId,
        beginning: Beginning,
        mutable: bool,
        span: Span,
    ) -> Option<Vec<Statement>> {
        let memory = Memory::Shared(array);
        let map = self.flat_shared_view(memory, span)?.map;
        let store = |checker: &Self, place: Expr, value| {
            let (map, coordinates) = (map.clone(), vec![place.clone()]);
            let access = Access { memory, map, coordinates, offset: place, mask: None, span };
            checker.made(StatementKind::Store { access, value, is_async: false }, span)
        };
        match beginning {
            Beginning::Number(value) => {
                let length = self.memories.shared.get(array)?.known_length()?;
                let mut statements = Vec::new();
                let value = self.evaluated_once(value, span, &mut statements);
                let local = self.new_local(&SmolStr::new_static("element"), ElementType::I64, false);
                let place = Expr { kind: ExprKind::Local(local), element: ElementType::I64 };
                let body = store(self, place, value);
                let (low, high) = (Expr::int(0), Expr::int(length));
                statements.extend(self.made(StatementKind::For { local, low, high, body }, span));
                Some(statements)
            }
            Beginning::List(values) => {
                if !mutable {
                    self.raiser.know_contents(memory, contents(&values));
                }
                let places = (0i64..).map(Expr::int);
                Some(places.zip(values).flat_map(|(place, value)| store(self, place, value)).collect())
            }
        }
    }
}

impl Checker<'_> {
    /// A value that is evaluated before what follows, unless it is a constant.
    fn evaluated_once(&mut self, value: Expr, span: Span, statements: &mut Vec<Statement>) -> Expr {
        if let ExprKind::Constant(_) = value.kind {
            return value;
        }
        let element = value.element;
        let local = self.new_local(&SmolStr::new_static("beginning"), element, false);
        self.raiser.declare(local, &value);
        statements.extend(self.made(StatementKind::Assign { local, value }, span));
        Expr { kind: ExprKind::Local(local), element }
    }
}

/// A known list as an expression.
fn written(value: &Value, span: Span) -> Option<tree::Expr> {
    let all = |values: &[Value]| values.iter().map(|value| written(value, span)).collect::<Option<Vec<_>>>();
    let kind = match value {
        Value::Int(value) => tree::ExprKind::Int(Some(value.as_constant()?)),
        Value::Unsigned(value) => tree::ExprKind::Unsigned(*value),
        Value::Float(value) => tree::ExprKind::Float(*value),
        Value::Bool(value) => tree::ExprKind::Bool(*value),
        Value::List(values) => tree::ExprKind::List(all(values)?),
        Value::Shape(shape) => {
            let values: Vec<Value> = shape.dims.iter().cloned().map(Value::Int).collect();
            tree::ExprKind::List(all(&values)?)
        }
        _ => return None,
    };
    Some(tree::Expr { kind, span })
}

/// What is known of constant integers; `None` of anything else.
fn contents(values: &[Expr]) -> Option<Contents> {
    let number = |value: &Expr| match value.kind {
        ExprKind::Constant(Constant::Int(number)) => Some(number),
        _ => None,
    };
    let numbers: Vec<i64> = values.iter().map(number).collect::<Option<_>>()?;
    Contents::table(&numbers)
}
