//! Which maps belong to a name, to a place, to a claim.

use super::super::fixture::Fixture;
use super::*;
use proofs::CounterexampleKind;

const FILE: &str = "dim N where N % 4 == 0;
map m = reshape_map([4] | [N / 4] => layout: [i0, t0]);
map n = reshape_map([4] | [N / 4] => layout: [t0, i0]);
assert m.race_free && !m.covers(N + 4);
assert m  ==
  n;
assert m.cov$0ers(N + 8);
kernel k(x: f64[N], y: mut f64[N]) {
    view xs = x via m;
    view ys = y via m;
    for i in 0..4 { ys[i] = xs[i]; }
}
";

#[test]
fn names_places_and_claims_are_drawn() {
    let Fixture { db, file, offset } = Fixture::new(FILE);
    let names = |drawing: Option<Drawing>| -> Vec<String> {
        drawing.map_or_else(Vec::new, |drawing| drawing.maps.into_iter().map(|drawn| drawn.name).collect())
    };
    assert_eq!(names(drawing(&db, file, "m")), ["m"]);
    assert_eq!(names(drawing(&db, file, "k")), ["xs, ys"]);
    assert_eq!(drawing(&db, file, "k").unwrap().element_bytes, Some(8));
    assert!(drawing(&db, file, "N").is_none() && drawing(&db, file, "none").is_none());

    let claim = drawing_at(&db, file, offset).unwrap();
    assert!(matches!(claim.counterexample.unwrap().kind, CounterexampleKind::Unwritten { .. }));
    let at = |text: &str| names(drawing_at(&db, file, file.text(&db).find(text).unwrap() as u32));
    assert_eq!((at("m ="), at("xs ="), at("race_free")), (vec!["m".to_owned()], vec!["xs".to_owned()], vec![]));
    assert!(at("ys[i]").len() == 1 && at("reshape_map").is_empty());
}

#[test]
fn loops_over_collectives_and_shared_arrays_are_drawn() {
    let text = "kernel k(x: f32[64], y: mut f32[64]) grid(1) block(96) {
    shared s : f64[8, 8] |> xor;
    with threads(1..3, cuda_warp) {
        for w in threads(2, cuda_warp) { y[w] = 1.0; }
    }
}
";
    let Fixture { db, file, .. } = Fixture::new(&format!("{text}$0"));
    let at = |place: &str| drawing_at(&db, file, text.find(place).unwrap() as u32).unwrap();
    let name = |drawing: Drawing| drawing.maps[0].name.clone();
    assert_eq!(at("s :").element_bytes, Some(8));
    assert_eq!(name(at("s :")), "s");
    assert_eq!([name(at("with")), name(at("threads(1"))], ["threads(1..3, cuda_warp)", "threads(1..3, cuda_warp)"]);
    assert_eq!([name(at("w in")), name(at("threads(2"))], ["threads(2, cuda_warp)", "threads(2, cuda_warp)"]);
    // Iteration 1 begins behind the warp that passes by.
    let map = &at("w in").maps[0].map;
    assert_eq!(maps::evaluate(map, &[0, 1], &|_| None).unwrap().lower, [64]);
    let all = drawing(&db, file, "k").unwrap();
    let names: Vec<&str> = all.maps.iter().map(|drawn| drawn.name.as_str()).collect();
    assert_eq!(names, ["threads(1..3, cuda_warp)", "threads(2, cuda_warp)"]);
}

#[test]
fn a_tiling_is_drawn_as_its_assignment() {
    let text = "$0tiling work = block(64) |> tile(w: 4, 8 * cuda_thread);";
    let Fixture { db, file, .. } = Fixture::new(text);
    let drawn = drawing(&db, file, "work").unwrap();
    let owners = maps::owners(&drawn.maps[0].map, None, 1 << 16, &|| false).unwrap();
    let expected: Vec<Option<u64>> = (0..64).map(|thread| (thread < 32).then_some(thread / 8)).collect();
    assert_eq!(owners, expected);
    assert!(!drawn.picture(&Options::default()).panels.is_empty());
    let at = file.text(&db).find("work").unwrap() as u32;
    assert_eq!(drawing_at(&db, file, at).unwrap().maps[0].name, "work");
}

#[test]
fn claims_are_found_by_what_is_written() {
    let Fixture { db, file, offset } = Fixture::new(FILE);
    let whole = 0..file.text(&db).len() as u32;
    let claims = refuted_claims(&db, file, whole);
    let texts: Vec<&str> = claims.iter().map(|claim| claim.text.as_str()).collect();
    assert_eq!(texts, ["m.covers(N + 4)", "m == n", "m.covers(N + 8)"]);
    let reported: Vec<bool> = claims.iter().map(|claim| claim.finding.is_some()).collect();
    assert_eq!(reported, [false, true, true]);
    assert_eq!(refuted_claims(&db, file, offset..offset).len(), 1);
    let both = drawing_of_claim(&db, file, "m == n").unwrap();
    assert_eq!(both.maps.len(), 2);
    let picture = both.picture(&Options::default());
    let marked = |panel: &pictures::Panel| panel.grid.as_ref().unwrap().cells.iter().any(|cell| cell.marked);
    assert!(picture.panels.iter().all(marked), "{}", pictures::text(&picture));
    assert!(drawing_of_claim(&db, file, "m.race_free").is_none());
}

#[test]
fn accesses_of_kernels_are_drawn_with_what_they_fail_by() {
    let text = "dim N;
kernel k(x: f32[N], y: mut f32[8]) {
    view xs = x via reshape_map([4] | [2] => layout: [i0, t0]);
    view ys = y via reshape_map([4] | [2] => layout: [i0, t0]);
    for i in 0..2 { ys[i] = xs[i] + xs[i + 2]; }
}
kernel r(y: mut f32[8]) {
    view ys = y via reshape_map([2] | [4] => layout: [i0, t0]) |> { 0: _, 1: modulo(2, 4) };
    for i in 0..2 { ys[i] = 1.0; }
}
";
    let Fixture { db, file, .. } = Fixture::new(&format!("{text}$0"));
    let claims = refuted_claims(&db, file, 0..text.len() as u32);
    let texts: Vec<&str> = claims.iter().map(|claim| claim.text.as_str()).collect();
    assert_eq!(texts, ["kernel k: xs[i]", "kernel k: xs[i + 2]", "kernel r: ys[i]"]);
    for claim in &claims {
        assert!(claim.finding.is_some(), "{claim:?}");
        let picture = drawing_of_claim(&db, file, &claim.text).unwrap().picture(&Options::default());
        let marked = picture.panels[0].grid.as_ref().unwrap().cells.iter().any(|cell| cell.marked);
        assert!(marked, "{}", pictures::text(&picture));
    }
    assert!(drawing_of_claim(&db, file, "kernel k: zs[i]").is_none());
}

#[test]
fn a_tiling_is_drawn_with_the_values_of_its_iterators() {
    let text = "tiling t = block(128) |> tile(w: 4, cuda_warp) |> tile(q: 3, 8 * cuda_thread);\nshow t.pitch(q$0)";
    let Fixture { db, file, offset } = Fixture::new(text);
    let options = Options::default();
    for drawing in [drawing(&db, file, "t"), drawing_at(&db, file, offset)] {
        let picture = drawing.unwrap().picture(&options);
        let shown = pictures::text(&picture);
        assert!(shown.contains("\nthread "), "{shown}");
        assert!(shown.contains("w1 q2 #7") && !shown.contains("t6"), "{shown}");
        // The slots are no memory: nothing is said of sectors and banks.
        assert!(!shown.contains("warp:") && shown.contains("no iteration"), "{shown}");
        let grid = picture.panels[0].grid.as_ref().unwrap();
        assert_eq!(pictures::cell_details(grid, &grid.cells[38]), "thread 38 · w = 1 · q = 0 · place 6");
        assert_eq!(pictures::cell_details(grid, &grid.cells[31]), "thread 31 · no iteration");
    }
}

const TILES: &str = "kernel k(x: f32[16, 12], y: mut f32[16, 12]) grid(1) block(64) {
    view px = partition(x, [16, 12]);
    view py = partition(y, [16, 12]);
    let t = px.load(0, 0);
    let rows = iota(i32[16, 12]);
    let turned = t.permute(1, 0) + 1.0;
    let sums = t.cumsum(1);
    let both = cat([t, sums], 0);
    let s = t.sum(1);
    py.store(turned.permute(1, 0) + both[0..16, 0..12] + f32(rows) + s.insert(1), 0, 0);
}
";

/// Each element of a tile is computed by one thread; a scan is computed by a thread for each row.
#[test]
fn distributions_of_tiles_are_drawn() {
    let Fixture { db, file, .. } = Fixture::new(&format!("{TILES}$0"));
    let of = |name: &str| drawing(&db, file, &format!("k.{name}")).map_or_else(Vec::new, |drawing| drawing.maps);
    let shapes = |name: &str| -> Vec<String> {
        of(name).iter().map(|drawn| drawn.map.to_string().split(": (").next().unwrap().to_owned()).collect()
    };
    assert_eq!(shapes("t"), ["[3, 64] -> [16, 12]"]);
    assert_eq!(shapes("turned"), ["[3, 64] -> [12, 16]"]);
    assert_eq!(shapes("sums"), ["[12, 64] -> [16, 12]"]);
    assert_eq!(shapes("both"), ["[3, 64] -> [32, 12]"; 2]);
    assert_eq!(shapes("s"), ["[64] -> [16]"]);
    assert_eq!((shapes("rows"), shapes("none")), (vec![], vec![]));
    assert_eq!(drawable_names(&db, file, "k"), ["px", "py", "t", "turned", "sums", "both", "s"]);
    for name in ["t", "turned", "sums", "both", "s"] {
        let drawn_maps = of(name);
        let budget = proofs::Budget::default();
        for drawn in &drawn_maps {
            assert!(proofs::injective(&drawn.map, &drawn.facts, &budget).is_proven(), "{name}");
        }
        let of_all: i64 =
            drawn_maps[0].map.lower.iter().filter_map(|axis| axis.extent.as_ref()?.as_constant()).product();
        let elements = |drawn: &DrawnMap| {
            let compiled = maps::CompiledMap::new(&drawn.map, maps::Domain::Extents).unwrap();
            (0..compiled.points())
                .filter(|number| {
                    let upper = compiled.coordinates(*number);
                    maps::evaluate(&drawn.map, &upper, &|_| None).unwrap().valid
                })
                .count() as i64
        };
        assert_eq!(drawn_maps.iter().map(elements).sum::<i64>(), of_all, "{name}: no element is left out");
    }
    let hovered = drawing_at(&db, file, TILES.find("turned =").unwrap() as u32).unwrap();
    assert_eq!((hovered.maps[0].name.as_str(), hovered.element_bytes), ("turned", Some(4)));
}

/// A tensor is drawn by its tiles and a tile by its threads, both as the rows and columns of their elements.
#[test]
fn tensors_and_tiles_are_drawn_as_their_elements() {
    let Fixture { db, file, .. } = Fixture::new(&format!("{TILES}$0"));
    let shown = |name: &str| pictures::text(&drawing(&db, file, name).unwrap().picture(&Options::default()));
    let tiles = shown("k.px");
    assert!(
        tiles.starts_with("px : [16, 12] in tiles of [16, 12]: tile (i, j) begins at element [16 * i, 12 * j]"),
        "{tiles}"
    );
    assert!(tiles.contains("row\\column") && !tiles.contains("beyond the edge"), "{tiles}");
    let threads = shown("k.t");
    assert!(threads.contains("row\\column") && !threads.contains("fastest to slowest"), "{threads}");
    // The views of a kernel are not compared, so they need not stand side by side.
    assert!(drawing(&db, file, "k").unwrap().stacked);
}
