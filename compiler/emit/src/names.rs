//! Names that C++ accepts, similar to those of the source and unique in their scope.

use std::collections::BTreeMap;

use elements::ElementType;
use kernel::typed::MathFunction;

use super::reserved::{C_FAMILY, WordList};

/// The names in scope.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    reserved: WordList,
    /// The names in use, each with its base and number.
    taken: BTreeMap<String, Numbered>,
    /// For each base, the least number that may be free.
    next: BTreeMap<String, u32>,
}

/// A name that a number makes unique; the number 1 is omitted.
#[derive(Clone, Debug)]
struct Numbered {
    base: String,
    number: u32,
}

impl Default for Names {
    fn default() -> Names {
        Names::avoiding(C_FAMILY)
    }
}

impl Names {
    /// Names that avoid the reserved words of a language.
    pub fn avoiding(reserved: WordList) -> Names {
        Names { reserved, taken: BTreeMap::new(), next: BTreeMap::new() }
    }

    /// Adds a unique name for the source's name `source` to the scope.
    pub fn take(&mut self, source: &str) -> String {
        let base = identifier(source);
        let is_free = |name: &str| {
            !self.taken.contains_key(name)
                && !self.reserved.iter().any(|words| words.contains(&name))
                && !is_math_function(name)
                && !is_element_type(name)
        };
        let mut number = self.next.get(&base).copied().unwrap_or(1);
        let name = loop {
            let name = if number == 1 { base.clone() } else { format!("{base}_{number}") };
            if is_free(&name) {
                break name;
            }
            number += 1;
        };
        self.next.insert(base.clone(), number + 1);
        self.taken.insert(name.clone(), Numbered { base, number });
        name
    }

    /// Removes a name from the scope.
    pub fn release(&mut self, name: &str) {
        let Some(Numbered { base, number }) = self.taken.remove(name) else { return };
        if let Some(next) = self.next.get_mut(&base) {
            *next = number.min(*next);
        }
    }
}

/// Whether CUDA has a math function with this name.
fn is_math_function(name: &str) -> bool {
    MathFunction::ALL.iter().any(|function| {
        let operation = function.operation();
        name == operation.cuda_single || name == operation.cuda_double
    })
}

/// Whether generated code may declare an element type with this name.
fn is_element_type(name: &str) -> bool {
    let declared = |element: ElementType| element.definition().cuda_declaration.map(|_| element.definition().cuda);
    ElementType::ALL.into_iter().filter_map(declared).any(|declared| declared == name)
}

/// The source's name as an identifier of C++.
pub(crate) fn identifier(source: &str) -> String {
    let name: String =
        source.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '_' }).collect();
    // Names with a leading underscore are reserved in C++.
    let starts_well = name.starts_with(|first: char| first.is_ascii_alphabetic());
    // So are names with two adjacent underscores.
    let mut name = if starts_well { name } else { format!("v{name}") };
    while name.contains("__") {
        name = name.replace("__", "_");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_legal() {
        assert_eq!(identifier("new-shape0"), "new_shape0");
        assert_eq!(identifier("_x"), "v_x");
        assert_eq!(identifier("__a--b"), "v_a_b");
        assert_eq!(identifier(""), "v");
        assert_eq!(identifier("7"), "v7");
        assert_eq!(identifier("größe"), "gr_e");
    }

    #[test]
    fn the_first_free_number_is_taken() {
        let mut names = Names::default();
        let taken: Vec<String> = (0..4).map(|_| names.take("x")).collect();
        assert_eq!(taken, ["x", "x_2", "x_3", "x_4"]);
        names.release("x_3");
        names.release("x_2");
        assert_eq!([names.take("x"), names.take("x"), names.take("x")], ["x_2", "x_3", "x_5"]);
        // Naming takes constant time, even for thousands of variables with the same name.
        let last = (0..100_000).map(|_| names.take("x")).last();
        assert_eq!(last.as_deref(), Some("x_100005"));
    }

    #[test]
    fn what_headers_define_as_macros_is_renamed() {
        let words = "NULL INFINITY NAN HUGE_VAL errno EOF INT_MAX ULLONG_MAX DBL_EPSILON FLT_RADIX M_PI M_PI_2 stdin offsetof \
                     assert min max isnan signbit va_arg SIZE_MAX INT64_C PRId64 SEEK_SET RAND_MAX CUDART_INF_F \
                     CLOCKS_PER_SEC EINVAL SIGINT linux unix warpSize";
        for word in words.split(' ') {
            let name = Names::default().take(word);
            assert!(name.starts_with(&format!("{word}_")), "{word} is {name}");
        }
        // Names that are merely similar to reserved ones stay unchanged.
        for word in
            ["N", "EOFS", "INT", "M_", "M_tiles", "MAX", "pi", "null", "inf", "SIZE", "E", "PI", "stdio", "width"]
        {
            assert_eq!(Names::default().take(word), word);
        }
    }

    #[test]
    fn names_stay_apart() {
        let mut names = Names::default();
        assert_eq!(names.take("x-y"), "x_y");
        assert_eq!(names.take("x_y"), "x_y_2");
        assert_eq!(names.take("float"), "float_2");
        assert_eq!(names.take("min"), "min_2");
        names.release("x_y");
        assert_eq!(names.take("x_y"), "x_y");
    }
}
