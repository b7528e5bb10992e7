//! The real shadow of inequalities: variables are eliminated by adding their lower and upper bounds pairwise (Fourier
//! and Motzkin). If it is empty, there is no solution.

use std::borrow::Cow;

use num_integer::Integer;

use super::{Linear, Steps, Stop, System, Variable};

/// Inequalities beyond this number are not combined.
const MOST_INEQUALITIES: usize = 160;

impl System {
    /// Whether the inequalities have no rational solution, with common divisors used to tighten them.
    pub(super) fn has_empty_shadow(&self, steps: &mut Steps<'_>) -> Result<bool, Stop> {
        let mut forms = self.not_negative.clone();
        let mut variables: Vec<Variable> =
            forms.iter().flat_map(|form| form.terms.iter().map(|(variable, _)| *variable)).collect();
        variables.sort_unstable();
        variables.dedup();
        for variable in &variables {
            let range = self.range(*variable);
            let here = Linear::variable(*variable);
            forms.extend(range.lo.and_then(|lo| here.offset(lo.checked_neg()?)));
            forms.extend(range.hi.and_then(|hi| here.times(-1)?.offset(hi)));
        }
        while !variables.is_empty() && forms.len() <= MOST_INEQUALITIES {
            let costs = costs(&forms, &variables);
            let cost = |place: &usize| costs.get(*place).copied().unwrap_or_default();
            let Some(place) = (0..variables.len()).min_by_key(cost) else { break };
            steps.spend(forms.len() + cost(&place))?;
            let variable = variables.remove(place);
            let (with, without): (Vec<Linear>, Vec<Linear>) =
                forms.into_iter().partition(|form| form.factor(variable) != 0);
            let (below, above): (Vec<Linear>, Vec<Linear>) =
                with.into_iter().partition(|form| form.factor(variable) > 0);
            forms = without;
            for low in &below {
                for high in &above {
                    // An overflow loses this combination only.
                    let Some(sum) = combined(low, high, variable) else { continue };
                    match sum.as_constant() {
                        Some(value) if value < 0 => return Ok(true),
                        Some(_) => {}
                        None => forms.push(sum),
                    }
                }
            }
            forms.sort_unstable_by(|left, right| (&left.terms, left.constant).cmp(&(&right.terms, right.constant)));
            forms.dedup_by(|later, kept| later.terms == kept.terms);
        }
        Ok(false)
    }
}

/// For each of the variables, which ascend: the number of sums that its elimination adds.
fn costs(forms: &[Linear], variables: &[Variable]) -> Vec<usize> {
    let mut sides = vec![[0; 2]; variables.len()];
    for (variable, factor) in forms.iter().flat_map(|form| &form.terms) {
        if let Ok(place) = variables.binary_search(variable)
            && let Some([below, above]) = sides.get_mut(place)
        {
            *(if *factor > 0 { below } else { above }) += 1;
        }
    }
    sides.iter().map(|[below, above]| below * above).collect()
}

/// The sum of two inequalities in which a variable cancels.
fn combined(low: &Linear, high: &Linear, variable: Variable) -> Option<Linear> {
    let (one, other) = (low.factor(variable), high.factor(variable).checked_neg()?);
    let common = one.gcd(&other);
    let scaled = match other / common {
        1 => Cow::Borrowed(low),
        factor => Cow::Owned(low.times(factor)?),
    };
    let mut sum = scaled.plus(one / common, high)?;
    let divisor = sum.common_factor();
    if divisor > 1 {
        sum.divide(divisor);
    }
    Some(sum)
}
