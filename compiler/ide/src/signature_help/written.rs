//! The part of a call before the cursor, and the parameter that is being written there.

use kernel::functions::{self, Given};
use syntax::items::ItemTokens;
use syntax::token::TokenKind;

/// The part of a call before the cursor.
pub(super) struct Written<'t> {
    /// The number of commas before the cursor.
    pub(super) position: usize,
    /// The name before the colon of the argument at the cursor.
    pub(super) name: Option<&'t str>,
    /// Whether there is a `|` before the cursor.
    pub(super) bar: bool,
    /// Whether there is a `=>` before the cursor.
    pub(super) arrow: bool,
}

impl<'t> Written<'t> {
    pub(super) fn read(tokens: &'t ItemTokens, bracket: usize, end: usize) -> Self {
        let mut written = Self { position: 0, name: None, bar: false, arrow: false };
        let mut depth = 0_usize;
        for at in bracket + 1..end {
            match tokens.kind(at) {
                Some(kind) if kind.is_opening() => depth += 1,
                Some(kind) if kind.is_closing() => depth = depth.saturating_sub(1),
                Some(TokenKind::Comma) if depth == 0 => {
                    written.position += 1;
                    written.name = None;
                }
                Some(TokenKind::Colon) if depth == 0 => written.name = Some(tokens.text(at - 1)),
                Some(TokenKind::Bar) if depth == 0 => written.bar = true,
                Some(TokenKind::FatArrow) if depth == 0 => written.arrow = true,
                _ => {}
            }
        }
        // The name of the argument may stand behind the cursor.
        if written.name.is_none() && tokens.kind(end + 1) == Some(TokenKind::Colon) {
            written.name = tokens.kind(end).filter(|kind| kind.is_word()).map(|_| tokens.text(end));
        }
        written
    }

    /// The part of a `reshape_map`: its sides, its layout, its offset.
    pub(super) fn part_of_map(&self) -> Option<usize> {
        Some(match (self.name, self.arrow, self.bar) {
            (Some("offset"), ..) => 3,
            (Some("layout"), ..) => 2,
            (None, true, _) if self.position > 0 => 3,
            (_, true, _) => 2,
            (_, false, true) => 1,
            _ => 0,
        })
    }

    /// The parameter by its name or position; a repeated last one takes all further positions.
    pub(super) fn parameter(&self, parameters: &[functions::Parameter], is_stage: bool) -> Option<usize> {
        if let Some(name) = self.name {
            let declares = |parameter: &&functions::Parameter| parameter.given == Given::WithNewName;
            let declared = parameters.get(self.position).filter(declares).map(|_| self.position);
            return parameters.iter().position(|parameter| parameter.name == name).or(declared);
        }
        let count = parameters.iter().filter(|parameter| parameter.given != Given::ByName).count();
        let last = count.checked_sub(1)?;
        // In a pipeline the length that comes first is known and usually left out.
        let is_known = parameters[0].is_optional && !parameters[last].is_optional;
        if is_stage && is_known && self.position < last {
            return Some(self.position + 1);
        }
        let repeats = parameters.iter().any(|parameter| parameter.is_repeated);
        (self.position < count || repeats).then_some(self.position.min(last))
    }
}
