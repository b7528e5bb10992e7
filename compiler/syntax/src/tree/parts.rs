//! The parts of statements. Whoever treats all statements alike asks here what is in one.

use super::{Block, Expr, Function, Name, Statement, StatementKind};

/// A part of a statement.
#[derive(Clone, Copy, Debug)]
pub enum Part<'t> {
    /// A name that it declares.
    Declared(&'t Name, Declared),
    /// The name of an element type.
    ElementType(&'t Name),
    /// An expression.
    Expr(&'t Expr),
    /// The unit of a view: `block` in `per block`.
    Collective(&'t Expr),
    /// A block within.
    Body(&'t Block),
    /// A function that it declares.
    Function(&'t Function),
}

/// What a statement declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// A view, by `view`.
    View,
    /// A variable that never changes, by `let`.
    Constant,
    /// A variable, by `let mut`.
    Variable,
    /// An array in shared memory, by `shared`.
    Shared,
    /// A constant or a map that is known when the kernel is checked, by `const` or `map`.
    Defined,
    /// A function, by `fn`.
    Function,
    /// The iterator of a loop: it is visible in the bodies of its statement, and everything else after the statement.
    Iterator,
}

impl Statement {
    /// The parts in the order of the text.
    pub fn parts(&self) -> Vec<Part<'_>> {
        match &self.kind {
            StatementKind::View { name, source, via, per, masked: _ } => [Part::Declared(name, Declared::View)]
                .into_iter()
                .chain([source].into_iter().chain(via).map(Part::Expr))
                .chain(per.as_ref().map(Part::Collective))
                .collect(),
            StatementKind::Let { name, mutable, element, shape, value } => {
                let kind = if *mutable { Declared::Variable } else { Declared::Constant };
                let element = element.as_ref().map(Part::ElementType);
                let shape = shape.iter().flatten().map(Part::Expr);
                [Part::Declared(name, kind)]
                    .into_iter()
                    .chain(element)
                    .chain(shape)
                    .chain([Part::Expr(value)])
                    .collect()
            }
            StatementKind::Shared { name, element, shape, layout } => {
                [Part::Declared(name, Declared::Shared), Part::ElementType(element)]
                    .into_iter()
                    .chain(shape.iter().chain(layout).map(Part::Expr))
                    .collect()
            }
            StatementKind::Define { word: _, name, value } => {
                vec![Part::Declared(name, Declared::Defined), Part::Expr(value)]
            }
            StatementKind::Function(function) => {
                vec![Part::Declared(&function.name, Declared::Function), Part::Function(function)]
            }
            StatementKind::Assert { value } => vec![Part::Expr(value)],
            StatementKind::For { iterators, domain, step, body } => {
                let iterators = iterators.iter().map(|iterator| Part::Declared(iterator, Declared::Iterator));
                let header = [Part::Expr(domain)].into_iter().chain(step.as_ref().map(Part::Expr));
                iterators.chain(header).chain([Part::Body(body)]).collect()
            }
            StatementKind::While { condition, most, body } => [Part::Expr(condition)]
                .into_iter()
                .chain(most.as_ref().map(Part::Expr))
                .chain([Part::Body(body)])
                .collect(),
            StatementKind::Leave(_) => Vec::new(),
            StatementKind::With { domain, body } => vec![Part::Expr(domain), Part::Body(body)],
            StatementKind::If { arms, otherwise } => arms
                .iter()
                .flat_map(|(condition, body)| [Part::Expr(condition), Part::Body(body)])
                .chain(otherwise.as_ref().map(Part::Body))
                .collect(),
            StatementKind::Assign { target, op: _, value, word: _ } => vec![Part::Expr(target), Part::Expr(value)],
            StatementKind::Expr(value) => vec![Part::Expr(value)],
        }
    }

    /// The expressions of the statement itself, without those of nested statements.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.parts().into_iter().filter_map(|part| match part {
            Part::Expr(expr) | Part::Collective(expr) => Some(expr),
            Part::Declared(..) | Part::ElementType(_) | Part::Body(_) | Part::Function(_) => None,
        })
    }

    /// The blocks within, without those of nested statements.
    pub fn bodies(&self) -> impl DoubleEndedIterator<Item = &Block> {
        self.parts().into_iter().filter_map(|part| if let Part::Body(body) = part { Some(body) } else { None })
    }

    /// The names that it declares.
    pub fn declared(&self) -> impl Iterator<Item = (&Name, Declared)> {
        self.parts().into_iter().filter_map(|part| match part {
            Part::Declared(name, kind) => Some((name, kind)),
            _ => None,
        })
    }
}

impl Block {
    /// The statements and those nested in them, outer before inner, in the order of the text.
    pub fn all_statements(&self) -> Vec<&Statement> {
        let (mut found, mut open) = (Vec::new(), self.statements.iter().rev().collect::<Vec<_>>());
        while let Some(statement) = open.pop() {
            found.push(statement);
            open.extend(statement.bodies().rev().flat_map(|body| body.statements.iter().rev()));
        }
        found
    }
}
