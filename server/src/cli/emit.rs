//! `shapewright emit`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use shapewright_compiler::emit;
use shapewright_compiler::ide::{self, Facts};
use shapewright_compiler::kernels::Target;

use super::{Failure, Format, Outcome, Output, Status, check, json, show};
use crate::load::Loaded;

/// What PTX is made for where nothing else is asked for: newer GPUs can run it too.
const DEFAULT_TARGET: &str = "sm_80";

/// Prints the source that is generated for a kernel
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The file, or `-` for standard input
    file: PathBuf,
    /// The name of the kernel
    kernel: String,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    to: To,
    /// The GPU that the kernel must run on, such as `sm_90`; PTX is made for sm_80 where it is left out
    #[arg(long, value_name = "ARCH")]
    target: Option<Target>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum To {
    /// CUDA C++
    #[default]
    Cuda,
    /// The GPU's virtual instruction set, made by NVRTC
    Ptx,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let (mut db, file) = Loaded::one(&arguments.file).map_err(Failure::Machine)?;
    db.set_target(arguments.target);
    let facts = ide::item_facts(&db, file);
    let named = |item: &&ide::ItemFacts| item.kind == "kernel" && item.name == arguments.kernel;
    let Some(item) = facts.iter().find(named) else {
        let kernels = facts.iter().filter(|item| item.kind == "kernel").map(|item| item.name.clone());
        return Err(show::unknown(&arguments.kernel, &kernels.collect::<Vec<_>>(), file.path(&db)));
    };
    let Facts::Kernel(kernel) = &item.facts else {
        let mut findings = ide::diagnostics(&db, file);
        findings.retain(|finding| item.range.contains(&finding.location.range.start));
        check::require_sound(&db, &findings, &format!("the kernel `{}`", arguments.kernel))?;
        let reason = ide::obstacle(&findings).map_or(String::new(), |finding| format!(": {}", finding.message));
        return Err(Failure::File(format!("nothing is generated for the kernel `{}`{reason}", arguments.kernel)));
    };
    let emitted = emit::cuda(kernel);
    let (to, target, source) = match arguments.to {
        To::Cuda => ("cuda", None, emitted.source),
        To::Ptx => {
            let target = arguments.target.map_or_else(|| DEFAULT_TARGET.to_owned(), |target| target.to_string());
            let ptx = crate::worker::ptx(&emitted, &target).map_err(Failure::Machine)?;
            ("ptx", Some(target), ptx)
        }
    };
    match arguments.format {
        Format::Human => output.text(&source)?,
        Format::Json => {
            let (kernel, entry) = (arguments.kernel.clone(), emitted.entry);
            output.json(&json::Emitted { kernel, to, target, entry, source })?;
        }
    }
    Ok(Status::Fine)
}
