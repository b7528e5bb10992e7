//! All forms give the same bits, for single numbers and for slices.

use super::{edges, numbers};
use crate::forms::{Form, available};
use crate::{BinaryFunction, Computed, Function};

/// The bits of a number, for messages and for comparisons that distinguish signed zeros.
trait Bits: Computed + std::fmt::LowerExp {
    fn bits(self) -> u64;
}

impl Bits for f32 {
    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Bits for f64 {
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// The function values in the portable form, one by one, without vectors.
fn one_by_one<R: Copy>(values: &[R], of: impl Fn(&Form, R) -> R) -> Vec<R> {
    let forms = available();
    let portable = forms.last().expect("there is a portable form");
    values.iter().map(|&x| of(portable, x)).collect()
}

fn check<R: Bits>(values: &[R]) {
    for function in Function::ALL {
        let place = function as usize;
        // SAFETY: every processor has the portable form's instructions.
        let expected = one_by_one(values, |form, x| unsafe { (R::kernels(form).unary[place].one)(x) });
        for form in available() {
            let kernel = &R::kernels(form).unary[place];
            let mut many = values.to_vec();
            // SAFETY: the form is available, and the values are a local vector.
            unsafe { (kernel.strip)(many.as_mut_ptr(), many.len()) };
            for ((&x, &expected), &many) in values.iter().zip(&expected).zip(&many) {
                // SAFETY: the form is available.
                let one = unsafe { (kernel.one)(x) };
                assert_eq!(one.bits(), expected.bits(), "{function:?} of {x:e} in {}", form.name);
                assert_eq!(many.bits(), expected.bits(), "{function:?} of {x:e} among many in {}", form.name);
            }
        }
    }
}

fn check_binary<R: Bits>(values: &[R], others: &[R]) {
    for function in BinaryFunction::ALL {
        let place = function as usize;
        for form in available() {
            let kernel = &R::kernels(form).binary[place];
            let mut many = values.to_vec();
            // SAFETY: the form is available, there are as many values as others, and both are separate vectors.
            unsafe { (kernel.strip)(many.as_mut_ptr(), others.as_ptr(), many.len()) };
            for ((&x, &y), &many) in values.iter().zip(others).zip(&many) {
                // SAFETY: the form is available.
                let one = unsafe { (kernel.one)(x, y) };
                let portable = one_by_one(&[x], |form, x| {
                    // SAFETY: every processor has the portable form's instructions.
                    unsafe { (R::kernels(form).binary[place].one)(x, y) }
                });
                assert_eq!(one.bits(), portable[0].bits(), "{function:?} of {x:e}, {y:e} in {}", form.name);
                assert_eq!(many.bits(), portable[0].bits(), "{function:?} of {x:e}, {y:e} among many in {}", form.name);
            }
        }
    }
}

#[test]
fn all_forms_give_the_same_bits_in_f32() {
    let mut values = edges!(f32);
    values.extend(numbers(1).take(100_003).map(|bits| f32::from_bits(bits as u32)));
    values.extend(numbers(2).take(100_003).map(|bits| (bits as u32 as f32 / 2f32.powi(32) - 0.5) * 200.0));
    check(&values);
    let exponents: Vec<f32> = values.iter().rev().copied().collect();
    check_binary(&values, &exponents);
}

#[test]
fn all_forms_give_the_same_bits_in_f64() {
    let mut values = edges!(f64);
    values.extend(numbers(3).take(50_003).map(f64::from_bits));
    values.extend(numbers(4).take(50_003).map(|bits| (bits as f64 / 2f64.powi(64) - 0.5) * 1500.0));
    check(&values);
    let exponents: Vec<f64> = values.iter().rev().copied().collect();
    check_binary(&values, &exponents);
}

#[test]
fn strips_of_every_length_write_their_numbers_and_no_others() {
    for form in available() {
        for count in 0..70 {
            let mut values = vec![4.0_f32; count + 1];
            let mut powers = vec![3.0_f64; count + 1];
            let exponents = vec![2.0_f64; count];
            // SAFETY: the form is available, and there is one value more than are written.
            unsafe {
                (form.f32.unary[Function::Sqrt as usize].strip)(values.as_mut_ptr(), count);
                (form.f64.binary[BinaryFunction::Pow as usize].strip)(powers.as_mut_ptr(), exponents.as_ptr(), count);
            }
            assert!(values[..count].iter().all(|&value| value == 2.0), "{} numbers in {}", count, form.name);
            assert!(powers[..count].iter().all(|&value| value == 9.0), "{} powers in {}", count, form.name);
            assert_eq!((values[count], powers[count]), (4.0, 3.0), "{} numbers in {}", count, form.name);
        }
    }
}
