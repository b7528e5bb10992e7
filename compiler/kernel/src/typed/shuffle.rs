//! Values that the threads of a warp pass to each other without memory.

use super::{Expr, Kernel, Local, Statement, StatementKind};
use maps::hardware::WARP_LANES;

/// Each thread of a warp gives a value and takes that of another one.
///
/// All threads of the warp execute it together, and the block consists of whole warps. It orders no accesses of memory, so it
/// is no barrier.
#[derive(Clone, Debug, PartialEq)]
pub struct Shuffle {
    /// The variable that takes the value, of the value's type. It is assigned nowhere else.
    pub local: Local,
    /// What the thread gives.
    pub value: Expr,
    /// How the lane is found whose value the thread takes.
    pub lane: Lane,
    /// The number that says which, an `i64`. It may differ between threads; like the hardware, it counts modulo 32.
    pub number: Expr,
}

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
