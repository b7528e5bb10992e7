//! Random programs, most of which are right but for a slip or two.

use elements::ElementType;
use seeds::Draw;

use super::program::*;
use super::rules::{accumulators, holds};

/// Draws a program.
pub fn program(seed: u64) -> Program {
    let mut draws = Draw::new(seed);
    let slips = draws.pick(&[0, 0, 1, 1, 1, 2]);
    Drawn { draws, slips }.program()
}

struct Drawn {
    draws: Draw,
    /// How many mistakes are still to be made.
    slips: usize,
}

impl Drawn {
    /// Whether something is drawn that is likely wrong.
    fn slip(&mut self, one_in: u64) -> bool {
        let slips = self.slips > 0 && self.draws.one_in(one_in);
        self.slips -= usize::from(slips);
        slips
    }

    fn program(&mut self) -> Program {
        let rank = self.draws.pick(&[1, 2, 2, 2, 3, 4]);
        let tile: Vec<i64> = (0..rank).map(|_| self.draws.pick(&[1, 2, 4, 4, 8])).collect();
        let element = self.draws.pick(&ELEMENTS);
        let mut target = View { element, extents: Vec::new(), tile: tile.clone() };
        let mut source = View { element: self.source_element(element), extents: Vec::new(), tile };
        if self.draws.one_in(4) {
            self.draws.shuffle(&mut source.tile);
        }
        let multiples: Vec<i64> = target.tile.iter().map(|tile| if self.draws.one_in(2) { *tile } else { 1 }).collect();
        for dimension in 0..rank {
            self.extents(dimension, &mut source, &mut target);
        }
        self.slip_of_view(&mut source);
        self.slip_of_view(&mut target);
        if self.slip(12) {
            // More than the memory of a block.
            let place = self.draws.index(source.tile.len().max(1));
            source.tile.iter_mut().skip(place).take(1).for_each(|extent| *extent = 1 << 18);
        }
        let masks = |multiples: &[i64], view: &View| {
            let partial = view.extents.iter().zip(&view.tile).any(|(extent, tile)| extent.value(multiples) % tile != 0);
            partial || view.extents.len() != view.tile.len()
        };
        let masked = masks(&multiples, &source) != self.slip(8) || self.draws.one_in(6);
        let load = Load {
            index: self.index(source.extents.len(), rank),
            masked: masked.then(|| self.padding(source.element)),
            atomic: (self.draws.one_in(8)).then(|| self.order_and_scope()),
        };
        let masked = masks(&multiples, &target) != self.slip(8) || self.draws.one_in(6);
        let store = Store {
            index: self.index(rank, rank),
            masked,
            atomic: self.draws.one_in(4).then(|| {
                let (order, scope) = self.order_and_scope();
                let updates =
                    [Update::Store, Update::Add, Update::Min, Update::Max, Update::And, Update::Or, Update::Xor];
                (self.draws.pick(&updates), order, scope)
            }),
        };
        let element = self.stored_element(target.element);
        let mut shape = target.tile.clone();
        if self.slip(10) {
            shape = self.other_shape(&shape);
        }
        let depth = self.draws.index(4);
        let value = self.value(depth, element, &shape, &source);
        let is_constant = self.slip(25);
        Program { multiples, source, target, is_constant, load, value, store }
    }

    fn source_element(&mut self, element: ElementType) -> ElementType {
        if self.draws.one_in(3) { self.draws.pick(&ELEMENTS) } else { element }
    }

    /// The type of a stored value.
    fn stored_element(&mut self, target: ElementType) -> ElementType {
        if self.slip(8) {
            return self.draws.pick(&ELEMENTS);
        }
        let kept: Vec<ElementType> = ELEMENTS.into_iter().filter(|element| holds(*element, target)).collect();
        if self.draws.one_in(3) { self.draws.pick(&kept) } else { target }
    }

    /// The extents of a dimension of both tensors, with as many tiles in each.
    fn extents(&mut self, dimension: usize, source: &mut View, target: &mut View) {
        let tiles = [source.tile[dimension], target.tile[dimension]];
        if tiles[0] == tiles[1] && self.draws.one_in(3) {
            source.extents.push(Extent::Symbol(dimension));
            target.extents.push(Extent::Symbol(dimension));
            return;
        }
        let count = self.draws.between(1, 3);
        let ragged = self.draws.one_in(4);
        let mut extent = |tile: i64| {
            let short = if ragged { self.draws.between(0, tile - 1) } else { 0 };
            Extent::Known(count * tile - short)
        };
        source.extents.push(extent(tiles[0]));
        target.extents.push(extent(tiles[1]));
    }

    fn slip_of_view(&mut self, view: &mut View) {
        if !self.slip(6) {
            return;
        }
        let place = self.draws.index(view.tile.len());
        match self.draws.index(4) {
            0 => view.tile.push(1),
            1 if view.tile.len() > 1 => drop(view.tile.remove(place)),
            1 => view.tile.push(2),
            2 => view.tile[place] = 1 << 25,
            _ => view.tile[place] = self.draws.pick(&[3, 5, 6, 7]),
        }
    }

    fn index(&mut self, length: usize, rank: usize) -> Vec<Index> {
        let mut index: Vec<Index> = (0..length).map(|dimension| Index::Block { dimension, offset: 0 }).collect();
        if index.is_empty() || !self.slip(5) {
            return index;
        }
        let place = self.draws.index(index.len());
        match self.draws.index(7) {
            0 => drop(index.remove(place)),
            1 => index.push(Index::Constant(0)),
            2 => index[place] = Index::Fraction,
            3 => index[place] = Index::Tile,
            4 => index[place] = Index::Constant(self.draws.between(-1, 2)),
            5 => index[place] = Index::Block { dimension: self.draws.index(rank), offset: 0 },
            _ => index[place] = Index::Block { dimension: place, offset: self.draws.pick(&[-1, 1, 2]) },
        }
        index
    }

    fn padding(&mut self, element: ElementType) -> Padding {
        use Padding::*;
        let all = [Zero, NegativeZero, PositiveInfinity, NegativeInfinity, Nan];
        if element.is_float() || self.slip(3) { self.draws.pick(&all) } else { Zero }
    }

    fn order_and_scope(&mut self) -> (Order, Scope) {
        let orders =
            [Order::Relaxed, Order::Relaxed, Order::Relaxed, Order::Acquire, Order::Release, Order::AcquireRelease];
        let scopes = [Scope::Device, Scope::Device, Scope::System, Scope::Block];
        (self.draws.pick(&orders), self.draws.pick(&scopes))
    }

    fn other_shape(&mut self, shape: &[i64]) -> Vec<i64> {
        let mut shape = shape.to_vec();
        let place = self.draws.index(shape.len());
        match self.draws.index(4) {
            0 => drop(shape.remove(place)),
            1 => shape.insert(place, 1),
            2 => shape[place] = 1,
            _ => shape[place] = self.draws.pick(&[2, 3, 8, 16]),
        }
        if shape.is_empty() { vec![2] } else { shape }
    }

    /// An expression of a type, but for slips.
    fn value(&mut self, depth: usize, element: ElementType, shape: &[i64], source: &View) -> Expr {
        let element = if self.slip(12) { self.draws.pick(&ELEMENTS) } else { element };
        let wrong = self.slip(12).then(|| self.other_shape(shape));
        let shape = wrong.as_deref().unwrap_or(shape);
        if depth == 0 || shape.len() > 4 || shape.iter().product::<i64>() > 4096 {
            return self.leaf(element, shape, source);
        }
        let found = match self.draws.index(9) {
            0 => self.reduction(depth - 1, element, shape, source),
            1 => self.product(depth - 1, element, shape, source),
            2 => self.rearranged(depth - 1, element, shape, source),
            3 => self.joined(depth - 1, element, shape, source),
            4 => self.selected(depth - 1, element, shape, source),
            5 => self.applied(depth - 1, element, shape, source),
            _ => None,
        };
        found.unwrap_or_else(|| self.binary(depth - 1, element, shape, source))
    }

    fn leaf(&mut self, element: ElementType, shape: &[i64], source: &View) -> Expr {
        let is_iota = element.is_integer() && element != ElementType::Bool || self.slip(4);
        let elements: i64 = shape.iter().product();
        match (shape == source.tile, element == source.element) {
            (true, true) => Expr::Loaded,
            (true, false) => Expr::Cast(element, Box::new(Expr::Loaded)),
            _ if self.draws.one_in(2) && elements == source.tile.iter().product::<i64>() => {
                let loaded = Expr::Reshape(shape.to_vec(), Box::new(Expr::Loaded));
                if element == source.element { loaded } else { Expr::Cast(element, Box::new(loaded)) }
            }
            _ if is_iota && self.draws.one_in(2) => Expr::Iota(element, shape.to_vec()),
            _ => Expr::Full(element, shape.to_vec(), self.draws.between(1, 3)),
        }
    }

    fn binary(&mut self, depth: usize, element: ElementType, shape: &[i64], source: &View) -> Expr {
        use Operator::*;
        if element == ElementType::Bool && !self.slip(3) {
            let operands = self.draws.pick(&[ElementType::I32, ElementType::F32, ElementType::U8]);
            let [left, right] = [0; 2].map(|_| Box::new(self.value(depth, operands, shape, source)));
            return Expr::Binary(Greater, left, right);
        }
        let of_all = [Add, Subtract, Multiply, Divide, Min, Max];
        let of_integers = [And, Or, Xor, Remainder];
        let whole = !element.is_float() || self.slip(4);
        let operator =
            if whole && self.draws.one_in(3) { self.draws.pick(&of_integers) } else { self.draws.pick(&of_all) };
        let left = Box::new(self.value(depth, element, shape, source));
        // A divisor that can only be zero is an error of ours, so divisors are leaves, and none of them counts from zero.
        let divides = matches!(operator, Divide | Remainder);
        let depth = if divides { 0 } else { depth };
        let mut other = shape.to_vec();
        let right = match self.draws.index(4) {
            0 => Expr::Number(element, self.draws.between(1, 3)),
            1 => {
                let place = self.draws.index(other.len());
                other[place] = 1;
                self.value(depth, element, &other, source)
            }
            _ => self.value(depth, element, &other, source),
        };
        let right = match right {
            Expr::Iota(element, shape) if divides => Expr::Full(element, shape, 2),
            right => right,
        };
        Expr::Binary(operator, left, Box::new(right))
    }

    fn applied(&mut self, depth: usize, element: ElementType, shape: &[i64], source: &View) -> Option<Expr> {
        use Function::*;
        if self.draws.one_in(3) {
            let from = self.draws.pick(&ELEMENTS);
            return Some(Expr::Cast(element, Box::new(self.value(depth, from, shape, source))));
        }
        let is_float = element.is_float() || self.slip(3);
        let is_number = element != ElementType::Bool || self.slip(3);
        let functions: &[Function] = match (is_float, is_number) {
            (true, _) => &[Negate, Absolute, Exponential, SquareRoot, Floor],
            (false, true) => &[Negate, Absolute],
            (false, false) => return None,
        };
        let function = self.draws.pick(functions);
        Some(Expr::Apply(function, Box::new(self.value(depth, element, shape, source))))
    }

    fn selected(&mut self, depth: usize, element: ElementType, shape: &[i64], source: &View) -> Option<Expr> {
        let of_condition = if self.slip(4) { ElementType::I32 } else { ElementType::Bool };
        let mut of_parts = [of_condition, element, element].map(|element| (element, shape.to_vec()));
        if self.draws.one_in(3) || self.slip(3) {
            let place = self.draws.index(shape.len());
            let part = if self.slip(2) { 1 } else { 0 };
            of_parts[part].1[place] = 1;
        }
        let [condition, then, otherwise] =
            of_parts.map(|(element, shape)| Box::new(self.value(depth, element, &shape, source)));
        Some(Expr::Select(condition, then, otherwise))
    }

    fn rearranged(&mut self, depth: usize, element: ElementType, shape: &[i64], source: &View) -> Option<Expr> {
        let rank = shape.len();
        match self.draws.index(3) {
            0 => {
                let mut order: Vec<usize> = (0..rank).collect();
                self.draws.shuffle(&mut order);
                let mut inner = vec![0; rank];
                order.iter().zip(shape).for_each(|(dimension, extent)| inner[*dimension] = *extent);
                if self.slip(3) {
                    match self.draws.index(3) {
                        0 => order.push(rank),
                        1 => order[0] = rank,
                        _ => drop(order.pop()),
                    }
                }
                let inner = self.value(depth, element, &inner, source);
                (!order.is_empty()).then(|| Expr::Permute(order, Box::new(inner)))
            }
            1 => {
                let elements = shape.iter().product::<i64>();
                let inner = if elements % 4 == 0 { vec![elements / 4, 4] } else { vec![elements] };
                let inner = self.value(depth, element, &inner, source);
                Some(Expr::Reshape(shape.to_vec(), Box::new(inner)))
            }
            _ => {
                let is_number = element != ElementType::Bool || self.slip(3);
                let dimension = if self.slip(4) { rank } else { self.draws.index(rank) };
                let inner = self.value(depth, element, shape, source);
                let scan = self.draws.pick(&[Scan::Sum, Scan::Product]);
                is_number.then(|| Expr::Scan(scan, dimension, Box::new(inner)))
            }
        }
    }

    fn reduction(&mut self, depth: usize, element: ElementType, shape: &[i64], source: &View) -> Option<Expr> {
        use Reduction::*;
        let dimension = shape.iter().position(|extent| *extent == 1)?;
        let mut inner = shape.to_vec();
        inner[dimension] = self.draws.pick(&[2, 8, 64]);
        let (reduction, of) = match element {
            ElementType::Bool => (self.draws.pick(&[Any, All]), if self.slip(3) { ElementType::F32 } else { element }),
            ElementType::I32 if self.draws.one_in(2) => {
                (self.draws.pick(&[ArgMin, ArgMax]), self.draws.pick(&ELEMENTS))
            }
            _ => (self.draws.pick(&[Sum, Product, Min, Max]), element),
        };
        let dimension = if self.slip(4) { shape.len() } else { dimension };
        Some(Expr::Reduce(reduction, dimension, Box::new(self.value(depth, of, &inner, source))))
    }

    fn joined(&mut self, depth: usize, element: ElementType, shape: &[i64], source: &View) -> Option<Expr> {
        let dimension = shape.iter().position(|extent| *extent > 1)?;
        let (mut left, mut right) = (shape.to_vec(), shape.to_vec());
        let part = if self.draws.one_in(6) { 1 } else { shape[dimension] / 2 };
        (left[dimension], right[dimension]) = (part, shape[dimension] - part);
        let [left, right] = [left, right].map(|shape| Box::new(self.value(depth, element, &shape, source)));
        Some(Expr::Join(dimension, left, right))
    }

    fn product(&mut self, depth: usize, element: ElementType, shape: &[i64], source: &View) -> Option<Expr> {
        let (batch, m, n) = match shape {
            [m, n] => (None, *m, *n),
            [batch, m, n] => (Some(*batch), *m, *n),
            _ => return None,
        };
        let pairs = ELEMENTS.into_iter().flat_map(|left| ELEMENTS.map(|right| (left, right)));
        let pairs: Vec<_> = pairs.filter(|(left, right)| accumulators(*left, *right).contains(&element)).collect();
        if pairs.is_empty() {
            return None;
        }
        let (of_left, of_right) = self.draws.pick(&pairs);
        let k = self.draws.pick(&[1, 2, 4, 16]);
        let one = if self.slip(5) { Some(1) } else { batch };
        let left: Vec<i64> = batch.and(one).into_iter().chain([m, k]).collect();
        let right: Vec<i64> = batch.into_iter().chain([k, n]).collect();
        let is_usual = accumulators(of_left, of_right).first() == Some(&element);
        let sum = (!is_usual || self.draws.one_in(2)).then(|| Box::new(self.value(depth, element, shape, source)));
        let (left, right) = (self.value(depth, of_left, &left, source), self.value(depth, of_right, &right, source));
        Some(Expr::Product(Box::new(left), Box::new(right), sum))
    }
}
