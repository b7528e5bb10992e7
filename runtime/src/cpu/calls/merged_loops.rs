//! Finds loops around a product whose iterations only go on where the one before ended: each fills arrays with the next part of
//! the factors, which are read where they are, and adds products to the same sums. All iterations are one call.

use std::collections::HashSet;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use kernel::loops::{AccessId, ValueId};
use kernel::typed::{Memory, SharedId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::products::{Factor, Initial, TileRegion, is_uniform};
use super::works::{Work, Works};
use crate::cpu::indices::form::{Atom, Digits};
use crate::cpu::indices::forms::Forms;
use crate::cpu::indices::shape::{LaneFacts, Step};
use crate::cpu::launch::launch_table::LaunchValue;
use crate::cpu::lowering::emitter::Emitter;
use crate::cpu::phases::phase::{Ends, Phase, Region};

/// The iterators of such loops.
pub fn merged_loops<'l>(forms: &mut Forms<'l>, phases: &'l [Phase], works: &Works<'_>) -> FxHashSet<ValueId> {
    let mut found = FxHashSet::default();
    add_loops(forms, phases, works, &mut found);
    found
}

fn add_loops<'l>(forms: &mut Forms<'l>, phases: &'l [Phase], works: &Works<'_>, found: &mut FxHashSet<ValueId>) {
    for phase in phases {
        match phase {
            Phase::Threads(_) => {}
            Phase::Loop { iterator, ends: Ends::Uniform(_), body, ending: None }
                if is_merged(forms, *iterator, body, works).is_some() =>
            {
                found.insert(*iterator);
            }
            Phase::Loop { body, .. } => add_loops(forms, body, works, found),
            Phase::If { then, otherwise, .. } => {
                [then, otherwise].into_iter().for_each(|side| add_loops(forms, side, works, found));
            }
        }
    }
}

/// How far the tile that an iteration copies to an array is from the one before.
type Advances = FxHashMap<SharedId, LaunchValue>;

/// Whether the loop is one call, which is said by something.
fn is_merged<'l>(forms: &mut Forms<'l>, iterator: ValueId, body: &'l [Phase], works: &Works<'_>) -> Option<()> {
    let (Phase::Threads(last), before) = body.split_last()? else { return None };
    let Work::Products(region) = works.for_region(last) else { return None };
    let steps = known_steps(forms, region)?;
    let goes_on = |(initial, to): &(Initial, _)| *initial == Initial::Array(*to);
    if region.guard.is_some() || !region.arrays.iter().all(goes_on) {
        return None;
    }
    let mut filled: Advances = FxHashMap::default();
    for phase in before {
        let Phase::Threads(filling) = phase else { return None };
        forms.take(&filling.taken);
        for (array, from, digits) in fills(works.for_region(filling))? {
            works.in_place(array)?;
            filled.insert(array, advance(forms, from, digits, iterator)?);
        }
    }
    forms.take(&last.taken);
    for (sum, _) in region.called() {
        for factor in sum.left.iter().chain([&sum.right]) {
            is_next(forms, (factor, region.tile.digits), (iterator, steps), (works, &filled))?;
        }
    }
    // Behind the loop, what else reads the arrays would need the last tiles.
    let others = works.all().filter_map(|work| match work {
        Work::Products(other) if !std::ptr::eq(&raw const **other, &raw const **region) => Some(&**other),
        _ => None,
    });
    let is_filled =
        |factor: &Factor| forms.program.access(factor.access).array().is_some_and(|array| filled.contains_key(&array));
    let is_used =
        |other: &TileRegion<'_>| other.called().any(|(sum, _)| sum.left.iter().chain([&sum.right]).any(is_filled));
    let is_read = works.all().any(|work| match work {
        Work::Lanes(sums) => matches!(sums.values, Memory::Shared(array) if filled.contains_key(&array)),
        _ => false,
    });
    (!others.into_iter().any(is_used) && !is_read).then_some(())
}

/// The number of products that each iteration adds to a sum, if it is known and each adds all of them.
fn known_steps(forms: &Forms<'_>, region: &TileRegion<'_>) -> Option<i64> {
    let (least, most) = region.own.iterations;
    let is_from_zero = forms.program.constant(region.own.ends[0]) == Some(0);
    let is_known = is_from_zero && most == Some(least) && is_uniform(forms, region.own.ends[1]);
    i64::try_from(least).ok().filter(|steps| is_known && *steps > 0)
}

/// The tiles that a region does nothing else than to copy, each with its load and the split of the threads.
fn fills(work: &Work<'_>) -> Option<Vec<(SharedId, AccessId, Digits)>> {
    match work {
        Work::Fill(fills, _) => Some(fills.iter().map(|fill| (fill.in_place.array, fill.from, fill.digits)).collect()),
        _ => None,
    }
}

/// How much further an access is in the next iteration of a loop.
fn advance(forms: &mut Forms<'_>, access: AccessId, digits: Digits, iterator: ValueId) -> Option<LaunchValue> {
    let offset = forms.program.access(access).offset;
    forms.split(digits);
    let form = forms.form(offset);
    let counter = forms.id(Atom::Value(iterator));
    let step = LaneFacts::new(counter, 1, HashSet::new()).step(forms, &form);
    forms.unsplit();
    match step {
        Step::By(distance) => Some(distance),
        Step::Swizzled(_) | Step::Varying => None,
    }
}

/// Whether a factor of the next iteration is the one behind the last of an iteration.
fn is_next(
    forms: &mut Forms<'_>,
    (factor, digits): (&Factor, Digits),
    (iterator, steps): (ValueId, i64),
    (works, filled): (&Works<'_>, &Advances),
) -> Option<()> {
    let (advance, along, times) = match forms.program.access(factor.access).array() {
        Some(array) => {
            let along = works.in_place(array)?.along(factor.along)?;
            let in_tensor = works.in_place(array)?.dimensions[along.dimension].in_tensor;
            (*filled.get(&array)?, in_tensor, along.times)
        }
        None => (advance(forms, factor.access, digits, iterator)?, factor.along, 1),
    };
    forms.launch.is_multiple(advance, along, times.checked_mul(steps)?).then_some(())
}

impl<'l> Emitter<'l, '_> {
    /// Lowers a loop of which the products of all iterations are added in one call.
    pub fn merged_loop(&mut self, iterator: ValueId, [low, high]: [Value; 2], body: &'l [Phase], works: &Works<'l>) {
        let atom = self.forms.id(Atom::Value(iterator));
        let counter = self.counter(atom);
        self.builder.def_var(counter, low);
        let runs = self.builder.ins().icmp(IntCC::SignedLessThan, low, high);
        self.branch(
            runs,
            |emitter| {
                let iterations = emitter.builder.ins().isub(high, low);
                for phase in body {
                    let Phase::Threads(region) = phase else { continue };
                    emitter.part_of_merged(region, works.for_region(region), iterations);
                }
                None
            },
            |_| None,
            None,
        );
    }

    fn part_of_merged(&mut self, region: &'l Region, work: &Work<'l>, iterations: Value) {
        self.forms.take(&region.taken);
        self.scope(|emitter| match work {
            Work::Fill(fills, _) => emitter.read_fills(fills),
            Work::Products(region) => emitter.add_products(region, Some(iterations)),
            _ => {}
        });
    }
}
