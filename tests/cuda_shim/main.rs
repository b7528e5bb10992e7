//! Emitted CUDA, run without a GPU: on the CPU through a small shim, and through NVRTC to machine code.

mod check;
mod edges;
mod handmade;
mod host;
mod operators;

use check::check;

#[test]
fn every_operator_at_the_edges_of_its_type() {
    // Some two thousand kernels of one line: nothing to optimise, and compiling them takes most of the time.
    check(&operators::cases(), &["-O0"]);
}

#[test]
fn handmade_kernels() {
    check(&handmade::cases(), &["-O2"]);
}

/// The compiler's own sanitiser finds what C++ leaves undefined: signed overflow, shifts, conversions out of range.
#[test]
fn nothing_is_undefined() {
    let sanitise = ["-O0", "-fsanitize=undefined,float-cast-overflow", "-fno-sanitize-recover=all"];
    let cases: Vec<_> = operators::cases().into_iter().chain(handmade::cases()).collect();
    check(&cases, &sanitise);
}
