//! Checks kernels on all cores, so that their diagnostics are cached.

use check::db::{Item, SourceFile};
use ide::CompilerDatabase;
use rayon::prelude::*;
use salsa::Database;

use crate::stack;

/// For fewer kernels than this, starting threads takes longer than checking.
const FEWEST_FOR_THREADS: usize = 16;

/// Checks all items of files. The diagnostics are queried afterwards, in order.
///
/// It ends early, by unwinding like any query, if the database is to be changed or the handle's computation is
/// cancelled.
pub(crate) fn check(db: &CompilerDatabase, files: &[SourceFile]) {
    let kernels: Vec<Item> = files.iter().flat_map(|file| ide::check_all_but_kernels(db, *file)).collect();
    if kernels.len() < FEWEST_FOR_THREADS {
        return;
    }
    // A separate pool: the server's threads answer questions meanwhile. Without it, kernels are checked when their
    // diagnostics are queried.
    let Ok(threads) = rayon::ThreadPoolBuilder::new().stack_size(stack::BYTES).build() else { return };
    // Every thread has a separate handle, which does not see the cancellation of this one.
    let taken_back = db.cancellation_token();
    let handle = db.clone();
    threads.install(|| {
        kernels.par_iter().for_each_with(handle, |db, kernel| {
            if !taken_back.is_cancelled() {
                ide::check_item(db, *kernel);
            }
        });
    });
    db.unwind_if_revision_cancelled();
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::sync::{Arc, Mutex};

    use salsa::{Cancelled, EventKind};

    use super::*;

    /// A database that counts how often it checks a kernel, and a file with many: every second one is wrong.
    fn many() -> (CompilerDatabase, SourceFile, Arc<Mutex<usize>>) {
        let checked = Arc::new(Mutex::new(0));
        let count = checked.clone();
        let mut db = CompilerDatabase::with_observer(Some(Box::new(move |event| {
            if let EventKind::WillExecute { database_key } = event.kind
                && format!("{database_key:?}").starts_with("proven_instance(")
            {
                *count.lock().unwrap() += 1;
            }
        })));
        let mut text = String::new();
        for number in 0..2 * FEWEST_FOR_THREADS {
            let last = 3 + number % 2;
            writeln!(text, "kernel k{number}(y: mut f32[4]) {{ for i in grid(4) {{ y[i] = 1.0; y[{last}] = 2.0; }} }}")
                .unwrap();
        }
        let file = db.set_text("main.shape", &text);
        (db, file, checked)
    }

    #[test]
    fn nothing_is_left_to_check_and_nothing_is_found_in_another_order() {
        let (alone, file, _) = many();
        let expected: Vec<String> = ide::diagnostics(&alone, file).into_iter().map(|found| found.message).collect();
        assert!(!expected.is_empty());
        let (db, file, checked) = many();
        check(&db, &[file]);
        assert_eq!(*checked.lock().unwrap(), 2 * FEWEST_FOR_THREADS);
        let found: Vec<String> = ide::diagnostics(&db, file).into_iter().map(|found| found.message).collect();
        assert_eq!(found, expected);
        assert_eq!(*checked.lock().unwrap(), 2 * FEWEST_FOR_THREADS);
    }

    #[test]
    fn what_is_taken_back_is_not_checked() {
        let (db, file, checked) = many();
        db.cancellation_token().cancel();
        let ended = Cancelled::catch(std::panic::AssertUnwindSafe(|| check(&db, &[file])));
        assert!(matches!(ended, Err(Cancelled::Local)));
        assert_eq!(*checked.lock().unwrap(), 0);
    }
}
