//! Atomic accesses, of elements and of tiles.

use super::Subject::{KernelFunction, PartitionMember};
use super::{Entry, call, choices};
use kernel::functions::{Given, Parameter};

/// A kernel that changes an element of `h` atomically.
macro_rules! changes {
    ($access:literal) => {
        concat!("kernel k(x: i32[64], h: mut i32[8]) {\n    for i in grid(64) { ", $access, " }\n}")
    };
}

/// A kernel that changes a tile of `y` atomically.
macro_rules! changes_tile {
    ($access:literal) => {
        concat!(
            "kernel k(x: i32[8, 4], y: mut i32[2, 4]) {\n    view px = partition(x, [2, 4]);\n    view py = partition(y, [2, 4]);\n    \
             for i in grid(4) { ",
            $access,
            " }\n}"
        )
    };
}

const ELEMENT: Parameter =
    Parameter::new("element", "an element of a tensor or of a shared array, `h[i]`").written("h[i]");
const VALUE: Parameter = Parameter::new("value", "a number");
const EXPECTED: Parameter = Parameter::new("expected", "the number that the element is compared with");
const TILE: Parameter = Parameter::new("tile", "a tile of the partition's shape");
const INDEX: Parameter = Parameter::new("index", "the number of the tile along each dimension").written("i").repeated();
pub(super) const ORDER: Parameter =
    Parameter::new("order", "which other accesses it orders: `relaxed`, none, `acquire`, `release` or `acq_rel`")
        .given(Given::ByName)
        .choices(choices::ORDERS)
        .optional();
pub(super) const SCOPE: Parameter =
    Parameter::new("scope", "the threads among which it is one step: `device`, all of the launch, `block` or `system`")
        .given(Given::ByName)
        .choices(choices::SCOPES)
        .optional();
pub(super) const PAD: Parameter = Parameter::new(
    "pad",
    "what lies beyond the edge: `zero`, `negative_zero`, `positive_inf`, `negative_inf` or `nan`",
)
.given(Given::ByName)
.choices(choices::PADDINGS)
.optional();

const LOAD: &[Parameter] = &[ELEMENT, ORDER, SCOPE];
const CHANGE: &[Parameter] = &[ELEMENT, VALUE, ORDER, SCOPE];
const COMPARE: &[Parameter] = &[ELEMENT, EXPECTED, VALUE, ORDER, SCOPE];
const LOAD_TILE: &[Parameter] = &[INDEX, ORDER, SCOPE];
const LOAD_TILE_MASKED: &[Parameter] = &[INDEX, PAD, ORDER, SCOPE];
const CHANGE_TILE: &[Parameter] = &[TILE, INDEX, ORDER, SCOPE];

pub(super) const ENTRIES: &[Entry] = &[
    call(
        KernelFunction,
        "atomic_load",
        LOAD,
        "The element, read in one step while other threads change it atomically: `let v = atomic_load(h[i]);`.",
        changes!("atomic_add(h[i % 8], 1); let v = atomic_load(h[0]); if v > 3 { atomic_add(h[1], 1); }"),
    ),
    call(
        KernelFunction,
        "atomic_store",
        CHANGE,
        "Writes the element in one step. Of several threads one is the last.",
        changes!("atomic_store(h[i % 8], x[i]);"),
    ),
    call(
        KernelFunction,
        "atomic_add",
        CHANGE,
        "Adds to the element in one step, so that threads may meet there. With `let` it gives the element from before. The order of \
         threads is open, and with it the last digits of a sum of floats.",
        changes!("atomic_add(h[i % 8], x[i]);"),
    ),
    call(
        KernelFunction,
        "atomic_min",
        CHANGE,
        "Makes the element the smaller one of both in one step.",
        changes!("atomic_min(h[i % 8], x[i]);"),
    ),
    call(
        KernelFunction,
        "atomic_max",
        CHANGE,
        "Makes the element the greater one of both in one step.",
        changes!("atomic_max(h[i % 8], x[i]);"),
    ),
    call(
        KernelFunction,
        "atomic_and",
        CHANGE,
        "Keeps the bits of the element that the value has too, in one step.",
        changes!("atomic_and(h[i % 8], x[i]);"),
    ),
    call(
        KernelFunction,
        "atomic_or",
        CHANGE,
        "Sets the bits of the value in the element, in one step.",
        changes!("atomic_or(h[i % 8], x[i]);"),
    ),
    call(
        KernelFunction,
        "atomic_xor",
        CHANGE,
        "Flips the bits of the value in the element, in one step.",
        changes!("atomic_xor(h[i % 8], x[i]);"),
    ),
    call(
        KernelFunction,
        "atomic_exchange",
        CHANGE,
        "Writes the element, and gives the one from before, in one step.",
        changes!("let before = atomic_exchange(h[0], x[i]); atomic_add(h[1], before);"),
    ),
    call(
        KernelFunction,
        "atomic_compare_exchange",
        COMPARE,
        "Writes the element if it equals `expected`, and gives the one from before, in one step.",
        changes!("let before = atomic_compare_exchange(h[0], 0, x[i]); if before == 0 { atomic_add(h[1], 1); }"),
    ),
    call(
        PartitionMember,
        "atomic_load",
        LOAD_TILE,
        "A tile whose elements are read in one step each. The whole tile must lie inside.",
        changes_tile!("py.atomic_add(py.atomic_load(0, 0), 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_load_masked",
        LOAD_TILE_MASKED,
        "A tile whose elements are read in one step each; what lies beyond the edge is the padding.",
        changes_tile!("py.atomic_add(py.atomic_load_masked(0, 0), 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_store",
        CHANGE_TILE,
        "Writes the elements of a tile in one step each. The whole tile must lie inside.",
        changes_tile!("py.atomic_store(px.load(i, 0), 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_store_masked",
        CHANGE_TILE,
        "Writes the elements of a tile in one step each, except what lies beyond the edge.",
        changes_tile!("py.atomic_store_masked(px.load(i, 0), 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_add",
        CHANGE_TILE,
        "Adds a tile to the elements, in one step each, so that blocks may meet there. With `let` it gives the tile from before.",
        changes_tile!("py.atomic_add(px.load(i, 0), 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_add_masked",
        CHANGE_TILE,
        "Adds a tile to the elements, in one step each, except what lies beyond the edge.",
        changes_tile!("py.atomic_add_masked(px.load(i, 0), 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_min",
        CHANGE_TILE,
        "Makes each element the smaller one of both in one step.",
        changes_tile!("py.atomic_min(px.load(i, 0), 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_min_masked",
        CHANGE_TILE,
        "Makes each element the smaller one of both in one step, except what lies beyond the edge.",
        changes_tile!("py.atomic_min_masked(px.load(i, 0), 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_max",
        CHANGE_TILE,
        "Makes each element the greater one of both in one step.",
        changes_tile!("py.atomic_max(px.load(i, 0), 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_max_masked",
        CHANGE_TILE,
        "Makes each element the greater one of both in one step, except what lies beyond the edge.",
        changes_tile!("py.atomic_max_masked(px.load(i, 0), 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_and",
        CHANGE_TILE,
        "Keeps the bits of each element that the tile has too, in one step.",
        changes_tile!("py.atomic_and(px.load(i, 0), 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_and_masked",
        CHANGE_TILE,
        "Keeps the bits of each element that the tile has too, in one step, except what lies beyond the edge.",
        changes_tile!("py.atomic_and_masked(px.load(i, 0), 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_or",
        CHANGE_TILE,
        "Sets the bits of the tile in each element, in one step.",
        changes_tile!("py.atomic_or(px.load(i, 0), 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_or_masked",
        CHANGE_TILE,
        "Sets the bits of the tile in each element, in one step, except what lies beyond the edge.",
        changes_tile!("py.atomic_or_masked(px.load(i, 0), 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_xor",
        CHANGE_TILE,
        "Flips the bits of the tile in each element, in one step.",
        changes_tile!("py.atomic_xor(px.load(i, 0), 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_xor_masked",
        CHANGE_TILE,
        "Flips the bits of the tile in each element, in one step, except what lies beyond the edge.",
        changes_tile!("py.atomic_xor_masked(px.load(i, 0), 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_exchange",
        CHANGE_TILE,
        "Writes the elements of a tile, and gives those from before, in one step each.",
        changes_tile!("let before = py.atomic_exchange(px.load(i, 0), 0, 0); py.atomic_add(before, 0, 0);"),
    ),
    call(
        PartitionMember,
        "atomic_exchange_masked",
        CHANGE_TILE,
        "Writes the elements of a tile, and gives those from before, in one step each, except what lies beyond the edge.",
        changes_tile!("let before = py.atomic_exchange_masked(px.load(i, 0), 0, 0); py.atomic_add(before, 0, 0);"),
    ),
];
