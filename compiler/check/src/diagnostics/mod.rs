//! Diagnostics: one file for each kind, with its text, its documentation and its fix.
//!
//! A file holds the page of its code and the constructors of its diagnostics. A check that finds an error calls a
//! constructor with the values; only the constructor words the message.

mod diagnostic;
mod foreign_functions;
mod foreign_members;
mod foreign_names;
mod remedy;
#[cfg(test)]
mod tests;
mod words;

mod ambiguous_dimension;
mod argument_count;
mod argument_twice;
mod assertion_failed;
mod assertion_open;
mod bank_conflict;
mod bit_cast;
mod bounded_loop;
mod bounds_open;
mod chain_level;
mod checks_cut_short;
mod contradiction;
mod coordinate_count;
mod cycle;
mod dimension_entry;
mod dimension_out_of_rank;
mod division_by_zero;
mod division_comment;
mod duplicate_iterator;
mod duplicate_name;
mod duplicate_parameter;
mod empty_range;
mod empty_side;
mod evidence;
mod expect_shape;
mod function_argument;
mod function_body;
mod generic_value;
mod grid_inside;
mod group_dimension;
mod group_order;
mod immutable;
mod index_count;
mod inexact_division;
mod integer_too_large;
mod launch_clause;
mod launch_limit;
mod layout_duplicate;
mod layout_length;
mod layout_not_constant;
mod layout_out_of_range;
mod layout_unknown_entry;
mod loop_exit;
mod loop_step;
mod lost_remainder;
mod map_construction;
mod map_question;
mod negative_offset;
mod nesting_too_deep;
mod no_inverse;
mod no_iterations;
mod no_shape_before_bracket;
mod no_such_iteration;
mod no_such_unit;
mod non_positive_dimension;
mod not_a_fact;
mod not_a_tensor;
mod not_a_view;
mod not_available_yet;
mod not_callable;
mod not_constant;
mod not_enough_threads;
mod not_fully_written;
mod open_block;
mod operand_ranks;
mod operands;
mod out_of_bounds;
mod overflow;
mod overlapping_strides;
mod padding_counts;
mod permutation;
mod pipe_operand;
mod quantity;
mod race;
mod race_open;
mod race_read;
mod rank_mismatch;
mod read_only;
mod reversal_clips;
mod run_argument;
mod run_missing_argument;
mod run_unbound_symbol;
mod run_violates_fact;
mod save_target;
mod shape_needs_brackets;
mod shared_place;
mod shared_race;
mod shared_size_open;
mod shared_too_large;
mod show;
mod stage_length;
mod stage_length_open;
mod stage_outside;
mod stage_rank;
mod surplus_threads;
mod syntax_error;
mod thread_array;
mod threads_apart;
mod tile_hint;
mod tile_padding;
mod tile_place;
mod tile_ranks;
mod tile_shape;
mod tile_too_large;
mod tiling_step;
mod too_many_barriers;
mod too_many_elements;
mod transform_alone;
mod transform_argument;
mod type_mismatch;
mod unbounded_map;
mod unchecked_candidates;
mod uncoalesced;
mod unit_dimensions;
mod unit_does_not_fit;
mod unit_scale;
mod unit_size;
mod unknown_argument;
mod unknown_element_type;
mod unknown_function;
mod unknown_kernel;
mod unknown_local;
mod unknown_member;
mod unknown_name;
mod unreached_barrier;
mod unresolved_use;
mod unsuitable_barrier;
mod unterminated_comment;
mod view_needs_via;
mod with_domain;
mod wrong_async;
mod wrong_atomic;
mod wrong_collective;
mod wrong_exchange;
mod wrong_kind;
mod wrong_type;
mod zero_size;

pub use diagnostic::{Diagnostic, Fix, Page, Place, Severity};
pub use not_available_yet::PAGE as NOT_AVAILABLE_YET;
pub use remedy::Remedy;

pub(crate) use checks_cut_short::PAGE as CHECKS_CUT_SHORT;
pub(crate) use contradiction::PAGE as CONTRADICTION;
pub(crate) use diagnostic::Diagnostics;
pub(crate) use tile_place::PAGE as TILE_PLACE;

pub(crate) use ambiguous_dimension::ambiguous_dimension;
pub(crate) use argument_count::{Called, argument_count, fixed_argument_count, threads_without_unit};
pub(crate) use argument_twice::argument_twice;
pub(crate) use assertion_failed::{Sides, assertion_failed, assertion_refuted};
pub(crate) use assertion_open::assertion_open;
pub(crate) use bank_conflict::{SharedConflict, bank_conflict, bank_conflict_of_access, with_conflict};
pub(crate) use bit_cast::{bit_cast, bit_cast_order, bit_cast_without_type};
pub(crate) use bounded_loop::{bounded_loop, called_range, changed_range, unbounded_while};
pub(crate) use bounds_open::out_of_bounds_open;
pub(crate) use chain_level::chain_level;
pub(crate) use checks_cut_short::{CutShort, checks_cut_short};
pub(crate) use contradiction::contradiction;
pub(crate) use coordinate_count::{Coordinates, NoNumber, coordinate_count, no_number_of_map};
pub(crate) use cycle::cycle;
pub(crate) use dimension_entry::dimension_entry;
pub(crate) use dimension_out_of_rank::dimension_out_of_rank;
pub(crate) use division_by_zero::division_by_zero;
pub use division_comment::division_comment;
pub(crate) use duplicate_iterator::duplicate_iterator;
pub(crate) use duplicate_name::duplicate_name;
pub(crate) use duplicate_parameter::duplicate_param;
pub(crate) use empty_range::empty_range;
pub(crate) use empty_side::empty_side;
pub(crate) use evidence::{Element, Executor, Indexed};
pub(crate) use expect_shape::{Misfit, expect_shape};
pub(crate) use function_argument::{open_generic, tile_argument};
pub(crate) use function_body::{TooDeep, WrongBody, function_body, functions_too_deep, recursive_function};
pub(crate) use generic_value::{WrongGeneric, generic_value};
pub(crate) use grid_inside::grid_inside;
pub(crate) use group_dimension::{dimension_not_there, dimension_twice, dimensions_missing};
pub(crate) use group_order::{upper_count, upper_out_of_range, upper_twice};
pub(crate) use immutable::{
    Assigned, assigned_whole, immutable, immutable_definition, immutable_iterator, immutable_size, mutable_number,
};
pub(crate) use index_count::{
    ThreadsInRows, called_tensor, grid_iterators, several_brackets, threads_iterators, whole_dimension,
    wrong_index_count, wrong_tile_index_count,
};
pub(crate) use inexact_division::PAGE as INEXACT_DIVISION;
pub(crate) use inexact_division::{division_rounds_up, inexact_division, unproven_division};
pub(crate) use launch_clause::{WrongLaunch, launch_clause};
pub(crate) use launch_limit::{Launched, launch_limit, no_clusters, tiling_launch};
pub(crate) use layout_duplicate::layout_duplicate;
pub(crate) use layout_length::layout_length;
pub(crate) use layout_not_constant::layout_not_constant;
pub(crate) use layout_out_of_range::layout_out_of_range;
pub(crate) use layout_unknown_entry::layout_unknown_entry;
pub(crate) use loop_exit::{WrongLeave, wrong_leave};
pub(crate) use loop_step::{WrongStep, loop_step};
pub(crate) use lost_remainder::lost_remainder;
pub(crate) use map_construction::{dimension_without_end, map_construction};
pub(crate) use map_question::{NoAnswer, map_question};
pub(crate) use negative_offset::negative_offset;
pub(crate) use nesting_too_deep::accesses_nested;
pub(crate) use no_inverse::no_inverse;
pub(crate) use no_iterations::no_iterations;
pub(crate) use no_shape_before_bracket::no_shape_before_bracket;
pub(crate) use no_such_iteration::{NoIteration, no_such_iteration};
pub(crate) use no_such_unit::{BlockSize, Blocks, no_such_unit};
pub(crate) use non_positive_dimension::non_positive_dimension;
pub(crate) use not_a_fact::not_a_fact;
pub(crate) use not_a_tensor::{NotTensor, element_of_tile, gather_of_tile, not_a_tensor};
pub(crate) use not_a_view::{NotView, not_a_view};
pub(crate) use not_available_yet::{Planned, not_available_yet};
pub(crate) use not_callable::not_callable;
pub(crate) use not_constant::{not_constant, not_constant_condition};
pub(crate) use not_enough_threads::not_enough_threads;
pub(crate) use not_fully_written::{never_written, not_fully_written};
pub(crate) use open_block::open_block;
pub(crate) use operand_ranks::operand_ranks;
pub(crate) use operands::operands;
pub(crate) use out_of_bounds::{
    Advice, Leaves, LeavesAt, OpenSide, PAGE as OUT_OF_BOUNDS, SelectAsIf, Swapped, UnsafeAccess, Unshown,
    bounds_unproven, out_of_bounds, settled_by_sizes, swapped,
};
pub(crate) use overflow::{index_overflow, negated_unsigned, overflow, shared_array_overflow};
pub(crate) use overlapping_strides::overlapping_strides;
pub(crate) use padding_counts::{PAGE as PADDING_COUNTS, padding_counts};
pub(crate) use permutation::{permutation_length, permutation_range, permutation_twice};
pub(crate) use pipe_operand::{group_alone, pipe_stage, pipe_start};
pub(crate) use quantity::Quantity;
pub(crate) use race::{
    Atomically, Elsewhere, Race, RaceDoubt, Storing, Way, race, race_unproven, scatter_and_access, scatter_unproven,
};
pub(crate) use race_open::race_open;
pub(crate) use race_read::{race_read, without_barrier};
pub(crate) use rank_mismatch::rank_mismatch;
pub(crate) use read_only::read_only;
pub(crate) use reversal_clips::reversal_clips;
pub(crate) use run_argument::{InitialOfNumpy, NoElement, WrongArgument, run_argument};
pub(crate) use run_missing_argument::run_missing_argument;
pub(crate) use run_unbound_symbol::run_unbound_symbol;
pub(crate) use run_violates_fact::run_violates_fact;
pub(crate) use save_target::save_target;
pub(crate) use shape_needs_brackets::shape_needs_brackets;
pub(crate) use shared_place::shared_place;
pub(crate) use shared_race::{Meeting, shared_race};
pub(crate) use shared_size_open::{shared_extent_open, shared_size_open};
pub(crate) use shared_too_large::{NoRoom, shared_too_large, shared_too_large_for_run};
pub(crate) use show::shown;
pub(crate) use stage_length::{stage_length, stage_map_length};
pub(crate) use stage_length_open::stage_length_open;
pub(crate) use stage_outside::stage_outside;
pub(crate) use stage_rank::{StageRank, entry_rank, stage_rank};
pub(crate) use surplus_threads::surplus_threads;
pub use syntax_error::syntax_error;
pub(crate) use thread_array::{WrongArray, thread_array};
pub(crate) use threads_apart::threads_apart;
pub(crate) use tile_hint::{tile_allow_tma, tile_latency};
pub(crate) use tile_padding::{Padded, tile_padding};
pub(crate) use tile_place::{
    Members, TilePlace, no_partition, tile_and_elements, tile_disagreement, tile_function, tile_member, tile_place,
    tile_store_as_value, tile_transposed, tile_unused,
};
pub(crate) use tile_ranks::{OperandTile, Said, tile_ranks};
pub(crate) use tile_shape::{
    VaryingPart, WrongTile, accumulator_first, tile_declared, tile_dimension, tile_order, tile_shape,
    tile_shapes_of_one, tile_types, tile_varying_part, tile_view_not_injective, tile_views_of_one, tile_whole,
};
pub(crate) use tile_too_large::{tile_too_large, too_many_tiles};
pub(crate) use tiling_step::{Misplaced, tiling_step};
pub(crate) use too_many_barriers::too_many_barriers;
pub(crate) use too_many_elements::too_many_elements;
pub(crate) use transform_alone::transform_alone;
pub(crate) use transform_argument::{Entry, empty_slice, length_left_out, negative_size, one_for_each, one_size};
pub(crate) use type_mismatch::{
    Actual, Expected, bits_of_others, decided_by_use, divided_integers, free_type, known_sizes_only, mixed_integers,
    numbers_joined, stored_only, stored_only_assigned, truths_joined, type_mismatch, wrong_prefix,
};
pub(crate) use unbounded_map::unbounded_map;
pub(crate) use unchecked_candidates::unchecked_candidates;
pub(crate) use uncoalesced::{WarpAccess, uncoalesced, with_sectors, with_width};
pub(crate) use unit_dimensions::unit_dimensions;
pub(crate) use unit_does_not_fit::unit_does_not_fit;
pub(crate) use unit_scale::{NoScale, unit_scale, unit_scale_ambiguous};
pub(crate) use unit_size::{NoSize, parameter_outside, unit_size};
pub(crate) use unknown_argument::{reduction_by_function, unknown_argument};
pub(crate) use unknown_element_type::unknown_element_type;
pub(crate) use unknown_function::{atomic_elsewhere, lanes_elsewhere, number_of_text, unknown_function};
pub(crate) use unknown_kernel::unknown_kernel;
pub(crate) use unknown_local::{undeclared, unknown_in_function, unknown_local};
pub(crate) use unknown_member::{member_in_kernel, unknown_map_member, unknown_member};
pub(crate) use unknown_name::{is_unknown_name, unknown_callee, unknown_in_expect, unknown_name};
pub(crate) use unreached_barrier::unreached_barrier;
pub(crate) use unresolved_use::{unreadable_use, unresolved_use};
pub(crate) use unsuitable_barrier::unsuitable_barrier;
pub use unterminated_comment::unterminated_comment;
pub(crate) use view_needs_via::{via_alone, view_needs_via};
pub(crate) use with_domain::{range_in_threads_loop, with_domain};
pub(crate) use words::Side;
pub(crate) use wrong_async::{WrongAsync, wrong_async};
pub(crate) use wrong_atomic::{OfBlock, WrongAtomic, wrong_atomic};
pub(crate) use wrong_collective::{NeedsThreads, wrong_collective};
pub(crate) use wrong_exchange::{WrongExchange, threads_without_name, wrong_exchange};
pub(crate) use wrong_kind::{ItemOf, name_of_kernel, type_as_value, wrong_kind};
pub(crate) use wrong_type::{Wanted, local_array, map_in_brackets, unused_comparison, unused_value, wrong_type};
pub(crate) use zero_size::{zero_size, zero_size_among, zero_size_for_all, zero_size_of};

/// Every page, sorted by code.
pub static PAGES: &[&Page] = &[
    &ambiguous_dimension::PAGE,
    &argument_count::PAGE,
    &argument_twice::PAGE,
    &assertion_failed::PAGE,
    &assertion_open::PAGE,
    &bank_conflict::PAGE,
    &bit_cast::PAGE,
    &bounded_loop::PAGE,
    &bounds_open::PAGE,
    &chain_level::PAGE,
    &checks_cut_short::PAGE,
    &contradiction::PAGE,
    &coordinate_count::PAGE,
    &cycle::PAGE,
    &dimension_entry::PAGE,
    &dimension_out_of_rank::PAGE,
    &division_by_zero::PAGE,
    &division_comment::PAGE,
    &duplicate_iterator::PAGE,
    &duplicate_name::PAGE,
    &duplicate_parameter::PAGE,
    &empty_range::PAGE,
    &empty_side::PAGE,
    &expect_shape::PAGE,
    &function_argument::PAGE,
    &function_body::PAGE,
    &generic_value::PAGE,
    &grid_inside::PAGE,
    &group_dimension::PAGE,
    &group_order::PAGE,
    &immutable::PAGE,
    &index_count::PAGE,
    &inexact_division::PAGE,
    &integer_too_large::PAGE,
    &launch_clause::PAGE,
    &launch_limit::PAGE,
    &layout_duplicate::PAGE,
    &layout_length::PAGE,
    &layout_not_constant::PAGE,
    &layout_out_of_range::PAGE,
    &layout_unknown_entry::PAGE,
    &loop_exit::PAGE,
    &loop_step::PAGE,
    &lost_remainder::PAGE,
    &map_construction::PAGE,
    &map_question::PAGE,
    &negative_offset::PAGE,
    &nesting_too_deep::PAGE,
    &no_inverse::PAGE,
    &no_iterations::PAGE,
    &no_shape_before_bracket::PAGE,
    &no_such_iteration::PAGE,
    &no_such_unit::PAGE,
    &non_positive_dimension::PAGE,
    &not_a_fact::PAGE,
    &not_a_tensor::PAGE,
    &not_a_view::PAGE,
    &not_available_yet::PAGE,
    &not_callable::PAGE,
    &not_constant::PAGE,
    &not_enough_threads::PAGE,
    &not_fully_written::PAGE,
    &open_block::PAGE,
    &operand_ranks::PAGE,
    &operands::PAGE,
    &out_of_bounds::PAGE,
    &overflow::PAGE,
    &overlapping_strides::PAGE,
    &padding_counts::PAGE,
    &permutation::PAGE,
    &pipe_operand::PAGE,
    &race::PAGE,
    &race_open::PAGE,
    &race_read::PAGE,
    &rank_mismatch::PAGE,
    &read_only::PAGE,
    &function_body::RECURSIVE,
    &reversal_clips::PAGE,
    &run_argument::PAGE,
    &run_missing_argument::PAGE,
    &run_unbound_symbol::PAGE,
    &run_violates_fact::PAGE,
    &save_target::PAGE,
    &shape_needs_brackets::PAGE,
    &shared_place::PAGE,
    &shared_race::PAGE,
    &shared_size_open::PAGE,
    &shared_too_large::PAGE,
    &show::PAGE,
    &stage_length::PAGE,
    &stage_length_open::PAGE,
    &stage_outside::PAGE,
    &stage_rank::PAGE,
    &surplus_threads::PAGE,
    &syntax_error::PAGE,
    &thread_array::PAGE,
    &threads_apart::PAGE,
    &tile_hint::PAGE,
    &tile_padding::PAGE,
    &tile_place::PAGE,
    &tile_shape::PAGE,
    &tile_too_large::PAGE,
    &tiling_step::PAGE,
    &too_many_barriers::PAGE,
    &too_many_elements::PAGE,
    &transform_alone::PAGE,
    &transform_argument::PAGE,
    &type_mismatch::PAGE,
    &unbounded_map::PAGE,
    &unchecked_candidates::PAGE,
    &uncoalesced::PAGE,
    &unit_dimensions::PAGE,
    &unit_does_not_fit::PAGE,
    &unit_scale::PAGE,
    &unit_size::PAGE,
    &unknown_argument::PAGE,
    &unknown_element_type::PAGE,
    &unknown_function::PAGE,
    &unknown_kernel::PAGE,
    &unknown_local::PAGE,
    &unknown_member::PAGE,
    &unknown_name::PAGE,
    &unreached_barrier::PAGE,
    &unresolved_use::PAGE,
    &unsuitable_barrier::PAGE,
    &unterminated_comment::PAGE,
    &view_needs_via::PAGE,
    &with_domain::PAGE,
    &wrong_async::PAGE,
    &wrong_atomic::PAGE,
    &wrong_collective::PAGE,
    &wrong_exchange::PAGE,
    &wrong_kind::PAGE,
    &wrong_type::PAGE,
    &zero_size::PAGE,
];

/// The page of a code.
pub fn page(code: &str) -> Option<&'static Page> {
    PAGES.binary_search_by(|page| page.code.cmp(code)).ok().map(|position| PAGES[position])
}
