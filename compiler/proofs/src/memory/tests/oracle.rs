//! The same questions, answered by looking at every byte of every lane.

use std::collections::{BTreeMap, BTreeSet};

use maps::AxisRole;
use random_maps::Recipe;

/// The lanes of one request: the number of the lane and its address.
pub(super) type Lanes = Vec<(i64, i64)>;

/// The axes that number the lanes, the last one fastest.
pub(super) fn lane_axes(recipe: &Recipe) -> Vec<usize> {
    let roles = recipe.extents.iter().enumerate().filter(|(_, (_, role))| *role == AxisRole::Thread);
    let threads: Vec<usize> = roles.map(|(axis, _)| axis).collect();
    if threads.is_empty() { vec![recipe.extents.len() - 1] } else { threads }
}

/// Every request of a recipe.
pub(super) fn requests(recipe: &Recipe, lane_axes: &[usize]) -> Vec<Lanes> {
    let sizes = BTreeMap::new();
    let mut requests: BTreeMap<(Vec<i64>, i64), Lanes> = BTreeMap::new();
    for (upper, lower) in recipe.table(&sizes) {
        let mut number = 0;
        for axis in lane_axes {
            number = number * recipe.extents[*axis].0.value(&sizes) + upper[*axis];
        }
        let mut others = upper.clone();
        lane_axes.iter().for_each(|axis| others[*axis] = 0);
        let lanes = requests.entry((others, number / 32)).or_default();
        if let Some(lower) = lower {
            lanes.push((number % 32, lower[0]));
        }
    }
    requests.into_values().collect()
}

/// The most words of one bank in one phase.
pub(super) fn degree(lanes: &Lanes, bytes: i64) -> i64 {
    let in_phase = if bytes <= 4 { 32 } else { 128 / bytes };
    let mut words: BTreeMap<(i64, i64), BTreeSet<i64>> = BTreeMap::new();
    for (lane, address) in lanes {
        for byte in 0..bytes {
            let word = (address * bytes + byte).div_euclid(4);
            words.entry((lane / in_phase, word.rem_euclid(32))).or_default().insert(word);
        }
    }
    words.values().map(|words| words.len() as i64).max().unwrap_or(0)
}

/// The pieces of memory that lanes touch, of `run` elements each.
pub(super) fn pieces(lanes: &Lanes, bytes: i64, run: i64, piece: i64) -> i64 {
    let touched = |(_, address): &(i64, i64)| {
        (0..bytes * run).map(move |byte| (address * bytes + byte).div_euclid(piece)).collect::<Vec<_>>()
    };
    lanes.iter().flat_map(touched).collect::<BTreeSet<i64>>().len() as i64
}

/// The widest aligned vectors of a thread, in any order of its local coordinates.
pub(super) fn vector_width(recipe: &Recipe, bytes: i64) -> i64 {
    let sizes = BTreeMap::new();
    let locals: Vec<usize> = recipe
        .extents
        .iter()
        .enumerate()
        .filter(|(_, (_, role))| *role == AxisRole::Local)
        .map(|(axis, _)| axis)
        .collect();
    let table = recipe.table(&sizes);
    let mut widest = 1;
    for order in permutations(&locals) {
        // The addresses of each thread, in the order of its local coordinates, the last of the order fastest.
        let mut threads: BTreeMap<Vec<i64>, BTreeMap<Vec<i64>, Option<i64>>> = BTreeMap::new();
        for (upper, lower) in &table {
            let mut thread = upper.clone();
            locals.iter().for_each(|axis| thread[*axis] = 0);
            let place = order.iter().map(|axis| upper[*axis]).collect();
            threads.entry(thread).or_default().insert(place, lower.as_ref().map(|lower| lower[0]));
        }
        let is_vector = |vector: &[Option<i64>], width: i64| match vector[0] {
            None => vector.iter().all(Option::is_none),
            Some(first) => {
                first.rem_euclid(width) == 0 && (0..width).all(|place| vector[place as usize] == Some(first + place))
            }
        };
        for width in [2, 4, 8, 16].into_iter().filter(|width| width * bytes <= 16) {
            let fits = threads.values().all(|elements| {
                let elements: Vec<Option<i64>> = elements.values().copied().collect();
                elements.len() as i64 % width == 0
                    && elements.chunks(width as usize).all(|vector| is_vector(vector, width))
            });
            if fits {
                widest = widest.max(width);
            }
        }
    }
    widest
}

fn permutations(axes: &[usize]) -> Vec<Vec<usize>> {
    let Some((first, rest)) = axes.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for order in permutations(rest) {
        for place in 0..=order.len() {
            let mut order = order.clone();
            order.insert(place, *first);
            all.push(order);
        }
    }
    all
}
