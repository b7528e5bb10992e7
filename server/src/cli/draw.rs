//! `shapewright draw`

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use check::db::SourceFile;
use clap::{Args, ValueEnum};
use dims::Symbol;
use elements::ElementType;
use ide::CompilerDatabase;
use ide::Drawing;
use pictures::{By, Label, Options, SvgOptions, Theme};
use shapewright_runtime::files;

use super::format::Format;
use super::output::Output;
use super::status::{Failure, Outcome, Status};
use super::{define, show};
use crate::load::Loaded;
use crate::render::picture_json;

/// Draws an index map, or the views of a kernel; KERNEL.TILE shows which thread computes which element of a tile
///
/// Prints text on a terminal and SVG elsewhere, or writes SVG to a file.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The file, or `-` for standard input
    file: PathBuf,
    /// The name of the map or the kernel, or KERNEL.NAME for a view, a shared array or a tile of a kernel
    name: String,
    /// Another map that is drawn at its side, such as the one after a swizzle
    #[arg(long, value_name = "OTHER")]
    beside: Vec<String>,
    /// Where the SVG is written
    #[arg(short, long, value_name = "OUT.svg", conflicts_with_all = ["text", "format"])]
    output: Option<PathBuf>,
    /// Prints text, also where the output is no terminal
    #[arg(long, conflicts_with = "format")]
    text: bool,
    /// What cells are coloured by
    #[arg(long, value_enum, default_value_t)]
    by: Colouring,
    /// What is written in cells
    #[arg(long, value_enum, default_value_t)]
    label: Labelling,
    /// The type of an element, for banks and sectors; left out, f32 for a map, and a kernel's own
    #[arg(long, value_name = "TYPE", value_parser = element)]
    element: Option<ElementType>,
    /// Outlines the counterexample to a question such as `covers`
    #[arg(long, value_name = "QUESTION")]
    refute: Option<String>,
    /// A size for a symbol, such as `-D N=16`; others get small ones
    #[arg(short = 'D', value_name = "NAME=INTEGER", value_parser = define::parse)]
    define: Vec<(String, i64)>,
    /// The colours of the SVG around the cells
    #[arg(long, value_enum, default_value_t)]
    theme: Shade,
    /// How to print it: JSON has the cells, the SVG and the text
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Colouring {
    /// The thread; the slot where there are no threads
    #[default]
    Thread,
    /// The bank of shared memory
    Bank,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Labelling {
    /// What the cell's place does not say
    #[default]
    Auto,
    /// The lower coordinate
    Slot,
    /// The upper coordinate
    Coordinate,
    /// The thread
    Thread,
    /// The bank
    Bank,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Shade {
    /// As the reader's system is
    #[default]
    Auto,
    /// Dark on white
    Light,
    /// Light on dark
    Dark,
}

fn element(text: &str) -> Result<ElementType, String> {
    ElementType::from_name(text).ok_or_else(|| format!("`{text}` is no element type; f32 and f16 are"))
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let (db, file) = Loaded::one(&arguments.file).map_err(Failure::Machine)?;
    let mut drawing = named(&db, file, &arguments.name)?;
    for other in &arguments.beside {
        drawing.maps.extend(named(&db, file, other)?.maps);
        drawing.stacked = false;
    }
    if let Some(question) = &arguments.refute {
        drawing.counterexample = Some(counterexample(&db, file, &arguments.name, question)?);
    }
    if let Some(element) = arguments.element {
        drawing.element_bytes = Some(element.size_bytes() as u32);
    }
    let options = Options {
        by: match arguments.by {
            Colouring::Thread => By::Thread,
            Colouring::Bank => By::Bank,
        },
        label: match arguments.label {
            Labelling::Auto => Label::Automatic,
            Labelling::Slot => Label::Slot,
            Labelling::Coordinate => Label::Coordinate,
            Labelling::Thread => Label::Thread,
            Labelling::Bank => Label::Bank,
        },
        sizes: sizes(&drawing, &define::table(&arguments.define)?)?,
        ..Options::default()
    };
    let picture = drawing.picture(&options);
    if let Some(panel) = picture.panels.iter().find(|panel| panel.grid.is_none()) {
        let reason = panel.notes.last().map_or("it cannot be drawn", String::as_str);
        return Err(Failure::File(format!("`{}`: {reason}", panel.title)));
    }
    let theme = match arguments.theme {
        Shade::Auto => Theme::Automatic,
        Shade::Light => Theme::Light,
        Shade::Dark => Theme::Dark,
    };
    let svg = || pictures::svg(&picture, SvgOptions { theme, ..SvgOptions::default() });
    match (&arguments.output, arguments.format) {
        (Some(path), _) => files::write_text(path, &svg())
            .map_err(|error| Failure::Machine(format!("{} cannot be written: {error}", path.display())))?,
        (None, Format::Json) => output.json(&picture_json::document(&picture, &svg()))?,
        (None, Format::Human) if arguments.text || io::stdout().is_terminal() => {
            output.text(&pictures::text(&picture))?;
        }
        (None, Format::Human) => output.text(&svg())?,
    }
    Ok(Status::Fine)
}

/// The drawing of a name, or why there is none.
fn named(db: &CompilerDatabase, file: SourceFile, name: &str) -> Result<Drawing, Failure> {
    if let Some(drawing) = ide::drawing(db, file, name) {
        return Ok(drawing);
    }
    let facts = ide::item_facts(db, file);
    if let Some((kernel, inner)) = name.split_once('.')
        && facts.iter().any(|item| item.kind == "kernel" && item.is_called(kernel))
    {
        return Err(Failure::File(nothing_to_draw(kernel, inner, &ide::drawable_names(db, file, kernel))));
    }
    let Some(item) = facts.iter().find(|item| item.is_called(name)) else {
        let all: Vec<String> = facts.iter().flat_map(|item| item.names.clone()).collect();
        return Err(show::unknown(name, &all, file.path(db)));
    };
    Err(Failure::File(match item.kind {
        "map" | "tiling" => format!("`{name}` has errors, see `shapewright check`"),
        "kernel" => format!("`{name}` has no view that can be drawn, see `shapewright check`"),
        kind => format!("`{name}` is a {kind}, not a map"),
    }))
}

/// Why nothing of this name in a kernel is drawn.
fn nothing_to_draw(kernel: &str, name: &str, drawable: &[String]) -> String {
    let known = match drawable {
        [] => "it has no view, no shared array and no tile that can be drawn".to_owned(),
        all => format!("what can be drawn is {}", all.join(", ")),
    };
    format!("the kernel `{kernel}` has nothing called `{name}` that stands in memory: {known}")
}

/// The counterexample to one of the questions that every map answers.
fn counterexample(
    db: &CompilerDatabase,
    file: SourceFile,
    name: &str,
    question: &str,
) -> Result<proofs::Counterexample, Failure> {
    use proofs::Verdict;
    let facts = ide::item_facts(db, file);
    let map = facts.iter().find(|item| item.is_called(name)).map(|item| &item.facts);
    let Some(ide::Facts::Map(map)) = map else {
        return Err(Failure::Usage(format!("--refute asks a map of this file, and `{name}` is none")));
    };
    let asked = map.verdicts.iter().find(|asked| asked.name == question).ok_or_else(|| {
        let known: Vec<&str> = map.verdicts.iter().map(|asked| asked.name).collect();
        Failure::Usage(format!("`{question}` is no question of `{name}`; it has {}", known.join(", ")))
    })?;
    match &asked.verdict {
        Verdict::Refuted { counterexample, .. } => Ok(counterexample.clone()),
        Verdict::Proven { rule } => Err(Failure::File(format!("`{name}.{question}` is proven: {rule}"))),
        Verdict::Open { reason, .. } => Err(Failure::File(format!("`{name}.{question}` is open: {reason}"))),
    }
}

/// The given sizes by symbol.
fn sizes(drawing: &Drawing, given: &BTreeMap<String, i64>) -> Result<BTreeMap<Symbol, i64>, Failure> {
    let symbols: Vec<Symbol> = drawing.maps.iter().flat_map(|drawn| drawn.map.symbols()).collect();
    let mut sizes = BTreeMap::new();
    for (name, size) in given {
        let named: Vec<&Symbol> = symbols.iter().filter(|symbol| symbol.name() == name).collect();
        if named.is_empty() {
            return Err(Failure::Usage(format!("-D gives {name} a size, but nothing that is drawn depends on it")));
        }
        if *size < 1 {
            return Err(Failure::Usage(format!("{name} is {size}, but a size is at least 1")));
        }
        sizes.extend(named.into_iter().map(|symbol| (symbol.clone(), *size)));
    }
    Ok(sizes)
}
