//! A tile: the value of its elements, by itself or with a name.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::super::operand::Operand;
use elements::ElementType;
use kernel::typed::{Access, Expr, ExprKind, Local, Memory, SharedId};

/// A tile in an expression: the value of its elements over its axes. A tile of rank 0 is a number.
#[derive(Clone, Debug)]
pub(in super::super) struct Tile {
    pub(super) shape: Vec<i64>,
    pub(super) axes: Vec<Local>,
    pub(in super::super) value: Operand,
    /// The array that holds it, if that belongs to nobody else yet.
    pub(super) own: Option<SharedId>,
}

/// A tile with a name.
#[derive(Clone, Debug)]
pub(in super::super) enum TileVariable {
    /// It stands in an array.
    Array { array: SharedId, mutable: bool },
    /// Its elements are computed wherever they are used, such as numbers of rows: no memory is read for them.
    Computed(Arc<Tile>),
}

impl Tile {
    /// The type of its elements.
    pub(in super::super) fn element(&self) -> ElementType {
        self.value.natural()
    }

    /// Its extents.
    pub(in super::super) fn extents(&self) -> &[i64] {
        &self.shape
    }

    /// The same number everywhere.
    pub(in super::super) fn number(value: Operand) -> Self {
        Self { shape: Vec::new(), axes: Vec::new(), value, own: None }
    }

    pub(super) fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Whether it is one number.
    pub(in super::super) fn is_number(&self) -> bool {
        self.shape.is_empty()
    }

    /// Whether it is a number whose type is still free.
    pub(in super::super) fn is_constant(&self) -> bool {
        self.value.is_constant()
    }

    /// The tile of another value over the same axes.
    pub(in super::super) fn with_value(self, value: Operand) -> Self {
        Self { value, own: None, ..self }
    }

    /// The tile, whose array may be read several times.
    pub(in super::super) fn without_owner(self) -> Self {
        Self { own: None, ..self }
    }

    /// The value at coordinates.
    pub(super) fn at(&self, coordinates: &[Expr]) -> Operand {
        match &self.value {
            Operand::Typed(expr) => {
                let values: FxHashMap<Local, Expr> =
                    self.axes.iter().copied().zip(coordinates.iter().cloned()).collect();
                Operand::Typed(expr.clone().with_locals(&values))
            }
            constant => constant.clone(),
        }
    }

    /// Whether it is the tile in an array.
    pub(super) fn is_in(&self, array: SharedId) -> bool {
        let Operand::Typed(Expr { kind: ExprKind::Load(access), .. }) = &self.value else { return false };
        access.memory == Memory::Shared(array) && !self.reads_elsewhere(array)
    }

    /// Whether it reads a memory.
    pub(super) fn reads(&self, memory: Memory) -> bool {
        self.has_load(memory, |_| true)
    }

    /// Whether its value at one point reads an array at another one.
    pub(super) fn reads_elsewhere(&self, array: SharedId) -> bool {
        self.has_load(Memory::Shared(array), |access| {
            let places = access.coordinates.iter().zip(self.axes.iter().zip(&self.shape));
            let mut own = places.map(|(coordinate, (axis, extent))| {
                let is_axis = matches!(coordinate.kind, ExprKind::Local(local) if local == *axis);
                is_axis || *extent == 1 && *coordinate == Expr::int(0)
            });
            access.coordinates.len() != self.axes.len() || !own.all(|own| own)
        })
    }

    fn has_load(&self, memory: Memory, is_wanted: impl Fn(&Access) -> bool) -> bool {
        let Operand::Typed(value) = &self.value else { return false };
        let mut found = false;
        value.walk(&mut |expr| {
            if let ExprKind::Load(access) = &expr.kind {
                found |= access.memory == memory && is_wanted(access);
            }
        });
        found
    }

    /// The value over the axes of a shape to which its own extends. Over its own axes it stays as it is, so that a chain of
    /// operations is not copied for each of them.
    pub(super) fn along(self, axes: &[Local]) -> Operand {
        if self.axes == axes {
            return self.value;
        }
        let coordinate = |(axis, extent): (&_, &i64)| if *extent == 1 { Expr::int(0) } else { variable(*axis) };
        let coordinates: Vec<Expr> = axes.iter().zip(&self.shape).map(coordinate).collect();
        self.at(&coordinates)
    }
}

impl TileVariable {
    /// The array in which it stands.
    pub(in super::super) fn array(&self) -> Option<SharedId> {
        match self {
            Self::Array { array, .. } => Some(*array),
            Self::Computed(_) => None,
        }
    }
}

/// The place along an axis.
pub(in super::super) fn variable(local: Local) -> Expr {
    Expr { kind: ExprKind::Local(local), element: ElementType::I64 }
}
