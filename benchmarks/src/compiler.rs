//! The compiler and the command, on a large file and on a small one.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use comfy_table::Table;
use ide::CompilerDatabase;
use testing::gpu;

use super::server;
use super::sources::SHAPEWRIGHT;
use super::timing::{median, row, whole_process};

/// Adds the rows of the compiler.
///
/// # Errors
/// What could not be measured.
pub(super) fn measure(root: &Path, folder: &Path, table: &mut Table) -> Result<(), String> {
    let large = folder.join("large.shape");
    let source = SHAPEWRIGHT.long_file(10_000);
    std::fs::write(&large, &source).map_err(|error| error.to_string())?;
    let check = median(7, || whole_process(&["check".as_ref(), large.as_ref()]))?;
    row(table, "check of 10,000 lines, whole process", check, Duration::from_millis(120));
    row(
        table,
        "edit of one item in 10,000 lines, diagnostics fresh",
        edit(&source, |_| 500)?,
        Duration::from_millis(2),
    );
    row(table, "first edit of an item there", edit(&source, |version| 500 + version)?, Duration::from_millis(2));
    let quickstart = root.join("examples").join("quickstart.shape");
    let run = median(7, || whole_process(&["run".as_ref(), quickstart.as_ref()]))?;
    row(table, "run examples/quickstart.shape, whole process", run, Duration::from_millis(100));
    let source = std::fs::read_to_string(&quickstart).map_err(|error| error.to_string())?;
    let save = server::save(&source, "cpu", &[])?;
    row(table, "save of examples/quickstart.shape → results", save, Duration::from_millis(10));
    if cfg!(target_os = "linux") {
        let save = server::save(&source, "cuda:0", &stand_ins(folder))?;
        row(table, "the same on a stand-in for a GPU", save, Duration::from_millis(20));
    }
    Ok(())
}

/// Makes stand-ins for the driver of a GPU and for NVRTC, and gives the variables with which a server finds them.
fn stand_ins(folder: &Path) -> [(&'static str, PathBuf); 3] {
    gpu::driver(&folder.join("driver/libcuda.so.1"), "");
    gpu::nvrtc(&folder.join("nvrtc/libnvrtc.so"), "");
    [("LD_LIBRARY_PATH", "driver"), ("SHAPEWRIGHT_NVRTC", "nvrtc"), ("SHAPEWRIGHT_CACHE_DIR", "cache")]
        .map(|(name, place)| (name, folder.join(place)))
}

/// The time from an edit to the diagnostics of the whole file, with everything else cached. `which` gives the constant
/// that an edit changes, by the edit's number.
fn edit(source: &str, which: impl Fn(usize) -> usize) -> Result<Duration, String> {
    let mut db = CompilerDatabase::default();
    let file = db.set_text("large.shape", source);
    let _first = ide::diagnostics(&db, file);
    let mut version = 0;
    let mut text = source.to_owned();
    median(31, || {
        version += 1;
        let head = format!("const c{} = ", which(version));
        text = text.replacen(&head, &format!("{head}1 + "), 1);
        let start = Instant::now();
        db.set_text("large.shape", &text);
        let found = ide::diagnostics(&db, file);
        let time = start.elapsed();
        drop(found);
        Ok(time)
    })
}
