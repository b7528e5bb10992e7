//! Where the loader finds a library by its bare name, in its own order: the folders of `LD_LIBRARY_PATH`, its cache, and
//! the system's folders.

use std::path::{Path, PathBuf};

use super::elf;

/// The loader's cache of the libraries in the folders that the system's administrator chose.
const CACHE: &str = "/etc/ld.so.cache";
/// The first bytes of the cache, which older systems put behind one in an older form.
const MAGIC: &[u8] = b"glibc-ld.so.cache1.1";
/// The bytes of the cache's header and of an entry.
const HEADER_BYTES: usize = 48;
const ENTRY_BYTES: usize = 24;

/// The file that the loader takes for a bare name; `None` if there is none, or on a system whose loader works otherwise.
pub(super) fn file_of(name: &Path) -> Option<PathBuf> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let chosen = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let chosen: Vec<PathBuf> = std::env::split_paths(&chosen).collect();
    let cache = std::fs::read(CACHE).unwrap_or_default();
    found(name, &chosen, &cache)
}

fn found(name: &Path, chosen: &[PathBuf], cache: &[u8]) -> Option<PathBuf> {
    let architecture = format!("{}-linux-gnu", std::env::consts::ARCH);
    let system = ["/lib", "/usr/lib"].map(|folder| Path::new(folder).join(&architecture));
    let system = system.into_iter().chain(["/lib64", "/usr/lib64", "/lib", "/usr/lib"].map(PathBuf::from));
    let chosen = chosen.iter().map(|folder| folder.join(name));
    let files = chosen.chain(cached(name, cache)).chain(system.map(|folder| folder.join(name)));
    let mut files = files.filter(|file| elf::is_of_this_width(file));
    files.next()
}

/// The files of a name in the loader's cache.
fn cached(name: &Path, cache: &[u8]) -> Vec<PathBuf> {
    let Some(start) = cache.windows(MAGIC.len()).position(|bytes| bytes == MAGIC) else { return Vec::new() };
    let cache = &cache[start..];
    let number = |at: usize| {
        let bytes = cache.get(at..at.checked_add(4)?)?.try_into().ok()?;
        usize::try_from(u32::from_ne_bytes(bytes)).ok()
    };
    let text = |at: usize| {
        let rest = cache.get(at..)?;
        std::str::from_utf8(&rest[..rest.iter().position(|byte| *byte == 0)?]).ok()
    };
    let entry = |index: usize| {
        let entry = HEADER_BYTES.checked_add(index.checked_mul(ENTRY_BYTES)?)?;
        Some((text(number(entry + 4)?)?, text(number(entry + 8)?)?))
    };
    let entries = (0..number(MAGIC.len()).unwrap_or_default()).map_while(entry);
    entries.filter(|(key, _)| Path::new(key) == name).map(|(_, file)| PathBuf::from(file)).collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// A cache with these entries, behind `before`.
    fn cache(before: &[u8], entries: &[(&str, &str)]) -> Vec<u8> {
        let mut texts = Vec::new();
        let mut numbers = Vec::new();
        let count = u32::try_from(entries.len()).unwrap();
        let first = HEADER_BYTES + entries.len() * ENTRY_BYTES;
        for (key, file) in entries {
            numbers.extend(3u32.to_ne_bytes());
            for text in [key, file] {
                numbers.extend(u32::try_from(first + texts.len()).unwrap().to_ne_bytes());
                texts.extend(text.bytes().chain([0]));
            }
            numbers.extend([0; 12]);
        }
        let header = [MAGIC, &count.to_ne_bytes(), &[0; 24]].concat();
        [before, &header, &numbers, &texts].concat()
    }

    #[test]
    fn chosen_folders_come_before_the_cache_and_narrow_files_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let file = folder.path().join(name).join("libx.so.1");
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, bytes).unwrap();
            file
        };
        let narrow = write("narrow", b"\x7fELF\x01");
        let chosen = write("chosen", b"\x7fELF\x02");
        let installed = write("installed", b"\x7fELF\x02");
        let names = [narrow.to_str().unwrap(), installed.to_str().unwrap()];
        let entries = [("libw.so", "/w"), ("libx.so.1", names[0]), ("libx.so.1", names[1])];
        let name = Path::new("libx.so.1");
        let folders = ["none", "narrow", "chosen"].map(|name| folder.path().join(name));
        for before in [&b""[..], b"ld.so-1.7.0 and what it holds"] {
            let cache = cache(before, &entries);
            assert_eq!(found(name, &folders, &cache), Some(chosen.clone()));
            assert_eq!(found(name, &folders[..2], &cache), Some(installed.clone()));
            for end in 0..cache.len() {
                cached(name, &cache[..end]);
            }
        }
        assert_eq!(found(name, &[], b""), None);
    }

    #[test]
    fn the_c_library_is_found_where_the_loader_has_it() {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let loaded =
            maps.lines().filter_map(|line| line.split_whitespace().nth(5)).find(|file| file.ends_with("/libc.so.6"));
        let Some(loaded) = loaded else { return };
        let found = file_of(Path::new("libc.so.6")).unwrap();
        assert_eq!(found.canonicalize().unwrap(), Path::new(loaded).canonicalize().unwrap());
        assert_eq!(elf::damage(&found), None);
    }
}
