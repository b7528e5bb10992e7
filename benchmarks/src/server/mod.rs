//! The language server, compared with those of other languages: the same client and edits, and files of the same
//! length.

mod client;
mod document;
mod figures;
mod meanwhile;
mod measures;
mod peers;
mod runs;

use std::path::Path;

use comfy_table::Table;

use super::sources::Language;
use figures::Figure;
pub(super) use meanwhile::meanwhile;
use measures::{Line, Workload};
use peers::Server;
pub(super) use runs::save;

/// The lines of the long file.
const LINES: usize = 10_000;
/// The files of the large workspace.
const FILES: usize = 1_000;

/// Measures and prints the tables.
///
/// # Errors
/// What could not be measured.
pub(super) fn measure() -> Result<(), String> {
    let (servers, missing) = peers::all()?;
    print(&servers, "a file of 10,000 lines", long_file)?;
    print(&servers, "1,000 files of 100 lines", many_files)?;
    println!("times: of half, and of 95 of 100, of up to 200 repetitions; a server is started 5 times");
    println!("bound / ours, peer / ours: of the second of two figures; above 1 is better than the bound or the peer");
    println!(
        "clangd waits for a pause in the typing before it sends diagnostics, except where they are asked for at once"
    );
    println!(
        "of the 10,000 edits, the peers get as many as fit into 12 seconds, each when the one before was answered"
    );
    if let Some(missing) = missing {
        println!("note: {missing}");
    }
    Ok(())
}

/// Measures all servers and prints one table.
fn print(
    servers: &[Server],
    title: &str,
    measure: impl Fn(&Server, &Path) -> Result<Vec<Line>, String>,
) -> Result<(), String> {
    let measured = |server: &Server| {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        // A temporary folder may be a link, and servers report resolved paths.
        let path = folder.path().canonicalize().map_err(|error| error.to_string())?;
        measure(server, &path).map_err(|error| format!("{}, {title}: {error}", server.name))
    };
    let Some((our_server, peers)) = servers.split_first() else { return Ok(()) };
    let ours = measured(our_server)?;
    let mut table = Table::new();
    let mut header = vec![title.to_owned(), "bound".to_owned(), "shapewright".to_owned(), "bound / ours".to_owned()];
    let mut columns = Vec::new();
    for peer in peers {
        // If a peer fails, the others are still compared.
        match measured(peer) {
            Ok(lines) => {
                header.extend([peer.name.to_owned(), format!("{} / ours", peer.name)]);
                columns.push(lines);
            }
            Err(error) => println!("note: left out, {error}"),
        }
    }
    table.set_header(header);
    for (number, line) in ours.iter().enumerate() {
        let figures: Vec<&Figure> = columns.iter().map(|column| &column[number].figure).collect();
        table.add_row(row(line, &figures));
    }
    println!("{table}");
    Ok(())
}

fn row(line: &Line, peers: &[&Figure]) -> Vec<String> {
    let ours = &line.figure;
    let mut cells = vec![line.what.to_owned(), line.bound.text(), ours.text(), line.bound.ratio(ours)];
    cells.extend(peers.iter().flat_map(|peer| [peer.text(), ours.ratio(peer)]));
    cells
}

fn long_file(server: &Server, folder: &Path) -> Result<Vec<Line>, String> {
    let Language { extension, .. } = server.language;
    let text = server.language.long_file(LINES);
    let file = format!("long.{extension}");
    write(folder, &file, &text)?;
    write(folder, "compile_flags.txt", COMPILE_FLAGS)?;
    let workload = Workload { server, folder, file: &file, text: &text, groups: 0..LINES / 10 - 5 };
    let mut lines = measures::sent(&workload)?;
    lines.extend(measures::asked(&workload)?);
    Ok(lines)
}

fn many_files(server: &Server, folder: &Path) -> Result<Vec<Line>, String> {
    let files = server.language.many_files(FILES);
    for (name, text) in &files {
        write(folder, name, text)?;
    }
    write(folder, "compile_flags.txt", COMPILE_FLAGS)?;
    // All other files import the first one.
    let number = FILES / 2;
    let (file, text) = &files[number + 1];
    let workload = Workload { server, folder, file, text, groups: number * 9..number * 9 + 9 };
    let mut lines = measures::sent(&workload)?;
    lines.extend(measures::workspace(&workload)?);
    Ok(lines)
}

/// The compiler flags for clangd; the other servers ignore them.
const COMPILE_FLAGS: &str = "-xc++\n-std=c++20\n-Wno-pragma-once-outside-header\n";

fn write(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    let path = folder.join(name);
    std::fs::write(&path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}
