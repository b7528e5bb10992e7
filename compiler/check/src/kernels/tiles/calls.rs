//! Calls of what the table has, and their arguments.

use smol_str::SmolStr;

use super::super::checker::Checker;
use super::words::Call;
use crate::diagnostics;
use syntax::tree::Argument;

impl Checker<'_> {
    /// The arguments by position, then those by name, of which only those of the table exist.
    pub(super) fn split_call<'t>(&mut self, call: Call<'t>) -> Option<(&'t [Argument], Vec<&'t Argument>)> {
        self.split_named(call.name(), call.args, &call.called.by_name())
    }

    /// Reports that a call has as many arguments by position as `found`.
    pub(super) fn wrong_count<T>(&mut self, call: Call<'_>, found: usize) -> Option<T> {
        self.report(diagnostics::argument_count(call.span, call.name(), &call.called.by_position(), found))
    }

    /// The arguments of a function by place, then those by name, of which only `names` exist.
    pub(in super::super) fn split_named<'t>(
        &mut self,
        function: &str,
        args: &'t [Argument],
        names: &[&str],
    ) -> Option<(&'t [Argument], Vec<&'t Argument>)> {
        let count = args.iter().take_while(|argument| argument.name.is_none()).count();
        let (positional, named) = args.split_at(count);
        for (position, argument) in named.iter().enumerate() {
            let own = argument.name.as_ref().map(|name| &name.text);
            let same = |other: &&Argument| own.is_some() && other.name.as_ref().map(|name| &name.text) == own;
            if let (Some(first), Some(name)) = (named[..position].iter().find(same), own) {
                let (again, first) = (argument.value.span, first.value.span);
                return self.report(diagnostics::argument_twice(again, first, function, name));
            }
            let known = argument.name.as_ref().filter(|name| names.contains(&name.text.as_str()));
            if known.is_none() {
                let (span, name) = match &argument.name {
                    Some(name) => (name.span, name.text.clone()),
                    None => (argument.value.span, SmolStr::default()),
                };
                if self.evaluator.is_followed_by_equal(span, &name) {
                    return None;
                }
                return self.report(diagnostics::unknown_argument(span, function, &name, names));
            }
        }
        Some((positional, named.iter().collect()))
    }
}
