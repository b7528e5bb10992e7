//! Expressions.

use smol_str::SmolStr;

use super::{LaunchClause, Name};
use crate::span::Span;

/// An expression and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its tokens.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A part that could not be parsed; already reported.
    Error,
    /// `64`, `4_ic`, `1_000`; `None` where the number does not fit 64 bits (already reported).
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
    /// `(e)`: grouping, or in a derivation's bracket "dimension e of what stands before it".
    Paren(Box<Expr>),
    /// `(a, b)`, also `()` and `(a,)`.
    Tuple(Vec<Expr>),
    /// `(domain; box)`: a unit.
    Unit {
        /// Before the semicolon; one element, or the elements of a tuple.
        domain: Vec<Expr>,
        /// After the semicolon.
        box_: Vec<Expr>,
    },
    /// `[a, b]`
    List(Vec<Expr>),
    /// `|e|`
    Size(Box<Expr>),
    /// `lo..hi`
    Range(Box<Expr>, Box<Expr>),
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
        /// What they apply to.
        operand: Box<Expr>,
    },
    /// `a.b(c)[d]`: the suffixes, from left to right.
    Postfix {
        /// What they apply to.
        base: Box<Expr>,
        /// From left to right.
        suffixes: Vec<Suffix>,
    },
    /// `if c { a } else if d { b } else { e }`
    If {
        /// From the `if` to the last `else if`.
        arms: Vec<Arm>,
        /// Where no condition holds.
        otherwise: Box<Expr>,
    },
    /// `reshape_map([…] | […] => layout: […], offset: e)`
    ReshapeMap(Box<ReshapeMap>),
    /// `{ 0: _, (1, 2): merge => 1 }`
    Group(Vec<GroupEntry>),
    /// `cluster(1) block(384)`: two or more launch clauses, one after the other. One alone is a call
    /// (`block(384)`), which is also what `block(0)` is on a shape called `block`.
    Launch(Vec<LaunchClause>),
}

/// A condition with the value that is chosen where it holds and none before it does.
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
    /// Where the operator stands.
    pub op_span: Span,
    /// Its right operand.
    pub operand: Expr,
}

/// Binary operators; each precedence level has its own line, loosest first.
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
    /// The operator as it is written.
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
}

/// What may follow an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Suffix {
    /// What it is.
    pub kind: SuffixKind,
    /// Its own tokens, without what stands before it.
    pub span: Span,
}

/// The kinds of suffixes.
#[derive(Clone, Debug, PartialEq)]
pub enum SuffixKind {
    /// `.name`
    Member(Name),
    /// `(a, k: b)`
    Call(Vec<Argument>),
    /// `[a, b]`: a derivation after a shape, an access after a tensor or view.
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

/// The inside of a `reshape_map`.
#[derive(Clone, Debug, PartialEq)]
pub struct ReshapeMap {
    /// Local dimensions, each `D` or the tuple `(D, TD)`.
    pub local: Vec<Expr>,
    /// The brackets around them.
    pub local_span: Span,
    /// Thread dimensions, each `D` or the tuple `(D, TD)`.
    pub thread: Vec<Expr>,
    /// The brackets around them.
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
    /// The brackets around them.
    pub span: Span,
}

/// `(0, 2): merge => 0` in a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupEntry {
    /// Ids of the lower dimensions.
    pub lower: Vec<Expr>,
    /// The transform, or `_` for `pass_through`.
    pub transform: Expr,
    /// Ids of the upper dimensions, where written.
    pub upper: Option<Vec<Expr>>,
    /// The whole entry.
    pub span: Span,
}
