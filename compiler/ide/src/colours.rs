//! Semantic tokens.
//!
//! Each item's tokens are coloured in a query of their own, so an edit colours one item again. Comments and absolute
//! positions are added for each call.

use std::ops::Range;

use super::cursor::items_in;
use super::documentation;
use super::names::{Access, LocalKind, Occurrence, Target, occurrences};
use super::nodes::{NameRole, Node};
use check::db::{Db, Item, SourceFile};
use check::evaluate;
use check::unit_words::UnitWord;
use check::{kernels, run_items};
use elements::ElementType;
use maps::threads;
use syntax::lexer::lex;
use syntax::span::Span;
use syntax::token::TokenKind;
use syntax::tree::{Argument, DomainWord, Expr, ExprKind, ItemKind, SuffixKind};

/// The approximate bytes per coloured token, with the uncoloured text around it.
const BYTES_OF_A_TOKEN: u32 = 6;

/// What a part of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// A word of the language where it has its meaning.
    Keyword,
    /// A number.
    Number,
    /// A string.
    String,
    /// A comment, or one line of one.
    Comment,
    /// An operator.
    Operator,
    /// A shape, a constant, a variable, a view, an iterator, a word for a value.
    Variable,
    /// A parameter of a kernel, or the name of an argument.
    Parameter,
    /// A map, a kernel, or a function of the language.
    Function,
    /// A symbolic dimension, or an element type.
    Type,
    /// A member.
    Property,
    /// The name of a dimension in a layout, or of a collective.
    EnumMember,
}

/// Modifiers of a semantic token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Modifiers {
    /// It is declared here.
    pub declaration: bool,
    /// It never changes.
    pub readonly: bool,
    /// It is changed here.
    pub modification: bool,
    /// It belongs to the language.
    pub default_library: bool,
}

impl Modifiers {
    const LIBRARY: Self = Self { declaration: false, readonly: false, modification: false, default_library: true };
}

/// A coloured part of a file, within one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// Its bytes.
    pub range: Range<u32>,
    /// What it is.
    pub colour: Colour,
    /// Its modifiers.
    pub modifiers: Modifiers,
}

/// A token of an item, or a part of one, with its colour.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Coloured {
    token: u32,
    /// Its bytes in the token.
    within: Range<u32>,
    colour: Colour,
    modifiers: Modifiers,
}

/// The coloured parts of a file, or of some of its bytes, in order. Uncoloured parts are left out: brackets, commas,
/// undeclared names.
pub fn semantic_tokens(db: &dyn Db, file: SourceFile, part: Option<Range<u32>>) -> Vec<SemanticToken> {
    let text = file.text(db);
    let part = part.unwrap_or(0..text.len() as u32);
    let expected = part.end.min(text.len() as u32).saturating_sub(part.start) / BYTES_OF_A_TOKEN;
    let mut painter = Painter { text, part: part.clone(), found: Vec::with_capacity(expected as usize) };
    let positions = items_in(db, file, part);
    if positions.start == 0 {
        let first = file.layout(db).start(0);
        painter.comments(0..if file.items(db).is_empty() { text.len() as u32 } else { first });
    }
    for position in positions {
        painter.item(db, file, position);
    }
    painter.found
}

struct Painter<'db> {
    text: &'db str,
    part: Range<u32>,
    found: Vec<SemanticToken>,
}

impl Painter<'_> {
    fn item(&mut self, db: &dyn Db, file: SourceFile, position: usize) {
        let layout = file.layout(db);
        let (Some(item), Some(ranges)) = (file.items(db).get(position), layout.ranges(position)) else { return };
        let start = layout.start(position);
        let mut rest = colours(db, *item);
        let mut end = start;
        for (token, range) in (0..).zip(ranges.all()) {
            self.comments(end..start + range.start);
            end = start + range.end;
            while let Some((next, behind)) = rest.split_first().filter(|(next, _)| next.token == token) {
                let within = start + range.start + next.within.start..start + range.start + next.within.end;
                self.push(within, next.colour, next.modifiers);
                rest = behind;
            }
        }
        let next = position + 1;
        let behind = if next < layout.pieces().len() { layout.start(next) } else { self.text.len() as u32 };
        self.comments(end..behind);
    }

    /// The comments in a part of the text without tokens.
    fn comments(&mut self, gap: Range<u32>) {
        // Most gaps are a blank; a comment is at least two bytes long.
        if gap.end < gap.start + 2 || gap.end <= self.part.start || self.part.end <= gap.start {
            return;
        }
        let text = self.text.get(gap.start as usize..gap.end as usize).unwrap_or_default();
        if !text.as_bytes().contains(&b'/') {
            return;
        }
        for token in lex(text) {
            use TokenKind::{BlockComment, DocComment, LineComment, UnterminatedComment};
            if matches!(token.kind, LineComment | DocComment | BlockComment | UnterminatedComment) {
                self.lines(gap.start + token.start, token.text(text));
            }
        }
    }

    /// A comment, line by line.
    fn lines(&mut self, start: u32, comment: &str) {
        for line in comment.split(['\n', '\r']) {
            let indent = line.len() - line.trim_start().len();
            let from = start + (line.as_ptr() as usize - comment.as_ptr() as usize + indent) as u32;
            self.push(from..from + line.trim().len() as u32, Colour::Comment, Modifiers::default());
        }
    }

    fn push(&mut self, range: Range<u32>, colour: Colour, modifiers: Modifiers) {
        if range.start < range.end && range.start < self.part.end && self.part.start < range.end {
            self.found.push(SemanticToken { range, colour, modifiers });
        }
    }
}

/// The coloured tokens of an item, in their order.
#[salsa::tracked(returns(deref))]
fn colours(db: &dyn Db, item: Item) -> Box<[Coloured]> {
    let tokens = item.tokens(db);
    let mut palette = Palette { colours: tokens.kinds().map(of_token).collect() };
    if let Some(parsed) = &item.tree(db).item {
        Node::Item(parsed).visit(&mut |node| palette.word(node));
        Node::Item(parsed).visit(&mut |node| palette.part(node));
    }
    let mut names = occurrences(db, item).iter().peekable();
    let mut found = Vec::new();
    for token in 0..tokens.len() as u32 {
        let mut named = false;
        while let Some(name) = names.next_if(|name| name.span.start <= token) {
            if name.within.start > 0 {
                let hyphen = name.within.start - 1..name.within.start;
                found.push(Coloured {
                    token,
                    within: hyphen,
                    colour: Colour::Operator,
                    modifiers: Modifiers::default(),
                });
            }
            let (colour, modifiers) = of_name(db, name);
            found.push(Coloured { token, within: name.within.clone(), colour, modifiers });
            named = true;
        }
        let colour = palette.colours.get(token as usize).copied().flatten();
        if let Some((colour, modifiers)) = colour.filter(|_| !named) {
            found.push(Coloured { token, within: 0..tokens.text(token as usize).len() as u32, colour, modifiers });
        }
    }
    found.into()
}

type Paint = Option<(Colour, Modifiers)>;

/// The colour of each token, before names are resolved.
struct Palette {
    colours: Vec<Paint>,
}

impl Palette {
    fn set(&mut self, span: Span, paint: Paint) {
        if let Some(place) = self.colours.get_mut(span.start as usize) {
            *place = paint;
        }
    }

    /// Keywords are names where the tree has a name.
    fn word(&mut self, node: Node<'_>) {
        match node {
            Node::Name(name, role) if !name.text.is_empty() => {
                let colour = match role {
                    NameRole::Declared => None,
                    NameRole::Member => Some((Colour::Property, Modifiers::default())),
                    NameRole::Argument => Some((Colour::Parameter, Modifiers::default())),
                    NameRole::ElementType => Some((Colour::Type, Modifiers::LIBRARY)),
                };
                self.set(name.span, colour);
            }
            Node::Collective(expr) => self.set(expr.span, Some((Colour::EnumMember, Modifiers::LIBRARY))),
            Node::Expr(Expr { kind: ExprKind::Name(name), span }) => self.set(*span, of_word(name)),
            _ => {}
        }
    }

    /// A name has another colour where it is called or in a layout.
    fn part(&mut self, node: Node<'_>) {
        match node {
            Node::Layout(layout) => layout.entries.iter().for_each(|entry| self.layout_entry(entry)),
            Node::Expr(Expr { kind: ExprKind::Postfix { base, suffixes }, .. }) => {
                let called = matches!(suffixes.first().map(|suffix| &suffix.kind), Some(SuffixKind::Call(_)));
                if let (ExprKind::Name(name), true) = (&base.kind, called) {
                    self.set(base.span, of_called(name));
                }
                for (position, suffix) in suffixes.iter().enumerate() {
                    let next = suffixes.get(position + 1).map(|next| &next.kind);
                    match (&suffix.kind, next) {
                        (SuffixKind::Member(member), Some(SuffixKind::Call(_))) => {
                            self.set(member.span, Some((Colour::Function, Modifiers::LIBRARY)));
                        }
                        (SuffixKind::Call(arguments), _) => arguments.iter().for_each(|given| self.argument(given)),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// A word that a parameter takes, `pad: negative_inf`, is no name.
    fn argument(&mut self, argument: &Argument) {
        if let (Some(name), ExprKind::Name(word)) = (&argument.name, &argument.value.kind)
            && documentation::is_choice(&name.text, word)
        {
            self.set(argument.value.span, Some((Colour::EnumMember, Modifiers::LIBRARY)));
        }
    }

    fn layout_entry(&mut self, entry: &Expr) {
        match &entry.kind {
            ExprKind::Prefix { operand, .. } => self.layout_entry(operand),
            ExprKind::Name(_) => self.set(entry.span, Some((Colour::EnumMember, Modifiers::default()))),
            _ => {}
        }
    }
}

/// The colour that a token has by its kind.
fn of_token(kind: TokenKind) -> Paint {
    use TokenKind::*;
    let colour = match kind {
        Integer | Float => Colour::Number,
        String | UnterminatedString => Colour::String,
        ReshapeMap => return Some((Colour::Function, Modifiers::LIBRARY)),
        Name => return None,
        word if word.is_word() => Colour::Keyword,
        Underscore => Colour::Keyword,
        Bar | Pipe | OrOr | AndAnd | EqualEqual | NotEqual | Less | LessEqual | Greater | GreaterEqual | Equal
        | FatArrow | Plus | Minus | Star | Slash | Percent | Hash | Bang | Question | DotDot | Ampersand | Caret
        | Tilde | ShiftLeft | ShiftRight => Colour::Operator,
        kind if kind.is_compound_assignment() => Colour::Operator,
        _ => return None,
    };
    Some((colour, Modifiers::default()))
}

/// The colour of a word that nothing declares.
fn of_word(name: &str) -> Paint {
    let colour = match name {
        unit if UnitWord::from_name(unit).is_some_and(|unit| unit.threads().is_some()) => Colour::EnumMember,
        unit if threads::standard_unit(unit).is_some_and(|unit| unit.parameters.is_empty()) => Colour::EnumMember,
        parameter if threads::Parameter::from_name(parameter).is_some() => Colour::Variable,
        element if ElementType::from_name(element).is_some() => Colour::Type,
        value if run_items::INITIAL_VALUES.contains(&value) || evaluate::float_constant(value).is_some() => {
            Colour::Variable
        }
        function if evaluate::is_function(function) => Colour::Function,
        _ => return None,
    };
    Some((colour, Modifiers { readonly: colour == Colour::Variable, ..Modifiers::LIBRARY }))
}

/// The colour of a word that is called and that nothing declares.
fn of_called(name: &str) -> Paint {
    let is_function = evaluate::is_function(name)
        || run_items::is_expectation_function(name)
        || run_items::INITIAL_FUNCTIONS.contains(&name)
        || kernels::TileFunction::from_name(name).is_some()
        || kernels::kernel_functions().any(|function| function == name);
    match name {
        // The iterations of a loop over blocks or over collectives: `for i in grid(n)`, `for w in threads(8, cuda_warp)`.
        word if DomainWord::from_text(word).is_some() => Some((Colour::Keyword, Modifiers::default())),
        element if ElementType::from_name(element).is_some() => Some((Colour::Type, Modifiers::LIBRARY)),
        _ => is_function.then_some((Colour::Function, Modifiers::LIBRARY)),
    }
}

/// Whether an undeclared word has a meaning of its own, called or not.
pub(super) fn is_word_of_the_language(name: &str) -> bool {
    of_word(name).is_some() || of_called(name).is_some()
}

/// The colour of a name by what it means.
fn of_name(db: &dyn Db, name: &Occurrence) -> (Colour, Modifiers) {
    let (colour, readonly) = match (&name.target, name.local) {
        (_, Some(LocalKind::Scalar)) => (Colour::Parameter, true),
        (_, Some(LocalKind::Tensor)) => (Colour::Parameter, false),
        (_, Some(LocalKind::Generic)) => (Colour::Parameter, true),
        (_, Some(LocalKind::Type)) => (Colour::Type, false),
        (_, Some(LocalKind::Function)) => (Colour::Function, false),
        (_, Some(LocalKind::Constant | LocalKind::Iterator | LocalKind::Defined)) => (Colour::Variable, true),
        (_, Some(LocalKind::View | LocalKind::Variable | LocalKind::Shared)) => (Colour::Variable, false),
        (Target::Declared(item, _), None) => of_declaration(db, *item),
        (Target::Local(..), None) => (Colour::Variable, false),
    };
    let modifiers = Modifiers {
        declaration: name.access == Access::Declare,
        modification: name.access == Access::Write,
        readonly,
        default_library: false,
    };
    (colour, modifiers)
}

/// The colour of the names that an item declares, and whether they never change. A query, so that users of a name are
/// not coloured again with each edit of its declaration.
#[salsa::tracked(returns(copy))]
fn of_declaration(db: &dyn Db, item: Item) -> (Colour, bool) {
    match item.tree(db).item.as_ref().map(|parsed| &parsed.kind) {
        Some(ItemKind::Dim { .. } | ItemKind::Unit { .. }) => (Colour::Type, false),
        Some(ItemKind::Map { .. } | ItemKind::Kernel(_) | ItemKind::Function(_)) => (Colour::Function, false),
        _ => (Colour::Variable, true),
    }
}

#[cfg(test)]
mod tests;
