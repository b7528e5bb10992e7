//! Sums of variables with integer factors.

use num_integer::Integer;

use dims::Interval;

/// A variable of a system, by its number.
pub type Variable = u32;

/// Larger numbers end the computation, which leaves headroom for sums and negations.
const FAR: u128 = 1 << 120;

/// `constant + Σ factor · variable`, the variables ascending, no factor zero. Every operation returns `None` where a
/// number becomes too large.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Linear {
    pub constant: i128,
    pub terms: Vec<(Variable, i128)>,
}

impl Linear {
    /// A number.
    pub fn constant(constant: i128) -> Linear {
        Linear { constant, terms: Vec::new() }
    }

    /// A variable.
    pub fn variable(variable: Variable) -> Linear {
        Linear { constant: 0, terms: vec![(variable, 1)] }
    }

    /// The constant, if there are no variables.
    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The factor of a variable; 0 if it does not occur.
    pub fn factor(&self, variable: Variable) -> i128 {
        match self.terms.binary_search_by_key(&variable, |(variable, _)| *variable) {
            Ok(place) => self.terms.get(place).map_or(0, |(_, factor)| *factor),
            Err(_) => 0,
        }
    }

    /// `self + factor · other`
    pub fn plus(&self, factor: i128, other: &Linear) -> Option<Linear> {
        let constant = near(self.constant.checked_add(other.constant.checked_mul(factor)?)?)?;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (variable, sum) = match (left.peek(), right.peek()) {
                (None, None) => return Some(Linear { constant, terms }),
                (Some(&&(variable, own)), None) => (variable, own),
                (None, Some(&&(variable, theirs))) => (variable, theirs.checked_mul(factor)?),
                (Some(&&(variable, own)), Some(&&(other, _))) if variable < other => (variable, own),
                (Some(&&(variable, _)), Some(&&(other, theirs))) if variable > other => {
                    (other, theirs.checked_mul(factor)?)
                }
                (Some(&&(variable, own)), Some(&&(_, theirs))) => {
                    (variable, own.checked_add(theirs.checked_mul(factor)?)?)
                }
            };
            left.next_if(|(own, _)| *own == variable);
            right.next_if(|(theirs, _)| *theirs == variable);
            if near(sum)? != 0 {
                terms.push((variable, sum));
            }
        }
    }

    /// `self · factor`
    pub fn times(&self, factor: i128) -> Option<Linear> {
        if factor == 0 {
            return Some(Linear::default());
        }
        let scaled = |value: i128| near(value.checked_mul(factor)?);
        let terms = self.terms.iter().map(|(variable, own)| Some((*variable, scaled(*own)?)));
        Some(Linear { constant: scaled(self.constant)?, terms: terms.collect::<Option<_>>()? })
    }

    /// The form with the variables whose value is known replaced by it.
    pub fn with_values(&self, known: impl Fn(Variable) -> Option<i128>) -> Option<Linear> {
        let mut form = Linear { constant: self.constant, terms: Vec::with_capacity(self.terms.len()) };
        for (variable, factor) in &self.terms {
            match known(*variable) {
                Some(value) => form.constant = near(form.constant.checked_add(factor.checked_mul(value)?)?)?,
                None => form.terms.push((*variable, *factor)),
            }
        }
        Some(form)
    }

    /// The sum with a number.
    pub fn offset(&self, by: i128) -> Option<Linear> {
        Some(Linear { constant: near(self.constant.checked_add(by)?)?, terms: self.terms.clone() })
    }

    /// The form with a variable replaced by an equal form.
    pub fn replaced(&self, variable: Variable, by: &Linear) -> Option<Linear> {
        match self.factor(variable) {
            0 => Some(self.clone()),
            factor => {
                let terms = self.terms.iter().filter(|(other, _)| *other != variable).copied().collect();
                Linear { constant: self.constant, terms }.plus(factor, by)
            }
        }
    }

    /// The greatest common divisor of the factors; 0 without factors.
    pub fn common_factor(&self) -> i128 {
        let mut common = 0;
        for (_, factor) in &self.terms {
            if common == 1 {
                break;
            }
            common = common.gcd(factor);
        }
        common
    }

    /// Divides by a common factor of the factors. The constant is rounded down, as the quotient of an integer is.
    pub fn divide(&mut self, common: i128) {
        self.constant = Integer::div_floor(&self.constant, &common);
        self.terms.iter_mut().for_each(|(_, factor)| *factor /= common);
    }

    /// The interval of its values.
    pub fn interval(&self, of: impl Fn(Variable) -> Interval) -> Interval {
        let term = |(variable, factor): &(Variable, i128)| of(*variable).times(*factor);
        self.terms.iter().map(term).fold(Interval::point(self.constant), Interval::plus)
    }

    /// The value, given those of the variables.
    pub fn value(&self, of: impl Fn(Variable) -> Option<i128>) -> Option<i128> {
        self.terms
            .iter()
            .try_fold(self.constant, |sum, (variable, factor)| sum.checked_add(of(*variable)?.checked_mul(*factor)?))
    }
}

fn near(value: i128) -> Option<i128> {
    (value.unsigned_abs() < FAR).then_some(value)
}
