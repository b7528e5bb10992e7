//! Sorts, the greatest elements and scatters, against the sort of Rust's library.

use std::cmp::Ordering;
use std::fmt::Debug;

use seeds::Draw;
use shapewright_runtime::tensors::Element;

use super::oracle::{Expected, everywhere};

/// The order of a sort: NaNs come last in both directions.
fn order<T: PartialOrd>(left: &T, right: &T, descending: bool) -> Ordering {
    match left.partial_cmp(right) {
        Some(found) if descending => found.reverse(),
        Some(found) => found,
        // A NaN is not equal to itself.
        None => (left.partial_cmp(left).is_none()).cmp(&right.partial_cmp(right).is_none()),
    }
}

/// The places of the elements in order.
fn places<T: PartialOrd>(row: &[T], descending: bool) -> Vec<i32> {
    let mut places: Vec<usize> = (0..row.len()).collect();
    places.sort_by(|left, right| order(&row[*left], &row[*right], descending));
    places.into_iter().map(|place| place as i32).collect()
}

/// A kernel that sorts rows in every way, with what it has to give. `most` of the elements of a row are its greatest ones.
fn rows<T: Element + PartialOrd + Default + Debug>(
    [count, extent, most]: [usize; 3],
    block: &str,
    elements: &[T],
) -> Expected {
    let word = T::TYPE.name();
    let text = format!(
        "dim M;
kernel k(x: {word}[M, {extent}], up: mut {word}[M, {extent}], down: mut {word}[M, {extent}], at: mut i32[M, {extent}],
    back: mut i32[M, {extent}], top: mut {word}[M, {most}], first: mut i32[{most}, M]){block} {{
    view px = partition(x, [2, {extent}]);
    view pu = partition(up, [2, {extent}]);
    view pd = partition(down, [2, {extent}]);
    view pa = partition(at, [2, {extent}]);
    view pb = partition(back, [2, {extent}]);
    view pt = partition(top, [2, {most}]);
    view pf = partition(first, [{most}, 2]);
    for i in grid(px.index_space(0)) {{
        let t = px.load_masked(i, 0);
        pu.store_masked(t.sort(1), i, 0);
        pd.store_masked(t.sort(1, descending: true), i, 0);
        pa.store_masked(t.argsort(1), i, 0);
        pb.store_masked(t.argsort(1, descending: true), i, 0);
        pt.store_masked(t.top({most}, 1), i, 0);
        pf.store_masked(t.permute(1, 0).argtop({most}, 0), 0, i);
    }}
}}
"
    );
    let row = |number: usize| &elements[number * extent..(number + 1) * extent];
    let of = |descending: bool| -> Vec<i32> { (0..count).flat_map(|number| places(row(number), descending)).collect() };
    let (up, down) = (of(false), of(true));
    let moved = |order: &[i32]| -> Vec<T> {
        order.iter().enumerate().map(|(number, place)| row(number / extent)[*place as usize]).collect()
    };
    let best = |number: usize| &down[number * extent..number * extent + most];
    let top: Vec<T> =
        (0..count).flat_map(|number| best(number).iter().map(move |place| row(number)[*place as usize])).collect();
    let first: Vec<i32> = (0..most * count).map(|place| best(place % count)[place / count]).collect();
    let (wide, few, turned) = ([count as u64, extent as u64], [count as u64, most as u64], [most as u64, count as u64]);
    let zeros = vec![T::default(); count * extent];
    Expected::new(format!("rows of {extent} {word}{block}"), text, &[("M", count as i64)])
        .reads(&wide, elements)
        .becomes(&wide, &zeros, &moved(&up))
        .becomes(&wide, &zeros, &moved(&down))
        .becomes(&wide, &vec![0; count * extent], &up)
        .becomes(&wide, &vec![0; count * extent], &down)
        .becomes(&few, &zeros[..count * most], &top)
        .becomes(&turned, &vec![0; count * most], &first)
}

/// Floats with all that is special about them, and with many equal ones.
fn floats(draws: &mut Draw, count: usize) -> Vec<f32> {
    const SPECIAL: &[f32] =
        &[0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45, -1e-45];
    let float = |_| match draws.index(3) {
        0 => draws.pick(SPECIAL),
        1 => draws.between(-3, 3) as f32,
        _ => draws.between(-1_000_000, 1_000_000) as f32 / 1024.0,
    };
    (0..count).map(float).collect()
}

/// Integers with the extremes of their type, and with many equal ones.
fn integers(draws: &mut Draw, count: usize, [least, greatest]: [i64; 2]) -> Vec<i64> {
    let integer = |_| match draws.index(4) {
        0 => least,
        1 => greatest,
        2 => draws.between(0, 3),
        // Without its outer parts, the range of 64 bits has a length of 64 bits.
        _ => draws.between(least / 4, greatest / 4),
    };
    (0..count).map(integer).collect()
}

#[test]
fn rows_are_sorted_as_by_the_library() {
    let mut draws = Draw::new(seeds::seed());
    let mut cases = Vec::new();
    for (extent, most, block) in [
        (1, 1, ""),
        (2, 1, " block(1)"),
        (3, 2, ""),
        (5, 5, " block(7)"),
        (8, 3, " block(32)"),
        (13, 4, ""),
        (33, 33, " block(48)"),
        (100, 8, " block(96)"),
        (192, 6, ""),
    ] {
        cases.push(rows([3, extent, most], block, &floats(&mut draws, 3 * extent)));
    }
    for extent in [7, 64] {
        let count = 3 * extent;
        let wide: Vec<f64> = floats(&mut draws, count).into_iter().map(f64::from).collect();
        cases.push(rows([3, extent, 3], "", &wide));
        let mut of = |least: i64, greatest: i64| integers(&mut draws, count, [least, greatest]);
        let bytes: Vec<i8> = of(-128, 127).into_iter().map(|value| value as i8).collect();
        cases.push(rows([3, extent, 2], "", &bytes));
        let unsigned: Vec<u32> = of(0, u32::MAX.into()).into_iter().map(|value| value as u32).collect();
        cases.push(rows([3, extent, 2], "", &unsigned));
        cases.push(rows([3, extent, 2], "", &of(i64::MIN, i64::MAX)));
        // The bits of negative numbers are great unsigned ones.
        let bits: Vec<u64> = of(i64::MIN, i64::MAX).into_iter().map(|value| value as u64).collect();
        cases.push(rows([3, extent, 2], "", &bits));
    }
    everywhere(cases);
}

/// Halves are sorted as the numbers that they are, along the first of three dimensions, and in an expression.
#[test]
fn other_dimensions_and_types_are_sorted_in_expressions() {
    let text = "kernel k(x: i32[5, 2, 3], y: mut f32[5, 2, 3]) {
    view px = partition(x, [5, 2, 3]);
    view py = partition(y, [5, 2, 3]);
    let t = f16(px.load(0, 0, 0));
    let sorted = (t * f16(0.5)).sort(0);
    let again = bf16(f32(sorted) + 1.0).sort(0, descending: true).sort(0);
    py.store(f32(again) + f32(t.argsort(0)), 0, 0, 0);
}
";
    let x: Vec<i32> = (0..30).map(|number| (number * 7 + 3) % 11 - 5).collect();
    let mut y = vec![0.0; 30];
    for column in 0..6 {
        let along: Vec<i32> = (0..5).map(|row| x[row * 6 + column]).collect();
        for (row, place) in places(&along, false).into_iter().enumerate() {
            y[row * 6 + column] = along[place as usize] as f32 * 0.5 + 1.0 + place as f32;
        }
    }
    let shape = [5, 2, 3];
    everywhere(vec![Expected::new("halves", text, &[]).reads(&shape, &x).becomes(&shape, &[0.0; 30], &y)]);
}

#[test]
fn scattered_elements_arrive() {
    let mut draws = Draw::new(seeds::seed());
    let mut cases = Vec::new();
    for size in [1, 31, 32, 33, 70] {
        let x: Vec<i32> = (0..size).map(|_| draws.between(-2, 40) as i32).collect();
        let reversed: Vec<i32> = x.iter().rev().copied().collect();
        let bins = |join: &dyn Fn(i32, i32) -> i32| {
            let mut bins = vec![0; 16];
            for (place, bin) in x.iter().enumerate().filter(|(_, bin)| (0..16).contains(*bin)) {
                bins[*bin as usize] = join(bins[*bin as usize], place as i32);
            }
            bins
        };
        let length = [size as u64];
        let kernel = |outputs: &str, body: &str| {
            format!(
                "dim N; kernel k(x: i32[N], {outputs}) {{
                    view px = partition(x, [32]);
                    for i in grid(px.index_space) {{ let t = px.load_masked(i, pad: zero); let at = iota(i32[32]) + 32 * i32(i);
                        {body} }} }}"
            )
        };
        let turn = kernel("y: mut i32[N]", "scatter_masked(y, t, N - 1 - (iota(i64[32]) + 32 * i));");
        cases.push(Expected::new(format!("{size} reversed"), turn, &[("N", size)]).reads(&length, &x).becomes(
            &length,
            &vec![-7; size as usize],
            &reversed,
        ));
        let add = kernel(
            "sums: mut i32[16], last: mut i32[16], counts: mut u32[16]",
            "let bin = select(at < i32(N), t, -1);
             scatter_masked(sums, at, bin, atomic: add);
             scatter_masked(last, at, bin, atomic: max, order: release);
             scatter_masked(counts, 1, bin, atomic: add, scope: device);",
        );
        let counts: Vec<u32> = (0..16).map(|bin| x.iter().filter(|found| **found == bin).count() as u32).collect();
        cases.push(
            Expected::new(format!("{size} in bins"), add, &[("N", size)])
                .reads(&length, &x)
                .becomes(&[16], &[0; 16], &bins(&|sum, place| sum + place))
                .becomes(&[16], &[0; 16], &bins(&|_, place| place))
                .becomes(&[16], &[0; 16], &counts),
        );
    }
    // A view, wider types, numbers that go along a dimension, and bins of a block.
    let text = "kernel k(x: i8[6, 4], y: mut i32[4, 6], z: mut i32[8]) block(32) {
    shared s: u32[8];
    shared order: i32[8];
    view px = partition(x, [6, 4]);
    view ps = partition(s, [8]);
    view po = partition(order, [8]);
    view pz = partition(z, [8]);
    view turned = y via strided([6, 4], [1, 6]);
    let t = px.load(0, 0);
    scatter(turned, t, 5 - iota(i32[6, 1]), iota(i32[1, 4]));
    scatter(s, 1, clamp(i32(t), 0, 7), atomic: add);
    scatter(order, i32(ps.load(0)), 7 - iota(i64[8]));
    pz.store(po.load(0), 0);
}
";
    let x: Vec<i8> = (0..24).map(|number| (number * 5 % 9) as i8 - 1).collect();
    let y: Vec<i32> = (0..24).map(|place| x[(5 - place % 6) * 4 + place / 6].into()).collect();
    let count = |bin: i8| x.iter().filter(|value| (**value).clamp(0, 7) == bin).count() as i32;
    let z: Vec<i32> = (0..8).map(|bin| count(7 - bin)).collect();
    cases.push(
        Expected::new("views and bins of a block", text, &[])
            .reads(&[6, 4], &x)
            .becomes(&[4, 6], &[0; 24], &y)
            .becomes(&[8], &[0; 8], &z),
    );
    everywhere(cases);
}
