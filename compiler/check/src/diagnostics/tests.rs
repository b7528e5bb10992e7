//! The list of pages is complete, and each page follows the rules.

use super::{PAGES, page};

#[test]
fn codes_are_sorted_and_unique() {
    for pair in PAGES.windows(2) {
        assert!(pair[0].code < pair[1].code, "{} stands before {}", pair[0].code, pair[1].code);
    }
}

#[test]
fn codes_are_kebab_case() {
    for page in PAGES {
        let words =
            page.code.split('-').all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()));
        assert!(words, "{} is not kebab-case", page.code);
    }
}

#[test]
fn every_page_says_something() {
    for page in PAGES {
        assert!(page.explanation.ends_with('.'), "the explanation of {} ends in the middle of a sentence", page.code);
        assert!(!page.title.is_empty() && !page.title.ends_with('.'), "the title of {} is no title", page.code);
        assert!(page.wrong.ends_with('\n') && page.right.ends_with('\n'), "an example of {} is no file", page.code);
        assert_ne!(page.wrong, page.right, "the examples of {} are the same", page.code);
    }
}

#[test]
fn a_page_is_found_by_its_code() {
    for expected in PAGES {
        assert_eq!(page(expected.code), Some(*expected));
    }
    assert_eq!(page("no-such-code"), None);
}
