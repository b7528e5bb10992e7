//! What is undefined, or a race, in a program that is well-formed: found by going through all blocks for many sizes.

use std::collections::BTreeSet;

use super::program::*;
use super::rules::Reason;

/// The sizes of each symbol that are tried: so many multiples of what it is a multiple of. No tile of the programs is larger.
const MULTIPLES: i64 = 9;

/// The multiple at which symbols give more blocks than any known extent has tiles.
const LARGE: i64 = 1000;

/// The mistakes of the load and of the store of a program, if these are well-formed.
pub fn mistakes(program: &Program, loads: bool, stores: bool) -> BTreeSet<Reason> {
    if program.target.tile.len() != program.target.extents.len() {
        return BTreeSet::new();
    }
    let symbols = program.symbols();
    let mut found = BTreeSet::new();
    // An index falls or rises along each dimension of the blocks, so of many blocks the corners are enough.
    let large: Vec<i64> = program.multiples.iter().map(|multiple| LARGE * multiple).collect();
    let corners = corners(&Program::space(&program.target, &large));
    found.extend(mistakes_of(program, (loads, stores), &large, corners));
    let mut sizes = program.multiples.clone();
    loop {
        let blocks = blocks(&Program::space(&program.target, &sizes));
        found.extend(mistakes_of(program, (loads, stores), &sizes, blocks));
        // The next sizes, the first symbol the fastest.
        let next = symbols.iter().find(|symbol| sizes[**symbol] < MULTIPLES * program.multiples[**symbol]).copied();
        let Some(next) = next else { return found };
        symbols
            .iter()
            .take_while(|symbol| **symbol != next)
            .for_each(|symbol| sizes[*symbol] = program.multiples[*symbol]);
        sizes[next] += program.multiples[next];
    }
}

/// The mistakes of these blocks.
fn mistakes_of(
    program: &Program,
    (loads, stores): (bool, bool),
    sizes: &[i64],
    blocks: Vec<Vec<i64>>,
) -> BTreeSet<Reason> {
    let mut found = BTreeSet::new();
    let mut stored = BTreeSet::new();
    for block in blocks {
        let mut check = |view: &View, index: &[i64], masked: bool| {
            if !is_defined(view, index, masked, sizes) {
                found.insert(Reason { what: "a tile is inside, or masked at the edge", code: "out-of-bounds" });
            }
        };
        if loads {
            check(&program.source, &numbers(&program.load.index, &block), program.load.masked.is_some());
        }
        if stores {
            let index = numbers(&program.store.index, &block);
            check(&program.target, &index, program.store.masked);
            if !stored.insert(index) && program.store.atomic.is_none() {
                found.insert(Reason { what: "two blocks do not store one tile", code: "race" });
            }
        }
    }
    found
}

/// Whether the access of the tile at an index is defined: no element outside, or, where it is masked, not all of them.
fn is_defined(view: &View, index: &[i64], masked: bool, sizes: &[i64]) -> bool {
    let places = index.iter().zip(&view.tile).zip(&view.extents);
    places.into_iter().all(|((index, tile), extent)| {
        let (first, extent) = (index * tile, extent.value(sizes));
        first >= 0 && if masked { first < extent } else { first + tile <= extent }
    })
}

/// The values of indices in a block; those that are no integers have other reasons.
fn numbers(index: &[Index], block: &[i64]) -> Vec<i64> {
    let value = |index: &Index| match index {
        Index::Block { dimension, offset } => block[*dimension] + offset,
        Index::Constant(value) => *value,
        Index::Fraction | Index::Tile => unreachable!("an earlier rule refuses them"),
    };
    index.iter().map(value).collect()
}

/// Every index of a box.
fn blocks(space: &[i64]) -> Vec<Vec<i64>> {
    space.iter().fold(vec![Vec::new()], |before, extent| {
        let longer =
            |block: &Vec<i64>| (0..*extent).map(|next| [block.as_slice(), &[next]].concat()).collect::<Vec<_>>();
        before.iter().flat_map(longer).collect()
    })
}

/// The corners of a box, each once.
fn corners(space: &[i64]) -> Vec<Vec<i64>> {
    if space.contains(&0) {
        return Vec::new();
    }
    let ends = |extent: &i64| BTreeSet::from([0, extent - 1]);
    space.iter().fold(vec![Vec::new()], |before, extent| {
        let longer = |block: &Vec<i64>| {
            ends(extent).into_iter().map(|end| [block.as_slice(), &[end]].concat()).collect::<Vec<_>>()
        };
        before.iter().flat_map(longer).collect()
    })
}
