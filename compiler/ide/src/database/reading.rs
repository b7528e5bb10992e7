//! Texts of which so much is new that whoever has the database has no time to read them: they are cut and parsed elsewhere.

use std::sync::Arc;

use check::db::SourceFile;
use rustc_hash::FxHashSet;
use syntax::items::ItemTokens;
use syntax::layout::FileLayout;
use syntax::wanted::Wanted;

use super::CompilerDatabase;
use super::edit::{Cut, Parsed};

/// A text that is to be read. It holds nothing of the database, so the database may change meanwhile.
pub struct Reading {
    path: String,
    text: String,
    /// The file as it was then.
    base: Arc<FileLayout>,
    stage: Stage,
}

/// What has been done.
enum Stage {
    /// Nothing; this was the text before.
    After(String),
    /// It is cut into items.
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
    /// Reads the text; `None` where nobody wants it any more.
    pub fn read(self, wanted: &Wanted) -> Option<Read> {
        let Self { path, text, base, stage } = self;
        let mut cut = match stage {
            Stage::After(old) => Cut::of(&base, &old, &text),
            Stage::Cut(cut) => *cut,
        };
        let known: FxHashSet<&ItemTokens> =
            base.pieces()[cut.replaced.old.clone()].iter().map(|piece| &piece.tokens).collect();
        let mut parsed = Vec::with_capacity(cut.pieces().len());
        for piece in cut.pieces() {
            // What stays as it is has a tree.
            let new = (!known.contains(&piece.tokens)).then(|| Parsed::read(piece, wanted));
            parsed.push(match new {
                Some(new) => Some(new?),
                None => None,
            });
        }
        cut.parsed = parsed;
        wanted.is_wanted().then_some(Read { path, text, base, cut })
    }
}

impl CompilerDatabase {
    /// As [`CompilerDatabase::set_text`] where at most `most` bytes have to be read; else what has to be done elsewhere, and
    /// then given to [`CompilerDatabase::set_read`].
    ///
    /// # Errors
    /// The text that is to be read.
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
        let cut = Cut::of(&base, old, text);
        if cut.pieces().iter().map(|piece| piece.tokens.total_bytes()).sum::<usize>() > most {
            return Err(reading(Stage::Cut(Box::new(cut))));
        }
        Ok(self.set_cut(path, cut, text.to_owned()))
    }

    /// Takes over a text that was read elsewhere.
    pub fn set_read(&mut self, read: Read) -> SourceFile {
        let Read { path, text, base, cut } = read;
        let is_base = match self.file(&path) {
            Some(file) => Arc::ptr_eq(file.layout(self), &base),
            None => base.pieces().is_empty(),
        };
        // Somebody else gave the file a text meanwhile.
        if !is_base {
            return self.set_text(&path, &text);
        }
        self.set_cut(&path, cut, text)
    }
}
