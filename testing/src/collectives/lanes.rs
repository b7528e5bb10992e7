//! Lanes of warps that exchange values.

use elements::ElementType;
use kernel::typed::{BinaryOp, Expr, Statement};

use super::super::build::{
    add, assign, binary, block_barrier, compare, float, for_loop, int, multiply, select, thread_id, warp_barrier,
};
use super::{Maker, Sample, divide, remainder, subtract, times};

/// Lanes of one warp exchange their elements through shared memory.
fn exchange(name: &str, threads: i64, size: i64, lanes: u32, first: Expr, partner: Expr) -> (Maker, Vec<Statement>) {
    let mut maker = Maker::new(name, 2, threads, [2 * threads, 2 * threads]);
    let scratch = maker.builder.shared("scratch", ElementType::F32, threads);
    let round = maker.local("round");
    let value = maker.builder.local("value", ElementType::F32);
    let start = maker.read_x(maker.builder.linear_id());
    let other = maker.read(scratch, partner);
    let current = maker.builder.read(value);
    // Each collective makes one iteration more than the one before.
    let rounds = add(int(1), divide(thread_id(), size));
    let body = vec![
        assign(value, start),
        for_loop(
            round,
            int(0),
            rounds,
            vec![
                maker.write(scratch, thread_id(), current.clone()),
                warp_barrier(lanes, first.clone()),
                assign(value, add(other, float(1.0))),
                warp_barrier(lanes, first),
            ],
        ),
        maker.write_y(maker.builder.linear_id(), current),
    ];
    (maker, body)
}

/// A rotation by five lanes in each warp, with one more iteration in each warp.
pub fn whole_warps() -> Sample {
    let partner = add(times(32, divide(thread_id(), 32)), remainder(add(thread_id(), int(5)), 32));
    let (maker, body) = exchange("whole-warps", 128, 32, u32::MAX, int(0), partner);
    maker.finish(body, |at| {
        let rounds = at % 128 / 32 + 1;
        at / 32 * 32 + (at + 5 * rounds) % 32 + rounds
    })
}

/// The same with half warps, each with its own barriers.
pub fn half_warps() -> Sample {
    let first = times(16, divide(remainder(thread_id(), 32), 16));
    let partner = add(times(16, divide(thread_id(), 16)), remainder(add(thread_id(), int(3)), 16));
    let (maker, body) = exchange("half-warps", 96, 16, 0xffff, first, partner);
    maker.finish(body, |at| {
        let rounds = at % 96 / 16 + 1;
        at / 16 * 16 + (at + 3 * rounds) % 16 + rounds
    })
}

/// Four lanes and the four that are sixteen lanes further synchronise and exchange values.
pub fn quadpairs() -> Sample {
    let first = times(4, divide(remainder(thread_id(), 16), 4));
    let partner = binary(BinaryOp::BitXor, thread_id(), int(16));
    let (maker, body) = exchange("quadpairs", 64, 32, 0x000f_000f, first, partner);
    maker.finish(body, |at| {
        let rounds = at % 64 / 32 + 1;
        (if rounds % 2 == 1 { at ^ 16 } else { at }) + rounds
    })
}

/// A block of one and a half warps: its last warp has fewer lanes, which all wait.
pub fn broken_warp() -> Sample {
    let mut maker = Maker::new("broken-warp", 2, 48, [2 * 48, 2 * 48]);
    let scratch = maker.builder.shared("scratch", ElementType::F32, 48);
    let value = maker.builder.local("value", ElementType::F32);
    let start = maker.read_x(maker.builder.linear_id());
    let partner = binary(BinaryOp::BitXor, thread_id(), int(8));
    let other = maker.read(scratch, partner);
    let current = maker.builder.read(value);
    let is_last = compare(BinaryOp::GreaterEqual, thread_id(), int(32));
    let mirrored = maker.read(scratch, subtract(int(47), thread_id()));
    let chosen = select(is_last, current.clone(), multiply(current.clone(), float(-1.0)));
    let body = vec![
        maker.write(scratch, thread_id(), start),
        warp_barrier(u32::MAX, int(0)),
        assign(value, other),
        block_barrier(),
        maker.write(scratch, thread_id(), chosen),
        block_barrier(),
        maker.write_y(maker.builder.linear_id(), mirrored),
    ];
    maker.finish(body, |at| {
        let (block, own) = (at / 48, 47 - at % 48);
        let value = block * 48 + (own ^ 8);
        if own >= 32 { value } else { -value }
    })
}
