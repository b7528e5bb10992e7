//! Property tests: every operation and every verdict against plain evaluation.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::Config;

use super::expression::Expression::{self, Binary, Name, Negative, Number};
use super::expression::symbol;
use crate::{CompareOp, Fact, Facts, Proof, Sym, Symbol};

const NAMES: [&str; 3] = ["i", "M", "N"];
const OPS: [&str; 10] = ["+", "+", "-", "*", "*", "/", "%", "cdiv", "min", "max"];
const COMPARISONS: [CompareOp; 6] =
    [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];

/// Many cases are rejected, because they say nothing.
fn config(cases: u32) -> Config {
    Config { max_global_rejects: 1 << 20, ..seeds::config(cases) }
}

fn number() -> impl Strategy<Value = i64> {
    prop_oneof![8 => -9i64..=9, 2 => prop::sample::select(vec![12, 16, 24, 63, 64, 65])]
}

/// Numbers at which plain 64-bit and 128-bit arithmetic goes wrong.
fn extreme_number() -> impl Strategy<Value = i64> {
    let near = prop::sample::select(vec![0, 1, 1 << 31, 1 << 32, 1 << 62, i64::MAX, i64::MIN]);
    (near, -2i64..=2).prop_map(|(number, offset)| number.saturating_add(offset))
}

fn expression(depth: u32) -> impl Strategy<Value = Expression> {
    expression_of(number().boxed(), depth)
}

fn expression_of(number: BoxedStrategy<i64>, depth: u32) -> impl Strategy<Value = Expression> {
    let leaf = prop_oneof![
        2 => number.prop_map(Number),
        3 => prop::sample::select(&NAMES[..]).prop_map(|name| Name(name.to_owned())),
    ];
    leaf.prop_recursive(depth, 24, 2, |inner| {
        prop_oneof![
            9 => (prop::sample::select(&OPS[..]), inner.clone(), inner.clone())
                .prop_map(|(op, left, right)| Binary(op, Box::new(left), Box::new(right))),
            1 => inner.prop_map(|inner| Negative(Box::new(inner))),
        ]
    })
}

/// The facts that occur in programs, and some that do not.
fn stated() -> impl Strategy<Value = (Expression, CompareOp, Expression)> {
    let name = || prop::sample::select(&NAMES[..]).prop_map(|name| Name(name.to_owned()));
    let divisor = (2i64..=6).prop_map(Number);
    let remainder = (name(), divisor).prop_map(|(name, by)| Binary("%", Box::new(name), Box::new(by)));
    let symbolic = (name(), name()).prop_map(|(left, right)| Binary("%", Box::new(left), Box::new(right)));
    let comparison = || prop::sample::select(&COMPARISONS[..]);
    prop_oneof![
        3 => (remainder, prop_oneof![3 => Just(0i64), 1 => 0i64..3]).prop_map(|(left, right)| (left, CompareOp::Eq, Number(right))),
        1 => symbolic.prop_map(|left| (left, CompareOp::Eq, Number(0))),
        3 => (name(), comparison(), 0i64..12).prop_map(|(left, op, right)| (left, op, Number(right))),
        2 => (expression(1), comparison(), expression(1)),
        1 => (expression(2), comparison(), expression(2)),
    ]
}

/// Facts together with how they were written, leaving out what contradicts the rest.
#[derive(Debug)]
struct Written {
    facts: Facts,
    texts: Vec<(Expression, CompareOp, Expression)>,
}

fn written(most: usize) -> impl Strategy<Value = Written> {
    prop::collection::vec(stated(), 0..=most).prop_map(|candidates| {
        let mut written = Written { facts: Facts::empty(), texts: Vec::new() };
        for (left, op, right) in candidates {
            // Stated with or without knowledge of the earlier facts: both happen.
            let empty = Facts::empty();
            let known = if written.texts.len().is_multiple_of(2) { &empty } else { &written.facts };
            let (Ok(left_sym), Ok(right_sym)) = (left.symbolic(known), right.symbolic(known)) else { continue };
            let fact = Fact::compare(left_sym, op, right_sym);
            match written.facts.assume(fact) {
                Ok(()) => written.texts.push((left, op, right)),
                Err(contradiction) => {
                    let assignments = written.assignments();
                    let possible = assignments.iter().find(|values| {
                        let value = |side: &Expression| side.value(&lookup(values));
                        matches!((value(&left), value(&right)), (Some(l), Some(r)) if op.holds(l, r))
                    });
                    assert!(possible.is_none(), "{contradiction}, but {possible:?} satisfies it");
                }
            }
        }
        written
    })
}

type Values = [i64; NAMES.len()];

fn lookup(values: &Values) -> impl Fn(&str) -> i64 {
    let values = *values;
    move |name| values[NAMES.iter().position(|known| *known == name).unwrap()]
}

fn lookup_symbol(values: &Values) -> impl Fn(&Symbol) -> Option<i64> {
    let of = lookup(values);
    move |symbol| Some(of(symbol.name()))
}

impl Written {
    fn allows(&self, values: &Values) -> bool {
        self.texts.iter().all(|(left, op, right)| {
            let of = lookup(values);
            matches!((left.value(&of), right.value(&of)), (Some(l), Some(r)) if op.holds(l, r))
        })
    }

    /// All small assignments that satisfy the facts, and a few larger ones.
    fn assignments(&self) -> Vec<Values> {
        let mut all = Vec::new();
        for first in 0..=5 {
            for second in 1..=6 {
                all.extend((1..=6).map(|third| [first, second, third]));
            }
        }
        let larger = [1, 2, 3, 7, 8, 9, 12, 15, 16, 60, 64, 65, 127, 360];
        let mut state = 1usize;
        all.extend((0..160).map(|_| {
            NAMES.map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                larger[(state >> 33) % larger.len()]
            })
        }));
        all.retain(|values| self.allows(values));
        all
    }
}

/// Compares a canonical form, its text and its interval with the expression it was made from.
fn agree(expression: &Expression, form: &Sym, written: &Written) {
    let text = form.to_string();
    let read_back = Expression::read(&text);
    let range = written.facts.range(form);
    let class = written.facts.congruence(form);
    for values in written.assignments() {
        // Where the expression divides by zero, the canonical form may have any value.
        let Some(expected) = expression.value(&lookup(&values)) else {
            continue;
        };
        let found = form.evaluate_wide(&lookup_symbol(&values));
        assert_eq!(found, Ok(expected), "{expression:?} as {text} at {values:?} under {written:?}");
        assert_eq!(
            read_back.value(&lookup(&values)),
            Some(expected),
            "{text} read back at {values:?} under {written:?}"
        );
        assert!(
            range.lo.is_none_or(|lo| lo <= expected) && range.hi.is_none_or(|hi| hi >= expected),
            "{text} {range:?}"
        );
        let residue = if class.modulus == 0 { expected } else { expected.rem_euclid(class.modulus) };
        assert_eq!(residue, class.residue, "{text} {class:?} at {values:?}");
    }
}

/// The assignments that satisfy the facts and give the symbols of a counterexample its values. A canonical form may
/// mention fewer symbols than the expression; the others may have any value the facts allow.
fn extensions(assignment: &BTreeMap<Symbol, i64>, written: &Written) -> Vec<Values> {
    let mut free = vec![[1; NAMES.len()]];
    for (index, name) in NAMES.iter().enumerate() {
        let given = assignment.get(&symbol(name)).copied();
        let values = given.map_or_else(|| (symbol(name).least()..=8).collect(), |value| vec![value]);
        let extended = free.iter().flat_map(|partial| {
            values.iter().map(|value| {
                let mut values = *partial;
                values[index] = *value;
                values
            })
        });
        free = extended.collect();
    }
    free.retain(|values| written.allows(values));
    free
}

/// Compares a verdict with every assignment that satisfies the facts.
fn verdict_is_right(left: &Expression, op: CompareOp, right: &Expression, written: &Written) {
    let facts = &written.facts;
    let (Ok(left_sym), Ok(right_sym)) = (left.symbolic(facts), right.symbolic(facts)) else {
        return;
    };
    let holds = |values: &Values| {
        let of = lookup(values);
        Some(op.holds(left.value(&of)?, right.value(&of)?))
    };
    match facts.prove(&left_sym, op, &right_sym) {
        Proof::Proven => {
            let counterexample = written.assignments().into_iter().find(|values| holds(values) == Some(false));
            assert_eq!(counterexample, None, "{left_sym} {op} {right_sym} is not so under {written:?}");
        }
        Proof::Refuted { assignment } => {
            let fact = Fact::compare(left_sym, op, right_sym);
            assert_eq!(fact.holds(&assignment), Some(false));
            assert_eq!(facts.check(&assignment), Ok(()));
            for values in extensions(&assignment, written) {
                assert_ne!(holds(&values), Some(true), "{fact} holds at {values:?}");
            }
        }
        Proof::Open => {}
    }
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn canonical_forms_keep_the_value(expression in expression(5), written in written(0)) {
        if let Ok(form) = expression.symbolic(&written.facts) {
            agree(&expression, &form, &written);
        }
    }

    #[test]
    fn canonical_forms_under_facts_keep_the_value(expression in expression(4), written in written(4)) {
        if let Ok(form) = expression.symbolic(&written.facts) {
            agree(&expression, &form, &written);
            if let Ok(again) = form.simplify(&written.facts) {
                agree(&expression, &again, &written);
            }
        }
        if let Ok(plain) = expression.symbolic(&Facts::empty())
            && let Ok(simplified) = plain.simplify(&written.facts)
        {
            agree(&expression, &simplified, &written);
        }
    }

    #[test]
    fn extreme_numbers_are_errors_or_right(
        expression in expression_of(extreme_number().boxed(), 4),
        other in expression_of(extreme_number().boxed(), 2),
        op in prop::sample::select(&COMPARISONS[..]),
    ) {
        let empty = Facts::empty();
        if let (Ok(form), Ok(other_form)) = (expression.symbolic(&empty), other.symbolic(&empty)) {
            for values in [[0, 1, 1], [1, 2, 3], [7, 5, 64]] {
                if let (Some(expected), Ok(found)) =
                    (expression.value(&lookup(&values)), form.evaluate_wide(&lookup_symbol(&values)))
                {
                    prop_assert_eq!(expected, found);
                }
            }
            let mut facts = Facts::empty();
            let consistent = facts.assume(Fact::compare(form.clone(), op, other_form.clone())).is_ok();
            if consistent && let Proof::Refuted { assignment } = facts.prove(&form, op, &other_form) {
                panic!("{form} {op} {other_form} is assumed, yet refuted by {assignment:?}");
            }
            verdict_is_right(&expression, op, &other, &Written { facts: Facts::empty(), texts: Vec::new() });
        }
    }

    #[test]
    fn verdicts_are_right(left in expression(3), op in prop::sample::select(&COMPARISONS[..]), right in expression(3), written in written(0)) {
        verdict_is_right(&left, op, &right, &written);
    }

    #[test]
    fn verdicts_under_facts_are_right(left in expression(3), op in prop::sample::select(&COMPARISONS[..]), right in expression(2), written in written(4)) {
        verdict_is_right(&left, op, &right, &written);
    }

    #[test]
    fn verdicts_on_equal_values_are_right(left in expression(3), slack in -1i64..=1, op in prop::sample::select(&COMPARISONS[..]), written in written(3)) {
        // Sides that differ by little are where a wrong step would show.
        let right = Binary("+", Box::new(left.clone()), Box::new(Number(slack)));
        if let Ok(form) = left.symbolic(&Facts::empty()) {
            let text = form.to_string();
            verdict_is_right(&Expression::read(&text), op, &right, &written);
        }
    }

    #[test]
    fn divisibility_is_right(value in expression(3), by in expression(1), written in written(4)) {
        let facts = &written.facts;
        if let (Ok(value_sym), Ok(by_sym)) = (value.symbolic(facts), by.symbolic(facts)) {
            let remainder = Binary("%", Box::new(value), Box::new(by));
            match facts.divisible(&value_sym, &by_sym) {
                Proof::Proven => {
                    let wrong = |values: &Values| remainder.value(&lookup(values)).is_some_and(|rest| rest != 0);
                    let counterexample = written.assignments().into_iter().find(wrong);
                    prop_assert_eq!(counterexample, None, "{} by {} under {:?}", value_sym, by_sym, written);
                }
                Proof::Refuted { assignment } => {
                    prop_assert_eq!(facts.check(&assignment), Ok(()));
                    for values in extensions(&assignment, &written) {
                        prop_assert_ne!(remainder.value(&lookup(&values)), Some(0));
                    }
                }
                Proof::Open => {}
            }
        }
    }

    #[test]
    fn substitution_keeps_the_value(outer in expression(3), inner in expression(2), written in written(2)) {
        // A coordinate is at least 0, so only such replacements are compared.
        let replacement = Binary("max", Box::new(inner), Box::new(Number(0)));
        let empty = Facts::empty();
        if let (Ok(outer_sym), Ok(inner_sym)) = (outer.symbolic(&empty), replacement.symbolic(&empty)) {
            let replacements = BTreeMap::from([(symbol("i"), inner_sym)]);
            if let Ok(replaced) = outer_sym.substitute(&replacements, &written.facts) {
                for values in written.assignments() {
                    let Some(a) = replacement.value(&lookup(&values)).and_then(|a| i64::try_from(a).ok()) else { continue };
                    let Some(expected) = outer.value(&lookup(&[a, values[1], values[2]])) else { continue };
                    prop_assert_eq!(replaced.evaluate_wide(&lookup_symbol(&values)), Ok(expected));
                }
            }
        }
    }
}
