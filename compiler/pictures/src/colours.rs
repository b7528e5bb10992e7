//! The colours of cells.
//!
//! The hues are eight of Paul Tol's scheme "light", which differ for people with colour vision deficiencies and are
//! made to carry dark text. More than eight numbers also differ in lightness. The text in a cell is black or white,
//! whichever has the greater contrast, which is at least 4.5 to 1.

use std::sync::LazyLock;

use super::{By, Cell, CellState, Grid};

/// A colour in sRGB.
pub type Rgb = [u8; 3];

const HUES: [Rgb; 8] = [
    [0x77, 0xaa, 0xdd],
    [0xee, 0x88, 0x66],
    [0xee, 0xdd, 0x88],
    [0x44, 0xbb, 0x99],
    [0xff, 0xaa, 0xbb],
    [0xbb, 0xcc, 0x33],
    [0x99, 0xdd, 0xff],
    [0xaa, 0xaa, 0x00],
];
/// How far the second, third and fourth eight numbers are mixed with white, in percent.
const TINTS: [u32; 4] = [0, 32, 52, 68];
/// The ends of the scale for slots.
const LIGHTEST: Rgb = [0xe3, 0xee, 0xf8];
const DARKEST: Rgb = [0x1b, 0x4f, 0x8a];

/// The fill of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fill {
    /// A colour.
    Colour(Rgb),
    /// Grey, hatched.
    Hatched,
    /// Nothing, with a dashed outline.
    Open,
}

/// The fill of a cell of a grid; `None` where there is no cell.
pub(super) fn fill(grid: &Grid, by: By, cell: &Cell) -> Option<Fill> {
    match cell.state {
        CellState::Missing => None,
        CellState::Empty => Some(Fill::Open),
        CellState::Masked => Some(Fill::Hatched),
        CellState::Reached => Some(Fill::Colour(match (by, cell.bank, cell.thread) {
            (By::Bank, Some(bank), _) => numbered(u64::from(bank)),
            (By::Thread, _, Some(thread)) if grid.threads => numbered(thread),
            _ => shade(cell.rank, grid.span),
        })),
    }
}

/// The colour of a number: eight hues in four tints, then again.
pub(super) fn numbered(number: u64) -> Rgb {
    let hue = HUES.get((number % 8) as usize).copied().unwrap_or(LIGHTEST);
    let tint = TINTS.get((number / 8 % 4) as usize).copied().unwrap_or(0);
    mix(hue, [255; 3], tint, 100)
}

/// The colour of a number between two others, from light to dark.
fn shade(value: i64, (low, high): (i64, i64)) -> Rgb {
    let span = i128::from(high) - i128::from(low);
    let place = i128::from(value) - i128::from(low);
    let part = if span > 0 { (place * 1000 / span).clamp(0, 1000) as u32 } else { 0 };
    mix(LIGHTEST, DARKEST, part, 1000)
}

/// A colour of the scale for slots: the first is the lightest, the last the darkest.
pub(super) fn scale(field: u32, last: u32) -> Rgb {
    shade(i64::from(field), (0, i64::from(last)))
}

fn mix(one: Rgb, other: Rgb, part: u32, whole: u32) -> Rgb {
    let channel = |index: usize| {
        let end = |colour: Rgb| u32::from(colour.get(index).copied().unwrap_or(0));
        ((end(one) * (whole - part) + end(other) * part + whole / 2) / whole) as u8
    };
    [channel(0), channel(1), channel(2)]
}

/// Black or white, whichever can be read on a colour.
pub(super) fn ink(background: Rgb) -> Rgb {
    // Contrast is a ratio of luminances, each plus 0.05; black has 0 and white has 1.
    let background = luminance(background) + 0.05;
    if background / 0.05 >= 1.05 / background { [0; 3] } else { [255; 3] }
}

/// The relative luminance of a colour, from 0 to 1, as the Web Content Accessibility Guidelines 2.1 define it.
fn luminance([red, green, blue]: Rgb) -> f64 {
    // A table, as every cell needs it and powers are slow.
    static LINEAR: LazyLock<[f64; 256]> = LazyLock::new(|| {
        std::array::from_fn(|channel| {
            let value = channel as f64 / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        })
    });
    let linear = |channel: u8| LINEAR[usize::from(channel)];
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contrast(one: Rgb, other: Rgb) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn text_can_be_read_on_every_fill() {
        let numbered = (0..32).map(numbered);
        let shades = (0..=1000).map(|value| shade(value, (0, 1000)));
        for fill in numbered.chain(shades) {
            assert!(contrast(fill, ink(fill)) >= 4.5, "{fill:?}");
        }
    }

    #[test]
    fn thirty_two_numbers_have_thirty_two_colours() {
        let mut colours: Vec<Rgb> = (0..32).map(numbered).collect();
        assert_eq!(numbered(32), colours[0]);
        colours.sort_unstable();
        colours.dedup();
        assert_eq!(colours.len(), 32);
    }

    #[test]
    fn shades_take_any_numbers() {
        assert_eq!(shade(i64::MIN, (i64::MIN, i64::MAX)), LIGHTEST);
        assert_eq!(shade(i64::MAX, (i64::MIN, i64::MAX)), DARKEST);
        assert_eq!(shade(7, (7, 7)), LIGHTEST);
    }
}
