//! The programs in our notation.

use elements::ElementType;

use super::program::*;

/// The text of a file with the program as its one kernel.
pub fn text(program: &Program) -> String {
    let Program { source, target, load, store, .. } = program;
    let symbols: Vec<String> = program.symbols().iter().map(|symbol| format!("S{symbol}")).collect();
    let mut text = String::new();
    if !symbols.is_empty() {
        let facts = program.symbols().into_iter().filter(|symbol| program.multiples[*symbol] > 1);
        let facts: Vec<String> =
            facts.map(|symbol| format!("S{symbol} % {} == 0", program.multiples[symbol])).collect();
        let facts = if facts.is_empty() { String::new() } else { format!(" where {}", facts.join(", ")) };
        text = format!("dim {}{facts};\n", symbols.join(", "));
    }
    let mutable = if program.is_constant { "" } else { "mut " };
    let iterators = listed(&(0..target.tile.len()).map(|dimension| format!("i{dimension}")).collect::<Vec<_>>());
    let iterators = if target.tile.len() == 1 { iterators } else { format!("({iterators})") };
    text + &format!(
        "kernel k(x: {}, y: {mutable}{}) {{\n    view p = partition(x, [{}]);\n    view q = partition(y, [{}]);\n    \
         for {iterators} in grid(q.index_space) {{\n        let a = {};\n        {}\n    }}\n}}\n",
        tensor(source),
        tensor(target),
        listed(&source.tile),
        listed(&target.tile),
        loaded(load),
        stored(store, &expression(&program.value)),
    )
}

fn tensor(view: &View) -> String {
    let extents = view.extents.iter().map(|extent| match extent {
        Extent::Known(value) => value.to_string(),
        Extent::Symbol(symbol) => format!("S{symbol}"),
    });
    format!("{}[{}]", view.element.name(), listed(&extents.collect::<Vec<_>>()))
}

fn listed<T: ToString>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

fn index(index: &[Index]) -> Vec<String> {
    let place = |place: &Index| match place {
        Index::Block { dimension, offset: 0 } => format!("i{dimension}"),
        Index::Block { dimension, offset } => format!("i{dimension} + {offset}"),
        Index::Constant(value) => value.to_string(),
        Index::Fraction => "1.5".to_owned(),
        Index::Tile => "zeros(i32[2])".to_owned(),
    };
    index.iter().map(place).collect()
}

fn loaded(load: &Load) -> String {
    let mut arguments = index(&load.index);
    let member = match (load.masked, load.atomic) {
        (None, None) => "load",
        (Some(_), None) => "load_masked",
        (None, Some(_)) => "atomic_load",
        (Some(_), Some(_)) => "atomic_load_masked",
    };
    arguments.extend(load.masked.map(|padding| {
        let word = match padding {
            Padding::Zero => "zero",
            Padding::NegativeZero => "negative_zero",
            Padding::PositiveInfinity => "positive_inf",
            Padding::NegativeInfinity => "negative_inf",
            Padding::Nan => "nan",
        };
        format!("pad: {word}")
    }));
    arguments.extend(load.atomic.into_iter().flat_map(|(order, scope)| order_and_scope(order, scope)));
    format!("p.{member}({})", arguments.join(", "))
}

fn stored(store: &Store, value: &str) -> String {
    let mut arguments = vec![value.to_owned()];
    arguments.extend(index(&store.index));
    let member = match store.atomic {
        None => "store",
        Some((update, ..)) => match update {
            Update::Store => "atomic_store",
            Update::Add => "atomic_add",
            Update::Min => "atomic_min",
            Update::Max => "atomic_max",
            Update::And => "atomic_and",
            Update::Or => "atomic_or",
            Update::Xor => "atomic_xor",
        },
    };
    arguments.extend(store.atomic.into_iter().flat_map(|(_, order, scope)| order_and_scope(order, scope)));
    let masked = if store.masked { "_masked" } else { "" };
    format!("q.{member}{masked}({});", arguments.join(", "))
}

fn order_and_scope(order: Order, scope: Scope) -> [String; 2] {
    let order = match order {
        Order::Relaxed => "relaxed",
        Order::Acquire => "acquire",
        Order::Release => "release",
        Order::AcquireRelease => "acq_rel",
    };
    let scope = match scope {
        Scope::Block => "block",
        Scope::Device => "device",
        Scope::System => "system",
    };
    [format!("order: {order}"), format!("scope: {scope}")]
}

fn number(element: ElementType, value: i64) -> String {
    match element {
        ElementType::Bool => (value != 0).to_string(),
        float if float.is_float() => format!("{value}.0"),
        _ => value.to_string(),
    }
}

fn expression(expr: &Expr) -> String {
    match expr {
        Expr::Loaded => "a".to_owned(),
        Expr::Number(element, value) => format!("{}({})", element.name(), number(*element, *value)),
        Expr::Full(element, shape, value) => {
            format!("full({}[{}], {})", element.name(), listed(shape), number(*element, *value))
        }
        Expr::Iota(element, shape) => format!("iota({}[{}])", element.name(), listed(shape)),
        Expr::Apply(function, inner) => {
            let word = match function {
                Function::Negate => "-",
                Function::Absolute => "abs",
                Function::Exponential => "exp",
                Function::SquareRoot => "sqrt",
                Function::Floor => "floor",
            };
            format!("({word}({}))", expression(inner))
        }
        Expr::Binary(operator, left, right) => {
            let (left, right) = (expression(left), expression(right));
            let sign = match operator {
                Operator::Min => return format!("min({left}, {right})"),
                Operator::Max => return format!("max({left}, {right})"),
                Operator::And => return format!("bit_and({left}, {right})"),
                Operator::Or => return format!("bit_or({left}, {right})"),
                Operator::Xor => return format!("bit_xor({left}, {right})"),
                Operator::Add => "+",
                Operator::Subtract => "-",
                Operator::Multiply => "*",
                Operator::Divide => "/",
                Operator::Remainder => "%",
                Operator::Greater => ">",
            };
            format!("({left} {sign} {right})")
        }
        Expr::Select(condition, then, otherwise) => {
            format!("select({}, {}, {})", expression(condition), expression(then), expression(otherwise))
        }
        Expr::Cast(element, inner) => format!("{}({})", element.name(), expression(inner)),
        Expr::Permute(order, inner) => format!("({}).permute({})", expression(inner), listed(order)),
        Expr::Reshape(shape, inner) => format!("({}).reshape([{}])", expression(inner), listed(shape)),
        Expr::Reduce(reduction, dimension, inner) => {
            let word = match reduction {
                Reduction::Sum => "sum",
                Reduction::Product => "prod",
                Reduction::Min => "min",
                Reduction::Max => "max",
                Reduction::ArgMin => "argmin",
                Reduction::ArgMax => "argmax",
                Reduction::Any => "any",
                Reduction::All => "all",
            };
            format!("({}).{word}({dimension}, keep: true)", expression(inner))
        }
        Expr::Scan(scan, dimension, inner) => {
            let word = match scan {
                Scan::Sum => "cumsum",
                Scan::Product => "cumprod",
            };
            format!("({}).{word}({dimension})", expression(inner))
        }
        Expr::Join(dimension, left, right) => {
            format!("cat([{}, {}], {dimension})", expression(left), expression(right))
        }
        Expr::Product(left, right, None) => format!("matmul({}, {})", expression(left), expression(right)),
        Expr::Product(left, right, Some(sum)) => {
            format!("mma({}, {}, {})", expression(left), expression(right), expression(sum))
        }
    }
}
