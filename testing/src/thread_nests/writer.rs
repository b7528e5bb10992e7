//! Writes a random nest.

mod memory;
mod statements;

use maps::threads::Tiling;

use super::Nest;
use super::program::{Access, Held, Index, Memory, Node, View, write};
use super::scopes::{Narrowed, Team};
use seeds::Draw;

/// The length of the input tensor.
const LENGTH: i64 = 64;
/// An upper bound of the iterations in any run, and of all remainders of iterators.
pub(super) const MOST_TRIPS: i64 = 6;
/// The iterations of a long loop. What an iteration touches depends on whether its number is even, as [`MOST_TRIPS`] and this one
/// are: so the first few touch all that it does, and its last one what theirs does.
pub(super) const LONG_TRIPS: i64 = 1_000_000;

/// Writes one nest.
pub struct Writer {
    draw: Draw,
    threads: i64,
    cluster: i64,
    /// The number of iterations of the loop over the grid; `None` for a single block without such a loop.
    grid: Option<i64>,
    memories: Vec<Memory>,
    layouts: Vec<&'static str>,
    views: Vec<View>,
    /// The iterators of the surrounding sequential loops.
    loops: Vec<String>,
    names: u32,
    budget: u32,
    /// The probability of a mistake at each place, in percent.
    slips: u64,
    symbolic: bool,
    /// Whether a loop over the blocks of a cluster is around.
    ranked: bool,
    /// Whether tensors are used as shared arrays are.
    exchanges: bool,
}

impl Writer {
    /// The writer for a seed.
    pub fn new(seed: u64) -> Writer {
        let mut draw = Draw::new(seed);
        let threads = draw.pick(&[32, 32, 48, 64, 64, 64, 96, 128, 40, 24, 7]);
        let grid = draw.chance(70).then(|| draw.between(1, 2));
        let cluster = if grid.is_some() && draw.chance(20) { 2 } else { 1 };
        let slips = draw.pick(&[0, 0, 0, 8, 20]);
        // The blocks of a cluster have one number in the grid.
        let exchanges = cluster == 1 && draw.chance(30);
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
            exchanges,
        }
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn slip(&mut self) -> bool {
        self.draw.chance(self.slips)
    }

    /// Writes the whole nest.
    pub fn write(mut self) -> Nest {
        for _ in 0..self.draw.between(1, 3) {
            self.shared();
        }
        for memory in 0..self.memories.len() {
            // A view numbers the threads of all blocks of a cluster, or of the launch.
            if self.cluster == 1
                && !self.exchanges
                && self.memories[memory].shape == [self.threads]
                && self.draw.chance(60)
            {
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

    /// All threads of a block repeatedly write and read one shared array.
    pub fn exchange(mut self) -> Nest {
        let trips = match self.trips(3) {
            // It may have no iterations.
            (high, end) if high == "K" => ("K - 1".to_owned(), end),
            trips => trips,
        };
        self.exchanged_in(trips)
    }

    /// The same of two threads, a million times.
    pub fn long_exchange(mut self) -> Nest {
        (self.threads, self.grid) = (2, None);
        self.exchanged_in((LONG_TRIPS.to_string(), MOST_TRIPS))
    }

    fn exchanged_in(mut self, (high, end): (String, i64)) -> Nest {
        (self.cluster, self.slips) = (1, 0);
        let shape = vec![self.threads];
        let held = if self.exchanges { Held::ByBlock } else { Held::InSharedMemory };
        self.memories.push(Memory { name: "s0".to_owned(), element: "i32", shape, held });
        self.layouts.push("");
        let Some(team) = self.block() else { return self.finish(Vec::new()) };
        let rounds = |writer: &mut Writer| {
            let count = writer.draw.between(1, 2);
            (0..count).flat_map(|_| writer.round(&team)).collect::<Vec<Node>>()
        };
        let mut body = rounds(&mut self);
        let name = self.fresh("k");
        self.loops.push(name.clone());
        let mut inner = rounds(&mut self);
        inner.extend(self.mirrored(&team));
        self.loops.pop();
        body.push(Node::Loop { name, low: 0, high, end, body: inner });
        body.extend(rounds(&mut self));
        body.extend(self.last(&team));
        self.finish(body)
    }

    /// Each thread writes an element, and then reads another one. What a thread writes is new each time, so that a read
    /// of the element before this write or after the next one gives another value.
    fn round(&mut self, team: &Team) -> Vec<Node> {
        let write = self.each(team, |writer, team, own| {
            let target = Access { memory: 0, view: None, indices: vec![own] };
            let text = format!("{} = acc * 3 + {};", writer.said(&target), writer.input(team));
            let step = Node::Assign("acc = acc * 5 + 1;".to_owned(), Vec::new());
            vec![step, Node::Store { target, text, reads: Vec::new() }]
        });
        let read = self.each(team, |writer, _, own| {
            let read = Access { memory: 0, view: None, indices: vec![own] };
            vec![Node::Assign(format!("acc = acc + {};", writer.said(&read)), vec![read])]
        });
        write.into_iter().chain(read).collect()
    }

    /// Each thread reads an element that another one wrote last, so that there is something to wait for.
    fn mirrored(&mut self, team: &Team) -> Option<Node> {
        let name = self.fresh("t");
        let Narrowed { domain, count, team, .. } = team.threads(&name, self.threads)?;
        let other = Index::Constant(self.threads - 1).minus(Index::name(&name));
        let read = Access { memory: 0, view: None, indices: vec![other] };
        let body = vec![Node::Assign(format!("acc = acc + {};", self.said(&read)), vec![read])];
        Some(Node::Threads { name: Some(name), domain, count, tiling: Box::new(team.tiling), body })
    }

    fn block(&self) -> Option<Team> {
        Some(Team { tiling: Tiling::new(self.cluster, self.threads).ok()?, names: Vec::new() })
    }

    /// The last statements, in which the threads of a block write their values to the output.
    fn last(&mut self, team: &Team) -> Option<Node> {
        let threads = self.threads;
        let name = self.fresh("t");
        let Narrowed { domain, count, team, .. } = team.threads(&name, threads)?;
        let own = team.first_thread(0);
        let body = vec![self.output(own, "acc".to_owned(), Vec::new())];
        Some(Node::Threads { name: Some(name), domain, count, tiling: Box::new(team.tiling), body })
    }

    fn finish(mut self, body: Vec<Node>) -> Nest {
        let blocks = self.grid.unwrap_or(1) * self.cluster;
        // The size of the launch may make an array larger than its elements need. Then it is a small one.
        let most_trips = self.symbolic.then(|| self.draw.pick(&[Some(MOST_TRIPS), Some(LONG_TRIPS), None]));
        let may_be_larger = most_trips == Some(Some(MOST_TRIPS));
        let extents = |shape: &[i64]| shape.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let mut params = format!("n: i64, x: i32[{LENGTH}]");
        let mut head = String::new();
        for (memory, layout) in self.memories.iter().zip(&self.layouts) {
            let Memory { name, element, shape, held } = memory;
            if *held == Held::InSharedMemory {
                let larger = match shape.split_last() {
                    Some((last, others)) if may_be_larger && layout.is_empty() && self.draw.chance(50) => {
                        let others: String = others.iter().map(|extent| format!("{extent}, ")).collect();
                        format!("{others}K + {}", last - 1)
                    }
                    _ => extents(shape),
                };
                head += &format!("shared {name} : {element}[{larger}]{layout};\n");
            } else {
                let blocks = self.grid.filter(|_| *held == Held::ByBlock);
                let shape: Vec<i64> = blocks.into_iter().chain(shape.iter().copied()).collect();
                params += &format!(", {name}: mut {element}[{}]", extents(&shape));
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
        let dim = match most_trips {
            Some(Some(most)) => format!("dim K where K <= {most};\n"),
            Some(None) => "dim K;\n".to_owned(),
            None => String::new(),
        };
        let text = match self.grid {
            Some(count) => format!(
                "{dim}kernel nest({params}) {cluster}block({}) {{\n    for i in grid({count}) {{\n{within}    }}\n}}\n",
                self.threads
            ),
            None => format!("{dim}kernel nest({params}) grid(1) block({}) {{\n{within}}}\n", self.threads),
        };
        Nest { text, blocks, cluster: self.cluster, threads: self.threads, memories: self.memories, body }
    }
}
