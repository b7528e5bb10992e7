//! Small programs with tiles in a neutral form, which says nothing of a notation: one tile is loaded, something is computed,
//! and one tile is stored.

use elements::ElementType;

/// The element types that both notations compute with.
pub const ELEMENTS: [ElementType; 13] = {
    use ElementType::*;
    [I8, U8, I16, U16, I32, U32, I64, U64, F16, Bf16, F32, F64, Bool]
};

#[derive(Clone, Debug)]
pub struct Program {
    /// What is known of the symbol of each dimension: of which number it is a multiple.
    pub multiples: Vec<i64>,
    pub source: View,
    pub target: View,
    /// Whether the target may not be written.
    pub is_constant: bool,
    pub load: Load,
    pub value: Expr,
    pub store: Store,
}

/// A tensor, divided into tiles.
#[derive(Clone, Debug)]
pub struct View {
    pub element: ElementType,
    pub extents: Vec<Extent>,
    pub tile: Vec<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
    Known(i64),
    /// The symbol of this dimension.
    Symbol(usize),
}

/// One place of the index of a tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Index {
    /// The number of the block along a dimension of the target's tiles, and something added to it.
    Block {
        dimension: usize,
        offset: i64,
    },
    Constant(i64),
    /// A number that is no integer.
    Fraction,
    /// A tile of integers.
    Tile,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Padding {
    Zero,
    NegativeZero,
    PositiveInfinity,
    NegativeInfinity,
    Nan,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scope {
    Block,
    Device,
    System,
}

#[derive(Clone, Debug)]
pub struct Load {
    pub index: Vec<Index>,
    pub masked: Option<Padding>,
    pub atomic: Option<(Order, Scope)>,
}

#[derive(Clone, Debug)]
pub struct Store {
    pub index: Vec<Index>,
    pub masked: bool,
    pub atomic: Option<(Update, Order, Scope)>,
}

/// What an atomic access does with the elements of the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Update {
    Store,
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    Min,
    Max,
    Greater,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Function {
    Negate,
    Absolute,
    Exponential,
    SquareRoot,
    Floor,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reduction {
    Sum,
    Product,
    Min,
    Max,
    ArgMin,
    ArgMax,
    Any,
    All,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scan {
    Sum,
    Product,
}

#[derive(Clone, Debug)]
pub enum Expr {
    /// The loaded tile.
    Loaded,
    /// A number of a type.
    Number(ElementType, i64),
    Full(ElementType, Vec<i64>, i64),
    Iota(ElementType, Vec<i64>),
    Apply(Function, Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    Cast(ElementType, Box<Expr>),
    Permute(Vec<usize>, Box<Expr>),
    Reshape(Vec<i64>, Box<Expr>),
    /// Along a dimension, which stays with extent 1.
    Reduce(Reduction, usize, Box<Expr>),
    Scan(Scan, usize, Box<Expr>),
    Join(usize, Box<Expr>, Box<Expr>),
    Product(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
}

impl Program {
    /// The numbers of tiles along the dimensions of a view for sizes of the symbols.
    pub fn space(view: &View, sizes: &[i64]) -> Vec<i64> {
        let counts = view.extents.iter().zip(&view.tile);
        counts.map(|(extent, tile)| (extent.value(sizes) + tile - 1) / tile).collect()
    }

    /// The dimensions whose symbols it says.
    pub fn symbols(&self) -> Vec<usize> {
        let is_said = |dimension: &usize| {
            let mut extents = self.source.extents.iter().chain(&self.target.extents);
            extents.any(|extent| *extent == Extent::Symbol(*dimension))
        };
        (0..self.multiples.len()).filter(is_said).collect()
    }
}

impl Extent {
    pub fn value(self, sizes: &[i64]) -> i64 {
        match self {
            Extent::Known(value) => value,
            Extent::Symbol(dimension) => sizes[dimension],
        }
    }
}
