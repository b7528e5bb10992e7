//! Facts that would settle a claim, as an edit of the `dim` items that declare their symbols.

use smol_str::SmolStr;

use super::evaluator::Evaluator;
use super::items::dim_facts;
use crate::db::{Db, Item};
use crate::diagnostics::{Place, Remedy};
use crate::effort;
use crate::names;
use crate::values::Value;
use dims::{Fact, Symbol};
use syntax::span::Span;
use syntax::tree::{Expr, ItemKind};

/// The most facts to settle one assertion. A conjunction may need one for each part.
const MOST_FACTS: usize = 4;

impl Evaluator<'_> {
    /// Facts under which an assertion would hold. They are verified by evaluating the assertion again.
    pub(super) fn remedy_of(&self, assertion: &Expr) -> Option<Remedy> {
        effort::of_advice(self.db, || self.settling(assertion))
    }

    fn settling(&self, assertion: &Expr) -> Option<Remedy> {
        let mut facts: Vec<Fact> = Vec::new();
        while facts.len() <= MOST_FACTS {
            let mut trial = Evaluator::new(self.db, self.item);
            for fact in &facts {
                trial.facts.assume(fact.clone()).ok()?;
            }
            let fact = match trial.expr(assertion)? {
                Value::Bool(true) => return (!facts.is_empty()).then(|| self.remedy(facts)),
                // Without facts the vector width may be smaller than with them.
                Value::Bool(false) => trial.wider_if()?,
                Value::Truth(truth) if truth.decided() == Some(true) => return Some(self.remedy(facts)),
                Value::Truth(truth) if !truth.negated => truth.verdict.obligation()?.clone(),
                _ => return None,
            };
            if facts.contains(&fact) {
                return None;
            }
            facts.push(fact);
        }
        None
    }

    /// Facts with the edits that state them.
    pub(crate) fn remedy(&self, facts: Vec<Fact>) -> Remedy {
        let edits = self.statements_of(&facts).unwrap_or_default();
        Remedy { facts, edits }
    }

    /// The edits that state facts; `None` if a fact cannot be stated in the text.
    fn statements_of(&self, facts: &[Fact]) -> Option<Vec<(Place, SmolStr)>> {
        let mut statements: Vec<(Item, Place, bool, Vec<String>)> = Vec::new();
        for fact in facts {
            let item = self.place_of(fact)?;
            let (end, has_facts) = end_of_facts(self.db, item)?;
            match statements.iter_mut().find(|(other, ..)| *other == item) {
                Some((.., together)) => together.push(fact.to_string()),
                None => {
                    let place = Place { item: Some(item), span: Span::new(end, end) };
                    statements.push((item, place, has_facts, vec![fact.to_string()]));
                }
            }
        }
        let edit = |(_, place, has_facts, facts): (Item, Place, bool, Vec<String>)| {
            let lead = if has_facts { "," } else { " where" };
            (place, SmolStr::from(format!("{lead} {}", facts.join(", "))))
        };
        Some(statements.into_iter().map(edit).collect())
    }

    /// The `dim` item that can state a fact: it declares one of the symbols, sees the others by the same names, and
    /// none of them depends on it for its own facts.
    fn place_of(&self, fact: &Fact) -> Option<Item> {
        let symbols: Vec<Symbol> = fact.symbols().into_iter().collect();
        let own_file = self.item.file(self.db);
        let declarations: Vec<Item> =
            symbols.iter().map(|symbol| self.declaration(symbol, own_file)).collect::<Option<_>>()?;
        declarations.iter().rev().copied().find(|item| {
            let file = item.file(self.db);
            let all_seen = symbols
                .iter()
                .zip(&declarations)
                .all(|(symbol, declared)| names::lookup(self.db, file, symbol.name().into()) == Some(*declared));
            let needed = declarations.iter().filter(|other| *other != item).any(|other| {
                let own = |symbol: &Symbol| self.declaration(symbol, own_file) == Some(*item);
                dim_facts(self.db, *other).facts.iter().any(|fact| fact.symbols().iter().any(own))
            });
            all_seen && !needed
        })
    }

    /// The `dim` item that declares a symbol, if the name of the symbol refers to it in the file.
    fn declaration(&self, symbol: &Symbol, file: crate::db::SourceFile) -> Option<Item> {
        let item = names::lookup(self.db, file, symbol.name().into())?;
        let is_dim = item.interface(self.db).kind == crate::db::DeclarationKind::Dim;
        (is_dim && self.symbol(item, symbol.name()) == *symbol).then_some(item)
    }
}

/// The position where a `dim` item can be continued with a fact, and whether it has facts already.
fn end_of_facts(db: &dyn Db, item: Item) -> Option<(u32, bool)> {
    let parse = item.tree(db);
    match parse.item.as_ref().map(|parsed| &parsed.kind) {
        Some(ItemKind::Dim { names, facts }) if parse.errors.is_empty() => match facts.last() {
            Some(last) => Some((last.span.end, true)),
            None => Some((names.last()?.span.end, false)),
        },
        _ => None,
    }
}
