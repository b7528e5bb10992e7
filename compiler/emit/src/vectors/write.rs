//! Loops with vectors in C++.

use std::collections::BTreeSet;

use super::substitute::in_access;
use super::{Group, Plan, is_same};
use crate::emitter::{Emitter, LocalState};
use crate::helpers::Helper;
use crate::range::Range;
use crate::text::Text;
use crate::types;
use elements::ElementType;
use kernel::typed::{Access, BinaryOp, Constant, Expr, ExprKind, Local, Memory, Statement};
use proofs::memory::ElementSize;

/// The arrays that stand for memory where the text has got to.
#[derive(Default)]
pub(crate) struct Vectors {
    arrays: Vec<Array>,
    /// The name of the index into them.
    lane: String,
}

struct Array {
    name: String,
    access: Access,
    needs_mask: bool,
}

impl Vectors {
    fn array(&self, access: &Access) -> Option<&Array> {
        self.arrays.iter().find(|array| is_same(&array.access, access))
    }

    /// The element of an array that stands for an access.
    pub fn element(&self, access: &Access) -> Option<Text> {
        let array = self.array(access)?;
        Some(Text::element(&array.name, &Text::primary(self.lane.clone())))
    }

    /// The condition of a store, unless it is enough that the array is stored under it.
    pub fn mask<'a>(&self, access: &'a Access) -> Option<&'a Expr> {
        let is_needed = self.array(access).is_none_or(|array| array.needs_mask);
        access.mask.as_ref().filter(|_| is_needed)
    }
}

impl Emitter<'_> {
    /// Writes a loop with vectors; `false` where it has none.
    pub fn vector_loop(
        &mut self,
        local: Local,
        ends: [&Expr; 2],
        body: &[Statement],
        variables: &BTreeSet<Local>,
    ) -> bool {
        // Accesses that are checked are checked one by one.
        if self.is_guarded() {
            return false;
        }
        let Some(plan) = Plan::of(self, local, ends, body) else {
            return false;
        };
        self.helpers.insert(Helper::CopyVector);
        let source = self.source_name(local);
        if plan.count == plan.step {
            self.line("{");
            self.depth += 1;
            self.vectors_of(&plan, local, &source, body, variables);
        } else {
            let first = self.names.take(&format!("{source}_first"));
            let (count, step) = (plan.count, plan.step);
            self.line(&format!("for (int {first} = 0; {first} < {count}; {first} += {step}) {{"));
            self.depth += 1;
            self.locals.insert(local, iterator(&first, count - step + 1));
            self.vectors_of(&plan, local, &source, body, variables);
            self.names.release(&first);
        }
        self.close();
        true
    }

    /// Loads, iterations and stores of one step.
    fn vectors_of(
        &mut self,
        plan: &Plan<'_>,
        local: Local,
        source: &str,
        body: &[Statement],
        variables: &BTreeSet<Local>,
    ) {
        let names: Vec<String> = plan.groups.iter().map(|group| self.declare(group, plan.step)).collect();
        self.copies(plan, local, &names, |group| group.is_loaded, true);
        let whole = plan.count == plan.step;
        let lane = self.names.take(if whole { source } else { "lane" });
        self.line("#pragma unroll");
        self.line(&format!("for (int {lane} = 0; {lane} < {}; ++{lane}) {{", plan.step));
        let arrays = plan.groups.iter().zip(&names).map(|(group, name)| Array {
            name: name.clone(),
            access: group.access.clone(),
            needs_mask: group.needs_mask,
        });
        let inner = Vectors { arrays: arrays.collect(), lane: lane.clone() };
        let outer_vectors = std::mem::replace(&mut self.vectors, inner);
        let outer = self.locals.remove(&local);
        let name = match &outer {
            None => lane.clone(),
            Some(_) if !plan.uses_iterator => lane.clone(),
            Some(first) => {
                let name = self.names.take(source);
                self.depth += 1;
                self.line(&format!("const int {name} = {} + {lane};", first.name));
                self.depth -= 1;
                name
            }
        };
        self.locals.insert(local, iterator(&name, plan.count));
        self.inner(body, variables);
        self.line("}");
        self.locals.remove(&local);
        self.vectors = outer_vectors;
        self.names.release(&name);
        self.names.release(&lane);
        if let Some(first) = outer {
            self.locals.insert(local, first);
        }
        self.copies(plan, local, &names, |group| group.is_stored, false);
        self.locals.remove(&local);
        names.iter().for_each(|name| self.names.release(name));
    }

    /// Declares the array of a group. Where its mask does not hold it is zero, as a load is.
    fn declare(&mut self, group: &Group<'_>, step: i64) -> String {
        let name = self.names.take(&format!("{}_vector", self.memory(group.access.memory)));
        let bytes = bytes(group);
        let zero = if group.is_loaded && group.access.mask.is_some() { " = {}" } else { "" };
        self.line(&format!("alignas({bytes}) {} {name}[{step}]{zero};", types::name(group.element)));
        name
    }

    /// Copies vectors from memory to the arrays or back.
    fn copies(
        &mut self,
        plan: &Plan<'_>,
        local: Local,
        names: &[String],
        is_wanted: impl Fn(&Group<'_>) -> bool,
        loads: bool,
    ) {
        let mut open: Option<String> = None;
        for (group, name) in plan.groups.iter().zip(names).filter(|(group, _)| is_wanted(group)) {
            let container = container(bytes(group));
            let mut place = 0;
            while place < plan.step {
                let access = in_access(group.access, local, &self.iteration(local, place));
                let mask = self.mask(&access).map(|mask| mask.code);
                if mask != open {
                    if open.is_some() {
                        self.close();
                    }
                    if let Some(mask) = &mask {
                        self.line(&format!("if ({mask}) {{"));
                        self.depth += 1;
                    }
                    open = mask;
                }
                if let Memory::Shared(array) = access.memory {
                    self.aligned.insert(array);
                }
                let (memory, _) = self.place(&access);
                let memory = format!("&{}", memory.code);
                let array = if place == 0 { name.clone() } else { format!("{name} + {place}") };
                let (to, from) = if loads { (array, memory) } else { (memory, array) };
                self.line(&format!("copy_vector<{container}>({to}, {from});"));
                place += group.width;
            }
        }
        if open.is_some() {
            self.close();
        }
    }

    /// The iterator's value so many iterations after the first one of the step.
    fn iteration(&self, local: Local, place: i64) -> Expr {
        let index = |kind: ExprKind| Expr { kind, element: ElementType::I64 };
        let place = index(ExprKind::Constant(Constant::Int(place)));
        if !self.locals.contains_key(&local) {
            return place;
        }
        let first = index(ExprKind::Local(local));
        index(ExprKind::Binary(BinaryOp::Add, Box::new(first), Box::new(place)))
    }
}

/// An iterator over `0..count`, an `int`.
fn iterator(name: &str, count: i64) -> LocalState {
    let range = Range::iterator(&Range::constant(0), &Range::constant(count));
    LocalState { name: name.to_owned(), range, wide: false }
}

/// The bytes of a vector.
fn bytes(group: &Group<'_>) -> i64 {
    group.width * ElementSize::from(group.element).bytes()
}

/// The type of CUDA's that is loaded as so many bytes at once.
fn container(bytes: i64) -> &'static str {
    match bytes {
        16 => "uint4",
        8 => "uint2",
        4 => "uint1",
        _ => "ushort1",
    }
}
