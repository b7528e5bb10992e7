//! The C and the CUDA form, compiled for this machine and called for every point.

use std::ffi::c_longlong;
use std::path::Path;
use std::process::Command;

use emit::interop::{self, Emitted, Gives, Parameter, Target};
use libloading::Library;
use proofs::Budget;
use shapewright_runtime::cuda::Request;

use super::cases::{self, Case};
use crate::cuda_shim::{host, nvrtc};

/// The form of a case; each case must have one.
fn emitted(case: &Case, target: Target) -> Emitted {
    let name = &case.name;
    interop::emit(name, &case.map, &case.facts, target, &Budget::default())
        .unwrap_or_else(|reason| panic!("{name}: {reason}: {}", case.map))
}

/// A function that calls a case's functions for many points, in C and in C++.
fn driver(number: usize, case: &Case, emitted: &Emitted, scope: &str) -> String {
    let (rank, lower) = (case.map.upper.len(), case.map.lower.len());
    let sizes: Vec<_> = case.map.symbols().into_iter().collect();
    let call = |function: &interop::Function| {
        let arguments = function.parameters.iter().map(|parameter| match parameter {
            Parameter::Coordinate { axis, wide } => argument(&format!("point[{axis}]"), *wide),
            Parameter::Size { symbol, wide } => {
                let place = sizes.iter().position(|size| size == symbol).unwrap();
                argument(&format!("sizes[{place}]"), *wide)
            }
            _ => panic!("a parameter that is no integer"),
        });
        format!("{scope}{}({})", function.name, arguments.collect::<Vec<_>>().join(", "))
    };
    let mut body = String::new();
    for function in &emitted.functions {
        match function.gives {
            Gives::Validity => {
                body = format!("        valid[k] = {};\n        if (!valid[k]) continue;\n{body}", call(function))
            }
            Gives::Lower(axis) => {
                body.push_str(&format!("        found[k * {lower} + {axis}] = {};\n", call(function)))
            }
            Gives::Elements => panic!("an array"),
        }
    }
    format!(
        "void run_{number}(long long count, const long long *points, const long long *sizes, long long *found, \
         unsigned char *valid)\n{{\n    (void)sizes;\n    (void)found;\n    for (long long k = 0; k < count; ++k) {{\n        \
         const long long *point = points + k * {rank};\n        (void)point;\n{body}    }}\n}}\n"
    )
}

fn argument(value: &str, wide: bool) -> String {
    if wide { value.to_owned() } else { format!("(int){value}") }
}

type Run = unsafe extern "C" fn(c_longlong, *const c_longlong, *const c_longlong, *mut c_longlong, *mut u8);

/// Calls every case's functions and compares with the definition. Gives the number of points.
fn compare(library: &Library, all: &[(Case, Emitted)]) -> usize {
    let mut compared = 0;
    for (number, (case, emitted)) in all.iter().enumerate() {
        // SAFETY: the driver gave every function of this name this type.
        let run = unsafe { library.get::<Run>(format!("run_{number}").as_bytes()) }.unwrap();
        let mut points = case.points();
        points.extend(case.outside());
        points.retain(|point| case.at(point).is_some());
        let flat: Vec<i64> = points.iter().flatten().copied().collect();
        let sizes: Vec<i64> = case.map.symbols().iter().map(|symbol| case.sizes[symbol]).collect();
        let lower = case.map.lower.len();
        let mut found = vec![0i64; points.len() * lower];
        let mut valid = vec![0u8; points.len()];
        // SAFETY: the arrays are as long as the driver expects them.
        unsafe {
            run(points.len() as i64, flat.as_ptr(), sizes.as_ptr(), found.as_mut_ptr(), valid.as_mut_ptr());
        }
        for (k, point) in points.iter().enumerate() {
            let expected = case.at(point).unwrap();
            let what =
                || format!("{} at {point:?}, sizes {:?}: {}\n{}", case.name, case.sizes, case.map, emitted.source);
            assert_eq!(valid[k] == 1, expected.valid, "validity of {}", what());
            if expected.valid {
                assert_eq!(found[k * lower..(k + 1) * lower], expected.lower, "{}", what());
            }
            compared += 1;
        }
    }
    compared
}

fn emit_all(target: Target) -> Vec<(Case, Emitted)> {
    let emit = |case: Case| {
        let emitted = emitted(&case, target);
        (case, emitted)
    };
    cases::all().into_iter().map(emit).collect()
}

/// The system's C compiler: `CC`, or the first of the usual names that runs; in CI a missing one is an error.
fn c_compiler() -> Option<String> {
    let named = std::env::var("CC").ok().filter(|name| !name.is_empty());
    let usual = ["cc", "gcc", "clang"].map(str::to_owned);
    let found = named.into_iter().chain(usual).find(|name| Command::new(name).arg("--version").output().is_ok());
    let is_required = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    assert!(found.is_some() || !is_required, "no C compiler: set CC, or install cc, gcc or clang");
    if found.is_none() {
        eprintln!("no C compiler, so nothing was tested: set CC, or install cc, gcc or clang");
    }
    found
}

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror"];
const SANITISE: [&str; 2] = ["-fsanitize=undefined", "-fno-sanitize-recover=all"];

#[test]
fn the_c_form_is_the_map() {
    let Some(compiler) = c_compiler() else {
        return;
    };
    let all = emit_all(Target::C);
    let mut text = String::new();
    for (number, (case, emitted)) in all.iter().enumerate() {
        // Case names differ, but may be alike as C has them; each stands alone under a name of its own.
        let from = emitted.functions.last().unwrap().name.strip_suffix("_valid").unwrap().to_owned();
        text.push_str(&renamed(&emitted.source, &from, number));
        let mut emitted = emitted.clone();
        for function in &mut emitted.functions {
            function.name = renamed(&function.name, &from, number);
        }
        text.push_str(&driver(number, case, &emitted, ""));
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("maps.c");
    std::fs::write(&source, &text).unwrap();
    // What C leaves undefined, such as an overflow or a shift of a negative number, ends the test.
    let library = c_library(&compiler, &source);
    let points = compare(&library, &all);
    assert!(points > 50_000, "only {points} points were compared");
}

/// The text with the map's name in C made unique.
fn renamed(text: &str, from: &str, number: usize) -> String {
    ["offset", "valid", "lower"].iter().fold(text.to_owned(), |text, suffix| {
        text.replace(&format!("{from}_{suffix}"), &format!("map{number}_{suffix}"))
    })
}

fn c_library(compiler: &str, source: &Path) -> Library {
    let path = source.with_extension("so");
    let output = Command::new(compiler)
        .args(["-std=c99", "-pedantic-errors", "-O0", "-shared", "-fPIC"])
        .args(WARNINGS)
        .args(SANITISE)
        .arg(source)
        .arg("-o")
        .arg(&path)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // SAFETY: the library was just made of emitted code, which runs nothing when it is loaded.
    unsafe { Library::new(&path) }.unwrap()
}

#[test]
fn the_cuda_form_is_the_map() {
    let Some(compiler) = host::compiler() else {
        return;
    };
    let all = emit_all(Target::Cuda);
    let mut text = "#include \"shim.h\"\n".to_owned();
    for (number, (case, emitted)) in all.iter().enumerate() {
        text.push_str(&format!("namespace map_{number} {{\n{}\n}}\n", emitted.source));
        text.push_str(&format!("extern \"C\" {}", driver(number, case, emitted, &format!("map_{number}::"))));
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("maps.cpp");
    std::fs::write(&source, &text).unwrap();
    let path = host::shared_library(&compiler, &source, &["-O0"]).unwrap();
    // SAFETY: as for C.
    let library = unsafe { Library::new(&path) }.unwrap();
    compare(&library, &all);
}

#[test]
fn nvrtc_compiles_the_cuda_form() {
    let Some(nvrtc) = nvrtc::nvrtc() else {
        return;
    };
    let all = emit_all(Target::Cuda);
    let mut text = String::new();
    for (number, (case, emitted)) in all.iter().enumerate().filter(|(number, _)| number % 4 == 0 || *number < 80) {
        text.push_str(&format!("namespace map_{number} {{\n{}\n}}\n", emitted.source));
        let driver = driver(number, case, emitted, &format!("map_{number}::"));
        text.push_str(&format!("extern \"C\" __global__ {driver}"));
    }
    let request = Request { source: &text, name: "maps.cu", arch: "sm_90", options: &["--std=c++17".to_owned()] };
    nvrtc.compile(&request).unwrap_or_else(|error| panic!("{error}\n{text}"));
}
