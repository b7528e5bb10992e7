//! SVG text.

use std::fmt::{self, Write as _};

use super::super::Rgb;
use super::super::colours::Fill;
use super::Theme;
use super::layout::LINE;

/// A document that is being written.
pub(super) struct Svg {
    text: String,
    theme: Theme,
}

/// The colours of text, of secondary text, and of the background: light and dark.
const INK: [&str; 2] = ["#1f2328", "#e6edf3"];
const FAINT: [&str; 2] = ["#57606a", "#a3adb8"];
const PAPER: [&str; 2] = ["#ffffff", "#1b1f24"];

impl Svg {
    pub(super) fn new(theme: Theme) -> Svg {
        Svg { text: String::with_capacity(1 << 16), theme }
    }

    /// Appends text as it stands. Writing to a string never fails.
    pub(super) fn put(&mut self, text: fmt::Arguments<'_>) {
        let _ = self.text.write_fmt(text);
    }

    pub(super) fn open(&mut self, title: &str, (width, height): (u32, u32), fit: Option<(u32, u32)>) {
        let (shown_width, shown_height) = fit.map_or((width, height), |fit| fitted((width, height), fit));
        self.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{shown_width}\" height=\"{shown_height}\" viewBox=\"0 0 \
             {width} {height}\" role=\"img\" font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans \
             Mono',monospace\" font-size=\"12\">\n<title>{}</title>\n",
            Escaped(title)
        ));
        if self.theme == Theme::Automatic {
            self.put(format_args!(
                "<style>:root{{color-scheme:light dark}}@media(prefers-color-scheme:dark){{.ink{{fill:{}}}\
                 .faint{{fill:{}}}.paper{{fill:{}}}}}</style>\n",
                INK[1], FAINT[1], PAPER[1]
            ));
        }
        self.put(format_args!(
            "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
             patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#d4d4d4\"/><path d=\"M0 0V6\" \
             stroke=\"#a0a0a0\" stroke-width=\"4\"/></pattern><marker id=\"arrow\" viewBox=\"0 0 6 6\" refX=\"5\" \
             refY=\"3\" markerWidth=\"5\" markerHeight=\"5\" orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" \
             fill=\"#303030\"/></marker></defs>\n"
        ));
        if self.theme != Theme::Host {
            let paper = PAPER[self.shade()];
            self.put(format_args!("<rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"{paper}\"/>\n"));
        }
    }

    pub(super) fn close(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }

    fn shade(&self) -> usize {
        usize::from(self.theme == Theme::Dark)
    }

    /// The attributes of text outside of cells: `ink`, or `faint` for secondary text.
    pub(super) fn colour(&self, class: &str) -> &'static str {
        match (self.theme, class) {
            (Theme::Host, _) => "currentColor",
            (_, "ink") => INK[self.shade()],
            _ => FAINT[self.shade()],
        }
    }

    /// Lines of text below each other.
    pub(super) fn lines(&mut self, left: u32, top: u32, lines: &[String], class: &str, strong: bool) {
        if lines.is_empty() {
            return;
        }
        let (colour, weight) = (self.colour(class), if strong { " font-weight=\"600\"" } else { "" });
        self.put(format_args!("<g class=\"{class}\" fill=\"{colour}\"{weight}>"));
        for (number, line) in lines.iter().enumerate() {
            let baseline = top + LINE * number as u32 + 12;
            self.put(format_args!("<text x=\"{left}\" y=\"{baseline}\">{}</text>", Escaped(line)));
        }
        self.put(format_args!("</g>\n"));
    }

    /// The box of a cell.
    pub(super) fn rect(&mut self, (x, y, width, height): (u32, u32, u32, u32), fill: Fill, more: fmt::Arguments<'_>) {
        self.put(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" "));
        match fill {
            Fill::Colour(colour) => self.put(format_args!("fill=\"{}\"{more}", Hex(colour))),
            Fill::Hatched => self.put(format_args!("fill=\"url(#hatch)\"{more}")),
            Fill::Open => self.put(format_args!(
                "fill=\"#808080\" fill-opacity=\"0.06\" stroke=\"#808080\" stroke-dasharray=\"2 2\"{more}"
            )),
        }
    }
}

/// A size scaled to fit into another one without distortion.
fn fitted((width, height): (u32, u32), (most_width, most_height): (u32, u32)) -> (u32, u32) {
    let (width, height) = (u64::from(width.max(1)), u64::from(height.max(1)));
    let (most_width, most_height) = (u64::from(most_width.max(1)), u64::from(most_height.max(1)));
    if width <= most_width && height <= most_height {
        return (width as u32, height as u32);
    }
    if width * most_height > height * most_width {
        (most_width as u32, (height * most_width / width).max(1) as u32)
    } else {
        ((width * most_height / height).max(1) as u32, most_height as u32)
    }
}

/// A colour as `#rrggbb`.
pub(super) struct Hex(pub(super) Rgb);

impl fmt::Display for Hex {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(formatter, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// Text escaped for XML, between tags or in an attribute.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = |byte: u8| (b' '..0x7f).contains(&byte) && !matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'');
        if self.0.bytes().all(is_plain) {
            return formatter.write_str(self.0);
        }
        for character in self.0.chars() {
            match character {
                '&' => formatter.write_str("&amp;")?,
                '<' => formatter.write_str("&lt;")?,
                '>' => formatter.write_str("&gt;")?,
                '"' => formatter.write_str("&quot;")?,
                '\'' => formatter.write_str("&#39;")?,
                // XML cannot represent these.
                character if character.is_control() && character != '\t' => formatter.write_char('\u{fffd}')?,
                '\u{fffe}' | '\u{ffff}' => formatter.write_char('\u{fffd}')?,
                character => formatter.write_char(character)?,
            }
        }
        Ok(())
    }
}
