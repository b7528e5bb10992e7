//! The questions that isl is asked as well, with the same names as in `isl.py`.

use dims::{Facts, Sym, Symbol};
use maps::{Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, MapError, MaskReason, UpperAxis};
use proofs::{Budget, Verdict, covers, equal, injective};

/// Asks a question.
type Ask = dyn Fn(&Facts, &Budget<'_>) -> Verdict;

/// A question whose answer is *proven*.
pub(super) struct Question {
    pub(super) name: &'static str,
    pub(super) ask: Box<Ask>,
}

/// All questions, in the order of the table.
pub(super) fn all() -> Vec<Question> {
    let is_injective = |name: &'static str, map: IndexMap| Question {
        name,
        ask: Box::new(move |facts, budget| injective(&map, facts, budget)),
    };
    let partition = partition();
    let (merged, refined) = (merged(), refined());
    vec![
        is_injective("ten digits", strided(&(0..10).map(|k| (4, 1 << (2 * k))).collect::<Vec<_>>())),
        is_injective("four digits of one index", four_digits()),
        is_injective("nested, 2^40 points", nested()),
        is_injective("3i + 5j", strided(&[(5, 3), (3, 5)])),
        is_injective("xor tile", xor_tile()),
        is_injective("xor tile, N rows", xor_rows()),
        is_injective("cyclic shift", shift()),
        Question {
            name: "partition, N elements",
            ask: Box::new(move |facts, budget| covers(&partition, &[Sym::zero()..named("N")], facts, budget)),
        },
        is_injective("rows N apart", rows_apart()),
        Question {
            name: "merge, unmerge",
            ask: Box::new(move |facts, budget| equal(&merged, &refined, facts, budget)),
        },
    ]
}

fn named(name: &str) -> Sym {
    Sym::symbol(Symbol::new(name, 0))
}

fn number(value: i64) -> Sym {
    Sym::constant(value)
}

/// A map of the benchmark, in its simplest form. All of them are well formed.
fn map(upper: &[Sym], lower: impl FnOnce(&mut MapBuilder<'_>, &[Affine]) -> Result<Vec<Affine>, MapError>) -> IndexMap {
    let facts = Facts::empty();
    let axes = upper.iter().map(|extent| UpperAxis { extent: Some(extent.clone()), role: AxisRole::Thread });
    let build = || {
        let mut builder = MapBuilder::new(axes.collect(), &facts);
        let coordinates = (0..upper.len()).map(|axis| builder.coordinate(axis)).collect::<Result<Vec<_>, _>>()?;
        let lower = lower(&mut builder, &coordinates)?;
        builder.finish(lower.into_iter().map(|value| LowerAxis { value, extent: None }).collect())
    };
    build().expect("the maps of the benchmark are well formed")
}

fn strided(axes: &[(i64, i64)]) -> IndexMap {
    let extents: Vec<Sym> = axes.iter().map(|(extent, _)| number(*extent)).collect();
    map(&extents, |_, at| {
        let parts = at.iter().zip(axes).map(|(coordinate, (_, stride))| coordinate.checked_scale(&number(*stride)));
        Ok(vec![
            parts
                .collect::<Result<Vec<_>, _>>()?
                .iter()
                .try_fold(Affine::constant(number(0)), |sum, part| sum.checked_add(part))?,
        ])
    })
}

/// Five coordinates of 256, with strides that nest: 2^40 points.
pub(super) fn nested() -> IndexMap {
    strided(&(0..5).map(|k| (256, 1 << (8 * k))).collect::<Vec<_>>())
}

/// A tile in row-major order.
pub(super) fn tile(rows: i64, columns: i64) -> IndexMap {
    strided(&[(rows, columns), (columns, 1)])
}

/// `5x` modulo a number, for `points` points. No theorem of the prover applies, so only enumeration shows that it is
/// injective.
pub(super) fn mixed(points: i64) -> IndexMap {
    map(&[number(points)], |builder, at| {
        let doubled = at[0].checked_scale(&number(5))?;
        Ok(vec![builder.remainder(&doubled, &number(points + 1))?])
    })
}

fn four_digits() -> IndexMap {
    map(&[number(65536)], |builder, at| {
        let mut sum = Affine::constant(number(0));
        for k in 0..4 {
            let digit = builder.digit(&at[0], &number(1 << (4 * k)), Some(&number(16)))?;
            sum = sum.checked_add(&digit.checked_scale(&number(1 << (12 - 4 * k)))?)?;
        }
        Ok(vec![sum])
    })
}

fn xor_tile() -> IndexMap {
    map(&[number(32), number(32)], |builder, at| {
        let column = builder.xor(&at[1], &at[0])?;
        Ok(vec![at[0].checked_scale(&number(32))?.checked_add(&column)?])
    })
}

fn xor_rows() -> IndexMap {
    map(&[named("N"), number(64)], |builder, at| {
        let bits = builder.remainder(&at[0], &number(8))?;
        let column = builder.xor(&at[1], &bits)?;
        Ok(vec![at[0].checked_scale(&number(64))?.checked_add(&column)?])
    })
}

fn shift() -> IndexMap {
    map(&[number(64), number(64)], |builder, at| {
        let column = builder.remainder(&at[0].checked_add(&at[1])?, &number(64))?;
        Ok(vec![at[0].checked_scale(&number(64))?.checked_add(&column)?])
    })
}

fn partition() -> IndexMap {
    let tiles = named("N").cdiv(&number(64), &Facts::empty()).expect("a division by 64");
    map(&[tiles, number(64)], |builder, at| {
        let slot = at[0].checked_scale(&number(64))?.checked_add(&at[1])?;
        builder.mask(&slot, None, Some(&named("N")), MaskReason::TensorBound)?;
        Ok(vec![slot])
    })
}

fn rows_apart() -> IndexMap {
    map(&[named("M"), named("N")], |_, at| Ok(vec![at[0].checked_scale(&named("N"))?.checked_add(&at[1])?]))
}

/// `[2, 6]` merged to one index, and that to `[4, 3]`.
fn merged() -> IndexMap {
    map(&[number(2), number(6)], |builder, at| {
        let index = at[0].checked_scale(&number(6))?.checked_add(&at[1])?;
        Ok(vec![builder.floor_div(&index, &number(3))?, builder.remainder(&index, &number(3))?])
    })
}

/// The same map by digits of the coordinates.
fn refined() -> IndexMap {
    map(&[number(2), number(6)], |builder, at| {
        let (high, low) = (builder.floor_div(&at[1], &number(3))?, builder.remainder(&at[1], &number(3))?);
        Ok(vec![at[0].checked_scale(&number(2))?.checked_add(&high)?, low])
    })
}
