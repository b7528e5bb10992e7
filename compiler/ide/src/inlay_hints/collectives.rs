//! Loops over thread collectives, and the barriers that the compiler placed.

use std::collections::BTreeMap;

use super::{Hint, LONGEST, shortened};
use crate::describe;
use crate::document::{Document, inline};
use crate::expressions::statement_at;
use crate::plural::count;
use crate::shorten::spaced;
use check::kernels::TypedKernel;
use kernel::typed::{self, Barrier, ExprKind, StatementKind, Waiting};
use maps::hardware::WARP_LANES;
use syntax::items::ItemTokens;
use syntax::span::Span;
use syntax::tree::Kernel;

/// The distribution of threads, after each `threads(…)`.
pub(super) fn loops(checked: &TypedKernel) -> impl Iterator<Item = Hint> {
    checked.record.collectives.iter().map(|found| Hint {
        token: found.span.end.saturating_sub(1),
        label: shortened(describe::collective_summary(found), LONGEST),
        tooltip: describe::collective(found),
        padded: true,
    })
}

/// The barriers before a statement, as one hint after the token before it.
pub(super) fn barriers(tokens: &ItemTokens, kernel: &Kernel, typed: &typed::Kernel) -> Vec<Hint> {
    let mut places: BTreeMap<u32, Vec<Placed>> = BTreeMap::new();
    before_statements(&typed.body, &mut |barrier, next| {
        let statement = statement_at(&kernel.body, next.start as usize);
        let start = statement.map_or(next.start, |statement| statement.span.start);
        let access = |span: Span| spaced(tokens, span);
        let order = match barrier.before == barrier.after {
            true => format!("{} is over in each of them before it happens again.", inline(access(barrier.after))),
            false => format!(
                "{} is over in each of them before {} happens in any.",
                inline(access(barrier.before)),
                inline(access(barrier.after))
            ),
        };
        let placed = Placed { waiting: waiting(&barrier.waiting), who: who(&barrier.waiting), order };
        places.entry(start.saturating_sub(1)).or_default().push(placed);
    });
    places.into_iter().map(|(token, placed)| hint(token, &placed)).collect()
}

/// A barrier in words.
struct Placed {
    /// `barrier: block`
    waiting: String,
    /// Which threads wait.
    who: String,
    /// Which access is over before which other one.
    order: String,
}

/// The hint of the barriers at one place: `⟂ 3 × barrier: block`, or all of them where they differ.
fn hint(token: u32, placed: &[Placed]) -> Hint {
    let alike = |one: &Placed| placed.iter().all(|other| other.waiting == one.waiting);
    let (label, tooltip) = match placed {
        [one] => (
            format!("⟂ {}", one.waiting),
            Document::joined([
                format!("The compiler placed a barrier here: {}.", one.who).into(),
                one.order.as_str().into(),
            ]),
        ),
        several => {
            let label = match several.first().filter(|first| alike(first)) {
                Some(first) => format!("⟂ {} × {}", several.len(), first.waiting),
                None => {
                    let all: Vec<&str> = several.iter().map(|placed| placed.waiting.as_str()).collect();
                    format!("⟂ {}", all.join(", "))
                }
            };
            let lines = several.iter().map(|placed| format!("{}: {}", placed.who, placed.order)).collect();
            let lead =
                format!("The compiler placed {} between the parts of this statement:", count(several.len(), "barrier"));
            (label, Document::list(lead, lines))
        }
    };
    Hint { token, label, tooltip, padded: true }
}

/// Calls `visit` with each barrier and the tokens of the statement after it.
fn before_statements(body: &[typed::Statement], visit: &mut impl FnMut(&Barrier, Span)) {
    for (position, statement) in body.iter().enumerate() {
        if let StatementKind::Barrier(barrier) = &statement.kind {
            let next = body.get(position + 1).map_or(barrier.after, |next| next.span);
            visit(barrier, next);
        }
        statement.blocks().into_iter().for_each(|block| before_statements(block, visit));
    }
}

/// `barrier: block`
fn waiting(waiting: &Waiting) -> String {
    match waiting {
        Waiting::Block => "barrier: block".to_owned(),
        Waiting::Warp { lanes, .. } => format!("__syncwarp: {}", count(lanes.count_ones() as usize, "lane")),
        Waiting::Warps { id, threads } => {
            let each = if matches!(id.kind, ExprKind::Constant(_)) { "" } else { " each" };
            format!("barrier: {}{each}", count((threads / WARP_LANES as u32) as usize, "warp"))
        }
    }
}

/// Which threads wait, as a sentence.
fn who(waiting: &Waiting) -> String {
    match waiting {
        Waiting::Block => "all threads of the block wait for each other".to_owned(),
        Waiting::Warp { lanes, .. } => {
            format!("{} of a warp wait for each other", count(lanes.count_ones() as usize, "lane"))
        }
        Waiting::Warps { threads, .. } => {
            format!("{} wait for each other, the others go on", count((threads / WARP_LANES as u32) as usize, "warp"))
        }
    }
}
