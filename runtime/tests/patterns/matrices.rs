//! Indices computed from others: products, transposed tiles, gathers, swizzles.

use super::*;

/// A product of matrices: 16 × K times K × 24, one thread per element of the result.
#[test]
fn matrix_product() {
    for element in [F32, ElementType::F64, ElementType::F16, ElementType::I32] {
        let (rows, columns) = (Sym::constant(16), Sym::constant(24));
        let (threads, facts) = (Sym::constant(32), Facts::empty());
        let total = rows.checked_mul(&columns).unwrap();
        let blocks = total.cdiv(&threads, &facts).unwrap();
        let mut builder = KernelBuilder::new("product", blocks, threads);
        let a = builder.tensor("a", element, &[rows.clone(), n()], false);
        let b = builder.tensor("b", element, &[n(), columns.clone()], false);
        let c = builder.tensor("c", element, &[rows.clone(), columns.clone()], true);
        let (k, sum) = (builder.local("k", ElementType::I64), builder.local("sum", element));
        let (row, column) = (builder.local("row", ElementType::I64), builder.local("column", ElementType::I64));
        let id = builder.linear_id();
        let a_length = rows.checked_mul(&n()).unwrap();
        let b_length = n().checked_mul(&columns).unwrap();
        let a_index = add(multiply(builder.read(row), size(&n())), builder.read(k));
        let b_index = add(multiply(builder.read(k), size(&columns)), builder.read(column));
        let read_a = builder.access(a, &identity(&a_length), vec![a_index], Masking::None);
        let read_b = builder.access(b, &identity(&b_length), vec![b_index], Masking::None);
        let write = builder.access(c, &identity(&total), vec![id.clone()], Masking::None);
        let product = multiply(builder.load(read_a), builder.load(read_b));
        let next = add(builder.read(sum), product);
        let result = builder.read(sum);
        let kernel = builder.finish(vec![
            assign(row, binary(BinaryOp::FloorDivide, id.clone(), size(&columns))),
            assign(column, binary(BinaryOp::FloorRemainder, id, size(&columns))),
            for_loop(k, int(0), size(&n()), vec![assign(sum, next)]),
            store(write, result),
        ]);
        for n in [1, 7, 32] {
            check(&kernel, n);
        }
    }
}

/// A tile of 8 × 8 per block, read in rows and written in columns, each thread several elements.
#[test]
fn transposed_tiles() {
    let (tile, facts) = (8i64, Facts::empty());
    let across = n().cdiv(&Sym::constant(tile), &facts).unwrap();
    let blocks = across.checked_mul(&across).unwrap();
    let mut builder = KernelBuilder::new("transpose", blocks, Sym::constant(16));
    let length = n().checked_mul(&n()).unwrap();
    let x = builder.tensor("x", F32, &[n(), n()], false);
    let y = builder.tensor("y", F32, &[n(), n()], true);
    let k = builder.local("k", ElementType::I64);
    let element = add(multiply(builder.read(k), int(16)), thread_id());
    let row = binary(BinaryOp::FloorDivide, element.clone(), int(tile));
    let column = binary(BinaryOp::FloorRemainder, element, int(tile));
    let across = size(&across);
    let row = add(multiply(binary(BinaryOp::FloorDivide, block_id(), across.clone()), int(tile)), row);
    let column = add(multiply(binary(BinaryOp::FloorRemainder, block_id(), across), int(tile)), column);
    let inside = compare(
        BinaryOp::And,
        compare(BinaryOp::Less, row.clone(), size(&n())),
        compare(BinaryOp::Less, column.clone(), size(&n())),
    );
    let from = add(multiply(row.clone(), size(&n())), column.clone());
    let to = add(multiply(column, size(&n())), row);
    let read = builder.access(x, &identity(&length), vec![from], Masking::None);
    let write = builder.access(y, &identity(&length), vec![to], Masking::None);
    let value = builder.load(read);
    let body = vec![if_else(inside, vec![store(write, value)], Vec::new())];
    let kernel = builder.finish(vec![for_loop(k, int(0), int(4), body)]);
    for n in [8, 16, 21] {
        check(&kernel, n);
    }
}

#[test]
fn an_index_from_a_tensor() {
    let (mut builder, id, inside) = one_thread_per_element("gather", 32);
    let x = vector(&mut builder, "x", F32, &n(), false);
    let indices = vector(&mut builder, "indices", ElementType::I32, &n(), false);
    let y = vector(&mut builder, "y", F32, &n(), true);
    let index = builder.access(indices, &identity(&n()), vec![id.clone()], Masking::None);
    let index = cast(ElementType::I64, builder.load(index));
    let wrapped = binary(BinaryOp::FloorRemainder, index, size(&n()));
    let read = builder.access(x, &identity(&n()), vec![wrapped], Masking::None);
    let value = builder.load(read);
    let write = builder.access(y, &identity(&n()), vec![id], Masking::None);
    let kernel = builder.finish(vec![if_else(inside, vec![store(write, value)], Vec::new())]);
    for n in [1, 40, 1000] {
        check(&kernel, n);
    }
}

#[test]
fn a_swizzle() {
    // Column c of row r stands at c ^ (r % 8).
    let (columns, threads) = (32i64, 64i64);
    let mut builder = KernelBuilder::new("swizzle", n(), Sym::constant(threads));
    let length = n().checked_mul(&Sym::constant(threads)).unwrap();
    let x = vector(&mut builder, "x", ElementType::I32, &length, false);
    let y = vector(&mut builder, "y", ElementType::I32, &length, true);
    let id = builder.linear_id();
    let row = binary(BinaryOp::FloorDivide, id.clone(), int(columns));
    let column = binary(BinaryOp::FloorRemainder, id.clone(), int(columns));
    let turned = binary(BinaryOp::BitXor, column, binary(BinaryOp::FloorRemainder, row.clone(), int(8)));
    let to = add(multiply(row, int(columns)), turned);
    let read = builder.access(x, &identity(&length), vec![id], Masking::None);
    let write = builder.access(y, &identity(&length), vec![to], Masking::None);
    let value = builder.load(read);
    let kernel = builder.finish(vec![store(write, value)]);
    for n in [1, 9] {
        check(&kernel, n);
    }
}
