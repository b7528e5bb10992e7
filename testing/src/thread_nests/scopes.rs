//! The teams of threads to which a nest can narrow its scope.

use maps::threads::{Scale, Size, Tiling, Unit, standard_unit};

use super::program::Index;
use seeds::Draw;

/// A team: threads that execute a part of the program together.
#[derive(Clone, Debug)]
pub struct Team {
    pub tiling: Tiling,
    /// The names of the iterators in the program.
    pub names: Vec<String>,
}

/// A unit with its text, and the number of threads in a block that it takes; a strided unit takes as many as it spans.
struct Written {
    text: String,
    unit: Unit,
}

/// A unit: a standard one, possibly scaled, or one that is written out.
fn written(draw: &mut Draw) -> Option<Written> {
    let sizes = |values: &[i64]| values.iter().map(|value| Size::integer(*value)).collect::<Option<Vec<Size>>>();
    let plain = |name: &str| standard_unit(name)?.build(&[]).ok();
    let scaled = |factor: i64, name: &str| plain(name)?.scaled(Scale::integer(factor)?).ok();
    let factor = draw.pick(&[2, 4, 8, 16, 24, 64]);
    let (text, unit) = match draw.below(14) {
        0..=2 => ("cuda_warp".to_owned(), plain("cuda_warp")),
        3..=5 => (format!("{factor} * cuda_thread"), scaled(factor, "cuda_thread")),
        6 => ("2 * cuda_warp".to_owned(), scaled(2, "cuda_warp")),
        7 => ("cuda_warp / 2".to_owned(), plain("cuda_warp").and_then(|unit| unit.scaled(Scale::new(1, 2)?).ok())),
        8 => ("cuda_quadpair".to_owned(), plain("cuda_quadpair")),
        9 => ("cuda_warpgroup".to_owned(), plain("cuda_warpgroup")),
        10 => ("cuda_warp_in_cluster".to_owned(), plain("cuda_warp_in_cluster")),
        11 => {
            let (n, s) = draw.pick(&[(2, 8), (4, 16), (8, 16), (1, 4)]);
            let unit = standard_unit("cuda_threads_strided").and_then(|unit| unit.build(&sizes(&[n, s])?).ok());
            (format!("cuda_threads_strided({n}, {s})"), unit)
        }
        12 => (
            "cuda_warpgroup / 2".to_owned(),
            plain("cuda_warpgroup").and_then(|unit| unit.scaled(Scale::new(1, 2)?).ok()),
        ),
        _ => ("cuda_cta_in_cluster".to_owned(), plain("cuda_cta_in_cluster")),
    };
    Some(Written { text, unit: unit? })
}

/// A step: the text of its arguments, its number of iterations, and the team of one of them.
pub struct Narrowed {
    pub domain: String,
    pub count: i64,
    pub team: Team,
}

impl Team {
    /// The number of threads in the team.
    pub fn size(&self) -> i64 {
        self.tiling.leaf_threads()
    }

    /// One thread for each iteration.
    pub fn threads(&self, name: &str, count: i64) -> Option<Narrowed> {
        let unit = standard_unit("cuda_thread")?.build(&[]).ok()?;
        let tiling = self.tiling.tile(name, count, &unit).ok()?;
        Some(self.narrowed(format!("{count}, cuda_thread"), count, tiling, Some(name)))
    }

    /// The blocks of a cluster.
    pub fn blocks(&self, name: &str) -> Option<Narrowed> {
        let unit = standard_unit("cuda_cta_in_cluster")?.build(&[]).ok()?;
        let count = self.tiling.launch().cluster();
        let tiling = self.tiling.tile(name, count, &unit).ok()?;
        Some(self.narrowed(format!("{count}, cuda_cta_in_cluster"), count, tiling, Some(name)))
    }

    /// Smaller teams side by side; mostly as many as there are threads for.
    pub fn teams(&self, draw: &mut Draw, name: &str) -> Option<Narrowed> {
        let Written { text, unit } = written(draw)?;
        let fits = |count: &i64| self.tiling.tile(name, *count, &unit).is_ok();
        let mut count = (1..=64).rev().find(fits)?;
        if count > 1 && draw.chance(15) {
            count -= 1;
        }
        let tiling = self.tiling.tile(name, count, &unit).ok()?;
        Some(self.narrowed(format!("{count}, {text}"), count, tiling, Some(name)))
    }

    /// A part of the threads.
    pub fn part(&self, draw: &mut Draw) -> Option<Narrowed> {
        let Written { text, unit } = written(draw)?;
        let fits = |high: &i64| self.tiling.specialize(0, *high, &unit).is_ok();
        let most = (1..=64).rev().find(fits)?;
        let low = draw.between(0, most - 1);
        let high = draw.between(low + 1, most);
        let tiling = self.tiling.specialize(low, high, &unit).ok()?;
        Some(self.narrowed(format!("{low}..{high}, {text}"), 1, tiling, None))
    }

    fn narrowed(&self, domain: String, count: i64, tiling: Tiling, name: Option<&str>) -> Narrowed {
        let names = self.names.iter().cloned().chain(name.map(str::to_owned)).collect();
        Narrowed { domain, count, team: Team { tiling, names } }
    }

    /// The thread id in the block of a team's first thread, by the iterators around without the last `without` ones.
    pub fn first_thread(&self, without: usize) -> Index {
        let block = self.tiling.launch().block();
        let zeros = vec![0; self.names.len()];
        let first = self.tiling.threads(&zeros).ok().and_then(|set| set.runs().first().map(|run| run.start));
        let mut sum = Index::Constant(first.unwrap_or(0) % block);
        let known = self.names.len().saturating_sub(without);
        for (name, iterator) in self.names.iter().zip(self.tiling.iterators()).take(known) {
            // Steps between blocks do not change the thread id within the block.
            if iterator.count > 1 && iterator.pitch < block {
                sum = Index::name(name).times(iterator.pitch).plus(sum);
            }
        }
        sum
    }

    /// The distance between the threads of neighbouring iterations of the last iterator.
    pub fn last_pitch(&self) -> i64 {
        self.tiling.iterators().last().map_or(1, |iterator| iterator.pitch.max(1))
    }
}
