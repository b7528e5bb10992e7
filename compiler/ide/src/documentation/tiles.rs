//! The functions and methods of tiles and the members of partitions; their texts are next to what they do.

use std::sync::LazyLock;

use super::entry::Subject::{self, PartitionMember, TileFunction, TileMember};
use super::entry::{Entry, Form, call};
use check::documentation::Documentation;
use check::kernels;

pub(super) static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let functions = kernels::TileFunction::all().map(|function| called(TileFunction, &function.documentation));
    let methods = kernels::TileMethod::all().map(|method| called(TileMember, &method.documentation));
    let members = kernels::PartitionMember::all().map(|member| match member.form() {
        None => called(PartitionMember, &member.documentation),
        Some(lines) => Entry { form: Form::Lines(lines), ..called(PartitionMember, &member.documentation) },
    });
    functions.chain(methods).chain(members).collect()
});

fn called(subject: Subject, documentation: &Documentation) -> Entry {
    let Documentation { word, parameters, text, example } = *documentation;
    call(subject, word, parameters, text, example)
}
