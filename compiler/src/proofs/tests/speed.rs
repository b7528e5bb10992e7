//! How long verdicts take. Figures mean something in release builds only: run these with `--release -- --ignored`.

use std::time::{Duration, Instant};

use crate::dims::{Facts, Sym};
use crate::maps::{
    AxisRole, CompiledMap, Domain, IndexMap, LayoutEntry, LowerAxis, MapBuilder, ReshapeMapSpec, UpperAxis, reshape_map,
};
use crate::proofs::{Budget, Verdict, covers, enumerate, in_bounds, injective, race_free};

fn timed<T>(what: &str, repeat: u32, work: impl Fn() -> T) -> (T, Duration) {
    let start = Instant::now();
    let mut result = work();
    for _ in 1..repeat {
        result = work();
    }
    let each = start.elapsed() / repeat;
    println!("{what}: {each:?}");
    (result, each)
}

fn number(value: i64) -> Sym {
    Sym::constant(value)
}

/// A map over a local and a thread coordinate with the given forms.
fn map(extents: [i64; 2], slot: impl Fn(&mut MapBuilder<'_>) -> crate::maps::Affine) -> IndexMap {
    let facts = Facts::empty();
    let [local, threads] = extents;
    let axis = |extent, role| UpperAxis { extent: Some(number(extent)), role };
    let mut builder = MapBuilder::new(vec![axis(threads, AxisRole::Thread), axis(local, AxisRole::Local)], &facts);
    let value = slot(&mut builder);
    builder.finish(vec![LowerAxis { value, extent: None }]).unwrap()
}

#[test]
#[ignore = "measures time, which means nothing in a debug build on a busy machine"]
fn verdicts_are_fast() {
    let (facts, budget) = (Facts::empty(), Budget::default());
    let same = |size: i64| (number(size), number(size));
    let entry = |dimension| LayoutEntry { dimension, reversed: dimension % 2 == 1 };
    let spec = ReshapeMapSpec {
        local: vec![same(1 << 8), same(1 << 8)],
        thread: vec![same(1 << 10), same(1 << 6), same(1 << 8)],
        layout: [3, 0, 4, 1, 2].map(entry).to_vec(),
        offset: Sym::zero(),
    };
    let (nested, _) = timed("build reshape_map of 2^40 points", 100, || reshape_map(&spec, &facts).unwrap());
    let (_, each) = timed("injective, 2^40 points", 100, || injective(&nested, &facts, &budget));
    assert!(each < Duration::from_micros(100));
    timed("race_free, 2^40 points", 100, || race_free(&nested, &facts, &budget));
    timed("in_bounds, 2^40 points", 100, || in_bounds(&nested, &[number(1 << 40)], &facts, &budget));
    timed("covers, 2^40 points", 100, || covers(&nested, &[number(0)..number(1 << 40)], &facts, &budget));

    // 3i + 5j and the like: nothing nests.
    let tangled = map([1 << 12, 1 << 12], |builder| {
        let (t, i) = (builder.coordinate(0).unwrap(), builder.coordinate(1).unwrap());
        t.checked_scale(&number(4099)).unwrap().checked_add(&i.checked_scale(&number(5003)).unwrap()).unwrap()
    });
    timed("injective, T2", 100, || injective(&tangled, &facts, &budget));
    let swizzle = map([1 << 10, 1 << 10], |builder| {
        let (t, i) = (builder.coordinate(0).unwrap(), builder.coordinate(1).unwrap());
        let flat = t.checked_scale(&number(1 << 10)).unwrap().checked_add(&i).unwrap();
        let row = builder.digit(&flat, &number(64), Some(&number(8))).unwrap();
        builder.xor(&flat, &row).unwrap()
    });
    let (verdict, _) = timed("injective, xor swizzle (T5)", 100, || injective(&swizzle, &facts, &budget));
    assert!(verdict.is_proven());
}

#[test]
#[ignore = "measures time, which means nothing in a debug build on a busy machine"]
fn points_are_fast() {
    let deep = Budget::deep(&|| false);
    // A digit of a sum that cannot be refined: only going through the points will do.
    let opaque = map([1 << 12, 1 << 12], |builder| {
        let (t, i) = (builder.coordinate(0).unwrap(), builder.coordinate(1).unwrap());
        let flat = t.checked_scale(&number(1 << 12)).unwrap().checked_add(&i).unwrap();
        let digit = builder.remainder(&flat, &number(3)).unwrap();
        flat.checked_scale(&number(3)).unwrap().checked_add(&digit).unwrap()
    });
    let narrow = map([1 << 2, 1 << 22], |builder| {
        let (t, i) = (builder.coordinate(0).unwrap(), builder.coordinate(1).unwrap());
        t.checked_scale(&number(4)).unwrap().checked_add(&i).unwrap()
    });
    let plain = map([1 << 12, 1 << 12], |builder| {
        let (t, i) = (builder.coordinate(0).unwrap(), builder.coordinate(1).unwrap());
        i.checked_scale(&number(1 << 12)).unwrap().checked_add(&t).unwrap()
    });
    for (name, map) in [("with a digit", &opaque), ("4 wide", &narrow), ("transposed", &plain)] {
        let compiled = CompiledMap::new(map, Domain::Tight).unwrap();
        let (_, _) = timed(&format!("evaluate 2^24 points, {name}"), 3, || {
            let mut sum = 0i64;
            compiled
                .visit(&|| false, |chunk| {
                    sum += chunk.lower(0).iter().sum::<i64>();
                    std::ops::ControlFlow::Continue(())
                })
                .unwrap();
            sum
        });
        for race in [false, true] {
            let (verdict, _) = timed(&format!("enumerate 2^24 points, {name}, race: {race}"), 3, || {
                enumerate::collision(map, race, &deep)
            });
            assert!(matches!(verdict, Verdict::Proven { .. }), "{verdict:?}");
        }
    }
}

#[test]
#[ignore = "measures time, which means nothing in a debug build on a busy machine"]
fn hard_maps_end_soon() {
    let (facts, budget) = (Facts::empty(), Budget::default());
    let strided = |axes: &[(Sym, Sym)]| {
        let axis = |number: usize, extent: &Sym| UpperAxis {
            extent: Some(extent.clone()),
            role: if number.is_multiple_of(2) { AxisRole::Thread } else { AxisRole::Local },
        };
        let upper = axes.iter().enumerate().map(|(number, (extent, _))| axis(number, extent)).collect();
        let mut builder = MapBuilder::new(upper, &facts);
        let mut value = crate::maps::Affine::constant(Sym::zero());
        for (number, (_, stride)) in axes.iter().enumerate() {
            let part = builder.coordinate(number).unwrap().checked_scale(stride).unwrap();
            value = value.checked_add(&part).unwrap();
        }
        builder.finish(vec![LowerAxis { value, extent: None }]).unwrap()
    };
    let symbol = |name: &str| Sym::symbol(crate::dims::Symbol::new(name, 0));
    let tangled: Vec<(Sym, Sym)> = (0..64).map(|axis| (number(100), number(1001 + 7 * axis * axis))).collect();
    let nested: Vec<(Sym, Sym)> = (0..60).map(|axis| (number(2), number(1 << axis))).collect();
    let nearly: Vec<(Sym, Sym)> =
        (0..10).map(|axis| (number(1000), number(1_000_003 * (axis + 1) + axis * axis * 77))).collect();
    let unrelated = vec![
        (symbol("A"), symbol("N")),
        (symbol("B"), symbol("M")),
        (symbol("C"), number(1)),
        (number(64), symbol("K")),
    ];
    // Injective for all sizes, and not seen to be: every small size is tried.
    let coprime = vec![
        (number(4), symbol("N").checked_mul(&number(5)).unwrap().checked_add(&number(1)).unwrap()),
        (number(5), number(5)),
    ];
    for (name, axes) in
        [("tangled", tangled), ("nested", nested), ("nearly", nearly), ("unrelated", unrelated), ("coprime", coprime)]
    {
        let map = strided(&axes);
        let short = |verdict: &Verdict| format!("{verdict:?}").chars().take(60).collect::<String>();
        let (verdict, _) = timed(&format!("injective, {name}"), 10, || injective(&map, &facts, &budget));
        println!("  {}", short(&verdict));
        let (verdict, _) = timed(&format!("race_free, {name}"), 10, || race_free(&map, &facts, &budget));
        println!("  {}", short(&verdict));
        let (verdict, _) =
            timed(&format!("in_bounds, {name}"), 10, || in_bounds(&map, &[number(1 << 50)], &facts, &budget));
        println!("  {}", short(&verdict));
        let (verdict, _) =
            timed(&format!("covers, {name}"), 10, || covers(&map, &[number(0)..number(1 << 20)], &facts, &budget));
        println!("  {}", short(&verdict));
    }
}
