//! Two threads that access an element of a shared array concurrently.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::evidence::Element;
use super::race::{self, Atomically};
use super::race_read;
use super::words;
use kernel::effects::{Accessed, Evidence};

/// The documentation of `shared-race`.
pub static PAGE: Page = Page {
    code: "shared-race",
    severity: Severity::Error,
    title: "two threads access an element of a shared array at the same time",
    explanation: "Threads of a block read and write a shared array together, and the compiler places barriers where one must wait for
another. Two accesses of one element, one of them a write, can only be kept apart by a barrier where both threads run a
list of statements together, and where the first access is in an earlier statement than the second. Within one statement,
and between the iterations of one loop over thread collectives, there is no such place: these happen at the same time.

The message names two threads and the element. Give each thread an element of its own, or end the loop over collectives
between the two accesses and begin it anew: a variable that is declared before both keeps what each thread has read.

The checks of one kernel's shared arrays have a limit of steps. A kernel that needs more is refused where no barrier can
stand, and the message says so: divide it into several kernels, or let fewer statements access the array.",
    wrong: "kernel shift(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    shared s : f32[65];
    for t in threads(64, cuda_thread) { s[t] = x[t]; }
    for t in threads(64, cuda_thread) { s[t] = s[t + 1]; }
    for t in threads(64, cuda_thread) { y[t] = s[t]; }
}
",
    right: "kernel shift(x: f32[64], y: mut f32[64]) grid(1) block(64) {
    shared s : f32[65];
    let mut next = 0.0;
    for t in threads(64, cuda_thread) { s[t] = x[t]; }
    for t in threads(64, cuda_thread) { next = s[t + 1]; }
    for t in threads(64, cuda_thread) { s[t] = next; }
    for t in threads(64, cuda_thread) { y[t] = s[t]; }
}
",
};

/// Two threads that access the same element of a shared array.
pub(crate) struct Meeting {
    /// The threads, in the order of their accesses.
    pub(crate) threads: [i64; 2],
    /// The element.
    pub(crate) element: Element,
}

/// Two concurrent accesses, which may access the same element.
pub(crate) struct Concurrent<'a> {
    /// The name of the array or the tensor.
    pub(crate) name: &'a str,
    /// Whether it is a tensor.
    pub(crate) of_tensor: bool,
    /// The accesses, in the order of the text.
    pub(crate) accesses: [&'a Accessed; 2],
    /// Who meets where.
    pub(crate) meeting: &'a Evidence<Meeting>,
}

/// Two concurrent accesses in a block, between which no barrier can stand.
pub(crate) fn shared_race(found: &Concurrent<'_>, atomically: Option<Atomically>) -> Diagnostic {
    let Concurrent { name: array, of_tensor, accesses: [first, second], meeting } = *found;
    let page = match of_tensor {
        true if first.store && second.store => &race::PAGE,
        true => &race_read::PAGE,
        false => &PAGE,
    };
    let diagnostic = match meeting {
        Evidence::Witness(Meeting { threads: [one, other], element }) => {
            let (does, also) = (does(first), does(second));
            let who = format!("thread {one} {does} and thread {other} {also}");
            let message = format!("{who} element {element} of `{array}` at the same time");
            page.at(second.span, message).label("a race")
        }
        Evidence::OutOfSteps => {
            let message = format!(
                "the checks of this kernel ended before it was known whether two threads access an element of `{array}` here at the same time"
            );
            return words::out_of_steps(page.at(second.span, message))
                .related(first.span, words::accessed(array, first));
        }
        Evidence::Open => {
            let both = match (first.store, second.store) {
                (true, true) => "two threads write",
                _ => "a thread reads and another one writes",
            };
            let message = format!("nothing shows that {both} different elements of `{array}` here, at the same time");
            page.at(second.span, message).label("possibly a race")
        }
    };
    if first.span == second.span {
        let is_open = matches!(meeting, Evidence::Open);
        let offered = atomically.filter(|found| is_open || found.name != "atomic_store");
        return Atomically::offer(offered, diagnostic.help("give each thread an element of its own"), array);
    }
    diagnostic.related(first.span, words::accessed(array, first)).help(PLACE_OF_BARRIERS)
}

/// A race of threads of one block in accesses of a tensor, which a barrier would prevent if there were a place for one.
pub(crate) fn without_barrier(mut race: Diagnostic) -> Diagnostic {
    // It is nearer than other ways.
    race.help.insert(0, format!("threads of one block meet, which a barrier would order; but {PLACE_OF_BARRIERS}"));
    race
}

/// Where the compiler can put a barrier.
const PLACE_OF_BARRIERS: &str = "a barrier can only stand between two statements that both threads run together: end \
    the loop over collectives between the two accesses, and begin it anew; a `let mut` before it keeps what a thread has read";

fn does(access: &Accessed) -> &'static str {
    if access.store { "writes" } else { "reads" }
}
