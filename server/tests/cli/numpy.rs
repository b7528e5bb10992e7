//! Exchange with numpy, both ways, for every element type it has.
//!
//! numpy comes from the environment that the test command makes. Without it the test says so and ends, except where
//! `CI` is set: there it fails.

use std::path::PathBuf;
use std::process::Command;

use crate::program::Folder;

/// numpy writes `x_T.npy` with values that the type holds exactly.
const WRITE: &str = "
import numpy as np
for name in 'bool i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8'.split():
    x = np.arange(24).reshape(4, 6)
    x = x % 2 == 0 if name == 'bool' else x.astype('<' + name)
    np.save(f'x_{name}.npy', x)
    np.save(f'f_{name}.npy', np.asfortranarray(x))
";

/// numpy reads `y_OURS.npy`, which must be `x_T.npy` with its rows turned round.
const READ: &str = "
import numpy as np, sys
for pair in sys.argv[1:]:
    name, ours = pair.split('=')
    x, y = np.load(f'x_{name}.npy'), np.load(f'y_{ours}.npy')
    assert x.dtype == y.dtype and np.array_equal(y, x.reshape(-1)[::-1].reshape(4, 6)), (pair, x, y)
    f = np.load(f'f_{name}.npy')
    assert f.flags.f_contiguous and not f.flags.c_contiguous and np.array_equal(f, np.load(f'z_{ours}.npy')), pair
print('equal', len(sys.argv) - 1)
";

const TYPES: &[(&str, &str)] = &[
    ("bool", "bool"),
    ("i1", "i8"),
    ("i2", "i16"),
    ("i4", "i32"),
    ("i8", "i64"),
    ("u1", "u8"),
    ("u2", "u16"),
    ("u4", "u32"),
    ("u8", "u64"),
    ("f2", "f16"),
    ("f4", "f32"),
    ("f8", "f64"),
    // numpy has no such types: what it reads and writes are their bits.
    ("u1", "e4m3"),
    ("u1", "e5m2"),
];

fn python() -> Option<PathBuf> {
    let inside = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let environment = std::env::var_os("VIRTUAL_ENV").map_or_else(|| root.join(".venv"), PathBuf::from);
    let python = environment.join(inside);
    let works = Command::new(&python).args(["-c", "import numpy"]).status().is_ok_and(|status| status.success());
    assert!(works || std::env::var_os("CI").is_none(), "numpy is missing in {}", environment.display());
    works.then_some(python)
}

#[test]
fn numpy_writes_what_we_read_and_reads_what_we_write() {
    let Some(python) = python() else {
        eprintln!("numpy is not installed: run `cargo xtask test`");
        return;
    };
    let folder = Folder::new(&[]);
    let script = |text: &str, words: &[String]| {
        Command::new(&python).args(["-c", text]).args(words).current_dir(folder.path(".")).output().unwrap()
    };
    assert!(script(WRITE, &[]).status.success());
    for (numpy, ours) in TYPES {
        let source = format!(
            "dim M, N;
kernel turn(x: {ours}[M, N], y: mut {ours}[M, N]) {{
    view xs = x via reshape_map([1] | [M * N] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [M * N] => layout: [i0, -t0]);
    ys[0] = xs[0];
}}
kernel same(x: {ours}[M, N], y: mut {ours}[M, N]) {{
    view xs = x via reshape_map([1] | [M * N] => layout: [i0, t0]);
    view ys = y via reshape_map([1] | [M * N] => layout: [i0, t0]);
    ys[0] = xs[0];
}}
run turn(x: npy(\"x_{numpy}.npy\"), y: zeros) save y: \"y_{ours}.npy\";
run same(x: npy(\"f_{numpy}.npy\"), y: zeros) save y: \"z_{ours}.npy\";
"
        );
        folder.write("turn.shape", source.as_bytes());
        let answer = folder.run(&["run", "turn.shape"]);
        assert_eq!(answer.status, 0, "{ours}: {}{}", answer.output, answer.errors);
    }
    let pairs: Vec<String> = TYPES.iter().map(|(numpy, ours)| format!("{numpy}={ours}")).collect();
    let read = script(READ, &pairs);
    assert_eq!(
        String::from_utf8_lossy(&read.stdout).trim(),
        format!("equal {}", TYPES.len()),
        "{}",
        String::from_utf8_lossy(&read.stderr)
    );
}
