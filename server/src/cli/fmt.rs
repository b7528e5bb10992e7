//! `shapewright fmt`

use std::path::{Path, PathBuf};

use check::names;
use clap::Args;
use shapewright_runtime::files;
use syntax::format;

use super::format::Format;
use super::json;
use super::output::Output;
use super::status::{Failure, Outcome, Status};
use crate::load::{self, Loaded};
use crate::remarks;

/// Formats files; what cannot be parsed stays as it is
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// `.shape` files, folders (their `.shape` files), or `-` for standard input to standard output
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Changes nothing; fails where something would change
    #[arg(long)]
    check: bool,
    /// How to print what was done
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let mut problems = Vec::new();
    let mut files = Vec::new();
    for path in &arguments.paths {
        if path.is_dir() {
            let (found, unreadable) = load::shape_files(path);
            files.extend(found);
            problems.extend(unreadable);
        } else {
            files.push(path.clone());
        }
    }
    let mut report = Vec::new();
    for path in &files {
        match one(path, arguments, output)? {
            Ok(changed) => report.push(json::FormattedFile { file: path.display().to_string(), changed }),
            Err(problem) => problems.push(problem),
        }
    }
    let changed = report.iter().filter(|file| file.changed).count();
    match arguments.format {
        Format::Json => output.json(&json::Formatted { files: report })?,
        Format::Human => {
            for file in report.iter().filter(|file| file.changed && file.file != "-") {
                let word = if arguments.check { "would be formatted" } else { "formatted" };
                output.line(format_args!("{word}: {}", file.file))?;
            }
        }
    }
    output.finish()?;
    problems.iter().for_each(|problem| remarks::complain(problem));
    if !problems.is_empty() {
        return Ok(Status::Machine);
    }
    Ok(Status::wrong_if(arguments.check && changed > 0))
}

/// Formats one file; returns whether its text changed. The inner error is a sentence about the file, the outer one
/// ends the command.
fn one(path: &Path, arguments: &Arguments, output: &mut Output) -> Result<Result<bool, String>, Failure> {
    let standard_input = path == Path::new("-");
    // Almost any text can be parsed as some items, and a slip such as `fmt *` must not rewrite other files.
    if !standard_input && path.extension().is_none_or(|extension| extension != "shape") {
        let path = path.display();
        return Ok(Err(format!(
            "{path} is no `.shape` file, so it stays as it is; `fmt -` formats any text that it reads"
        )));
    }
    let (db, file) = match Loaded::one(path) {
        Ok(loaded) => loaded,
        Err(problem) => return Ok(Err(problem)),
    };
    let text = file.text(&db);
    let visible = names::visible(&db, file);
    let formatted = format::format(text, &|name| visible.contains_key(name));
    let changed = formatted != text;
    if standard_input && !arguments.check && arguments.format == Format::Human {
        output.text(&formatted)?;
    }
    if changed && !standard_input && !arguments.check {
        let written = files::write_text(path, &formatted);
        return Ok(written.map(|()| true).map_err(|error| format!("{} cannot be written: {error}", path.display())));
    }
    Ok(Ok(changed))
}
