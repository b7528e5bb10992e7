//! The sectors of memory and the banks of shared memory that one access of a warp touches.

use std::collections::{BTreeMap, BTreeSet};

use dims::Sym;
use maps::hardware::{BANK_WORD_BYTES, BANKS, LINE_BYTES, SECTOR_BYTES, WARP_LANES};
use maps::row_major::digits;
use maps::{AxisRole, IndexMap};

/// The threads of a warp.
const LANES: u32 = WARP_LANES as u32;
/// The most lines that are drawn.
const MOST_LINES: usize = 8;

/// The first access of the first warp: every thread at local index 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strip {
    /// The size of an element.
    pub element_bytes: u32,
    /// The first lines of 128 bytes that are touched, with the lanes that touch each of their 32 words.
    pub lines: Vec<Line>,
    /// How many lines are touched in all.
    pub touched_lines: usize,
    /// How many sectors of 32 bytes are touched.
    pub sectors: usize,
    /// Lanes that access an element.
    pub lanes: u32,
    /// The number of phases in which shared memory serves the access: 8 bytes for each lane take 2, 16 take 4.
    pub phases: u32,
    /// The most different words that one bank delivers in one phase; 1 is free of conflicts.
    pub degree: usize,
}

/// 128 bytes: one word of each bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its byte address, relative to the first slot.
    pub address: i64,
    /// The lanes that touch each of its 32 words.
    pub words: Vec<Vec<u32>>,
}

impl Strip {
    /// The phase in which a lane is served.
    pub fn phase(&self, lane: u32) -> u32 {
        lane * self.phases / LANES
    }

    /// The cost of the access, in a sentence.
    pub fn summary(&self) -> String {
        let bytes = self.lanes.saturating_mul(self.element_bytes);
        let sectors = if self.sectors == 1 { "1 sector".to_owned() } else { format!("{} sectors", self.sectors) };
        let phases = if self.phases > 1 { format!(" in {} phases", self.phases) } else { String::new() };
        let conflicts = match self.degree {
            0 | 1 => "no bank conflicts".to_owned(),
            degree => format!("{degree}-way bank conflicts"),
        };
        let left_out = match self.touched_lines.saturating_sub(self.lines.len()) {
            0 => String::new(),
            1 => "; one more line of 128 bytes is not drawn".to_owned(),
            more => format!("; {more} more lines of 128 bytes are not drawn"),
        };
        format!("first access of a warp: {bytes} bytes from {sectors} of 32 bytes; {conflicts}{phases}{left_out}")
    }
}

/// The first access of the first warp; `None` where the map has no threads, no single slot, or no valid point there.
pub(super) fn strip(map: &IndexMap, element_bytes: u32) -> Option<Strip> {
    let element_bytes = element_bytes.clamp(1, 16);
    let accesses = accesses(map, i64::from(element_bytes))?;
    let phases = element_bytes.div_ceil(4);
    let mut lines: BTreeMap<i64, Vec<Vec<u32>>> = BTreeMap::new();
    let mut sectors = BTreeSet::new();
    // For each phase and bank, the words that it must deliver.
    let mut words: BTreeMap<(u32, i64), BTreeSet<i64>> = BTreeMap::new();
    for (lane, byte) in &accesses {
        let last = byte.checked_add(i64::from(element_bytes) - 1)?;
        sectors.extend(byte.div_euclid(SECTOR_BYTES)..=last.div_euclid(SECTOR_BYTES));
        for word in byte.div_euclid(BANK_WORD_BYTES)..=last.div_euclid(BANK_WORD_BYTES) {
            let bank = word.rem_euclid(BANKS);
            words.entry((lane * phases / LANES, bank)).or_default().insert(word);
            let line = lines.entry(word.div_euclid(BANKS)).or_insert_with(|| vec![Vec::new(); BANKS as usize]);
            if let Some(lanes) = line.get_mut(bank as usize) {
                lanes.push(*lane);
            }
        }
    }
    let touched_lines = lines.len();
    let lines = lines.into_iter().take(MOST_LINES);
    let lines = lines.map(|(line, words)| Line { address: line.saturating_mul(LINE_BYTES), words }).collect();
    let lanes = u32::try_from(accesses.len()).unwrap_or(LANES);
    let degree = words.values().map(BTreeSet::len).max().unwrap_or(0);
    Some(Strip { element_bytes, lines, touched_lines, sectors: sectors.len(), lanes, phases, degree })
}

/// The lanes of the first warp with the first byte that each accesses.
fn accesses(map: &IndexMap, element_bytes: i64) -> Option<Vec<(u32, i64)>> {
    if map.lower.len() != 1 {
        return None;
    }
    let threads: Vec<(usize, i64)> = map
        .upper
        .iter()
        .enumerate()
        .filter(|(_, axis)| axis.role == AxisRole::Thread)
        .map(|(number, axis)| (number, axis.extent.as_ref().and_then(Sym::as_constant).unwrap_or(0)))
        .collect();
    if threads.is_empty() || threads.iter().any(|(_, extent)| *extent < 1) {
        return None;
    }
    let mut accesses = Vec::new();
    for lane in 0..LANES {
        let mut upper = vec![0i64; map.upper.len()];
        let mut digits = digits(i64::from(lane), threads.iter().rev().map(|(_, extent)| *extent));
        for ((axis, _), digit) in threads.iter().rev().zip(&mut digits) {
            *upper.get_mut(*axis)? = digit;
        }
        if digits.rest() > 0 {
            // There are fewer threads than a warp has lanes.
            break;
        }
        let point = maps::evaluate(map, &upper, &|_| None).ok()?;
        if let ([slot], true) = (point.lower.as_slice(), point.valid) {
            accesses.push((lane, slot.checked_mul(element_bytes)?));
        }
    }
    (!accesses.is_empty()).then_some(accesses)
}
