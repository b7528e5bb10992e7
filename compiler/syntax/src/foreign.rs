//! Syntax of other languages, and its counterparts.

use smol_str::SmolStr;

use super::phrases::Phrase;
use super::span::Span;

/// Advice for arrays of a thread.
pub const LOCAL_ARRAYS: &str = "write `let mut a: f32[4] = 0.0;`, where every element begins with the number, or `let a: f32[3] = [1.0, 2.0, 1.0];`";

/// Syntax of another language, with its counterpart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Foreign {
    /// Its kind.
    pub construct: Construct,
    /// The edits that replace it by the counterpart; none if they are not evident.
    pub edits: Vec<(Span, SmolStr)>,
}

/// Syntax of another language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Construct {
    /// A phrase of which only texts are said.
    Phrase(&'static Phrase),
    /// `a and b`
    And,
    /// `a or b`
    Or,
    /// `not a`
    Not,
    /// `a ** b`
    Power,
    /// `c ? a : b`
    Choice,
    /// `(float)x`
    Cast {
        /// The function that converts to the type.
        function: SmolStr,
    },
    /// `1.0f`
    Suffix {
        /// The number without the suffix.
        number: SmolStr,
    },
    /// `return e;` in a function
    Return,
    /// `if c y[i] = 1.0;`
    BodyWithoutBraces,
    /// `for i in 0..n by 2 { … }`
    By,
    /// `float v = e;`, `float v;`, `float v = 1.0, w = 2.0;`
    Declaration,
    /// `let v: f32;`
    NoValue,
    /// `let (v, w) = …;`
    SeveralNames,
    /// `x[:, 1]`, `t[..4]`: a range without one of its ends.
    OpenRange,
    /// `t[0:4]`
    ColonRange,
    /// `lo..=hi`
    InclusiveRange,
    /// `{ … }` as a statement.
    Block,
    /// `let v: f32[4];`, `let v: f32[4] = [0.0; 4];`
    TypedArray,
    /// `float v[4];`, `let v = [0.0; 4];`
    LocalArray,
    /// `__shared__ float s[128];`
    SharedArray,
    /// `ct::partition_view p{t, ct::shape{2_ic, 2_ic}};`
    PartitionView,
    /// `ct::tensor_span t{&x[0][0], ct::extents{4_ic, 8_ic}};`
    TensorSpan,
    /// `p.load_masked(ct::view_padding_nan_t{}, i)`
    Padding {
        /// The word of the padding.
        padding: SmolStr,
    },
    /// `float4 v = e;`
    Vector,
    /// `float *p = x;`, `*p`, `&x`
    Pointer,
    /// `a if c else b`
    ChoiceBehind,
    /// `n as f32`
    ConversionBehind {
        /// The function that converts to the type.
        function: SmolStr,
    },
}

impl Foreign {
    /// The message; `found` is the text, in back quotes.
    pub(super) fn message(&self, found: &str) -> String {
        match &self.construct {
            Construct::And | Construct::Or | Construct::Not | Construct::Power => {
                format!("{found} is no operator of the language")
            }
            Construct::Phrase(phrase) => phrase.message.to_owned(),
            Construct::Choice => "a choice is not written with `?` and `:`".to_owned(),
            Construct::Cast { .. } => "a conversion is a call, not a type in parentheses".to_owned(),
            Construct::Suffix { .. } => format!("numbers have no suffix, found {found}"),
            Construct::Return => "the value of a function is its last expression, without `return`".to_owned(),
            Construct::BodyWithoutBraces => "the body of an `if` or a loop stands in braces".to_owned(),
            Construct::By => "the distance from one iteration to the next stands behind `step`".to_owned(),
            Construct::Declaration => "a variable is declared by `let`, and its type stands behind its name".to_owned(),
            Construct::NoValue => "a variable begins with a value".to_owned(),
            Construct::LocalArray => "an array of a thread is declared by `let`, with its type and a value".to_owned(),
            Construct::TypedArray => "an array of a thread begins with one number or a list".to_owned(),
            Construct::SeveralNames => "a `let` declares one name".to_owned(),
            Construct::OpenRange => "both ends of a range are written".to_owned(),
            Construct::ColonRange => "a range is not written with `:`".to_owned(),
            Construct::InclusiveRange => "the end of a range does not belong to it".to_owned(),
            Construct::Block => {
                "a block belongs to an `if`, a `for` or a `with`, and is no statement of its own".to_owned()
            }
            Construct::SharedArray => {
                "a shared array is declared by `shared`, and its type stands behind its name".to_owned()
            }
            Construct::PartitionView => "a tensor is divided into tiles by a view of a partition".to_owned(),
            Construct::TensorSpan => "a tensor is a parameter, which has its shape".to_owned(),
            Construct::Padding { .. } => format!("what lies beyond the edge is said by `pad:`, found {found}"),
            Construct::Vector => "there are no types of several numbers".to_owned(),
            Construct::Pointer => "there are no pointers".to_owned(),
            Construct::ChoiceBehind => "the condition of a choice stands before its values".to_owned(),
            Construct::ConversionBehind { .. } => "a conversion is a call, and no type behind a value".to_owned(),
        }
    }

    /// Advice on the counterpart.
    pub(super) fn help(&self) -> String {
        match &self.construct {
            Construct::Phrase(phrase) => phrase.help.to_owned(),
            Construct::And => "write `&&`".to_owned(),
            Construct::Or => "write `||`".to_owned(),
            Construct::Not => "write `!a`, or `!(a == b)` for a comparison".to_owned(),
            Construct::Power => "write `x * x`, or in a kernel `pow(x, y)` for floats".to_owned(),
            Construct::Choice | Construct::ChoiceBehind => "write `if c { a } else { b }`".to_owned(),
            Construct::Cast { function } | Construct::ConversionBehind { function } => {
                format!("write `{function}(…)` around what is converted")
            }
            Construct::Suffix { number } => {
                format!("write `{number}`: a number takes the type of what it is used with")
            }
            Construct::Return => "leave out `return`".to_owned(),
            Construct::BodyWithoutBraces => "write `{ … }` around it".to_owned(),
            Construct::By => "write `for i in lo..hi step 2`".to_owned(),
            Construct::Declaration => {
                "a value is named by `let NAME = …;`, and a variable that is assigned later by `let mut NAME = …;`"
                    .to_owned()
            }
            Construct::NoValue => "write for example `let mut a: f32 = 0.0;`".to_owned(),
            Construct::LocalArray => LOCAL_ARRAYS.to_owned(),
            Construct::TypedArray => format!(
                "{LOCAL_ARRAYS}; a tile, on which a whole block works, begins with a tile: `let mut t: f32[4] = zeros(f32[4]);`"
            ),
            Construct::SeveralNames => "write one for each of them: `let v = …; let w = …;`".to_owned(),
            Construct::OpenRange => "the first 4 of 8 are `t[0..4]`, the last 4 `t[4..8]`".to_owned(),
            Construct::ColonRange => "write `lo..hi`".to_owned(),
            Construct::InclusiveRange => "write `lo..hi + 1`".to_owned(),
            Construct::Block => {
                "leave the braces away: a name may be given again, and `let` in the body of a loop ends with it".to_owned()
            }
            Construct::SharedArray => "write `shared NAME : f32[128];`, before the loops over threads".to_owned(),
            Construct::PartitionView => "write `view p = partition(t, [2, 2]);`".to_owned(),
            Construct::TensorSpan => "write it among the parameters of the kernel, `t: f32[4, 8]`, or `t: mut f32[4, 8]` where it is stored to".to_owned(),
            Construct::Padding { padding } => format!("write `pad: {padding}` behind the indices"),
            Construct::Vector => {
                "give each thread a `view` with several elements, `view v = x via reshape_map([4] | [256] => layout: [t0, i0]);`: \
                 neighbouring elements are moved together".to_owned()
            }
            Construct::Pointer => {
                "name the tensor itself with all of its indices, `x[i, j]`; a part of it is named by a `view`"
                    .to_owned()
            }
        }
    }

    /// A description of the edits, as the label of a button.
    pub(super) fn title(&self) -> String {
        match &self.construct {
            Construct::Phrase(phrase) => phrase.title.to_owned(),
            Construct::And => "write `&&`".to_owned(),
            Construct::Or => "write `||`".to_owned(),
            Construct::Not => "write `!`".to_owned(),
            Construct::Choice | Construct::ChoiceBehind => "write it with `if` and `else`".to_owned(),
            Construct::Cast { function } | Construct::ConversionBehind { function } => format!("write `{function}(…)`"),
            Construct::Suffix { number } => format!("write `{number}`"),
            Construct::ColonRange => "write `..`".to_owned(),
            Construct::InclusiveRange => "write the end that does not belong to it".to_owned(),
            Construct::By => "write `step`".to_owned(),
            Construct::Declaration => "write `let`".to_owned(),
            Construct::NoValue | Construct::TypedArray => "begin with zero".to_owned(),
            Construct::LocalArray => "write `let`".to_owned(),
            Construct::SharedArray => "write `shared`".to_owned(),
            Construct::PartitionView => "write it as a view of a partition".to_owned(),
            Construct::Padding { padding } => format!("write `pad: {padding}`"),
            Construct::Pointer => "leave the sign away".to_owned(),
            Construct::Return => "leave out `return`".to_owned(),
            _ => "write `{ … }` around it".to_owned(),
        }
    }
}
