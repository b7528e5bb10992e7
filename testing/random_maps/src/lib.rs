//! Random maps as recipes: formulas that are evaluated here with plain integers.
//!
//! Nothing here uses the code under test, except for converting a recipe to a map. Tests of `maps`, `proofs` and the
//! crates above them begin with [`random_recipe`] and [`random_transforms`].

mod transforms;
pub mod vectors;

use std::collections::BTreeMap;

use proptest::test_runner::{Config, TestRunner};

use dims::{Facts, Sym, Symbol};
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, Mask, MaskReason, Term, TermId, UpperAxis};

pub use transforms::random_transforms;

/// Runs a test with many streams of random numbers.
pub fn for_random_choices(cases: u32, test: impl Fn(&mut Choices)) {
    let mut runner = TestRunner::new(Config { max_shrink_iters: 20_000, ..seeds::config(cases) });
    let strategy = proptest::collection::vec(proptest::num::u16::ANY, 96);
    let result = runner.run(&strategy, |numbers| {
        test(&mut Choices { numbers, next: 0 });
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// A stream of random numbers for decisions.
pub struct Choices {
    numbers: Vec<u16>,
    next: usize,
}

impl Choices {
    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        let number = self.numbers.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        number as usize % end
    }

    /// One of several values.
    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// True in `of_ten` of ten cases.
    pub fn chance(&mut self, of_ten: usize) -> bool {
        // Proptest shrinks numbers to zero, which is "no" here.
        self.below(10) >= 10 - of_ten
    }
}

/// A size: a number, or a formula of symbols that is evaluated here.
#[derive(Clone, Debug)]
pub enum Size {
    /// A number.
    Number(i64),
    /// A symbol.
    Named(&'static str),
    /// A product.
    Times(Box<Size>, Box<Size>),
    /// A sum.
    Plus(Box<Size>, Box<Size>),
    /// A quotient, rounded down.
    Over(Box<Size>, i64),
    /// A quotient, rounded up.
    RoundedUpOver(Box<Size>, i64),
}

impl Size {
    /// The value for these sizes of the symbols.
    pub fn value(&self, sizes: &BTreeMap<&'static str, i64>) -> i64 {
        match self {
            Size::Number(value) => *value,
            Size::Named(name) => sizes[name],
            Size::Times(left, right) => left.value(sizes) * right.value(sizes),
            Size::Plus(left, right) => left.value(sizes) + right.value(sizes),
            Size::Over(value, by) => value.value(sizes).div_euclid(*by),
            Size::RoundedUpOver(value, by) => -(-value.value(sizes)).div_euclid(*by),
        }
    }

    /// The size as the compiler represents it.
    pub fn sym(&self, facts: &Facts) -> Sym {
        match self {
            Size::Number(value) => Sym::constant(*value),
            Size::Named(name) => Sym::symbol(symbol(name)),
            Size::Times(left, right) => left.sym(facts).checked_mul(&right.sym(facts)).unwrap(),
            Size::Plus(left, right) => left.sym(facts).checked_add(&right.sym(facts)).unwrap(),
            Size::Over(value, by) => value.sym(facts).checked_floor_div(&Sym::constant(*by), facts).unwrap(),
            Size::RoundedUpOver(value, by) => value.sym(facts).cdiv(&Sym::constant(*by), facts).unwrap(),
        }
    }
}

/// The symbol of that name.
pub fn symbol(name: &str) -> Symbol {
    Symbol::new(name, 0)
}

/// A step of a recipe, made from earlier steps.
#[derive(Clone, Debug)]
pub enum Node {
    /// An upper coordinate.
    Coordinate(usize),
    /// A constant plus multiples of earlier steps.
    Sum(Size, Vec<(Size, usize)>),
    /// An earlier step divided by a size, rounding down, and its remainder if there is a modulus.
    Digit(usize, Size, Option<Size>),
    /// The exclusive or of two earlier steps.
    Xor(usize, usize),
}

/// A map as a formula.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The upper coordinates.
    pub extents: Vec<(Size, AxisRole)>,
    /// The steps.
    pub nodes: Vec<Node>,
    /// The steps for the lower coordinates, each with its extent, if it has one.
    pub lower: Vec<(usize, Option<Size>)>,
    /// Masks: `low ≤ node < high`.
    pub masks: Vec<(usize, Option<Size>, Option<Size>)>,
}

/// All points of a recipe, each with its lower coordinates if it is valid.
pub type Table = Vec<(Vec<i64>, Option<Vec<i64>>)>;

impl Recipe {
    /// The lower coordinates of a point, if it is valid.
    pub fn at(&self, upper: &[i64], sizes: &BTreeMap<&'static str, i64>) -> Option<Vec<i64>> {
        let mut values: Vec<i64> = Vec::new();
        for node in &self.nodes {
            values.push(match node {
                Node::Coordinate(axis) => upper[*axis],
                Node::Sum(constant, parts) => {
                    constant.value(sizes)
                        + parts.iter().map(|(factor, node)| factor.value(sizes) * values[*node]).sum::<i64>()
                }
                Node::Digit(of, divisor, modulus) => {
                    let quotient = values[*of].div_euclid(divisor.value(sizes));
                    modulus.as_ref().map_or(quotient, |modulus| quotient.rem_euclid(modulus.value(sizes)))
                }
                Node::Xor(left, right) => values[*left] ^ values[*right],
            });
        }
        for (node, low, high) in &self.masks {
            let value = values[*node];
            if low.as_ref().is_some_and(|low| value < low.value(sizes)) {
                return None;
            }
            if high.as_ref().is_some_and(|high| value >= high.value(sizes)) {
                return None;
            }
        }
        let mut lower = Vec::new();
        for (node, extent) in &self.lower {
            let value = values[*node];
            if extent.as_ref().is_some_and(|extent| value < 0 || value >= extent.value(sizes)) {
                return None;
            }
            lower.push(value);
        }
        Some(lower)
    }

    /// The number of points inside the extents.
    pub fn points(&self, sizes: &BTreeMap<&'static str, i64>) -> i64 {
        self.extents.iter().map(|(extent, _)| extent.value(sizes).max(0)).product()
    }

    /// All points in map order.
    pub fn table(&self, sizes: &BTreeMap<&'static str, i64>) -> Table {
        let extents: Vec<i64> = self.extents.iter().map(|(extent, _)| extent.value(sizes)).collect();
        let mut table = Table::new();
        for number in 0..self.points(sizes) {
            let mut rest = number;
            let mut upper = vec![0; extents.len()];
            for axis in (0..extents.len()).rev() {
                upper[axis] = rest % extents[axis];
                rest /= extents[axis];
            }
            let lower = self.at(&upper, sizes);
            table.push((upper, lower));
        }
        table
    }

    fn upper(&self, facts: &Facts) -> Vec<UpperAxis> {
        let axis = |(extent, role): &(Size, AxisRole)| UpperAxis { extent: Some(extent.sym(facts)), role: *role };
        self.extents.iter().map(axis).collect()
    }

    /// The map, built by the compiler's builder.
    pub fn built(&self, facts: &Facts) -> Result<IndexMap, MapError> {
        let mut builder = MapBuilder::new(self.upper(facts), facts);
        let mut forms: Vec<Affine> = Vec::new();
        for node in &self.nodes {
            let form = match node {
                Node::Coordinate(axis) => builder.coordinate(*axis)?,
                Node::Sum(constant, parts) => sum(constant, parts, &forms, facts)?,
                Node::Digit(of, divisor, modulus) => {
                    let modulus = modulus.as_ref().map(|modulus| modulus.sym(facts));
                    builder.digit(&forms[*of], &divisor.sym(facts), modulus.as_ref())?
                }
                Node::Xor(left, right) => builder.xor(&forms[*left], &forms[*right])?,
            };
            forms.push(form);
        }
        for (node, low, high) in &self.masks {
            let (low, high) = (low.as_ref().map(|low| low.sym(facts)), high.as_ref().map(|high| high.sym(facts)));
            builder.mask(&forms[*node], low.as_ref(), high.as_ref(), MaskReason::Guard)?;
        }
        let lower = |(node, extent): &(usize, Option<Size>)| LowerAxis {
            value: forms[*node].clone(),
            extent: extent.as_ref().map(|extent| extent.sym(facts)),
        };
        builder.finish(self.lower.iter().map(lower).collect())
    }

    /// The map without any simplification.
    pub fn raw(&self, facts: &Facts) -> Result<IndexMap, MapError> {
        let mut map = IndexMap { upper: self.upper(facts), terms: Vec::new(), lower: Vec::new(), masks: Vec::new() };
        let mut forms: Vec<Affine> = Vec::new();
        for node in &self.nodes {
            let term = match node {
                Node::Sum(constant, parts) => {
                    forms.push(sum(constant, parts, &forms, facts)?);
                    continue;
                }
                Node::Coordinate(axis) => Term::Coordinate(*axis as u32),
                Node::Digit(of, divisor, modulus) => Term::Digit {
                    of: forms[*of].clone(),
                    divisor: divisor.sym(facts),
                    modulus: modulus.as_ref().map(|modulus| modulus.sym(facts)),
                },
                Node::Xor(left, right) => Term::Xor(forms[*left].clone(), forms[*right].clone()),
            };
            forms.push(Affine::term(TermId(map.terms.len() as u32)));
            map.terms.push(term);
        }
        for (node, low, high) in &self.masks {
            map.masks.push(Mask {
                value: forms[*node].clone(),
                low: low.as_ref().map(|low| low.sym(facts)),
                high: high.as_ref().map(|high| high.sym(facts)),
                reason: MaskReason::Guard,
            });
        }
        for (node, extent) in &self.lower {
            let extent = extent.as_ref().map(|extent| extent.sym(facts));
            map.lower.push(LowerAxis { value: forms[*node].clone(), extent });
        }
        Ok(map)
    }
}

fn sum(constant: &Size, parts: &[(Size, usize)], forms: &[Affine], facts: &Facts) -> Result<Affine, MapError> {
    let mut form = Affine::constant(constant.sym(facts));
    for (factor, node) in parts {
        form = form.checked_add(&forms[*node].checked_scale(&factor.sym(facts))?)?;
    }
    Ok(form)
}

/// The numbers in a random map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavour {
    /// Small numbers of every kind.
    Any,
    /// Powers of two and xor.
    Powers,
    /// Sums that nest, as in real layouts.
    Nested,
}

/// A random map of at most a few thousand points. Operands of xor are never negative.
pub fn random_recipe(choices: &mut Choices, flavour: Flavour) -> Recipe {
    let number = |choices: &mut Choices, any: &[i64], powers: &[i64]| {
        Size::Number(choices.pick(if flavour == Flavour::Powers { powers } else { any }))
    };
    let rank = 1 + choices.below(4);
    let mut recipe = Recipe { extents: Vec::new(), nodes: Vec::new(), lower: Vec::new(), masks: Vec::new() };
    for axis in 0..rank {
        let role = if choices.chance(5) { AxisRole::Thread } else { AxisRole::Local };
        recipe.extents.push((number(choices, &[1, 2, 3, 4, 5, 6, 8], &[1, 2, 4, 8]), role));
        recipe.nodes.push(Node::Coordinate(axis));
    }
    let mut natural: Vec<usize> = (0..rank).collect();
    for _ in 0..choices.below(6) {
        let node = recipe.nodes.len();
        match choices.below(4) {
            0 => {
                let parts = (0..1 + choices.below(3))
                    .map(|_| {
                        let factor = number(choices, &[1, 2, 3, 4, 6, -1, 8, 5], &[1, 2, 4, 8, 16, -1]);
                        (factor, choices.below(node))
                    })
                    .collect();
                recipe.nodes.push(Node::Sum(Size::Number(choices.pick(&[0, 0, 1, 3, 7])), parts));
            }
            1 => {
                let other = (choices.pick(&natural), choices.pick(&natural));
                natural.push(node);
                recipe.nodes.push(Node::Xor(other.0, other.1));
            }
            _ => {
                let divisor = number(choices, &[1, 2, 3, 4, 6], &[1, 2, 4]);
                let modulus = choices.chance(7).then(|| number(choices, &[1, 2, 3, 4, 5, 6, 8], &[2, 4, 8]));
                let of = choices.below(node);
                if modulus.is_some() || natural.contains(&of) {
                    natural.push(node);
                }
                recipe.nodes.push(Node::Digit(of, divisor, modulus));
            }
        }
    }
    let steps = recipe.nodes.len();
    for _ in 0..1 + choices.below(2) {
        let mut weight = 1;
        let mut parts = Vec::new();
        for _ in 0..1 + choices.below(4) {
            let of = if choices.chance(6) { choices.below(rank) } else { choices.below(steps) };
            let factor = match flavour {
                Flavour::Nested => {
                    let factor = weight;
                    weight *= choices.pick(&[2, 3, 4, 8]);
                    if choices.chance(2) { -factor } else { factor }
                }
                Flavour::Any => choices.pick(&[1, 2, 3, 4, 5, 6, 8, 12, -1, -3, 24]),
                Flavour::Powers => choices.pick(&[1, 2, 4, 8, 16, 32, 64, -1, -8]),
            };
            parts.push((Size::Number(factor), of));
        }
        let node = recipe.nodes.len();
        recipe.nodes.push(Node::Sum(Size::Number(choices.pick(&[0, 0, 0, 1, 7, 15])), parts));
        let extent = choices.chance(3).then(|| Size::Number(choices.pick(&[4, 8, 12, 16, 64])));
        recipe.lower.push((node, extent));
    }
    for _ in 0..choices.below(3) {
        let low = choices.chance(3).then(|| Size::Number(choices.pick(&[0, 1, 2, 3])));
        let high = choices.chance(8).then(|| Size::Number(choices.pick(&[1, 2, 3, 4, 5, 8, 12, 20])));
        recipe.masks.push((choices.below(recipe.nodes.len()), low, high));
    }
    recipe
}
