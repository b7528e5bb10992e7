//! The meaning of a run as a short key: two runs with one key compute the same and expect the same.
//!
//! White space, comments, positions and the names of a kernel's variables do not count. The names of the kernel, its
//! parameters and its symbols do, since results mention them, and so does everything that the kernel computes: a
//! constant from another file counts by its value. The contents of `.npy` files do not count.

use std::hash::{Hash, Hasher};
use std::mem::discriminant;

use check::db::{Db, Item};
use check::run_items;
use kernel::run::{Expectation, Init, Run, TensorExpr, TensorExprKind};
use kernel::typed::{
    Access, Barrier, Claim, Constant, Expr, ExprKind, Kernel, LocalVariable, Param, ParamKind, Statement,
    StatementKind, Waiting,
};

/// The meaning of a run. It is stable for the lifetime of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RunKey([u8; 32]);

/// The key of a `run` item; `None` where the run or its kernel has errors.
#[salsa::tracked(returns(copy))]
pub fn run_key(db: &dyn Db, item: Item) -> Option<RunKey> {
    let run = run_items::run(db, item).run.clone()?;
    let mut meaning = Meaning(blake3::Hasher::new());
    meaning.run(&run);
    Some(RunKey(*meaning.0.finalize().as_bytes()))
}

/// Hashes everything that counts.
struct Meaning(blake3::Hasher);

impl Hasher for Meaning {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Required by the trait; not used for the key.
    fn finish(&self) -> u64 {
        let hash = self.0.finalize();
        hash.as_bytes().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

impl Meaning {
    fn add(&mut self, part: impl Hash) {
        part.hash(self);
    }

    /// A list: its length, then its elements, so that the end of one list is not the start of the next.
    fn list<T>(&mut self, parts: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.add(parts.len());
        parts.iter().for_each(|part| each(self, part));
    }

    fn run(&mut self, run: &Run) {
        self.kernel(&run.kernel);
        self.add(&run.bindings);
        self.list(&run.arguments, |meaning, argument| {
            meaning.add(argument.is_some());
            argument.iter().for_each(|argument| meaning.init(argument));
        });
        self.add(run.expect.is_some());
        run.expect.iter().for_each(|expectation| self.expectation(expectation));
        self.add(&run.save);
    }

    fn init(&mut self, init: &Init) {
        self.add(discriminant(init));
        match init {
            Init::Zeros | Init::Ones | Init::Arange => {}
            Init::Random(seed) => self.add(seed),
            Init::Constant(constant) => self.constant(constant),
            Init::Literal(elements) => self.list(elements, Self::constant),
            Init::Npy(path) => self.add(path),
        }
    }

    fn expectation(&mut self, expectation: &Expectation) {
        self.list(&expectation.conditions, |meaning, condition| {
            meaning.tensor(&condition.holds);
            meaning.add(condition.tolerance.map(f64::to_bits));
        });
    }

    fn kernel(&mut self, kernel: &Kernel) {
        self.add(&kernel.name);
        self.add(&kernel.symbols);
        self.list(kernel.params.as_slice(), Self::param);
        self.add((kernel.launch.cluster, &kernel.launch.blocks, &kernel.launch.threads));
        self.list(kernel.shared.as_slice(), |meaning, array| meaning.add((array.element, &array.shape, &array.length)));
        self.list(kernel.locals.as_slice(), |meaning, LocalVariable { element, mutable, .. }| {
            meaning.add((element, mutable))
        });
        self.list(&kernel.body, Self::statement);
        // A claim that is still open may refuse the launch.
        self.list(&kernel.obligations, |meaning, obligation| {
            meaning.add((obligation.memory, &obligation.map, discriminant(&obligation.claim)));
            match &obligation.claim {
                Claim::InBounds(bound) | Claim::WithinView(bound) => meaning.add(bound),
                Claim::RaceFree => {}
            }
        });
    }

    fn param(&mut self, param: &Param) {
        self.add((&param.name, param.element, discriminant(&param.kind)));
        match &param.kind {
            ParamKind::Scalar => {}
            ParamKind::Tensor { mutable, shape, strides } => self.add((mutable, shape, strides)),
        }
    }

    fn statement(&mut self, statement: &Statement) {
        self.add((discriminant(&statement.kind), &statement.scope));
        match &statement.kind {
            StatementKind::Assign { local, value } => {
                self.add(local);
                self.expr(value);
            }
            StatementKind::For { local, low, high, body } => {
                self.add(local);
                self.expr(low);
                self.expr(high);
                self.list(body, Self::statement);
            }
            StatementKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.list(then, Self::statement);
                self.list(otherwise, Self::statement);
            }
            StatementKind::Each(each) => self.list(&each.per_thread, Self::statement),
            StatementKind::Collective { collective, condition, body } => {
                self.add(collective);
                self.expr(condition);
                self.list(body, Self::statement);
            }
            StatementKind::Store { access, value, is_async } => {
                self.add(is_async);
                self.access(access);
                self.expr(value);
            }
            StatementKind::Atomic(atomic) => {
                self.add(atomic.operation.name());
                self.add(atomic.order.name());
                self.add(atomic.scope.name());
                self.access(&atomic.access);
                atomic.operands.iter().for_each(|operand| self.expr(operand));
                self.add(atomic.result.map(|local| local.0));
            }
            StatementKind::Shuffle(shuffle) => {
                self.add(shuffle.taken.name());
                self.add(shuffle.local);
                self.add(shuffle.lanes.mask);
                shuffle.expressions(&mut |expr| self.expr(expr));
            }
            StatementKind::Barrier(barrier) => self.barrier(barrier),
            StatementKind::Copies(order) => self.add(order),
        }
    }

    fn barrier(&mut self, barrier: &Barrier) {
        match &barrier.waiting {
            Waiting::Block => self.add("block"),
            Waiting::Warp { lanes, first } => {
                self.add(lanes);
                self.expr(first);
            }
            Waiting::Warps { id, threads } => {
                self.add(threads);
                self.expr(id);
            }
        }
    }

    fn access(&mut self, access: &Access) {
        self.add((access.memory, &access.map));
        self.list(&access.coordinates, Self::expr);
        self.expr(&access.offset);
        self.add(access.mask.is_some());
        access.mask.iter().for_each(|mask| self.expr(mask));
    }

    fn expr(&mut self, expr: &Expr) {
        self.add((discriminant(&expr.kind), expr.element));
        match &expr.kind {
            ExprKind::Constant(constant) => self.constant(constant),
            ExprKind::Size(size) => self.add(size),
            ExprKind::Scalar(param) => self.add(param),
            ExprKind::Local(local) => self.add(local),
            ExprKind::BlockId | ExprKind::ThreadId => {}
            ExprKind::Load(access) => self.access(access),
            ExprKind::Unary(op, operand) => {
                self.add(op);
                self.expr(operand);
            }
            ExprKind::Binary(op, left, right) => {
                self.add(op);
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Select(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|part| self.expr(part));
            }
            ExprKind::Cast(operand) | ExprKind::Bits(operand) => self.expr(operand),
            ExprKind::Math(function, arguments) => {
                self.add(function);
                self.list(arguments, Self::expr);
            }
        }
    }

    fn constant(&mut self, constant: &Constant) {
        self.add(discriminant(constant));
        match constant {
            Constant::Bool(value) => self.add(value),
            Constant::Int(value) => self.add(value),
            Constant::Unsigned(value) => self.add(value),
            Constant::Float(value) => self.add(value.to_bits()),
        }
    }

    fn tensor(&mut self, expr: &TensorExpr) {
        self.add((discriminant(&expr.kind), &expr.shape));
        match &expr.kind {
            TensorExprKind::Constant(constant) => self.constant(constant),
            TensorExprKind::Size(size) => self.add(size),
            TensorExprKind::File(path) => self.add(path),
            TensorExprKind::Final(param) | TensorExprKind::Initial(param) => self.add(param),
            TensorExprKind::Unary(op, operand) => {
                self.add(op);
                self.tensor(operand);
            }
            TensorExprKind::Binary(op, left, right) => {
                self.add(op);
                self.tensor(left);
                self.tensor(right);
            }
            TensorExprKind::List(elements) => self.list(elements, Self::tensor),
            TensorExprKind::Math(function, arguments) => {
                self.add(function);
                self.list(arguments, Self::tensor);
            }
            TensorExprKind::Select(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|part| self.tensor(part));
            }
            TensorExprKind::Cast(element, operand) => {
                self.add(element);
                self.tensor(operand);
            }
            TensorExprKind::Permute(operand, order) => {
                self.add(order);
                self.tensor(operand);
            }
            TensorExprKind::Reshape(operand) | TensorExprKind::Extend(operand) => self.tensor(operand),
            TensorExprKind::Product(left, right) => {
                self.tensor(left);
                self.tensor(right);
            }
            TensorExprKind::Reverse(operand, dimension) => {
                self.add(dimension);
                self.tensor(operand);
            }
            TensorExprKind::Slice(operand, start, end) => {
                self.add((start, end));
                self.tensor(operand);
            }
            TensorExprKind::Index(operand, index) => {
                self.add(index);
                self.tensor(operand);
            }
            TensorExprKind::Sum(operand, dimension)
            | TensorExprKind::Maximum(operand, dimension)
            | TensorExprKind::Minimum(operand, dimension) => {
                self.add(dimension);
                self.tensor(operand);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CompilerDatabase;

    const FILE: &str = "use \"sizes.shape\";
dim N;
kernel scale(a: f32, x: f32[N], y: mut f32[N]) {
    for i in grid(N) {
        let factor = a * f32(B);
        y[i] = if i < 3 { factor * x[i] } else { -x[i] };
    }
}
run scale(a: 2.0, x: arange, y: zeros) with N = 100 expect y[0] == 0.0 within 1e-3 save y: \"y.npy\";
";

    /// The key of the last item after the file is edited.
    fn key(db: &mut CompilerDatabase, text: &str, sizes: &str) -> Option<RunKey> {
        db.set_text("sizes.shape", sizes);
        let file = db.set_text("main.shape", text);
        let item = *file.items(db).last().unwrap();
        run_key(db, item)
    }

    #[test]
    fn white_space_comments_and_names_of_variables_do_not_count() {
        let mut db = CompilerDatabase::default();
        let sizes = "const B = 64;\nconst unused = 3;\n";
        let first = key(&mut db, FILE, sizes);
        assert!(first.is_some());
        for text in [
            FILE.replace("    ", "\n\t"),
            FILE.replace("dim N;", "dim N; // rows\n/* more */"),
            FILE.replace("factor", "by").replace("i in", "row in").replace("[i]", "[row]").replace("i <", "row <"),
            FILE.replace("a * f32(B)", "(a * f32(B))"),
            FILE.replace("run scale", "other : [3];\nrun scale"),
        ] {
            assert_eq!(key(&mut db, &text, sizes), first, "{text}");
        }
        assert_eq!(key(&mut db, FILE, &sizes.replace("unused = 3", "unused = 4")), first);
        assert_eq!(key(&mut db, FILE, "const A = 32; const B = A * 2;"), first);
    }

    #[test]
    fn everything_that_is_computed_or_expected_counts() {
        let mut db = CompilerDatabase::default();
        let sizes = "const B = 64;";
        let mut keys = vec![key(&mut db, FILE, sizes), key(&mut db, FILE, "const B = 65;")];
        for (old, new) in [
            ("i < 3", "i < 4"),
            ("-x[i]", "x[i]"),
            ("factor * x", "factor + x"),
            ("y: mut f32", "z: mut f32"),
            ("a: 2.0", "a: 2.5"),
            ("arange", "random(1)"),
            ("N = 100", "N = 101"),
            ("y[0] == 0.0", "y[0] == 1.0"),
            ("y[0] == 0.0", "y[1] == 0.0"),
            ("1e-3", "1e-4"),
            ("y.npy", "z.npy"),
            ("scale", "scaled"),
        ] {
            let text = match new {
                "z: mut f32" => FILE
                    .replace("y: mut", "z: mut")
                    .replace("y[i]", "z[i]")
                    .replace("y: z", "z: z")
                    .replace("y[0]", "z[0]")
                    .replace("save y", "save z"),
                _ => FILE.replace(old, new),
            };
            let key = key(&mut db, &text, sizes);
            assert!(key.is_some(), "{text}");
            keys.push(key);
        }
        for (position, key) in keys.iter().enumerate() {
            assert!(!keys[..position].contains(key), "{position}");
        }
    }

    #[test]
    fn a_run_with_errors_has_no_key() {
        let mut db = CompilerDatabase::default();
        assert_eq!(key(&mut db, &FILE.replace("x[i]", "x[i + 1]"), "const B = 1;"), None);
        assert_eq!(key(&mut db, "a : [1];", ""), None);
    }
}
