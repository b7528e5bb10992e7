//! All forms give the sums of a tile the bits of one sum after the other.

use super::{edges, numbers};
use crate::forms::{Form, available};
use crate::tiles::{Addition, Fused, Rounded, Tile, TileSums, Wrapping};

/// How a tile's numbers lie in memory.
#[derive(Clone, Copy, Debug)]
struct Layout {
    rows: usize,
    columns: usize,
    steps: usize,
    /// The distances of initial numbers: to the next row, and to the next column.
    initial: [isize; 2],
    sums_row: isize,
    /// The distances of left factors: to the next row, and to the next step.
    left: [isize; 2],
    /// The distances of right factors: to the next column, and to the next step.
    right: [isize; 2],
}

/// The place of an element in memory, counted from the one that lies lowest.
fn place(counts: [usize; 2], distances: [isize; 2], at: [usize; 2]) -> usize {
    let parts = counts.into_iter().zip(distances).zip(at);
    let lowest: isize =
        distances.into_iter().zip(counts).map(|(by, count)| (by * (count as isize - 1).max(0)).min(0)).sum();
    let own: isize = parts.map(|((_, by), at)| by * at as isize).sum();
    (own - lowest) as usize
}

/// The number of elements that a walk with these distances needs.
fn length(counts: [usize; 2], distances: [isize; 2]) -> usize {
    let reach = |(count, by): (usize, isize)| by.unsigned_abs() * count.saturating_sub(1);
    counts.into_iter().zip(distances).map(reach).sum::<usize>() + 1
}

/// Compares a function with sums that are computed one after the other.
fn check<A: Addition>(
    layout: Layout,
    numbers: &[A::Number],
    bits: impl Fn(A::Number) -> u64,
    of: impl Fn(&Form) -> TileSums<A::Number>,
) {
    let Layout { rows, columns, steps, initial, sums_row, left, right } = layout;
    let take = |from: usize, count: usize| -> Vec<A::Number> {
        (0..count).map(|place| numbers[(from + place) % numbers.len()]).collect()
    };
    let starts = take(0, length([rows, columns], initial));
    let lefts = take(17, length([rows, steps], left));
    let rights = take(91, length([columns, steps], right));
    let before = take(43, length([rows, columns], [sums_row, 1]));
    let mut expected = before.clone();
    for row in 0..rows {
        for column in 0..columns {
            let mut sum = starts[place([rows, columns], initial, [row, column])];
            for step in 0..steps {
                let left = lefts[place([rows, steps], left, [row, step])];
                let right = rights[place([columns, steps], right, [column, step])];
                sum = A::add_product(sum, left, right);
            }
            expected[row * sums_row as usize + column] = sum;
        }
    }
    let expected: Vec<u64> = expected.into_iter().map(&bits).collect();
    for form in available() {
        let mut sums = before.clone();
        let tile = Tile {
            initial: starts[place([rows, columns], initial, [0, 0])..].as_ptr(),
            initial_row: initial[0],
            initial_column: initial[1],
            sums: sums.as_mut_ptr(),
            sums_row,
            left: lefts[place([rows, steps], left, [0, 0])..].as_ptr(),
            left_row: left[0],
            left_step: left[1],
            right: rights[place([columns, steps], right, [0, 0])..].as_ptr(),
            right_column: right[0],
            right_step: right[1],
            rows,
            columns,
            steps,
        };
        // SAFETY: the form is available, and the vectors have as many elements as the distances reach.
        unsafe { of(form)(&tile) };
        let sums: Vec<u64> = sums.into_iter().map(&bits).collect();
        let wrong = expected.iter().zip(&sums).position(|(expected, sum)| expected != sum);
        assert_eq!(wrong, None, "{layout:?} in {}", form.name);
    }
}

/// Random numbers, some of them special ones.
macro_rules! samples {
    ($real:ident, $seed:literal) => {{
        let edges = edges!($real);
        let sample = |bits: u64| match bits % 64 {
            0 => edges[(bits >> 8) as usize % edges.len()],
            _ => (bits >> 11) as $real / (1u64 << 51) as $real - 2.0,
        };
        numbers($seed).take(1009).map(sample).collect::<Vec<$real>>()
    }};
}

/// The bits of a number; those of a NaN are not defined.
macro_rules! bits {
    ($real:ident) => {
        |number: $real| u64::from(if number.is_nan() { $real::NAN } else { number }.to_bits())
    };
}

fn check_all(layouts: impl IntoIterator<Item = Layout>) {
    let (singles, doubles) = (samples!(f32, 3), samples!(f64, 4));
    let integers: Vec<i32> = numbers(5).take(1009).map(|bits| bits as i32).collect();
    for layout in layouts {
        check::<Rounded<f32>>(layout, &singles, bits!(f32), |form| form.tiles.f32);
        check::<Rounded<f64>>(layout, &doubles, bits!(f64), |form| form.tiles.f64);
        check::<Fused<f32>>(layout, &singles, bits!(f32), |form| form.tiles.fused_f32);
        check::<Fused<f64>>(layout, &doubles, bits!(f64), |form| form.tiles.fused_f64);
        check::<Wrapping<i32>>(layout, &integers, |number| number as u64, |form| form.tiles.i32);
    }
}

#[test]
fn every_form_adds_products_in_their_order() {
    let distances = [0, 1, -1, 2, 3, 16, -17, 40];
    let mut random = numbers(6);
    let mut below = move |end: usize| random.next().expect("it does not end") as usize % end;
    let layouts = std::iter::repeat_with(|| {
        let (rows, widest) = ([1, 2, 20][below(3)], [40, 300][below(2)]);
        let (rows, columns) = (1 + below(rows), 1 + below(widest));
        let steps = [0, 1, 2, 5, 16, 63, 64, 65, 130][below(9)];
        let mut two = || [distances[below(8)], distances[below(8)]];
        let (initial, left, right) = (two(), two(), two());
        Layout { rows, columns, steps, initial, sums_row: (columns + below(3)) as isize, left, right }
    });
    check_all(layouts.take(300));
}

/// Right factors a page apart, and almost, are copied; then those of a step are adjacent.
#[test]
fn right_factors_that_are_a_page_apart_have_the_same_bits() {
    let shapes = [(64, 64, 300), (17, 80, 129), (16, 33, 16), (5, 48, 20)];
    let distances = [512, 1024, -1024, 1016, 1030];
    let layouts = shapes.into_iter().flat_map(|(rows, columns, steps)| {
        distances.map(|right| Layout {
            rows,
            columns,
            steps,
            initial: [columns as isize, 1],
            sums_row: columns as isize,
            left: [steps as isize, 1],
            right: [1, right],
        })
    });
    check_all(layouts);
}

/// Whole groups of rows and of columns, whose right factors are adjacent.
#[test]
fn a_tile_of_whole_vectors_has_the_same_bits() {
    let shapes = [(16, 16), (32, 32), (8, 8), (4, 64), (1, 256), (3, 512)];
    check_all(shapes.map(|(rows, columns)| {
        let row = columns as isize;
        Layout { rows, columns, steps: columns, initial: [row, 1], sums_row: row, left: [row, 1], right: [1, row] }
    }));
}
