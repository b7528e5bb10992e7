//! Kernels on the CPU beside the same in Rust with rayon, as somebody writes it by hand.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use comfy_table::Table;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{Tensor, TensorError, first_mismatch};

mod by_hand;
mod counts;
mod product;
mod running;
mod sparse;
mod transposed;

use super::in_turn;
use super::kernels::checked;
use by_hand::ByHand;

/// A kernel with the same by hand.
struct Comparison {
    name: &'static str,
    source: &'static str,
    /// The value of each size.
    sizes: &'static [(&'static str, usize)],
    by_hand: fn() -> Box<dyn ByHand>,
    /// The work in the unit of its speed.
    work: f64,
    unit: &'static str,
}

const COMPARISONS: &[Comparison] = &[
    Comparison {
        name: "histogram of 64 Mi u8, counted in the result",
        source: include_str!("../../kernels/histogram.shape"),
        sizes: &[("N", counts::BYTES)],
        by_hand: || Box::new(counts::Counts::new()),
        work: counts::BYTES as f64,
        unit: "GB/s",
    },
    Comparison {
        name: "histogram of 64 Mi u8, counted in an array for each block",
        source: include_str!("../../kernels/histogram_of_blocks.shape"),
        sizes: &[("N", counts::BYTES)],
        by_hand: || Box::new(counts::Counts::new()),
        work: counts::BYTES as f64,
        unit: "GB/s",
    },
    Comparison {
        name: "running sums of each 256 of 64 Mi f32",
        source: include_str!("../../kernels/block_scan.shape"),
        sizes: &[("N", running::NUMBERS)],
        by_hand: || Box::new(running::Running::new()),
        work: 8.0 * running::NUMBERS as f64,
        unit: "GB/s",
    },
    Comparison {
        name: "sums of each 256 of 64 Mi f32",
        source: include_str!("../../kernels/block_sums.shape"),
        sizes: &[("N", running::NUMBERS)],
        by_hand: || Box::new(running::Totals::new()),
        work: 4.0 * running::NUMBERS as f64,
        unit: "GB/s",
    },
    Comparison {
        name: "sparse matrix of 1 Mi rows, 16 Mi numbers, times a vector",
        source: include_str!("../../kernels/sparse_rows.shape"),
        sizes: &[("M", sparse::ROWS), ("N", sparse::ROWS), ("Z", sparse::NUMBERS)],
        by_hand: || Box::new(sparse::Sparse::new()),
        work: 2.0 * sparse::NUMBERS as f64,
        unit: "Gflop/s",
    },
    Comparison {
        name: "product, 4 × 4 sums for each thread, 1024 × 1024 f32",
        source: include_str!("../../kernels/register_product.shape"),
        sizes: &[("M", product::SIZE), ("N", product::SIZE), ("K", product::SIZE)],
        by_hand: || Box::new(product::Product::new()),
        work: 2.0 * (product::SIZE * product::SIZE * product::SIZE) as f64,
        unit: "Gflop/s",
    },
    Comparison {
        name: "transpose through a padded tile, 4096 × 4096 f32",
        source: include_str!("../../kernels/transpose_padded.shape"),
        sizes: &[("M", transposed::SIZE), ("N", transposed::SIZE)],
        by_hand: || Box::new(transposed::Transposed::new()),
        work: 8.0 * (transposed::SIZE * transposed::SIZE) as f64,
        unit: "GB/s",
    },
    Comparison {
        name: "transpose through a swizzled tile, 4096 × 4096 f32",
        source: include_str!("../../kernels/transpose_swizzled.shape"),
        sizes: &[("M", transposed::SIZE), ("N", transposed::SIZE)],
        by_hand: || Box::new(transposed::Transposed::new()),
        work: 8.0 * (transposed::SIZE * transposed::SIZE) as f64,
        unit: "GB/s",
    },
    Comparison {
        name: "transpose of tiles, 4096 × 4096 f32",
        source: include_str!("../../kernels/tile_transpose.shape"),
        sizes: &[("M", transposed::SIZE), ("N", transposed::SIZE)],
        by_hand: || Box::new(transposed::Transposed::new()),
        work: 8.0 * (transposed::SIZE * transposed::SIZE) as f64,
        unit: "GB/s",
    },
];

/// How far the sums of both may be apart: they are added up in different orders.
const TOLERANCE: f64 = 1e-3;

/// Adds a row for each kernel whose name contains a text.
///
/// # Errors
/// What could not be measured, or a result that is not the one by hand.
pub(super) fn measure(table: &mut Table, only: &str) -> Result<(), String> {
    for comparison in COMPARISONS.iter().filter(|comparison| comparison.name.contains(only)) {
        table.add_row(row(comparison).map_err(|problem| format!("{}: {problem}", comparison.name))?);
    }
    Ok(())
}

fn row(comparison: &Comparison) -> Result<[String; 4], String> {
    let Comparison { name, source, sizes, by_hand, work, unit } = comparison;
    let kernel = checked(source)?;
    let size = |name: &str| sizes.iter().find(|(known, _)| *known == name).map(|(_, size)| *size as i64);
    let sizes: Option<BTreeMap<_, _>> =
        kernel.symbols.iter().map(|symbol| Some((symbol.clone(), size(symbol.name())?))).collect();
    let sizes = sizes.ok_or("a size has no value")?;
    let mut by_hand = by_hand();
    let arguments = by_hand.arguments().map_err(|error| error.to_string())?;
    let mut arguments: Vec<Argument> = arguments.into_iter().map(Argument::Tensor).collect();
    let mut theirs = Vec::new();
    let ours = in_turn::times(&kernel, &sizes, &mut arguments, Duration::ZERO, |number, arguments| {
        let start = Instant::now();
        by_hand.compute();
        theirs.push(start.elapsed());
        // Counts go on from run to run.
        if number == 0 { compare(arguments, by_hand.results()) } else { Ok(()) }
    })?;
    Ok(in_turn::row((name, "Rust and rayon"), (ours, theirs), (*work, unit)))
}

/// Whether the last arguments are what was computed by hand.
fn compare(arguments: &[Argument], results: Result<Vec<Tensor>, TensorError>) -> Result<(), String> {
    let results = results.map_err(|error| error.to_string())?;
    for (argument, expected) in arguments.iter().rev().zip(results.iter().rev()) {
        let Argument::Tensor(actual) = argument else { return Err("a scalar is no result".to_owned()) };
        let found = first_mismatch(actual, expected, TOLERANCE).map_err(|error| error.to_string())?;
        if let Some(mismatch) = found {
            return Err(format!("the result is not the one by hand: {mismatch:?}"));
        }
    }
    Ok(())
}
