//! The maps that every test here goes through, with sizes and points.

mod written;

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
    cases.extend(written::adversarial());
    cases.extend(written::swizzles());
    cases.extend(written::signed());
    cases.extend(written::unsimplified());
    cases.extend(written::least_and_greatest());
    cases.extend(random(300));
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
