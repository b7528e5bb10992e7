//! Parses the arguments of transforms.

use crate::diagnostics::{self, Diagnostic, Quantity};
use dims::{Facts, Sym};
use maps::MapError;
use syntax::span::Span;
use syntax::tree::Name;

/// An error in the arguments.
pub(crate) type Refusal = Box<Diagnostic>;

/// The evaluated arguments of a transform.
pub struct Reading<'a> {
    /// The name of the transform.
    pub word: &'static str,
    /// The span of the whole call.
    pub span: Span,
    /// The arguments in their order.
    pub given: Vec<Given>,
    /// The facts about symbols.
    pub facts: &'a Facts,
}

/// An argument.
pub struct Given {
    /// The name before the colon.
    pub name: Option<Name>,
    /// The span of its value.
    pub span: Span,
    /// The spans of the elements, if it is written as a list or tuple.
    pub parts: Vec<Span>,
    /// Its value.
    pub amount: Amount,
}

/// The place of a size in the text.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// The size has a span of its own.
    Own(Span),
    /// The size is one of several in the span, such as a dimension of a named shape.
    Among(Span),
}

/// The value of an argument.
pub enum Amount {
    /// One size.
    One(Sym),
    /// Several sizes; `_` stands for a size that is to be inferred.
    Many(Vec<Option<Sym>>),
    /// `_`
    Left,
}

impl Reading<'_> {
    /// Assigns the arguments to parameters. The first `optional` parameters may be omitted together; the others are
    /// mandatory.
    pub(super) fn sorted<const N: usize>(
        &self,
        parameters: [&str; N],
        optional: usize,
    ) -> Result<[Option<&Given>; N], Refusal> {
        let mut sorted: [Option<&Given>; N] = [None; N];
        for given in &self.given {
            let Some(name) = &given.name else { continue };
            let Some(position) = parameters.iter().position(|parameter| *parameter == name.text) else {
                return Err(diagnostics::unknown_argument(name.span, self.word, &name.text, &parameters).into());
            };
            if let Some(place) = sorted.get_mut(position) {
                *place = Some(given);
            }
        }
        let positional: Vec<&Given> = self.given.iter().filter(|given| given.name.is_none()).collect();
        let free: Vec<usize> = (0..N).filter(|position| sorted.get(*position).is_some_and(Option::is_none)).collect();
        let required: Vec<usize> = free.iter().copied().filter(|position| *position >= optional).collect();
        let places = if positional.len() == required.len() { required } else { free };
        if positional.len() != places.len() {
            let count = self.given.len();
            return Err(diagnostics::argument_count(
                self.span,
                self.word,
                parameters.get(optional..).unwrap_or(&parameters),
                count,
            )
            .into());
        }
        for (place, given) in places.into_iter().zip(positional) {
            if let Some(place) = sorted.get_mut(place) {
                *place = Some(given);
            }
        }
        Ok(sorted)
    }

    /// A mandatory argument.
    pub(super) fn there<'g>(&self, given: Option<&'g Given>) -> Result<&'g Given, Refusal> {
        given.ok_or_else(|| diagnostics::argument_count(self.span, self.word, &[], self.given.len()).into())
    }

    /// Two mandatory arguments.
    pub(super) fn both<'g>(
        &self,
        first: Option<&'g Given>,
        second: Option<&'g Given>,
    ) -> Result<(&'g Given, &'g Given), Refusal> {
        Ok((self.there(first)?, self.there(second)?))
    }

    /// All arguments as one list: several sizes, or one tuple or shape. Empty if there are no arguments.
    pub(super) fn list(&self) -> Result<Vec<(Option<Sym>, Place)>, Refusal> {
        let mut list = Vec::new();
        for given in &self.given {
            if let Some(name) = &given.name {
                return Err(diagnostics::unknown_argument(name.span, self.word, &name.text, &[]).into());
            }
            match &given.amount {
                Amount::One(size) => list.push((Some(size.clone()), Place::Own(given.span))),
                Amount::Left => list.push((None, Place::Own(given.span))),
                Amount::Many(sizes) => {
                    let place = |position| given.place(position, sizes.len());
                    list.extend(sizes.iter().enumerate().map(|(position, size)| (size.clone(), place(position))));
                }
            }
        }
        Ok(list)
    }

    /// The arguments as lengths, each at least 1.
    pub(super) fn lengths(&self) -> Result<Vec<Sym>, Refusal> {
        let mut lengths = Vec::new();
        for (size, place) in self.list()? {
            let Some(size) = size else { return Err(diagnostics::length_left_out(place.span(), self.word).into()) };
            lengths.push(positive(size, place)?);
        }
        Ok(lengths)
    }

    /// The map, or a report of the error.
    pub(super) fn map<T>(&self, result: Result<T, MapError>) -> Result<T, Refusal> {
        let refusal = |error| match error {
            MapError::Arithmetic(error) => diagnostics::overflow(self.span, &error).into(),
            error => diagnostics::map_construction(self.span, &error).into(),
        };
        result.map_err(refusal)
    }
}

impl Given {
    /// The argument as one size.
    pub(super) fn size(&self, what: Quantity) -> Result<Sym, Refusal> {
        match &self.amount {
            Amount::One(size) => Ok(size.clone()),
            _ => Err(diagnostics::one_size(self.span, what).into()),
        }
    }

    /// The argument as one size of at least 1.
    pub(super) fn length(&self, what: Quantity) -> Result<Sym, Refusal> {
        positive(self.size(what)?, Place::Own(self.span))
    }

    /// The argument as one size that is not negative.
    pub(super) fn amount(&self, what: Quantity) -> Result<Sym, Refusal> {
        let size = self.size(what)?;
        match size.as_constant() {
            Some(value) if value < 0 => Err(diagnostics::negative_size(self.span, what, value).into()),
            _ => Ok(size),
        }
    }

    /// The argument as several sizes; a single size is a list of one.
    pub(super) fn sizes(&self, word: &str) -> Result<Vec<Sym>, Refusal> {
        match &self.amount {
            Amount::One(size) => Ok(vec![size.clone()]),
            Amount::Many(sizes) => {
                let all: Option<Vec<Sym>> = sizes.iter().cloned().collect();
                all.ok_or_else(|| diagnostics::length_left_out(self.span, word).into())
            }
            Amount::Left => Err(diagnostics::length_left_out(self.span, word).into()),
        }
    }

    /// The argument as several lengths, each at least 1.
    pub(super) fn lengths(&self, word: &str) -> Result<Vec<Sym>, Refusal> {
        let sizes = self.sizes(word)?;
        let count = sizes.len();
        sizes.into_iter().enumerate().map(|(position, size)| positive(size, self.place(position, count))).collect()
    }

    /// The place of one of several sizes.
    fn place(&self, position: usize, count: usize) -> Place {
        let own = self.parts.get(position).filter(|_| self.parts.len() == count);
        own.map_or(Place::Among(self.span), |span| Place::Own(*span))
    }
}

impl Place {
    /// The span for a message.
    pub(super) fn span(self) -> Span {
        match self {
            Place::Own(span) | Place::Among(span) => span,
        }
    }
}

/// Checks that a length is at least 1.
pub(super) fn positive(size: Sym, place: Place) -> Result<Sym, Refusal> {
    match (size.as_constant(), place) {
        (Some(value), Place::Own(span)) if value < 1 => Err(diagnostics::zero_size(span, value).into()),
        (Some(value), Place::Among(span)) if value < 1 => Err(diagnostics::zero_size_among(span, value).into()),
        _ => Ok(size),
    }
}
