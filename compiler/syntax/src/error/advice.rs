//! What to do about an error.

use super::messages::is_invisible;
use super::{Expected, MAX_NESTING, SyntaxError, SyntaxErrorKind};
use crate::token::TokenKind;

impl SyntaxError {
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
