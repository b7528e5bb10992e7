//! A member that a value does not have.

use super::diagnostic::{Diagnostic, Page, Severity};
use super::words;
use crate::spelling;
use crate::values::Kind;
use syntax::span::Span;

/// The documentation of `unknown-member`.
pub static PAGE: Page = Page {
    code: "unknown-member",
    severity: Severity::Error,
    title: "a value has no such member",
    explanation: "After the dot stands a question to the value: `s.rank`, `m.owners`, `m.injective`. A value of this kind has none of this
name; the message lists those it has.",
    wrong: "s : [64, 32];
const r = s.rnak;
",
    right: "s : [64, 32];
const r = s.rank;
",
};

/// A value of this `kind` has the `members`, each with a line of documentation, and not `name`.
pub(crate) fn unknown_member(span: Span, name: &str, kind: Kind, members: &[&str]) -> Diagnostic {
    let diagnostic = PAGE.at(span, format!("{kind} has no `.{name}`")).label("no such member");
    let diagnostic = match members {
        [] => diagnostic.help(format!("nothing can be asked of {kind}")),
        known => diagnostic.help(format!("{kind} has {}", words::list(known))),
    };
    words::suggest(diagnostic, span, spelling::nearest(name, members.iter().copied()))
}

/// An index map has no `name`.
pub(crate) fn unknown_map_member(span: Span, name: &str, members: &[&str]) -> Diagnostic {
    match of_another_tool(name) {
        Some(help) => PAGE.at(span, format!("an index map has no `.{name}`")).label("no such member").help(help),
        None => unknown_member(span, name, Kind::Map, members),
    }
}

/// The counterpart of a member in CuTe, numpy or mathematics.
fn of_another_tool(name: &str) -> Option<&'static str> {
    Some(match name {
        "bijective" | "is_bijective" => "`m.injective && m.covers` says that every slot is reached exactly once",
        "surjective" | "is_surjective" | "onto" => "`m.covers` says that every slot is reached",
        "shape" | "extents" => "`m.upper_shape` has the extents of its coordinates, `m.lower_shape` those of the slots",
        "rank" => "`rank(m.upper_shape)` is the number of its coordinates",
        "size" => "`size(m.upper_shape)` is the number of its points",
        "cosize" => "`size(m.lower_shape)` is the number of its slots",
        "stride" | "strides" => {
            "`show m` prints its formula; a hover shows the strides from the fastest to the slowest"
        }
        "contiguous" | "is_contiguous" | "coalesced" | "is_coalesced" => {
            "`m.vector_width(f32)` is how many neighbours one access takes, `m.sectors(f32)` how many sectors a warp touches"
        }
        "conflict_free" | "conflicts" | "banks" => "`m.bank_conflicts(f32) == 1` says that no two lanes want one bank",
        "compose" | "composition" | "compose_with" => "`m |> g` is `m` asked at what `g` gives",
        "transpose" | "T" | "mT" => "`m.permute(1, 0)` exchanges its coordinates",
        "reshape" | "view" => {
            "`unmerge` makes several dimensions of one, and `merge` one of several: `m |> { (0, 1): merge }`"
        }
        "flatten" | "ravel" | "coalesce" => "`m |> merge` numbers the points of a map through",
        "right_inverse" | "left_inverse" | "invert" => "`m.inverse` is the map back",
        "crd2idx" | "offset" => "`m(u, …)` is where a coordinate leads",
        "idx2crd" | "coordinate" => "`m.upper(slot)` is the coordinate that leads to a slot",
        "is_injective" | "unique" => "`m.injective` says that no two coordinates reach one slot",
        _ => return None,
    })
}

/// A number or a tensor of a kernel, called `name`, is followed by a member, or by brackets that it does not take.
pub(crate) fn member_in_kernel(span: Span, name: &str, member: Option<&str>, is_number: bool) -> Diagnostic {
    let message = match (member, is_number) {
        (Some(member), true) => format!("`{name}` is one number, which has no `.{member}`"),
        (Some(member), false) => format!("`{name}` is a tensor, which has no `.{member}` in a kernel"),
        (None, true) => format!("`{name}` is one number, of which nothing can be asked"),
        (None, false) => format!("`{name}` is a tensor, of which a kernel uses elements"),
    };
    let help = match is_number {
        true => {
            "what is computed of a number is a function of it, `max(v, 0.0)`; tiles have members, such as `t.sum(0)`"
        }
        false if matches!(member, Some("shape" | "size" | "len" | "length" | "numel" | "ndim" | "dim")) => {
            "a size has a name: declare it with `dim N;`, and write `x: f32[N]`"
        }
        false if matches!(member, Some("T" | "mT" | "transpose" | "permute" | "swapaxes")) => {
            "exchange the indices, `x[j, i]`; a tile has its dimensions exchanged by `t.permute(1, 0)`"
        }
        false => {
            "an element is `x[i]`; for what is computed of many, divide it into tiles, `view px = partition(x, [64]);`, and load one, \
             `px.load(i).sum(0)`"
        }
    };
    PAGE.at(span, message).label("no such member").help(help)
}
