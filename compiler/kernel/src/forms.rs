//! Forms of index expressions, and conditions on them, in a map under construction.

use dims::{CompareOp, Sym};
use maps::{Affine, MapBuilder, MapError, MaskReason};

/// An integer over axes.
#[derive(Clone, Debug)]
pub enum Form {
    /// A size.
    Size(Sym),
    /// The coordinate of an axis.
    Axis(usize),
    /// The sum of two forms.
    Sum(Box<Form>, Box<Form>),
    /// The first form without the second.
    Difference(Box<Form>, Box<Form>),
    /// A form times a size.
    Scaled(Box<Form>, Sym),
    /// A form divided by a size, rounding down.
    Quotient(Box<Form>, Sym),
    /// What that division leaves over.
    Remainder(Box<Form>, Sym),
}

/// The form in a map under construction.
pub fn build(form: &Form, builder: &mut MapBuilder<'_>) -> Result<Affine, MapError> {
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

/// Adds comparisons `form op 0` as masks. Two ends of one value become one mask, so that they are seen together.
/// `!=` is no box and is left out; the answer says whether all could be stated.
pub fn masks(guards: &[(Form, CompareOp)], builder: &mut MapBuilder<'_>) -> Result<bool, MapError> {
    let mut exact = true;
    let mut boxes: Vec<Bounds> = Vec::new();
    for (form, op) in guards {
        let Some((value, low, high)) = bounds(form, *op, builder)? else {
            exact = false;
            continue;
        };
        let fits = |known: &&mut Bounds| {
            known.0 == value && !(known.1.is_some() && low.is_some()) && !(known.2.is_some() && high.is_some())
        };
        match boxes.iter_mut().find(fits) {
            Some(known) => {
                known.1 = known.1.take().or(low);
                known.2 = known.2.take().or(high);
            }
            None => boxes.push((value, low, high)),
        }
    }
    for (value, low, high) in &boxes {
        builder.mask(value, low.as_ref(), high.as_ref(), MaskReason::Guard)?;
    }
    Ok(exact)
}

/// A value with its lowest allowed value and one past its highest.
type Bounds = (Affine, Option<Sym>, Option<Sym>);

/// `form op 0` as bounds of the form without its constant.
fn bounds(form: &Form, op: CompareOp, builder: &mut MapBuilder<'_>) -> Result<Option<Bounds>, MapError> {
    let mut value = build(form, builder)?;
    // The constant goes to the other side, so that equal conditions look equal.
    let constant = std::mem::replace(&mut value.constant, Sym::zero());
    let bound = constant.checked_neg()?;
    let next = bound.checked_add(&Sym::one())?;
    let (low, high) = match op {
        CompareOp::Eq => (Some(bound), Some(next)),
        CompareOp::Lt => (None, Some(bound)),
        CompareOp::Le => (None, Some(next)),
        CompareOp::Gt => (Some(next), None),
        CompareOp::Ge => (Some(bound), None),
        CompareOp::Ne => return Ok(None),
    };
    Ok(Some((value, low, high)))
}
