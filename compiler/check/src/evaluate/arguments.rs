//! Which argument of a call belongs to which parameter.

use std::borrow::Cow;

use super::evaluator::Evaluator;
use crate::diagnostics::{self, Called, Diagnostic};
use syntax::span::Span;
use syntax::tree::{Argument, Expr};

impl Evaluator<'_> {
    /// Assigns arguments to the function's parameters; the first `required` are mandatory.
    pub(crate) fn arguments<'a, 'c, const N: usize>(
        &mut self,
        called: impl Into<Called<'c>>,
        parameters: &[&str; N],
        required: usize,
        arguments: &'a [Argument],
        span: Span,
    ) -> Option<[Option<&'a Expr>; N]> {
        let called = called.into();
        let mut sorted = [None; N];
        for (slot, argument) in sorted.iter_mut().zip(self.matched(called, parameters, required, arguments, span)?) {
            *slot = argument.map(|argument| &argument.value);
        }
        if sorted[..required.min(N)].iter().any(Option::is_none) {
            return self.report(wrong_count(called, parameters, required, arguments.len(), span));
        }
        Some(sorted)
    }

    /// The argument of each parameter, by its place or by its name; the first `required` parameters are mandatory.
    pub(crate) fn matched<'a>(
        &mut self,
        called: Called<'_>,
        parameters: &[&str],
        required: usize,
        arguments: &'a [Argument],
        span: Span,
    ) -> Option<Vec<Option<&'a Argument>>> {
        let mut sorted = vec![None; parameters.len()];
        for (position, argument) in arguments.iter().enumerate() {
            let place = match &argument.name {
                None => position,
                Some(name) => match parameters.iter().position(|parameter| *parameter == name.text) {
                    Some(place) => place,
                    None => {
                        return self.report(diagnostics::unknown_argument(name.span, called, &name.text, parameters));
                    }
                },
            };
            match sorted.get_mut(place) {
                Some(slot @ None) => *slot = Some(argument),
                Some(Some(first)) => {
                    let first: &Argument = first;
                    let (again, parameter) = (argument.value.span, parameters.get(place).copied().unwrap_or_default());
                    return self.report(diagnostics::argument_twice(again, first.value.span, called, parameter));
                }
                None => {
                    let found = arguments.len();
                    return self.report(wrong_count(called, parameters, required, found, span));
                }
            }
        }
        Some(sorted)
    }

    /// The arguments in the order of the parameters, as if none had a name. Those beyond the parameters stay behind them.
    pub(crate) fn by_place<'a>(
        &mut self,
        called: Called<'_>,
        parameters: &[&str],
        arguments: &'a [Argument],
        span: Span,
    ) -> Option<Cow<'a, [Argument]>> {
        if arguments.iter().all(|argument| argument.name.is_none()) {
            return Some(Cow::Borrowed(arguments));
        }
        let (of_parameters, more) = arguments.split_at(parameters.len().min(arguments.len()));
        if let Some(name) = more.iter().find_map(|argument| argument.name.as_ref()) {
            return self.report(diagnostics::unknown_argument(name.span, called, &name.text, parameters));
        }
        let required = parameters.len();
        let matched = self.matched(called, parameters, required, of_parameters, span)?;
        let given = matched.iter().take_while(|argument| argument.is_some()).count();
        if given < of_parameters.len() {
            return self.report(wrong_count(called, parameters, required, arguments.len(), span));
        }
        let unnamed = |argument: &Argument| Argument { name: None, ..argument.clone() };
        Some(matched.into_iter().flatten().chain(more).map(unnamed).collect())
    }
}

/// A call has too many or too few arguments, where the first `required` parameters are mandatory.
fn wrong_count(called: Called<'_>, parameters: &[&str], required: usize, found: usize, span: Span) -> Diagnostic {
    match required >= parameters.len() {
        true => diagnostics::fixed_argument_count(span, called, parameters, found),
        false => diagnostics::argument_count(span, called, parameters, found),
    }
}
