//! The fixes of the diagnostics at a place.

use std::ops::Range;

use super::super::cursor::items_in;
use super::super::findings::{Finding, Repair, item_diagnostics};
use super::assist::{Assist, AssistKind};
use check::db::{Db, SourceFile};

/// Every fix of every diagnostic that touches a range. The only fix of a diagnostic is the preferred one.
pub(super) fn fixes(db: &dyn Db, file: SourceFile, range: &Range<u32>) -> Vec<Assist> {
    // A diagnostic at the end of an item may touch the start of the next.
    let items = file.items(db).get(items_in(db, file, range.start.saturating_sub(1)..range.end)).unwrap_or_default();
    let findings = items.iter().flat_map(|item| item_diagnostics(db, *item));
    let touched = findings.filter(|finding| touches(&finding.location.range, range));
    let mut found: Vec<Assist> = Vec::new();
    for assist in touched.flat_map(|finding| offers(&finding)) {
        // Two diagnostics may suggest the same fact.
        if found.iter().all(|other| other.edits != assist.edits) {
            found.push(assist);
        }
    }
    found
}

fn offers(finding: &Finding) -> Vec<Assist> {
    finding.fixes.iter().map(|fix| offer(finding, fix)).collect()
}

fn offer(finding: &Finding, fix: &Repair) -> Assist {
    Assist {
        id: finding.code,
        title: fix.title.clone(),
        kind: AssistKind::QuickFix,
        edits: fix.edits.clone(),
        is_preferred: finding.fixes.len() == 1,
        mends: Some(finding.clone()),
    }
}

fn touches(one: &Range<u32>, other: &Range<u32>) -> bool {
    one.start <= other.end && other.start <= one.end
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture::Fixture;
    use super::super::assists;
    use super::*;

    #[test]
    fn the_only_fix_is_the_preferred_one_and_knows_its_diagnostic() {
        let Fixture { db, file, offset } = Fixture::new("dim N;\nassert $0N % 4 == 0;\nassert N % 8 == 0;\n");
        let found = assists(&db, file, offset..offset);
        let fix = found.iter().find(|assist| assist.kind == AssistKind::QuickFix).unwrap();
        assert_eq!(
            (fix.id, fix.is_preferred, fix.edits[0].text.as_str()),
            ("assertion-failed", true, " where N % 4 == 0")
        );
        assert_eq!(fix.mends.as_ref().unwrap().code, "assertion-failed");
        let all = fixes(&db, file, &(0..file.text(&db).len() as u32));
        assert_eq!(all.len(), 2);
        assert!(fixes(&db, file, &(0..3)).is_empty());
    }
}
