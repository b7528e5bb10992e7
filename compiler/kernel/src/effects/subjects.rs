//! What questions about conflicts are about: accesses that reach the same elements under the same conditions are one subject,
//! however many statements make them.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::loops::{Access, AccessId, Side, ValueId, Values};
use crate::typed::Memory;
use maps::{Affine, IndexMap};

/// The conditions around an access.
type Guards = Rc<[(ValueId, bool)]>;

/// What makes a subject: the memory and its map, the coordinates, and the conditions.
type Key = (Memory, Arc<IndexMap>, Vec<ValueId>, Guards);

/// What accesses reach, and under which conditions.
pub(super) struct Subject {
    /// Its number, which no other one has.
    pub number: usize,
    /// The memory.
    pub memory: Memory,
    /// The map of the array or the tensor.
    pub map: Arc<IndexMap>,
    /// The coordinates at which the map is evaluated.
    pub coordinates: Vec<ValueId>,
    /// The element and the conditions; `None` if a coordinate has no form.
    pub side: Option<Side>,
    /// The values that it depends on, and its deciding iterators.
    pub values: BTreeSet<ValueId>,
}

/// The subjects of an access.
#[derive(Clone)]
pub(super) struct SubjectsOfAccess {
    /// What it reaches under its conditions.
    pub here: Rc<Subject>,
    /// The same without conditions, as all accesses of these coordinates have it: the same subject if there are none.
    pub anywhere: Rc<Subject>,
}

/// The subjects of a kernel.
#[derive(Default)]
pub(super) struct Subjects {
    known: RefCell<FxHashMap<Key, Rc<Subject>>>,
    of_accesses: RefCell<FxHashMap<AccessId, SubjectsOfAccess>>,
}

impl Subjects {
    /// The subjects of an access.
    pub fn of_access(&self, access: &Access, values: &Values<'_>) -> SubjectsOfAccess {
        if let Some(known) = self.of_accesses.borrow().get(&access.representative) {
            return known.clone();
        }
        let here = self.subject(access, access.guards.clone(), values);
        let anywhere = self.subject(access, Guards::default(), values);
        let found = SubjectsOfAccess { here, anywhere };
        self.of_accesses.borrow_mut().insert(access.representative, found.clone());
        found
    }

    fn subject(&self, access: &Access, guards: Guards, values: &Values<'_>) -> Rc<Subject> {
        let mut known = self.known.borrow_mut();
        let number = known.len();
        let key = (access.memory, access.map.clone(), access.coordinates.clone(), guards);
        let made = known.entry(key).or_insert_with_key(|(memory, map, coordinates, guards)| {
            let side = side(map, coordinates, guards, values);
            let mut found = BTreeSet::new();
            if let Some(side) = &side {
                found = values.values_of_side(side).0;
                found.extend(values.deciding_iterators(side).into_iter().map(|(iterator, ..)| iterator));
            }
            let (memory, map, coordinates) = (*memory, map.clone(), coordinates.clone());
            Rc::new(Subject { number, memory, map, coordinates, side, values: found })
        });
        made.clone()
    }
}

/// The element that coordinates reach, and the conditions under which they do; `None` if a coordinate has no form.
pub(super) fn side(
    map: &Arc<IndexMap>,
    coordinates: &[ValueId],
    guards: &[(ValueId, bool)],
    values: &Values<'_>,
) -> Option<Side> {
    let coordinates = coordinates.iter().map(|id| values.form(*id)).collect::<Option<Vec<Affine>>>()?;
    Some(Side { reached: Some((map.clone(), coordinates)), guards: guards.to_vec(), ..Side::default() })
}
