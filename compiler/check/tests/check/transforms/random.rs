//! Random pipelines against their point-by-point evaluation.

use std::collections::BTreeMap;

use super::oracle::{Call, Chain, Entry, points, row_major};
use super::{at, map_of};
use dims::Facts;
use maps::{IndexMap, NoInverse};
use proofs::{Budget, Verdict};
use random_maps::{Choices, for_random_choices};

/// Points of a map that a test goes through.
const MOST_POINTS: i64 = 2_000;

fn length(choices: &mut Choices) -> i64 {
    choices.pick(&[1, 2, 3, 4, 5, 6, 8])
}

/// A transform for the next dimensions of a stage, and how many it takes.
fn call(choices: &mut Choices, left: &[i64]) -> (Call, usize) {
    let amount = |choices: &mut Choices| choices.below(4) as i64;
    let Some(first) = left.first().copied() else {
        return (if choices.chance(5) { Call::Insert(length(choices)) } else { Call::Replicate(vec![2, 3]) }, 0);
    };
    let two = left.len() > 1;
    match choices.below(16) {
        0 | 1 => (Call::PassThrough, 1),
        2 => (Call::Pad(amount(choices), amount(choices)), 1),
        3 => (Call::LeftPad(amount(choices)), 1),
        4 => (Call::RightPad(amount(choices)), 1),
        5 => (Call::Embed(vec![length(choices), 3], vec![amount(choices), 1 + amount(choices)]), 1),
        6 if two => (Call::Merge, 2),
        7 => {
            let cut = (1..=first).filter(|cut| first % cut == 0).collect::<Vec<_>>();
            let cut = choices.pick(&cut);
            (Call::Unmerge(vec![first / cut, cut]), 1)
        }
        8 if two => (Call::Xor, 2),
        9 if two => (Call::CyclicShift, 2),
        10 => (Call::Freeze(choices.below(first as usize) as i64), 1),
        11 => (Call::Offset(first, amount(choices) - 1), 1),
        12 => {
            let begin = choices.below(first as usize) as i64;
            (Call::Slice(begin, begin + 1 + choices.below((first - begin) as usize) as i64), 1)
        }
        13 => (Call::Modulo(1 + choices.below(first as usize) as i64, length(choices)), 1),
        14 => (Call::Partition(vec![1 + choices.below(first as usize) as i64]), 1),
        _ if two => (Call::Merge, 2),
        _ => (Call::PassThrough, 1),
    }
}

fn shuffled(choices: &mut Choices, count: usize) -> Vec<usize> {
    let mut left: Vec<usize> = (0..count).collect();
    (0..count).map(|_| left.remove(choices.below(left.len()))).collect()
}

fn stage(choices: &mut Choices, below: &[i64]) -> Vec<Entry> {
    let order = shuffled(choices, below.len());
    let mut parts: Vec<(Call, Vec<usize>, usize)> = Vec::new();
    let mut position = 0;
    while position < order.len() {
        let left: Vec<i64> = order[position..].iter().map(|id| below[*id]).collect();
        let (call, taken) = call(choices, &left);
        let made = call.upper(&left[..taken]).len();
        parts.push((call, order[position..position + taken].to_vec(), made));
        position += taken;
    }
    if choices.chance(1) {
        let (call, _) = call(choices, &[]);
        let made = call.upper(&[]).len();
        parts.push((call, vec![], made));
    }
    let upper = shuffled(choices, parts.iter().map(|(.., made)| made).sum());
    let mut numbers = upper.into_iter();
    parts.into_iter().map(|(call, lower, made)| (call, lower, numbers.by_ref().take(made).collect())).collect()
}

fn chain(choices: &mut Choices) -> Chain {
    let lengths: Vec<i64> = (0..1 + choices.below(3)).map(|_| length(choices)).collect();
    let mut strides = row_major(&lengths);
    if choices.chance(3) {
        strides.iter_mut().for_each(|stride| *stride += choices.below(3) as i64);
    }
    let mut chain = Chain { lengths, strides, stages: Vec::new() };
    for _ in 0..choices.below(4) {
        let below = chain.lengths_above(chain.stages.len());
        let next = stage(choices, &below);
        chain.stages.push(next);
        let points: i64 = chain.lengths_above(chain.stages.len()).iter().product();
        if points > MOST_POINTS || points == 0 {
            chain.stages.pop();
        }
    }
    chain
}

/// The valid points, each with its offset.
fn valid_points(chain: &Chain) -> Vec<(Vec<i64>, i64)> {
    let all = chain.points().into_iter().map(|point| (chain.at(&point), point));
    all.filter(|((_, valid), _)| *valid).map(|((offset, _), point)| (point, offset)).collect()
}

fn check_inverse(map: &IndexMap, valid: &[(Vec<i64>, i64)], text: &str) {
    let inverse = maps::inverse(map, &Facts::empty()).unwrap();
    let mut leads: BTreeMap<i64, Vec<&Vec<i64>>> = BTreeMap::new();
    for (point, offset) in valid {
        leads.entry(*offset).or_default().push(point);
    }
    let space = map.lower[0].extent.as_ref().and_then(|extent| extent.as_constant());
    for offset in 0..space.unwrap_or(20) {
        let from = leads.get(&offset).map_or(&[][..], Vec::as_slice);
        match (maps::upper(map, &[offset], &|| false), from) {
            (Ok(None), []) => {}
            (Ok(Some(found)), [only]) => assert_eq!(&&found, only, "{text} from {offset}"),
            (Err(NoInverse::Twice { .. }), [_, _, ..]) => {}
            (found, from) => panic!("{text}: {found:?} from {offset}, to which {from:?} lead"),
        }
        if let Some(inverse) = &inverse {
            let found = at(inverse, &[offset]);
            assert_eq!(found.as_ref(), from.first().copied(), "the inverse of {text} at {offset}: {inverse}");
            assert!(from.len() < 2);
        }
    }
}

fn check_verdicts(map: &IndexMap, chain: &Chain, valid: &[(Vec<i64>, i64)], text: &str) {
    let (facts, budget) = (Facts::empty(), Budget::default());
    let mut offsets: Vec<i64> = valid.iter().map(|(_, offset)| *offset).collect();
    offsets.sort_unstable();
    offsets.dedup();
    let injective = offsets.len() == valid.len();
    let space = 1 + chain.lengths.iter().zip(&chain.strides).map(|(n, s)| (n - 1) * s).sum::<i64>();
    let answers = [
        (proofs::injective(map, &facts, &budget), injective),
        (
            proofs::covers(map, &[dims::Sym::zero()..dims::Sym::constant(space)], &facts, &budget),
            offsets.len() as i64 == space,
        ),
    ];
    for (verdict, truth) in answers {
        let decided = match verdict {
            Verdict::Proven { .. } => true,
            Verdict::Refuted { .. } => false,
            Verdict::Open { reason, .. } => panic!("{text} is open: {reason}"),
        };
        assert_eq!(decided, truth, "{text}");
    }
}

#[test]
fn a_pipeline_is_its_stages_one_after_the_other() {
    for_random_choices(1_500, |choices| {
        let chain = chain(choices);
        let text = chain.text();
        let map = map_of(&text);
        for point in points(&chain.lengths_above(chain.stages.len())) {
            let (offset, valid) = chain.at(&point);
            assert_eq!(at(&map, &point), valid.then(|| vec![offset]), "{text} at {point:?}");
        }
        let valid = valid_points(&chain);
        check_inverse(&map, &valid, &text);
        check_verdicts(&map, &chain, &valid, &text);
    });
}

#[test]
fn a_permuted_map_takes_its_coordinates_in_the_other_order() {
    for_random_choices(300, |choices| {
        let chain = chain(choices);
        let map = map_of(&chain.text());
        let order = shuffled(choices, map.upper.len());
        let permuted = maps::permute(&map, &order, &Facts::empty()).unwrap();
        for point in chain.points() {
            let other: Vec<i64> = order.iter().map(|axis| point[*axis]).collect();
            assert_eq!(at(&map, &point), at(&permuted, &other), "{} by {order:?}", chain.text());
        }
    });
}
