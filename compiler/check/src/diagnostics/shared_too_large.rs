//! Shared arrays are larger than the memory of a block.

use super::diagnostic::{Diagnostic, Page, Severity};
use dims::Sym;
use syntax::span::Span;

/// The documentation of `shared-too-large`.
pub static PAGE: Page = Page {
    code: "shared-too-large",
    severity: Severity::Error,
    title: "shared arrays are larger than the memory of a block",
    explanation: "The shared arrays of a kernel are in the shared memory of one multiprocessor, each at a multiple of 16 bytes. A block can
have 48 KiB of it everywhere, and more on newer GPUs: 99 KiB on sm_86 and sm_89, 163 KiB on sm_80, 227 KiB from sm_90 on.
`check --target sm_80` compares with what one GPU has, otherwise any that is known will do. Where sizes decide the extents, a `run` is refused
whose sizes make an array too large, or empty.

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

/// Why there is no room for another array in the shared memory of a block.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NoRoom {
    /// The bytes of the array; `None` if they exceed 64 bits.
    pub(crate) bytes: Option<Sym>,
    /// The bytes of the arrays before it.
    pub(crate) before: Sym,
    /// The least that all of them take, whatever the sizes are; `None` if it exceeds 64 bits.
    pub(crate) least: Option<i128>,
    /// What a block has.
    pub(crate) limit: i64,
}

impl NoRoom {
    /// `has 4 * N bytes after the 64 bytes of the arrays before it, at least 400000, but a block has at most 232448`; `others` are
    /// the arrays.
    pub(super) fn text(&self, others: &str) -> String {
        let Self { bytes, before, least, limit } = self;
        let own = match bytes {
            Some(bytes) => format!("{bytes} bytes"),
            None => "more bytes than 64 bits can count".to_owned(),
        };
        let after = if before.is_zero() {
            String::new()
        } else {
            format!(" after the {before} bytes of the {others} before it")
        };
        let depends =
            bytes.as_ref().is_some_and(|bytes| bytes.as_constant().is_none()) || before.as_constant().is_none();
        let least = match least.filter(|_| depends) {
            Some(least) => format!(", at least {least} whatever the sizes are"),
            None => String::new(),
        };
        format!("has {own}{after}{least}, but a block has at most {limit}")
    }
}

/// There is no room for an array.
pub(crate) fn shared_too_large(span: Span, name: &str, room: &NoRoom) -> Diagnostic {
    PAGE.at(span, format!("the shared array `{name}` {}", room.text("arrays")))
        .label(format!("at most {} bytes", room.limit))
        .help("use smaller tiles, or a narrower element type")
}

/// A run whose sizes make shared arrays too large, or empty.
pub(crate) fn shared_too_large_for_run(span: Span, why: &kernel::NoRoom) -> Diagnostic {
    let help = match why {
        kernel::NoRoom::Empty { .. } => "choose sizes with which every extent is at least 1",
        _ => "choose smaller sizes",
    };
    PAGE.at(span, why.to_string()).label("these sizes are excluded").help(help)
}
