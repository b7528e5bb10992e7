//! Theorems about digits and exclusive ors.

use super::*;

#[test]
fn t4_an_xor_with_the_row_stays_inside_where_its_bits_divide_the_width() {
    for_random_choices(MAPS, |choices| {
        let (rows, columns) = (1 + choices.below(12) as i64, 1 + choices.below(40) as i64);
        let modulus = choices.pick(&[1, 2, 3, 4, 5, 6, 8, 16]);
        let mut recipe = over(&[rows, columns], choices);
        let bits = push(&mut recipe, Node::Digit(0, Size::Number(1), Some(Size::Number(modulus))));
        let column = push(&mut recipe, if choices.chance(5) { Node::Xor(1, bits) } else { Node::Xor(bits, 1) });
        lower(&mut recipe, 0, &[(1, 0)]);
        lower(&mut recipe, 0, &[(1, column)]);
        let table = recipe.table(&BTreeMap::new());
        let map = map_of(&recipe);
        let verdict = injective(&map, &Facts::empty(), &rules_only());
        assert!(verdict.is_proven(), "{verdict:?}\n{recipe:?}");
        confirm(&verdict, oracle::collision_free(&recipe, &table, false), &recipe);

        let greatest = rows.min(modulus) - 1;
        let unit = 1i64 << (64 - greatest.leading_zeros());
        let inside = oracle::in_bounds(&table, &[rows, columns]);
        assert_eq!(inside, columns % unit == 0, "the theorem is wrong: {recipe:?}");
        let bounds = [Sym::constant(rows), Sym::constant(columns)];
        let verdict = in_bounds(&map, &bounds, &Facts::empty(), &rules_only());
        confirm(&verdict, inside, &recipe);
        assert_eq!(verdict.is_proven(), inside, "{verdict:?}\n{recipe:?}");
        // As one address, where the rows are as far apart as they are long.
        let mut address = recipe.clone();
        address.lower.clear();
        lower(&mut address, 0, &[(columns, 0), (1, column)]);
        let table = address.table(&BTreeMap::new());
        let verdict =
            covers(&map_of(&address), &[Sym::zero()..Sym::constant(rows * columns)], &Facts::empty(), &rules_only());
        confirm(&verdict, oracle::covers(&table, &[(0, rows * columns)]), &address);
        assert!(!inside || verdict.is_proven(), "{verdict:?}\n{address:?}");
    });
}

#[test]
fn t5_maps_over_bits_are_decided_exactly() {
    for_random_choices(MAPS, |choices| {
        let extents: Vec<i64> = (0..1 + choices.below(3)).map(|_| choices.pick(&[2, 4, 8, 1])).collect();
        let mut recipe = over(&extents, choices);
        // Single bits of the coordinates, each the xor of some, at places of their own.
        let mut bits: Vec<usize> = Vec::new();
        for (axis, extent) in extents.iter().enumerate() {
            for bit in 0..extent.trailing_zeros() {
                let digit = Node::Digit(axis, Size::Number(1 << bit), Some(Size::Number(2)));
                bits.push(push(&mut recipe, digit));
            }
        }
        if bits.is_empty() {
            return;
        }
        let mut places = Vec::new();
        for place in 0..bits.len() + choices.below(2) {
            let mut node = choices.pick(&bits);
            for _ in 0..choices.below(3) {
                node = push(&mut recipe, Node::Xor(node, choices.pick(&bits)));
            }
            places.push((1i64 << place, node));
        }
        // A reversal is an xor with ones. What stands at two places is one term of the sum, whose sign is one too.
        for place in 0..places.len() {
            let node = places[place].1;
            if choices.chance(2) && places.iter().filter(|(_, other)| *other == node).count() == 1 {
                places[place].0 = -places[place].0;
            }
        }
        let inverted: i64 = places.iter().filter(|(weight, _)| *weight < 0).map(|(weight, _)| -weight).sum();
        lower(&mut recipe, inverted, &places);
        let table = recipe.table(&BTreeMap::new());
        let map = recipe.raw(&Facts::empty()).unwrap();
        for race in [false, true] {
            let truth = oracle::collision_free(&recipe, &table, race);
            let ask = if race { race_free } else { injective };
            exact(&ask(&map, &Facts::empty(), &no_points()), truth, &recipe);
        }
        let end = 1i64 << places.len();
        let truth = oracle::covers(&table, &[(0, end)]);
        let verdict = covers(&map, &[Sym::zero()..Sym::constant(end)], &Facts::empty(), &no_points());
        confirm(&verdict, truth, &recipe);
        assert!(!truth || verdict.is_proven(), "{verdict:?}\n{recipe:?}");
    });
}

#[test]
fn t7_merge_then_unmerge_is_affine_where_the_products_form_one_chain() {
    for_random_choices(MAPS, |choices| {
        let factors = |choices: &mut Choices| -> Vec<i64> {
            (0..1 + choices.below(3)).map(|_| choices.pick(&[2, 3, 4, 6])).collect()
        };
        let (merged, size) = {
            let merged = factors(choices);
            let size: i64 = merged.iter().product();
            (merged, size)
        };
        // Radices of the same product, from the fastest.
        let mut split = Vec::new();
        let mut left = size;
        while left > 1 {
            let divisors: Vec<i64> = (2..=left).filter(|divisor| left % divisor == 0).collect();
            split.push(choices.pick(&divisors));
            left /= split.last().unwrap();
        }
        let products = |radices: &mut dyn Iterator<Item = i64>| -> Vec<i64> {
            let mut product = 1;
            radices
                .map(|radix| {
                    product *= radix;
                    product
                })
                .collect()
        };
        let mut cuts = products(&mut merged.iter().rev().copied());
        cuts.extend(products(&mut split.iter().copied()));
        cuts.sort_unstable();
        let chain = cuts.windows(2).all(|pair| pair[1] % pair[0] == 0);

        let facts = Facts::empty();
        let axis = |extent: &i64| UpperAxis { extent: Some(Sym::constant(*extent)), role: AxisRole::Local };
        let mut builder = MapBuilder::new(merged.iter().map(axis).collect(), &facts);
        let mut whole = maps::Affine::constant(Sym::zero());
        for (axis, extent) in merged.iter().enumerate() {
            let coordinate = builder.coordinate(axis).unwrap();
            whole = whole.checked_scale(&Sym::constant(*extent)).unwrap().checked_add(&coordinate).unwrap();
        }
        let (mut lower, mut weight) = (Vec::new(), 1);
        for radix in &split {
            let value = builder.digit(&whole, &Sym::constant(weight), Some(&Sym::constant(*radix))).unwrap();
            lower.push(maps::LowerAxis { value, extent: None });
            weight *= radix;
        }
        let map = builder.finish(lower).unwrap();
        // Affine in digits of coordinates: nothing is cut from a sum.
        let affine = map.terms.iter().all(|term| match term {
            Term::Digit { of, .. } => {
                of.as_term().and_then(|term| map.term(term)).is_some_and(|term| matches!(term, Term::Coordinate(_)))
            }
            _ => true,
        });
        assert_eq!(affine, chain, "{merged:?} to {split:?}: {map:?}");
        let verdict = injective(&map, &facts, &if chain { rules_only() } else { Budget::default() });
        assert!(verdict.is_proven(), "{verdict:?}: {merged:?} to {split:?}");
        let slots: Vec<_> = split.iter().map(|radix| Sym::zero()..Sym::constant(*radix)).collect();
        let verdict = covers(&map, &slots, &facts, &if chain { rules_only() } else { Budget::default() });
        assert!(verdict.is_proven(), "{verdict:?}: {merged:?} to {split:?}");
    });
}
