//! Who touched an element of a shared array, and which threads have waited for each other since.

use std::rc::Rc;

use syntax::span::Span;

/// One access of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The number of the thread in its block.
    pub thread: u32,
    /// Whether it wrote.
    pub store: bool,
    /// Where the access stands.
    pub span: Span,
    /// When, counted in statements.
    pub(super) time: u64,
}

/// A wait that has happened: for each thread of the block, which of the waiting collectives it was in.
#[derive(Clone)]
pub(super) struct Wait {
    pub time: u64,
    /// It says nothing about what happened until then: it is in a round of a loop, or on a side of a branch, that began
    /// then and may not have been gone through.
    pub from: u64,
    pub instances: Rc<[Option<u32>]>,
}

impl Wait {
    /// Whether the access was over before the wait, and this thread waited for it.
    pub fn orders(&self, touch: &Touch, thread: u32) -> bool {
        let instance = |thread: u32| self.instances.get(thread as usize).copied().flatten();
        touch.time > self.from
            && touch.time < self.time
            && instance(thread).is_some()
            && instance(touch.thread) == instance(thread)
    }
}

/// What happened to one element, as far as it can still meet what comes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Element {
    /// The last write, on each way that may lead here.
    writes: Vec<Touch>,
    /// The reads since then, one for each thread.
    reads: Vec<Touch>,
}

impl Element {
    /// The accesses that another one of this kind may meet.
    pub fn met_by(&self, store: bool) -> impl Iterator<Item = &Touch> {
        self.writes.iter().chain(self.reads.iter().filter(move |_| store))
    }

    /// Remembers an access.
    pub fn note(&mut self, touch: Touch) {
        if touch.store {
            self.writes = vec![touch];
            self.reads.clear();
        } else {
            self.note_perhaps(touch);
        }
    }

    /// Remembers an access that may happen here or not. Whoever waits for it has waited for what the thread did before.
    pub fn note_perhaps(&mut self, touch: Touch) {
        let kind = if touch.store { &mut self.writes } else { &mut self.reads };
        kind.retain(|known| known.thread != touch.thread);
        kind.push(touch);
    }

    /// Takes over what happened on another way here.
    pub fn join(&mut self, other: &Element) {
        let add = |mine: &mut Vec<Touch>, theirs: &[Touch]| {
            for touch in theirs {
                if !mine.contains(touch) {
                    mine.push(*touch);
                }
            }
        };
        add(&mut self.writes, &other.writes);
        add(&mut self.reads, &other.reads);
    }

    /// Forgets what happened before a wait of all threads.
    pub fn forget_before(&mut self, time: u64) {
        self.writes.retain(|touch| touch.time >= time);
        self.reads.retain(|touch| touch.time >= time);
    }
}
