//! The statements of a random nest.

use super::super::program::{Access, Condition, Index, Node, View};
use super::super::scopes::{Narrowed, Team};
use super::{LENGTH, LONG_TRIPS, MOST_TRIPS, Writer};

/// The deepest nesting of loops, branches and collectives.
const MOST_DEPTH: u32 = 9;

impl Writer {
    /// Statements of a team.
    pub(super) fn statements(&mut self, team: &Team, depth: u32) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..self.draw.between(2, 4) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            match self.draw.below(17) {
                0..=4 => nodes.extend(self.exchanged(team)),
                5..=7 if depth < MOST_DEPTH => nodes.extend(self.narrowed(team, depth)),
                8 | 9 if depth < MOST_DEPTH => nodes.push(self.repeated(team, depth)),
                10 | 11 if depth < MOST_DEPTH => nodes.push(self.branch(team, depth)),
                12 => nodes.push(self.uniform(team)),
                13 if !self.views.is_empty() => nodes.extend(self.through_views()),
                14 => nodes.extend(self.alone(team)),
                15 => nodes.extend(self.tree(team)),
                _ => nodes.extend(self.written(team)),
            }
        }
        nodes
    }

    /// Statements of each thread of a team, for its own id in the block or another one of the team.
    pub(super) fn each(
        &mut self,
        team: &Team,
        body: impl FnOnce(&mut Self, &Team, Index) -> Vec<Node>,
    ) -> Option<Node> {
        let block = self.threads;
        let most = (1..=block.min(team.size())).rev().find(|count| team.threads("t", *count).is_some())?;
        let count = if self.draw.chance(10) { self.draw.between(1, most) } else { most };
        let name = self.fresh("t");
        let Narrowed { domain, count, team, .. } = team.threads(&name, count)?;
        let other = self.turned(&team, &name, count);
        let body = body(self, &team, other);
        Some(Node::Threads { name: Some(name), domain, count, tiling: Box::new(team.tiling), body })
    }

    /// The id of a thread of the surrounding team: this one's, or another one after a rotation or a shift.
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

    pub(super) fn input(&mut self, team: &Team) -> String {
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

    /// Each thread writes an element, then each reads one.
    fn exchanged(&mut self, team: &Team) -> Vec<Node> {
        let memory = self.array();
        let write = self.each(team, |writer, team, own| {
            let target = writer.element(memory, own);
            let input = writer.input(team);
            let store = if writer.memories[memory].element == "i32" && writer.draw.chance(40) {
                let text = format!("async {} = {input};", writer.said(&target));
                Node::Store { target, text, reads: Vec::new() }
            } else {
                writer.store(target, &format!("acc * 3 + {input}"), Vec::new())
            };
            vec![writer.perhaps(team, store)]
        });
        let read = self.each(team, |writer, team, own| vec![writer.used(memory, team, own)]);
        write.into_iter().chain(read).collect()
    }

    /// The statement, or the statement under a condition.
    fn perhaps(&mut self, team: &Team, node: Node) -> Node {
        let condition = match self.draw.below(12) {
            0 => Condition::Below(team.first_thread(0), self.draw.between(1, self.threads)),
            1 => Condition::Open(format!("{} > 20", self.input(team))),
            2 => Condition::Open(format!("n > {}", self.draw.between(-5, 50))),
            _ => return node,
        };
        Node::If { condition, then: vec![node], otherwise: Vec::new() }
    }

    /// A read or write of an element.
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

    /// A read or write of an element at an index from data.
    fn gathered(&mut self, memory: usize, team: &Team) -> Node {
        let place = format!("i64({})", self.input(team));
        let read = Access { memory, view: None, indices: vec![Index::Data(place.clone())] };
        let (value, threads) = (self.read(&read), self.threads);
        let chosen = format!("if {place} >= 0 && {place} < {threads} {{ {value} }} else {{ 5 }}");
        let bounded = chosen.replace(&format!("[{place}]"), &format!("[max(min({place}, {threads} - 1), 0)]"));
        Node::Assign(format!("acc = acc + ({bounded});"), vec![read])
    }

    /// Each thread writes an element, or updates it.
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

    /// A step of a tree reduction for each power of two: a thread reads the element at that distance.
    fn tree(&mut self, team: &Team) -> Option<Node> {
        let (level, distance) = (self.fresh("l"), self.fresh("d"));
        let (memory, levels, threads) = (self.array(), self.draw.between(2, 3), self.threads);
        let (ascending, slip) = (self.draw.chance(50), self.slip());
        let own_level = Index::name(&level);
        let power = if ascending { own_level } else { Index::Constant(levels - 1).minus(own_level) }.power();
        let step = self.each(team, |writer, _, own| {
            let by = Index::name(&distance);
            let far = own.clone().plus(by.clone());
            let (target, source) = (writer.element(memory, own.clone()), writer.element(memory, far.clone()));
            let value = format!("{} + {}", writer.read(&target), writer.read(&source));
            let store = writer.store(target.clone(), &value, vec![target, source]);
            let stride = by.times(if slip { 1 } else { 2 });
            let inside =
                Node::If { condition: Condition::Below(far, threads), then: vec![store], otherwise: Vec::new() };
            let active = Condition::Below(own.rest_by(stride), 1);
            vec![Node::If { condition: active, then: vec![inside], otherwise: Vec::new() }]
        })?;
        let body = vec![Node::Let(distance, power), step];
        Some(Node::Loop { name: level, low: 0, high: levels.to_string(), end: levels, body })
    }

    /// Statements of a thread on its own.
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

    /// All threads of the block access arrays through views.
    fn through_views(&mut self) -> Vec<Node> {
        let view = |writer: &mut Writer| writer.draw.pick(&writer.views);
        let access = |view: View| Access { memory: view.memory, view: Some(view), indices: vec![Index::Constant(0)] };
        let (target, source) = (access(view(self)), access(view(self)));
        let value = self.read(&source);
        let write = self.store(target, "acc * 7 + 2", Vec::new());
        vec![write, Node::Assign(format!("acc = acc + {value};"), vec![source])]
    }

    /// A variable that is mostly uniform in the team.
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

    /// The end of a loop, as text and as a number: that of iterations which touch all that any does.
    pub(super) fn trips(&mut self, most: i64) -> (String, i64) {
        if self.draw.chance(40) {
            self.symbolic = true;
            return ("K".to_owned(), MOST_TRIPS);
        }
        if self.draw.chance(40) {
            return (LONG_TRIPS.to_string(), MOST_TRIPS);
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
