//! Whether what a map computes fits in 64 bits.
//!
//! Sums and products that wrap do no harm by themselves, since an element that is proven to exist is found by them
//! nevertheless. A wrapped value must not be divided or compared, as it would be for a digit or a mask.

use super::intervals::Sizes;
use super::raiser::Raiser;
use super::value::ValueId;
use crate::intervals::{Arithmetic, below, of_type};
use crate::typed::BinaryOp;
use dims::{Interval, Sym};
use elements::ElementType;
use maps::{Affine, IndexMap, Term};

impl Raiser {
    /// Whether everything that a map divides or compares at these coordinates fits in 64 bits: for all sizes with what
    /// is known of the coordinates here, or if all sizes are small. In the second case larger sizes are checked at
    /// launch.
    pub fn fits(&mut self, map: &IndexMap, coordinates: &[ValueId]) -> bool {
        let here: Vec<Interval> = coordinates.iter().map(|id| self.numbers(*id)).collect();
        let small = coordinates.iter().map(|id| self.at(*id).small).collect();
        [(Sizes::Small, small), (Sizes::Known, here)].into_iter().any(|(sizes, coordinates)| {
            let mut widths = Widths { raiser: self, sizes, axes: coordinates, terms: Vec::new() };
            for (value, axis) in widths.axes.iter_mut().zip(&map.upper) {
                if let Some(extent) = &axis.extent {
                    *value = value.intersect(below(self.of_size(extent, sizes)));
                }
            }
            widths.fits(map)
        })
    }
}

/// The intervals of the values of a map in unbounded arithmetic.
struct Widths<'r> {
    raiser: &'r Raiser,
    sizes: Sizes,
    axes: Vec<Interval>,
    terms: Vec<Interval>,
}

impl Widths<'_> {
    fn fits(mut self, map: &IndexMap) -> bool {
        let all = of_type(ElementType::I64);
        for term in &map.terms {
            let value = match term {
                Term::Coordinate(axis) => self.axes.get(*axis as usize).copied(),
                Term::Digit { of, divisor, modulus } => {
                    let value = self.affine(of);
                    if !value.lies_in(all) {
                        return false;
                    }
                    let parts = [(BinaryOp::FloorDivide, Some(divisor)), (BinaryOp::FloorRemainder, modulus.as_ref())];
                    parts
                        .into_iter()
                        .filter_map(|(op, by)| Some((op, by?)))
                        .try_fold(value, |value, (op, by)| operation(op, value, self.raiser.of_size(by, self.sizes)))
                }
                Term::Xor(left, right) => {
                    let (left, right) = (self.affine(left), self.affine(right));
                    if !left.lies_in(all) || !right.lies_in(all) {
                        return false;
                    }
                    operation(BinaryOp::BitXor, left, right)
                }
            };
            self.terms.push(value.unwrap_or(all));
        }
        map.masks.iter().all(|mask| self.affine(&mask.value).lies_in(all))
    }

    fn affine(&self, form: &Affine) -> Interval {
        let of_size = |size: &Sym| self.raiser.of_size(size, self.sizes);
        form.terms.iter().fold(of_size(&form.constant), |sum, (term, coefficient)| {
            let value = self.terms.get(term.0 as usize).copied().unwrap_or(of_type(ElementType::I64));
            sum.plus(value.multiply(of_size(coefficient)))
        })
    }
}

fn operation(op: BinaryOp, left: Interval, right: Interval) -> Option<Interval> {
    Arithmetic::Binary(op, left, right).interval(ElementType::I64, |operand| Some(*operand))
}
