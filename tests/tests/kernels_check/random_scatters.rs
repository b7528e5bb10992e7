//! Scatters to random places, against all places of all points of all blocks.

use std::collections::{BTreeMap, BTreeSet};

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

/// How data choose the points whose elements are stored.
#[derive(Clone, Copy)]
struct Chosen {
    /// Those of which the number in the data is greater than this.
    above: i64,
    /// Whether the condition chooses those that are left out.
    is_opposite: bool,
    /// Whether the places have a name, so that they stand in an array.
    is_named: bool,
}

/// The data, at the number of the point modulo 16.
const DATA: [i32; 16] = [3, 0, 7, 1, 5, 5, 2, 6, 0, 4, 7, 7, 1, 3, 2, 6];

impl Chosen {
    fn draw(draws: &mut Draw) -> Option<Self> {
        let chosen = Self { above: draws.between(0, 6), is_opposite: draws.one_in(2), is_named: draws.one_in(2) };
        draws.one_in(2).then_some(chosen)
    }

    fn text(self, place: &str, [rows, columns]: [i64; 2]) -> String {
        let data = format!("gather(x, (iota(i64[{rows}, {columns}]) + i) % 16)");
        match self.is_opposite {
            true => format!("select({data} <= {}, -1, {place})", self.above),
            false => format!("select({data} > {}, {place}, -1)", self.above),
        }
    }

    fn takes(self, point: Point) -> bool {
        let number = point.row * point.extents[1] + point.column + point.block;
        i64::from(DATA[(number % 16) as usize]) > self.above
    }
}

/// What came of a random scatter.
#[derive(Debug, PartialEq)]
enum Outcome {
    Accepted,
    /// Two points meet.
    Race,
    /// Two would, if data did not leave one of them out.
    ApartByData,
    /// Nothing shows that they do not.
    Unproven,
}

/// Whether data choose the points of a random scatter, and what came of it.
fn try_one(seed: u64) -> (bool, Outcome) {
    let mut draws = Draw::new(seed);
    let extents = [draws.pick(&[1, 2, 3, 4, 8]), draws.pick(&[1, 3, 4, 5, 8])];
    let (blocks, length) = (draws.pick(&[1, 2, 3]), draws.pick(&[5, 16, 60, 97]));
    let place = Place::draw(&mut draws, 3);
    let [rows, columns] = extents;
    let chosen = Chosen::draw(&mut draws);
    let mut at = place.text(extents);
    let mut before = String::new();
    if let Some(chosen) = chosen {
        at = chosen.text(&at, extents);
        if chosen.is_named {
            before = format!("let at = {at}; ");
            at = "at".to_owned();
        }
    }
    let text = format!(
        "kernel k(x: i32[16], y: mut i32[{length}]) block({}) {{
            for i in grid({blocks}) {{
                let t = iota(i32[{rows}, {columns}]) + i32(i) * {} + 1;
                {before}scatter_masked(y, t, {at});
            }} }}",
        draws.pick(&[1, 3, 32]),
        rows * columns,
    );
    let mut y = vec![0; length as usize];
    let mut meets = false;
    let mut places = BTreeSet::new();
    let mut meets_without_data = false;
    for block in 0..blocks {
        for number in 0..rows * columns {
            let point = Point { block, row: number / columns, column: number % columns, extents };
            let element = place.value(point);
            meets_without_data |= (0..length).contains(&element) && !places.insert(element);
            if chosen.is_some_and(|chosen| !chosen.takes(point)) {
                continue;
            }
            if let Some(element) = usize::try_from(element).ok().and_then(|place| y.get_mut(place)) {
                meets |= *element != 0;
                *element = (block * rows * columns + number + 1) as i32;
            }
        }
    }
    let checked = check(&text);
    let errors = checked.errors();
    let Some(kernel) = checked.kernel() else {
        assert_eq!(errors, ["race"], "seed {seed}\n{text}\n{}", checked.report());
        let outcome = match (meets, meets_without_data) {
            (true, _) => Outcome::Race,
            (false, true) => Outcome::ApartByData,
            (false, false) => Outcome::Unproven,
        };
        return (chosen.is_some(), outcome);
    };
    assert!(errors.is_empty() && !meets, "seed {seed}: two points meet\n{text}\n{}", checked.report());
    safe(&checked, &text);
    let before = vec![0; length as usize];
    let mut arguments = [
        Argument::Tensor(Tensor::from_slice(&[16], &DATA).unwrap()),
        Argument::Tensor(Tensor::from_slice(&[length as u64], &before).unwrap()),
    ];
    if let Err(difference) = interpreter_and_cpu(&kernel, &BTreeMap::new(), &mut arguments, BoundsChecks::Proven) {
        panic!("seed {seed}: {difference}\n{text}");
    }
    let [_, Argument::Tensor(found)] = &arguments else { panic!("a tensor was given") };
    assert_eq!(found.as_slice::<i32>().unwrap(), y, "seed {seed}\n{text}");
    (chosen.is_some(), Outcome::Accepted)
}

#[test]
fn random_scatters_are_accepted_where_no_two_points_meet() {
    let outcomes: Vec<(bool, Outcome)> = seeds::range(600).map(try_one).collect();
    let count = |by_data: bool, wanted: Outcome| {
        outcomes.iter().filter(|(chosen, outcome)| *chosen == by_data && *outcome == wanted).count()
    };
    let (accepted, unproven) = (count(false, Outcome::Accepted), count(false, Outcome::Unproven));
    assert!(accepted > 10 && count(false, Outcome::Race) > 10, "{accepted} of {} were accepted", outcomes.len());
    assert!(unproven * 10 <= accepted, "{unproven} right ones were refused, {accepted} accepted");
    // Of places that data choose, only those are proven different of which each one follows from its place.
    let chosen = count(true, Outcome::Accepted);
    assert!(chosen > 10, "{chosen} were accepted where data choose, {} refused", count(true, Outcome::Unproven));
}
