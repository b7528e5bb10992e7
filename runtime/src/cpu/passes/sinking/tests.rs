//! Tests of which assignments move into the `if` behind them.

use dims::Sym;
use elements::ElementType;
use kernel::typed::BinaryOp;
use testing::build::*;

use super::*;

/// Where a variable is read.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    Arm,
    Condition,
    Behind,
    OtherArm,
}

/// How many assignments stand before the `if` and how many in its first arm, of a kernel in which the first thread stores a sum of
/// two variables, one made of the other, and the first one is read elsewhere as well.
fn places(also: Option<Use>) -> [usize; 2] {
    let mut builder = KernelBuilder::new("sums", Sym::one(), Sym::constant(64));
    let length = Sym::constant(64);
    let [x, y] =
        ["x", "y"].map(|name| builder.tensor(name, ElementType::F32, std::slice::from_ref(&length), name == "y"));
    let [first, second] = ["first", "second"].map(|name| builder.constant(name, ElementType::F32));
    let map = identity(&length);
    let own = builder.access(x, &map, vec![thread_id()], Masking::None);
    let stored = |builder: &mut KernelBuilder, value: Expr| {
        let access = builder.access(y, &map, vec![thread_id()], Masking::None);
        store(access, value)
    };
    let mut condition = compare(BinaryOp::Equal, thread_id(), int(0));
    if also == Some(Use::Condition) {
        let is_large = compare(BinaryOp::Less, float(1.0), builder.read(first));
        condition = compare(BinaryOp::And, condition, is_large);
    }
    let sum = add(builder.read(first), builder.read(second));
    let then = vec![stored(&mut builder, sum)];
    let again = builder.read(first);
    let other = |builder: &mut KernelBuilder, wanted: Use| {
        (also == Some(wanted)).then(|| stored(builder, again.clone())).into_iter().collect::<Vec<_>>()
    };
    let (otherwise, behind) = (other(&mut builder, Use::OtherArm), other(&mut builder, Use::Behind));
    let double = add(builder.read(first), builder.read(first));
    let mut body = vec![assign(first, builder.load(own)), assign(second, double), if_else(condition, then, otherwise)];
    body.extend(behind);
    let kernel = sunk(Cow::Owned(builder.finish(body)));
    let assigned = |statements: &[Statement]| {
        statements.iter().filter(|statement| matches!(statement.kind, StatementKind::Assign { .. })).count()
    };
    let arm = kernel.body.iter().find_map(|statement| match &statement.kind {
        StatementKind::If { then, .. } => Some(assigned(then)),
        _ => None,
    });
    [assigned(&kernel.body), arm.expect("the `if` stays")]
}

#[test]
fn what_only_an_arm_reads_is_computed_there() {
    assert_eq!(places(None), [0, 2]);
    assert_eq!(places(Some(Use::Arm)), [0, 2]);
}

#[test]
fn what_is_read_elsewhere_stays_and_what_is_made_of_it_moves() {
    for also in [Use::Condition, Use::Behind, Use::OtherArm] {
        assert_eq!(places(Some(also)), [1, 1]);
    }
}
