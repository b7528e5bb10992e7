//! Large texts, which are split and parsed on another thread than the database's.

use std::sync::Arc;

use check::db::SourceFile;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use syntax::items::ItemTokens;
use syntax::layout::{FileLayout, Piece};
use syntax::wanted::Wanted;

use super::CompilerDatabase;
use super::edit::{Cut, Parsed};

/// Parsing less takes no longer than starting threads.
const FEWEST_BYTES_FOR_THREADS: usize = 64 << 10;
/// More threads would mostly wait for memory.
const THREADS: usize = 4;
/// Enough for the deepest nesting.
const THREAD_STACK_BYTES: usize = 64 << 20;

/// A text to be read. It references nothing of the database, so the database may change meanwhile.
pub struct Reading {
    path: String,
    text: String,
    /// The file's layout when reading began.
    base: Arc<FileLayout>,
    stage: Stage,
}

/// The progress.
enum Stage {
    /// Not started; holds the previous text.
    After(String),
    /// It is split into items.
    Cut(Box<Cut>),
}

/// A text that has been read.
pub struct Read {
    path: String,
    text: String,
    base: Arc<FileLayout>,
    cut: Cut,
}

impl Reading {
    /// Reads the text; `None` if it is no longer wanted.
    pub fn read(self, wanted: &Wanted) -> Option<Read> {
        let Self { path, text, base, stage } = self;
        let mut cut = match stage {
            Stage::After(old) => Cut::between(&base, &old, &text),
            Stage::Cut(cut) => *cut,
        };
        cut.parse(&base, wanted)?;
        wanted.is_wanted().then_some(Read { path, text, base, cut })
    }
}

impl Cut {
    /// Parses the new items, on several threads if they are large; `None` if they are no longer wanted.
    pub(super) fn parse(&mut self, base: &FileLayout, wanted: &Wanted) -> Option<()> {
        let old = &base.pieces()[self.replaced.old.clone()];
        let known: FxHashSet<&ItemTokens> = old.iter().map(|piece| &piece.tokens).collect();
        let read = |piece: &Arc<Piece>| match known.contains(&piece.tokens) {
            // Unchanged items have a tree already.
            true => Some(None),
            false => Parsed::read(piece, wanted).map(Some),
        };
        let pieces = self.pieces();
        let bytes: usize = pieces.iter().map(|piece| piece.tokens.total_bytes()).sum();
        let threads = rayon::ThreadPoolBuilder::new().num_threads(THREADS).stack_size(THREAD_STACK_BYTES);
        self.parsed = match (bytes >= FEWEST_BYTES_FOR_THREADS).then(|| threads.build()) {
            Some(Ok(threads)) => threads.install(|| pieces.par_iter().map(read).collect::<Option<_>>())?,
            _ => pieces.iter().map(read).collect::<Option<_>>()?,
        };
        Some(())
    }
}

impl CompilerDatabase {
    /// As [`CompilerDatabase::set_text`] if at most `most` bytes have to be read; otherwise the error is the text to
    /// read on another thread and pass to [`CompilerDatabase::set_read`].
    ///
    /// # Errors
    /// The text to be read.
    pub fn set_small_text(&mut self, path: &str, text: &str, most: usize) -> Result<SourceFile, Reading> {
        let file = self.file(path);
        let base = file.map(|file| file.layout(self).clone()).unwrap_or_default();
        let old = file.map_or("", |file| file.text(self));
        let reading = |stage| Reading { path: path.to_owned(), text: text.to_owned(), base: base.clone(), stage };
        if FileLayout::bytes_between(old, text) > most {
            return Err(reading(Stage::After(old.to_owned())));
        }
        if let Some(file) = file.filter(|_| old == text) {
            return Ok(file);
        }
        let cut = Cut::between(&base, old, text);
        if cut.pieces().iter().map(|piece| piece.tokens.total_bytes()).sum::<usize>() > most {
            return Err(reading(Stage::Cut(Box::new(cut))));
        }
        Ok(self.set_cut(path, cut, text.to_owned()))
    }

    /// Sets a text that was read on another thread.
    pub fn set_read(&mut self, read: Read) -> SourceFile {
        let Read { path, text, base, cut } = read;
        let is_base = match self.file(&path) {
            Some(file) => Arc::ptr_eq(file.layout(self), &base),
            None => base.pieces().is_empty(),
        };
        // The file's text was set again meanwhile.
        if !is_base {
            return self.set_text(&path, &text);
        }
        self.set_cut(&path, cut, text)
    }
}
