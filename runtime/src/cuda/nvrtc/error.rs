//! Why a compilation failed, in sentences.

use super::super::library::NVRTC_SETTING;
use std::path::PathBuf;
use thiserror::Error;

/// Why a compilation did not happen or did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NvrtcError {
    /// There is no NVRTC on this machine.
    #[error(
        "NVRTC, the CUDA compiler library, was not found: {}{}", install(.package), indented("Searched", .searched)
    )]
    NotFound {
        /// The Python package to install.
        package: &'static str,
        /// The places searched, a line for each kind.
        searched: Vec<String>,
    },
    /// There are libraries, and none of them can be used.
    #[error("no NVRTC that is here can be used ({reason}): {}{}", install(.package), indented("Also tried", .others))]
    Unusable {
        /// The Python package to install.
        package: &'static str,
        /// The first library and why it cannot be used.
        reason: String,
        /// The others.
        others: Vec<String>,
    },
    /// The setting names something that is not NVRTC.
    #[error(
        "{NVRTC_SETTING} names {}, but no usable NVRTC is there: correct or unset it (`pip install {package}` installs one \
         that can be used){}",
        .path.display(), indented("Tried", .tried)
    )]
    Setting {
        /// What the setting names.
        path: PathBuf,
        /// The Python package of one for this machine's driver.
        package: &'static str,
        /// What was tried, and why it could not be used.
        tried: Vec<String>,
    },
    /// This NVRTC does not support the architecture.
    #[error(
        "NVRTC {}.{} ({library}) cannot compile for `{arch}`, expected one of {}; another version of NVRTC may",
        .version.0, .version.1, .supported.join(", ")
    )]
    Architecture {
        /// The requested architecture.
        arch: String,
        /// The library's path.
        library: String,
        /// The library's version, major and minor.
        version: (u32, u32),
        /// The supported architectures.
        supported: Vec<String>,
    },
    /// The source has errors, or an option is not understood.
    #[error("{name} does not compile for {arch} with NVRTC {}.{} ({status}):\n{}", .version.0, .version.1, .log.trim_end())]
    Compile {
        /// The source's name.
        name: String,
        /// The architecture.
        arch: String,
        /// The library's version, major and minor.
        version: (u32, u32),
        /// What NVRTC calls the failure.
        status: String,
        /// The compiler's log: each message with its line of the source.
        log: String,
    },
    /// A text with a zero byte, which cannot be passed to NVRTC.
    #[error("the {what} contains a zero byte at offset {at}, which NVRTC cannot take; remove it")]
    ZeroByte {
        /// Which text.
        what: &'static str,
        /// Where, in bytes.
        at: usize,
    },
    /// Something else inside NVRTC failed.
    #[error("NVRTC {}.{} failed in {function}: {status}; its log: {log:?}", .version.0, .version.1)]
    Call {
        /// The function of NVRTC.
        function: &'static str,
        /// The library's version, major and minor.
        version: (u32, u32),
        /// What NVRTC calls the failure.
        status: String,
        /// The compiler's log, if there is one.
        log: String,
    },
}

/// What to do without a library.
fn install(package: &str) -> String {
    format!(
        "install it with `pip install {package}` in the active Python environment, or set {NVRTC_SETTING} to the library \
         or its folder"
    )
}

/// A list for the end of a message, one line each; nothing for an empty list.
fn indented(title: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    lines.iter().fold(format!("\n{title}:"), |text, line| format!("{text}\n  {line}"))
}
