//! What questions cost, and what is left open once the effort is spent.

use super::expression::Expression;
use super::proofs::{comparison, facts};
use crate::effort::{part, spend, within};
use crate::{Fact, Facts};

/// Whether a comparison is proven.
fn proves(facts: &Facts, goal: &str) -> bool {
    let Fact { left, op, right } = comparison(goal, facts);
    facts.proves(&left, op, &right)
}

/// What it costs to prove this.
fn cost(facts: &Facts, goal: &str) -> u64 {
    const ENOUGH: u64 = 1 << 20;
    let mut least = (0, ENOUGH);
    while least.0 < least.1 {
        let middle = least.0.midpoint(least.1);
        if within(middle, || proves(facts, goal)).result { least.1 = middle } else { least.0 = middle + 1 }
    }
    least.0
}

const STATED: [&str; 3] = ["N >= 2", "M >= N", "K <= N"];
const GOAL: &str = "M * N >= 2 * K";

#[test]
fn a_question_is_open_once_the_effort_is_spent() {
    let facts = facts(&STATED);
    let least = cost(&facts, GOAL);
    assert!(least > 10, "the question costs only {least}");
    let enough = within(least, || proves(&facts, GOAL));
    assert_eq!((enough.result, enough.cut_short), (true, false));
    let short = within(least - 1, || proves(&facts, GOAL));
    assert_eq!((short.result, short.cut_short), (false, true));
}

/// Otherwise a verdict would depend on what was asked before.
#[test]
fn a_known_answer_costs_as_much_as_a_new_one() {
    let known = facts(&STATED);
    assert!(proves(&known, GOAL));
    let least = cost(&known, GOAL);
    let [fresh, short] = [facts(&STATED), facts(&STATED)];
    assert!(within(least, || proves(&fresh, GOAL)).result);
    assert!(!within(least - 1, || proves(&short, GOAL)).result);
}

/// An answer that was cut short says nothing to whoever has more effort.
#[test]
fn an_answer_that_was_cut_short_is_not_kept() {
    let facts = facts(&STATED);
    assert!(!within(3, || proves(&facts, GOAL)).result);
    assert!(proves(&facts, GOAL));
}

#[test]
fn a_computation_within_another_one_is_not_charged_to_it() {
    let facts = facts(&STATED);
    let outer = within(100, || within(1 << 20, || proves(&facts, GOAL)).result && spend(100));
    assert_eq!((outer.result, outer.cut_short), (true, false));
    // Also where it ends by a panic, as a cancelled one does.
    let outer = within(100, || {
        let caught =
            std::panic::catch_unwind(|| within(1, || -> () { std::panic::resume_unwind(Box::new(())) }).result);
        caught.is_err() && spend(100)
    });
    assert_eq!((outer.result, outer.cut_short), (true, false));
}

#[test]
fn a_part_is_charged_to_the_whole() {
    let whole = within(100, || (part(30, || spend(20)).result, spend(80), spend(1)));
    assert_eq!((whole.result, whole.cut_short), ((true, true, false), true));
    // What a part lacks, the whole may still have.
    let whole = within(100, || (part(30, || spend(40)).cut_short, spend(70), spend(1)));
    assert_eq!(whole.result, (true, true, false));
    // A part has no more than the whole has left.
    let whole =
        within(100, || (part(300, || spend(101)).cut_short, Expression::read("N").symbolic(&Facts::empty()).is_ok()));
    assert_eq!((whole.result, whole.cut_short), ((true, true), true));
}
