//! Tensors divided into tiles: which tile has which elements, and what lies beyond the edge.

use super::*;

fn symbol(name: &str) -> Sym {
    Sym::symbol(Symbol::new(name, 0))
}

/// A picture of a division whose sizes are known from its own shape or from `sizes`.
fn drawn(division: &Division, facts: &Facts, options: &Options<'_>) -> Picture {
    // Of a partition only its symbols count; any map that has them stands for it.
    let axis = |extent: &Sym| UpperAxis { extent: Some(extent.clone()), role: AxisRole::Local };
    let mut builder = MapBuilder::new(division.shape.iter().map(axis).collect(), facts);
    let lower = builder.coordinates().unwrap().into_iter().map(|value| LowerAxis { value, extent: None }).collect();
    let map = builder.finish(lower).unwrap();
    picture(&[Subject { name: "px", map: &map, facts, kind: Kind::Partition(division) }], options)
}

#[test]
fn each_element_shows_its_tile_and_the_last_tiles_reach_over_the_edge() {
    let division = Division { shape: vec![number(5), number(7)], tile: vec![2, 4], order: vec![0, 1] };
    let shown = drawn(&division, &Facts::empty(), &Options::default());
    insta::assert_snapshot!(text(&shown));
    let cells = &grid(&shown).cells;
    assert_eq!(cell_details(grid(&shown), &cells[6]), "element [0, 6] · tile (0, 1)");
    assert_eq!(cell_details(grid(&shown), &cells[47]), "element [5, 7] · tile (2, 1) · beyond the edge");
    xml::check(&svg(&shown, SvgOptions::default()));
}

/// Dimension `k` of the tiles is dimension `order[k]` of the tensor, which is drawn in its own order.
#[test]
fn tiles_in_another_order_stand_where_their_elements_are() {
    let division = Division { shape: vec![number(4), number(6)], tile: vec![3, 2], order: vec![1, 0] };
    let shown = drawn(&division, &Facts::empty(), &Options::default());
    insta::assert_snapshot!(text(&shown));
}

#[test]
fn large_tiles_are_drawn_with_several_elements_in_a_cell() {
    let facts = Facts::empty();
    let division = Division { shape: vec![symbol("M"), symbol("N")], tile: vec![64, 32], order: vec![0, 1] };
    let limits = Limits { rows: 8, columns: 8 };
    let shown = drawn(&division, &facts, &Options { limits, ..Options::default() });
    insta::assert_snapshot!(text(&shown));
    // In an image, colours show which cells are one tile, so each is named once.
    let image = svg(&shown, SvgOptions::default());
    assert_eq!(image.matches(">1,1</text>").count(), 1);
}

#[test]
fn a_line_is_cut_where_tiles_end() {
    let division = Division { shape: vec![number(600)], tile: vec![256], order: vec![0] };
    insta::assert_snapshot!(text(&drawn(&division, &Facts::empty(), &Options::default())));
}

/// Sizes that facts allow, as near to two tiles with an edge as can be.
#[test]
fn sizes_show_an_edge_where_the_facts_allow_one() {
    let mut facts = Facts::empty();
    facts.assume(Fact::compare(symbol("N"), CompareOp::Le, number(16))).unwrap();
    let division = Division { shape: vec![symbol("N")], tile: vec![16], order: vec![0] };
    let shown = drawn(&division, &facts, &Options::default());
    assert_eq!(shown.panels[0].notes[0], "drawn for N = 8");
}

/// More tiles than there is room for, tiles beyond 64 bits, and no dimension at all.
#[test]
fn extreme_divisions_are_drawn() {
    for (shape, tile) in [
        (vec![1 << 40, 1 << 40], vec![1, 1]),
        (vec![i64::MAX], vec![i64::MAX - 1]),
        (vec![i64::MAX, 3, 5], vec![7, 2, 2]),
        (vec![], vec![]),
    ] {
        let order = (0..shape.len()).collect();
        let division = Division { shape: shape.iter().map(|size| number(*size)).collect(), tile, order };
        for limits in [Limits::default(), Limits { rows: 0, columns: 0 }] {
            let shown = drawn(&division, &Facts::empty(), &Options { limits, ..Options::default() });
            assert!(!text(&shown).is_empty());
            xml::check(&svg(&shown, SvgOptions::default()));
        }
    }
}
