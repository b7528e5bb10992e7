//! The axes of forms in a map under construction, and the masks for the conditions at the current program point.

mod uniform;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::condition::Condition;
use super::form::Form;
use super::raiser::{MOST_BOUNDED, Raiser};
use super::value::{Kind, ValueId};
use crate::quasi_affine::Building;
use crate::typed::{BinaryOp, Expr, ExprKind, Locals, ParamId};
use dims::{CompareOp, Sym};
use elements::ElementType;
use maps::{Affine, AxisRole, MapBuilder, MapError, MaskReason, Range, TermId, UpperAxis};

pub use uniform::UniformValue;

/// The most conditions that the map of an access states, innermost first. A map that lacks a condition covers more
/// points.
const MOST_STATED: usize = 64;

/// The most conditions `!=` that are told to provers: each of them doubles the cases.
const MOST_UNEQUAL: usize = 2;

/// What an axis stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Key {
    /// A coordinate that the caller supplies.
    Free,
    Value(ValueId),
}

/// How a block or thread id, an iterator or an unknown is expressed by axes.
#[derive(Clone, Debug)]
enum Place {
    /// This constant plus an axis.
    From(Sym, usize),
    /// This constant minus an axis.
    Below(Sym, usize),
    /// The difference of two unbounded axes.
    Difference(usize, usize),
}

/// The axes over which forms are built.
#[derive(Clone, Debug)]
pub struct Axes {
    keys: Vec<Key>,
    upper: Vec<UpperAxis>,
    places: FxHashMap<ValueId, Place>,
    seen: FxHashSet<TermId>,
    /// How many more values may be visited to bound unknowns.
    pub(super) steps: u32,
    /// Whether the axes cover exactly the values that occur, rather than a superset.
    pub exact: bool,
    /// Whether data, or conditions that are not stated, decide which values occur.
    pub of_data: bool,
}

impl Axes {
    /// Axes for the caller's `free` coordinates, the block id and the thread id.
    pub fn new(raiser: &mut Raiser, free: &[UpperAxis]) -> Self {
        Self::within(raiser, free, MOST_BOUNDED)
    }

    pub(super) fn within(raiser: &mut Raiser, free: &[UpperAxis], steps: u32) -> Self {
        let mut axes = Self {
            keys: vec![Key::Free; free.len()],
            upper: free.to_vec(),
            places: FxHashMap::default(),
            seen: FxHashSet::default(),
            steps,
            exact: true,
            of_data: false,
        };
        for (kind, extent) in
            [(Kind::Block, raiser.launch.blocks.clone()), (Kind::Thread, raiser.launch.threads.clone())]
        {
            let id = raiser.intern(kind, ElementType::I64);
            let axis = axes.add(id, Some(extent), AxisRole::Thread);
            axes.places.insert(id, Place::From(Sym::zero(), axis));
        }
        axes
    }

    fn add(&mut self, id: ValueId, extent: Option<Sym>, role: AxisRole) -> usize {
        self.keys.push(Key::Value(id));
        self.upper.push(UpperAxis { extent, role });
        self.upper.len() - 1
    }

    /// The form of a value. Adds the axes that it needs.
    pub fn form(&mut self, raiser: &mut Raiser, id: ValueId) -> Form {
        let form = raiser.form(id);
        self.include(raiser, &form.sum);
        form
    }

    fn include(&mut self, raiser: &mut Raiser, sum: &Affine) {
        for (term, _) in &sum.terms {
            if self.seen.insert(*term) {
                let values = raiser.terms.parts(*term).to_vec();
                values.into_iter().for_each(|value| self.include_value(raiser, value));
            }
        }
    }

    fn include_value(&mut self, raiser: &mut Raiser, id: ValueId) {
        if self.places.contains_key(&id) {
            return;
        }
        let place = match *raiser.kind(id) {
            Kind::Iterator(local) => {
                let extent = raiser.loops.get(&local).and_then(|range| range.extent.clone());
                Place::From(Sym::zero(), self.add(id, extent, AxisRole::Local))
            }
            _ => self.unknown(raiser, id),
        };
        self.places.insert(id, place);
    }

    /// Adds axes for a value that is known by its bounds at most: one axis from the known bound on, or the difference
    /// of two unbounded axes.
    fn unknown(&mut self, raiser: &mut Raiser, id: ValueId) -> Place {
        self.exact = false;
        self.of_data |= raiser.at(id).traits.data;
        let Range { low, high } = raiser.bounds_of_unknown(id, &mut self.steps);
        let extent = low.as_ref().zip(high.as_ref()).and_then(|(low, high)| {
            let extent = high.checked_sub(low).and_then(|extent| extent.checked_add(&Sym::one())).ok()?;
            // As of an iterator, it may be zero where nothing is executed.
            raiser.facts.proves(&extent, CompareOp::Ge, &Sym::zero()).then_some(extent)
        });
        match (low, high) {
            (Some(low), _) => Place::From(low, self.add(id, extent, AxisRole::Local)),
            (None, Some(high)) => Place::Below(high, self.add(id, None, AxisRole::Local)),
            (None, None) => {
                let positive = self.add(id, None, AxisRole::Local);
                Place::Difference(positive, self.add(id, None, AxisRole::Local))
            }
        }
    }

    /// The axis that an id, or an iterator, is; `None` if it has none.
    pub fn axis_of(&self, id: ValueId) -> Option<usize> {
        match self.places.get(&id)? {
            Place::From(_, axis) => Some(*axis),
            Place::Below(..) | Place::Difference(..) => None,
        }
    }

    /// The ids, iterators and unknowns that the axes stand for.
    pub(super) fn atoms(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.places.keys().copied()
    }

    /// The extents and roles of the axes, for a map over them.
    pub fn upper(&self) -> Vec<UpperAxis> {
        self.upper.clone()
    }

    /// For each axis, the iterator that messages name, and its value at the coordinate 0; `None` for other axes.
    pub fn iterators(&self, raiser: &Raiser, locals: &Locals) -> Vec<Option<(SmolStr, Sym)>> {
        let iterator = |key: &Key| match key {
            Key::Value(id) => match raiser.kind(*id) {
                Kind::Iterator(local) => {
                    let low = raiser.loops.get(local).map_or_else(Sym::zero, |range| range.low.clone());
                    Some((locals.get(*local)?.name.clone(), low))
                }
                _ => None,
            },
            Key::Free => None,
        };
        self.keys.iter().map(iterator).collect()
    }

    /// Builds a form in a map over these axes.
    pub fn build(&self, raiser: &Raiser, form: &Form, builder: &mut MapBuilder<'_>) -> Result<Affine, MapError> {
        let place = |value: ValueId, builder: &mut MapBuilder<'_>| self.build_value(value, builder);
        Building::new(&raiser.terms, builder, place).form(&form.sum)
    }

    fn build_value(&self, id: ValueId, builder: &mut MapBuilder<'_>) -> Result<Affine, MapError> {
        match self.places.get(&id).ok_or(MapError::Malformed)? {
            Place::From(low, axis) => builder.coordinate(*axis)?.checked_offset(low),
            Place::Below(high, axis) => Affine::constant(high.clone()).checked_sub(&builder.coordinate(*axis)?),
            Place::Difference(positive, negative) => {
                builder.coordinate(*positive)?.checked_sub(&builder.coordinate(*negative)?)
            }
        }
    }

    /// For each axis, an expression that computes it at the current program point, for an access at `coordinates`.
    /// `None` for an axis whose value depends on data that no variable or coordinate holds.
    pub fn exprs(&self, raiser: &mut Raiser, coordinates: &[Expr]) -> Vec<Option<Expr>> {
        let mut computed: FxHashMap<ValueId, Expr> = FxHashMap::default();
        for id in self.places.keys() {
            if let Some(expr) = raiser.computed(*id) {
                computed.insert(*id, expr);
            }
        }
        if computed.len() < self.places.len() {
            for coordinate in coordinates {
                raiser.value_with_parts(coordinate, &mut |part, id| {
                    if self.places.contains_key(&id) && !computed.contains_key(&id) {
                        computed.insert(id, part.clone());
                    }
                });
            }
        }
        let mut exprs = vec![None; self.keys.len()];
        for (id, place) in &self.places {
            let Some(value) = computed.remove(id).map(|value| value.cast_to(ElementType::I64)) else { continue };
            match (place, raiser.kind(*id)) {
                (Place::From(_, axis), Kind::Iterator(local)) => {
                    let low = raiser.loops.get(local).map_or_else(Sym::zero, |range| range.low.clone());
                    exprs[*axis] = Some(minus(value, &low));
                }
                (Place::From(low, axis), _) => exprs[*axis] = Some(minus(value, low)),
                (Place::Below(high, axis), _) => exprs[*axis] = Some(difference(Expr::size(high), value)),
                (Place::Difference(..), _) => {}
            }
        }
        exprs
    }

    /// The conditions at the current program point that only compare values of the axes so far. Adds no axes.
    pub fn conditions_without_data(&mut self, raiser: &mut Raiser) -> Vec<(Form, CompareOp)> {
        let mut stated = self.stated(raiser);
        stated.retain(|condition| [condition.left, condition.right].into_iter().all(|side| self.holds(raiser, side)));
        self.compared(raiser, stated)
    }

    /// Whether a value is computed from values of the axes alone.
    fn holds(&self, raiser: &mut Raiser, id: ValueId) -> bool {
        let form = raiser.form(id);
        let mut parts = form.sum.terms.iter().flat_map(|(term, _)| raiser.terms.parts(*term));
        parts.all(|part| self.places.contains_key(part))
    }

    /// The conditions at the current program point, each as a form that is compared with zero, and what is known of these values
    /// that their forms do not show. Adds the axes that they need.
    pub fn conditions(&mut self, raiser: &mut Raiser, values: &[ValueId]) -> Vec<(Form, CompareOp)> {
        let mut stated = self.stated(raiser);
        stated.extend(values.iter().flat_map(|value| raiser.within_rows(*value)));
        let mut unknown: Vec<ValueId> = self.places.keys().copied().collect();
        unknown.sort_unstable();
        for id in unknown {
            stated.extend(raiser.below_divisor(id, &mut self.steps));
            stated.extend(raiser.on_strides(id));
        }
        self.compared(raiser, stated)
    }

    /// What the latest conditions `!=` at the current program point say differs from 0: a mask is a range, which cannot exclude a
    /// single number. Only of values of the axes so far, and of iterators, for which it adds axes.
    pub fn unequal(&mut self, raiser: &mut Raiser) -> Vec<Form> {
        let mut found = Vec::new();
        for (_, difference) in self.unequal_conditions(raiser) {
            self.include(raiser, &difference.sum);
            found.push(difference);
        }
        found
    }

    /// The latest condition `!=` of values of the axes.
    pub(super) fn unequal_condition(&self, raiser: &mut Raiser) -> Option<Condition> {
        Some(self.unequal_conditions(raiser).first()?.0)
    }

    /// The latest conditions `!=` of values of the axes and of iterators, each with the form that differs from 0.
    fn unequal_conditions(&self, raiser: &mut Raiser) -> Vec<(Condition, Form)> {
        let conditions = raiser.conditions().iter().rev().filter(|condition| condition.op == CompareOp::Ne);
        let conditions: Vec<Condition> = conditions.take(MOST_UNEQUAL).copied().collect();
        let mut found = Vec::new();
        for condition in conditions {
            let forms = [condition.left, condition.right].map(|side| raiser.form(side));
            let terms = forms.iter().flat_map(|form| &form.sum.terms);
            let mut parts = terms.flat_map(|(term, _)| raiser.terms.parts(*term));
            let is_known =
                |part: &ValueId| self.places.contains_key(part) || matches!(raiser.kind(*part), Kind::Iterator(_));
            if parts.all(is_known)
                && let Ok(difference) = forms[0].minus(&forms[1])
            {
                found.push((condition, difference));
            }
        }
        found
    }

    fn stated(&mut self, raiser: &Raiser) -> Vec<Condition> {
        // A mask is a range, which cannot exclude a single number.
        let ranges = || raiser.conditions().iter().rev().filter(|condition| condition.op != CompareOp::Ne);
        let mut stated: Vec<Condition> = ranges().take(MOST_STATED).cloned().collect();
        stated.reverse();
        if raiser.unstated() > 0 || stated.len() < raiser.conditions().len() {
            (self.exact, self.of_data) = (false, true);
        }
        stated
    }

    fn compared(&mut self, raiser: &mut Raiser, stated: Vec<Condition>) -> Vec<(Form, CompareOp)> {
        let mut found = Vec::with_capacity(stated.len());
        for Condition { left, op, right } in stated {
            let (first, second) = (self.form(raiser, left), self.form(raiser, right));
            match first.minus(&second) {
                Ok(form) => add(&mut found, form, op),
                _ => (self.exact, self.of_data) = (false, true),
            }
        }
        found
    }

    /// Adds conditions as masks of the map. A lower and an upper bound of the same value share one mask, so that proofs
    /// use both at once. Returns whether every condition could be stated.
    pub fn state(
        &self,
        raiser: &Raiser,
        conditions: &[(Form, CompareOp)],
        builder: &mut MapBuilder<'_>,
    ) -> Result<bool, MapError> {
        let mut boxes: Vec<MaskBounds> = Vec::new();
        let mut exact = true;
        for (form, op) in conditions {
            let value = self.build(raiser, form, builder)?;
            let Some((value, low, high)) = mask_bounds(value, *op) else {
                exact = false;
                continue;
            };
            let fits = |known: &&mut MaskBounds| {
                known.0 == value && !(known.1.is_some() && low.is_some()) && !(known.2.is_some() && high.is_some())
            };
            match boxes.iter_mut().find(fits) {
                Some(known) => {
                    known.1 = known.1.take().or(low);
                    known.2 = known.2.take().or(high);
                }
                None => boxes.push((value, low, high)),
            }
        }
        for (value, low, high) in &boxes {
            builder.mask(value, low.as_ref(), high.as_ref(), MaskReason::Guard)?;
        }
        Ok(exact)
    }
}

impl Raiser {
    /// An expression for a value at the current program point: an id, a parameter, or a variable that holds it.
    fn computed(&self, id: ValueId) -> Option<Expr> {
        let element = self.element(id);
        let kind = match self.kind(id) {
            Kind::Block => ExprKind::BlockId,
            Kind::Thread => ExprKind::ThreadId,
            Kind::Scalar(ParamId(param)) => ExprKind::Scalar(ParamId(*param)),
            _ => ExprKind::Local(self.holder(id)?),
        };
        Some(Expr { kind, element })
    }
}

/// A value, its lower bound (inclusive) and its upper bound (exclusive).
type MaskBounds = (Affine, Option<Sym>, Option<Sym>);

/// `value op 0` as bounds of the value without its constant; `None` of `!=`, and if a bound overflows 64 bits.
fn mask_bounds(mut value: Affine, op: CompareOp) -> Option<MaskBounds> {
    // Moves the constant to the other side, so that bounds of the same value can share a mask.
    let constant = std::mem::replace(&mut value.constant, Sym::zero());
    let [low, high] = op.half_open(&constant.checked_neg().ok()?).ok()?;
    (op != CompareOp::Ne).then_some((value, low, high))
}

/// Adds a condition, unless one that is known implies it, which is replaced if it is the weaker one: an `else if` ladder
/// compares one value with many numbers.
fn add(conditions: &mut Vec<(Form, CompareOp)>, form: Form, op: CompareOp) {
    let is_stronger: fn(&i64, &i64) -> bool = match op {
        CompareOp::Ge | CompareOp::Gt => i64::lt,
        CompareOp::Le | CompareOp::Lt => i64::gt,
        CompareOp::Eq | CompareOp::Ne => return conditions.push((form, op)),
    };
    let same = |(known, other): &&mut (Form, CompareOp)| *other == op && known.sum.terms == form.sum.terms;
    let constant = |form: &Form| form.sum.constant.as_constant();
    match conditions.iter_mut().find(same) {
        Some((known, _)) if let (Some(old), Some(new)) = (constant(known), constant(&form)) => {
            if is_stronger(&new, &old) {
                *known = form;
            }
        }
        _ => conditions.push((form, op)),
    }
}

fn difference(left: Expr, right: Expr) -> Expr {
    Expr::binary(BinaryOp::Subtract, left, right)
}

fn minus(value: Expr, low: &Sym) -> Expr {
    if low.is_zero() { value } else { difference(value, Expr::size(low)) }
}
