//! The shared arrays of the one block that is looked at, and who touched what.

use std::rc::Rc;

use num_integer::Integer;

use super::touches::{Element, Touch, Wait};
use super::values::Value;
use crate::typed::{SharedArray, SharedId};

/// The state of all shared arrays.
#[derive(Clone)]
pub(super) struct Arrays {
    arrays: Vec<Array>,
    waits: Vec<Wait>,
}

#[derive(Clone)]
struct Array {
    elements: Vec<Element>,
    /// What was touched at an index that is not known, by the elements that it may be.
    somewhere: Vec<(Elements, Element)>,
    /// Which elements have been written for sure.
    written: Vec<bool>,
}

/// The element that an access reaches, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elements {
    /// This one.
    One(usize),
    /// One of those at `first`, `first + step`, and so on.
    Every { first: usize, step: usize },
}

impl Elements {
    /// What leads to a position of which this is known.
    pub fn at(position: Value) -> Elements {
        let any = Elements::Every { first: 0, step: 1 };
        let number = |value: i64| usize::try_from(value).ok();
        match position {
            Value::Known(value) => number(value).map_or(any, Elements::One),
            Value::Residue { value, modulus } => match (number(value), number(modulus)) {
                (Some(first), Some(step)) if step > 0 => Elements::Every { first, step },
                _ => any,
            },
        }
    }

    /// The element, where it is known.
    pub fn known(self) -> Option<usize> {
        match self {
            Elements::One(element) => Some(element),
            Elements::Every { .. } => None,
        }
    }

    fn first_and_step(self) -> (usize, usize) {
        match self {
            Elements::One(element) => (element, 0),
            Elements::Every { first, step } => (first, step),
        }
    }

    /// Whether both may be one element.
    fn meet(self, other: Elements) -> bool {
        let ((first, step), (second, other)) = (self.first_and_step(), other.first_and_step());
        match step.gcd(&other) {
            0 => first == second,
            common => first % common == second % common,
        }
    }

    /// What is kept for each of the elements.
    fn of<T>(self, kept: &[T]) -> impl Iterator<Item = &T> {
        let (first, step) = self.first_and_step();
        let count = if step == 0 { 1 } else { usize::MAX };
        kept.iter().skip(first).step_by(step.max(1)).take(count)
    }
}

/// What an access at one time touches.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub array: SharedId,
    pub elements: Elements,
    /// Whether the access happens for sure.
    pub certain: bool,
}

impl Array {
    /// What was touched at one of these elements.
    fn somewhere(&mut self, elements: Elements) -> &mut Element {
        let known = self.somewhere.iter().position(|(known, _)| *known == elements);
        let number = known.unwrap_or_else(|| {
            self.somewhere.push((elements, Element::default()));
            self.somewhere.len() - 1
        });
        &mut self.somewhere[number].1
    }
}

impl Arrays {
    pub fn new(shared: &[SharedArray]) -> Arrays {
        let array = |array: &SharedArray| {
            let length = usize::try_from(array.length).unwrap_or(0);
            Array { elements: vec![Element::default(); length], somewhere: Vec::new(), written: vec![false; length] }
        };
        Arrays { arrays: shared.iter().map(array).collect(), waits: Vec::new() }
    }

    /// The accesses of other threads that this one meets and that are not known to be over, each with the element, where
    /// both are known to reach it.
    pub fn conflicts(&self, place: Place, touch: &Touch) -> Vec<(Touch, Option<usize>)> {
        let Some(array) = self.arrays.get(place.array.0 as usize) else { return Vec::new() };
        let meets = |met: &&Touch| met.thread != touch.thread && !self.is_over(met, touch.thread);
        let all = |element: &Element, known: Option<usize>| {
            element.met_by(touch.store).filter(meets).map(|met| (*met, known)).collect::<Vec<_>>()
        };
        let may_be = array.somewhere.iter().filter(|(elements, _)| elements.meet(place.elements));
        let somewhere = may_be.map(|(_, element)| all(element, None));
        match place.elements {
            Elements::One(element) => {
                let known = array.elements.get(element).map(|found| all(found, Some(element))).unwrap_or_default();
                known.into_iter().chain(somewhere.flatten()).collect()
            }
            elements @ Elements::Every { .. } => {
                let known = elements.of(&array.elements).map(|element| all(element, None));
                known.chain(somewhere).find(|met| !met.is_empty()).unwrap_or_default()
            }
        }
    }

    /// Whether a thread has waited for an access since it happened.
    pub fn is_over(&self, touch: &Touch, thread: u32) -> bool {
        self.waits.iter().rev().any(|wait| wait.orders(touch, thread))
    }

    /// Whether the access reads what nobody may have written.
    pub fn reads_unwritten(&self, place: Place) -> bool {
        let Some(array) = self.arrays.get(place.array.0 as usize) else { return false };
        match place.elements {
            Elements::One(element) => array.written.get(element) != Some(&true),
            elements @ Elements::Every { .. } => !elements.of(&array.written).all(|written| *written),
        }
    }

    /// Remembers an access.
    pub fn note(&mut self, place: Place, touch: Touch) {
        let Some(array) = self.arrays.get_mut(place.array.0 as usize) else { return };
        let known = place.elements.known();
        match known.and_then(|element| array.elements.get_mut(element)) {
            // What may not happen replaces nothing.
            Some(element) if !place.certain => element.note_perhaps(touch),
            Some(element) => element.note(touch),
            None => array.somewhere(place.elements).note_perhaps(touch),
        }
        if let (true, true, Some(element)) = (touch.store, place.certain, known)
            && let Some(written) = array.written.get_mut(element)
        {
            *written = true;
        }
    }

    /// Threads have waited for each other.
    pub fn wait(&mut self, time: u64, instances: Rc<[Option<u32>]>) {
        let first = instances.first().copied().flatten();
        if first.is_some() && instances.iter().all(|instance| *instance == first) {
            for array in &mut self.arrays {
                let somewhere = array.somewhere.iter_mut().map(|(_, element)| element);
                array.elements.iter_mut().chain(somewhere).for_each(|element| element.forget_before(time));
            }
        }
        self.waits.push(Wait { time, from: 0, instances });
    }

    /// Takes over what is the case where a loop went on for one more round, begun at `time`. A loop that ended before has
    /// not waited in this round, so what it waited for is what happened in the round alone.
    pub fn or_after(&mut self, after: &Arrays, time: u64) {
        self.join(after);
        let known = self.waits.len();
        self.waits.extend(after.waits.iter().skip(known).cloned());
        let since = self.waits.iter_mut().filter(|wait| wait.time > time);
        since.for_each(|wait| wait.from = wait.from.max(time));
    }

    fn join(&mut self, other: &Arrays) {
        for (mine, theirs) in self.arrays.iter_mut().zip(&other.arrays) {
            mine.elements.iter_mut().zip(&theirs.elements).for_each(|(mine, theirs)| mine.join(theirs));
            theirs.somewhere.iter().for_each(|(elements, theirs)| mine.somewhere(*elements).join(theirs));
            mine.written.iter_mut().zip(&theirs.written).for_each(|(mine, theirs)| *mine &= theirs);
        }
    }

    /// Takes over what was touched on the other side of a branch, between the times `begun` and `now`, and none of the
    /// waits there. A collective goes one way only, so its own threads meet nothing of the other side.
    pub fn also_touched(&mut self, other: &Arrays, [begun, now]: [u64; 2], instances: Rc<[Option<u32>]>) {
        self.join(other);
        self.waits.push(Wait { time: now, from: begun, instances });
    }

    /// Takes over what is the case where statements were passed by: these arrays are from before, at `time`.
    pub fn or_before(&mut self, before: &Arrays, time: u64) {
        self.join(before);
        let since = self.waits.iter_mut().skip(before.waits.len());
        since.for_each(|wait| wait.from = wait.from.max(time));
    }

    /// Joins what two ways from the same place lead to. The other one was gone first, at `time`, and this one at `middle`:
    /// its waits are later than what happened on the other way, and say nothing about that.
    pub fn or_other(&mut self, other: &Arrays, common: usize, [time, middle]: [u64; 2]) {
        self.join(other);
        let mine = self.waits.iter_mut().skip(common);
        mine.for_each(|wait| wait.from = wait.from.max(middle));
        let theirs = other.waits.iter().skip(common).cloned();
        self.waits.extend(theirs.map(|wait| Wait { from: wait.from.max(time), ..wait }));
    }

    /// How often threads have waited so far.
    pub fn waits(&self) -> usize {
        self.waits.len()
    }
}
