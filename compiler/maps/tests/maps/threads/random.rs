//! Random tilings: their derived properties and the generated code, compared with the definitions.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::oracle::{self, Known, Line};
use dims::Facts;
use maps::threads::{
    Dimension, Launch, Operation, Scale, Size, ThreadsError, Tiling, Unit, UnitDimension, standard_unit,
};

/// A unit for both sides: a standard one with a factor, or one of constants.
#[derive(Clone, Debug)]
enum Recipe {
    Standard(&'static str, Vec<i64>, i64),
    Constant(Vec<(i64, Option<i64>)>),
}

impl Recipe {
    fn unit(&self) -> Option<Unit> {
        match self {
            Recipe::Standard(name, values, factor) => {
                let values: Vec<Size> = values.iter().map(|value| Size::integer(*value).unwrap()).collect();
                let unit = standard_unit(name)?.build(&values).unwrap();
                if *factor == 1 { Some(unit) } else { unit.scaled(Scale::integer(*factor)?).ok() }
            }
            Recipe::Constant(dimensions) => {
                let size = |value: i64| Size::integer(value).unwrap();
                let dimension = |(extent, taken): &(i64, Option<i64>)| UnitDimension {
                    extent: size(*extent),
                    taken: taken.map(size),
                };
                Some(Unit::new(dimensions.iter().map(dimension).collect()).unwrap())
            }
        }
    }

    fn shape(&self, launch: (i64, i64)) -> Option<oracle::Shape> {
        match self {
            Recipe::Standard(name, values, factor) => oracle::standard(name, values, *factor, launch),
            Recipe::Constant(shape) => {
                shape.iter().all(|(extent, taken)| taken.is_none_or(|taken| taken <= *extent)).then(|| shape.clone())
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Action {
    Tile(i64, Recipe),
    Specialize(i64, i64, Recipe),
}

#[derive(Clone, Debug)]
struct Program {
    launch: (i64, i64),
    actions: Vec<Action>,
    asked: Recipe,
}

fn recipes() -> impl Strategy<Value = Recipe> {
    let factors = prop_oneof![4 => Just(1), 1 => Just(2), 1 => Just(3), 1 => Just(4), 1 => Just(8), 1 => Just(5)];
    let plain = prop::sample::select(vec![
        "standalone_thread",
        "cuda_thread",
        "cuda_thread",
        "cuda_thread",
        "cuda_warp",
        "cuda_warp",
        "cuda_warpgroup",
        "cuda_warp_in_cluster",
        "cuda_cta_in_cluster",
        "cuda_cluster",
    ]);
    let fixed = prop::sample::select(vec!["cuda_quadpair", "cuda_agnostic_sub_cta", "cuda_agnostic_intact_cta"]);
    let strided = prop::sample::select(vec![
        (1, 2),
        (2, 4),
        (4, 8),
        (2, 16),
        (4, 32),
        (8, 32),
        (3, 6),
        (1, 8),
        (8, 16),
        (16, 32),
    ]);
    let extents = prop::sample::select(vec![1i64, 2, 3, 4, 6, 8, 12, 16, 32]);
    let constant = (extents, 0..5i64).prop_map(|(extent, taken)| {
        (
            extent,
            match taken {
                0 => None,
                1 => Some(1),
                2 => Some(extent),
                _ => Some((extent / taken).max(1)),
            },
        )
    });
    prop_oneof![
        6 => (plain, factors).prop_map(|(name, factor)| Recipe::Standard(name, Vec::new(), factor)),
        1 => fixed.prop_map(|name| Recipe::Standard(name, Vec::new(), 1)),
        3 => strided.prop_map(|(n, s)| Recipe::Standard("cuda_threads_strided", vec![n, s], 1)),
        1 => (2..5i64).prop_map(|s| Recipe::Standard("cuda_cta_in_cluster_strided", vec![s], 1)),
        3 => prop::collection::vec(constant, 1..4).prop_map(Recipe::Constant),
    ]
}

fn programs() -> impl Strategy<Value = Program> {
    let cluster = prop::sample::select(vec![1i64, 1, 1, 2, 3, 4]);
    let block = prop::sample::select(vec![1i64, 6, 16, 24, 32, 48, 64, 96, 128, 60]);
    let counts = prop_oneof![3 => Just(2), 2 => Just(1), 2 => Just(3), 1 => Just(4), 1 => Just(8)];
    let action = prop_oneof![
        2 => (counts, recipes()).prop_map(|(count, unit)| Action::Tile(count, unit)),
        1 => (0..4i64, 1..4i64, recipes()).prop_map(|(low, more, unit)| Action::Specialize(low, low + more, unit)),
    ];
    (cluster, block, prop::collection::vec(action, 1..5), recipes())
        .prop_map(|(cluster, block, actions, asked)| Program { launch: (cluster, block), actions, asked })
}

fn check<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    TestRunner::new(seeds::config(cases)).run(&strategy, test).unwrap();
}

/// Goes on as long as both sides agree that a step has a meaning.
fn follow(program: &Program) -> Result<(Tiling, Known), TestCaseError> {
    let mut tiling = Tiling::new(program.launch.0, program.launch.1).unwrap();
    let mut known = oracle::all_threads(program.launch);
    for (number, action) in program.actions.iter().enumerate() {
        let (recipe, low, high, each) = match action {
            Action::Tile(count, recipe) => (recipe, 0, *count, true),
            Action::Specialize(low, high, recipe) => (recipe, *low, *high, false),
        };
        let Some(unit) = recipe.unit() else { continue };
        let derived = match action {
            Action::Tile(count, _) => tiling.tile(&format!("i{number}"), *count, &unit),
            Action::Specialize(low, high, _) => tiling.specialize(*low, *high, &unit),
        };
        let expected = recipe.shape(program.launch).and_then(|shape| oracle::narrow(&known, &shape, low, high, each));
        match (derived, expected) {
            (Ok(derived), Some(expected)) => (tiling, known) = (derived, expected),
            (Err(_), None) => {}
            // The threads could be told in other dimensions, but not by the operations that there are.
            (Err(ThreadsError::SplitChangesThreads { .. } | ThreadsError::SplitUnaligned { .. }), Some(_)) => {}
            (derived, expected) => {
                prop_assert!(false, "{action:?} after {tiling:?}: {derived:?}, expected {expected:?}")
            }
        }
    }
    Ok((tiling, known))
}

#[test]
fn random_tilings_are_what_the_definitions_say() {
    let (steps, matched) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    check(4000, programs(), |program| {
        let (tiling, known) = follow(&program)?;
        steps.set(steps.get() + tiling.steps().len());
        prop_assert_eq!(tiling.iterations(), known.assigned.len() as i64);
        for (values, set) in &known.assigned {
            let threads = tiling.threads(values).unwrap();
            prop_assert_eq!(&threads.threads().collect::<oracle::Set>(), set);
            prop_assert_eq!(threads.len(), tiling.leaf_threads());
            prop_assert!(threads.runs().windows(2).all(|pair| pair[0].end < pair[1].start));
        }
        let lines: Vec<Line> = tiling.dimensions().iter().map(line).collect();
        for (values, set) in &known.assigned {
            prop_assert_eq!(&oracle::threads_of(&lines, values), set);
        }
        if let (Some(unit), shape) = (program.asked.unit(), program.asked.shape(program.launch)) {
            let expected = shape.is_some_and(|shape| oracle::is_matched(&known, &shape));
            prop_assert_eq!(tiling.matches(&unit).is_proven(), expected, "{:?} {:?}", tiling, tiling.matches(&unit));
            matched.set(matched.get() + i32::from(expected));
        }
        Ok(())
    });
    assert!(steps.get() > 1500 && matched.get() > 150, "{} steps, {} matches", steps.get(), matched.get());
}

#[test]
fn pitches_are_the_distances_of_first_threads() {
    check(1000, programs(), |program| {
        let (tiling, known) = follow(&program)?;
        for (number, iterator) in tiling.iterators().iter().enumerate() {
            let first = |value: i64| {
                let wanted: Vec<i64> =
                    (0..tiling.iterators().len()).map(|at| if at == number { value } else { 0 }).collect();
                known.assigned.iter().find(|(values, _)| *values == wanted).and_then(|(_, set)| set.first().copied())
            };
            let expected = first(0).zip(first(1)).map_or(0, |(zero, one)| one - zero);
            prop_assert_eq!(iterator.pitch, expected, "{:?}", tiling);
        }
        Ok(())
    });
}

#[test]
fn code_computes_the_iteration_and_the_lane_of_every_thread() {
    check(2000, programs(), |program| {
        let (tiling, known) = follow(&program)?;
        let digits = tiling.digits();
        let (cluster, block) = program.launch;
        for thread in 0..cluster * block {
            let (rank, own) = (thread / block, thread % block);
            let executes = known.assigned.iter().find(|(_, set)| set.contains(&thread));
            prop_assert_eq!(
                digits.predicate.holds(rank, own),
                executes.is_some(),
                "thread {} of {:?}: {}",
                thread,
                tiling,
                digits.predicate
            );
            let Some((values, set)) = executes else { continue };
            let found: Vec<i64> = digits.iterators.iter().map(|iterator| iterator.value(rank, own)).collect();
            prop_assert_eq!(&found, values, "thread {} of {:?}", thread, tiling);
            let lane = set.iter().position(|other| *other == thread).unwrap() as i64;
            prop_assert_eq!(digits.lane.value(rank, own), lane, "thread {} of {:?}: {}", thread, tiling, digits.lane);
        }
        Ok(())
    });
}

#[test]
fn assignments_are_injective_maps_to_the_threads() {
    check(500, programs(), |program| {
        let (tiling, known) = follow(&program)?;
        let map = tiling.assignment().unwrap();
        let injective = proofs::injective(&map, &Facts::empty(), &proofs::Budget::default());
        prop_assert!(injective.is_proven(), "{:?}: {:?}", tiling, injective);
        let race_free = proofs::race_free(&map, &Facts::empty(), &proofs::Budget::default());
        prop_assert!(race_free.is_proven(), "{:?}: {:?}", tiling, race_free);
        let inside = proofs::in_bounds(
            &map,
            &[dims::Sym::constant(tiling.launch().threads())],
            &Facts::empty(),
            &proofs::Budget::default(),
        );
        prop_assert!(inside.is_proven(), "{:?}: {:?}", tiling, inside);
        for (values, set) in &known.assigned {
            for (lane, thread) in set.iter().enumerate() {
                let upper: Vec<i64> = std::iter::once(lane as i64).chain(values.iter().copied()).collect();
                let point = crate::evaluate(&map, &upper, &|_| None).unwrap();
                prop_assert!(point.valid);
                prop_assert_eq!(point.lower, vec![*thread]);
            }
        }
        Ok(())
    });
}

fn line(dimension: &Dimension) -> Line {
    let operation = |one: &Operation| (one.iterator, one.linear_box, one.linear_offset);
    let operations = dimension.operations.iter().map(operation).collect();
    Line { extent: dimension.extent, pitch: dimension.pitch, operations }
}

/// A row of operations on one dimension of a block, each on whole steps of `factor` or on parts of one such step.
fn lines() -> impl Strategy<Value = (i64, Vec<(i64, i64, bool)>, i64)> {
    let sizes = prop::sample::select(vec![8i64, 12, 16, 24, 32, 48, 64]);
    let factor = prop::sample::select(vec![2i64, 3, 4, 6, 8, 12, 16]);
    (sizes, prop::collection::vec((1..64i64, 0..64i64, any::<bool>()), 1..4), factor)
}

/// T11: a split keeps the threads of every iteration if no operation takes less than a part, or if the box before the
/// first one that does is exactly one part; and only then.
#[test]
fn a_split_is_accepted_if_and_only_if_it_keeps_the_threads() {
    let accepted = std::cell::Cell::new((0, 0));
    check(6000, lines(), |(extent, wanted, factor)| {
        let mut there = extent;
        let mut tiling = Tiling::new(1, extent).unwrap();
        let mut counts = Vec::new();
        for (taken, offset, tiled) in wanted {
            // Whole steps, or at most one.
            let taken = if taken >= factor { taken / factor * factor } else { taken }.min(there);
            let aligned = if taken >= factor { factor } else { 1 };
            if taken < 1 || taken >= factor && there % factor != 0 {
                continue;
            }
            let (offset, count) =
                if tiled { (0, there / taken) } else { (offset.min(there - taken) / aligned * aligned, 1) };
            let unit = Recipe::Constant(vec![(extent, Some(1))]).unit().unwrap();
            let scaled = unit.scaled(Scale::integer(if tiled { taken } else { 1 }).unwrap()).unwrap();
            let derived = match tiled {
                true => tiling.tile(&format!("i{}", counts.len()), count, &scaled),
                false => tiling.specialize(offset, offset + taken, &scaled),
            };
            // A unit that is all there is narrows nothing.
            let Ok(derived) = derived else { continue };
            if tiled {
                counts.push(count);
            }
            there = derived.leaf_threads();
            tiling = derived;
        }
        if extent % factor != 0 || extent == factor {
            return Ok(());
        }
        let whole = line(&tiling.dimensions()[0]);
        let halves = oracle::split(&whole, factor);
        let mut iterations: Vec<Vec<i64>> = vec![Vec::new()];
        for count in &counts {
            iterations = iterations
                .iter()
                .flat_map(|values| (0..*count).map(move |value| [values.as_slice(), &[value]].concat()))
                .collect();
        }
        let is_whole = |operation: &(Option<usize>, i64, i64)| {
            operation.1 < factor || operation.1 % factor == 0 && operation.2 % factor == 0
        };
        let keeps = whole.operations.iter().all(is_whole)
            && iterations.iter().all(|values| {
                oracle::threads_of(std::slice::from_ref(&whole), values) == oracle::threads_of(&halves, values)
            });
        let mut split = tiling.clone();
        let found = split.complete(&[factor], "the unit");
        prop_assert_eq!(found.is_ok(), keeps, "{:?} by {}: {:?}", whole, factor, found);
        let (kept, refused) = accepted.get();
        accepted.set(if keeps { (kept + 1, refused) } else { (kept, refused + 1) });
        Ok(())
    });
    let (kept, refused) = accepted.get();
    assert!(kept > 300 && refused > 300, "{kept} kept, {refused} refused");
}

#[test]
fn an_extreme_launch_is_none() {
    for (cluster, block) in [(0, 32), (1, 0), (17, 32), (1, 1025), (i64::MAX, i64::MIN)] {
        assert!(Launch::new(cluster, block).is_err());
    }
}
