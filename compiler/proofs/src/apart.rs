//! Whether points of two maps can be related in a given way: for example, whether two accesses conflict.
//!
//! Everything that the question is about is a lower coordinate of both maps: the element accessed, the thread, the
//! iterators of loops around both, the number of a thread collective. So "in different threads, in neighbouring
//! iterations, at one element" is a list of [`Relation`]s. Both maps become one system of conditions on integers.

mod points;

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::integers::{Answer, Linear, Steps, System, Variable};
use super::{Budget, Counterexample, CounterexampleKind, Reason, Rule, Verdict, check};
use dims::{Atom, Facts, Interval, Sym, Symbol};
use maps::{Affine, IndexMap, Term, specialize};

/// How a lower coordinate of the second point is related to the same one of the first point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// In any way.
    Any,
    /// They differ.
    Different,
    /// The second is the first one plus this.
    Ahead(i64),
    /// The second is at least the first one plus this.
    AtLeast(i64),
}

impl Relation {
    /// Both are the same.
    pub const EQUAL: Relation = Relation::Ahead(0);

    /// Whether two values satisfy the relation.
    pub fn holds(self, first: i64, second: i64) -> bool {
        let (first, second) = (i128::from(first), i128::from(second));
        match self {
            Relation::Any => true,
            Relation::Different => first != second,
            Relation::Ahead(by) => second == first + i128::from(by),
            Relation::AtLeast(by) => second >= first + i128::from(by),
        }
    }
}

/// Proven if no valid point of `first` and valid point of `second` satisfy the relations, one for each lower
/// coordinate. Symbols have the same value in both maps.
pub fn apart(
    first: &IndexMap,
    second: &IndexMap,
    relation: &[Relation],
    facts: &Facts,
    budget: &Budget<'_>,
) -> Verdict {
    for map in [first, second] {
        if map.lower.len() != relation.len() {
            return Verdict::open(Reason::LowerRank { found: map.lower.len(), asked: relation.len() });
        }
    }
    let mut steps = Steps::new(budget.steps, budget.cancelled);
    let mut joint =
        Joint { facts, system: System::default(), sizes: FxHashMap::default(), opaque: FxHashMap::default() };
    let Some(points) = joint.ask(first, second, relation) else {
        let found = points::decide([first, second], relation, budget);
        return found.unwrap_or_else(|| Verdict::open(Reason::NumbersTooLarge));
    };
    let confirmed =
        |joint: &Joint<'_>, values: &[i128]| confirmed([first, second], relation, facts, &points, values, &joint.sizes);
    let found = joint.system.clone().solve(&mut steps);
    match &found {
        Answer::Empty => return Verdict::Proven { rule: Rule::RelationEmpty },
        Answer::Solution(values) => {
            if let Some(refuted) = confirmed(&joint, values) {
                return refuted;
            }
        }
        Answer::Open => {}
    }
    // What is known of products and quotients beyond that they are numbers takes steps, and is seldom needed.
    if joint.state_growths().unwrap_or(false) && joint.system.clone().solve(&mut steps) == Answer::Empty {
        return Verdict::Proven { rule: Rule::RelationEmpty };
    }
    points::decide([first, second], relation, budget).unwrap_or_else(|| match found {
        Answer::Solution(_) => Verdict::open(Reason::SizesDecide),
        _ => Verdict::cut_short(Reason::SearchEndedEarly, budget.can_grow()),
    })
}

/// Whether a few points show that [`apart`] does not hold: the first point of `first`, and those of `second` that
/// differ from its first point by 1 in at most one coordinate. Far cheaper than a search.
pub fn meet_at_first(first: &IndexMap, second: &IndexMap, relation: &[Relation], facts: &Facts) -> bool {
    let sizes = [first, second].into_iter().flat_map(|map| map.symbols()).map(|it| (it.clone(), it.least())).collect();
    let Some(maps) = specialized([first, second], &sizes) else { return false };
    let origin = vec![0; first.upper.len()];
    let meets = (0..=second.upper.len()).any(|changed| {
        let mut point = vec![0; second.upper.len()];
        if let Some(coordinate) = point.get_mut(changed) {
            *coordinate = 1;
        }
        related(&maps, [&origin, &point], relation).is_some()
    });
    meets && facts.admit(&sizes).is_ok()
}

fn specialized(maps: [&IndexMap; 2], sizes: &BTreeMap<Symbol, i64>) -> Option<[IndexMap; 2]> {
    Some([specialize(maps[0], sizes).ok()?, specialize(maps[1], sizes).ok()?])
}

/// The lower coordinates of a valid point of the first map, if a valid point of the second one is related to it.
fn related(maps: &[IndexMap; 2], points: [&[i64]; 2], relation: &[Relation]) -> Option<Vec<i64>> {
    let left = check::valid_lower(&maps[0], points[0])?;
    let right = check::valid_lower(&maps[1], points[1])?;
    let mut pairs = left.iter().zip(&right).zip(relation);
    pairs.all(|((left, right), relation)| relation.holds(*left, *right)).then_some(left)
}

/// The solution as a counterexample, confirmed by evaluating the maps.
fn confirmed(
    maps: [&IndexMap; 2],
    relation: &[Relation],
    facts: &Facts,
    points: &[Vec<Variable>; 2],
    values: &[i128],
    variables: &FxHashMap<Sym, Variable>,
) -> Option<Verdict> {
    let value = |variable: &Variable| i64::try_from(*values.get(*variable as usize)?).ok();
    let mut sizes: BTreeMap<Symbol, i64> = BTreeMap::new();
    for symbol in maps.iter().flat_map(|map| map.symbols()) {
        let known = variables.get(&Sym::symbol(symbol.clone())).and_then(value);
        // A symbol that occurs in products only may have any value.
        sizes.insert(symbol.clone(), known.unwrap_or(symbol.least()));
    }
    facts.admit(&sizes).ok()?;
    let point = |axes: &Vec<Variable>| axes.iter().map(value).collect::<Option<Vec<i64>>>();
    let [first, second] = [point(&points[0])?, point(&points[1])?];
    let lower = related(&specialized(maps, &sizes)?, [&first, &second], relation)?;
    let kind = CounterexampleKind::Collision { first, second, lower };
    Some(Verdict::Refuted { counterexample: Counterexample { sizes, kind }, obligation: None })
}

/// Two maps in one system.
struct Joint<'f> {
    facts: &'f Facts,
    system: System,
    /// The variable of each product of symbols.
    sizes: FxHashMap<Sym, Variable>,
    /// The variables of non-linear values: products with a size and quotients by a size.
    opaque: FxHashMap<Opaque, Variable>,
}

#[derive(PartialEq, Eq, Hash)]
enum Opaque {
    Product(Sym, Linear),
    Digit(Linear, Sym, Option<Sym>),
}

/// A function that never falls.
#[derive(PartialEq, Eq)]
enum Function {
    /// The product with a size that is not negative.
    Product(Sym),
    /// The quotient by a positive size.
    Quotient(Sym),
}

/// The most pairs of products, or of quotients, that are compared.
const MOST_GROWTHS: usize = 16;

impl Joint<'_> {
    /// States the question; returns the variables of the coordinates of both points.
    fn ask(&mut self, first: &IndexMap, second: &IndexMap, relation: &[Relation]) -> Option<[Vec<Variable>; 2]> {
        let (upper, lower) = self.point(first)?;
        let (other_upper, other_lower) = self.point(second)?;
        for ((left, right), relation) in lower.iter().zip(&other_lower).zip(relation) {
            match relation {
                Relation::Any => {}
                Relation::Different => self.system.different(left, right)?,
                Relation::Ahead(by) => self.system.equal(&left.offset((*by).into())?, right)?,
                Relation::AtLeast(by) => self.system.at_most(&left.offset((*by).into())?, right)?,
            }
        }
        Some([upper, other_upper])
    }

    /// A valid point of a map: the variables of its upper coordinates, and its lower coordinates.
    fn point(&mut self, map: &IndexMap) -> Option<(Vec<Variable>, Vec<Linear>)> {
        let mut upper = Vec::with_capacity(map.upper.len());
        for axis in &map.upper {
            let end = axis.extent.as_ref().map(|extent| self.facts.range(extent));
            let hi = end.and_then(|end| end.hi).map(|hi| hi - 1);
            let variable = self.system.variable(Interval { lo: Some(0), hi });
            if let Some(extent) = axis.extent.as_ref().filter(|extent| extent.as_constant().is_none()) {
                let last = self.size(extent)?.offset(-1)?;
                self.system.at_most(&Linear::variable(variable), &last)?;
            }
            upper.push(variable);
        }
        let mut terms: Vec<Linear> = Vec::with_capacity(map.terms.len());
        for term in &map.terms {
            let form = match term {
                Term::Coordinate(axis) => Linear::variable(*upper.get(*axis as usize)?),
                Term::Digit { of, divisor, modulus } => {
                    let of = self.form(of, &terms)?;
                    self.digit(&of, divisor, modulus.as_ref())?
                }
                Term::Xor(left, right) => {
                    let (left, right) = (self.form(left, &terms)?, self.form(right, &terms)?);
                    self.system.xor(&left, &right)?
                }
            };
            terms.push(form);
        }
        for mask in &map.masks {
            let value = self.form(&mask.value, &terms)?;
            self.within(&value, mask.low.as_ref(), mask.high.as_ref())?;
        }
        let mut lower = Vec::with_capacity(map.lower.len());
        for axis in &map.lower {
            let value = self.form(&axis.value, &terms)?;
            if axis.extent.is_some() {
                self.within(&value, Some(&Sym::zero()), axis.extent.as_ref())?;
            }
            lower.push(value);
        }
        Some((upper, lower))
    }

    /// `low ≤ value < high`
    fn within(&mut self, value: &Linear, low: Option<&Sym>, high: Option<&Sym>) -> Option<()> {
        // An equation says more than two inequalities: it eliminates a variable.
        if let (Some(low), Some(high)) = (low, high)
            && high.checked_sub(low).ok()? == Sym::one()
        {
            let only = self.size(low)?;
            return self.system.equal(&only, value);
        }
        if let Some(low) = low {
            let low = self.size(low)?;
            self.system.at_most(&low, value)?;
        }
        if let Some(high) = high {
            let last = self.size(high)?.offset(-1)?;
            self.system.at_most(value, &last)?;
        }
        Some(())
    }

    fn form(&mut self, form: &Affine, terms: &[Linear]) -> Option<Linear> {
        let mut sum = self.size(&form.constant)?;
        for (term, factor) in &form.terms {
            let term = terms.get(term.0 as usize)?;
            sum = match factor.as_constant() {
                Some(factor) => sum.plus(factor.into(), term)?,
                None => sum.plus(1, &self.product(factor, term)?)?,
            };
        }
        Some(sum)
    }

    /// A size as a sum of products of symbols.
    fn size(&mut self, size: &Sym) -> Option<Linear> {
        if let Some(value) = size.as_constant() {
            return Some(Linear::constant(value.into()));
        }
        let mut sum = Linear::default();
        for (factor, product) in size.products()? {
            let value = match product.as_constant() {
                Some(value) => Linear::constant(value.into()),
                None => match self.quotient(&product) {
                    Some(quotient) => quotient,
                    None => Linear::variable(self.symbols(product)),
                },
            };
            sum = sum.plus(factor.into(), &value)?;
        }
        Some(sum)
    }

    /// A quotient or a remainder of a size by a number, as in `N / 2` and `cdiv(N, 64)`.
    fn quotient(&mut self, size: &Sym) -> Option<Linear> {
        let (dividend, divisor, part) = match size.as_atom()? {
            Atom::FloorDiv { dividend, divisor, .. } => (dividend, divisor, 0),
            Atom::Remainder { dividend, divisor } => (dividend, divisor, 1),
            Atom::Symbol(_) | Atom::Min(_) | Atom::Max(_) => return None,
        };
        let divisor = divisor.as_constant().filter(|divisor| *divisor > 0)?;
        let dividend = self.size(dividend)?;
        let parts = self.system.divided(&dividend, divisor.into())?;
        Some(parts[part].clone())
    }

    fn symbols(&mut self, product: Sym) -> Variable {
        if let Some(known) = self.sizes.get(&product) {
            return *known;
        }
        let variable = self.system.variable(self.facts.range(&product));
        self.sizes.insert(product, variable);
        variable
    }

    /// A form multiplied by a size, as a variable; equal products share one.
    fn product(&mut self, factor: &Sym, form: &Linear) -> Option<Linear> {
        if let Some(value) = form.as_constant() {
            return self.size(factor)?.times(value);
        }
        let range = self.facts.range(factor).multiply(self.system.interval(form));
        Some(self.opaque(Opaque::Product(factor.clone(), form.clone()), range))
    }

    fn opaque(&mut self, value: Opaque, range: Interval) -> Linear {
        let system = &mut self.system;
        Linear::variable(*self.opaque.entry(value).or_insert_with(|| system.variable(range)))
    }

    /// States how products with one size that is not negative, and quotients by one size, grow with what is multiplied or divided.
    /// Returns whether there are two of a kind.
    fn state_growths(&mut self) -> Option<bool> {
        let mut all: Vec<(Variable, Function, Linear)> = Vec::new();
        for (value, variable) in &self.opaque {
            match value {
                Opaque::Product(size, of) if self.facts.range(size).is_natural() => {
                    all.push((*variable, Function::Product(size.clone()), of.clone()));
                }
                Opaque::Digit(of, size, None) if self.facts.range(size).lo.is_some_and(|lo| lo > 0) => {
                    all.push((*variable, Function::Quotient(size.clone()), of.clone()));
                }
                _ => {}
            }
        }
        all.sort_unstable_by_key(|(variable, ..)| *variable);
        let mut stated = 0;
        for (place, (variable, function, of)) in all.iter().enumerate() {
            for (other, _, theirs) in all[..place].iter().filter(|(_, other, _)| other == function) {
                let slope = match function {
                    Function::Product(size) => Some(self.size(size)?),
                    Function::Quotient(_) => None,
                };
                let values = [*other, *variable].map(Linear::variable);
                self.system.growing([theirs, of], [&values[0], &values[1]], slope.as_ref())?;
                stated += 1;
                if stated == MOST_GROWTHS {
                    return Some(true);
                }
            }
        }
        Some(stated > 0)
    }

    fn digit(&mut self, of: &Linear, divisor: &Sym, modulus: Option<&Sym>) -> Option<Linear> {
        let known = |size: &Sym| size.as_constant().filter(|size| *size > 0).map(i128::from);
        match (known(divisor), modulus.map(known)) {
            (Some(divisor), None) => Some(self.system.divided(of, divisor)?[0].clone()),
            (Some(divisor), Some(Some(modulus))) => {
                let quotient = self.system.divided(of, divisor)?[0].clone();
                Some(self.system.divided(&quotient, modulus)?[1].clone())
            }
            (known, _) => {
                let divisor_range = known.map_or_else(|| self.facts.range(divisor), Interval::point);
                let quotient = self.system.interval(of).divide(divisor_range);
                let range = match modulus {
                    Some(modulus) => quotient.remainder(self.facts.range(modulus)),
                    None => quotient,
                };
                let value = Opaque::Digit(of.clone(), divisor.clone(), modulus.cloned());
                let digit = self.opaque(value, range);
                if let Some(modulus) = modulus {
                    self.within(&digit, None, Some(modulus))?;
                }
                Some(digit)
            }
        }
    }
}
