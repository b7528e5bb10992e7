//! The floats of 8 bits through the command: files of their bits, values of the command line, and what is printed.

use serde_json::json;

use crate::program::Folder;

const SOURCE: &str = "dim N;
kernel quantise(x: f32[N], s: e4m3, y: mut e4m3[N], z: mut e5m2[N]) {
    for i in grid(N) {
        y[i] = e4m3(x[i] * f32(s));
        z[i] = if x[i] > 1e6 { inf } else { e5m2(x[i]) };
    }
}
kernel back(y: e4m3[N], z: mut f32[N]) { for i in grid(N) { z[i] = f32(y[i]); } }
kernel bits(y: u8[N], z: mut u8[N]) { for i in grid(N) { z[i] = y[i]; } }
";

#[test]
fn their_bits_go_to_files_and_come_from_files_with_notes() {
    let run = "run quantise(x: [0.0, 1.0, 460.0, -1e9, nan, 1e7, 0.001], s: 1.0, y: zeros, z: zeros)
        expect y == [0.0, 1.0, 448.0, -448.0, nan, 448.0, 0.001953125] && z == [0, 1, 448, -57344, nan, inf, 0.0009765625]
        within 0.0 save y: \"y.npy\", z: \"z.npy\";\n";
    let folder = Folder::new(&[("a.shape", &format!("{SOURCE}{run}"))]);
    for device in ["cpu", "interp"] {
        let written = folder.run(&["run", "a.shape", "quantise", "--device", device]);
        assert_eq!(written.status, 0, "{}{}", written.output, written.errors);
        assert!(written.output.contains("y e4m3[7] = [0, 1, 448, -448, NaN, 448, 0.001953125]"), "{}", written.output);
        for note in ["y.npy holds the bits of e4m3 as u8 (`|u1`)", "x.view(ml_dtypes.float8_e5m2) are the numbers"] {
            assert!(written.output.contains(note), "{}", written.output);
        }
        let sample = |kernel: &str, file: &str| {
            let input = format!("y={file}");
            let words = ["run", "a.shape", kernel, "--in", &input, "--in", "z=zeros", "--device", device];
            let (status, document) = folder.json(&[&words[..], &["--format", "json"]].concat());
            assert_eq!(status, 0, "{document}");
            (document["runs"][0]["outputs"]["z"]["sample"].clone(), document["runs"][0]["notes"].to_string())
        };
        let (numbers, notes) = sample("back", "y.npy");
        assert_eq!(numbers, json!([0.0, 1.0, 448.0, -448.0, "NaN", 448.0, 0.001953125]));
        assert!(notes.contains("y.npy holds u8 (`|u1`); its bits are taken as e4m3 for the parameter `y`"), "{notes}");
        let (codes, notes) = sample("bits", "z.npy");
        assert_eq!(codes, json!([0x00, 0x3c, 0x5f, 0xfb, 0x7f, 0x7c, 0x14]));
        assert!(!notes.contains("bits are taken"), "{notes}");
    }
}

#[test]
fn a_value_that_they_do_not_hold_is_refused() {
    let folder = Folder::new(&[("a.shape", SOURCE)]);
    for (value, words) in [
        ("inf", "inf does not fit e4m3, which holds -448 to 448 without infinities"),
        ("465", "465 does not fit e4m3"),
        ("1e9", "1000000000.0 does not fit e4m3"),
    ] {
        let given = format!("s={value}");
        let words_of = ["run", "a.shape", "quantise", "--in", "x=ones", "--in", &given, "-D", "N=3", "--device", "cpu"];
        let answer = folder.run(&words_of);
        assert_eq!(answer.status, 2, "{}{}", answer.output, answer.errors);
        assert!(answer.errors.contains(words), "{}", answer.errors);
    }
}
