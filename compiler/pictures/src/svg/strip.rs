//! The words that a warp touches: a row for each line of 128 bytes, a column for each bank.

use super::super::Strip;
use super::super::colours::{self, Fill};
use super::super::labels;
use super::layout::{LINE, StripLayout};
use super::write::{Escaped, Svg};
use maps::hardware::BANKS;

/// Writes a strip.
pub(super) fn write(out: &mut Svg, strip: &Strip, place: &StripLayout) {
    out.lines(place.left, place.top, &place.heading, "faint", false);
    numbers(out, strip, place);
    let (width, height) = (place.step.0 - 1, place.step.1 - 1);
    for (row, line) in strip.lines.iter().enumerate() {
        for (column, lanes) in line.words.iter().enumerate() {
            let (x, y) = corner(place, row, column);
            let Some(first) = lanes.first() else {
                out.put(format_args!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"#808080\" \
                     fill-opacity=\"0.14\"/>"
                ));
                continue;
            };
            // Lanes of one phase are served together.
            let colour = colours::numbered(u64::from(strip.phase(*first)));
            let ink = if colours::ink(colour) == [255; 3] { " fill=\"#ffffff\"" } else { "" };
            out.rect((x, y, width, height), Fill::Colour(colour), format_args!("/>"));
            let (x, y, font) = (x + width / 2, y + 13, place.font);
            let text = labels::of_word(lanes);
            out.put(format_args!(
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{font}\" text-anchor=\"middle\"{ink}>{}</text>",
                Escaped(&text)
            ));
        }
        out.put(format_args!("\n"));
    }
}

/// The banks above, the bytes at the left.
fn numbers(out: &mut Svg, strip: &Strip, place: &StripLayout) {
    let colour = out.colour("faint");
    out.put(format_args!("<g class=\"faint\" fill=\"{colour}\" font-size=\"9\">"));
    let (gutter, header) = (place.words.0 - 5, place.words.1 - 5);
    out.put(format_args!("<text x=\"{gutter}\" y=\"{header}\" text-anchor=\"end\" font-style=\"italic\">bank</text>"));
    for column in 0..BANKS as usize {
        let x = corner(place, 0, column).0 + place.step.0 / 2;
        out.put(format_args!("<text x=\"{x}\" y=\"{header}\" text-anchor=\"middle\">{column}</text>"));
    }
    for (row, line) in strip.lines.iter().enumerate() {
        let y = place.words.1 + row as u32 * place.step.1 + LINE - 4;
        out.put(format_args!("<text x=\"{gutter}\" y=\"{y}\" text-anchor=\"end\">{}</text>", line.address));
    }
    out.put(format_args!("</g>\n"));
}

/// The left upper corner of a word. There is a small gap between sectors of eight words.
fn corner(place: &StripLayout, row: usize, column: usize) -> (u32, u32) {
    let (row, column) = (row as u32, column as u32);
    (place.words.0 + column * place.step.0 + column / 8 * 4, place.words.1 + row * place.step.1)
}
