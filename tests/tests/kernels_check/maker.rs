//! Kernels made of random pieces that often fit together. Many have unforeseen errors.

use seeds::Draw;

/// A kernel made of pieces that often fit each other.
pub struct Maker {
    draw: Draw,
    /// Names of integers in scope.
    integers: Vec<String>,
    /// Those of them that run through `0..extent`.
    ranged: Vec<(String, String)>,
    /// Names that can be indexed, with the number of indices and a likely extent for each, and whether they are written.
    places: Vec<(String, Vec<String>, bool)>,
    symbolic: bool,
    names: usize,
}

impl Maker {
    /// The kernel of a seed.
    pub fn kernel(seed: u64) -> String {
        let mut maker = Maker {
            draw: Draw::new(seed),
            integers: Vec::new(),
            ranged: Vec::new(),
            places: Vec::new(),
            symbolic: false,
            names: 0,
        };
        maker.symbolic = maker.draw.one_in(4);
        maker.whole()
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn extent(&mut self) -> String {
        if self.symbolic && self.draw.one_in(2) {
            (self.draw.pick(&["N", "M", "2 * N", "N + 3", "4 * M"])).to_owned()
        } else {
            self.draw.between(1, 9).to_string()
        }
    }

    fn whole(&mut self) -> String {
        let facts = self.draw.pick(&["", " where N <= M", " where N % 4 == 0", " where M <= N, M % 2 == 0"]);
        let (threads, blocks) = (self.draw.between(1, 5), self.draw.between(1, 3));
        let mut head = if self.symbolic { format!("dim M, N{facts};\n") } else { String::new() };
        let mut params = vec!["n: i64".to_owned(), "k: i32".to_owned(), "at: i32[16]".to_owned()];
        self.integers.extend(["n".to_owned(), "i64(k)".to_owned()]);
        let mut body = String::new();
        let grid = self.draw.one_in(3);
        for (name, mutable) in [("x", false), ("y", true), ("z", true)] {
            let chunk = self.draw.between(1, 4);
            let rank = self.draw.between(1, 2);
            let share = self.extent();
            let total = threads * blocks;
            let view = self.draw.one_in(2) && !grid;
            let shape: Vec<String> = if view {
                vec![if self.draw.one_in(4) { share.clone() } else { (chunk * total).to_string() }]
            } else {
                (0..rank).map(|_| self.extent()).collect()
            };
            let strided = match (shape.as_slice(), self.draw.one_in(6)) {
                ([_, columns], true) => format!(" strided [{columns} + 2, 1]"),
                _ => String::new(),
            };
            let word = if mutable { "mut " } else { "" };
            params.push(format!("{name}: {word}f32[{}]{strided}", shape.join(", ")));
            if view {
                let count = if self.draw.one_in(3) { self.draw.between(1, total) } else { total };
                let tensor_chunk = if self.draw.one_in(4) { self.draw.between(1, 5) } else { chunk };
                let layout = self.draw.pick(&["i0, t0", "t0, i0", "-i0, t0", "t0, -i0", "-t0, i0"]);
                let offset = if self.draw.one_in(6) { ", offset: 1" } else { "" };
                let masked = if self.draw.one_in(3) { " masked" } else { "" };
                body += &format!(
                    "view {name}s = {name} via reshape_map([({chunk}, {tensor_chunk})] | [{count}] => layout: [{layout}]{offset}){masked};\n"
                );
                self.places.push((format!("{name}s"), vec![chunk.to_string()], mutable));
                if self.draw.one_in(5) {
                    self.places.push((name.to_owned(), shape, mutable));
                }
            } else {
                self.places.push((name.to_owned(), shape, mutable));
            }
        }
        if grid {
            let written = self.draw.between(1, 2) as usize;
            let extents = self.places[written].1.clone();
            let names: Vec<String> = extents.iter().map(|_| self.fresh("b")).collect();
            self.integers.extend(names.clone());
            self.ranged.extend(names.iter().cloned().zip(extents.iter().cloned()));
            let iterators = if names.len() == 1 { names[0].clone() } else { format!("({})", names.join(", ")) };
            body += &format!("for {iterators} in grid({}) {{\n{}}}\n", extents.join(", "), self.block(3));
            head +=
                &format!("kernel k({}) block({})", params.join(", "), if self.draw.one_in(3) { threads } else { 1 });
        } else {
            body += &self.block(3);
            head += &format!("kernel k({}) grid({blocks}) block({threads})", params.join(", "));
        }
        format!("{head} {{\n{body}}}\n")
    }

    fn block(&mut self, depth: usize) -> String {
        let (integers, ranged) = (self.integers.len(), self.ranged.len());
        let count = if self.draw.one_in(4) { 2 } else { 1 };
        let text = (0..count).map(|_| self.statement(depth)).collect();
        self.integers.truncate(integers);
        self.ranged.truncate(ranged);
        text
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.draw.index(if depth == 0 { 2 } else { 8 }) {
            0 | 1 => self.store(),
            2 | 3 => {
                let name = self.fresh("i");
                let place = self.draw.index(self.places.len());
                let extents = self.places[place].1.clone();
                let high = if self.draw.one_in(8) { self.integer(1) } else { self.draw.pick(&extents) };
                let low = if self.draw.one_in(4) { self.draw.between(0, 2).to_string() } else { "0".to_owned() };
                self.integers.push(name.clone());
                if low == "0" {
                    self.ranged.push((name.clone(), high.clone()));
                }
                format!("for {name} in {low}..{high} {{\n{}}}\n", self.block(depth - 1))
            }
            4 => {
                let name = self.fresh("v");
                let value =
                    if self.draw.one_in(3) { format!("i64(at[{}])", self.draw.index(16)) } else { self.integer(2) };
                self.integers.extend([name.clone(), name.clone()]);
                format!("let {name} = {value};\n{}", self.statement(depth - 1))
            }
            5 => {
                let name = self.fresh("m");
                let (first, later) = (self.integer(1), self.integer(1));
                self.integers.push(name.clone());
                let body = self.block(depth - 1);
                format!("let mut {name} = {first} + 0;\n{body}{name} = {later};\n{}", self.block(depth - 1))
            }
            _ => {
                let condition = self.condition();
                let then = self.block(depth - 1);
                let otherwise =
                    if self.draw.one_in(3) { format!(" else {{\n{}}}", self.block(depth - 1)) } else { String::new() };
                format!("if {condition} {{\n{then}}}{otherwise}\n")
            }
        }
    }

    fn condition(&mut self) -> String {
        let mut parts = Vec::new();
        for _ in 0..self.draw.between(1, 2) {
            let (left, op) = (self.integer(1), self.draw.pick(&["<", "<=", ">", ">=", "==", "!=", "<", ">="]));
            let right = if self.draw.one_in(3) { self.integer(1) } else { self.extent() };
            parts.push(format!("{left} {op} {right}"));
        }
        if self.draw.one_in(3) {
            let place = self.draw.index(self.places.len());
            let extents = self.places[place].1.clone();
            let (name, extent) = (self.draw.pick(&self.integers.clone()), self.draw.pick(&extents));
            parts = vec![format!("{name} >= 0"), format!("{name} < {extent}")];
        }
        // Sizes alone, whose difference may be negative.
        if self.draw.one_in(4) {
            let (left, other, by) = (self.extent(), self.extent(), self.draw.between(1, 3));
            let op = self.draw.pick(&["<", "<=", ">", ">=", "==", "!="]);
            let right = self.draw.between(-2, 6);
            parts.push(match self.draw.index(3) {
                0 => format!("{left} {op} {right}"),
                1 => format!("({left} - {other}) / {by} {op} {right}"),
                _ => format!("({left} - {other}) % {by} {op} {right}"),
            });
        }
        let negated = self.draw.one_in(8);
        let joined = parts.join(if self.draw.one_in(6) { " || " } else { " && " });
        if negated { format!("!({joined})") } else { joined }
    }

    fn integer(&mut self, depth: usize) -> String {
        if depth == 0 || self.draw.one_in(2) {
            let named = !self.draw.one_in(5);
            return if named { self.draw.pick(&self.integers.clone()) } else { self.extent() };
        }
        let left = self.integer(depth - 1);
        match self.draw.index(10) {
            9 => format!("shift_left({}, {left})", self.draw.between(1, 3)),
            0 | 1 => format!("({left} + {})", self.integer(depth - 1)),
            2 => format!("({left} - {})", self.integer(depth - 1)),
            3 => format!("({left} * {})", self.draw.between(1, 4)),
            4 => format!("({left} / {})", self.draw.between(1, 4)),
            5 => format!("({left} % {})", self.draw.between(1, 6)),
            6 => format!("({} - 1 - {left})", self.extent()),
            7 => format!("-{left}"),
            _ => format!("i64(i32({left}))"),
        }
    }

    fn element(&mut self, place: usize) -> String {
        let (name, extents, _) = self.places[place].clone();
        let indices: Vec<String> = extents
            .iter()
            .map(|extent| {
                let fits: Vec<String> =
                    self.ranged.iter().filter(|(_, known)| known == extent).map(|(name, _)| name.clone()).collect();
                if !fits.is_empty() && !self.draw.one_in(5) {
                    let name = self.draw.pick(&fits);
                    return if self.draw.one_in(4) { format!("{extent} - 1 - {name}") } else { name };
                }
                if self.draw.one_in(3) {
                    let low = self.draw.pick(&self.integers.clone());
                    return if self.draw.one_in(2) { low } else { format!("{low} % {extent}") };
                }
                if self.draw.one_in(3) { "0".to_owned() } else { self.integer(1) }
            })
            .collect();
        format!("{name}[{}]", indices.join(", "))
    }

    fn store(&mut self) -> String {
        let written: Vec<usize> = (0..self.places.len()).filter(|place| self.places[*place].2).collect();
        let target = self.draw.pick(&written);
        let target = self.element(target);
        let op = self.draw.pick(&["=", "=", "=", " +="]);
        let value = match self.draw.index(4) {
            0 => {
                let place = self.draw.index(self.places.len());
                self.element(place)
            }
            _ => "1.0".to_owned(),
        };
        format!("{target} {op} {value};\n")
    }
}
