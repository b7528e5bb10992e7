//! Tests of every function in every form that this processor can run.

mod accuracy;
mod exact;
mod forms;
mod lanes;
mod special;
mod tiles;

/// A reproducible sequence of pseudo-random numbers.
pub fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    })
}

/// The numbers of a type at which functions have special cases.
macro_rules! edges {
    ($real:ident) => {{
        let mut edges = vec![
            0.0,
            1.0,
            0.5,
            2.0,
            3.0,
            $real::MIN_POSITIVE,
            $real::MIN_POSITIVE / 2.0,
            $real::from_bits(1),
            $real::MAX,
            $real::INFINITY,
            $real::NAN,
            $real::EPSILON,
            1.0 + $real::EPSILON,
            1.0 - $real::EPSILON / 2.0,
            std::$real::consts::PI,
            std::$real::consts::FRAC_PI_4,
            std::$real::consts::SQRT_2,
            std::$real::consts::FRAC_1_SQRT_2,
            std::$real::consts::LN_2 / 2.0,
            1_048_576.0,
            88.722_84,
            709.782_7,
            1024.0,
            -149.0,
            -1074.0,
        ];
        let negative: Vec<$real> = edges.iter().map(|&edge| -edge).collect();
        edges.extend(negative);
        edges
    }};
}
pub(super) use edges;
