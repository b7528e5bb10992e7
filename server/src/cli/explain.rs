//! `shapewright explain`

use std::fmt::Write;
use std::path::{Path, PathBuf};

use ::check::diagnostics::{self, PAGES, Page};
use clap::Args;

use super::format::Format;
use super::json;
use super::output::Output;
use super::status::{Failure, Outcome, Status};

/// Explains a diagnostic, or lists all of them
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The code in brackets after the severity, such as `rank-mismatch`
    code: Option<String>,
    /// How to print the pages
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write all pages into a folder instead, as Markdown, with a list of them in README.md
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["code", "format"])]
    write: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    if let Some(folder) = &arguments.write {
        return write(folder);
    }
    let pages: Vec<&'static Page> = match &arguments.code {
        None => PAGES.to_vec(),
        Some(code) => vec![find(code)?],
    };
    match (arguments.format, &arguments.code) {
        (Format::Json, _) => {
            let pages = pages.into_iter().map(|page| json::Page {
                code: page.code,
                severity: page.severity.name(),
                title: page.title,
                explanation: page.explanation,
                wrong: page.wrong,
                right: page.right,
            });
            output.json(&json::Pages { pages: pages.collect() })?;
        }
        (Format::Human, None) => {
            let width = pages.iter().map(|page| page.code.len()).max().unwrap_or(0);
            for page in pages {
                output.line(format_args!("{:width$}  {:11}  {}", page.code, page.severity.name(), page.title))?;
            }
        }
        (Format::Human, Some(_)) => {
            for page in pages {
                output.text(&text(page))?;
            }
        }
    }
    Ok(Status::Fine)
}

/// Writes a file for each page, and a list of all.
fn write(folder: &Path) -> Outcome {
    let mut list = String::from("# Diagnostics\n\nThese pages are written from the code by `cargo xtask docs`.\n\n");
    for page in PAGES {
        let _infallible = writeln!(list, "- [`{0}`]({0}.md) ({1}): {2}", page.code, page.severity.name(), page.title);
    }
    let pages = PAGES.iter().map(|page| (format!("{}.md", page.code), page.markdown()));
    let failed = |path: &Path, error| Failure::Machine(format!("{} cannot be written: {error}", path.display()));
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    for (name, text) in pages.chain([("README.md".to_owned(), list)]) {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| failed(&path, error))?;
    }
    Ok(Status::Fine)
}

fn find(code: &str) -> Result<&'static Page, Failure> {
    // People copy the brackets too, and write capitals.
    let code = code.trim_matches(['[', ']']).to_ascii_lowercase();
    diagnostics::page(&code).ok_or_else(|| {
        let nearest = check::spelling::nearest(&code, PAGES.iter().map(|page| page.code));
        let advice = nearest.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Failure::Usage(format!("there is no diagnostic `{code}`{advice}"))
    })
}

/// A page: the explanation, a file with the diagnostic, and the corrected file.
fn text(page: &Page) -> String {
    format!(
        "{}[{}]: {}\n\n{}\n\nThis gives it:\n\n{}\n\nThis does not:\n\n{}\n",
        page.severity.name(),
        page.code,
        page.title,
        page.explanation.trim(),
        indented(page.wrong),
        indented(page.right)
    )
}

fn indented(text: &str) -> String {
    let lines: Vec<String> =
        text.trim().lines().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") }).collect();
    lines.join("\n")
}
