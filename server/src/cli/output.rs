//! Standard output and standard error: buffered, and silent when the reader is gone.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use serde::Serialize;

use super::status::Failure;

/// Standard output.
pub(crate) struct Output {
    writer: BufWriter<Stdout>,
    colours: bool,
    width: Option<usize>,
}

impl Output {
    /// The process's own.
    pub(crate) fn standard() -> Self {
        let terminal = io::stdout().is_terminal();
        let width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        Self {
            writer: BufWriter::with_capacity(1 << 16, io::stdout()),
            colours: terminal && colours_wanted(),
            width: width.filter(|width| (40..=400).contains(width)),
        }
    }

    /// Whether colours may be used.
    pub(crate) fn colours(&self) -> bool {
        self.colours
    }

    /// The columns of the terminal, if the environment has them.
    pub(crate) fn width(&self) -> Option<usize> {
        self.width
    }

    /// Prints a line.
    pub(crate) fn line(&mut self, text: impl fmt::Display) -> Result<(), Failure> {
        writeln!(self.writer, "{text}")?;
        Ok(())
    }

    /// Prints a text verbatim.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.writer.write_all(text.as_bytes())?;
        Ok(())
    }

    /// Prints one JSON document and the end of its line.
    pub(crate) fn json(&mut self, document: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.writer, document).map_err(io::Error::from)?;
        self.line("")
    }

    /// Prints what is still in the buffer.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.writer.flush()?;
        Ok(())
    }
}

/// Dropping the buffer would flush it and ignore errors, which [`Output::finish`] reports.
impl Drop for Output {
    fn drop(&mut self) {
        let _ = self.writer.flush();
    }
}

/// Whether the environment allows colours: <https://no-color.org>.
fn colours_wanted() -> bool {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !no_color && !dumb
}
