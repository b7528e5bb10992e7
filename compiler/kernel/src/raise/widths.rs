//! Whether what a map computes fits in 64 bits.
//!
//! Sums and products that wrap do no harm by themselves, since an element that is proven to exist is found by them
//! nevertheless. A wrapped value must not be divided or compared, as it would be for a digit or a mask.

use super::{Raiser, ValueId};
use crate::intervals::{below, binary, of_small_size, of_type};
use crate::typed::BinaryOp;
use dims::{Interval, Sym};
use elements::ElementType;
use maps::{Affine, IndexMap, Term};

impl Raiser {
    /// Whether everything that a map divides or compares at these coordinates fits in 64 bits if all sizes are small.
    /// Larger sizes are checked at launch.
    pub fn fits(&self, map: &IndexMap, coordinates: &[ValueId]) -> bool {
        let axes = map.upper.iter().zip(coordinates).map(|(axis, id)| {
            let value = self.at(*id).small;
            axis.extent.as_ref().map_or(value, |extent| value.intersect(below(self.small(extent))))
        });
        let widths = Widths { raiser: self, axes: axes.collect(), terms: Vec::with_capacity(map.terms.len()) };
        widths.fits(map)
    }

    fn small(&self, size: &Sym) -> Interval {
        of_small_size(size, &self.facts)
    }
}

/// The intervals of the values of a map in unbounded arithmetic.
struct Widths<'r> {
    raiser: &'r Raiser,
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
                        .try_fold(value, |value, (op, by)| binary(op, value, self.raiser.small(by), ElementType::I64))
                }
                Term::Xor(left, right) => {
                    let (left, right) = (self.affine(left), self.affine(right));
                    if !left.lies_in(all) || !right.lies_in(all) {
                        return false;
                    }
                    binary(BinaryOp::BitXor, left, right, ElementType::I64)
                }
            };
            self.terms.push(value.unwrap_or(all));
        }
        map.masks.iter().all(|mask| self.affine(&mask.value).lies_in(all))
    }

    fn affine(&self, form: &Affine) -> Interval {
        let small = |size: &Sym| self.raiser.small(size);
        form.terms.iter().fold(small(&form.constant), |sum, (term, coefficient)| {
            let value = self.terms.get(term.0 as usize).copied().unwrap_or(of_type(ElementType::I64));
            sum.plus(value.multiply(small(coefficient)))
        })
    }
}
