//! The texts that an editor shows for a finished run.

use std::ops::Range;

use super::places::location;
use check::db::{Db, Item};
use check::run_items;
use kernel::run::TensorExprKind;
use kernel::typed::BinaryOp;
use syntax::span::Span;

/// A run that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// How it ended.
    pub ending: Ending,
    /// How long the kernel took, in microseconds.
    pub microseconds: Option<f64>,
    /// Memory throughput in 10⁹ bytes per second.
    pub gigabytes_per_second: Option<f64>,
    /// Whether the source changed since the run.
    pub stale: bool,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// It has no expectation.
    Done,
    /// Its expectation holds.
    Passed,
    /// Its expectation does not hold.
    Failed(Mismatch),
    /// It was stopped, refused, or crashed: why, in one sentence.
    Stopped(String),
}

/// The first element that is not as expected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mismatch {
    /// The compared tensor, if the condition compares one.
    pub tensor: Option<String>,
    /// The index in the tensor.
    pub index: Vec<u64>,
    /// The actual value, as text.
    pub actual: String,
    /// The expected value, as text.
    pub expected: String,
    /// How many elements are wrong.
    pub wrong: Option<u64>,
}

/// What is shown of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunTexts {
    /// Above the run: short.
    pub lens: String,
    /// After it: with the first wrong element.
    pub inlay: String,
    /// The message of the diagnostic on the `expect`; `None` where the run is stale or nothing is wrong.
    pub problem: Option<String>,
}

/// What to show of a result.
pub fn run_texts(result: &RunResult) -> RunTexts {
    let numbers = numbers(result);
    let stale = result.stale.then_some("stale");
    let join = |mark: &str, parts: &[Option<&str>]| {
        let parts: Vec<&str> = parts.iter().flatten().copied().filter(|part| !part.is_empty()).collect();
        format!("{mark} {}", parts.join(" · ")).trim_end().to_owned()
    };
    let numbers = Some(numbers.as_str());
    match &result.ending {
        Ending::Done => {
            let text = join("✓", &[numbers, stale]);
            RunTexts { lens: text.clone(), inlay: text, problem: None }
        }
        Ending::Passed => {
            let text = join("✓", &[numbers, Some("expect passed"), stale]);
            RunTexts { lens: text.clone(), inlay: text, problem: None }
        }
        Ending::Failed(mismatch) => RunTexts {
            lens: join("✗", &[numbers, Some("expect failed"), stale]),
            inlay: join("✗", &[Some(&first_wrong(mismatch)), stale]),
            problem: (!result.stale).then(|| problem(mismatch)),
        },
        Ending::Stopped(reason) => RunTexts {
            lens: join("✗", &[Some("did not finish"), stale]),
            inlay: join("✗", &[Some(reason), stale]),
            problem: (!result.stale).then(|| reason.clone()),
        },
    }
}

/// `1.2 ms · 812 GB/s`
fn numbers(result: &RunResult) -> String {
    let time = result.microseconds.map(duration);
    let speed = result.gigabytes_per_second.map(|speed| format!("{} GB/s", three_digits(speed)));
    time.into_iter().chain(speed).collect::<Vec<String>>().join(" · ")
}

/// A time in the largest unit that keeps it above one.
fn duration(microseconds: f64) -> String {
    match microseconds {
        time if time < 1e3 => format!("{} µs", three_digits(time)),
        time if time < 1e6 => format!("{} ms", three_digits(time / 1e3)),
        time => format!("{} s", three_digits(time / 1e6)),
    }
}

/// A number with two or three digits that say something: `1.2`, `12.3`, `123`, `1234`.
fn three_digits(number: f64) -> String {
    let decimals = if number < 99.95 { 1 } else { 0 };
    format!("{number:.decimals$}")
}

/// `y[3]: 4.0, expected 5.0`
fn first_wrong(mismatch: &Mismatch) -> String {
    format!("{}: {}, expected {}", element(mismatch), mismatch.actual, mismatch.expected)
}

fn problem(mismatch: &Mismatch) -> String {
    let Mismatch { actual, expected, .. } = mismatch;
    let count = match mismatch.wrong {
        None | Some(0 | 1) => String::new(),
        Some(wrong) => format!("; {wrong} elements are wrong, this is the first"),
    };
    format!("the expectation does not hold: {} is {actual}, expected {expected}{count}", element(mismatch))
}

/// `y[3, 1]`; without a tensor's name `element [3, 1]`, and without an index what was compared.
fn element(mismatch: &Mismatch) -> String {
    let numbers: Vec<String> = mismatch.index.iter().map(u64::to_string).collect();
    let index = if numbers.is_empty() { String::new() } else { format!("[{}]", numbers.join(", ")) };
    match &mismatch.tensor {
        Some(tensor) => format!("{tensor}{index}"),
        None if index.is_empty() => "the value".to_owned(),
        None => format!("element {index}"),
    }
}

/// Where the results of a run are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunPlaces {
    /// The whole run; the inlay is shown at its end.
    pub run: Range<u32>,
    /// The condition after `expect`; the whole run if there is none.
    pub expectation: Range<u32>,
    /// The tensor that the condition compares as a whole: `y` of `y == 2.0 * x`.
    pub compared: Option<String>,
}

/// The places of a `run` item that has no errors.
pub fn run_places(db: &dyn Db, item: Item) -> Option<RunPlaces> {
    let run = run_items::run(db, item).run.clone()?;
    let all = Span::new(0, item.tokens(db).len() as u32);
    let condition = run.expect.as_ref();
    let only = condition.and_then(|expectation| match expectation.conditions.as_slice() {
        [only] => Some(&only.holds),
        _ => None,
    });
    let compared = only.and_then(|holds| match &holds.kind {
        TensorExprKind::Binary(BinaryOp::Equal, left, _) => match left.kind {
            TensorExprKind::Final(param) => Some(run.kernel.params.get(param)?.name.to_string()),
            _ => None,
        },
        _ => None,
    });
    Some(RunPlaces {
        run: location(db, item, all).range,
        expectation: location(db, item, condition.map_or(all, |expectation| expectation.span)).range,
        compared,
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::*;

    fn result(ending: Ending) -> RunResult {
        RunResult { ending, microseconds: Some(1234.0), gigabytes_per_second: Some(812.4), stale: false }
    }

    fn mismatch() -> Mismatch {
        Mismatch {
            tensor: Some("y".into()),
            index: vec![3],
            actual: "4.0".into(),
            expected: "5.0".into(),
            wrong: Some(12),
        }
    }

    #[test]
    fn a_run_that_passed() {
        let texts = run_texts(&result(Ending::Passed));
        assert_eq!((texts.lens.as_str(), texts.problem), ("✓ 1.2 ms · 812 GB/s · expect passed", None));
        assert_eq!(texts.inlay, texts.lens);
        let done = RunResult { microseconds: None, gigabytes_per_second: None, ..result(Ending::Done) };
        assert_eq!(run_texts(&done).lens, "✓");
        assert_eq!(run_texts(&RunResult { stale: true, ..result(Ending::Done) }).lens, "✓ 1.2 ms · 812 GB/s · stale");
    }

    #[test]
    fn a_run_that_failed_tells_the_first_wrong_element() {
        let texts = run_texts(&result(Ending::Failed(mismatch())));
        assert_eq!(texts.lens, "✗ 1.2 ms · 812 GB/s · expect failed");
        assert_eq!(texts.inlay, "✗ y[3]: 4.0, expected 5.0");
        assert_eq!(
            texts.problem.unwrap(),
            "the expectation does not hold: y[3] is 4.0, expected 5.0; 12 elements are wrong, this is the first"
        );
        let unnamed = Mismatch { tensor: None, wrong: Some(1), ..mismatch() };
        let texts = run_texts(&result(Ending::Failed(unnamed)));
        assert_eq!(texts.inlay, "✗ element [3]: 4.0, expected 5.0");
        assert_eq!(texts.problem.unwrap(), "the expectation does not hold: element [3] is 4.0, expected 5.0");
    }

    #[test]
    fn what_is_stale_is_marked_and_no_problem() {
        let texts = run_texts(&RunResult { stale: true, ..result(Ending::Failed(mismatch())) });
        assert_eq!((texts.inlay.as_str(), texts.problem), ("✗ y[3]: 4.0, expected 5.0 · stale", None));
        let stopped = run_texts(&result(Ending::Stopped("the run was cancelled".into())));
        assert_eq!((stopped.lens.as_str(), stopped.inlay.as_str()), ("✗ did not finish", "✗ the run was cancelled"));
        assert_eq!(stopped.problem.unwrap(), "the run was cancelled");
    }

    #[test]
    fn times_are_in_the_unit_that_fits() {
        let time = |microseconds| duration(microseconds);
        assert_eq!([time(0.25), time(12.34), time(999.0)], ["0.2 µs", "12.3 µs", "999 µs"]);
        assert_eq!([time(1e3), time(123_456.0), time(2.5e6)], ["1.0 ms", "123 ms", "2.5 s"]);
    }

    #[test]
    fn the_condition_and_what_it_compares_are_found() {
        let text = "// x\nkernel k(y: mut f32[4]) grid(1) block(1) { for i in 0..4 { y[i] = 1.0; } }\nrun k(y: zeros) expect y == 1.0 within 1e-3;\nrun k(y: zeros) expect y.sum() == 4.0;\n";
        let Fixture { db, file, .. } = Fixture::new(text);
        let places: Vec<RunPlaces> = file.items(&db)[1..].iter().filter_map(|item| run_places(&db, *item)).collect();
        let at = |range: &Range<u32>| &text[range.start as usize..range.end as usize];
        assert_eq!(places.len(), 2);
        assert_eq!((at(&places[0].expectation), places[0].compared.as_deref()), ("y == 1.0", Some("y")));
        assert_eq!((at(&places[1].expectation), places[1].compared.as_deref()), ("y.sum() == 4.0", None));
        assert_eq!(at(&places[0].run), "run k(y: zeros) expect y == 1.0 within 1e-3");
    }
}
