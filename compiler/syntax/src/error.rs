//! Syntax errors and their messages.
//!
//! All messages about syntax are here, for a consistent style. Rendering, with colours and source lines, is done
//! elsewhere.

use smol_str::SmolStr;

pub use super::expected::Expected;
use super::foreign::Foreign;
use super::span::Span;
use super::token::TokenKind;

/// A syntax error in an item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    /// The kind of the error.
    pub kind: SyntaxErrorKind,
    /// The tokens with the error.
    pub span: Span,
    /// What the grammar would accept there.
    pub expected: Vec<Expected>,
    /// The token there; `None` at the end of the item.
    pub found: Option<Found>,
}

/// A token that the grammar does not accept.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Found {
    /// Its kind.
    pub kind: TokenKind,
    /// Its text.
    pub text: SmolStr,
}

/// The kinds of syntax errors.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SyntaxErrorKind {
    /// Something else was expected.
    Unexpected,
    /// An opening bracket without its closing one. The error's span is the place for the closing one.
    UnclosedBracket {
        /// The opening bracket.
        opening: Span,
        /// Its kind.
        bracket: TokenKind,
        /// Whether a `|>` was read where a size should have ended: `|s|>0`.
        swallowed_by_pipe: bool,
    },
    /// A closing bracket without its opening one.
    UnopenedBracket,
    /// Brackets that are nested too deeply.
    TooDeeplyNested,
    /// A kernel with more tokens than are accepted.
    TooLong,
    /// `s = [1, 2]`
    EqualForColon,
    /// `run f(x = zeros)`, `layout = […]`
    EqualAfterName {
        /// The name with what follows, as it should be: `x: zeros`.
        text: SmolStr,
    },
    /// `map m : …`
    ColonForEqual {
        /// The word before the name.
        word: TokenKind,
    },
    /// `reshape_map([3] [4] => …)`, also with a comma or `||` instead of the bar.
    MissingBar,
    /// `reshape_map([3] | [4] layout: …)`, also with a comma, `=` or `->` instead of the arrow.
    MissingArrow,
    /// `reshape_map([3] | [4] => [0, 1])`
    MissingLayoutWord,
    /// `kernal f() { }`
    MisspeltWord {
        /// The word that was probably meant.
        suggestion: TokenKind,
    },
    /// `kernel f<T, const B>(…)`
    AngleGenerics,
    /// `let x = 1;` outside a kernel.
    LetOutsideKernel,
    /// `for`, `view`, … outside a kernel.
    StatementOutsideKernel,
    /// `const`, `map`, … in a kernel's body.
    ItemInsideKernel {
        /// The edits that move it before the kernel; none if it uses what the kernel declares.
        moved: Vec<(Span, SmolStr)>,
    },
    /// An integer beyond 64 bits.
    IntegerTooLarge {
        /// Its digits, without separators.
        digits: SmolStr,
    },
    /// `12ab`, `1__`, `0x`
    MalformedNumber,
    /// `1e400`
    FloatTooLarge,
    /// A character that no token contains.
    UnknownCharacter,
    /// `"…` without its closing quote in the same line.
    UnterminatedString,
    /// `\q` in a string.
    UnknownEscape {
        /// The character after the backslash.
        escape: char,
    },
    /// `a..b..c`
    ChainedRange,
    /// A second occurrence of a part that may occur once.
    Repeated,
    /// `work block(4)`: a launch clause after an operand that is no launch clause.
    MisplacedLaunchClause,
    /// `for (int i = 0; i < n; i++)`
    ThreePartLoop {
        /// The header of the loop in the language, if it counts up: `i in 0..n`.
        header: Option<SmolStr>,
    },
    /// `i++;`
    Step {
        /// Whether the statement uses its value.
        is_value: bool,
    },
    /// `for (i in 0..n)`
    ParenthesizedLoop,
    /// The syntax of another language.
    Foreign(Box<Foreign>),
    /// `x = = 1`, `if a = b`: an assignment instead of a comparison.
    AssignmentInExpression,
}

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

    /// Advice how to correct it.
    pub fn help(&self) -> Option<String> {
        Some(match &self.kind {
            SyntaxErrorKind::UnclosedBracket { swallowed_by_pipe: true, .. } => {
                "`|>` is the pipeline; write `| >` for a size and a comparison".to_owned()
            }
            SyntaxErrorKind::TooDeeplyNested => {
                format!("brackets nest at most {MAX_NESTING} deep; name the inner parts and use the names")
            }
            SyntaxErrorKind::TooLong => "write what repeats as a loop, or make several kernels of it".to_owned(),
            SyntaxErrorKind::EqualForColon | SyntaxErrorKind::EqualAfterName { .. } => "write `:` instead of `=`".to_owned(),
            SyntaxErrorKind::ColonForEqual { .. } => "write `=` instead of `:`".to_owned(),
            SyntaxErrorKind::MissingBar | SyntaxErrorKind::MissingArrow => {
                "a reshape_map is written `reshape_map([local] | [threads] => layout: […], offset: …)`".to_owned()
            }
            SyntaxErrorKind::MissingLayoutWord => "write `layout:` before the `[`".to_owned(),
            SyntaxErrorKind::AngleGenerics => {
                "write `[B = 64]` for a number and `[T: f16 | f32 = f32]` for an element type".to_owned()
            }
            SyntaxErrorKind::LetOutsideKernel => {
                "outside of kernels write `const` for a number, `name : […]` for a shape and `map` for a map".to_owned()
            }
            SyntaxErrorKind::ItemInsideKernel { moved } => self.advice_for_item(moved.is_empty()),
            SyntaxErrorKind::IntegerTooLarge { .. } => format!("the largest integer is {}", u64::MAX),
            SyntaxErrorKind::MalformedNumber => {
                "integers are written `64`, `1_000`, `4_ic` or `0x1f`, other numbers `2.0` or `1e-5`".to_owned()
            }
            SyntaxErrorKind::FloatTooLarge => format!("the largest `f64` is {:e}", f64::MAX),
            SyntaxErrorKind::UnterminatedString => "add the closing `\"`; a string ends on its line".to_owned(),
            SyntaxErrorKind::UnknownEscape { .. } => {
                r#"the escapes are `\"`, `\\`, `\n`, `\r` and `\t`; a backslash itself is `\\`"#.to_owned()
            }
            SyntaxErrorKind::ChainedRange => "put one of the ranges into parentheses".to_owned(),
            SyntaxErrorKind::MisplacedLaunchClause => {
                "a tiling starts with `cluster(c) block(b)` and continues with `|>`".to_owned()
            }
            SyntaxErrorKind::ThreePartLoop { header: Some(header) } => {
                format!("write `for {header}`; the end is not reached")
            }
            SyntaxErrorKind::ThreePartLoop { header: None } => {
                "a range counts up, and its end is not reached: `0..n step 2`; go other ways from it: `let k = n - 1 - i;`, or `let k = 64 >> i;` for halves"
                    .to_owned()
            }
            SyntaxErrorKind::Step { is_value: true } => {
                format!("an assignment has no value: write `{}` in a statement of its own", self.step().trim_start())
            }
            SyntaxErrorKind::Step { is_value: false } => format!("write `{}`", self.step().trim_start()),
            SyntaxErrorKind::ParenthesizedLoop => "write `for i in lo..hi { … }`".to_owned(),
            SyntaxErrorKind::Foreign(foreign) => foreign.help(),
            SyntaxErrorKind::AssignmentInExpression => "a comparison is written `==`".to_owned(),
            SyntaxErrorKind::UnknownCharacter => self.replacement_of_character()?,
            SyntaxErrorKind::Unexpected
                if self.expected == [Expected::LoopDomain]
                    && self.found.as_ref().is_some_and(|found| found.kind == TokenKind::Comma) =>
            {
                "several iterators stand in parentheses: `for (i, j) in grid(n, m) { … }`".to_owned()
            }
            _ => return None,
        })
    }

    /// A related place, with its message.
    pub fn related(&self) -> Option<(Span, String)> {
        match self.kind {
            SyntaxErrorKind::UnclosedBracket { opening, bracket, .. } => {
                Some((opening, format!("{bracket} opens here")))
            }
            _ => None,
        }
    }

    /// An edit that corrects it, if there is an evident one.
    pub fn fix(&self) -> Option<SyntaxFix> {
        let gap = Span::new(self.span.start, self.span.start);
        let (title, span, text) = match &self.kind {
            SyntaxErrorKind::UnclosedBracket { bracket, .. } => {
                let closing = match bracket.closing()? {
                    TokenKind::SizeClose => "|",
                    closing => closing.fixed_text()?,
                };
                (format!("insert `{closing}`"), gap, closing)
            }
            SyntaxErrorKind::UnopenedBracket => ("remove the bracket".to_owned(), self.span, ""),
            SyntaxErrorKind::EqualForColon => ("write `:`".to_owned(), self.span, ":"),
            SyntaxErrorKind::EqualAfterName { text } => {
                let span = Span::new(self.span.start.saturating_sub(1), self.span.start + 2);
                return Some(SyntaxFix { title: "write `:`".to_owned(), edits: vec![(span, text.clone())] });
            }
            SyntaxErrorKind::ColonForEqual { .. } => ("write `=`".to_owned(), self.span, "="),
            SyntaxErrorKind::MissingBar => self.put("|", "| ", " |"),
            SyntaxErrorKind::MissingArrow => self.put("=>", "=> ", " =>"),
            SyntaxErrorKind::MissingLayoutWord => ("insert `layout:`".to_owned(), gap, "layout: "),
            SyntaxErrorKind::MisspeltWord { suggestion } => {
                (format!("write {suggestion}"), self.span, suggestion.fixed_text()?)
            }
            SyntaxErrorKind::LetOutsideKernel => ("write `const`".to_owned(), self.span, "const"),
            SyntaxErrorKind::Step { is_value: true } => return None,
            SyntaxErrorKind::Step { is_value: false } => {
                (format!("write `{}`", self.step().trim_start()), self.span, self.step())
            }
            SyntaxErrorKind::ThreePartLoop { header } => {
                let header = header.as_ref()?;
                let edits = vec![(self.span, header.clone())];
                return Some(SyntaxFix { title: format!("write `for {header}`"), edits });
            }
            SyntaxErrorKind::ItemInsideKernel { moved } if moved.is_empty() => return None,
            SyntaxErrorKind::ItemInsideKernel { moved } => {
                return Some(SyntaxFix { title: "move it before the kernel".to_owned(), edits: moved.clone() });
            }
            SyntaxErrorKind::Foreign(foreign) if foreign.edits.is_empty() => return None,
            SyntaxErrorKind::Foreign(foreign) => {
                return Some(SyntaxFix { title: foreign.title(), edits: foreign.edits.clone() });
            }
            SyntaxErrorKind::AssignmentInExpression => ("write `==`".to_owned(), self.span, "=="),
            _ => return None,
        };
        Some(SyntaxFix { title, edits: vec![(span, SmolStr::new_static(text))] })
    }

    /// The word that starts an item, in back quotes.
    fn first_word(&self) -> String {
        match &self.found {
            Some(Found { kind, .. }) => kind.to_string(),
            None => "this".to_owned(),
        }
    }

    /// Advice for an item in a kernel's body; `uses_own` if it uses what the kernel declares.
    fn advice_for_item(&self, uses_own: bool) -> String {
        let kind = self.found.as_ref().map(|found| found.kind);
        let advice = match kind {
            Some(TokenKind::Show) => "write it before the kernel, about what is known there",
            _ => "write it before the kernel, which can use it by its name",
        };
        match uses_own {
            true => format!("{advice}; what the kernel declares is not known there"),
            false => advice.to_owned(),
        }
    }

    /// The assignment operator for `++` or `--`.
    fn step(&self) -> &'static str {
        match &self.found {
            Some(Found { kind: TokenKind::Minus, .. }) => " -= 1",
            _ => " += 1",
        }
    }

    /// The fix that inserts a sign, or replaces another one. A comma has no space before it.
    fn put(&self, sign: &'static str, before: &'static str, for_comma: &'static str) -> (String, Span, &'static str) {
        match self.found.as_ref().map(|found| found.kind) {
            Some(TokenKind::Comma) => (format!("write `{sign}`"), self.span, for_comma),
            Some(TokenKind::OrOr | TokenKind::Equal | TokenKind::Arrow) => (format!("write `{sign}`"), self.span, sign),
            _ => (format!("insert `{sign}`"), Span::new(self.span.start, self.span.start), before),
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

    fn finding(&self) -> String {
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

    fn replacement_of_character(&self) -> Option<String> {
        let first = self.found.as_ref()?.text.chars().next()?;
        Some(match first {
            '\u{feff}' => "delete it".to_owned(),
            '\u{2212}' | '\u{2013}' | '\u{2014}' => "write the minus sign `-`".to_owned(),
            '×' | '·' => "write `*`".to_owned(),
            '÷' => "write `/`".to_owned(),
            '≤' => "write `<=`".to_owned(),
            '≥' => "write `>=`".to_owned(),
            '≠' => "write `!=`".to_owned(),
            '…' => "write `..`".to_owned(),
            '@' => "write `matmul(a, b)`".to_owned(),
            '\u{201c}' | '\u{201d}' | '\'' => "write the quotation mark `\"`".to_owned(),
            first if first.is_whitespace() || is_invisible(first) => "replace it by a space".to_owned(),
            _ => return None,
        })
    }
}

/// Invisible characters, which users paste without noticing.
fn is_invisible(character: char) -> bool {
    character.is_control() || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}')
}

/// The deepest nesting of brackets. Deeper trees could overflow the stack of the parser and of all recursive visitors.
pub const MAX_NESTING: usize = 64;

/// The most tokens in a kernel. Checking takes up to 1.4 kB for each, which stays below 200 MB in total.
pub const MAX_KERNEL_TOKENS: usize = 1 << 17;

/// An edit that corrects an error.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SyntaxFix {
    /// Its description, as the label of a button.
    pub title: String,
    /// The replaced tokens with their new text; an empty span inserts after the previous token.
    pub edits: Vec<(Span, SmolStr)>,
}

/// A visible character as it is; an invisible one by its code point.
fn visible(character: char) -> String {
    if matches!(character, '\'' | '"' | '\\') { character.to_string() } else { character.escape_debug().to_string() }
}
