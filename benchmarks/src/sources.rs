//! The measured texts: the same program in three languages, line by line.
//!
//! A program is a head and groups of ten lines: a constant, two shapes, a map from threads to elements, an assertion
//! about it, and a kernel that uses such maps.

/// The templates of a language. `@` is the number of the group, `@value` a small number.
pub struct Language {
    /// The language's identifier in the protocol.
    pub id: &'static str,
    pub extension: &'static str,
    /// The lines that everything else needs.
    head: &'static str,
    group: &'static str,
    /// The import of another file, `@`.
    import: &'static str,
    /// A constant of this file that uses one of another file, `$`.
    link: &'static str,
    /// A word in the head on which every group depends, and its replacement.
    pub root: (&'static str, &'static str),
}

/// The lines of a group.
const GROUP: usize = 10;
/// The groups in each of many files; besides two imports, the rest of its 100 lines are constants that depend on
/// another file.
const GROUPS_OF_A_FILE: usize = 9;
const LINKS_OF_A_FILE: usize = 8;

pub const SHAPEWRIGHT: Language = Language {
    id: "shapewright",
    extension: "shape",
    head: "dim M, N where M % 64 == 0, N <= 65536;\n",
    group: "const c@ = @value;
s@ : [M / 64, c@, 16];
t@ : s@ [(0) * 2, (1) + 1, (2)];
map m@ = reshape_map([4] | [c@, 2] => layout: [t0, i0, t1]);
assert m@.injective;
kernel k@(a: f32, x: f32[N], y: mut f32[N]) {
    view xs = x via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) masked;
    view ys = y via reshape_map([4] | [cdiv(N, 4)] => layout: [i0, t0]) masked;
    for i in 0..4 { ys[i] = a * xs[i] + @.0; }
}
",
    import: "use \"@.shape\";\n",
    link: "const b@ = c$ + 1;\n",
    root: ("65536", "65532"),
};

pub const CPP: Language = Language {
    id: "cpp",
    extension: "hpp",
    head: "constexpr int M = 4096;
template <int... Sizes> struct Shape {
    static constexpr int sizes[] = {Sizes...};
};
struct Map {
    int sizes[3];
    int strides[3];
    constexpr int at(int i, int j, int k) const { return i * strides[0] + j * strides[1] + k * strides[2]; }
    constexpr bool injective() const {
        bool seen[256] = {};
        for (int i = 0; i < sizes[0]; ++i)
            for (int j = 0; j < sizes[1]; ++j)
                for (int k = 0; k < sizes[2]; ++k) {
                    if (seen[at(i, j, k)]) return false;
                    seen[at(i, j, k)] = true;
                }
        return true;
    }
};
constexpr Map reshape_map(int i, int j, int k) { return {{i, j, k}, {j, 1, i * j}}; }
template <typename T> struct View {
    T *data;
    Map map;
    int thread;
    constexpr T &operator[](int i) const { return data[map.at(i, thread, 0)]; }
};
",
    group: "constexpr int c@ = @value;
using s@ = Shape<M / 64, c@, 16>;
using t@ = Shape<s@::sizes[0] * 2, s@::sizes[1] + 1, s@::sizes[2]>;
constexpr Map m@ = reshape_map(4, c@, 2);
static_assert(m@.injective());
inline void k@(float a, const float *x, float *y, int size, int thread) {
    View<const float> xs{x, reshape_map(4, size / 4, 1), thread};
    View<float> ys{y, reshape_map(4, size / 4, 1), thread};
    for (int i = 0; i < 4; ++i) { ys[i] = a * xs[i] + @.0f; }
}
",
    import: "#include \"@.hpp\"\n",
    link: "constexpr int b@ = c$ + 1;\n",
    root: ("4096", "4160"),
};

pub const PYTHON: Language = Language {
    id: "python",
    extension: "py",
    head: "M = 4096
class Shape:
    def __init__(self, *sizes: int) -> None:
        self.sizes = sizes
    def __getitem__(self, dimension: int) -> int:
        return self.sizes[dimension]
class Map:
    def __init__(self, sizes: tuple[int, int, int], strides: tuple[int, int, int]) -> None:
        self.sizes = sizes
        self.strides = strides
    def at(self, i: int, j: int, k: int) -> int:
        return i * self.strides[0] + j * self.strides[1] + k * self.strides[2]
    def injective(self) -> bool:
        (a, b, c) = self.sizes
        return len({self.at(i, j, k) for i in range(a) for j in range(b) for k in range(c)}) == a * b * c
def reshape_map(i: int, j: int, k: int) -> Map:
    return Map((i, j, k), (j, 1, i * j))
class View:
    def __init__(self, data: list[float], map: Map, thread: int) -> None:
        (self.data, self.map, self.thread) = (data, map, thread)
    def __getitem__(self, i: int) -> float:
        return self.data[self.map.at(i, self.thread, 0)]
    def __setitem__(self, i: int, value: float) -> None:
        self.data[self.map.at(i, self.thread, 0)] = value
",
    group: "c@ = @value
s@ = Shape(M // 64, c@, 16)
t@ = Shape(s@[0] * 2, s@[1] + 1, s@[2])
m@ = reshape_map(4, c@, 2)
assert m@.injective()
def k@(a: float, x: list[float], y: list[float], thread: int) -> None:
    xs = View(x, reshape_map(4, len(x) // 4, 1), thread)
    ys = View(y, reshape_map(4, len(y) // 4, 1), thread)
    for i in range(4): ys[i] = a * xs[i] + @.0

",
    import: "from @ import *\n",
    link: "b@ = c$ + 1\n",
    root: ("4096", "4160"),
};

/// The line of a word, and the columns where it begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub start: usize,
    pub end: usize,
}

impl Language {
    fn number(template: &str, number: usize) -> String {
        template.replace("@value", &(number % 7 + 2).to_string()).replace('@', &number.to_string())
    }

    /// A file of about this number of lines.
    pub fn long_file(&self, lines: usize) -> String {
        let groups = (lines - self.head.lines().count()).div_ceil(GROUP);
        let groups = (0..groups).map(|number| Self::number(self.group, number));
        std::iter::once(self.head.to_owned()).chain(groups).collect()
    }

    /// Files of 100 lines, with their names: the head, and `count` files that each import the head and one other file.
    pub fn many_files(&self, count: usize) -> Vec<(String, String)> {
        let head = match self.id {
            "cpp" => format!("#pragma once\n{}", self.head),
            _ => self.head.to_owned(),
        };
        let common = (format!("common.{}", self.extension), head);
        std::iter::once(common).chain((0..count).map(|number| self.file(number))).collect()
    }

    fn file(&self, number: usize) -> (String, String) {
        // Ten files import the same one, so that chains of imports are short.
        let parent = number / 10;
        let other = if number == 0 { "common".to_owned() } else { format!("f{parent}") };
        let mut text = if self.id == "cpp" { "#pragma once\n".to_owned() } else { String::new() };
        text += &self.import.replace('@', "common");
        text += &self.import.replace('@', &other);
        for group in 0..GROUPS_OF_A_FILE {
            text += &Self::number(self.group, number * GROUPS_OF_A_FILE + group);
        }
        for link in 0..LINKS_OF_A_FILE {
            let from = (parent * GROUPS_OF_A_FILE + link).to_string();
            text += &Self::number(self.link, number * LINKS_OF_A_FILE + link).replace('$', &from);
        }
        (format!("f{number}.{}", self.extension), text)
    }
}

/// The first place of a word in a line that contains a text.
pub fn find(text: &str, line_with: &str, word: &str) -> Option<Place> {
    text.lines().enumerate().find_map(|(line, content)| {
        let start = content.contains(line_with).then(|| content.find(word))??;
        Some(Place { line, start, end: start + word.len() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_the_same_length_in_every_language() {
        for language in [SHAPEWRIGHT, CPP, PYTHON] {
            let lines = language.long_file(10_000).lines().count();
            assert!((10_000..10_010).contains(&lines), "{}: {lines}", language.id);
            assert!(language.long_file(100).contains(language.root.0), "{}", language.id);
            for (name, text) in language.many_files(20).iter().skip(1) {
                let lines = text.lines().count();
                assert!((100..=101).contains(&lines), "{name}: {lines}");
                assert!(!text.contains(['@', '$']), "{name}: {text}");
            }
        }
    }

    #[test]
    fn a_word_is_found_in_its_line() {
        let text = "map m4 = a;\nassert m4.injective;\n";
        assert_eq!(find(text, "assert m4.", "m4"), Some(Place { line: 1, start: 7, end: 9 }));
        assert_eq!(find(text, "assert m5.", "m5"), None);
    }
}
