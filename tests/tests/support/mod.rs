//! What every test of this folder needs: texts to findings.

pub mod enumerate;

use std::collections::BTreeSet;
use std::sync::Arc;

use check::db::declared;
use check::db::{Item, SourceFile};
use check::diagnostics::Severity;
use check::evaluate;
use check::kernels;
use check::run_items;
use check::values::Value;
use ide::CompilerDatabase;
use ide::{Finding, Repair};
use kernel::run::Run;
use kernel::typed::Kernel;
use syntax::tree::ItemKind;

/// A file with everything that was found in it.
pub struct Checked {
    pub db: CompilerDatabase,
    pub file: SourceFile,
    pub findings: Vec<Finding>,
}

/// Checks one file.
pub fn check(text: &str) -> Checked {
    check_files(&[("main.shape", text)])
}

/// Checks the first of some files.
pub fn check_files(files: &[(&str, &str)]) -> Checked {
    let mut db = CompilerDatabase::default();
    let handles: Vec<SourceFile> = files.iter().map(|(path, text)| db.set_text(path, text)).collect();
    let file = handles[0];
    db.add_library(file);
    let findings = ide::diagnostics(&db, file);
    Checked { db, file, findings }
}

impl Checked {
    /// The source text.
    pub fn text(&self) -> &str {
        self.file.text(&self.db)
    }

    /// The codes of all findings, hints and `show` included.
    pub fn codes(&self) -> BTreeSet<&'static str> {
        self.findings.iter().map(|finding| finding.code).collect()
    }

    /// The codes of the errors, one for each, in the order of their places.
    pub fn errors(&self) -> Vec<&'static str> {
        self.with_severity(Severity::Error)
    }

    /// The codes of the findings of one severity, in the order of their places.
    pub fn with_severity(&self, severity: Severity) -> Vec<&'static str> {
        self.findings.iter().filter(|finding| finding.severity == severity).map(|finding| finding.code).collect()
    }

    /// The text with a fix applied, the last edit first so that places stay what they were.
    pub fn applied(&self, fix: &Repair) -> String {
        let mut edits: Vec<_> = fix.edits.iter().collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.location.range.start));
        let mut mended = self.text().to_owned();
        for edit in edits {
            assert!(edit.location.file == self.file, "the fix leaves the file");
            mended.replace_range(edit.location.range.start as usize..edit.location.range.end as usize, &edit.text);
        }
        mended
    }

    /// What the findings say, one to a line, for the message of a failed test.
    pub fn report(&self) -> String {
        self.findings.iter().map(|finding| self.line(finding)).collect()
    }

    fn line(&self, finding: &Finding) -> String {
        let range = &finding.location.range;
        let at = self.text().get(range.start as usize..range.end as usize).unwrap_or("?");
        format!("{} [{}] {} @ `{at}`\n", finding.severity.name(), finding.code, finding.message)
    }

    /// The item that declares a name.
    pub fn item(&self, name: &str) -> Item {
        let declares = |item: &&Item| {
            let parsed = &item.tree(&self.db).item;
            parsed.as_ref().is_some_and(|parsed| declared(&parsed.kind).iter().any(|declared| declared.text == name))
        };
        *self.file.items(&self.db).iter().find(declares).unwrap_or_else(|| panic!("no item declares {name}"))
    }

    /// The value of a declared name.
    pub fn value(&self, name: &str) -> Option<Value> {
        evaluate::value(&self.db, self.item(name)).value.clone()
    }

    /// The first kernel of the file, where it passed its checks.
    pub fn kernel(&self) -> Option<Arc<Kernel>> {
        let is_kernel = |item: &&Item| {
            let parsed = &item.tree(&self.db).item;
            parsed.as_ref().is_some_and(|parsed| matches!(parsed.kind, ItemKind::Kernel(_)))
        };
        let item = self.file.items(&self.db).iter().find(is_kernel)?;
        kernels::checked_kernel(&self.db, *item).kernel.clone()
    }
}

impl Checked {
    /// The first run of the file, where it and its kernel passed their checks.
    pub fn run(&self) -> Option<Arc<Run>> {
        let is_run = |item: &&Item| {
            let parsed = &item.tree(&self.db).item;
            parsed.as_ref().is_some_and(|parsed| matches!(parsed.kind, ItemKind::Run(_)))
        };
        let item = self.file.items(&self.db).iter().find(is_run)?;
        run_items::run(&self.db, *item).run.clone()
    }
}

/// The files of the examples and the fixtures.
pub fn written() -> Vec<String> {
    let mut texts = Vec::new();
    for folder in ["/../examples", "/fixtures"] {
        let folder = format!("{}{folder}", env!("CARGO_MANIFEST_DIR"));
        let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let shapes = paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "shape"));
        texts.extend(shapes.map(|path| std::fs::read_to_string(path).unwrap()));
    }
    assert!(texts.len() >= 12);
    texts
}
