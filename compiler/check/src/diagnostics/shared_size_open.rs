//! Whether shared arrays fit depends on the sizes.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::remedy::Remedy;
use dims::Sym;
use syntax::span::Span;

/// The documentation of `shared-size-open`.
pub static PAGE: Page = Page {
    code: "shared-size-open",
    severity: Severity::Hint,
    title: "whether shared arrays fit into the memory of a block depends on the sizes",
    explanation: "The extents of a shared array may be sizes that are known at launch. In CUDA that is dynamic shared memory: `extern __shared__`,
whose bytes the launch passes. Here the launch computes them, and is refused with the sizes, the bytes and the limit where a block does not have
so much, or where an extent is less than 1: 48 KiB are there everywhere, 99 KiB on sm_86 and sm_89, 163 KiB on sm_80, 227 KiB from sm_90 on.

A fact that bounds the sizes, `dim N where N <= 4096`, makes this a proof, and whoever calls the kernel with other sizes learns of it earlier.
`check --target sm_80` asks for the limit of one GPU.",
    wrong: "dim N;
kernel reverse(x: f32[N], y: mut f32[N]) grid(1) block(64) {
    shared s : f32[N];
    for t in threads(64, cuda_thread) { for i in t..N step 64 { s[i] = x[i]; } }
    for t in threads(64, cuda_thread) { for i in t..N step 64 { y[i] = s[N - 1 - i]; } }
}
",
    right: "dim N where N <= 4096;
kernel reverse(x: f32[N], y: mut f32[N]) grid(1) block(64) {
    shared s : f32[N];
    for t in threads(64, cuda_thread) { for i in t..N step 64 { s[i] = x[i]; } }
    for t in threads(64, cuda_thread) { for i in t..N step 64 { y[i] = s[N - 1 - i]; } }
}
",
};

/// All shared arrays take `bytes`, which may be more than `limit`.
pub(crate) fn shared_size_open(span: Span, bytes: &Sym, limit: i64, remedy: Option<Remedy>) -> Diagnostic {
    let message = format!(
        "the shared arrays take `{bytes}` bytes, and a block has at most {limit}: whether they fit is checked once at launch"
    );
    PAGE.at(span, message).label("depends on the sizes").remedied("they fit", remedy)
}

/// An extent of a shared array may be less than 1.
pub(crate) fn shared_extent_open(span: Span, name: &str, extent: &Sym, remedy: Option<Remedy>) -> Diagnostic {
    let message = format!(
        "the extent `{extent}` of the shared array `{name}` may be less than 1: this is checked once at launch"
    );
    PAGE.at(span, message).label("depends on the sizes").remedied("it is at least 1", remedy)
}
