//! A kernel prepared for interpretation: sizes substituted, operators resolved to functions.

use std::collections::BTreeMap;

use dims::{Sym, Symbol};
use elements::ElementType;
use kernel::typed::{Access, BinaryOp, Constant, CopyOrder, Expr, ExprKind, Kernel, Memory};

use super::atomics::PreparedAtomic;
use super::map::BoundMap;
use super::operation::{self, CalledFunction, CalledWithTwo, Function, Function1, Function2, Function3};
use super::phases::{Phase, phases};
use crate::execute::bind::evaluate_wide;
use crate::execute::error::SizeOf;
use crate::execute::{ExecuteError, Extent, SizedKernel};
use crate::tensors::{Bits, Element, Scalar, Wide};

/// A kernel that can be interpreted, for given sizes.
pub struct Program<'k> {
    pub(crate) kernel: &'k Kernel,
    pub(crate) extent: Extent,
    /// The number of elements of each shared array, or of the part of each thread.
    pub(crate) lengths: Vec<i64>,
    pub(crate) body: Vec<Phase>,
}

/// A statement without barriers.
pub(crate) enum Step {
    Assign {
        local: usize,
        value: Node,
    },
    For {
        header: Header,
        body: Vec<Step>,
    },
    If {
        condition: Node,
        then: Vec<Step>,
        otherwise: Vec<Step>,
    },
    Store {
        place: Place,
        value: Node,
    },
    /// A store that happens when the thread waits for it, the last moment at which it may.
    Copy {
        place: Place,
        value: Node,
    },
    Copies(CopyOrder),
    Atomic(Box<PreparedAtomic>),
}

/// What a loop counts through.
pub(crate) struct Header {
    pub local: usize,
    pub low: Node,
    pub high: Node,
    /// The variable that is false once no iteration does anything any more.
    pub ending: Option<usize>,
}

impl Header {
    /// Whether no iteration does anything any more in a thread with these variables.
    pub fn has_ended(&self, locals: &[Bits]) -> bool {
        self.ending.is_some_and(|local| !bool::decode(locals.get(local).copied().unwrap_or(0)))
    }
}

/// An expression; its value is a [`Bits`].
pub(crate) enum Node {
    Constant(Bits),
    /// The argument with this number.
    Scalar(usize),
    Local(usize),
    BlockId,
    ThreadId,
    Load(Box<Place>),
    One(Function1, Box<Node>),
    Called(CalledFunction, math::Function, Box<Node>),
    CalledWithTwo(CalledWithTwo, math::BinaryFunction, Box<(Node, Node)>),
    Two(Function2, Box<(Node, Node)>),
    Three(Function3, Box<(Node, Node, Node)>),
    And(Box<(Node, Node)>),
    Or(Box<(Node, Node)>),
    Select(Box<(Node, Node, Node)>),
}

/// The element of an access.
pub(crate) struct Place {
    pub memory: Memory,
    pub element: ElementType,
    pub map: BoundMap,
    pub coordinates: Vec<Node>,
    /// Whether the access may be masked off. Otherwise an invalid coordinate is an error.
    pub masked: bool,
}

impl<'k> Program<'k> {
    /// Prepares a kernel.
    ///
    /// # Errors
    /// If a size in the kernel's body has no value.
    pub fn new(sized: SizedKernel<'k>) -> Result<Program<'k>, ExecuteError> {
        let kernel = sized.kernel();
        let builder = Builder { kernel, sizes: sized.sizes() };
        let (extent, lengths) = (sized.extent(), sized.array_lengths()?);
        Ok(Program { kernel, extent, lengths, body: phases(&builder, &kernel.body)? })
    }
}

/// Prepares the parts of a kernel.
pub(super) struct Builder<'a> {
    pub(super) kernel: &'a Kernel,
    sizes: &'a BTreeMap<Symbol, i64>,
}

impl Builder<'_> {
    /// An expression.
    pub(super) fn node(&self, expr: &Expr) -> Result<Node, ExecuteError> {
        let missing = |what: &str| self.malformed(format!("{what} of {}", expr.element));
        Ok(match &expr.kind {
            ExprKind::Constant(constant) => Node::Constant(constant_bits(*constant, expr.element)),
            ExprKind::Size(size) => Node::Constant(self.size(size)? as Bits),
            ExprKind::Scalar(id) => Node::Scalar(id.0 as usize),
            ExprKind::Local(local) => Node::Local(local.0 as usize),
            ExprKind::BlockId => Node::BlockId,
            ExprKind::ThreadId => Node::ThreadId,
            ExprKind::Load(access) => Node::Load(Box::new(self.place(access)?)),
            ExprKind::Unary(operator, operand) => {
                let function = operation::unary(*operator, expr.element).ok_or_else(|| missing("an operator"))?;
                Node::One(function, Box::new(self.node(operand)?))
            }
            ExprKind::Binary(operator, left, right) => {
                let operands = Box::new((self.node(left)?, self.node(right)?));
                match operator {
                    BinaryOp::And => Node::And(operands),
                    BinaryOp::Or => Node::Or(operands),
                    _ => {
                        let function =
                            operation::binary(*operator, left.element).ok_or_else(|| missing("an operator"))?;
                        Node::Two(function, operands)
                    }
                }
            }
            ExprKind::Select(condition, first, second) => {
                Node::Select(Box::new((self.node(condition)?, self.node(first)?, self.node(second)?)))
            }
            ExprKind::Cast(operand) => {
                Node::One(operation::cast(operand.element, expr.element), Box::new(self.node(operand)?))
            }
            // A value is kept as its bits.
            ExprKind::Bits(operand) => self.node(operand)?,
            ExprKind::Math(function, arguments) => {
                let function = operation::math(*function, expr.element).ok_or_else(|| missing("a math function"))?;
                match (function, arguments.as_slice()) {
                    (Function::One(function), [operand]) => Node::One(function, Box::new(self.node(operand)?)),
                    (Function::Called(function, called), [operand]) => {
                        Node::Called(function, called, Box::new(self.node(operand)?))
                    }
                    (Function::CalledWithTwo(function, called), [left, right]) => {
                        Node::CalledWithTwo(function, called, Box::new((self.node(left)?, self.node(right)?)))
                    }
                    (Function::Two(function), [left, right]) => {
                        Node::Two(function, Box::new((self.node(left)?, self.node(right)?)))
                    }
                    (Function::Three(function), [first, second, third]) => {
                        Node::Three(function, Box::new((self.node(first)?, self.node(second)?, self.node(third)?)))
                    }
                    _ => return Err(missing("a math function with other operands")),
                }
            }
        })
    }

    /// Prepares the place of an access.
    pub(super) fn place(&self, access: &Access) -> Result<Place, ExecuteError> {
        let memory = access.memory;
        let Some((element, name)) = self.kernel.element(memory).zip(self.kernel.memory_name(memory)) else {
            return Err(self.malformed("an access to no tensor".to_owned()));
        };
        let map = BoundMap::new(&access.map, self.sizes).map_err(|reason| ExecuteError::Size {
            kernel: self.kernel.name.to_string(),
            what: SizeOf::Map(name.to_string()),
            reason,
        })?;
        let coordinates =
            access.coordinates.iter().map(|coordinate| self.node(coordinate)).collect::<Result<_, _>>()?;
        Ok(Place { memory, element, map, coordinates, masked: access.mask.is_some() })
    }

    /// The value of a size. Where it does not fit, the launch is refused, unless the size is never computed.
    fn size(&self, size: &Sym) -> Result<i64, ExecuteError> {
        Ok(evaluate_wide(self.kernel, size, self.sizes, || SizeOf::Body(size.clone()))? as i64)
    }

    pub(super) fn malformed(&self, problem: String) -> ExecuteError {
        ExecuteError::Malformed { kernel: self.kernel.name.to_string(), problem }
    }
}

/// The bits of a constant of the given type.
pub(crate) fn constant_bits(constant: Constant, element: ElementType) -> Bits {
    let wide = match constant {
        Constant::Bool(value) => Wide::Integer(i128::from(value)),
        Constant::Int(value) => Wide::Integer(i128::from(value)),
        Constant::Unsigned(value) => Wide::Integer(i128::from(value)),
        Constant::Float(value) => return Scalar::constant(element, value).to_bits(),
    };
    Scalar::narrow(element, wide).to_bits()
}
