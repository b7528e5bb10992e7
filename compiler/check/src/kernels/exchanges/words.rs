//! The words by which threads exchange values, and what each of them is.

use kernel::typed::{BinaryOp, Combination, Lane, MathFunction, VOTES};
use syntax::tree::Argument;

/// The functions by which threads exchange values. `min` and `max` are such functions too where they have `over:`.
pub const EXCHANGES: [&str; 11] =
    ["shuffle", "shuffle_up", "shuffle_down", "shuffle_xor", VOTES, "sum", "prod", "any", "all", "cumsum", "cumprod"];

/// The argument that names the threads.
pub const OVER: &str = "over";

/// What threads do with their values.
#[derive(Clone, Copy)]
pub(in super::super) enum Exchange {
    /// Each takes that of another lane.
    Shuffle(Lane),
    /// Each learns which lanes have a true one.
    Ballot,
    /// All of a collective become one.
    Reduction(Reduction),
}

/// What a call of a function is, if threads exchange values by it.
pub(in super::super) fn exchange(name: &str, args: &[Argument]) -> Option<Exchange> {
    let has_over = || args.iter().any(|argument| argument.name.as_ref().is_some_and(|name| name.text == OVER));
    let reduction = |join, is_scan| Some(Exchange::Reduction(Reduction { join, is_scan }));
    let [sum, product] = [BinaryOp::Add, BinaryOp::Multiply].map(Combination::Operator);
    let [least, greatest] = [MathFunction::Min, MathFunction::Max].map(Combination::Function);
    match name {
        VOTES => Some(Exchange::Ballot),
        "sum" => reduction(sum, false),
        "prod" => reduction(product, false),
        "min" if has_over() => reduction(least, false),
        "max" if has_over() => reduction(greatest, false),
        "any" => reduction(Combination::Operator(BinaryOp::Or), false),
        "all" => reduction(Combination::Operator(BinaryOp::And), false),
        "cumsum" => reduction(sum, true),
        "cumprod" => reduction(product, true),
        _ => Lane::ALL.into_iter().find(|lane| lane.name() == name).map(Exchange::Shuffle),
    }
}

/// The function of lanes that CUDA calls so, with a mask before its arguments.
pub(in super::super) fn of_lanes_elsewhere(name: &str) -> Option<&'static str> {
    Some(match name {
        "__shfl_sync" => Lane::At.name(),
        "__shfl_up_sync" => Lane::Up.name(),
        "__shfl_down_sync" => Lane::Down.name(),
        "__shfl_xor_sync" => Lane::Xor.name(),
        "__ballot_sync" => VOTES,
        _ => return None,
    })
}

/// How values of threads become one.
#[derive(Clone, Copy)]
pub(in super::super) struct Reduction {
    pub(super) join: Combination,
    /// Whether each thread has its own with those before it.
    pub(super) is_scan: bool,
}

impl Reduction {
    /// Whether it is one of truth values.
    pub(super) fn of_truths(self) -> bool {
        matches!(self.join, Combination::Operator(BinaryOp::And | BinaryOp::Or))
    }
}
