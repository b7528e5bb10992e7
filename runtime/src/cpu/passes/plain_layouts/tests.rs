//! Tests of which layouts become plain, and that results stay.

use elements::ElementType;
use kernel::BoundsChecks;
use testing::transposes::{TILE, TileLayout, transposition};

use super::*;
use crate::cpu::Cpu;
use crate::execute::{Argument, Control, SizedKernel};
use crate::tensors::{Initial, Tensor};

/// Whether the layout of the tile of a transposition is replaced.
fn is_replaced(layout: TileLayout) -> bool {
    let kernel = transposition([1, 1], ElementType::F32, layout);
    *without_swizzles(Cow::Borrowed(&kernel)) != kernel
}

#[test]
fn only_layouts_with_a_place_for_each_element_are_replaced() {
    assert!(is_replaced(TileLayout::Swizzled));
    assert!(!is_replaced(TileLayout::Padded), "a pad keeps rows apart in caches, too");
    assert!(!is_replaced(TileLayout::Colliding), "which elements share a place shows");
}

/// Elements of each size, in matrices that are no squares.
#[test]
fn a_transposition_through_a_swizzled_tile_is_one() {
    for element in [ElementType::U8, ElementType::I16, ElementType::F32, ElementType::F64] {
        for layout in [TileLayout::Padded, TileLayout::Swizzled] {
            let tiles = [2, 3];
            let kernel = transposition(tiles, element, layout);
            let [rows, columns] = tiles.map(|count| (count * TILE) as usize);
            let shape = [rows as u64, columns as u64];
            let x = Tensor::initial(element, &shape, Initial::Random(1)).unwrap();
            let y = Tensor::initial(element, &[shape[1], shape[0]], Initial::Zeros).unwrap();
            let mut arguments = [x, y].map(Argument::Tensor);
            let sizes = BTreeMap::new();
            let sized = SizedKernel::new(&kernel, &sizes, BoundsChecks::Proven).unwrap();
            sized.run(&Cpu::DEFAULT, &mut arguments, &Control::default()).unwrap();
            let [Argument::Tensor(x), Argument::Tensor(y)] = &arguments else { panic!("both are tensors") };
            let size = element.size_bytes();
            for (index, value) in y.bytes().chunks(size).enumerate() {
                let from = (index % rows * columns + index / rows) * size;
                assert_eq!(value, &x.bytes()[from..from + size], "{element:?} {layout:?} {index}");
            }
        }
    }
}
