//! Whether the file of a library is whole. The loader maps what the file's headers name and follows the tables in it: the
//! first access beyond the end of a file that was cut off ends the process, and so may a table that was overwritten.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// The most bytes that are read of the headers and of a table: both are small.
const MOST_BYTES: u64 = 64 << 10;
/// The kinds of segments: what is mapped, and the list of the loader's tables.
const LOAD: u32 = 1;
const DYNAMIC: u32 = 2;
/// The tables that no library is without: the texts of names, and the symbols.
const STRINGS: u64 = 5;
const SYMBOLS: u64 = 6;
/// The bytes of the first symbol, which are zeros.
const FIRST_SYMBOL: u64 = 24;

/// What a header says of a part of the file.
#[derive(Clone, Copy)]
struct Segment {
    kind: u32,
    offset: u64,
    address: u64,
    bytes: u64,
}

/// What is wrong with a file, as a clause, if it is a 64-bit ELF file of this machine's byte order that is damaged in a way
/// that the loader would not notice. What it does notice, its own words tell better.
pub(super) fn damage(library: &Path) -> Option<String> {
    let metadata = std::fs::metadata(library).ok()?;
    // Opening anything else might wait for ever.
    if !metadata.is_file() {
        return None;
    }
    let mut file = File::open(library).ok()?;
    let start = read(&mut file, 0, MOST_BYTES)?;
    let segments = segments(&start)?;
    let bytes = metadata.len();
    let needed = segments.iter().map(|segment| segment.offset.saturating_add(segment.bytes)).max()?;
    if bytes < needed {
        return Some(format!("the file has {bytes} bytes of {needed}: it was cut off"));
    }
    let dynamic = segments.iter().find(|segment| segment.kind == DYNAMIC)?;
    let entries = read(&mut file, dynamic.offset, dynamic.bytes.min(MOST_BYTES))?;
    let table = |wanted: u64| {
        let numbers = |entry: &[u8]| Some((wide(entry, 0)?, wide(entry, 8)?));
        entries.chunks(16).map_while(numbers).take_while(|(tag, _)| *tag != 0).find(|(tag, _)| *tag == wanted)
    };
    let place = |wanted| {
        let (_, address) = table(wanted)?;
        let holds = |segment: &&Segment| {
            segment.kind == LOAD && address.checked_sub(segment.address).is_some_and(|within| within < segment.bytes)
        };
        segments.iter().find(holds).map(|segment| segment.offset + (address - segment.address))
    };
    let begins_with_zeros = |at: u64, count: u64, file: &mut File| {
        read(file, at, count).is_some_and(|bytes| bytes.len() as u64 == count && bytes.iter().all(|byte| *byte == 0))
    };
    let (Some(strings), Some(symbols)) = (place(STRINGS), place(SYMBOLS)) else {
        return Some("the file has no table of symbols where its headers say: it is damaged".to_owned());
    };
    // Both tables begin with an entry of zeros, and the names follow.
    let is_whole = begins_with_zeros(strings, 1, &mut file)
        && begins_with_zeros(symbols, FIRST_SYMBOL, &mut file)
        && !begins_with_zeros(strings, 2, &mut file);
    (!is_whole).then(|| "the file's table of symbols was overwritten: it is damaged".to_owned())
}

/// Whether a file is one that the loader of this process would take for a library: of 64 bits. It passes over others.
pub(super) fn is_of_this_width(library: &Path) -> bool {
    let is_file = std::fs::metadata(library).is_ok_and(|metadata| metadata.is_file());
    let start = File::open(library).ok().filter(|_| is_file).and_then(|mut file| read(&mut file, 0, 5));
    // What is no library at all it refuses instead.
    start.is_some_and(|start| !start.starts_with(&[0x7f, b'E', b'L', b'F', 1]))
}

fn read(file: &mut File, offset: u64, most: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(offset)).ok()?;
    file.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// The program headers of a file, which begins so.
fn segments(start: &[u8]) -> Option<Vec<Segment>> {
    let order = if cfg!(target_endian = "little") { 1 } else { 2 };
    if !start.starts_with(&[0x7f, b'E', b'L', b'F', 2, order]) {
        return None;
    }
    let (headers, size, count) = (usize::try_from(wide(start, 32)?).ok()?, narrow(start, 54)?, narrow(start, 56)?);
    let segment = |number: usize| {
        let header = headers.checked_add(usize::from(size).checked_mul(number)?)?;
        let field = |at: usize| wide(start, header.checked_add(at)?);
        let kind = start.get(header..header.checked_add(4)?)?.try_into().ok().map(u32::from_ne_bytes)?;
        Some(Segment { kind, offset: field(8)?, address: field(16)?, bytes: field(32)? })
    };
    Some((0..usize::from(count)).filter_map(segment).collect())
}

fn wide(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

fn narrow(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_ne_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}
