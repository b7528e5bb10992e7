//! Random expressions over tiles, each with its text in the language and in numpy.

use elements::ElementType;
use seeds::Draw;

/// An expression over tiles.
#[derive(Clone)]
pub struct Expression {
    /// Its text in the language.
    pub ours: String,
    /// Its text in numpy, where `bf16` is held in `float32`.
    pub numpy: String,
    pub shape: Vec<usize>,
    pub element: ElementType,
    /// An upper limit on the absolute values of its elements other than infinities, all of which are integers. `None`: any
    /// numbers.
    most: Option<f64>,
}

/// What expressions are made of.
pub struct Generator<'d> {
    pub draw: &'d mut Draw,
    /// The tiles that are loaded.
    pub tiles: Vec<Expression>,
}

impl Expression {
    /// A loaded tile whose elements are small integers.
    pub fn loaded(name: &str, shape: &[usize], element: ElementType, most: f64) -> Expression {
        Expression { ours: name.to_owned(), numpy: name.to_owned(), shape: shape.to_vec(), element, most: Some(most) }
    }

    fn is_float(&self) -> bool {
        self.element.is_float()
    }

    /// The numpy text of an operation that gives this type, with its result rounded as the language does.
    fn rounded(element: ElementType, numpy: String) -> String {
        match element {
            ElementType::Bf16 => format!("bf16({numpy})"),
            _ => numpy,
        }
    }
}

/// The largest integer up to which a type has all integers; integers wrap, so for them there is no limit.
fn exact_up_to(element: ElementType) -> f64 {
    match element {
        ElementType::Bf16 => 256.0,
        ElementType::F16 => 2048.0,
        ElementType::F32 => 16_777_216.0,
        ElementType::F64 => 9_007_199_254_740_992.0,
        _ => f64::INFINITY,
    }
}

/// The elements of the largest tile that is reduced: a block has memory for a few such tiles of any type.
const MOST_ELEMENTS: usize = 4096;

fn list(values: &[usize]) -> String {
    values.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

/// A tuple of Python, also of one element.
fn tuple(values: &[usize]) -> String {
    format!("({},)", list(values))
}

impl Generator<'_> {
    /// An expression of this shape and type.
    pub fn expression(&mut self, depth: usize, shape: &[usize], element: ElementType) -> Expression {
        if depth == 0 {
            return self.leaf(shape, element);
        }
        let depth = depth - 1;
        match self.draw.index(13) {
            0..=2 => self.arithmetic(depth, shape, element),
            3 => self.of_one(depth, shape, element),
            4 => self.select(depth, shape, element),
            5 => self.reduced(depth, shape, element),
            6 => self.running(depth, shape, element),
            7 => self.permuted(depth, shape, element),
            8 => self.reshaped(depth, shape, element),
            9 => self.part(depth, shape, element),
            10 => self.joined(depth, shape, element),
            11 => self.product(depth, shape, element),
            _ => self.converted(depth, shape, element),
        }
    }

    fn leaf(&mut self, shape: &[usize], element: ElementType) -> Expression {
        let fits = |tile: &&Expression| tile.shape == shape && tile.element == element;
        let fitting: Vec<Expression> = self.tiles.iter().filter(fits).cloned().collect();
        if !fitting.is_empty() && self.draw.chance(70) {
            return self.draw.pick(&fitting);
        }
        let (name, count) = (element.name(), shape.iter().product::<usize>());
        let dtype = dtype(element);
        let (ours, numpy, most) = if self.draw.chance(50) && (2..=64).contains(&count) {
            let numbers = format!("np.arange({count}).reshape({}).astype({dtype})", tuple(shape));
            (format!("iota({name}[{}])", list(shape)), numbers, count as f64)
        } else {
            let value = 1 + self.draw.index(3);
            let text = if element.is_float() { format!("{value}.0") } else { value.to_string() };
            let numpy = format!("np.full({}, {value}, {dtype})", tuple(shape));
            (format!("full({name}[{}], {text})", list(shape)), numpy, value as f64)
        };
        Expression { ours, numpy, shape: shape.to_vec(), element, most: Some(most) }
    }

    fn arithmetic(&mut self, depth: usize, shape: &[usize], element: ElementType) -> Expression {
        let left = self.expression(depth, shape, element);
        let mut narrow = shape.to_vec();
        if self.draw.chance(30) {
            let place = self.draw.index(shape.len());
            narrow[place] = 1;
        }
        let right = self.expression(depth, &narrow, element);
        let operations: &[&str] = match element.is_float() {
            true => &["+", "-", "*", "min", "max", "/"],
            false => &["+", "-", "*", "min", "max", "/", "%", "bit_and", "bit_or", "bit_xor"],
        };
        let operation = self.draw.pick(operations);
        let (l, r) = (&left.ours, &right.ours);
        let (nl, nr) = (&left.numpy, &right.numpy);
        let one = if element.is_float() { "1.0" } else { "1" };
        let (ours, numpy) = match operation {
            "min" | "max" => (format!("{operation}({l}, {r})"), format!("np.f{operation}({nl}, {nr})")),
            // A zero has a sign, by which a quotient of it would differ.
            "/" if element.is_float() => {
                let one_of_type = format!("{}(1)", dtype(element));
                let divisor = Expression::rounded(element, format!("(np.abs({nr}) + {one_of_type})"));
                (format!("({l} / (abs({r}) + {one}))"), format!("({nl} / {divisor})"))
            }
            "/" | "%" => {
                let name = if operation == "/" { "quotient" } else { "remainder" };
                (format!("({l} {operation} {r})"), format!("{name}({nl}, {nr})"))
            }
            "bit_and" | "bit_or" | "bit_xor" => {
                let operator = match operation {
                    "bit_and" => "&",
                    "bit_or" => "|",
                    _ => "^",
                };
                (format!("{operation}({l}, {r})"), format!("({nl} {operator} {nr})"))
            }
            _ => (format!("({l} {operation} {r})"), format!("({nl} {operation} {nr})")),
        };
        let most = left.most.zip(right.most).and_then(|(left, right)| match operation {
            "+" | "-" => Some(left + right),
            "*" => Some(left * right),
            "min" | "max" => Some(left.max(right)),
            "/" if element.is_float() => None,
            _ => Some(left + right),
        });
        let most = most.filter(|most| *most <= exact_up_to(element));
        let numpy = Expression::rounded(element, numpy);
        Expression { ours, numpy, shape: shape.to_vec(), element, most }
    }

    fn of_one(&mut self, depth: usize, shape: &[usize], element: ElementType) -> Expression {
        let inner = self.expression(depth, shape, element);
        let (o, n) = (&inner.ours, &inner.numpy);
        let has_sign = element.is_signed() || element.is_float();
        let choices: &[&str] = match (element.is_float(), has_sign) {
            (true, _) => &["-", "abs", "sqrt", "floor", "ceil", "round"],
            (false, true) => &["-", "abs"],
            (false, false) => return inner,
        };
        let choice = self.draw.pick(choices);
        let (ours, numpy) = match choice {
            "-" => (format!("(-{o})"), format!("(-{n})")),
            "round" => (format!("round({o})"), format!("np.rint({n})")),
            _ => (format!("{choice}({o})"), format!("np.{choice}({n})")),
        };
        let most = inner.most.filter(|_| choice != "sqrt");
        Expression { ours, numpy: Expression::rounded(element, numpy), shape: shape.to_vec(), element, most }
    }

    fn select(&mut self, depth: usize, shape: &[usize], element: ElementType) -> Expression {
        let [left, right] = [0, 1].map(|_| self.expression(depth.saturating_sub(1), shape, element));
        let [then, otherwise] = [0, 1].map(|_| self.expression(depth, shape, element));
        let operator = self.draw.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let condition = format!("{} {operator} {}", left.ours, right.ours);
        let ours = format!("select({condition}, {}, {})", then.ours, otherwise.ours);
        let (nl, nr) = (&left.numpy, &right.numpy);
        let numpy = format!("np.where({nl} {operator} {nr}, {}, {})", then.numpy, otherwise.numpy);
        let most = then.most.zip(otherwise.most).map(|(then, otherwise)| then.max(otherwise));
        Expression { ours, numpy, shape: shape.to_vec(), element, most }
    }

    fn reduced(&mut self, depth: usize, shape: &[usize], element: ElementType) -> Expression {
        let place = self.draw.index(shape.len() + usize::from(shape.len() < 3));
        let extent = self.draw.pick(&[1, 2, 3, 5, 8, 33, 40]);
        let keeps = place < shape.len() && shape[place] == 1;
        let mut larger = shape.to_vec();
        if keeps {
            larger[place] = extent;
        } else if shape.len() < 3 {
            larger.insert(place, extent);
        } else {
            return self.arithmetic(depth, shape, element);
        }
        if larger.iter().product::<usize>() > MOST_ELEMENTS {
            return self.arithmetic(depth, shape, element);
        }
        let inner = self.expression(depth, &larger, element);
        let sum = inner.most.map(|most| most * extent as f64).filter(|most| *most <= exact_up_to(element));
        let word = match (sum, self.draw.index(4)) {
            (Some(_), 0 | 1) => "sum",
            (_, 2) => "max",
            _ => "min",
        };
        let (kept, keepdims) = if keeps { (", keep: true", ", keepdims=True") } else { ("", "") };
        let ours = format!("({}).{word}({place}{kept})", inner.ours);
        let numpy = match word {
            "sum" => format!("({}).sum({place}, dtype={}{keepdims})", inner.numpy, dtype(element)),
            _ => format!("np.f{word}.reduce({}, {place}{keepdims})", inner.numpy),
        };
        let most = if word == "sum" { sum } else { inner.most };
        Expression { ours, numpy, shape: shape.to_vec(), element, most }
    }

    fn running(&mut self, depth: usize, shape: &[usize], element: ElementType) -> Expression {
        let place = self.draw.index(shape.len());
        let inner = self.expression(depth, shape, element);
        let Some(most) = inner.most.map(|most| most * shape[place] as f64).filter(|most| *most <= exact_up_to(element))
        else {
            return inner;
        };
        let ours = format!("({}).cumsum({place})", inner.ours);
        let dtype = dtype(element);
        let numpy = format!("np.cumsum({}, {place}, dtype={dtype})", inner.numpy);
        Expression { ours, numpy, shape: shape.to_vec(), element, most: Some(most) }
    }

    fn permuted(&mut self, depth: usize, shape: &[usize], element: ElementType) -> Expression {
        let mut order: Vec<usize> = (0..shape.len()).collect();
        self.draw.shuffle(&mut order);
        let mut source = vec![0; shape.len()];
        order.iter().zip(shape).for_each(|(dimension, extent)| source[*dimension] = *extent);
        let inner = self.expression(depth, &source, element);
        let ours = format!("({}).permute({})", inner.ours, list(&order));
        let numpy = format!("({}).transpose({})", inner.numpy, list(&order));
        Expression { ours, numpy, shape: shape.to_vec(), ..inner }
    }

    fn reshaped(&mut self, depth: usize, shape: &[usize], element: ElementType) -> Expression {
        let count = shape.iter().product();
        let source = if self.draw.chance(50) { vec![count] } else { vec![1, count] };
        let inner = self.expression(depth, &source, element);
        let ours = format!("({}).reshape([{}])", inner.ours, list(shape));
        let numpy = format!("({}).reshape({})", inner.numpy, tuple(shape));
        Expression { ours, numpy, shape: shape.to_vec(), ..inner }
    }

    fn part(&mut self, depth: usize, shape: &[usize], element: ElementType) -> Expression {
        let starts: Vec<usize> = shape.iter().map(|_| self.draw.index(3)).collect();
        let larger: Vec<usize> =
            shape.iter().zip(&starts).map(|(extent, start)| extent + start + self.draw.index(2)).collect();
        let inner = self.expression(depth, &larger, element);
        let ends = || shape.iter().zip(&starts).map(|(extent, start)| (start, start + extent));
        let ranges: Vec<String> = ends().map(|(start, end)| format!("{start}..{end}")).collect();
        let slices: Vec<String> = ends().map(|(start, end)| format!("{start}:{end}")).collect();
        let ours = format!("({})[{}]", inner.ours, ranges.join(", "));
        let numpy = format!("({})[{}]", inner.numpy, slices.join(", "));
        Expression { ours, numpy, shape: shape.to_vec(), ..inner }
    }

    fn joined(&mut self, depth: usize, shape: &[usize], element: ElementType) -> Expression {
        let place = self.draw.index(shape.len());
        if shape[place] == 1 {
            return self.select(depth, shape, element);
        }
        let first = 1 + self.draw.index(shape[place] - 1);
        let parts = [first, shape[place] - first].map(|extent| {
            let mut part = shape.to_vec();
            part[place] = extent;
            self.expression(depth, &part, element)
        });
        let ours = format!("cat([{}, {}], {place})", parts[0].ours, parts[1].ours);
        let numpy = format!("np.concatenate([{}, {}], {place})", parts[0].numpy, parts[1].numpy);
        let most = parts[0].most.zip(parts[1].most).map(|(one, other)| one.max(other));
        Expression { ours, numpy, shape: shape.to_vec(), element, most }
    }

    fn product(&mut self, depth: usize, shape: &[usize], element: ElementType) -> Expression {
        let inner = self.draw.pick(&[1, 2, 3, 7, 16]);
        let factor = match element {
            ElementType::I32 => self.draw.pick(&[ElementType::I8, ElementType::U8]),
            ElementType::F16 | ElementType::F64 => element,
            ElementType::F32 => self.draw.pick(&[ElementType::F32, ElementType::F16, ElementType::Bf16]),
            _ => return self.arithmetic(depth, shape, element),
        };
        let [batch @ .., rows, columns] = shape else { return self.arithmetic(depth, shape, element) };
        let shape_of = |extents: [usize; 2]| batch.iter().copied().chain(extents).collect::<Vec<usize>>();
        let left = self.expression(depth.saturating_sub(1), &shape_of([*rows, inner]), factor);
        let right = self.expression(depth.saturating_sub(1), &shape_of([inner, *columns]), factor);
        let sum = self.expression(depth, shape, element);
        let all = [left.most, right.most, sum.most];
        let most = match all {
            _ if element == ElementType::I32 => Some(f64::INFINITY),
            [Some(left), Some(right), Some(sum)] => Some(left * right * inner as f64 + sum),
            _ => None,
        };
        let Some(most) = most.filter(|most| *most <= exact_up_to(element)) else { return sum };
        let ours = format!("mma({}, {}, {})", left.ours, right.ours, sum.ours);
        let wide = dtype(element);
        let numpy = format!("product({}, {}, {}, {wide})", left.numpy, right.numpy, sum.numpy);
        Expression { ours, numpy, shape: shape.to_vec(), element, most: Some(most) }
    }

    fn converted(&mut self, depth: usize, shape: &[usize], element: ElementType) -> Expression {
        let from = self.draw.pick(&ElementType::ALL);
        if from == ElementType::Bool || from == element || !is_known(from) {
            return self.arithmetic(depth, shape, element);
        }
        let inner = self.expression(depth, shape, from);
        // A number that numpy would round twice is left alone.
        let limit =
            if element == ElementType::Bf16 { exact_up_to(ElementType::F32) } else { exact_up_to(ElementType::F64) };
        let rounds_once = !element.is_float() || inner.most.is_some_and(|most| most <= limit);
        if !rounds_once || (inner.is_float() && inner.most.is_none()) {
            return self.leaf(shape, element);
        }
        let ours = format!("{}({})", element.name(), inner.ours);
        let numpy = match element {
            ElementType::Bf16 => format!("bf16(({}).astype(np.float32))", inner.numpy),
            _ => format!("converted({}, {})", inner.numpy, dtype(element)),
        };
        let most = match element.is_float() {
            true => inner.most.filter(|most| *most <= exact_up_to(element)),
            false => Some(f64::INFINITY),
        };
        Expression { ours, numpy, shape: shape.to_vec(), element, most }
    }
}

/// Whether the script knows the type.
pub fn is_known(element: ElementType) -> bool {
    element.is_integer()
        || matches!(element, ElementType::F16 | ElementType::Bf16 | ElementType::F32 | ElementType::F64)
}

/// The type of the arrays that hold its numbers in the script.
pub fn dtype(element: ElementType) -> String {
    match element {
        ElementType::F16 => "np.float16".to_owned(),
        ElementType::Bf16 | ElementType::F32 => "np.float32".to_owned(),
        ElementType::F64 => "np.float64".to_owned(),
        _ if element.is_signed() => format!("np.int{}", 8 * element.size_bytes()),
        _ => format!("np.uint{}", 8 * element.size_bytes()),
    }
}
