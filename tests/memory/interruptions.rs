//! An edit ends the running check, so a check polls for cancellation, with little work between two polls. The work is
//! measured in allocations, since no part of the compiler runs for long without allocating.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ide::CompilerDatabase;
use salsa::EventKind;
use shapewright_tests::counting;
use testing::excessive::{self, Excess};

/// Allocations between two times: a few milliseconds.
const MOST: u64 = 100_000;

/// The stack of the threads that check in the command and in the server: trees are cloned and dropped as deeply as they are
/// nested.
const STACK_BYTES: usize = 1 << 30;

#[test]
fn a_check_asks_again_and_again_whether_it_is_still_wanted() {
    let _turn = crate::turn();
    let checks = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(check_all).unwrap();
    if let Err(panic) = checks.join() {
        std::panic::resume_unwind(panic);
    }
}

fn check_all() {
    for Excess { what, text } in excessive::all() {
        let (last, most) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let ask = {
            let (last, most) = (last.clone(), most.clone());
            move || {
                let now = counting::allocations();
                most.fetch_max(now - last.swap(now, Ordering::Relaxed), Ordering::Relaxed);
            }
        };
        let asked = ask.clone();
        let mut db = CompilerDatabase::with_observer(Some(Box::new(move |event| {
            if matches!(event.kind, EventKind::WillCheckCancellation) {
                asked();
            }
        })));
        let file = db.set_text("checked.shape", &text);
        last.store(counting::allocations(), Ordering::Relaxed);
        ide::diagnostics(&db, file);
        ask();
        let most = most.load(Ordering::Relaxed);
        assert!(most < MOST, "{what}: {most} allocations without a look at whether the check is still wanted");
    }
}
