//! Work on many elements, on all cores.

use std::num::NonZero;

/// Fewer elements than these are not worth another thread.
const WORTH_A_THREAD: usize = 1 << 14;

/// Cuts `0..count` into consecutive pieces, does `work` on each, and gives the results in order.
pub(super) fn pieces<T: Send>(count: usize, work: impl Fn(std::ops::Range<usize>) -> T + Sync) -> Vec<T> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = cores.min(count / WORTH_A_THREAD).max(1);
    if threads == 1 {
        return vec![work(0..count)];
    }
    let size = count.div_ceil(threads);
    let work = &work;
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads)
            .map(|piece| scope.spawn(move || work((piece * size).min(count)..((piece + 1) * size).min(count))))
            .collect();
        // A piece that panicked has printed why, and the worker with it ends as any other panic does.
        handles.into_iter().filter_map(|handle| handle.join().ok()).collect()
    })
}
