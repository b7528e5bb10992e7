//! A launch that exceeds the limits of a device.

use std::fmt::{self, Display};

use super::diagnostic::{Diagnostic, Page, Severity};
use dims::Sym;
use kernel::Target;
use maps::threads::ThreadsError;
use syntax::span::Span;

/// The documentation of `launch-limit`.
pub static PAGE: Page = Page {
    code: "launch-limit",
    severity: Severity::Error,
    title: "a launch is beyond what a device can do",
    explanation: "A block has at most 1024 threads, a grid at most 2147483647 blocks, and a cluster at most 16 blocks on sm_90 and sm_100, 8 on
any other GPU that has clusters, from sm_90 on. CUDA refuses such a launch when it happens, with an error that is easy to overlook; here it is
found before. `check --target sm_80` compares with what one GPU can do, otherwise any that is known will do.

Use smaller blocks and more of them, or let each thread do more.",
    wrong: "kernel fill(y: mut f32[2048]) grid(1) block(2048) {
    view ys = y via reshape_map([1] | [2048] => layout: [i0, t0]);
    ys[0] = 1.0;
}
",
    right: "kernel fill(y: mut f32[2048]) grid(2) block(1024) {
    view ys = y via reshape_map([1] | [2048] => layout: [i0, t0]);
    ys[0] = 1.0;
}
",
};

/// A number of a launch with a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Launched {
    BlockThreads,
    GridBlocks,
    ClusterBlocks,
}

impl Display for Launched {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::BlockThreads => "threads of a block",
            Self::GridBlocks => "blocks of a grid",
            Self::ClusterBlocks => "blocks of a cluster",
        })
    }
}

/// The number exceeds `limit`.
pub(crate) fn launch_limit(span: Span, what: Launched, value: &Sym, limit: i64) -> Diagnostic {
    PAGE.at(span, format!("{value} {what} are more than the {limit} that are possible"))
        .label(format!("at most {limit}"))
        .help("use smaller blocks and more of them, or let each thread do more")
}

/// A launch in clusters for a target without them.
pub(crate) fn no_clusters(span: Span, target: Target) -> Diagnostic {
    PAGE.at(span, format!("{target} has no clusters of blocks, sm_90 is the first that has"))
        .label("no clusters")
        .help("leave `cluster(…)` out, or check for a newer target")
}

/// The launch of a tiling exceeds the limits, which the error names.
pub(crate) fn tiling_launch(span: Span, error: &ThreadsError) -> Diagnostic {
    PAGE.at(span, error.to_string()).label("no such launch")
}
