//! Units, tilings, and the loops of kernels over them.

use crate::document::{Document, inline};
use crate::plural::count;
use crate::value_at::value_at;
use check::db::{Db, Item};
use check::kernels::CollectiveLoop;
use check::values::Value;
use maps::threads::{Tiling, Unit, UnitDimension};
use syntax::span::Span;

/// The most iterations whose threads are listed.
const MOST_ITERATIONS: i64 = 4;
/// The most runs of threads of one iteration that are listed.
const MOST_RUNS: usize = 4;

/// A unit: its dimensions, and how much it takes of each.
pub(crate) fn unit(unit: &Unit) -> Document {
    let taken = |dimension: &UnitDimension| match dimension.taken {
        None => format!("any of {}", inline(dimension.extent)),
        Some(taken) if taken == dimension.extent => format!("all of {}", inline(dimension.extent)),
        Some(taken) => format!("{} of {}", inline(taken), inline(dimension.extent)),
    };
    let taken: Vec<String> = unit.dimensions().iter().map(taken).collect();
    let notation = format!("= {}", inline(unit.notation()));
    Document::joined([notation.into(), format!("takes {}", taken.join(", ")).into()])
}

/// A tiling: its dimensions, its iterators, the threads of the first iterations, and the predicate in generated code.
pub(crate) fn tiling(tiling: &Tiling) -> Document {
    Document::joined([summary(tiling).into(), parts(tiling)])
}

/// The iterator that a step of a tiling declares at some tokens, and the tiling up to there.
pub(crate) fn iterator(db: &dyn Db, item: Item, declaration: Span) -> Option<Document> {
    let known = value_at(db, item, declaration.start as usize)?;
    let Value::Tiling(found) = &known.value else { return None };
    let name = item.tokens(db).text(declaration.start as usize);
    let iterator = found.iterators().iter().find(|iterator| iterator.name == name)?;
    let title = format!("iterator {name}: {}", iterator.count);
    Some(Document::joined([Document::source(title), tiling(found)]))
}

/// A loop over thread collectives, or a `with`: how many threads are active, and its tiling.
pub(crate) fn collective(found: &CollectiveLoop) -> Document {
    let all = found.around.leaf_threads();
    let summary = inline(collective_summary(found));
    let share = match own_count(found) {
        None => format!("{summary} go in, {} pass by", all - found.tiling.leaf_threads()),
        Some(iterations) => match all - iterations * found.tiling.leaf_threads() {
            0 => format!("{summary}: all have an iteration"),
            idle => {
                format!("{summary}: {} have an iteration, {idle} have none", count((all - idle) as usize, "thread"))
            }
        },
    };
    Document::joined([share.into(), parts(&found.tiling)])
}

/// `8 × cuda_warp of 384 threads`; of a `with`, `256 of 384 threads`.
pub(crate) fn collective_summary(found: &CollectiveLoop) -> String {
    let all = count(found.around.leaf_threads() as usize, "thread");
    match (own_count(found), found.tiling.iterators().last()) {
        (Some(count), Some(iterator)) => format!("{count} × {} of {all}", iterator.unit),
        _ => format!("{} of {all}", found.tiling.leaf_threads()),
    }
}

/// How many iterations the loop itself has; `None` for a `with`.
fn own_count(found: &CollectiveLoop) -> Option<i64> {
    let own = found.tiling.iterators().get(found.around.iterators().len())?;
    Some(own.count)
}

fn parts(tiling: &Tiling) -> Document {
    let dimensions = format!(
        "domain {}, box {}, offset {}",
        inline(list(&tiling.domain())),
        inline(list(&tiling.taken())),
        inline(list(&tiling.offset()))
    );
    let digits = tiling.digits();
    let iterators = tiling.iterators().iter().zip(&digits.iterators).map(|(iterator, digit)| {
        format!(
            "{}: {} of one {}, pitch {}, {}",
            inline(&iterator.name),
            count(iterator.count as usize, "iteration"),
            inline(&iterator.unit),
            iterator.pitch,
            inline(format!("{} = {digit}", iterator.name))
        )
    });
    let iterators: Vec<String> = iterators.collect();
    let condition = digits.condition();
    let mut tests = match condition.as_str() {
        "true" => String::new(),
        condition => format!("an iteration has the threads with {}", inline(condition)),
    };
    if !digits.predicate.tests.is_empty() && !tiling.iterators().is_empty() {
        tests.push_str(&format!("; threads with an iteration have {}", inline(&digits.predicate)));
    }
    let lane = format!("place of a thread in its iteration: {}", inline(&digits.lane));
    let iterators = Document::list("", iterators);
    Document::joined([dimensions.into(), iterators, threads(tiling), tests.into(), lane.into()])
}

/// `8 × cuda_warp of 384 threads`
pub(crate) fn summary(tiling: &Tiling) -> String {
    let all = count(tiling.launch().threads() as usize, "thread");
    let counts: Vec<String> = tiling.iterators().iter().map(|iterator| iterator.count.to_string()).collect();
    match tiling.iterators().last() {
        Some(last) if last.depth + 1 == tiling.steps().len() => {
            format!("{} × {} of {all}", counts.join(" × "), last.unit)
        }
        Some(_) => format!("{} × {} of {all}", counts.join(" × "), tiling.leaf_threads()),
        None if tiling.steps().is_empty() => all,
        None => format!("{} of {all}", tiling.leaf_threads()),
    }
}

/// The threads of the first iterations, one line for each.
fn threads(tiling: &Tiling) -> Document {
    let mut values = vec![0; tiling.iterators().len()];
    let mut lines = Vec::new();
    for _ in 0..MOST_ITERATIONS {
        let Ok(threads) = tiling.threads(&values) else { break };
        let named =
            tiling.iterators().iter().zip(&values).map(|(iterator, value)| format!("{} = {value}", iterator.name));
        let named: Vec<String> = named.collect();
        let runs = inline(threads.first(MOST_RUNS));
        lines.push(match named.as_slice() {
            [] => format!("threads {runs}"),
            named => format!("{}: threads {runs}", named.join(", ")),
        });
        if !tiling.advance(&mut values) {
            return Document::list("", lines);
        }
    }
    if tiling.iterations() > MOST_ITERATIONS {
        lines.push("…".to_owned());
    }
    Document::list("", lines)
}

fn list(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    format!("[{}]", numbers.join(", "))
}
