//! Programs for which other compilers of tiles have made wrong code, each with what it has to give.

use super::oracle::{Expected, everywhere};
use crate::support::check;

/// The numbers from 1 on.
fn numbers(count: usize) -> Vec<i32> {
    (1..).take(count).collect()
}

/// TileLang #2542, #2399, #2305: a reduction by exchanges between threads whose numbers differ in one bit lost all lanes beyond
/// a power of two, so 48 threads added up 32 elements; widths that do not fit the threads were refused, or some of their
/// elements counted twice.
#[test]
fn reductions_of_any_width_by_any_number_of_threads() {
    let mut cases = Vec::new();
    for (width, threads) in
        [(48, 48), (48, 64), (96, 128), (100, 128), (120, 48), (127, 96), (576, 128), (768, 192), (33, 7), (3, 1)]
    {
        let text = format!(
            "kernel k(x: i32[1, {width}], sum: mut i32[1], most: mut i32[1], least: mut i32[1]) grid(1) block({threads}) {{
                view px = partition(x, [1, {width}]); view ps = partition(sum, [1]);
                view pm = partition(most, [1]); view pl = partition(least, [1]);
                let t = px.load(0, 0);
                ps.store(t.sum(1), 0); pm.store(t.max(1), 0); pl.store((-abs(t)).min(1), 0); }}"
        );
        let x = numbers(width);
        cases.push(
            Expected::new(format!("{width} elements, {threads} threads"), text, &[])
                .reads(&[1, width as u64], &x)
                .becomes(&[1], &[0], &[x.iter().sum()])
                .becomes(&[1], &[0], &[width as i32])
                .becomes(&[1], &[0], &[-(width as i32)]),
        );
    }
    everywhere(cases);
}

/// TileLang #3266: the maximum of the columns of a matrix of 3 columns mixed them, since a step of 3 threads is no power of
/// two. TileLang #2524: several sums at a time by fewer threads than the block has overlapped in their workspace.
#[test]
fn columns_and_batches_are_reduced_apart() {
    let mut cases = Vec::new();
    for (rows, columns, threads) in [(32, 3, 96), (32, 3, 192), (32, 3, 256), (40, 5, 128), (4, 8, 128), (64, 6, 32)] {
        let text = format!(
            "kernel k(x: i32[{rows}, {columns}], down: mut i32[{columns}], across: mut i32[{rows}]) grid(1) block({threads}) {{
                view px = partition(x, [{rows}, {columns}]); view pd = partition(down, [{columns}]);
                view pa = partition(across, [{rows}]);
                let t = px.load(0, 0);
                pd.store(t.max(0), 0); pa.store(t.sum(1), 0); }}"
        );
        let x = numbers(rows * columns);
        let across: Vec<i32> = x.chunks(columns).map(|row| row.iter().sum()).collect();
        cases.push(
            Expected::new(format!("{rows} × {columns}, {threads} threads"), text, &[])
                .reads(&[rows as u64, columns as u64], &x)
                .becomes(&[columns as u64], &vec![0; columns], &x[(rows - 1) * columns..])
                .becomes(&[rows as u64], &vec![0; rows], &across),
        );
    }
    everywhere(cases);
}

/// TileLang #2556: the barrier between a write and a read of another thread was left out where 48 threads of 64 take part.
/// TileLang #3042: a barrier that only one side of a branch cannot have was taken from the other side, too.
#[test]
fn threads_of_a_part_of_a_block_wait_for_each_other() {
    let part = "kernel k(x: i32[48], y: mut i32[48]) grid(1) block(64) {
        shared s: i32[48];
        for t in threads(48, cuda_thread) { s[t] = x[t]; }
        for t in threads(48, cuda_thread) { y[t] = s[47 - t]; } }";
    let branch = "kernel k(x: i32[48], y: mut i32[48]) grid(1) block(64) {
        shared s: i32[48];
        for w in threads(2, cuda_warp) {
            if w >= 1 {
                for t in threads(16, cuda_thread) { y[32 + t] = x[t]; }
            } else {
                for t in threads(32, cuda_thread) { s[t] = x[t]; }
                for t in threads(32, cuda_thread) { y[t] = s[31 - t]; }
            }
        } }";
    let x = numbers(48);
    let reversed: Vec<i32> = x.iter().rev().copied().collect();
    let branched: Vec<i32> = x[..32].iter().rev().chain(&x[..16]).copied().collect();
    everywhere(vec![
        Expected::new("48 of 64 threads", part, &[]).reads(&[48], &x).becomes(&[48], &[0; 48], &reversed),
        Expected::new("a warp in a branch", branch, &[]).reads(&[48], &x).becomes(&[48], &[0; 48], &branched),
    ]);
}

/// TileLang #2556, #2612: where a barrier would have to stand in a branch that only some threads take, it was dropped or moved
/// out of the branch. Such a program has no order, and is refused.
#[test]
fn a_barrier_that_only_some_threads_would_reach_is_refused() {
    for (condition, other) in [("t < 48", "63 - t"), ("t % 4 == 0", "60 - t"), ("x[t] > 0", "63 - t")] {
        let text = format!(
            "kernel k(x: i32[64], y: mut i32[64]) grid(1) block(64) {{
                shared s: i32[64];
                for t in threads(64, cuda_thread) {{
                    if {condition} {{ for n in 0..4 {{ s[t] = x[t] + i32(n); y[t] = s[{other}]; }} }}
                }} }}"
        );
        let found = check(&text);
        let is_known = |code: &&str| ["shared-race", "unreached-barrier"].contains(code);
        assert!(!found.errors().is_empty() && found.errors().iter().all(is_known), "{condition}\n{}", found.report());
    }
}

/// TileLang #2698: the barrier between a copy to shared memory and a fill of a part of it that does not begin at 0 was left
/// out, so the copy could come last. TileLang #2699: a fill by a bulk instruction was not seen as a write at all.
#[test]
fn a_fill_of_shared_memory_is_a_write() {
    let tiles = "kernel k(x: i32[64], y: mut i32[64], z: mut i32[64]) grid(1) block(32) {
        shared s: i32[64];
        view px = partition(x, [64]); view py = partition(y, [64]); view pz = partition(z, [64]);
        view whole = partition(s, [64]); view part = partition(s, [16]);
        whole.store(px.load(0), 0);
        part.store(full(i32[16], -1), 2);
        py.store(whole.load(0).reshape([8, 8]).permute(1, 0).reshape([64]), 0);
        whole.store(zeros(i32[64]), 0);
        scatter(s, px.load(0), (iota(i32[64]) * 5 + 3) % 64, atomic: add);
        pz.store(whole.load(0), 0); }";
    let threads = "kernel k(x: i32[64], y: mut i32[64], z: mut i32[64]) grid(1) block(64) {
        shared s: i32[64];
        for t in threads(64, cuda_thread) { s[t] = x[t]; }
        for t in threads(16, cuda_thread) { s[32 + t] = -1; }
        for t in threads(64, cuda_thread) { y[t] = s[t % 8 * 8 + t / 8]; }
        for t in threads(64, cuda_thread) { s[t] = 0; }
        for t in threads(64, cuda_thread) { atomic_add(s[(t * 5 + 3) % 64], x[t]); }
        for t in threads(64, cuda_thread) { z[t] = s[t]; } }";
    let x = numbers(64);
    let filled = |place: usize| if (32..48).contains(&place) { -1 } else { x[place] };
    let y: Vec<i32> = (0..64).map(|place| filled(place % 8 * 8 + place / 8)).collect();
    let mut z = vec![0; 64];
    for (place, value) in x.iter().enumerate() {
        z[(place * 5 + 3) % 64] += value;
    }
    let case = |text: &str| {
        Expected::new("fills", text, &[]).reads(&[64], &x).becomes(&[64], &[0; 64], &y).becomes(&[64], &[0; 64], &z)
    };
    everywhere(vec![case(tiles), case(threads)]);
}

/// TileLang #2166, #2613: the wait for a copy was missing, or came after the copy was read, where the next stage of a ring is
/// loaded before the current one is read. TileLang #2566: a ring of more stages than iterations waited forever. TileLang #2674:
/// the phase of a stage was counted anew for each tile of a block that does several, which is wrong for odd numbers of stages.
#[test]
fn stages_of_a_ring_are_full_before_they_are_read() {
    let mut cases = Vec::new();
    for (tiles, steps, stages) in [(1, 1, 2), (1, 2, 2), (1, 2, 3), (2, 3, 2), (3, 3, 3), (3, 5, 4), (2, 1, 3)] {
        let text = format!(
            "dim T, K;
kernel k(x: i32[T, K, 48], y: mut i32[T, 48]) grid(1) block(48) {{
    shared ring: i32[{stages}, 48];
    for tile in 0..T {{
        for t in threads(48, cuda_thread) {{
            y[tile, t] = 0;
            ring[tile * K % {stages}, t] = x[tile, 0, t];
        }}
        for k in 0..K {{
            for t in threads(48, cuda_thread) {{
                if k + 1 < K {{ ring[(tile * K + k + 1) % {stages}, t] = x[tile, k + 1, t]; }}
            }}
            for t in threads(48, cuda_thread) {{
                y[tile, t] = y[tile, t] * 3 + ring[(tile * K + k) % {stages}, 47 - t];
            }}
        }}
    }}
}}"
        );
        let x = numbers(tiles * steps * 48);
        let element = |place: usize| {
            let (tile, column) = (place / 48, place % 48);
            (0..steps).fold(0i32, |sum, k| sum.wrapping_mul(3).wrapping_add(x[(tile * steps + k) * 48 + 47 - column]))
        };
        let y: Vec<i32> = (0..tiles * 48).map(element).collect();
        let what = format!("{tiles} tiles of {steps} steps through {stages} stages");
        let shape = [tiles as u64, 48];
        cases.push(
            Expected::new(what, text, &[("T", tiles as i64), ("K", steps as i64)])
                .reads(&[tiles as u64, steps as u64, 48], &x)
                .becomes(&shape, &vec![-1; tiles * 48], &y),
        );
    }
    everywhere(cases);
}

/// TileLang #2566: a pipeline with one iteration, or none, deadlocked.
#[test]
fn loops_of_no_iterations_and_of_one_end() {
    let text = "dim K;
kernel k(x: i32[K, 8, 12], y: mut i32[12, 8]) {
    view px = partition(x, [1, 8, 12]); view py = partition(y, [12, 8]);
    let mut sum = zeros(i32[12, 8]);
    let mut turned = zeros(i32[8, 12]);
    for k in 0..K - 1 {
        turned += px.load(k, 0, 0).reshape([8, 12]);
        sum = sum + turned.permute(1, 0) * i32(k + 1);
    }
    py.store(sum, 0, 0);
}";
    let mut cases = Vec::new();
    for steps in [1, 2, 3] {
        let x = numbers(steps * 96);
        let (mut sum, mut turned) = (vec![0; 96], vec![0; 96]);
        for k in 0..steps - 1 {
            for place in 0..96 {
                turned[place] += x[k * 96 + place];
            }
            for place in 0..96 {
                sum[place] += turned[place % 8 * 12 + place / 8] * (k as i32 + 1);
            }
        }
        cases.push(
            Expected::new(format!("{} iterations", steps - 1), text, &[("K", steps as i64)])
                .reads(&[steps as u64, 8, 12], &x)
                .becomes(&[12, 8], &[-1; 96], &sum),
        );
    }
    everywhere(cases);
}

/// Triton #10336: a mask had more elements than the storage that it was for. Triton-ascend #2332: an element that its mask
/// leaves out was loaded all the same, far below the beginning of the tensor.
#[test]
fn masks_reach_beyond_the_storage_and_nothing_else_does() {
    let edges = "dim M, N;
kernel k(x: i32[M, N], y: mut i32[M, N]) {
    view px = partition(x, [2, 128]); view py = partition(y, [2, 128]);
    for (i, j) in grid(px.index_space) {
        let t = px.load_masked(i, j);
        py.store_masked(select(px.mask(i, j), t * 2, 1000), i, j);
    }
}";
    let far = "dim N;
kernel k(x: i32[N], at: i64[N], y: mut i32[N], z: mut i32[N]) {
    view pa = partition(at, [64]); view py = partition(y, [64]);
    for i in grid(pa.index_space) {
        let at = pa.load_masked(i);
        py.store_masked(gather_masked(x, at) + gather_masked(x, -at), i);
        scatter_masked(z, 1, at, atomic: add);
    }
}";
    let mut cases = Vec::new();
    for (rows, columns) in [(1, 1), (3, 5), (2, 127), (5, 129)] {
        let x = numbers(rows * columns);
        let doubled: Vec<i32> = x.iter().map(|value| value * 2).collect();
        let shape = [rows as u64, columns as u64];
        cases.push(
            Expected::new("edges", edges, &[("M", rows as i64), ("N", columns as i64)]).reads(&shape, &x).becomes(
                &shape,
                &vec![-1; rows * columns],
                &doubled,
            ),
        );
    }
    let x = numbers(9);
    let at = [0, 8, 9, -1, i64::MIN, i64::MAX, -(1 << 40), 1 << 33, 3];
    let within = |place: i64| usize::try_from(place).ok().filter(|place| *place < 9);
    let value = |place: i64| within(place).map_or(0, |place| x[place]);
    let y: Vec<i32> = at.iter().map(|place| value(*place) + value(place.wrapping_neg())).collect();
    let mut z = vec![0; 9];
    // What a tile has beyond the edge of `at` is 0.
    z[0] = 64 - 9;
    at.iter().filter_map(|place| within(*place)).for_each(|place| z[place] += 1);
    cases.push(
        Expected::new("far indices", far, &[("N", 9)])
            .reads(&[9], &x)
            .reads(&[9], &at)
            .becomes(&[9], &[-1; 9], &y)
            .becomes(&[9], &[0; 9], &z),
    );
    everywhere(cases);
}

/// Triton #3722, #8898 and tritonbench #1233: extents that are no powers of two, such as 192, 320 and 160, are refused or padded
/// to the next power.
#[test]
fn tiles_of_192_320_and_160() {
    let turned = "kernel k(x: i8[320, 192], y: mut i8[192, 320]) {
    view px = partition(x, [160, 192]); view py = partition(y, [192, 160]);
    for i in grid(2) { py.store(px.load(i, 0).permute(1, 0), 0, i); }
}";
    let product = "kernel k(a: i8[160, 24], b: i8[24, 48], c: mut i32[160, 48], sums: mut i32[160]) {
    view pa = partition(a, [160, 12]); view pb = partition(b, [12, 48]); view pc = partition(c, [160, 48]);
    view ps = partition(sums, [160]);
    let mut acc = zeros(i32[160, 48]);
    for k in 0..2 { acc = mma(pa.load(0, k), pb.load(k, 0), acc); }
    pc.store(acc, 0, 0);
    ps.store(acc.sum(1), 0);
}";
    let bytes = |count: usize, step: usize| -> Vec<i8> { (0..count).map(|place| (place * step % 251) as i8).collect() };
    let x = bytes(320 * 192, 7);
    let y: Vec<i8> = (0..x.len()).map(|place| x[place % 320 * 192 + place / 320]).collect();
    let (a, b) = (bytes(160 * 24, 5), bytes(24 * 48, 11));
    let element = |place: usize| -> i32 {
        (0..24).map(|k| i32::from(a[place / 48 * 24 + k]) * i32::from(b[k * 48 + place % 48])).sum()
    };
    let c: Vec<i32> = (0..160 * 48).map(element).collect();
    let sums: Vec<i32> = c.chunks(48).map(|row| row.iter().sum()).collect();
    everywhere(vec![
        Expected::new("turned", turned, &[]).reads(&[320, 192], &x).becomes(&[192, 320], &vec![0; x.len()], &y),
        Expected::new("product", product, &[])
            .reads(&[160, 24], &a)
            .reads(&[24, 48], &b)
            .becomes(&[160, 48], &vec![0; c.len()], &c)
            .becomes(&[160], &[0; 160], &sums),
    ]);
}

/// TileLang #2416: shared memory was given to another array before all threads had read the one before.
#[test]
fn memory_that_is_taken_again_is_waited_for() {
    let turns: String = (0..6)
        .map(|number| {
            let before = if number == 0 { "t".to_owned() } else { format!("a{}", number - 1) };
            format!("let a{number} = {before}.permute(1, 0) + iota(i32[72, 72]); ")
        })
        .collect();
    let text = format!(
        "kernel k(x: i32[72, 72], y: mut i32[72, 72]) {{
            view px = partition(x, [72, 72]); view py = partition(y, [72, 72]);
            let t = px.load(0, 0); {turns} py.store(a5, 0, 0); }}"
    );
    let x = numbers(72 * 72);
    let mut y = x.clone();
    for _ in 0..6 {
        y = (0..y.len()).map(|place| y[place % 72 * 72 + place / 72] + place as i32).collect();
    }
    everywhere(vec![Expected::new("turns", text, &[]).reads(&[72, 72], &x).becomes(&[72, 72], &vec![0; y.len()], &y)]);
}
