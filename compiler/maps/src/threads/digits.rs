//! What a thread computes from its number: whether it is active, its iteration, and its number within the iteration.

use crate::row_major::strides_of;
use std::fmt;

use super::{Dimension, Index, Part, Predicate, Test, Tiling};

/// A tiling as generated code computes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Digits {
    /// The value of each iterator, in a thread that passes the predicate.
    pub iterators: Vec<Index>,
    /// Which threads execute an iteration.
    pub predicate: Predicate,
    /// The number of the thread among those of its iteration, in the order of natural indices.
    pub lane: Linear,
    /// For each step that narrows a dimension, in order, what a thread of a given iteration satisfies.
    conditions: Vec<String>,
}

/// A sum of indices, each multiplied by a positive number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Linear {
    /// The indices with their factors.
    pub terms: Vec<(Index, i64)>,
}

impl Linear {
    /// The value in the thread of this number in this block.
    pub fn value(&self, rank: i64, thread: i64) -> i64 {
        self.terms.iter().map(|(index, factor)| index.value(rank, thread) * factor).sum()
    }
}

impl fmt::Display for Linear {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let term = |(index, factor): &(Index, i64)| match (factor, index.steps().last()) {
            (1, _) => index.to_string(),
            (_, Some(super::Step::Subtract(_))) => format!("({index}) * {factor}"),
            _ => format!("{index} * {factor}"),
        };
        match self.terms.as_slice() {
            [] => formatter.write_str("0"),
            terms => formatter.write_str(&terms.iter().map(term).collect::<Vec<String>>().join(" + ")),
        }
    }
}

impl Digits {
    /// The condition that the threads of one iteration satisfy; iterators appear by name.
    pub fn condition(&self) -> String {
        match self.conditions.as_slice() {
            [] => "true".to_owned(),
            conditions => conditions.join(" && "),
        }
    }
}

/// The tests that one operation implies for a thread.
struct Asked {
    depth: usize,
    test: Option<Test>,
    condition: Option<String>,
}

impl Tiling {
    /// The tiling as generated code computes it.
    pub fn digits(&self) -> Digits {
        // An iterator that narrows nothing is 0.
        let mut iterators = vec![Index::new(Part::Thread, 1); self.iterators.len()];
        let mut asked = Vec::new();
        let mut places = Vec::with_capacity(self.dimensions.len());
        for dimension in &self.dimensions {
            let mut place = self.coordinate(dimension);
            let mut there = dimension.extent;
            for operation in &dimension.operations {
                let (taken, offset) = (operation.taken(dimension.pitch), operation.offset(dimension.pitch));
                let end = offset + taken * operation.count;
                let beyond = end < there;
                let (test, condition);
                match operation.iterator {
                    Some(number) => {
                        let value = place.clone().divided(taken);
                        test = beyond.then(|| Test { index: value.clone(), low: None, high: Some(operation.count) });
                        let name = self.iterators.get(number).map_or("", |iterator| iterator.name.as_str());
                        condition = Some(format!("{value} == {name}"));
                        if let Some(iterator) = iterators.get_mut(number) {
                            *iterator = value.below(operation.count);
                        }
                        place = place.below(end).remainder(taken);
                    }
                    None => {
                        let (low, high) = ((offset > 0).then_some(offset), beyond.then_some(end));
                        test = (low.is_some() || high.is_some()).then(|| Test { index: place.clone(), low, high });
                        condition = test.as_ref().map(Test::to_string);
                        place = place.subtracted(offset, taken);
                    }
                }
                asked.push(Asked { depth: operation.depth, test, condition });
                there = taken;
            }
            places.push((place, there));
        }
        asked.sort_by_key(|asked| asked.depth);
        let conditions = asked.iter_mut().filter_map(|asked| asked.condition.take()).collect();
        let tests = asked.into_iter().filter_map(|asked| asked.test).collect();
        let (places, taken): (Vec<Index>, Vec<i64>) = places.into_iter().unzip();
        let terms = places.into_iter().zip(strides_of(&taken)).filter(|(place, _)| !place.is_zero()).collect();
        Digits { iterators, predicate: Predicate { tests }, lane: Linear { terms }, conditions }
    }

    /// The coordinate of a thread along a dimension. A tiling starts with two dimensions, the blocks of the cluster
    /// and the threads of a block, and only splits them, so each dimension is a digit of one of the two.
    fn coordinate(&self, dimension: &Dimension) -> Index {
        let block = self.launch.block();
        let (part, end, pitch) = match dimension.pitch >= block && self.launch.cluster() > 1 {
            true => (Part::Rank, self.launch.cluster(), dimension.pitch / block),
            false => (Part::Thread, block, dimension.pitch),
        };
        Index::new(part, end).divided(pitch).remainder(dimension.extent)
    }
}
