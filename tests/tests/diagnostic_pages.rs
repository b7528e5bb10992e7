//! Every diagnostic's page: the wrong file gives it, the right one does not, each fix mends it. The words are kept as
//! snapshots, one file for each code.

use std::fmt::Write;

use crate::support::{Checked, check};
use check::diagnostics::{PAGES, Page, Severity};
use ide::Finding;

/// What a person reads of a finding.
fn human(checked: &Checked, finding: &Finding) -> String {
    let text = checked.text();
    let at = |range: &std::ops::Range<u32>| &text[range.start as usize..range.end as usize];
    let mut shown = format!("{}[{}]: {}\n", finding.severity.name(), finding.code, finding.message);
    let _ = writeln!(shown, "  at `{}`: {}", at(&finding.location.range), finding.label);
    for (place, message) in &finding.related {
        let _ = writeln!(shown, "  see `{}`: {message}", at(&place.range));
    }
    for help in &finding.help {
        let _ = writeln!(shown, "  help: {help}");
    }
    for fix in &finding.fixes {
        let edits: Vec<String> =
            fix.edits.iter().map(|edit| format!("`{}` -> `{}`", at(&edit.location.range), edit.text)).collect();
        let _ = writeln!(shown, "  fix: {} ({})", fix.title, edits.join(", "));
    }
    shown
}

/// Runs a check of every page and says what is wrong with all of them at once.
fn every_page(check: impl Fn(&Page) -> Result<(), String>) {
    let wrong: Vec<String> = PAGES.iter().filter_map(|page| check(page).err()).collect();
    assert!(wrong.is_empty(), "{} pages:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_wrong_file_gives_the_diagnostic() {
    every_page(|page| {
        let checked = check(page.wrong);
        let found = checked.findings.iter().find(|finding| finding.code == page.code);
        match found {
            Some(finding) if finding.severity == page.severity => Ok(()),
            Some(finding) => {
                Err(format!("{}: the page says {:?}, the finding {:?}", page.code, page.severity, finding.severity))
            }
            None => Err(format!("{}:\n{}{}", page.code, page.wrong, checked.report())),
        }
    });
}

#[test]
fn the_right_file_gives_neither_the_diagnostic_nor_an_error() {
    every_page(|page| {
        let checked = check(page.right);
        let bad = checked.codes().contains(page.code) || !checked.errors().is_empty();
        if bad { Err(format!("{}:\n{}{}", page.code, page.right, checked.report())) } else { Ok(()) }
    });
}

/// One mistake, one error: the wrong file of a page gives no error of another kind.
#[test]
fn the_wrong_file_gives_no_other_error() {
    every_page(|page| {
        let checked = check(page.wrong);
        let others: Vec<&str> = checked.errors().into_iter().filter(|code| *code != page.code).collect();
        if others.is_empty() {
            Ok(())
        } else {
            Err(format!("{}: also {others:?}\n{}{}", page.code, page.wrong, checked.report()))
        }
    });
}

#[test]
fn the_words_of_every_diagnostic() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("snapshots/diagnostics");
    settings.bind(|| {
        for page in PAGES {
            let checked = check(page.wrong);
            let shown: Vec<String> = checked
                .findings
                .iter()
                .filter(|finding| finding.code == page.code)
                .map(|finding| human(&checked, finding))
                .collect();
            insta::assert_snapshot!(page.code, format!("{}\n{}", page.wrong, shown.join("\n")));
        }
    });
}

/// Places are inside the file and on boundaries of characters, messages are sentences without a full stop.
#[test]
fn every_finding_is_well_formed() {
    for page in PAGES {
        for text in [page.wrong, page.right] {
            let checked = check(text);
            for finding in &checked.findings {
                let range = finding.location.range.start as usize..finding.location.range.end as usize;
                assert!(text.get(range).is_some(), "{}: {:?}", page.code, finding.location.range);
                assert!(!finding.message.is_empty() && !finding.message.ends_with('.'), "{}", finding.message);
                assert!(
                    finding.severity != Severity::Error || !finding.message.contains("None"),
                    "{}",
                    finding.message
                );
            }
        }
    }
}
