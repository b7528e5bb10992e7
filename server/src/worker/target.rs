//! The targets of a job: `run` items, or one kernel on given tensors.

use std::sync::Arc;

use check::db::SourceFile;
use check::generics::Generics;
use check::spelling;
use ide::CompilerDatabase;
use ide::{Facts, ItemFacts};
use kernel::run::{Expectation, Init, Run};
use kernel::typed::{Kernel, ParamId};

use super::failure::Failure;
use super::protocol::Job;

/// One run to make.
pub(super) struct Target {
    /// The kernel.
    pub(super) kernel: Arc<Kernel>,
    /// The `run` item, or the one that supplies what the command line leaves out.
    pub(super) run: Option<Arc<Run>>,
    /// Whether it is an unmodified `run` item, without inputs from the command line.
    as_written: bool,
    /// The candidates for the values of generic parameters that it leaves open.
    pub(super) candidates: Vec<Generics>,
}

impl Target {
    /// The source's initial value of a parameter.
    pub(super) fn init(&self, param: usize) -> Option<&Init> {
        self.run.as_ref()?.arguments.get(param)?.as_ref()
    }

    /// Whether it is an unmodified `run` item.
    pub(super) fn is_as_written(&self) -> bool {
        self.as_written
    }

    /// The expectation; `None` with inputs from the command line, for which it was not written.
    pub(super) fn expectation(&self) -> Option<&Expectation> {
        self.run.as_ref().filter(|_| self.as_written)?.expect.as_ref()
    }

    /// The files that the source names for parameters.
    pub(super) fn saves(&self) -> impl Iterator<Item = (ParamId, &str)> {
        let saves = self.run.iter().flat_map(|run| &run.save);
        saves.map(|(param, path)| (*param, path.as_str()))
    }
}

/// The targets of a job.
pub(super) fn targets(db: &CompilerDatabase, root: SourceFile, job: &Job) -> Result<Vec<Target>, Failure> {
    let facts = ide::item_facts(db, root);
    let given = !job.inputs.is_empty() || !job.outputs.is_empty();
    match &job.kernel {
        None if !given => all_runs(db, root, &facts, job.runs.as_deref()),
        None => {
            let names: Vec<&str> = names(&facts, "kernel").collect();
            match names.as_slice() {
                [only] => on_inputs(db, root, &facts, only, job),
                [] => Err(Failure::file(format!("{} has no kernel", root.path(db)))),
                _ => Err(Failure::usage(format!(
                    "--in and --out need the name of a kernel after the file: {}",
                    names.join(", ")
                ))),
            }
        }
        Some(name) if given || job.tunes => on_inputs(db, root, &facts, name, job),
        Some(name) => {
            let runs: Vec<&ItemFacts> = of_kind(&facts, "run").filter(|item| item.is_called(name)).collect();
            if runs.is_empty() {
                return on_inputs(db, root, &facts, name, job);
            }
            runs.into_iter().map(|item| as_written(db, root, item)).collect()
        }
    }
}

fn of_kind<'a>(facts: &'a [ItemFacts], kind: &'static str) -> impl Iterator<Item = &'a ItemFacts> {
    facts.iter().filter(move |item| item.kind == kind)
}

fn names<'a>(facts: &'a [ItemFacts], kind: &'static str) -> impl Iterator<Item = &'a str> {
    of_kind(facts, kind).flat_map(|item| &item.names).map(String::as_str)
}

/// The `run` items of a file, or those of given numbers.
fn all_runs(
    db: &CompilerDatabase,
    root: SourceFile,
    facts: &[ItemFacts],
    wanted: Option<&[usize]>,
) -> Result<Vec<Target>, Failure> {
    let all = of_kind(facts, "run").enumerate();
    let runs: Vec<&ItemFacts> =
        all.filter(|(number, _)| wanted.is_none_or(|wanted| wanted.contains(number))).map(|(_, run)| run).collect();
    if runs.is_empty() {
        let advice = match of_kind(facts, "kernel").next() {
            Some(kernel) => format!("; add one, or name a kernel and its inputs: {} --in …", kernel.title()),
            None => String::new(),
        };
        return Err(Failure::file(format!("{} has no `run` item{advice}", root.path(db))));
    }
    runs.into_iter().map(|item| as_written(db, root, item)).collect()
}

fn as_written(db: &CompilerDatabase, root: SourceFile, item: &ItemFacts) -> Result<Target, Failure> {
    match &item.facts {
        Facts::Run(run) if item.errors == 0 => {
            let (kernel, run) = (Arc::clone(&run.kernel), Some(Arc::clone(run)));
            Ok(Target { kernel, run, as_written: true, candidates: item.candidates.clone() })
        }
        _ => Err(broken(db, root, &format!("the kernel {}", item.title()))),
    }
}

/// One kernel on inputs from the command line; missing ones come from the first `run` item of the kernel.
fn on_inputs(
    db: &CompilerDatabase,
    root: SourceFile,
    facts: &[ItemFacts],
    name: &str,
    job: &Job,
) -> Result<Vec<Target>, Failure> {
    let item = of_kind(facts, "kernel").find(|item| item.is_called(name)).ok_or_else(|| {
        let nearest = spelling::nearest(name, names(facts, "kernel"));
        let advice = nearest.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Failure::file(format!("{} has no kernel `{name}`{advice}", root.path(db)))
    })?;
    let Facts::Kernel(kernel) = &item.facts else {
        return Err(broken(db, root, &format!("the kernel {name}")));
    };
    let runs = of_kind(facts, "run").filter(|item| item.is_called(name));
    let run = runs.into_iter().find_map(|item| match &item.facts {
        Facts::Run(run) if item.errors == 0 => Some(Arc::clone(run)),
        _ => None,
    });
    let as_written = job.inputs.is_empty();
    Ok(vec![Target { kernel: Arc::clone(kernel), run, as_written, candidates: item.candidates.clone() }])
}

/// The failure of something that cannot run, with the reason.
fn broken(db: &CompilerDatabase, root: SourceFile, what: &str) -> Failure {
    let findings = ide::diagnostics(db, root);
    let reason = ide::obstacle(&findings).map_or(String::new(), |finding| format!(": {}", finding.message));
    Failure::file(format!("{what} cannot run{reason}"))
}
