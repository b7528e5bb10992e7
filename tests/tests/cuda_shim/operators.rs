//! Every operator, cast and math function of every element type, on every combination of edge values.

use std::collections::BTreeMap;

use elements::ElementType;
use testing::operators::{
    Operation, binary_operators, casts, math_functions, operators_with_constants, unary_operators,
};

use super::check::Case;

/// All cases.
pub fn cases() -> Vec<Case> {
    let lists = [binary_operators, operators_with_constants, unary_operators, casts, math_functions];
    let operations = ElementType::ALL.into_iter().flat_map(|element| lists.map(|list| list(element)));
    operations.flatten().map(case).collect()
}

/// The operation in blocks of 256 threads.
fn case(operation: Operation) -> Case {
    let columns = operation.combinations();
    let kernel = operation.kernel(columns[0].len(), 256);
    let arguments = operation.arguments(&columns).unwrap();
    Case { what: operation.what, kernel, sizes: BTreeMap::new(), arguments }
}
