//! Expressions.

use smol_str::SmolStr;

use super::{Block, LaunchClause, Name};
use crate::span::Span;

/// An expression with its span.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// Its tokens.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A part with a syntax error, which the parser has reported.
    Error,
    /// `64`, `4_ic`, `1_000`; `None` if the number exceeds 64 bits, which the parser has reported.
    Int(Option<i64>),
    /// An integer above 2⁶³ − 1, which only `u64` holds.
    Unsigned(u64),
    /// `2.0`, `1e-5`: the value.
    Float(f64),
    /// `true`, `false`
    Bool(bool),
    /// `"x.npy"`
    Str(SmolStr),
    /// A name.
    Name(SmolStr),
    /// `_`
    Underscore,
    /// `?`, a fresh symbolic dimension.
    Question,
    /// `(e)`: grouping, or dimension `e` of the shape before the bracket of a derived shape.
    Paren(Box<Expr>),
    /// `(a, b)`, also `()` and `(a,)`.
    Tuple(Vec<Expr>),
    /// `(domain; box)`: a unit.
    Unit {
        /// The elements before the semicolon.
        domain: Vec<Expr>,
        /// The elements after the semicolon.
        box_: Vec<Expr>,
    },
    /// `[a, b]`
    List(Vec<Expr>),
    /// `|e|`
    Size(Box<Expr>),
    /// `lo..hi`
    Range(Box<Expr>, Box<Expr>),
    /// `t via m`: a tensor or a view by the indices of a map. Only an argument of a call can be one.
    Via(Box<Expr>, Box<Expr>),
    /// `a + b - c`: operators of one precedence level, applied from left to right.
    Chain {
        /// The leftmost operand.
        first: Box<Expr>,
        /// The operators, each with its right operand.
        rest: Vec<Link>,
    },
    /// `-a`, `!a`, `- -a`: the operators, outermost first.
    Prefix {
        /// Outermost first.
        ops: Vec<(PrefixOp, Span)>,
        /// The operand.
        operand: Box<Expr>,
    },
    /// `a.b(c)[d]`: the suffixes, from left to right.
    Postfix {
        /// The expression before the suffixes.
        base: Box<Expr>,
        /// The suffixes, from left to right.
        suffixes: Vec<Suffix>,
    },
    /// `if c { a } else if d { b } else { e }`
    If {
        /// The arms from the `if` to the last `else if`.
        arms: Vec<Arm>,
        /// The value if no condition holds.
        otherwise: Box<Expr>,
    },
    /// `{ let a = e; a * a }`, in the body of a function: the last statement is the value.
    Block(Box<Block>),
    /// `reshape_map([…] | […] => layout: […], offset: e)`
    ReshapeMap(Box<ReshapeMap>),
    /// `{ 0: _, (1, 2): merge => 1 }`
    Group(Vec<GroupEntry>),
    /// `cluster(1) block(384)`: two or more adjacent launch clauses. A single clause is a call (`block(384)`), since
    /// `block(0)` may also be a dimension of a shape called `block`.
    Launch(Vec<LaunchClause>),
}

/// A condition with the value for the case that it is the first one to hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The condition.
    pub condition: Expr,
    /// The value.
    pub value: Expr,
}

/// An operator with its right operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The operator.
    pub op: BinaryOp,
    /// The span of the operator.
    pub op_span: Span,
    /// Its right operand.
    pub operand: Expr,
}

/// Binary operators; each precedence level has a line, from the lowest to the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[rustfmt::skip]
pub enum BinaryOp {
    /// `|>`
    Pipe,
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal, /// `!=`
    NotEqual, /// `<`
    Less, /// `<=`
    LessEqual, /// `>`
    Greater, /// `>=`
    GreaterEqual,
    // `lo..hi` stands here; it is ExprKind::Range.
    /// `|`: the bits that one of two integers has
    BitOr,
    /// `^`: the bits that exactly one of two integers has
    BitXor,
    /// `&`: the bits that both of two integers have
    BitAnd,
    /// `<<`: the bits of an integer, moved towards the higher places
    ShiftLeft, /// `>>`: the bits of an integer, moved towards the lower places
    ShiftRight,
    /// `+`
    Add, /// `-`
    Subtract,
    /// `*`
    Multiply, /// `/`: floor division on dimensions and integers
    Divide, /// `%`
    Remainder, /// `#`: bounded product of shapes
    BoundedProduct,
}

impl BinaryOp {
    /// The text of the operator.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Pipe => "|>",
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::BitAnd => "&",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Remainder => "%",
            BinaryOp::BoundedProduct => "#",
        }
    }
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PrefixOp {
    /// `-`
    Negate,
    /// `!`
    Not,
    /// `~`: every bit of an integer, inverted
    Complement,
}

/// A suffix of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Suffix {
    /// Its kind.
    pub kind: SuffixKind,
    /// The tokens of the suffix alone.
    pub span: Span,
}

/// The kinds of suffixes.
#[derive(Clone, Debug, PartialEq)]
pub enum SuffixKind {
    /// `.name`
    Member(Name),
    /// `(a, k: b)`
    Call(Vec<Argument>),
    /// `[a, b]`: derives a shape from a shape, or accesses an element of a tensor or view.
    Bracket(Vec<Expr>),
}

/// An argument, positional or named.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// The name before the colon.
    pub name: Option<Name>,
    /// The value.
    pub value: Expr,
}

/// The arguments of a `reshape_map`.
#[derive(Clone, Debug, PartialEq)]
pub struct ReshapeMap {
    /// Local dimensions, each `D` or the tuple `(D, TD)`.
    pub local: Vec<Expr>,
    /// The span of their brackets.
    pub local_span: Span,
    /// Thread dimensions, each `D` or the tuple `(D, TD)`.
    pub thread: Vec<Expr>,
    /// The span of their brackets.
    pub thread_span: Span,
    /// `layout: […]`, fastest to slowest.
    pub layout: Option<Layout>,
    /// `offset: e`
    pub offset: Option<Expr>,
}

/// The `layout: […]` of a `reshape_map`.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Fastest to slowest; each a number or a name, possibly negated.
    pub entries: Vec<Expr>,
    /// The span of its brackets.
    pub span: Span,
}

/// An entry `(0, 2): merge => 0` of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupEntry {
    /// The numbers of the lower dimensions.
    pub lower: Vec<Expr>,
    /// The transform, or `_` for `pass_through`.
    pub transform: Expr,
    /// The numbers of the upper dimensions, if given.
    pub upper: Option<Vec<Expr>>,
    /// The span of the whole entry.
    pub span: Span,
}
