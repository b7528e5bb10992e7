//! Scatters to random places, against all places of all points of all blocks.

use std::collections::BTreeMap;

use kernel::BoundsChecks;
use seeds::Draw;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::Tensor;
use testing::compare::interpreter_and_cpu;

use super::safe::safe;
use crate::support::check;

/// A formula of the point of a tile and of the block.
enum Place {
    Number,
    Row,
    Column,
    Block,
    Combined(char, Box<Place>, Box<Place>),
    /// With a constant.
    Changed(char, Box<Place>, i64),
}

/// A point of a tile of `rows` × `columns` in a block.
#[derive(Clone, Copy)]
struct Point {
    block: i64,
    row: i64,
    column: i64,
    extents: [i64; 2],
}

impl Place {
    fn draw(draws: &mut Draw, depth: usize) -> Self {
        let inner = |draws: &mut Draw| Box::new(Self::draw(draws, depth - 1));
        match if depth == 0 { draws.index(4) } else { draws.index(8) } {
            0 => Self::Number,
            1 => Self::Row,
            2 => Self::Column,
            3 => Self::Block,
            4 | 5 => Self::Combined(draws.pick(&['+', '+', '-']), inner(draws), inner(draws)),
            _ => {
                let operator = draws.pick(&['*', '*', '+', '/', '%']);
                let most = if operator == '%' { 32 } else { 12 };
                Self::Changed(operator, inner(draws), draws.between(1, most))
            }
        }
    }

    fn text(&self, [rows, columns]: [i64; 2]) -> String {
        match self {
            Self::Number => format!("iota(i64[{rows}, {columns}])"),
            Self::Row => format!("iota(i64[{rows}, 1])"),
            Self::Column => format!("iota(i64[1, {columns}])"),
            Self::Block => "i".to_owned(),
            Self::Combined(operator, left, right) => {
                format!("({} {operator} {})", left.text([rows, columns]), right.text([rows, columns]))
            }
            Self::Changed(operator, inner, by) => format!("({} {operator} {by})", inner.text([rows, columns])),
        }
    }

    fn value(&self, point: Point) -> i64 {
        let apply = |operator: char, left: i64, right: i64| match operator {
            '+' => left + right,
            '-' => left - right,
            '*' => left * right,
            '/' => left / right,
            _ => left % right,
        };
        match self {
            Self::Number => point.row * point.extents[1] + point.column,
            Self::Row => point.row,
            Self::Column => point.column,
            Self::Block => point.block,
            Self::Combined(operator, left, right) => apply(*operator, left.value(point), right.value(point)),
            Self::Changed(operator, inner, by) => apply(*operator, inner.value(point), *by),
        }
    }
}

/// What came of a random scatter.
#[derive(Debug, PartialEq)]
enum Outcome {
    Accepted,
    /// Two points meet.
    Race,
    /// Nothing shows that they do not.
    Unproven,
}

fn try_one(seed: u64) -> Outcome {
    let mut draws = Draw::new(seed);
    let extents = [draws.pick(&[1, 2, 3, 4, 8]), draws.pick(&[1, 3, 4, 5, 8])];
    let (blocks, length) = (draws.pick(&[1, 2, 3]), draws.pick(&[5, 16, 60, 97]));
    let place = Place::draw(&mut draws, 3);
    let [rows, columns] = extents;
    let text = format!(
        "kernel k(y: mut i32[{length}]) block({}) {{
            for i in grid({blocks}) {{
                let t = iota(i32[{rows}, {columns}]) + i32(i) * {} + 1;
                scatter_masked(y, t, {});
            }} }}",
        draws.pick(&[1, 3, 32]),
        rows * columns,
        place.text(extents)
    );
    let mut y = vec![0; length as usize];
    let mut meets = false;
    for block in 0..blocks {
        for number in 0..rows * columns {
            let point = Point { block, row: number / columns, column: number % columns, extents };
            if let Some(element) = usize::try_from(place.value(point)).ok().and_then(|place| y.get_mut(place)) {
                meets |= *element != 0;
                *element = (block * rows * columns + number + 1) as i32;
            }
        }
    }
    let checked = check(&text);
    let errors = checked.errors();
    let Some(kernel) = checked.kernel() else {
        assert_eq!(errors, ["race"], "seed {seed}\n{text}\n{}", checked.report());
        return if meets { Outcome::Race } else { Outcome::Unproven };
    };
    assert!(errors.is_empty() && !meets, "seed {seed}: two points meet\n{text}\n{}", checked.report());
    safe(&checked, &text);
    let before = vec![0; length as usize];
    let mut arguments = [Argument::Tensor(Tensor::from_slice(&[length as u64], &before).unwrap())];
    if let Err(difference) = interpreter_and_cpu(&kernel, &BTreeMap::new(), &mut arguments, BoundsChecks::Proven) {
        panic!("seed {seed}: {difference}\n{text}");
    }
    let [Argument::Tensor(found)] = &arguments else { panic!("a tensor was given") };
    assert_eq!(found.as_slice::<i32>().unwrap(), y, "seed {seed}\n{text}");
    Outcome::Accepted
}

#[test]
fn random_scatters_are_accepted_where_no_two_points_meet() {
    let outcomes: Vec<Outcome> = seeds::range(300).map(try_one).collect();
    let count = |wanted: Outcome| outcomes.iter().filter(|outcome| **outcome == wanted).count();
    let (accepted, unproven) = (count(Outcome::Accepted), count(Outcome::Unproven));
    assert!(accepted > 10 && count(Outcome::Race) > 10, "{accepted} of {} were accepted", outcomes.len());
    assert!(unproven * 10 <= accepted, "{unproven} right ones were refused, {accepted} accepted");
}
