//! Kernels with shared memory and barriers, and elementwise functions, on the CPU, compared with numpy.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use comfy_table::Table;
use kernel::typed::ParamKind;
use shapewright_runtime::cpu::Cpu;
use shapewright_runtime::execute::{Argument, Control, LaunchBounds, SizedKernel};
use shapewright_runtime::tensors::{Initial, Tensor};

use super::kernels::checked;
use super::middle;
use crate::environment::{beside, python};

/// The rows and columns of the matrix.
const SIZE: u64 = 4096;

/// The rows and columns of the matrices in a product.
const PRODUCT_SIZE: u64 = 1024;

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
}

/// A kernel whose tensors are `matrices` matrices of [`SIZE`] rows, measured in bytes moved.
const fn moving(name: &'static str, source: &'static str, word: &'static str, matrices: f64) -> Comparison {
    let work = matrices * 4.0 * (SIZE * SIZE) as f64;
    Comparison { name, source, word, size: SIZE, work, unit: "GB/s" }
}

const COMPARISONS: [Comparison; 9] = [
    moving("transpose through a padded tile", PADDED, "transpose", 2.0),
    moving("transpose through a swizzled tile", SWIZZLED, "transpose", 2.0),
    moving("sums of rows, a tree for each block", ROW_SUMS, "sums", 1.0),
    moving("softmax, a warp for each row", SOFTMAX_OF_WARPS, "softmax", 2.0),
    moving("softmax, a block for each row", SOFTMAX_OF_BLOCKS, "softmax", 2.0),
    moving("layer norm, a warp for each row", LAYER_NORM, "layer_norm", 2.0),
    moving("SiLU", SILU, "silu", 2.0),
    moving("GELU", GELU, "gelu", 2.0),
    Comparison {
        name: "product in tiles of 16 × 16",
        source: PRODUCT,
        word: "product",
        size: PRODUCT_SIZE,
        work: 2.0 * (PRODUCT_SIZE * PRODUCT_SIZE * PRODUCT_SIZE) as f64,
        unit: "Gflop/s",
    },
];

/// Adds a row for each kernel.
///
/// # Errors
/// What could not be measured.
pub(super) fn measure(table: &mut Table) -> Result<(), String> {
    let mut numpy = Numpy::start()?;
    for comparison in &COMPARISONS {
        let Comparison { name, word, size, work, unit, .. } = comparison;
        // In turns, so that both are equally affected by other load.
        let mut theirs = Vec::new();
        let ours = run(comparison, || {
            theirs.push(numpy.once(word)?);
            Ok(())
        })?;
        let pairs = theirs.iter().zip(&ours).map(|(theirs, ours)| theirs.as_secs_f64() / ours.as_secs_f64());
        let mut ratios: Vec<f64> = pairs.collect();
        ratios.sort_by(f64::total_cmp);
        let ratio = ratios[ratios.len() / 2];
        let shown = |times: Vec<Duration>| {
            let time = middle(times);
            format!("{:.1} ms, {:.1} {unit}", time.as_secs_f64() * 1e3, work / time.as_secs_f64() / 1e9)
        };
        let what = format!("{name}, {size} × {size} f32");
        table.add_row([what, shown(ours), format!("numpy: {}", shown(theirs)), format!("{ratio:.2}")]);
    }
    Ok(())
}

/// The times of a kernel; `between` is called after each run.
fn run(comparison: &Comparison, mut between: impl FnMut() -> Result<(), String>) -> Result<Vec<Duration>, String> {
    let kernel = checked(comparison.source)?;
    let size = i64::try_from(comparison.size).map_err(|error| error.to_string())?;
    let sizes: BTreeMap<_, _> = kernel.symbols.iter().map(|symbol| (symbol.clone(), size)).collect();
    let mut arguments = Vec::new();
    for param in &kernel.params {
        let ParamKind::Tensor { mutable, shape, .. } = &param.kind else { return Err("a scalar".to_owned()) };
        let initial = if *mutable { Initial::Ones } else { Initial::Random(1) };
        let tensor = Tensor::initial(param.element, &vec![comparison.size; shape.len()], initial);
        arguments.push(Argument::Tensor(tensor.map_err(|error| error.to_string())?));
    }
    let sized = SizedKernel::new(&kernel, &sizes, LaunchBounds::Proven).map_err(|error| error.to_string())?;
    let mut prepared = sized.prepare(&Cpu::DEFAULT).map_err(|error| error.to_string())?;
    let mut times = Vec::new();
    for _ in 0..15 {
        times.push(prepared.run(&mut arguments, &Control::default()).map_err(|error| error.to_string())?);
        between()?;
    }
    Ok(times)
}

/// A numpy process, which runs many computations.
struct Numpy {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Numpy {
    fn start() -> Result<Numpy, String> {
        let mut command = Command::new(python()?);
        command.arg(beside("shared/peer.py")).args([SIZE, PRODUCT_SIZE].map(|size| size.to_string()));
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

const PADDED: &str = "dim M, N where M % 32 == 0, N % 32 == 0;
kernel transpose(x: f32[M, N], y: mut f32[N, M]) block(256) {
    for (row, column) in grid(M / 32, N / 32) {
        shared tile : f32[32, 33];
        for w in threads(8, cuda_warp) {
            for t in threads(32, cuda_thread) {
                for k in 0..4 { tile[w + 8 * k, t] = x[32 * row + w + 8 * k, 32 * column + t]; }
            }
        }
        for w in threads(8, cuda_warp) {
            for t in threads(32, cuda_thread) {
                for k in 0..4 { y[32 * column + w + 8 * k, 32 * row + t] = tile[t, w + 8 * k]; }
            }
        }
    }
}";
const SWIZZLED: &str = "dim M, N where M % 32 == 0, N % 32 == 0;
kernel transpose(x: f32[M, N], y: mut f32[N, M]) block(256) {
    for (row, column) in grid(M / 32, N / 32) {
        shared tile : f32[32, 32] |> xor;
        for w in threads(8, cuda_warp) {
            for t in threads(32, cuda_thread) {
                for k in 0..4 { tile[w + 8 * k, t] = x[32 * row + w + 8 * k, 32 * column + t]; }
            }
        }
        for w in threads(8, cuda_warp) {
            for t in threads(32, cuda_thread) {
                for k in 0..4 { y[32 * column + w + 8 * k, 32 * row + t] = tile[t, w + 8 * k]; }
            }
        }
    }
}";
const ROW_SUMS: &str = "dim M, N where N % 256 == 0;
kernel row_sums(x: f32[M, N], sums: mut f32[M]) block(256) {
    for b in grid(M) {
        shared part : f32[256];
        for t in threads(256, cuda_thread) {
            let mut sum = 0.0;
            for k in 0..N / 256 { sum = sum + x[b, 256 * k + t]; }
            part[t] = sum;
        }
        for t in threads(128, cuda_thread) { part[t] = part[t] + part[t + 128]; }
        for t in threads(64, cuda_thread) { part[t] = part[t] + part[t + 64]; }
        for t in threads(32, cuda_thread) { part[t] = part[t] + part[t + 32]; }
        with threads(0..1, cuda_warp) {
            for t in threads(16, cuda_thread) { part[t] = part[t] + part[t + 16]; }
            for t in threads(8, cuda_thread) { part[t] = part[t] + part[t + 8]; }
            for t in threads(4, cuda_thread) { part[t] = part[t] + part[t + 4]; }
            for t in threads(2, cuda_thread) { part[t] = part[t] + part[t + 2]; }
            with threads(0..1, cuda_thread) { sums[b] = part[0] + part[1]; }
        }
    }
}";
const SOFTMAX_OF_WARPS: &str = "dim M, N where M % 8 == 0, N % 32 == 0;
kernel softmax(x: f32[M, N], y: mut f32[M, N]) block(256) {
    for b in grid(M / 8) {
        shared part : f32[8, 32];
        for w in threads(8, cuda_warp) {
            for t in threads(32, cuda_thread) {
                let mut high = -inf;
                for k in 0..N / 32 { high = max(high, x[8 * b + w, 32 * k + t]); }
                part[w, t] = high;
            }
            for t in threads(16, cuda_thread) { part[w, t] = max(part[w, t], part[w, t + 16]); }
            for t in threads(8, cuda_thread) { part[w, t] = max(part[w, t], part[w, t + 8]); }
            for t in threads(4, cuda_thread) { part[w, t] = max(part[w, t], part[w, t + 4]); }
            for t in threads(2, cuda_thread) { part[w, t] = max(part[w, t], part[w, t + 2]); }
            for t in threads(1, cuda_thread) { part[w, t] = max(part[w, t], part[w, t + 1]); }
            let mut high = 0.0;
            for t in threads(32, cuda_thread) { high = part[w, 0]; }
            for t in threads(32, cuda_thread) {
                let mut sum = 0.0;
                for k in 0..N / 32 {
                    let e = exp(x[8 * b + w, 32 * k + t] - high);
                    y[8 * b + w, 32 * k + t] = e;
                    sum += e;
                }
                part[w, t] = sum;
            }
            for t in threads(16, cuda_thread) { part[w, t] = part[w, t] + part[w, t + 16]; }
            for t in threads(8, cuda_thread) { part[w, t] = part[w, t] + part[w, t + 8]; }
            for t in threads(4, cuda_thread) { part[w, t] = part[w, t] + part[w, t + 4]; }
            for t in threads(2, cuda_thread) { part[w, t] = part[w, t] + part[w, t + 2]; }
            for t in threads(1, cuda_thread) { part[w, t] = part[w, t] + part[w, t + 1]; }
            for t in threads(32, cuda_thread) {
                let scale = 1.0 / part[w, 0];
                for k in 0..N / 32 { y[8 * b + w, 32 * k + t] *= scale; }
            }
        }
    }
}";
const SOFTMAX_OF_BLOCKS: &str = "dim M, N where N % 256 == 0;
kernel softmax(x: f32[M, N], y: mut f32[M, N]) block(256) {
    for b in grid(M) {
        shared part : f32[256];
        for t in threads(256, cuda_thread) {
            let mut high = -inf;
            for k in 0..N / 256 { high = max(high, x[b, 256 * k + t]); }
            part[t] = high;
        }
        for t in threads(128, cuda_thread) { part[t] = max(part[t], part[t + 128]); }
        for t in threads(64, cuda_thread) { part[t] = max(part[t], part[t + 64]); }
        for t in threads(32, cuda_thread) { part[t] = max(part[t], part[t + 32]); }
        for t in threads(16, cuda_thread) { part[t] = max(part[t], part[t + 16]); }
        for t in threads(8, cuda_thread) { part[t] = max(part[t], part[t + 8]); }
        for t in threads(4, cuda_thread) { part[t] = max(part[t], part[t + 4]); }
        for t in threads(2, cuda_thread) { part[t] = max(part[t], part[t + 2]); }
        for t in threads(1, cuda_thread) { part[t] = max(part[t], part[t + 1]); }
        let mut high = 0.0;
        for t in threads(256, cuda_thread) { high = part[0]; }
        for t in threads(256, cuda_thread) {
            let mut sum = 0.0;
            for k in 0..N / 256 {
                let e = exp(x[b, 256 * k + t] - high);
                y[b, 256 * k + t] = e;
                sum += e;
            }
            part[t] = sum;
        }
        for t in threads(128, cuda_thread) { part[t] = part[t] + part[t + 128]; }
        for t in threads(64, cuda_thread) { part[t] = part[t] + part[t + 64]; }
        for t in threads(32, cuda_thread) { part[t] = part[t] + part[t + 32]; }
        for t in threads(16, cuda_thread) { part[t] = part[t] + part[t + 16]; }
        for t in threads(8, cuda_thread) { part[t] = part[t] + part[t + 8]; }
        for t in threads(4, cuda_thread) { part[t] = part[t] + part[t + 4]; }
        for t in threads(2, cuda_thread) { part[t] = part[t] + part[t + 2]; }
        for t in threads(1, cuda_thread) { part[t] = part[t] + part[t + 1]; }
        for t in threads(256, cuda_thread) {
            let scale = 1.0 / part[0];
            for k in 0..N / 256 { y[b, 256 * k + t] *= scale; }
        }
    }
}";
const LAYER_NORM: &str = "dim M, N where M % 8 == 0, N % 32 == 0;
kernel layer_norm(x: f32[M, N], y: mut f32[M, N]) block(256) {
    for b in grid(M / 8) {
        shared sums : f32[8, 32];
        shared squares : f32[8, 32];
        for w in threads(8, cuda_warp) {
            for t in threads(32, cuda_thread) {
                let mut sum = 0.0;
                let mut square = 0.0;
                for k in 0..N / 32 {
                    let v = x[8 * b + w, 32 * k + t];
                    sum += v;
                    square += v * v;
                }
                sums[w, t] = sum;
                squares[w, t] = square;
            }
            for t in threads(16, cuda_thread) { sums[w, t] += sums[w, t + 16]; squares[w, t] += squares[w, t + 16]; }
            for t in threads(8, cuda_thread) { sums[w, t] += sums[w, t + 8]; squares[w, t] += squares[w, t + 8]; }
            for t in threads(4, cuda_thread) { sums[w, t] += sums[w, t + 4]; squares[w, t] += squares[w, t + 4]; }
            for t in threads(2, cuda_thread) { sums[w, t] += sums[w, t + 2]; squares[w, t] += squares[w, t + 2]; }
            for t in threads(1, cuda_thread) { sums[w, t] += sums[w, t + 1]; squares[w, t] += squares[w, t + 1]; }
            for t in threads(32, cuda_thread) {
                let mean = sums[w, 0] / f32(N);
                let scale = rsqrt(squares[w, 0] / f32(N) - mean * mean + 0.00001);
                for k in 0..N / 32 { y[8 * b + w, 32 * k + t] = (x[8 * b + w, 32 * k + t] - mean) * scale; }
            }
        }
    }
}";
const SILU: &str = "dim M, N where N % 256 == 0;
kernel silu(x: f32[M, N], y: mut f32[M, N]) block(256) {
    for (b, c) in grid(M, N / 256) {
        for t in threads(256, cuda_thread) {
            let v = x[b, 256 * c + t];
            y[b, 256 * c + t] = v / (1.0 + exp(-v));
        }
    }
}";
const GELU: &str = "dim M, N where N % 256 == 0;
kernel gelu(x: f32[M, N], y: mut f32[M, N]) block(256) {
    for (b, c) in grid(M, N / 256) {
        for t in threads(256, cuda_thread) {
            let v = x[b, 256 * c + t];
            y[b, 256 * c + t] = 0.5 * v * (1.0 + tanh(0.7978846 * (v + 0.044715 * v * v * v)));
        }
    }
}";
const PRODUCT: &str = "unit half_warp = (blockDim; 16);
dim M, N, K where M % 16 == 0, N % 16 == 0, K % 16 == 0;
kernel product(a: f32[M, K], b: f32[K, N], c: mut f32[M, N]) block(256) {
    for (row, column) in grid(M / 16, N / 16) {
        shared left : f32[16, 16];
        shared right : f32[16, 16];
        let mut sum = 0.0;
        for step in 0..K / 16 {
            for i in threads(16, half_warp) {
                for j in threads(16, cuda_thread) {
                    left[i, j] = a[16 * row + i, 16 * step + j];
                    right[i, j] = b[16 * step + i, 16 * column + j];
                }
            }
            for i in threads(16, half_warp) {
                for j in threads(16, cuda_thread) {
                    for k in 0..16 { sum += left[i, k] * right[k, j]; }
                }
            }
        }
        for i in threads(16, half_warp) {
            for j in threads(16, cuda_thread) { c[16 * row + i, 16 * column + j] = sum; }
        }
    }
}";
