//! Random chains of coordinate transforms as recipes: each step applies the formula of a transform.

use super::{Choices, Node, Recipe, Size};
use maps::AxisRole;

/// A coordinate between two transforms: a step of the recipe, and its extent where it is valid.
#[derive(Clone)]
struct Between {
    node: usize,
    extent: Size,
}

/// Builds a recipe, one transform after another.
struct Chain<'a> {
    choices: &'a mut Choices,
    recipe: Recipe,
    at: Vec<Between>,
}

/// A chain of up to five transforms over up to three coordinates: merge, unmerge, pad, slice, embed, xor, modulo,
/// cyclic shift, reversal, permutation. With `symbols` it contains the sizes `N` and `M`.
pub fn random_transforms(choices: &mut Choices, symbols: bool) -> Recipe {
    let recipe = Recipe { extents: Vec::new(), nodes: Vec::new(), lower: Vec::new(), masks: Vec::new() };
    let mut chain = Chain { choices, recipe, at: Vec::new() };
    for axis in 0..1 + chain.choices.below(3) {
        let extent = chain.extent(symbols);
        let role = if chain.choices.chance(5) { AxisRole::Thread } else { AxisRole::Local };
        chain.recipe.extents.push((extent.clone(), role));
        chain.recipe.nodes.push(Node::Coordinate(axis));
        chain.at.push(Between { node: axis, extent });
    }
    for _ in 0..1 + chain.choices.below(5) {
        chain.transform();
    }
    if chain.choices.chance(7) {
        while chain.at.len() > 1 {
            chain.join();
        }
    }
    let bounded = chain.choices.chance(3);
    for coordinate in chain.at.clone() {
        chain.recipe.lower.push((coordinate.node, bounded.then_some(coordinate.extent)));
    }
    chain.recipe
}

impl Chain<'_> {
    fn extent(&mut self, symbols: bool) -> Size {
        match self.choices.below(if symbols { 5 } else { 3 }) {
            0 => Size::Number(self.choices.pick(&[2, 4, 8])),
            1 => Size::Number(self.choices.pick(&[1, 2, 3, 4, 5, 6])),
            2 => Size::Number(self.choices.pick(&[4, 6, 8, 12])),
            3 => Size::Named(self.choices.pick(&["N", "M"])),
            _ => times(Size::Number(self.choices.pick(&[2, 4])), Size::Named(self.choices.pick(&["N", "M"]))),
        }
    }

    fn push(&mut self, node: Node) -> usize {
        self.recipe.nodes.push(node);
        self.recipe.nodes.len() - 1
    }

    fn some(&mut self) -> usize {
        let count = self.at.len();
        self.choices.below(count)
    }

    fn transform(&mut self) {
        let place = self.some();
        let Between { node, extent } = self.at[place].clone();
        let number = Size::Number;
        match self.choices.below(11) {
            // Merge and unmerge: splits one coordinate into two, or joins two.
            0 | 1 => {
                let inner = self.choices.pick(&[2, 3, 4]);
                let high = self.push(Node::Digit(node, number(inner), None));
                let low = self.push(Node::Digit(node, number(1), Some(number(inner))));
                let outer = match extent {
                    Size::Number(extent) => number((extent + inner - 1) / inner),
                    extent => Size::RoundedUpOver(Box::new(extent), inner),
                };
                self.at[place] = Between { node: high, extent: outer };
                self.at.insert(place + 1, Between { node: low, extent: number(inner) });
            }
            2 => self.join(),
            // Pad: the first and the last coordinates are invalid.
            3 => {
                let (before, after) = (self.choices.pick(&[0, 1, 2]), self.choices.pick(&[0, 1]));
                let shifted = self.push(Node::Sum(number(-before), vec![(number(1), node)]));
                let length = plus(extent, -before - after);
                self.recipe.masks.push((shifted, Some(number(0)), Some(length.clone())));
                self.at[place] = Between { node: shifted, extent: length };
            }
            // Slice: a part of a longer dimension.
            4 => {
                let (before, after) = (self.choices.pick(&[0, 1, 3]), self.choices.pick(&[0, 2]));
                let shifted = self.push(Node::Sum(number(before), vec![(number(1), node)]));
                self.at[place] = Between { node: shifted, extent: plus(extent, before + after) };
            }
            // Embed: strides of any kind.
            5 => {
                let other = self.some();
                let strides = (self.choices.pick(&[1, 2, 3, 5]), self.choices.pick(&[1, 2, 3, 4, 8]));
                let offset = self.choices.pick(&[0, 0, 1, 4]);
                let mut parts = vec![(number(strides.0), node)];
                let mut length = plus(times(number(strides.0), extent), offset);
                if other != place {
                    parts.push((number(strides.1), self.at[other].node));
                    length =
                        Size::Plus(Box::new(length), Box::new(times(number(strides.1), self.at[other].extent.clone())));
                }
                let sum = self.push(Node::Sum(number(offset), parts));
                self.at[place] = Between { node: sum, extent: length };
                if other != place {
                    self.at.remove(other);
                }
            }
            // Xor of a coordinate with some bits of another.
            6 | 7 => {
                let other = self.some();
                if other == place {
                    return;
                }
                let modulus = self.choices.pick(&[2, 4, 8]);
                let bits = self.push(Node::Digit(self.at[other].node, number(1), Some(number(modulus))));
                let mixed = self.push(Node::Xor(node, bits));
                // It may exceed the extent, by less than the power of two.
                let extent = if self.choices.chance(5) {
                    self.recipe.masks.push((mixed, None, Some(extent.clone())));
                    extent
                } else {
                    plus(extent, modulus)
                };
                self.at[place] = Between { node: mixed, extent };
            }
            // Cyclic shift of a coordinate by another one, or by a constant.
            8 | 9 => {
                let other = self.some();
                let mut parts = vec![(number(self.choices.pick(&[1, 1, -1])), node)];
                if other != place {
                    parts.push((number(self.choices.pick(&[1, 2, 3])), self.at[other].node));
                }
                let shift = self.choices.pick(&[0, 1, 5]);
                let sum = self.push(Node::Sum(number(shift), parts));
                let modulus = if positive(&extent) && self.choices.chance(8) {
                    extent
                } else {
                    number(self.choices.pick(&[2, 3, 4, 8]))
                };
                let node = self.push(Node::Digit(sum, number(1), Some(modulus.clone())));
                self.at[place] = Between { node, extent: modulus };
            }
            _ => {
                let reversed = self.push(Node::Sum(plus(extent.clone(), -1), vec![(number(-1), node)]));
                self.at[place] = Between { node: reversed, extent };
                self.at.rotate_left(1);
            }
        }
    }

    /// Merges two neighbouring coordinates in row-major order.
    fn join(&mut self) {
        if self.at.len() < 2 {
            return;
        }
        let place = self.choices.below(self.at.len() - 1);
        let (outer, inner) = (self.at[place].clone(), self.at.remove(place + 1));
        let parts = vec![(inner.extent.clone(), outer.node), (Size::Number(1), inner.node)];
        let node = self.push(Node::Sum(Size::Number(0), parts));
        self.at[place] = Between { node, extent: times(outer.extent, inner.extent) };
    }
}

/// Whether an extent is positive for all values of its symbols.
fn positive(size: &Size) -> bool {
    match size {
        Size::Number(value) => *value > 0,
        Size::Named(_) => true,
        Size::Times(left, right) => positive(left) && positive(right),
        Size::Plus(left, right) => positive(left) && (positive(right) || matches!(**right, Size::Number(0))),
        Size::RoundedUpOver(value, _) => positive(value),
        Size::Over(..) => false,
    }
}

fn times(left: Size, right: Size) -> Size {
    match (left, right) {
        (Size::Number(left), Size::Number(right)) => Size::Number(left * right),
        (left, right) => Size::Times(Box::new(left), Box::new(right)),
    }
}

fn plus(size: Size, number: i64) -> Size {
    match size {
        Size::Number(value) => Size::Number(value + number),
        size if number == 0 => size,
        size => Size::Plus(Box::new(size), Box::new(Size::Number(number))),
    }
}
