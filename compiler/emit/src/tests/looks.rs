//! Snapshots of whole kernels.

use super::kernels;
use crate::{Emitted, IndexWidth, Options, Parameter, cuda, cuda_with};
use dims::Sym;
use elements::ElementType;
use kernel::typed::Kernel;

fn checked(kernel: &Kernel) -> Emitted {
    cuda_with(kernel, Options { width: IndexWidth::Checked, guarded: false }, &|| {})
}

#[test]
fn a_kernel_of_constant_size() {
    let emitted = cuda(&kernels::scale());
    insta::assert_snapshot!(emitted.source);
    assert_eq!(emitted.entry, "scale_kernel");
    assert_eq!(emitted.parameters.len(), 3);
}

#[test]
fn sizes_without_a_bound_take_64_bits() {
    insta::assert_snapshot!(cuda(&kernels::transpose(None)).source);
}

#[test]
fn sizes_with_a_bound_take_32_bits() {
    let emitted = cuda(&kernels::transpose(Some(30_000)));
    insta::assert_snapshot!(emitted.source);
    assert!(emitted.obligations.is_empty());
}

#[test]
fn a_check_at_launch_makes_32_bits_enough() {
    let emitted = checked(&kernels::transpose(None));
    insta::assert_snapshot!(emitted.source);
    let fits = |m, n| emitted.fits(&|symbol| Some(if symbol.name() == "M" { m } else { n }));
    assert!(fits(1024, 700) && fits(46_000, 46_000));
    assert!(!fits(50_000, 50_000) && !fits(1, 1 << 31) && !fits(i64::MAX, i64::MAX));
    let wide = cuda(&kernels::transpose(None));
    let is_in_range = |m, n| wide.is_in_range(&|symbol| Some(if symbol.name() == "M" { m } else { n }));
    assert!(is_in_range(1 << 30, 1 << 30) && !is_in_range(1 << 40, 1 << 40));
    let sizes = emitted.parameters.iter().filter(|parameter| matches!(parameter, Parameter::Size { wide: false, .. }));
    assert_eq!(sizes.count(), 2);
}

#[test]
fn floats_of_16_bits() {
    insta::assert_snapshot!(cuda(&kernels::halves(ElementType::F16)).source);
}

#[test]
fn floats_of_16_bits_for_brains() {
    insta::assert_snapshot!(cuda(&kernels::halves(ElementType::Bf16)).source);
}

#[test]
fn floats_of_8_bits() {
    insta::assert_snapshot!(cuda(&kernels::small_floats()).source);
}

#[test]
fn variables_and_loops() {
    insta::assert_snapshot!(checked(&kernels::mean()).source);
}

#[test]
fn integers_that_wrap() {
    insta::assert_snapshot!(cuda(&kernels::integers()).source);
}

#[test]
fn conversions_that_round_once() {
    insta::assert_snapshot!(cuda(&kernels::conversions()).source);
}

#[test]
fn indices_that_run_backwards() {
    insta::assert_snapshot!(checked(&kernels::reversed()).source);
}

#[test]
fn accesses_that_are_checked() {
    let options = Options { width: IndexWidth::Checked, guarded: true };
    insta::assert_snapshot!(cuda_with(&kernels::transpose(None), options, &|| {}).source);
}

#[test]
fn shared_arrays_barriers_and_clusters() {
    let emitted = cuda(&kernels::shared());
    insta::assert_snapshot!(emitted.source);
    assert_eq!(emitted.dynamic_shared_bytes, Sym::zero());
}

#[test]
fn more_shared_memory_than_a_block_has_without_asking() {
    let emitted = cuda(&kernels::much_shared());
    insta::assert_snapshot!(emitted.source);
    assert_eq!(emitted.dynamic_shared_bytes, Sym::constant(128_016));
}

/// A kernel that was not checked may read behind a loop what is declared in it.
#[test]
fn no_compiler_accepts_a_kernel_without_a_meaning() {
    let text = cuda(&kernels::reads_behind_a_loop()).source;
    let refusals = text.lines().filter(|line| line.starts_with("#error "));
    assert_eq!(
        refusals.collect::<Vec<_>>(),
        ["#error this kernel was not checked: it reads a value where it has none"]
    );
    assert!(!cuda(&kernels::scale()).source.contains("#error"));
}
