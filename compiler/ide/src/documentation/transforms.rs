//! Base layouts and coordinate transforms; their texts are next to their formulas.

use std::sync::LazyLock;

use super::entry::{Entry, Form, Subject};
use check::documentation::Documentation;
use check::transforms;

static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let entry = |definition: &'static transforms::Definition| {
        let Documentation { word, parameters, text, example } = definition.documentation;
        Entry { subject: Subject::Function, word, form: Form::Call(parameters), text, example }
    };
    transforms::definitions().map(entry).collect()
});

/// The entries, in the order of the register.
pub(super) fn entries() -> impl Iterator<Item = &'static Entry> {
    ENTRIES.iter()
}
