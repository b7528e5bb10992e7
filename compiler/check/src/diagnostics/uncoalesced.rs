//! Accesses of a warp that transfer more global memory than they use.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use dims::Sym;
use maps::hardware::SECTOR_BYTES;
use proofs::memory::{Limit, Sectors, VectorWidth};
use syntax::span::Span;

/// The documentation of `uncoalesced`.
pub static PAGE: Page = Page {
    code: "uncoalesced",
    severity: Severity::Hint,
    title: "a warp touches far more of global memory than it uses",
    explanation: "Global memory is moved in sectors of 32 bytes. The 32 threads of a warp access memory together, and each sector that one
of them touches is moved as a whole. Neighbouring threads that reach neighbouring elements of 4 bytes share 4 sectors. If
they are a row apart, each of them has a sector of its own: 32 sectors for the same 128 bytes, 8 times the traffic.

The hint is given where a warp touches more than twice the sectors that would do. Elements that a thread reads one after the
other, and that together are at most 16 bytes or can be loaded as one vector, count as one access: `[i0, t0]` with four
`f32` for each thread is no mistake. Emitted CUDA loads them as one vector where a loop of constant length goes through them
and their alignment is proven; otherwise they come one by one, and all but the first are expected in the cache.

Let neighbouring threads reach neighbouring elements. In a `layout` that means a thread dimension first, `[t0, i0]` instead
of `[i0, t0]`; where a tensor is indexed itself, the last index is the one that should follow the threads, as in
`x[blockIdx.x * blockDim.x + threadIdx.x]`. Where the transposed order is needed, go through shared memory.",
    wrong: "dim N;
kernel negate(x: f32[N, 33], y: mut f32[N, 33]) {
    view xs = x via reshape_map([33] | [N] => layout: [i0, t0]);
    view ys = y via reshape_map([33] | [N] => layout: [t0, i0]);
    for i in 0..33 { ys[i] = -xs[i]; }
}
",
    right: "dim N;
kernel negate(x: f32[N, 33], y: mut f32[N, 33]) {
    view xs = x via reshape_map([33] | [N] => layout: [t0, i0]);
    view ys = y via reshape_map([33] | [N] => layout: [t0, i0]);
    for i in 0..33 { ys[i] = -xs[i]; }
}
",
};

/// A warp's access of a tensor.
pub(crate) struct WarpAccess<'a> {
    /// The span of the access.
    pub(crate) span: Span,
    /// The tensor.
    pub(crate) tensor: &'a str,
    /// Whether it is a store.
    pub(crate) store: bool,
    /// The sectors that it touches.
    pub(crate) found: &'a Sectors,
    /// The distance between the elements of neighbouring threads, if it is a single number.
    pub(crate) stride: Option<&'a Sym>,
    /// Whether it goes through a view with a layout that can be changed.
    pub(crate) through_view: bool,
}

/// An access touches more than twice the necessary sectors.
pub(crate) fn uncoalesced(access: &WarpAccess<'_>) -> Diagnostic {
    let WarpAccess { span, tensor, store, found, stride, through_view } = access;
    let verb = if *store { "store to" } else { "load from" };
    let message = format!(
        "a warp's {verb} `{tensor}` touches {} sectors of {SECTOR_BYTES} bytes where {} would do: {} times the traffic{}",
        found.sectors,
        found.ideal,
        times(found),
        words::sizes(&found.sizes)
    );
    let found = PAGE.at(*span, message).label("neighbouring threads are far apart").help(blame(*stride, found));
    found.help(if *through_view {
        "let a thread dimension come first in the `layout`, such as `[t0, i0]`: then neighbouring threads reach neighbouring \
         elements"
    } else {
        "let the last index follow the innermost iterator of the threads: then neighbouring threads reach neighbouring \
         elements"
    })
}

/// The ratio to the necessary sectors: `8`, `3.5`.
fn times(found: &Sectors) -> String {
    let tenths = found.sectors.saturating_mul(10) / found.ideal.max(1);
    if tenths % 10 == 0 { (tenths / 10).to_string() } else { format!("{}.{}", tenths / 10, tenths % 10) }
}

/// The reason for the ratio: the stride.
fn blame(stride: Option<&Sym>, found: &Sectors) -> String {
    if let Some(stride) = stride {
        return format!("neighbouring threads are {} apart", words::elements(stride));
    }
    match found.lanes.as_slice() {
        [first, second, ..] => format!(
            "lane {} reaches element {}, lane {} element {}",
            first.lane, first.address, second.lane, second.address
        ),
        _ => "the elements of a warp are scattered".to_owned(),
    }
}

/// Adds the worst request to a failed assertion.
pub(crate) fn with_sectors(failed: Diagnostic, found: &Sectors) -> Diagnostic {
    if found.lanes.is_empty() {
        return failed.help("nothing is accessed");
    }
    let verb = if found.lanes.len() == 1 { "touches" } else { "touch" };
    failed.help(format!(
        "{} of a warp {verb} {} in {}, and {} would do: {}{}",
        words::count(found.lanes.len(), "lane"),
        words::count(usize::try_from(found.sectors).unwrap_or(usize::MAX), "sector"),
        words::count(usize::try_from(found.lines).unwrap_or(usize::MAX), "line"),
        found.ideal,
        blame(None, found),
        words::sizes(&found.sizes)
    ))
}

/// Adds the reason for the vector width to a failed assertion.
pub(crate) fn with_width(failed: Diagnostic, found: &VectorWidth) -> Diagnostic {
    match &found.limit {
        Some(Limit { width, obstacle, .. }) => failed.help(format!("there are no vectors of {width}: {obstacle}")),
        None => failed.help("no access is wider than 16 bytes"),
    }
}
