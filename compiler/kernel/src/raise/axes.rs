//! Forms in a map under construction: the axes that they are made of, and the conditions around the walk as masks.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::ends::{Ends, MOST_STEPS};
use super::forms::Form;
use super::values::Kind;
use super::{Condition, Raiser, ValueId};
use crate::quasi_affine::Building;
use crate::typed::{BinaryOp, Expr, ExprKind, LocalVariable, ParamId};
use dims::{CompareOp, Sym};
use elements::ElementType;
use maps::{Affine, AxisRole, MapBuilder, MapError, MaskReason, TermId, UpperAxis};

/// The most conditions around an access that its map states, the innermost ones. Without the others it reaches more.
const MOST_STATED: usize = 64;

/// Who an axis is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Key {
    /// A coordinate that the caller supplies.
    Free,
    Value(ValueId),
}

/// How an id, an iterator or an unknown is made of axes.
#[derive(Clone, Debug)]
enum Place {
    /// An axis from this value on.
    From(Sym, usize),
    /// This value less an axis.
    Below(Sym, usize),
    /// The difference of two axes without end.
    Difference(usize, usize),
}

/// The axes that forms are made of.
#[derive(Clone, Debug)]
pub struct Axes {
    keys: Vec<Key>,
    upper: Vec<UpperAxis>,
    places: FxHashMap<ValueId, Place>,
    seen: FxHashSet<TermId>,
    /// How many values may still be looked at for ends of unknowns.
    pub(super) steps: u32,
    /// Whether the axes say exactly which values occur.
    pub exact: bool,
}

impl Axes {
    /// Axes for `free` coordinates of the caller, the block id and the thread id.
    pub fn new(raiser: &mut Raiser, free: &[UpperAxis]) -> Self {
        Self::within(raiser, free, MOST_STEPS)
    }

    pub(super) fn within(raiser: &mut Raiser, free: &[UpperAxis], steps: u32) -> Self {
        let mut axes = Self {
            keys: vec![Key::Free; free.len()],
            upper: free.to_vec(),
            places: FxHashMap::default(),
            seen: FxHashSet::default(),
            steps,
            exact: true,
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

    /// The form of a value, whose axes are among these from here on.
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

    /// A value of which only ends are known: an axis from the known end on, or the difference of two axes without end.
    fn unknown(&mut self, raiser: &mut Raiser, id: ValueId) -> Place {
        self.exact = false;
        let Ends { low, high } = raiser.ends_of_unknown(id, &mut self.steps);
        let extent = low.as_ref().zip(high.as_ref()).and_then(|(low, high)| {
            let extent = high.checked_sub(low).and_then(|extent| extent.checked_add(&Sym::one())).ok()?;
            raiser.facts.prove(&extent, CompareOp::Ge, &Sym::one()).is_proven().then_some(extent)
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

    /// The ids, iterators and unknowns that the axes are.
    pub(super) fn atoms(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.places.keys().copied()
    }

    /// The axes of values that all threads of the launch see as one, at any time, with these values.
    pub fn uniform(&self, raiser: &Raiser) -> Vec<(usize, ValueId)> {
        let value = |key: &Key| match key {
            Key::Value(id) if raiser.is_uniform(*id) => Some(*id),
            _ => None,
        };
        self.keys.iter().enumerate().filter_map(|(axis, key)| Some((axis, value(key)?))).collect()
    }

    /// The upper axes of a map over these axes.
    pub fn upper(&self) -> Vec<UpperAxis> {
        self.upper.clone()
    }

    /// What each axis is called in messages; empty for what has no name.
    pub fn names(&self, raiser: &Raiser, locals: &[LocalVariable]) -> Vec<SmolStr> {
        let name = |key: &Key| match key {
            Key::Value(id) => match raiser.kind(*id) {
                Kind::Iterator(local) => locals.get(local.0 as usize).map(|local| local.name.clone()),
                _ => None,
            },
            Key::Free => None,
        };
        self.keys.iter().map(|key| name(key).unwrap_or_default()).collect()
    }

    /// The form in a map under construction over these axes.
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

    /// The expressions that compute the axes where the walk stands, at `coordinates`; `None` for an axis that only the data
    /// knows.
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
            let Some(value) = computed.remove(id).map(as_index) else { continue };
            match (place, raiser.kind(*id)) {
                (Place::From(_, axis), Kind::Iterator(local)) => {
                    let low = raiser.loops.get(local).map_or_else(Sym::zero, |range| range.low.clone());
                    exprs[*axis] = Some(minus(value, &low));
                }
                (Place::From(low, axis), _) => exprs[*axis] = Some(minus(value, low)),
                (Place::Below(high, axis), _) => exprs[*axis] = Some(difference(size(high), value)),
                (Place::Difference(..), _) => {}
            }
        }
        exprs
    }

    /// The conditions around the walk that compare nothing but what these axes are made of.
    pub fn conditions_without_data(&mut self, raiser: &mut Raiser) -> Vec<(Form, CompareOp)> {
        let mut stated = self.stated(raiser);
        stated.retain(|condition| [condition.left, condition.right].into_iter().all(|side| self.holds(raiser, side)));
        self.compared(raiser, stated)
    }

    /// Whether a value is made of nothing but what these axes are.
    fn holds(&self, raiser: &mut Raiser, id: ValueId) -> bool {
        let form = raiser.form(id);
        let mut parts = form.sum.terms.iter().flat_map(|(term, _)| raiser.terms.parts(*term));
        parts.all(|part| self.places.contains_key(part))
    }

    /// The conditions around the walk, each as a form that is compared with zero; their axes are among these from here on.
    pub fn conditions(&mut self, raiser: &mut Raiser) -> Vec<(Form, CompareOp)> {
        let stated = self.stated(raiser);
        self.compared(raiser, stated)
    }

    fn stated(&mut self, raiser: &Raiser) -> Vec<Condition> {
        let all = raiser.conditions().len();
        if raiser.unstated() > 0 || all > MOST_STATED {
            self.exact = false;
        }
        raiser.conditions()[all.saturating_sub(MOST_STATED)..].to_vec()
    }

    fn compared(&mut self, raiser: &mut Raiser, stated: Vec<Condition>) -> Vec<(Form, CompareOp)> {
        let mut found = Vec::with_capacity(stated.len());
        for Condition { left, op, right } in stated {
            let (first, second) = (self.form(raiser, left), self.form(raiser, right));
            match first.minus(&second) {
                // No box says that two numbers differ.
                Ok(form) if op != CompareOp::Ne => found.push((form, op)),
                _ => self.exact = false,
            }
        }
        found
    }

    /// Adds conditions as masks. Two ends of one value become one mask, so that they are seen together. The answer says
    /// whether all could be stated.
    pub fn state(
        &self,
        raiser: &Raiser,
        conditions: &[(Form, CompareOp)],
        builder: &mut MapBuilder<'_>,
    ) -> Result<bool, MapError> {
        let mut boxes: Vec<Bounds> = Vec::new();
        let mut exact = true;
        for (form, op) in conditions {
            let value = self.build(raiser, form, builder)?;
            let Some((value, low, high)) = bounds(value, *op) else {
                exact = false;
                continue;
            };
            let fits = |known: &&mut Bounds| {
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
    /// An expression that computes a value where the walk stands: an id, a parameter, or a variable that holds it.
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

/// A value with its lowest allowed value and one past its highest.
type Bounds = (Affine, Option<Sym>, Option<Sym>);

/// `value op 0` as bounds of the value without its constant; `None` where they leave 64 bits.
fn bounds(mut value: Affine, op: CompareOp) -> Option<Bounds> {
    // The constant goes to the other side, so that equal conditions look equal.
    let constant = std::mem::replace(&mut value.constant, Sym::zero());
    let bound = constant.checked_neg().ok()?;
    let next = || bound.checked_add(&Sym::one()).ok();
    let (low, high) = match op {
        CompareOp::Eq => (Some(bound.clone()), Some(next()?)),
        CompareOp::Lt => (None, Some(bound)),
        CompareOp::Le => (None, Some(next()?)),
        CompareOp::Gt => (Some(next()?), None),
        CompareOp::Ge => (Some(bound), None),
        CompareOp::Ne => return None,
    };
    Some((value, low, high))
}

/// A dimension expression as an `i64`.
fn size(value: &Sym) -> Expr {
    let kind = match value.as_constant() {
        Some(value) => ExprKind::Constant(crate::typed::Constant::Int(value)),
        None => ExprKind::Size(value.clone()),
    };
    Expr { kind, element: ElementType::I64 }
}

fn as_index(expr: Expr) -> Expr {
    if expr.element == ElementType::I64 {
        return expr;
    }
    Expr { kind: ExprKind::Cast(Box::new(expr)), element: ElementType::I64 }
}

fn difference(left: Expr, right: Expr) -> Expr {
    let kind = ExprKind::Binary(BinaryOp::Subtract, Box::new(left), Box::new(right));
    Expr { kind, element: ElementType::I64 }
}

fn minus(value: Expr, low: &Sym) -> Expr {
    if low.is_zero() { value } else { difference(value, size(low)) }
}
