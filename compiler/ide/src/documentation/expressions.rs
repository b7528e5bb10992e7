//! Words of expressions.

use super::entry::Subject::Expression;
use super::entry::{Entry, entry};

pub(super) const ENTRIES: &[Entry] = &[
    entry(Expression, "true", "true", "The truth value that holds.", "const checked = true;"),
    entry(Expression, "false", "false", "The truth value that does not hold.", "const checked = !false;"),
    entry(
        Expression,
        "inf",
        "inf",
        "Infinity, of any float type: larger than every other float. `-inf` is smaller than every other one.",
        "kernel largest(x: f32[8], y: mut f32[1]) grid(1) block(1) {\n    let mut m = -inf;\n    for i in 0..8 { m = max(m, x[i]); }\n    y[0] = m;\n}",
    ),
    entry(
        Expression,
        "nan",
        "nan",
        "Not a number, of any float type: it is equal to nothing, not even to itself. `isnan(x)` asks for it.",
        "kernel mark(x: f32[8], y: mut f32[8]) {\n    for i in grid(8) { y[i] = if x[i] < 0.0 { nan } else { x[i] }; }\n}",
    ),
    entry(
        Expression,
        "if",
        "if CONDITION { a } else { b }",
        "Chooses a value. Outside kernels the condition must be the same for every size.",
        "const B = 64;\nconst tiles = if B < 128 { 2 } else { 1 };",
    ),
    entry(
        Expression,
        "else",
        "if CONDITION { a } else { b }",
        "Stands before the value where the condition does not hold.",
        "const tiles = if 64 < 128 { 2 } else { 1 };",
    ),
    entry(
        Expression,
        "gpu",
        "gpu::reshape_map!(…)",
        "The prefix of the Rust macro. It is accepted and means nothing, so that its text can be pasted.",
        "gpu::reshape_map!([3] | [4] => layout: [1, 0]);",
    ),
    entry(
        Expression,
        "_",
        "_",
        "No thread, or a coordinate that is not valid. In a group of a pipeline it leaves a dimension as it is, as \
         `pass_through` does; among the lengths of `unmerge` it is the one that follows from the others.",
        "map gaps = reshape_map([(3, 4)] | [4] => layout: [i0, t0]);\nassert gaps(3, 0) == _;",
    ),
    entry(
        Expression,
        "?",
        "?",
        "A symbolic dimension without a name of its own; it is called after its shape and its position.",
        "batch : [?, 3, 224, 224];",
    ),
];
