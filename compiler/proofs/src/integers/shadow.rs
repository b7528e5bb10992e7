//! The real shadow of inequalities: variables are eliminated by adding their lower and upper bounds pairwise (Fourier
//! and Motzkin). If it is empty, there is no solution.

use num_integer::Integer;
use rustc_hash::FxHashMap;

use super::{Linear, Steps, Stop, System, Variable};
use dims::Interval;

/// More inequalities are not combined.
const MOST_INEQUALITIES: usize = 160;

impl System {
    /// Whether the inequalities have no rational solution, with common divisors used to tighten them.
    pub(super) fn has_empty_shadow(&self, steps: &mut Steps<'_>) -> Result<bool, Stop> {
        let mut shadow = Shadow::of(self);
        while shadow.rows.len() <= MOST_INEQUALITIES {
            let Some((column, sums)) = shadow.cheapest() else { break };
            steps.spend(shadow.rows.len() + sums)?;
            if shadow.eliminate(column) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// `constant + Σ factor · variable ≥ 0`, with a factor for each column.
struct Row {
    constant: i128,
    factors: Vec<i64>,
}

/// Inequalities over the variables that are not eliminated.
struct Shadow {
    /// The range of the variable of each column.
    ranges: Vec<Interval>,
    /// The columns of the variables that are left.
    columns: Vec<usize>,
    rows: Vec<Row>,
}

impl Shadow {
    /// The inequalities of a system, and the ends of the ranges. What does not fit the numbers here is left out.
    fn of(system: &System) -> Shadow {
        let forms = &system.not_negative;
        let mut variables: Vec<Variable> =
            forms.iter().flat_map(|form| form.terms.iter().map(|(variable, _)| *variable)).collect();
        variables.sort_unstable();
        variables.dedup();
        let ranges: Vec<Interval> = variables.iter().map(|variable| system.range(*variable)).collect();
        let mut rows: Vec<Row> = forms.iter().filter_map(|form| row(form, &variables)).collect();
        for (column, range) in ranges.iter().enumerate() {
            let end = |constant: i128, factor: i64| {
                let mut factors = vec![0; variables.len()];
                *factors.get_mut(column)? = factor;
                Some(Row { constant, factors })
            };
            rows.extend(range.lo.and_then(|lo| end(lo.checked_neg()?, 1)));
            rows.extend(range.hi.and_then(|hi| end(hi, -1)));
        }
        Shadow { columns: (0..ranges.len()).collect(), ranges, rows }
    }

    /// The column whose elimination adds the fewest sums, and how many.
    fn cheapest(&self) -> Option<(usize, usize)> {
        let sums = |column: usize| {
            let [mut below, mut above] = [0, 0];
            for row in &self.rows {
                match row.factors.get(column) {
                    Some(1..) => below += 1,
                    Some(..=-1) => above += 1,
                    _ => {}
                }
            }
            below * above
        };
        self.columns.iter().map(|column| (*column, sums(*column))).min_by_key(|(_, sums)| *sums)
    }

    /// Eliminates a variable. Returns whether that shows that there is no solution.
    fn eliminate(&mut self, column: usize) -> bool {
        self.columns.retain(|other| *other != column);
        let sign = |row: &Row| row.factors.get(column).map_or(0, |factor| factor.signum());
        let (with, without): (Vec<Row>, Vec<Row>) =
            std::mem::take(&mut self.rows).into_iter().partition(|row| sign(row) != 0);
        let (below, above): (Vec<Row>, Vec<Row>) = with.into_iter().partition(|row| sign(row) > 0);
        // Of two with the same factors, the one with the smaller constant is stronger.
        let mut places: FxHashMap<Vec<i64>, usize> = FxHashMap::default();
        places.extend(without.iter().enumerate().map(|(place, row)| (row.factors.clone(), place)));
        self.rows = without;
        for low in &below {
            for high in &above {
                // An overflow loses this sum only.
                let Some(sum) = combined(low, high, column) else { continue };
                let known = places.get(&sum.factors).copied();
                if known.is_some_and(|place| self.rows[place].constant <= sum.constant) {
                    continue;
                }
                let values = self.interval(&sum);
                if values.hi.is_some_and(|hi| hi < 0) {
                    return true;
                }
                // What the ranges alone say follows from their ends, which are among the rows.
                if values.lo.is_some_and(|lo| lo >= 0) {
                    continue;
                }
                match known {
                    Some(place) => self.rows[place] = sum,
                    None => {
                        places.insert(sum.factors.clone(), self.rows.len());
                        self.rows.push(sum);
                    }
                }
            }
        }
        false
    }

    /// The interval of a sum.
    fn interval(&self, row: &Row) -> Interval {
        let terms = row.factors.iter().zip(&self.ranges).filter(|(factor, _)| **factor != 0);
        terms.map(|(factor, range)| range.times((*factor).into())).fold(Interval::point(row.constant), Interval::plus)
    }
}

fn row(form: &Linear, variables: &[Variable]) -> Option<Row> {
    let mut factors = vec![0; variables.len()];
    for (variable, factor) in &form.terms {
        *factors.get_mut(variables.binary_search(variable).ok()?)? = i64::try_from(*factor).ok()?;
    }
    Some(Row { constant: form.constant, factors })
}

/// The sum of two inequalities in which a variable cancels, which has a positive factor in the first and a negative one in the
/// other.
fn combined(low: &Row, high: &Row, column: usize) -> Option<Row> {
    let (one, other) = (*low.factors.get(column)?, high.factors.get(column)?.checked_neg()?);
    let common = one.gcd(&other);
    let (of_low, of_high) = (other / common, one / common);
    let scaled = |value: i128, by: i64| value.checked_mul(by.into());
    let mut constant = scaled(low.constant, of_low)?.checked_add(scaled(high.constant, of_high)?)?;
    let mut factors = Vec::with_capacity(low.factors.len());
    let mut divisor = 0;
    for (left, right) in low.factors.iter().zip(&high.factors) {
        let sum = left.checked_mul(of_low)?.checked_add(right.checked_mul(of_high)?)?;
        if divisor != 1 && sum != 0 {
            divisor = sum.checked_abs()?.gcd(&divisor);
        }
        factors.push(sum);
    }
    if divisor > 1 {
        // The constant is rounded down, as the quotient of an integer is.
        constant = Integer::div_floor(&constant, &divisor.into());
        factors.iter_mut().for_each(|factor| *factor /= divisor);
    }
    Some(Row { constant, factors })
}
