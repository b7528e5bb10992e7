//! The typed kernel: what every executor runs.
//!
//! A kernel is one program that every thread of its launch executes. Names are resolved, every expression has
//! its element type, every access says both *what it means* (a map and the coordinates it is asked at; the
//! reference interpreter evaluates these) and *how to compute it* (the integer expressions for the offset and
//! the mask; Cranelift and CUDA use these). Tests hold the two against each other.
//!
//! Integer arithmetic of `i8…u64` wraps as two's complement does on every target; `Index` expressions (`i64`)
//! do not leave 64 bits, which [`at_launch`](super::at_launch()) makes sure of. Integer division truncates for element
//! types, as CUDA's does; a zero divisor gives 0. `Index` expressions divide with floor ([`BinaryOp::FloorDivide`],
//! [`BinaryOp::FloorRemainder`]).
//!
//! A loop over thread collectives is here what each thread does of it: its iterator is a variable made of the thread's id,
//! and an `if` lets the threads of the iterations in. So only [`Barrier`] says that threads have to do with each other.

mod memory;
mod operators;
pub(crate) mod print;
mod walk;

use std::sync::Arc;

use smol_str::SmolStr;

use dims::{Facts, Sym, Symbol};
use elements::ElementType;
use maps::IndexMap;
use maps::threads::Tiling;
use syntax::span::Span;

pub use super::functions::MathFunction;
pub use memory::{Barrier, Memory, SharedArray, SharedId, SharedLayout, Waiting};
pub use operators::{BinaryOp, UnaryOp};

/// A kernel that passed every check.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// Its name.
    pub name: SmolStr,
    /// Every symbol that a size in the kernel depends on, sorted. An executor is given a value for each.
    pub symbols: Vec<Symbol>,
    /// What is known of the symbols.
    pub facts: Facts,
    /// Its parameters, in order.
    pub params: Vec<Param>,
    /// How many blocks of how many threads run it.
    pub launch: Launch,
    /// The collectives that its threads run in; [`CollectiveId`] is an index into them.
    pub collectives: Vec<Tiling>,
    /// The arrays that the threads of a block share; [`SharedId`] is an index into them.
    pub shared: Vec<SharedArray>,
    /// Its variables; [`Local`] is an index into them.
    pub locals: Vec<LocalVariable>,
    /// What every thread executes.
    pub body: Vec<Statement>,
    /// What could not be proven for every size, and is asked again at launch with the actual ones.
    pub obligations: Vec<Obligation>,
}

/// Which of its two forms a kernel has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What the program says: every loop over collectives is an `if` around what its threads do, and nobody waits.
    Program,
    /// What each thread does of it: an `if` is there only where it decides something, threads wait at barriers, and shared
    /// arrays have their places.
    Schedule,
}

/// A claim about an access that depends on the launch's sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct Obligation {
    /// What is accessed.
    pub memory: Memory,
    /// The access over block ids, thread ids and iterators.
    pub map: Arc<IndexMap>,
    /// What must hold of it.
    pub claim: Claim,
    /// Where the access stands.
    pub span: Span,
}

/// What must hold of an access.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// Every valid coordinate leads below the bound.
    InBounds(Sym),
    /// Every index that the program gives stays below the view's extent; beyond it are other threads' elements.
    WithinView(Sym),
    /// No two threads reach one element.
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
    /// A tensor.
    Tensor {
        /// Whether the kernel may write it.
        mutable: bool,
        /// Its dimensions.
        shape: Vec<Sym>,
        /// Elements between neighbours along each dimension; row-major where the source gave none.
        strides: Vec<Sym>,
    },
}

/// The launch, in one dimension each: block ids are `0..blocks`, thread ids within a block `0..threads`.
///
/// Blocks `c * cluster..(c + 1) * cluster` are cluster `c`, and `block % cluster` is a block's rank in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// Number of blocks in a cluster; 1 where nothing says otherwise. It divides the number of blocks.
    pub cluster: i64,
    /// Number of blocks.
    pub blocks: Sym,
    /// Threads of a block.
    pub threads: Sym,
}

impl Default for Launch {
    /// One thread.
    fn default() -> Self {
        Self { cluster: 1, blocks: Sym::one(), threads: Sym::one() }
    }
}

/// An index into [`Kernel::params`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParamId(pub u32);

/// An index into [`Kernel::collectives`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CollectiveId(pub u32);

/// An index into [`Kernel::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Local(pub u32);

/// A variable of a thread.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalVariable {
    /// Its name in the source; two variables may share one.
    pub name: SmolStr,
    /// Its type.
    pub element: ElementType,
    /// Whether it is assigned after its declaration.
    pub mutable: bool,
    /// Of an iterator: the sizes between which the checks know its values to lie.
    pub range: Option<IteratorRange>,
}

/// The integers in `low..low + extent`.
#[derive(Clone, Debug, PartialEq)]
pub struct IteratorRange {
    /// The first.
    pub low: Sym,
    /// How many there are.
    pub extent: Sym,
}

/// The collective that runs a statement together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// All threads of the launch.
    Grid,
    /// The threads of one cluster of several blocks: the body of a `for … in grid(…)`.
    Cluster,
    /// The threads of one block: the body of a `for … in grid(…)`.
    Block,
    /// The threads of one iteration of a collective loop, or those that a `with` lets in.
    Threads(CollectiveId),
}

/// A statement with the collective that runs it.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Who runs it.
    pub scope: Scope,
    /// Where it stands in the kernel's item.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// Gives a variable its value, at its declaration or later.
    Assign {
        /// The variable.
        local: Local,
        /// Its value, of the variable's type.
        value: Expr,
    },
    /// `for local in low..high`, ascending by one; both ends are evaluated once.
    For {
        /// The iterator, an `i64` that the body does not assign.
        local: Local,
        /// The first value.
        low: Expr,
        /// One past the last.
        high: Expr,
        /// The body.
        body: Vec<Statement>,
    },
    /// `if`
    If {
        /// A `bool`.
        condition: Expr,
        /// Where it holds.
        then: Vec<Statement>,
        /// Where it does not.
        otherwise: Vec<Statement>,
    },
    /// The body of a loop over collectives or of a `with`: some of the threads around it run it together. A schedule has
    /// none: there it is an `If`.
    Collective {
        /// Who runs the body.
        collective: CollectiveId,
        /// A `bool`: whether a thread takes part.
        condition: Expr,
        /// What they run.
        body: Vec<Statement>,
    },
    /// Writes an element; where the access is masked off, nothing.
    Store {
        /// Where.
        access: Access,
        /// What, of the element type of the memory.
        value: Expr,
    },
    /// Threads of a block wait for each other.
    Barrier(Barrier),
}

/// One read or write of an element.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// Where the element is.
    pub memory: Memory,
    /// Its meaning: from `coordinates` to the element's row-major index within the tensor's shape, or to its position in
    /// the shared array.
    pub map: Arc<IndexMap>,
    /// The upper coordinate that is asked for, one `i64` per upper axis of `map`.
    pub coordinates: Vec<Expr>,
    /// How to compute it: the element's position in the storage of the memory, in elements. Meaningful, and
    /// only to be computed as far as it cannot fault, where `mask` holds.
    pub offset: Expr,
    /// Where the access happens; `None`: everywhere. A load that is masked off gives zero.
    pub mask: Option<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// An expression with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The type of its value.
    pub element: ElementType,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A constant of the expression's type.
    Constant(Constant),
    /// A dimension expression (`i64`), the same for every thread: evaluated on the launch's symbols.
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
    /// Two operands of one type; comparisons give `bool`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if c { a } else { b }`; only the chosen side is evaluated where it matters (loads).
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// To the expression's type from the operand's. Float to integer truncates toward zero and saturates, NaN is 0;
    /// integer to narrower integer wraps; to `bool` is `!= 0`; to f16 and bf16 rounds to nearest even.
    Cast(Box<Expr>),
    /// A math function of floats (`abs`, `min` and `max` also of integers): arguments of the result's type.
    Math(MathFunction, Vec<Expr>),
}

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// `bool`
    Bool(bool),
    /// Any integer type; fits it.
    Int(i64),
    /// A `u64` above 2⁶³ − 1.
    Unsigned(u64),
    /// Any float type.
    Float(f64),
}

impl Constant {
    /// An integer as a constant; `None` where no integer type holds it.
    pub fn integer(value: i128) -> Option<Self> {
        let unsigned = || u64::try_from(value).ok().map(Self::Unsigned);
        i64::try_from(value).ok().map(Self::Int).or_else(unsigned)
    }
}
