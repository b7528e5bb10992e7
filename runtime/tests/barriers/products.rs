//! Loops that add products to sums, for threads that form a tile, and loops that nearly do.

use kernel::typed::{Access, Local, MathFunction, ParamId, SharedId};
use seeds::Draw;
use testing::tile_products::{OtherUse, TileProduct};

use super::*;

const TYPES: [ElementType; 6] =
    [F32, ElementType::F64, ElementType::I32, ElementType::U32, ElementType::F16, ElementType::I64];

/// The elements of each factor's memory.
const LENGTH: i64 = 1 << 13;

#[test]
fn machine_code_adds_random_products() {
    for seed in seeds::range(150) {
        let kernel = Generator::kernel(seed);
        let problem = std::panic::catch_unwind(|| check(&kernel));
        assert!(problem.is_ok(), "seed {seed}\n{}", kernel.schedule_text());
    }
}

/// Tiles are read in place or copied, by their use, by the distance of their rows, and by whether they reach over an edge.
#[test]
fn machine_code_multiplies_tiles_wherever_they_are() {
    let uses = [None, Some(OtherUse::Read), Some(OtherUse::Written), Some(OtherUse::MatrixIsWritten)];
    for seed in seeds::range(12) {
        let mut draw = Draw::new(seed);
        // A row of 1024 numbers is a page, and one of 1040 a line more.
        let [columns, depth] = draw.pick(&[[16, 16], [40, 33], [1024, 16], [1040, 20], [40, 1024], [16, 1040]]);
        let sizes = [draw.pick(&[16, 21]), columns, depth];
        let tile = [draw.pick(&[8, 16]), draw.pick(&[16, 32]), draw.pick(&[4, 8, 16])];
        let product = TileProduct { sizes, tile, transposed: draw.chance(30), other_use: draw.pick(&uses) };
        let problem = std::panic::catch_unwind(|| check(&product.kernel()));
        assert!(problem.is_ok(), "seed {seed}: {product:?}");
    }
}

struct Generator {
    draw: Draw,
    builder: KernelBuilder,
    element: ElementType,
    rows: i64,
    columns: i64,
    /// The factors' tensors, and a shared array that may be one.
    tensors: [ParamId; 2],
    array: SharedId,
    output: ParamId,
    sums: Vec<Local>,
    /// The iterators of uniform loops around, which count to 2.
    counters: Vec<Local>,
}

impl Generator {
    fn kernel(seed: u64) -> Kernel {
        let mut draw = Draw::new(seed);
        let element = draw.pick(&TYPES);
        let (rows, columns) = (draw.pick(&[1, 2, 4, 8, 8, 11, 16]), draw.pick(&[1, 3, 4, 8, 16, 16, 20, 32]));
        let threads = rows * columns;
        let mut builder = KernelBuilder::new("products", sym(2), sym(threads));
        let tensors = ["x", "y"].map(|name| builder.tensor(name, element, &[sym(LENGTH)], false));
        let output = builder.tensor("z", element, &[sym(8 * threads)], true);
        let array = builder.cleared_array("array", element, LENGTH);
        let count = draw.pick(&[1, 1, 1, 2, 3]);
        let sums = (0..count).map(|number| builder.local(&format!("sum{number}"), element)).collect();
        let counters = Vec::new();
        let mut generator = Generator { draw, builder, element, rows, columns, tensors, array, output, sums, counters };
        let body = generator.body();
        generator.builder.finish(body)
    }

    fn body(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        for place in [add(thread_id(), int(LENGTH / 2)), binary(BinaryOp::Subtract, int(LENGTH / 2 - 1), thread_id())] {
            let value = self.load(self.tensors[0], place.clone());
            body.push(store(self.builder.element_of(self.array, place), value));
        }
        body.push(block_barrier());
        for sum in self.sums.clone() {
            let initial = self.initial();
            body.push(assign(sum, initial));
        }
        let mut inner = vec![self.products()];
        if self.draw.chance(30) {
            inner.push(self.products());
        }
        if self.sums.len() == 2 && self.draw.chance(40) {
            let kept = self.builder.local("kept", self.element);
            let [one, other] = [0, 1].map(|place| self.sums[place]);
            inner.extend(
                [(kept, one), (one, other), (other, kept)].map(|(to, from)| assign(to, self.builder.read(from))),
            );
        }
        if self.draw.chance(20) {
            let sum = self.sums[0];
            inner.push(assign(sum, multiply(self.builder.read(sum), cast(self.element, int(3)))));
        }
        let around = match self.draw.below(9) {
            0 | 1 => vec![self.repeat(inner, false)],
            2 => vec![self.repeat(inner, true)],
            3 => vec![when(compare(BinaryOp::Equal, block_id(), int(1)), inner)],
            4 => vec![when(less(thread_id(), int(self.rows * self.columns - self.columns)), inner)],
            5 | 6 => vec![when(self.edge(), inner)],
            _ => inner,
        };
        body.extend(around);
        for place in 0..self.sums.len() {
            let value = self.builder.read(self.sums[place]);
            let written = self.write(place as i64, value);
            body.push(if self.draw.chance(20) {
                when(less(thread_id(), int(self.columns)), vec![written])
            } else {
                written
            });
        }
        body
    }

    /// What a sum begins with.
    fn initial(&mut self) -> Expr {
        match self.draw.below(4) {
            0 => self.load(self.tensors[1], thread_id()),
            1 => cast(self.element, remainder(thread_id(), 5)),
            _ => cast(self.element, int(self.draw.between(-2, 2))),
        }
    }

    /// A condition that holds in all threads of some blocks, and in some threads of others.
    fn edge(&mut self) -> Expr {
        let digits =
            [(quotient(thread_id(), self.columns), self.rows), (remainder(thread_id(), self.columns), self.columns)];
        let mut sides = digits.map(|(digit, count)| {
            let by = self.draw.between(-2, 3);
            let own = add(multiply(digit, int(self.draw.pick(&[1, 1, -1, 3]))), multiply(block_id(), int(by)));
            let end = int(self.draw.between(0, 3 * count));
            let operator =
                self.draw.pick(&[BinaryOp::Less, BinaryOp::LessEqual, BinaryOp::Greater, BinaryOp::NotEqual]);
            if self.draw.chance(80) { compare(operator, own, end) } else { compare(operator, end, own) }
        });
        let operator = self.draw.pick(&[BinaryOp::And, BinaryOp::And, BinaryOp::Or]);
        if self.draw.chance(20) {
            sides[0] = unary(kernel::typed::UnaryOp::Not, sides[0].clone());
        }
        let [row, column] = sides;
        compare(operator, row, column)
    }

    /// The statements twice, perhaps with barriers between.
    fn repeat(&mut self, mut body: Vec<Statement>, waits: bool) -> Statement {
        let counter = self.builder.local(&format!("i{}", self.builder.kernel.locals.len()), I64);
        self.counters.push(counter);
        body.push(self.products());
        self.counters.pop();
        if waits {
            body.push(block_barrier());
        }
        for_loop(counter, int(0), int(2), body)
    }

    /// A loop that adds products, or nearly.
    fn products(&mut self) -> Statement {
        let k = self.builder.local(&format!("k{}", self.builder.kernel.locals.len()), I64);
        let low = self.draw.pick(&[0, 0, 0, 1, -2]);
        let trips = self.draw.pick(&[0, 1, 2, 5, 16, 16, 31, 70]);
        let high = match self.draw.below(4) {
            0 => add(int(low + trips), block_id()),
            _ => int(low + trips),
        };
        let changed = 1 + self.draw.below(self.sums.len() as u64) as usize;
        let mut body: Vec<Statement> = (0..changed).map(|place| self.step(self.sums[place], k)).collect();
        match self.draw.below(12) {
            // A store in the loop, of what a sum is so far.
            0 => {
                let value = self.builder.read(self.sums[0]);
                body.push(self.write(3, value));
            }
            // A sum that is a factor.
            1 => {
                let (sum, factor) = (self.sums[0], self.factor(k));
                body.push(assign(sum, add(self.builder.read(sum), multiply(self.builder.read(sum), factor))));
            }
            // An iteration that some threads leave out.
            2 => body = vec![when(less(thread_id(), int(self.columns + 1)), body)],
            _ => {}
        }
        for_loop(k, int(low), high, body)
    }

    /// The next value of a sum.
    fn step(&mut self, sum: Local, k: Local) -> Statement {
        let (left, right) = (self.factor(k), self.factor(k));
        let before = self.builder.read(sum);
        let is_float = self.element.is_float();
        let next = match self.draw.below(8) {
            0 | 1 if is_float => math(MathFunction::Fma, self.element, vec![left, right, before]),
            2 => add(multiply(left, right), before),
            3 => binary(BinaryOp::Subtract, before, multiply(left, right)),
            4 => add(before, left),
            _ => add(before, multiply(left, right)),
        };
        assign(sum, next)
    }

    /// An element of a tensor or of the shared array: mostly the same for a row of threads, or for a column.
    fn factor(&mut self, k: Local) -> Expr {
        let (i, j) = (quotient(thread_id(), self.columns), remainder(thread_id(), self.columns));
        let distance = |draw: &mut Draw| draw.pick(&[0, 1, 1, -1, 2, 5, 16, 20, 33, -7]);
        let mut parts = vec![(self.builder.read(k), distance(&mut self.draw))];
        match self.draw.below(10) {
            0..=3 => parts.push((i, distance(&mut self.draw))),
            4..=7 => parts.push((j, distance(&mut self.draw))),
            8 => parts.extend([(i, distance(&mut self.draw)), (j, 1)]),
            _ => parts.push((thread_id(), 1)),
        }
        for counter in self.counters.clone() {
            parts.push((self.builder.read(counter), self.draw.between(0, 9)));
        }
        if self.draw.chance(30) {
            parts.push((block_id(), self.draw.between(0, 50)));
        }
        // All parts together are less than half of the length.
        let place = parts.into_iter().fold(int(LENGTH / 2), |sum, (part, by)| add(sum, multiply(part, int(by))));
        if self.draw.chance(60) {
            let tensor = self.draw.pick(&self.tensors);
            self.load(tensor, place)
        } else {
            self.builder.read_shared(self.array, place)
        }
    }

    fn load(&mut self, tensor: ParamId, place: Expr) -> Expr {
        let access = self.at(tensor, LENGTH, place);
        self.builder.load(access)
    }

    /// Stores a value in one of four parts of the output.
    fn write(&mut self, part: i64, value: Expr) -> Statement {
        let threads = self.rows * self.columns;
        let own = add(int(2 * part * threads), self.builder.linear_id());
        let to = self.at(self.output, 8 * threads, own);
        store(to, value)
    }

    fn at(&mut self, tensor: ParamId, length: i64, place: Expr) -> Access {
        self.builder.access(tensor, &identity(&sym(length)), vec![place], Masking::None)
    }
}
