//! The formulas of the transforms with plain integers, as the table of the seed's headers has them.

/// A transform with its arguments.
#[derive(Clone, Debug)]
pub(super) enum Call {
    PassThrough,
    Pad(i64, i64),
    LeftPad(i64),
    RightPad(i64),
    Embed(Vec<i64>, Vec<i64>),
    Merge,
    Unmerge(Vec<i64>),
    Replicate(Vec<i64>),
    Insert(i64),
    Freeze(i64),
    Offset(i64, i64),
    Slice(i64, i64),
    Xor,
    Modulo(i64, i64),
    CyclicShift,
    Partition(Vec<i64>),
}

/// One entry of a group: a transform with the dimensions that it takes and makes.
pub(super) type Entry = (Call, Vec<usize>, Vec<usize>);

/// A pipeline over strides.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub lengths: Vec<i64>,
    pub strides: Vec<i64>,
    pub stages: Vec<Vec<Entry>>,
}

impl Call {
    pub(super) fn upper(&self, lower: &[i64]) -> Vec<i64> {
        match self {
            Call::PassThrough | Call::Xor | Call::CyclicShift => lower.to_vec(),
            Call::Pad(left, right) => vec![lower[0] + left + right],
            Call::LeftPad(left) => vec![lower[0] + left],
            Call::RightPad(right) => vec![lower[0] + right],
            Call::Embed(lengths, _) | Call::Unmerge(lengths) | Call::Replicate(lengths) => lengths.clone(),
            Call::Merge => vec![lower.iter().product()],
            Call::Insert(length) | Call::Offset(length, _) | Call::Modulo(_, length) => vec![*length],
            Call::Freeze(_) => vec![],
            Call::Slice(begin, end) => vec![end - begin],
            Call::Partition(tile) => {
                let numbers = lower.iter().zip(tile).map(|(length, tile)| (length + tile - 1) / tile);
                numbers.chain(tile.iter().copied()).collect()
            }
        }
    }

    pub(super) fn lower(&self, upper: &[i64], lengths: &[i64]) -> Vec<i64> {
        let sum = |weights: &[i64]| vec![upper.iter().zip(weights).map(|(value, weight)| value * weight).sum()];
        match self {
            Call::PassThrough | Call::RightPad(_) => upper.to_vec(),
            Call::Pad(left, _) | Call::LeftPad(left) => vec![upper[0] - left],
            Call::Embed(_, coefficients) => sum(coefficients),
            Call::Merge => {
                let weights = row_major(lengths);
                let digit = |(k, weight): (usize, &i64)| {
                    if k == 0 { upper[0] / weight } else { upper[0] / weight % lengths[k] }
                };
                weights.iter().enumerate().map(digit).collect()
            }
            Call::Unmerge(lengths) => sum(&row_major(lengths)),
            Call::Replicate(_) | Call::Insert(_) => vec![],
            Call::Freeze(position) => vec![*position],
            Call::Offset(_, by) => vec![upper[0] + by],
            Call::Slice(begin, _) => vec![upper[0] + begin],
            Call::Xor => vec![upper[0], upper[1] ^ (upper[0] % lengths[1])],
            Call::Modulo(modulus, _) => vec![upper[0] % modulus],
            Call::CyclicShift => vec![upper[0], (upper[0] + upper[1]) % lengths[1]],
            Call::Partition(tile) => (0..tile.len()).map(|k| upper[k] * tile[k] + upper[tile.len() + k]).collect(),
        }
    }

    /// As it is written in a pipeline.
    pub(super) fn text(&self) -> String {
        let list = |values: &[i64]| values.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Call::PassThrough => "_".into(),
            Call::Pad(left, right) => format!("pad({left}, {right})"),
            Call::LeftPad(left) => format!("left_pad({left})"),
            Call::RightPad(right) => format!("right_pad({right})"),
            Call::Embed(lengths, coefficients) => format!("embed([{}], [{}])", list(lengths), list(coefficients)),
            Call::Merge => "merge".into(),
            Call::Unmerge(lengths) => format!("unmerge({})", list(lengths)),
            Call::Replicate(lengths) => format!("replicate({})", list(lengths)),
            Call::Insert(length) => format!("insert({length})"),
            Call::Freeze(position) => format!("freeze({position})"),
            Call::Offset(length, by) => format!("offset({length}, {by})"),
            Call::Slice(begin, end) => format!("slice({begin}, {end})"),
            Call::Xor => "xor".into(),
            Call::Modulo(modulus, length) => format!("modulo({modulus}, {length})"),
            Call::CyclicShift => "cyclic_shift".into(),
            Call::Partition(tile) => format!("partition([{}])", list(tile)),
        }
    }
}

pub(super) fn row_major(lengths: &[i64]) -> Vec<i64> {
    (0..lengths.len()).map(|k| lengths[k + 1..].iter().product()).collect()
}

impl Chain {
    /// The lengths of the dimensions above the first `stages` stages.
    pub(super) fn lengths_above(&self, stages: usize) -> Vec<i64> {
        let mut below = self.lengths.clone();
        for stage in &self.stages[..stages] {
            let mut above = vec![0; stage.iter().map(|(.., upper)| upper.len()).sum()];
            for (call, lower, upper) in stage {
                let own: Vec<i64> = lower.iter().map(|id| below[*id]).collect();
                for (id, length) in upper.iter().zip(call.upper(&own)) {
                    above[*id] = length;
                }
            }
            below = above;
        }
        below
    }

    /// The offset of an upper coordinate, and whether every coordinate on the way lies inside its length.
    pub(super) fn at(&self, upper: &[i64]) -> (i64, bool) {
        let mut here = upper.to_vec();
        let mut valid = true;
        for number in (0..self.stages.len()).rev() {
            let lengths = self.lengths_above(number);
            let mut below = vec![0; lengths.len()];
            for (call, lower, upper) in &self.stages[number] {
                let own: Vec<i64> = upper.iter().map(|id| here[*id]).collect();
                let own_lengths: Vec<i64> = lower.iter().map(|id| lengths[*id]).collect();
                for (id, value) in lower.iter().zip(call.lower(&own, &own_lengths)) {
                    below[*id] = value;
                }
            }
            valid &= below.iter().zip(&lengths).all(|(value, length)| (0..*length).contains(value));
            here = below;
        }
        (here.iter().zip(&self.strides).map(|(value, stride)| value * stride).sum(), valid)
    }

    /// Every upper coordinate.
    pub(super) fn points(&self) -> Vec<Vec<i64>> {
        points(&self.lengths_above(self.stages.len()))
    }

    /// As it is written in the language.
    pub(super) fn text(&self) -> String {
        let list = |values: Vec<String>| values.join(", ");
        let numbers = |values: &[i64]| list(values.iter().map(i64::to_string).collect());
        let ids = |ids: &[usize]| format!("({})", list(ids.iter().map(usize::to_string).collect()));
        let mut text = format!("strided([{}], [{}])", numbers(&self.lengths), numbers(&self.strides));
        for stage in &self.stages {
            let entry = |(call, lower, upper): &Entry| format!("{}: {} => {}", ids(lower), call.text(), ids(upper));
            text.push_str(&format!(" |> {{ {} }}", list(stage.iter().map(entry).collect())));
        }
        text
    }
}

/// Every coordinate of a box, the last running fastest.
pub(super) fn points(lengths: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for length in lengths {
        all = all
            .into_iter()
            .flat_map(|point: Vec<i64>| (0..*length).map(move |value| [&point[..], &[value]].concat()))
            .collect();
    }
    all
}
