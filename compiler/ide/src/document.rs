//! A document that editors show: paragraphs, source text, lists. It is rendered as Markdown or plain text only when
//! it is sent, as the client asks.
//!
//! Within a line, code is in back quotes, in Markdown as in plain text and diagnostics.

/// A document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Document {
    blocks: Vec<Block>,
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Block {
    /// Source text of the language.
    Source(String),
    /// Preformatted text.
    Columns(String),
    /// A paragraph.
    Paragraph(String),
    /// A paragraph that belongs to the title.
    Summary(String),
    /// Lines of one paragraph.
    Lines(Vec<String>),
    /// A list with an introductory line, which may be empty.
    List { lead: String, items: Vec<String> },
    /// A separator.
    Rule,
    /// An image, with the address of its data.
    Image { description: String, address: String },
}

impl Document {
    /// Source text of the language.
    pub fn source(text: impl Into<String>) -> Self {
        Self { blocks: vec![Block::Source(text.into())] }
    }

    /// A paragraph that says the most important of what the title names; nothing if it is empty.
    pub fn summary(text: String) -> Self {
        if text.is_empty() { Self::default() } else { Self { blocks: vec![Block::Summary(text)] } }
    }

    /// Preformatted text.
    pub fn columns(text: impl Into<String>) -> Self {
        Self { blocks: vec![Block::Columns(text.into())] }
    }

    /// A list with an introductory line; nothing if the list is empty.
    pub fn list(lead: impl Into<String>, items: Vec<String>) -> Self {
        if items.is_empty() {
            return Self::default();
        }
        Self { blocks: vec![Block::List { lead: lead.into(), items }] }
    }

    /// Separate lines; nothing if there are none.
    pub fn lines(lines: Vec<String>) -> Self {
        if lines.is_empty() { Self::default() } else { Self { blocks: vec![Block::Lines(lines)] } }
    }

    /// A line across the text.
    pub fn rule() -> Self {
        Self { blocks: vec![Block::Rule] }
    }

    /// An image; plain text has its description instead.
    pub fn image(description: impl Into<String>, address: impl Into<String>) -> Self {
        Self { blocks: vec![Block::Image { description: description.into(), address: address.into() }] }
    }

    /// The documents in sequence.
    pub fn joined(parts: impl IntoIterator<Item = Document>) -> Self {
        Self { blocks: parts.into_iter().flat_map(|part| part.blocks).collect() }
    }

    /// Appends another document.
    pub fn push(&mut self, other: impl Into<Document>) {
        self.blocks.extend(other.into().blocks);
    }

    /// Inserts another document after the title, the source text that the document begins with, and its summary.
    pub fn put_below_title(&mut self, other: Document) {
        let belongs = |(place, block): &(usize, &Block)| match block {
            Block::Source(_) => *place == 0,
            Block::Summary(_) => true,
            _ => false,
        };
        let title = self.blocks.iter().enumerate().take_while(belongs).count();
        self.blocks.splice(title..title, other.blocks);
    }

    /// Whether nothing is shown.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// For clients that show Markdown.
    pub fn markdown(&self) -> String {
        self.rendered(|block| match block {
            Block::Source(text) => fenced("shapewright", text),
            Block::Columns(text) => fenced("text", text),
            Block::Paragraph(text) | Block::Summary(text) => text.clone(),
            // Two spaces keep the line from being continued.
            Block::Lines(lines) => lines.join("  \n"),
            Block::List { lead, items } => list(lead, items),
            Block::Rule => "---".to_owned(),
            Block::Image { description, address } => format!("![{description}]({address})"),
        })
    }

    /// For clients that show plain text.
    pub fn plain(&self) -> String {
        self.rendered(|block| match block {
            Block::Source(text) | Block::Columns(text) => text.trim_end().to_owned(),
            Block::Paragraph(text) | Block::Summary(text) => text.clone(),
            Block::Lines(lines) => lines.join("\n"),
            Block::List { lead, items } => list(lead, items),
            Block::Rule => "─".repeat(RULE),
            Block::Image { description, .. } => description.clone(),
        })
    }

    fn rendered(&self, block: impl Fn(&Block) -> String) -> String {
        self.blocks.iter().map(block).collect::<Vec<String>>().join("\n\n")
    }
}

/// Characters of a line across plain text.
const RULE: usize = 24;

fn fenced(language: &str, text: &str) -> String {
    format!("```{language}\n{}\n```", text.trim_end())
}

fn list(lead: &str, items: &[String]) -> String {
    let lead = (!lead.is_empty()).then(|| lead.to_owned());
    let items = items.iter().map(|item| format!("- {item}"));
    lead.into_iter().chain(items).collect::<Vec<String>>().join("\n")
}

/// A paragraph; an empty one is nothing.
impl From<String> for Document {
    fn from(text: String) -> Self {
        let blocks = if text.is_empty() { Vec::new() } else { vec![Block::Paragraph(text)] };
        Self { blocks }
    }
}

impl From<&str> for Document {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

/// A text within a line as code.
pub(super) fn inline(text: impl std::fmt::Display) -> String {
    format!("`{text}`")
}

#[cfg(test)]
mod tests {
    use super::Document;

    #[test]
    fn a_document_is_written_for_both_kinds_of_clients() {
        let document = Document::joined([
            Document::source("map m = xor(8, 8)"),
            "upper shape `[8, 8]`".into(),
            Document::list("verdicts:", vec!["✓ `injective`".to_owned(), "? `covers`".to_owned()]),
            Document::rule(),
            Document::lines(vec!["one line".to_owned(), "another".to_owned()]),
            Document::columns("0 1\n2 3\n"),
            Document::image("a picture", "data:,"),
        ]);
        let markdown = "```shapewright\nmap m = xor(8, 8)\n```\n\nupper shape `[8, 8]`\n\nverdicts:\n- ✓ `injective`\n- ? `covers`\
                        \n\n---\n\none line  \nanother\n\n```text\n0 1\n2 3\n```\n\n![a picture](data:,)";
        assert_eq!(document.markdown(), markdown);
        let plain = "map m = xor(8, 8)\n\nupper shape `[8, 8]`\n\nverdicts:\n- ✓ `injective`\n- ? `covers`\
                     \n\n────────────────────────\n\none line\nanother\n\n0 1\n2 3\n\na picture";
        assert_eq!(document.plain(), plain);
    }

    #[test]
    fn what_is_put_below_the_title_stands_before_the_rest() {
        let mut titled = Document::joined([Document::source("s : [4]"), "rank 1".into()]);
        titled.put_below_title("a picture".into());
        assert_eq!(titled.plain(), "s : [4]\n\na picture\n\nrank 1");
        let mut summed = Document::joined([
            Document::source("s : [4]"),
            Document::summary("4 elements".to_owned()),
            "rank 1".into(),
        ]);
        summed.put_below_title("a picture".into());
        assert_eq!(summed.plain(), "s : [4]\n\n4 elements\n\na picture\n\nrank 1");
        let mut untitled = Document::from("rank 1");
        untitled.put_below_title("a picture".into());
        assert_eq!(untitled.plain(), "a picture\n\nrank 1");
    }

    #[test]
    fn what_is_empty_leaves_no_gap() {
        let parts = ["".into(), Document::list("none:", Vec::new()), Document::lines(Vec::new()), "all".into()];
        assert_eq!(Document::joined(parts).markdown(), "all");
        assert!(Document::from("").is_empty());
    }
}
