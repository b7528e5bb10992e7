//! The banks of shared memory that the warps of a block need, in the form of kernels of tiles for GPUs: an oracle goes through the
//! threads of the first warps and counts, for each access of a shared array, how many words of one bank they need at a time.

use std::collections::{BTreeMap, BTreeSet};

use kernel::distributed;
use kernel::typed::{Access, BinaryOp, Constant, Expr, ExprKind, Kernel, Local, Memory, Statement, StatementKind};

use crate::support::check;

const LANES: i64 = 32;
const BANKS: i64 = 32;
const WORD: i64 = 4;

/// The lanes of a warp, and what each of their variables holds.
struct Warp<'k> {
    kernel: &'k Kernel,
    lanes: Vec<BTreeMap<Local, i64>>,
    first: i64,
    /// The most words of one bank by the name of the array.
    worst: &'k mut BTreeMap<String, usize>,
}

impl Warp<'_> {
    fn list(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        statement.walk_own_expressions(&mut |expr| {
            if let ExprKind::Load(access) = &expr.kind {
                self.access(access);
            }
        });
        match &statement.kind {
            StatementKind::Store { access, .. } => self.access(access),
            StatementKind::Assign { local, value } => {
                let values: Vec<Option<i64>> = (0..LANES).map(|lane| self.value(value, lane)).collect();
                for (lane, value) in self.lanes.iter_mut().zip(values) {
                    match value {
                        Some(value) => lane.insert(*local, value),
                        None => lane.remove(local),
                    };
                }
            }
            StatementKind::For { local, low, high, body } => {
                let (low, high) = (self.value(low, 0).unwrap_or(0), self.value(high, 0).unwrap_or(2));
                for iteration in low..high.min(low + 40) {
                    for lane in &mut self.lanes {
                        lane.insert(*local, iteration);
                    }
                    self.list(body);
                }
            }
            _ => statement.blocks().into_iter().for_each(|block| self.list(block)),
        }
    }

    /// Counts the words that the lanes need. Neighbours that a lane takes one after the other are counted one by one, as if they
    /// were no vector, unless they are in the order of the lanes.
    fn access(&mut self, access: &Access) {
        let Memory::Shared(array) = access.memory else { return };
        if self.kernel.is_held_by_thread(access.memory) {
            return;
        }
        let array = &self.kernel.shared[array];
        let bytes = array.element.size_bytes() as i64;
        let Some(places) = (0..LANES).map(|lane| self.value(&access.offset, lane)).collect::<Option<Vec<_>>>() else {
            return;
        };
        assert!(
            places.iter().all(|place| (0..array.known_length().unwrap()).contains(place)),
            "{}: {places:?}",
            array.name
        );
        let mut words: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
        for place in places {
            let word = place * bytes / WORD;
            words.entry(word % BANKS).or_default().insert(word);
        }
        let most = words.values().map(BTreeSet::len).max().unwrap_or(0);
        let known = self.worst.entry(array.name.to_string()).or_default();
        *known = most.max(*known);
    }

    fn value(&self, expr: &Expr, lane: i64) -> Option<i64> {
        Some(match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) => *value,
            ExprKind::Local(local) => *self.lanes[lane as usize].get(local)?,
            ExprKind::ThreadId => self.first + lane,
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.value(left, lane)?, self.value(right, lane)?);
                match op {
                    BinaryOp::Add => left + right,
                    BinaryOp::Multiply => left * right,
                    BinaryOp::FloorDivide => left.div_euclid(right),
                    BinaryOp::FloorRemainder => left.rem_euclid(right),
                    BinaryOp::BitXor => left ^ right,
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}

/// How many words of one bank the accesses of each shared array need at most.
fn worst(text: &str) -> BTreeMap<String, usize> {
    let checked = check(text);
    let kernel = checked.kernel().unwrap_or_else(|| panic!("{text}\n{}", checked.report()));
    let form = distributed(&kernel, &|| {}).into_owned();
    let mut worst = BTreeMap::new();
    for warp in 0..form.launch.threads.as_constant().unwrap() / LANES {
        let lanes = vec![BTreeMap::new(); LANES as usize];
        Warp { kernel: &form, lanes, first: warp * LANES, worst: &mut worst }.list(&form.body);
    }
    worst
}

fn transpose(element: &str, rows: u32, columns: u32) -> String {
    format!(
        "dim M, N;
kernel k(x: {element}[M, N], y: mut {element}[N, M]) {{
    view px = partition(x, [{rows}, {columns}]);
    view py = partition(y, [{columns}, {rows}]);
    for (i, j) in grid(px.index_space) {{
        let t = px.load_masked(i, j);
        py.store_masked(t.permute(1, 0), j, i);
    }}
}}
"
    )
}

#[test]
fn no_two_lanes_meet_in_a_bank_when_a_tile_is_transposed() {
    for (rows, columns) in [(32, 32), (64, 64), (64, 32), (32, 128), (128, 32)] {
        for element in ["f32", "i32"] {
            let found = worst(&transpose(element, rows, columns));
            assert_eq!(found, BTreeMap::from([("t".to_owned(), 1)]), "{element}, {rows} × {columns}");
        }
    }
}

#[test]
fn narrow_elements_of_a_transposed_tile_share_words_but_hardly_banks() {
    for element in ["f16", "bf16", "i8"] {
        let found = worst(&transpose(element, 64, 64));
        assert!(found["t"] <= 4, "{element}: {found:?}");
    }
}

#[test]
fn wide_elements_take_two_turns() {
    // A warp reads 32 elements of 8 bytes as two halves.
    let found = worst(&transpose("f64", 32, 32));
    assert!(found["t"] <= 2, "{found:?}");
}

#[test]
fn the_threads_of_several_rows_of_a_product_do_not_meet_in_a_bank() {
    let text = "dim M, N, K;
kernel k(a: f32[M, K], b: f32[N, K], c: mut f32[M, N]) {
    view pa = partition(a, [64, 32]);
    view pb = partition(b, [64, 32]);
    view pc = partition(c, [64, 64]);
    for (i, j) in grid(pc.index_space) {
        let mut acc = zeros(f32[64, 64]);
        for k in 0..pa.index_space(1) {
            let left = pa.load_masked(i, k);
            let right = pb.load_masked(j, k);
            acc = mma(left, right.permute(1, 0), acc);
        }
        pc.store_masked(acc, i, j);
    }
}
";
    assert_eq!(worst(text), BTreeMap::from([("left".to_owned(), 1), ("right".to_owned(), 1)]));
}

#[test]
fn a_tile_that_is_read_as_it_was_written_stays_as_it_is() {
    let text = "dim N;
kernel k(x: f32[N], y: mut f32[N]) {
    view px = partition(x, [1024]);
    view py = partition(y, [1024]);
    for i in grid(px.index_space) {
        let t = px.load_masked(i);
        py.store_masked(t + t.reshape([8, 128]).permute(1, 0).permute(1, 0).reshape([1024]), i);
    }
}
";
    let checked = check(text);
    let form = distributed(&checked.kernel().unwrap(), &|| {}).into_owned();
    let mut exclusive_ors = 0;
    Statement::walk_expressions(&form.body, &mut |expr| {
        exclusive_ors += usize::from(matches!(expr.kind, ExprKind::Binary(BinaryOp::BitXor, ..)));
    });
    assert_eq!(exclusive_ors, 0);
}
