//! Functions and types that emitted code needs and CUDA lacks. Only those in use are printed.

use std::collections::BTreeSet;

use super::helper::Helper;
use super::value::literal;
use super::{atomics, copies, shuffles, types};
use elements::ElementType;
use kernel::typed::AtomicOperation;

/// Prints the helpers.
pub(super) fn print(helpers: &BTreeSet<Helper>) -> String {
    let mut text = String::new();
    let mut last: Option<Helper> = None;
    for helper in helpers {
        // The overloads of one function share its comment.
        let is_overload = last.is_some_and(|last| comment(last) == comment(*helper));
        if !is_overload {
            text.push_str(&format!("\n// {}\n", comment(*helper)));
        }
        text.push_str(&definition(*helper));
        last = Some(*helper);
    }
    text
}

fn comment(helper: Helper) -> &'static str {
    match helper {
        Helper::Declaration(element) => {
            element.definition().cuda_declaration.map_or("", |declaration| declaration.comment)
        }
        Helper::WrappingAdd(_)
        | Helper::WrappingSubtract(_)
        | Helper::WrappingMultiply(_)
        | Helper::WrappingNegate(_) => "Signed integers wrap; C++ allows that to unsigned ones only.",
        Helper::WrappingAbs(_) => "The absolute value; that of the smallest integer is itself.",
        Helper::Divide(_) => "Truncates. By zero it is 0; the smallest integer by -1 is itself.",
        Helper::Remainder(_) => "The remainder of a truncating division; by zero it is 0.",
        Helper::FloorDivide(_) => "Rounds down; a divisor below 1 counts as 1.",
        Helper::FloorRemainder(_) => "Never negative; a divisor below 1 counts as 1.",
        Helper::ShiftLeft(_) => "Bits that are shifted out are lost, also for a negative integer.",
        Helper::Saturate(..) => "Truncates; beyond the range it is the nearest integer, and NaN is 0.",
        Helper::BitCast => "The bits of a value, as one of another type of the same size.",
        Helper::CopyVector => "So many bytes of elements as one access; both addresses are a multiple of them.",
        Helper::CopyAsync => "Copies to shared memory at some time before a wait, or fills with zeros.",
        Helper::OrderCopies => "Orders the asynchronous copies of the thread.",
        Helper::Shuffle(..) => "CUDA passes its own types only from lane to lane of a warp.",
        Helper::SyncWarps => "Waits until so many threads, in whole warps, have come to the barrier of this number.",
        Helper::Faults => "An access outside its tensor does not happen; it is counted, and the first one kept.",
        Helper::Atomic(AtomicOperation::Load | AtomicOperation::Store, ..) => {
            "One access that no compiler splits or drops."
        }
        Helper::Atomic(..) => "CUDA has this for the bits of the type only.",
        Helper::RoundToOdd(_) => {
            "What is not exact takes the neighbour whose last bit is 1: rounding once more to a narrow float is then correct."
        }
    }
}

fn definition(helper: Helper) -> String {
    match helper {
        Helper::Declaration(element) => {
            element.definition().cuda_declaration.map_or(String::new(), |declaration| declaration.text.to_owned())
        }
        Helper::WrappingAdd(element) => wrapping("wrapping_add", "+", element),
        Helper::WrappingSubtract(element) => wrapping("wrapping_subtract", "-", element),
        Helper::WrappingMultiply(element) => wrapping("wrapping_multiply", "*", element),
        Helper::WrappingNegate(element) => {
            let (signed, unsigned) = names(element);
            format!("__device__ inline {signed} wrapping_negate({signed} a) {{ return ({signed})-({unsigned})a; }}\n")
        }
        Helper::WrappingAbs(element) => {
            let (signed, unsigned) = names(element);
            format!(
                "__device__ inline {signed} wrapping_abs({signed} a) {{ return a < 0 ? ({signed})-({unsigned})a : a; }}\n"
            )
        }
        Helper::Divide(element) if element.is_signed() => {
            let (signed, unsigned) = names(element);
            format!(
                "__device__ inline {signed} divide({signed} a, {signed} b) {{\n    \
                 return b == 0 ? 0 : b == -1 ? ({signed})-({unsigned})a : a / b;\n}}\n"
            )
        }
        Helper::Divide(element) => {
            let (name, _) = names(element);
            format!("__device__ inline {name} divide({name} a, {name} b) {{ return b == 0 ? 0 : a / b; }}\n")
        }
        Helper::Remainder(element) => {
            let (name, _) = names(element);
            let excluded = if element.is_signed() { "b == 0 || b == -1" } else { "b == 0" };
            format!(
                "__device__ inline {name} truncating_remainder({name} a, {name} b) {{ return {excluded} ? 0 : a % b; }}\n"
            )
        }
        Helper::FloorDivide(element) => {
            let (name, _) = names(element);
            format!(
                "__device__ inline {name} floor_divide({name} a, {name} b) {{\n    \
                 return b <= 1 ? a : a / b - (a % b < 0 ? 1 : 0);\n}}\n"
            )
        }
        Helper::FloorRemainder(element) => {
            let (name, _) = names(element);
            format!(
                "__device__ inline {name} floor_remainder({name} a, {name} b) {{\n    \
                 return b <= 1 ? 0 : a % b < 0 ? a % b + b : a % b;\n}}\n"
            )
        }
        Helper::ShiftLeft(element) => {
            let (signed, unsigned) = names(element);
            format!(
                "__device__ inline {signed} shift_left({signed} a, int amount) {{ \
                 return ({signed})(({unsigned})a << amount); }}\n"
            )
        }
        Helper::Saturate(from, to) => saturate(from, to),
        Helper::BitCast => BIT_CAST.to_string(),
        Helper::CopyVector => COPY_VECTOR.to_string(),
        Helper::CopyAsync => copies::COPY_ASYNC.to_string(),
        Helper::OrderCopies => copies::ORDER_COPIES.to_string(),
        Helper::Shuffle(lane, element) => shuffles::definition(lane, element),
        Helper::SyncWarps => SYNC_WARPS.to_string(),
        Helper::Faults => FAULTS.to_string(),
        Helper::Atomic(operation, element, scope) => atomics::definition(operation, element, scope),
        Helper::RoundToOdd(ElementType::F64) => ROUND_DOUBLE_TO_ODD.to_string(),
        Helper::RoundToOdd(element) => round_integer_to_odd(element),
    }
}

const BIT_CAST: &str = "\
template <typename To, typename From>
__device__ inline To same_bits(From from)
{
    To to;
    memcpy(&to, &from, sizeof(to));
    return to;
}
";

const COPY_VECTOR: &str = "\
template <int bytes, typename Element>
struct alignas(bytes) Vector {
    Element elements[bytes / sizeof(Element)];
};
template <int bytes, typename Element>
__device__ inline void copy_vector(Element *to, const Element *from)
{
    *reinterpret_cast<Vector<bytes, Element> *>(to) = *reinterpret_cast<const Vector<bytes, Element> *>(from);
}
";

/// The names of the type and of its unsigned counterpart.
fn names(element: ElementType) -> (&'static str, &'static str) {
    let unsigned = match element {
        ElementType::I64 | ElementType::U64 => ElementType::U64,
        _ => ElementType::U32,
    };
    (types::name(element), types::name(unsigned))
}

fn wrapping(function: &str, operator: &str, element: ElementType) -> String {
    let (signed, unsigned) = names(element);
    format!(
        "__device__ inline {signed} {function}({signed} a, {signed} b) {{\n    \
         return ({signed})(({unsigned})a {operator} ({unsigned})b);\n}}\n"
    )
}

fn saturate(from: ElementType, to: ElementType) -> String {
    let (float, integer) = (types::name(from), types::name(to));
    let suffix = if from == ElementType::F64 { "" } else { "f" };
    let (low, high) = types::limits(to);
    // The greatest integer plus one is a power of two, like the magnitude of the least one, so floats represent both
    // exactly.
    let above = format!("{}.0{suffix}", high + 1);
    let greatest = literal(to, high).code;
    let function = format!("__device__ inline {integer} to_{}({float} x)", to.name());
    if low == 0 {
        // Both comparisons with NaN are false.
        return format!(
            "{function} {{\n    return x >= {above} ? {greatest} : x > 0.0{suffix} ? ({integer})x : 0;\n}}\n"
        );
    }
    let least = literal(to, low).code;
    format!(
        "{function} {{\n    return x >= {above} ? {greatest} : x > {low}.0{suffix} ? ({integer})x : x == x ? {least} : 0;\n}}\n"
    )
}

const ROUND_DOUBLE_TO_ODD: &str = r#"__device__ inline float round_to_odd(double x) {
    const float nearest = (float)x;
    const unsigned int bits = __float_as_uint(nearest);
    const bool is_right = (double)nearest == x || x != x || (bits & 1u) != 0u;
    // The other neighbour is one step further from zero or nearer to it.
    return is_right ? nearest : __uint_as_float(fabs((double)nearest) < fabs(x) ? bits + 1u : bits - 1u);
}
"#;

/// A build for the host, as tests make it, brings its own.
const SYNC_WARPS: &str = r#"#ifdef __CUDACC__
__device__ inline void sync_warps(int barrier, int threads) {
    asm volatile("bar.sync %0, %1;" :: "r"(barrier), "r"(threads) : "memory");
}
#endif
"#;

const FAULTS: &str = r#"struct Faults {
    unsigned long long count;
    long long offset;
    unsigned int tensor;
};
__device__ inline bool inside(long long offset, long long length, unsigned int tensor, Faults *faults) {
    if (0 <= offset && offset < length) {
        return true;
    }
    if (atomicAdd(&faults->count, 1ull) == 0) {
        faults->offset = offset;
        faults->tensor = tensor;
    }
    return false;
}
"#;

fn round_integer_to_odd(element: ElementType) -> String {
    let name = types::name(element);
    let (magnitude, sign) = if element.is_signed() {
        ("x < 0 ? -(unsigned long long)x : (unsigned long long)x", "x < 0 ? -rounded : rounded")
    } else {
        ("x", "rounded")
    };
    format!(
        "__device__ inline double round_to_odd({name} x) {{\n    \
         const unsigned long long magnitude = {magnitude};\n    \
         // What 53 bits cannot hold keeps its leading ones; a 1 stands for whatever is lost below.\n    \
         const unsigned long long kept = (magnitude | ((magnitude & 2047ull) + 2047ull)) & ~2047ull;\n    \
         const double rounded = (double)(magnitude >> 53 == 0 ? magnitude : kept);\n    \
         return {sign};\n}}\n"
    )
}
