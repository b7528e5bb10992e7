//! Which threads see one value of a variable.

use std::rc::Rc;

/// A variable has one value in all threads of each of these collectives, whatever it is; `None`: in no two threads for sure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alike(Option<Rc<[Option<u32>]>>);

impl Alike {
    /// In all threads of a block.
    pub fn everywhere(threads: u32) -> Alike {
        Alike(Some((0..threads).map(|_| Some(0)).collect()))
    }

    /// In the threads of each collective: its number for each thread that is in one.
    pub fn within(instances: &Rc<[Option<u32>]>) -> Alike {
        Alike(Some(instances.clone()))
    }

    /// In no two threads.
    pub fn nowhere() -> Alike {
        Alike(None)
    }

    /// Whether the threads of each of these collectives see one value.
    pub fn holds_within(&self, instances: &Rc<[Option<u32>]>, threads: &[u32]) -> bool {
        self.0.as_ref().is_some_and(|mine| Rc::ptr_eq(mine, instances) || are_parts(instances, mine, threads))
    }

    /// Where a variable is alike that may have come here on two ways.
    pub fn meet(&mut self, other: &Alike) {
        let (Some(mine), Some(theirs)) = (&self.0, &other.0) else {
            self.0 = None;
            return;
        };
        let all: Vec<u32> = (0..u32::try_from(mine.len()).unwrap_or(u32::MAX)).collect();
        if Rc::ptr_eq(mine, theirs) || are_parts(mine, theirs, &inside(mine, &all)) {
            return;
        }
        self.0 = are_parts(theirs, mine, &inside(theirs, &all)).then(|| theirs.clone());
    }
}

/// The threads that are in a collective.
fn inside(instances: &Rc<[Option<u32>]>, threads: &[u32]) -> Vec<u32> {
    threads.iter().copied().filter(|thread| of(instances, *thread).is_some()).collect()
}

fn of(instances: &Rc<[Option<u32>]>, thread: u32) -> Option<u32> {
    instances.get(thread as usize).copied().flatten()
}

/// Whether threads of one part are always in one whole too.
fn are_parts(parts: &Rc<[Option<u32>]>, wholes: &Rc<[Option<u32>]>, threads: &[u32]) -> bool {
    let mut whole_of: Vec<Option<u32>> = Vec::new();
    threads.iter().all(|&thread| {
        let (Some(part), Some(whole)) = (of(parts, thread), of(wholes, thread)) else { return false };
        let part = part as usize;
        if part >= whole_of.len() {
            whole_of.resize(part + 1, None);
        }
        *whole_of[part].get_or_insert(whole) == whole
    })
}
