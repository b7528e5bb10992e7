//! The syntax tree of one item.
//!
//! Chains of operators, suffixes and prefixes are flat lists, so the depth of a tree is bounded by the nesting
//! of its brackets (which the parser caps), never by the length of the source. A part that could not be parsed
//! is [`ExprKind::Error`] or an absent option; the parser has reported it, later stages stay silent about it.

use smol_str::SmolStr;

use super::span::Span;

/// A word and where it stands; an empty text where it is missing (already reported).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The word as written; a hyphenated word is one name here (`new-shape0`).
    pub text: SmolStr,
    /// Where it stands.
    pub span: Span,
}

/// One item of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// All of its tokens.
    pub span: Span,
}

/// The kinds of items.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// `use "other.shape";`
    Use {
        /// The path with its escapes resolved, and the span of the literal.
        path: StringLiteral,
    },
    /// `mdspan<1> s1 : [3];`, `mdspan s0 : [7, 8];` or `s3 : [7, 8, 9]`
    Shape {
        /// The declared name.
        name: Name,
        /// The explicit rank between `<` and `>`.
        rank: Option<Expr>,
        /// The initialiser.
        value: Expr,
    },
    /// `dim M, N where M % 64 == 0, N <= 65536;`
    Dim {
        /// The declared symbols.
        names: Vec<Name>,
        /// The facts after `where`.
        facts: Vec<Expr>,
    },
    /// `const B = 64;`
    Const {
        /// The declared name.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `map m = …;`
    Map {
        /// The declared name.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `unit pair = (blockDim; 2);`
    Unit {
        /// The declared name.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `tiling work = cluster(1) block(384) |> …;`
    Tiling {
        /// The declared name.
        name: Name,
        /// Its value.
        value: Expr,
    },
    /// `kernel scale(…) grid(1) block(4) { … }`
    Kernel(Box<Kernel>),
    /// `run scale(a: 2.0, …) with … expect … within … save …;`
    Run(Box<Run>),
    /// `assert E;`
    Assert {
        /// What must hold.
        value: Expr,
    },
    /// `show E;`
    Show {
        /// What to show.
        value: Expr,
    },
    /// An expression on its own: checked and shown.
    Expr(Expr),
}

/// A string literal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StringLiteral {
    /// Its value, escapes resolved.
    pub text: SmolStr,
    /// Where it stands.
    pub span: Span,
}

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
    /// `if c { a } else { b }`
    If {
        /// The condition.
        condition: Box<Expr>,
        /// Where it holds.
        then: Box<Expr>,
        /// Where it does not.
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

/// A kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// Its name.
    pub name: Name,
    /// `<T, const B>`: the names between `<` and `>`.
    pub generics: Vec<Name>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// `cluster(…)`, `grid(…)`, `block(…)` in the order of writing.
    pub clauses: Vec<LaunchClause>,
    /// Its body.
    pub body: Block,
}

/// A kernel's parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Whether `mut` was written.
    pub mutable: bool,
    /// The word for its element type.
    pub element: Name,
    /// The dimensions, for a tensor.
    pub shape: Option<Vec<Expr>>,
    /// `strided […]`
    pub strides: Option<Vec<Expr>>,
    /// All of it.
    pub span: Span,
}

/// A launch clause.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchClause {
    /// Which one.
    pub kind: LaunchClauseKind,
    /// Its arguments.
    pub args: Vec<Expr>,
    /// All of it.
    pub span: Span,
}

/// The launch clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LaunchClauseKind {
    /// `cluster(c)`
    Cluster,
    /// `grid(n…)`
    Grid,
    /// `block(b)`
    Block,
}

/// `{ … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Its statements; one that could not be parsed is left out (already reported).
    pub statements: Vec<Statement>,
    /// The braces and what is between.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// All of it.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `view v = t via m per block masked;` or `view px = partition(x, [64, 64]);`
    View {
        /// The declared name.
        name: Name,
        /// What is viewed.
        source: Expr,
        /// The map after `via`.
        via: Option<Expr>,
        /// The collective after `per` whose id the map's thread coordinate is; threads where left out.
        per: Option<Expr>,
        /// Where `masked` stands.
        masked: Option<Span>,
    },
    /// `let x = e;`, `let mut x: f32 = e;`
    Let {
        /// The declared name.
        name: Name,
        /// Whether `mut` was written.
        mutable: bool,
        /// The type after the colon.
        element: Option<Name>,
        /// Its value.
        value: Expr,
    },
    /// `shared buf : f32[64, 64] |> xor;`
    Shared {
        /// The declared name.
        name: Name,
        /// The word for its element type.
        element: Name,
        /// Its dimensions.
        shape: Vec<Expr>,
        /// The transforms after each `|>`.
        layout: Vec<Expr>,
    },
    /// `for i in lo..hi { }`, `for (i, j) in grid(n, m) { }`
    For {
        /// The iterators.
        iterators: Vec<Name>,
        /// What they run over.
        domain: Expr,
        /// The body.
        body: Block,
    },
    /// `with threads(lo..hi, unit) { }`
    With {
        /// The narrowed collective.
        domain: Expr,
        /// The body.
        body: Block,
    },
    /// `if a { } else if b { } else { }`
    If {
        /// Each condition with its block.
        arms: Vec<(Expr, Block)>,
        /// The last `else`.
        otherwise: Option<Block>,
    },
    /// `a = e;`, `ys[i] += e;`
    Assign {
        /// The variable or element.
        target: Expr,
        /// The operator before `=`.
        op: Option<BinaryOp>,
        /// The value.
        value: Expr,
    },
    /// An expression on its own, such as `py.store(…)`.
    Expr(Expr),
}

/// A `run` item.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The kernel.
    pub kernel: Name,
    /// The initial values, by parameter.
    pub args: Vec<Argument>,
    /// `with M = 1000, N = 700`
    pub with: Vec<(Name, Expr)>,
    /// `expect CONDITION`
    pub expect: Option<Expr>,
    /// `within TOL`
    pub within: Option<Expr>,
    /// `save y: "y.npy", z: "z.npy"`
    pub save: Vec<(Name, StringLiteral)>,
}
