//! C++ expressions with their precedence, so that parentheses are written only where they are needed.

use std::borrow::Cow;

/// The precedence of an expression, from lowest to highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Choice,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    /// A negation by a minus sign.
    Negation,
    /// Another prefix operator.
    Unary,
    /// A call, an element or an expression in parentheses, which never needs further parentheses but has to be
    /// computed.
    Enclosed,
    /// A name.
    Primary,
    /// An unsigned number.
    Literal,
}

/// An expression in C++.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    pub code: String,
    pub level: Level,
}

impl Text {
    /// A name.
    pub fn primary(code: impl Into<String>) -> Text {
        Text { code: code.into(), level: Level::Primary }
    }

    /// An unsigned number with its suffix.
    pub fn literal(code: impl Into<String>) -> Text {
        Text { code: code.into(), level: Level::Literal }
    }

    /// A number; a negative one has a lower precedence.
    pub fn number(is_negative: bool, magnitude: impl Into<String>) -> Text {
        let magnitude = Text::literal(magnitude);
        if is_negative { Text::negative(&magnitude) } else { magnitude }
    }

    /// `-operand`. An operand that begins with a minus sign is put in parentheses, since `--x` is a decrement.
    pub fn negative(operand: &Text) -> Text {
        Text { code: format!("-{}", operand.at_least(Level::Unary)), level: Level::Negation }
    }

    /// The operand of a minus sign; `None` of other expressions.
    pub fn negated(&self) -> Option<Text> {
        let operand = self.code.strip_prefix('-').filter(|_| self.level == Level::Negation)?;
        Some(Text { code: operand.to_owned(), level: Level::Unary })
    }

    /// `!operand`
    pub fn not(operand: &Text) -> Text {
        Text { code: format!("!{}", operand.at_least(Level::Negation)), level: Level::Unary }
    }

    /// A cast to a C++ type.
    pub fn cast(to: &str, operand: &Text) -> Text {
        Text { code: format!("({to}){}", operand.at_least(Level::Negation)), level: Level::Unary }
    }

    /// A call of a function.
    pub fn call(function: &str, arguments: &[&Text]) -> Text {
        let arguments: Vec<&str> = arguments.iter().map(|argument| argument.code.as_str()).collect();
        Text { code: format!("{function}({})", arguments.join(", ")), level: Level::Enclosed }
    }

    /// A left-associative infix operator. The expression tree keeps its structure, so rounding and overflow do not
    /// change.
    pub fn infix(operator: &str, level: Level, left: &Text, right: &Text) -> Text {
        // Operands of bit operators and shifts are always put in parentheses, and so is `&&` inside `||`, since these
        // precedences are easily misread.
        let unclear = (Level::BitOr..=Level::BitAnd).contains(&level) || level == Level::Shift;
        let (least_left, least_right) = match level {
            _ if unclear => (Level::Negation, Level::Negation),
            Level::And => (Level::And, Level::And),
            Level::Or => (Level::Equality, Level::Equality),
            Level::Sum => (Level::Sum, Level::Product),
            Level::Product => (Level::Product, Level::Negation),
            // `a < b == c` is legal, but misleading.
            _ => (Level::Shift, Level::Shift),
        };
        let chain = level == Level::Or && left.level == Level::Or;
        let left = if chain { Cow::Borrowed(left.code.as_str()) } else { left.at_least(least_left) };
        let right = right.at_least(least_right);
        Text { code: format!("{left} {operator} {right}"), level }
    }

    /// `condition ? first : second`
    pub fn choice(condition: &Text, first: &Text, second: &Text) -> Text {
        Text {
            code: format!(
                "{} ? {} : {}",
                condition.at_least(Level::Or),
                first.at_least(Level::Or),
                second.at_least(Level::Choice)
            ),
            level: Level::Choice,
        }
    }

    /// An element of an array.
    pub fn element(array: &str, index: &Text) -> Text {
        Text { code: format!("{array}[{}]", index.code), level: Level::Enclosed }
    }

    /// The code, in parentheses if its precedence is lower than this one.
    pub fn at_least(&self, level: Level) -> Cow<'_, str> {
        if self.level >= level { Cow::Borrowed(&self.code) } else { Cow::Owned(format!("({})", self.code)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(code: &str) -> Text {
        Text::primary(code)
    }

    fn sum(left: &Text, right: &Text) -> Text {
        Text::infix("+", Level::Sum, left, right)
    }

    #[test]
    fn parentheses_stand_where_they_are_needed() {
        let (a, b, c) = (name("a"), name("b"), name("c"));
        let product = Text::infix("*", Level::Product, &sum(&a, &b), &c);
        assert_eq!(product.code, "(a + b) * c");
        assert_eq!(sum(&product, &a).code, "(a + b) * c + a");
        assert_eq!(sum(&a, &sum(&b, &c)).code, "a + (b + c)");
        assert_eq!(sum(&sum(&a, &b), &c).code, "a + b + c");
        let quotient = Text::infix("/", Level::Product, &a, &product);
        assert_eq!(quotient.code, "a / ((a + b) * c)");
        assert_eq!(Text::cast("int", &sum(&a, &b)).code, "(int)(a + b)");
        assert_eq!(Text::negative(&Text::negative(&a)).code, "-(-a)");
        assert_eq!(Text::negative(&sum(&a, &b)).negated().map(|operand| operand.code).as_deref(), Some("(a + b)"));
        assert_eq!(Text::negative(&Text::number(true, "1")).code, "-(-1)");
        assert_eq!(Text::negative(&Text::cast("int", &Text::negative(&a))).code, "-(int)-a");
        assert_eq!(Text::not(&Text::not(&sum(&a, &b))).code, "!!(a + b)");
        assert_eq!(Text::infix("*", Level::Product, &a, &Text::negative(&b)).code, "a * -b");
        let bits = Text::infix("^", Level::BitXor, &sum(&a, &b), &c);
        assert_eq!(bits.code, "(a + b) ^ c");
    }

    #[test]
    fn conditions_show_their_structure() {
        let (a, b, c) = (name("a"), name("b"), name("c"));
        let less = Text::infix("<", Level::Relation, &a, &sum(&b, &c));
        assert_eq!(less.code, "a < b + c");
        let both = Text::infix("&&", Level::And, &less, &c);
        assert_eq!(Text::infix("&&", Level::And, &b, &both).code, "b && a < b + c && c");
        let either = Text::infix("||", Level::Or, &both, &c);
        assert_eq!(either.code, "(a < b + c && c) || c");
        assert_eq!(Text::infix("||", Level::Or, &either, &a).code, "(a < b + c && c) || c || a");
        let equal = Text::infix("==", Level::Equality, &less, &c);
        assert_eq!(equal.code, "(a < b + c) == c");
        let choice = Text::choice(&either, &a, &b);
        assert_eq!(sum(&choice, &a).code, "((a < b + c && c) || c ? a : b) + a");
        assert_eq!(Text::choice(&c, &choice, &choice).code, format!("c ? ({}) : {}", choice.code, choice.code));
    }
}
