//! Random loops that assign variables, and random bits of indices: what is accepted is safe, by going through all threads.

use std::collections::BTreeMap;

use seeds::Draw;

use super::safe::safe;
use crate::support::check;

/// What became of some kernels.
#[derive(Debug, Default)]
struct Tally {
    accepted: usize,
    launches: usize,
    refused: BTreeMap<&'static str, usize>,
}

impl Tally {
    fn add(&mut self, text: &str) {
        let checked = check(text);
        match checked.errors().first() {
            None => {
                self.accepted += 1;
                self.launches += safe(&checked, text);
            }
            Some(code) => *self.refused.entry(code).or_default() += 1,
        }
    }
}

/// A statement that changes a variable.
fn update(draw: &mut Draw, name: &str, other: &str) -> String {
    let number = draw.between(1, 9);
    let modulus = draw.pick(&["N", "8", "5", "M"]);
    match draw.index(16) {
        0 => format!("{name} = ({name} + {number}) % {modulus};"),
        1 => format!("{name} /= 2;"),
        2 => format!("{name} *= 2;"),
        3 => format!("{name} += {number};"),
        4 => format!("{name} -= {number};"),
        5 => format!("{name} = {number} - {name};"),
        6 => format!("{name} ^= 1;"),
        7 => format!("if {name} >= {modulus} {{ {name} -= {modulus}; }}"),
        8 => format!("if {name} < 0 {{ {name} += {modulus}; }}"),
        9 => format!("if x[i % 4] > 0.0 {{ {name} += 1; }}"),
        10 => format!("{name} = min({name} + {number}, {modulus} - 1);"),
        11 => format!("if {name} < {other} {{ let m = ({name} + {other}) / 2; {name} = m + 1; }}"),
        12 => format!("if {name} < {other} {{ let m = {name} + ({other} - {name}) / 2; {name} = m; }}"),
        13 => format!("if {name} == {modulus} {{ {name} = 0; }}"),
        14 => format!("for k in 0..{} {{ {} }}", draw.between(1, 3), simple(draw, name)),
        _ => format!("{name} = max({name} - {number}, 0);"),
    }
}

fn simple(draw: &mut Draw, name: &str) -> String {
    let number = draw.between(1, 3);
    match draw.index(3) {
        0 => format!("{name} += {number};"),
        1 => format!("{name} = ({name} + {number}) % N;"),
        _ => format!("if {name} > 0 {{ {name} -= 1; }}"),
    }
}

/// A loop with two variables, whose body reads at one of them.
fn with_loop(seed: u64) -> String {
    let mut draw = Draw::new(seed);
    let first = |draw: &mut Draw| draw.pick(&["0", "1", "t", "N", "N - 1", "8", "M", "7 - t"]);
    let (p, q) = (first(&mut draw), first(&mut draw));
    let count = draw.pick(&["4", "7", "N", "M", "3", "min(c, 6)", "8"]);
    let begin = draw.pick(&["0", "0", "0", "1", "max(c, 0)"]);
    let facts = draw.pick(&["N >= 8, M >= 1", "N >= 9, M <= N", "N >= 16, M >= 8"]);
    let guard = match draw.index(4) {
        0 => "if p < N ".to_owned(),
        1 => "if p >= 0 ".to_owned(),
        2 => "if p < q ".to_owned(),
        _ => String::new(),
    };
    let at = draw.pick(&["p", "p", "p - 1", "p + 1", "(p + q) / 2", "p + t", "p / 2"]);
    let read = format!("{guard}{{ s += x[{at}]; }}");
    let read = if guard.is_empty() { format!("s += x[{at}];") } else { read };
    let mut body = vec![read];
    for _ in 0..draw.between(1, 3) {
        let (name, other) = if draw.one_in(3) { ("q", "p") } else { ("p", "q") };
        body.push(update(&mut draw, name, other));
    }
    if draw.one_in(3) {
        body.rotate_left(1);
    }
    let step = if draw.one_in(5) { " step 2" } else { "" };
    let behind = if draw.one_in(3) {
        "if p >= 0 && p < N { s += x[p]; }".to_owned()
    } else {
        "s += x[min(max(p, 0), N - 1)];".to_owned()
    };
    let behind = if draw.one_in(4) { "s += x[p];".to_owned() } else { behind };
    format!(
        "dim M, N where {facts};
kernel k(c: i64, x: f32[N], y: mut f32[8]) grid(1) block(8) {{
    for t in threads(8, cuda_thread) {{
        let mut p = {p}; let mut q = {q}; let mut s = 0.0;
        for i in {begin}..{count}{step} {{ {} }}
        {behind}
        y[t] = s;
    }}
}}
",
        body.join(" ")
    )
}

/// A store at some bits of a thread.
fn with_bits(seed: u64) -> String {
    let mut draw = Draw::new(seed);
    let threads = draw.pick(&[8, 16, 32]);
    let index = bits(&mut draw, 3);
    format!(
        "kernel k(x: f32[64], y: mut f32[{}]) grid(1) block({threads}) {{
    for t in threads({threads}, cuda_thread) {{ y[{index}] = x[t]; }}
}}
",
        draw.pick(&[16, 32, 64, 128])
    )
}

fn bits(draw: &mut Draw, depth: u32) -> String {
    if depth == 0 {
        return "t".to_owned();
    }
    let mut inner = || bits(draw, depth - 1);
    let (left, right) = (inner(), inner());
    let mask = draw.pick(&[1, 2, 3, 4, 5, 7, 10, 12, 15, 21, 0x55, 0xAA]);
    let places = draw.between(1, 4);
    match draw.index(8) {
        0 => format!("({left} & {mask})"),
        1 => format!("({left} >> {places})"),
        2 => format!("(({left} & {mask}) << {})", places.min(2)),
        3 => format!("({left} ^ ({right} >> {places}))"),
        4 => format!("(({left} & {mask}) >> 1 | ({right} & {}) << 1)", mask << 1),
        5 => format!("(({left} & {mask}) | ({right} & {}))", 31 & !mask),
        6 => format!("({left} ^ {mask})"),
        _ => left,
    }
}

#[test]
fn random_loops_over_variables_are_refused_or_safe() {
    let mut tally = Tally::default();
    let seeds = seeds::range(600);
    let count = (seeds.end - seeds.start) as usize;
    for seed in seeds {
        tally.add(&with_loop(seed));
    }
    println!("{count} loops: {tally:?}");
    assert!(tally.accepted * 20 > count, "{tally:?}");
    for code in ["syntax-error", "type-mismatch", "unknown-local", "unknown-name"] {
        assert!(!tally.refused.contains_key(code), "a kernel is badly written: {tally:?}");
    }
}

#[test]
fn random_bits_of_indices_are_refused_or_safe() {
    let mut tally = Tally::default();
    let seeds = seeds::range(400);
    let count = (seeds.end - seeds.start) as usize;
    for seed in seeds {
        tally.add(&with_bits(seed));
    }
    println!("{count} stores: {tally:?}");
    assert!(tally.accepted * 40 > count, "{tally:?}");
}
