//! Emitted CUDA, run without a GPU: on the CPU through a small shim, and through NVRTC to machine code.

mod check;
mod edges;
mod handmade;
mod host;
mod operators;

use check::check;

#[test]
fn every_operator_at_the_edges_of_its_type() {
    check(&operators::cases(), &[]);
}

#[test]
fn handmade_kernels() {
    check(&handmade::cases(), &[]);
}

/// The compiler's own sanitiser finds what C++ leaves undefined: signed overflow, shifts, conversions out of range.
#[test]
fn nothing_is_undefined() {
    let sanitise = ["-fsanitize=undefined,float-cast-overflow", "-fno-sanitize-recover=all"];
    let cases: Vec<_> = operators::cases().into_iter().chain(handmade::cases()).collect();
    check(&cases, &sanitise);
}
