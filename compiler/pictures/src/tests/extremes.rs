//! Maps that are hardly drawable. They must not hang, wrap or end the program.

use super::*;
use maps::{Term, TermId};

/// Draws a map in every way.
fn draw_everyhow(map: &IndexMap) {
    for by in [By::Thread, By::Bank] {
        for label in [Label::Automatic, Label::Slot, Label::Coordinate] {
            let limits = if label == Label::Slot { Limits { rows: 0, columns: 0 } } else { Limits::default() };
            let element_bytes = if label == Label::Slot { u32::MAX } else { 0 };
            let picture = draw_with(map, &Options { by, label, limits, element_bytes, ..Options::default() });
            let _ = text(&picture);
            xml::check(&svg(&picture, SvgOptions::default()));
            xml::check(&svg(&picture, SvgOptions { fit: Some((0, 0)), interactive: true, theme: Theme::Dark }));
        }
    }
}

fn strided(extents: &[(i64, i64)], constant: i64, role: AxisRole) -> IndexMap {
    let mut map = IndexMap { upper: Vec::new(), terms: Vec::new(), lower: Vec::new(), masks: Vec::new() };
    let mut value = Affine::constant(number(constant));
    for (axis, (extent, stride)) in extents.iter().enumerate() {
        let role = if axis % 2 == 0 { role } else { AxisRole::Local };
        map.upper.push(UpperAxis { extent: Some(number(*extent)), role });
        map.terms.push(Term::Coordinate(axis as u32));
        value.terms.push((TermId(axis as u32), number(*stride)));
    }
    map.lower.push(LowerAxis { value, extent: None });
    map
}

#[test]
fn sizes_and_strides_at_the_end_of_the_range() {
    for first in [i64::MAX, i64::MIN, 1 << 40, -1, 0, 3] {
        for second in [i64::MAX, i64::MIN + 1, 1 << 62, -7, 0, 1] {
            for role in [AxisRole::Thread, AxisRole::Local] {
                draw_everyhow(&strided(&[(first, second)], second, role));
                draw_everyhow(&strided(&[(5, second), (second, first), (3, 1)], first, role));
            }
        }
    }
}

#[test]
fn no_coordinates_many_coordinates_and_none_below() {
    for role in [AxisRole::Thread, AxisRole::Local] {
        draw_everyhow(&strided(&[], 7, role));
        draw_everyhow(&strided(&[(0, 1), (4, 2)], 0, role));
        draw_everyhow(&strided(&vec![(2, 1); 64], 0, role));
        draw_everyhow(&strided(&vec![(1000, i64::MAX / 2); 64], 0, role));
        let mut map = strided(&[(8, 1), (8, 8)], 0, role);
        map.lower.clear();
        draw_everyhow(&map);
        let mut map = strided(&[(8, 1), (8, 8)], 0, role);
        map.lower = vec![map.lower[0].clone(); 5];
        draw_everyhow(&map);
        let mut map = strided(&[(8, 1), (8, 8)], 0, role);
        map.upper.iter_mut().for_each(|axis| axis.extent = None);
        draw_everyhow(&map);
    }
}

#[test]
fn two_to_the_forty_points() {
    let nested: Vec<(i64, i64)> = (0..10).map(|axis| (16, 1i64 << (4 * axis))).collect();
    let map = strided(&nested, 0, AxisRole::Thread);
    draw_everyhow(&map);
    let picture = draw(&map);
    assert!(grid(&picture).cells.iter().all(|cell| cell.state == CellState::Reached));
    // Many points for each slot, and no way back from a slot: what was not looked at is said.
    let flat = strided(&[(1 << 20, 1), (1 << 20, 0)], 0, AxisRole::Thread);
    let picture = draw(&flat);
    assert!(picture.panels[0].notes.iter().any(|note| note.contains("points were looked at")), "{:?}", picture.panels);
    xml::check(&svg(&picture, SvgOptions::default()));
}

#[test]
fn malformed_maps() {
    let mut map = strided(&[(4, 1), (4, 4)], 0, AxisRole::Thread);
    map.terms.push(Term::Xor(Affine::term(TermId(9)), Affine::term(TermId(0))));
    draw_everyhow(&map);
    map.lower[0].value = Affine::term(TermId(2));
    draw_everyhow(&map);
    let mut map = strided(&[(4, 1), (4, 4)], 0, AxisRole::Thread);
    let of = map.lower[0].value.clone();
    map.terms.push(Term::Digit { of, divisor: number(0), modulus: Some(number(-4)) });
    map.lower[0].value = Affine::term(TermId(2));
    draw_everyhow(&map);
}

#[test]
fn symbols_without_an_end() {
    let facts = Facts::empty();
    let size = |name: &str| Sym::symbol(Symbol::new(name, 0));
    let dimensions: Vec<(Sym, Sym)> =
        (0..8).map(|axis| (size(&format!("S{axis}")), size(&format!("T{axis}")))).collect();
    let spec = ReshapeMapSpec {
        local: dimensions[..4].to_vec(),
        thread: dimensions[4..].to_vec(),
        layout: (0..8).map(|dimension| LayoutEntry { dimension, reversed: dimension % 3 == 0 }).collect(),
        offset: size("offset"),
    };
    draw_everyhow(&reshape_map(&spec, &facts).unwrap());
}

#[test]
fn names_are_text() {
    let map = reshape(&[(3, 3)], &[(4, 4)], &[0, 1]);
    let name = "<script>alert(\"1\")</script>&'\u{1}\u{ffff}]]>";
    let subject = Subject { name, map: &map, facts: &Facts::empty(), kind: Kind::Map };
    let document = svg(&picture(&[subject], &Options::default()), SvgOptions::default());
    xml::check(&document);
    assert!(!document.contains("<script"));
}
