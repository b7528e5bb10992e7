//! Finds loops whose iterations only add products to sums, for threads that form a tile: each row of them multiplies by
//! the same numbers, and so does each column. Together the threads compute a product of two matrices. Where elements
//! are added that are no products, each is a product with 1; a single row of threads adds up the columns of a matrix.
//!
//! What its sums begin with and what they become is in arrays with an element for each thread: in those of the kernel, if
//! the threads do nothing else between two barriers than to take their elements, run the loop and store the sums. Otherwise
//! such a loop becomes a barrier region of its own ([`phases`](crate::cpu::phases)), and other arrays are made for it. The loops
//! of all threads are then one call for each sum ([`tile_calls`](super::tile_calls)).

use std::collections::HashSet;
use std::ops::Range;

use elements::ElementType;
use kernel::loops::{AccessId, For, List, LoopId, Node, Step as LoopStep, StepKind, ValueId};
use kernel::typed::{BinaryOp, MathFunction, Memory};
use rustc_hash::FxHashSet;

use super::joints::{Joint, joint};
use super::tile_guards::{TileGuard, tile_guard};
use crate::cpu::indices::form::{Atom, AtomId, Digit, Digits};
use crate::cpu::indices::forms::Forms;
use crate::cpu::indices::shape::{LaneFacts, Step};
use crate::cpu::launch::launch_table::LaunchValue;
use crate::cpu::lowering::split_threads::rectangle;
use crate::cpu::options::{LaneChoice, Options};
use crate::cpu::phases::phase::{Phase, Phased, Region};
use crate::cpu::program::walk;

/// The fewest rows for which a call pays off: each right factor that is loaded is used for all of them.
const FEWEST_ROWS: i64 = 4;

/// The fewest threads for which a call pays off.
const FEWEST_THREADS: i64 = 64;

/// The fewest products of all threads for which a call for a tile pays off, if their number is known: the factors were just
/// stored in narrower vectors than those that the call loads, so it waits for them.
const FEWEST_PRODUCTS: i128 = 4096;

/// The bytes of sums in each row that are computed together: other numbers of columns are copied first.
const BYTES_OF_COLUMNS: i64 = 64;

/// The fewest bytes of factors for which a call for a single row pays off: they are walked as they lie in memory, which
/// vectors of threads do in shorter runs.
const FEWEST_BYTES_OF_ROW: i64 = 1024;

/// The fewest iterations for which a call pays off, if their number is known.
const FEWEST_STEPS: i128 = 4;

/// A loop that adds products to sums, for a tile of threads.
pub struct TileLoop {
    /// The split of the threads' ids: high digits are rows, low digits are columns.
    pub digits: Digits,
    /// The ranges of the rows and of the columns.
    pub ranges: [Range<i64>; 2],
    /// The sums.
    pub sums: Vec<TileSum>,
}

/// A variable of a loop to which each iteration adds a product.
#[derive(Clone, Copy)]
pub struct TileSum {
    /// The variable at the start of an iteration.
    pub head: ValueId,
    /// Whether the product is not rounded before it is added.
    pub fused: bool,
    /// The factor that is the same for all threads of a row; `None` for 1.
    pub left: Option<Factor>,
    /// The factor that is the same for all threads of a column.
    pub right: Factor,
}

/// An element that is loaded as a factor.
#[derive(Clone, Copy)]
pub struct Factor {
    pub access: AccessId,
    /// The distance of its positions in neighbouring rows, or columns.
    pub across: LaunchValue,
    /// The distance of its positions in consecutive iterations.
    pub along: LaunchValue,
}

/// A barrier region that consists of such a loop.
pub struct TileRegion<'l> {
    /// The test whether all threads run it, unless that is known.
    pub guard: Option<TileGuard>,
    pub own: &'l For,
    pub tile: TileLoop,
    /// What each sum begins with, and the array for the results.
    pub arrays: Vec<(Initial, Memory)>,
    /// All sums as one product, if they are one.
    pub joint: Option<Joint>,
}

impl TileRegion<'_> {
    /// The sums for which there are calls, with their rows and columns.
    pub fn called(&self) -> impl Iterator<Item = (&TileSum, [i64; 2])> {
        let joint = self.joint.iter().map(|joint| (&joint.sum, [joint.rows.count(), joint.columns.count()]));
        let sums = if self.joint.is_some() { [].as_slice() } else { self.tile.sums.as_slice() };
        joint.chain(sums.iter().map(|sum| (sum, [0, 1].map(|place: usize| self.tile.ranges[place].end))))
    }
}

/// What the sums of the threads begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// The elements of an array with one for each thread.
    Array(Memory),
    /// The same value in all threads.
    Uniform(ValueId),
}

impl Initial {
    /// The array, if it is one.
    pub fn array(self) -> Option<Memory> {
        match self {
            Initial::Array(memory) => Some(memory),
            Initial::Uniform(_) => None,
        }
    }
}

/// The loops of a program that are worth regions of their own.
pub fn tile_loops(phased: &Phased<'_>, threads: Option<i64>, options: Options) -> FxHashSet<LoopId> {
    let mut found = FxHashSet::default();
    let Some(threads) = threads else { return found };
    each_region(&phased.body, &mut |region| {
        let mut forms = Forms::new(&phased.program, &region.taken, options);
        if tile_region(&mut forms, region, threads).is_some() {
            return;
        }
        walk(&region.body, &mut |step| {
            let StepKind::For(own) = &step.kind else { return };
            // Few loops are sums of products, so the forms are made for them alone.
            let mut forms = Forms::new(&phased.program, &region.taken, options);
            if tile_loop(&mut forms, own, 0..threads, threads).is_some() {
                found.insert(own.id);
            }
        });
    });
    found
}

pub fn each_region<'p>(phases: &'p [Phase], visit: &mut impl FnMut(&'p Region)) {
    for phase in phases {
        match phase {
            Phase::Threads(region) => visit(region),
            Phase::Loop { body, .. } => each_region(body, visit),
            Phase::If { then, otherwise, .. } => {
                [then, otherwise].into_iter().for_each(|side| each_region(side, visit))
            }
        }
    }
}

/// A region as one that consists of a loop for a tile of threads, in blocks of this many, if it does and it pays off.
pub fn tile_region<'l>(forms: &mut Forms<'l>, region: &'l Region, threads: i64) -> Option<TileRegion<'l>> {
    let (guard, steps) = guarded(forms, region);
    let (mut found, mut results) = (None, Vec::new());
    for step in steps {
        match &step.kind {
            // What is computed before the loop is there when it is needed.
            StepKind::Assign { .. } if found.is_none() => {}
            StepKind::For(own) if found.is_none() => found = Some((own, &step.after)),
            StepKind::Store { access, value } => results.push((*value, array_of_threads(forms, *access)?)),
            _ => return None,
        }
    }
    let (own, after) = found?;
    let tile = tile_loop(forms, own, region.threads.clone().unwrap_or(0..threads), threads)?;
    let program = forms.program;
    let mut arrays = Vec::new();
    for sum in &tile.sums {
        let last = after.iter().find(|(_, last)| program.merged(*last).first() == Some(&sum.head))?.1;
        let mut to = results.iter().filter(|(value, _)| *value == last).map(|(_, memory)| *memory);
        let (Some(to), None) = (to.next(), to.next()) else { return None };
        arrays.push((initial(forms, *program.merged(sum.head).first()?)?, to));
    }
    // One sum after the other is computed, so none may have a factor of what one becomes, or begin with what another one becomes.
    let is_result = |factor: &Factor| arrays.iter().any(|(_, to)| program.access(factor.access).memory == *to);
    if tile.sums.iter().any(|sum| is_result(&sum.right) || sum.left.as_ref().is_some_and(is_result)) {
        return None;
    }
    let is_apart = |(place, (_, to)): (usize, &(Initial, Memory))| {
        arrays.iter().enumerate().all(|(other, (from, _))| other == place || *from != Initial::Array(*to))
    };
    // Of two stores to one array, the last one of the program would have to be the last one here.
    let is_alone = |place: usize| arrays[..place].iter().all(|(_, other)| *other != arrays[place].1);
    let are_all =
        results.len() == arrays.len() && (0..arrays.len()).all(is_alone) && arrays.iter().enumerate().all(is_apart);
    if !are_all {
        return None;
    }
    forms.split(tile.digits);
    let guard = guard.map(|guard| tile_guard(forms, &tile.ranges, guard));
    forms.unsplit();
    let guard = match guard {
        Some(guard) => Some(guard?),
        None => None,
    };
    let joint = joint(forms, (tile.digits, &tile.ranges), &tile.sums, &arrays);
    Some(TileRegion { guard, own, tile, arrays, joint })
}

/// The condition under which a thread runs a region, and the steps that it guards.
fn guarded<'l>(forms: &Forms<'_>, region: &'l Region) -> (Option<ValueId>, &'l [LoopStep]) {
    let steps = region.body.steps.as_slice();
    if let Some((LoopStep { kind: StepKind::Branch { condition, then, otherwise }, after, .. }, before)) =
        steps.split_last()
        && otherwise.steps.is_empty()
        && before.iter().all(|step| is_taken(region, step))
        && !after.iter().any(|(_, merge)| forms.program.is_needed(*merge))
    {
        return (Some(*condition), &then.steps);
    }
    (None, steps)
}

/// Whether a step only takes a value from an array.
fn is_taken(region: &Region, step: &LoopStep) -> bool {
    matches!(&step.kind, StepKind::Assign { value, .. } if region.taken.contains(value))
}

/// The array of an access of each thread to its own element.
fn array_of_threads(forms: &mut Forms<'_>, access: AccessId) -> Option<Memory> {
    let access = forms.program.access(access);
    let is_always = access.mask.is_none() && access.tested.is_none();
    let form = forms.form(access.offset);
    let is_own = match form.terms.as_slice() {
        [(atom, step)] if step.is(1) && form.constant.is(0) => match forms.atom(*atom) {
            Atom::Value(value) => *forms.node(*value) == Node::Thread,
            _ => false,
        },
        _ => false,
    };
    (matches!(access.memory, Memory::Shared(_)) && is_always && is_own).then_some(access.memory)
}

fn initial(forms: &mut Forms<'_>, value: ValueId) -> Option<Initial> {
    match forms.node(value) {
        Node::Load(access) => array_of_threads(forms, *access).map(Initial::Array),
        _ => is_uniform(forms, value).then_some(Initial::Uniform(value)),
    }
}

/// Whether a value is the same in all threads of a block, and can be computed outside the loops over them.
pub fn is_uniform(forms: &Forms<'_>, value: ValueId) -> bool {
    forms.is_made_without(value, &|node| matches!(node, Node::Thread | Node::Load(_) | Node::Merge(_)))
}

/// The loop as one for a tile of these threads of a block, if it is one and a call pays off.
fn tile_loop(forms: &mut Forms<'_>, own: &For, members: Range<i64>, threads: i64) -> Option<TileLoop> {
    let products = products(forms, own)?;
    if !own.ends.into_iter().all(|end| is_uniform(forms, end)) {
        return None;
    }
    // Last, all threads are one row.
    for low in forms.divisors(&own.body, threads).into_iter().chain([threads]) {
        let Some(ranges) = rectangle(&members, low) else { continue };
        let digits = Digits { low, high: threads / low };
        forms.split(digits);
        let sums: Option<Vec<TileSum>> =
            products.iter().map(|product| tile_sum(forms, own, &ranges, *product)).collect();
        forms.unsplit();
        if let Some(sums) = sums
            && pays_off(forms, own, &ranges, &sums)
        {
            return Some(TileLoop { digits, ranges, sums });
        }
    }
    None
}

/// Whether a call for these rows and columns is faster than loops of vectors.
fn pays_off(forms: &Forms<'_>, own: &For, [rows, columns]: &[Range<i64>; 2], sums: &[TileSum]) -> bool {
    let [rows, columns] = [rows, columns].map(|range| range.end - range.start);
    let is_long = own.iterations.1.is_none_or(|most| most >= FEWEST_STEPS);
    let bytes_of_row = |sum: &TileSum| columns.saturating_mul(forms.program.element(sum.head).size_bytes() as i64);
    let threads = rows.saturating_mul(columns);
    let has_products =
        |steps: i128| steps.saturating_mul(threads.into()) >= FEWEST_PRODUCTS / sums.len().max(1) as i128;
    let is_tile = rows >= FEWEST_ROWS
        && threads >= FEWEST_THREADS
        && own.iterations.1.is_none_or(has_products)
        && sums.iter().all(|sum| bytes_of_row(sum) % BYTES_OF_COLUMNS == 0);
    let is_wide = |sum: &TileSum| sum.right.across.is(1) && bytes_of_row(sum) >= FEWEST_BYTES_OF_ROW;
    // Several sums of a row would walk the same memory again.
    let is_row = rows == 1 && matches!(sums, [sum] if is_wide(sum));
    forms.options.lanes == LaneChoice::WherePossible || (is_long && (is_tile || is_row))
}

/// A sum with the product that each iteration adds.
#[derive(Clone, Copy)]
struct Product {
    head: ValueId,
    fused: bool,
    /// Where one of them is 1, it is `None` and comes first.
    factors: [Option<AccessId>; 2],
}

/// The products of a loop that does nothing else.
fn products(forms: &Forms<'_>, own: &For) -> Option<Vec<Product>> {
    let program = forms.program;
    if !own.body.steps.iter().all(|step| matches!(step.kind, StepKind::Assign { .. })) {
        return None;
    }
    let loads = accesses(&own.body);
    let heads = own.heads.iter().map(|(_, head)| *head).filter(|head| program.is_needed(*head));
    let products: Option<Vec<Product>> = heads.map(|head| product(forms, head, &loads)).collect();
    products.filter(|products| !products.is_empty())
}

fn accesses(body: &List) -> FxHashSet<AccessId> {
    body.steps.iter().flat_map(|step| step.accesses.iter().copied()).collect()
}

/// The product that each iteration adds to a variable; its factors are among these loads.
fn product(forms: &Forms<'_>, head: ValueId, loads: &FxHashSet<AccessId>) -> Option<Product> {
    let program = forms.program;
    let element = program.element(head);
    if !matches!(element, ElementType::F32 | ElementType::F64 | ElementType::I32 | ElementType::U32) {
        return None;
    }
    let &[_, next] = program.merged(head) else { return None };
    let factor = |id: ValueId| match forms.node(id) {
        Node::Load(access) if loads.contains(access) && program.access(*access).tested.is_none() => Some(Some(*access)),
        _ => None,
    };
    let (factors, fused) = match forms.node(next) {
        Node::Math(MathFunction::Fma, operands) => match operands.as_slice() {
            [left, right, sum] if *sum == head => ([factor(*left)?, factor(*right)?], true),
            _ => return None,
        },
        Node::Binary(BinaryOp::Add, left, right) if *left == head || *right == head => {
            let added = if *left == head { *right } else { *left };
            match forms.node(added) {
                Node::Binary(BinaryOp::Multiply, left, right) => ([factor(*left)?, factor(*right)?], false),
                _ => ([None, factor(added)?], false),
            }
        }
        _ => return None,
    };
    Some(Product { head, fused, factors })
}

/// The distances of a product's factors, if one is the same in each row and the other in each column.
fn tile_sum(
    forms: &mut Forms<'_>,
    own: &For,
    ranges: &[Range<i64>; 2],
    Product { head, fused, factors }: Product,
) -> Option<TileSum> {
    let heads: HashSet<ValueId> = own.heads.iter().map(|(_, head)| *head).collect();
    let [row, column] = [Digit::High, Digit::Low].map(|digit| (forms.id(Atom::Digit(digit)), &ranges[digit as usize]));
    let step = forms.id(Atom::Value(own.iterator));
    let distance = |forms: &mut Forms<'_>, access: AccessId, counter: AtomId| {
        let offset = forms.program.access(access).offset;
        let form = forms.form(offset);
        // A lasting position is the same wherever it is computed.
        let mut facts = LaneFacts::new(counter, 1, heads.clone());
        match facts.step(forms, &form) {
            Step::By(distance) if forms.program.is_lasting(offset) => Some(distance),
            _ => None,
        }
    };
    let mut factor = |access: AccessId, [same, other]: [(AtomId, &Range<i64>); 2]| {
        let is_same = distance(forms, access, same.0)?.is(0) || same.1.end - same.1.start == 1;
        let (across, along) = (distance(forms, access, other.0)?, distance(forms, access, step)?);
        is_same.then_some(Factor { access, across, along })
    };
    let swapped = factors[0].and(Some([factors[1], factors[0]]));
    for [left, right] in [factors].into_iter().chain(swapped) {
        let left = match left {
            Some(left) => factor(left, [column, row]).map(Some),
            None => Some(None),
        };
        if let (Some(left), Some(right)) = (left, factor(right?, [row, column])) {
            return Some(TileSum { head, fused, left, right });
        }
    }
    None
}

#[cfg(test)]
mod tests;
