//! A long tiling of a large cluster, as in an editor: it is derived, its iterations are proven disjoint, and it is
//! hovered.

use std::time::{Duration, Instant};

use ide::CompilerDatabase;

use crate::timing::median;

/// Nine steps over 16 × 1024 threads; the tenth changes with each edit.
const STEPS: &str = "cluster(16) block(1024)
    |> tile(a: 2, 8 * cuda_cta_in_cluster)
    |> tile(b: 2, 4 * cuda_cta_in_cluster)
    |> tile(c: 2, 2 * cuda_cta_in_cluster)
    |> tile(d: 2, cuda_cta_in_cluster)
    |> tile(e: 2, 16 * cuda_warp)
    |> specialize(0..2, 4 * cuda_warp)
    |> tile(f: 4, 2 * cuda_warp)
    |> tile(g: 2, cuda_warp)
    |> tile(h: 2, 16 * cuda_thread)";

/// The time for all of that after an edit.
///
/// # Errors
/// An unexpected error in the file.
pub(super) fn measure() -> Result<Duration, String> {
    let mut db = CompilerDatabase::default();
    let mut edits = 0;
    median(51, || {
        edits += 1;
        let text = format!(
            "tiling work = {STEPS}\n    |> specialize(0..{}, cuda_thread);\nassert work.assignment.injective;\n",
            1 + edits % 2
        );
        let start = Instant::now();
        let file = db.set_text("tiling.shape", &text);
        let found = ide::diagnostics(&db, file);
        let hover = ide::hover(&db, file, 8);
        let time = start.elapsed();
        match (found.as_slice(), hover) {
            ([], Some(_)) => Ok(time),
            (found, _) => Err(format!("the tiling is not understood: {:?}", found.first().map(|found| &found.message))),
        }
    })
}
