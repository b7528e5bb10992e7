//! Facts that would settle a claim.

use smol_str::SmolStr;

use super::diagnostic::{Diagnostic, Fix, Place};
use dims::Fact;

/// Facts under which a claim holds, and the edits that state them; there are none if a symbol has no `dim` item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// The facts.
    pub facts: Vec<Fact>,
    /// The places and texts of insertions.
    pub edits: Vec<(Place, SmolStr)>,
}

impl Remedy {
    fn text(&self) -> String {
        self.facts.iter().map(Fact::to_string).collect::<Vec<String>>().join(", ")
    }
}

impl Diagnostic {
    /// Adds the facts under which the claim holds: `it_holds` is the end of that sentence, such as "it holds".
    pub(super) fn remedied(self, it_holds: &str, remedy: Option<Remedy>) -> Self {
        match &remedy {
            Some(facts) => self.help(format!("{it_holds} for every size with `{}`", facts.text())),
            None => self,
        }
        .stating(remedy)
    }

    /// The same for a claim that may itself be the fact, which is not repeated.
    pub(super) fn remedied_claim(self, claim: &Fact, it_holds: &str, remedy: Option<Remedy>) -> Self {
        match &remedy {
            Some(Remedy { facts, .. }) if facts.as_slice() == std::slice::from_ref(claim) => self.stating(remedy),
            _ => self.remedied(it_holds, remedy),
        }
    }

    /// Adds the edit that states the facts.
    fn stating(mut self, remedy: Option<Remedy>) -> Self {
        if let Some(remedy) = remedy.filter(|remedy| !remedy.edits.is_empty()) {
            let facts = remedy.text();
            self.fixes.push(Fix { title: format!("state `{facts}` after `where`"), edits: remedy.edits });
        }
        self
    }

    /// Adds the advice for a deeper check, if a proof was cut short.
    pub(super) fn deeper(self, deeper: bool) -> Self {
        if deeper { self.help("the search was cut short; `shapewright check --deep` goes further") } else { self }
    }
}
