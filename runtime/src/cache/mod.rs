//! The compile cache, shared between processes.
//!
//! An entry is one file named by the hash of everything the result depends on. It is written under a temporary name
//! and renamed, and has a checksum that is verified when it is read, so that several processes can share a cache and
//! a damaged entry is recompiled. Every error of the cache is a miss; whoever
//! stores is told why something could not be.

use blake3::Hasher;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The setting that turns the cache off with the value `off`.
pub const CACHE_SETTING: &str = "SHAPEWRIGHT_CACHE";
/// The setting that names the cache's folder.
pub const CACHE_FOLDER_SETTING: &str = "SHAPEWRIGHT_CACHE_DIR";

/// The size, in bytes, above which the entries that were used longest ago are removed.
pub const DEFAULT_CAPACITY: u64 = 256 << 20;

/// The version of the entries' format and of the keys' meaning; entries of other versions are never found.
const FORMAT: u32 = 1;
/// The first bytes of an entry.
const MAGIC: &[u8; 8] = b"SWCACHE1";
/// The bytes before the payload: the magic, the payload's hash, its length.
const HEADER_BYTES: usize = 8 + 32 + 8;
const ENTRY_SUFFIX: &str = ".entry";
const TEMPORARY_SUFFIX: &str = ".tmp";
/// An older temporary file was left by a process that died.
const ABANDONED: Duration = Duration::from_secs(3600);

/// What a result depends on, hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key(blake3::Hash);

impl Key {
    /// The key of a list of parts. Each part is hashed with its length, so that different lists never hash the same
    /// bytes.
    pub fn new(parts: &[&[u8]]) -> Key {
        let mut hasher = Hasher::new();
        hasher.update(&FORMAT.to_le_bytes());
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Key(hasher.finalize())
    }

    fn file_name(&self) -> String {
        format!("{}{ENTRY_SUFFIX}", self.0.to_hex())
    }
}

/// A folder of entries; `None` if the cache is off.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: Option<PathBuf>,
    capacity: u64,
}

impl Cache {
    /// The cache that the environment sets: off with `SHAPEWRIGHT_CACHE=off`, the folder `SHAPEWRIGHT_CACHE_DIR`, or
    /// the platform's folder for caches. Nothing is created before the first entry.
    pub fn from_environment() -> Cache {
        let off = std::env::var(CACHE_SETTING)
            .is_ok_and(|value| ["off", "0", "false", "no"].iter().any(|word| value.eq_ignore_ascii_case(word)));
        if off {
            return Cache::off();
        }
        let chosen = std::env::var_os(CACHE_FOLDER_SETTING).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = chosen.or_else(|| {
            directories::ProjectDirs::from("", "", "shapewright").map(|folders| folders.cache_dir().join("compiled"))
        });
        Cache { folder, capacity: DEFAULT_CAPACITY }
    }

    /// A cache in this folder, of this many bytes.
    pub fn at(folder: impl Into<PathBuf>, capacity: u64) -> Cache {
        Cache { folder: Some(folder.into()), capacity }
    }

    /// A disabled cache.
    pub fn off() -> Cache {
        Cache { folder: None, capacity: 0 }
    }

    /// The folder of the entries; `None` if the cache is off.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The payload stored under a key. An entry that is damaged is removed.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let path = self.folder.as_ref()?.join(key.file_name());
        // Opening a pipe would wait for somebody who writes to it.
        if !fs::metadata(&path).ok()?.is_file() {
            return None;
        }
        let mut file = File::open(&path).ok()?;
        // A file larger than the whole cache is not an entry, and is not read into memory.
        let limit = self.capacity.saturating_add(HEADER_BYTES as u64);
        let mut bytes = Vec::new();
        if file.metadata().ok()?.len() <= limit {
            (&mut file).take(limit).read_to_end(&mut bytes).ok()?;
        }
        match payload(&bytes) {
            Some(payload) => {
                // Marks the entry as used, for eviction of the least recently used. If this fails, it is only evicted
                // sooner.
                let _ = File::options().write(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
                Some(payload.to_vec())
            }
            None => {
                let _ = fs::remove_file(&path);
                None
            }
        }
    }

    /// Stores a payload under a key, and evicts the least recently used entries beyond the capacity. A payload larger
    /// than the whole cache is not stored. Returns why it could not be written, as a clause with what to do.
    pub fn put(&self, key: &Key, payload: &[u8]) -> Option<String> {
        let folder = self.folder.as_ref()?;
        if (payload.len() + HEADER_BYTES) as u64 > self.capacity {
            return None;
        }
        if let Err(error) = write_entry(folder, key, payload) {
            return Some(format!(
                "{}: {error}; make room there or make it writable, or choose another folder with {CACHE_FOLDER_SETTING}",
                folder.display()
            ));
        }
        self.sweep(folder);
        None
    }

    fn sweep(&self, folder: &Path) {
        let Ok(entries) = fs::read_dir(folder) else {
            return;
        };
        let now = SystemTime::now();
        let mut found: Vec<(SystemTime, PathBuf, u64)> = Vec::new();
        for entry in entries.flatten() {
            let (path, Ok(metadata)) = (entry.path(), entry.metadata()) else {
                continue;
            };
            let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            let name = entry.file_name();
            let name = name.to_string_lossy();
            // Only files of the cache are ever removed.
            if name.ends_with(ENTRY_SUFFIX) {
                found.push((used, path, metadata.len()));
            } else if name.ends_with(TEMPORARY_SUFFIX) && now.duration_since(used).is_ok_and(|age| age > ABANDONED) {
                let _ = fs::remove_file(path);
            }
        }
        let mut total = found.iter().fold(0u64, |total, (_, _, size)| total.saturating_add(*size));
        found.sort();
        for (_, path, size) in found {
            if total <= self.capacity {
                return;
            }
            if fs::remove_file(path).is_ok() {
                total -= size;
            }
        }
    }
}

/// The payload of an entry, if the entry is whole.
fn payload(entry: &[u8]) -> Option<&[u8]> {
    let rest = entry.strip_prefix(MAGIC)?;
    let (hash, rest) = rest.split_first_chunk::<32>()?;
    let (length, payload) = rest.split_first_chunk::<8>()?;
    let whole = u64::from_le_bytes(*length) == payload.len() as u64 && blake3::hash(payload).as_bytes() == hash;
    whole.then_some(payload)
}

fn write_entry(folder: &Path, key: &Key, payload: &[u8]) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    // Dropping the temporary file on an error removes it.
    let mut file = tempfile::Builder::new().prefix(".new-").suffix(TEMPORARY_SUFFIX).tempfile_in(folder)?;
    file.write_all(MAGIC)?;
    file.write_all(blake3::hash(payload).as_bytes())?;
    file.write_all(&(payload.len() as u64).to_le_bytes())?;
    file.write_all(payload)?;
    file.persist(folder.join(key.file_name())).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn key(name: &str) -> Key {
        Key::new(&[name.as_bytes()])
    }

    #[test]
    fn what_is_put_is_got() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("made/on/demand"), 1 << 20);
        assert_eq!(cache.get(&key("a")), None);
        cache.put(&key("a"), b"code");
        cache.put(&key("empty"), b"");
        assert_eq!(cache.get(&key("a")).as_deref(), Some(&b"code"[..]));
        assert_eq!(cache.get(&key("empty")).as_deref(), Some(&b""[..]));
        assert_eq!(cache.get(&key("b")), None);
        cache.put(&key("a"), b"other");
        assert_eq!(cache.get(&key("a")).as_deref(), Some(&b"other"[..]));
        assert_eq!(names(cache.folder().unwrap()).len(), 2);
    }

    /// Names the folder that a child of the next test writes to.
    #[cfg(unix)]
    const FULL: &str = "SHAPEWRIGHT_TEST_FULL_FOLDER";

    /// Does nothing unless it is told where to write.
    #[cfg(unix)]
    #[test]
    fn the_child_writes_to_a_full_disk() {
        let Some(folder) = std::env::var_os(FULL) else { return };
        let cache = Cache::at(folder, 1 << 20);
        cache.put(&key("b"), &[7; 4096]);
        assert_eq!(cache.get(&key("b")), None);
        assert_eq!(cache.get(&key("a")).as_deref(), Some(&b"code"[..]));
    }

    /// Files may not grow in the child, which fails as a full disk does: after some bytes were written.
    #[cfg(unix)]
    #[test]
    fn on_a_full_disk_nothing_is_kept_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        Cache::at(folder.path(), 1 << 20).put(&key("a"), b"code");
        let before = names(folder.path());
        let child = std::process::Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" the_child_writes_to_a_full_disk --nocapture"])
            .arg(std::env::current_exe().unwrap())
            .env(FULL, folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stdout);
        assert!(
            child.status.success() && said.contains("1 passed"),
            "{said}{}",
            String::from_utf8_lossy(&child.stderr)
        );
        assert_eq!(names(folder.path()), before);
    }

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(Key::new(&[b"ab", b"c"]), Key::new(&[b"a", b"bc"]));
        assert_ne!(Key::new(&[b"a"]), Key::new(&[b"a", b""]));
    }

    #[test]
    fn damage_is_a_miss_and_is_cleared_away() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path(), 1 << 20);
        let path = folder.path().join(key("a").file_name());
        cache.put(&key("a"), b"the code of a kernel");
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&path, &damaged).unwrap();
            assert_eq!(cache.get(&key("a")), None, "bit of byte {at} flipped");
            assert!(!path.exists());
            fs::write(&path, &whole[..at]).unwrap();
            assert_eq!(cache.get(&key("a")), None, "cut at {at}");
        }
        fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
        assert_eq!(cache.get(&key("a")), None);
        fs::write(&path, &whole).unwrap();
        assert!(cache.get(&key("a")).is_some());
        // A folder where the file should be: neither read nor replaced nor a panic.
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert_eq!(cache.get(&key("a")), None);
        cache.put(&key("a"), b"x");
        assert_eq!(cache.get(&key("a")), None);
    }

    #[test]
    fn what_was_used_longest_ago_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let size = 1000 + HEADER_BYTES as u64;
        let cache = Cache::at(folder.path(), 3 * size);
        let age = |name: &str, seconds| {
            let file = File::options().write(true).open(folder.path().join(key(name).file_name())).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
        };
        for (name, seconds) in [("a", 30), ("b", 20), ("c", 10)] {
            cache.put(&key(name), &[7; 1000]);
            age(name, seconds);
        }
        fs::write(folder.path().join("notes.txt"), [0; 4000]).unwrap();
        fs::write(folder.path().join(".new-young.tmp"), "").unwrap();
        fs::write(folder.path().join(".new-old.tmp"), "").unwrap();
        let old = File::options().write(true).open(folder.path().join(".new-old.tmp")).unwrap();
        old.set_modified(SystemTime::now() - 2 * ABANDONED).unwrap();
        assert!(cache.get(&key("a")).is_some(), "using it makes it young");
        cache.put(&key("d"), &[7; 1000]);
        let there: Vec<bool> = ["a", "b", "c", "d"].iter().map(|name| cache.get(&key(name)).is_some()).collect();
        assert_eq!(there, [true, false, true, true]);
        let kept = names(folder.path());
        assert!(kept.contains(&"notes.txt".to_string()) && kept.contains(&".new-young.tmp".to_string()));
        assert!(!kept.contains(&".new-old.tmp".to_string()));
        cache.put(&key("huge"), &[0; 10_000]);
        assert_eq!(names(folder.path()), kept);
    }

    #[test]
    fn places_that_cannot_be_used_are_misses() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert_eq!(Cache::off().put(&key("a"), b"code"), None);
        for cache in [Cache::at(&file, 1 << 20), Cache::at(file.join("below"), 1 << 20)] {
            let told = cache.put(&key("a"), b"code").unwrap();
            assert!(
                told.starts_with(&file.display().to_string()) && told.ends_with("with SHAPEWRIGHT_CACHE_DIR"),
                "{told}"
            );
            assert_eq!(cache.get(&key("a")), None);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_place_of_an_entry_is_replaced_and_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path(), 1 << 20);
        let pipe = folder.path().join(key("a").file_name());
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(cache.get(&key("a")), None);
        assert_eq!(cache.put(&key("a"), b"code"), None);
        assert_eq!(cache.get(&key("a")).as_deref(), Some(&b"code"[..]));
    }

    #[test]
    fn several_threads_share_a_cache() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path(), 20_000);
        std::thread::scope(|scope| {
            for thread in 0..4u8 {
                let cache = &cache;
                scope.spawn(move || {
                    for round in 0..50u8 {
                        let name = format!("{}", round % 10);
                        cache.put(&key(&name), &[round % 10; 3000]);
                        let got = cache.get(&key(&name));
                        assert!(got.is_none_or(|bytes| bytes == [round % 10; 3000]), "thread {thread}");
                    }
                });
            }
        });
    }
}
