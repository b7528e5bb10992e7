//! The form of a kernel of tiles for the threads of a GPU.
//!
//! In a typed kernel every tile that is more than an expression is an array that the block shares, and every operation is
//! a loop over it of its own. But element `point` of all operations on as many points belongs to the same thread in the
//! same round, and most values are used nowhere else. So here
//!
//! 1. the chains of a reduction are joined by shuffles where they are the lanes of a warp (`shuffles`);
//! 2. a sum over the terms of a product takes each term for all points of a thread (`products`);
//! 3. neighbouring loops over the same points become one, unless one needs what other threads do in the other (`fusion`);
//! 4. an array of which every access is at an element of the own thread (`accesses`) is held by the threads (`holders`): as a
//!    variable if the thread has one element at a time, else as an array with an element for each round, as long as registers
//!    last;
//! 5. a thread does several neighbours at a time where tensors can then be accessed by vectors (`widths`);
//! 6. barriers are placed anew, where data still passes between threads;
//! 7. the elements of shared arrays are swizzled where the lanes of a warp would meet in a bank (`swizzles`).
//!
//! The meaning is the same, and so is every bit. Processors have no registers to spare for that, and take the shared arrays.

mod accesses;
mod fusion;
mod holders;
mod liveness;
mod products;
mod requests;
mod rewriting;
mod shuffles;
mod swizzles;
mod widths;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::effects;
use crate::table::Table;
use crate::typed::{Kernel, Memory, Residence, SharedId, Statement, StatementKind, Waiting};
use holders::Holder;
use liveness::Sites;
use maps::hardware::WARP_LANES;
use products::{Kept, Sum};
use widths::Widths;

/// The kernel as a program of each thread of a GPU, with its barriers. `poll` is called between steps, and may unwind to
/// cancel the work.
///
/// A kernel whose threads also exchange values within warps keeps its arrays and barriers as they are: in a program of
/// each thread nothing says any more which threads run a statement together.
pub fn distributed<'k>(kernel: &'k Kernel, poll: &dyn Fn()) -> Cow<'k, Kernel> {
    match form(kernel, poll) {
        Some(form) => Cow::Owned(form),
        None => kernel.per_thread(),
    }
}

/// The form; `None` of kernels that keep theirs: those without tiles, those that are not for a known number of threads, and
/// those whose threads wait for others than the block.
fn form(kernel: &Kernel, poll: &dyn Fn()) -> Option<Kernel> {
    let threads = kernel.launch.threads.as_constant().filter(|threads| *threads > 0)?;
    let (mut has_tiles, mut waits_for_block) = (false, true);
    Statement::walk(&kernel.body, &mut |statement| match &statement.kind {
        StatementKind::Each(_) => has_tiles = true,
        StatementKind::Barrier(barrier) => waits_for_block &= barrier.waiting == Waiting::Block,
        _ => {}
    });
    if !has_tiles || !waits_for_block {
        return None;
    }
    let mut fused = Kernel { body: without_barriers(kernel.body.clone()), ..kernel.clone() };
    if threads % WARP_LANES == 0 {
        shuffles::use_shuffles(&mut fused, threads, poll);
    }
    let (fused, holders, sums) = with_sums(fused, threads, poll);
    let held = widths::with_vectors(&fused, &holders, threads, &sums, poll);
    let single = || Some(rewriting::with_holders(fused.clone(), &holders, threads, &Widths::new(), poll)?.0);
    // What is proven of the kernel's accesses is proven of these, which are fewer. Where the prover runs out of steps all the
    // same, the barriers that the kernel has are right.
    let placed = |held: Kernel| Some(Kernel { body: effects::place_again(&held, poll).ok()?.body, ..held });
    let form = held.and_then(placed).or_else(|| placed(single()?))?;
    let of_tiles = of_tiles(&form, threads, poll);
    Some(swizzles::with_swizzles(form.per_thread().into_owned(), threads, &of_tiles, poll))
}

/// The arrays of the block that only loops over points use.
fn of_tiles(kernel: &Kernel, threads: i64, poll: &dyn Fn()) -> Vec<SharedId> {
    let sites = Sites::new(kernel, threads, poll);
    let arrays = kernel.shared.entries().filter(|(_, array)| array.held == Residence::Shared);
    let is_of_tiles = |id: &SharedId| sites.others.get(Memory::Shared(*id)).accesses == 0;
    arrays.map(|(id, _)| id).filter(is_of_tiles).collect()
}

/// The kernel with its loops fused, who holds its arrays, and the sums whose terms are taken for all points of a thread at once:
/// those that the threads hold.
fn with_sums(kernel: Kernel, threads: i64, poll: &dyn Fn()) -> (Kernel, Table<SharedId, Holder>, Vec<Sum>) {
    let mut kept = BTreeMap::new();
    loop {
        let mut form = kernel.clone();
        let sums = products::with_terms_outermost(&mut form, &kept, threads, poll);
        form.body = fusion::fused(std::mem::take(&mut form.body), &form.locals, threads, poll);
        let holders = holders::holders(&form, threads, poll);
        let is_held = |array: &SharedId| matches!(holders.get(*array), Some(Holder::Thread { .. }));
        let shared: BTreeSet<SharedId> =
            sums.iter().filter(|sum| !is_held(&sum.kept_in)).map(|sum| sum.result).collect();
        // In each turn a sum takes the next of three ways, so there is an end.
        if shared.is_empty() {
            return (form, holders, sums);
        }
        for result in shared {
            let way: &mut Kept = kept.entry(result).or_default();
            *way = way.next();
        }
    }
}

fn without_barriers(mut statements: Vec<Statement>) -> Vec<Statement> {
    statements.retain(|statement| !matches!(statement.kind, StatementKind::Barrier(_)));
    // No iteration over points touches what another one writes, so there are no barriers inside.
    for statement in statements.iter_mut().filter(|statement| !matches!(statement.kind, StatementKind::Each(_))) {
        statement.change_blocks(&mut without_barriers);
    }
    statements
}
