//! The arrays through which the warps of a collective exchange values.

use super::super::checker::Checker;
use super::array::ExchangeArray;
use crate::diagnostics;
use elements::ElementType;
use kernel::typed::{Scope, SharedId};
use syntax::span::Span;

impl Checker<'_> {
    /// An array with an element for each warp that exchanges values.
    pub(super) fn exchange_array(
        &mut self,
        element: ElementType,
        scope: Scope,
        length: i64,
        span: Span,
    ) -> Option<SharedId> {
        let is_like = |known: &ExchangeArray| (known.element, known.length, known.scope) == (element, length, scope);
        let place = self.found.exchange_arrays.iter().position(is_like).unwrap_or_else(|| {
            self.found.exchange_arrays.push(ExchangeArray { element, length, scope, arrays: [None, None], turn: 0 });
            self.found.exchange_arrays.len() - 1
        });
        let known = self.found.exchange_arrays.get_mut(place)?;
        known.turn = 1 - known.turn;
        if let Some(array) = known.arrays[known.turn] {
            return Some(array);
        }
        let turn = known.turn;
        let array = self.array_of_block("given", element, &[length], Some(scope), span)?;
        if let Err(room) = self.room_for(&array) {
            return self.report(diagnostics::shared_too_large(span, "given", &room));
        }
        let array = self.add_array(array, span)?;
        self.found.exchange_arrays.get_mut(place)?.arrays[turn] = Some(array);
        Some(array)
    }
}
