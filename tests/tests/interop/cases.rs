//! The maps that every test here goes through, with sizes and points.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use dims::{CompareOp, Fact, Facts, Sym, Symbol};
use ide::CompilerDatabase;
use maps::row_major::coordinates;
use maps::{
    Affine, AxisRole, IndexMap, LowerAxis, MapBuilder, Mask, MaskReason, Point, Term, TermId, UpperAxis, evaluate,
};

use random_maps::{Flavour, Node, Recipe, Size, for_random_choices, random_recipe};

/// A coordinate without an end is tried up to here.
pub const UNBOUNDED: i64 = 9;

/// More points than these of one map are not gone through; some of them are chosen.
const MOST_POINTS: i64 = 1000;

/// A map with sizes for its symbols.
pub struct Case {
    /// What it is called in the source.
    pub name: String,
    pub map: IndexMap,
    pub facts: Facts,
    pub sizes: BTreeMap<Symbol, i64>,
}

impl Case {
    fn constant(name: &str, map: IndexMap) -> Case {
        Case { name: name.to_owned(), map, facts: Facts::default(), sizes: BTreeMap::new() }
    }

    /// The extents, where what has no end is cut.
    pub fn extents(&self) -> Vec<i64> {
        let extent = |axis: &UpperAxis| axis.extent.as_ref().map_or(UNBOUNDED, |extent| self.value(extent));
        self.map.upper.iter().map(extent).collect()
    }

    pub fn value(&self, size: &Sym) -> i64 {
        size.evaluate(&|symbol| self.sizes.get(symbol).copied()).unwrap()
    }

    /// Where a coordinate leads; `None` where that is beyond 64 bits.
    pub fn at(&self, upper: &[i64]) -> Option<Point> {
        evaluate(&self.map, upper, &|symbol| self.sizes.get(symbol).copied()).ok()
    }

    /// Whether every point inside the extents is one of [`Case::points`].
    pub fn is_small(&self) -> bool {
        self.extents().iter().fold(1i64, |points, extent| points.saturating_mul((*extent).max(0))) <= MOST_POINTS
    }

    /// Points inside the extents in map order: all of them, or some where there are too many.
    pub fn points(&self) -> Vec<Vec<i64>> {
        let extents = self.extents();
        let count = extents.iter().fold(1i128, |count, extent| count.saturating_mul(i128::from((*extent).max(0))));
        let wide: Vec<i128> = extents.iter().copied().map(i128::from).collect();
        let step = (count / i128::from(MOST_POINTS)).max(1) | 1;
        let mut points = Vec::new();
        let mut number = 0;
        while number < count {
            points.push(coordinates(number, &wide).into_iter().map(|digit| digit as i64).collect());
            number += if self.is_small() { 1 } else { step };
        }
        points
    }

    /// Points just outside the extents.
    pub fn outside(&self) -> Vec<Vec<i64>> {
        let extents = self.extents();
        let mut points = Vec::new();
        for axis in 0..extents.len() {
            for value in [-1, -100, extents[axis], extents[axis] + 31] {
                if value >= 0 && self.map.upper[axis].extent.is_none() {
                    continue;
                }
                let mut point: Vec<i64> = extents.iter().map(|extent| (extent / 2).max(0)).collect();
                point[axis] = value;
                points.push(point);
            }
        }
        points
    }
}

/// All cases: those of the examples, those written down, and random ones.
pub fn all() -> Vec<Case> {
    let mut cases = examples();
    cases.extend(adversarial());
    cases.extend(swizzles());
    cases.extend(signed());
    cases.extend(unsimplified());
    cases.extend(least_and_greatest());
    cases.extend(random(150));
    cases
}

/// Every map of every example.
fn examples() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut cases = Vec::new();
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "shape"));
    paths.sort();
    for path in paths {
        let stem = path.file_stem().unwrap().to_str().unwrap();
        cases.extend(from_source(stem, &std::fs::read_to_string(&path).unwrap()));
    }
    assert!(!cases.is_empty());
    cases
}

/// The maps of a source text; every symbol gets several sizes that its facts allow.
pub fn from_source(prefix: &str, text: &str) -> Vec<Case> {
    let mut db = CompilerDatabase::default();
    let file = db.set_text("main.shape", text);
    let mut cases = Vec::new();
    for item in ide::item_facts(&db, file) {
        let title = item.title();
        let ide::Facts::Map(known) = item.facts else { continue };
        for (number, sizes) in known.known.sample(&known.map.symbols()).take(3).enumerate() {
            cases.push(Case {
                name: format!("{prefix}-{title}-{number}"),
                map: (*known.map).clone(),
                facts: known.known.clone(),
                sizes,
            });
            if known.map.is_constant() {
                break;
            }
        }
    }
    cases
}

/// Names, ranks, sizes and conditions that are easy to get wrong.
fn adversarial() -> Vec<Case> {
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
fn swizzles() -> Vec<Case> {
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
fn signed() -> Vec<Case> {
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
fn unsimplified() -> Vec<Case> {
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
fn least_and_greatest() -> Vec<Case> {
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

/// A map of known extents, with what it leads to and the extents of that.
pub fn built(
    name: &str,
    extents: &[i64],
    lower: impl FnOnce(&mut MapBuilder<'_>, &[Affine]) -> Vec<(Affine, Option<i64>)>,
) -> Case {
    let facts = Facts::default();
    let axis = |extent: &i64| UpperAxis { extent: Some(Sym::constant(*extent)), role: AxisRole::Local };
    let mut builder = MapBuilder::new(extents.iter().map(axis).collect(), &facts);
    let coordinates: Vec<Affine> = (0..extents.len()).map(|axis| builder.coordinate(axis).unwrap()).collect();
    let lower = lower(&mut builder, &coordinates);
    let lower = lower.into_iter().map(|(value, extent)| LowerAxis { value, extent: extent.map(Sym::constant) });
    Case::constant(name, builder.finish(lower.collect()).unwrap())
}

fn number(value: i64) -> Affine {
    Affine::constant(Sym::constant(value))
}

/// `constant + Σ factor · form`
pub fn sum(parts: &[(i64, &Affine)], constant: i64) -> Affine {
    let scaled = parts.iter().map(|(factor, form)| form.checked_scale(&Sym::constant(*factor)).unwrap());
    scaled.fold(number(constant), |sum, part| sum.checked_add(&part).unwrap())
}

/// Random maps: as the builder simplifies them, as they are written, and with symbols in the place of numbers.
fn random(count: u32) -> Vec<Case> {
    let cases = RefCell::new(Vec::new());
    for flavour in [Flavour::Any, Flavour::Powers, Flavour::Nested] {
        for_random_choices(count / 3, |choices| {
            let recipe = random_recipe(choices, flavour);
            let number = cases.borrow().len();
            let facts = Facts::default();
            let built = Case::constant(&format!("random-{number}"), recipe.built(&facts).unwrap());
            let raw = Case::constant(&format!("raw-{number}"), recipe.raw(&facts).unwrap());
            cases.borrow_mut().extend([built, raw]);
            let (symbolic, sizes) = symbolic(&recipe, number % 2 == 0);
            let facts = if choices.chance(5) { bounded(&sizes) } else { Facts::default() };
            for (name, map) in [("symbolic", symbolic.built(&facts)), ("raw-symbolic", symbolic.raw(&facts))] {
                if let Ok(map) = map {
                    let (name, facts, sizes) = (format!("{name}-{number}"), facts.clone(), sizes.clone());
                    cases.borrow_mut().push(Case { name, map, facts, sizes });
                }
            }
        });
    }
    cases.into_inner()
}

/// Names for some sizes.
const NAMED: [(i64, &str); 8] =
    [(2, "two"), (3, "int"), (4, "four"), (5, "i0"), (6, "six"), (8, "N"), (12, "index"), (16, "lambda")];

/// The recipe with symbols in the place of some of its sizes, and their values.
fn symbolic(recipe: &Recipe, all: bool) -> (Recipe, BTreeMap<Symbol, i64>) {
    let name = |size: &Size| match size {
        Size::Number(value) if all || value % 2 == 0 => {
            let named = NAMED.iter().find(|(size, _)| size == value);
            named.map_or(size.clone(), |(_, name)| Size::Named(name))
        }
        size => size.clone(),
    };
    let optional = |size: &Option<Size>| size.as_ref().map(name);
    let node = |node: &Node| match node {
        Node::Sum(constant, parts) => {
            Node::Sum(name(constant), parts.iter().map(|(factor, of)| (name(factor), *of)).collect())
        }
        Node::Digit(of, divisor, modulus) => Node::Digit(*of, name(divisor), optional(modulus)),
        other => other.clone(),
    };
    let recipe = Recipe {
        extents: recipe.extents.iter().map(|(extent, role)| (name(extent), *role)).collect(),
        nodes: recipe.nodes.iter().map(node).collect(),
        lower: recipe.lower.iter().map(|(of, extent)| (*of, optional(extent))).collect(),
        masks: recipe.masks.iter().map(|(of, low, high)| (*of, optional(low), optional(high))).collect(),
    };
    let sizes = NAMED.iter().map(|(value, name)| (Symbol::new(*name, 0), *value)).collect();
    (recipe, sizes)
}

/// What makes indices over these symbols fit 32 bits.
fn bounded(sizes: &BTreeMap<Symbol, i64>) -> Facts {
    let mut facts = Facts::default();
    for symbol in sizes.keys() {
        let fact = Fact::compare(Sym::symbol(symbol.clone()), CompareOp::Le, Sym::constant(64));
        facts.assume(fact).unwrap();
    }
    facts
}
