//! The word lists of the editors' grammars and settings are those of the compiler's tables. `cargo xtask docs` writes them.

use std::path::{Path, PathBuf};

use check::evaluate::FLOAT_CONSTANTS;
use check::kernels::{EXCHANGES, TileFunction};
use elements::ElementType;
use kernel::functions::FUNCTIONS;
use shapewright_runtime::executors::Executors;

/// Writes the lists where this variable is set, instead of comparing them.
const WRITE: &str = "SHAPEWRIGHT_WRITE_WORDS";

/// What a list holds.
#[derive(Clone, Copy, Debug)]
enum Words {
    Functions,
    ElementTypes,
    FloatConstants,
    Devices,
}

impl Words {
    const ALL: [Self; 4] = [Self::Functions, Self::ElementTypes, Self::FloatConstants, Self::Devices];

    /// How a marker names the list.
    fn name(self) -> &'static str {
        match self {
            Self::Functions => "functions",
            Self::ElementTypes => "element types",
            Self::FloatConstants => "float constants",
            Self::Devices => "devices",
        }
    }

    fn words(self) -> Vec<String> {
        match self {
            Self::Functions => {
                let of_tiles = TileFunction::all().map(|function| function.name().to_owned());
                let of_threads = EXCHANGES.iter().map(|name| (*name).to_owned());
                FUNCTIONS.iter().map(|function| function.name.to_owned()).chain(of_tiles).chain(of_threads).collect()
            }
            Self::ElementTypes => ElementType::ALL.iter().map(|element| element.name().to_owned()).collect(),
            Self::FloatConstants => FLOAT_CONSTANTS.iter().map(|(word, _)| (*word).to_owned()).collect(),
            Self::Devices => Executors::default().choices().into_iter().map(|(name, _)| name).collect(),
        }
    }
}

/// How a file says a list: a line with `marker`, before the lines up to the one with `end`.
struct Notation {
    path: &'static str,
    /// The line before the list, with `{}` for the list's name.
    marker: &'static str,
    /// The line after it.
    end: &'static str,
    /// The lines of a list.
    lines: fn(Words) -> Vec<String>,
}

const NOTATIONS: &[Notation] = &[
    Notation {
        path: "editors/tree-sitter-shapewright/queries/highlights.scm",
        marker: "; The compiler's {}:",
        end: "; written by `cargo xtask docs`.",
        lines: query,
    },
    Notation {
        path: "editors/nvim/queries/shapewright/highlights.scm",
        marker: "; The compiler's {}:",
        end: "; written by `cargo xtask docs`.",
        lines: query,
    },
    Notation {
        path: "editors/nvim/syntax/shapewright.vim",
        marker: "\" The compiler's {}:",
        end: "\" written by `cargo xtask docs`.",
        lines: vim,
    },
    Notation {
        path: "editors/tree-sitter-shapewright/grammar.js",
        marker: "// The compiler's {}:",
        end: "// written by `cargo xtask docs`.",
        lines: script,
    },
    Notation {
        path: "editors/vscode/syntaxes/shapewright.tmLanguage.json",
        marker: "\"comment\": \"The compiler's {}, written by `cargo xtask docs`.\",",
        end: "}",
        lines: text_mate,
    },
    Notation {
        path: "editors/vscode/package.json",
        marker: "\"$comment\": \"The compiler's {}, written by `cargo xtask docs`.\",",
        end: "\"default\": \"auto\"",
        lines: setting,
    },
    Notation {
        path: "editors/vscode/src/protocol.ts",
        marker: "// The compiler's {}:",
        end: "// written by `cargo xtask docs`.",
        lines: type_script,
    },
];

/// Quoted words, in lines of at most 116 characters.
fn quoted(words: &[String], indent: &str, mark: char, separator: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (number, word) in words.iter().enumerate() {
        let separator = if number + 1 < words.len() { separator } else { "" };
        let word = format!("{mark}{word}{mark}{separator}");
        match lines.last_mut().filter(|line| line.len() + 1 + word.len() <= 116) {
            Some(line) => *line += &format!(" {word}"),
            None => lines.push(format!("{indent}{word}")),
        }
    }
    lines
}

fn query(words: Words) -> Vec<String> {
    match words {
        Words::FloatConstants => {
            let list = quoted(&words.words(), "", '"', "").join(" ");
            vec![format!("((identifier) @number.float\n  (#any-of? @number.float {list}))")]
        }
        _ => quoted(&words.words(), "    ", '"', ""),
    }
}

fn vim(words: Words) -> Vec<String> {
    let list = words.words();
    match words {
        Words::Functions => {
            vec![format!("syntax match shapewrightBuiltin /\\v<%({})>\\ze\\s*\\(/", list.join("|"))]
        }
        Words::ElementTypes => vec![
            format!("syntax keyword shapewrightType {}", list.join(" ")),
            format!("syntax match shapewrightType /\\v<%({})>\\ze\\s*\\(/", list.join("|")),
        ],
        Words::Devices => Vec::new(),
        Words::FloatConstants => {
            vec![format!("syntax match shapewrightFloat /\\v<%({})>\\ze\\s*%($|[^(: \\t])/", list.join("|"))]
        }
    }
}

fn script(words: Words) -> Vec<String> {
    let mut lines = vec!["const ELEMENT_TYPES = [".to_owned()];
    lines.extend(quoted(&words.words(), "  ", '\'', ","));
    lines.push("];".to_owned());
    lines
}

fn text_mate(words: Words) -> Vec<String> {
    let (name, after) = match words {
        Words::Functions => ("support.function.math", r"(?=\\s*\\()"),
        Words::ElementTypes => ("support.type.element", r"(?!\\w|-[A-Za-z])"),
        Words::Devices => return Vec::new(),
        Words::FloatConstants => ("constant.language.float", r"(?!\\w|-[A-Za-z]|\\s*[(:])"),
    };
    let list = words.words().join("|");
    vec![format!("\"name\": \"{name}.shapewright\","), format!("\"match\": \"\\\\b(?:{list}){after}\"")]
}

/// What the setting of a device can be, with the text for each.
fn setting(words: Words) -> Vec<String> {
    let list = quoted(&words.words(), "", '"', ",").join(" ");
    let choices = Executors::default().choices();
    let mut lines = vec![format!("\"enum\": [{list}],"), "\"enumDescriptions\": [".to_owned()];
    for (position, (_, about)) in choices.iter().enumerate() {
        let comma = if position + 1 < choices.len() { "," } else { "" };
        lines.push(format!("  \"{about}\"{comma}"));
    }
    lines.push("],".to_owned());
    lines
}

fn type_script(words: Words) -> Vec<String> {
    let list = words.words().iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" | ");
    vec!["/** Where kernels run. */".to_owned(), format!("export type DeviceChoice = {list};")]
}

/// The text with its lists as they should be, and how many lists it has.
fn written(notation: &Notation, text: &str) -> (String, usize) {
    let mut found = 0;
    let mut result: Vec<String> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        result.push(line.to_owned());
        let is_marker = |words: &Words| line.trim() == notation.marker.replace("{}", words.name());
        let Some(words) = Words::ALL.into_iter().find(is_marker) else { continue };
        found += 1;
        // A list in a JSON object is indented as its marker is; the other notations say their own indentation.
        let indent = if notation.path.ends_with(".json") { &line[..line.len() - line.trim_start().len()] } else { "" };
        result.extend((notation.lines)(words).into_iter().map(|line| format!("{indent}{line}")));
        let end = lines.find(|line| line.trim().trim_end_matches(',') == notation.end);
        result
            .push(end.unwrap_or_else(|| panic!("{}: no `{}` after `{line}`", notation.path, notation.end)).to_owned());
    }
    (result.join("\n") + "\n", found)
}

fn path(notation: &Notation) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(notation.path)
}

#[test]
fn the_editors_know_the_words_of_the_compiler() {
    for notation in NOTATIONS {
        let text = std::fs::read_to_string(path(notation)).unwrap();
        let (wanted, found) = written(notation, &text);
        assert!(found > 0, "{} has no list", notation.path);
        if std::env::var_os(WRITE).is_some() {
            std::fs::write(path(notation), wanted).unwrap();
        } else {
            assert!(text == wanted, "{} is not up to date: run `cargo xtask docs`", notation.path);
        }
    }
}
