//! `shapewright explain`

use check::diagnostics::{self, PAGES, Page};
use clap::Args;

use super::{Failure, Format, Outcome, Output, Status, json};

/// Explains a diagnostic, or lists all of them
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The code in brackets after the severity, such as `rank-mismatch`
    code: Option<String>,
    /// How to print the pages
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
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

fn find(code: &str) -> Result<&'static Page, Failure> {
    // People copy the brackets too, and write capitals.
    let code = code.trim_matches(['[', ']']).to_ascii_lowercase();
    diagnostics::page(&code).ok_or_else(|| {
        let nearest = check::names::nearest(&code, PAGES.iter().map(|page| page.code));
        let advice = nearest.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Failure::Usage(format!("there is no diagnostic `{code}`{advice}"))
    })
}

/// A page: what it means, then a file that gives it, then the file mended.
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
