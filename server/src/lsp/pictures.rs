//! Pictures of maps: for the panels of editors, and in hovers.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use check::db::SourceFile;
use check::settings;
use ide::{Document, Drawing};
use pictures::{By, Label, Limits, Options, Picture, SvgOptions, Theme};
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::ls_types::{MarkupKind, Uri};

use super::snapshot::Snapshot;
use crate::render::picture_json;

/// The largest image that a hover shows without bars, in pixels.
const HOVER_SIZE: (u32, u32) = (700, 200);
/// The most rows and columns of cells that are readable at that size.
const HOVER_IMAGE: Limits = Limits { rows: 8, columns: 32 };
/// The most rows and columns of a text that is readable at a glance.
const HOVER_TEXT: Limits = Limits { rows: 16, columns: 16 };
/// The longest image; editors truncate longer ones or do not show them.
const LONGEST_IMAGE: usize = 80_000;

/// The arguments of a picture.
#[derive(Clone, Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Arguments {
    uri: Uri,
    /// The name of the item, `kernel.name` for a name in a kernel, or the text of a claim.
    name: String,
    /// Whether `name` is the source of a refuted claim.
    #[serde(default)]
    claim: bool,
    #[serde(default)]
    by: Colouring,
    #[serde(default)]
    label: Labelling,
    /// Whether the picture is for an interactive page, which needs the cells' numbers and sets the colours around
    /// them.
    #[serde(default)]
    interactive: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Colouring {
    #[default]
    Thread,
    Bank,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Labelling {
    #[default]
    Auto,
    Slot,
    Coordinate,
    Thread,
    Bank,
}

impl Arguments {
    fn options(&self) -> Options<'static> {
        let by = match self.by {
            Colouring::Thread => By::Thread,
            Colouring::Bank => By::Bank,
        };
        let label = match self.label {
            Labelling::Auto => Label::Automatic,
            Labelling::Slot => Label::Slot,
            Labelling::Coordinate => Label::Coordinate,
            Labelling::Thread => Label::Thread,
            Labelling::Bank => Label::Bank,
        };
        Options { by, label, ..Options::default() }
    }
}

/// The description of an item, with its picture if it has one, for a panel.
pub(super) fn shown(snapshot: &Snapshot, asked: &Arguments) -> Result<Value, String> {
    let file = snapshot.file(&asked.uri).ok_or_else(|| format!("{} is not open", asked.uri.as_str()))?;
    let db = &snapshot.db;
    let (markdown, drawing) = if asked.claim {
        let drawing = ide::drawing_of_claim(db, file, &asked.name);
        let drawing = drawing.ok_or_else(|| format!("there is no refuted claim `{}` here", asked.name))?;
        (String::new(), Some(drawing))
    } else {
        let facts = ide::item_facts(db, file);
        // `kernel.name` is what the kernel calls so; its title says the rest.
        let (outer, within) = asked.name.split_once('.').map_or((&*asked.name, false), |(kernel, _)| (kernel, true));
        let item = facts.iter().find(|item| item.is_called(outer));
        let item = item.ok_or_else(|| format!("nothing here is called `{outer}`"))?;
        let described = (!within).then(|| ide::hover(db, file, item.name_range.start)).flatten();
        let markdown = described.map(|hover| hover.shown.markdown());
        (markdown.unwrap_or_default(), ide::drawing(db, file, &asked.name))
    };
    let cancelled = settings::poll(db);
    let options = Options { cancelled: &cancelled, ..asked.options() };
    let picture = drawing.map(|drawing| drawing.picture(&options));
    let theme = if asked.interactive { Theme::Host } else { Theme::Automatic };
    let svg = picture
        .as_ref()
        .map(|picture| pictures::svg(picture, SvgOptions { theme, fit: None, interactive: asked.interactive }));
    let document = picture.as_ref().map(picture_json::panels);
    let text = picture.as_ref().map(pictures::text);
    Ok(json!({ "title": asked.name, "markdown": markdown, "svg": svg, "text": text, "picture": document }))
}

/// Adds the picture for the cursor to a hover: as an image below the title for clients that show images in hovers,
/// where it is visible without scrolling; as text at the end for others.
pub(super) fn add_to_hover(snapshot: &Snapshot, file: SourceFile, offset: u32, shown: &mut Document) {
    let Some(drawing) = ide::drawing_at(&snapshot.db, file, offset) else { return };
    let cancelled = settings::poll(&snapshot.db);
    let options = Options { strip: false, cancelled: &cancelled, ..Options::default() };
    let theme = snapshot.session.hover_pictures.filter(|_| snapshot.session.hover_markup() == MarkupKind::Markdown);
    if let Some(image) = theme.and_then(|theme| image(&drawing, theme, options.clone())) {
        shown.put_below_title(image);
        return;
    }
    let picture = drawing.picture(&Options { limits: HOVER_TEXT, ..options });
    shown.push(Document::columns(pictures::text_of_cells(&picture)));
}

/// The picture as an image within the text; `None` if it would be too long.
fn image(drawing: &Drawing, theme: Theme, options: Options<'_>) -> Option<Document> {
    let picture = drawing.picture(&Options { limits: HOVER_IMAGE, ..options });
    let svg = pictures::svg(&picture, SvgOptions { theme, fit: Some(HOVER_SIZE), interactive: false });
    let data = BASE64.encode(svg);
    (data.len() <= LONGEST_IMAGE).then(|| {
        let image = Document::image("picture", format!("data:image/svg+xml;base64,{data}"));
        Document::joined([image, remarks(&picture)])
    })
}

/// The text that accompanies an image.
fn remarks(picture: &Picture) -> Document {
    let notes = picture.panels.iter().flat_map(|panel| &panel.notes);
    let mut lines: Vec<String> = notes.chain(&picture.caption).cloned().collect();
    lines.dedup();
    Document::lines(lines)
}
