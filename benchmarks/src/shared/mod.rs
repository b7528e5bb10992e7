//! Kernels with shared memory and barriers, and elementwise functions, on the CPU, compared with numpy.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use comfy_table::Table;
use dims::Sym;
use kernel::typed::ParamKind;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::{Initial, Tensor};

mod library;

use super::in_turn;
use super::kernels::checked;
use crate::environment::{beside, python};

/// The rows and columns of the matrix.
const SIZE: u64 = 4096;

/// The rows of the sequence that attention goes over, and the columns of a head.
const SEQUENCE: u64 = 2048;
const HEAD: u64 = 64;

/// A kernel with the corresponding computation in numpy.
struct Comparison {
    name: &'static str,
    source: &'static str,
    /// The name of the computation in the script for numpy.
    word: &'static str,
    /// The value of every size of the kernel.
    size: u64,
    /// The work in the unit of its speed: bytes moved, or operations.
    work: f64,
    unit: &'static str,
    /// Whether a library multiplies matrices of the same size beside it.
    beside_library: bool,
}

/// A kernel whose tensors are `matrices` matrices of [`SIZE`] rows, measured in bytes moved.
const fn moving(name: &'static str, source: &'static str, word: &'static str, matrices: f64) -> Comparison {
    let work = matrices * 4.0 * (SIZE * SIZE) as f64;
    Comparison { name, source, word, size: SIZE, work, unit: "GB/s", beside_library: false }
}

/// A product of two square matrices.
const fn product(name: &'static str, source: &'static str, word: &'static str, size: u64) -> Comparison {
    let work = 2.0 * (size * size * size) as f64;
    Comparison { name, source, word, size, work, unit: "Gflop/s", beside_library: false }
}

/// A product of two square matrices of `f32` in tiles.
const fn product_beside_library(name: &'static str, source: &'static str, word: &'static str, size: u64) -> Comparison {
    Comparison { beside_library: true, ..product(name, source, word, size) }
}

/// A product in tiles of these rows and columns, with elements of a type that are added up in `f32`.
macro_rules! product_of_tiles {
    ($element:literal, $rows:literal, $columns:literal, $depth:literal) => {
        concat!(
            "dim M, N, K;\nkernel product[BM = ",
            $rows,
            ", BN = ",
            $columns,
            ", BK = ",
            $depth,
            "](a: ",
            $element,
            "[M, K], b: ",
            $element,
            "[K, N], c: mut f32[M, N]) {\n    view pa = partition(a, [BM, BK]);\n    view pb = partition(b, [BK, BN]);\n    \
             view pc = partition(c, [BM, BN]);\n    for (i, j) in grid(pc.index_space) {\n        \
             let mut acc = zeros(f32[BM, BN]);\n        for k in 0..pa.index_space(1) {\n            \
             acc = mma(pa.load_masked(i, k), pb.load_masked(k, j), acc);\n        }\n        \
             pc.store_masked(acc, i, j);\n    }\n}\n"
        )
    };
}

const COMPARISONS: [Comparison; 19] = [
    moving("transpose through a padded tile, 4096 × 4096 f32", PADDED, "transpose", 2.0),
    moving("transpose through a swizzled tile, 4096 × 4096 f32", SWIZZLED, "transpose", 2.0),
    moving("transpose of tiles, 4096 × 4096 f32", TILE_TRANSPOSE, "transpose", 2.0),
    moving("sums of rows, a tree for each block, 4096 × 4096 f32", ROW_SUMS, "sums", 1.0),
    moving("softmax, a warp for each row, 4096 × 4096 f32", SOFTMAX_OF_WARPS, "softmax", 2.0),
    moving("softmax, a block for each row, 4096 × 4096 f32", SOFTMAX_OF_BLOCKS, "softmax", 2.0),
    moving("softmax, a tile for each row, 4096 × 4096 f32", TILE_SOFTMAX, "softmax", 2.0),
    moving("layer norm, a warp for each row, 4096 × 4096 f32", LAYER_NORM, "layer_norm", 2.0),
    moving("layer norm, a tile for each row, 4096 × 4096 f32", TILE_LAYER_NORM, "layer_norm", 2.0),
    moving("SiLU, 4096 × 4096 f32", SILU, "silu", 2.0),
    moving("GELU, 4096 × 4096 f32", GELU, "gelu", 2.0),
    product("product by threads in tiles of 16 × 16, 1024 × 1024 f32", PRODUCT, "product", 1024),
    product_beside_library(
        "product of tiles, 512 × 512 f32",
        product_of_tiles!("f32", 128, 128, 64),
        "product_512",
        512,
    ),
    product_beside_library(
        "product of tiles, 1000 × 1000 f32",
        product_of_tiles!("f32", 200, 128, 50),
        "product_1000",
        1000,
    ),
    product_beside_library(
        "product of tiles, 1024 × 1024 f32",
        product_of_tiles!("f32", 256, 128, 64),
        "product",
        1024,
    ),
    product_beside_library(
        "product of tiles, 2048 × 2048 f32",
        product_of_tiles!("f32", 256, 128, 64),
        "product_2048",
        2048,
    ),
    product(
        "product of tiles, 1024 × 1024 f16, numpy's of f32",
        product_of_tiles!("f16", 128, 128, 64),
        "product",
        1024,
    ),
    product(
        "product of tiles, 1024 × 1024 bf16, numpy's of f32",
        product_of_tiles!("bf16", 128, 128, 64),
        "product",
        1024,
    ),
    Comparison {
        name: "attention, one head of 2048 × 64 f32",
        source: ATTENTION,
        word: "attention",
        size: SEQUENCE,
        work: 4.0 * (SEQUENCE * SEQUENCE * HEAD) as f64,
        unit: "Gflop/s",
        beside_library: false,
    },
];

/// Adds a row for each kernel whose name contains a text, and for products of tiles one more beside a library.
///
/// # Errors
/// What could not be measured.
pub(super) fn measure(table: &mut Table, only: &str) -> Result<(), String> {
    let mut numpy = Numpy::start()?;
    for comparison in COMPARISONS.iter().filter(|comparison| comparison.name.contains(only)) {
        table.add_row(row(comparison, "numpy", || numpy.once(comparison.word))?);
        if comparison.beside_library {
            let mut factors = library::Factors::new(comparison.size);
            table.add_row(row(comparison, "the crate gemm", || Ok(factors.multiply()))?);
        }
    }
    Ok(())
}

/// The times of a kernel and of a peer.
fn row(
    comparison: &Comparison,
    peer: &str,
    mut once: impl FnMut() -> Result<Duration, String>,
) -> Result<[String; 4], String> {
    let kernel = checked(comparison.source)?;
    let size = i64::try_from(comparison.size).map_err(|error| error.to_string())?;
    let sizes: BTreeMap<_, _> = kernel.symbols.iter().map(|symbol| (symbol.clone(), size)).collect();
    let mut arguments = Vec::new();
    for param in &kernel.params {
        let ParamKind::Tensor { mutable, shape, .. } = &param.kind else { return Err("a scalar".to_owned()) };
        let initial = if *mutable { Initial::Ones } else { Initial::Random(1) };
        let extent = |dim: &Sym| {
            let extent = dim.evaluate(&|symbol| sizes.get(symbol).copied()).map_err(|error| error.to_string())?;
            u64::try_from(extent).map_err(|error| error.to_string())
        };
        let extents = shape.iter().map(extent).collect::<Result<Vec<u64>, String>>()?;
        let tensor = Tensor::initial(param.element, &extents, initial);
        arguments.push(Argument::Tensor(tensor.map_err(|error| error.to_string())?));
    }
    let mut theirs = Vec::new();
    let ours = in_turn::times(&kernel, &sizes, &mut arguments, WARM_UP, |_, _| {
        // The peer, too, has begun before it counts.
        once()?;
        theirs.push(once()?);
        Ok(())
    })?;
    Ok(in_turn::row((comparison.name, peer), (ours, theirs), (comparison.work, comparison.unit)))
}

/// How long a kernel runs before its time is taken. The threads of numpy's library go on waiting for work on all cores for 2²⁸ cycles of
/// the processor's clock after a product, 134 ms at 2 GHz, which would halve the speed of whoever comes next.
const WARM_UP: Duration = Duration::from_millis(150);

/// A numpy process, which runs many computations.
struct Numpy {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Numpy {
    fn start() -> Result<Numpy, String> {
        let mut command = Command::new(python()?);
        command.arg(beside("shared/peer.py")).args([SIZE, SEQUENCE, HEAD].map(|size| size.to_string()));
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = spawned.map_err(|error| format!("numpy could not be started: {error}"))?;
        let (input, output) = process.stdin.take().zip(process.stdout.take()).ok_or("numpy has no input or output")?;
        Ok(Numpy { process, input, output: BufReader::new(output) })
    }

    /// The time of a single computation.
    fn once(&mut self, word: &str) -> Result<Duration, String> {
        let mut line = String::new();
        writeln!(self.input, "{word}")
            .and_then(|()| self.output.read_line(&mut line))
            .map_err(|error| format!("numpy does not answer: {error}"))?;
        let seconds = line.trim().parse().map_err(|_| format!("numpy answers `{word}` with {line:?}"))?;
        Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
    }
}

impl Drop for Numpy {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

const PADDED: &str = include_str!("../../kernels/transpose_padded.shape");
const SWIZZLED: &str = include_str!("../../kernels/transpose_swizzled.shape");
const ROW_SUMS: &str = include_str!("../../kernels/row_sums.shape");
const SOFTMAX_OF_WARPS: &str = include_str!("../../kernels/softmax_of_warps.shape");
const SOFTMAX_OF_BLOCKS: &str = include_str!("../../kernels/softmax_of_blocks.shape");
const LAYER_NORM: &str = include_str!("../../kernels/layer_norm.shape");
const SILU: &str = include_str!("../../kernels/silu.shape");
const GELU: &str = include_str!("../../kernels/gelu.shape");
const PRODUCT: &str = include_str!("../../kernels/product.shape");
const TILE_TRANSPOSE: &str = include_str!("../../kernels/tile_transpose.shape");
const TILE_SOFTMAX: &str = include_str!("../../kernels/tile_softmax.shape");
const TILE_LAYER_NORM: &str = include_str!("../../kernels/tile_layer_norm.shape");
const ATTENTION: &str = include_str!("../../kernels/attention.shape");
