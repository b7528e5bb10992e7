//! Atomic accesses in C++: CUDA's own function where it has one for the type, otherwise a small one made of it.

use super::emitter::Emitter;
use super::helper::Helper;
use super::reads::Name;
use super::statements::any_value;
use super::types;
use elements::ElementType;
use kernel::loops::{Access, Atomic, Step};
use kernel::typed::{AtomicOperation, Memory, ThreadScope};

impl Emitter<'_> {
    /// Writes an atomic access. What it orders is said by fences around it, which order at least that.
    pub(super) fn atomic(&mut self, step: &Step, atomic: &Atomic) {
        let Some(access) = self.loops.access(atomic.access).cloned() else { return };
        let element = self.arrays_element(&access);
        // All threads that share an array are in one block.
        let scope = match access.memory {
            Memory::Param(_) => atomic.scope,
            Memory::Shared(_) => ThreadScope::default(),
        };
        let of = Name::Constant(step.number);
        let result = atomic.result.filter(|_| !self.reads.leaves_out(of));
        let name = result.map(|(local, _)| {
            self.reads.begin(of);
            self.reads.end();
            let source = self.source_name(local);
            self.names.take(&source)
        });
        let conditions: Vec<String> =
            [self.mask(&access), self.place(&access).1.map(|guard| guard.code)].into_iter().flatten().collect();
        self.use_type(element);
        if let (Some(name), false) = (&name, conditions.is_empty()) {
            let zero = self.zero(element).text.code;
            self.line(&format!("{} {name} = {zero};", types::name(element)));
        }
        for condition in &conditions {
            self.line(&format!("if ({condition}) {{"));
            self.depth += 1;
        }
        let call = self.atomic_call(atomic, &access, element, scope);
        if atomic.order.releases() {
            self.line(fence(scope));
        }
        self.line(&match &name {
            Some(name) if conditions.is_empty() => format!("const {} {name} = {call};", types::name(element)),
            Some(name) => format!("{name} = {call};"),
            None => format!("{call};"),
        });
        if atomic.order.acquires() {
            self.line(fence(scope));
        }
        conditions.iter().for_each(|_| self.close());
        if let Some(((_, value), name)) = result.zip(name) {
            self.visible.add(value, any_value(name, element, of));
        }
    }

    fn arrays_element(&self, access: &Access) -> ElementType {
        self.kernel.element(access.memory).unwrap_or(ElementType::I64)
    }

    fn mask(&mut self, access: &Access) -> Option<String> {
        access.tested.map(|mask| self.index(mask).text.code)
    }

    fn atomic_call(&mut self, atomic: &Atomic, access: &Access, element: ElementType, scope: ThreadScope) -> String {
        let function = match of_cuda(atomic.operation, element) {
            Some(function) => format!("{function}{}", suffix(scope)),
            None => {
                if element.is_narrow_float() {
                    self.helpers.insert(Helper::BitCast);
                }
                self.helpers.insert(Helper::Atomic(atomic.operation, element, scope));
                function(atomic.operation, scope)
            }
        };
        let mut arguments = vec![format!("&{}", self.place(access).0.code)];
        for operand in &atomic.operands {
            arguments.push(self.value(*operand).text.code);
        }
        format!("{function}({})", arguments.join(", "))
    }
}

/// What keeps accesses before it and after it apart.
fn fence(scope: ThreadScope) -> &'static str {
    match scope {
        ThreadScope::Block => "__threadfence_block();",
        ThreadScope::Device => "__threadfence();",
        ThreadScope::System => "__threadfence_system();",
    }
}

fn suffix(scope: ThreadScope) -> &'static str {
    match scope {
        ThreadScope::Block => "_block",
        ThreadScope::Device => "",
        ThreadScope::System => "_system",
    }
}

/// The name of our function.
fn function(operation: AtomicOperation, scope: ThreadScope) -> String {
    format!("{}{}", operation.name(), suffix(scope))
}

/// CUDA's name of an operation.
fn word(operation: AtomicOperation) -> &'static str {
    match operation {
        AtomicOperation::Load | AtomicOperation::Store => "",
        AtomicOperation::Add => "atomicAdd",
        AtomicOperation::Min => "atomicMin",
        AtomicOperation::Max => "atomicMax",
        AtomicOperation::And => "atomicAnd",
        AtomicOperation::Or => "atomicOr",
        AtomicOperation::Xor => "atomicXor",
        AtomicOperation::Exchange => "atomicExch",
        AtomicOperation::CompareExchange => "atomicCAS",
    }
}

/// CUDA's function, if it takes the type.
fn of_cuda(operation: AtomicOperation, element: ElementType) -> Option<&'static str> {
    use ElementType::{F32, F64, I32, I64, U32, U64};
    let takes = match operation {
        AtomicOperation::Load | AtomicOperation::Store => false,
        AtomicOperation::Add => matches!(element, I32 | U32 | U64 | F32 | F64),
        AtomicOperation::Min | AtomicOperation::Max => matches!(element, I32 | U32 | I64 | U64),
        AtomicOperation::Exchange => matches!(element, I32 | U32 | U64 | F32),
        _ => matches!(element, I32 | U32 | U64),
    };
    takes.then(|| word(operation))
}

/// Our function for an operation and a type.
pub(super) fn definition(operation: AtomicOperation, element: ElementType, scope: ThreadScope) -> String {
    let (type_name, called) = (types::name(element), format!("{}{}", word(operation), suffix(scope)));
    let head = |operands: &str, result: &str| {
        format!("__device__ inline {result} {}({type_name} *element{operands}) {{\n", function(operation, scope))
    };
    let bits = match element.size_bytes() {
        1 => "unsigned char",
        2 => "unsigned short",
        4 => "unsigned int",
        _ => "unsigned long long",
    };
    match operation {
        AtomicOperation::Load => {
            let head = head("", type_name).replace('(', "(const ");
            match element.is_narrow_float() {
                true => format!("{head}    return same_bits<{type_name}>(*(const volatile {bits} *)element);\n}}\n"),
                false => format!("{head}    return *(const volatile {type_name} *)element;\n}}\n"),
            }
        }
        AtomicOperation::Store => {
            let head = head(&format!(", {type_name} value"), "void");
            match element.is_narrow_float() {
                true => format!("{head}    *(volatile {bits} *)element = same_bits<{bits}>(value);\n}}\n"),
                false => format!("{head}    *(volatile {type_name} *)element = value;\n}}\n"),
            }
        }
        AtomicOperation::CompareExchange => format!(
            "{}    return ({type_name}){called}(({bits} *)element, ({bits})expected, ({bits})value);\n}}\n",
            head(&format!(", {type_name} expected, {type_name} value"), type_name)
        ),
        AtomicOperation::Min | AtomicOperation::Max => {
            by_comparison(&head(&format!(", {type_name} value"), type_name), operation, element, scope)
        }
        _ if element.is_float() => format!(
            "{}    return {}({called}(({bits} *)element, {}(value)));\n}}\n",
            head(&format!(", {type_name} value"), type_name),
            from_bits(element),
            to_bits(element)
        ),
        _ => format!(
            "{}    return ({type_name}){called}(({bits} *)element, ({bits})value);\n}}\n",
            head(&format!(", {type_name} value"), type_name)
        ),
    }
}

/// The smaller or the greater one of floats: tried again until no other thread has come between.
fn by_comparison(head: &str, operation: AtomicOperation, element: ElementType, scope: ThreadScope) -> String {
    let bits = if element == ElementType::F32 { "unsigned int" } else { "unsigned long long" };
    let chosen = match (operation, element) {
        (AtomicOperation::Min, ElementType::F32) => "fminf",
        (AtomicOperation::Min, _) => "fmin",
        (_, ElementType::F32) => "fmaxf",
        _ => "fmax",
    };
    let (from, to) = (from_bits(element), to_bits(element));
    let exchange = format!("{}{}", word(AtomicOperation::CompareExchange), suffix(scope));
    format!(
        "{head}    {bits} before = *(volatile {bits} *)element;\n    \
         while (true) {{\n        \
         const {bits} found = {exchange}(({bits} *)element, before, ({bits}){to}({chosen}({from}(before), value)));\n        \
         if (found == before) {{\n            return {from}(found);\n        }}\n        \
         before = found;\n    }}\n}}\n"
    )
}

fn from_bits(element: ElementType) -> &'static str {
    if element == ElementType::F32 { "__uint_as_float" } else { "__longlong_as_double" }
}

fn to_bits(element: ElementType) -> &'static str {
    if element == ElementType::F32 { "__float_as_uint" } else { "__double_as_longlong" }
}
