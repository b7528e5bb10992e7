//! Statements in C++.

use std::collections::BTreeSet;

use super::emitter::{Emitter, LocalState};
use super::expressions::conjuncts;
use super::integers::whole;
use super::range::Range;
use super::types;
use super::variables::{Declarations, used_within};
use elements::ElementType;
use kernel::typed::{Access, Constant, Expr, ExprKind, Local, LocalVariable, Statement, StatementKind};

impl Emitter<'_> {
    /// Writes the kernel's body.
    pub fn write_body(&mut self) {
        let kernel = self.kernel;
        let variables = used_within(&kernel.body);
        let variables = variables.into_iter().filter(|local| self.variables.is_assigned(*local)).collect();
        self.statements(&kernel.body, &variables);
    }

    /// Writes one line.
    pub fn line(&mut self, line: &str) {
        for _ in 0..self.depth {
            self.body.push_str("    ");
        }
        self.body.push_str(line);
        self.body.push('\n');
    }

    /// Writes the statements of a block, which declares these variables.
    fn statements(&mut self, statements: &[Statement], variables: &BTreeSet<Local>) {
        let declarations = Declarations::place(statements, variables);
        let none = BTreeSet::new();
        let mut masked: Option<&Expr> = None;
        for (position, statement) in statements.iter().enumerate() {
            let before = declarations.before.get(&position);
            // Stores that happen under the same condition stand together.
            let mask = self.shared_mask(statement);
            // A condition that reads a tensor may change with the store before.
            let is_fixed = mask.is_some_and(|mask| !mask.has_load());
            let goes_on = is_fixed && mask == masked && before.is_none();
            if masked.is_some() && !goes_on {
                self.close();
            }
            for local in before.into_iter().flatten() {
                self.declare_empty(*local);
            }
            if let Some(mask) = mask.filter(|_| !goes_on) {
                self.open(mask);
            }
            masked = mask;
            let inside = |block: usize| declarations.inside.get(&(position, block)).unwrap_or(&none);
            match &statement.kind {
                StatementKind::Assign { local, value } => {
                    self.assign(*local, value, declarations.at.contains(&position));
                }
                StatementKind::For { local, low, high, body } => self.for_loop(*local, low, high, body, inside(0)),
                StatementKind::If { condition, then, otherwise } => {
                    let condition = self.value(condition).text.code;
                    self.line(&format!("if ({condition}) {{"));
                    self.inner(then, inside(0));
                    self.otherwise(otherwise, inside(1));
                }
                StatementKind::Store { access, value } => self.store(access, value),
                StatementKind::Barrier(barrier) => self.barrier(barrier),
            }
        }
        if masked.is_some() {
            self.close();
        }
        for local in variables {
            self.forget(*local);
        }
    }

    /// Begins what happens under a condition.
    fn open(&mut self, mask: &Expr) {
        let condition = self.index(mask).text.code;
        self.line(&format!("if ({condition}) {{"));
        self.depth += 1;
    }

    pub fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    fn declared(&self, local: Local) -> Option<&LocalVariable> {
        usize::try_from(local.0).ok().and_then(|index| self.kernel.locals.get(index))
    }

    /// Gives a variable a name.
    fn name(&mut self, local: Local) -> String {
        let source = self.source_name(local);
        self.names.take(&source)
    }

    /// What the source calls a variable.
    pub fn source_name(&self, local: Local) -> String {
        self.declared(local).map(|declared| declared.name.to_string()).unwrap_or_default()
    }

    /// Ends the visibility of a variable.
    fn forget(&mut self, local: Local) {
        if let Some(state) = self.locals.remove(&local) {
            self.names.release(&state.name);
        }
    }

    /// Declares a variable that gets its value in an inner block.
    fn declare_empty(&mut self, local: Local) {
        let Some(element) = self.declared(local).map(|declared| declared.element) else {
            return;
        };
        let zero = self.zero(element).text.code;
        let name = self.name(local);
        self.line(&format!("{} {name} = {zero};", types::name(element)));
        self.locals.insert(local, any_value(name, element));
    }

    fn assign(&mut self, local: Local, value: &Expr, declares: bool) {
        let element = value.element;
        let value = self.value(value);
        self.use_type(element);
        if !declares {
            let name = self.locals.get(&local).map(|state| state.name.clone()).unwrap_or_default();
            self.line(&format!("{name} = {};", value.text.code));
            return;
        }
        let name = self.name(local);
        let is_constant = self.variables.is_constant(local);
        let state = if is_constant {
            LocalState { name: name.clone(), range: value.range.clone(), wide: value.wide }
        } else {
            any_value(name.clone(), element)
        };
        let type_name = type_name(element, state.wide);
        let qualifier = if is_constant { "const " } else { "" };
        self.line(&format!("{qualifier}{type_name} {name} = {};", value.text.code));
        self.locals.insert(local, state);
    }

    fn for_loop(&mut self, local: Local, low: &Expr, high: &Expr, body: &[Statement], variables: &BTreeSet<Local>) {
        if self.vector_loop(local, [low, high], body, variables) {
            return;
        }
        let (first, end) = (self.index(low), self.index(high));
        let range = Range::iterator(&first.range, &end.range);
        // The iterator reaches the end, so that must fit as well.
        let fits_int = !first.wide && !end.wide;
        // The end is evaluated once; the loop's condition is not.
        let end = if self.variables.is_stable(high) {
            end.text.code
        } else {
            let name = self.names.take(&format!("{}_end", self.source_name(local)));
            self.line(&format!("const {} {name} = {};", type_name(ElementType::I64, end.wide), end.text.code));
            name
        };
        let name = self.name(local);
        let type_name = type_name(ElementType::I64, !fits_int);
        self.line(&format!("for ({type_name} {name} = {}; {name} < {end}; ++{name}) {{", first.text.code));
        self.locals.insert(local, LocalState { name, range, wide: !fits_int });
        self.inner(body, variables);
        self.line("}");
        self.forget(local);
    }

    /// Writes a block one step further in.
    pub fn inner(&mut self, statements: &[Statement], variables: &BTreeSet<Local>) {
        self.depth += 1;
        self.statements(statements, variables);
        self.depth -= 1;
    }

    /// Writes what is executed where a condition does not hold, up to the last brace.
    fn otherwise(&mut self, statements: &[Statement], variables: &BTreeSet<Local>) {
        let declarations = Declarations::place(statements, variables);
        match statements {
            [] => {}
            [Statement { kind: StatementKind::If { condition, then, otherwise }, .. }]
                if declarations.before.is_empty() =>
            {
                let none = BTreeSet::new();
                let inside = |block: usize| declarations.inside.get(&(0, block)).unwrap_or(&none);
                let condition = self.value(condition).text.code;
                self.line(&format!("}} else if ({condition}) {{"));
                self.inner(then, inside(0));
                return self.otherwise(otherwise, inside(1));
            }
            _ => {
                self.line("} else {");
                self.inner(statements, variables);
            }
        }
        self.line("}");
    }

    /// The condition of a store, unless it always holds.
    fn shared_mask<'s>(&self, statement: &'s Statement) -> Option<&'s Expr> {
        let StatementKind::Store { access, .. } = &statement.kind else {
            return None;
        };
        let always = ExprKind::Constant(Constant::Bool(true));
        self.vectors.mask(access).filter(|mask| mask.kind != always)
    }

    fn store(&mut self, access: &Access, value: &Expr) {
        // The condition of the store holds for what it loads as well.
        let mut conditions = Vec::new();
        if let Some(mask) = self.vectors.mask(access) {
            conjuncts(mask, &mut conditions);
        }
        let known = self.guards.len();
        self.guards.extend(conditions.into_iter().cloned());
        let (place, guard) = match self.vectors.element(access) {
            Some(place) => (place, None),
            None => self.place(access),
        };
        let value = self.value(value).text.code;
        self.guards.truncate(known);
        let store = format!("{} = {value};", place.code);
        match guard {
            None => self.line(&store),
            Some(guard) => {
                self.line(&format!("if ({}) {{", guard.code));
                self.depth += 1;
                self.line(&store);
                self.close();
            }
        }
    }
}

/// The C++ type of a variable.
fn type_name(element: ElementType, wide: bool) -> &'static str {
    if element == ElementType::I64 && !wide { "int" } else { types::name(element) }
}

/// A variable of which nothing but its type is known.
fn any_value(name: String, element: ElementType) -> LocalState {
    let is_integer = element.is_integer();
    LocalState {
        name,
        range: if is_integer { whole(element) } else { Range::default() },
        wide: element == ElementType::I64,
    }
}
