//! Sums and running sums of the 32 lanes of a warp, in the order in which lanes exchange them: each lane adds what the lane has
//! whose number differs in the lowest bit, then in the next one, and so on.

use std::sync::LazyLock;

/// The lanes of a warp.
pub const LANES: usize = 32;

/// Adds up each of `groups` rows of [`LANES`] numbers. The total of a row stands in `totals` at the place of its first number.
///
/// # Safety
///
/// So many numbers can be read from `values` on and written from `totals` on, which are different.
pub type Totals<N> = unsafe extern "C" fn(values: *const N, totals: *mut N, groups: usize);

/// The same; each number is replaced by the sum of the row up to it. `totals` may be null.
///
/// # Safety
///
/// As for [`Totals`]; in addition, the numbers from `values` on can be written.
pub type Running<N> = unsafe extern "C" fn(values: *mut N, totals: *mut N, groups: usize);

/// The functions of a type.
#[derive(Clone, Copy, Debug)]
pub struct LaneSums<N> {
    /// The sums.
    pub totals: Totals<N>,
    /// The running sums.
    pub running: Running<N>,
}

/// The functions of an instruction set.
#[derive(Clone, Copy, Debug)]
pub struct LaneKernels {
    /// Sums of `f32`.
    pub f32: LaneSums<f32>,
    /// Sums of integers of 32 bits, signed or not, which wrap.
    pub i32: LaneSums<i32>,
}

/// The functions for this processor.
pub fn lane_kernels() -> &'static LaneKernels {
    static FASTEST: LazyLock<&'static LaneKernels> = LazyLock::new(|| available()[0]);
    &FASTEST
}

/// The functions that this processor can run, the fastest ones first.
pub fn available() -> Vec<&'static LaneKernels> {
    let mut found = Vec::new();
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        found.push(&wide::KERNELS);
    }
    found.push(&PORTABLE);
    found
}

static PORTABLE: LaneKernels = LaneKernels {
    f32: LaneSums { totals: totals::<f32>, running: running::<f32> },
    i32: LaneSums { totals: totals::<i32>, running: running::<i32> },
};

/// A number that is added up.
trait Number: Copy {
    fn plus(self, other: Self) -> Self;
}

impl Number for f32 {
    #[inline(always)]
    fn plus(self, other: f32) -> f32 {
        self + other
    }
}

impl Number for i32 {
    #[inline(always)]
    fn plus(self, other: i32) -> i32 {
        self.wrapping_add(other)
    }
}

unsafe extern "C" fn totals<N: Number>(values: *const N, totals: *mut N, groups: usize) {
    for group in 0..groups {
        // SAFETY: the rows are in both arrays, as the caller guarantees.
        unsafe {
            let row = values.add(group * LANES).cast::<[N; LANES]>().read();
            *totals.add(group * LANES) = total(row);
        }
    }
}

/// The sum of the numbers of a row: neighbours are added, then neighbouring sums, and so on.
#[inline(always)]
fn total<N: Number>(row: [N; LANES]) -> N {
    let mut sums = row;
    let mut count = LANES;
    while count > 1 {
        count /= 2;
        for place in 0..count {
            sums[place] = sums[2 * place].plus(sums[2 * place + 1]);
        }
    }
    sums[0]
}

unsafe extern "C" fn running<N: Number>(values: *mut N, totals: *mut N, groups: usize) {
    for group in 0..groups {
        // SAFETY: the rows are in both arrays, as the caller guarantees, unless there are no totals.
        unsafe {
            let row = values.add(group * LANES).cast::<[N; LANES]>();
            let (mut own, mut sums) = (row.read(), row.read());
            for bit in [1, 2, 4, 8, 16] {
                let before = sums;
                for lane in 0..LANES {
                    let other = before[lane ^ bit];
                    if lane & bit != 0 {
                        own[lane] = other.plus(own[lane]);
                    }
                    sums[lane] = before[lane].plus(other);
                }
            }
            row.write(own);
            if !totals.is_null() {
                *totals.add(group * LANES) = sums[0];
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    //! A row in two vectors of 512 bits.

    use std::arch::x86_64::*;

    use super::{LANES, LaneKernels, LaneSums};

    pub static KERNELS: LaneKernels = LaneKernels {
        f32: LaneSums { totals: totals_f32, running: running_f32 },
        i32: LaneSums { totals: totals_i32, running: running_i32 },
    };

    macro_rules! sums {
        ($totals:ident, $running:ident, $number:ident, $vector:ident, $load:ident, $store:ident, $add:ident, $masked:ident, $near:ident, $far:ident, $first:expr) => {
            /// # Safety
            ///
            /// The processor has AVX-512, and the arguments are as for [`super::Totals`].
            #[target_feature(enable = "avx512f")]
            unsafe extern "C" fn $totals(values: *const $number, totals: *mut $number, groups: usize) {
                for group in 0..groups {
                    // SAFETY: the rows are in both arrays, as the caller guarantees.
                    unsafe {
                        let row = values.add(group * LANES);
                        let mut sums = [$load(row.cast()), $load(row.add(LANES / 2).cast())];
                        for sum in &mut sums {
                            *sum = $add(*sum, $near::<0b10_11_00_01>(*sum));
                            *sum = $add(*sum, $near::<0b01_00_11_10>(*sum));
                            *sum = $add(*sum, $far::<0b10_11_00_01>(*sum, *sum));
                            *sum = $add(*sum, $far::<0b01_00_11_10>(*sum, *sum));
                        }
                        *totals.add(group * LANES) = $first($add(sums[0], sums[1]));
                    }
                }
            }

            /// # Safety
            ///
            /// The processor has AVX-512, and the arguments are as for [`super::Running`].
            #[target_feature(enable = "avx512f")]
            unsafe extern "C" fn $running(values: *mut $number, totals: *mut $number, groups: usize) {
                for group in 0..groups {
                    // SAFETY: the rows are in both arrays, as the caller guarantees, unless there are no totals.
                    unsafe {
                        let row = values.add(group * LANES);
                        let halves = [row, row.add(LANES / 2)];
                        let mut own: [$vector; 2] = halves.map(|half| $load(half.cast()));
                        let mut sums = own;
                        for (own, sum) in own.iter_mut().zip(&mut sums) {
                            let other = $near::<0b10_11_00_01>(*sum);
                            *own = $masked(*own, 0xaaaa, other, *own);
                            *sum = $add(*sum, other);
                            let other = $near::<0b01_00_11_10>(*sum);
                            *own = $masked(*own, 0xcccc, other, *own);
                            *sum = $add(*sum, other);
                            let other = $far::<0b10_11_00_01>(*sum, *sum);
                            *own = $masked(*own, 0xf0f0, other, *own);
                            *sum = $add(*sum, other);
                            let other = $far::<0b01_00_11_10>(*sum, *sum);
                            *own = $masked(*own, 0xff00, other, *own);
                            *sum = $add(*sum, other);
                        }
                        own[1] = $add(sums[0], own[1]);
                        halves.into_iter().zip(own).for_each(|(half, own)| $store(half.cast(), own));
                        if !totals.is_null() {
                            *totals.add(group * LANES) = $first($add(sums[0], sums[1]));
                        }
                    }
                }
            }
        };
    }

    /// The sums of integers are shuffled as floats, since both have the same bits.
    #[target_feature(enable = "avx512f")]
    fn near_i32<const ORDER: i32>(vector: __m512i) -> __m512i {
        _mm512_castps_si512(_mm512_permute_ps::<ORDER>(_mm512_castsi512_ps(vector)))
    }

    sums!(
        totals_f32,
        running_f32,
        f32,
        __m512,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        _mm512_add_ps,
        _mm512_mask_add_ps,
        _mm512_permute_ps,
        _mm512_shuffle_f32x4,
        |sum| _mm512_cvtss_f32(sum)
    );
    sums!(
        totals_i32,
        running_i32,
        i32,
        __m512i,
        _mm512_loadu_si512,
        _mm512_storeu_si512,
        _mm512_add_epi32,
        _mm512_mask_add_epi32,
        near_i32,
        _mm512_shuffle_i32x4,
        |sum| _mm512_cvtsi512_si32(sum)
    );
}
