//! Functions of other languages, and what is written in a kernel instead.

use elements::ElementType;
use kernel::functions::Function;

/// The function of a kernel that has another name elsewhere.
pub(super) fn meant(name: &str) -> Option<&'static str> {
    let function = Function::from_elsewhere(name).map(|function| function.name);
    function.or_else(|| conversion(name))
}

/// The conversion that has another name elsewhere: that of its type, or of a function.
fn conversion(name: &str) -> Option<&'static str> {
    let element = match name {
        "__half2float" | "__int2float_rn" => Some(ElementType::F32),
        "__float2half" => Some(ElementType::F16),
        _ => ElementType::from_elsewhere(name),
    };
    element.map(ElementType::name)
}

/// What to do where no function of a kernel is meant.
pub(super) fn advice(name: &str) -> Option<&'static str> {
    Some(match name {
        "__syncthreads" | "__syncwarp" | "syncthreads" | "barrier" | "workgroupBarrier" => {
            "leave it out: where a thread reads what another one wrote to a shared array, the compiler puts the barrier"
        }
        "where" | "select" => "write `if c { a } else { b }`",
        "fmod" | "fmodf" | "mod" => "write `a % b`",
        "printf" | "print" => "a kernel prints nothing: store the value in a tensor, which a run shows and saves",
        "atomicAdd" | "atomicMax" | "atomicMin" | "atomicCAS" => {
            "there are no atomics: give each element to one thread, which loops over what goes into it"
        }
        "range" => "write `lo..hi`",
        "len" => "a size has a name: declare it with `dim N;`, and write `x: f32[N]`",
        _ => return None,
    })
}
