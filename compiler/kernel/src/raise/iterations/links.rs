//! Variables that move together: where `i` or `j` is moved on with `o` in each iteration, `o - i - j` stays what it is.
//!
//! The paths through the body are gone through, each with the distances by which it moves the variables. A link holds on all of
//! them. It is a relation of what the program computes, so it also holds where a variable wraps.

use std::collections::BTreeMap;

use super::super::raiser::Raiser;
use super::super::value::{Kind, ValueId};
use super::search::First;
use crate::typed::{BinaryOp, Local};
use dims::{CompareOp, Sym};
use elements::ElementType;
use maps::{Affine, Range, Term};

/// The most paths through a body that are told apart.
const MOST_PATHS: usize = 32;
/// The most values that are looked at on all paths.
const MOST_STEPS: u32 = 1024;
/// The most variables that are compared with each other.
const MOST_VARIABLES: usize = 8;

/// A variable as a sum of multiples of others and of what does not change.
#[derive(Clone, Debug)]
pub(super) struct Link(Vec<Part>);

/// A multiple of another variable.
#[derive(Clone, Debug)]
struct Part {
    local: Local,
    /// Its value before the loop.
    first: ValueId,
    factor: i64,
}

/// What is left of a path, where the choices so far are made.
#[derive(Clone)]
struct Path {
    choices: BTreeMap<ValueId, bool>,
    /// The values that are still to be taken apart, from the last variable to the first.
    open: Vec<ValueId>,
    /// How far the variables before them are moved; none where that is not known.
    moved: Vec<Option<i64>>,
    /// How far the last of the open values has been moved so far.
    by: i64,
}

impl Raiser {
    /// How the variables are linked that an iteration takes from `starts` to `ends`, for each of them.
    pub(super) fn links(&self, first: &[First], starts: &[ValueId], ends: &[Option<ValueId>]) -> Vec<Option<Link>> {
        let mut found = vec![None; first.len()];
        if !(2..=MOST_VARIABLES).contains(&first.len()) {
            return found;
        }
        let Some(paths) = self.paths(starts, ends) else { return found };
        let is_known =
            |place: usize| first[place].element == ElementType::I64 && paths.iter().all(|path| path[place].is_some());
        let places: Vec<usize> = (0..first.len()).filter(|place| is_known(*place)).collect();
        let moves = |place: usize| -> Vec<i64> { paths.iter().filter_map(|path| path[place]).collect() };
        // What others follow from follows from none.
        let (mut free, mut used) = (places.clone(), Vec::new());
        // What begins as a sum, or is declared last, is taken for what follows from the others.
        let rank = |place: &usize| (self.is_sum_of_values(first[*place].value), first[*place].local);
        let mut dependent = places;
        dependent.sort_by_key(|place| std::cmp::Reverse(rank(place)));
        for place in dependent {
            if used.contains(&place) {
                continue;
            }
            let others: Vec<usize> = free.iter().copied().filter(|other| *other != place).collect();
            if let Some(parts) = combination(&moves(place), &others, moves) {
                free.retain(|other| *other != place);
                used.extend(parts.iter().map(|(other, _)| *other));
                let part = |(other, factor): (usize, i64)| Part {
                    local: first[other].local,
                    first: first[other].value,
                    factor,
                };
                found[place] = Some(Link(parts.into_iter().map(part).collect()));
            }
        }
        found
    }

    fn is_sum_of_values(&self, value: ValueId) -> bool {
        matches!(self.kind(self.plainly(value)), Kind::Binary(BinaryOp::Add | BinaryOp::Subtract, ..))
    }

    /// How far each variable is moved on each path; none of a variable where that is not a number.
    fn paths(&self, starts: &[ValueId], ends: &[Option<ValueId>]) -> Option<Vec<Vec<Option<i64>>>> {
        let open: Vec<ValueId> = ends.iter().rev().copied().collect::<Option<_>>()?;
        let mut paths = vec![Path { choices: BTreeMap::new(), open, moved: Vec::new(), by: 0 }];
        let (mut found, mut steps) = (Vec::new(), MOST_STEPS);
        while let Some(mut path) = paths.pop() {
            steps = steps.checked_sub(1)?;
            let Some(value) = path.open.last().map(|value| self.plainly(*value)) else {
                found.push(path.moved);
                if found.len() + paths.len() > MOST_PATHS {
                    return None;
                }
                continue;
            };
            let start = starts[path.moved.len()];
            match self.moved_once(value) {
                _ if value == start => path.end(Some(path.by)),
                Once::By(inner, by) => match path.by.checked_add(by) {
                    Some(by) => path.go_on(inner, by),
                    None => path.end(None),
                },
                Once::Choice(condition, then, otherwise) => match path.choices.get(&condition) {
                    Some(taken) => path.go_on(if *taken { then } else { otherwise }, path.by),
                    None => {
                        let mut other = path.clone();
                        other.choices.insert(condition, false);
                        other.go_on(otherwise, path.by);
                        paths.push(other);
                        path.choices.insert(condition, true);
                        path.go_on(then, path.by);
                    }
                },
                Once::Unknown => path.end(None),
            }
            paths.push(path);
        }
        Some(found)
    }

    fn moved_once(&self, value: ValueId) -> Once {
        let number = |id| self.as_size(id)?.as_constant();
        match *self.kind(value) {
            Kind::Binary(BinaryOp::Add, left, right) => match (number(left), number(right)) {
                (_, Some(by)) => Once::By(left, by),
                (Some(by), None) => Once::By(right, by),
                _ => Once::Unknown,
            },
            Kind::Binary(BinaryOp::Subtract, left, right) => match number(right).and_then(i64::checked_neg) {
                Some(by) => Once::By(left, by),
                None => Once::Unknown,
            },
            Kind::Select(condition, then, otherwise) => Once::Choice(self.plainly(condition), then, otherwise),
            _ => Once::Unknown,
        }
    }

    /// The value of a linked variable where the others hold theirs. What is known of its range is assumed of it.
    pub(super) fn linked(&mut self, first: ValueId, Link(parts): &Link, known: &Range) -> Option<ValueId> {
        let mut rest = (*self.form(first).sum).clone();
        let mut sum = None;
        for Part { local, first, factor } in parts {
            let factor = Sym::constant(*factor);
            let own = self.form(*first).sum.checked_scale(&factor).ok()?;
            rest = rest.checked_sub(&own).ok()?;
            let value = self.current(*local)?;
            sum = Some(self.plus_multiple(sum, value, &factor));
        }
        for (term, factor) in &rest.terms {
            let value = self.value_of_term(Affine::term(*term), self.terms.term(*term).cloned()?)?;
            sum = Some(self.plus_multiple(sum, value, factor));
        }
        let mut sum = sum?;
        if !rest.constant.is_zero() {
            self.rely_on_fitting(std::slice::from_ref(&rest.constant));
            let constant = self.size(&rest.constant);
            sum = self.intern(Kind::Binary(BinaryOp::Add, sum, constant), ElementType::I64);
        }
        let own = self.range_here(sum);
        let ends = [(&known.low, CompareOp::Ge), (&known.high, CompareOp::Le)];
        for ((end, op), is_within) in ends.into_iter().zip(self.is_within(&own, known)) {
            if let Some(end) = end.as_ref().filter(|_| !is_within) {
                let end = self.size(end);
                self.assume_comparison(sum, op, end);
            }
        }
        Some(sum)
    }

    fn plus_multiple(&mut self, sum: Option<ValueId>, value: ValueId, factor: &Sym) -> ValueId {
        let multiple = match factor.as_constant() {
            Some(1) => value,
            _ => {
                let factor = self.size(factor);
                self.intern(Kind::Binary(BinaryOp::Multiply, value, factor), ElementType::I64)
            }
        };
        sum.map_or(multiple, |sum| self.intern(Kind::Binary(BinaryOp::Add, sum, multiple), ElementType::I64))
    }

    /// A value whose form is a term: that of a variable which holds it, where there is one.
    fn value_of_term(&mut self, form: Affine, term: Term) -> Option<ValueId> {
        let Term::Coordinate(_) = term else { return None };
        let value = self.terms.values_of(&form).next()?;
        let value = self.holder(value).and_then(|local| self.current(local)).unwrap_or(value);
        (self.element(value) == ElementType::I64 && *self.form(value).sum == form).then_some(value)
    }
}

/// What a value is made of by one operation.
enum Once {
    /// Another one, moved by a number.
    By(ValueId, i64),
    /// One of two, by a condition.
    Choice(ValueId, ValueId, ValueId),
    Unknown,
}

impl Path {
    fn go_on(&mut self, value: ValueId, by: i64) {
        self.open.pop();
        self.open.push(value);
        self.by = by;
    }

    /// Ends the way of a variable.
    fn end(&mut self, moved: Option<i64>) {
        self.open.pop();
        self.moved.push(moved);
        self.by = 0;
    }
}

/// The moves of a variable as a sum of multiples of those of one or two others, on all paths.
fn combination(moves: &[i64], others: &[usize], of: impl Fn(usize) -> Vec<i64>) -> Option<Vec<(usize, i64)>> {
    if moves.iter().all(|by| *by == 0) {
        return None;
    }
    let others: Vec<(usize, Vec<i64>)> =
        others.iter().map(|other| (*other, of(*other))).filter(|(_, moves)| moves.iter().any(|by| *by != 0)).collect();
    let rest = |moves: &[i64], taken: &[i64], factor: i64| -> Option<Vec<i64>> {
        moves.iter().zip(taken).map(|(by, taken)| by.checked_sub(taken.checked_mul(factor)?)).collect()
    };
    // The factor of the only variable that is moved on some path.
    let factor = |moves: &[i64], taken: &[i64], beside: Option<&[i64]>| {
        let is_alone = |path: &usize| taken[*path] != 0 && beside.is_none_or(|beside| beside[*path] == 0);
        let path = (0..moves.len()).find(is_alone)?;
        (moves[path].checked_rem(taken[path])? == 0).then(|| moves[path] / taken[path]).filter(|factor| *factor != 0)
    };
    let is_zero = |moves: &[i64]| moves.iter().all(|by| *by == 0);
    for (place, taken) in &others {
        if let Some(factor) = factor(moves, taken, None)
            && rest(moves, taken, factor).is_some_and(|rest| is_zero(&rest))
        {
            return Some(vec![(*place, factor)]);
        }
    }
    for (number, (place, taken)) in others.iter().enumerate() {
        for (other, beside) in &others[number + 1..] {
            let [Some(one), Some(two)] = [factor(moves, taken, Some(beside)), factor(moves, beside, Some(taken))]
            else {
                continue;
            };
            let rest = rest(moves, taken, one).and_then(|left| rest(&left, beside, two));
            if rest.is_some_and(|rest| is_zero(&rest)) {
                return Some(vec![(*place, one), (*other, two)]);
            }
        }
    }
    None
}
