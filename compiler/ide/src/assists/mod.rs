//! Code actions: fixes of diagnostics, and rewrites that preserve meaning.
//!
//! A rewrite changes neither values nor results of runs, and adds no diagnostic; one test checks this for all of
//! them.

mod assist;
mod context;
mod extract;
mod fix_all;
mod fixes;
mod inline;
mod launch;
mod layout;
mod masked;
mod select;
mod splice;
#[cfg(test)]
mod tests;

use std::ops::Range;

use context::with_context;

use check::db::{Db, SourceFile};

pub use assist::{Assist, AssistKind};
pub use fix_all::fix_all;

/// The assists for a part of a file; an empty range is a cursor. [`fix_all`] is not included: it checks the file
/// again and must be requested.
pub fn assists(db: &dyn Db, file: SourceFile, range: Range<u32>) -> Vec<Assist> {
    let mut found = fixes::fixes(db, file, &range);
    with_context(db, file, range, |context| {
        found.extend(layout::layout_names(context));
        found.extend(select::qualify(context));
        found.extend(select::shorten(context));
        found.extend(extract::extract(context));
        found.extend(inline::inline(context));
        found.extend(launch::explicit_launch(context));
        found.extend(masked::add(context));
        found.extend(masked::remove(context));
    });
    found
}
