//! The meaning of bars.

use super::Preparation;
use crate::token::TokenKind;

impl Preparation<'_> {
    /// The meaning of a single `|`: the start or the end of a size, or the bar between a reshape_map's dimensions.
    pub(super) fn bar(&self, at: usize) -> TokenKind {
        use TokenKind::*;
        let Some(previous) = self.previous else {
            return SizeOpen;
        };
        if previous.ends_operand() {
            if self.brackets.innermost().is_some_and(|(bracket, _)| bracket == SizeOpen) {
                return SizeClose;
            }
            return match previous {
                Assert | Show | Expect | Within | Where | In | Via | Per | If => SizeOpen,
                _ => Bar,
            };
        }
        let in_reshape_map = previous == OpenParen
            && at.checked_sub(2).is_some_and(|before| matches!(self.kind(before), ReshapeMap | Bang));
        if in_reshape_map { Bar } else { SizeOpen }
    }

    /// The meaning of `||`: the starts or the ends of two sizes (`||s| - |t||`), or the operator.
    pub(super) fn two_bars(&self, at: usize) -> TokenKind {
        use TokenKind::*;
        if !self.previous.is_some_and(TokenKind::ends_operand) {
            return SizeOpen;
        }
        let in_two_sizes = self.brackets.innermost_two() == [SizeOpen, SizeOpen].map(Some);
        let operand_follows = self.tokens.kind(at + 1).is_some_and(TokenKind::starts_operand);
        if in_two_sizes && !operand_follows { SizeClose } else { OrOr }
    }
}
