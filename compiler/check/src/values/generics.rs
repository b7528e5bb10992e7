//! The values of generic parameters.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use elements::ElementType;
use smol_str::SmolStr;

/// The value of a generic parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GenericValue {
    /// An integer.
    Constant(i64),
    /// An element type.
    Element(ElementType),
}

/// The values of generic parameters in the order of their declaration; `None` is one with an error, which is reported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Generics(Arc<Vec<(SmolStr, Option<GenericValue>)>>);

impl Generics {
    /// Whether there is a parameter of this name.
    pub(crate) fn declares(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// The value of a parameter; `None` if it has an error or there is no such one.
    pub fn value(&self, name: &str) -> Option<GenericValue> {
        self.0.iter().find(|(known, _)| known == name).and_then(|(_, value)| *value)
    }

    /// Whether there is a parameter of this name that has an error.
    pub(crate) fn is_broken(&self, name: &str) -> bool {
        self.declares(name) && self.value(name).is_none()
    }

    /// The element type that a word names here, as a generic parameter or by itself.
    pub(crate) fn element(&self, word: &str) -> Option<ElementType> {
        match self.value(word) {
            Some(GenericValue::Element(element)) => Some(element),
            None if !self.declares(word) => ElementType::from_name(word),
            _ => None,
        }
    }

    /// Adds parameters with these values, which hide earlier ones of the same names.
    pub(crate) fn extend(&mut self, more: Vec<(SmolStr, GenericValue)>) {
        if !more.is_empty() {
            let own = more.into_iter().map(|(name, value)| (name, Some(value)));
            self.0 = Arc::new(own.chain(self.0.iter().cloned()).collect());
        }
    }

    /// The parameters with a value.
    pub fn known(&self) -> Vec<(SmolStr, GenericValue)> {
        self.0.iter().filter_map(|(name, value)| Some((name.clone(), (*value)?))).collect()
    }

    /// Adds a parameter.
    pub(crate) fn push(&mut self, name: SmolStr, value: Option<GenericValue>) {
        Arc::make_mut(&mut self.0).push((name, value));
    }

    /// Whether every parameter has a value.
    pub(crate) fn are_known(&self) -> bool {
        self.0.iter().all(|(_, value)| value.is_some())
    }

    /// The parameters that have another value here.
    pub(crate) fn beside(&self, other: &Self) -> Self {
        let differs =
            |(name, value): &&(SmolStr, Option<GenericValue>)| !other.declares(name) || other.value(name) != *value;
        Self(Arc::new(self.0.iter().filter(differs).cloned().collect()))
    }
}

impl FromIterator<(SmolStr, GenericValue)> for Generics {
    fn from_iter<I: IntoIterator<Item = (SmolStr, GenericValue)>>(values: I) -> Self {
        Self(Arc::new(values.into_iter().map(|(name, value)| (name, Some(value))).collect()))
    }
}

impl fmt::Display for Generics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.0.iter().filter_map(|(name, value)| Some((name, (*value)?)));
        for (index, (name, value)) in known.enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(formatter, "{comma}{name} = {value}")?;
        }
        Ok(())
    }
}

impl FromStr for GenericValue {
    type Err = String;

    /// An integer or the name of an element type, as the command line gives it.
    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(element) = ElementType::from_name(text) {
            return Ok(Self::Element(element));
        }
        let digits = text.replace('_', "");
        digits.parse().map(Self::Constant).map_err(|_| format!("`{text}` is neither an integer nor an element type"))
    }
}

impl fmt::Display for GenericValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => value.fmt(formatter),
            Self::Element(element) => element.fmt(formatter),
        }
    }
}
