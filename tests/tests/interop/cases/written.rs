//! Maps that are written down: what is easy to get wrong.

use super::*;

/// Names, ranks, sizes and conditions that are easy to get wrong.
pub(super) fn adversarial() -> Vec<Case> {
    let text = "dim N; dim M where M % 4 == 0, M <= 1024; dim int; dim i; dim t; dim x; dim lambda;
map for = reshape_map([3] | [4]);
map lambda-def = reshape_map([3] | [2, 2] => layout: [i0, -t0, t1]);
map None = reshape_map([int] | [lambda] => layout: [-t0, i0]);
map new-shape0 = reshape_map([i] | [t, x] => layout: [t1, i0, t0], offset: i);
map __a--b = linear(width: 4, threads: 32);
map np = map2d(row_length: N, threads_x: 8, threads_y: 4);
map gaps = reshape_map([(3, 4)] | [2, 2] => layout: [i0, t0, t1]);
map fewer = reshape_map([3] | [2, (2, 1)] => layout: [i0, t0, t1]);
map tail = reshape_map([4] | [cdiv(N, 4)] => layout: [t0, i0]);
map narrow = reshape_map([4] | [M / 4, 3] => layout: [i0, t1, t0], offset: M);
map clipped = reshape_map([(4, N)] | [(M, 3), 2] => layout: [-i0, t0, t1]);
map chunks = continuous_linear(width: 8);
map nested = chain((linear(width: 8, threads: 4), 32), (linear(width: 2, threads: 32), 1));
";
    let mut cases = from_source("", text);
    for case in &mut cases {
        case.name = case.name.trim_start_matches('-').to_owned();
    }
    assert!(cases.len() > 20, "{}", cases.len());
    cases.extend([
        built("rank-zero", &[], |_, _| vec![(number(7), None)]),
        built("no-lower", &[2, 3], |_, _| Vec::new()),
        built("two-lower", &[4, 6], |builder, at| {
            let row = builder.digit(&at[1], &Sym::constant(2), Some(&Sym::constant(3))).unwrap();
            builder.mask(&at[0], Some(&Sym::one()), None, MaskReason::Guard).unwrap();
            vec![(row, Some(3)), (sum(&[(1, &at[0]), (4, &at[1])], 1), None)]
        }),
        built("empty", &[3, 0], |_, at| vec![(sum(&[(1, &at[0]), (3, &at[1])], 0), None)]),
        built("one-point", &[1, 1], |_, at| vec![(sum(&[(1, &at[0]), (1, &at[1])], 5), None)]),
        built("huge", &[1 << 20, 1 << 20], |_, at| vec![(sum(&[(1, &at[0]), (1 << 20, &at[1])], 0), None)]),
        built("huge-digits", &[1 << 20, 1 << 20], |builder, at| {
            let all = sum(&[(1, &at[0]), (1 << 20, &at[1])], 3);
            let odd = builder.digit(&all, &Sym::constant(3), Some(&Sym::constant(1 << 33))).unwrap();
            let high = builder.digit(&all, &Sym::constant(1 << 34), None).unwrap();
            vec![(odd.checked_add(&high).unwrap(), None)]
        }),
        built("far", &[5, 7], |_, at| vec![(sum(&[(1 << 31, &at[0]), (1, &at[1])], (1 << 31) - 3), None)]),
        built("far-below", &[5, 7], |_, at| vec![(sum(&[(-(1 << 40), &at[0]), (1, &at[1])], 1 << 43), None)]),
        built("least", &[2], |_, at| vec![(sum(&[(1, &at[0])], i64::from(i32::MIN)), None)]),
        built("below-zero", &[9], |builder, at| {
            let shifted = sum(&[(3, &at[0])], -11);
            let (four, six) = (Sym::constant(4), Sym::constant(6));
            let quotient = builder.floor_div(&shifted, &four).unwrap();
            let rest = builder.remainder(&shifted, &six).unwrap();
            vec![(sum(&[(1, &quotient), (10, &rest)], 0), None)]
        }),
        built("far-below-zero", &[5], |builder, at| {
            let shifted = sum(&[(1 << 41, &at[0])], -(1 << 42));
            let quotient = builder.floor_div(&shifted, &Sym::constant(3)).unwrap();
            let rest = builder.remainder(&shifted, &Sym::constant((1 << 41) + 1)).unwrap();
            vec![(sum(&[(1, &quotient), (1, &rest)], 0), None)]
        }),
        built("repeated", &[4, 3], |_, at| vec![(sum(&[(2, &at[0])], 0), None)]),
        built("overlapping", &[4, 3], |_, at| vec![(sum(&[(1, &at[0]), (1, &at[1])], 0), None)]),
        built("backwards", &[4, 3], |_, at| vec![(sum(&[(-3, &at[0]), (-1, &at[1])], 11), None)]),
        built("uneven", &[10], |builder, at| {
            let rest = builder.remainder(&at[0], &Sym::constant(4)).unwrap();
            let quotient = builder.floor_div(&at[0], &Sym::constant(4)).unwrap();
            vec![(sum(&[(3, &rest), (1, &quotient)], 0), None)]
        }),
        built("padded", &[8], |builder, at| {
            let left = sum(&[(1, &at[0])], -2);
            builder.mask(&left, Some(&Sym::zero()), Some(&Sym::constant(4)), MaskReason::Padding).unwrap();
            vec![(left, Some(4))]
        }),
        built("never", &[8], |builder, at| {
            builder.mask(&at[0], Some(&Sym::constant(20)), None, MaskReason::Guard).unwrap();
            vec![(at[0].clone(), None)]
        }),
    ]);
    cases
}

/// Layouts of a tile in shared memory, with and without what CuTe calls a swizzle.
pub(super) fn swizzles() -> Vec<Case> {
    let mut cases = Vec::new();
    for (rows, columns, vector, above, offset) in [
        (8, 32, 1, 1, 0),
        (8, 64, 8, 1, 0),
        (16, 32, 4, 2, 0),
        (32, 64, 8, 4, 4096),
        (8, 24, 1, 1, 0),
        (8, 64, 8, 1, 3),
    ] {
        let name = format!("swizzle-{rows}-{columns}-{vector}-{above}-{offset}");
        cases.push(built(&name, &[rows, columns], |builder, at| {
            let size = Sym::constant;
            let vectors = columns / vector;
            let above = builder.floor_div(&at[0], &size(above)).unwrap();
            let mixed = builder.remainder(&above, &size(vectors.min(8))).unwrap();
            let column = builder.floor_div(&at[1], &size(vector)).unwrap();
            let within = builder.remainder(&at[1], &size(vector)).unwrap();
            let column = builder.xor(&column, &mixed).unwrap();
            vec![(sum(&[(columns, &at[0]), (vector, &column), (1, &within)], offset), None)]
        }));
    }
    cases
}

/// Digits of sums that may be negative, with constant and symbolic divisors, without simplification.
pub(super) fn signed() -> Vec<Case> {
    let sizes: BTreeMap<Symbol, i64> = [(Symbol::new("N", 0), 6), (Symbol::new("K", 0), 4)].into_iter().collect();
    let size = |name: &str| Sym::symbol(Symbol::new(name, 0));
    let mut cases = Vec::new();
    for factor in [1, -1, 3, -5] {
        for constant in [Sym::constant(-7), Sym::constant(2), size("N").checked_neg().unwrap()] {
            for (divisor, modulus) in [
                (Sym::constant(3), Sym::constant(5)),
                (Sym::constant(4), Sym::constant(8)),
                (size("K"), size("N")),
                (size("N"), Sym::constant(2)),
            ] {
                let of = Affine { constant: constant.clone(), terms: vec![(TermId(0), Sym::constant(factor))] };
                let digit = |divisor: &Sym, modulus: Option<&Sym>| Term::Digit {
                    of: of.clone(),
                    divisor: divisor.clone(),
                    modulus: modulus.cloned(),
                };
                let lower = |number| LowerAxis { value: Affine::term(TermId(number)), extent: None };
                let map = IndexMap {
                    upper: vec![UpperAxis { extent: Some(Sym::constant(13)), role: AxisRole::Thread }],
                    terms: vec![
                        Term::Coordinate(0),
                        digit(&divisor, None),
                        digit(&Sym::one(), Some(&modulus)),
                        digit(&divisor, Some(&modulus)),
                    ],
                    lower: vec![lower(1), lower(2), lower(3)],
                    masks: Vec::new(),
                };
                let used = map.symbols();
                let sizes = sizes.clone().into_iter().filter(|(symbol, _)| used.contains(symbol)).collect();
                let name = format!("signed-{}", cases.len());
                cases.push(Case { name, map, facts: Facts::default(), sizes });
            }
        }
    }
    cases
}

/// What the builder would have simplified: parts with one value, and a mask that holds nowhere.
pub(super) fn unsimplified() -> Vec<Case> {
    let digit = |of: u32, divisor: i64, modulus: Option<i64>| Term::Digit {
        of: Affine::term(TermId(of)),
        divisor: Sym::constant(divisor),
        modulus: modulus.map(Sym::constant),
    };
    let xor = |left: u32, right: u32| Term::Xor(Affine::term(TermId(left)), Affine::term(TermId(right)));
    let case = |name: &str, terms: Vec<Term>, lower: Affine, masks: Vec<Mask>, sizes: &[(&str, i64)]| {
        let upper = (0..2).map(|_| UpperAxis { extent: Some(Sym::constant(8)), role: AxisRole::Local }).collect();
        let lower = vec![LowerAxis { value: lower, extent: None }];
        let terms = [vec![Term::Coordinate(0), Term::Coordinate(1)], terms].concat();
        let sizes = sizes.iter().map(|(name, value)| (Symbol::new(*name, 0), *value)).collect();
        Case { name: name.to_owned(), map: IndexMap { upper, terms, lower, masks }, facts: Facts::default(), sizes }
    };
    let at = |terms: &[(u32, i64)]| {
        let terms = terms.iter().map(|(term, factor)| (TermId(*term), Sym::constant(*factor))).collect();
        Affine { constant: Sym::zero(), terms }
    };
    let size = Sym::symbol(Symbol::new("N", 0));
    let nowhere =
        Mask { value: Affine::constant(size.clone()), low: None, high: Some(size), reason: MaskReason::Guard };
    vec![
        case(
            "nothing-but-zero",
            vec![xor(0, 0), xor(2, 2), digit(3, 6, None)],
            at(&[(0, 8), (1, 1), (4, 3)]),
            vec![],
            &[],
        ),
        // What is in no quotient has a name of its own where two digits use it.
        case(
            "used-by-zero",
            vec![xor(0, 1), digit(2, 8, None), digit(2, 9, None)],
            at(&[(0, 8), (1, 1), (3, 5), (4, 7)]),
            vec![],
            &[],
        ),
        case("holds-nowhere", vec![], at(&[(0, 8), (1, 1)]), vec![nowhere], &[("N", 5)]),
        // The column's bits lie below the row's, and change those.
        case("swizzle-upwards", vec![xor(0, 1)], at(&[(2, 8), (1, 1)]), vec![], &[]),
    ]
}

/// Sizes that are the least or the greatest of others.
pub(super) fn least_and_greatest() -> Vec<Case> {
    let facts = Facts::default();
    let size = |name: &str| Sym::symbol(Symbol::new(name, 0));
    let least = size("N").checked_min(&Sym::constant(7), &facts).unwrap();
    let greatest = size("N").checked_mul(&size("M")).unwrap().checked_max(&size("K"), &facts).unwrap();
    let mut cases = Vec::new();
    for (number, values) in [(4, 5, 30), (9, 2, 3), (7, 1, 8)].into_iter().enumerate() {
        let axis = |extent: &Sym| UpperAxis { extent: Some(extent.clone()), role: AxisRole::Local };
        let mut builder = MapBuilder::new(vec![axis(&least), axis(&size("K"))], &facts);
        let (row, column) = (builder.coordinate(0).unwrap(), builder.coordinate(1).unwrap());
        builder.mask(&column, None, Some(&least), MaskReason::Guard).unwrap();
        let value = row.checked_scale(&greatest).unwrap().checked_add(&column).unwrap();
        let map = builder.finish(vec![LowerAxis { value, extent: None }]).unwrap();
        let sizes = [("N", values.0), ("M", values.1), ("K", values.2)];
        let sizes = sizes.into_iter().map(|(name, value)| (Symbol::new(name, 0), value)).collect();
        cases.push(Case { name: format!("extremes-{number}"), map, facts: facts.clone(), sizes });
    }
    cases
}
