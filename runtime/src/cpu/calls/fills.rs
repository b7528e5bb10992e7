//! Finds barrier regions whose threads do nothing else than to copy tiles of tensors to arrays, each to another one, in whatever
//! order the threads and the loops of each thread go through the elements. Such a tile may be read where it is
//! ([`in_place`](super::in_place)).

use std::collections::HashSet;
use std::ops::Range;

use kernel::loops::{AccessId, For, List, Node, StepKind};
use kernel::typed::SharedId;

use super::places::{Dimension, InPlace};
use super::products::is_uniform;
use crate::cpu::indices::form::{Atom, AtomId, Digit, Digits, Form};
use crate::cpu::indices::forms::Forms;
use crate::cpu::indices::shape::{LaneFacts, Step};
use crate::cpu::launch::launch_table::LaunchValue;
use crate::cpu::lowering::split_threads::rectangle;
use crate::cpu::phases::phase::{ArrayLength, Region};

/// A tile that a region copies to an array.
pub struct Fill<'l> {
    /// The loops around the copy of an element, each from 0 on.
    pub loops: Vec<&'l For>,
    /// The split of the threads' ids.
    pub digits: Digits,
    /// The ranges of both digits, the high one first, each from 0 on.
    pub ranges: [Range<i64>; 2],
    /// The load.
    pub from: AccessId,
    /// The array, and its tile.
    pub in_place: InPlace,
}

/// The tiles that a region copies in blocks of this many threads, if it does nothing else.
pub fn fills<'l>(forms: &mut Forms<'l>, region: &'l Region, threads: i64) -> Option<Vec<Fill<'l>>> {
    let mut copies = Vec::new();
    add_copies(forms, &region.body, &mut Vec::new(), &mut copies)?;
    let members = region.threads.clone().unwrap_or(0..threads);
    let mut lows = forms.divisors(&region.body, threads);
    lows.push(threads);
    let mut found: Vec<Fill<'l>> = Vec::new();
    for copy in copies {
        let fill = lows.iter().find_map(|low| {
            let ranges = rectangle(&members, *low)?;
            let digits = Digits { low: *low, high: threads / low };
            forms.split(digits);
            let in_place = tile(forms, &copy, &ranges);
            forms.unsplit();
            Some(Fill { loops: copy.loops.clone(), digits, ranges, from: copy.from, in_place: in_place? })
        })?;
        if found.iter().any(|other| other.in_place.array == fill.in_place.array) {
            return None;
        }
        found.push(fill);
    }
    (!found.is_empty()).then_some(found)
}

/// A load and a store of its element.
struct Copy<'l> {
    loops: Vec<&'l For>,
    from: AccessId,
    to: AccessId,
    array: SharedId,
}

/// Adds the copies of a list of steps that does nothing else.
fn add_copies<'l>(
    forms: &Forms<'_>,
    list: &'l List,
    loops: &mut Vec<&'l For>,
    found: &mut Vec<Copy<'l>>,
) -> Option<()> {
    let program = forms.program;
    for step in &list.steps {
        match &step.kind {
            // What is computed before is there when it is needed.
            StepKind::Assign { .. } => {}
            StepKind::For(own) => {
                let gives_nothing = !step.after.iter().any(|(_, merge)| program.is_needed(*merge));
                let is_known = own.iterations.1 == Some(own.iterations.0) && program.constant(own.ends[0]) == Some(0);
                (gives_nothing && own.ending.is_none() && is_known && is_uniform(forms, own.ends[1])).then_some(())?;
                loops.push(own);
                add_copies(forms, &own.body, loops, found)?;
                loops.pop();
            }
            StepKind::Store { access: to, value } => {
                let Node::Load(from) = *forms.node(*value) else { return None };
                let [load, store] = [from, *to].map(|access| program.access(access));
                let array = store.array()?;
                let is_plain = load.is_constant
                    && load.array().is_none()
                    && [load, store].iter().all(|access| access.tested.is_none())
                    && program.element_of(load.memory) == program.element_of(store.memory)
                    && [load, store].iter().all(|access| program.is_lasting(access.offset));
                is_plain.then(|| found.push(Copy { loops: loops.clone(), from, to: *to, array }))?;
            }
            _ => return None,
        }
    }
    Some(())
}

/// The tile, if the elements that the threads and iterations copy form one.
fn tile(forms: &mut Forms<'_>, copy: &Copy<'_>, ranges: &[Range<i64>; 2]) -> Option<InPlace> {
    let program = forms.program;
    if ranges.iter().any(|range| range.start != 0) {
        return None;
    }
    let mut counters: Vec<(AtomId, i64)> = Vec::new();
    for digit in [Digit::High, Digit::Low] {
        counters.push((forms.id(Atom::Digit(digit)), ranges[digit as usize].end));
    }
    for own in &copy.loops {
        counters.push((forms.id(Atom::Value(own.iterator)), i64::try_from(own.iterations.0).ok()?));
    }
    let [from, to] = [copy.from, copy.to].map(|access| program.access(access).offset);
    let [from, to] = [forms.form(from), forms.form(to)];
    // The first thread and iteration fill the first element.
    let is_counter = |atom: &AtomId| counters.iter().any(|(counter, _)| counter == atom);
    if !to.constant.is(0) || !to.terms.iter().all(|(atom, _)| is_counter(atom)) {
        return None;
    }
    let mut dimensions = Vec::new();
    for (counter, extent) in counters {
        let apart = distance(forms, &to, counter)?.as_constant()?;
        let in_tensor = distance(forms, &from, counter)?;
        match extent {
            1 => {}
            2.. if apart > 0 => dimensions.push(Dimension { extent, apart, in_tensor }),
            _ => return None,
        }
    }
    let length = match program.arrays.get(copy.array.0 as usize)?.length {
        ArrayLength::Elements(length) => length,
        ArrayLength::PerThread => return None,
    };
    let dimensions = joined(forms, dimensions)?;
    let is_whole = dimensions[0].extent.checked_mul(dimensions[0].apart) == Some(length);
    Some(InPlace { array: copy.array, dimensions, is_whole, walks_rows: false })
}

/// The change of a form from one value of a counter to the next.
fn distance(forms: &mut Forms<'_>, form: &Form, counter: AtomId) -> Option<LaunchValue> {
    match LaneFacts::new(counter, 1, HashSet::new()).step(forms, form) {
        Step::By(distance) => Some(distance),
        Step::Swizzled(_) | Step::Varying => None,
    }
}

/// Two dimensions in the place of these, if no two elements meet in the array: what goes on in both memories where another one ends
/// is one with it.
fn joined(forms: &Forms<'_>, mut dimensions: Vec<Dimension>) -> Option<[Dimension; 2]> {
    dimensions.sort_by_key(|dimension| dimension.apart);
    let mut found: Vec<Dimension> = Vec::new();
    for outer in dimensions {
        let Some(inner) = found.last_mut() else {
            found.push(outer);
            continue;
        };
        let end = inner.extent.checked_mul(inner.apart)?;
        if outer.apart < end {
            return None;
        }
        if outer.apart == end && forms.launch.is_multiple(outer.in_tensor, inner.in_tensor, inner.extent) {
            inner.extent = inner.extent.checked_mul(outer.extent)?;
        } else {
            found.push(outer);
        }
    }
    match found.as_slice() {
        [inner] => {
            let apart = inner.extent.checked_mul(inner.apart)?;
            Some([Dimension { extent: 1, apart, in_tensor: LaunchValue::Constant(0) }, *inner])
        }
        [inner, outer] => Some([*outer, *inner]),
        _ => None,
    }
}
