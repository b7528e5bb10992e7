//! What cells say.

use super::*;

/// Local and thread dimensions, the layout, and the owner of each slot, `-1` for none.
type Owned<'a> = (&'a [(i64, i64)], &'a [(i64, i64)], &'a [i64], &'a [i64]);

/// The owners of the seed's table.
#[test]
fn the_owners_of_reshape_maps_are_drawn_in_their_slots() {
    let cases: [Owned<'_>; 7] = [
        (&[(3, 3)], &[(2, 2), (2, 2)], &[0, 2, 1], &[0, 0, 0, 2, 2, 2, 1, 1, 1, 3, 3, 3]),
        (&[(3, 3)], &[(2, 2), (2, 2)], &[2, 0, 1], &[0, 2, 0, 2, 0, 2, 1, 3, 1, 3, 1, 3]),
        (&[(3, 3)], &[(2, 2), (2, 2)], &[0, !1, 2], &[1, 1, 1, 0, 0, 0, 3, 3, 3, 2, 2, 2]),
        (&[(3, 3)], &[(2, 2), (2, 2)], &[!1, !0, 2], &[1, 0, 1, 0, 1, 0, 3, 2, 3, 2, 3, 2]),
        (&[(3, 3)], &[(2, 2), (2, 1)], &[0, 1, 2], &[0, 0, 0, 1, 1, 1]),
        (&[(3, 4)], &[(2, 2), (2, 2)], &[0, 1, 2], &[0, 0, 0, -1, 1, 1, 1, -1, 2, 2, 2, -1, 3, 3, 3, -1]),
        (&[(3, 3)], &[(4, 2), (2, 2)], &[1, 2, 0], &[0, 1, 4, 5, 0, 1, 4, 5, 0, 1, 4, 5]),
    ];
    for (local, thread, layout, owners) in cases {
        let picture = draw(&reshape(local, thread, layout));
        let wanted: Vec<Option<u64>> = owners.iter().map(|owner| u64::try_from(*owner).ok()).collect();
        let cells = grid(&picture).cells.iter().filter(|cell| cell.state != CellState::Missing);
        assert_eq!(cells.map(|cell| cell.thread).collect::<Vec<_>>(), wanted, "{local:?} {thread:?} {layout:?}");
    }
}

/// Cell by cell, a picture of slots is the table of owners, and a picture of points what the map evaluates to.
#[test]
fn every_cell_is_what_the_map_says() {
    for (name, map) in examples() {
        for by in [By::Thread, By::Bank] {
            let options = Options { by, ..Options::default() };
            let picture = draw_with(&map, &options);
            let grid = grid(&picture);
            for cell in &grid.cells {
                let known = || maps::evaluate(&map, &cell.upper, &|_| None).unwrap();
                match (cell.state, grid.space) {
                    (CellState::Reached, _) => {
                        assert_eq!((known().valid, known().lower), (true, cell.lower.clone()), "{name}: {cell:?}");
                        let word = cell.lower.iter().fold(0, |_, slot| *slot);
                        assert_eq!(cell.bank, Some((word % 32) as u32), "{name}");
                    }
                    (CellState::Masked, Space::Points) => assert!(!known().valid, "{name}: {cell:?}"),
                    (CellState::Empty, space) => {
                        assert_eq!(space, Space::Slots);
                        assert_eq!(maps::upper(&map, &cell.lower, &|| false), Ok(None), "{name}: {cell:?}");
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn forms_in_text() {
    let shown: Vec<String> = examples()
        .iter()
        .filter(|(name, _)| *name != "large")
        .map(|(name, map)| format!("== {name}\n{}", text(&draw(map))))
        .collect();
    insta::assert_snapshot!(shown.concat());
}

#[test]
fn banks_in_text() {
    let options = Options { by: By::Bank, element_bytes: 16, ..Options::default() };
    let shown: Vec<String> = examples()
        .iter()
        .filter(|(name, _)| ["float4", "swizzle", "padded"].contains(name))
        .map(|(name, map)| format!("== {name}\n{}", text(&draw_with(map, &options))))
        .collect();
    insta::assert_snapshot!(shown.concat());
}

#[test]
fn labels_say_what_is_asked_for() {
    let map = reshape(&[(3, 3)], &[(4, 4)], &[1, 0]);
    let first = |label| {
        let options = Options { label, ..Options::default() };
        let picture = draw_with(&map, &options);
        let grid = grid(&picture);
        labels::of_cell(grid, label, &grid.cells[6]).0
    };
    let all = [Label::Automatic, Label::Slot, Label::Coordinate, Label::Thread, Label::Bank].map(first);
    assert_eq!(all, ["t2", "6", "1,2", "t2", "6"]);
}

fn counterexample(verdict: Verdict) -> Counterexample {
    let Verdict::Refuted { counterexample, .. } = verdict else { panic!("{verdict:?}") };
    counterexample
}

/// The cells that are outlined.
fn outlined(map: &IndexMap, facts: &Facts, found: &Counterexample) -> (Picture, Vec<usize>) {
    let options = Options { counterexample: Some(found), ..Options::default() };
    let picture = picture(&[Subject { name: "m", map, facts, kind: Kind::Map }], &options);
    let cells = grid(&picture).cells.iter().enumerate();
    let marked = cells.filter(|(_, cell)| cell.marked).map(|(number, _)| number).collect();
    (picture, marked)
}

#[test]
fn counterexamples_are_outlined() {
    let (facts, budget) = (Facts::empty(), Budget::default());
    let blocked = reshape(&[(3, 3)], &[(4, 4)], &[0, 1]);
    let covers = proofs::covers(&blocked, &[number(0)..number(14)], &facts, &budget);
    let (shown, cells) = outlined(&blocked, &facts, &counterexample(covers));
    assert_eq!((grid(&shown).cells[12].state, cells), (CellState::Empty, vec![12]), "{}", text(&shown));

    let bounds = proofs::in_bounds(&blocked, &[number(10)], &facts, &budget);
    let (shown, cells) = outlined(&blocked, &facts, &counterexample(bounds));
    assert!(grid(&shown).cells[cells[0]].outside);
    assert_eq!(grid(&shown).cells.iter().filter(|cell| cell.outside).count(), 2, "{}", text(&shown));

    // Both threads of a race are at one slot; both points of a collision are drawn where there are no threads.
    let mut facts_of_two = MapBuilder::new(axes(&[4, 4]), &facts);
    let (i, j) = (facts_of_two.coordinate(0).unwrap(), facts_of_two.coordinate(1).unwrap());
    let value = i.checked_scale(&number(3)).unwrap().checked_add(&j).unwrap();
    let map = facts_of_two.finish(vec![LowerAxis { value, extent: None }]).unwrap();
    let (shown, cells) = outlined(&map, &facts, &counterexample(proofs::injective(&map, &facts, &budget)));
    let slots: Vec<i64> = cells.iter().map(|cell| grid(&shown).cells[*cell].rank).collect();
    assert_eq!((cells.len(), slots[0]), (2, slots[1]), "{}", text(&shown));
    assert!(shown.caption.as_ref().is_some_and(|caption| caption.contains("both reach")));
}

/// Far away from the first slots, the drawn part moves to where the counterexample is.
#[test]
fn a_counterexample_is_never_left_out() {
    let (facts, budget) = (Facts::empty(), Budget::default());
    let large = reshape(&[(4, 4)], &[(1 << 20, 1 << 20)], &[0, 1]);
    let verdict = proofs::covers(&large, &[number(0)..number((1 << 22) + 5)], &facts, &budget);
    let (shown, cells) = outlined(&large, &facts, &counterexample(verdict));
    assert_eq!(cells.len(), 1, "{}", text(&shown));
    assert!(shown.panels[0].notes.iter().any(|note| note.starts_with("not all slots are drawn")));
    assert_eq!(threads(&shown).iter().flatten().max(), Some(&((1 << 20) - 1)));
}

#[test]
fn symbols_get_sizes_that_the_facts_allow() {
    let symbol = Symbol::new("N", 0);
    let mut facts = Facts::empty();
    let size = Sym::symbol(symbol.clone());
    let rest = size.checked_remainder(&number(8), &facts).unwrap();
    facts.assume(Fact::compare(rest, CompareOp::Eq, Sym::zero())).unwrap();
    let quotient = size.checked_floor_div(&number(4), &facts).unwrap();
    let spec = ReshapeMapSpec {
        local: vec![pair(4)],
        thread: vec![(quotient.clone(), quotient)],
        layout: vec![LayoutEntry { dimension: 0, reversed: false }, LayoutEntry { dimension: 1, reversed: false }],
        offset: Sym::zero(),
    };
    let map = reshape_map(&spec, &facts).unwrap();
    let drawn = |sizes: &[(Symbol, i64)]| {
        let options = Options { sizes: sizes.iter().cloned().collect::<BTreeMap<_, _>>(), ..Options::default() };
        picture(&[Subject { name: "m", map: &map, facts: &facts, kind: Kind::Map }], &options)
    };
    let chosen = drawn(&[]);
    let note = &chosen.panels[0].notes[0];
    let size: i64 = note.strip_prefix("drawn for N = ").unwrap().parse().unwrap();
    assert!(size % 8 == 0 && (24..=256).contains(&size), "{note}");
    assert_eq!(drawn(&[(symbol.clone(), 16)]).panels[0].notes[0], "drawn for N = 16");
    let refused = drawn(&[(symbol, 13)]);
    assert_eq!(refused.panels[0].grid, None);
    assert!(refused.panels[0].notes[0].contains("N % 8 == 0"), "{:?}", refused.panels[0].notes);
}

#[test]
fn a_warp_is_counted_in_sectors_and_banks() {
    let of = |map: &IndexMap, bytes| warp::strip(map, bytes).unwrap();
    let strided = reshape(&[(4, 4)], &[(32, 32)], &[1, 0]);
    let blocked = reshape(&[(4, 4)], &[(32, 32)], &[0, 1]);
    let strip = of(&strided, 4);
    assert_eq!((strip.sectors, strip.degree, strip.phases, strip.lanes), (4, 1, 1, 32));
    // Neighbouring lanes are 16 bytes apart: each bank gives four words, and every sector serves two lanes.
    let strip = of(&blocked, 4);
    assert_eq!((strip.sectors, strip.degree, strip.touched_lines), (16, 4, 4));
    // Sixteen bytes for each lane, side by side, take four phases without conflicts.
    let strip = of(&strided, 16);
    assert_eq!((strip.sectors, strip.degree, strip.phases), (16, 1, 4));
    let strip = of(&strided, 1);
    assert_eq!((strip.sectors, strip.lines[0].words[0].len()), (1, 4));
    // A broadcast is no conflict.
    let column = reshape(&[(1, 1)], &[(32, 32)], &[0, 1]);
    assert_eq!(of(&column, 8).degree, 1);
    assert_eq!(warp::strip(&swizzle(8, 8), 4), None);
}

#[test]
fn maps_stand_side_by_side() {
    let (before, after) = (padded(), swizzle(4, 4));
    let facts = Facts::empty();
    let subjects = [
        Subject { name: "before", map: &before, facts: &facts, kind: Kind::Map },
        Subject { name: "after", map: &after, facts: &facts, kind: Kind::Map },
    ];
    let both = picture(&subjects, &Options::default());
    assert_eq!((both.title.as_str(), both.panels.len()), ("before and after", 2));
    insta::assert_snapshot!(svg(&both, SvgOptions::default()));
}

#[test]
fn a_small_picture_as_svg() {
    let gaps = reshape(&[(3, 4)], &[(2, 2), (2, 2)], &[0, 1, 2]);
    insta::assert_snapshot!(svg(&draw(&gaps), SvgOptions { interactive: true, theme: Theme::Host, fit: None }));
}
