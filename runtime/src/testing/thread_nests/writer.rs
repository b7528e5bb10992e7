//! Writes a random nest.

use shapewright_compiler::threads::Tiling;

use super::super::draw::Draw;
use super::Nest;
use super::program::{Access, Condition, Index, Memory, Node, View, write};
use super::scopes::{Narrowed, Team};

/// The length of the tensor that is read.
const LENGTH: i64 = 64;
/// A number of iterations that no `K` of a run is above, and every remainder that is taken of an iterator is below.
const MOST_TRIPS: i64 = 6;

/// Writes one nest.
pub struct Writer {
    draw: Draw,
    threads: i64,
    cluster: i64,
    /// The iterations of the loop over the grid; `None`: there is none, and one block.
    grid: Option<i64>,
    memories: Vec<Memory>,
    layouts: Vec<&'static str>,
    views: Vec<View>,
    /// Iterators of sequential loops that are under way.
    loops: Vec<String>,
    names: u32,
    budget: u32,
    /// How often a mistake is made where one can be, in percent.
    slips: u64,
    symbolic: bool,
    /// Whether the iterator of the blocks of a cluster is around.
    ranked: bool,
}

impl Writer {
    /// The writer of a seed.
    pub fn new(seed: u64) -> Writer {
        let mut draw = Draw::new(seed);
        let threads = draw.pick(&[32, 32, 48, 64, 64, 64, 96, 128, 40, 24, 7]);
        let grid = draw.chance(70).then(|| draw.between(1, 2));
        let cluster = if grid.is_some() && draw.chance(20) { 2 } else { 1 };
        let slips = draw.pick(&[0, 0, 0, 8, 20]);
        Writer {
            draw,
            threads,
            cluster,
            grid,
            memories: Vec::new(),
            layouts: Vec::new(),
            views: Vec::new(),
            loops: Vec::new(),
            names: 0,
            budget: 12,
            slips,
            symbolic: false,
            ranked: false,
        }
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn slip(&mut self) -> bool {
        self.draw.chance(self.slips)
    }

    /// The whole nest.
    pub fn write(mut self) -> Nest {
        for _ in 0..self.draw.between(1, 3) {
            self.shared();
        }
        for memory in 0..self.memories.len() {
            // A view around the blocks of a cluster numbers the threads of all of them.
            if self.cluster == 1 && self.memories[memory].shape == [self.threads] && self.draw.chance(60) {
                self.view(memory, "i0, t0");
                self.view(memory, "i0, -t0");
            }
        }
        let Some(team) = self.block() else { return self.finish(Vec::new()) };
        let body = match team.blocks("c").filter(|_| self.cluster > 1 && self.draw.chance(90)) {
            Some(Narrowed { domain, count, team, .. }) => {
                self.ranked = true;
                let mut body = self.statements(&team, 0);
                body.extend(self.last(&team));
                vec![Node::Threads { name: Some("c".to_owned()), domain, count, tiling: Box::new(team.tiling), body }]
            }
            None => {
                let mut body = self.statements(&team, 0);
                body.extend(self.last(&team));
                body
            }
        };
        self.finish(body)
    }

    /// All threads of a block write and read one shared array in turn.
    pub fn exchange(mut self) -> Nest {
        (self.cluster, self.slips) = (1, 0);
        let shape = vec![self.threads];
        self.memories.push(Memory { name: "s0".to_owned(), element: "i32", shape, shared: true });
        self.layouts.push("");
        let Some(team) = self.block() else { return self.finish(Vec::new()) };
        let rounds = |writer: &mut Writer| {
            let count = writer.draw.between(1, 2);
            (0..count).flat_map(|_| writer.round(&team)).collect::<Vec<Node>>()
        };
        let mut body = rounds(&mut self);
        let name = self.fresh("k");
        self.loops.push(name.clone());
        let inner = rounds(&mut self);
        self.loops.pop();
        let (mut high, end) = self.trips(3);
        if high == "K" {
            // It may not run at all.
            high = "K - 1".to_owned();
        }
        body.push(Node::Loop { name, low: 0, high, end, body: inner });
        body.extend(rounds(&mut self));
        body.extend(self.last(&team));
        self.finish(body)
    }

    /// Each thread writes an element, and then reads another one.
    fn round(&mut self, team: &Team) -> Vec<Node> {
        let write = self.each(team, |writer, team, own| {
            let target = Access { memory: 0, view: None, indices: vec![own] };
            let text = format!("{} = acc * 3 + {};", writer.said(&target), writer.input(team));
            vec![Node::Store { target, text, reads: Vec::new() }]
        });
        let read = self.each(team, |writer, _, own| {
            let read = Access { memory: 0, view: None, indices: vec![own] };
            vec![Node::Assign(format!("acc = acc + {};", writer.said(&read)), vec![read])]
        });
        write.into_iter().chain(read).collect()
    }

    fn block(&self) -> Option<Team> {
        Some(Team { tiling: Tiling::new(self.cluster, self.threads).ok()?, names: Vec::new() })
    }

    /// The end, in which the threads of a block write what they have.
    fn last(&mut self, team: &Team) -> Option<Node> {
        let threads = self.threads;
        let name = self.fresh("t");
        let Narrowed { domain, count, team, .. } = team.threads(&name, threads)?;
        let own = team.first_thread(0);
        let body = vec![self.output(own, "acc".to_owned(), Vec::new())];
        Some(Node::Threads { name: Some(name), domain, count, tiling: Box::new(team.tiling), body })
    }

    fn finish(self, body: Vec<Node>) -> Nest {
        let blocks = self.grid.unwrap_or(1) * self.cluster;
        let extents = |shape: &[i64]| shape.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let mut params = format!("n: i64, x: i32[{LENGTH}]");
        let mut head = String::new();
        for (memory, layout) in self.memories.iter().zip(&self.layouts) {
            let Memory { name, element, shape, shared } = memory;
            if *shared {
                head += &format!("shared {name} : {element}[{}]{layout};\n", extents(shape));
            } else {
                params += &format!(", {name}: mut {element}[{}]", extents(shape));
            }
        }
        for View { name, memory, local, layout } in &self.views {
            let (memory, threads) = (&self.memories[*memory].name, self.threads);
            head +=
                &format!("view {name} = {memory} via reshape_map([{local}] | [{threads}] => layout: [{layout}]);\n");
        }
        head += "let mut acc: i32 = 1;\nlet mut u: i64 = 0;\n";
        write(&body, 0, &mut head);
        let within: String = head.lines().map(|line| format!("        {line}\n")).collect();
        let cluster = if self.cluster > 1 { format!("cluster({}) ", self.cluster) } else { String::new() };
        let dim = if self.symbolic { "dim K where K <= 6;\n" } else { "" };
        let text = match self.grid {
            Some(count) => format!(
                "{dim}kernel nest({params}) {cluster}block({}) {{\n    for i in grid({count}) {{\n{within}    }}\n}}\n",
                self.threads
            ),
            None => format!("{dim}kernel nest({params}) grid(1) block({}) {{\n{within}}}\n", self.threads),
        };
        Nest { text, blocks, cluster: self.cluster, threads: self.threads, memories: self.memories, body }
    }

    // ---------------------------------------------------------------------------------------- memory

    fn shared(&mut self) {
        let threads = self.threads;
        let mut kinds = vec![(vec![threads], ""), (vec![threads], ""), (vec![threads + 1], ""), (vec![2, threads], "")];
        if threads % 8 == 0 {
            kinds.extend([(vec![threads / 8, 8], " |> xor"), (vec![threads / 8, 8], ""), (vec![threads / 8, 9], "")]);
        }
        let (shape, layout) = self.draw.pick(&kinds);
        let element = self.draw.pick(&["i32", "i32", "i32", "u8", "i16", "f32", "i64", "f16"]);
        let name = format!("s{}", self.memories.len());
        self.memories.push(Memory { name, element, shape, shared: true });
        self.layouts.push(layout);
    }

    fn view(&mut self, memory: usize, layout: &'static str) {
        let name = self.fresh("v");
        self.views.push(View { name, memory, local: 1, layout });
    }

    /// The array that belongs to the threads of a block: some of it for each.
    fn array(&mut self) -> usize {
        let shared: Vec<usize> = (0..self.memories.len()).filter(|memory| self.memories[*memory].shared).collect();
        self.draw.pick(&shared)
    }

    /// The element of an array that belongs to a thread of this number.
    fn element(&mut self, memory: usize, own: Index) -> Access {
        let indices = match self.memories[memory].shape.as_slice() {
            [_] => vec![own],
            [2, columns] if *columns == self.threads => vec![self.stage(), own],
            _ => vec![own.clone().part(8), own.rest(8)],
        };
        Access { memory, view: None, indices }
    }

    fn stage(&mut self) -> Index {
        let Some(name) = self.loops.last().map(|name| Index::name(name)) else {
            return Index::Constant(self.draw.between(0, 1));
        };
        match self.draw.below(5) {
            0 => Index::Constant(self.draw.between(0, 1)),
            1 | 2 => name.plus(Index::Constant(1)).rest(2),
            _ => name.rest(2),
        }
    }

    fn said(&self, access: &Access) -> String {
        let name = access.view.as_ref().map_or(&self.memories[access.memory].name, |view| &view.name);
        let indices: Vec<String> = access.indices.iter().map(Index::to_string).collect();
        format!("{name}[{}]", indices.join(", "))
    }

    fn read(&self, access: &Access) -> String {
        match self.memories[access.memory].element {
            "i32" => self.said(access),
            _ => format!("i32({})", self.said(access)),
        }
    }

    /// A store of an `i32`.
    fn store(&self, target: Access, value: &str, reads: Vec<Access>) -> Node {
        let said = self.said(&target);
        let text = match self.memories[target.memory].element {
            "i32" => format!("{said} = {value};"),
            element => format!("{said} = {element}({value});"),
        };
        Node::Store { target, text, reads }
    }

    /// A store to a tensor of its own, at the thread's element.
    fn output(&mut self, own: Index, value: String, reads: Vec<Access>) -> Node {
        let name = self.fresh("y");
        let mut shape = vec![self.threads];
        let mut indices = vec![own];
        if self.ranked {
            shape.insert(0, self.cluster);
            indices.insert(0, Index::name("c"));
        }
        if let Some(grid) = self.grid {
            shape.insert(0, grid);
            indices.insert(0, Index::name("i"));
        }
        if self.slip() {
            let place = self.draw.below(indices.len() as u64) as usize;
            indices[place] = Index::Constant(0);
        }
        self.memories.push(Memory { name, element: "i32", shape, shared: false });
        self.layouts.push("");
        let target = Access { memory: self.memories.len() - 1, view: None, indices };
        self.store(target, &value, reads)
    }

    // ---------------------------------------------------------------------------------------- statements

    /// Statements of a team.
    fn statements(&mut self, team: &Team, depth: u32) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..self.draw.between(2, 4) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            match self.draw.below(16) {
                0..=4 => nodes.extend(self.exchanged(team)),
                5..=7 if depth < 3 => nodes.extend(self.narrowed(team, depth)),
                8 | 9 if depth < 3 => nodes.push(self.repeated(team, depth)),
                10 | 11 if depth < 3 => nodes.push(self.branch(team, depth)),
                12 => nodes.push(self.uniform(team)),
                13 if !self.views.is_empty() => nodes.extend(self.through_views()),
                14 => nodes.extend(self.alone(team)),
                _ => nodes.extend(self.written(team)),
            }
        }
        nodes
    }

    /// What each thread of a team does, over its own number in the block or another one of the team.
    fn each(&mut self, team: &Team, body: impl FnOnce(&mut Self, &Team, Index) -> Vec<Node>) -> Option<Node> {
        let block = self.threads;
        let most = (1..=block.min(team.size())).rev().find(|count| team.threads("t", *count).is_some())?;
        let count = if self.draw.chance(10) { self.draw.between(1, most) } else { most };
        let name = self.fresh("t");
        let Narrowed { domain, count, team, .. } = team.threads(&name, count)?;
        let other = self.turned(&team, &name, count);
        let body = body(self, &team, other);
        Some(Node::Threads { name: Some(name), domain, count, tiling: Box::new(team.tiling), body })
    }

    /// The number of a thread of the team around: this one's, or its place turned or moved.
    fn turned(&mut self, team: &Team, name: &str, count: i64) -> Index {
        let own = Index::name(name);
        let moved = match self.draw.below(6) {
            0..=2 => own,
            3 | 4 => Index::Constant(count - 1).minus(own),
            _ => own.plus(Index::Constant(self.draw.between(1, count.max(2) - 1))).rest(count),
        };
        if self.slip() {
            return match self.draw.below(3) {
                0 => moved.part(2),
                1 => Index::Constant(self.draw.between(0, self.threads - 1)),
                _ => moved,
            };
        }
        moved.times(team.last_pitch()).plus(team.first_thread(1))
    }

    fn input(&mut self, team: &Team) -> String {
        let at = match self.draw.below(4) {
            0 => Index::Constant(self.draw.between(0, LENGTH - 1)),
            _ => {
                let moved = Index::Constant(self.draw.between(0, 20));
                let looped = self.loops.last().map_or(Index::Constant(0), |name| Index::name(name));
                team.first_thread(0).plus(moved).plus(looped).rest(LENGTH)
            }
        };
        format!("x[{at}]")
    }

    /// A write by each thread, then a read by each.
    fn exchanged(&mut self, team: &Team) -> Vec<Node> {
        let memory = self.array();
        let write = self.each(team, |writer, team, own| {
            let target = writer.element(memory, own);
            let value = format!("acc * 3 + {}", writer.input(team));
            let store = writer.store(target, &value, Vec::new());
            vec![writer.perhaps(team, store)]
        });
        let read = self.each(team, |writer, team, own| vec![writer.used(memory, team, own)]);
        write.into_iter().chain(read).collect()
    }

    /// A statement, or the statement under a condition.
    fn perhaps(&mut self, team: &Team, node: Node) -> Node {
        let condition = match self.draw.below(12) {
            0 => Condition::Below(team.first_thread(0), self.draw.between(1, self.threads)),
            1 => Condition::Open(format!("{} > 20", self.input(team))),
            2 => Condition::Open(format!("n > {}", self.draw.between(-5, 50))),
            _ => return node,
        };
        Node::If { condition, then: vec![node], otherwise: Vec::new() }
    }

    /// A use of an element.
    fn used(&mut self, memory: usize, team: &Team, own: Index) -> Node {
        let read = if self.draw.chance(self.slips) {
            let anywhere = own.plus(Index::Constant(self.draw.between(0, 9))).rest(self.threads);
            self.element(memory, anywhere)
        } else {
            self.element(memory, own)
        };
        let value = self.read(&read);
        if self.memories[memory].shape == [self.threads] && self.draw.chance(5) {
            return self.gathered(memory, team);
        }
        match self.draw.below(4) {
            0 => self.output(team.first_thread(0), format!("acc + {value}"), vec![read]),
            1 => {
                let node = Node::Assign(format!("acc = acc * 5 + {value};"), vec![read]);
                self.perhaps(team, node)
            }
            _ => Node::Assign(format!("acc = acc + {value};"), vec![read]),
        }
    }

    /// A use of an element that only the data says.
    fn gathered(&mut self, memory: usize, team: &Team) -> Node {
        let place = format!("i64({})", self.input(team));
        let read = Access { memory, view: None, indices: vec![Index::Data(place.clone())] };
        let (value, threads) = (self.read(&read), self.threads);
        let chosen = format!("if {place} >= 0 && {place} < {threads} {{ {value} }} else {{ 5 }}");
        let bounded = chosen.replace(&format!("[{place}]"), &format!("[max(min({place}, {threads} - 1), 0)]"));
        Node::Assign(format!("acc = acc + ({bounded});"), vec![read])
    }

    /// Each thread writes, or changes what is there.
    fn written(&mut self, team: &Team) -> Option<Node> {
        let memory = self.array();
        self.each(team, |writer, team, own| {
            let target = writer.element(memory, own);
            let old = writer.read(&target);
            match writer.draw.below(3) {
                0 => vec![writer.store(target.clone(), &format!("{old} + acc"), vec![target])],
                1 => {
                    let name = writer.fresh("w");
                    let read = Node::Assign(format!("let {name} = {old};"), vec![target.clone()]);
                    let store = writer.store(target, &format!("{name} * 2 + 1"), Vec::new());
                    vec![read, writer.perhaps(team, store)]
                }
                _ => {
                    let store = writer.store(target, "acc", Vec::new());
                    vec![writer.perhaps(team, store)]
                }
            }
        })
    }

    /// What a thread does for itself.
    fn alone(&mut self, team: &Team) -> Option<Node> {
        self.each(team, |writer, team, own| match writer.draw.below(4) {
            0 => vec![writer.output(team.first_thread(0), "acc - 7".to_owned(), Vec::new())],
            1 => vec![Node::Assign(format!("u = {};", team.first_thread(0)), Vec::new())],
            2 => {
                let name = writer.fresh("j");
                let index = Index::name(&name);
                let memory = writer.array();
                vec![Node::Let(name, own), writer.used(memory, team, index)]
            }
            _ => vec![Node::Assign(format!("acc = bit_xor(acc, i32({own}));"), Vec::new())],
        })
    }

    /// All threads of the block through views, whoever comes by.
    fn through_views(&mut self) -> Vec<Node> {
        let view = |writer: &mut Writer| writer.draw.pick(&writer.views);
        let access = |view: View| Access { memory: view.memory, view: Some(view), indices: vec![Index::Constant(0)] };
        let (target, source) = (access(view(self)), access(view(self)));
        let value = self.read(&source);
        let write = self.store(target, "acc * 7 + 2", Vec::new());
        vec![write, Node::Assign(format!("acc = acc + {value};"), vec![source])]
    }

    /// A variable that is the same for all who are together, as far as that goes.
    fn uniform(&mut self, team: &Team) -> Node {
        let value = match self.draw.below(4) {
            0 => "n".to_owned(),
            1 => "u + 1".to_owned(),
            2 => self.loops.last().cloned().unwrap_or_else(|| "3".to_owned()),
            _ => team.first_thread(0).to_string(),
        };
        Node::Assign(format!("u = {value};"), Vec::new())
    }

    fn narrowed(&mut self, team: &Team, depth: u32) -> Option<Node> {
        for _ in 0..8 {
            let named = self.draw.chance(65);
            let name = self.fresh("w");
            let step = if named { team.teams(&mut self.draw, &name) } else { team.part(&mut self.draw) };
            let Some(Narrowed { domain, count, team: inner }) = step else { continue };
            if inner.size() < 2 || inner.size() == team.size() && self.draw.chance(70) {
                continue;
            }
            let body = self.statements(&inner, depth + 1);
            if body.is_empty() {
                return None;
            }
            let name = named.then_some(name);
            return Some(Node::Threads { name, domain, count, tiling: Box::new(inner.tiling), body });
        }
        None
    }

    /// The end of a loop.
    fn trips(&mut self, most: i64) -> (String, i64) {
        if self.draw.chance(40) {
            self.symbolic = true;
            return ("K".to_owned(), MOST_TRIPS);
        }
        let end = self.draw.between(1, most);
        (end.to_string(), end)
    }

    fn repeated(&mut self, team: &Team, depth: u32) -> Node {
        let name = self.fresh("k");
        let (high, end) = self.trips(3);
        self.loops.push(name.clone());
        let body = self.statements(team, depth + 1);
        self.loops.pop();
        let low = if end > 1 && self.draw.chance(15) { 1 } else { 0 };
        // `K` may be below 1.
        let low = if high == "K" { 0 } else { low };
        Node::Loop { name, low, high, end, body }
    }

    fn branch(&mut self, team: &Team, depth: u32) -> Node {
        let condition = match self.draw.below(6) {
            0 | 1 => Condition::Open(format!("n > {}", self.draw.between(-5, 50))),
            2 => Condition::Open(format!("u > {}", self.draw.between(0, 20))),
            3 if !self.loops.is_empty() => {
                let name = self.loops[self.loops.len() - 1].clone();
                Condition::Below(Index::name(&name).rest(2), 1)
            }
            4 => Condition::Below(team.first_thread(0), self.draw.between(1, self.threads)),
            _ => Condition::Open(format!("{} > 20", self.input(team))),
        };
        let then = self.statements(team, depth + 1);
        let otherwise = if self.draw.chance(40) { self.statements(team, depth + 1) } else { Vec::new() };
        Node::If { condition, then, otherwise }
    }
}
