//! Whether all threads come that execute a shuffle together: lanes that wait for others which never come would wait for ever.

use super::regions::{List, Regions, StepKind};
use super::uniform::{Classes, Uniform};
use super::{Problem, Reason};
use crate::loops::ValueId;
use crate::typed::Together;
use syntax::span::Span;

/// The most places that are reported.
const MOST_PROBLEMS: usize = 8;

/// The shuffles to which only some of their threads may come.
pub(super) fn apart(regions: &Regions<'_>, uniform: &Uniform) -> Vec<Problem> {
    let mut walk = Walk { uniform, around: Vec::new(), found: Vec::new() };
    if !regions.shuffles.is_empty() {
        walk.list(&regions.body);
    }
    walk.found
}

struct Walk<'a> {
    uniform: &'a Uniform,
    /// The conditions around the current list: for which classes each is uniform, and what it is.
    around: Vec<(Classes, Reason)>,
    found: Vec<Problem>,
}

impl Walk<'_> {
    fn list(&mut self, list: &List) {
        for step in &list.steps {
            match &step.kind {
                StepKind::Plain => {}
                StepKind::Shuffle(class, together) => self.shuffle(*class, *together, step.span),
                StepKind::Collective(condition, body) => self.under(&[*condition], Reason::Threads(step.span), &[body]),
                StepKind::Loop { ends, body, .. } => self.under(ends, Reason::Condition(step.span), &[body]),
                StepKind::Branch { condition, then, otherwise } => {
                    self.under(&[*condition], Reason::Condition(step.span), &[then, otherwise]);
                }
            }
        }
    }

    fn under(&mut self, conditions: &[ValueId], reason: Reason, lists: &[&List]) {
        let same = conditions.iter().fold(Classes::MAX, |all, condition| all & self.uniform.classes(*condition));
        self.around.push((same, reason));
        lists.iter().for_each(|list| self.list(list));
        self.around.pop();
    }

    fn shuffle(&mut self, class: Option<usize>, together: Together, span: Span) {
        let reason = match class {
            Some(class) => {
                let divided = self.around.iter().find(|(same, _)| same & (1 << class) == 0);
                let Some((_, reason)) = divided else { return };
                match *reason {
                    Reason::Condition(span) if self.uniform.is_cut_short => Reason::OutOfSteps(span),
                    reason => reason,
                }
            }
            None => Reason::TooManyKinds,
        };
        let is_known = self.found.iter().any(|known| matches!(known, Problem::Apart { at, .. } if *at == span));
        if !is_known && self.found.len() < MOST_PROBLEMS {
            self.found.push(Problem::Apart { at: span, together, reason });
        }
    }
}
