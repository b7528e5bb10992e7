//! Syntax errors and their messages.
//!
//! All messages about syntax are below here, for a consistent style. Rendering, with colours and source lines, is done
//! elsewhere.

mod advice;
mod fixes;
mod messages;

use smol_str::SmolStr;

pub use super::expected::Expected;
use super::foreign::Foreign;
use super::span::Span;
use super::token::TokenKind;
pub use fixes::SyntaxFix;

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
    /// A related place, with its message.
    pub fn related(&self) -> Option<(Span, String)> {
        match self.kind {
            SyntaxErrorKind::UnclosedBracket { opening, bracket, .. } => {
                Some((opening, format!("{bracket} opens here")))
            }
            _ => None,
        }
    }
}

/// The deepest nesting of brackets. Deeper trees could overflow the stack of the parser and of all recursive visitors.
pub const MAX_NESTING: usize = 64;

/// The most tokens in a kernel. Checking takes up to 1.4 kB for each, which stays below 200 MB in total.
pub const MAX_KERNEL_TOKENS: usize = 1 << 17;
