//! What is wrong, in one sentence.

use super::{Found, MAX_KERNEL_TOKENS, SyntaxError, SyntaxErrorKind};
use crate::token::TokenKind;

impl SyntaxError {
    /// The message: one sentence without a full stop.
    pub fn message(&self) -> String {
        match &self.kind {
            SyntaxErrorKind::Unexpected => {
                format!("expected {}, found {}", self.expectation(), self.finding())
            }
            SyntaxErrorKind::UnclosedBracket { bracket, .. } => match bracket.closing() {
                Some(closing) => {
                    format!("this {bracket} is never closed: its {closing} is missing")
                }
                None => format!("this {bracket} is never closed"),
            },
            SyntaxErrorKind::UnopenedBracket => format!("{} closes nothing", self.finding()),
            SyntaxErrorKind::TooDeeplyNested => "too deeply nested".to_owned(),
            SyntaxErrorKind::TooLong => format!("this kernel is longer than {MAX_KERNEL_TOKENS} words and signs"),
            SyntaxErrorKind::EqualForColon => "a shape's dimensions follow a `:`, found `=`".to_owned(),
            SyntaxErrorKind::EqualAfterName { .. } => "what belongs to a name follows a `:` here, found `=`".to_owned(),
            SyntaxErrorKind::ColonForEqual { word } => {
                format!("the definition of a {} follows a `=`, found `:`", word.fixed_text().unwrap_or("name"))
            }
            SyntaxErrorKind::MissingBar => {
                format!("expected `|` between the local and the thread dimensions, found {}", self.finding())
            }
            SyntaxErrorKind::MissingArrow => {
                format!("expected `=>` after the thread dimensions, found {}", self.finding())
            }
            SyntaxErrorKind::MissingLayoutWord => "expected `layout:` before the layout's entries".to_owned(),
            SyntaxErrorKind::MisspeltWord { suggestion } => {
                format!("{} is no word of the language here; did you mean {suggestion}?", self.finding())
            }
            SyntaxErrorKind::AngleGenerics => {
                "the generic parameters of a kernel stand in square brackets, each with a default".to_owned()
            }
            SyntaxErrorKind::LetOutsideKernel => "`let` stands only in a kernel's body".to_owned(),
            SyntaxErrorKind::StatementOutsideKernel => {
                format!("{} is a statement, and stands only in a kernel's body", self.finding())
            }
            SyntaxErrorKind::ItemInsideKernel { .. } => {
                format!("{} stands outside of kernels, before or behind them", self.first_word())
            }
            SyntaxErrorKind::IntegerTooLarge { digits } => {
                format!("the integer {digits} does not fit into 64 bits")
            }
            SyntaxErrorKind::MalformedNumber => format!("{} is not a number", self.finding()),
            SyntaxErrorKind::FloatTooLarge => format!("{} is larger than any `f64`", self.finding()),
            SyntaxErrorKind::UnknownCharacter => self.unknown_character(),
            SyntaxErrorKind::UnterminatedString => "this string has no closing `\"` on its line".to_owned(),
            SyntaxErrorKind::UnknownEscape { escape } => {
                format!("`\\{}` stands for nothing in a string", escape.escape_debug())
            }
            SyntaxErrorKind::ChainedRange => "a range has two ends, found a third".to_owned(),
            SyntaxErrorKind::Repeated => format!("{} stands here twice", self.finding()),
            SyntaxErrorKind::MisplacedLaunchClause => {
                format!("{} continues a launch, but what stands before it starts none", self.finding())
            }
            SyntaxErrorKind::ThreePartLoop { .. } => {
                "a loop runs over a range `lo..hi`, found the three parts of a C loop".to_owned()
            }
            SyntaxErrorKind::ParenthesizedLoop => "what a loop runs over stands without parentheses".to_owned(),
            SyntaxErrorKind::Step { .. } => format!("{} is no operator of the language", self.finding()),
            SyntaxErrorKind::Foreign(foreign) => foreign.message(&self.finding()),
            SyntaxErrorKind::AssignmentInExpression => {
                format!("{} assigns, which only a statement does", self.finding())
            }
        }
    }

    /// The word that starts an item, in back quotes.
    fn first_word(&self) -> String {
        match &self.found {
            Some(Found { kind, .. }) => kind.to_string(),
            None => "this".to_owned(),
        }
    }

    fn expectation(&self) -> String {
        let words: Vec<_> = self.expected.iter().map(|expected| expected.describe()).collect();
        match words.as_slice() {
            [] => "something else".to_owned(),
            [one] => (*one).to_owned(),
            [most @ .., last] => format!("{} or {last}", most.join(", ")),
        }
    }

    pub(super) fn finding(&self) -> String {
        match &self.found {
            None => "the end of the item".to_owned(),
            Some(found) => match found.kind {
                TokenKind::String | TokenKind::UnterminatedString => {
                    format!("the string {}", found.text)
                }
                _ => format!("`{}`", found.text),
            },
        }
    }

    fn unknown_character(&self) -> String {
        let text = self.found.as_ref().map_or("", |found| found.text.as_str());
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some('\u{feff}'), None) => "a byte order mark (an invisible character) stands inside the file".to_owned(),
            (Some(character), None) if character.is_whitespace() || is_invisible(character) => {
                format!("the invisible character U+{:04X} is no white space here", character as u32)
            }
            (Some(character), None) => {
                format!("the character `{}` has no meaning here", visible(character))
            }
            _ => format!("the characters `{}` have no meaning here", text.chars().map(visible).collect::<String>()),
        }
    }
}

/// Invisible characters, which users paste without noticing.
pub(super) fn is_invisible(character: char) -> bool {
    character.is_control() || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}')
}

/// A visible character as it is; an invisible one by its code point.
fn visible(character: char) -> String {
    if matches!(character, '\'' | '"' | '\\') { character.to_string() } else { character.escape_debug().to_string() }
}
