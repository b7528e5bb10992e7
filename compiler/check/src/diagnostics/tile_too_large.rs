//! Tiles larger than the memory of a block, or too many operations on them.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::shared_too_large::NoRoom;
use super::words;
use syntax::span::Span;

/// The documentation of `tile-too-large`.
pub static PAGE: Page = Page {
    code: "tile-too-large",
    severity: Severity::Error,
    title: "the tiles of a kernel are larger than the memory of a block",
    explanation: "The tiles of a block stand in its shared memory, one for each operation that gives one; beyond 48 KiB, a tile takes the
place of one of its type and shape that is no longer needed. A block can have 48 KiB everywhere, and more on newer GPUs: 99 KiB on sm_86 and sm_89, 163 KiB on sm_80, 227 KiB from sm_90 on. `check --target sm_80`
compares with what one GPU has, otherwise any that is known will do.

Use smaller tiles, or a narrower type. A kernel has at most 512 loads, stores and other operations on tiles; put what is repeated
into a loop.",
    wrong: "kernel copy(x: f32[512, 512], y: mut f32[512, 512]) {
    view px = partition(x, [512, 512]);
    view py = partition(y, [512, 512]);
    for (i, j) in grid(px.index_space) { py.store(px.load(i, j), i, j); }
}
",
    right: "kernel copy(x: f32[512, 512], y: mut f32[512, 512]) {
    view px = partition(x, [64, 64]);
    view py = partition(y, [64, 64]);
    for (i, j) in grid(px.index_space) { py.store(px.load(i, j), i, j); }
}
",
};

/// There is no room for a tile of this shape.
pub(crate) fn tile_too_large(span: Span, tile: &[i64], room: &NoRoom) -> Diagnostic {
    let shape = format!("[{}]", words::numbers(tile));
    PAGE.at(span, format!("this tile of {shape} {}", room.text("tiles")))
        .label(format!("at most {} bytes", room.limit))
        .help("use smaller tiles, or a narrower element type")
}

/// A kernel has more than `most` operations on tiles.
pub(crate) fn too_many_tiles(span: Span, most: usize) -> Diagnostic {
    PAGE.at(span, format!("this kernel has more than {most} operations on tiles"))
        .label("one too many")
        .help("put what is repeated into a loop")
}
