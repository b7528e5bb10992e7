//! What a verdict rests on: the rule that proves a claim, or the reason why it is open. Their wording is in `display.rs`.

use dims::Sym;
use maps::MapError;
use maps::threads::Matched;

/// What proves a claim. T1 to T10 are the theorems of the design of the prover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The map has no valid points, so that nothing can go wrong at one.
    NoPoints,
    /// There are no slots to be reached.
    NoSlots,
    /// The map has one point only, which collides with no other one.
    OnePoint,
    /// There is only one thread.
    OneThread,
    /// T1 and T9: every stride is larger than all that the smaller ones add up to.
    NestedStrides {
        /// The strides without their signs, in the order of the formula, each once.
        strides: Vec<Sym>,
        /// T4: an xor is undone on the way.
        undoes_xor: bool,
        /// A remainder is undone on the way.
        undoes_remainder: bool,
    },
    /// T2: two strides cancel no difference of two points of the box.
    TwoStridesApart,
    /// T10: no difference of two points of the box is cancelled by the strides.
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
    /// T7: two maps have one normal form.
    SameNormalForm,
    /// The largest lower coordinates are below these bounds.
    Below(Vec<Sym>),
    /// No corner of the box of a strided map leaves the bounds.
    CornersInside,
    /// Every index fits in so many bits.
    FitsBits(u32),
    /// Each of so many points was tried.
    EveryPoint(u128),
    /// A comparison of sizes follows from the facts.
    FollowsFromFacts,
    /// An SMT solver found that there is no counterexample.
    Solver {
        /// What the solver calls itself: `z3 4.13.0`.
        name: String,
    },
    /// The iterations of a tiling have the threads of a unit.
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
    /// Two maps that are to be equal have different numbers of coordinates.
    DifferentRanks,
    /// The extents of two maps cannot be compared.
    ExtentsNotComparable(MapError),
    /// The map has no normal form.
    NoNormalForm(MapError),
    /// Two maps have different normal forms, which does not make them different maps.
    DifferentNormalForms,
    /// Sizes that are needed cannot be computed.
    Sizes(MapError),
    /// The points of the map cannot be gone through.
    NotEnumerable(MapError),
    /// There are more points than may be tried.
    TooManyPoints {
        /// How many may be.
        limit: u64,
    },
    /// There are more slots than can be looked at one by one.
    TooManySlots,
    /// There are more slots than a thread can be noted for.
    TooManyOwnedSlots,
    /// The slots are too far apart for a table.
    ScatteredSlots,
    /// A coordinate has no upper end, so that the points that were tried are not all.
    NoUpperEnd,
    /// The lower coordinates do not tell these upper coordinates, by their positions.
    CoordinatesNotDetermined(Vec<usize>),
    /// The lower coordinates are not known to stay below these bounds.
    NotKnownBelow(Vec<Sym>),
    /// The map is not known to reach every slot.
    NotKnownToCover,
    /// A counterexample was found and did not hold when it was evaluated again.
    Unconfirmed(Found),
    /// Numbers of the maps leave what the comparison computes with.
    NumbersTooLarge,
    /// The search for two points that meet used up its steps.
    SearchEndedEarly,
    /// Whether two points meet depends on the sizes.
    SizesDecide,
    /// The facts about the symbols do not decide a comparison of sizes.
    FactsDoNotDecide,
    /// Each of two claims fails for some sizes, and none are known for which both do.
    EachSideFails,
}

/// What a search found and could not confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Two points of one slot.
    Collision,
    /// A point out of bounds.
    OutOfBounds,
    /// A point where two maps differ.
    Difference,
}
