//! What is drawn, as data and as text; and that every picture is well-formed XML.

use std::collections::BTreeMap;

use super::*;
use dims::{CompareOp, Fact, Sym, Symbol};
use maps::{
    Affine, LayoutEntry, LowerAxis, MapBuilder, MaskReason, ReshapeMapSpec, UpperAxis, continuous_linear, linear,
    map2d, reshape_map,
};
use proofs::{Budget, Verdict};

mod divided;
mod extremes;
mod shown;
mod xml;

fn number(value: i64) -> Sym {
    Sym::constant(value)
}

fn pair(value: i64) -> (Sym, Sym) {
    (number(value), number(value))
}

/// A `reshape_map` with known sizes; a negative layout entry `!k` is dimension `k`, reversed.
fn reshape(local: &[(i64, i64)], thread: &[(i64, i64)], layout: &[i64]) -> IndexMap {
    let sizes = |sizes: &[(i64, i64)]| sizes.iter().map(|(size, tensor)| (number(*size), number(*tensor))).collect();
    let entry = |entry: &i64| LayoutEntry {
        dimension: if *entry < 0 { !*entry } else { *entry } as usize,
        reversed: *entry < 0,
    };
    let spec = ReshapeMapSpec {
        local: sizes(local),
        thread: sizes(thread),
        layout: layout.iter().map(entry).collect(),
        offset: Sym::zero(),
    };
    reshape_map(&spec, &Facts::empty()).unwrap()
}

fn axes(extents: &[i64]) -> Vec<UpperAxis> {
    extents.iter().map(|extent| UpperAxis { extent: Some(number(*extent)), role: AxisRole::Local }).collect()
}

/// `(row, column) -> row · width + (column ^ row % width)`.
fn swizzle(height: i64, width: i64) -> IndexMap {
    let facts = Facts::empty();
    let mut builder = MapBuilder::new(axes(&[height, width]), &facts);
    let (row, column) = (builder.coordinate(0).unwrap(), builder.coordinate(1).unwrap());
    let low = builder.remainder(&row, &number(width)).unwrap();
    let mixed = builder.xor(&column, &low).unwrap();
    let value = row.checked_scale(&number(width)).unwrap().checked_add(&mixed).unwrap();
    builder.finish(vec![LowerAxis { value, extent: Some(number(height * width)) }]).unwrap()
}

/// `u -> u - 1` for a tensor of five, with one more on each side.
fn padded() -> IndexMap {
    let facts = Facts::empty();
    let mut builder = MapBuilder::new(axes(&[7]), &facts);
    let value = builder.coordinate(0).unwrap().checked_offset(&number(-1)).unwrap();
    builder.mask(&value, Some(&number(0)), Some(&number(5)), MaskReason::Padding).unwrap();
    builder.finish(vec![LowerAxis { value, extent: Some(number(5)) }]).unwrap()
}

fn draw_with(map: &IndexMap, options: &Options<'_>) -> Picture {
    picture(&[Subject { name: "m", map, facts: &Facts::empty(), kind: Kind::Map }], options)
}

fn draw(map: &IndexMap) -> Picture {
    draw_with(map, &Options::default())
}

/// The grid of a picture of one map.
fn grid(picture: &Picture) -> &Grid {
    picture.panels[0].grid.as_ref().unwrap_or_else(|| panic!("{:?}", picture.panels[0].notes))
}

/// The thread of each cell.
fn threads(picture: &Picture) -> Vec<Option<u64>> {
    grid(picture).cells.iter().map(|cell| cell.thread).collect()
}

/// The maps that the tests look at, with a name for each.
fn examples() -> Vec<(&'static str, IndexMap)> {
    let facts = Facts::empty();
    vec![
        ("blocked", reshape(&[(3, 3)], &[(4, 4)], &[0, 1])),
        ("strided", reshape(&[(3, 3)], &[(4, 4)], &[1, 0])),
        ("reversed", reshape(&[(3, 3)], &[(2, 2), (2, 2)], &[0, !1, 2])),
        ("fewer", reshape(&[(3, 3)], &[(2, 2), (2, 1)], &[0, 1, 2])),
        ("gaps", reshape(&[(3, 4)], &[(2, 2), (2, 2)], &[0, 1, 2])),
        ("warp", reshape(&[(4, 4)], &[(32, 32)], &[1, 0])),
        ("float4", reshape(&[(4, 4)], &[(32, 32)], &[0, 1])),
        ("swizzle", swizzle(8, 8)),
        ("padded", padded()),
        ("linear", linear(&number(4), &number(8), &facts).unwrap()),
        ("endless", continuous_linear(&number(4), None, &facts).unwrap()),
        ("tiles", map2d(&number(16), &number(8), &number(4), &facts).unwrap()),
        ("large", reshape(&[(16, 16)], &[(256, 256)], &[1, 0])),
    ]
}
