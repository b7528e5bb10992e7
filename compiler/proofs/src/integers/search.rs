//! Case splits of a reduced system: first differences by their sign, then variables by halves of their range.

use super::{Linear, Steps, Stop, System, Variable};
use dims::Interval;

/// The most nested splits; 64 halvings leave one value of any index.
const MOST_DEPTH: u32 = 200;

/// Where an unbounded range is cut first.
const FIRST_CUT: i128 = 63;

/// A solution of a reduced system.
pub(super) fn solution(system: System, steps: &mut Steps<'_>) -> Result<Vec<i128>, Stop> {
    search(system, steps, 0)
}

fn search(mut system: System, steps: &mut Steps<'_>, depth: u32) -> Result<Vec<i128>, Stop> {
    system.reduce(steps)?;
    if depth > MOST_DEPTH {
        return Err(Stop::Open);
    }
    if let Some(difference) = system.not_zero.pop() {
        let below = difference.times(-1).and_then(|form| form.offset(-1)).ok_or(Stop::Open)?;
        let above = difference.offset(-1).ok_or(Stop::Open)?;
        return either(system, steps, depth, |system, first| {
            system.not_negative.push(if first { above.clone() } else { below.clone() });
        });
    }
    if !system.not_negative.is_empty() && system.has_empty_shadow(steps)? {
        return Err(Stop::Empty);
    }
    let Some(variable) = system.undecided() else { return system.completed().ok_or(Stop::Open) };
    let (low, high) = halves(system.range(variable));
    either(system, steps, depth, |system, first| {
        if let Some(range) = system.ranges.get_mut(variable as usize) {
            *range = if first { low } else { high };
        }
    })
}

/// A solution of one of two cases of a system.
fn either(
    system: System,
    steps: &mut Steps<'_>,
    depth: u32,
    restrict: impl Fn(&mut System, bool),
) -> Result<Vec<i128>, Stop> {
    let mut first = system.clone();
    restrict(&mut first, true);
    let found = search(first, steps, depth + 1);
    if found.is_ok() || steps.left() == 0 {
        return found;
    }
    let mut second = system;
    restrict(&mut second, false);
    match (found, search(second, steps, depth + 1)) {
        (_, Ok(solution)) => Ok(solution),
        (Err(Stop::Empty), Err(Stop::Empty)) => Err(Stop::Empty),
        _ => Err(Stop::Open),
    }
}

/// The two halves of a range, the one nearer to zero first.
fn halves(range: Interval) -> (Interval, Interval) {
    let cut =
        |at: i128| (Interval { lo: range.lo, hi: Some(at) }, Interval { lo: Some(at.saturating_add(1)), hi: range.hi });
    match (range.lo, range.hi) {
        (Some(lo), Some(hi)) => cut(lo.saturating_add(hi.saturating_sub(lo) / 2)),
        (Some(lo), None) => cut(lo.saturating_add(lo.saturating_abs().max(FIRST_CUT))),
        (None, Some(hi)) => {
            let (below, above) = cut(hi.saturating_sub(hi.saturating_abs().max(FIRST_CUT)));
            (above, below)
        }
        (None, None) => {
            let (below, above) = cut(-1);
            (above, below)
        }
    }
}

impl System {
    /// The variable to split next: the one with the fewest values in the remaining conditions.
    fn undecided(&self) -> Option<Variable> {
        let forms = self.not_negative.iter().chain(self.xors.iter().flatten());
        let open = |variable: &Variable| {
            let range = self.range(*variable);
            range.lo.is_none() || range.lo != range.hi
        };
        let width = |variable: &Variable| match self.range(*variable) {
            Interval { lo: Some(lo), hi: Some(hi) } => hi.saturating_sub(lo),
            Interval { lo: None, hi: None } => i128::MAX,
            _ => i128::MAX - 1,
        };
        forms.flat_map(|form: &Linear| form.terms.iter().map(|(variable, _)| *variable)).filter(open).min_by_key(width)
    }

    /// The values of all variables once only ranges remain: any value in each range will do.
    fn completed(&self) -> Option<Vec<i128>> {
        let any = |range: &Interval| match (range.lo, range.hi) {
            (Some(lo), _) if lo > 0 => lo,
            (_, Some(hi)) if hi < 0 => hi,
            _ => 0,
        };
        let mut values: Vec<i128> = self.ranges.iter().map(any).collect();
        for (variable, form) in self.eliminated.iter().rev() {
            let value = form.value(|variable| values.get(variable as usize).copied())?;
            *values.get_mut(*variable as usize)? = value;
        }
        Some(values)
    }
}
