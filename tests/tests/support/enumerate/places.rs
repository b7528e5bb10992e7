//! The place that an access touches, who touched it before, and what it holds.

use dims::{Sym, Symbol};
use elements::ElementType;
use kernel::typed::{Access, ExprKind, Memory, ParamKind, SharedId, Statement, StatementKind};
use maps::{MapError, evaluate};

use super::arithmetic::wrap;
use super::waits::Event;
use super::{Fault, MOST_ELEMENTS, Machine, Outcome, Value, unknown};

impl Machine<'_> {
    /// The place in the storage, by the map; nothing where the access is masked off.
    pub(super) fn place(&mut self, access: &Access, verb: &str) -> Outcome<Option<i64>> {
        self.count()?;
        let (shape, strides) = self.layout(access.memory)?;
        let coordinates = access
            .coordinates
            .iter()
            .map(|coordinate| self.int(coordinate).map(|value| value as i64))
            .collect::<Outcome<Vec<i64>>>()?;
        let known = |symbol: &Symbol| self.launch.sizes.get(symbol).copied();
        let outside = |machine: &Self, what: String| {
            let what = format!("{verb} of {} at coordinate {coordinates:?}", machine.describe(access, what));
            match machine.launch.guarded {
                true => Ok(None),
                // What a tile holds was stored by other threads, of which this one knows nothing.
                false if machine.reads_a_tile(access) => unknown("an index that is an element of a tile"),
                false => Err(Fault::OutOfBounds(what)),
            }
        };
        let point = match evaluate(&access.map, &coordinates, &known) {
            Ok(point) => point,
            Err(MapError::Overflow | MapError::Size(_)) if self.is_beyond_machines(access) => {
                return unknown("a view of that many elements");
            }
            Err(error) => return outside(self, error.to_string()),
        };
        let masked = match &access.mask {
            Some(mask) => !self.bool(mask)?,
            None => false,
        };
        if point.valid == masked && (access.mask.is_some() || !self.launch.guarded) {
            if access.mask.is_none() {
                return outside(self, "an invalid coordinate".to_owned());
            }
            let what = format!("the map says valid = {}, the mask says masked = {masked}", point.valid);
            return Err(Fault::Lowering(format!("{what}: {}", self.describe(access, format!("{coordinates:?}")))));
        }
        if !point.valid {
            return Ok(None);
        }
        let Some(place) = self.stored(point.lower[0], &shape, &strides)? else {
            return outside(self, format!("element {}", point.lower[0]));
        };
        let offset = self.int(&access.offset)?;
        if offset != i128::from(place) {
            let what = format!("the offset is {offset}");
            return Err(Fault::Lowering(format!("{what}: {}", self.describe(access, place))));
        }
        Ok(Some(place))
    }

    /// Whether an index of an access is read from the array of a tile.
    fn reads_a_tile(&self, access: &Access) -> bool {
        let mut found = false;
        for coordinate in &access.coordinates {
            coordinate.walk(&mut |part| {
                found |= matches!(&part.kind, ExprKind::Load(inner) if matches!(inner.memory, Memory::Shared(_)));
            });
        }
        found && self.launch.kernel.body.iter().any(has_tiles)
    }

    /// The shape and the strides of a memory.
    fn layout(&self, memory: Memory) -> Outcome<(Vec<Sym>, Vec<Sym>)> {
        match memory {
            Memory::Shared(array) => {
                let length = self.launch.kernel.shared[array].length.clone();
                Ok((vec![length], vec![Sym::one()]))
            }
            Memory::Param(param) => match &self.launch.kernel.params[param].kind {
                ParamKind::Tensor { shape, strides, .. } => Ok((shape.clone(), strides.clone())),
                ParamKind::Scalar => unknown("an access to a scalar"),
            },
        }
    }

    /// The place of an element by its row-major number; nothing beyond the shape.
    fn stored(&self, element: i64, shape: &[Sym], strides: &[Sym]) -> Outcome<Option<i64>> {
        let (mut rest, mut place) = (element, 0_i64);
        for (dim, stride) in shape.iter().zip(strides).rev() {
            let (dim, stride) = (self.size(dim)?, self.size(stride)?);
            let step = rest.rem_euclid(dim).checked_mul(stride);
            let Some(next) = step.and_then(|step| step.checked_add(place)) else {
                return unknown("strides that no machine holds");
            };
            place = next;
            rest = rest.div_euclid(dim);
        }
        Ok((rest == 0).then_some(place))
    }

    /// Whether the access's map deals out more than any machine holds, so that its masked places overflow.
    fn is_beyond_machines(&self, access: &Access) -> bool {
        let extents = access.map.upper.iter().filter_map(|axis| axis.extent.as_ref());
        extents.filter_map(|extent| self.size(extent).ok()).any(|extent| extent > MOST_ELEMENTS)
    }

    /// A race, unless the places are elements of a tile, of which the enumerator does not know that they differ.
    fn race(&self, access: &Access, what: String) -> Outcome<()> {
        if self.reads_a_tile(access) {
            return unknown("places that are elements of a tile");
        }
        Err(Fault::Race(what))
    }

    pub(super) fn note_write(&mut self, access: &Access, place: i64) -> Outcome<()> {
        let Some((tensor, id)) = self.tensor(access, place, true) else { return Ok(()) };
        let touched = self.touched.entry((tensor, place)).or_default();
        let mut others = touched.writer.into_iter().chain(touched.readers.into_iter().flatten());
        if let Some(other) = others.rfind(|other| *other != id) {
            return self.race(access, format!("written {}, touched by {other}", self.describe(access, place)));
        }
        touched.writer = Some(id);
        Ok(())
    }

    /// The number of the tensor that is accessed, and of whoever else must not: the thread, or the block where barriers order its
    /// threads. What these do is judged later.
    fn tensor(&mut self, access: &Access, place: i64, write: bool) -> Option<(usize, i64)> {
        let memory = access.memory;
        let is_ordered = self.launch.kernel.is_ordered_by_barriers(memory);
        if is_ordered {
            self.history.push(Event::Touch { memory, place, write });
        }
        let id = if is_ordered { self.block } else { self.id() };
        memory.param().map(|param| (param.0 as usize, id))
    }

    pub(super) fn note_read(&mut self, access: &Access, place: i64) -> Outcome<()> {
        let Some((tensor, id)) = self.tensor(access, place, false) else { return Ok(()) };
        let touched = self.touched.entry((tensor, place)).or_default();
        if let Some(other) = touched.writer.filter(|other| *other != id) {
            return self.race(access, format!("read {}, written by {other}", self.describe(access, place)));
        }
        match touched.readers {
            [Some(first), None] if first != id => touched.readers[1] = Some(id),
            [None, _] => touched.readers[0] = Some(id),
            _ => {}
        }
        Ok(())
    }

    /// The array that is accessed, if every thread has its own.
    pub(super) fn own_array(&self, access: &Access) -> Option<u32> {
        match access.memory {
            Memory::Shared(SharedId(array)) if self.launch.kernel.is_held_by_thread(access.memory) => Some(array),
            _ => None,
        }
    }

    /// A number of what is accessed.
    fn number(&self, access: &Access) -> u64 {
        match access.memory {
            Memory::Param(param) => u64::from(param.0),
            Memory::Shared(array) => self.launch.kernel.params.len() as u64 + u64::from(array.0),
        }
    }

    /// What an element holds: small numbers, a few of them negative, and now and then one at the end of its type.
    pub(super) fn element(&self, access: &Access, place: i64, element: ElementType) -> Value {
        let mixed = (self.launch.data ^ (self.number(access) << 40) ^ place as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9);
        const ENDS: [i128; 4] = [i64::MAX as i128, i64::MIN as i128, i32::MAX as i128, 1 << 62];
        let small = i128::from(mixed >> 59) - 8;
        let value = if mixed.is_multiple_of(8) { ENDS[(mixed >> 3) as usize % 4] } else { small };
        if element.is_float() {
            Value::Float(if mixed.is_multiple_of(32) { f64::NAN } else { value as f64 })
        } else if element == ElementType::Bool {
            Value::Bool(value > 0)
        } else {
            Value::Int(wrap(value, element))
        }
    }
}

fn has_tiles(statement: &Statement) -> bool {
    let mut found = false;
    Statement::walk(std::slice::from_ref(statement), &mut |inner| {
        found |= matches!(inner.kind, StatementKind::Each(_));
    });
    found
}
