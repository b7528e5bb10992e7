//! All forms of the sums of lanes give the bits of exchanges between lanes, one after the other.

use super::numbers;
use crate::lanes::{LANES, available};

/// What each lane of a row has after the exchanges: the sum up to it, and the total.
fn exchanged<N: Copy>(row: &[N], plus: impl Fn(N, N) -> N) -> (Vec<N>, N) {
    let (mut own, mut sums) = (row.to_vec(), row.to_vec());
    for bit in [1, 2, 4, 8, 16] {
        let before = sums.clone();
        for lane in 0..LANES {
            let other = before[lane ^ bit];
            if lane & bit != 0 {
                own[lane] = plus(other, own[lane]);
            }
            sums[lane] = plus(before[lane], other);
        }
    }
    (own, sums[0])
}

#[test]
fn sums_of_lanes_have_the_bits_of_exchanges() {
    const ROWS: usize = 7;
    // Floats of very different sizes, so that another order would have other bits.
    let bits: Vec<u32> = numbers(5).take(ROWS * LANES).map(|bits| bits as u32 & 0xbfff_ffff | 0x3000_0000).collect();
    let floats: Vec<f32> = bits.iter().map(|bits| f32::from_bits(*bits)).collect();
    let integers: Vec<i32> = bits.iter().map(|bits| *bits as i32).collect();
    for kernels in available() {
        let (mut totals, mut running) = (vec![0.0; ROWS * LANES], floats.clone());
        // SAFETY: the rows are in both arrays.
        unsafe { (kernels.f32.totals)(floats.as_ptr(), totals.as_mut_ptr(), ROWS) };
        // SAFETY: the same, and no totals are wanted.
        unsafe { (kernels.f32.running)(running.as_mut_ptr(), std::ptr::null_mut(), ROWS) };
        let (mut whole, mut up_to) = (vec![0; ROWS * LANES], integers.clone());
        // SAFETY: the rows are in both arrays.
        unsafe { (kernels.i32.running)(up_to.as_mut_ptr(), whole.as_mut_ptr(), ROWS) };
        for row in 0..ROWS {
            let places = row * LANES..(row + 1) * LANES;
            let (expected, total) = exchanged(&floats[places.clone()], |left, right| left + right);
            let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<u32>>();
            assert_eq!(bits(&running[places.clone()]), bits(&expected));
            assert_eq!(totals[row * LANES].to_bits(), total.to_bits());
            let (expected, total) = exchanged(&integers[places.clone()], i32::wrapping_add);
            assert_eq!((&up_to[places], whole[row * LANES]), (expected.as_slice(), total));
        }
        let mut only = vec![0; ROWS * LANES];
        // SAFETY: the rows are in both arrays.
        unsafe { (kernels.i32.totals)(integers.as_ptr(), only.as_mut_ptr(), ROWS) };
        assert_eq!(only, whole);
    }
}
