//! Emitted CUDA, run without a GPU: on the CPU through a small shim, and through NVRTC to machine code.

mod check;
mod handmade;
pub mod host;
mod known_bugs;
mod launch;
mod looks;
pub mod nvrtc;
mod operators;
mod oracle;
mod orders;
mod random;
mod shuffles;
mod source;
mod tile_forms;
mod tile_vectors;
mod vectors;

use std::collections::BTreeMap;

use check::{Case, Job, check, emit};
use elements::ElementType;
use emit::cuda;
use kernel::Target;
use kernel::typed::SharedId;
use nvrtc::{ARCHITECTURES, TILE_ARCHITECTURES};
use shapewright_runtime::cuda::Nvrtc;
use testing::collectives;

use crate::kernels_check::mixed_integers::{self, Mixed};

#[test]
fn every_operator_at_the_edges_of_its_type() {
    // Some two thousand kernels of one line: nothing to optimise, and compiling them takes most of the time.
    check(&operators::cases(), &["-O0"]);
}

#[test]
fn handmade_kernels() {
    check(&handmade::cases(), &["-O2"]);
    // Vectors reach shared arrays too, which are aligned for them.
    let source = cuda(&collectives::vectors().kernel).source;
    assert!(source.contains("alignas(16) __shared__ float tile[256];"), "{source}");
    assert!(source.contains("copy_vector<16>(&tile["), "{source}");
}

/// C++ would compare a signed integer with an unsigned one as two unsigned ones.
#[test]
fn integers_of_different_types() {
    let cases = mixed_integers::kernels().into_iter().map(|Mixed { what, kernel, arguments }| Case {
        what,
        kernel,
        sizes: BTreeMap::new(),
        arguments,
    });
    check(&cases.collect::<Vec<Case>>(), &["-O1"]);
}

#[test]
fn kernels_from_source() {
    check(&source::cases(), &["-O2"]);
}

#[test]
fn written_kernels() {
    for cases in source::written() {
        check(&cases, &["-O2"]);
    }
}

/// The examples with tiles, in the form for GPUs.
#[test]
fn examples_of_tiles() {
    check(&source::examples_of_tiles(), &["-O2"]);
}

#[test]
fn recipes_of_the_cookbook() {
    check(&source::recipes(), &["-O1"]);
}

/// Random kernels of tiles in the form for GPUs: in registers or shared, in one loop or several, with barriers placed anew.
#[test]
fn random_kernels_of_tiles() {
    let cases = random::tiles(60);
    let jobs = emit(&cases);
    let count = |word: &str| jobs.iter().filter(|job| job.code.source.contains(word)).count();
    for word in ["of which each thread holds its elements", "__shared__", "__syncthreads"] {
        assert!(count(word) > 0, "no random kernel has `{word}`");
    }
    check(&cases, &["-O1"]);
}

#[test]
fn kernels_with_vectors() {
    check(&vectors::cases(), &["-O2"]);
    vectors::are_where_expected();
}

/// Random kernels.
#[test]
fn random_kernels() {
    let cases = random::cases(80);
    let with_vectors = emit(&cases).iter().filter(|job| job.code.source.contains("copy_vector<")).count();
    assert!(with_vectors > 0, "no random kernel has vectors");
    check(&cases, &["-O0"]);
}

/// An array that is relied upon to be zero, and is not cleared, is found out.
#[test]
fn shared_memory_begins_as_garbage() {
    if host::compiler().is_none() {
        return;
    }
    let collectives::Sample { mut kernel, arguments, .. } = collectives::cleared(ElementType::I32);
    kernel.shared[SharedId(0)].cleared = false;
    let case = Case { what: "not cleared".to_owned(), kernel, sizes: BTreeMap::new(), arguments };
    let found = std::panic::catch_unwind(|| check(&[case], &["-O1"])).expect_err("a difference must be found");
    let message = found.downcast_ref::<String>().expect("a message with values");
    assert!(message.starts_with("not cleared (") && message.contains("; sizes {}"), "{message}");
}

/// Nests of loops and conditions around barriers of blocks, warps and parts of warps.
#[test]
fn random_nests_with_barriers() {
    check(&random::nests(60), &["-O1"]);
}

/// Nests of thread collectives from source, where the compiler places the barriers.
#[test]
fn random_nests_of_thread_collectives() {
    check(&random::thread_nests(60), &["-O1"]);
}

/// Threads that exchange values, in warps, blocks and collectives.
#[test]
fn random_exchanges() {
    check(&random::exchanges(40), &["-O1"]);
}

/// The compiler's own sanitiser finds what C++ leaves undefined: signed overflow, shifts, conversions out of range.
#[test]
fn nothing_is_undefined() {
    let sanitise = ["-O0", "-fsanitize=undefined,float-cast-overflow", "-fno-sanitize-recover=all"];
    let chosen = operators::cases().into_iter().chain(handmade::cases()).chain(vectors::cases());
    let cases: Vec<_> = chosen.chain(random::cases(20)).chain(random::nests(20)).collect();
    check(&cases, &sanitise);
}

/// What a kernel may take; more would have to be explained.
#[derive(Clone, Copy)]
struct Most {
    registers: u32,
    /// Bytes. The assembler prefers a few of them to more registers than it thinks worth it, far below the 255 of a thread.
    spilled: u32,
}

const SMALL: Option<Most> = Some(Most { registers: 64, spilled: 0 });
/// A thread of a product has up to 64 sums, and the factors of a term for all of them.
const LARGE: Option<Most> = Some(Most { registers: 176, spilled: 48 });

/// Every kernel becomes machine code, and none of the small ones, nor of the examples with tiles, runs out of registers.
/// Those with clusters do where there are clusters.
#[test]
fn nvrtc_compiles_everything() {
    let Some(nvrtc) = nvrtc::nvrtc() else {
        return;
    };
    let written = handmade::cases().into_iter().chain(source::cases()).chain(vectors::cases());
    let written: Vec<Case> = written.chain(shuffles::cases()).chain(looks::cases()).collect();
    for arch in ARCHITECTURES {
        compiles(&nvrtc, &written, arch, SMALL);
    }
    // Every third one meets every helper and every conversion; all of them would take too long.
    let operators: Vec<Case> = operators::cases().into_iter().step_by(3).collect();
    compiles(&nvrtc, &operators, "sm_90", SMALL);
    // Tiles take more registers, and a block of one thread as many as NVRTC likes: nothing else needs them.
    for arch in TILE_ARCHITECTURES {
        compiles(&nvrtc, &source::examples_of_tiles(), arch, LARGE);
    }
    let tiles: Vec<Case> = source::written().into_iter().flatten().collect();
    compiles(&nvrtc, &tiles, "sm_80", LARGE.map(|most| Most { registers: 255, ..most }));
    compiles(&nvrtc, &random::tiles(20), "sm_90", None);
    // Random kernels can be large enough to spill.
    compiles(&nvrtc, &random::cases(20), "sm_90", None);
    compiles(&nvrtc, &random::nests(20), "sm_90", SMALL);
    compiles(&nvrtc, &random::thread_nests(60), "sm_90", None);
    compiles(&nvrtc, &random::exchanges(40), "sm_80", SMALL);
}

fn compiles(nvrtc: &Nvrtc, cases: &[Case], arch: &str, most: Option<Most>) {
    let cluster = arch.parse::<Target>().unwrap().limits().cluster;
    let jobs: Vec<Job> =
        emit(cases).into_iter().filter(|job| cases[job.case].kernel.launch.cluster <= cluster).collect();
    for jobs in jobs.chunks(400) {
        let codes: Vec<_> = jobs.iter().map(|job| &job.code).collect();
        let compiled = nvrtc::compile(nvrtc, &codes, arch).unwrap_or_else(|error| panic!("{arch}: {error}"));
        assert_eq!(compiled.kernels.len(), jobs.len(), "{arch}: {}", compiled.log);
        let Some(most) = most else { continue };
        let exceeds = |Job { case, options, code }: &Job| {
            let kernel = compiled.kernels.iter().find(|kernel| kernel.name == code.entry).unwrap();
            let spilled = kernel.spill_load_bytes + kernel.spill_store_bytes;
            // Code that checks each access keeps the lengths of all tensors as well.
            let most_spilled = if options.guarded { 8 * most.spilled } else { most.spilled };
            let is_within = spilled <= most_spilled && kernel.registers <= most.registers;
            (!is_within).then(|| format!("{}: {kernel:?}\n{}", cases[*case].what, code.source))
        };
        let found: Vec<String> = jobs.iter().filter_map(exceeds).collect();
        assert!(found.is_empty(), "{arch}: {}", found.join("\n\n"));
    }
}

/// `a * x + y` rounds twice: with contraction, which is CUDA's default, the GPU would not give the interpreter's bits.
#[test]
fn products_are_not_contracted() {
    let Some(nvrtc) = nvrtc::nvrtc() else {
        return;
    };
    let jobs = emit(&source::cases());
    let saxpy = jobs.iter().find(|job| job.code.entry.starts_with("saxpy")).unwrap();
    let compiled = nvrtc::compile(&nvrtc, &[&saxpy.code], "compute_90").unwrap();
    let text = String::from_utf8_lossy(&compiled.code);
    assert!(text.contains("mul.rn.f32") || text.contains("mul.f32"), "{text}");
    assert!(!text.contains("fma."), "{text}");
}

/// What the threads hold of tiles is in registers: loops over it are unrolled, so only constants are its indices.
#[test]
fn elements_of_threads_are_registers() {
    let Some(nvrtc) = nvrtc::nvrtc() else {
        return;
    };
    let jobs = emit(&source::examples_of_tiles());
    let holds = |job: &&Job| job.code.source.contains("each thread holds its elements");
    let jobs: Vec<&Job> = jobs.iter().filter(holds).collect();
    assert!(jobs.len() > 3, "only {} texts of examples hold tiles", jobs.len());
    for Job { code, .. } in jobs {
        let compiled = nvrtc::compile(&nvrtc, &[code], "compute_80").unwrap();
        let text = String::from_utf8_lossy(&compiled.code);
        assert!(!text.contains(".local"), "an array stands in memory\n{}\n{text}", code.source);
    }
}

/// Each copy of a vector is one instruction, and arrays become registers.
#[test]
fn vectors_are_one_access() {
    let Some(nvrtc) = nvrtc::nvrtc() else {
        return;
    };
    for Job { code, .. } in emit(&vectors::cases()) {
        let compiled = nvrtc::compile(&nvrtc, &[&code], "compute_80").unwrap();
        let text = String::from_utf8_lossy(&compiled.code);
        assert!(!text.contains(".local"), "an array stands in memory\n{}\n{text}", code.source);
        vectors::check_accesses(&code.source, &text);
    }
}
