//! Files with random tokens deleted, duplicated, exchanged or changed: every check terminates, formatting is
//! idempotent, and accepted kernels are safe.

use check::kernels;
use emit::cuda;
use syntax::format::format;
use syntax::lexer::lex;
use syntax::token::TokenKind;
use syntax::tree::ItemKind;
use testing::source;

use super::safe::safe;
use crate::support::{check, written};
use seeds::Draw;

/// The texts of a source's tokens, white space included.
fn tokens(text: &str) -> Vec<(TokenKind, String)> {
    lex(text).into_iter().map(|token| (token.kind, token.text(text).to_owned())).collect()
}

/// A text with a few mistakes; some come from another text.
fn mutated(text: &str, other: &str, draw: &mut Draw) -> String {
    let (mut tokens, others) = (tokens(text), tokens(other));
    for _ in 0..draw.between(1, 4) {
        if tokens.is_empty() {
            break;
        }
        let (at, from) = (draw.index(tokens.len()), draw.index(tokens.len()));
        match draw.index(8) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[from].clone()),
            2 => tokens.swap(at, from),
            3 if draw.one_in(4) => tokens.truncate(at),
            4 if !others.is_empty() => tokens[at] = draw.pick(&others),
            5 => {
                let end = (from + draw.index(12)).min(tokens.len());
                let copied = tokens[from..end].to_vec();
                tokens.splice(at..at, copied);
            }
            _ => change_a_number(&mut tokens, at, draw),
        }
    }
    tokens.into_iter().map(|(_, text)| text).collect()
}

/// The next integer becomes one more or one less, or a number at the end of its range.
fn change_a_number(tokens: &mut [(TokenKind, String)], from: usize, draw: &mut Draw) {
    let Some((_, text)) = tokens[from..].iter_mut().find(|(kind, _)| *kind == TokenKind::Integer) else { return };
    let Ok(number) = text.parse::<i64>() else { return };
    *text = match draw.index(8) {
        0 => "0".to_owned(),
        1 => i64::MAX.to_string(),
        2 => (1_i64 << draw.index(63)).to_string(),
        3..=5 => number.saturating_add(1).to_string(),
        _ => number.saturating_sub(1).max(0).to_string(),
    };
}

/// Checks a text in every way; whether a kernel of it was accepted.
#[track_caller]
fn survives(text: &str) -> bool {
    let checked = check(text);
    for finding in &checked.findings {
        let range = &finding.location.range;
        assert!(text.get(range.start as usize..range.end as usize).is_some(), "{range:?} in:\n{text}");
    }
    let declared = |name: &str| name.len() < 4;
    let formatted = format(text, &declared);
    assert_eq!(format(&formatted, &declared), formatted, "formatted twice:\n{text}");
    for item in checked.file.items(&checked.db) {
        let parsed = &item.tree(&checked.db).item;
        if !parsed.as_ref().is_some_and(|item| matches!(item.kind, ItemKind::Kernel(_))) {
            continue;
        }
        if let Some(kernel) = &kernels::checked_kernel(&checked.db, *item).kernel {
            assert!(!cuda(kernel).source.is_empty());
        }
    }
    safe(&checked, text);
    checked.kernel().is_some()
}

#[test]
fn written_files_with_mistakes() {
    let written = written();
    let mut accepted = 0;
    for seed in seeds::range(100) {
        let mut draw = Draw::new(seed);
        let (text, other) = (draw.pick(&written), draw.pick(&written));
        let text = mutated(&text, &other, &mut draw);
        accepted += u64::from(survives(&text));
    }
    println!("{accepted} accepted");
    assert!(accepted > 0);
}

#[test]
fn random_kernels_with_mistakes() {
    let mut accepted = 0;
    for seed in seeds::range(100) {
        let mut draw = Draw::new(seed);
        let text = mutated(&source::right(seed).text, &source::right(seed + 1).text, &mut draw);
        accepted += u64::from(survives(&text));
    }
    println!("{accepted} accepted");
    assert!(accepted > 0);
}
