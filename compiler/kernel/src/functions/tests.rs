//! What holds of every function in the table.

use std::collections::HashSet;

use super::*;

/// How often each argument stands in a term.
fn count_arguments(term: &Term, counts: &mut [usize]) {
    match term {
        Term::Argument(number) => counts[*number] += 1,
        Term::Float(_) => {}
        Term::Unary(_, operand) => count_arguments(operand, counts),
        Term::Binary(_, left, right) => {
            count_arguments(left, counts);
            count_arguments(right, counts);
        }
        Term::Math(_, operands) => operands.iter().for_each(|operand| count_arguments(operand, counts)),
    }
}

#[test]
fn every_word_means_one_function() {
    let mut words = HashSet::new();
    for function in FUNCTIONS {
        assert!(words.insert(function.name), "{} is there twice", function.name);
        for word in function.elsewhere {
            assert!(words.insert(word), "{word} means two functions");
        }
    }
}

#[test]
fn a_term_uses_each_argument_once_so_that_nesting_doubles_nothing() {
    for function in FUNCTIONS {
        if let Meaning::Term(term) = function.meaning {
            let mut counts = vec![0; function.parameters.len()];
            count_arguments(term, &mut counts);
            assert!(counts.iter().all(|&count| count == 1), "{}: {counts:?}", function.name);
        }
    }
}

#[test]
fn an_operation_has_an_operand_for_each_parameter_of_its_function() {
    for function in FUNCTIONS {
        if let Meaning::Operation(operation) = function.meaning {
            assert_eq!(operation.name(), function.name);
            assert_eq!(operation.operation().operands, function.parameters.len(), "{}", function.name);
        }
    }
}
