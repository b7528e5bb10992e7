//! Numbers at the ends of 64 bits, in every place where a number can stand: a report or an answer, never a panic.

use crate::support::check;
use seeds::Draw;

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "32",
    "64",
    "1000003",
    "2147483647",
    "2147483648",
    "4294967296",
    "1152921504606846976",
    "3037000500",
    "9223372036854775807",
    "9223372036854775806",
];

struct Writer(Draw);

impl Writer {
    fn pick<'a>(&mut self, things: &[&'a str]) -> &'a str {
        things[self.0.index(things.len())]
    }

    fn number(&mut self) -> String {
        let sign = if self.0.one_in(6) { "-" } else { "" };
        format!("{sign}{}", self.pick(NUMBERS))
    }

    /// An integer expression over the symbols.
    fn int(&mut self, depth: usize) -> String {
        if depth == 0 || self.0.one_in(3) {
            return match self.0.index(3) {
                0 => self.pick(&["M", "N", "n"]).to_owned(),
                _ => self.number(),
            };
        }
        let (left, right) = (self.int(depth - 1), self.int(depth - 1));
        match self.0.index(8) {
            0 => format!("cdiv({left}, {right})"),
            1 => format!("min({left}, {right})"),
            2 => format!("max({left}, {right})"),
            _ => format!("({left} {} {right})", self.pick(&["+", "-", "*", "/", "%", "#"])),
        }
    }

    fn claim(&mut self) -> String {
        let compare = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        format!("{} {compare} {}", self.int(2), self.int(2))
    }

    fn pair(&mut self) -> String {
        if self.0.one_in(3) { format!("({}, {})", self.int(1), self.int(1)) } else { self.int(1) }
    }

    fn map(&mut self) -> String {
        match self.0.index(6) {
            0 => format!("linear({}, {})", self.int(1), self.int(1)),
            1 => format!("continuous_linear({}, {})", self.int(1), self.int(1)),
            2 => format!("map2d({}, {}, {})", self.int(1), self.int(1), self.int(1)),
            3 => format!(
                "chain((continuous_linear({}), {}), (linear({}), thread), threads: {})",
                self.int(1),
                self.int(1),
                self.int(1),
                self.int(1)
            ),
            _ => {
                let layout = self.pick(&["i0, t0, t1", "t0, -i0, t1", "-t1, t0, -i0", "t1, i0, -t0"]);
                let (local, first, second) = (self.pair(), self.pair(), self.pair());
                format!("reshape_map([{local}] | [{first}, {second}] => layout: [{layout}], offset: {})", self.int(1))
            }
        }
    }

    fn question(&mut self) -> String {
        let at = self.int(1);
        let other = self.number();
        match self.0.index(9) {
            0 => format!("show m({at}, {other});"),
            1 => format!("show m.upper({at});"),
            2 => format!("show m.owners({});", self.pick(&["0", "1", "64", "9223372036854775807", "-1"])),
            3 => format!("assert m.in_bounds({at});"),
            4 => format!("assert m.covers({at});"),
            5 => format!("assert m.fits({other});"),
            6 => "assert m.injective;".to_owned(),
            7 => "assert m == m && m.race_free;".to_owned(),
            _ => format!("show m.lower({at}, {other}); show m.valid({at}, {other});"),
        }
    }

    fn file(&mut self) -> String {
        let mut text = format!("dim M, N where {}, {};\ndim n where {};\n", self.claim(), self.claim(), self.claim());
        text += &format!("const c = {};\n", self.int(3));
        text += &format!(
            "s : [{}, {}];\nt : s / {};\nshow size(s);\nshow s({});\nshow s({}..{});\n",
            self.int(2),
            self.int(1),
            self.int(1),
            self.number(),
            self.number(),
            self.number()
        );
        text += &format!("assert {};\n", self.claim());
        text += &format!("map m = {};\n", self.map());
        for _ in 0..3 {
            text += &self.question();
            text.push('\n');
        }
        let (shape, blocks, threads, index) = (self.int(1), self.int(1), self.int(1), self.int(2));
        let (low, high, condition) = (self.int(1), self.int(1), self.claim());
        text += &format!(
            "kernel k(a: i64, y: mut i64[{shape}] strided [{}]) grid({blocks}) block({threads}) {{
    view ys = y via m{};
    for i in {low}..{high} {{ if {condition} {{ y[{index}] = a / {} + {}; }} }}
    ys[{}] = a % {};
}}\n",
            self.int(1),
            self.pick(&["", " masked"]),
            self.int(1),
            self.int(2),
            self.number(),
            self.int(1),
        );
        text += &format!(
            "run k(a: {}, y: zeros) with M = {}, N = {}, n = {};\n",
            self.number(),
            self.number(),
            self.number(),
            self.number()
        );
        text
    }
}

#[test]
fn extreme_numbers_go_through_every_question() {
    for seed in seeds::range(100) {
        let text = Writer(Draw::new(seed)).file();
        let outcome = std::panic::catch_unwind(|| {
            let checked = check(&text);
            let facts = ide::item_facts(&checked.db, checked.file);
            assert!(!facts.is_empty());
        });
        assert!(outcome.is_ok(), "seed {seed}:\n{text}");
    }
}

#[test]
fn accesses_in_indices_of_accesses_have_an_end() {
    let nested = |depth: usize| {
        let index = format!("{}i{}", "at[".repeat(depth), "]".repeat(depth));
        format!(
            "kernel gather(at: i64[64], y: mut i64[64]) grid(1) block(64) {{
    for i in threads(64, cuda_thread) {{ y[i] = {index}; }}
}}
"
        )
    };
    assert!(!check(&nested(8)).errors().contains(&"nesting-too-deep"));
    assert_eq!(check(&nested(9)).errors(), ["nesting-too-deep"]);
    assert_eq!(check(&nested(60)).errors(), ["nesting-too-deep"]);
}

/// Each part of a map whose transforms double is used twice in the next one, so that an expression of it would be larger than
/// any memory.
#[test]
fn a_map_that_doubles_with_each_transform_is_refused() {
    let doubled = " |> cyclic_shift([64, 64]) |> {(1, 0): xor([64, 64]) => (1, 0)}";
    for transforms in [4, 40] {
        let checked = check(&format!(
            "map m = row_major([64, 64]) {};
kernel k(x: f32[64, 64], y: mut f32[64]) block(64) {{
    view v = x via m;
    for i in grid(1) {{ for t in threads(64, cuda_thread) {{ y[t] = v[t, 3]; }} }}
}}\n",
            doubled.repeat(transforms)
        ));
        let errors: &[&str] = if transforms == 4 { &[] } else { &["map-construction"] };
        assert_eq!(checked.errors(), errors, "{transforms}");
    }
}

/// A part of a map that is used twice is written twice, so that a formula could become larger than any memory.
#[test]
fn a_formula_that_doubles_with_each_transform_is_cut() {
    let doubled = " |> unmerge(_, 7) |> { 0: _ => 1, 1: _ => 0 } |> merge |> offset(1)";
    let checked = check(&format!("map m = row_major([60]){};\nshow m;\n", doubled.repeat(20)));
    assert_eq!(checked.errors(), [""; 0]);
    let longest = checked.findings.iter().map(|found| found.message.len()).max().unwrap_or(0);
    assert!((1..20_000).contains(&longest), "{longest}");
    assert!(checked.findings.iter().any(|found| found.message.contains('…')));
}
