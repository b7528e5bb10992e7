//! Functions of other languages, and their counterparts in kernels.

use super::unknown_local::IDS;
use elements::ElementType;
use kernel::functions::Function;

/// The function of a kernel with another name elsewhere.
pub(super) fn meant(name: &str) -> Option<&'static str> {
    let function = Function::from_elsewhere(name).map(|function| function.name);
    function.or_else(|| conversion(name))
}

/// The conversion with another name elsewhere, as a type or a function.
fn conversion(name: &str) -> Option<&'static str> {
    let element = match name {
        "__half2float" | "__int2float_rn" => Some(ElementType::F32),
        "__float2half" => Some(ElementType::F16),
        _ => ElementType::from_elsewhere(name),
    };
    element.map(ElementType::name)
}

/// The names of functions elsewhere, and the advice for them.
type Advice = (&'static [&'static str], &'static str);

/// Advice for a function without a counterpart.
pub(super) fn advice(name: &str) -> Option<&'static str> {
    let found = all().find(|(names, _)| names.contains(&name));
    found.map(|(_, advice)| *advice)
}

fn all() -> impl Iterator<Item = &'static Advice> {
    [THREADS, MEMORY, TILES, NUMBERS, EXCHANGES, ATOMICS, BITS, WORDS].into_iter().flatten()
}

/// The threads of a launch, and their order.
const THREADS: &[Advice] = &[
    (
        &["__syncthreads", "__syncwarp", "syncthreads", "barrier", "workgroupBarrier"],
        "leave it out: where a thread reads what another one wrote to a shared array, the compiler puts the barrier",
    ),
    (&["program_id", "get_global_id", "get_local_id", "get_group_id"], IDS),
    (
        &["num_programs"],
        "write the size of the grid itself: `py.index_space(0)` in `for (i, j) in grid(py.index_space)`",
    ),
    (&["__activemask"], "leave it out: all threads of a warp exchange values together, which the compiler proves"),
];

/// Accesses of memory.
const MEMORY: &[Advice] = &[
    (
        &["load", "store"],
        "write the access itself, `x[i]`, with an `if` around it in place of a mask; a tile is loaded through a \
             partition, `px.load_masked(i)`",
    ),
    (&["printf", "print"], "a kernel prints nothing: store the value in a tensor, which a run shows and saves"),
    (&["__ldg", "__ldcs", "__stcs"], "write the access itself, `x[i]`: what is only read is marked as such on a GPU"),
];

/// What tiles do.
const TILES: &[Advice] = &[
    (
        &["dot", "einsum", "bmm", "mm"],
        "`matmul(a, b)` multiplies two tiles, and `mma(a, b, acc)` adds their product to a third one",
    ),
    (
        &["arange"],
        "`iota(i64[128])` is a tile of the numbers from 0 on; threads are numbered by `for t in threads(128, cuda_thread)`",
    ),
    (&["partition"], "a tensor that is divided into tiles is a view: `view px = partition(x, [4, 64]);`"),
    (&["zeros_like", "empty", "empty_like"], "write the type with its extents: `zeros(f32[64, 64])`"),
    (&["ones_like", "full_like"], "write the type with its extents: `full(f32[64, 64], 1.0)`"),
    (&["astype", "cast"], "convert by the name of the type: `f16(x)`"),
    (&["expand_dims", "unsqueeze"], "`t.insert(0)` is the tile with a dimension of extent 1 more"),
    (&["flatten", "ravel", "squeeze", "reshape"], "`t.reshape([64])` is the tile in another shape"),
    (
        &["broadcast", "broadcast_to", "expand"],
        "write the operation itself: an extent of 1 extends to that of the other operand; `t.insert(0)` adds one",
    ),
    (
        &["stack", "concatenate", "concat", "hstack", "vstack"],
        "`cat([a, b], 0)` puts tiles one after the other along a dimension",
    ),
    (&["transpose", "trans", "permute"], "`t.permute(1, 0)` exchanges the dimensions of a tile"),
    (&["where"], "write `if c { a } else { b }`, or `select(c, a, b)`"),
    (&["sum"], "a tile has a sum along its dimensions, `t.sum(1)`; of a row of a tensor write a loop, `s += x[j];`"),
    (&["prod"], "a tile has a product along its dimensions: `t.prod(1)`"),
    (&["mean"], "a tile has a mean along its dimensions: `t.mean(1)`"),
    (&["any", "all"], "a tile of truth values has it along its dimensions: `t.any(1)`"),
    (
        &["argmax", "argmin", "sort", "argsort", "cumsum", "cumprod"],
        "it stands behind a tile, with the dimension along which: `t.argmax(1)`, `t.sort(1)`, `t.cumsum(1)`",
    ),
];

/// Functions of numbers.
const NUMBERS: &[Advice] = &[
    (&["sign", "signum", "sgn"], "write `if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { 0.0 }`"),
    (&["sigmoid"], "write `1.0 / (1.0 + exp(-x))`"),
    (&["relu"], "write `max(x, 0.0)`"),
    (&["trunc", "truncf"], "write `if x < 0.0 { ceil(x) } else { floor(x) }`"),
    (&["log1p", "log1pf"], "write `log(1.0 + x)`"),
    (&["expm1", "expm1f"], "write `exp(x) - 1.0`"),
    (&["isinf"], "write `abs(x) == inf`"),
    (&["isfinite"], "write `abs(x) < inf`"),
    (&["fmod", "fmodf", "mod"], "write `a % b`"),
    (&["exp10", "exp10f"], "write `exp(x * 2.302585092994046)`"),
    (&["sinh", "sinhf"], "write `(exp(x) - exp(-x)) / 2.0`"),
    (&["cosh", "coshf"], "write `(exp(x) + exp(-x)) / 2.0`"),
    (&["erfc", "erfcf"], "write `1.0 - erf(x)`"),
    (&["asin", "asinf", "arcsin"], "write `atan2(x, sqrt((1.0 - x) * (1.0 + x)))`"),
    (&["acos", "acosf", "arccos"], "write `atan2(sqrt((1.0 - x) * (1.0 + x)), x)`"),
    (&["asinh", "asinhf"], "write `log(x + sqrt(x * x + 1.0))`"),
    (&["acosh", "acoshf"], "write `log(x + sqrt(x * x - 1.0))`"),
    (&["atanh", "atanhf"], "write `0.5 * log((1.0 + x) / (1.0 - x))`"),
];

/// Values that threads exchange.
const EXCHANGES: &[Advice] = &[
    (
        &["__shfl_sync", "__shfl", "shfl", "shfl_sync", "subgroupBroadcast", "subgroupShuffle"],
        "write `shuffle(v, lane)`: all threads of the warp do it together, and there is no mask",
    ),
    (
        &["__shfl_up_sync", "__shfl_up", "shfl_up", "shfl_up_sync", "subgroupShuffleUp"],
        "write `shuffle_up(v, distance)`: all threads of the warp do it together, and there is no mask",
    ),
    (
        &["__shfl_down_sync", "__shfl_down", "shfl_down", "shfl_down_sync", "subgroupShuffleDown"],
        "write `shuffle_down(v, distance)`, where there is no mask; a sum of all lanes is `sum(v, over: warp)`",
    ),
    (
        &["__shfl_xor_sync", "__shfl_xor", "shfl_xor", "shfl_xor_sync", "subgroupShuffleXor"],
        "write `shuffle_xor(v, mask)`, where there is no mask of threads; a sum of all lanes is `sum(v, over: warp)`",
    ),
    (
        &["__ballot_sync", "__ballot", "ballot_sync", "subgroupBallot"],
        "write `ballot(c)`: all threads of the warp do it together, and there is no mask",
    ),
    (
        &["__any_sync", "any_sync", "__any", "subgroupAny", "__syncthreads_or"],
        "write `any(c, over: warp)`, or `over: block` for all threads of the block",
    ),
    (
        &["__all_sync", "all_sync", "__all", "subgroupAll", "__syncthreads_and"],
        "write `all(c, over: warp)`, or `over: block` for all threads of the block",
    ),
    (&["__syncthreads_count"], "write `sum(if c { 1 } else { 0 }, over: block)`"),
    (
        &["__reduce_add_sync", "warpReduceSum", "warp_reduce_sum", "warp_sum", "WarpReduce", "subgroupAdd"],
        "write `sum(v, over: warp)`",
    ),
    (
        &["__reduce_max_sync", "warpReduceMax", "warp_reduce_max", "warp_max", "subgroupMax"],
        "write `max(v, over: warp)`",
    ),
    (
        &["__reduce_min_sync", "warpReduceMin", "warp_reduce_min", "warp_min", "subgroupMin"],
        "write `min(v, over: warp)`",
    ),
    (&["blockReduceSum", "block_reduce_sum", "block_sum", "BlockReduce", "blockReduce"], "write `sum(v, over: block)`"),
    (&["blockReduceMax", "block_reduce_max", "block_max"], "write `max(v, over: block)`"),
    (
        &["InclusiveSum", "inclusive_scan", "BlockScan", "WarpScan", "block_scan", "warp_scan", "subgroupInclusiveAdd"],
        "write `cumsum(v, over: block)`, or `over: warp`",
    ),
    (
        &["ExclusiveSum", "exclusive_scan", "subgroupExclusiveAdd"],
        "write `cumsum(v, over: block) - v`, or `over: warp`",
    ),
    (
        &["__match_any_sync", "__match_all_sync"],
        "lanes with one value are not found by a function: compare with the value of each lane, `shuffle(v, k)`, in a loop",
    ),
];

/// Atomic accesses.
const ATOMICS: &[Advice] = &[
    (&["atomicSub", "atomic_sub", "atomicDec"], "add the negative: `atomic_add(h[i], -v);`"),
    (&["atomicInc"], "write `atomic_add(h[i], 1);`"),
];

/// The bits of numbers, and conversions.
const BITS: &[Advice] = &[
    (
        &[
            "__nv_cvt_float_to_fp8",
            "__nv_cvt_double_to_fp8",
            "__nv_cvt_halfraw_to_fp8",
            "__nv_cvt_bfloat16raw_to_fp8",
            "__nv_cvt_fp8_to_halfraw",
        ],
        "convert by the name of the type: `e4m3(x)` and `e5m2(x)`, which saturate, `f16(q)`",
    ),
    (
        &[
            "__float_as_uint",
            "__float_as_int",
            "__uint_as_float",
            "__int_as_float",
            "__double_as_longlong",
            "__longlong_as_double",
            "__half_as_ushort",
            "__ushort_as_half",
            "__half_as_short",
            "__short_as_half",
            "__bfloat16_as_ushort",
            "__ushort_as_bfloat16",
            "bit_cast",
            "element_bitcast",
            "view",
            "reinterpret_cast",
            "bitcast_convert_type",
            "transmute",
        ],
        "take the bits for another type with `bitcast(u32, x)`, in which the type that they become stands first",
    ),
];

/// What has words of its own here.
const WORDS: &[Advice] = &[
    (
        &[
            "float2",
            "float3",
            "float4",
            "make_float2",
            "make_float3",
            "make_float4",
            "int2",
            "int4",
            "make_int2",
            "make_int4",
        ],
        "there are no types of several numbers: give each thread a `view` with several elements, or write one variable for each number",
    ),
    (&["switch"], "write `if i == 0 { … } else if i == 1 { … } else { … }`"),
    (&["assert"], "what a run shall give is said behind it: `run f(…) expect y == 2.0 * x;`"),
    (&["saturate"], "write `clamp(x, 0.0, 1.0)`"),
    (&["range"], "write `lo..hi`"),
    (&["len"], "a size has a name: declare it with `dim N;`, and write `x: f32[N]`"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_function_has_two_pieces_of_advice() {
        let mut seen = HashSet::new();
        for name in all().flat_map(|(names, _)| *names) {
            assert!(seen.insert(name), "{name}");
        }
    }

    #[test]
    fn no_function_with_advice_has_a_counterpart() {
        for name in all().flat_map(|(names, _)| *names) {
            assert_eq!(meant(name), None, "{name}");
        }
    }

    #[test]
    fn advice_says_what_to_write() {
        let expected = "write the size of the grid itself: `py.index_space(0)` in `for (i, j) in grid(py.index_space)`";
        assert_eq!(advice("num_programs"), Some(expected));
        assert_eq!(advice("relu"), Some("write `max(x, 0.0)`"));
        assert_eq!(advice("exp"), None);
    }
}
