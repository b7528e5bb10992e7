//! Shared arrays are larger than the memory of a block.

use super::diagnostic::{Diagnostic, Page, Severity};
use syntax::span::Span;

/// The documentation of `shared-too-large`.
pub static PAGE: Page = Page {
    code: "shared-too-large",
    severity: Severity::Error,
    title: "shared arrays are larger than the memory of a block",
    explanation: "The shared arrays of a kernel are in the shared memory of one multiprocessor, each at a multiple of 16 bytes. A block can
have 48 KiB of it everywhere, and more on newer GPUs: 99 KiB on sm_86 and sm_89, 163 KiB on sm_80, 227 KiB from sm_90 on.
`check --target sm_80` compares with what one GPU has, otherwise any that is known will do.

Use smaller tiles, or a narrower type.",
    wrong: "kernel hoard(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    shared s : f32[1024, 64];
    for t in threads(64, cuda_thread) { s[0, t] = x[t]; }
    for t in threads(64, cuda_thread) { y[t] = s[0, 63 - t]; }
}
",
    right: "kernel hoard(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    shared s : f32[64];
    for t in threads(64, cuda_thread) { s[t] = x[t]; }
    for t in threads(64, cuda_thread) { y[t] = s[63 - t]; }
}
",
};

/// The array has `bytes` bytes (`None` if they exceed 64 bits), and earlier arrays have `before`; the sum exceeds
/// `limit`.
pub(crate) fn shared_too_large(span: Span, name: &str, bytes: Option<i64>, before: i64, limit: i64) -> Diagnostic {
    let own = bytes.map_or_else(|| "more bytes than 64 bits can count".to_owned(), |bytes| format!("{bytes} bytes"));
    let others = if before == 0 { String::new() } else { format!(" after the {before} bytes of the arrays before it") };
    PAGE.at(span, format!("the shared array `{name}` has {own}{others}, but a block has at most {limit}"))
        .label(format!("at most {limit} bytes"))
        .help("use smaller tiles, or a narrower element type")
}
