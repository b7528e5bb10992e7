//! The values of generic parameters that a kernel lists in `tune`, each judged before anything runs.

use check::db::{Db, Item, SourceFile};
use check::diagnostics::Severity;
use check::generics::{GenericValue, Generics, generic_parameters};
use check::kernels::{checked_instance, typed_instance};
use check::names;
use syntax::tree::ItemKind;

/// Values for the generic parameters of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// A value for each parameter.
    pub generics: Generics,
    /// What the checks say of the kernel with these values.
    pub judgement: Judgement,
}

/// What the checks say of a kernel with some values.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgement {
    /// Every check is passed.
    Sound,
    /// The kernel's `where` excludes these values.
    Excluded,
    /// The kernel has an error with these values; its message.
    Wrong(String),
}

/// The candidates of a kernel, its defaults first; `None` if the file has no kernel of this name.
pub fn candidates(db: &dyn Db, file: SourceFile, name: &str) -> Option<Vec<Candidate>> {
    let is_named = |item: &Item| item.declared_kernel(db).is_some_and(|kernel| kernel.name.text == name);
    let item = file.items(db).iter().copied().find(is_named)?;
    Some(of_kernel(db, item).into_iter().map(|generics| judged(db, item, generics)).collect())
}

/// The candidates among which an item leaves the choice, a kernel or a run that gives no values: the defaults of its kernel
/// first. There are none if the defaults are the only ones.
pub(crate) fn left_open(db: &dyn Db, item: Item) -> Vec<Generics> {
    let tree = item.tree(db);
    let kernel = match tree.item.as_ref().map(|parsed| &parsed.kind) {
        Some(ItemKind::Kernel(_)) => Some(item),
        Some(ItemKind::Run(run)) if run.generics.is_empty() => {
            names::lookup(db, item.file(db), run.kernel.text.clone())
        }
        _ => None,
    };
    let mut all = kernel.map_or_else(Vec::new, |kernel| of_kernel(db, kernel));
    if all.len() == 1 {
        all.clear();
    }
    all
}

/// An element type decides what the tensors hold, so only values with the default types are candidates of one task.
fn of_kernel(db: &dyn Db, kernel: Item) -> Vec<Generics> {
    let parameters = generic_parameters(db, kernel);
    let same_types = |other: &&Generics| {
        let mut types = parameters.default.known().into_iter().filter(|(_, value)| is_type(value));
        types.all(|(name, value)| other.value(&name) == Some(value))
    };
    let others = parameters.candidates.iter().filter(same_types);
    [&parameters.default].into_iter().chain(others).cloned().collect()
}

fn is_type(value: &GenericValue) -> bool {
    matches!(value, GenericValue::Element(_))
}

fn judged(db: &dyn Db, item: Item, generics: Generics) -> Candidate {
    let checked = checked_instance(db, item, generics.clone());
    let error = checked.diagnostics.iter().find(|found| found.severity() == Severity::Error);
    let judgement = match error {
        _ if typed_instance(db, item, generics.clone()).excluded => Judgement::Excluded,
        Some(error) => Judgement::Wrong(error.message.clone()),
        None => Judgement::Sound,
    };
    Candidate { generics, judgement }
}
