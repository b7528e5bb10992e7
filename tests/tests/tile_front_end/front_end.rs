//! NVRTC's front end of CUDA Tile C++: which programs it accepts.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;

use shapewright_runtime::cuda::{Nvrtc, NvrtcError, Request, tile_front_end_required};

use super::cuda_tile::HEAD;

/// The front end; none where it is not installed and the tests have nothing to do.
pub struct FrontEnd {
    nvrtc: Nvrtc,
    options: Vec<String>,
    /// The first compilation unpacks the library's headers, so one test compiles at a time.
    turn: Mutex<()>,
}

impl FrontEnd {
    pub fn new() -> Option<FrontEnd> {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let Some(nvrtc) = tile_front_end_required(workspace).unwrap() else {
            eprintln!("no front end of CUDA Tile, so nothing was tested: `cargo xtask test tests` installs it");
            return None;
        };
        // The library unpacks its own headers into a folder.
        let headers = workspace.join("target/tile-front-end/headers");
        let mut options = vec![format!("--use-bundled-headers={}", headers.display())];
        options.extend(["--enable-tile", "--tile-only", "-std=c++20"].map(str::to_owned));
        Some(FrontEnd { nvrtc, options, turn: Mutex::new(()) })
    }

    /// Those of the lines that are accepted. Many are compiled at once: an error names its line.
    pub fn accepted(&self, lines: &[String]) -> BTreeSet<usize> {
        let _turn = self.turn.lock().unwrap();
        let mut accepted = BTreeSet::new();
        let mut groups = vec![(0..lines.len()).collect::<Vec<usize>>()];
        while let Some(group) = groups.pop() {
            let Err(log) = self.compiled(lines, &group) else {
                accepted.extend(group);
                continue;
            };
            let wrong = lines_of(&log);
            let (refused, rest): (Vec<usize>, Vec<usize>) =
                (0..group.len()).partition(|place| wrong.contains(&(place + HEAD.lines().count() + 1)));
            let rest: Vec<usize> = rest.into_iter().map(|place| group[place]).collect();
            match (refused.is_empty(), group.as_slice()) {
                (false, _) if rest.is_empty() => {}
                (false, _) => groups.push(rest),
                (true, [_]) => {}
                // The error is in a header, so it does not name a line.
                (true, _) => {
                    let (left, right) = group.split_at(group.len() / 2);
                    groups.extend([left.to_vec(), right.to_vec()]);
                }
            }
        }
        accepted
    }

    /// What is said of one line.
    pub fn said(&self, line: &str) -> String {
        let _turn = self.turn.lock().unwrap();
        self.compiled(&[line.to_owned()], &[0]).err().unwrap_or_default()
    }

    fn compiled(&self, lines: &[String], group: &[usize]) -> Result<(), String> {
        let source: String = std::iter::once(HEAD).chain(group.iter().map(|place| lines[*place].as_str())).collect();
        let request = Request { source: &source, name: "tiles.cu", arch: "sm_90", options: &self.options };
        match self.nvrtc.compile(&request) {
            Ok(_) => Ok(()),
            Err(NvrtcError::Compile { log, .. }) => Err(log),
            Err(other) => panic!("{other}"),
        }
    }
}

/// The lines of the source that have errors.
fn lines_of(log: &str) -> BTreeSet<usize> {
    let number = |line: &str| line.strip_prefix("tiles.cu(")?.split_once("): error")?.0.parse().ok();
    log.lines().filter_map(number).collect()
}

#[test]
fn the_lines_of_errors_are_read() {
    let log =
        "tiles.cu(7): error: no\n  x\ntiles.cu(8): warning: odd\ncuda_tile.h(5): error: no\n1 error in \"tiles.cu\".";
    assert_eq!(lines_of(log), [7].into());
}
