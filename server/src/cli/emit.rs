//! `shapewright emit`

use std::path::PathBuf;

use ::check::db::SourceFile;
use ::check::generics::GenericValue;
use clap::{Args, ValueEnum};
use emit::interop::{self, Target as MapTarget};
use emit::{IndexWidth, Options};
use ide::CompilerDatabase;
use ide::{Facts, ItemFacts};
use kernel::Target;
use kernel::typed::Kernel;
use maps::IndexMap;
use proofs::Budget;

use super::format::Format;
use super::output::Output;
use super::status::{Failure, Outcome, Status};
use super::{check, define, json, show};
use crate::load::Loaded;

/// The most names that a message lists.
const MOST_NAMED: usize = 12;

/// Prints a kernel or an index map as the source of another tool
///
/// A kernel becomes CUDA C++ or PTX, or the text of one of the compiler's own levels. A map becomes functions of CUDA C++ or C, a Python function over numpy, or a CuTe
/// layout where one exists.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The file, or `-` for standard input
    file: PathBuf,
    /// The name of the kernel, map or tiling; left out, the only one of the file that can be printed so
    name: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    to: To,
    /// The GPU that a kernel must run on, such as `sm_90`; left out, PTX is made for the oldest from sm_80 on that can
    /// launch the kernel
    #[arg(long, value_name = "ARCH")]
    target: Option<Target>,
    /// A value for a generic parameter of the kernels, such as `-G B=64` or `-G T=f16`
    #[arg(short = 'G', value_name = "NAME=VALUE", value_parser = define::parse_generic)]
    generics: Vec<(String, GenericValue)>,
    /// Write indices of a kernel in 32 bits wherever sizes can make them fit: the form that a launch takes where an int holds all of
    /// them. Left out, the text is right for all sizes
    #[arg(long)]
    narrow: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum To {
    /// CUDA C++: a kernel, or a map as device functions
    #[default]
    Cuda,
    /// The GPU's virtual instruction set, made by NVRTC: kernels only
    Ptx,
    /// What a kernel says, before it is decided who waits: the compiler's first level
    Program,
    /// The kernel with its barriers, and where its shared arrays lie
    Schedule,
    /// The kernel as loops, each value computed once: what CUDA is printed from
    Loops,
    /// C99: a map as inline functions
    C,
    /// Python: a map as a function over numpy arrays
    Numpy,
    /// CuTe: a map as a layout, or as a swizzle of one
    Cute,
}

impl To {
    /// Whether items of a kind can be printed so.
    fn prints(self, kind: &str) -> bool {
        match self {
            To::Cuda => is_emitted(kind),
            To::Ptx | To::Program | To::Schedule | To::Loops => kind == "kernel",
            To::C | To::Numpy | To::Cute => matches!(kind, "map" | "tiling"),
        }
    }

    fn word(self) -> &'static str {
        match self {
            To::Cuda => "cuda",
            To::Ptx => "ptx",
            To::Program => "program",
            To::Schedule => "schedule",
            To::Loops => "loops",
            To::C => "c",
            To::Numpy => "numpy",
            To::Cute => "cute",
        }
    }

    /// The same for a map.
    fn of_map(self) -> Option<MapTarget> {
        match self {
            To::Cuda => Some(MapTarget::Cuda),
            To::Ptx | To::Program | To::Schedule | To::Loops => None,
            To::C => Some(MapTarget::C),
            To::Numpy => Some(MapTarget::Numpy),
            To::Cute => Some(MapTarget::Cute),
        }
    }
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let (mut db, file) = Loaded::one(&arguments.file).map_err(Failure::Machine)?;
    db.set_target(arguments.target);
    define::set_generics(&mut db, &arguments.generics)?;
    let facts = ide::item_facts(&db, file);
    let path = file.path(&db);
    let (item, name) = match &arguments.name {
        Some(name) => (of_name(&facts, name, path)?, name.clone()),
        None => only(&facts, arguments, path)?,
    };
    if arguments.narrow && !(item.kind == "kernel" && matches!(arguments.to, To::Cuda | To::Ptx)) {
        return Err(Failure::Usage("--narrow is for kernels as CUDA C++ or PTX".to_owned()));
    }
    let request = Request { arguments, name: &name };
    match &item.facts {
        Facts::Kernel(known) => match arguments.to {
            To::Program => request.level(ide::program(&db, file, &name).map(|program| program.program_text()), output),
            To::Schedule => request.level(Some(known.schedule_text()), output),
            To::Loops => request.level(Some(kernel::loops::lower(&known.per_thread(), &|| {}).text()), output),
            _ => request.kernel(known, output),
        },
        facts => match facts.as_map() {
            Some((known, facts)) => request.map(item.kind, &known, &facts, output),
            None => Err(nothing(&db, file, item)?),
        },
    }
}

/// The item of a name, if it can be emitted.
fn of_name<'f>(facts: &'f [ItemFacts], name: &str, path: &str) -> Result<&'f ItemFacts, Failure> {
    if let Some(item) = facts.iter().find(|item| is_emitted(item.kind) && item.is_called(name)) {
        return Ok(item);
    }
    if let Some(other) = facts.iter().find(|item| item.is_called(name)) {
        let kind = other.kind;
        return Err(Failure::File(format!("`{name}` is a {kind}; only kernels, maps and tilings can be emitted")));
    }
    let names = facts.iter().filter(|item| is_emitted(item.kind)).flat_map(|item| item.names.clone());
    Err(show::unknown(name, &names.collect::<Vec<_>>(), path))
}

/// The only item of a file that can be printed as asked, with its name.
fn only<'f>(facts: &'f [ItemFacts], arguments: &Arguments, path: &str) -> Result<(&'f ItemFacts, String), Failure> {
    let narrow = arguments.narrow && arguments.to == To::Cuda;
    let is_meant = |kind| arguments.to.prints(kind) && (kind == "kernel" || !narrow);
    let named = |item: &'f ItemFacts| item.names.iter().map(move |name| (item, name.clone()));
    let found: Vec<_> = facts.iter().filter(|item| is_meant(item.kind)).flat_map(named).collect();
    if let [(item, name)] = found.as_slice() {
        return Ok((item, name.clone()));
    }
    let mut names: Vec<String> =
        found.iter().take(MOST_NAMED).map(|(item, name)| format!("the {} `{name}`", item.kind)).collect();
    names.extend((found.len() > MOST_NAMED).then(|| format!("{} more", found.len() - MOST_NAMED)));
    Err(match names.split_last() {
        None => Failure::File(format!("{path} declares nothing that can be emitted --to {}", arguments.to.word())),
        Some((last, others)) => {
            let others = others.join(", ");
            Failure::Usage(format!("{path} declares {others} and {last}: write the name of one behind the file"))
        }
    })
}

/// Whether items of a kind can be emitted.
fn is_emitted(kind: &str) -> bool {
    matches!(kind, "kernel" | "map" | "tiling")
}

/// The failure for an item that has errors, or that this version cannot emit yet.
fn nothing(db: &CompilerDatabase, file: SourceFile, item: &ItemFacts) -> Result<Failure, Failure> {
    let what = format!("the {} `{}`", item.kind, item.title());
    let mut findings = ide::diagnostics(db, file);
    findings.retain(|finding| item.range.contains(&finding.location.range.start));
    check::require_sound(db, &findings, &what)?;
    let reason = ide::obstacle(&findings).map_or(String::new(), |finding| format!(": {}", finding.message));
    Ok(Failure::File(format!("nothing is generated for {what}{reason}")))
}

/// What is asked for: the arguments, with the name of the item that is meant.
#[derive(Clone, Copy)]
struct Request<'a> {
    arguments: &'a Arguments,
    name: &'a str,
}

impl Request<'_> {
    fn kernel(self, kernel: &Kernel, output: &mut Output) -> Outcome {
        let Request { arguments, name } = self;
        let width = if arguments.narrow { IndexWidth::Checked } else { IndexWidth::Proven };
        let emitted = emit::cuda_with(kernel, Options { width, guarded: false }, &|| {});
        let (target, source) = match arguments.to {
            To::Cuda => (None, emitted.source),
            To::Ptx => {
                let target = arguments
                    .target
                    .or_else(|| oldest_target(kernel))
                    .ok_or_else(|| Failure::File(format!("no GPU that is known can launch the kernel `{name}`")))?;
                let target = target.to_string();
                let ptx = crate::worker::ptx(&emitted, &target).map_err(Failure::Machine)?;
                (Some(target), ptx)
            }
            To::Program | To::Schedule | To::Loops | To::C | To::Numpy | To::Cute => {
                let to = arguments.to.word();
                return Err(Failure::Usage(format!(
                    "`{name}` is a kernel, which can be emitted --to cuda, ptx, program, schedule or loops; --to {to} is for maps"
                )));
            }
        };
        match arguments.format {
            Format::Human => output.text(&source)?,
            Format::Json => {
                let (kernel, to) = (name.to_owned(), arguments.to.word());
                output.json(&json::Emitted { kernel, to, target, entry: emitted.entry, source })?;
            }
        }
        Ok(Status::Fine)
    }

    /// A level of the compiler.
    fn level(self, source: Option<String>, output: &mut Output) -> Outcome {
        let Request { arguments, name } = self;
        let source = source.unwrap_or_default();
        match arguments.format {
            Format::Human => output.text(&source)?,
            Format::Json => {
                let (kernel, to) = (name.to_owned(), arguments.to.word());
                output.json(&json::Level { kernel, to, source })?;
            }
        }
        Ok(Status::Fine)
    }

    /// A map, or that of a tiling from its iterations to their threads.
    fn map(self, kind: &str, map: &IndexMap, known: &dims::Facts, output: &mut Output) -> Outcome {
        let Request { arguments, name } = self;
        let to = arguments.to.word();
        let Some(target) = arguments.to.of_map() else {
            return Err(Failure::Usage(format!(
                "`{name}` is a {kind}, which can be emitted --to cuda, c, numpy or cute; --to {to} is for kernels"
            )));
        };
        if arguments.target.is_some() {
            return Err(Failure::Usage(format!(
                "`{name}` is a {kind}, and --target is for kernels: no text of a map depends on it"
            )));
        }
        let emitted = interop::emit(name, map, known, target, &Budget::default())
            .map_err(|reason| Failure::File(format!("the {kind} `{name}` cannot be emitted --to {to}: {reason}")))?;
        match arguments.format {
            Format::Human => output.text(&emitted.source)?,
            Format::Json => {
                let functions = emitted.functions.into_iter().map(|function| function.name).collect();
                let (map, layout, offset) = (name.to_owned(), emitted.layout, emitted.offset);
                output.json(&json::EmittedMap { map, to, functions, layout, offset, source: emitted.source })?;
            }
        }
        Ok(Status::Fine)
    }
}

/// The oldest GPU that PTX of a kernel can be made for.
fn oldest_target(kernel: &Kernel) -> Option<Target> {
    // Where the sizes decide, one that can launch it for some of them.
    let least = kernel.shared_layout().ok().and_then(|layout| kernel.facts.range(&layout.bytes).lo);
    Target::oldest_for(kernel.launch.cluster, i64::try_from(least.unwrap_or(0)).unwrap_or(i64::MAX))
}
