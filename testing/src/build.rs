//! Builds typed kernels.

use std::collections::BTreeSet;
use std::sync::Arc;

use dims::{Facts, Sym, Symbol};
use elements::ElementType;
use kernel::Table;
use kernel::typed::{
    Access, Barrier, BinaryOp, Constant, Expr, ExprKind, Kernel, Launch, Local, LocalVariable, MathFunction, Memory,
    Param, ParamId, ParamKind, Residence, Scope, SharedArray, SharedId, Statement, StatementKind, UnaryOp, Waiting,
};
use maps::{Affine, AxisRole, IndexMap, LayoutEntry, LowerAxis, ReshapeMapSpec, Term, TermId, UpperAxis, reshape_map};
use syntax::span::Span;

/// A kernel under construction.
#[derive(Clone, Debug)]
pub struct KernelBuilder {
    /// The kernel so far.
    pub kernel: Kernel,
}

/// The conditions in the mask of an access. (The compiler leaves out those that it proves.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Masking {
    /// None: the access is unconditional.
    None,
    /// The extents of the thread axes, and the map's own masks.
    Threads,
    /// All conditions of validity.
    Full,
}

impl KernelBuilder {
    /// An empty kernel with this launch.
    pub fn new(name: &str, blocks: Sym, threads: Sym) -> KernelBuilder {
        let symbols = blocks.symbols().union(&threads.symbols()).cloned().collect();
        KernelBuilder {
            kernel: Kernel {
                name: name.into(),
                symbols,
                facts: Facts::empty(),
                params: Table::default(),
                launch: Launch { cluster: 1, blocks, threads },
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

    fn uses(&mut self, sizes: &[Sym]) {
        for symbol in sizes.iter().flat_map(Sym::symbols) {
            if let Err(place) = self.kernel.symbols.binary_search(&symbol) {
                self.kernel.symbols.insert(place, symbol);
            }
        }
    }

    /// Adds a scalar parameter.
    pub fn scalar(&mut self, name: &str, element: ElementType) -> ParamId {
        self.kernel.params.push(Param { name: name.into(), element, kind: ParamKind::Scalar })
    }

    /// Adds a row-major tensor parameter.
    pub fn tensor(&mut self, name: &str, element: ElementType, shape: &[Sym], mutable: bool) -> ParamId {
        let strides = row_major_strides(shape);
        self.strided(name, element, shape, &strides, mutable)
    }

    /// Adds a tensor parameter with strides.
    pub fn strided(
        &mut self,
        name: &str,
        element: ElementType,
        shape: &[Sym],
        strides: &[Sym],
        mutable: bool,
    ) -> ParamId {
        self.uses(shape);
        self.uses(strides);
        let kind = ParamKind::Tensor { mutable, shape: shape.to_vec(), strides: strides.to_vec() };
        self.kernel.params.push(Param { name: name.into(), element, kind })
    }

    /// Adds a shared array of `length` elements, which generated code need not clear.
    pub fn shared(&mut self, name: &str, element: ElementType, length: i64) -> SharedId {
        let (name, length) = (name.into(), Sym::constant(length));
        self.kernel.shared.push(SharedArray {
            name,
            element,
            shape: vec![length.clone()],
            length,
            held: Residence::Shared,
            cleared: false,
            exchanged_by: None,
            span: Span::default(),
        })
    }

    /// An access of a shared array at a position.
    pub fn shared_access(&mut self, array: SharedId, position: Expr) -> Access {
        let map = identity(&self.kernel.shared[array].length);
        self.shared_access_by(array, &map, vec![position])
    }

    /// An access of a shared array through a map, with the offset lowered from the map.
    pub fn shared_access_by(&mut self, array: SharedId, map: &Arc<IndexMap>, coordinates: Vec<Expr>) -> Access {
        let (offset, mask) = lower_map(map, &coordinates, Masking::None);
        Access { memory: Memory::Shared(array), map: map.clone(), coordinates, offset, mask, span: Span::default() }
    }

    /// Adds a variable.
    pub fn local(&mut self, name: &str, element: ElementType) -> Local {
        self.declared(name, element, true)
    }

    /// A variable that is assigned once.
    pub fn constant(&mut self, name: &str, element: ElementType) -> Local {
        self.declared(name, element, false)
    }

    fn declared(&mut self, name: &str, element: ElementType, mutable: bool) -> Local {
        self.kernel.locals.push(LocalVariable { name: name.into(), element, mutable, range: None })
    }

    /// An access with the offset and mask lowered from the map.
    pub fn access(&mut self, tensor: ParamId, map: &Arc<IndexMap>, coordinates: Vec<Expr>, masking: Masking) -> Access {
        let sizes: Vec<Sym> = map.sizes().cloned().collect();
        self.uses(&sizes);
        let (index, mask) = lower_map(map, &coordinates, masking);
        let offset = match &self.kernel.params[tensor].kind {
            ParamKind::Tensor { shape, strides, .. } => lower_strides(&index, shape, strides),
            ParamKind::Scalar => index,
        };
        Access { memory: Memory::Param(tensor), map: map.clone(), coordinates, offset, mask, span: Span::default() }
    }

    /// Loads the element of an access.
    pub fn load(&self, access: Access) -> Expr {
        let element = self.kernel.element(access.memory).unwrap();
        Expr { kind: ExprKind::Load(Box::new(access)), element }
    }

    /// Reads a variable.
    pub fn read(&self, local: Local) -> Expr {
        Expr { kind: ExprKind::Local(local), element: self.kernel.locals[local].element }
    }

    /// Reads a scalar parameter.
    pub fn read_scalar(&self, id: ParamId) -> Expr {
        Expr { kind: ExprKind::Scalar(id), element: self.kernel.params[id].element }
    }

    /// The linear id of the thread in the launch.
    pub fn linear_id(&self) -> Expr {
        add(multiply(block_id(), size(&self.kernel.launch.threads)), thread_id())
    }

    /// The kernel with this body.
    pub fn finish(mut self, body: Vec<Statement>) -> Kernel {
        self.kernel.body = body;
        self.kernel
    }
}

fn row_major_strides(shape: &[Sym]) -> Vec<Sym> {
    maps::row_major::strides(shape).expect("the tensors of a test have fewer than 2^63 elements")
}

/// The index and the mask of a map.
fn lower_map(map: &IndexMap, coordinates: &[Expr], masking: Masking) -> (Expr, Option<Expr>) {
    let mut terms: Vec<Expr> = Vec::new();
    for term in &map.terms {
        let expr = match term {
            Term::Coordinate(axis) => coordinates[*axis as usize].clone(),
            Term::Digit { of, divisor, modulus } => {
                let mut digit = affine(of, &terms);
                if divisor.as_constant() != Some(1) {
                    digit = binary(BinaryOp::FloorDivide, digit, size(divisor));
                }
                match modulus {
                    Some(modulus) => binary(BinaryOp::FloorRemainder, digit, size(modulus)),
                    None => digit,
                }
            }
            Term::Xor(left, right) => binary(BinaryOp::BitXor, affine(left, &terms), affine(right, &terms)),
        };
        terms.push(expr);
    }
    let index = map.lower.first().map_or_else(|| int(0), |axis| affine(&axis.value, &terms));
    let mut conditions = Vec::new();
    if masking != Masking::None {
        for (axis, coordinate) in map.upper.iter().zip(coordinates) {
            if masking == Masking::Full {
                conditions.push(compare(BinaryOp::LessEqual, int(0), coordinate.clone()));
            }
            if let Some(extent) = &axis.extent
                && (masking == Masking::Full || axis.role == AxisRole::Thread)
            {
                conditions.push(compare(BinaryOp::Less, coordinate.clone(), size(extent)));
            }
        }
        for mask in &map.masks {
            let value = affine(&mask.value, &terms);
            if let Some(low) = &mask.low {
                conditions.push(compare(BinaryOp::LessEqual, size(low), value.clone()));
            }
            if let Some(high) = &mask.high {
                conditions.push(compare(BinaryOp::Less, value, size(high)));
            }
        }
        if masking == Masking::Full
            && let Some(LowerAxis { extent: Some(extent), .. }) = map.lower.first()
        {
            conditions.push(compare(BinaryOp::LessEqual, int(0), index.clone()));
            conditions.push(compare(BinaryOp::Less, index.clone(), size(extent)));
        }
    }
    let mask = conditions.into_iter().reduce(|left, right| compare(BinaryOp::And, left, right));
    let always = (masking != Masking::None).then(|| boolean(true));
    (index, mask.or(always))
}

fn affine(form: &Affine, terms: &[Expr]) -> Expr {
    let mut sum = (form.terms.is_empty() || !form.constant.is_zero()).then(|| size(&form.constant));
    for (TermId(id), coefficient) in &form.terms {
        let term = terms[*id as usize].clone();
        let product = if coefficient.as_constant() == Some(1) { term } else { multiply(term, size(coefficient)) };
        sum = Some(match sum {
            Some(sum) => add(sum, product),
            None => product,
        });
    }
    sum.unwrap_or_else(|| int(0))
}

/// The position in the storage, from the row-major index.
fn lower_strides(index: &Expr, shape: &[Sym], strides: &[Sym]) -> Expr {
    let row_major = row_major_strides(shape);
    if row_major == strides {
        return index.clone();
    }
    let mut sum = int(0);
    for axis in 0..shape.len() {
        let quotient = binary(BinaryOp::FloorDivide, index.clone(), size(&row_major[axis]));
        let digit = binary(BinaryOp::FloorRemainder, quotient, size(&shape[axis]));
        sum = add(sum, multiply(digit, size(&strides[axis])));
    }
    sum
}

/// The map of a `reshape_map` with the given local and thread dimensions, `(size, size in the tensor)` each, and a
/// layout of dimension numbers, each with whether it is reversed. `None` if the compiler refuses it.
pub fn reshape(
    local: &[(Sym, Sym)],
    thread: &[(Sym, Sym)],
    layout: &[(usize, bool)],
    facts: &Facts,
) -> Option<Arc<IndexMap>> {
    let layout = layout.iter().map(|&(dimension, reversed)| LayoutEntry { dimension, reversed }).collect();
    let spec = ReshapeMapSpec { local: local.to_vec(), thread: thread.to_vec(), layout, offset: Sym::zero() };
    reshape_map(&spec, facts).ok().map(Arc::new)
}

/// The identity of row-major indices, valid within the length.
pub fn identity(length: &Sym) -> Arc<IndexMap> {
    let value = Affine { constant: Sym::zero(), terms: vec![(TermId(0), Sym::one())] };
    Arc::new(IndexMap {
        upper: vec![UpperAxis { extent: None, role: AxisRole::Local }],
        terms: vec![Term::Coordinate(0)],
        lower: vec![LowerAxis { value, extent: Some(length.clone()) }],
        masks: Vec::new(),
    })
}

/// The symbol with this name.
pub fn symbol(name: &str) -> Symbol {
    Symbol::new(name, 0)
}

/// An `i64` constant.
pub fn int(value: i64) -> Expr {
    constant(Constant::Int(value), ElementType::I64)
}

/// A `bool` constant.
pub fn boolean(value: bool) -> Expr {
    constant(Constant::Bool(value), ElementType::Bool)
}

/// An `f32` constant.
pub fn float(value: f64) -> Expr {
    constant(Constant::Float(value), ElementType::F32)
}

/// A constant of any type.
pub fn constant(value: Constant, element: ElementType) -> Expr {
    Expr::constant(value, element)
}

/// A size.
pub fn size(value: &Sym) -> Expr {
    Expr::size(value)
}

/// The thread's id.
pub fn thread_id() -> Expr {
    Expr::thread_id()
}

/// The block's id.
pub fn block_id() -> Expr {
    Expr::block_id()
}

/// An operator whose result has the type of its operands.
pub fn binary(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::binary(operator, left, right)
}

/// An operator whose result is a `bool`.
pub fn compare(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::binary(operator, left, right)
}

/// A sum.
pub fn add(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::Add, left, right)
}

/// A product.
pub fn multiply(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::Multiply, left, right)
}

/// An operator of one operand.
pub fn unary(operator: UnaryOp, operand: Expr) -> Expr {
    Expr::unary(operator, operand)
}

/// A cast.
pub fn cast(element: ElementType, operand: Expr) -> Expr {
    Expr { kind: ExprKind::Cast(Box::new(operand)), element }
}

/// The bits of a number as one of another type of its size.
pub fn bits(element: ElementType, operand: Expr) -> Expr {
    Expr { kind: ExprKind::Bits(Box::new(operand)), element }
}

/// A choice.
pub fn select(condition: Expr, first: Expr, second: Expr) -> Expr {
    let element = first.element;
    Expr { kind: ExprKind::Select(Box::new(condition), Box::new(first), Box::new(second)), element }
}

/// A math function.
pub fn math(function: MathFunction, element: ElementType, arguments: Vec<Expr>) -> Expr {
    Expr { kind: ExprKind::Math(function, arguments), element }
}

/// A statement.
pub fn statement(kind: StatementKind) -> Statement {
    Statement { kind, scope: Scope::Grid, span: Span::default() }
}

/// An assignment.
pub fn assign(local: Local, value: Expr) -> Statement {
    statement(StatementKind::Assign { local, value })
}

/// A loop.
pub fn for_loop(local: Local, low: Expr, high: Expr, body: Vec<Statement>) -> Statement {
    statement(StatementKind::For { local, low, high, body })
}

/// A branch.
pub fn if_else(condition: Expr, then: Vec<Statement>, otherwise: Vec<Statement>) -> Statement {
    statement(StatementKind::If { condition, then, otherwise })
}

/// A write.
pub fn store(access: Access, value: Expr) -> Statement {
    statement(StatementKind::Store { access, value, is_async: false })
}

/// A barrier of all threads of the block.
pub fn block_barrier() -> Statement {
    barrier(Waiting::Block)
}

/// A barrier of some lanes of each warp, counted from `first`.
pub fn warp_barrier(lanes: u32, first: Expr) -> Statement {
    barrier(Waiting::Warp { lanes, first })
}

/// A barrier with this number for `threads` threads.
pub fn warps_barrier(id: Expr, threads: u32) -> Statement {
    barrier(Waiting::Warps { id, threads })
}

fn barrier(waiting: Waiting) -> Statement {
    statement(StatementKind::Barrier(Barrier { waiting, before: Span::default(), after: Span::default() }))
}
