//! Values that the threads of a warp pass to each other without memory.

use super::{CollectiveId, Expr, Kernel, Local, Statement, StatementKind};
use maps::hardware::WARP_LANES;

/// Lanes of a warp give a value each, and take what follows from those of all.
///
/// All threads of [`Shuffle::together`] execute it together, and the block consists of whole warps. It orders no accesses of
/// memory, so it is no barrier.
#[derive(Clone, Debug, PartialEq)]
pub struct Shuffle {
    /// The variable that takes a value. It is assigned nowhere else.
    pub local: Local,
    /// What the thread gives.
    pub value: Expr,
    /// What the thread takes.
    pub taken: Taken,
    /// The threads that execute it together.
    pub together: Together,
    /// Those of them in the warp of a thread.
    pub lanes: Lanes,
}

/// What a thread takes in a [`Shuffle`]; numbers are expressions, or values of the loops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Taken<Number = Expr> {
    /// The value of one lane.
    Lane {
        /// How the lane is found.
        lane: Lane,
        /// The number that says which, an `i64`. It may differ between threads; like the hardware, it counts modulo 32. It
        /// leads to a lane that executes the shuffle.
        number: Number,
    },
    /// A `u32` with a bit for each lane of the warp: whether it executes the shuffle, and its value, a `bool`, is true.
    Votes,
}

/// The threads that execute a [`Shuffle`] together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Together {
    /// Those of a warp.
    Warp,
    /// Those of the block.
    Block,
    /// Those of one iteration of a loop over collectives.
    Collective(CollectiveId),
}

impl<Number> Taken<Number> {
    /// The name of the operation.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Lane { lane, .. } => lane.name(),
            Self::Votes => VOTES,
        }
    }
}

/// Lanes of a warp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lanes<Number = Expr> {
    /// The mask of the lanes, relative to the first of them: bit 0 is set.
    pub mask: u32,
    /// The first lane, `i64` in `0..32`, the same in all of them.
    pub first: Number,
}

impl Lanes {
    /// All lanes of a warp.
    pub fn all() -> Self {
        Self { mask: u32::MAX, first: Expr::int(0) }
    }
}

impl<Number> Lanes<Number> {
    /// Whether they are all lanes of a warp.
    pub fn are_all(&self) -> bool {
        self.mask == u32::MAX
    }
}

impl Shuffle {
    /// Takes the value of another lane, in a whole warp.
    pub fn in_warp(local: Local, value: Expr, lane: Lane, number: Expr) -> Self {
        let taken = Taken::Lane { lane, number };
        Self { local, value, taken, together: Together::Warp, lanes: Lanes::all() }
    }

    /// Visits the expressions that it evaluates.
    pub fn expressions<'k>(&'k self, visit: &mut dyn FnMut(&'k Expr)) {
        visit(&self.value);
        if let Taken::Lane { number, .. } = &self.taken {
            visit(number);
        }
        visit(&self.lanes.first);
    }

    /// Visits the expressions that it evaluates, to be changed.
    pub fn expressions_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        visit(&mut self.value);
        if let Taken::Lane { number, .. } = &mut self.taken {
            visit(number);
        }
        visit(&mut self.lanes.first);
    }
}

/// The name of the operation that gives a bit for each lane.
pub const VOTES: &str = "ballot";

/// How a lane of a warp is found from a thread's own lane and a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    /// The lane of this number.
    At,
    /// So many lanes before the own one. Where there is none, it is the own one.
    Up,
    /// So many lanes behind the own one. Where there is none, it is the own one.
    Down,
    /// The exclusive or of the own lane and the number.
    Xor,
}

impl Lane {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::At, Self::Up, Self::Down, Self::Xor];

    /// The name of the operation.
    pub const fn name(self) -> &'static str {
        match self {
            Self::At => "shuffle",
            Self::Up => "shuffle_up",
            Self::Down => "shuffle_down",
            Self::Xor => "shuffle_xor",
        }
    }

    /// The lane whose value the thread in lane `own` takes.
    pub const fn source(self, own: i64, number: i64) -> i64 {
        let number = number.rem_euclid(WARP_LANES);
        let found = match self {
            Self::At => number,
            Self::Up => own - number,
            Self::Down => own + number,
            Self::Xor => own ^ number,
        };
        if 0 <= found && found < WARP_LANES { found } else { own }
    }
}

impl Kernel {
    /// Whether threads pass values to each other within their warp.
    pub fn has_shuffles(&self) -> bool {
        let mut found = false;
        Statement::walk(&self.body, &mut |statement| found |= matches!(statement.kind, StatementKind::Shuffle(_)));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_that_do_not_exist_are_the_own_one() {
        assert_eq!([0, 15, 16, 31].map(|own| Lane::Down.source(own, 16)), [16, 31, 16, 31]);
        assert_eq!([0, 15, 16, 31].map(|own| Lane::Up.source(own, 16)), [0, 15, 0, 15]);
        assert_eq!([0, 15, 16, 31].map(|own| Lane::Xor.source(own, 1)), [1, 14, 17, 30]);
        assert_eq!([0, 31].map(|own| Lane::At.source(own, 7)), [7, 7]);
    }

    #[test]
    fn numbers_count_modulo_the_lanes_of_a_warp() {
        for lane in Lane::ALL {
            for own in 0..WARP_LANES {
                assert_eq!(lane.source(own, -1), lane.source(own, 31), "{lane:?} of {own}");
                assert_eq!(lane.source(own, 32 + 5), lane.source(own, 5), "{lane:?} of {own}");
            }
        }
    }
}
