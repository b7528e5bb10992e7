//! What `run` and `tune` start kernels with.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use ::check::db::{SourceFile, Workspace};
use ::check::generics::GenericValue;
use clap::Args;
use ide::CompilerDatabase;
use shapewright_runtime::executors::Executors;

use super::format::Format;
use super::status::Failure;
use super::{check, define};
use crate::load::Loaded;
use crate::worker::{FailureKind, Job};

/// The values for a kernel, and where it runs.
#[derive(Debug, Args)]
pub(super) struct Launch {
    /// A value for a parameter: a `.npy` file, a number, `zeros`, `ones`, `arange` or `random(SEED)`
    #[arg(long = "in", value_name = "NAME=VALUE", value_parser = assignment)]
    inputs: Vec<(String, String)>,
    /// A value for a symbol, such as `-D M=1000`
    #[arg(short = 'D', value_name = "NAME=INTEGER", value_parser = define::parse)]
    define: Vec<(String, i64)>,
    /// A value for a generic parameter of the kernels, such as `-G B=64` or `-G T=f16`
    #[arg(short = 'G', value_name = "NAME=VALUE", value_parser = define::parse_generic)]
    generics: Vec<(String, GenericValue)>,
    #[arg(long, default_value = "auto", value_parser = device, help = where_to_run())]
    device: String,
    /// Stops the runs when they take longer
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) time_limit: Option<Duration>,
    /// How to print the results
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

impl Launch {
    /// Reads a file with the values for generic parameters, and refuses it if it has errors.
    pub(super) fn load(&self, path: &Path) -> Result<(CompilerDatabase, SourceFile), Failure> {
        let (mut db, file) = Loaded::one(path).map_err(Failure::Machine)?;
        define::set_generics(&mut db, &self.generics)?;
        Ok((db, file))
    }

    /// The job to run this kernel, or every `run` item.
    pub(super) fn job(&self, db: &CompilerDatabase, file: SourceFile, kernel: Option<&str>) -> Result<Job, Failure> {
        Ok(Job {
            files: files(db),
            root: file.path(db).to_owned(),
            kernel: kernel.map(str::to_owned),
            runs: None,
            tunes: false,
            definitions: define::table(&self.define)?,
            generics: self.generics.iter().map(|(name, value)| (name.clone(), value.to_string())).collect(),
            inputs: table("--in", &self.inputs)?,
            outputs: BTreeMap::new(),
            device: self.device.clone(),
            time: false,
        })
    }

    /// Whether it gives generic parameters values.
    pub(super) fn gives_generics(&self) -> bool {
        !self.generics.is_empty()
    }
}

/// Every file that was read, as the worker needs it.
fn files(db: &CompilerDatabase) -> Vec<(String, String)> {
    let files = Workspace::get(db).files(db);
    files.iter().map(|(path, file)| (path.clone(), file.text(db).to_owned())).collect()
}

/// Refuses a file with errors, and shows its warnings. Its hints are left to `check`.
pub(super) fn require_sound(db: &CompilerDatabase, file: SourceFile, shown: &str) -> Result<(), Failure> {
    let findings = ide::diagnostics(db, file);
    check::require_sound(db, &findings, shown)?;
    check::draw_warnings(db, &findings);
    Ok(())
}

/// The failure where no worker could be started.
pub(super) fn not_started(error: std::io::Error) -> Failure {
    Failure::Machine(format!("a process for the run could not be started: {error}"))
}

/// The failure that a worker tells.
pub(super) fn failure(kind: FailureKind, message: String) -> Failure {
    match kind {
        FailureKind::File => Failure::File(message),
        FailureKind::Usage => Failure::Usage(message),
        FailureKind::Machine => Failure::Machine(message),
    }
}

/// `NAME=VALUE`, as clap reads it.
pub(super) fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

/// The values by their names, of which none may stand twice.
pub(super) fn table(option: &str, pairs: &[(String, String)]) -> Result<BTreeMap<String, String>, Failure> {
    let mut table = BTreeMap::new();
    for (name, value) in pairs {
        if table.insert(name.clone(), value.clone()).is_some() {
            return Err(Failure::Usage(format!("{option} names {name} twice")));
        }
    }
    Ok(table)
}

fn device(text: &str) -> Result<String, String> {
    Executors::default().full_name(text).map_err(|error| error.to_string())
}

fn where_to_run() -> String {
    format!("Where to run: {}", Executors::default().names())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(limit) if !limit.is_zero() => Ok(limit),
        _ => Err("expected a positive number of seconds".to_owned()),
    }
}
