//! Builds typed kernels for tests.

use std::collections::BTreeSet;
use std::sync::Arc;

use dims::{CompareOp, Fact, Facts, Sym, Symbol};
use elements::ElementType;
use kernel::Table;
use kernel::typed::{
    Access, Barrier, BinaryOp, Constant, Expr, ExprKind, Kernel, Launch, Local, LocalVariable, MathFunction, Memory,
    Param, ParamId, ParamKind, Residence, Scope, SharedArray, SharedId, Statement, StatementKind, UnaryOp, Waiting,
};
use maps::IndexMap;
use syntax::span::Span;

pub fn expr(element: ElementType, kind: ExprKind) -> Expr {
    Expr { kind, element }
}

pub fn int(value: i64) -> Expr {
    integer(ElementType::I64, value)
}

pub fn integer(element: ElementType, value: i64) -> Expr {
    expr(element, ExprKind::Constant(Constant::Int(value)))
}

pub fn float(element: ElementType, value: f64) -> Expr {
    expr(element, ExprKind::Constant(Constant::Float(value)))
}

pub fn size(size: &Sym) -> Expr {
    expr(ElementType::I64, ExprKind::Size(size.clone()))
}

pub fn block() -> Expr {
    expr(ElementType::I64, ExprKind::BlockId)
}

pub fn thread() -> Expr {
    expr(ElementType::I64, ExprKind::ThreadId)
}

pub fn local(element: ElementType, id: u32) -> Expr {
    expr(element, ExprKind::Local(Local(id)))
}

pub fn scalar(element: ElementType, id: u32) -> Expr {
    expr(element, ExprKind::Scalar(ParamId(id)))
}

pub fn binary(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    let element = if operator.gives_bool() { ElementType::Bool } else { left.element };
    expr(element, ExprKind::Binary(operator, Box::new(left), Box::new(right)))
}

pub fn add(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::Add, left, right)
}

pub fn subtract(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::Subtract, left, right)
}

pub fn multiply(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::Multiply, left, right)
}

pub fn divide(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::FloorDivide, left, right)
}

pub fn remainder(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::FloorRemainder, left, right)
}

pub fn less(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::Less, left, right)
}

pub fn and(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::And, left, right)
}

pub fn unary(operator: UnaryOp, operand: Expr) -> Expr {
    expr(operand.element, ExprKind::Unary(operator, Box::new(operand)))
}

pub fn cast(to: ElementType, operand: Expr) -> Expr {
    expr(to, ExprKind::Cast(Box::new(operand)))
}

pub fn math(function: MathFunction, arguments: Vec<Expr>) -> Expr {
    expr(arguments[0].element, ExprKind::Math(function, arguments))
}

pub fn select(condition: Expr, first: Expr, second: Expr) -> Expr {
    expr(first.element, ExprKind::Select(Box::new(condition), Box::new(first), Box::new(second)))
}

pub fn access(tensor: u32, offset: Expr, mask: Option<Expr>) -> Access {
    // The emitter reads the offset and the mask; the map is only for the interpreter.
    let map = IndexMap { upper: Vec::new(), terms: Vec::new(), lower: Vec::new(), masks: Vec::new() };
    Access {
        memory: Memory::Param(ParamId(tensor)),
        map: Arc::new(map),
        coordinates: Vec::new(),
        offset,
        mask,
        span: Span::default(),
    }
}

pub fn load(element: ElementType, tensor: u32, offset: Expr) -> Expr {
    expr(element, ExprKind::Load(Box::new(access(tensor, offset, None))))
}

pub fn load_masked(element: ElementType, tensor: u32, offset: Expr, mask: Expr) -> Expr {
    expr(element, ExprKind::Load(Box::new(access(tensor, offset, Some(mask)))))
}

pub fn statement(kind: StatementKind) -> Statement {
    Statement { kind, scope: Scope::Grid, span: Span::default() }
}

pub fn store(tensor: u32, offset: Expr, value: Expr) -> Statement {
    statement(StatementKind::Store { access: access(tensor, offset, None), value, is_async: false })
}

pub fn store_masked(tensor: u32, offset: Expr, mask: Expr, value: Expr) -> Statement {
    statement(StatementKind::Store { access: access(tensor, offset, Some(mask)), value, is_async: false })
}

pub fn in_shared(array: u32, offset: Expr) -> Access {
    Access { memory: Memory::Shared(SharedId(array)), ..access(0, offset, None) }
}

pub fn load_shared(element: ElementType, array: u32, offset: Expr) -> Expr {
    expr(element, ExprKind::Load(Box::new(in_shared(array, offset))))
}

pub fn store_shared(array: u32, offset: Expr, value: Expr) -> Statement {
    statement(StatementKind::Store { access: in_shared(array, offset), value, is_async: false })
}

pub fn barrier(waiting: Waiting) -> Statement {
    statement(StatementKind::Barrier(Barrier { waiting, before: Span::default(), after: Span::default() }))
}

pub fn assign(id: u32, value: Expr) -> Statement {
    statement(StatementKind::Assign { local: Local(id), value })
}

pub fn for_loop(id: u32, low: Expr, high: Expr, body: Vec<Statement>) -> Statement {
    statement(StatementKind::For { local: Local(id), low, high, body })
}

pub fn branch(condition: Expr, then: Vec<Statement>, otherwise: Vec<Statement>) -> Statement {
    statement(StatementKind::If { condition, then, otherwise })
}

pub fn symbol(name: &str) -> Sym {
    Sym::symbol(Symbol::new(name, 0))
}

pub fn cdiv(size: &Sym, tile: i64, facts: &Facts) -> Sym {
    size.cdiv(&Sym::constant(tile), facts).unwrap()
}

/// Builds a kernel step by step.
pub struct Builder {
    kernel: Kernel,
}

impl Builder {
    pub fn new(name: &str, blocks: Sym, threads: i64) -> Builder {
        let launch = Launch { cluster: 1, blocks, threads: Sym::constant(threads) };
        Builder {
            kernel: Kernel {
                name: name.into(),
                symbols: Vec::new(),
                facts: Facts::empty(),
                params: Table::default(),
                launch,
                collectives: Table::default(),
                shared: Table::default(),
                locals: Table::default(),
                body: Vec::new(),
                obligations: Vec::new(),
                must_fit: Vec::new(),
                exchanged: BTreeSet::new(),
            },
        }
    }

    pub fn symbols(mut self, names: &[&str]) -> Builder {
        self.kernel.symbols = names.iter().map(|name| Symbol::new(*name, 0)).collect();
        self
    }

    pub fn at_most(mut self, left: &Sym, right: i64) -> Builder {
        let fact = Fact::compare(left.clone(), CompareOp::Le, Sym::constant(right));
        self.kernel.facts.assume(fact).unwrap();
        self
    }

    pub fn scalar(mut self, name: &str, element: ElementType) -> Builder {
        let kind = ParamKind::Scalar;
        self.kernel.params.push(Param { name: name.into(), element, kind });
        self
    }

    pub fn tensor(mut self, name: &str, element: ElementType, mutable: bool, shape: &[Sym]) -> Builder {
        let strides = maps::row_major::strides(shape).unwrap();
        let kind = ParamKind::Tensor { mutable, shape: shape.to_vec(), strides };
        self.kernel.params.push(Param { name: name.into(), element, kind });
        self
    }

    pub fn local(mut self, name: &str, element: ElementType, mutable: bool) -> Builder {
        self.kernel.locals.push(LocalVariable { name: name.into(), element, mutable, range: None });
        self
    }

    pub fn shared(mut self, name: &str, element: ElementType, shape: &[i64], length: i64, cleared: bool) -> Builder {
        let (name, shape, span) = (name.into(), shape.to_vec(), Span::default());
        self.kernel.shared.push(SharedArray {
            name,
            element,
            shape: shape.into_iter().map(Sym::constant).collect(),
            length: Sym::constant(length),
            held: Residence::Shared,
            cleared,
            exchanged_by: None,
            span,
        });
        self
    }

    pub fn clusters(mut self, blocks: i64) -> Builder {
        self.kernel.launch.cluster = blocks;
        self
    }

    pub fn body(mut self, body: Vec<Statement>) -> Kernel {
        self.kernel.body = body;
        self.kernel
    }
}
