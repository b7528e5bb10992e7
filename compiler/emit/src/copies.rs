//! Asynchronous copies from tensors to shared arrays in CUDA.
//!
//! `cp.async` copies 4, 8 or 16 bytes, or fills them with zeros. What it cannot copy, an element of 1 or 2 bytes or one of guarded code, is
//! stored at once, which is one of the moments at which a copy may happen.

use super::emitter::Emitter;
use super::helper::Helper;
use super::statements::Block;
use super::text::{Level, Text};
use kernel::loops::{Access, For, Node, StepKind, ValueId};
use kernel::typed::{AccessKind, CopyOrder, Memory};
use maps::hardware::VECTOR_BYTES;

/// The bytes of the elements that can be copied one by one.
const COPIED_BYTES: [usize; 2] = [4, 8];

/// What is copied, and the condition under which; zero elsewhere.
struct Source {
    access: Access,
    conditions: Vec<ValueId>,
}

impl Emitter<'_> {
    /// Writes a copy of one element; returns `false` if it is none, or has to be a store.
    pub fn copy_async(&mut self, to: &Access, value: ValueId) -> bool {
        if to.kind != AccessKind::Copy {
            return false;
        }
        let Some(Source { access: from, conditions }) = self.source(value) else { return false };
        let bytes = self.kernel.element(from.memory).map_or(0, |element| element.size_bytes());
        if !COPIED_BYTES.contains(&bytes) || self.is_guarded() {
            return false;
        }
        self.helpers.insert(Helper::CopyAsync);
        let [(to, _), (from, _)] = [to, &from].map(|access| self.place(access));
        let mut arguments = vec![format!("&{}", to.code), format!("&{}", from.code)];
        let conditions: Vec<Text> = conditions.into_iter().map(|condition| self.value(condition).text).collect();
        let all = conditions.into_iter().reduce(|left, right| Text::infix("&&", Level::And, &left, &right));
        arguments.extend(all.map(|all| all.code));
        self.line(&format!("copy_async({});", arguments.join(", ")));
        true
    }

    /// The element of a tensor that a value is.
    fn source(&self, value: ValueId) -> Option<Source> {
        let mut conditions = Vec::new();
        let load = match self.loops.values.node(value)? {
            Node::Select(condition, load, _) => {
                conditions.push(*condition);
                *load
            }
            _ => value,
        };
        let Some(Node::Load(access)) = self.loops.values.node(load) else { return None };
        let access = self.loops.access(*access)?.clone();
        conditions.extend(access.tested);
        Some(Source { access, conditions })
    }

    /// Writes a loop over neighbouring elements as copies of vectors; returns `false` if it is no such loop.
    pub fn copy_vectors_async(&mut self, counted: &For, body: Block<'_>) -> bool {
        let Some(vectors) = self.vector_loops.get(&counted.id).cloned() else { return false };
        let [step] = body.list.steps.as_slice() else { return false };
        let StepKind::Store { access: to, value } = step.kind else { return false };
        let Some(to) = self.loops.access(to).filter(|to| to.kind == AccessKind::Copy).cloned() else { return false };
        let Some(Source { access: from, conditions }) = self.source(value) else { return false };
        let [first, second] = vectors.groups.as_slice() else { return false };
        let bytes = first.width.saturating_mul(first.element.size_bytes() as i64);
        let is_plain = |mask: Option<ValueId>| mask.is_none();
        if !conditions.is_empty()
            || ![to.mask, from.mask].into_iter().all(is_plain)
            || (first.width, first.element) != (second.width, second.element)
            || ![4, 8, VECTOR_BYTES].contains(&bytes)
            || vectors.count % first.width != 0
        {
            return false;
        }
        self.helpers.extend([Helper::CopyVector, Helper::CopyAsync]);
        if let Memory::Shared(array) = to.memory {
            self.aligned.insert(array);
        }
        self.each_vector(counted, vectors.count, first.width, |emitter| {
            let [(to, _), (from, _)] = [&to, &from].map(|access| emitter.place(access));
            emitter.line(&format!("copy_vector_async<{bytes}>(&{}, &{});", to.code, from.code));
        });
        true
    }

    /// Writes an order of the thread's copies.
    pub fn order_copies(&mut self, order: CopyOrder) {
        self.helpers.insert(Helper::OrderCopies);
        match order {
            CopyOrder::Commit => self.line("commit_copies();"),
            CopyOrder::Wait { pending: 0 } => self.line("wait_for_copies();"),
            CopyOrder::Wait { pending } => self.line(&format!("wait_for_copies_but<{pending}>();")),
        }
    }
}

/// Copies of elements and of vectors. Addresses of shared memory are 32 bits wide.
pub(super) const COPY_ASYNC: &str = r#"#ifdef __CUDACC__
template <typename Element>
__device__ inline void copy_async(Element *to, const Element *from, bool is_there = true)
{
#if __CUDA_ARCH__ >= 800
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(to);
    const int bytes = is_there ? (int)sizeof(Element) : 0;
    if (sizeof(Element) == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(address), "l"(from), "r"(bytes) : "memory");
    } else if (sizeof(Element) == 8) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" :: "r"(address), "l"(from), "r"(bytes) : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"(address), "l"(from), "r"(bytes) : "memory");
    }
#else
    *to = is_there ? *from : Element();
#endif
}
#endif
template <int bytes, typename Element>
struct alignas(bytes) Copied {
    Element elements[bytes / sizeof(Element)];
};
template <int bytes, typename Element>
__device__ inline void copy_vector_async(Element *to, const Element *from)
{
    copy_async(reinterpret_cast<Copied<bytes, Element> *>(to), reinterpret_cast<const Copied<bytes, Element> *>(from));
}
"#;

/// Commits and waits; before sm_80 every copy has happened at once.
pub(super) const ORDER_COPIES: &str = r#"#ifdef __CUDACC__
__device__ inline void commit_copies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int pending>
__device__ inline void wait_for_copies_but()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" :: "n"(pending) : "memory");
#endif
}
__device__ inline void wait_for_copies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
#endif
"#;
