//! Maps with known strides over a box of independent variables: the setting of T2 and T10.

use maps::normal::NormalMap;
use maps::{Affine, AxisRole, IndexMap, TermId};

/// A constant map whose lower coordinates are strided sums over independent variables.
pub(super) struct StridedBox<'a> {
    normal: &'a NormalMap<'a>,
    pub variables: Vec<Variable>,
    /// Whether the box holds valid points only. If not, it holds every valid point and some others.
    pub exact: bool,
    /// The number of lower coordinates.
    pub lower_rank: usize,
}

/// A variable: a coordinate or a digit of one.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    atom: TermId,
    /// Whether it is part of a thread coordinate.
    pub thread: bool,
    /// The smallest value.
    pub low: i128,
    /// How many values it has.
    pub count: i128,
    /// The stride in each lower coordinate.
    pub strides: Vec<i128>,
}

impl<'a> StridedBox<'a> {
    /// The box of a map, if the map is constant, bounded and strided.
    pub(super) fn new(map: &IndexMap, normal: &'a NormalMap<'a>) -> Option<StridedBox<'a>> {
        let mut variables = Vec::new();
        for (axis, coordinate) in map.upper.iter().zip(&normal.coordinates) {
            for (term, _) in &coordinate.terms {
                let atom = normal.atom(*term)?;
                let constants = |bounds: &[dims::Sym]| -> Option<Vec<i128>> {
                    bounds.iter().map(|bound| bound.as_constant().map(i128::from)).collect()
                };
                let low = constants(&atom.lows)?.into_iter().max()?;
                let high = constants(&atom.highs)?.into_iter().min()?;
                let mut strides = Vec::with_capacity(normal.lower.len());
                for lower in &normal.lower {
                    strides.push(match lower.coefficient(*term) {
                        Some(stride) => i128::from(stride.as_constant()?),
                        None => 0,
                    });
                }
                let count = (high - low + 1).max(0);
                variables.push(Variable { atom: *term, thread: axis.role == AxisRole::Thread, low, count, strides });
            }
        }
        for lower in &normal.lower {
            lower.constant.as_constant()?;
            if !lower.terms.iter().all(|(term, _)| normal.is_independent(*term)) {
                return None;
            }
        }
        Some(StridedBox { normal, variables, exact: normal.conditions.is_empty(), lower_rank: normal.lower.len() })
    }

    /// Whether there are no points.
    pub(super) fn is_empty(&self) -> bool {
        self.variables.iter().any(|variable| variable.count == 0)
    }

    /// The values of the variables where a lower coordinate is greatest, or least.
    pub(super) fn corner(&self, axis: usize, greatest: bool) -> Vec<i128> {
        let end = |variable: &Variable| {
            let stride = variable.strides.get(axis).copied().unwrap_or(0);
            let upwards = stride != 0 && (stride > 0) == greatest;
            if upwards { variable.low + variable.count - 1 } else { variable.low }
        };
        self.variables.iter().map(end).collect()
    }

    /// Values of the variables at which a lower coordinate first reaches `bound` (without a bound: first becomes
    /// negative) on the way from one corner to the other, one variable after the other.
    pub(super) fn crossing(&self, lower: &Affine, axis: usize, bound: Option<i64>) -> Option<Vec<i128>> {
        let mut values = self.corner(axis, bound.is_none());
        let target = bound.map_or(-1, i128::from);
        for number in 0..values.len() {
            let left = target.checked_sub(self.lower(lower, &values)?)?;
            let variable = self.variables.get(number)?;
            let stride = variable.strides.get(axis).copied().unwrap_or(0);
            let place = values.get_mut(number)?;
            if stride == 0 {
                continue;
            }
            let most = variable.count - 1;
            let steps = num_integer::Integer::div_ceil(&left.abs(), &stride.abs()).min(most);
            // Upwards if the stride and the distance have the same sign.
            *place += if (stride > 0) == (left > 0) { steps } else { -steps };
            if steps < most {
                return Some(values);
            }
        }
        Some(values)
    }

    /// The value of a lower coordinate for given values of the variables; `None` if it leaves 128 bits.
    pub(super) fn lower(&self, lower: &Affine, values: &[i128]) -> Option<i128> {
        value(lower, &|term| self.value_of(term, values))
    }

    fn value_of(&self, term: TermId, values: &[i128]) -> Option<i128> {
        self.variables.iter().zip(values).find(|(variable, _)| variable.atom == term).map(|(_, value)| *value)
    }

    /// The upper coordinates for given values of the variables.
    pub(super) fn upper(&self, values: &[i128]) -> Option<Vec<i64>> {
        let value_of = |term: TermId| self.value_of(term, values);
        self.normal.coordinates.iter().map(|form| i64::try_from(value(form, &value_of)?).ok()).collect()
    }
}

/// The value of a constant form.
fn value(form: &Affine, of: &impl Fn(TermId) -> Option<i128>) -> Option<i128> {
    let mut sum = i128::from(form.constant.as_constant()?);
    for (term, coefficient) in &form.terms {
        sum = sum.checked_add(of(*term)?.checked_mul(i128::from(coefficient.as_constant()?))?)?;
    }
    Some(sum)
}
