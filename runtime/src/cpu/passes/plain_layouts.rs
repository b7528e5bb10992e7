//! Shared arrays without swizzles.
//!
//! A swizzle keeps the accesses of a warp in different banks of a GPU's shared memory. A processor has no such banks, and there a
//! swizzle only makes places of neighbouring elements more expensive to compute. Where an array lies, no program sees: it sees
//! which coordinates have the same element, and under an injective layout no two have.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use dims::{Facts, Sym};
use kernel::typed::{Access, BinaryOp, Expr, ExprKind, Kernel, Memory, SharedId, Statement, StatementKind};
use maps::{Affine, IndexMap, LowerAxis, MapBuilder, MapError, Term, row_major};
use proofs::{Budget, injective};

/// The kernel with the elements of swizzled arrays in the order of their coordinates. The accesses were proven to be inside.
pub fn without_swizzles(kernel: Cow<'_, Kernel>) -> Cow<'_, Kernel> {
    let plain: BTreeMap<SharedId, PlainLayout> = layouts(&kernel)
        .into_iter()
        .filter_map(|(array, map)| Some((array, PlainLayout::in_place_of(map?, &kernel, array)?)))
        .collect();
    if plain.is_empty() {
        return kernel;
    }
    let mut kernel = kernel.into_owned();
    Statement::change_accesses(&mut kernel.body, &|access| match access.memory {
        Memory::Shared(array) => match plain.get(&array) {
            Some(layout) => layout.of_access(access),
            None => access,
        },
        Memory::Param(_) => access,
    });
    Cow::Owned(kernel)
}

/// The map of all accesses of an array; `None` if they have several.
fn layouts(kernel: &Kernel) -> BTreeMap<SharedId, Option<&Arc<IndexMap>>> {
    let mut found = BTreeMap::new();
    Statement::walk(&kernel.body, &mut |statement| {
        let mut see = |access| note(&mut found, access);
        match &statement.kind {
            StatementKind::Store { access, .. } => see(access),
            StatementKind::Atomic(atomic) => see(&atomic.access),
            _ => {}
        }
        statement.walk_own_expressions(&mut |expr| {
            if let ExprKind::Load(access) = &expr.kind {
                see(access);
            }
        });
    });
    found
}

fn note<'k>(found: &mut BTreeMap<SharedId, Option<&'k Arc<IndexMap>>>, access: &'k Access) {
    let Memory::Shared(array) = access.memory else { return };
    let map = found.entry(array).or_insert(Some(&access.map));
    *map = map.filter(|map| **map == access.map);
}

/// The coordinates of an array in row-major order.
struct PlainLayout {
    map: Arc<IndexMap>,
    /// The distances of neighbours along each coordinate.
    strides: Vec<i64>,
}

impl PlainLayout {
    /// The layout in the place of a map of all accesses of an array, if that is swizzled and injective.
    fn in_place_of(map: &IndexMap, kernel: &Kernel, array: SharedId) -> Option<PlainLayout> {
        let is_swizzled = map.terms.iter().any(|term| matches!(term, Term::Xor(..)));
        let extents: Option<Vec<i64>> =
            map.upper.iter().map(|axis| axis.extent.as_ref().and_then(Sym::as_constant)).collect();
        let extents = extents.filter(|_| is_swizzled)?;
        let length = kernel.shared.get(array)?.known_length()?;
        let fits = extents.iter().try_fold(1i64, |before, extent| before.checked_mul(*extent))? <= length;
        if !fits || !injective(map, &kernel.facts, &Budget::editing(&|| false)).is_proven() {
            return None;
        }
        let strides = row_major::strides_of(&extents);
        let map = Arc::new(plain_map(map, &strides, &kernel.facts).ok()?);
        Some(PlainLayout { map, strides })
    }

    fn of_access(&self, access: Access) -> Access {
        let times = |(coordinate, stride): (&Expr, &i64)| {
            Expr::binary(BinaryOp::Multiply, coordinate.clone(), Expr::int(*stride))
        };
        let parts = access.coordinates.iter().zip(&self.strides).map(times);
        let offset = parts.reduce(|before, part| Expr::binary(BinaryOp::Add, before, part)).unwrap_or(Expr::int(0));
        Access { map: self.map.clone(), offset, ..access }
    }
}

/// The map of the same coordinates with these strides.
fn plain_map(map: &IndexMap, strides: &[i64], facts: &Facts) -> Result<IndexMap, MapError> {
    let mut builder = MapBuilder::new(map.upper.clone(), facts);
    let mut value = Affine::constant(Sym::zero());
    for (coordinate, stride) in builder.coordinates()?.iter().zip(strides) {
        value = value.checked_add(&coordinate.checked_scale(&Sym::constant(*stride))?)?;
    }
    let extent = map.lower.first().and_then(|axis| axis.extent.clone());
    builder.finish(vec![LowerAxis { value, extent }])
}

#[cfg(test)]
mod tests;
