//! `reshape_map` and its siblings against the formulas of the seed.

use std::ops::ControlFlow;

use super::*;
use maps::owners::MOST_SLOTS;

#[test]
fn owners_of_the_vectors() {
    for vector in vectors::reshape_maps() {
        let map = reshape_map(&vector.spec, &Facts::empty()).unwrap();
        let owners = owners(&map, None, POINTS, &never).unwrap();
        let owners: Vec<i64> = owners.iter().map(|owner| owner.map_or(-1, |owner| owner as i64)).collect();
        assert_eq!(owners, vector.owners, "{}", vector.text);
        let compiled = CompiledMap::new(&map, Domain::Extents).unwrap();
        let mut masked = 0;
        compiled
            .visit(&never, |chunk| {
                masked += chunk.valid().iter().filter(|valid| !**valid).count() as i64;
                ControlFlow::Continue(())
            })
            .unwrap();
        assert_eq!(masked, vector.masked, "{}", vector.text);
    }
}

#[test]
fn weights_of_the_vectors() {
    for vector in vectors::reshape_maps() {
        let map = reshape_map(&vector.spec, &Facts::empty()).unwrap();
        let locals = vector.spec.local.len();
        let mut below = 1;
        for (dimension, (size, in_tensor)) in vector.sizes.iter().enumerate() {
            let mut step = vec![0; locals + 1];
            if dimension < locals {
                step[dimension] = 1;
            } else {
                step[locals] = below;
                below *= size;
            }
            if *size.min(in_tensor) < 2 {
                continue;
            }
            let reversed = vector.spec.layout.iter().any(|entry| entry.dimension == dimension && entry.reversed);
            let moved = at(&map, &step).unwrap()[0] - at(&map, &vec![0; locals + 1]).unwrap()[0];
            let weight = vector.weights[dimension];
            assert_eq!(moved, if reversed { -weight } else { weight }, "{}", vector.text);
        }
    }
}

#[test]
fn every_point_of_the_vectors() {
    // The formula of the seed, ids and all.
    for vector in vectors::reshape_maps() {
        let map = reshape_map(&vector.spec, &Facts::empty()).unwrap();
        let compiled = CompiledMap::new(&map, Domain::Extents).unwrap();
        let locals = vector.spec.local.len();
        for point in 0..compiled.points() {
            let upper = compiled.coordinates(point);
            let mut ids = upper[..locals].to_vec();
            let mut rest = upper[locals];
            for (size, _) in &vector.sizes[locals..] {
                ids.push(rest % size);
                rest /= size;
            }
            let valid = ids.iter().zip(&vector.sizes).all(|(id, (size, in_tensor))| id < size.min(in_tensor));
            let slot = vector.offset
                + vector
                    .spec
                    .layout
                    .iter()
                    .map(|entry| {
                        let (id, (_, in_tensor)) = (ids[entry.dimension], vector.sizes[entry.dimension]);
                        let id = if entry.reversed { in_tensor - 1 - id } else { id };
                        id * vector.weights[entry.dimension]
                    })
                    .sum::<i64>();
            assert_eq!(at(&map, &upper), valid.then(|| vec![slot]), "{} at {upper:?}", vector.text);
        }
    }
}

#[test]
fn surplus_threads_are_masked() {
    let vector = &vectors::reshape_maps()[2];
    let facts = Facts::empty();
    let map = reshape_map(&vector.spec, &facts).unwrap();
    let axis = map.upper.len() - 1;
    let wide = with_extent(&map, axis, Some(number(1000)), &facts).unwrap();
    assert!(wide.masks.iter().any(|mask| mask.reason == MaskReason::SurplusThread));
    let threads: i64 = vector.sizes[vector.spec.local.len()..].iter().map(|(size, _)| size).product();
    for thread in 0..1000 {
        let mut upper = vec![0; map.upper.len()];
        upper[axis] = thread;
        let expected = if thread < threads { at(&map, &upper) } else { None };
        assert_eq!(at(&wide, &upper), expected);
    }
}

#[test]
fn mistakes_in_a_specification() {
    let facts = Facts::empty();
    let entry = |dimension| LayoutEntry { dimension, reversed: false };
    let spec = |local: i64, layout: &[usize], offset: i64| ReshapeMapSpec {
        local: vec![(number(local), number(local))],
        thread: vec![(number(4), number(4))],
        layout: layout.iter().map(|dimension| entry(*dimension)).collect(),
        offset: number(offset),
    };
    assert_eq!(reshape_map(&spec(3, &[0, 0], 0), &facts), Err(MapError::Layout));
    assert_eq!(reshape_map(&spec(3, &[0, 2], 0), &facts), Err(MapError::Layout));
    let rank = MapError::Rank { what: "layout entries", expected: 2, found: 1 };
    assert_eq!(reshape_map(&spec(3, &[0], 0), &facts), Err(rank));
    assert_eq!(reshape_map(&spec(0, &[0, 1], 0), &facts), Err(MapError::NotPositive { what: "a size", value: 0 }));
    assert!(matches!(reshape_map(&spec(i64::MAX / 2, &[0, 1], 0), &facts), Err(MapError::Arithmetic(_))));
    // A negative offset is no condition: the bounds have to be asked about.
    assert_eq!(reshape_map(&spec(3, &[0, 1], -1), &facts).unwrap().lower[0].extent, None);
}

#[test]
fn siblings_follow_their_formulas() {
    let facts = Facts::empty();
    let (width, threads) = (3, 8);
    let map = linear(&number(width), &number(threads), &facts).unwrap();
    for index in 0..20 {
        for thread in 0..threads {
            let slot = index % width + (index / width) * width * threads + thread * width;
            assert_eq!(at(&map, &[index, thread]), Some(vec![slot]));
        }
    }
    let map = continuous_linear(&number(width), None, &facts).unwrap();
    for index in 0..5 {
        let slot = (index < width).then(|| vec![index + 7 * width]);
        assert_eq!(at(&map, &[index, 7]), slot);
    }
    let (row, x, y) = (10, 4, 2);
    let map = map2d(&number(row), &number(x), &number(y), &facts).unwrap();
    for step_x in 0..4 {
        for step_y in 0..3 {
            for thread in 0..x * y {
                let (at_x, at_y) = (step_x * x + thread % x, step_y * y + thread / x);
                let slot = (at_x < row).then(|| vec![row * at_y + at_x]);
                assert_eq!(at(&map, &[step_x, step_y, thread]), slot);
            }
        }
    }
}

#[test]
fn owners_name_both_threads_of_a_clash() {
    let facts = Facts::empty();
    let upper = vec![
        UpperAxis { extent: Some(number(2)), role: AxisRole::Local },
        UpperAxis { extent: Some(number(3)), role: AxisRole::Thread },
    ];
    let mut builder = MapBuilder::new(upper, &facts);
    let (index, thread) = (builder.coordinate(0).unwrap(), builder.coordinate(1).unwrap());
    let value = index.checked_add(&thread).unwrap();
    let map = builder.finish(vec![LowerAxis { value, extent: None }]).unwrap();
    assert_eq!(owners(&map, None, POINTS, &never), Err(OwnersError::TwoOwners { slot: 1, first: 1, second: 0 }));
}

#[test]
fn tables_of_owners_have_an_end() {
    let reached = |slots, points| owners(&row_major_of(1 << 12), Some(slots), points, &never);
    assert_eq!(reached(MOST_SLOTS, 1 << 12).unwrap().len() as u64, MOST_SLOTS);
    let refused = |what, limit| Err(OwnersError::Map(MapError::TooLarge { what, limit }));
    assert_eq!(reached(MOST_SLOTS + 1, 1 << 12), refused("slots", MOST_SLOTS));
    assert_eq!(reached(MOST_SLOTS, (1 << 12) - 1), refused("points", (1 << 12) - 1));
}

/// One thread for each of `slots` slots.
fn row_major_of(slots: i64) -> IndexMap {
    let facts = Facts::empty();
    let upper = vec![UpperAxis { extent: Some(number(slots)), role: AxisRole::Thread }];
    let mut builder = MapBuilder::new(upper, &facts);
    let value = builder.coordinate(0).unwrap();
    builder.finish(vec![LowerAxis { value, extent: None }]).unwrap()
}

#[test]
fn descriptions() {
    let facts = Facts::empty();
    let n = Sym::symbol(Symbol::new("N", 0));
    let spec = ReshapeMapSpec {
        local: vec![(number(3), number(3))],
        thread: vec![(number(2), number(2)), (n.clone(), n)],
        layout: [(0, false), (1, true), (2, false)]
            .map(|(dimension, reversed)| LayoutEntry { dimension, reversed })
            .to_vec(),
        offset: number(4),
    };
    let described = describe(&reshape_map(&spec, &facts).unwrap(), &facts).unwrap();
    assert_eq!(described.formulas, ["7 + i0 - 3 * (tid % 2) + 6 * (tid / 2)"]);
    assert_eq!(described.split, [Some(("7 - 3 * (tid % 2) + 6 * (tid / 2)".to_owned(), "i0".to_owned()))]);
    let pieces: Vec<(String, String)> =
        described.pieces[0].iter().map(|piece| (piece.to_string(), piece.stride.to_string())).collect();
    let expected = [("i0", "1"), ("-t0", "-3"), ("t1", "6")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(pieces, expected);
}
