//! Forms of index expressions in a map under construction.

use dims::Sym;
use maps::{Affine, MapBuilder, MapError};

/// An integer over axes.
#[derive(Clone, Debug)]
pub(super) enum Form {
    Size(Sym),
    Axis(usize),
    Sum(Box<Form>, Box<Form>),
    Difference(Box<Form>, Box<Form>),
    Scaled(Box<Form>, Sym),
    Quotient(Box<Form>, Sym),
    Remainder(Box<Form>, Sym),
}

/// The form in a map under construction.
pub(super) fn build(form: &Form, builder: &mut MapBuilder<'_>) -> Result<Affine, MapError> {
    match form {
        Form::Size(value) => Ok(Affine::constant(value.clone())),
        Form::Axis(axis) => builder.coordinate(*axis),
        Form::Sum(left, right) => build(left, builder)?.checked_add(&build(right, builder)?),
        Form::Difference(left, right) => build(left, builder)?.checked_sub(&build(right, builder)?),
        Form::Scaled(inner, factor) => build(inner, builder)?.checked_scale(factor),
        Form::Quotient(inner, divisor) => {
            let inner = build(inner, builder)?;
            builder.floor_div(&inner, divisor)
        }
        Form::Remainder(inner, divisor) => {
            let inner = build(inner, builder)?;
            builder.remainder(&inner, divisor)
        }
    }
}
