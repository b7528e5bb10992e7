//! Regions of a written tensor, each with a partition of its own: the left half through one, the right half through another.
//!
//! The elements of a tile belong to threads as its partition deals them out, so an element that two partitions reach would
//! belong to two threads. Accesses through different partitions therefore have no element in common, whichever blocks execute
//! them.

use super::claims::{AccessRecord, TileAccess};
use super::pairs::MOST_PAIRS;
use super::prover::Prover;
use super::raised::Composed;
use crate::diagnostics;
use dims::{Facts, Sym};
use kernel::typed::Memory;
use maps::{Affine, IndexMap, LowerAxis, row_major};

impl<'db> Prover<'db> {
    /// The accesses of a tensor through each of its partitions, if there are several. Those of elements are a group, too.
    pub(super) fn regions<'r>(&self, records: &[&'r AccessRecord]) -> Option<Vec<Vec<&'r AccessRecord>>> {
        let mut regions: Vec<Vec<&AccessRecord>> = Vec::new();
        for record in records {
            let is_same = |region: &&mut Vec<&AccessRecord>| is_one_partition(region[0], record);
            match regions.iter_mut().find(is_same) {
                Some(region) => region.push(record),
                None => regions.push(vec![record]),
            }
        }
        (regions.len() > 1).then_some(regions)
    }

    /// Checks that regions have no element in common, and each of them for itself.
    pub(super) fn check_regions(&mut self, memory: Memory, regions: &[Vec<&AccessRecord>]) {
        let mut pairs = 0;
        for (place, region) in regions.iter().enumerate() {
            for (one, other) in
                regions[..place].iter().flatten().flat_map(|one| region.iter().map(move |other| (one, other)))
            {
                if !one.kind.conflicts_with(other.kind) {
                    continue;
                }
                self.evaluator.db.unwind_if_revision_cancelled();
                pairs += 1;
                if pairs > MOST_PAIRS || !self.reach_different_elements(memory, [one, other]) {
                    self.report_two_partitions(memory, [one, other]);
                    return;
                }
            }
        }
        for region in regions {
            if region.iter().any(|record| record.kind.writes()) {
                self.check_tensor(memory, region);
            }
        }
    }

    /// Whether two accesses have no element in common, whichever threads execute them.
    fn reach_different_elements(&mut self, memory: Memory, pair: [&AccessRecord; 2]) -> bool {
        let maps = pair.map(|record| &*record.composed);
        if self.have_no_element_in_common(maps) {
            return true;
        }
        let [one, other] = maps.map(|composed| self.by_dimensions(memory, composed));
        one.zip(other).is_some_and(|(one, other)| self.have_no_element_in_common([&one, &other]))
    }

    /// A map to the elements of a tensor as one to the tensor's own indices, which contain no products of sizes.
    fn by_dimensions(&self, memory: Memory, composed: &Composed) -> Option<Composed> {
        let (facts, budget) = (&self.evaluator.facts, self.evaluator.budget().for_proofs());
        let map = &composed.map;
        let [element] = map.lower.as_slice() else { return None };
        let strides = row_major::strides(&self.typed.memories.shape(memory)).ok()?;
        let mut rest = element.value.clone();
        let mut indices = Vec::with_capacity(strides.len());
        for stride in &strides {
            let (index, other) = taken_out(&rest, stride, facts)?;
            let lower = vec![LowerAxis { value: other.clone(), extent: None }];
            let beside = IndexMap { lower, ..map.clone() };
            let is_last = stride.as_constant() == Some(1);
            if !is_last && !proofs::in_bounds(&beside, std::slice::from_ref(stride), facts, &budget).is_proven() {
                return None;
            }
            indices.push(LowerAxis { value: index, extent: None });
            rest = other;
        }
        let map = IndexMap { lower: indices, ..map.clone() };
        Some(Composed { map, ..composed.clone() })
    }

    fn report_two_partitions(&mut self, memory: Memory, [first, here]: [&AccessRecord; 2]) {
        // Beside tiles, elements are an error of their own.
        if first.of_tile != here.of_tile
            && self.typed.diagnostics.iter().any(|found| found.is_of(&diagnostics::TILE_PLACE))
        {
            return;
        }
        let name = self.typed.memories.name(memory);
        let found = match [first, here].map(|record| record.tile.as_ref()) {
            [Some(before), Some(own)] if before.extents != own.extents => {
                diagnostics::tile_shapes_of_one(here.span, &name, first.span, [&before.extents, &own.extents])
            }
            _ => diagnostics::tile_views_of_one(here.span, &name, first.span),
        };
        self.proven.diagnostics.push(found);
    }
}

/// Whether two accesses are of elements, or of tiles of one partition.
fn is_one_partition(one: &AccessRecord, other: &AccessRecord) -> bool {
    let same = |one: &TileAccess, other: &TileAccess| {
        one.extents == other.extents && one.divided.map == other.divided.map && one.divided.bound == other.divided.bound
    };
    match (&one.tile, &other.tile) {
        (Some(one), Some(other)) => same(one, other),
        (None, None) => true,
        _ => false,
    }
}

/// A form as `stride * whole + rest`, where the rest has no multiple of the stride.
fn taken_out(form: &Affine, stride: &Sym, facts: &Facts) -> Option<(Affine, Affine)> {
    let quotient = |size: &Sym| {
        let quotient = size.checked_floor_div(stride, facts).ok()?;
        (quotient.checked_mul(stride).ok()? == *size).then_some(quotient)
    };
    let (mut whole, mut rest) = (Affine::constant(Sym::zero()), Affine::constant(Sym::zero()));
    for (factor, product) in form.constant.products()? {
        let size = product.checked_mul(&Sym::constant(factor)).ok()?;
        let part = quotient(&size);
        let to = if part.is_some() { &mut whole } else { &mut rest };
        *to = to.checked_offset(&part.unwrap_or(size)).ok()?;
    }
    for (term, factor) in &form.terms {
        let part = quotient(factor);
        let to = if part.is_some() { &mut whole } else { &mut rest };
        *to = to.checked_add(&Affine::term(*term).checked_scale(part.as_ref().unwrap_or(factor)).ok()?).ok()?;
    }
    Some((whole, rest))
}
