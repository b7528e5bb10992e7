//! Raises typed integer expressions to quasi-affine forms.
//!
//! A pass that walks a typed kernel tells the [`Raiser`] of variables, loops and conditions in program order. At each
//! program point the raiser knows for every expression the interval of its values, its form (a sum of coefficient ·
//! axis with floor divisions, remainders and xors), and whether its value is uniform across the launch.
//!
//! Equal expressions have the same [`ValueId`] (value numbering), also through variables. Facts about a value are
//! computed once, when it first occurs, so a chain of n variables costs O(n). Only facts that depend on conditions are
//! recomputed when the conditions change, within a limited number of steps. A form above a size limit is replaced by
//! one unknown.
//!
//! Begin with `value` (what a value is), then `forms` and `axes`.

mod axes;
mod bounds;
mod cases;
mod choices;
mod condition;
mod conditions;
mod contents;
mod determined;
mod divisors;
mod ends;
mod floats;
mod form;
mod forms;
mod intervals;
mod iterations;
mod known;
mod loops;
mod memories;
mod orders;
mod points;
mod raiser;
mod rows;
mod strides;
mod sums;
mod value;
mod values;
mod variable;
mod variables;
mod widths;

pub use axes::{Axes, UniformValue};
pub use cases::Case;
pub use condition::{Condition, ConditionMark, Literal};
pub use contents::{Contents, Distinct};
pub use determined::Basis;
pub use form::Form;
pub use forms::Doubt;
pub use iterations::{Iterated, Kept, MOST_HALVINGS, Progress};
pub use points::{Point, Points};
pub use raiser::{Knowledge, LoopRange, Raiser};
pub use value::ValueId;
pub use variables::ScopeMark;
