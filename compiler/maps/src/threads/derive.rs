//! The steps that derive one tiling from another: `tile` and `specialize`.

use super::typing::{TypedUnit, Typing};
use super::{Iterator, Operation, ThreadsError, Tiling, Unit};

/// Real tilings stay far below this many steps; the limit keeps every pass over them short.
const MOST_TILING_STEPS: usize = 256;

/// The dimension that a step narrows.
struct Narrowed {
    /// The tiling, split so that the unit fits.
    tiling: Tiling,
    /// The dimension, and how many of its coordinates one unit takes; `None`: a unit takes all threads.
    dimension: Option<(usize, i64)>,
}

impl Tiling {
    /// Gives each of `count` iterations one unit of the threads; consecutive iterations get adjacent units.
    ///
    /// # Errors
    /// A name that is taken, a count that is not positive, more units than there are threads for, a unit that does
    /// not fit the dimensions of the tiling.
    pub fn tile(&self, name: &str, count: i64, unit: &Unit) -> Result<Tiling, ThreadsError> {
        let step = self.notation.tile(name, count, unit);
        if self.iterator(name).is_some() {
            return Err(ThreadsError::IteratorReused { name: name.into() });
        }
        if count < 1 {
            return Err(ThreadsError::Count { step: step.to_string(), count });
        }
        let Narrowed { mut tiling, dimension } = self.narrowed(&step, unit, count)?;
        let mut pitch = 0;
        if let Some((at, taken)) = dimension
            && let Some(dimension) = tiling.dimensions.get_mut(at)
        {
            let linear_box = taken * dimension.pitch;
            pitch = if count > 1 { linear_box } else { 0 };
            dimension.operations.push(Operation {
                iterator: Some(self.iterators.len()),
                linear_box,
                linear_offset: 0,
                pitch,
                count,
                depth: self.steps.len(),
            });
        } else if count != 1 {
            return Err(ThreadsError::OnlyOne {
                step: step.to_string(),
                unit: unit.to_string(),
                count,
                threads: self.leaf_threads(),
            });
        }
        tiling.iterators.push(Iterator {
            name: name.into(),
            count,
            unit: unit.to_string().into(),
            pitch,
            depth: self.steps.len(),
        });
        tiling.steps.push(step);
        Ok(tiling)
    }

    /// Keeps the units `low..high`.
    ///
    /// # Errors
    /// A range that is empty or begins below 0, more units than there are threads for, a unit that does not fit the
    /// dimensions of the tiling.
    pub fn specialize(&self, low: i64, high: i64, unit: &Unit) -> Result<Tiling, ThreadsError> {
        let step = self.notation.specialize(low, high, unit);
        if low < 0 || high <= low {
            return Err(ThreadsError::EmptyRange { step: step.to_string(), low, high });
        }
        let Narrowed { mut tiling, dimension } = self.narrowed(&step, unit, high)?;
        if let Some((at, taken)) = dimension
            && let Some(dimension) = tiling.dimensions.get_mut(at)
        {
            dimension.operations.push(Operation {
                iterator: None,
                linear_box: (high - low) * taken * dimension.pitch,
                linear_offset: low * taken * dimension.pitch,
                pitch: 0,
                count: 1,
                depth: self.steps.len(),
            });
        } else if high != 1 {
            return Err(ThreadsError::OnlyOne {
                step: step.to_string(),
                unit: unit.to_string(),
                count: high,
                threads: self.leaf_threads(),
            });
        }
        tiling.steps.push(step);
        Ok(tiling)
    }

    /// Finds the one dimension of which a unit takes a part, and checks that `count` units fit.
    fn narrowed(&self, step: &str, unit: &Unit, count: i64) -> Result<Narrowed, ThreadsError> {
        if self.steps.len() >= MOST_TILING_STEPS {
            return Err(ThreadsError::TooManySteps { most: MOST_TILING_STEPS });
        }
        let mut typed = TypedUnit::new(unit, self.launch, Typing::Agnostic)?;
        let mut tiling = self.clone();
        tiling.complete(&typed.pitches(), unit.name())?;
        let pitches: Vec<i64> = tiling.dimensions.iter().map(|dimension| dimension.pitch).collect();
        typed.complete(&pitches, unit.name())?;

        // Both have the same dimensions now.
        let mut parts = Vec::new();
        for (at, (dimension, of_unit)) in tiling.dimensions.iter().zip(&typed.dimensions).enumerate() {
            let whole = |taken: &i64| *taken == dimension.taken() || *taken == dimension.extent;
            if let Some(taken) = of_unit.taken.filter(|taken| !whole(taken)) {
                parts.push((at, taken));
            }
        }
        if parts.len() > 1 {
            let describe = |(at, taken): &(usize, i64)| {
                let extent = tiling.dimensions.get(*at).map_or(0, |dimension| dimension.extent);
                (*at, *taken, extent)
            };
            let parts = parts.iter().map(describe).collect();
            return Err(ThreadsError::AmbiguousDimension { step: step.to_owned(), domain: tiling.domain(), parts });
        }
        let dimension = parts.first().copied();
        if let Some((at, taken)) = dimension {
            let there = tiling.dimensions.get(at).map_or(0, super::Dimension::taken);
            if count.checked_mul(taken).is_none_or(|needed| needed > there) {
                let threads = tiling.leaf_threads();
                return Err(ThreadsError::NotEnough {
                    step: step.to_owned(),
                    unit: unit.to_string(),
                    count,
                    each: threads / there.max(1) * taken,
                    threads,
                    fit: there / taken.max(1),
                });
            }
        }
        Ok(Narrowed { tiling, dimension })
    }
}
