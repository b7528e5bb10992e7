//! Choices between tiles: `if c { a } else { b }` and `select(c, a, b)`.
//!
//! A condition of tiles decides for each element, and both values are computed. A condition that is one number decides for the
//! whole tile: then what a value needs, such as the load of a tile, is only done where the value is chosen, and the condition
//! is known there.

use smol_str::SmolStr;

use super::super::branches::MOST_NESTED;
use super::super::checker::Checker;
use super::super::operand::Operand;
use super::examples::stores;
use super::tile::Tile;
use super::words::{Role, TileFunction};
use crate::documentation::Documentation;
use elements::ElementType;
use kernel::functions::Parameter;
use kernel::typed::{Expr, ExprKind, StatementKind};
use syntax::span::Span;
use syntax::tree;

pub(in super::super) const SELECT: TileFunction = TileFunction {
    documentation: Documentation {
        word: "select",
        parameters: &[
            Parameter::new("condition", "a tile of `bool`, or one"),
            Parameter::new("then", "the value where it holds"),
            Parameter::new("otherwise", "the value elsewhere"),
        ],
        text: "One of two values for each element.",
        example: stores!("select(px.load(i, j) > 0.0, px.load(i, j), 0.0)"),
    },
    role: Role::Combines(|checker, call| {
        let args = checker.by_place_in_call(call.name(), call.args, call.span)?;
        let (tiles, spans) = checker.tiles_in(&args)?;
        match tiles.len() == call.called.parameters.len() {
            true => checker.selected(tiles, &spans),
            false => checker.wrong_count(call, tiles.len()),
        }
    }),
};

impl Checker<'_> {
    /// `if c { a } else if d { b } else { e }`
    pub(super) fn tile_choice(&mut self, arms: &[tree::Arm], otherwise: &tree::Expr) -> Option<Tile> {
        // Branches are nested as deep as there are arms.
        match arms.len() <= MOST_NESTED {
            true => self.chosen_tile(arms, otherwise).map(|(tile, _)| tile),
            false => self.chosen_by_elements(arms, otherwise),
        }
    }

    /// The value of the first arm whose condition holds, and its place.
    fn chosen_tile(&mut self, arms: &[tree::Arm], otherwise: &tree::Expr) -> Option<(Tile, Span)> {
        let Some((arm, rest)) = arms.split_first() else { return Some((self.tile(otherwise)?, otherwise.span)) };
        let condition = self.tile(&arm.condition)?;
        let spans = (arm.condition.span, arm.value.span);
        let (condition, then, (other, place)) = match condition.rank() {
            0 => self.branches(condition.value, arm, rest, otherwise)?,
            _ => (condition, self.tile(&arm.value)?, self.chosen_tile(rest, otherwise)?),
        };
        let tile = self.selected(vec![condition, then, other], &[spans.0, spans.1, place])?;
        Some((tile, spans.1.to(place)))
    }

    /// The condition and both values, of which only the one that is chosen is computed.
    fn branches(
        &mut self,
        condition: Operand,
        arm: &tree::Arm,
        rest: &[tree::Arm],
        otherwise: &tree::Expr,
    ) -> Option<(Tile, Tile, (Tile, Span))> {
        let span = arm.condition.span;
        let condition = self.coerce(condition, ElementType::Bool, span)?;
        // The branches may change what the condition reads, which is evaluated once.
        let local = self.new_local(&SmolStr::new_static("chosen"), ElementType::Bool, false);
        self.raiser.assign(local, &condition);
        let decide = self.made(StatementKind::Assign { local, value: condition.clone() }, span);
        self.tiles.before.extend(decide);
        let mut branch = self.raiser.begin_branch();
        self.context.conditions += 1;
        self.raiser.assume(&condition, false);
        let (then_needs, then) = self.with_tiles(|checker| checker.tile(&arm.value));
        self.raiser.other_branch(&mut branch);
        self.raiser.assume(&condition, true);
        let (other_needs, other) = self.with_tiles(|checker| checker.chosen_tile(rest, otherwise));
        self.raiser.end_branch(Some(&condition), branch);
        self.context.conditions -= 1;
        let chosen = Expr { kind: ExprKind::Local(local), element: ElementType::Bool };
        if !then_needs.is_empty() || !other_needs.is_empty() {
            let place = span.to(arm.value.span);
            self.found.record.condition_places.push((self.place(place), self.place(span)));
            let kind = StatementKind::If { condition: chosen.clone(), then: then_needs, otherwise: other_needs };
            let needs = self.made(kind, place);
            self.tiles.before.extend(needs);
        }
        Some((Tile::number(Operand::Typed(chosen)), then?, other?))
    }

    /// The same for so many arms that all of their values are computed.
    fn chosen_by_elements(&mut self, arms: &[tree::Arm], otherwise: &tree::Expr) -> Option<Tile> {
        let mut chosen = self.tile(otherwise)?;
        let mut place = otherwise.span;
        for arm in arms.iter().rev() {
            let (condition, then) = (self.tile(&arm.condition)?, self.tile(&arm.value)?);
            chosen = self.selected(vec![condition, then, chosen], &[arm.condition.span, arm.value.span, place])?;
            place = arm.value.span.to(place);
        }
        Some(chosen)
    }

    /// One of two values for each element, by its condition.
    fn selected(&mut self, tiles: Vec<Tile>, spans: &[Span]) -> Option<Tile> {
        let (condition_span, values_span) = (*spans.first()?, (*spans.get(1)?, *spans.get(2)?));
        self.element_by_element(tiles, spans, |checker, values| {
            let [condition, then, otherwise] = <[Operand; 3]>::try_from(values).ok()?;
            let condition = checker.coerce(condition, ElementType::Bool, condition_span)?;
            let (then, otherwise) = checker.unify(then, otherwise, values_span)?;
            let element = then.element;
            let kind = ExprKind::Select(Box::new(condition), Box::new(then), Box::new(otherwise));
            Some(Operand::Typed(Expr { kind, element }))
        })
    }
}
