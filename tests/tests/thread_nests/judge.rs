//! Whether a refusal is right, by who touches what.

use std::collections::BTreeSet;

use testing::thread_nests::Nest;
use testing::thread_nests::program::Held;
use testing::thread_nests::touches::{Touch, conflicts, touches};

use crate::support::Checked;

/// What is thought of a refusal.
pub enum Judgement {
    /// So many races were named, and all are there.
    Confirmed(u64),
    /// No race is named, and no two threads meet.
    InDoubt,
    /// No race is named.
    Open,
    /// A race is named that is not there.
    Wrong(String),
}

/// A thread that a message names.
#[derive(Clone, Copy, Debug)]
struct Who {
    thread: i64,
    /// `None`: of any block.
    block: Option<i64>,
    write: bool,
}

/// A race that a message names.
#[derive(Debug)]
struct Race {
    who: [Who; 2],
    memory: String,
    index: Vec<i64>,
}

pub fn judge(nest: &Nest, checked: &Checked) -> Judgement {
    let found = touches(nest);
    let mut confirmed = 0;
    let mut unproven = Vec::new();
    for finding in &checked.findings {
        match race(finding.code, &finding.message) {
            Some(race) if is_there(nest, &found, &race) => confirmed += 1,
            Some(race) => return Judgement::Wrong(format!("{}: {race:?}", finding.message)),
            None if ["race", "race-read", "shared-race"].contains(&finding.code) => unproven.push(finding.code),
            None => {}
        }
    }
    let free = |code: &&str| {
        let kinds: &[Held] =
            if *code == "shared-race" { &[Held::InSharedMemory] } else { &[Held::ByThreads, Held::ByBlock] };
        !kinds.iter().any(|held| conflicts(nest, &found, *held))
    };
    match confirmed {
        0 if !unproven.is_empty() && unproven.iter().all(free) => Judgement::InDoubt,
        0 => Judgement::Open,
        _ => Judgement::Confirmed(confirmed),
    }
}

/// `thread 3 writes and thread 4 reads element [1, 2] of …`, or `thread 3 of block 1 (at k = 2) and thread 4 both write
/// element 1 of …`.
fn race(code: &str, message: &str) -> Option<Race> {
    let (who, what) = message.split_once(" element ")?;
    let (index, rest) = what.split_once(" of `")?;
    let memory = rest.split('`').next()?.to_owned();
    let index =
        index.trim_matches(['[', ']']).split(", ").map(|part| part.parse().ok()).collect::<Option<Vec<i64>>>()?;
    let (first, second) = who.split_once(" and thread ")?;
    let shared = code == "shared-race";
    let who = |words: &str| {
        let mut words = words.trim_start_matches("thread ").split(' ');
        let thread = words.next()?.trim_end_matches(',').parse().ok()?;
        let rest: Vec<&str> = words.collect();
        let block = match rest.as_slice() {
            ["of", "block", block, ..] => Some(block.trim_end_matches(',').parse().ok()?),
            _ if shared => None,
            _ => Some(0),
        };
        Some(Who { thread, block, write: !shared || rest.contains(&"writes") })
    };
    (shared || code == "race").then_some(())?;
    Some(Race { who: [who(first)?, who(second)?], memory, index })
}

fn is_there(nest: &Nest, found: &BTreeSet<Touch>, race: &Race) -> bool {
    let Some(memory) = nest.memories.iter().position(|memory| memory.name == race.memory) else { return false };
    let shape = &nest.memories[memory].shape;
    // Before the indices in a block's part of a tensor stands that of the block.
    let of_block = race.index.len().saturating_sub(shape.len());
    let element = race.index.iter().skip(of_block).zip(shape).fold(0, |flat, (index, extent)| flat * extent + index);
    let touched = |who: &Who, block: i64| {
        let mine = |touch: &&Touch| {
            (touch.memory, touch.block, touch.thread, touch.write) == (memory, block, who.thread, who.write)
        };
        let here = |touch: &Touch| touch.element.is_none_or(|touched| touched == element);
        found.iter().filter(mine).any(here)
    };
    let [first, second] = &race.who;
    match (first.block, second.block) {
        (Some(one), Some(other)) => touched(first, one) && touched(second, other),
        _ => (0..nest.blocks).any(|block| touched(first, block) && touched(second, block)),
    }
}
