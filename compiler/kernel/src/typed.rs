//! The typed kernel: the program that every executor runs.
//!
//! A kernel is one program that every thread of its launch executes. Names are resolved and every expression has its
//! element type. Every access states both its meaning (a map and the coordinates at which it is evaluated, for the
//! reference interpreter) and how to compute it (integer expressions for the offset and the mask, for Cranelift and
//! CUDA). Tests compare the two.
//!
//! Integer arithmetic of `i8…u64` wraps in two's complement on every target. `Index` expressions (`i64`) never
//! overflow, which [`at_launch`](super::at_launch()) checks. Integer division of element types truncates, as in CUDA;
//! division by zero gives 0. `Index` expressions use floor division ([`BinaryOp::FloorDivide`],
//! [`BinaryOp::FloorRemainder`]).
//!
//! A loop over thread collectives is stated per thread: its iterator is a variable computed from the thread's id, and
//! an `if` selects the threads of the iterations. An operation on tiles is an [`Each`], which states both its meaning (the
//! points and what is done at each) and how the threads of a block share them. Only a [`Barrier`] synchronises threads.

mod atomic;
mod build;
mod constant;
mod distribution;
mod each;
mod ending;
mod memory;
mod operators;
pub(crate) mod print;
mod replace;
mod shuffle;
mod walk;

use std::collections::BTreeSet;
use std::sync::Arc;

use smol_str::SmolStr;

use crate::table::{Table, ids};
use dims::{Facts, Sym, Symbol};
use elements::ElementType;
use maps::threads::Tiling;
use maps::{IndexMap, Range};
use syntax::span::Span;

pub use super::functions::MathFunction;
pub use atomic::{Atomic, AtomicOperation, Combination, MemoryOrder, ThreadScope};
pub use constant::Constant;
pub use each::{Each, Rounds, TileAxis};
pub use memory::{AccessKind, Barrier, CopyOrder, Memory, Residence, SharedArray, SharedId, SharedLayout, Waiting};
pub use operators::{BinaryOp, UnaryOp};
pub use shuffle::{Lane, Lanes, Shuffle, Taken, Together, VOTES};
pub use walk::Rewrite;

/// A kernel that passed every check.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// Its name.
    pub name: SmolStr,
    /// Every symbol that a size in the kernel depends on, sorted. An executor takes a value for each.
    pub symbols: Vec<Symbol>,
    /// The facts about the symbols.
    pub facts: Facts,
    /// Its parameters, in order.
    pub params: Table<ParamId, Param>,
    /// The numbers of blocks and threads.
    pub launch: Launch,
    /// The collectives that its threads run in.
    pub collectives: Table<CollectiveId, Tiling>,
    /// The arrays that the threads of a block share.
    pub shared: Table<SharedId, SharedArray>,
    /// Its variables.
    pub locals: Locals,
    /// The program of every thread.
    pub body: Vec<Statement>,
    /// The claims that are not proven for every size, which are checked at launch with the actual ones.
    pub obligations: Vec<Obligation>,
    /// Sizes that have to fit 64 bits at launch: bounds of variables that the checks know by their form, `i + k * S`, and the
    /// program computes step by step, by `i += S`.
    pub must_fit: Vec<Sym>,
    /// The tensors through which threads of a block pass elements to each other. No two blocks reach one of their elements unless
    /// both read it, and barriers order the threads of a block, as they do for shared arrays.
    pub exchanged: BTreeSet<ParamId>,
}

impl Kernel {
    /// Whether barriers order the accesses of a memory.
    pub fn is_ordered_by_barriers(&self, memory: Memory) -> bool {
        match memory {
            Memory::Param(id) => self.exchanged.contains(&id),
            Memory::Shared(_) => !self.is_held_by_thread(memory),
        }
    }

    /// The symbols that may be given a value at launch: its own, which need one, and those that facts connect to them.
    pub fn symbols_with_facts(&self) -> BTreeSet<Symbol> {
        self.facts.related(&self.symbols.iter().cloned().collect())
    }
}

/// The variables of a kernel.
pub type Locals = Table<Local, LocalVariable>;

/// The two levels of a typed kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The program as written: every loop over collectives is an `if` around its body, and there are no barriers.
    Program,
    /// The program of each thread: redundant `if`s are removed, barriers are placed, and shared arrays have their
    /// addresses.
    Schedule,
}

/// A claim about an access that depends on the launch's sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct Obligation {
    /// The accessed memory.
    pub memory: Memory,
    /// The map of the access over block ids, thread ids and iterators.
    pub map: Arc<IndexMap>,
    /// What has to be proven.
    pub claim: Claim,
    /// The span of the access.
    pub span: Span,
}

/// What has to be proven of an access.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// Every valid coordinate maps below the bound.
    InBounds(Sym),
    /// Every index that the program gives stays below the view's extent; elements beyond it belong to other threads.
    WithinView(Sym),
    /// No two threads access the same element.
    RaceFree,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: SmolStr,
    /// Its element type.
    pub element: ElementType,
    /// Scalar or tensor.
    pub kind: ParamKind,
}

/// What a parameter is.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// One value.
    Scalar,
    /// A tensor in global memory.
    Tensor {
        /// Whether the kernel may write it.
        mutable: bool,
        /// Its dimensions.
        shape: Vec<Sym>,
        /// The distance, in elements, between neighbours along each dimension; row-major by default.
        strides: Vec<Sym>,
    },
}

/// The launch in one dimension: block ids are `0..blocks`, thread ids within a block `0..threads`.
///
/// Blocks `c * cluster..(c + 1) * cluster` form cluster `c`, and `block % cluster` is the rank of a block in its
/// cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// Number of blocks in a cluster, 1 by default. It divides the number of blocks.
    pub cluster: i64,
    /// Number of blocks.
    pub blocks: Sym,
    /// Number of threads in a block.
    pub threads: Sym,
}

impl Default for Launch {
    /// A single thread.
    fn default() -> Self {
        Self { cluster: 1, blocks: Sym::one(), threads: Sym::one() }
    }
}

ids!(ParamId, CollectiveId, Local, SharedId);

/// An index into [`Kernel::params`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParamId(pub u32);

/// An index into [`Kernel::collectives`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CollectiveId(pub u32);

/// An index into [`Kernel::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Local(pub u32);

/// A variable of each thread.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalVariable {
    /// Its name in the source; two variables may share one.
    pub name: SmolStr,
    /// Its type.
    pub element: ElementType,
    /// Whether it is assigned after its declaration.
    pub mutable: bool,
    /// For an iterator, the range of its values that the checks rely on; for a variable of integers that is assigned, the
    /// range of all that it is given, if it is known.
    pub range: Option<IteratorRange>,
}

/// The integers in `low..low + extent`.
#[derive(Clone, Debug, PartialEq)]
pub struct IteratorRange {
    /// The first value.
    pub low: Sym,
    /// The number of values.
    pub extent: Sym,
}

impl IteratorRange {
    /// The least range that holds both, if the facts tell which ends are the outer ones.
    pub fn union(&self, other: &Self, facts: &Facts) -> Option<Self> {
        let ends = |range: &Self| {
            let high = range.low.checked_add(&range.extent).ok()?;
            Some(Range { low: Some(range.low.clone()), high: Some(high) })
        };
        let both = ends(self)?.union(&ends(other)?, facts);
        let (low, high) = both.low.zip(both.high)?;
        let extent = high.checked_sub(&low).ok()?;
        Some(Self { low, extent })
    }
}

/// The threads that execute a statement together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// All threads of the launch.
    Grid,
    /// The threads of one cluster of several blocks: the body of a `for … in grid(…)`.
    Cluster,
    /// The threads of one block: the body of a `for … in grid(…)`.
    Block,
    /// The threads of one iteration of a collective loop, or those that a `with` selects.
    Threads(CollectiveId),
}

/// Where a statement comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The collective that executes it.
    pub scope: Scope,
    /// Its span in the kernel's item.
    pub span: Span,
}

impl Origin {
    /// A statement that comes from there.
    pub fn statement(self, kind: StatementKind) -> Statement {
        Statement { kind, scope: self.scope, span: self.span }
    }
}

impl Statement {
    /// Where it comes from.
    pub fn origin(&self) -> Origin {
        Origin { scope: self.scope, span: self.span }
    }
}

/// A statement and the collective that executes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// Its kind.
    pub kind: StatementKind,
    /// The collective that executes it.
    pub scope: Scope,
    /// Its span in the kernel's item.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// Assigns a variable, at its declaration or later.
    Assign {
        /// The variable.
        local: Local,
        /// The value, of the variable's type.
        value: Expr,
    },
    /// `for local in low..high`, ascending by one; both ends are evaluated once.
    For {
        /// The iterator, an `i64` that the body does not assign.
        local: Local,
        /// The first value of the iterator.
        low: Expr,
        /// The end of the range, exclusive.
        high: Expr,
        /// The statements of the body.
        body: Vec<Statement>,
    },
    /// `if`
    If {
        /// An expression of type `bool`.
        condition: Expr,
        /// Executed if the condition holds.
        then: Vec<Statement>,
        /// Executed otherwise.
        otherwise: Vec<Statement>,
    },
    /// The body of a loop over collectives or of a `with`, which some of the surrounding threads execute together. Only
    /// programs have it: a schedule has an `If` instead.
    Collective {
        /// The collective that executes the body.
        collective: CollectiveId,
        /// A `bool`: whether a thread belongs to it.
        condition: Expr,
        /// The statements of the body.
        body: Vec<Statement>,
    },
    /// A parallel loop over the elements of a tile.
    Each(Box<Each>),
    /// Writes an element, unless the access is masked off.
    Store {
        /// The element.
        access: Access,
        /// The value, of the memory's element type.
        value: Expr,
        /// Whether it is a copy of an element of a tensor that nobody writes, to a shared array, which may happen at any time before
        /// the next [`StatementKind::Copies`] that waits for it.
        is_async: bool,
    },
    /// Reads and changes an element in one step, unless the access is masked off.
    Atomic(Box<Atomic>),
    /// Passes values between the threads of a warp.
    Shuffle(Box<Shuffle>),
    /// Synchronises threads of a block.
    Barrier(Barrier),
    /// Orders the asynchronous copies of the thread.
    Copies(CopyOrder),
}

/// A read or a write of one element.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The accessed memory.
    pub memory: Memory,
    /// The meaning: maps `coordinates` to the element's row-major index within the tensor's shape, or to its position
    /// in the shared array.
    pub map: Arc<IndexMap>,
    /// The upper coordinate of the access, one `i64` per upper axis of `map`.
    pub coordinates: Vec<Expr>,
    /// The position in the memory's storage, in elements. It is meaningful only if `mask` holds, and evaluating it
    /// never faults.
    pub offset: Expr,
    /// The condition under which the access happens; `None` means always. A load that is masked off gives zero.
    pub mask: Option<Expr>,
    /// The span of the access.
    pub span: Span,
}

/// An expression with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// The type of its value.
    pub element: ElementType,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A constant of the expression's type.
    Constant(Constant),
    /// A dimension expression (`i64`), uniform across the launch: evaluated from the launch's symbols.
    Size(Sym),
    /// A scalar parameter.
    Scalar(ParamId),
    /// A variable.
    Local(Local),
    /// The id of the thread's block, `i64`, `0..blocks`.
    BlockId,
    /// The id of the thread within its block, `i64`, `0..threads`.
    ThreadId,
    /// An element of a tensor or of a shared array.
    Load(Box<Access>),
    /// One operand, of the same type as the result.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands of one type; comparisons give `bool`. `&&` and `||` evaluate the right operand only if it matters.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if c { a } else { b }`; only the chosen alternative is evaluated.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A cast from the operand's type to the expression's type. From float to integer it truncates toward zero and
    /// saturates, and NaN becomes 0; to a narrower integer it wraps; to `bool` it is `!= 0`; to f16 and bf16 it rounds
    /// to nearest even.
    Cast(Box<Expr>),
    /// The bits of the operand as a value of the expression's type, which has as many. One of the two types is a float, the
    /// other one the unsigned integer of its size: a cast between integers of one size keeps the bits anyway.
    Bits(Box<Expr>),
    /// A math function of floats (`abs`, `min` and `max` also of integers), with arguments of the result's type.
    Math(MathFunction, Vec<Expr>),
}
