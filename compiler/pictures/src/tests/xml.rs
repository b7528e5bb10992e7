//! Whether a document is well-formed XML, as far as pictures use it.

use super::*;

/// Panics where the document is not well-formed.
pub(super) fn check(document: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = document;
    let mut roots = 0;
    while let Some(start) = rest.find('<') {
        text(&rest[..start]);
        let end = start + rest[start..].find('>').unwrap_or_else(|| panic!("a tag without an end: {}", &rest[start..]));
        let tag = &rest[start + 1..end];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "a tag that was not open");
        } else {
            let (tag, closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
            let name = tag.split_whitespace().next().unwrap();
            assert!(name.chars().all(|letter| letter.is_ascii_alphanumeric()), "{name}");
            attributes(&tag[name.len()..]);
            roots += usize::from(open.is_empty());
            if !closed {
                open.push(name);
            }
        }
        rest = &rest[end + 1..];
    }
    text(rest);
    assert_eq!((open, roots), (Vec::<&str>::new(), 1));
}

fn attributes(mut rest: &str) {
    let mut names = Vec::new();
    while !rest.trim_start().is_empty() {
        assert!(rest.starts_with(' '), "{rest}");
        let (name, value) = rest.trim_start().split_once("=\"").unwrap();
        assert!(name.chars().all(|letter| letter.is_ascii_alphabetic() || letter == '-'), "{name}");
        assert!(!names.contains(&name), "two {name}");
        names.push(name);
        let (value, after) = value.split_once('"').unwrap();
        text(value);
        rest = after;
    }
}

fn text(text: &str) {
    let allowed = |letter: char| !letter.is_control() || letter == '\n' || letter == '\t';
    assert!(text.chars().all(allowed), "{text:?}");
    for (place, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
        assert!(known.iter().any(|entity| text[place..].starts_with(entity)), "{text}");
    }
}

#[test]
fn every_example_is_well_formed() {
    for (_, map) in examples() {
        for by in [By::Thread, By::Bank] {
            let picture = draw_with(&map, &Options { by, ..Options::default() });
            for theme in [Theme::Automatic, Theme::Light, Theme::Dark, Theme::Host] {
                for interactive in [false, true] {
                    check(&svg(&picture, SvgOptions { theme, fit: None, interactive }));
                    check(&svg(&picture, SvgOptions { theme, fit: Some((700, 200)), interactive }));
                }
            }
        }
    }
}
