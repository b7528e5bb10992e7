//! A syntax tree as nodes with spans, for questions that treat all nodes the same way.

use syntax::span::Span;
use syntax::tree::{
    Argument, Block, Declared, Expr, ExprKind, Function, GenericKind, GroupEntry, Item, ItemKind, LaunchClause, Layout,
    Name, Param, Part, Statement, StringLiteral, Suffix, SuffixKind, TypeName,
};

/// A part of an item's tree.
#[derive(Clone, Copy, Debug)]
pub enum Node<'t> {
    /// The item itself.
    Item(&'t Item),
    /// A name that is not an expression: of a declaration, a member, an argument, an element type.
    Name(&'t Name, NameRole),
    /// A path or another string that is no expression.
    Text(&'t StringLiteral),
    /// A parameter of a kernel.
    Param(&'t Param),
    /// A launch clause.
    Clause(&'t LaunchClause),
    /// A block.
    Block(&'t Block),
    /// A statement.
    Statement(&'t Statement),
    /// An expression.
    Expr(&'t Expr),
    /// What follows an expression: a member, a call, a bracket.
    Suffix(&'t Suffix),
    /// An argument of a call or a run.
    Argument(&'t Argument),
    /// The layout of a `reshape_map`.
    Layout(&'t Layout),
    /// An entry of a group of transforms.
    GroupEntry(&'t GroupEntry),
    /// The unit of a view: `block` in `per block`.
    Collective(&'t Expr),
}

/// What a name that is no expression does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameRole {
    /// It declares something, or names what is declared elsewhere: a run's kernel, a size, an output.
    Declared,
    /// It is a member: `owners`.
    Member,
    /// It is the name of an argument.
    Argument,
    /// It is an element type.
    ElementType,
}

impl<'t> Node<'t> {
    /// Its tokens.
    pub fn span(self) -> Span {
        match self {
            Node::Item(item) => item.span,
            Node::Name(name, _) => name.span,
            Node::Text(text) => text.span,
            Node::Param(param) => param.span,
            Node::Clause(clause) => clause.span,
            Node::Block(block) => block.span,
            Node::Statement(statement) => statement.span,
            Node::Expr(expr) | Node::Collective(expr) => expr.span,
            Node::Suffix(suffix) => suffix.span,
            Node::Argument(argument) => {
                argument.name.as_ref().map_or(argument.value.span, |name| name.span.to(argument.value.span))
            }
            Node::Layout(layout) => layout.span,
            Node::GroupEntry(entry) => entry.span,
        }
    }

    /// The nodes directly inside, in the order of the text.
    pub fn children(self) -> Vec<Node<'t>> {
        let mut children = Children(Vec::new());
        match self {
            Node::Item(item) => children.item(&item.kind),
            Node::Name(..) | Node::Text(_) | Node::Collective(_) => {}
            Node::Param(param) => {
                children.name(&param.name, NameRole::Declared);
                children.name(&param.element, NameRole::ElementType);
                children.exprs(param.shape.iter().chain(&param.strides).flatten());
            }
            Node::Clause(clause) => children.exprs(&clause.args),
            Node::Block(block) => children.0.extend(block.statements.iter().map(Node::Statement)),
            Node::Statement(statement) => children.statement(statement),
            Node::Expr(expr) => children.expr(expr),
            Node::Suffix(suffix) => match &suffix.kind {
                SuffixKind::Member(name) => children.name(name, NameRole::Member),
                SuffixKind::Call(arguments) => children.0.extend(arguments.iter().map(Node::Argument)),
                SuffixKind::Bracket(entries) => children.exprs(entries),
            },
            Node::Argument(argument) => {
                children.0.extend(argument.name.as_ref().map(|name| Node::Name(name, NameRole::Argument)));
                children.exprs([&argument.value]);
            }
            Node::Layout(layout) => children.exprs(&layout.entries),
            Node::GroupEntry(entry) => {
                children.exprs(&entry.lower);
                children.exprs([&entry.transform]);
                children.exprs(entry.upper.iter().flatten());
            }
        }
        children.0
    }

    /// Calls `visit` with the node and with everything inside, outer nodes first.
    pub fn visit(self, visit: &mut impl FnMut(Node<'t>)) {
        visit(self);
        self.children().into_iter().for_each(|child| child.visit(visit));
    }

    /// The nodes that contain a token, the outermost first.
    pub fn path_to(self, token: usize) -> Vec<Node<'t>> {
        let holds = |node: &Node<'_>| (node.span().start as usize..node.span().end as usize).contains(&token);
        let mut path = Vec::new();
        let mut next = Some(self).filter(holds);
        while let Some(node) = next {
            path.push(node);
            next = node.children().into_iter().find(holds);
        }
        path
    }
}

struct Children<'t>(Vec<Node<'t>>);

impl<'t> Children<'t> {
    fn name(&mut self, name: &'t Name, role: NameRole) {
        self.0.push(Node::Name(name, role));
    }

    fn names(&mut self, names: &'t [Name]) {
        self.0.extend(names.iter().map(|name| Node::Name(name, NameRole::Declared)));
    }

    fn exprs(&mut self, exprs: impl IntoIterator<Item = &'t Expr>) {
        self.0.extend(exprs.into_iter().map(Node::Expr));
    }

    fn item(&mut self, kind: &'t ItemKind) {
        self.names(check::db::declared(kind));
        match kind {
            ItemKind::Use { path } => self.0.push(Node::Text(path)),
            ItemKind::Shape { rank, value, .. } => {
                // The rank stands before the name.
                self.0.splice(0..0, rank.iter().map(Node::Expr));
                self.exprs([value]);
            }
            ItemKind::Dim { facts, .. } => self.exprs(facts),
            ItemKind::Const { value, .. }
            | ItemKind::Map { value, .. }
            | ItemKind::Unit { value, .. }
            | ItemKind::Tiling { value, .. }
            | ItemKind::Assert { value }
            | ItemKind::Show { value }
            | ItemKind::Expr(value) => self.exprs([value]),
            ItemKind::Kernel(kernel) => {
                for generic in &kernel.generics {
                    self.name(&generic.name, NameRole::Declared);
                    match &generic.kind {
                        GenericKind::Constant { default } => self.exprs(default),
                        GenericKind::Element { types, default } => {
                            types.iter().chain(default).for_each(|name| self.name(name, NameRole::ElementType));
                        }
                    }
                }
                self.0.extend(kernel.params.iter().map(Node::Param));
                let clauses = self.0.len();
                self.exprs(&kernel.facts);
                self.0.extend(kernel.tune.iter().map(Node::Argument));
                self.0.extend(kernel.clauses.iter().map(Node::Clause));
                // The clauses may stand in any order.
                self.0[clauses..].sort_by_key(|node| node.span().start);
                self.0.push(Node::Block(&kernel.body));
            }
            ItemKind::Function(function) => self.function(function),
            ItemKind::Run(run) => {
                self.name(&run.kernel, NameRole::Declared);
                self.0.extend(run.generics.iter().chain(&run.args).map(Node::Argument));
                for (name, value) in &run.with {
                    self.name(name, NameRole::Declared);
                    self.exprs([value]);
                }
                self.exprs(run.expected());
                for (name, path) in &run.save {
                    self.name(name, NameRole::Declared);
                    self.0.push(Node::Text(path));
                }
                // The clauses may stand in any order.
                self.0.sort_by_key(|node| node.span().start);
            }
        }
    }

    /// A function without its name.
    fn function(&mut self, function: &'t Function) {
        function.generics.iter().for_each(|generic| self.name(generic, NameRole::Declared));
        for param in &function.params {
            self.name(&param.name, NameRole::Declared);
            self.type_name(param.annotation.as_ref());
        }
        self.type_name(function.result.as_ref());
        self.exprs([&function.body]);
    }

    fn type_name(&mut self, found: Option<&'t TypeName>) {
        if let Some(found) = found {
            self.name(&found.element, NameRole::ElementType);
            self.exprs(found.shape.iter().flatten());
        }
    }

    fn statement(&mut self, statement: &'t Statement) {
        for part in statement.parts() {
            match part {
                // The name of a function is a part of the function.
                Part::Declared(_, Declared::Function) => {}
                Part::Declared(name, _) => self.name(name, NameRole::Declared),
                Part::Function(function) => {
                    self.name(&function.name, NameRole::Declared);
                    self.function(function);
                }
                Part::ElementType(name) => self.name(name, NameRole::ElementType),
                Part::Expr(expr) => self.exprs([expr]),
                Part::Collective(expr) => self.0.push(Node::Collective(expr)),
                Part::Body(body) => self.0.push(Node::Block(body)),
            }
        }
    }

    fn expr(&mut self, expr: &'t Expr) {
        match &expr.kind {
            ExprKind::Postfix { base, suffixes } => {
                self.exprs([&**base]);
                self.0.extend(suffixes.iter().map(Node::Suffix));
            }
            ExprKind::ReshapeMap(map) => {
                self.exprs(map.local.iter().chain(&map.thread));
                self.0.extend(map.layout.as_ref().map(Node::Layout));
                self.exprs(&map.offset);
                // The layout and the offset may stand in any order.
                self.0.sort_by_key(|node| node.span().start);
            }
            ExprKind::Group(entries) => self.0.extend(entries.iter().map(Node::GroupEntry)),
            ExprKind::Block(block) => self.0.push(Node::Block(block)),
            ExprKind::Launch(clauses) => self.0.extend(clauses.iter().map(Node::Clause)),
            _ => expr.each_inside(|inner| self.0.push(Node::Expr(inner))),
        }
    }
}
