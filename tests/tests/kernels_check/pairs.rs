//! Random kernels of several guarded accesses of one matrix, against all threads of small launches: what is accepted has
//! no race, and where two threads are named, they meet.

use std::collections::BTreeMap;

use crate::support::{Checked, check};
use seeds::Draw;

/// What the indices are made of.
#[derive(Clone, Copy)]
struct At {
    block: i64,
    thread: i64,
    rows: i64,
    columns: i64,
}

/// An index: as it is written, and what it comes to.
type Index = (&'static str, fn(At) -> i64);

const INDICES: [Index; 18] = [
    ("b", |at| at.block),
    ("t", |at| at.thread),
    ("b * 8 + t", |at| at.block * 8 + at.thread),
    ("b * 16 + t * 2", |at| at.block * 16 + at.thread * 2),
    ("t / 2", |at| at.thread / 2),
    ("t % 2", |at| at.thread % 2),
    ("t % 4 * 2", |at| at.thread % 4 * 2),
    ("t / 4 * 4", |at| at.thread / 4 * 4),
    ("b * 4 + t / 2", |at| at.block * 4 + at.thread / 2),
    ("7 - t", |at| 7 - at.thread),
    ("bit_xor(t, 1)", |at| at.thread ^ 1),
    ("b / cdiv(N, 8)", |at| at.block / ((at.columns + 7) / 8)),
    ("b % cdiv(N, 8) * 8 + t", |at| at.block % ((at.columns + 7) / 8) * 8 + at.thread),
    ("b % cdiv(N, 16) * 16 + t * 2", |at| at.block % ((at.columns + 15) / 16) * 16 + at.thread * 2),
    ("b / N", |at| at.block / at.columns),
    ("b % N", |at| at.block % at.columns),
    ("N - 1 - t", |at| at.columns - 1 - at.thread),
    ("M - 1 - b", |at| at.rows - 1 - at.block),
];

const GRIDS: [Index; 6] = [
    ("1", |_| 1),
    ("3", |_| 3),
    ("M", |at| at.rows),
    ("M * cdiv(N, 8)", |at| at.rows * ((at.columns + 7) / 8)),
    ("cdiv(N, 16)", |at| (at.columns + 15) / 16),
    ("M * N", |at| at.rows * at.columns),
];

/// A guarded access: its two indices with what is added to each, and whether it stores.
struct Access {
    indices: [(Index, i64); 2],
    stores: bool,
}

struct Kernel {
    grid: Index,
    accesses: Vec<Access>,
}

impl Kernel {
    fn random(draw: &mut Draw) -> Kernel {
        let index = |draw: &mut Draw| INDICES[draw.index(INDICES.len())];
        let common = [index(draw), index(draw)];
        let count = 2 + draw.index(2);
        let accesses = (0..count)
            .map(|number| {
                let indices = common.map(|common| {
                    let own = if draw.one_in(4) { index(draw) } else { common };
                    (own, [0, 0, 1, 4, 8][draw.index(5)])
                });
                Access { indices, stores: number == 0 || !draw.one_in(3) }
            })
            .collect();
        Kernel { grid: GRIDS[draw.index(GRIDS.len())], accesses }
    }

    fn text(&self) -> String {
        let statements: String = self.accesses.iter().map(Access::text).collect();
        let (grid, _) = self.grid;
        format!(
            "dim M, N;\nkernel k(y: mut f32[M, N], z: mut f32[{grid}, 8]) block(8) {{
    for b in grid({grid}) {{ for t in threads(8, cuda_thread) {{
        let mut sum = 0.0;
{statements}        z[b, t] = sum;
    }} }}
}}\n"
        )
    }

    /// Two different threads that touch one element which one of them writes.
    fn race(&self, rows: i64, columns: i64) -> bool {
        // For each element who writes it, and who touches it: the first one, or several.
        let mut touched: BTreeMap<[i64; 2], (i64, bool, bool)> = BTreeMap::new();
        let blocks = (self.grid.1)(At { block: 0, thread: 0, rows, columns });
        for id in 0..blocks * 8 {
            let at = At { block: id / 8, thread: id % 8, rows, columns };
            for access in &self.accesses {
                let [row, column] = access.indices.map(|((_, value), by)| value(at) + by);
                if !(0..rows).contains(&row) || !(0..columns).contains(&column) {
                    continue;
                }
                let (first, several, written) = touched.entry([row, column]).or_insert((id, false, false));
                *several |= *first != id;
                *written |= access.stores;
            }
        }
        touched.values().any(|(_, several, written)| *several && *written)
    }
}

impl Access {
    fn text(&self) -> String {
        let [row, column] =
            self.indices.map(|((text, _), by)| if by == 0 { text.to_owned() } else { format!("{text} + {by}") });
        let guard = format!("{row} >= 0 && {row} < M && {column} >= 0 && {column} < N");
        match self.stores {
            true => format!("        if {guard} {{ y[{row}, {column}] = 1.0; }}\n"),
            false => format!("        if {guard} {{ sum += y[{row}, {column}]; }}\n"),
        }
    }
}

/// The sizes for which two threads are named, if they are.
fn named(checked: &Checked) -> Option<[i64; 2]> {
    let message = checked.findings.iter().find(|found| found.code == "race" && found.message.contains("both write"));
    let (_, sizes) = message?.message.split_once(" for ").unwrap_or_default();
    let size = |name: &str| {
        let (_, value) = sizes.split(", ").filter_map(|size| size.split_once(" = ")).find(|(of, _)| *of == name)?;
        value.parse().ok()
    };
    // A size that is not named may be any.
    Some([size("M").unwrap_or(3), size("N").unwrap_or(3)])
}

#[test]
fn what_is_accepted_has_no_race_and_threads_that_are_named_meet() {
    let (mut accepted, mut refuted) = (0, 0);
    for seed in seeds::range(300) {
        let kernel = Kernel::random(&mut Draw::new(seed));
        let text = kernel.text();
        let checked = check(&text);
        if checked.findings.iter().all(|found| !found.code.starts_with("race")) {
            for (rows, columns) in (1..6).flat_map(|rows| [1, 2, 3, 7, 8, 9, 17].map(|columns| (rows, columns))) {
                assert!(!kernel.race(rows, columns), "seed {seed}, M = {rows}, N = {columns}\n{text}");
            }
            accepted += 1;
        } else if let Some([rows, columns]) = named(&checked) {
            if rows * columns < 1 << 16 {
                assert!(
                    kernel.race(rows, columns),
                    "seed {seed}, M = {rows}, N = {columns}\n{text}\n{}",
                    checked.report()
                );
            }
            refuted += 1;
        }
    }
    println!("{accepted} accepted, {refuted} refuted");
    assert!(accepted > 20 && refuted > 50, "{accepted} accepted, {refuted} refuted");
}

/// Each store is compared with every other one, but not more often than is worth an answer.
#[test]
fn hundreds_of_unlike_stores_have_an_end() {
    let stores: String = (2..200)
        .map(|k| {
            let (row, column) = (format!("bit_xor(t, {k}) / 16 + p * 16"), format!("(t * {k} + q) % N"));
            format!("if {row} >= 0 && {row} < M {{ y[{row}, {column}] = 1.0; }}\n")
        })
        .collect();
    let checked = check(&format!(
        "dim M, N;\nkernel k(y: mut f32[M, N]) block(256) {{
    for (p, q) in grid(cdiv(M, 16), cdiv(N, 16)) {{ for t in threads(256, cuda_thread) {{\n{stores}}} }}
}}\n"
    ));
    assert_eq!(checked.errors(), ["race"]);
}
