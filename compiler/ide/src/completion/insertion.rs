//! The text that a completion inserts, with stops that the editor moves the cursor through.

use std::fmt;

/// A text with stops.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Insertion {
    pieces: Vec<Piece>,
}

/// A piece of an insertion.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// Fixed text.
    Text(String),
    /// A place to fill in, with an example, which may be empty.
    Stop(String),
}

impl Insertion {
    /// An insertion as the tables of this folder write it, with stops in angle quotes: `for «i» in «0..4»`.
    pub(super) fn template(template: &str) -> Self {
        let mut insertion = Self::default();
        let mut rest = template;
        while let Some((text, (example, behind))) =
            rest.split_once('«').and_then(|(text, stop)| Some((text, stop.split_once('»')?)))
        {
            insertion = insertion.text(text).stop(example);
            rest = behind;
        }
        insertion.text(rest)
    }

    /// The call of a function with a stop for each of its arguments.
    pub(super) fn call<'e>(function: &str, examples: impl IntoIterator<Item = &'e str>) -> Self {
        let arguments = Self::list(examples.into_iter().map(|example| Self::default().stop(example)));
        Self::from(function).text("(").followed_by(arguments).text(")")
    }

    /// Insertions with commas between them.
    pub(super) fn list(insertions: impl IntoIterator<Item = Self>) -> Self {
        insertions.into_iter().enumerate().fold(Self::default(), |list, (position, next)| {
            list.text(if position > 0 { ", " } else { "" }).followed_by(next)
        })
    }

    /// The insertion with a text behind it.
    pub(super) fn text(mut self, text: &str) -> Self {
        if !text.is_empty() {
            self.pieces.push(Piece::Text(text.to_owned()));
        }
        self
    }

    /// The insertion with a stop behind it.
    pub(super) fn stop(mut self, example: &str) -> Self {
        self.pieces.push(Piece::Stop(example.to_owned()));
        self
    }

    /// The insertion with another one behind it.
    pub(super) fn followed_by(mut self, other: Self) -> Self {
        self.pieces.extend(other.pieces);
        self
    }

    /// The pieces, in their order.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Whether there is something to fill in.
    pub fn has_stops(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Stop(_)))
    }

    /// The insertion as plain text, with the example of each stop.
    pub fn plain(&self) -> String {
        self.pieces.iter().map(|(Piece::Text(text) | Piece::Stop(text))| text.as_str()).collect()
    }
}

impl From<&str> for Insertion {
    fn from(text: &str) -> Self {
        Self::default().text(text)
    }
}

/// As [`Insertion::template`] reads it.
impl fmt::Display for Insertion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| match piece {
            Piece::Text(text) => formatter.write_str(text),
            Piece::Stop(example) => write!(formatter, "«{example}»"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_read_as_it_is_printed() {
        let insertion = Insertion::template("for «i» in «0..4» { «» }");
        assert_eq!(insertion.to_string(), "for «i» in «0..4» { «» }");
        assert_eq!(insertion.pieces().len(), 7);
        assert!(insertion.has_stops() && !Insertion::template("mut ").has_stops());
    }

    #[test]
    fn an_editor_without_stops_gets_the_examples() {
        assert_eq!(Insertion::template("linear(«width», «»)").plain(), "linear(width, )");
        assert_eq!(Insertion::call("cdiv", ["a", "b"]).plain(), "cdiv(a, b)");
    }
}
