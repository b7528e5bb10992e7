//! The evidence of a verdict: the rule that proves a claim, or the reason why it is open. The wording is in
//! `display.rs`.

use dims::Sym;
use maps::MapError;
use maps::threads::Matched;

/// The rule that proves a claim. T1 to T10 are the theorems that `docs/language.md` lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The map has no valid points, so nothing can go wrong.
    NoPoints,
    /// There are no slots to reach.
    NoSlots,
    /// The map has one point only, which cannot collide.
    OnePoint,
    /// There is only one thread.
    OneThread,
    /// T1 and T9: every stride is larger than the largest sum over the smaller ones.
    NestedStrides {
        /// The strides without their signs, in the order of the formula, each once.
        strides: Vec<Sym>,
        /// T4: an xor is undone on the way.
        undoes_xor: bool,
        /// A remainder is undone on the way.
        undoes_remainder: bool,
    },
    /// T2: with two strides, no two points of the box have the same image.
    TwoStridesApart,
    /// T10: with these strides, no two points of the box have the same image.
    StridesApart,
    /// T10: no two points of two maps have the differences that a relation asks for.
    RelationEmpty,
    /// T3: strides that leave no gap fill an interval.
    NoGap {
        /// T9: it holds for every size.
        symbolic: bool,
    },
    /// T5: the map is linear over bits, and no bits cancel.
    NoBitsCancel,
    /// T5: the map is linear over bits, and reaches all of them.
    BitsReachAll,
    /// T7: both maps have the same normal form.
    SameNormalForm,
    /// The largest lower coordinates are below these bounds.
    Below(Vec<Sym>),
    /// No corner of the box of a strided map leaves the bounds.
    CornersInside,
    /// Every index fits in this many bits.
    FitsBits(u32),
    /// Each of this many points was tried.
    EveryPoint(u128),
    /// A comparison of sizes follows from the facts.
    FollowsFromFacts,
    /// An SMT solver found that there is no counterexample.
    Solver {
        /// What the solver calls itself: `z3 4.13.0`.
        name: String,
    },
    /// The threads of each iteration of a tiling are a unit.
    Threads(Matched),
}

/// Why a claim could be neither proven nor refuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The question is about another number of lower coordinates than the map has.
    LowerRank {
        /// How many the map has.
        found: usize,
        /// How many the question is about.
        asked: usize,
    },
    /// The maps of an equality have different numbers of coordinates.
    DifferentRanks,
    /// The extents of two maps cannot be compared.
    ExtentsNotComparable(MapError),
    /// The map has no normal form.
    NoNormalForm(MapError),
    /// Two maps have different normal forms, which does not prove them different.
    DifferentNormalForms,
    /// A needed size cannot be computed.
    Sizes(MapError),
    /// The points of the map cannot be enumerated.
    NotEnumerable(MapError),
    /// There are more points than may be tried.
    TooManyPoints {
        /// The limit.
        limit: u64,
    },
    /// There are too many slots to enumerate.
    TooManySlots,
    /// There are too many slots to record the thread of each.
    TooManyOwnedSlots,
    /// The slots are too far apart for a table.
    ScatteredSlots,
    /// A coordinate has no upper bound, so the points that were tried are not all.
    NoUpperEnd,
    /// The lower coordinates do not determine these upper coordinates, given by position.
    CoordinatesNotDetermined(Vec<usize>),
    /// The lower coordinates are not known to stay below these bounds.
    NotKnownBelow(Vec<Sym>),
    /// The map is not known to reach every slot.
    NotKnownToCover,
    /// A counterexample was found, but evaluation did not confirm it.
    Unconfirmed(Found),
    /// The maps have numbers that overflow the comparison's arithmetic.
    NumbersTooLarge,
    /// The search for two related points used up its steps.
    SearchEndedEarly,
    /// Whether two related points exist depends on the sizes.
    SizesDecide,
    /// The facts about the symbols do not decide a comparison of sizes.
    FactsDoNotDecide,
    /// Each of two claims fails for some sizes, and none are known for which both do.
    EachSideFails,
}

/// A search result that could not be confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Two points of one slot.
    Collision,
    /// A point out of bounds.
    OutOfBounds,
    /// A point where two maps differ.
    Difference,
}
