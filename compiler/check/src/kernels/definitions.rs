//! What is known of a variable for as long as it is in scope.

use super::affine::Axes;
use dims::Sym;
use kernel::numbers::Numbers;
use kernel::typed::Expr;

/// What is known of the value of a variable.
#[derive(Clone, Debug, Default)]
pub(super) enum Known {
    /// Nothing: it may be assigned again.
    #[default]
    Nothing,
    /// It has the value of this expression, wherever that is evaluated.
    Value(Expr),
    /// It keeps a value whose expression may come to another one later, since it reads memory or variables that change.
    Kept {
        /// The least and the greatest value, as sizes.
        ends: (Option<Sym>, Option<Sym>),
        /// The same as numbers.
        numbers: Numbers,
    },
}

impl Known {
    /// What is known of a variable that is given the value of an expression once, and that is stable or not.
    pub(super) fn of(value: &Expr, is_stable: bool, axes: &Axes<'_>) -> Known {
        if is_stable {
            return Known::Value(value.clone());
        }
        if !value.element.is_integer() {
            return Known::Nothing;
        }
        Known::Kept { ends: axes.ends(value), numbers: axes.numbers(value) }
    }

    /// The expression that the variable stands for.
    pub(super) fn value(&self) -> Option<&Expr> {
        match self {
            Known::Value(value) => Some(value),
            Known::Nothing | Known::Kept { .. } => None,
        }
    }
}
