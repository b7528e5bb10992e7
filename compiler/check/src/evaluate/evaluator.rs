//! The evaluator of an item's expressions: what is known where it stands, and what it has said.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::asked::Asked;
use super::open_calls::Calls;
use super::watch::Watch;
use crate::db::{Db, Item};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::settings;
use crate::values::{Generics, Scope, Value};
use dims::{Fact, Facts, Symbol};
use maps::shapes::Shape;
use proofs::Budget;
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::Expr;

/// The value of an expression; `None` if a diagnostic was reported.
pub type Outcome = Option<Value>;

/// Evaluates the expressions of one item.
#[derive(Clone)]
pub struct Evaluator<'db> {
    pub(crate) db: &'db dyn Db,
    pub(crate) item: Item,
    /// The facts about all symbols so far.
    pub(crate) facts: Facts,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Assumptions for the current expression: the negated left sides of the `||`s around it.
    pub(super) otherwise: Vec<Fact>,
    /// The shape before the current bracket; `(k)` is its dimension k.
    pub(super) subject: Option<Shape>,
    /// Whether the innermost bracket has no shape before it, so that `(k)` has no meaning.
    pub(super) bare_bracket: bool,
    /// Symbols that the item itself declares (`dim`), which are not looked up.
    pub(crate) own_symbols: FxHashSet<SmolStr>,
    /// The generic parameters of the kernel that is checked.
    pub(crate) generics: Generics,
    /// The constants and maps of the kernel's body that are visible.
    pub(crate) scope: Scope,
    /// The prefix for the names of fresh dimensions (`?`).
    pub(crate) fresh_prefix: SmolStr,
    pub(super) fresh_count: u32,
    /// The calls of functions whose bodies are being evaluated.
    pub(crate) calls: Calls,
    /// The callback of proofs that ends them when an edit is waiting.
    pub(super) cancelled: Rc<dyn Fn() -> bool + 'db>,
    /// The watched expressions, and their values so far.
    pub(crate) watch: Option<Watch>,
    /// The questions about costs so far, in their order.
    pub(super) asked: Vec<Asked>,
}

/// What an evaluator has said, or has to say: all that a copy of it, which goes on from the same place, does not share.
pub(crate) struct Said {
    diagnostics: Vec<Diagnostic>,
    asked: Vec<Asked>,
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

    /// Reports an error that may occur at many places, but only once.
    pub(crate) fn report_once<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.diagnostics.push_once_saying(diagnostic);
        None
    }

    /// Notes the value of an expression, if somebody asks for it.
    pub(super) fn note_watched(&mut self, expr: &Expr, value: Option<&Value>) {
        if let (Some(watch), Some(value)) = (&mut self.watch, value) {
            watch.note(expr, value);
        }
    }

    /// Whether an argument of a reduction is named as in numpy, `axis=1`, which has been reported as syntax.
    pub(crate) fn is_followed_by_equal(&self, name: Span, text: &str) -> bool {
        let is_of_numpy = matches!(text, "axis" | "axes" | "dim" | "keepdims" | "keepdim" | "keep_dims");
        is_of_numpy && self.item.tokens(self.db).kind(name.end as usize) == Some(TokenKind::Equal)
    }

    /// The symbol that a `dim` item declares.
    pub(crate) fn symbol(&self, declaration: Item, name: &str) -> Symbol {
        let scope = salsa::plumbing::AsId::as_id(&declaration.file(self.db)).index();
        Symbol::new(name, scope)
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
}
