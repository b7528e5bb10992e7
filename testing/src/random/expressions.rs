//! Random expressions and accesses.

use elements::ElementType;
use kernel::typed::{Access, BinaryOp, Constant, Expr, ExprKind, Local, MathFunction, UnaryOp};

use super::super::build::{
    Masking, add, binary, bits, block_id, boolean, cast, compare, constant, int, math, multiply, select, size,
    thread_id, unary,
};
use super::Generator;

impl Generator {
    /// An access to elements of an output that belong to the thread.
    pub(super) fn own_access(&mut self, place: usize) -> Access {
        let output = &self.outputs[place];
        let (param, map, local, covers) = (output.param, output.map.clone(), output.local.clone(), output.covers);
        let masked = !covers || self.chance(30);
        let mut coordinates = Vec::new();
        for &width in &local {
            let coordinate = match self.below(6) {
                0..=2 if !self.iterators.is_empty() => {
                    let iterator = self.pick(&self.iterators.clone());
                    self.builder.read(iterator)
                }
                // A neighbouring element, which another iteration reads or writes.
                3 if !self.iterators.is_empty() => {
                    let iterator = self.pick(&self.iterators.clone());
                    let distance = self.pick(&[-1, 1, 2]);
                    add(self.builder.read(iterator), int(distance))
                }
                4 => self.affine(),
                _ => int(self.below(width as u64) as i64),
            };
            let fits = matches!(&coordinate.kind, ExprKind::Constant(_));
            let coordinate =
                if masked || fits { coordinate } else { binary(BinaryOp::FloorRemainder, coordinate, int(width)) };
            coordinates.push(coordinate);
        }
        coordinates.push(self.builder.linear_id());
        let masking = if masked { Masking::Full } else { Masking::None };
        self.builder.access(param, &map, coordinates, masking)
    }

    /// The access to the element of a loop's current iteration along the first local dimension.
    pub(super) fn access_at(&mut self, place: usize, iterator: Local) -> Access {
        let output = &self.outputs[place];
        let (param, map, covers, rest) = (output.param, output.map.clone(), output.covers, output.local.len() - 1);
        let mut coordinates = vec![self.builder.read(iterator)];
        coordinates.extend((0..rest).map(|_| int(0)));
        coordinates.push(self.builder.linear_id());
        self.builder.access(param, &map, coordinates, if covers { Masking::None } else { Masking::Threads })
    }

    /// An index: ids, iterators and sizes with small coefficients.
    pub(super) fn affine(&mut self) -> Expr {
        let mut sum = int(self.below(20) as i64 - 6);
        for _ in 0..1 + self.below(3) {
            let term = match self.below(6) {
                0 => thread_id(),
                1 => self.builder.linear_id(),
                2 => block_id(),
                3 if !self.inputs.is_empty() => {
                    let place = self.below(self.inputs.len() as u64) as usize;
                    size(&self.inputs[place].length.clone())
                }
                4 => self.index_variable(),
                _ if !self.iterators.is_empty() => {
                    let iterator = self.pick(&self.iterators.clone());
                    self.builder.read(iterator)
                }
                _ => thread_id(),
            };
            let factor = self.pick(&[1, 1, 1, 1, -1, 2, 4, 3]);
            let term = if factor == 1 { term } else { multiply(term, int(factor)) };
            sum = add(sum, term);
        }
        match self.below(8) {
            0 => {
                let divisor = self.pick(&[2, 3, 4, 7, 8]);
                binary(BinaryOp::FloorDivide, sum, int(divisor))
            }
            1 => {
                let divisor = self.pick(&[5, 8, 16]);
                binary(BinaryOp::FloorRemainder, sum, int(divisor))
            }
            2 => {
                let place = self.below(self.inputs.len() as u64) as usize;
                let length = size(&self.inputs[place].length.clone());
                let operator = self.pick(&[BinaryOp::FloorDivide, BinaryOp::FloorRemainder]);
                binary(operator, sum, length)
            }
            3 => {
                let low = binary(BinaryOp::FloorRemainder, sum.clone(), int(8));
                binary(BinaryOp::BitXor, binary(BinaryOp::FloorRemainder, sum, int(64)), low)
            }
            _ => sum,
        }
    }

    /// A variable that serves as an index, if there is one.
    fn index_variable(&mut self) -> Expr {
        let indices: Vec<Local> =
            self.variables.iter().filter(|(_, of)| *of == ElementType::I64).map(|(id, _)| *id).collect();
        if indices.is_empty() {
            return thread_id();
        }
        let local = self.pick(&indices);
        self.builder.read(local)
    }

    pub(super) fn condition(&mut self, depth: u32) -> Expr {
        let comparisons = [BinaryOp::Less, BinaryOp::LessEqual, BinaryOp::Greater, BinaryOp::Equal, BinaryOp::NotEqual];
        match self.below(7) {
            0 | 1 => {
                let operator = self.pick(&comparisons);
                let (left, right) = (self.affine(), self.affine());
                compare(operator, left, right)
            }
            2 => {
                // A whole index rather than a part of a sum.
                let operator = self.pick(&comparisons);
                let index = match self.below(4) {
                    0 => thread_id(),
                    1 => self.index_variable(),
                    _ if !self.iterators.is_empty() => {
                        let iterator = self.pick(&self.iterators.clone());
                        self.builder.read(iterator)
                    }
                    _ => block_id(),
                };
                let bound = self.below(16) as i64;
                compare(operator, index, int(bound))
            }
            3 if depth > 0 => {
                let operator = self.pick(&comparisons);
                let element = match self.element() {
                    element if element.computes() => element,
                    _ => ElementType::F32,
                };
                let (left, right) = (self.expr(element, depth - 1), self.expr(element, depth - 1));
                compare(operator, left, right)
            }
            4 if depth > 0 => {
                let operator = self.pick(&[BinaryOp::And, BinaryOp::Or]);
                let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
                compare(operator, left, right)
            }
            5 if depth > 0 => unary(UnaryOp::Not, self.condition(depth - 1)),
            _ => boolean(self.chance(50)),
        }
    }

    pub(super) fn expr(&mut self, element: ElementType, depth: u32) -> Expr {
        if element == ElementType::Bool {
            return self.condition(depth);
        }
        if depth == 0 || self.chance(20) {
            return self.leaf(element);
        }
        let arithmetic = [
            BinaryOp::Add,
            BinaryOp::Add,
            BinaryOp::Multiply,
            BinaryOp::Multiply,
            BinaryOp::Subtract,
            BinaryOp::Divide,
            BinaryOp::Remainder,
            BinaryOp::BitXor,
            BinaryOp::BitAnd,
            BinaryOp::BitOr,
            BinaryOp::ShiftLeft,
            BinaryOp::ShiftRight,
        ];
        match self.below(10) {
            // What is stored only is converted where another type is computed.
            0..=3 if !element.computes() => {
                let from = self.element();
                cast(element, self.expr(from, depth - 1))
            }
            4 | 7 | 8 if !element.computes() => self.leaf(element),
            0..=4 => {
                let operator = self.pick(&arithmetic);
                let operator = if operator.is_defined_on(element) { operator } else { BinaryOp::Add };
                let (left, right) = (self.expr(element, depth - 1), self.expr(element, depth - 1));
                binary(operator, left, right)
            }
            5 => {
                let condition = self.condition(depth - 1);
                let (first, second) = (self.expr(element, depth - 1), self.expr(element, depth - 1));
                select(condition, first, second)
            }
            6 => {
                let from = if self.chance(20) { ElementType::Bool } else { self.element() };
                match ElementType::unsigned(element.bits()) {
                    Some(unsigned) if element.is_float() && self.chance(20) => {
                        bits(element, self.expr(unsigned, depth - 1))
                    }
                    _ => cast(element, self.expr(from, depth - 1)),
                }
            }
            7 => {
                let function = self.pick(MathFunction::ALL);
                let function = if function.is_defined_on(element) { function } else { MathFunction::Abs };
                let operands = (0..function.operation().operands).map(|_| self.expr(element, depth - 1)).collect();
                math(function, element, operands)
            }
            8 => unary(UnaryOp::Negate, self.expr(element, depth - 1)),
            _ => self.leaf(element),
        }
    }

    fn leaf(&mut self, element: ElementType) -> Expr {
        let mut choices: Vec<Expr> = Vec::new();
        choices.extend(self.variables.iter().filter(|(_, of)| *of == element).map(|(id, _)| self.builder.read(*id)));
        choices
            .extend(self.scalars.iter().filter(|(_, of)| *of == element).map(|(id, _)| self.builder.read_scalar(*id)));
        let (reads, own): (Vec<usize>, Vec<usize>) = (
            (0..self.inputs.len()).filter(|&place| self.inputs[place].element == element).collect(),
            (0..self.outputs.len()).filter(|&place| self.outputs[place].element == element).collect(),
        );
        match self.below(10) {
            0..=4 if !reads.is_empty() => {
                let place = self.pick(&reads);
                return self.read_input(place);
            }
            5 | 6 if !own.is_empty() => {
                let place = self.pick(&own);
                let access = self.own_access(place);
                return self.builder.load(access);
            }
            7 if element == ElementType::I64 => return self.affine(),
            7 => return cast(element, self.affine()),
            8 => {
                let place = self.below(self.inputs.len() as u64) as usize;
                return cast(element, self.read_input(place));
            }
            _ => {}
        }
        if choices.is_empty() || self.chance(30) {
            let value = self.below(200) as i64 - 100;
            let value = if element.is_float() {
                Constant::Float(value as f64 / 8.0)
            } else if element.is_signed() {
                Constant::Int(value)
            } else {
                Constant::Int(value.abs())
            };
            return constant(value, element);
        }
        let place = self.below(choices.len() as u64) as usize;
        choices.swap_remove(place)
    }

    fn read_input(&mut self, place: usize) -> Expr {
        let index = self.affine();
        let input = &self.inputs[place];
        let (param, map, length) = (input.param, input.map.clone(), input.length.clone());
        let access = if self.chance(50) {
            self.builder.access(param, &map, vec![index], Masking::Full)
        } else {
            let index = binary(BinaryOp::FloorRemainder, index, size(&length));
            self.builder.access(param, &map, vec![index], Masking::None)
        };
        self.builder.load(access)
    }
}
