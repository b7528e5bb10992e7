//! Kernels.

use std::collections::BTreeMap;

use super::{NOT_CHECKED, source};
use crate::document::{Document, inline};
use crate::plural::{bytes, count};
use check::db::{Db, Item};
use check::diagnostics::Severity;
use check::kernels::{self, CheckedKernel};
use dims::{Sym, Symbol};
use kernel::typed::{
    Access, Claim, ExprKind, Kernel, Launch, Memory, ParamId, ParamKind, Residence, Statement, StatementKind,
};
use maps::shapes::Shape;
use syntax::span::Span;
use syntax::tree;

/// A kernel up to its body, as it is written.
pub(crate) fn header(db: &dyn Db, item: Item, kernel: &tree::Kernel) -> String {
    let end = if kernel.body.span.start > 0 { kernel.body.span.start } else { item.tokens(db).len() as u32 };
    source(db, item, Span::new(0, end))
}

/// The launch and the memory of a kernel; once it has been checked, its barriers and verdicts too.
pub(super) fn body(db: &dyn Db, item: Item, checked: bool) -> Document {
    let typed = kernels::typed_kernel(db, item);
    let (kernel, verdict) = match checked {
        true => {
            let checked = kernels::checked_kernel(db, item);
            (&checked.kernel, verdict(db, item, checked))
        }
        false => (&typed.draft, NOT_CHECKED.into()),
    };
    let launch = typed.launch.as_ref();
    let launch = launch.map_or_else(String::new, |launch| format!("launch: {}", inline(launch_text(launch))));
    let memory = kernel.as_ref().map_or_else(Document::default, |kernel| traffic(kernel));
    let block = kernel.as_ref().map_or_else(String::new, |kernel| together(kernel));
    Document::joined([launch.into(), block.into(), memory, verdict])
}

/// `grid(4) block(128)`
pub(crate) fn launch_text(launch: &Launch) -> String {
    let cluster = if launch.cluster == 1 { String::new() } else { format!("cluster({}) ", launch.cluster) };
    format!("{cluster}grid({}) block({})", launch.blocks, launch.threads)
}

/// The shared memory and barriers of a block.
fn together(kernel: &Kernel) -> String {
    let mut barriers = 0;
    Statement::walk(&kernel.body, &mut |statement| {
        barriers += usize::from(matches!(statement.kind, StatementKind::Barrier(_)));
    });
    let all = kernel.shared_layout().map_or_else(|_| Sym::zero(), |layout| layout.bytes);
    let shared = kernel.shared.iter().filter(|array| array.held == Residence::Shared).count();
    let memory = (shared > 0).then(|| {
        let arrays = count(shared, "array");
        format!("shared memory: {} in {arrays}", bytes(&all))
    });
    let barriers = (barriers > 0).then(|| format!("the compiler placed {}", count(barriers, "barrier")));
    memory.into_iter().chain(barriers).collect::<Vec<_>>().join("; ")
}

fn verdict(db: &dyn Db, item: Item, checked: &CheckedKernel) -> Document {
    let errors = checked.diagnostics.iter().filter(|found| found.severity() == Severity::Error).count();
    let Some(kernel) = &checked.kernel else {
        return match errors {
            0 => "It is not run: see its diagnostics.".into(),
            _ => format!("It has {}.", count(errors, "error")).into(),
        };
    };
    if kernel.obligations.is_empty() {
        return "✓ every access is proven in bounds and free of races".into();
    }
    let lines: Vec<String> = kernel
        .obligations
        .iter()
        .map(|obligation| {
            let place = inline(source(db, item, obligation.span));
            let tensor = inline(kernel.memory_name(obligation.memory).map_or("", |name| name));
            match &obligation.claim {
                Claim::InBounds(bound) => format!("? {place} stays below {} of {tensor}", inline(bound)),
                Claim::WithinView(bound) => {
                    format!("? {place} stays below {} of its view of {tensor}", inline(bound))
                }
                Claim::RaceFree => format!("? {place} reaches each element of {tensor} in one thread only"),
            }
        })
        .collect();
    Document::list("Asked again at launch:", lines)
}

fn param_name(kernel: &Kernel, param: ParamId) -> &str {
    kernel.params.get(param).map_or("", |param| param.name.as_str())
}

/// The memory traffic of a kernel if each element of its tensors is moved once.
fn traffic(kernel: &Kernel) -> Document {
    let mut uses: BTreeMap<ParamId, (bool, bool)> = BTreeMap::new();
    Statement::walk(&kernel.body, &mut |statement| match &statement.kind {
        StatementKind::Store { access: Access { memory: Memory::Param(param), .. }, .. } => {
            uses.entry(*param).or_default().1 = true;
        }
        StatementKind::Atomic(atomic) => {
            if let Memory::Param(param) = atomic.access.memory {
                *uses.entry(param).or_default() = (true, atomic.operation.writes());
            }
        }
        _ => {}
    });
    Statement::walk_expressions(&kernel.body, &mut |expr| {
        if let ExprKind::Load(access) = &expr.kind
            && let Memory::Param(param) = access.memory
        {
            uses.entry(param).or_default().0 = true;
        }
    });
    let lines: Vec<String> = uses
        .iter()
        .filter_map(|(id, used)| {
            let word = match used {
                (true, true) => "reads and writes",
                (true, false) => "reads",
                _ => "writes",
            };
            Some(format!("{word} {}: {}", inline(param_name(kernel, *id)), inline(bytes_of(kernel, *id)?)))
        })
        .collect();
    Document::list("memory, each tensor once:", lines)
}

/// `48 bytes`, `4 * N bytes`
fn bytes_of(kernel: &Kernel, param: ParamId) -> Option<String> {
    let param = kernel.params.get(param)?;
    let ParamKind::Tensor { shape, .. } = &param.kind else { return None };
    let size = Shape { dims: shape.clone() }.size().ok()?;
    let bytes = size.checked_mul(&Sym::constant(i64::try_from(param.element.size_bytes()).ok()?)).ok()?;
    Some(format!("{bytes} bytes"))
}

/// The launch with these sizes, if they determine it.
pub(super) fn launch_with(launch: &Launch, sizes: &BTreeMap<Symbol, i64>) -> Option<(i64, i64)> {
    let value = |size: &Sym| size.evaluate(&|symbol| sizes.get(symbol).copied()).ok();
    Some((value(&launch.blocks)?, value(&launch.threads)?))
}
