//! Systems against every assignment of small values.

use super::{Answer, Linear, Steps, System};
use dims::Interval;
use random_maps::{Choices, for_random_choices};

const VALUES: i128 = 5;

fn any_form(choices: &mut Choices, variables: u32) -> Linear {
    let mut form = Linear::constant(choices.pick(&[0, 0, 1, -1, 2, -3, 5, 7]));
    for _ in 0..1 + choices.below(4) {
        let factor = choices.pick(&[1, -1, 2, -2, 3, 4, -5, 6, 7]);
        form = form.plus(factor, &Linear::variable(choices.below(variables as usize) as u32)).unwrap();
    }
    form
}

/// All assignments of values to the first variables.
fn assignments(variables: u32) -> impl Iterator<Item = Vec<i128>> {
    let count = VALUES.pow(variables);
    (0..count).map(move |number| (0..variables).map(|place| number / VALUES.pow(place) % VALUES).collect())
}

#[test]
fn a_system_is_empty_where_no_assignment_meets_its_conditions() {
    let tally = std::cell::Cell::new([0u32; 3]);
    for_random_choices(3000, |choices| {
        let variables = 2 + choices.below(3) as u32;
        let mut system = System::default();
        (0..variables).for_each(|_| {
            system.variable(Interval { lo: Some(0), hi: Some(VALUES - 1) });
        });
        for _ in 0..1 + choices.below(3) {
            let form = any_form(choices, variables);
            match choices.below(4) {
                0 => system.not_negative.push(form),
                1 => system.not_zero.push(form),
                _ => system.zero.push(form),
            }
        }
        let plain = system.clone();
        let (of, by) = (any_form(choices, variables), choices.pick(&[2, 3, 4, 7]));
        let [quotient, remainder] = system.divided(&of, by).unwrap();
        let wanted = choices.pick(&[0, 1, 2, -1]);
        system.equal(&quotient, &Linear::constant(wanted)).unwrap();
        let one = Linear::variable(choices.below(variables as usize) as u32);
        let other = match choices.below(3) {
            0 => Linear::constant(choices.pick(&[0, 1, 2, 3, 4, 5, 6, 12])),
            _ => Linear::variable(choices.below(variables as usize) as u32),
        };
        let xor = system.xor(&one, &other).unwrap();
        system.equal(&xor, &remainder).unwrap();
        let holds = |values: &Vec<i128>| {
            let value = |form: &Linear| form.value(|variable| values.get(variable as usize).copied()).unwrap();
            plain.holds(values)
                && value(&of).div_euclid(by) == wanted
                && value(&one) ^ value(&other) == value(&of).rem_euclid(by)
        };
        let exists = assignments(variables).any(|values| holds(&values));
        let mut counts = tally.get();
        match system.clone().solve(&mut Steps::new(100_000, &|| false)) {
            Answer::Empty => {
                assert!(!exists, "{system:?}");
                counts[0] += 1;
            }
            Answer::Solution(values) => {
                assert!(holds(&values[..variables as usize].to_vec()), "{system:?}\n{values:?}");
                counts[1] += 1;
            }
            Answer::Open => counts[2] += 1,
        }
        tally.set(counts);
    });
    let [empty, solved, open] = tally.get();
    assert!(empty > 300 && solved > 100 && open * 50 < empty + solved, "{empty} empty, {solved} solved, {open} open");
}

#[test]
fn equations_without_a_factor_of_one_are_solved() {
    let solve = |sum: i128| {
        let mut system = System::default();
        let [x, y] = [0, 0].map(|_| Linear::variable(system.variable(Interval { lo: Some(0), hi: None })));
        let form = x.times(7).and_then(|form| form.plus(12, &y)).unwrap();
        system.equal(&form, &Linear::constant(sum)).unwrap();
        system.solve(&mut Steps::new(10_000, &|| false))
    };
    assert_eq!(solve(65), Answer::Empty);
    assert_eq!(solve(66), Answer::Solution(vec![6, 2]));
    let far = 1 << 60;
    assert!(matches!(solve(far), Answer::Solution(values) if 7 * values[0] + 12 * values[1] == far));
}

/// A circle of inequalities between variables without ends: bounds would rise for ever.
#[test]
fn variables_without_ends_come_to_an_end() {
    let mut system = System::default();
    let [x, y, z] = [0, 0, 0].map(|_| Linear::variable(system.variable(Interval { lo: Some(0), hi: None })));
    system.at_most(&x, &y).unwrap();
    system.at_most(&y, &z).unwrap();
    system.at_most(&z.offset(1).unwrap(), &x).unwrap();
    assert_eq!(system.solve(&mut Steps::new(10_000, &|| false)), Answer::Empty);
}

#[test]
fn what_is_cancelled_is_open() {
    let mut system = System::default();
    let x = Linear::variable(system.variable(Interval::EVERYTHING));
    system.equal(&x.times(2).unwrap(), &Linear::constant(8)).unwrap();
    assert_eq!(system.clone().solve(&mut Steps::new(10_000, &|| true)), Answer::Open);
    assert_eq!(system.solve(&mut Steps::new(10_000, &|| false)), Answer::Solution(vec![4]));
}

#[test]
fn products_and_quotients_grow_with_their_arguments() {
    let tally = std::cell::Cell::new([0u32; 2]);
    for_random_choices(2000, |choices| {
        let mut system = System::default();
        let small = Interval { lo: Some(0), hi: Some(VALUES - 1) };
        let [size, first, second] = [small; 3].map(|range| system.variable(range));
        let wide = Interval { lo: Some(0), hi: Some(VALUES * VALUES) };
        let values = [wide; 2].map(|range| system.variable(range));
        let [of, by, one, other] = [first, second, values[0], values[1]].map(Linear::variable);
        let is_product = choices.below(2) == 0;
        let slope = Linear::variable(size);
        system.growing([&of, &by], [&one, &other], is_product.then_some(&slope)).unwrap();
        for _ in 0..1 + choices.below(3) {
            let form = any_form(choices, 5);
            match choices.below(4) {
                0 => system.zero.push(form),
                1 => system.not_zero.push(form),
                _ => system.not_negative.push(form),
            }
        }
        let function = |size: i128, of: i128| if is_product { size * of } else { of / (size + 1) };
        let exists = assignments(3).any(|known| {
            let all = [known[0], known[1], known[2], function(known[0], known[1]), function(known[0], known[2])];
            system.holds(&all)
        });
        let mut counts = tally.get();
        match system.clone().solve(&mut Steps::new(100_000, &|| false)) {
            Answer::Empty => {
                assert!(!exists, "{system:?}");
                counts[0] += 1;
            }
            _ => counts[1] += 1,
        }
        tally.set(counts);
    });
    assert!(tally.get().iter().all(|count| *count > 100), "{:?}", tally.get());
}

/// An exclusive or with a known number is taken apart into few digits, however large the other one is.
#[test]
fn a_number_below_a_power_of_two_has_its_partner_at_that_distance_beyond_it() {
    for distance in [1, 8, 1 << 40] {
        let mut system = System::default();
        let x = Linear::variable(system.variable(Interval { lo: Some(0), hi: Some(distance - 1) }));
        let partner = system.xor(&x, &Linear::constant(distance)).unwrap();
        system.different(&partner, &x.offset(distance).unwrap()).unwrap();
        assert_eq!(system.solve(&mut Steps::new(10_000, &|| false)), Answer::Empty, "{distance}");
    }
}
