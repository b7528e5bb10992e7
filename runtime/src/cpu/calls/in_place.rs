//! Finds tiles that are copied only to be factors of products, and reads them where they are instead: in a tensor that
//! the kernel does not write.
//!
//! It is decided whenever such a tile would be copied: one that reaches over the edge of its tensor is, since the elements
//! outside are zeros. Two variables of the code hold the place of the tile's first element and the distance of its rows.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use kernel::loops::{AccessId, For, Node, ValueId};
use kernel::typed::{Memory, SharedId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::lane_sums::LaneSums;
use super::places::{Along, Dimension, InPlace, Place};
use super::products::{Factor, TileRegion};
use super::tile_copies::TileCopy;
use super::works::Work;
use crate::cpu::indices::form::{Atom, Digits};
use crate::cpu::indices::forms::Forms;
use crate::cpu::launch::launch_table::LaunchValue;
use crate::cpu::lowering::emitter::Emitter;
use crate::cpu::phases::phase::{ArrayLength, Ending, Ends, Phase, Region};
use crate::cpu::program::{Taken, walk};

/// Rows at a distance of a multiple of this many bytes share a few places of a processor's first cache.
const BYTES_OF_PAGE: i64 = 4096;

/// The least distance of rows from such a multiple at which they are walked where they are: a cache line.
const LEAST_SHIFT: i64 = 64;

/// The arrays that one region fills with a tile of a tensor which the kernel does not write, and that are factors of
/// products everywhere else.
pub fn arrays_in_place(forms: &mut Forms<'_>, phases: &[Phase], works: &[Work<'_>]) -> Vec<InPlace> {
    let mut used = Uses { forms, found: FxHashMap::default(), elsewhere: FxHashSet::default() };
    for work in works {
        match work {
            Work::Copy(copy) => used.copy(copy),
            Work::Fill(fills, _) => fills.iter().for_each(|fill| used.fill(fill.in_place)),
            _ => {}
        }
    }
    for work in works {
        if let Work::Products(region) = work {
            used.products(region);
        }
    }
    for work in works {
        if let Work::Lanes(sums) = work {
            used.lanes(sums);
        }
    }
    if !used.found.is_empty() {
        used.phases(phases, works);
    }
    let Uses { mut found, mut elsewhere, .. } = used;
    // What a region fills is read in place or copied together.
    for work in works {
        if let Work::Fill(fills, _) = work
            && fills.iter().any(|fill| elsewhere.contains(&fill.in_place.array))
        {
            elsewhere.extend(fills.iter().map(|fill| fill.in_place.array));
        }
    }
    found.retain(|array, _| !elsewhere.contains(array));
    let mut found: Vec<InPlace> = found.into_values().collect();
    found.sort_by_key(|in_place| in_place.array);
    found
}

/// What is done with the arrays of a block.
struct Uses<'f, 'l> {
    forms: &'f mut Forms<'l>,
    /// The arrays that a single copy fills.
    found: FxHashMap<SharedId, InPlace>,
    /// The arrays with other uses.
    elsewhere: FxHashSet<SharedId>,
}

impl Uses<'_, '_> {
    fn copy(&mut self, copy: &TileCopy<'_>) {
        let [from, to] = [copy.from, copy.to].map(|access| self.forms.program.access(access));
        self.elsewhere.extend(from.array());
        let Some(array) = to.array() else { return };
        let is_constant = from.is_constant && from.array().is_none();
        let in_place = filled(self.forms, copy, array).filter(|_| is_constant && !self.found.contains_key(&array));
        match in_place {
            Some(in_place) => drop(self.found.insert(array, in_place)),
            None => drop(self.elsewhere.insert(array)),
        }
    }

    fn fill(&mut self, in_place: InPlace) {
        if self.found.insert(in_place.array, in_place).is_some() {
            self.elsewhere.insert(in_place.array);
        }
    }

    fn products(&mut self, region: &TileRegion<'_>) {
        for (initial, to) in &region.arrays {
            let memories = [Some(*to), initial.array()].into_iter().flatten();
            self.elsewhere.extend(memories.filter_map(array_of));
        }
        for (sum, [rows, columns]) in region.called() {
            let left = sum.left.iter().map(|left| (left, rows, true));
            for (factor, extent, is_left) in left.chain([(&sum.right, columns, false)]) {
                let Some(array) = self.forms.program.access(factor.access).array() else { continue };
                let is_tile = |in_place: &&mut InPlace| {
                    region.guard.is_none() && is_tile(self.forms, region, (factor, extent), in_place)
                };
                match self.found.get_mut(&array).filter(is_tile) {
                    Some(in_place) => {
                        let along = in_place.along(factor.along);
                        let in_tensor = along.map(|along| in_place.dimensions[along.dimension].in_tensor);
                        in_place.walks_rows |= is_left && in_tensor.is_some_and(|distance| distance.is(1));
                    }
                    None => drop(self.elsewhere.insert(array)),
                }
            }
        }
    }

    /// Sums over rows without gaps may be read in place, where that is one row of the tensor.
    fn lanes(&mut self, sums: &LaneSums) {
        self.elsewhere.extend(sums.totals.and_then(array_of));
        let Some(array) = array_of(sums.values) else { return };
        let length = self.forms.program.arrays.get(array.0 as usize).map(|array| array.length);
        let is_row = |in_place: &InPlace| {
            let [rows, columns] = in_place.dimensions;
            let is_row = rows.extent == 1 && columns.apart == 1 && columns.in_tensor.is(1);
            is_row && length == Some(ArrayLength::Elements(columns.extent))
        };
        if sums.running || !self.found.get(&array).is_some_and(is_row) {
            self.elsewhere.insert(array);
        }
    }

    /// Collects what threads read and write one by one.
    fn phases(&mut self, phases: &[Phase], works: &[Work<'_>]) {
        for phase in phases {
            match phase {
                Phase::Threads(region) if matches!(works.get(region.number), Some(Work::Threads) | None) => {
                    self.region(region);
                }
                Phase::Threads(region) => self.taken(region),
                Phase::Loop { ends, body, ending, .. } => {
                    match ends {
                        Ends::Uniform(ends) => self.values(ends.to_vec(), &Taken::new()),
                        Ends::Widest { region, ends } => {
                            self.region(region);
                            self.values(ends.to_vec(), &region.taken);
                        }
                    }
                    self.phases(body, works);
                    if let Some(Ending { region, goes_on }) = ending {
                        self.region(region);
                        self.values(vec![*goes_on], &region.taken);
                    }
                }
                Phase::If { condition, then, otherwise } => {
                    self.values(vec![*condition], &Taken::new());
                    self.phases(then, works);
                    self.phases(otherwise, works);
                }
            }
        }
    }

    fn region(&mut self, region: &Region) {
        let mut open = Vec::new();
        walk(&region.body, &mut |step| {
            open.extend(step.kind.values());
            let program = self.forms.program;
            for access in step.accesses.iter().copied().chain(step.kind.written()) {
                self.elsewhere.extend(program.access(access).array());
                open.extend(program.place(access));
            }
        });
        self.values(open, &region.taken);
    }

    /// Collects what a call takes from arrays of the kernel besides what it multiplies, adds up or copies.
    fn taken(&mut self, region: &Region) {
        let program = self.forms.program;
        for id in &region.taken {
            let Node::Load(access) = program.node(*id, &region.taken) else { continue };
            let array = program.access(*access).array();
            let is_kernels = |array: &SharedId| {
                let array = program.arrays.get(array.0 as usize);
                array.is_some_and(|array| matches!(array.length, ArrayLength::Elements(_)))
            };
            self.elsewhere.extend(array.filter(is_kernels));
        }
    }

    /// Collects the arrays that are read to compute values.
    fn values(&mut self, mut open: Vec<ValueId>, taken: &Taken) {
        let program = self.forms.program;
        let mut seen = FxHashSet::default();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match program.node(id, taken) {
                Node::Load(access) => {
                    self.elsewhere.extend(program.access(*access).array());
                    open.extend(program.place(*access));
                }
                node => open.extend(node.operands()),
            }
        }
    }
}

fn array_of(memory: Memory) -> Option<SharedId> {
    match memory {
        Memory::Shared(array) => Some(array),
        Memory::Param(_) => None,
    }
}

/// The array that a tile fills from the first to the last element, if it does.
fn filled(forms: &mut Forms<'_>, copy: &TileCopy<'_>, array: SharedId) -> Option<InPlace> {
    let [rows, columns] = [0, 1].map(|digit: usize| copy.ranges[digit].clone());
    let starts_at_first = rows.start == 0 && columns.start == 0 && starts_at_first(forms, copy.to, copy.digits, None);
    let is_dense = copy.is_plain() && columns.end > 1 && copy.rows_apart[1].is(columns.end);
    let length = ArrayLength::Elements(rows.end.checked_mul(columns.end)?);
    let fills = forms.program.arrays.get(array.0 as usize)?.length == length;
    // Elements that are left out would be those of the copy before, which the array may never have got.
    let dimensions = [
        Dimension { extent: rows.end, apart: columns.end, in_tensor: copy.rows_apart[0] },
        Dimension { extent: columns.end, apart: 1, in_tensor: LaunchValue::Constant(1) },
    ];
    let in_place = InPlace { array, dimensions, is_whole: true, walks_rows: false };
    (starts_at_first && is_dense && fills && copy.gives_all()).then_some(in_place)
}

/// Whether an access of the first thread, in the first iteration of a loop from 0 on, is of the first element.
fn starts_at_first(forms: &mut Forms<'_>, access: AccessId, digits: Digits, own: Option<&For>) -> bool {
    let offset = forms.program.access(access).offset;
    forms.split(digits);
    let offset = forms.form(offset);
    forms.unsplit();
    let is_zero_there = |atom: &Atom| match atom {
        Atom::Digit(_) => true,
        Atom::Value(value) => own.is_some_and(|own| *value == own.iterator),
        _ => false,
    };
    offset.constant.is(0) && offset.terms.iter().all(|(atom, _)| is_zero_there(forms.atom(*atom)))
}

/// Whether a factor, which differs in this many rows or columns, is a part of a tile from its first element on.
fn is_tile(
    forms: &mut Forms<'_>,
    region: &TileRegion<'_>,
    (factor, count): (&Factor, i64),
    in_place: &InPlace,
) -> bool {
    let TileRegion { own, tile, .. } = region;
    let starts_at_zero = tile.ranges.iter().all(|range| range.start == 0)
        && own.ends.first().and_then(|low| forms.program.constant(*low)) == Some(0);
    let [Some(across), Some(along)] = [factor.across, factor.along].map(|distance| in_place.along(distance)) else {
        return false;
    };
    // Beyond the last of the outer dimension is nothing, if the tile is all of the array.
    let is_free = |dimension: usize| dimension == 0 && in_place.is_whole;
    let steps = own.iterations.1.and_then(|most| i64::try_from(most).ok());
    let stays_inside = [0, 1].into_iter().all(|dimension| {
        let reach = [(across, Some(count)), (along, steps)].into_iter().try_fold(0i64, |reach, (part, count)| {
            if part.dimension != dimension || part.times == 0 {
                return Some(reach);
            }
            if part.times < 0 {
                return None;
            }
            reach.checked_add(part.times.checked_mul((count? - 1).max(0))?)
        });
        is_free(dimension) || reach.is_some_and(|reach| reach < in_place.dimensions[dimension].extent)
    });
    starts_at_zero && stays_inside && starts_at_first(forms, factor.access, tile.digits, Some(own))
}

impl Emitter<'_, '_> {
    /// Where a block starts, every tile is in its array.
    pub fn enter_places(&mut self, arrays: &[InPlace]) {
        for in_place in arrays {
            let [address, outer, inner] = [0, 1, 2].map(|_| self.builder.declare_var(types::I64));
            self.places.insert(in_place.array, Place { in_place: *in_place, address, apart: [outer, inner] });
            self.read_array(in_place.array);
        }
    }

    /// From now on, a tile is read in its array.
    pub fn read_array(&mut self, array: SharedId) {
        let Some(place) = self.places.get(&array).copied() else { return };
        let base = self.base(Memory::Shared(array));
        let apart = place.in_place.dimensions.map(|dimension| self.int(dimension.apart));
        self.define_place(place, base, apart);
    }

    /// Whether a tile can be read where it is in the tensor, if all of it is inside there; `None` if it never is.
    pub fn can_be_read(&mut self, array: SharedId, bytes: i64) -> Option<Value> {
        let Place { in_place, .. } = *self.places.get(&array)?;
        if !in_place.walks_rows {
            return Some(self.builder.ins().iconst(types::I8, 1));
        }
        let rows_apart = self.launch_value(in_place.rows_apart());
        let shift = self.builder.ins().imul_imm_s(rows_apart, bytes);
        let shifted = self.builder.ins().iadd_imm_s(shift, LEAST_SHIFT);
        let beyond = self.builder.ins().band_imm_u(shifted, BYTES_OF_PAGE - 1);
        Some(self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThan, beyond, 2 * LEAST_SHIFT))
    }

    /// From now on, a tile is read in the tensor, where its first element has this address.
    pub fn read_in_place(&mut self, array: SharedId, first: Value) {
        let Some(place) = self.places.get(&array).copied() else { return };
        let apart = place.in_place.dimensions.map(|dimension| self.launch_value(dimension.in_tensor));
        self.define_place(place, first, apart);
    }

    fn define_place(&mut self, place: Place, first: Value, apart: [Value; 2]) {
        self.builder.def_var(place.address, first);
        place.apart.into_iter().zip(apart).for_each(|(variable, apart)| self.builder.def_var(variable, apart));
    }

    /// The address of the first element of an array, or of the tile that is read in its place.
    pub fn first_of_array(&mut self, memory: Memory) -> Value {
        let place = array_of(memory).and_then(|array| self.places.get(&array).copied());
        match place {
            Some(Place { address, .. }) => self.builder.use_var(address),
            None => self.base(memory),
        }
    }

    /// The address of the first element of a factor that may be read in place, and its distances from thread to thread and
    /// from iteration to iteration.
    pub fn factor_in_place(&mut self, factor: &Factor) -> Option<[Value; 3]> {
        let array = self.program.access(factor.access).array()?;
        let Place { in_place, address, apart } = *self.places.get(&array)?;
        let address = self.builder.use_var(address);
        let mut distance = |distance: LaunchValue| {
            let Along { dimension, times } = in_place.along(distance)?;
            let apart = self.builder.use_var(apart[dimension]);
            Some(self.builder.ins().imul_imm_s(apart, times))
        };
        let [across, along] = [distance(factor.across)?, distance(factor.along)?];
        Some([address, across, along])
    }
}
