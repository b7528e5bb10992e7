//! A picture of 64 by 64 cells, compared with tensor-layouts on the same layout.

use std::time::{Duration, Instant};

use comfy_table::Table;
use dims::Facts;
use pictures::{Options, Subject, SvgOptions};

use super::questions::tile;
use super::{microseconds, peers};
use crate::timing::median;

/// The longest time for drawing.
const BOUND: Duration = Duration::from_millis(5);

/// Measures and prints the table.
///
/// # Errors
/// A picture without cells, or an invalid answer of a peer.
pub(super) fn measure() -> Result<(), String> {
    let (map, facts) = (tile(64, 64), Facts::empty());
    let subject = Subject { name: "tile", map: &map, facts: &facts, kind: pictures::Kind::Map };
    let ours = median(51, || {
        let start = Instant::now();
        let picture = pictures::picture(&[subject], &Options::default());
        let svg = pictures::svg(&picture, SvgOptions::default());
        let time = start.elapsed();
        if svg.contains("4095") { Ok(time) } else { Err("the last cell is not in the picture".to_owned()) }
    })?;
    let peer = peers::Peer::new("tensor-layouts", "picture.py");
    let (theirs, ratio) = match &peer {
        Ok(peer) => peer.answer("64 by 64")?.cells(ours),
        Err(_) => (String::new(), String::new()),
    };
    let mut table = Table::new();
    table.set_header(["picture", "bound", "shapewright", "tensor-layouts", "tensor-layouts / ours"]);
    table.add_row(["64 by 64 cells, as SVG".to_owned(), microseconds(BOUND), microseconds(ours), theirs, ratio]);
    println!("{table}");
    if let Err(error) = peer {
        println!("note: tensor-layouts is left out, since {error}");
    }
    Ok(())
}
