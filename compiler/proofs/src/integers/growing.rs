//! Differences between values of functions that never fall: products with a factor that is not negative, and quotients.
//!
//! `n * t` is a variable of its own, so nothing says that it grows with `t`. But where `t2 - t1` is at least 1, `n * t2 - n * t1` is
//! at least `n`, and so on for every bound of the distance that is known.

use super::{Linear, Stop, System};
use dims::Interval;

/// A distance between the arguments of a function that never falls, and the distance between its values.
#[derive(Clone, Debug)]
pub(super) struct Growth {
    arguments: Linear,
    values: Linear,
    /// How much the values grow with each 1 of the arguments; `None` if all that is known is that they never fall.
    slope: Option<Linear>,
}

impl Growth {
    /// All its forms.
    pub(super) fn forms(&mut self) -> impl Iterator<Item = &mut Linear> {
        [&mut self.arguments, &mut self.values].into_iter().chain(self.slope.as_mut())
    }
}

impl System {
    /// Two arguments of a function that never falls, and its values there. With a slope, which is never negative, the values are
    /// the arguments multiplied by it.
    pub fn growing(&mut self, arguments: [&Linear; 2], values: [&Linear; 2], slope: Option<&Linear>) -> Option<()> {
        let difference = |[first, second]: [&Linear; 2]| second.plus(-1, first);
        let (arguments, values) = (difference(arguments)?, difference(values)?);
        self.growths.push(Growth { arguments, values, slope: slope.cloned() });
        Some(())
    }

    /// States what the bounds of the arguments say of the values.
    pub(super) fn bound_growths(&mut self) -> Result<(), Stop> {
        let mut found = Vec::new();
        for Growth { arguments, values, slope } in &self.growths {
            let Interval { lo, hi } = self.known_interval(arguments);
            // By at least `lo` slopes, and by at most `hi` of them.
            for (end, sign) in [(lo, 1), (hi, -1)] {
                let Some(end) = end else { continue };
                let end = match slope {
                    Some(slope) => slope.times(end),
                    None if end.checked_mul(sign).is_some_and(|end| end >= 0) => Some(Linear::default()),
                    None => continue,
                };
                let beyond = end.and_then(|end| values.plus(-1, &end)).and_then(|beyond| beyond.times(sign));
                found.push(beyond.ok_or(Stop::Open)?);
            }
        }
        self.not_negative.extend(found);
        Ok(())
    }

    /// The interval of a form, also by conditions on that very sum.
    fn known_interval(&self, form: &Linear) -> Interval {
        let mut found = self.interval(form);
        let opposite = form.times(-1);
        for known in &self.not_negative {
            if known.terms == form.terms {
                let low = form.constant.saturating_sub(known.constant);
                found.lo = Some(found.lo.map_or(low, |lo| lo.max(low)));
            } else if opposite.as_ref().is_some_and(|opposite| known.terms == opposite.terms) {
                let high = form.constant.saturating_add(known.constant);
                found.hi = Some(found.hi.map_or(high, |hi| hi.min(high)));
            }
        }
        found
    }
}
