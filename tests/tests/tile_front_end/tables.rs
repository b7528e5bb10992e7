//! Tables that random programs would not go through: every conversion of a store, every product, every atomic access.

use elements::ElementType;

use super::program::*;
use super::{FrontEnd, compare};

/// A program that loads a tile of 2 × 2, and stores a value through a partition of a tensor of the same shape.
fn with(source: ElementType, target: ElementType, value: Expr) -> Program {
    let view = |element| View { element, extents: vec![Extent::Known(4), Extent::Known(8)], tile: vec![2, 4] };
    let index: Vec<Index> = (0..2).map(|dimension| Index::Block { dimension, offset: 0 }).collect();
    Program {
        multiples: vec![1, 1],
        source: view(source),
        target: view(target),
        is_constant: false,
        load: Load { index: index.clone(), masked: None, atomic: None },
        value,
        store: Store { index, masked: false, atomic: None },
    }
}

fn pairs() -> impl Iterator<Item = (ElementType, ElementType)> {
    ELEMENTS.into_iter().flat_map(|left| ELEMENTS.map(|right| (left, right)))
}

#[test]
fn conversions_of_stores_are_those_of_cuda_tile() {
    let Some(front_end) = FrontEnd::new() else { return };
    let stores = pairs().map(|(from, to)| with(from, to, Expr::Loaded));
    let casts = pairs().map(|(from, to)| with(from, to, Expr::Cast(to, Box::new(Expr::Loaded))));
    let tally = compare(&front_end, &stores.chain(casts).collect::<Vec<_>>());
    assert!(tally.only_ours.is_empty() && tally.only_theirs.is_empty());
}

#[test]
fn products_are_those_of_cuda_tile() {
    let Some(front_end) = FrontEnd::new() else { return };
    let tile = |element, shape: [i64; 2]| Box::new(Expr::Full(element, shape.to_vec(), 1));
    let sums =
        [ElementType::I32, ElementType::U32, ElementType::F16, ElementType::Bf16, ElementType::F32, ElementType::F64];
    let products = pairs().flat_map(|(left, right)| {
        let of = move |sum: Option<ElementType>| {
            let value = Expr::Product(tile(left, [2, 4]), tile(right, [4, 4]), sum.map(|sum| tile(sum, [2, 4])));
            with(ElementType::F64, ElementType::F64, Expr::Cast(ElementType::F64, Box::new(value)))
        };
        sums.map(Some).into_iter().chain([None]).map(of)
    });
    let tally = compare(&front_end, &products.collect::<Vec<_>>());
    let differences: Vec<&str> = tally.only_ours.into_keys().chain(tally.only_theirs.into_keys()).collect();
    assert_eq!(differences, ["a `bool` is no number; in C++ it is"]);
}

#[test]
fn atomic_accesses_are_those_of_cuda_tile() {
    let Some(front_end) = FrontEnd::new() else { return };
    use Update::*;
    let orders = [Order::Relaxed, Order::Acquire, Order::Release, Order::AcquireRelease];
    let scopes = [Scope::Block, Scope::Device, Scope::System];
    let mut programs = Vec::new();
    for element in ELEMENTS {
        for update in [Store, Add, Min, Max, And, Or, Xor] {
            let mut program = with(element, element, Expr::Loaded);
            program.store.atomic = Some((update, Order::Relaxed, Scope::Device));
            programs.push(program);
        }
        let mut program = with(element, element, Expr::Loaded);
        program.load.atomic = Some((Order::Relaxed, Scope::Device));
        programs.push(program);
    }
    for (order, scope) in orders.into_iter().flat_map(|order| scopes.map(|scope| (order, scope))) {
        for update in [Store, Add] {
            let mut program = with(ElementType::F32, ElementType::F32, Expr::Loaded);
            program.store.atomic = Some((update, order, scope));
            programs.push(program);
        }
        let mut program = with(ElementType::F32, ElementType::F32, Expr::Loaded);
        program.load.atomic = Some((order, scope));
        programs.push(program);
    }
    compare(&front_end, &programs);
}
