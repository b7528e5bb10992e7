//! `shapewright eval`

use std::path::PathBuf;

use ::check::db::{Item, SourceFile};
use ::check::diagnostics::Severity;
use ::check::{evaluate, names};
use clap::Args;
use ide::CompilerDatabase;
use syntax::tree::ItemKind;

use super::format::Format;
use super::output::Output;
use super::status::{Failure, Outcome, Status};
use super::{check, json, value_json};
use crate::load::Loaded;

/// The name of the expression in messages.
const EXPRESSION: &str = "<expression>";

/// Evaluates an expression in a file's scope
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The file whose names the expression uses, or `-` for standard input
    file: PathBuf,
    /// The expression, such as `blocked(2, 3)`
    #[arg(allow_hyphen_values = true)]
    expression: String,
    /// How to print the value
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    if arguments.expression.trim().is_empty() {
        return Err(Failure::File("the expression is empty".to_owned()));
    }
    let (mut db, file) = Loaded::one(&arguments.file).map_err(Failure::Machine)?;
    let expression = add_expression(&mut db, file, &arguments.expression);
    let mut findings = ide::diagnostics(&db, expression);
    // The information that `show` reports is the answer itself.
    findings.retain(|finding| finding.severity != Severity::Information);
    check::require_sound(&db, &findings, "the expression")?;
    let is_expression =
        |item: &&Item| item.tree(&db).item.as_ref().is_some_and(|parsed| !matches!(parsed.kind, ItemKind::Use { .. }));
    let count = expression.items(&db).iter().filter(is_expression).count();
    if count > 1 {
        return Err(Failure::File(format!(
            "`{}` is {count} items: `eval` takes one expression, and names that the file declares",
            arguments.expression
        )));
    }
    let evaluated = evaluate::evaluate_in_file(&db, expression)
        .ok_or_else(|| Failure::File(format!("`{}` is not an expression", arguments.expression)))?;
    let Some(value) = &evaluated.value else {
        let reason = ide::obstacle(&findings).map_or(String::new(), |finding| format!(": {}", finding.message));
        return Err(Failure::File(format!("`{}` has no value{reason}", arguments.expression)));
    };
    match arguments.format {
        Format::Human => output.line(value)?,
        Format::Json => output.json(&json::Eval {
            r#type: value.type_name(),
            value: value_json::value(value),
            display: value.to_string(),
        })?,
    }
    Ok(Status::Fine)
}

/// Adds the expression as a separate file that uses the given one and everything that it uses. The expression comes
/// first, so that lines and columns in messages are its own.
fn add_expression(db: &mut CompilerDatabase, file: SourceFile, expression: &str) -> SourceFile {
    let path = file.path(db).to_owned();
    let mut uses = vec![absolute_use(&path)];
    uses.extend(names::used_paths(db, file).iter().map(|used| absolute_use(used)));
    let text = format!("{expression}\n;{}", uses.concat());
    db.set_text(EXPRESSION, &text)
}

/// A `use` of a file by its name in the database, which is valid because the expression's file has no folder.
fn absolute_use(path: &str) -> String {
    let escaped = path.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r");
    format!("\nuse \"{}\";", escaped.replace('\t', "\\t"))
}
