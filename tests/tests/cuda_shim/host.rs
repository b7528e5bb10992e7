//! Emitted kernels as a shared library of the host: many of them in one translation unit, each in its own namespace.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::process::Command;

use dims::Symbol;
use emit::{Emitted, FAULTS_BYTES, Parameter};
use libloading::Library;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::Scalar;

/// Compiled kernels.
pub struct Kernels {
    library: Library,
}

/// The system's C++ compiler: `CXX`, or the first of the usual names that runs.
pub fn find_compiler() -> Option<String> {
    let named = std::env::var("CXX").ok().filter(|name| !name.is_empty());
    let usual = ["c++", "g++", "clang++"].map(str::to_owned);
    named.into_iter().chain(usual).find(|name| Command::new(name).arg("--version").output().is_ok())
}

/// The compiler, or `None` where there is none and the test has nothing to do; in CI a missing compiler is an error.
pub fn compiler() -> Option<String> {
    let found = find_compiler();
    let is_required = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    assert!(found.is_some() || !is_required, "no C++ compiler: set CXX, or install c++, g++ or clang++");
    if found.is_none() {
        eprintln!("no C++ compiler, so nothing was tested: set CXX, or install c++, g++ or clang++");
    }
    found
}

/// One translation unit of all kernels, each in a namespace, with whatever stands before them.
pub fn translation_unit(before: &str, kernels: &[&Emitted]) -> String {
    let mut text = before.to_owned();
    for (position, kernel) in kernels.iter().enumerate() {
        text.push_str(&format!("\nnamespace kernel_{position} {{\n{}\n}}\n", kernel.source));
    }
    text
}

/// Compiles kernels for the host and opens what came out. Their entries must have different names.
pub fn compile(compiler: &str, kernels: &[&Emitted], options: &[&str]) -> Result<Kernels, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = compile_into(folder.path(), compiler, kernels, options)?;
    // SAFETY: the library was just made of emitted code and the shim; neither runs anything when it is loaded. Its file
    // may go once it is open.
    let library = unsafe { Library::new(&path) }.map_err(|error| error.to_string())?;
    use_our_math(&library)?;
    Ok(Kernels { library })
}

/// Puts the functions that the interpreter calls in the place of the C library's.
fn use_our_math(library: &Library) -> Result<(), String> {
    macro_rules! put {
        ($name:literal, $type:ty, $function:expr) => {{
            let function: $type = $function;
            // SAFETY: the shim declares a pointer to a function of this type under this name, and nothing runs yet.
            unsafe {
                let place = library.get::<*mut $type>($name.as_bytes()).map_err(|error| error.to_string())?;
                place.write(function);
            }
        }};
    }
    macro_rules! unary {
        ($($function:ident $single:literal $double:literal;)*) => {$({
            extern "C" fn of<R: math::Computed>(value: R) -> R {
                math::Function::$function.apply(value)
            }
            put!($single, extern "C" fn(f32) -> f32, of);
            put!($double, extern "C" fn(f64) -> f64, of);
        })*};
    }
    macro_rules! binary {
        ($($function:ident $single:literal $double:literal;)*) => {$({
            extern "C" fn of<R: math::Computed>(left: R, right: R) -> R {
                math::BinaryFunction::$function.apply(left, right)
            }
            put!($single, extern "C" fn(f32, f32) -> f32, of);
            put!($double, extern "C" fn(f64, f64) -> f64, of);
        })*};
    }
    unary! {
        Rsqrt "shim_rsqrtf" "shim_rsqrt";
        Exp "shim_expf" "shim_exp";
        Exp2 "shim_exp2f" "shim_exp2";
        Log "shim_logf" "shim_log";
        Log2 "shim_log2f" "shim_log2";
        Log10 "shim_log10f" "shim_log10";
        Sin "shim_sinf" "shim_sin";
        Cos "shim_cosf" "shim_cos";
        Tan "shim_tanf" "shim_tan";
        Atan "shim_atanf" "shim_atan";
        Tanh "shim_tanhf" "shim_tanh";
        Erf "shim_erff" "shim_erf";
        Cbrt "shim_cbrtf" "shim_cbrt";
    }
    binary! {
        Pow "shim_powf" "shim_pow";
        Atan2 "shim_atan2f" "shim_atan2";
        Hypot "shim_hypotf" "shim_hypot";
    }
    Ok(())
}

/// Compiles kernels into a shared library in a folder, one function `run_ENTRY` for each.
pub fn compile_into(folder: &Path, compiler: &str, kernels: &[&Emitted], options: &[&str]) -> Result<PathBuf, String> {
    let on_host: Vec<Emitted> = kernels.iter().map(|kernel| with_shared_memory(kernel)).collect();
    let header = if kernels.iter().any(|kernel| waits(kernel)) { "fibers.h" } else { "shim.h" };
    let mut text = translation_unit(&format!("#include \"{header}\"\n"), &on_host.iter().collect::<Vec<_>>());
    for (position, kernel) in kernels.iter().enumerate() {
        let entry = &kernel.entry;
        let launch = if waits(kernel) { "shim_launch_waiting" } else { "shim_launch" };
        text.push_str(&format!(
            "\nextern \"C\" void run_{entry}(void **arguments, unsigned int blocks, unsigned int threads, unsigned int dynamic)\n\
             {{\n    {launch}(kernel_{position}::{entry}, arguments, blocks, threads, dynamic);\n}}\n"
        ));
    }
    let source = folder.join("kernels.cpp");
    std::fs::write(&source, &text).map_err(|error| error.to_string())?;
    // No contraction, as on the device; no functions of the compiler's own in the place of those that are called; and vectors that share memory with their elements, as they do on the device.
    let always = ["-ffp-contract=off", "-fno-builtin", "-fno-strict-aliasing"];
    let options: Vec<&str> = always.into_iter().chain(options.iter().copied()).collect();
    shared_library(compiler, &source, &options).map_err(|error| format!("{error}\n{text}"))
}

/// Whether threads wait for each other.
fn waits(kernel: &Emitted) -> bool {
    ["copy_async(", "__syncthreads(", "__syncwarp(", "sync_warps(", "__shfl_", "__ballot_sync("]
        .iter()
        .any(|barrier| kernel.source.contains(barrier))
}

/// The kernel with its dynamic shared memory from the shim.
fn with_shared_memory(kernel: &Emitted) -> Emitted {
    let source = kernel
        .source
        .replace("extern __shared__ uint4 shared_memory[];", "uint4 *const shared_memory = shim_dynamic_shared();");
    assert!(!source.contains("extern __shared__"), "dynamic shared memory has another name");
    Emitted { source, ..kernel.clone() }
}

/// Compiles a source that may include the shim into a shared library next to `source`.
pub fn shared_library(compiler: &str, source: &Path, options: &[&str]) -> Result<PathBuf, String> {
    let library = source.with_extension("so");
    let output = Command::new(compiler)
        .args(["-std=c++17", "-shared", "-fPIC", "-w"])
        .args(options)
        .arg("-I")
        .arg(testing::gpu::FOLDER)
        .arg(source)
        .arg("-o")
        .arg(&library)
        .output()
        .map_err(|error| format!("{compiler}: {error}"))?;
    if output.status.success() { Ok(library) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

impl Kernels {
    /// Runs one of the kernels, and gives the number of accesses that guarded code left out.
    ///
    /// # Safety
    ///
    /// `emitted` must be one of the kernels that were compiled, the arguments must be those it was made for, and with
    /// them and the sizes it must stay within its tensors.
    pub unsafe fn run(
        &self,
        emitted: &Emitted,
        sizes: &BTreeMap<Symbol, i64>,
        arguments: &mut [Argument],
        blocks: u32,
        threads: u32,
    ) -> Result<u64, String> {
        let mut faults = [0u64; FAULTS_BYTES / 8];
        // Each value in eight bytes, the narrower ones at their beginning.
        let mut values: Vec<[u8; 8]> = Vec::new();
        for parameter in &emitted.parameters {
            values.push(match parameter {
                Parameter::Param(id) => match arguments.get_mut(id.0 as usize) {
                    Some(Argument::Tensor(tensor)) => (tensor.bytes_mut().as_mut_ptr() as usize as u64).to_ne_bytes(),
                    Some(Argument::Scalar(scalar)) => Scalar::to_bytes(*scalar),
                    None => return Err("an argument is missing".to_owned()),
                },
                Parameter::Length(id) => match arguments.get(id.0 as usize) {
                    Some(Argument::Tensor(tensor)) => (tensor.storage_len() as u64).to_ne_bytes(),
                    _ => return Err("a length has no tensor".to_owned()),
                },
                Parameter::Faults => (faults.as_mut_ptr() as usize as u64).to_ne_bytes(),
                Parameter::Size { symbol, wide } => {
                    let value = sizes.get(symbol).copied().ok_or_else(|| format!("{symbol} has no value"))?;
                    if *wide {
                        value.to_ne_bytes()
                    } else {
                        let value = i32::try_from(value).map_err(|_| format!("{symbol} is no int"))?;
                        let mut bytes = [0; 8];
                        bytes[..4].copy_from_slice(&value.to_ne_bytes());
                        bytes
                    }
                }
            });
        }
        let mut pointers: Vec<*mut c_void> = values.iter_mut().map(|value| value.as_mut_ptr().cast()).collect();
        let dynamic = emitted.dynamic_shared_bytes.evaluate(&|symbol| sizes.get(symbol).copied());
        let dynamic =
            dynamic.ok().and_then(|bytes| u32::try_from(bytes).ok()).ok_or("its shared memory has no size")?;
        type Run = unsafe extern "C" fn(*mut *mut c_void, u32, u32, u32);
        let name = format!("run_{}", emitted.entry);
        // SAFETY: `compile` gave every function of this name this type.
        let run = unsafe { self.library.get::<Run>(name.as_bytes()) }.map_err(|error| error.to_string())?;
        // SAFETY: there is a value for each parameter, in order; the caller vouches for the rest.
        unsafe { run(pointers.as_mut_ptr(), blocks, threads, dynamic) };
        Ok(faults[0])
    }
}
