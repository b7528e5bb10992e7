//! Handles declarations of C, and `let`s without a value: they are read as `let mut NAME = …`.

use elements::ElementType;
use smol_str::SmolStr;

use super::Preparation;
use super::foreign::{gap, span};
use super::operands::MOST_TOKENS;
use crate::foreign::Construct;
use crate::grammar::from_c::joined;
use crate::span::Span;
use crate::token::TokenKind;

/// The most words of a C type: `static const unsigned long long int`.
const MOST_WORDS: usize = 6;

/// The type before the names of a C declaration.
struct Type {
    /// `None` for `auto`, whose type follows from the value.
    element: Option<ElementType>,
    /// Whether it is a vector of this type.
    vector: bool,
    constant: bool,
    shared: bool,
    pointer: bool,
    /// The index of the first name.
    end: usize,
}

/// One of the names in a C declaration.
struct Declarator {
    name: usize,
    /// The tokens inside each pair of brackets.
    dimensions: Vec<(usize, usize)>,
    /// Whether it has a value.
    valued: bool,
    /// The index of the comma or semicolon after it.
    end: usize,
}

impl Preparation<'_> {
    /// Handles a C declaration at a token; returns the next token to read.
    pub(super) fn declaration(&mut self, at: usize) -> Option<usize> {
        if !self.starts_here() {
            return None;
        }
        let declared = self.type_of_c(at)?;
        let declarators = self.declarators(declared.end)?;
        let end = declarators.last()?.end;
        let is_array = declarators.iter().any(|declarator| !declarator.dimensions.is_empty());
        match declarators.as_slice() {
            _ if declared.pointer => self.no_pointers(Vec::new(), at, end),
            _ if declared.vector => self.report_foreign(Construct::Vector, Vec::new(), at, end),
            declarators if declared.shared => {
                let edits = self.as_shared(&declared, declarators).map(|text| (span(at, end), text));
                self.report_foreign(Construct::SharedArray, edits.into_iter().collect(), at, end);
            }
            declarators if is_array => {
                let edits = self.as_array(&declared, declarators).map(|text| (span(at, end), text));
                self.report_foreign(Construct::LocalArray, edits.into_iter().collect(), at, end);
            }
            // A literal alone would have another type.
            [one] if one.valued && self.has_names(one.name + 1, end) => {
                self.report_foreign(
                    Construct::Declaration,
                    self.as_lets(&declared, &declarators, at),
                    at,
                    one.name + 1,
                );
                self.let_mut(at, one.name);
                return Some(one.name + 1);
            }
            _ => self.report_foreign(Construct::Declaration, self.as_lets(&declared, &declarators, at), at, end),
        }
        for (position, declarator) in declarators.iter().enumerate() {
            if position > 0 {
                self.push(TokenKind::Semicolon, declarator.name, declarator.name);
            }
            self.let_mut(declarator.name, declarator.name);
            self.push(TokenKind::Equal, declarator.name + 1, declarator.name + 1);
            self.push(TokenKind::Folded, declarator.name + 1, declarator.end);
        }
        Some(end)
    }

    fn has_names(&self, start: usize, end: usize) -> bool {
        (start..end).any(|at| self.tokens.kind(at) == Some(TokenKind::Name))
    }

    fn let_mut(&mut self, at: usize, name: usize) {
        self.push(TokenKind::Let, at, at);
        self.push(TokenKind::Mut, at, name);
        self.push(TokenKind::Name, name, name + 1);
    }

    fn type_of_c(&self, at: usize) -> Option<Type> {
        use TokenKind::*;
        let is_word = |at: &usize| matches!(self.tokens.kind(*at), Some(Name | Const));
        let last = (at..at + MOST_WORDS).take_while(is_word).last()?;
        let stars = (last + 1..last + 3).take_while(|at| self.tokens.kind(*at) == Some(Star)).count();
        let pointer = stars > 0;
        // The last word is the declared name, unless a `*` follows it.
        let end = if pointer { last + 1 + stars } else { last };
        let words: Vec<&str> = (at..if pointer { last + 1 } else { last }).map(|at| self.tokens.text(at)).collect();
        let (constant, shared) = (words.contains(&"const"), words.contains(&"__shared__"));
        let qualifies = |word: &&str| {
            matches!(*word, "const" | "constexpr" | "static" | "volatile" | "extern" | "register" | "__shared__")
        };
        let words: Vec<&str> = words.into_iter().filter(|word| !qualifies(word)).collect();
        let words = words.join(" ");
        let of_vector = || ElementType::from_elsewhere(words.strip_suffix(['2', '3', '4'])?);
        let (element, vector) = match ElementType::from_elsewhere(&words) {
            None if matches!(words.as_str(), "auto" | "var") => (None, false),
            None => (Some(of_vector()?), true),
            element => (element, false),
        };
        let is_name = self.tokens.kind(end) == Some(Name);
        let follows = matches!(self.tokens.kind(end + 1), Some(Equal | Semicolon | Comma | OpenBracket));
        (is_name && follows).then_some(Type { element, vector, constant, shared, pointer, end })
    }

    /// The declarators from the name at a token on.
    fn declarators(&self, mut name: usize) -> Option<Vec<Declarator>> {
        use TokenKind::*;
        let mut found = Vec::new();
        while self.tokens.kind(name) == Some(Name) {
            let (mut end, mut dimensions) = (name + 1, Vec::new());
            while self.tokens.kind(end) == Some(OpenBracket) {
                let close = self.closing(end)?;
                dimensions.push((end + 1, close));
                end = close + 1;
            }
            let valued = self.tokens.kind(end) == Some(Equal);
            if valued && self.tokens.kind(end + 1) == Some(OpenBrace) {
                end = self.closing(end + 1)? + 1;
            } else if valued {
                end = self.expression_end(end + 1, usize::MAX, |_, _| false);
            }
            found.push(Declarator { name, dimensions, valued, end });
            match self.tokens.kind(end)? {
                Comma => name = end + 1,
                Semicolon => return Some(found),
                _ => return None,
            }
        }
        None
    }

    /// The bracket that closes the one at a token, if it is near.
    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        (open..open + MOST_TOKENS).find(|at| match self.kind(*at) {
            kind if kind.is_opening() => {
                depth += 1;
                false
            }
            kind if kind.is_closing() => {
                depth = depth.saturating_sub(1);
                depth == 0
            }
            _ => false,
        })
    }

    /// The edits that make each name a `let`. An integer takes the type of its value: a C `int` that counts is an `i64`
    /// here.
    fn as_lets(&self, declared: &Type, declarators: &[Declarator], at: usize) -> Vec<(Span, SmolStr)> {
        if declared.element.is_none() && declarators.iter().any(|declarator| !declarator.valued) {
            return Vec::new();
        }
        let edit = |(position, declarator): (usize, &Declarator)| {
            let (start, before) = if position == 0 { (at, "") } else { (declarator.name - 1, "; ") };
            // A tile that is loaded is seldom assigned again.
            let loaded = declared.element.is_none() && self.loads_a_tile(declarator);
            let word = if declared.constant && declarator.valued || loaded { "let" } else { "let mut" };
            let element = declared.element.filter(|element| !(declarator.valued && element.is_integer()));
            let typed = element.map_or_else(String::new, |element| format!(": {}", element.name()));
            let value = if declarator.valued { String::new() } else { format!(" = {}", zero(declared.element)) };
            let text = format!("{before}{word} {}{typed}{value}", self.tokens.text(declarator.name));
            (span(start, declarator.name + 1), SmolStr::from(text))
        };
        declarators.iter().enumerate().map(edit).collect()
    }

    /// Whether the value of a declarator begins with the load of a tile: `p.load(1, 2)`.
    fn loads_a_tile(&self, declarator: &Declarator) -> bool {
        let loads = matches!(self.tokens.text(declarator.name + 4), "load" | "load_masked");
        declarator.valued && self.tokens.kind(declarator.name + 3) == Some(TokenKind::Dot) && loads
    }

    /// `let mut a : f32[4] = 0.0`, if a single array with a size and without a value is declared.
    fn as_array(&self, declared: &Type, declarators: &[Declarator]) -> Option<SmolStr> {
        let typed = self.as_shared(declared, declarators)?;
        let typed = typed.strip_prefix("shared ")?;
        Some(format!("let mut {typed} = {}", zero(declared.element)).into())
    }

    /// `shared s : f32[32, 33]`, if a single array with a size is declared.
    fn as_shared(&self, declared: &Type, declarators: &[Declarator]) -> Option<SmolStr> {
        let [Declarator { name, dimensions, valued: false, .. }] = declarators else { return None };
        let dimension =
            |(start, end): &(usize, usize)| joined(self.tokens, *start, *end).filter(|text| !text.is_empty());
        let mut dimensions = dimensions.iter().map(dimension).collect::<Option<Vec<String>>>()?;
        if dimensions.is_empty() {
            dimensions.push("1".to_owned());
        }
        let (name, element) = (self.tokens.text(*name), declared.element?.name());
        Some(format!("shared {name} : {element}[{}]", dimensions.join(", ")).into())
    }

    /// Handles a `let` without a value, or with an array as value or type; returns the next token to read.
    pub(super) fn unfinished_let(&mut self, at: usize) -> Option<usize> {
        use TokenKind::*;
        let name = at + 1 + usize::from(self.tokens.kind(at + 1) == Some(Mut));
        let typed = self.tokens.kind(name + 1) == Some(Colon);
        let after = if typed { name + 3 } else { name + 1 };
        let (construct, edits, end) = match self.tokens.kind(after)? {
            _ if self.tokens.kind(name) == Some(OpenParen) => return self.let_of_several(at, name),
            _ if self.tokens.kind(name) != Some(Name) => return None,
            Semicolon => {
                let element = ElementType::from_elsewhere(self.tokens.text(name + 2)).filter(|_| typed);
                let edit = |element| (gap(after), SmolStr::from(format!(" = {}", zero(Some(element)))));
                (Construct::NoValue, element.map(edit).into_iter().collect(), after)
            }
            // The extents of a tile, which has a value.
            OpenBracket if typed && self.has_value(after) => return None,
            OpenBracket if typed => {
                let end = self.statement_end(after)?;
                let bare_end = self.closing(after)? + 1;
                let is_bare = bare_end == end;
                if let Some(zeros) = self.braces_of_zero(bare_end, end) {
                    let element = ElementType::from_elsewhere(self.tokens.text(name + 2));
                    let value = element.map(|element| (zeros, SmolStr::new_static(zero(Some(element)))));
                    return Some(self.broken_let(
                        (Construct::TypedArray, value.into_iter().collect()),
                        (at, name),
                        end,
                    ));
                }
                let element = ElementType::from_elsewhere(self.tokens.text(name + 2)).filter(|_| is_bare);
                let value = |element| (gap(end), SmolStr::from(format!(" = {}", zero(Some(element)))));
                // What nothing is said of yet is assigned later.
                let word =
                    element.filter(|_| self.kind(at + 1) != Mut).map(|_| (gap(name), SmolStr::new_static("mut ")));
                (Construct::TypedArray, word.into_iter().chain(element.map(value)).collect(), end)
            }
            Equal if self.tokens.kind(after + 1) == Some(OpenBracket) => {
                let close = self.closing(after + 1)?;
                (after + 1..close).find(|at| self.kind(*at) == Semicolon)?;
                (Construct::LocalArray, Vec::new(), self.statement_end(close)?)
            }
            _ => return None,
        };
        Some(self.broken_let((construct, edits), (at, name), end))
    }

    /// Reports a `let`, and reads it as that of an unknown value; returns its end.
    fn broken_let(
        &mut self,
        (construct, edits): (Construct, Vec<(Span, SmolStr)>),
        (at, name): (usize, usize),
        end: usize,
    ) -> usize {
        use TokenKind::*;
        self.report_foreign(construct, edits, at, end);
        self.push(Let, at, at + 1);
        self.push(Mut, name, name);
        self.push(Name, name, name + 1);
        self.push(Equal, name + 1, name + 1);
        self.push(Folded, name + 1, end);
        end
    }

    /// The `{0}` or `{}` between an equals sign at a token and the end of the statement.
    fn braces_of_zero(&self, equal: usize, end: usize) -> Option<Span> {
        let is_braced = self.tokens.kind(equal + 1) == Some(TokenKind::OpenBrace);
        let is_zero = |at: usize| matches!(self.tokens.text(at).trim_end_matches(['f', 'F']), "0" | "0.0");
        let is_filled = match (equal + 2..end.saturating_sub(1)).collect::<Vec<usize>>().as_slice() {
            [] => true,
            [one] => is_zero(*one),
            _ => false,
        };
        (is_braced && is_filled).then(|| span(equal + 1, end))
    }

    /// Whether the bracket of a type is followed by a value of ours: a tile, a number, or a list without the `;` of `[0.0; 4]`.
    fn has_value(&self, bracket: usize) -> bool {
        use TokenKind::*;
        let Some(close) = self.closing(bracket) else { return false };
        self.tokens.kind(close + 1) == Some(Equal)
            && match self.tokens.kind(close + 2) {
                Some(OpenBrace) => false,
                Some(OpenBracket) => {
                    let end = self.closing(close + 2).unwrap_or(close + 2);
                    !(close + 3..end).any(|at| self.kind(at) == Semicolon)
                }
                _ => true,
            }
    }

    /// Handles `let (v, w) = …;`, of which the parenthesis is at `open`; returns the next token to read.
    fn let_of_several(&mut self, at: usize, open: usize) -> Option<usize> {
        use TokenKind::*;
        let close = self.closing(open)?;
        let names: Vec<usize> =
            (open + 1..close).filter(|at| self.kind(*at).is_word() && self.kind(*at) != Mut).collect();
        let end = self.statement_end(close)?;
        self.report_foreign(Construct::SeveralNames, Vec::new(), at, close + 1);
        for (position, name) in names.into_iter().enumerate() {
            if position > 0 {
                self.push(Semicolon, name, name);
            }
            self.push(Let, name, name);
            self.push(Mut, name, name);
            self.push(Name, name, name + 1);
            self.push(Equal, name + 1, name + 1);
            self.push(Folded, name + 1, name + 1);
        }
        Some(end)
    }

    /// The semicolon of the statement from a token on, if it is near.
    fn statement_end(&self, from: usize) -> Option<usize> {
        let mut at = from;
        while at < from + MOST_TOKENS {
            match self.tokens.kind(at)? {
                TokenKind::Semicolon => return Some(at),
                TokenKind::OpenBrace if self.kind(at - 1) != TokenKind::Equal => return None,
                TokenKind::CloseBrace => return None,
                kind if kind.is_opening() => at = self.closing(at)?,
                _ => {}
            }
            at += 1;
        }
        None
    }
}

/// The literal for zero of a type.
fn zero(element: Option<ElementType>) -> &'static str {
    match element {
        Some(element) if element.is_float() => "0.0",
        Some(ElementType::Bool) => "false",
        _ => "0",
    }
}
