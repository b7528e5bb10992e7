//! Random kernels as source text.
//!
//! Unlike the typed kernels of [`super::random`], they pass through the whole compiler. Most are meant to be correct,
//! so that they are accepted and run. Those with slips have small, typical mistakes: a size that is too small by one, a
//! missing mask or guard, overlapping strides. Any of these that the checker accepts has to be safe, too.

mod arguments;
mod expressions;
mod grids;
mod statements;
mod views;

use std::collections::BTreeMap;

use dims::Symbol;
use elements::ElementType;
use kernel::typed::Kernel;
use seeds::Draw;

pub use arguments::arguments;

/// A file with one kernel.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its text.
    pub text: String,
    /// Values of its symbols that satisfy its facts.
    pub sizes: BTreeMap<String, i64>,
    /// The number of deliberate mistakes.
    pub slips: u32,
}

/// The values of a kernel's symbols, from values by name; `None` where one has no value.
pub fn sizes(kernel: &Kernel, values: &BTreeMap<String, i64>) -> Option<BTreeMap<Symbol, i64>> {
    kernel.symbols.iter().map(|symbol| Some((symbol.clone(), *values.get(symbol.name())?))).collect()
}

/// The kernel for a seed, meant to be correct.
pub fn right(seed: u64) -> Source {
    Writer::new(seed, 0).write()
}

/// The kernel for a seed, with deliberate mistakes at some places.
pub fn with_slips(seed: u64) -> Source {
    Writer::new(seed, 5).write()
}

/// A size and its value in this run.
#[derive(Clone, Debug, PartialEq)]
struct Size {
    /// Its text, which reads as one operand.
    text: String,
    value: i64,
    constant: bool,
}

impl Size {
    fn constant(value: i64) -> Size {
        Size { text: value.to_string(), value, constant: true }
    }
}

/// A view or a directly indexed tensor.
#[derive(Clone, Debug)]
struct Place {
    name: String,
    element: ElementType,
    /// The extents of its indices.
    extents: Vec<Size>,
}

/// A named number.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    element: ElementType,
    mutable: bool,
}

/// A variable with a value in `0..extent`.
#[derive(Clone, Debug)]
struct Ranged {
    text: String,
    extent: Size,
}

struct Writer {
    draw: Draw,
    /// The probability of a mistake at each place, in percent.
    slip_chance: u64,
    slips: u32,
    symbols: Vec<(String, i64)>,
    facts: Vec<String>,
    params: Vec<String>,
    variables: Vec<Variable>,
    ranged: Vec<Ranged>,
    /// The places that may be read.
    places: Vec<Place>,
    /// The places that the thread may write anywhere.
    owned: Vec<Place>,
    /// The loops around, one step at a time.
    loops: u32,
    names: u32,
    /// The number of statements that may still be added.
    budget: u32,
    /// The element type of most expressions.
    theme: ElementType,
}

impl Writer {
    fn new(seed: u64, slip_chance: u64) -> Writer {
        let mut draw = Draw::new(seed);
        let theme = draw.pick(&ElementType::ALL);
        Writer {
            draw,
            slip_chance,
            slips: 0,
            symbols: Vec::new(),
            facts: Vec::new(),
            params: Vec::new(),
            variables: Vec::new(),
            ranged: Vec::new(),
            places: Vec::new(),
            owned: Vec::new(),
            loops: 0,
            names: 0,
            budget: 10,
            theme,
        }
    }

    fn write(mut self) -> Source {
        for _ in 0..self.draw.below(3) {
            let (name, element) = (self.fresh("a"), self.element());
            self.params.push(format!("{name}: {element}"));
            self.variables.push(Variable { name, element, mutable: false });
        }
        let (clauses, body) = match self.draw.below(10) {
            0..=4 => self.thread_views(),
            5 => self.nested_views(),
            6..=8 => self.grid_loop(),
            _ => self.one_thread(),
        };
        let mut text = String::new();
        if !self.symbols.is_empty() {
            let names: Vec<&str> = self.symbols.iter().map(|(name, _)| name.as_str()).collect();
            text = format!("dim {}", names.join(", "));
            if !self.facts.is_empty() {
                text += &format!(" where {}", self.facts.join(", "));
            }
            text += ";\n";
        }
        text += &format!("kernel k({}){clauses} {{\n{body}}}\n", self.params.join(", "));
        Source { text, sizes: self.symbols.into_iter().collect(), slips: self.slips }
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}_{}", self.names)
    }

    /// Whether to make a mistake here.
    fn slip(&mut self) -> bool {
        let made = self.slip_chance > 0 && self.draw.chance(self.slip_chance);
        self.slips += u32::from(made);
        made
    }

    /// Mostly the theme.
    fn element(&mut self) -> ElementType {
        match self.draw.below(10) {
            0..=5 => self.theme,
            6 => ElementType::F32,
            7 => ElementType::I64,
            _ => self.draw.pick(&ElementType::ALL),
        }
    }

    /// A size of this value: a constant, or a new symbol.
    fn size(&mut self, value: i64, symbolic_percent: u64) -> Size {
        if !self.draw.chance(symbolic_percent) {
            return Size::constant(value);
        }
        let text = self.fresh("N");
        self.symbols.push((text.clone(), value));
        Size { text, value, constant: false }
    }

    /// The product of some sizes.
    fn product(&self, sizes: &[Size]) -> Size {
        let value = sizes.iter().map(|size| size.value).product();
        if sizes.iter().all(|size| size.constant) {
            return Size::constant(value);
        }
        let factors: Vec<&str> = sizes.iter().map(|size| size.text.as_str()).collect();
        match factors.as_slice() {
            [only] => Size { text: (*only).to_owned(), value, constant: false },
            _ => Size { text: format!("({})", factors.join(" * ")), value, constant: false },
        }
    }

    /// The sum of a size and a number.
    fn plus(&self, size: &Size, number: i64) -> Size {
        let value = size.value + number;
        match (size.constant, number) {
            (_, 0) => size.clone(),
            (true, _) => Size::constant(value),
            (false, _) if number > 0 => Size { text: format!("({} + {number})", size.text), value, constant: false },
            _ => Size { text: format!("({} - {})", size.text, -number), value, constant: false },
        }
    }

    /// A tensor parameter; a slip makes one of its dimensions too small by one.
    fn tensor(&mut self, prefix: &str, element: ElementType, shape: &[Size], written: bool) -> String {
        let name = self.fresh(prefix);
        let mut shape = shape.to_vec();
        if self.slip() {
            let place = self.draw.below(shape.len() as u64) as usize;
            if shape[place].value > 1 {
                shape[place] = self.plus(&shape[place].clone(), -1);
            }
        }
        let dims: Vec<&str> = shape.iter().map(|dim| dim.text.as_str()).collect();
        let strides = match shape.as_slice() {
            [_, columns] if self.draw.chance(15) => format!(" strided [{} + 3, 1]", columns.text),
            [rows, _] if self.draw.chance(10) => format!(" strided [1, {} + 1]", rows.text),
            [_] if self.draw.chance(8) => " strided [2]".to_owned(),
            _ => String::new(),
        };
        let word = if written { "mut " } else { "" };
        self.params.push(format!("{name}: {word}{element}[{}]{strides}", dims.join(", ")));
        name
    }

    /// Tensors that every thread may read anywhere, with indices in range.
    fn add_inputs(&mut self, extents: &[Size]) {
        for _ in 0..1 + self.draw.below(2) {
            let element = self.element();
            let rank = 1 + self.draw.below(3) as usize;
            let shape: Vec<Size> = (0..rank)
                .map(|_| {
                    if extents.is_empty() || self.draw.chance(40) {
                        let value = self.draw.between(1, 6);
                        self.size(value, 30)
                    } else {
                        self.draw.pick(extents)
                    }
                })
                .collect();
            let name = self.tensor("x", element, &shape, false);
            self.places.push(Place { name, element, extents: shape });
        }
    }
}
