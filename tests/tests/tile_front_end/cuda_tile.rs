//! The programs in CUDA Tile C++, each on a line of its own.

use elements::ElementType;

use super::program::*;
use super::rules::our_element;

/// What stands before the programs.
pub const HEAD: &str = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuda_fp8.h>\n\
     #include <cuda_tile.h>\n\
     namespace ct = ::cuda::tiles; using namespace ct::literals;\n";

/// The line of a program, whose kernel has this number.
pub fn line(program: &Program, number: usize) -> String {
    let Program { source, target, load, store, .. } = program;
    let sizes: String = program.symbols().iter().map(|symbol| format!(", int S{symbol}")).collect();
    let blocks = (0..target.tile.len()).map(|dimension| {
        let axis = ["x", "y", "z"][dimension % 3];
        format!("int i{dimension} = ct::bid().{axis}; ")
    });
    format!(
        "__tile_global__ void k{number}(const {}* x, {}{}* y{sizes}) {{ {} {} {}auto a = {}; {} }}\n",
        name(source.element),
        if program.is_constant { "const " } else { "" },
        name(target.element),
        view("x", "p", source),
        view("y", "q", target),
        blocks.collect::<String>(),
        loaded(load),
        stored(store, &Writer { program }.expression(&program.value)),
    )
}

/// The C++ name of an element type.
fn name(element: ElementType) -> &'static str {
    match element {
        ElementType::I8 => "signed char",
        ElementType::U8 => "unsigned char",
        ElementType::I16 => "short",
        ElementType::U16 => "unsigned short",
        ElementType::I32 => "int",
        ElementType::U32 => "unsigned",
        ElementType::I64 => "long long",
        ElementType::U64 => "unsigned long long",
        ElementType::E4m3 => "__nv_fp8_e4m3",
        ElementType::E5m2 => "__nv_fp8_e5m2",
        ElementType::F16 => "__half",
        ElementType::Bf16 => "__nv_bfloat16",
        ElementType::F32 => "float",
        ElementType::F64 => "double",
        ElementType::Bool => "bool",
    }
}

fn view(tensor: &str, partition: &str, view: &View) -> String {
    let extents = view.extents.iter().map(|extent| match extent {
        Extent::Known(value) => format!("{value}_ic"),
        Extent::Symbol(symbol) => format!("S{symbol}"),
    });
    let extents = extents.collect::<Vec<_>>().join(", ");
    let tile = listed(view.tile.iter().map(|extent| format!("{extent}_ic")));
    format!(
        "ct::tensor_span t{tensor}{{{tensor}, ct::extents{{{extents}}}}}; \
         ct::partition_view {partition}{{t{tensor}, ct::shape{{{tile}}}}};"
    )
}

fn listed(values: impl Iterator<Item = String>) -> String {
    values.collect::<Vec<_>>().join(", ")
}

fn shape(shape: &[i64]) -> String {
    format!("ct::shape<{}>", listed(shape.iter().map(i64::to_string)))
}

fn index(index: &[Index]) -> Vec<String> {
    let place = |place: &Index| match place {
        Index::Block { dimension, offset } => format!("i{dimension} + {offset}"),
        Index::Constant(value) => value.to_string(),
        Index::Fraction => "1.5f".to_owned(),
        Index::Tile => "ct::zeros<ct::tile<int, ct::shape<2>>>()".to_owned(),
    };
    index.iter().map(place).collect()
}

fn loaded(load: &Load) -> String {
    let mut arguments: Vec<String> = load
        .masked
        .iter()
        .map(|padding| {
            let word = match padding {
                Padding::Zero => "zero",
                Padding::NegativeZero => "negative_zero",
                Padding::PositiveInfinity => "positive_inf",
                Padding::NegativeInfinity => "negative_inf",
                Padding::Nan => "nan",
            };
            format!("ct::view_padding_{word}_t{{}}")
        })
        .collect();
    arguments.extend(load.atomic.into_iter().flat_map(|(order, scope)| order_and_scope(order, scope)));
    arguments.extend(index(&load.index));
    let atomic = if load.atomic.is_some() { "atomic_" } else { "" };
    let masked = if load.masked.is_some() { "_masked" } else { "" };
    format!("p.{atomic}load{masked}({})", arguments.join(", "))
}

fn stored(store: &Store, value: &str) -> String {
    let mut arguments = vec![value.to_owned()];
    arguments.extend(store.atomic.into_iter().flat_map(|(_, order, scope)| order_and_scope(order, scope)));
    arguments.extend(index(&store.index));
    let member = match store.atomic.map(|(update, ..)| update) {
        None => "store",
        Some(Update::Store) => "atomic_store",
        Some(Update::Add) => "atomic_add",
        Some(Update::Min) => "atomic_min",
        Some(Update::Max) => "atomic_max",
        Some(Update::And) => "atomic_and",
        Some(Update::Or) => "atomic_or",
        Some(Update::Xor) => "atomic_xor",
    };
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
    [format!("ct::memory_order_{order}_t{{}}"), format!("ct::thread_scope_{scope}_t{{}}")]
}

struct Writer<'p> {
    program: &'p Program,
}

impl Writer<'_> {
    /// An expression, converted to the type that it has in our notation where C++ gives it another one.
    fn expression(&self, expr: &Expr) -> String {
        let text = self.unconverted(expr);
        let is_promoted = match expr {
            Expr::Binary(operator, ..) => *operator != Operator::Greater,
            Expr::Apply(Function::Negate | Function::Absolute, _) => true,
            // A place is unsigned in CUDA Tile.
            Expr::Reduce(Reduction::ArgMin | Reduction::ArgMax, ..) => return format!("ct::element_cast<int>({text})"),
            Expr::Product(.., None) => true,
            _ => false,
        };
        match our_element(self.program, expr) {
            Some(element) if is_promoted => format!("ct::element_cast<{}>({text})", name(element)),
            _ => text,
        }
    }

    fn unconverted(&self, expr: &Expr) -> String {
        match expr {
            Expr::Loaded => "a".to_owned(),
            Expr::Number(element, value) => format!("{}", Number(*element, *value)),
            Expr::Full(element, extents, value) => {
                let (name, number) = (name(*element), Number(*element, *value));
                format!("ct::full<ct::tile<{name}, {}>>({number})", shape(extents))
            }
            Expr::Iota(element, extents) => format!("ct::iota<ct::tile<{}, {}>>()", name(*element), shape(extents)),
            Expr::Apply(function, inner) => {
                let word = match function {
                    Function::Negate => "-",
                    Function::Absolute => "ct::abs",
                    Function::Exponential => "ct::exp",
                    Function::SquareRoot => "ct::sqrt",
                    Function::Floor => "ct::floor",
                };
                format!("({word}({}))", self.expression(inner))
            }
            Expr::Binary(operator, left, right) => self.binary(*operator, left, right),
            Expr::Select(condition, then, otherwise) => {
                let [condition, then, otherwise] = [condition, then, otherwise].map(|part| self.expression(part));
                format!("ct::select({condition}, {then}, {otherwise})")
            }
            Expr::Cast(element, inner) => format!("ct::element_cast<{}>({})", name(*element), self.expression(inner)),
            Expr::Permute(order, inner) => {
                let order = listed(order.iter().map(usize::to_string));
                format!("ct::permute({}, ct::dimension_map<{order}>{{}})", self.expression(inner))
            }
            Expr::Reshape(extents, inner) => format!("ct::reshape({}, {}{{}})", self.expression(inner), shape(extents)),
            Expr::Reduce(reduction, dimension, inner) => {
                let word = match reduction {
                    Reduction::Sum => "sum",
                    Reduction::Product => "prod",
                    Reduction::Min => "reduce_min",
                    Reduction::Max => "reduce_max",
                    Reduction::ArgMin => "min_element",
                    Reduction::ArgMax => "max_element",
                    Reduction::Any => "any_of",
                    Reduction::All => "all_of",
                };
                format!("ct::{word}({}, {dimension}_ic)", self.expression(inner))
            }
            Expr::Scan(scan, dimension, inner) => {
                let word = match scan {
                    Scan::Sum => "partial_sum",
                    Scan::Product => "partial_prod",
                };
                format!("ct::{word}({}, {dimension}_ic)", self.expression(inner))
            }
            Expr::Join(dimension, left, right) => {
                format!("ct::cat({}, {}, {dimension}_ic)", self.expression(left), self.expression(right))
            }
            Expr::Product(left, right, None) => {
                format!("ct::matmul({}, {})", self.expression(left), self.expression(right))
            }
            Expr::Product(left, right, Some(sum)) => {
                let [left, right, sum] = [left, right, sum].map(|part| self.expression(part));
                format!("ct::mma({left}, {right}, {sum})")
            }
        }
    }

    fn binary(&self, operator: Operator, left: &Expr, right: &Expr) -> String {
        let (left, right) = (self.expression(left), self.expression(right));
        let sign = match operator {
            Operator::Min => return format!("ct::min({left}, {right})"),
            Operator::Max => return format!("ct::max({left}, {right})"),
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
            Operator::And => "&",
            Operator::Or => "|",
            Operator::Xor => "^",
            Operator::Greater => ">",
        };
        format!("({left} {sign} {right})")
    }
}

/// A number of a type.
struct Number(ElementType, i64);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // An alias, since `unsigned char(2)` is no expression.
        write!(f, "static_cast<{}>({})", name(self.0), self.1)
    }
}
