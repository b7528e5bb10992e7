//! The kinds of tokens.
//!
//! Contextual keywords (`map`, `grid`, `where`, …) have kinds of their own, so that the grammar and the splitter
//! compare kinds instead of texts. Elsewhere they can be used as names, see [`TokenKind::is_word`].

use std::fmt;

macro_rules! token_kinds {
    (
        $( #[doc = $doc:literal] $plain:ident, )*
        words { $( $word:ident = $word_text:literal, )* }
        punctuation { $( $mark:ident = $mark_text:literal, )* }
    ) => {
        /// The kind of a token.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum TokenKind {
            $( #[doc = $doc] $plain, )*
            $( #[doc = concat!("The word `", $word_text, "`.")] $word, )*
            $( #[doc = concat!("`", $mark_text, "`")] $mark, )*
        }

        impl TokenKind {
            /// Every word with a kind of its own.
            pub const WORDS: &'static [(&'static str, TokenKind)] =
                &[ $( ($word_text, TokenKind::$word), )* ];

            /// The text of a kind that always has the same text.
            pub fn fixed_text(self) -> Option<&'static str> {
                match self {
                    $( TokenKind::$word => Some($word_text), )*
                    $( TokenKind::$mark => Some($mark_text), )*
                    _ => None,
                }
            }

            /// The kind of a word: that of a contextual keyword, or [`TokenKind::Name`].
            #[allow(non_upper_case_globals, reason = "the constants are named like the kinds they stand for")]
            pub fn of_name(text: &[u8]) -> TokenKind {
                $( const $word: &[u8] = $word_text.as_bytes(); )*
                match text {
                    $( $word => TokenKind::$word, )*
                    _ => TokenKind::Name,
                }
            }

            /// Whether it can be a name: a name or a contextual keyword.
            pub fn is_word(self) -> bool {
                matches!(self, TokenKind::Name $( | TokenKind::$word )*)
            }
        }
    };
}

#[rustfmt::skip]
token_kinds! {
    #[doc = "Spaces, tabs, form feeds."] Whitespace,
    #[doc = "One end of a line: LF, CRLF or a lone CR."] Newline,
    #[doc = "`// …` up to the end of its line."] LineComment,
    #[doc = "`/// …`: documentation of the item that follows."] DocComment,
    #[doc = "`/* … */`"] BlockComment,
    #[doc = "`/* …` that never ends."] UnterminatedComment,
    #[doc = "The byte order mark at the very start of a file."] ByteOrderMark,
    #[doc = "A character that belongs to no token."] Unknown,
    #[doc = "`\"…\"`"] String,
    #[doc = "`\"…` that its line ends."] UnterminatedString,
    #[doc = "`64`, `1_000`, `4_ic`, `0x1f`; not necessarily well formed."] Integer,
    #[doc = "`2.0`, `1e-5`; not necessarily well formed."] Float,
    #[doc = "A bracketed part that was cut out because it is nested too deeply; never made by the lexer."] Folded,
    #[doc = "A `|` that opens a size; never made by the lexer."] SizeOpen,
    #[doc = "A `|` that closes a size; never made by the lexer."] SizeClose,
    #[doc = "The `max` between the condition and the bound of a `while`; never made by the lexer."] Most,
    #[doc = "A name that is no other word."] Name,
    words {
        Use = "use", Mdspan = "mdspan", Dim = "dim", Const = "const", Map = "map", Unit = "unit",
        Tiling = "tiling", Kernel = "kernel", Run = "run", Assert = "assert", Show = "show",
        Where = "where", Tune = "tune", Grid = "grid", Block = "block", Cluster = "cluster", Expect = "expect",
        Within = "within", With = "with", Save = "save", Else = "else", If = "if", For = "for", In = "in",
        Step = "step", While = "while", Break = "break", Continue = "continue",
        Let = "let", Mut = "mut", View = "view", Via = "via", Per = "per", Masked = "masked",
        Shared = "shared", Async = "async", Fn = "fn", Strided = "strided", ReshapeMap = "reshape_map", Gpu = "gpu",
        Layout = "layout", Offset = "offset", True = "true", False = "false",
    }
    punctuation {
        OpenParen = "(", CloseParen = ")", OpenBracket = "[", CloseBracket = "]", OpenBrace = "{",
        CloseBrace = "}", Comma = ",", Semicolon = ";", Colon = ":", PathSeparator = "::", Dot = ".",
        DotDot = "..", Bar = "|", Pipe = "|>", OrOr = "||", AndAnd = "&&", EqualEqual = "==",
        NotEqual = "!=", Less = "<", LessEqual = "<=", Greater = ">", GreaterEqual = ">=", Equal = "=",
        FatArrow = "=>", Arrow = "->", Plus = "+", Minus = "-", Star = "*", Slash = "/", Percent = "%", Hash = "#",
        Bang = "!", Question = "?", Underscore = "_", PlusEqual = "+=", MinusEqual = "-=",
        StarEqual = "*=", SlashEqual = "/=", PercentEqual = "%=", Ampersand = "&", Caret = "^", Tilde = "~",
        ShiftLeft = "<<", ShiftRight = ">>", AmpersandEqual = "&=", BarEqual = "|=", CaretEqual = "^=",
        ShiftLeftEqual = "<<=", ShiftRightEqual = ">>=",
    }
}

impl TokenKind {
    /// Whether it is white space or a comment.
    #[inline]
    pub fn is_trivia(self) -> bool {
        (self as u8) < TokenKind::Unknown as u8
    }

    /// Whether it opens a bracket pair.
    pub fn is_opening(self) -> bool {
        self.closing().is_some()
    }

    /// The kind that closes it, if it opens a bracket pair.
    pub fn closing(self) -> Option<TokenKind> {
        match self {
            TokenKind::OpenParen => Some(TokenKind::CloseParen),
            TokenKind::OpenBracket => Some(TokenKind::CloseBracket),
            TokenKind::OpenBrace => Some(TokenKind::CloseBrace),
            TokenKind::SizeOpen => Some(TokenKind::SizeClose),
            _ => None,
        }
    }

    /// Whether it closes a bracket pair.
    pub fn is_closing(self) -> bool {
        use TokenKind::*;
        matches!(self, CloseParen | CloseBracket | CloseBrace | SizeClose)
    }

    /// Whether an operand may end with it.
    pub fn ends_operand(self) -> bool {
        use TokenKind::*;
        self.is_word()
            || self.is_closing()
            || matches!(self, Integer | Float | String | UnterminatedString | Underscore | Question | Folded)
    }

    /// Whether an operand may start with it.
    pub fn starts_operand(self) -> bool {
        use TokenKind::*;
        self.is_word()
            || self.is_opening()
            || matches!(self, Integer | Float | String | UnterminatedString | Underscore | Question | Folded)
            || matches!(self, Minus | Bang | Tilde | Bar)
    }

    /// Whether it assigns: `=`, or `+=` and its like.
    pub fn assigns(self) -> bool {
        self == TokenKind::Equal || self.is_compound_assignment()
    }

    /// Whether it computes with the target and assigns: `+=` and its like.
    pub fn is_compound_assignment(self) -> bool {
        use TokenKind::*;
        matches!(self, PlusEqual | MinusEqual | StarEqual | SlashEqual | PercentEqual | AmpersandEqual)
            || matches!(self, BarEqual | CaretEqual | ShiftLeftEqual | ShiftRightEqual)
    }
}

impl fmt::Display for TokenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fixed_text() {
            Some(text) => write!(f, "`{text}`"),
            None => f.write_str(match self {
                TokenKind::Whitespace => "white space",
                TokenKind::Newline => "the end of the line",
                TokenKind::LineComment | TokenKind::BlockComment => "a comment",
                TokenKind::UnterminatedComment => "an unfinished comment",
                TokenKind::DocComment => "a documentation comment",
                TokenKind::ByteOrderMark => "a byte order mark",
                TokenKind::String | TokenKind::UnterminatedString => "a string",
                TokenKind::Integer => "an integer",
                TokenKind::Float => "a number",
                TokenKind::Folded => "a deeply nested part",
                TokenKind::SizeOpen | TokenKind::SizeClose => "`|`",
                TokenKind::Name => "a name",
                _ => "an unknown character",
            }),
        }
    }
}
