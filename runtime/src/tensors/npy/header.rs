//! The header of a `.npy` file: a Python dictionary with the keys `descr`, `fortran_order` and `shape`.

use super::super::ElementType;
use super::super::tensor::checked_product;
use super::error::{NpyProblem, descr};
use maps::row_major::strides_of;

/// The longest header that is read, in bytes. Numpy itself refuses more than 10,000 unless told otherwise; a header
/// with three keys and 64 dimensions has less than 2,000.
pub(super) const LONGEST_HEADER: u64 = 64 * 1024;

/// The contents of the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NpyHeader {
    /// The element type as the file writes it, such as `<f4`.
    pub descr: String,
    /// The element type; that of the parameter where the file holds its bits.
    pub element: ElementType,
    /// The dimensions, in elements.
    pub shape: Vec<u64>,
    /// The order of the elements in the file.
    pub order: Order,
    /// The start of the elements, in bytes from the start of the file.
    pub body_offset: u64,
}

/// The dimension that runs fastest in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The last one: C order.
    LastFastest,
    /// The first one: Fortran order.
    FirstFastest,
}

impl NpyHeader {
    /// The size of all elements in bytes; `None` beyond 64 bits.
    pub fn body_bytes(&self) -> Option<u64> {
        checked_product(&self.shape)?.checked_mul(self.element.size_bytes() as u64)
    }

    /// The distance in the file between neighbours along each dimension, in elements.
    pub fn strides(&self) -> Vec<u64> {
        match self.order {
            Order::LastFastest => strides_of(&self.shape),
            Order::FirstFastest => {
                let reversed: Vec<u64> = self.shape.iter().rev().copied().collect();
                strides_of(&reversed).into_iter().rev().collect()
            }
        }
    }
}

/// Parses the dictionary. `expected` is the parameter's element type, for messages.
pub(super) fn parse(text: &[u8], body_offset: u64, expected: ElementType) -> Result<NpyHeader, NpyProblem> {
    let bad = NpyProblem::Header;
    let mut parser = Parser { text, at: 0 };
    let Value::Dictionary(entries) = parser.value(0).map_err(bad)? else {
        return Err(bad("it is not a Python dictionary".to_string()));
    };
    parser.blanks();
    if parser.at < text.len() {
        return Err(bad(format!("something follows the dictionary at byte {}", parser.at)));
    }
    let find = |key: &str| {
        // As in Python, the last of several equal keys counts.
        let entry = entries.iter().rev().find(|(name, _)| name == key);
        entry.map(|(_, value)| value).ok_or_else(|| bad(format!("the key '{key}' is missing")))
    };
    let shape = match find("shape")? {
        Value::Sequence(dimensions) => dimensions
            .iter()
            .map(|dimension| match dimension {
                Value::Integer(Some(size)) => Ok(*size),
                Value::Integer(None) => Err(bad("a dimension is negative or larger than 64 bits".to_string())),
                _ => Err(bad("a dimension is not an integer".to_string())),
            })
            .collect::<Result<Vec<u64>, NpyProblem>>()?,
        _ => return Err(bad("'shape' is not a tuple".to_string())),
    };
    let Value::Boolean(fortran_order) = *find("fortran_order")? else {
        return Err(bad("'fortran_order' is neither True nor False".to_string()));
    };
    let (descr, element) = match find("descr")? {
        Value::Text(descr) => (descr.clone(), element_of(descr, expected)?),
        Value::Sequence(_) => {
            return Err(NpyProblem::UnknownElement { found: "structured (a record of fields)".to_string(), expected });
        }
        _ => return Err(bad("'descr' is not a string".to_string())),
    };
    let order = if fortran_order { Order::FirstFastest } else { Order::LastFastest };
    Ok(NpyHeader { descr, element, shape, order, body_offset })
}

/// The element type of a type string such as `<f4`. One that numpy lacks has several; a file under any of them holds the bits
/// of the expected type.
fn element_of(text: &str, expected: ElementType) -> Result<ElementType, NpyProblem> {
    let unknown = || NpyProblem::UnknownElement { found: format!("`{text}`"), expected };
    let npy = expected.definition().npy;
    let mut names = npy.read.iter().chain([&npy.written]);
    let is_expected = names.any(|name| without_order(name) == without_order(text));
    let element = is_expected.then_some(expected).or_else(|| numbers_of(text)).ok_or_else(unknown)?;
    // Opaque bytes have no byte order of their own: `>V2` is what numpy makes of a byte-swapped bf16, unlikely but certainly
    // not what the parameter wants.
    if text.starts_with('>') && element.size_bytes() > 1 {
        return Err(NpyProblem::BigEndian { found: text.to_string(), fixed: descr(element).to_string() });
    }
    Ok(element)
}

/// The element type that a type string means where nothing else is expected.
pub(super) fn numbers_of(text: &str) -> Option<ElementType> {
    // The integers come before the types that are written as integers.
    ElementType::ALL.into_iter().find(|element| without_order(descr(*element)) == without_order(text))
}

/// A type string without its byte order.
fn without_order(text: &str) -> &str {
    text.strip_prefix(['<', '>', '|', '=']).unwrap_or(text)
}

/// The bytes before the elements, exactly as numpy writes them: version 1 (2 where the header is too long for it), the
/// keys in alphabetical order, room for the first dimension to grow to 21 digits, and the elements aligned to 64 bytes.
pub(super) fn write(element: ElementType, shape: &[u64]) -> Vec<u8> {
    let mut dimensions: Vec<String> = shape.iter().map(u64::to_string).collect();
    if dimensions.len() == 1 {
        dimensions[0].push(',');
    }
    let mut text =
        format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr(element), dimensions.join(", "));
    if let Some(first) = shape.first() {
        text.push_str(&" ".repeat(21usize.saturating_sub(first.to_string().len())));
    }
    let padded = |before: usize| {
        let unpadded = before + text.len() + 1;
        text.len() + 1 + (64 - unpadded % 64)
    };
    let mut bytes = b"\x93NUMPY".to_vec();
    match u16::try_from(padded(10)) {
        Ok(length) => {
            bytes.extend([1, 0]);
            bytes.extend(length.to_le_bytes());
        }
        Err(_) => {
            bytes.extend([2, 0]);
            bytes.extend((padded(12) as u32).to_le_bytes());
        }
    }
    let total = bytes.len() + padded(bytes.len());
    bytes.extend(text.as_bytes());
    bytes.resize(total - 1, b' ');
    bytes.push(b'\n');
    bytes
}

/// The part of Python's literals that a header can have.
enum Value {
    Text(String),
    Boolean(bool),
    /// `None` for one that is negative or does not fit.
    Integer(Option<u64>),
    Sequence(Vec<Value>),
    Dictionary(Vec<(String, Value)>),
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

/// The deepest nesting of structured types that is read; real ones are shallower.
const DEEPEST: usize = 16;

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Skips blanks, and `byte` if it follows.
    fn take(&mut self, byte: u8) -> bool {
        self.blanks();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > DEEPEST {
            return Err(format!("it nests deeper than {DEEPEST} levels"));
        }
        self.blanks();
        match self.peek() {
            Some(quote @ (b'\'' | b'"')) => self.string(quote).map(Value::Text),
            Some(b'(') => self.sequence(b')', depth),
            Some(b'[') => self.sequence(b']', depth),
            Some(b'{') => self.dictionary(depth),
            Some(byte) if byte.is_ascii_digit() || byte == b'-' => Ok(self.integer()),
            Some(_) if self.word("True") => Ok(Value::Boolean(true)),
            Some(_) if self.word("False") => Ok(Value::Boolean(false)),
            Some(_) => Err(format!("byte {} starts no value", self.at)),
            None => Err("it ends in the middle".to_string()),
        }
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self.text[self.at..].starts_with(word.as_bytes());
        if found {
            self.at += word.len();
        }
        found
    }

    fn string(&mut self, quote: u8) -> Result<String, String> {
        let start = self.at + 1;
        let rest = &self.text[start..];
        let length = rest.iter().position(|&byte| byte == quote).ok_or("a string does not end")?;
        self.at = start + length + 1;
        if rest[..length].contains(&b'\\') {
            return Err("a string has an escape sequence".to_string());
        }
        // Versions 1 and 2 are Latin-1, 3 is UTF-8; only field names of structured types, which are refused anyway, can
        // be more than ASCII.
        Ok(String::from_utf8_lossy(&rest[..length]).into_owned())
    }

    fn integer(&mut self) -> Value {
        let negative = self.take(b'-');
        let mut value = Some(0u64);
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            value = value.and_then(|value| value.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
            self.at += 1;
        }
        // Python 2 wrote `3L`.
        self.at += usize::from(self.peek() == Some(b'L'));
        Value::Integer(value.filter(|&value| !negative || value == 0))
    }

    fn sequence(&mut self, end: u8, depth: usize) -> Result<Value, String> {
        self.at += 1;
        let mut values = Vec::new();
        loop {
            if self.take(end) {
                return Ok(Value::Sequence(values));
            }
            values.push(self.value(depth + 1)?);
            if !self.take(b',') && self.peek() != Some(end) {
                return Err(format!("a comma is missing at byte {}", self.at));
            }
        }
    }

    fn dictionary(&mut self, depth: usize) -> Result<Value, String> {
        self.at += 1;
        let mut entries = Vec::new();
        loop {
            if self.take(b'}') {
                return Ok(Value::Dictionary(entries));
            }
            let Value::Text(key) = self.value(depth + 1)? else {
                return Err("a key is not a string".to_string());
            };
            if !self.take(b':') {
                return Err(format!("a colon is missing at byte {}", self.at));
            }
            entries.push((key, self.value(depth + 1)?));
            if !self.take(b',') && self.peek() != Some(b'}') {
                return Err(format!("a comma is missing at byte {}", self.at));
            }
        }
    }
}
