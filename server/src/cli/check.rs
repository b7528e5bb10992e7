//! `shapewright check`

use std::mem::ManuallyDrop;
use std::path::PathBuf;

use check::diagnostics::Severity;
use check::generics::GenericValue;
use clap::{Args, ValueEnum};
use ide::{Finding, count};
use kernel::Target;
use proofs::Effort;

use super::output::Output;
use super::status::{Failure, Outcome, Status};
use super::{define, json, sarif};
use crate::load::Loaded;
use crate::parallel;
use crate::remarks;
use crate::render::{self, Style};
use crate::solver;

/// Further findings of one file are only counted: a damaged file has many.
const MOST_DRAWN: usize = 200;

/// Says what is wrong in files and folders
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Files, folders (their `.shape` files), or `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// How to print the diagnostics
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Treats these as errors
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,
    /// Lets proofs take seconds, where they otherwise give up after milliseconds
    #[arg(long)]
    deep: bool,
    /// The SMT solver that a deep check may ask where its own rules do not decide: a program, or `off`; z3 or cvc5 from
    /// the PATH where left out
    #[arg(long, value_name = "PROGRAM", requires = "deep")]
    solver: Option<PathBuf>,
    /// The GPU that kernels must run on, such as `sm_90`; any where left out
    #[arg(long, value_name = "ARCH")]
    target: Option<Target>,
    /// A value for a generic parameter of the kernels, such as `-G B=64` or `-G T=f16`
    #[arg(short = 'G', value_name = "NAME=VALUE", value_parser = define::parse_generic)]
    generics: Vec<(String, GenericValue)>,
    /// Hides hints and information
    #[arg(long, short)]
    quiet: bool,
}

/// How diagnostics are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// With the lines they are about
    #[default]
    Human,
    /// One line for each
    Short,
    /// One JSON document
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Deny {
    /// Warnings fail the check
    Warnings,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    // The process ends next, and dropping the database would take a tenth of the check.
    let mut loaded = ManuallyDrop::new(Loaded::new(&arguments.paths));
    if arguments.deep {
        loaded.db.set_effort(Effort::Deep);
        loaded.db.set_solver(solver::find(arguments.solver.as_deref()).map_err(Failure::Machine)?);
    }
    loaded.db.set_target(arguments.target);
    define::set_generics(&mut loaded.db, &arguments.generics)?;
    let db = &loaded.db;
    parallel::check(&loaded.db, &loaded.roots);
    let mut files: Vec<Vec<Finding>> = loaded.roots.iter().map(|file| ide::diagnostics(db, *file)).collect();
    if arguments.quiet {
        files.iter_mut().for_each(|findings| findings.retain(|finding| finding.severity <= Severity::Warning));
    }
    let number = |severity| files.iter().flatten().filter(|finding| finding.severity == severity).count();
    let summary = json::Summary {
        files: loaded.roots.len(),
        errors: number(Severity::Error),
        warnings: number(Severity::Warning),
    };
    match arguments.format {
        Format::Human => human(&loaded, &files, summary, output)?,
        Format::Short => {
            for finding in files.iter().flatten() {
                output.line(render::short(db, finding))?;
            }
        }
        Format::Json => {
            let diagnostics = files.iter().flatten().map(|finding| json::diagnostic(db, finding)).collect();
            output.json(&json::Check { diagnostics, summary })?;
        }
        Format::Sarif => {
            let findings: Vec<&Finding> = files.iter().flatten().collect();
            output.json(&sarif::document(db, &findings))?;
        }
    }
    let denied = arguments.deny == Some(Deny::Warnings) && summary.warnings > 0;
    if loaded.problems.is_empty() {
        return Ok(Status::wrong_if(summary.errors > 0 || denied));
    }
    output.finish()?;
    loaded.problems.iter().for_each(|problem| remarks::complain(problem));
    Ok(Status::Machine)
}

fn human(loaded: &Loaded, files: &[Vec<Finding>], summary: json::Summary, output: &mut Output) -> Result<(), Failure> {
    let style = Style { colours: output.colours(), width: output.width() };
    for (file, findings) in loaded.roots.iter().zip(files) {
        for finding in findings.iter().take(MOST_DRAWN) {
            output.text(&render::finding(&loaded.db, finding, style))?;
            output.line("")?;
        }
        if let Some(more) = findings.len().checked_sub(MOST_DRAWN).filter(|more| *more > 0) {
            output.line(format_args!("… and {} more in {}\n", count(more, "diagnostic"), file.path(&loaded.db)))?;
        }
    }
    // If nothing could be read, the error message is enough.
    if summary.files == 0 && !loaded.problems.is_empty() {
        return Ok(());
    }
    output.line(summary_line(summary))
}

/// `2 errors and 1 warning in 3 files`
fn summary_line(summary: json::Summary) -> String {
    let files = count(summary.files, "file");
    match (summary.errors, summary.warnings) {
        (0, 0) => format!("{files} checked, no errors"),
        (errors, 0) => format!("{} in {files}", count(errors, "error")),
        (0, warnings) => format!("{} in {files}", count(warnings, "warning")),
        (errors, warnings) => format!("{} and {} in {files}", count(errors, "error"), count(warnings, "warning")),
    }
}

/// Prints the diagnostics of a file that a command needs without errors.
///
/// # Errors
/// Where the file has an error.
pub(super) fn require_sound(db: &ide::CompilerDatabase, findings: &[Finding], what: &str) -> Result<(), Failure> {
    let errors: Vec<&Finding> = findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
    if errors.is_empty() {
        return Ok(());
    }
    draw(db, &errors);
    let is = if errors.len() == 1 { "is" } else { "are" };
    Err(Failure::File(format!("there {is} {} in {what}", count(errors.len(), "error"))))
}

/// Draws the warnings on standard error, so that a run is not silent about what it leaves unwritten.
pub(super) fn draw_warnings(db: &ide::CompilerDatabase, findings: &[Finding]) {
    let warnings: Vec<&Finding> = findings.iter().filter(|finding| finding.severity == Severity::Warning).collect();
    draw(db, &warnings);
}

fn draw(db: &ide::CompilerDatabase, findings: &[&Finding]) {
    for finding in findings.iter().take(MOST_DRAWN) {
        let text = render::finding(db, finding, Style { colours: false, width: None });
        eprintln_quietly(&text);
    }
}

/// Ignores errors, as standard error may be closed.
fn eprintln_quietly(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{text}");
}
