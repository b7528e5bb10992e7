//! Sizes for symbols, and bounds for unbounded coordinates, so that a map can be drawn.

use std::collections::BTreeMap;

use super::{Kind, Options, Subject};
use dims::{Sym, Symbol};
use maps::{AxisRole, IndexMap, specialize};

/// The most assignments that are tried.
const MOST_SAMPLES: usize = 400;
/// Numbers of cells at which a picture shows a pattern and is readable.
const BEST: std::ops::RangeInclusive<u64> = 24..=256;
/// The values of an unbounded coordinate that are drawn.
const LOCAL_VALUES: i64 = 8;
const THREAD_VALUES: i64 = 32;

/// A map that can be drawn.
pub(super) struct Known {
    pub(super) map: IndexMap,
    /// The sizes of its symbols.
    pub(super) sizes: BTreeMap<Symbol, i64>,
    /// What was chosen.
    pub(super) notes: Vec<String>,
}

/// The map with a size for each symbol and a bound for each coordinate; or why it cannot be drawn.
pub(super) fn known(subject: &Subject<'_>, options: &Options<'_>) -> Result<Known, String> {
    let mut notes = Vec::new();
    let mut sizes = BTreeMap::new();
    let mut map = if subject.map.is_constant() {
        subject.map.clone()
    } else {
        sizes = self::sizes(subject, options)?;
        let shown: Vec<String> = sizes.iter().map(|(symbol, size)| format!("{symbol} = {size}")).collect();
        notes.push(format!("drawn for {}", shown.join(", ")));
        specialize(subject.map, &sizes).map_err(|error| format!("the map cannot be drawn: {error}"))?
    };
    let names = map.axis_names();
    for (axis, name) in map.upper.iter_mut().zip(names) {
        if axis.extent.is_none() {
            let values = match axis.role {
                AxisRole::Local => LOCAL_VALUES,
                AxisRole::Thread => THREAD_VALUES,
            };
            axis.extent = Some(Sym::constant(values));
            notes.push(format!("`{name}` has no end, {values} of its values are drawn"));
        }
    }
    Ok(Known { map, sizes, notes })
}

/// A size for each symbol of the map: the given ones, those of the counterexample, and for the others small ones that
/// make an informative picture.
fn sizes(subject: &Subject<'_>, options: &Options<'_>) -> Result<BTreeMap<Symbol, i64>, String> {
    let symbols = subject.map.symbols();
    let mut given: BTreeMap<Symbol, i64> =
        options.counterexample.map_or_else(BTreeMap::new, |found| found.sizes.clone());
    given.extend(options.sizes.iter().map(|(symbol, size)| (symbol.clone(), *size)));
    given.retain(|symbol, _| symbols.contains(symbol));
    if symbols.iter().all(|symbol| given.contains_key(symbol)) {
        return match subject.facts.check(&given) {
            Err(violated) if options.counterexample.is_none() => Err(format!("the map cannot be drawn: {violated}")),
            _ => Ok(given),
        };
    }
    let good = match subject.kind {
        Kind::Partition(division) => division.good_sizes(),
        _ => vec![4, 8, 16, 32],
    };
    let hints: Vec<i64> = given.values().copied().chain(good).collect();
    let samples = subject.facts.sample_near(&symbols, &hints).take(MOST_SAMPLES);
    let fitting = samples.filter_map(|mut sample| {
        sample.retain(|symbol, _| symbols.contains(symbol));
        let all_known = symbols.iter().all(|symbol| sample.contains_key(symbol));
        let as_given = given.iter().all(|(symbol, size)| sample.get(symbol) == Some(size));
        all_known.then_some((as_given, sample))
    });
    // Given sizes may differ from every sample; the facts then decide whether the other sizes fit them.
    let fitting = fitting.filter_map(|(as_given, mut sample)| {
        sample.extend(given.iter().map(|(symbol, size)| (symbol.clone(), *size)));
        (as_given || subject.facts.check(&sample).is_ok()).then_some(sample)
    });
    let best = fitting.min_by_key(|sample| match subject.kind {
        Kind::Partition(division) => division.badness(sample),
        _ => badness(subject.map, sample),
    });
    best.ok_or_else(|| match given.is_empty() {
        true => "the map cannot be drawn: no small sizes that the facts allow were found".to_owned(),
        false => {
            "the map cannot be drawn: no sizes for its other symbols were found that go with the given ones".to_owned()
        }
    })
}

/// How far the number of points is from a readable one; then, how many more points than slots there are, which are
/// masked.
fn badness(map: &IndexMap, sizes: &BTreeMap<Symbol, i64>) -> (u64, u64) {
    let points = product(map.upper.iter().map(|axis| axis.extent.as_ref()), sizes);
    let bounded = map.lower.iter().all(|axis| axis.extent.is_some());
    let slots = if bounded { product(map.lower.iter().map(|axis| axis.extent.as_ref()), sizes) } else { points };
    let distance = if BEST.contains(&points) {
        0
    } else if points < *BEST.start() {
        BEST.start() - points
    } else {
        points
    };
    (distance, points.saturating_sub(slots))
}

/// The product of extents.
fn product<'a>(extents: impl Iterator<Item = Option<&'a Sym>>, sizes: &BTreeMap<Symbol, i64>) -> u64 {
    let mut product = 1u64;
    for extent in extents {
        let extent = match extent {
            Some(extent) => extent.evaluate(&|symbol| sizes.get(symbol).copied()).unwrap_or(0),
            None => LOCAL_VALUES,
        };
        product = product.saturating_mul(u64::try_from(extent.max(0)).unwrap_or(0));
    }
    product
}
