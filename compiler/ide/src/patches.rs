//! A text with a sequence of edits, expressed in terms of the original.

use std::ops::Range;

/// A part of an edited text.
#[derive(Clone, Debug)]
enum Part {
    /// These bytes of the first text.
    Kept(Range<u32>),
    /// New text.
    New(String),
}

/// A text with its edits.
#[derive(Clone, Debug)]
pub(super) struct Patches<'text> {
    original: &'text str,
    parts: Vec<Part>,
}

impl<'text> Patches<'text> {
    /// A text without edits.
    pub(super) fn new(original: &'text str) -> Self {
        Self { original, parts: vec![Part::Kept(0..original.len() as u32)] }
    }

    /// Replaces bytes of the text as it is now.
    pub(super) fn replace(&mut self, range: Range<u32>, text: &str) {
        let mut parts = Vec::with_capacity(self.parts.len() + 2);
        let mut inserted = false;
        let mut at = 0;
        for part in self.parts.drain(..) {
            let start = at;
            at += part.length();
            parts.extend(part.cut(0..range.start.saturating_sub(start)));
            if !inserted && at >= range.start {
                parts.push(Part::New(text.to_owned()));
                inserted = true;
            }
            parts.extend(part.cut(range.end.saturating_sub(start)..at - start));
        }
        self.parts = parts;
    }

    /// The text as it is now.
    pub(super) fn text(&self) -> String {
        let text = |part: &'_ Part| match part {
            Part::Kept(range) => {
                self.original.get(range.start as usize..range.end as usize).unwrap_or_default().to_owned()
            }
            Part::New(text) => text.clone(),
        };
        self.parts.iter().map(text).collect()
    }

    /// The replacements in the original text, in order.
    pub(super) fn replacements(&self) -> Vec<(Range<u32>, String)> {
        let mut found = Vec::new();
        let mut at = 0;
        let mut new = String::new();
        let end = Part::Kept(self.original.len() as u32..self.original.len() as u32);
        for part in self.parts.iter().chain([&end]) {
            match part {
                Part::New(text) => new.push_str(text),
                Part::Kept(range) => {
                    if at < range.start || !new.is_empty() {
                        found.push((at..range.start, std::mem::take(&mut new)));
                    }
                    at = range.end;
                }
            }
        }
        found
    }
}

impl Part {
    fn length(&self) -> u32 {
        match self {
            Part::Kept(range) => range.end - range.start,
            Part::New(text) => text.len() as u32,
        }
    }

    /// Some of its bytes; `None` if it has none of them.
    fn cut(&self, range: Range<u32>) -> Option<Part> {
        let range = range.start.min(self.length())..range.end.min(self.length());
        if range.start >= range.end {
            return None;
        }
        Some(match self {
            Part::Kept(own) => Part::Kept(own.start + range.start..own.start + range.end),
            Part::New(text) => Part::New(text.get(range.start as usize..range.end as usize).unwrap_or_default().into()),
        })
    }
}

/// A text with replacements made; they are in its order and do not overlap.
#[cfg(test)]
pub(super) fn applied(text: &str, replacements: &[(Range<u32>, String)]) -> String {
    let mut result = String::new();
    let mut at = 0;
    for (range, new) in replacements {
        assert!(at <= range.start as usize && range.start <= range.end, "{replacements:?}");
        result.push_str(&text[at..range.start as usize]);
        result.push_str(new);
        at = range.end as usize;
    }
    result + &text[at..]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_edit_of_an_edit_is_one_edit_of_the_first_text() {
        let mut patches = Patches::new("dim N;\nassert N;");
        patches.replace(5..5, " where a");
        patches.replace(13..13, ", b");
        patches.replace(0..3, "dims");
        assert_eq!(patches.text(), "dims N where a, b;\nassert N;");
        assert_eq!(patches.replacements(), [(0..3, "dims".to_owned()), (5..5, " where a, b".to_owned())]);
    }

    proptest! {
        #![proptest_config(seeds::config(256))]

        #[test]
        fn any_edits_give_the_text_that_they_give_one_by_one(
            original in "[a-e]{0,20}",
            edits in proptest::collection::vec((0_usize..30, 0_usize..6, "[x-z]{0,4}"), 0..8),
        ) {
            let mut patches = Patches::new(&original);
            let mut text = original.clone();
            for (start, length, new) in edits {
                let start = start.min(text.len());
                let end = (start + length).min(text.len());
                text.replace_range(start..end, &new);
                patches.replace(start as u32..end as u32, &new);
                prop_assert_eq!(patches.text(), text.clone());
                prop_assert_eq!(applied(&original, &patches.replacements()), text.clone());
            }
        }
    }
}
