//! Interprets a [`Program`].

use std::collections::BTreeMap;
use std::ops::Range;

use elements::ElementType;
use kernel::typed::{Memory, ParamId, Residence, SharedArray, SharedId, Taken};
use maps::row_major::digits;

use super::arrivals::lane_mask;
use super::copies::Copies;
use super::map::Lower;
use super::phases::{Phase, PreparedShuffle, Waiters};
use super::program::{Node, Place, Program, Step};
use crate::execute::bind::{Argument, Extent};
use crate::execute::control::Control;
use crate::execute::error::{self, ExecuteError};
use crate::tensors::element::memory as in_memory;
use crate::tensors::{Bits, Element, Scalar, Tensor};

/// The number of steps (threads and loop iterations) after which the caller is polled for cancellation.
const STEPS_BETWEEN_POLLS: u32 = 1 << 14;

/// The state of the current thread.
pub(crate) struct State<'a> {
    pub(super) program: &'a Program<'a>,
    control: &'a Control<'a>,
    /// For each argument, its value if it is a scalar.
    scalars: Vec<Bits>,
    /// For each argument, its tensor if it is one.
    tensors: Vec<Option<&'a mut Tensor>>,
    /// The shared arrays of the block; of one that threads hold, the parts of all threads.
    shared: Vec<Vec<u8>>,
    /// What each thread of the block gave last in shuffles of the same lanes, and what before: a thread may come to the next
    /// one before another has taken its value.
    given: BTreeMap<(usize, u32), [Bits; 2]>,
    /// The asynchronous copies of each thread of the block that are on their way.
    pub(super) copies: BTreeMap<i64, Copies>,
    /// The variables of the thread.
    pub(crate) locals: Vec<Bits>,
    pub(crate) block: i64,
    pub(crate) thread: i64,
    steps: u32,
    /// Buffers for a coordinate and for the terms of a map, reused so that accesses allocate nothing.
    coordinates: Vec<i64>,
    terms: Vec<i64>,
}

/// The error is boxed to keep results small.
pub(crate) type Run<T> = Result<T, Box<ExecuteError>>;

/// A store whose value has been computed, before it is written.
pub(crate) struct Write<'p> {
    pub(super) place: &'p Place,
    pub(super) offset: usize,
    pub(super) value: Bits,
}

impl Program<'_> {
    /// The elements of a shared array, or of the part of each thread.
    fn length_of(&self, array: usize) -> usize {
        self.lengths.get(array).and_then(|length| usize::try_from(*length).ok()).unwrap_or(0)
    }

    /// The bytes of a shared array, or of the part of each thread. The checks have ensured that lengths are small and positive.
    fn part_bytes(&self, array: usize) -> usize {
        let size = self.kernel.shared.as_slice().get(array).map_or(0, |array| array.element.size_bytes());
        self.length_of(array) * size
    }

    /// Runs every thread of the launch on arguments that fit the kernel.
    pub(super) fn run_blocks(&self, arguments: &mut [Argument], control: &Control<'_>) -> Result<(), ExecuteError> {
        let Extent { blocks, threads } = self.extent;
        let mut state = State::new(self, arguments, control);
        for block in 0..blocks {
            state.enter_block(block);
            match self.body.as_slice() {
                [] => state.one_by_one(&[], threads),
                [Phase::Alone(steps)] => state.one_by_one(steps, threads),
                phases => state.in_step(phases, threads),
            }
            .map_err(|error| *error)?;
            control.report((block + 1) as f64 / blocks as f64);
        }
        Ok(())
    }
}

impl<'a> State<'a> {
    /// The state before the first block.
    pub(crate) fn new(program: &'a Program<'a>, arguments: &'a mut [Argument], control: &'a Control<'a>) -> State<'a> {
        let scalar = |argument: &Argument| match argument {
            Argument::Scalar(scalar) => scalar.to_bits(),
            Argument::Tensor(_) => 0,
        };
        let tensor = |argument| match argument {
            &mut Argument::Tensor(ref mut tensor) => Some(tensor),
            Argument::Scalar(_) => None,
        };
        let threads = usize::try_from(program.extent.threads).unwrap_or(0);
        let bytes = |(number, array): (usize, &SharedArray)| match array.held {
            Residence::Shared => program.part_bytes(number),
            Residence::Registers => threads * program.part_bytes(number),
        };
        State {
            program,
            control,
            scalars: arguments.iter().map(scalar).collect(),
            tensors: arguments.iter_mut().map(tensor).collect(),
            shared: program.kernel.shared.iter().enumerate().map(|array| vec![0; bytes(array)]).collect(),
            given: BTreeMap::new(),
            copies: BTreeMap::new(),
            locals: Vec::new(),
            block: 0,
            thread: 0,
            steps: 0,
            coordinates: Vec::new(),
            terms: Vec::new(),
        }
    }

    /// Begins a block and clears its shared arrays.
    pub(crate) fn enter_block(&mut self, block: i64) {
        self.block = block;
        self.shared.iter_mut().for_each(|array| array.fill(0));
        self.copies.clear();
    }

    /// The initial variables of a thread.
    pub(crate) fn fresh_locals(&self) -> Vec<Bits> {
        vec![0; self.program.kernel.locals.len()]
    }

    /// Runs threads without barriers, one after another.
    fn one_by_one(&mut self, steps: &[Step], threads: i64) -> Run<()> {
        for thread in 0..threads {
            self.thread = thread;
            self.locals.clear();
            self.locals.resize(self.program.kernel.locals.len(), 0);
            self.count_step()?;
            self.steps(steps)?;
        }
        Ok(())
    }

    /// Counts a thread, an iteration or a statement, and asks the caller from time to time whether to go on.
    pub(crate) fn count_step(&mut self) -> Run<()> {
        self.steps += 1;
        if self.steps >= STEPS_BETWEEN_POLLS {
            self.steps = 0;
            self.control.poll(self.program.kernel)?;
        }
        Ok(())
    }

    /// Runs steps of the current thread.
    pub(super) fn steps(&mut self, steps: &[Step]) -> Run<()> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &Step) -> Run<()> {
        self.count_step()?;
        match step {
            Step::Assign { local, value } => {
                let value = self.value(value)?;
                self.assign(*local, value);
                Ok(())
            }
            Step::For { header, body } => {
                let (low, high) = (self.integer(&header.low)?, self.integer(&header.high)?);
                for iteration in low..high {
                    if header.has_ended(&self.locals) {
                        break;
                    }
                    self.count_step()?;
                    self.assign(header.local, iteration as Bits);
                    self.steps(body)?;
                }
                Ok(())
            }
            Step::If { condition, then, otherwise } => {
                let chosen = if self.condition(condition)? { then } else { otherwise };
                self.steps(chosen)
            }
            Step::Store { place, value } => {
                if let Some(write) = self.prepare(place, value)? {
                    self.write(&write)?;
                }
                Ok(())
            }
            Step::Atomic(atomic) => self.atomic(atomic),
            Step::Copy { place, value } => self.begin_copy(place, value),
            Step::Copies(order) => self.order_copies(*order),
        }
    }

    /// Computes the place and the value of a store; `None` if it is masked off.
    pub(crate) fn prepare<'p>(&mut self, place: &'p Place, value: &Node) -> Run<Option<Write<'p>>> {
        // The mask is evaluated first, and the value only if it holds.
        let Some(offset) = self.offset(place, "writes")? else { return Ok(None) };
        let value = self.value(value)?;
        Ok(Some(Write { place, offset, value }))
    }

    /// Performs a store.
    pub(crate) fn write(&mut self, write: &Write<'_>) -> Run<()> {
        let Write { place, offset, value } = *write;
        self.write_at(place, offset, value)
    }

    /// Writes an element at a position in its storage.
    pub(super) fn write_at(&mut self, place: &Place, offset: usize, value: Bits) -> Run<()> {
        match self.put(place.memory, place.element, offset, value) {
            true => Ok(()),
            false => Err(self.outside(place, "writes", offset as i64)),
        }
    }

    /// Writes an element of a memory, unless it has none at this position.
    pub(super) fn put(&mut self, memory: Memory, element: ElementType, offset: usize, value: Bits) -> bool {
        let size = element.size_bytes();
        let Some(bytes) = self.bytes(memory).get_mut(offset * size..(offset + 1) * size) else { return false };
        bytes.copy_from_slice(&in_memory(value, size)[..size]);
        true
    }

    /// Assigns a variable of the current thread.
    pub(crate) fn assign(&mut self, local: usize, value: Bits) {
        if let Some(slot) = self.locals.get_mut(local) {
            *slot = value;
        }
    }

    /// The value of an expression in the current thread.
    pub(crate) fn value(&mut self, node: &Node) -> Run<Bits> {
        Ok(match node {
            Node::Constant(value) => *value,
            Node::Scalar(position) => self.scalars.get(*position).copied().unwrap_or(0),
            Node::Local(local) => self.locals.get(*local).copied().unwrap_or(0),
            Node::BlockId => self.block as Bits,
            Node::ThreadId => self.thread as Bits,
            Node::Load(place) => self.load(place)?,
            Node::One(function, operand) => function(self.value(operand)?),
            Node::Called(function, called, operand) => function(*called, self.value(operand)?),
            Node::CalledWithTwo(function, called, operands) => {
                let left = self.value(&operands.0)?;
                function(*called, left, self.value(&operands.1)?)
            }
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

    /// The number by which the current thread finds a lane in a shuffle.
    pub(crate) fn number_of(&mut self, shuffle: &PreparedShuffle) -> Run<i64> {
        match &shuffle.taken {
            Taken::Lane { number, .. } => self.integer(number),
            Taken::Votes => Ok(0),
        }
    }

    /// The mask of the lanes that execute a shuffle with the current thread.
    pub(crate) fn lanes_of(&mut self, shuffle: &PreparedShuffle) -> Run<u32> {
        let Waiters::Warp { lanes, first } = &shuffle.arrival.waiting else { return Ok(u32::MAX) };
        // A mask that no warp has is an error of the arrival.
        Ok(lane_mask(*lanes, self.integer(first)?).unwrap_or(0))
    }

    /// Keeps what the current thread gives in its shuffle of this number among those of the same lanes.
    pub(crate) fn give(&mut self, lanes: u32, number: usize, value: Bits) {
        let thread = usize::try_from(self.thread).unwrap_or(0);
        self.given.entry((thread, lanes)).or_default()[number % 2] = value;
    }

    /// What a thread gave in its shuffle of this number among those of the same lanes.
    pub(crate) fn given(&self, lanes: u32, number: usize, thread: usize) -> Bits {
        self.given.get(&(thread, lanes)).map_or(0, |given| given[number % 2])
    }

    /// The value of a `bool`.
    pub(crate) fn condition(&mut self, node: &Node) -> Run<bool> {
        self.value(node).map(bool::decode)
    }

    /// The value of an `i64`.
    pub(crate) fn integer(&mut self, node: &Node) -> Run<i64> {
        self.value(node).map(|value| value as i64)
    }

    fn load(&mut self, place: &Place) -> Run<Bits> {
        match self.offset(place, "reads")? {
            Some(offset) => self.read_at(place, offset, "reads"),
            None => Ok(0),
        }
    }

    /// The element at a position in its storage.
    pub(super) fn read_at(&mut self, place: &Place, offset: usize, action: &'static str) -> Run<Bits> {
        let size = place.element.size_bytes();
        match self.bytes(place.memory).get(offset * size..(offset + 1) * size) {
            Some(bytes) => Ok(read(bytes, place.element)),
            None => Err(self.outside(place, action, offset as i64)),
        }
    }

    /// The position in the tensor's storage, in elements; `None` if the access is masked off.
    pub(super) fn offset(&mut self, place: &Place, action: &'static str) -> Run<Option<usize>> {
        // Coordinates may contain accesses, so the buffer is moved out during their evaluation.
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

    /// The position in the storage, from the row-major index of an element.
    fn position(&self, place: &Place, action: &'static str, index: i64) -> Run<usize> {
        let element = usize::try_from(index).ok().filter(|&index| index < self.length(place));
        let Some(element) = element else { return Err(self.outside(place, action, index)) };
        // The map of a shared array gives the position directly.
        let Some(tensor) = self.tensor(place.memory) else { return Ok(element) };
        let digits = digits(element, tensor.shape().iter().rev().map(|dimension| *dimension as usize));
        Ok(digits.zip(tensor.strides().iter().rev()).map(|(digit, stride)| digit * *stride as usize).sum())
    }

    fn tensor(&self, memory: Memory) -> Option<&Tensor> {
        match memory {
            Memory::Param(ParamId(id)) => self.tensors.get(id as usize)?.as_deref(),
            Memory::Shared(_) => None,
        }
    }

    /// The number of elements of the accessed memory.
    fn length(&self, place: &Place) -> usize {
        match place.memory {
            Memory::Param(_) => self.tensor(place.memory).map_or(0, Tensor::len),
            Memory::Shared(array) => self.program.length_of(array.0 as usize),
        }
    }

    fn bytes(&mut self, memory: Memory) -> &mut [u8] {
        match memory {
            Memory::Param(ParamId(id)) => match self.tensors.get_mut(id as usize) {
                Some(Some(tensor)) => tensor.bytes_mut(),
                _ => &mut [],
            },
            Memory::Shared(array) => {
                let own = self.part(array);
                self.shared.get_mut(array.0 as usize).and_then(|bytes| bytes.get_mut(own)).unwrap_or_default()
            }
        }
    }

    fn array(&self, id: SharedId) -> Option<&SharedArray> {
        self.program.kernel.shared.get(id)
    }

    /// The bytes of a shared array that the current thread may access: all, unless each thread holds a part.
    fn part(&self, id: SharedId) -> Range<usize> {
        let Some(array) = self.array(id) else { return 0..0 };
        let bytes = self.program.part_bytes(id.0 as usize);
        let thread = match array.held {
            Residence::Shared => 0,
            Residence::Registers => usize::try_from(self.thread).unwrap_or(0),
        };
        thread * bytes..(thread + 1) * bytes
    }

    fn name(&self, place: &Place) -> String {
        self.program.kernel.memory_name(place.memory).map_or_else(String::new, ToString::to_string)
    }

    fn place(&self) -> error::Place {
        error::Place { block: self.block, thread: self.thread }
    }

    fn outside(&self, place: &Place, action: &'static str, index: i64) -> Box<ExecuteError> {
        Box::new(ExecuteError::Outside {
            kernel: self.program.kernel.name.to_string(),
            tensor: self.name(place),
            place: self.place(),
            action,
            index,
            length: self.length(place) as u64,
        })
    }
}

/// The value of an element's bytes. Any nonzero byte is a true `bool`.
fn read(bytes: &[u8], element: ElementType) -> Bits {
    let mut front = [0; 8];
    front[..bytes.len()].copy_from_slice(bytes);
    Scalar::from_bytes(element, front).to_bits()
}
