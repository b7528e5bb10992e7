//! What each notation accepts, by rules: those of both, and those of one of them, which are the differences.

use elements::ElementType;

use super::meaning::mistakes;
use super::program::*;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Notation {
    Ours,
    CudaTile,
}

/// Why a notation refuses a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    pub what: &'static str,
    /// The code of our diagnostic.
    pub code: &'static str,
}

/// The type of a value: a number has no shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    pub element: ElementType,
    pub shape: Option<Vec<i64>>,
}

/// The most elements of a tile, in both notations.
const MOST_ELEMENTS: i64 = 1 << 24;
/// The bytes of a block's memory, in which our tiles stand.
const MOST_BYTES: i64 = 232_448;

/// The reasons for which a notation refuses a program; none if it accepts it.
pub fn reasons(program: &Program, notation: Notation) -> Vec<Reason> {
    let mut rules = Rules { notation, program, loads: true, found: Vec::new() };
    rules.program();
    rules.found.sort_unstable();
    rules.found.dedup();
    rules.found
}

/// The element type in which both notations give the value of an expression, where the notations' own types differ: what is
/// computed in CUDA Tile is converted to it.
pub fn our_element(program: &Program, expr: &Expr) -> Option<ElementType> {
    let mut rules = Rules { notation: Notation::Ours, program, loads: true, found: Vec::new() };
    rules.value(expr).map(|found| found.element)
}

struct Rules<'p> {
    notation: Notation,
    program: &'p Program,
    /// Whether the load gives a tile.
    loads: bool,
    found: Vec<Reason>,
}

impl Rules<'_> {
    fn refuse<T>(&mut self, what: &'static str, code: &'static str) -> Option<T> {
        self.found.push(Reason { what, code });
        None
    }

    fn require(&mut self, holds: bool, what: &'static str, code: &'static str) -> Option<()> {
        if holds { Some(()) } else { self.refuse(what, code) }
    }

    fn ours(&self) -> bool {
        self.notation == Notation::Ours
    }

    fn program(&mut self) {
        let Program { source, target, load, store, .. } = self.program;
        let (divides_source, divides_target) = (self.view(source), self.view(target));
        let loaded = divides_source.and_then(|()| self.load(load, source));
        let fits = divides_source.and_then(|()| self.fits(source));
        let stored = divides_target.and_then(|()| self.store(store, target));
        self.loads = loaded.and(fits).is_some();
        if divides_target.is_some() {
            let value = self.value(&self.program.value);
            value.and_then(|value| self.stored(&value, target));
        }
        if self.ours() {
            self.found.extend(mistakes(self.program, loaded.is_some(), stored.is_some()));
        }
    }

    fn view(&mut self, view: &View) -> Option<()> {
        self.require(view.tile.len() == view.extents.len(), "a tile has the rank of its tensor", "tile-shape")?;
        self.shape(&view.tile)
    }

    /// A shape of a tile.
    fn shape(&mut self, shape: &[i64]) -> Option<()> {
        self.require(shape.iter().product::<i64>() <= MOST_ELEMENTS, "a tile has at most 2^24 elements", "tile-shape")?;
        self.require(shape.iter().all(|extent| *extent > 0), "an extent is positive", "zero-size")?;
        let powers = shape.iter().all(|extent| extent.count_ones() == 1);
        self.require(self.ours() || powers, "extents are powers of two in CUDA Tile", "")
    }

    fn index(&mut self, index: &[Index], view: &View) -> Option<()> {
        self.require(index.len() == view.tile.len(), "a tile has an index for each dimension", "index-count")?;
        self.require(!index.contains(&Index::Tile), "an index is a number", "tile-place")?;
        let is_whole = !index.contains(&Index::Fraction);
        self.require(is_whole || !self.ours(), "an index is an integer; CUDA Tile truncates", "type-mismatch")
    }

    /// All rules are looked at, since each notation reports the one it meets first.
    fn load(&mut self, load: &Load, view: &View) -> Option<()> {
        let mut holds = self.index(&load.index, view);
        if let Some((order, scope)) = load.atomic {
            let is_order = matches!(order, Order::Relaxed | Order::Acquire);
            let ordered = self.require(is_order, "a load is relaxed or acquires", "wrong-atomic");
            let scoped = self.scope(scope);
            holds = holds.and(ordered).and(scoped);
        }
        if load.masked.is_some_and(|padding| padding != Padding::Zero) {
            let is_float = view.element.is_float();
            let padded = self.require(is_float, "paddings but zero are of floats", "tile-padding");
            holds = holds.and(padded);
        }
        holds
    }

    /// A tile that is too large is accessed all the same, so it may be outside, too.
    fn fits(&mut self, view: &View) -> Option<()> {
        let bytes = view.tile.iter().product::<i64>() * view.element.size_bytes() as i64;
        match self.notation {
            Notation::Ours => self.require(bytes <= MOST_BYTES, "a tile fits the memory of a block", "tile-too-large"),
            Notation::CudaTile => self.require(bytes <= MOST_ELEMENTS, "a tile of CUDA Tile has 16 MiB", ""),
        }
    }

    /// An access of many blocks is not of one block's scope.
    fn scope(&mut self, scope: Scope) -> Option<()> {
        let Program { target, .. } = self.program;
        let known: Vec<i64> = target.extents.iter().map(|extent| extent.value(&[i64::MAX / 2; 8])).collect();
        let is_one = known.iter().zip(&target.tile).all(|(extent, tile)| extent <= tile);
        let fits = scope != Scope::Block || is_one || !self.ours();
        self.require(fits, "what many blocks access is not of the scope of one", "wrong-atomic")
    }

    fn store(&mut self, store: &Store, view: &View) -> Option<()> {
        let mut holds = self.index(&store.index, view);
        let mutable = self.require(!self.program.is_constant, "what is stored to is not constant", "read-only");
        holds = holds.and(mutable);
        if let Some((update, order, scope)) = store.atomic {
            let is_defined = updates(update, view.element, self.notation);
            let defined = self.require(is_defined, "a notation has atomic accesses of some types", "wrong-atomic");
            let is_order = match (update, self.notation) {
                (Update::Store, _) => matches!(order, Order::Relaxed | Order::Release),
                (_, Notation::Ours) => true,
                (_, Notation::CudaTile) => order == Order::Relaxed,
            };
            let ordered = self.require(
                is_order,
                "a store is relaxed or releases; an update of CUDA Tile is relaxed",
                "wrong-atomic",
            );
            let is_scope = self.ours() || update == Update::Store || scope != Scope::System;
            let near = self.require(is_scope, "an update of CUDA Tile is of a device or a block", "wrong-atomic");
            let scoped = self.scope(scope);
            holds = holds.and(defined).and(ordered).and(near).and(scoped);
        }
        holds
    }

    fn stored(&mut self, value: &Type, view: &View) -> Option<()> {
        let is_shape = value.shape.as_ref() == Some(&view.tile);
        let shaped = self.require(is_shape, "what is stored has the shape of the view", "tile-shape");
        let keeps = holds(value.element, view.element);
        let kept = self.require(keeps, "a store does not narrow", "type-mismatch");
        shaped.and(kept)
    }

    fn value(&mut self, expr: &Expr) -> Option<Type> {
        match expr {
            // Nothing is said of what is done with a tile that is none.
            Expr::Loaded if !self.loads => None,
            Expr::Loaded => {
                let View { element, tile, .. } = &self.program.source;
                Some(Type { element: *element, shape: Some(tile.clone()) })
            }
            Expr::Number(element, _) => Some(Type { element: *element, shape: None }),
            Expr::Full(element, shape, _) => self.made(*element, shape),
            Expr::Iota(element, shape) => self.iota(*element, shape),
            Expr::Apply(function, inner) => {
                let inner = self.value(inner)?;
                let is_float = inner.element.is_float();
                match function {
                    Function::Negate => {
                        let is_signed = !self.ours() || inner.element.is_signed();
                        self.require(is_signed, "a negated number is signed; C++ wraps", "type-mismatch")?;
                    }
                    Function::Absolute => self.number(&inner)?,
                    Function::Exponential | Function::SquareRoot | Function::Floor => {
                        self.require(is_float, "this function is of floats", "type-mismatch")?;
                    }
                }
                Some(inner)
            }
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                self.binary(*operator, left?, right?)
            }
            Expr::Select(condition, then, otherwise) => {
                let [condition, then, otherwise] = [condition, then, otherwise].map(|part| self.value(part));
                self.select(&condition?, then?, otherwise?)
            }
            Expr::Cast(element, inner) => Some(Type { element: *element, ..self.value(inner)? }),
            Expr::Permute(order, inner) => self.permute(order, inner),
            Expr::Reshape(shape, inner) => {
                let inner = self.value(inner)?;
                self.shape(shape)?;
                let elements: i64 = inner.shape.iter().flatten().product();
                let is_same = elements == shape.iter().product::<i64>();
                self.require(is_same, "a reshaped tile has as many elements", "tile-shape")?;
                Some(Type { shape: Some(shape.clone()), ..inner })
            }
            Expr::Reduce(reduction, dimension, inner) => self.reduce(*reduction, *dimension, inner),
            Expr::Scan(_, dimension, inner) => {
                let inner = self.value(inner)?;
                self.dimension(&inner, *dimension)?;
                self.number(&inner)?;
                Some(inner)
            }
            Expr::Join(dimension, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                self.join(*dimension, left?, &right?)
            }
            Expr::Product(left, right, sum) => {
                let (left, right) = (self.value(left), self.value(right));
                let sum = match sum {
                    Some(sum) => Some(self.value(sum)?),
                    None => None,
                };
                self.product(left?, &right?, sum)
            }
        }
    }

    fn made(&mut self, element: ElementType, shape: &[i64]) -> Option<Type> {
        self.shape(shape)?;
        Some(Type { element, shape: Some(shape.to_vec()) })
    }

    fn iota(&mut self, element: ElementType, shape: &[i64]) -> Option<Type> {
        let is_number = !self.ours() || element != ElementType::Bool;
        self.require(is_number, "a `bool` is no number; in C++ it is", "type-mismatch")?;
        let is_whole = element.is_integer() || element == ElementType::Bool;
        self.require(self.ours() || is_whole, "an `iota` of CUDA Tile is of integers", "")?;
        let last = i128::from(shape.iter().product::<i64>() - 1);
        let fits = whole(element).is_none_or(|(_, high)| last <= high);
        self.require(self.ours() || fits, "an `iota` of CUDA Tile fits its type", "")?;
        self.made(element, shape)
    }

    /// In C++ a `bool` is a number.
    fn number(&mut self, of: &Type) -> Option<()> {
        let is_number = !self.ours() || of.element != ElementType::Bool;
        self.require(is_number, "a `bool` is no number; in C++ it is", "type-mismatch")
    }

    fn dimension(&mut self, of: &Type, dimension: usize) -> Option<()> {
        let rank = of.shape.as_ref().map_or(0, Vec::len);
        self.require(dimension < rank, "a tile has the dimension", "tile-shape")
    }

    fn binary(&mut self, operator: Operator, left: Type, right: Type) -> Option<Type> {
        let is_same = left.element == right.element;
        let same = self.require(is_same || !self.ours(), "operands have one type; C++ promotes", "type-mismatch");
        let together = match (&left.shape, &right.shape) {
            // A number takes the type of a tile.
            (Some(_), None) => becomes(right.element, left.element).then_some(left.element),
            (None, Some(_)) => becomes(left.element, right.element).then_some(right.element),
            _ => common(left.element, right.element),
        };
        let element = match together {
            _ if is_same => Some(left.element),
            Some(common) => Some(common),
            None if self.ours() => None,
            None => self.refuse("there is a common type without narrowing", ""),
        };
        let is_whole = !left.element.is_float() && !right.element.is_float();
        let defined = match operator {
            Operator::And | Operator::Or | Operator::Xor => {
                let whole = self.require(is_whole, "bits are of integers", "type-mismatch");
                whole.and(self.number(&left))
            }
            Operator::Remainder if !self.ours() => {
                self.require(is_whole, "a remainder of CUDA Tile is of integers", "")
            }
            _ => self.number(&left),
        };
        let shape = self.together(left.shape, right.shape);
        same.and(defined)?;
        let element = if operator == Operator::Greater { ElementType::Bool } else { element? };
        Some(Type { element, shape: shape? })
    }

    /// The shape of an operation of operands element by element.
    fn together(&mut self, left: Option<Vec<i64>>, right: Option<Vec<i64>>) -> Option<Option<Vec<i64>>> {
        let (Some(left), Some(right)) = (&left, &right) else { return Some(left.or(right)) };
        let is_rank = left.len() == right.len();
        self.require(is_rank || !self.ours(), "operands have one rank; numpy's way aligns the last", "tile-shape")?;
        let rank = left.len().max(right.len());
        let at = |shape: &[i64], from_end: usize| shape.iter().rev().nth(from_end).copied().unwrap_or(1);
        let pairs = (0..rank).rev().map(|from_end| (at(left, from_end), at(right, from_end)));
        let pairs: Vec<(i64, i64)> = pairs.collect();
        let fits = pairs.iter().all(|(left, right)| left == right || *left == 1 || *right == 1);
        self.require(fits, "extents are equal, or one is 1", "tile-shape")?;
        Some(Some(pairs.iter().map(|(left, right)| *left.max(right)).collect()))
    }

    fn select(&mut self, condition: &Type, then: Type, otherwise: Type) -> Option<Type> {
        let is_bool = condition.element == ElementType::Bool;
        let truth =
            self.require(is_bool || !self.ours(), "a condition is a `bool`; in C++ any number is one", "type-mismatch");
        let same = self.require(then.element == otherwise.element, "both values have one type", "type-mismatch");
        let is_shape = self.ours() || then.shape == otherwise.shape;
        let alike = self.require(is_shape, "both values have one shape in CUDA Tile", "");
        let values = self.together(then.shape, otherwise.shape)?;
        let shape = self.together(condition.shape.clone(), values.clone())?;
        let whole = self.require(self.ours() || shape == values, "the values have the whole shape in CUDA Tile", "");
        truth.and(same).and(alike).and(whole)?;
        Some(Type { element: then.element, shape })
    }

    fn permute(&mut self, order: &[usize], inner: &Expr) -> Option<Type> {
        let inner = self.value(inner)?;
        let shape = inner.shape.clone().unwrap_or_default();
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        let is_order = sorted.iter().copied().eq(0..shape.len());
        self.require(is_order, "an order has each dimension once", "tile-shape")?;
        let shape = order.iter().map(|dimension| shape[*dimension]).collect();
        Some(Type { shape: Some(shape), ..inner })
    }

    fn reduce(&mut self, reduction: Reduction, dimension: usize, inner: &Expr) -> Option<Type> {
        use Reduction::*;
        let inner = self.value(inner)?;
        self.dimension(&inner, dimension)?;
        let element = match reduction {
            Any | All => {
                let is_bool = inner.element == ElementType::Bool;
                self.require(is_bool || !self.ours(), "`any` and `all` are of `bool`", "type-mismatch")?;
                ElementType::Bool
            }
            Sum | Product | Min | Max => {
                self.number(&inner)?;
                inner.element
            }
            ArgMin | ArgMax => {
                self.number(&inner)?;
                ElementType::I32
            }
        };
        let mut shape = inner.shape.clone()?;
        shape[dimension] = 1;
        Some(Type { element, shape: Some(shape) })
    }

    fn join(&mut self, dimension: usize, left: Type, right: &Type) -> Option<Type> {
        self.dimension(&left, dimension)?;
        let same = self.require(left.element == right.element, "joined tiles have one type", "type-mismatch");
        let (mut shape, other) = (left.shape.clone()?, right.shape.clone()?);
        let is_same = shape.len() == other.len()
            && (0..shape.len()).all(|place| place == dimension || shape[place] == other[place]);
        self.require(is_same, "joined tiles are alike but along one dimension", "tile-shape")?;
        self.require(self.ours() || shape == other, "joined tiles have one shape in CUDA Tile", "")?;
        shape[dimension] += other[dimension];
        self.shape(&shape)?;
        same?;
        Some(Type { element: left.element, shape: Some(shape) })
    }

    fn product(&mut self, left: Type, right: &Type, sum: Option<Type>) -> Option<Type> {
        let of_types = [left.element, right.element].map(|element| match element {
            // In C++ a `bool` is an integer of 8 bits.
            ElementType::Bool if !self.ours() => ElementType::U8,
            other => other,
        });
        let accumulators = accumulators(of_types[0], of_types[1]);
        let element = match &sum {
            Some(sum) => accumulators.iter().copied().find(|element| *element == sum.element),
            None => accumulators.first().copied(),
        };
        let what = match [left.element, right.element].contains(&ElementType::Bool) {
            true => "a `bool` is no number; in C++ it is",
            false => "there is a product of these types",
        };
        let defined = self.require(element.is_some(), what, "type-mismatch");
        let (left, right) = (left.shape.clone()?, right.shape.clone()?);
        let shape = match (left.as_slice(), right.as_slice()) {
            ([m, k], [depth, n]) if k == depth => vec![*m, *n],
            ([batch, m, k], [other, depth, n]) if k == depth => {
                let extends = batch == other || *batch == 1 || *other == 1;
                self.require(extends, "batches are equal, or one is 1", "tile-shape")?;
                vec![*batch.max(other), *m, *n]
            }
            _ => return self.refuse("the inner extents are equal", "tile-shape"),
        };
        if let Some(sum) = sum {
            let is_shape = sum.shape.as_ref() == Some(&shape);
            self.require(is_shape, "the accumulator has the shape of the product", "tile-shape")?;
        }
        defined?;
        self.made(element?, &shape)
    }
}

/// The types in which products of these types accumulate, the usual one first.
pub fn accumulators(left: ElementType, right: ElementType) -> &'static [ElementType] {
    use ElementType::*;
    match (left, right) {
        (F16, F16) => &[F32, F16],
        (Bf16, Bf16) | (F32, F32) => &[F32],
        (F64, F64) => &[F64],
        (I8 | U8, I8 | U8) => &[I32],
        _ => &[],
    }
}

/// Whether a notation has an atomic update of a type. Of a view, CUDA Tile has the minimum and maximum of integers only.
fn updates(update: Update, element: ElementType, notation: Notation) -> bool {
    let is_wide = matches!(element.size_bytes(), 4 | 8);
    let is_whole = is_wide && element.is_integer() && element != ElementType::Bool;
    match (update, notation) {
        (Update::Store, _) => true,
        (Update::And | Update::Or | Update::Xor, _) | (Update::Min | Update::Max, Notation::CudaTile) => is_whole,
        (Update::Add, Notation::CudaTile) => is_whole || element.is_float(),
        (_, Notation::Ours) => is_wide,
    }
}

/// The values of a type of integers, of which `bool` is one in C++.
fn whole(element: ElementType) -> Option<(i128, i128)> {
    match element {
        ElementType::Bool => Some((0, 1)),
        other => other.integer_range(),
    }
}

/// Whether a type has all values of another one of its kind.
pub fn holds(from: ElementType, to: ElementType) -> bool {
    match (whole(from), whole(to)) {
        _ if from == to => true,
        (None, None) => from.size_bytes() < to.size_bytes(),
        (Some(from), Some(into)) => to != ElementType::Bool && into.0 <= from.0 && from.1 <= into.1,
        _ => false,
    }
}

/// Whether CUDA Tile makes one type another one without being told: that narrows nothing, but an integer may become any float.
fn becomes(from: ElementType, to: ElementType) -> bool {
    holds(from, to) || !from.is_float() && to.is_float()
}

/// The type in which C++ computes with two types, where that narrows none of them; an integer may become any float.
fn common(left: ElementType, right: ElementType) -> Option<ElementType> {
    // Of two types of one size the unsigned one; elements of tiles do not become an `int` as numbers of C++ do.
    // A `bool` is the narrowest of all.
    let rank = |element: &ElementType| {
        (element.is_float(), *element != ElementType::Bool, element.size_bytes(), !element.is_signed())
    };
    let common = [left, right].into_iter().max_by_key(rank)?;
    (becomes(left, common) && becomes(right, common)).then_some(common)
}
