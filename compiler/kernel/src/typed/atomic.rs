//! Atomic accesses: reads and changes of an element in one step, in which threads may meet.

use super::{Access, BinaryOp, Expr, ExprKind, Local, MathFunction};
use elements::ElementType;

/// An atomic access.
#[derive(Clone, Debug, PartialEq)]
pub struct Atomic {
    /// What it does.
    pub operation: AtomicOperation,
    /// The element. One that is masked off is not touched, and its value from before counts as zero.
    pub access: Access,
    /// The operands, of the element's type: [`AtomicOperation::operands`].
    pub operands: Vec<Expr>,
    /// The variable that takes the element from before, of the element's type. It is assigned nowhere else.
    pub result: Option<Local>,
    /// What it orders.
    pub order: MemoryOrder,
    /// The threads among which it is one step.
    pub scope: ThreadScope,
}

/// What an atomic access does to an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AtomicOperation {
    /// Reads it.
    Load,
    /// Writes it.
    Store,
    /// Adds to it. Integers wrap.
    Add,
    /// Keeps the smaller one.
    Min,
    /// Keeps the greater one.
    Max,
    /// `&`, bit by bit.
    And,
    /// `|`, bit by bit.
    Or,
    /// Exclusive or, bit by bit.
    Xor,
    /// Writes it, and gives the one from before.
    Exchange,
    /// Writes the second operand if the element equals the first one.
    CompareExchange,
}

/// How two elements become one: the old one of an atomic access and its operand, or two elements of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    /// By an operator.
    Operator(BinaryOp),
    /// By a function.
    Function(MathFunction),
}

impl Combination {
    /// The expression of both.
    pub fn apply(self, left: Expr, right: Expr) -> Expr {
        match self {
            Self::Operator(op) => Expr::binary(op, left, right),
            Self::Function(function) => {
                let element = left.element;
                Expr { kind: ExprKind::Math(function, vec![left, right]), element }
            }
        }
    }
}

/// Which accesses of a thread other threads see before an atomic access, or after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MemoryOrder {
    /// It orders nothing.
    #[default]
    Relaxed,
    /// What follows in the thread happens after it.
    Acquire,
    /// What precedes in the thread happens before it.
    Release,
    /// Both.
    AcquireRelease,
}

/// The threads among which an atomic access is one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ThreadScope {
    /// Those of the block.
    Block,
    /// Those of the device: all of a launch.
    #[default]
    Device,
    /// Those of all devices and the host.
    System,
}

impl AtomicOperation {
    /// All operations.
    pub const ALL: [Self; 10] = [
        Self::Load,
        Self::Store,
        Self::Add,
        Self::Min,
        Self::Max,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Exchange,
        Self::CompareExchange,
    ];

    /// Its name in programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Load => "atomic_load",
            Self::Store => "atomic_store",
            Self::Add => "atomic_add",
            Self::Min => "atomic_min",
            Self::Max => "atomic_max",
            Self::And => "atomic_and",
            Self::Or => "atomic_or",
            Self::Xor => "atomic_xor",
            Self::Exchange => "atomic_exchange",
            Self::CompareExchange => "atomic_compare_exchange",
        }
    }

    /// The operation of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
    }

    /// The operation with a name in CUDA or Triton.
    pub fn from_elsewhere(name: &str) -> Option<Self> {
        Some(match name {
            "atomicAdd" => Self::Add,
            "atomicMin" => Self::Min,
            "atomicMax" => Self::Max,
            "atomicAnd" => Self::And,
            "atomicOr" => Self::Or,
            "atomicXor" => Self::Xor,
            "atomicExch" | "atomic_xchg" => Self::Exchange,
            "atomicCAS" | "atomic_cas" => Self::CompareExchange,
            _ => return None,
        })
    }

    /// The names of its operands behind the element.
    pub const fn operands(self) -> &'static [&'static str] {
        match self {
            Self::Load => &[],
            Self::CompareExchange => &["expected", "value"],
            _ => &["value"],
        }
    }

    /// Whether it is defined on a type. Any element is read and written in one step; GPUs change those of 32 and 64 bits. The
    /// smaller and the greater one of floats are made of a compare-and-exchange.
    pub fn is_defined_on(self, element: ElementType) -> bool {
        let is_wide = matches!(element.size_bytes(), 4 | 8) && element != ElementType::Bool;
        match self {
            Self::Load | Self::Store => true,
            Self::And | Self::Or | Self::Xor | Self::CompareExchange => is_wide && element.is_integer(),
            _ => is_wide,
        }
    }

    /// How it makes the new element; `None` if it keeps the old one, or takes an operand as it is.
    pub const fn combination(self) -> Option<Combination> {
        Some(match self {
            Self::Load | Self::Store | Self::Exchange | Self::CompareExchange => return None,
            Self::Add => Combination::Operator(BinaryOp::Add),
            Self::And => Combination::Operator(BinaryOp::BitAnd),
            Self::Or => Combination::Operator(BinaryOp::BitOr),
            Self::Xor => Combination::Operator(BinaryOp::BitXor),
            Self::Min => Combination::Function(MathFunction::Min),
            Self::Max => Combination::Function(MathFunction::Max),
        })
    }

    /// Whether it may change the element.
    pub const fn writes(self) -> bool {
        !matches!(self, Self::Load)
    }

    /// Whether it gives the element from before.
    pub const fn gives(self) -> bool {
        !matches!(self, Self::Store)
    }

    /// The orders it may have.
    pub const fn orders(self) -> &'static [MemoryOrder] {
        match self {
            Self::Load => &[MemoryOrder::Relaxed, MemoryOrder::Acquire],
            Self::Store => &[MemoryOrder::Relaxed, MemoryOrder::Release],
            _ => &MemoryOrder::ALL,
        }
    }
}

impl MemoryOrder {
    /// All orders.
    pub const ALL: [Self; 4] = [Self::Relaxed, Self::Acquire, Self::Release, Self::AcquireRelease];

    /// Its name in programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Relaxed => "relaxed",
            Self::Acquire => "acquire",
            Self::Release => "release",
            Self::AcquireRelease => "acq_rel",
        }
    }

    /// Whether what precedes in the thread happens before the access.
    pub const fn releases(self) -> bool {
        matches!(self, Self::Release | Self::AcquireRelease)
    }

    /// Whether what follows in the thread happens after the access.
    pub const fn acquires(self) -> bool {
        matches!(self, Self::Acquire | Self::AcquireRelease)
    }
}

impl ThreadScope {
    /// All scopes, from the narrowest on.
    pub const ALL: [Self; 3] = [Self::Block, Self::Device, Self::System];

    /// Its name in programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Device => "device",
            Self::System => "system",
        }
    }
}

impl Atomic {
    /// Visits the expressions that it evaluates, without their subexpressions.
    pub(crate) fn expressions<'k>(&'k self, visit: &mut dyn FnMut(&'k Expr)) {
        self.access.expressions(visit);
        self.operands.iter().for_each(visit);
    }
}
