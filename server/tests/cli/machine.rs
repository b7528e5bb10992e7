//! A machine with stand-ins for NVIDIA's libraries, which are found before its own, and a cache of its own.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use testing::gpu;

use super::program::{Answer, Folder};

/// A kernel with a run that passes.
pub const KERNEL: &str = "kernel grow(y: mut f32[8]) { for i in grid(8) { y[i] = y[i] + 1.0; } }
run grow(y: zeros) expect y == 1.0;
";

/// A folder with `a.shape` and the stand-ins.
pub struct Machine {
    /// The folder, in which the program runs.
    pub folder: Folder,
}

impl Machine {
    /// A machine with [`KERNEL`] whose driver and NVRTC have these settings.
    pub fn new(driver: &str, nvrtc: &str) -> Self {
        let folder = Folder::new(&[("a.shape", KERNEL)]);
        gpu::driver(&folder.path("driver/libcuda.so.1"), driver);
        gpu::nvrtc(&folder.path("nvrtc/libnvrtc.so"), nvrtc);
        Self { folder }
    }

    /// The program with these arguments, where the stand-ins have these settings as well.
    pub fn command(&self, arguments: &[&str], settings: &str) -> Command {
        let mut command = self.folder.command(arguments);
        let places =
            [("LD_LIBRARY_PATH", "driver"), ("SHAPEWRIGHT_NVRTC", "nvrtc"), ("SHAPEWRIGHT_CACHE_DIR", "cache")];
        for (name, place) in places {
            command.env(name, self.folder.path(place));
        }
        command.env("SHAPEWRIGHT_STAND_IN", settings).env_remove("CUDA_VISIBLE_DEVICES");
        command
    }

    /// Runs the program.
    pub fn answer(&self, arguments: &[&str], settings: &str) -> Answer {
        let output = self.command(arguments, settings).output().unwrap();
        let answer = Answer {
            status: output.status.code().unwrap_or(-1),
            output: String::from_utf8(output.stdout).unwrap(),
            errors: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!answer.errors.contains("panicked"), "{}", answer.errors);
        assert!(!answer.errors.contains("misuse"), "{}", answer.errors);
        answer
    }

    /// What the program prints; it succeeds.
    pub fn output(&self, arguments: &[&str]) -> String {
        let answer = self.answer(arguments, "");
        assert_eq!(answer.status, 0, "{}{}", answer.output, answer.errors);
        answer.output
    }

    /// The JSON that the program prints; it succeeds.
    pub fn document(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.output(&[arguments, &["--format", "json"]].concat())).unwrap()
    }

    /// A run on the GPU, with these settings.
    pub fn run(&self, settings: &str) -> Answer {
        self.answer(&["run", "a.shape", "--device", "cuda:0"], settings)
    }

    /// Runs on the GPU, which works.
    pub fn works(&self) {
        let answer = self.run("");
        let works =
            answer.status == 0 && answer.output.contains("on cuda:0") && answer.output.contains("expect passed");
        assert!(works, "{}{}", answer.output, answer.errors);
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path(name)
    }
}
