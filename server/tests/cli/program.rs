//! The program under test, and the folder it runs in.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

/// A folder with files, in which the program runs.
pub struct Folder(tempfile::TempDir);

/// What a process gave.
pub struct Answer {
    /// Its exit status.
    pub status: i32,
    /// Its standard output.
    pub output: String,
    /// Its standard error.
    pub errors: String,
}

impl Folder {
    /// A folder with these files, by name.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text.as_bytes());
        }
        folder
    }

    /// Writes a file.
    pub fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The text of a file.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program with these arguments.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shapewright"));
        command.args(arguments).current_dir(self.0.path()).env_remove("NO_COLOR").env_remove("COLUMNS");
        command
    }

    /// Runs the program.
    pub fn run(&self, arguments: &[&str]) -> Answer {
        self.run_with(arguments, b"")
    }

    /// Runs the program with a text on its standard input.
    pub fn run_with(&self, arguments: &[&str], input: &[u8]) -> Answer {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let input = input.to_vec();
        // A program that does not read its input may have ended before it is written.
        let writer = std::thread::spawn(move || drop(pipe.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        let answer = Answer {
            status: output.status.code().unwrap_or(-1),
            output: String::from_utf8(output.stdout).unwrap(),
            errors: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!answer.errors.contains("panicked"), "{}", answer.errors);
        answer
    }

    /// Runs the program and reads the JSON it prints.
    pub fn json(&self, arguments: &[&str]) -> (i32, Value) {
        let answer = self.run(arguments);
        let document = serde_json::from_str(&answer.output)
            .unwrap_or_else(|error| panic!("{error}: {} {}", answer.output, answer.errors));
        (answer.status, document)
    }
}
