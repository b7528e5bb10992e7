//! What a sequential loop is: its range, what counts its iterations, and what was before it.

use smol_str::{SmolStr, format_smolstr};

use kernel::raise::{ConditionMark, ScopeMark, ValueId};
use kernel::typed::Expr;
use syntax::span::Span;
use syntax::tree::{self, Name};

/// The range of a stepped loop, of which every part is evaluated once.
pub(super) struct Steps {
    pub(super) low: Expr,
    pub(super) high: Expr,
    pub(super) step: Expr,
}

/// A loop.
pub(super) struct Repeated<'b> {
    pub(super) counter: Counter<'b>,
    pub(super) body: &'b tree::Block,
    pub(super) span: Span,
}

/// What counts the iterations of a loop, as the program sees it.
pub(super) enum Counter<'b> {
    /// The iterator of `for i in lo..hi`.
    Named(&'b Name),
    /// A number that the program does not see, from which the iterator of `for i in lo..hi step s` follows; with the values of
    /// the ends before the loop.
    Progression { name: &'b Name, steps: &'b Steps, ends: [ValueId; 2] },
    /// A number that the program does not see: an iteration of `while c` begins with this condition.
    While(&'b tree::Expr),
}

impl Counter<'_> {
    /// The name of the variable that counts.
    pub(super) fn name(&self) -> SmolStr {
        match self {
            Counter::Named(name) => name.text.clone(),
            Counter::Progression { name, .. } => format_smolstr!("{}_step", name.text),
            Counter::While(_) => SmolStr::new_static("iteration"),
        }
    }
}

/// What held and was bound before a loop.
pub(super) struct BeforeLoop {
    /// The number of visible names.
    pub(super) bound: usize,
    pub(super) scope: ScopeMark,
    pub(super) held: ConditionMark,
}
