//! Random access patterns of the kinds that kernels have: rows and columns, padded, swizzled, masked.

use maps::AxisRole;
use random_maps::{Choices, Node, Recipe, Size};

fn number(value: i64) -> Size {
    Size::Number(value)
}

/// A tile whose lanes run along rows or columns, with a stride that may be padded, a swizzle and masks.
pub(super) fn pattern(choices: &mut Choices) -> Recipe {
    let threads = choices.pick(&[1, 7, 16, 31, 32, 33, 48, 64, 70, 96]);
    let locals: Vec<i64> = (0..choices.below(3)).map(|_| choices.pick(&[1, 2, 3, 4, 5, 8])).collect();
    let mut recipe = Recipe { extents: Vec::new(), nodes: Vec::new(), lower: Vec::new(), masks: Vec::new() };
    let split = choices.chance(3);
    let thread_axes = if split { vec![choices.pick(&[1, 2, 3]), threads] } else { vec![threads] };
    let role = if choices.chance(8) { AxisRole::Thread } else { AxisRole::Local };
    // A layout has no threads, and one coordinate for each lane.
    let thread_axes = if role == AxisRole::Local { vec![threads] } else { thread_axes };
    recipe.extents.extend(locals.iter().map(|local| (number(*local), AxisRole::Local)));
    recipe.extents.extend(thread_axes.iter().map(|extent| (number(*extent), role)));
    let axes = recipe.extents.len();
    recipe.nodes.extend((0..axes).map(Node::Coordinate));
    let mut parts = Vec::new();
    for axis in 0..axes {
        let stride = choices.pick(&[0, 1, 1, 2, 3, 4, 4, 8, 16, 31, 32, 33, 64, 128, -1, -4, 132]);
        parts.push((number(stride), natural(choices, axis, axes, &mut recipe)));
    }
    let address = recipe.nodes.len();
    recipe.nodes.push(Node::Sum(number(choices.pick(&[0, 0, 0, 1, 4, 7, 32])), parts));
    let extent = choices.chance(2).then(|| number(choices.pick(&[64, 100, 1024, 4096])));
    recipe.lower.push((address, extent));
    for _ in 0..choices.below(3) {
        let (low, high) = (choices.pick(&[0, 1, 4]), choices.pick(&[3, 4, 20, 32, 40, 100, 1000]));
        let value = choices.below(recipe.nodes.len());
        recipe.masks.push((value, choices.chance(3).then(|| number(low)), choices.chance(8).then(|| number(high))));
    }
    recipe
}

/// A coordinate, a digit of it, or a swizzle of it by another one; its number among the nodes.
fn natural(choices: &mut Choices, axis: usize, axes: usize, recipe: &mut Recipe) -> usize {
    let node = recipe.nodes.len();
    match choices.below(6) {
        0 => recipe.nodes.push(Node::Xor(axis, choices.below(axes))),
        1 => {
            let (divisor, modulus) = (choices.pick(&[1, 2, 4, 8, 3]), choices.pick(&[2, 4, 8, 16, 32, 5]));
            recipe.nodes.push(Node::Digit(axis, number(divisor), choices.chance(7).then(|| number(modulus))));
        }
        2 => {
            let row = choices.below(axes);
            recipe.nodes.push(Node::Digit(row, number(1), Some(number(choices.pick(&[4, 8, 32])))));
            recipe.nodes.push(Node::Xor(axis, node));
            return node + 1;
        }
        _ => return axis,
    }
    node
}

/// A map that is linear over the bits of a lane number, and the masks of those bits that each bit of the address adds up.
pub(super) fn linear_over_bits(choices: &mut Choices) -> (Recipe, Vec<u32>) {
    let mut recipe = Recipe {
        extents: vec![(number(32), AxisRole::Thread)],
        nodes: vec![Node::Coordinate(0)],
        lower: Vec::new(),
        masks: Vec::new(),
    };
    for bit in 0..5 {
        recipe.nodes.push(Node::Digit(0, number(1 << bit), Some(number(2))));
    }
    let zero = recipe.nodes.len();
    recipe.nodes.push(Node::Sum(number(0), Vec::new()));
    let masks: Vec<u32> = (0..8).map(|_| choices.below(32) as u32).collect();
    let mut parts = Vec::new();
    for (row, mask) in masks.iter().enumerate() {
        let mut sum = zero;
        for bit in (0..5).filter(|bit| mask & (1 << bit) != 0) {
            recipe.nodes.push(Node::Xor(sum, 1 + bit));
            sum = recipe.nodes.len() - 1;
        }
        parts.push((number(1 << row), sum));
    }
    recipe.nodes.push(Node::Sum(number(0), parts));
    recipe.lower.push((recipe.nodes.len() - 1, None));
    (recipe, masks)
}

/// One stride for the lanes, from a base address on.
pub(super) fn stride(threads: i64, stride: i64, base: i64) -> Recipe {
    Recipe {
        extents: vec![(number(threads), AxisRole::Thread)],
        nodes: vec![Node::Coordinate(0), Node::Sum(number(base), vec![(number(stride), 0)])],
        lower: vec![(1, None)],
        masks: Vec::new(),
    }
}

/// A layout of rows and columns, `columns` of them used, with lanes along one of the two; swizzled or not.
pub(super) fn tile(rows: i64, columns: i64, row_stride: i64, swizzled: bool) -> Recipe {
    let mut recipe = Recipe {
        extents: vec![(number(rows), AxisRole::Local), (number(columns), AxisRole::Local)],
        nodes: vec![Node::Coordinate(0), Node::Coordinate(1)],
        lower: Vec::new(),
        masks: Vec::new(),
    };
    let mut column = 1;
    if swizzled {
        recipe.nodes.push(Node::Digit(0, number(1), Some(number(columns))));
        recipe.nodes.push(Node::Xor(1, 2));
        column = 3;
    }
    recipe.nodes.push(Node::Sum(number(0), vec![(number(row_stride), 0), (number(1), column)]));
    recipe.lower.push((recipe.nodes.len() - 1, None));
    recipe
}

/// Local coordinates and a thread with one stride each, nested compactly or with gaps.
pub(super) fn strided(choices: &mut Choices) -> Recipe {
    let mut recipe = Recipe { extents: Vec::new(), nodes: Vec::new(), lower: Vec::new(), masks: Vec::new() };
    let (mut stride, mut parts) = (1, Vec::new());
    for axis in 0..1 + choices.below(3) {
        let extent = choices.pick(&[1, 2, 3, 4, 6, 8]);
        recipe.extents.push((number(extent), AxisRole::Local));
        recipe.nodes.push(Node::Coordinate(axis));
        parts.push((number(stride), axis));
        stride *= extent;
        stride += choices.pick(&[0, 0, 0, 1, 2, 4, 16]);
    }
    let thread = recipe.extents.len();
    recipe.extents.push((number(choices.pick(&[2, 4, 5])), AxisRole::Thread));
    recipe.nodes.push(Node::Coordinate(thread));
    parts.push((number(stride * choices.pick(&[1, 1, 2, 4])), thread));
    recipe.nodes.push(Node::Sum(number(choices.pick(&[0, 0, 0, 2, 4, 8, 16])), parts));
    recipe.lower.push((thread + 1, None));
    recipe
}
