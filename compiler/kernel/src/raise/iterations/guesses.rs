//! Ends of ranges to be tried: numbers and sizes of a loop's body, their neighbours, and where variables begin.

use std::collections::BTreeSet;

use super::search::Assumed;
use crate::typed::{Constant, ExprKind, Local, Statement};
use dims::{Atom, CompareOp, Facts, Sym};

/// The most numbers and sizes of a body that are taken.
const MOST_TAKEN: usize = 24;

/// Whether a size is made of symbols by sums and products. What a body reaches otherwise, as `N / 2 + 1`, moves on.
fn is_simple(size: &Sym) -> bool {
    size.terms().all(|(_, factors)| factors.iter().all(|(atom, _)| matches!(atom, Atom::Symbol(_))))
}

/// How often what a body reaches is tried as an end.
const MOST_REACHED: u32 = 2;

/// The sizes with which statements compare a variable.
fn sizes_compared_with(statements: &[Statement], local: Local) -> Vec<Sym> {
    let mut found = Vec::new();
    Statement::walk_expressions(statements, &mut |expr| {
        let ExprKind::Binary(op, left, right) = &expr.kind else { return };
        let size = match (&left.kind, &right.kind) {
            (ExprKind::Local(known), ExprKind::Size(size)) | (ExprKind::Size(size), ExprKind::Local(known))
                if *known == local =>
            {
                size
            }
            _ => return,
        };
        if op.comparison().is_some() && found.len() < MOST_TAKEN && !found.contains(size) {
            found.push(size.clone());
        }
    });
    found
}

/// The guesses for one loop.
pub(super) struct Guesses {
    /// In the order in which they are tried.
    ends: Vec<Sym>,
    /// How many of them are numbers.
    numbers: usize,
    /// The places of the sizes that the body compares each variable with.
    compared: Vec<Vec<usize>>,
    /// The places of those that have been tried for each variable, below and above.
    tried: Vec<[BTreeSet<usize>; 2]>,
    /// How often what was reached has been tried for each variable, below and above.
    reached: Vec<[u32; 2]>,
}

impl Guesses {
    pub(super) fn new(body: &[Statement], ends_of_loop: &[Sym], variables: &[Assumed]) -> Self {
        let first = variables.iter().map(|assumed| &assumed.range);
        let mut found: Vec<Sym> = Vec::new();
        let mut of_body: BTreeSet<Sym> = BTreeSet::new();
        Statement::walk_expressions(body, &mut |expr| {
            let size = match &expr.kind {
                ExprKind::Constant(Constant::Int(value)) => Sym::constant(*value),
                ExprKind::Size(size) => size.clone(),
                _ => return,
            };
            if of_body.len() < MOST_TAKEN {
                of_body.insert(size);
            }
        });
        found.extend(ends_of_loop.iter().cloned());
        for range in first.clone() {
            found.extend([&range.low, &range.high].into_iter().flatten().cloned());
        }
        let beside = |size: &Sym, by: i64| size.checked_add(&Sym::constant(by)).ok();
        let near: Vec<Sym> = found.iter().chain(&of_body).cloned().collect();
        found.extend(of_body);
        found.extend(near.iter().flat_map(|size| [-1, 1].map(|by| beside(size, by))).flatten());
        found.push(Sym::zero());
        // Numbers are compared with each other, and are tried first: the nearest ones are most often right.
        let (mut numbers, sizes): (Vec<Sym>, Vec<Sym>) =
            found.into_iter().partition(|size| size.as_constant().is_some());
        numbers.sort_by_key(|number| number.as_constant().map(i64::unsigned_abs));
        numbers.dedup();
        let numbers_taken = numbers.len();
        let mut ends = numbers;
        for size in sizes {
            if !ends.contains(&size) {
                ends.push(size);
            }
        }
        let place = |size: &Sym| ends.iter().position(|end| end == size);
        let compared = variables.iter().map(|assumed| {
            let sizes = sizes_compared_with(body, assumed.local);
            sizes.iter().filter_map(place).collect()
        });
        let (compared, count) = (compared.collect(), variables.len());
        Self {
            ends,
            numbers: numbers_taken,
            compared,
            tried: vec![[BTreeSet::new(), BTreeSet::new()]; count],
            reached: vec![[0; 2]; count],
        }
    }

    /// The next lower end for a variable of which the one before is not kept.
    pub(super) fn low(&mut self, facts: &Facts, variable: usize, assumed: &Assumed) -> Option<Sym> {
        self.next(facts, variable, 0, [&assumed.range.low, &assumed.reached.low])
    }

    /// The next upper end.
    pub(super) fn high(&mut self, facts: &Facts, variable: usize, assumed: &Assumed) -> Option<Sym> {
        self.next(facts, variable, 1, [&assumed.range.high, &assumed.reached.high])
    }

    fn next(&mut self, facts: &Facts, variable: usize, side: usize, ends: [&Option<Sym>; 2]) -> Option<Sym> {
        let [before, reached] = ends;
        let before = before.as_ref()?;
        let (wider, back) = if side == 0 { (CompareOp::Le, CompareOp::Gt) } else { (CompareOp::Ge, CompareOp::Lt) };
        // What depends on sizes is most often kept by one.
        let is_size = reached.as_ref().is_some_and(|reached| reached.as_constant().is_none());
        let (numbers, sizes) = (0..self.numbers, self.numbers..self.ends.len());
        let compared = self.compared.get(variable)?.iter().copied();
        let order: Vec<usize> =
            if is_size { compared.chain(sizes).chain(numbers).collect() } else { numbers.chain(sizes).collect() };
        // What the body reaches is kept by it where the end comes from elsewhere, as from the range of an iterator.
        let reaches = &mut self.reached.get_mut(variable)?[side];
        if let Some(guess) = reached.as_ref().filter(|guess| is_size && *guess != before && is_simple(guess))
            && *reaches < MOST_REACHED
            && facts.proves(guess, wider, before)
        {
            *reaches += 1;
            return Some(guess.clone());
        }
        let tried = &mut self.tried.get_mut(variable)?[side];
        for place in order {
            let Some(guess) = self.ends.get(place).filter(|_| !tried.contains(&place)) else { continue };
            let is_wider = guess != before && facts.proves(guess, wider, before);
            // What was reached shows that the guess is not kept either.
            let is_passed = reached.as_ref().is_some_and(|reached| facts.proves(guess, back, reached));
            tried.insert(place);
            if is_wider && !is_passed {
                return Some(guess.clone());
            }
        }
        None
    }
}
