//! `shapewright emit`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use shapewright_compiler::emit;
use shapewright_compiler::ide::{self, Facts};

use super::{Failure, Format, Outcome, Output, Status, check, json, show};
use crate::load::Loaded;

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
    /// The GPU architecture that PTX is made for
    #[arg(long, value_name = "ARCH", default_value = "sm_80", value_parser = architecture)]
    target: String,
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
    let (db, file) = Loaded::one(&arguments.file).map_err(Failure::Machine)?;
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
        return Err(Failure::File(format!("the kernel `{}` has errors, see `shapewright check`", arguments.kernel)));
    };
    let emitted = emit::cuda(kernel);
    let (to, target, source) = match arguments.to {
        To::Cuda => ("cuda", None, emitted.source),
        To::Ptx => {
            let ptx = crate::worker::ptx(&emitted, &arguments.target).map_err(Failure::Machine)?;
            ("ptx", Some(arguments.target.clone()), ptx)
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

/// `sm_90`, `sm_90a`, `compute_90`: what NVRTC knows by name. Whether it knows the number, it says itself.
fn architecture(text: &str) -> Result<String, String> {
    let number = text.strip_prefix("sm_").or_else(|| text.strip_prefix("compute_")).unwrap_or_default();
    let digits = number.trim_end_matches(['a', 'f']);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("expected an architecture such as sm_90".to_owned());
    }
    Ok(text.to_owned())
}
