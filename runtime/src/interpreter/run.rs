//! Interprets a [`Program`].

use shapewright_compiler::kernels::element::ElementType;

use super::map::Lower;
use super::program::{Node, Place, Program, Step};
use crate::execute::bind::{Argument, Extent};
use crate::execute::control::Control;
use crate::execute::error::{self, ExecuteError};
use crate::tensors::element::memory;
use crate::tensors::{Bits, Element, Scalar, Tensor};

/// After this many steps (threads and loop iterations) the caller is asked whether to go on.
const STEPS_BETWEEN_POLLS: u32 = 1 << 14;

/// What a thread sees.
struct State<'a> {
    program: &'a Program<'a>,
    control: &'a Control<'a>,
    tensors: Vec<Option<&'a mut Tensor>>,
    locals: Vec<Bits>,
    block: i64,
    thread: i64,
    steps: u32,
    /// Room for a coordinate and for the terms of a map, kept so that an access allocates nothing.
    coordinates: Vec<i64>,
    terms: Vec<i64>,
}

/// Boxed, so that the common case stays small.
type Run<T> = Result<T, Box<ExecuteError>>;

impl Program<'_> {
    /// Runs every thread of the launch. The arguments are those that the program was made with.
    pub fn run(&self, extent: Extent, arguments: &mut [Argument], control: &Control<'_>) -> Result<(), ExecuteError> {
        let tensor = |argument| match argument {
            &mut Argument::Tensor(ref mut tensor) => Some(tensor),
            Argument::Scalar(_) => None,
        };
        let mut state = State {
            program: self,
            control,
            tensors: arguments.iter_mut().map(tensor).collect(),
            locals: Vec::new(),
            block: 0,
            thread: 0,
            steps: 0,
            coordinates: Vec::new(),
            terms: Vec::new(),
        };
        control.poll(self.kernel)?;
        for block in 0..extent.blocks {
            for thread in 0..extent.threads {
                state.block = block;
                state.thread = thread;
                state.locals.clear();
                state.locals.resize(self.kernel.locals.len(), 0);
                state.count_step().and_then(|()| state.steps(&self.body)).map_err(|error| *error)?;
            }
            control.report((block + 1) as f64 / extent.blocks as f64);
        }
        Ok(())
    }
}

impl State<'_> {
    fn count_step(&mut self) -> Run<()> {
        self.steps += 1;
        if self.steps >= STEPS_BETWEEN_POLLS {
            self.steps = 0;
            self.control.poll(self.program.kernel)?;
        }
        Ok(())
    }

    fn steps(&mut self, steps: &[Step]) -> Run<()> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &Step) -> Run<()> {
        match step {
            Step::Assign { local, value } => {
                let value = self.value(value)?;
                self.assign(*local, value);
                Ok(())
            }
            Step::For { local, low, high, body } => {
                let (low, high) = (self.integer(low)?, self.integer(high)?);
                for iteration in low..high {
                    self.count_step()?;
                    self.assign(*local, iteration as Bits);
                    self.steps(body)?;
                }
                Ok(())
            }
            Step::If { condition, then, otherwise } => {
                let chosen = if self.condition(condition)? { then } else { otherwise };
                self.steps(chosen)
            }
            Step::Store { place, value } => {
                // The mask decides first: what it excludes is not evaluated.
                let Some(offset) = self.offset(place, "writes")? else { return Ok(()) };
                let value = self.value(value)?;
                let size = place.element.size_bytes();
                match self.bytes(place.tensor).get_mut(offset * size..(offset + 1) * size) {
                    Some(bytes) => bytes.copy_from_slice(&memory(value, size)[..size]),
                    None => return Err(self.outside(place, "writes", offset as i64)),
                }
                Ok(())
            }
        }
    }

    fn assign(&mut self, local: usize, value: Bits) {
        if let Some(slot) = self.locals.get_mut(local) {
            *slot = value;
        }
    }

    fn value(&mut self, node: &Node) -> Run<Bits> {
        Ok(match node {
            Node::Constant(value) => *value,
            Node::Local(local) => self.locals.get(*local).copied().unwrap_or(0),
            Node::BlockId => self.block as Bits,
            Node::ThreadId => self.thread as Bits,
            Node::Load(place) => self.load(place)?,
            Node::One(function, operand) => function(self.value(operand)?),
            Node::Two(function, operands) => {
                let left = self.value(&operands.0)?;
                function(left, self.value(&operands.1)?)
            }
            Node::Three(function, operands) => {
                let first = self.value(&operands.0)?;
                let second = self.value(&operands.1)?;
                function(first, second, self.value(&operands.2)?)
            }
            Node::And(operands) => Bits::from(self.condition(&operands.0)? && self.condition(&operands.1)?),
            Node::Or(operands) => Bits::from(self.condition(&operands.0)? || self.condition(&operands.1)?),
            Node::Select(operands) => {
                let chosen = if self.condition(&operands.0)? { &operands.1 } else { &operands.2 };
                self.value(chosen)?
            }
        })
    }

    fn condition(&mut self, node: &Node) -> Run<bool> {
        self.value(node).map(bool::decode)
    }

    fn integer(&mut self, node: &Node) -> Run<i64> {
        self.value(node).map(|value| value as i64)
    }

    fn load(&mut self, place: &Place) -> Run<Bits> {
        let Some(offset) = self.offset(place, "reads")? else { return Ok(0) };
        let size = place.element.size_bytes();
        match self.bytes(place.tensor).get(offset * size..(offset + 1) * size) {
            Some(bytes) => Ok(read(bytes, place.element)),
            None => Err(self.outside(place, "reads", offset as i64)),
        }
    }

    /// The position in the tensor's storage, in elements; `None` where the access is masked off.
    fn offset(&mut self, place: &Place, action: &'static str) -> Run<Option<usize>> {
        // Coordinates contain accesses themselves, so the room is taken and given back.
        let mut coordinates = std::mem::take(&mut self.coordinates);
        coordinates.clear();
        for coordinate in &place.coordinates {
            coordinates.push(self.integer(coordinate)?);
        }
        let lower = place.map.lower(&coordinates, &mut self.terms);
        let result = match lower {
            Lower::At(index) => self.position(place, action, index).map(Some),
            Lower::Invalid if place.masked => Ok(None),
            Lower::Invalid => Err(Box::new(ExecuteError::InvalidCoordinate {
                kernel: self.program.kernel.name.to_string(),
                tensor: self.name(place),
                place: self.place(),
                action,
                coordinate: coordinates.clone(),
            })),
            Lower::Overflow => Err(Box::new(ExecuteError::IndexOverflow {
                kernel: self.program.kernel.name.to_string(),
                tensor: self.name(place),
                place: self.place(),
            })),
        };
        self.coordinates = coordinates;
        result
    }

    /// From the row-major index of an element to its position in the storage.
    fn position(&self, place: &Place, action: &'static str, index: i64) -> Run<usize> {
        let found = self.tensors.get(place.tensor).and_then(|tensor| tensor.as_deref());
        let Some(tensor) = found else { return Err(self.outside(place, action, index)) };
        let element = usize::try_from(index).ok().filter(|&index| index < tensor.len());
        let Some(mut rest) = element else { return Err(self.outside(place, action, index)) };
        let mut position = 0;
        for (&dimension, &stride) in tensor.shape().iter().zip(tensor.strides()).rev() {
            // The tensor has elements, so no dimension is 0.
            position += rest % dimension as usize * stride as usize;
            rest /= dimension as usize;
        }
        Ok(position)
    }

    fn bytes(&mut self, tensor: usize) -> &mut [u8] {
        match self.tensors.get_mut(tensor) {
            Some(Some(tensor)) => tensor.bytes_mut(),
            _ => &mut [],
        }
    }

    fn name(&self, place: &Place) -> String {
        self.program.kernel.params.get(place.tensor).map_or_else(String::new, |param| param.name.to_string())
    }

    fn place(&self) -> error::Place {
        error::Place { block: self.block, thread: self.thread }
    }

    fn outside(&self, place: &Place, action: &'static str, index: i64) -> Box<ExecuteError> {
        let tensor = self.tensors.get(place.tensor).and_then(|tensor| tensor.as_deref());
        Box::new(ExecuteError::Outside {
            kernel: self.program.kernel.name.to_string(),
            tensor: self.name(place),
            place: self.place(),
            action,
            index,
            length: tensor.map_or(0, |tensor| tensor.len() as u64),
        })
    }
}

/// The value in an element's bytes. A `bool` is any byte but 0.
fn read(bytes: &[u8], element: ElementType) -> Bits {
    let mut front = [0; 8];
    front[..bytes.len()].copy_from_slice(bytes);
    Scalar::from_bytes(element, front).to_bits()
}
