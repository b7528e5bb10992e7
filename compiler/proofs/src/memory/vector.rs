//! How many contiguous elements one access of a thread can load or store.
//!
//! T8: the elements of a thread form aligned vectors of V if, after joining compact neighbours, the fastest local
//! coordinate has stride 1, and V divides its length, every other stride, the offset and every bound of a mask. The
//! tensor's first element is assumed to be aligned to a vector.

use super::ElementSize;
use super::vector_points::of_points;
use crate::Budget;
use dims::{CompareOp, Fact, Facts, Sym};
use maps::arithmetic::{divide_exactly, equal};
use maps::hardware::VECTOR_BYTES;
use maps::normal::{Base, Condition, NormalMap};
use maps::{Affine, AxisRole, IndexMap, MapError, TermId, atom_labels};

/// The number of elements of one vector access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorWidth {
    /// In elements, a power of two. Each group of this many successive local coordinates, from 0 on, is one aligned
    /// vector and valid as a whole or not at all. That is proven for every size.
    pub width: i64,
    /// Why vectors of this width are possible.
    pub rule: WidthRule,
    /// Why not twice the width; `None` where no access is wider.
    pub limit: Option<Limit>,
}

/// What prevents a wider vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The width that is not reached.
    pub width: i64,
    /// Why not.
    pub obstacle: Obstacle,
    /// The fact over the symbols under which it would be reached, if one is known.
    pub fact: Option<Fact>,
}

/// Why the elements of a thread form vectors of a width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WidthRule {
    /// Vectors of one element are always possible.
    OneElement,
    /// Every vector was tried, point by point.
    EveryVector,
    /// T8: the length of the run, and all strides, mask bounds and offsets are multiples of the width.
    Multiples {
        /// The coordinate whose elements are neighbours.
        run: IndexPart,
        /// The width.
        of: i64,
    },
}

/// What prevents the elements of a thread from forming vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A thread has one element only.
    OneElement,
    /// No local coordinate has stride 1; the one with the nearest stride, if any.
    NoUnitStride(Option<(IndexPart, Sym)>),
    /// A number is not known to be a multiple of the width.
    NotMultiple {
        /// What the number is.
        quantity: Quantity,
        /// The number.
        value: Sym,
        /// The width.
        of: i64,
    },
    /// Another part of the index, or a condition, depends on single elements of the run.
    ElementsApart {
        /// The coordinate whose elements are neighbours.
        run: IndexPart,
    },
    /// Some vector of this many elements is not aligned, has a gap, or is only partly valid.
    SomeVector(i64),
}

/// A quantity that must be a multiple of a vector's width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// How many elements the run of a coordinate has.
    Run(IndexPart),
    /// The constant part of the address.
    Offset,
    /// The stride of a part of the index.
    Stride(IndexPart),
    /// The factor of a part of the index in a condition.
    Factor(IndexPart),
    /// A bound of a condition.
    Edge,
}

/// A coordinate or a digit of one, as written; `None` if it has no name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexPart(pub Option<String>);

/// The widest vectors that the elements of a thread form.
///
/// For known sizes it is exact if the budget allows trying every point; otherwise it is the widest that is proven.
///
/// # Errors
/// A map with another number of lower coordinates than one, or without a normal form.
pub fn vector_width(
    map: &IndexMap,
    element: ElementSize,
    facts: &Facts,
    budget: &Budget<'_>,
) -> Result<VectorWidth, MapError> {
    if map.lower.len() != 1 {
        return Err(MapError::Rank { what: "lower coordinates", expected: 1, found: map.lower.len() });
    }
    let widest = VECTOR_BYTES / element.bytes();
    let mut found = by_rule(map, widest, facts)?;
    while let Some(limit) = found.limit.as_ref().filter(|_| map.is_constant()) {
        let width = limit.width;
        // A map that cannot be enumerated keeps the result of the rule.
        if of_points(map, width, budget) != Ok(Some(true)) {
            break;
        }
        let wider = 2 * width;
        let limit =
            (wider <= widest).then_some(Limit { width: wider, obstacle: Obstacle::SomeVector(wider), fact: None });
        found = VectorWidth { width, rule: WidthRule::EveryVector, limit };
    }
    if let Some(limit) = &mut found.limit {
        let (width, candidate) = (limit.width, limit.fact.take());
        let reaches = |facts: &Facts| by_rule(map, width, facts).is_ok_and(|found| found.width >= width);
        limit.fact = facts.settling(candidate, reaches);
    }
    Ok(found)
}

/// The widest vectors by T8.
fn by_rule(map: &IndexMap, widest: i64, facts: &Facts) -> Result<VectorWidth, MapError> {
    let normal = NormalMap::with_every_condition(map, facts)?;
    let labels = atom_labels(map, &normal);
    let mut found = VectorWidth { width: 1, rule: WidthRule::OneElement, limit: None };
    if widest < 2 {
        return Ok(found);
    }
    let runs = runs(map, &normal, &Sym::one(), facts);
    if runs.is_empty() {
        found.limit = Some(Limit { width: 2, obstacle: no_run(map, &normal, &labels), fact: None });
        return Ok(found);
    }
    for run in runs {
        let view = Vectors { normal: &normal, labels: &labels, run: &run, facts };
        let mut width = 1;
        let limit = loop {
            match view.fits(2 * width) {
                _ if 2 * width > widest => break None,
                Ok(()) => width *= 2,
                Err(limit) => break Some(limit),
            }
        };
        if width > found.width || found.limit.is_none() {
            let rule = match width {
                1 => found.rule,
                _ => WidthRule::Multiples { run: run.part(&labels), of: width },
            };
            found = VectorWidth { width, rule, limit };
        }
    }
    Ok(found)
}

/// Local coordinates, or digits of them, that are compact from stride 1 on: elements of a thread that are contiguous
/// in memory, in the order of its coordinates.
struct Run {
    /// The atoms, each with its stride: the product of the lengths before it.
    atoms: Vec<(TermId, Sym)>,
    /// How many elements there are; `None` where only conditions bound the run.
    length: Option<Sym>,
}

impl Run {
    fn part(&self, labels: &[Option<String>]) -> IndexPart {
        self.atoms.first().map_or(IndexPart(None), |(atom, _)| part(*atom, labels))
    }
}

/// The digits of an upper coordinate from the lowest on, each with its number of values; `None` where a condition
/// bounds it.
fn digits(map: &IndexMap, normal: &NormalMap<'_>, axis: usize, facts: &Facts) -> Vec<(TermId, Option<Sym>)> {
    let Some(form) = normal.coordinates.get(axis) else { return Vec::new() };
    let extent = map.upper.get(axis).and_then(|axis| axis.extent.as_ref());
    let base = normal.bases.iter().find(|base| base.of.is_none() && is_of(base, form));
    let Some(base) = base else {
        return form.as_term().map(|atom| (atom, extent.cloned())).into_iter().collect();
    };
    let mut digits = Vec::with_capacity(base.digits.len());
    for (position, (atom, cut)) in base.digits.iter().zip(&base.cuts).enumerate() {
        let end = base.cuts.get(position + 1).or(extent);
        digits.push((*atom, end.and_then(|end| divide_exactly(end, cut, facts))));
    }
    digits
}

fn is_of(base: &Base, form: &Affine) -> bool {
    base.digits.first().is_some_and(|digit| form.coefficient(*digit).is_some())
}

/// Every run of a thread's elements with the given step, 1 or -1.
fn runs(map: &IndexMap, normal: &NormalMap<'_>, step: &Sym, facts: &Facts) -> Vec<Run> {
    let Some(address) = normal.lower.first() else { return Vec::new() };
    let locals = map.upper.iter().enumerate().filter(|(_, axis)| axis.role == AxisRole::Local);
    let digits: Vec<Vec<(TermId, Option<Sym>)>> =
        locals.map(|(axis, _)| digits(map, normal, axis, facts)).filter(|digits| !digits.is_empty()).collect();
    let has_stride = |atom: &TermId, stride: &Sym| {
        let stride = stride.checked_mul(step);
        let own = address.coefficient(*atom).zip(stride.ok());
        own.is_some_and(|(own, stride)| equal(own, &stride, facts))
    };
    let starts = |coordinate: &&Vec<(TermId, Option<Sym>)>, stride: &Sym| {
        coordinate.first().is_some_and(|(atom, _)| has_stride(atom, stride))
    };
    let mut runs = Vec::new();
    for first in digits.iter().filter(|coordinate| starts(coordinate, &Sym::one())) {
        let mut run = Run { atoms: Vec::new(), length: Some(Sym::one()) };
        let mut next = Some(first);
        // The run continues into the next coordinate only if it took all digits of this one.
        while let (Some(coordinate), Some(_)) = (next.take(), &run.length) {
            let mut whole = true;
            for (atom, count) in coordinate {
                let Some(stride) = run.length.clone().filter(|stride| has_stride(atom, stride)) else {
                    whole = false;
                    break;
                };
                run.length = count.as_ref().and_then(|count| count.checked_mul(&stride).ok());
                run.atoms.push((*atom, stride));
            }
            let used = |other: &&Vec<(TermId, Option<Sym>)>| {
                other.iter().any(|(atom, _)| run.atoms.iter().any(|(own, _)| own == atom))
            };
            if let (true, Some(length)) = (whole, &run.length) {
                next = digits.iter().filter(|other| !used(other)).find(|other| starts(other, length));
            }
        }
        runs.push(run);
    }
    runs
}

/// A run of contiguous elements of every thread, in the order of its coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompactRun {
    /// The number of elements, if known; 1 if no two successive elements are contiguous.
    pub length: Option<i64>,
    /// Whether addresses decrease in that order.
    pub backwards: bool,
}

/// The longest run of contiguous elements of every thread, forwards or backwards.
///
/// # Errors
/// A map without a normal form.
pub fn compact_run(map: &IndexMap, facts: &Facts) -> Result<CompactRun, MapError> {
    let normal = NormalMap::with_every_condition(map, facts)?;
    let longest = |step: i64| {
        let runs = runs(map, &normal, &Sym::constant(step), facts).into_iter();
        runs.map(|run| run.length.map(|length| length.as_constant())).max_by_key(|length| match length {
            None | Some(None) => i64::MAX,
            Some(Some(length)) => *length,
        })
    };
    Ok(match (longest(1), longest(-1)) {
        (Some(length), _) => CompactRun { length: length.flatten(), backwards: false },
        (None, Some(length)) => CompactRun { length: length.flatten(), backwards: true },
        (None, None) => CompactRun { length: Some(1), backwards: false },
    })
}

/// Why there is no run.
fn no_run(map: &IndexMap, normal: &NormalMap<'_>, labels: &[Option<String>]) -> Obstacle {
    let several = |extent: &Sym| extent.as_constant() != Some(1);
    let has_local =
        map.upper.iter().any(|axis| axis.role == AxisRole::Local && axis.extent.as_ref().is_none_or(several));
    if !has_local {
        return Obstacle::OneElement;
    }
    let locals = map.upper.iter().zip(&normal.coordinates).filter(|(axis, _)| axis.role == AxisRole::Local);
    let atoms = locals.flat_map(|(_, form)| form.terms.iter().map(|(atom, _)| *atom));
    let strides = atoms.filter_map(|atom| Some((atom, normal.lower.first()?.coefficient(atom)?)));
    let nearest = strides.min_by_key(|(_, stride)| stride.as_constant().map_or(i64::MAX, i64::saturating_abs));
    Obstacle::NoUnitStride(nearest.map(|(atom, stride)| (part(atom, labels), stride.clone())))
}

fn part(atom: TermId, labels: &[Option<String>]) -> IndexPart {
    IndexPart(labels.get(atom.0 as usize).cloned().flatten())
}

/// Whether a run splits into vectors.
struct Vectors<'a, 'f> {
    normal: &'a NormalMap<'f>,
    labels: &'a [Option<String>],
    run: &'a Run,
    facts: &'a Facts,
}

impl Vectors<'_, '_> {
    /// Whether the run splits into aligned vectors of `width` elements, each valid as a whole or not at all.
    fn fits(&self, width: i64) -> Result<(), Limit> {
        let Some(address) = self.normal.lower.first() else { return Ok(()) };
        if let Some(length) = &self.run.length {
            self.multiple(length, width, || Quantity::Run(self.run.part(self.labels)))?;
        }
        self.multiple(&address.constant, width, || Quantity::Offset)?;
        for (atom, stride) in &address.terms {
            if self.run.atoms.iter().any(|(own, _)| own == atom) {
                continue;
            }
            if self.depends_on_vector(*atom, width) {
                return Err(self.elements_apart(width));
            }
            self.multiple(stride, width, || Quantity::Stride(part(*atom, self.labels)))?;
        }
        let mut conditions = self.normal.conditions.iter().filter(|condition| !self.normal.holds_in_box(condition));
        conditions.try_for_each(|condition| self.edges_fit(condition, width))
    }

    /// Whether a condition holds for all elements of each vector or for none.
    fn edges_fit(&self, condition: &Condition, width: i64) -> Result<(), Limit> {
        let others = || condition.value.terms.iter().filter(|(atom, _)| !self.within_vector(*atom, width));
        if others().any(|(atom, _)| self.depends_on_vector(*atom, width)) {
            return Err(self.elements_apart(width));
        }
        let mut factors =
            self.run.atoms.iter().filter(|(atom, _)| self.within_vector(*atom, width)).map(|(atom, stride)| {
                let own = condition.value.coefficient(*atom).cloned().unwrap_or_else(Sym::zero);
                divide_exactly(&own, stride, self.facts)
            });
        // The condition must step by 1 or -1 from element to element of a vector, or not depend on them.
        let first = factors.next().flatten();
        let same = factors.all(|factor| factor == first);
        let backwards = match first.as_ref().and_then(Sym::as_constant).filter(|_| same) {
            Some(0) => return Ok(()),
            Some(1) => 0,
            Some(-1) => 1,
            _ => return Err(self.elements_apart(width)),
        };
        for (atom, stride) in others() {
            self.multiple(stride, width, || Quantity::Factor(part(*atom, self.labels)))?;
        }
        for edge in [&condition.low, &condition.high].into_iter().flatten() {
            let beyond = edge.checked_sub(&condition.value.constant);
            let beyond = beyond.and_then(|edge| edge.checked_sub(&Sym::constant(backwards)));
            let Ok(beyond) = beyond else { return Err(self.elements_apart(width)) };
            self.multiple(&beyond, width, || Quantity::Edge)?;
        }
        Ok(())
    }

    /// Whether successive elements of one vector have different values of the atom.
    fn within_vector(&self, atom: TermId, width: i64) -> bool {
        let run = self.run.atoms.iter().find(|(own, _)| *own == atom);
        run.is_some_and(|(_, stride)| self.remainder(stride, width).is_none_or(|remainder| remainder != 0))
    }

    /// Whether the atom, or one that it is made of, differs within a vector.
    fn depends_on_vector(&self, atom: TermId, width: i64) -> bool {
        if self.within_vector(atom, width) {
            return true;
        }
        let Some(known) = self.normal.atom(atom) else { return true };
        // The inputs of an atom precede it.
        self.normal.inputs(&known.kind).into_iter().any(|input| input >= atom || self.depends_on_vector(input, width))
    }

    fn remainder(&self, value: &Sym, width: i64) -> Option<i64> {
        match value.as_constant() {
            Some(value) => Some(value.rem_euclid(width)),
            None => divide_exactly(value, &Sym::constant(width), self.facts).map(|_| 0),
        }
    }

    fn multiple(&self, value: &Sym, width: i64, quantity: impl Fn() -> Quantity) -> Result<(), Limit> {
        if self.remainder(value, width) == Some(0) {
            return Ok(());
        }
        let remainder = value.checked_remainder(&Sym::constant(width), &Facts::empty()).ok();
        let fact = remainder.map(|remainder| Fact::compare(remainder, CompareOp::Eq, Sym::zero()));
        let obstacle = Obstacle::NotMultiple { quantity: quantity(), value: value.clone(), of: width };
        Err(Limit { width, obstacle, fact })
    }

    fn elements_apart(&self, width: i64) -> Limit {
        Limit { width, obstacle: Obstacle::ElementsApart { run: self.run.part(self.labels) }, fact: None }
    }
}
