//! Name resolution: a walk over an item's tree that tracks visible names.

mod expressions;

use super::local::{Local, generic_kind, generic_of, is_known, params_of};
use super::{Access, LocalKind, Occurrence, Target};
use check::db::{Db, Item, SourceFile};
use check::names;
use check::{kernels, run_items};
use syntax::tree::{
    Argument, Block, Expr, ExprKind, Function, GenericKind, ItemKind, Kernel, Name, Run, Statement, StatementKind,
};

/// The resolved names in an item, in the order of the walk.
pub(super) fn names_of(db: &dyn Db, item: Item) -> Vec<Occurrence> {
    let mut walk = Walk {
        db,
        item,
        file: item.file(db),
        scopes: Vec::new(),
        partitions: Vec::new(),
        functions: |_| false,
        found: Vec::new(),
    };
    if let Some(parsed) = &item.tree(db).item {
        walk.item(&parsed.kind);
    }
    walk.found
}

struct Walk<'db> {
    db: &'db dyn Db,
    item: Item,
    file: SourceFile,
    /// The names that are visible, innermost last.
    scopes: Vec<Local>,
    /// The views of the kernel around an expression that is otherwise outside of it.
    partitions: Vec<Local>,
    /// Which words are functions when called, even if an item declares them.
    functions: fn(&str) -> bool,
    found: Vec<Occurrence>,
}

impl Walk<'_> {
    fn item(&mut self, kind: &ItemKind) {
        for name in check::db::declared(kind) {
            let first = names::lookup(self.db, self.file, name.text.clone()).unwrap_or(self.item);
            self.push(name, Target::Declared(first, name.text.clone()), Access::Declare, None);
        }
        match kind {
            ItemKind::Use { .. } => {}
            ItemKind::Shape { rank, value, .. } => {
                self.exprs(rank);
                self.expr(value);
            }
            ItemKind::Dim { facts, .. } => self.exprs(facts),
            ItemKind::Const { value, .. }
            | ItemKind::Map { value, .. }
            | ItemKind::Unit { value, .. }
            | ItemKind::Tiling { value, .. }
            | ItemKind::Assert { value }
            | ItemKind::Show { value }
            | ItemKind::Expr(value) => self.expr(value),
            ItemKind::Kernel(kernel) => self.kernel(kernel),
            ItemKind::Function(function) => self.function(function),
            ItemKind::Run(run) => self.run(run),
        }
    }

    /// A function, in which the names of a kernel around it are not visible but for those that are known when it is checked.
    fn function(&mut self, function: &Function) {
        let visible: Vec<Local> = self.scopes.iter().filter(|local| is_known(local)).cloned().collect();
        let scopes = std::mem::replace(&mut self.scopes, visible);
        let functions = std::mem::replace(&mut self.functions, is_kernel_function);
        let types = || function.params.iter().filter_map(|param| param.annotation.as_ref()).chain(&function.result);
        for generic in &function.generics {
            let is_type = types().any(|found| found.element.text == generic.text);
            self.declare(generic, if is_type { LocalKind::Type } else { LocalKind::Generic });
        }
        for found in types() {
            self.element_type(&found.element);
            self.exprs(found.shape.iter().flatten());
        }
        function.params.iter().for_each(|param| self.declare(&param.name, LocalKind::Scalar));
        self.expr(&function.body);
        self.scopes = scopes;
        self.functions = functions;
    }

    fn kernel(&mut self, kernel: &Kernel) {
        for generic in &kernel.generics {
            match &generic.kind {
                GenericKind::Constant { default } => self.exprs(default),
                GenericKind::Element { .. } => {}
            }
            self.declare(&generic.name, generic_kind(generic));
        }
        for argument in &kernel.tune {
            if let Some(name) = &argument.name {
                self.name(&name.text, name.span, Access::Read);
            }
            self.exprs([&argument.value]);
        }
        for param in &kernel.params {
            self.element_type(&param.element);
            self.outside(param.shape.iter().chain(&param.strides).flatten());
            self.declare(&param.name, Local::param(self.item, param).kind);
        }
        self.outside(&kernel.facts);
        self.outside(kernel.clauses.iter().flat_map(|clause| &clause.args));
        self.functions = is_kernel_function;
        self.block(&kernel.body);
    }

    /// A word for an element type, which may be a generic parameter.
    fn element_type(&mut self, word: &Name) {
        let generic = self.scopes.iter().rev().find(|local| local.name == word.text && local.kind == LocalKind::Type);
        if let Some(generic) = generic.cloned() {
            self.push(word, generic.target(), Access::Read, Some(generic.kind));
        }
    }

    /// Expressions in the scope of the file and of the generic parameters, without the kernel around them, but for the
    /// partitions that are asked for their sizes.
    fn outside<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        let (generics, others): (Vec<Local>, Vec<Local>) = self.scopes.iter().cloned().partition(is_known);
        let inner = (
            std::mem::replace(&mut self.scopes, generics),
            std::mem::replace(
                &mut self.partitions,
                others.into_iter().filter(|local| local.kind == LocalKind::View).collect(),
            ),
            std::mem::replace(&mut self.functions, |_| false),
        );
        self.exprs(exprs);
        (self.scopes, self.partitions, self.functions) = inner;
    }

    fn run(&mut self, run: &Run) {
        let kernel = names::lookup(self.db, self.file, run.kernel.text.clone());
        if let Some(kernel) = kernel {
            self.push(&run.kernel, Target::Declared(kernel, run.kernel.text.clone()), Access::Read, None);
        }
        for argument in &run.generics {
            let declared = kernel.and_then(|item| generic_of(self.db, item, argument.name.as_ref()?));
            match (&argument.name, declared) {
                (Some(name), Some(generic)) => {
                    self.push(name, generic.target(), Access::Write, Some(generic.kind));
                    if generic.kind != LocalKind::Type {
                        self.expr(&argument.value);
                    }
                }
                _ => self.expr(&argument.value),
            }
        }
        let params: Vec<Local> = kernel.map_or_else(Vec::new, |item| params_of(self.db, item));
        let param = |name: &Name| params.iter().find(|param| param.name == name.text);
        for Argument { name, value } in &run.args {
            if let Some((name, param)) = name.as_ref().and_then(|name| Some((name, param(name)?))) {
                self.push(name, param.target(), Access::Write, Some(param.kind));
            }
            if !matches!(&value.kind, ExprKind::Name(word) if run_items::INITIAL_VALUES.contains(&word.as_str())) {
                self.functions = |word| run_items::INITIAL_FUNCTIONS.contains(&word);
                self.expr(value);
            }
        }
        self.functions = |_| false;
        for (name, value) in &run.with {
            // The sizes are those of the kernel, in the scope of its file.
            let scope = kernel.map_or(self.file, |kernel| kernel.file(self.db));
            if let Some(symbol) = names::lookup(self.db, scope, name.text.clone()) {
                self.push(name, Target::Declared(symbol, name.text.clone()), Access::Write, None);
            }
            self.expr(value);
        }
        for (name, _) in &run.save {
            if let Some(param) = param(name) {
                self.push(name, param.target(), Access::Read, Some(param.kind));
            }
        }
        // In an expectation the parameters shadow the file's declarations.
        self.exprs(run.expect.iter().filter_map(|expectation| expectation.within.as_ref()));
        self.scopes = params;
        self.functions = run_items::is_expectation_function;
        self.exprs(run.expect.iter().map(|expectation| &expectation.condition));
        self.scopes.clear();
    }

    fn block(&mut self, block: &Block) {
        let outer = self.scopes.len();
        block.statements.iter().for_each(|statement| self.statement(statement));
        self.scopes.truncate(outer);
    }

    /// The domain of a loop. Blocks and collectives are counted while the kernel is checked, so their numbers and
    /// units are outside the kernel's scope.
    fn domain(&mut self, domain: &Expr) {
        match domain.domain_call() {
            Some((_, arguments)) => self.outside(arguments.iter().map(|argument| &argument.value)),
            None => self.expr(domain),
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::View { name, source, via, per, .. } => {
                self.expr(source);
                self.outside(via);
                if !per.as_ref().is_some_and(|per| matches!(per.kind, ExprKind::Name(_))) {
                    self.exprs(per);
                }
                self.declare(name, LocalKind::View);
            }
            StatementKind::Let { name, mutable, element, shape, value } => {
                element.iter().for_each(|element| self.element_type(element));
                self.outside(shape.iter().flatten());
                self.expr(value);
                self.declare(name, if *mutable { LocalKind::Variable } else { LocalKind::Constant });
            }
            StatementKind::Shared { name, element, shape, layout } => {
                self.element_type(element);
                self.outside(shape.iter().chain(layout));
                self.declare(name, LocalKind::Shared);
            }
            StatementKind::Define { name, value, .. } => {
                self.outside([value]);
                self.declare(name, LocalKind::Defined);
            }
            StatementKind::Function(function) => {
                self.function(function);
                self.declare(&function.name, LocalKind::Function);
            }
            StatementKind::Assert { value } => self.outside([value]),
            StatementKind::For { iterators, domain, step, body } => {
                self.domain(domain);
                step.iter().for_each(|step| self.expr(step));
                let outer = self.scopes.len();
                iterators.iter().for_each(|iterator| self.declare(iterator, LocalKind::Iterator));
                self.block(body);
                self.scopes.truncate(outer);
            }
            StatementKind::With { domain, body } => {
                self.domain(domain);
                self.block(body);
            }
            StatementKind::While { condition, most, body } => {
                self.expr(condition);
                self.exprs(most);
                self.block(body);
            }
            StatementKind::Leave(_) => {}
            StatementKind::If { arms, otherwise } => {
                for (condition, block) in arms {
                    self.expr(condition);
                    self.block(block);
                }
                otherwise.iter().for_each(|block| self.block(block));
            }
            StatementKind::Assign { target, value, .. } => {
                self.target(target);
                self.expr(value);
            }
            StatementKind::Expr(value) => self.expr(value),
        }
    }

    /// What is assigned to: the variable, or the tensor whose element is.
    fn target(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Name(name) => self.name(name, target.span, Access::Write),
            ExprKind::Paren(inner) => self.target(inner),
            ExprKind::Postfix { base, suffixes } => {
                self.target(base);
                self.suffixes(suffixes);
            }
            _ => self.expr(target),
        }
    }
}

/// The functions that take precedence over declarations in kernels. For the others the arguments decide; here the
/// declaration counts.
fn is_kernel_function(name: &str) -> bool {
    !check::evaluate::is_function(name) && kernels::kernel_functions().any(|function| function == name)
}
