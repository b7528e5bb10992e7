//! The names that are visible at the current place.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::operand::Operand;
use super::tiles::{Partition, TileVariable};
use super::view::View;
use kernel::typed::{Local, Memory, ParamId, SharedId};
use syntax::span::Span;

/// The meaning of a name in a kernel.
#[derive(Clone)]
pub(super) enum Binding {
    /// A scalar parameter.
    Scalar(ParamId),
    /// A tensor parameter or a shared array.
    Memory(Memory),
    /// A variable or an iterator.
    Local(Local),
    /// An array of which every thread has its own.
    ThreadArray(ThreadArray),
    /// A view.
    View(Arc<View>),
    /// A tensor divided into tiles.
    Partition(Arc<Partition>),
    /// A tile.
    Tile(TileVariable),
    /// A constant, a map or a function, which the evaluator knows as it knows the names of the file.
    Defined,
    /// A number that is given to a function.
    Given(Operand),
    /// A declaration, or an assignment to a variable, with an error, which is reported there.
    Broken,
}

/// An array of each thread, as a name means it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ThreadArray {
    pub(super) array: SharedId,
    /// Whether its elements are assigned after the declaration.
    pub(super) mutable: bool,
}

/// A name, the span of its declaration, and its meaning.
type Bound = (SmolStr, Span, Binding);

/// Names with their meanings. A name shadows earlier ones of the same name.
#[derive(Clone, Default)]
pub(super) struct Bindings {
    /// Innermost last.
    all: Vec<Bound>,
    /// The positions of each name in `all`, since a kernel may declare and use thousands of names.
    places: FxHashMap<SmolStr, Vec<usize>>,
    /// Where the blocks that are being read begin in `all`, outermost first.
    blocks: Vec<usize>,
    /// How many names are hidden, because the body of a function is being read.
    hidden: usize,
}

impl Bindings {
    /// The number of names, for [`Bindings::truncate`].
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Adds a name.
    pub(super) fn push(&mut self, name: SmolStr, span: Span, binding: Binding) {
        self.places.entry(name.clone()).or_default().push(self.all.len());
        self.all.push((name, span, binding));
    }

    /// Gives a visible name another meaning.
    pub(super) fn replace(&mut self, name: &str, binding: Binding) {
        let place =
            self.places.get(name).and_then(|places| places.last().copied()).filter(|place| *place >= self.hidden);
        if let Some((_, _, meaning)) = place.and_then(|place| self.all.get_mut(place)) {
            *meaning = binding;
        }
    }

    /// Removes all names but the first `length`.
    pub(super) fn truncate(&mut self, length: usize) {
        while self.all.len() > length
            && let Some((name, ..)) = self.all.pop()
        {
            if let Some(places) = self.places.get_mut(&name) {
                places.pop();
            }
        }
    }

    /// The meaning of a name.
    pub(super) fn get(&self, name: &str) -> Option<&Bound> {
        let place = *self.places.get(name)?.last()?;
        self.all.get(place).filter(|_| place >= self.hidden)
    }

    /// Hides all names so far, and gives what [`Bindings::show`] needs to show them again.
    pub(super) fn hide(&mut self) -> usize {
        std::mem::replace(&mut self.hidden, self.all.len())
    }

    /// Removes the names since [`Bindings::hide`], and shows those before.
    pub(super) fn show(&mut self, hidden: usize) {
        self.truncate(self.hidden);
        self.hidden = hidden;
    }

    /// Begins a block.
    pub(super) fn open_block(&mut self) {
        self.blocks.push(self.all.len());
    }

    /// Ends the block that began last, with its names.
    pub(super) fn close_block(&mut self) {
        if let Some(length) = self.blocks.pop() {
            self.truncate(length);
        }
    }

    /// The names that may still be meant, here or after the block that is being read: not those that another name of
    /// the same block hides.
    pub(super) fn lasting(&self) -> impl Iterator<Item = &Bound> {
        self.all.iter().enumerate().filter_map(|(place, bound)| {
            let places = self.places.get(&bound.0).map(Vec::as_slice).unwrap_or_default();
            let next = places.get(places.partition_point(|other| *other <= place));
            let block_of = |place: usize| self.blocks.partition_point(|start| *start <= place);
            next.is_none_or(|next| block_of(*next) != block_of(place)).then_some(bound)
        })
    }

    /// The visible names, innermost last.
    pub(super) fn names(&self) -> impl Iterator<Item = &SmolStr> {
        self.all.iter().skip(self.hidden).map(|(name, ..)| name)
    }
}
