//! Maps with known strides over a box of independent variables: the setting of T2 and T10.

use crate::maps::normal::NormalMap;
use crate::maps::{Affine, AxisRole, IndexMap, TermId};

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
    /// What one step adds to each lower coordinate.
    pub strides: Vec<i128>,
}

impl<'a> StridedBox<'a> {
    /// The box of a map, where all of it is constant, bounded and strided.
    pub(super) fn new(map: &IndexMap, normal: &'a NormalMap<'a>) -> Option<StridedBox<'a>> {
        let mut variables = Vec::new();
        for (axis, coordinate) in map.upper.iter().zip(&normal.coordinates) {
            for (term, _) in &coordinate.terms {
                let atom = normal.atom(*term)?;
                let constants = |bounds: &[crate::dims::Sym]| -> Option<Vec<i128>> {
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

    /// Whether there is no point at all.
    pub(super) fn is_empty(&self) -> bool {
        self.variables.iter().any(|variable| variable.count == 0)
    }

    /// The upper coordinates for given values of the variables.
    pub(super) fn upper(&self, values: &[i128]) -> Option<Vec<i64>> {
        let value_of = |term: TermId| {
            self.variables.iter().zip(values).find(|(variable, _)| variable.atom == term).map(|(_, value)| *value)
        };
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
