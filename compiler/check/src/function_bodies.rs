//! What can be seen of a function's body without arguments: that it computes a value of names that there are, and whether it makes
//! tiles.

use smol_str::SmolStr;

use crate::db::{Db, DeclarationKind, Item};
use crate::diagnostics::{self, Diagnostic, WrongBody};
use crate::evaluate::{self, FLOAT_CONSTANTS};
use crate::kernels::{OVER, TileFunction, is_new_dimension, kernel_functions, unit_together};
use crate::values::FunctionValue;
use crate::{names, spelling};
use elements::ElementType;
use maps::threads;
use syntax::span::Span;
use syntax::tree::{Argument, Block, Expr, ExprKind, Function, ItemKind, Name, StatementKind, SuffixKind};

/// The errors in the body of a function that can be seen without arguments. `visible` are the names around it.
pub(crate) fn body_errors(db: &dyn Db, item: Item, function: &Function, visible: &[SmolStr]) -> Vec<Diagnostic> {
    let mut reader = Reader { db, item, function, visible: visible.to_vec(), found: Vec::new() };
    reader.signature();
    reader.expr(&function.body);
    reader.found
}

/// Whether a function item makes tiles, whatever it is called with.
#[salsa::tracked(returns(copy), cycle_result = makes_none)]
fn item_makes_tiles(db: &dyn Db, item: Item) -> bool {
    match item.tree(db).item.as_ref().map(|parsed| &parsed.kind) {
        Some(ItemKind::Function(function)) => expression_makes_tiles(db, item, &function.body),
        _ => false,
    }
}

fn makes_none(_db: &dyn Db, _id: salsa::Id, _item: Item) -> bool {
    false
}

impl FunctionValue {
    /// Whether its body makes tiles, whatever it is called with.
    pub(crate) fn makes_tiles(&self, db: &dyn Db) -> bool {
        match self.item.interface(db).kind {
            DeclarationKind::Function => item_makes_tiles(db, self.item),
            _ => expression_makes_tiles(db, self.item, &self.function.body),
        }
    }
}

fn expression_makes_tiles(db: &dyn Db, item: Item, expr: &Expr) -> bool {
    let mut found = false;
    if let ExprKind::Postfix { base, suffixes } = &expr.kind
        && let (ExprKind::Name(name), Some(SuffixKind::Call(_))) =
            (&base.kind, suffixes.first().map(|suffix| &suffix.kind))
    {
        found = match names::lookup(db, item.file(db), name.clone()) {
            Some(declared) => item_makes_tiles(db, declared),
            None => TileFunction::from_name(name).is_some_and(TileFunction::is_operation),
        };
    }
    expr.each_inside(|inner| found = found || expression_makes_tiles(db, item, inner));
    found
}

/// Reads the body of a function.
struct Reader<'db, 'f> {
    db: &'db dyn Db,
    item: Item,
    function: &'f Function,
    /// The names that are visible besides those of the file.
    visible: Vec<SmolStr>,
    found: Vec<Diagnostic>,
}

impl Reader<'_, '_> {
    /// Makes the parameters visible, and reports those that are declared twice.
    fn signature(&mut self) {
        let params = &self.function.params;
        for (index, param) in params.iter().enumerate() {
            let name = &param.name.text;
            if let Some(first) = params[..index].iter().find(|first| first.name.text == *name && !name.is_empty()) {
                self.found.push(diagnostics::duplicate_param(param.name.span, name, first.name.span));
            }
        }
        self.visible.extend(self.function.generics.iter().map(|generic| generic.text.clone()));
        let types = params.iter().filter_map(|param| param.annotation.as_ref()).chain(&self.function.result);
        for found in types {
            self.element_type(&found.element);
            found.shape.iter().flatten().for_each(|extent| self.expr(extent));
        }
        self.visible.extend(params.iter().map(|param| param.name.text.clone()));
    }

    fn element_type(&mut self, word: &Name) {
        let known = self.visible.contains(&word.text) || ElementType::from_name(&word.text).is_some();
        if !known && !word.text.is_empty() {
            let nearest = spelling::nearest(&word.text, ElementType::ALL.map(ElementType::name));
            self.found.push(diagnostics::unknown_element_type(word.span, &word.text, nearest));
        }
    }

    fn block(&mut self, block: &Block) {
        let outer = self.visible.len();
        let Some((last, before)) = block.statements.split_last() else {
            self.wrong_body(block.span, WrongBody::NoValue);
            return;
        };
        for statement in before {
            let wrong = match &statement.kind {
                StatementKind::Let { mutable: true, .. } => Some(WrongBody::Mutable),
                StatementKind::Let { .. }
                | StatementKind::Define { .. }
                | StatementKind::Function(_)
                | StatementKind::Assert { .. } => None,
                StatementKind::Expr(_) => Some(WrongBody::Unused),
                _ => Some(WrongBody::Statement),
            };
            if let Some(wrong) = wrong {
                self.wrong_body(statement.span, wrong);
                // What follows would only repeat it.
                self.visible.truncate(outer);
                return;
            }
            match &statement.kind {
                StatementKind::Function(function) => {
                    let inner = body_errors(self.db, self.item, function, &self.visible);
                    self.found.extend(inner);
                }
                _ => statement.expressions().for_each(|expr| self.expr(expr)),
            }
            self.visible.extend(statement.declared().map(|(name, _)| name.text.clone()));
        }
        match &last.kind {
            StatementKind::Expr(value) => self.expr(value),
            StatementKind::If { .. } => {
                self.wrong_body(last.span, WrongBody::NoElse);
            }
            StatementKind::Let { .. } | StatementKind::Define { .. } | StatementKind::Function(_) => {
                self.wrong_body(last.span, WrongBody::NoValue);
            }
            _ => self.wrong_body(last.span, WrongBody::Statement),
        }
        self.visible.truncate(outer);
    }

    fn wrong_body(&mut self, span: Span, wrong: WrongBody) {
        // Where the text is wrong, as with `return`, that is reported.
        let errors = &self.item.tree(self.db).errors;
        if !errors.iter().any(|error| span.holds(error.span)) {
            self.found.push(diagnostics::function_body(span, &self.function.name.text, wrong));
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Block(block) => self.block(block),
            ExprKind::Name(name) => self.name(name, expr),
            // Their words have meanings of their own.
            ExprKind::ReshapeMap(_) | ExprKind::Unit { .. } | ExprKind::Launch(_) => {}
            ExprKind::Postfix { base, suffixes } => {
                match (&base.kind, suffixes.first().map(|suffix| &suffix.kind)) {
                    (ExprKind::Name(name), Some(SuffixKind::Call(_))) => self.called(name, base),
                    // A type of a tile: `f32[4, 4]`.
                    (ExprKind::Name(name), Some(SuffixKind::Bracket(_))) if ElementType::from_name(name).is_some() => {}
                    _ => self.expr(base),
                }
                for suffix in suffixes {
                    match &suffix.kind {
                        SuffixKind::Call(arguments) => arguments.iter().for_each(|argument| self.argument(argument)),
                        // What this means in other languages is answered where the function is called.
                        SuffixKind::Bracket(parts) => {
                            parts.iter().filter(|part| !is_new_dimension(part)).for_each(|part| self.expr(part));
                        }
                        kind => kind.each_inside(|inner| self.expr(inner)),
                    }
                }
            }
            _ => expr.each_inside(|inner| self.expr(inner)),
        }
    }

    fn argument(&mut self, argument: &Argument) {
        // `over: warp` names threads.
        let names_threads = argument.name.as_ref().is_some_and(|name| name.text == OVER)
            && matches!(&argument.value.kind, ExprKind::Name(name) if unit_together(name).is_some());
        if !names_threads {
            self.expr(&argument.value);
        }
    }

    fn is_declared(&self, name: &str) -> bool {
        self.visible.iter().any(|visible| visible == name)
            || names::lookup(self.db, self.item.file(self.db), name.into()).is_some()
    }

    fn name(&mut self, name: &SmolStr, expr: &Expr) {
        let known = |name: &str| {
            self.is_declared(name)
                || FLOAT_CONSTANTS.iter().any(|constant| constant.0 == name)
                || threads::standard_unit(name).is_some()
                || ElementType::from_name(name).is_some()
                || evaluate::is_function(name)
        };
        if known(name) || name.split('-').all(known) {
            return;
        }
        let nearest = spelling::nearest(name, self.visible.iter().map(SmolStr::as_str));
        self.found.push(diagnostics::unknown_in_function(expr.span, name, &self.function.name.text, nearest));
    }

    fn called(&mut self, name: &SmolStr, base: &Expr) {
        let of_kernels: Vec<&'static str> =
            kernel_functions().chain(TileFunction::all().map(TileFunction::name)).collect();
        if self.is_declared(name) || evaluate::is_function(name) || of_kernels.iter().any(|known| *known == name) {
            return;
        }
        let declared = names::suggestions(self.db, self.item);
        let own = self.visible.iter().map(SmolStr::as_str);
        // A function does not call itself.
        let is_other = |name: &&str| *name != self.function.name.text;
        let candidates: Vec<&str> = own.chain(declared).filter(is_other).chain(of_kernels.iter().copied()).collect();
        let nearest = spelling::nearest(name, candidates);
        self.found.push(diagnostics::unknown_function(base.span, name, nearest));
    }
}
