//! Diagnostics: one file for each kind, with its text, its documentation and its fix.
//!
//! A file holds the page of its code and the constructors of its diagnostics. Whoever finds something wrong calls a
//! constructor with the values; how it is worded is decided here and nowhere else.

mod diagnostic;
#[cfg(test)]
mod tests;
mod words;

mod argument_count;
mod assertion_failed;
mod assertion_open;
mod chain_level;
mod contradiction;
mod coordinate_count;
mod cycle;
mod dimension_entry;
mod dimension_out_of_rank;
mod division_by_zero;
mod duplicate_name;
mod empty_side;
mod inexact_division;
mod layout_duplicate;
mod layout_length;
mod layout_not_constant;
mod layout_out_of_range;
mod layout_unknown_entry;
mod map_construction;
mod map_question;
mod negative_offset;
mod no_shape_before_bracket;
mod non_positive_dimension;
mod not_a_fact;
mod not_available_yet;
mod not_callable;
mod not_constant;
mod operand_ranks;
mod operands;
mod overflow;
mod rank_mismatch;
mod reversal_clips;
mod shape_needs_brackets;
mod show;
mod unbounded_map;
mod unknown_argument;
mod unknown_member;
mod unknown_name;
mod unresolved_use;
mod wrong_kind;
mod wrong_type;
mod zero_size;

pub use diagnostic::{Diagnostic, Fix, Page, Place, Severity};

pub(crate) use argument_count::argument_count;
pub(crate) use assertion_failed::{Sides, assertion_failed, assertion_refuted};
pub(crate) use assertion_open::assertion_open;
pub(crate) use chain_level::chain_level;
pub(crate) use contradiction::contradiction;
pub(crate) use coordinate_count::coordinate_count;
pub(crate) use cycle::cycle;
pub(crate) use dimension_entry::dimension_entry;
pub(crate) use dimension_out_of_rank::dimension_out_of_rank;
pub(crate) use division_by_zero::division_by_zero;
pub(crate) use duplicate_name::duplicate_name;
pub(crate) use empty_side::empty_side;
pub(crate) use inexact_division::{inexact_division, unproven_division};
pub(crate) use layout_duplicate::layout_duplicate;
pub(crate) use layout_length::layout_length;
pub(crate) use layout_not_constant::layout_not_constant;
pub(crate) use layout_out_of_range::layout_out_of_range;
pub(crate) use layout_unknown_entry::layout_unknown_entry;
pub(crate) use map_construction::map_construction;
pub(crate) use map_question::map_question;
pub(crate) use negative_offset::negative_offset;
pub(crate) use no_shape_before_bracket::no_shape_before_bracket;
pub(crate) use non_positive_dimension::non_positive_dimension;
pub(crate) use not_a_fact::not_a_fact;
pub(crate) use not_available_yet::not_available_yet;
pub(crate) use not_callable::not_callable;
pub(crate) use not_constant::{not_constant, not_constant_condition};
pub(crate) use operand_ranks::operand_ranks;
pub(crate) use operands::operands;
pub(crate) use overflow::overflow;
pub(crate) use rank_mismatch::rank_mismatch;
pub(crate) use reversal_clips::reversal_clips;
pub(crate) use shape_needs_brackets::shape_needs_brackets;
pub(crate) use show::shown;
pub(crate) use unbounded_map::unbounded_map;
pub(crate) use unknown_argument::unknown_argument;
pub(crate) use unknown_member::unknown_member;
pub(crate) use unknown_name::unknown_name;
pub(crate) use unresolved_use::unresolved_use;
pub(crate) use wrong_kind::wrong_kind;
pub(crate) use wrong_type::wrong_type;
pub(crate) use zero_size::zero_size;

/// Every page, sorted by code.
pub static PAGES: &[&Page] = &[
    &argument_count::PAGE,
    &assertion_failed::PAGE,
    &assertion_open::PAGE,
    &chain_level::PAGE,
    &contradiction::PAGE,
    &coordinate_count::PAGE,
    &cycle::PAGE,
    &dimension_entry::PAGE,
    &dimension_out_of_rank::PAGE,
    &division_by_zero::PAGE,
    &duplicate_name::PAGE,
    &empty_side::PAGE,
    &inexact_division::PAGE,
    &layout_duplicate::PAGE,
    &layout_length::PAGE,
    &layout_not_constant::PAGE,
    &layout_out_of_range::PAGE,
    &layout_unknown_entry::PAGE,
    &map_construction::PAGE,
    &map_question::PAGE,
    &negative_offset::PAGE,
    &no_shape_before_bracket::PAGE,
    &non_positive_dimension::PAGE,
    &not_a_fact::PAGE,
    &not_available_yet::PAGE,
    &not_callable::PAGE,
    &not_constant::PAGE,
    &operand_ranks::PAGE,
    &operands::PAGE,
    &overflow::PAGE,
    &rank_mismatch::PAGE,
    &reversal_clips::PAGE,
    &shape_needs_brackets::PAGE,
    &show::PAGE,
    &unbounded_map::PAGE,
    &unknown_argument::PAGE,
    &unknown_member::PAGE,
    &unknown_name::PAGE,
    &unresolved_use::PAGE,
    &wrong_kind::PAGE,
    &wrong_type::PAGE,
    &zero_size::PAGE,
];

/// The page of a code.
pub fn page(code: &str) -> Option<&'static Page> {
    PAGES.binary_search_by(|page| page.code.cmp(code)).ok().map(|position| PAGES[position])
}
