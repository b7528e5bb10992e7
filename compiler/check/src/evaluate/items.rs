//! The queries that evaluate whole items.

use std::sync::Arc;

use super::compare::comparison;
use super::evaluator::{Evaluator, Outcome};
use crate::db::{Db, Item, SourceFile};
use crate::diagnostics::{self, Diagnostic, ItemOf, Quantity, Wanted};
use crate::effort;
use crate::values::Value;
use dims::{Fact, Facts};
use syntax::span::Span;
use syntax::tree::{BinaryOp, DefinitionWord, Expr, ExprKind, ItemKind, Link, Name};

/// The result of evaluating an item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluated {
    /// The value; `None` if there is an error.
    pub value: Option<Value>,
    /// The facts about symbols in the value.
    pub facts: Facts,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
}

/// Evaluates a shape, constant, map, assertion, `show` or expression item.
#[salsa::tracked(lru = 8192, cycle_result = cyclic)]
pub fn value(db: &dyn Db, item: Item) -> Arc<Evaluated> {
    let mut evaluator = Evaluator::new(db, item);
    let tree = item.tree(db);
    let evaluate = || evaluator.item_value(&tree.item.as_ref()?.kind);
    let (value, cut_short) = effort::of_item(db, item, evaluate);
    evaluator.diagnostics.extend(cut_short);
    Arc::new(Evaluated { value, facts: evaluator.facts, diagnostics: evaluator.diagnostics })
}

fn cyclic(db: &dyn Db, _id: salsa::Id, item: Item) -> Arc<Evaluated> {
    let parsed = &item.tree(db).item;
    let name = parsed.as_ref().and_then(|parsed| crate::db::declared(&parsed.kind).first());
    let diagnostics = name.map(diagnostics::cycle).into_iter().collect();
    Arc::new(Evaluated { diagnostics, ..Evaluated::default() })
}

/// Evaluates the facts that a `dim` item states.
#[salsa::tracked(cycle_result = cyclic_facts)]
pub fn dim_facts(db: &dyn Db, item: Item) -> Arc<Evaluated> {
    let mut evaluator = Evaluator::new(db, item);
    if let Some(parsed) = &item.tree(db).item
        && let ItemKind::Dim { names, facts } = &parsed.kind
    {
        evaluator.own_symbols = names.iter().map(|name| name.text.clone()).collect();
        let ((), cut_short) = effort::of_item(db, item, || facts.iter().for_each(|fact| evaluator.fact(fact)));
        evaluator.diagnostics.extend(cut_short);
    }
    Arc::new(Evaluated { value: None, facts: evaluator.facts, diagnostics: evaluator.diagnostics })
}

/// Cyclic facts are evaluated one at a time, each without the others of the cycle.
fn cyclic_facts(_db: &dyn Db, _id: salsa::Id, _item: Item) -> Arc<Evaluated> {
    Arc::new(Evaluated::default())
}

/// Evaluates an expression in a file's scope, for `shapewright eval`. The expression is an item of its own file, which
/// uses the other one.
pub fn evaluate_in_file(db: &dyn Db, file: SourceFile) -> Option<Arc<Evaluated>> {
    let item = file
        .items(db)
        .iter()
        .rev()
        .find(|item| item.tree(db).item.as_ref().is_some_and(|parsed| matches!(parsed.kind, ItemKind::Expr(_))))?;
    Some(value(db, *item).clone())
}

impl Evaluator<'_> {
    pub(crate) fn item_value(&mut self, kind: &ItemKind) -> Outcome {
        match kind {
            ItemKind::Shape { name, rank, value } => self.shape_item(name, rank.as_ref(), value),
            ItemKind::Const { name, value } => self.constant_value(name, value),
            ItemKind::Map { name, value } => self.map_value(name, value),
            ItemKind::Assert { value } => self.assertion(value),
            ItemKind::Show { value } | ItemKind::Expr(value) => {
                let shown = self.expr(value)?;
                self.diagnostics.push(diagnostics::shown(value.span, &shown));
                self.hint_conflicts();
                Some(shown)
            }
            ItemKind::Unit { name, value } => {
                let unit = self.unit_value(value)?;
                Some(Value::Unit(Arc::new((*unit).clone().named(name.text.clone()))))
            }
            ItemKind::Tiling { value, .. } => match self.expr(value)? {
                Value::Tiling(tiling) => Some(Value::Tiling(tiling)),
                other => self.report(diagnostics::wrong_type(value.span, Wanted::Tiling, &other)),
            },
            ItemKind::Function(function) => Some(self.declared_function(function)),
            ItemKind::Use { .. } | ItemKind::Dim { .. } | ItemKind::Kernel(_) | ItemKind::Run(_) => None,
        }
    }

    /// The value of `const NAME = E`.
    pub(crate) fn constant_value(&mut self, name: &Name, value: &Expr) -> Outcome {
        self.fresh_prefix = name.text.clone();
        match self.expr(value)? {
            Value::Map(_) => self.report(diagnostics::wrong_kind(value.span, &name.text, ItemOf::Map)),
            Value::Unit(_) => self.report(diagnostics::wrong_kind(value.span, &name.text, ItemOf::Unit)),
            Value::Tiling(_) => self.report(diagnostics::wrong_kind(value.span, &name.text, ItemOf::Tiling)),
            Value::Nothing => self.report(diagnostics::wrong_type(value.span, Wanted::Constant, &Value::Nothing)),
            constant => Some(constant),
        }
    }

    /// The value of a definition in a body.
    pub(crate) fn defined_value(&mut self, word: DefinitionWord, name: &Name, value: &Expr) -> Outcome {
        match word {
            DefinitionWord::Const => self.constant_value(name, value),
            DefinitionWord::Map => self.map_value(name, value),
        }
    }

    /// The value of `map NAME = E`.
    pub(crate) fn map_value(&mut self, name: &Name, value: &Expr) -> Outcome {
        self.fresh_prefix = name.text.clone();
        match self.expr(value)? {
            Value::Map(map) => Some(Value::Map(map)),
            other => self.report(diagnostics::wrong_type(value.span, Wanted::Map, &other)),
        }
    }

    fn shape_item(&mut self, name: &Name, rank: Option<&Expr>, value: &Expr) -> Outcome {
        self.fresh_prefix = name.text.clone();
        let rank = rank.map(|rank| (rank.span, self.constant(rank, Quantity::MdspanRank)));
        let shape = self.shape(value)?;
        if let Some((span, Some(declared))) = rank
            && usize::try_from(declared) != Ok(shape.rank())
        {
            return self.report(diagnostics::rank_mismatch(span, declared, value.span, &shape));
        }
        Some(Value::Shape(shape))
    }

    /// Decides a claim.
    pub(crate) fn assertion(&mut self, value: &Expr) -> Outcome {
        match self.expr(value)? {
            Value::Bool(true) => Some(Value::Bool(true)),
            Value::Bool(false) => {
                let detail = self.why_not(value);
                let remedy = self.wider_if().and_then(|_| self.remedy_of(value));
                let failed = diagnostics::assertion_failed(value.span, &detail, remedy);
                let failed = self.with_costs(failed);
                self.report(failed)
            }
            Value::Truth(truth) => match truth.decided() {
                Some(true) => Some(Value::Truth(truth)),
                Some(false) => {
                    let remedy = self.remedy_of(value);
                    self.report(diagnostics::assertion_refuted(value.span, &truth, remedy))
                }
                None => {
                    let remedy = self.remedy_of(value);
                    self.diagnostics.push(diagnostics::assertion_open(value.span, &truth, remedy));
                    Some(Value::Truth(truth))
                }
            },
            other => self.report(diagnostics::wrong_type(value.span, Wanted::Truth, &other)),
        }
    }

    /// The two sides of a comparison that fails, and their first different element.
    fn why_not(&mut self, value: &Expr) -> Option<diagnostics::Sides> {
        let ExprKind::Chain { first, rest } = &value.kind else { return None };
        let [Link { op, operand, .. }] = rest.as_slice() else { return None };
        comparison(*op)?;
        let silent = std::mem::take(&mut self.diagnostics);
        let (left, right) = (self.expr(first), self.expr(operand));
        self.diagnostics = silent;
        Some(diagnostics::Sides { op: op.text(), left: left?, right: right? })
    }

    /// Evaluates one fact after `where`.
    pub(crate) fn fact(&mut self, fact: &Expr) {
        match &fact.kind {
            ExprKind::Paren(inner) => self.fact(inner),
            ExprKind::Chain { first, rest } if rest.iter().all(|link| link.op == BinaryOp::And) => {
                self.fact(first);
                for link in rest {
                    self.fact(&link.operand);
                }
            }
            ExprKind::Chain { first, rest } => match rest.as_slice() {
                [link] if comparison(link.op).is_some() => self.comparison_fact(fact.span, first, link),
                _ => self.diagnostics.push(diagnostics::not_a_fact(fact.span)),
            },
            ExprKind::Error => {}
            _ => self.diagnostics.push(diagnostics::not_a_fact(fact.span)),
        }
    }

    fn comparison_fact(&mut self, span: Span, left: &Expr, link: &Link) {
        let Some(op) = comparison(link.op) else { return };
        let sides = (self.int(left), self.int(&link.operand));
        let (Some(first), Some(second)) = sides else { return };
        if let Err(found) = self.facts.assume(Fact::compare(first, op, second)) {
            // What is known already may have made numbers of both sides, so that nothing says which facts they contradict.
            let known = std::mem::take(&mut self.facts);
            let silent = std::mem::take(&mut self.diagnostics);
            let sides = (self.int(left), self.int(&link.operand));
            (self.facts, self.diagnostics) = (known, silent);
            let written = sides.0.zip(sides.1).map(|(left, right)| Fact::compare(left, op, right));
            let found = written.and_then(|fact| self.facts.assume(fact).err()).unwrap_or(found);
            self.diagnostics.push(diagnostics::contradiction(span, &found));
        }
    }

    /// Adds the facts about another value's symbols.
    pub(crate) fn learn(&mut self, facts: &Facts, span: Span) {
        if self.facts.is_empty() {
            self.facts.clone_from(facts);
            return;
        }
        // Each use of a symbol adds its facts, and nearly always they are known already.
        if facts.iter().all(|fact| self.facts.iter().any(|known| known == fact)) {
            return;
        }
        match self.facts.union(facts) {
            Ok(facts) => self.facts = facts,
            Err(contradiction) => {
                self.diagnostics.push(diagnostics::contradiction(span, &contradiction));
            }
        }
    }
}
