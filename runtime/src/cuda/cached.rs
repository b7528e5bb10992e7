//! Compiling through the cache.

use super::compiled::{Code, Compiled, KernelResources};
use super::nvrtc::{Nvrtc, NvrtcError, Request, all_options};
use crate::cache::{Cache, Key};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A compilation, and whether it was found in the cache.
#[derive(Debug, Clone)]
pub struct FromCache {
    /// The code.
    pub compiled: Compiled,
    /// Whether nothing had to be compiled.
    pub cached: bool,
    /// Why the code is not in the cache now, if it could not be written.
    pub not_kept: Option<String>,
    /// How long it took, if that was before it was asked for.
    pub ahead: Duration,
}

impl FromCache {
    /// The result of a compilation that was just done.
    pub fn compiled(compiled: Compiled) -> Self {
        Self { compiled, cached: false, not_kept: None, ahead: Duration::ZERO }
    }
}

/// Compiles a source, or returns the cached result of the same compiler, source and options.
pub fn compile_cached(nvrtc: &Nvrtc, cache: &Cache, request: &Request<'_>) -> Result<FromCache, NvrtcError> {
    let key = key(&nvrtc.identity(), request);
    if let Some(compiled) = cache.get(&key).and_then(|bytes| decode(&bytes)) {
        return Ok(FromCache { cached: true, ..FromCache::compiled(compiled) });
    }
    let compiled = nvrtc.compile(request)?;
    let not_kept = encode(&compiled).and_then(|bytes| cache.put(&key, &bytes));
    Ok(FromCache { not_kept, ..FromCache::compiled(compiled) })
}

/// The order of options does not matter to NVRTC (none that is used here undoes another), so they are sorted.
fn key(compiler: &str, request: &Request<'_>) -> Key {
    let mut options = all_options(request);
    options.sort();
    // The name of the source is in the log and in line tables, so it counts too.
    let mut parts: Vec<&[u8]> = vec![compiler.as_bytes(), request.arch.as_bytes(), request.name.as_bytes()];
    parts.push(request.source.as_bytes());
    parts.extend(options.iter().map(String::as_bytes));
    Key::new(&parts)
}

/// The metadata before the code in an entry.
#[derive(Serialize, Deserialize)]
struct Description {
    form: Code,
    log: String,
    kernels: Vec<KernelResources>,
}

/// The length of the description, the description as JSON, the code.
fn encode(compiled: &Compiled) -> Option<Vec<u8>> {
    let Compiled { form, code, log, kernels } = compiled;
    let description = Description { form: *form, log: log.clone(), kernels: kernels.clone() };
    let description = serde_json::to_vec(&description).ok()?;
    Some([&(description.len() as u64).to_le_bytes(), &description[..], code].concat())
}

fn decode(bytes: &[u8]) -> Option<Compiled> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let (description, code) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let Description { form, log, kernels } = serde_json::from_slice(description).ok()?;
    Some(Compiled { form, code: code.to_vec(), log, kernels })
}

#[cfg(test)]
mod tests {
    use super::super::nvrtc::nvrtc_required;
    use super::*;
    use std::path::Path;

    #[test]
    fn everything_a_result_depends_on_is_in_its_key() {
        let options = ["-a".to_string(), "-b".to_string()];
        let request = Request { source: "s", name: "n", arch: "sm_90", options: &options };
        let keys = [
            key("nvrtc 12.9", &request),
            key("nvrtc 13.0", &request),
            key("nvrtc 12.9", &Request { source: "t", ..request }),
            key("nvrtc 12.9", &Request { name: "m", ..request }),
            key("nvrtc 12.9", &Request { arch: "sm_80", ..request }),
            key("nvrtc 12.9", &Request { options: &options[..1], ..request }),
        ];
        for (k, key) in keys.iter().enumerate() {
            assert!(!keys[..k].contains(key), "{k}");
        }
        let swapped = ["-b".to_string(), "-a".to_string()];
        assert_eq!(key("nvrtc 12.9", &Request { options: &swapped, ..request }), keys[0]);
    }

    #[test]
    fn entries_read_back() {
        let kernels = vec![KernelResources { name: "k".to_string(), registers: 9, ..KernelResources::default() }];
        let compiled = Compiled { form: Code::Cubin, code: vec![0, 1, 255], log: "a\n\"b\"".to_string(), kernels };
        let bytes = encode(&compiled).unwrap();
        assert_eq!(decode(&bytes), Some(compiled));
        for end in 0..bytes.len() - 3 {
            assert_eq!(decode(&bytes[..end]), None);
        }
        assert_eq!(decode(&[255; 20]), None);
    }

    #[test]
    fn the_second_compilation_is_free() {
        let Some(nvrtc) = nvrtc_required(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()).unwrap() else {
            return;
        };
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path(), 1 << 20);
        let source = "extern \"C\" __global__ void k(int *x) { x[threadIdx.x] = 1; }";
        let request = Request { source, name: "k.cu", arch: "sm_90", options: &[] };
        let first = compile_cached(&nvrtc, &cache, &request).unwrap();
        let second = compile_cached(&nvrtc, &cache, &request).unwrap();
        assert_eq!((first.cached, second.cached), (false, true));
        assert_eq!(first.compiled, second.compiled);
        assert!(!compile_cached(&nvrtc, &Cache::off(), &request).unwrap().cached);
    }
}
