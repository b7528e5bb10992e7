//! Orders of threads.

use seeds::Draw;
use shapewright_runtime::interpreter::WARP;

/// An order of the threads of a block, the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Always the first thread that can go on.
    FirstFirst,
    /// Always the last thread that can go on.
    LastFirst,
    /// One thread after another, for a statement each.
    InTurn,
    /// This warp while it can go on, otherwise the first thread that can.
    WarpAhead(usize),
    /// This warp only if no other thread can go on.
    WarpBehind(usize),
    /// This thread only if no other one can go on.
    ThreadBehind(usize),
    /// A random thread for one statement.
    Random(u64),
    /// A random thread for several statements.
    Bursts(u64),
}

/// Orders of every kind, including this number of each random kind.
pub fn orders(random: u64) -> Vec<Order> {
    let mut orders = vec![Order::FirstFirst, Order::LastFirst, Order::InTurn];
    for warp in 0..4 {
        orders.extend([Order::WarpAhead(warp), Order::WarpBehind(warp)]);
    }
    orders.extend([0, 1, 17, 40].map(Order::ThreadBehind));
    for seed in 0..random {
        orders.extend([Order::Random(seed), Order::Bursts(seed)]);
    }
    orders
}

impl Order {
    pub(super) fn picker(self) -> Picker {
        let seed = match self {
            Order::Random(seed) | Order::Bursts(seed) => seed,
            _ => 0,
        };
        Picker { order: self, draw: Draw::new(seed), last: None }
    }
}

pub(super) struct Picker {
    order: Order,
    draw: Draw,
    /// The thread of the last turn.
    last: Option<usize>,
}

impl Picker {
    /// The index of the next thread among the ready ones; `None` if none is ready.
    pub fn pick(&mut self, ready: &[usize]) -> Option<usize> {
        if ready.is_empty() {
            return None;
        }
        let among = |is_wanted: &dyn Fn(usize) -> bool| ready.iter().position(|thread| is_wanted(*thread)).unwrap_or(0);
        let place = match self.order {
            Order::FirstFirst => 0,
            Order::LastFirst => ready.len() - 1,
            Order::InTurn => among(&|thread| Some(thread) > self.last),
            Order::WarpAhead(warp) => among(&|thread| thread / WARP == warp),
            Order::WarpBehind(warp) => among(&|thread| thread / WARP != warp),
            Order::ThreadBehind(behind) => among(&|thread| thread != behind),
            Order::Random(_) => self.random(ready.len()),
            Order::Bursts(_) => {
                let same = self.last.and_then(|last| ready.binary_search(&last).ok());
                match same.filter(|_| self.draw.chance(80)) {
                    Some(same) => same,
                    None => self.random(ready.len()),
                }
            }
        };
        self.last = ready.get(place).copied();
        Some(place)
    }

    fn random(&mut self, count: usize) -> usize {
        self.draw.below(count as u64) as usize
    }
}
