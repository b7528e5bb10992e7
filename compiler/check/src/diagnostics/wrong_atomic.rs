//! Atomic accesses that cannot be.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use elements::ElementType;
use kernel::typed::AtomicOperation;
use smol_str::SmolStr;
use syntax::span::Span;

/// The documentation of `wrong-atomic`.
pub static PAGE: Page = Page {
    code: "wrong-atomic",
    severity: Severity::Error,
    title: "an atomic access that cannot be",
    explanation: "`atomic_add(h[b], 1);` adds to an element in one step, so that threads may meet there. Its first argument is an element
of a tensor or of a shared array. It is a statement, or the whole value of a `let`, which then holds the element from before.
The elements are `i32`, `u32`, `i64`, `u64`, `f32` or `f64`: GPUs have no atomic accesses of narrower ones. `order: relaxed`,
the default, orders no other access; `acquire`, `release` and `acq_rel` do. `scope: device`, the default, keeps the threads of
the whole launch apart; `block` is for shared arrays, whose threads are in one block, and `system` for what the host reads meanwhile.",
    wrong: "kernel histogram(x: u8[4096], h: mut u8[256]) {
    for i in grid(4096) { atomic_add(h[i64(x[i])], 1); }
}
",
    right: "kernel histogram(x: u8[4096], h: mut u32[256]) {
    for i in grid(4096) { atomic_add(h[i64(x[i])], 1); }
}
",
};

/// What is wrong with an atomic access.
pub(crate) enum WrongAtomic<'w> {
    /// The operation is not defined on the type.
    Type { operation: AtomicOperation, element: ElementType },
    /// The first argument is no element.
    NoElement(AtomicOperation),
    /// It stands within an expression.
    Within(AtomicOperation),
    /// The value of a store is asked for.
    GivesNothing,
    /// One thread would know the result in a kernel of tiles.
    OfBlock(OfBlock<'w>),
    /// The order is not one of these words.
    Order { operation: AtomicOperation, words: &'w [&'w str] },
    /// The scope is not one of these words.
    Scope { words: &'w [&'w str] },
    /// The element is one of an array of each thread.
    OfThread { operation: AtomicOperation, name: SmolStr },
    /// Other blocks could come between.
    OtherBlocks,
    /// The operation of a scatter is not one of these words.
    Unknown { words: &'w [&'w str] },
    /// A scatter that is not atomic has an order or a scope.
    Plain,
}

/// An atomic access of one element for a block of tiles, in the words of the program.
pub(crate) struct OfBlock<'w> {
    pub(crate) operation: AtomicOperation,
    pub(crate) element: Option<ElementType>,
    pub(crate) tensor: &'w str,
    pub(crate) rank: usize,
    pub(crate) places: &'w [SmolStr],
    pub(crate) values: &'w [SmolStr],
}

impl OfBlock<'_> {
    /// The same access of a tile of one element, which all threads know.
    fn of_tile(&self) -> String {
        let ones = vec!["1"; self.rank].join(", ");
        let element = self.element.map_or("f32", ElementType::name);
        let values = self.values.iter().map(|value| format!("full({element}[{ones}], {value})"));
        let arguments: Vec<String> = values.chain(self.places.iter().map(ToString::to_string)).collect();
        let tensor = self.tensor;
        format!(
            "use a tile of one element: `view p{tensor} = partition({tensor}, [{ones}]);`, and here `p{tensor}.{}({})`; it gives such a \
             tile, whose number is `.sum()`",
            self.operation.name(),
            arguments.join(", ")
        )
    }
}

/// The atomic access at `span` cannot be.
pub(crate) fn wrong_atomic(span: Span, why: &WrongAtomic<'_>) -> Diagnostic {
    match why {
        WrongAtomic::Type { operation, element } => {
            let name = operation.name();
            let diagnostic = PAGE.at(span, format!("there is no `{name}` of `{element}`"));
            let is_bitwise = !element.is_float() || operation.is_defined_on(ElementType::F32);
            diagnostic.help(match element {
                _ if element.is_narrow_float() => "collect into an `f32` tensor, and convert it in another kernel",
                ElementType::F32 | ElementType::F64 if !is_bitwise => "use a tensor of `u32` or `u64`",
                ElementType::U8 | ElementType::U16 => "use a tensor of `u32`",
                _ => "use a tensor of `i32` or `u32`",
            })
        }
        WrongAtomic::NoElement(operation) => PAGE
            .at(span, "an element is expected here, such as `h[i]`".to_owned())
            .help(format!("write `{}`", example(*operation))),
        WrongAtomic::Within(operation) => PAGE
            .at(span, "an atomic access is a statement of its own, or the whole value of a `let`".to_owned())
            .help(format!("write `let before = {};` before, and use `before` here", example(*operation))),
        WrongAtomic::GivesNothing => PAGE
            .at(span, "`atomic_store` gives no value".to_owned())
            .help("write it as a statement, or `atomic_exchange`, which gives the element from before"),
        WrongAtomic::OfBlock(form) => {
            let diagnostic =
                PAGE.at(span, "one thread does this for its block of tiles, and the others would not know the value");
            // A comparison of two operands is none of a tile.
            match form.values.len() {
                0 | 1 => diagnostic.help(form.of_tile()),
                _ => diagnostic.help("write it as a statement, or inside a loop over `threads`"),
            }
        }
        WrongAtomic::Order { operation, words: known } => {
            PAGE.at(span, format!("the order of `{}` is {}", operation.name(), words::list(known)))
        }
        WrongAtomic::Scope { words: known } => PAGE.at(span, format!("a scope is {}", words::list(known))),
        WrongAtomic::OfThread { operation, name } => PAGE
            .at(
                span,
                format!("every thread has its own `{name}`, so there is nobody to meet in `{}`", operation.name()),
            )
            .help(format!("read and assign its elements: `{name}[i] += 1;`")),
        WrongAtomic::OtherBlocks => PAGE
            .at(span, "threads of other blocks reach this tensor too, and `block` lets them come between".to_owned())
            .help("leave it out: the whole launch is the default"),
        WrongAtomic::Unknown { words: known } => {
            PAGE.at(span, format!("the operations behind `atomic:` are {}", words::list(known)))
        }
        WrongAtomic::Plain => PAGE
            .at(span, "this scatter is not atomic, so it has neither an order nor a scope".to_owned())
            .help("leave it out, or say how elements meet: `atomic: add`"),
    }
}

fn example(operation: AtomicOperation) -> String {
    let operands: String = operation.operands().iter().map(|operand| format!(", {operand}")).collect();
    format!("{}(h[i]{operands})", operation.name())
}
