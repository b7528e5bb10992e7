//! Compiles typed kernels to machine code in memory.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{
    AbiParam, Block, Function, InstBuilder, InstructionData, Opcode, StackSlotData, StackSlotKind, Type, UserFuncName,
    Value, types,
};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use kernel::BoundsChecks;
use kernel::loops::Node;
use kernel::typed::{Kernel, Statement};
use rustc_hash::{FxHashMap, FxHashSet};

use super::options::Options;
use super::phases::phase::{BlockArray, Phase, Phased};
use super::program::Taken;
use crate::cpu::calls::products::tile_loops;
use crate::cpu::indices::forms::Forms;
use crate::cpu::launch::launch_table::LaunchTable;
use crate::cpu::launch::scratch::first_lines;
use crate::cpu::launch::table_layout::TableLayout;
use crate::cpu::lowering::emitter::{Emitter, Ids};
use crate::execute::error::ExecuteError;

/// Runs the blocks `first..last`; `table` is the launch's table.
pub type BlockFunction = unsafe extern "C" fn(table: *const u64, first: i64, last: i64);

/// Machine code, and the data that its launch has to provide.
pub struct Code {
    /// Kept only to free the code; the lock makes it shareable between threads. `None` only while it is dropped.
    module: Mutex<Option<JITModule>>,
    pub lowered: Lowered,
}

/// A function in memory, and the data that its launch has to provide.
pub struct Lowered {
    pub function: BlockFunction,
    pub launch: LaunchTable,
    pub layout: TableLayout,
    /// The arrays that each worker needs for its blocks.
    pub arrays: Vec<BlockArray>,
}

impl Drop for Code {
    fn drop(&mut self) {
        let module = self.module.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(module) = module {
            // SAFETY: the only pointer into the module's memory is `function`, which is called through `&self` alone,
            // so no call is running and none can follow.
            unsafe { module.free_memory() };
        }
    }
}

/// Compiles a kernel that has passed [`crate::execute::check::check`]. So many of its arrays are those of cores and not of blocks.
pub fn compile(kernel: &Kernel, options: Options, gathered: usize) -> Result<Code, ExecuteError> {
    let refused = |reason: String| ExecuteError::Codegen { kernel: kernel.name.to_string(), reason };
    let isa = processor(optimisation(kernel)).map_err(refused)?;
    let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
    match define(kernel, options, gathered, &mut module) {
        Ok(lowered) => Ok(Code { module: Mutex::new(Some(module)), lowered }),
        Err(reason) => {
            // SAFETY: no pointer into the module's memory was kept.
            unsafe { module.free_memory() };
            Err(refused(reason))
        }
    }
}

/// With more operations than this, a kernel is compiled without moving what stays the same out of its loops: thousands of
/// constants would then ask for registers at the same time, and finding some takes time by the square of their number.
const MOST_OPTIMISED: usize = 8192;

/// The code generator's level of optimisation for a kernel.
fn optimisation(kernel: &Kernel) -> &'static str {
    let mut operations = 0usize;
    Statement::walk_expressions(&kernel.body, &mut |_| operations += 1);
    if operations > MOST_OPTIMISED { "none" } else { "speed" }
}

/// The code generator for this processor.
fn processor(optimisation: &str) -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    let settings = [
        ("opt_level", optimisation),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("unwind_info", "false"),
        ("enable_verifier", verify),
    ];
    for (name, value) in settings {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    let builder = cranelift_native::builder().map_err(str::to_owned)?;
    builder.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())
}

fn define(kernel: &Kernel, options: Options, gathered: usize, module: &mut JITModule) -> Result<Lowered, String> {
    let mut context = module.make_context();
    let mut frontend = FunctionBuilderContext::new();
    let parameters = [module.target_config().pointer_type(), types::I64, types::I64];
    context.func.signature.params.extend(parameters.map(AbiParam::new));
    let id = module
        .declare_function("run_blocks", Linkage::Local, &context.func.signature)
        .map_err(|error| error.to_string())?;
    context.func.name = UserFuncName::user(0, id.as_u32());
    let builder = FunctionBuilder::new(&mut context.func, &mut frontend);
    let mut phased = phased(kernel, options);
    let is_cut = kernel.has_barriers() || kernel.shared.len() > gathered;
    let ids = Ids { block: phased.program.id(Node::Block), thread: phased.program.id(Node::Thread) };
    let layout = TableLayout::new(kernel, &phased.program.arrays);
    let launch = lower(kernel, &phased, (ids, layout, options), builder, module, |emitter, first, last| {
        match phased.body.as_slice() {
            [Phase::Threads(region)] if !is_cut => {
                emitter.members = region.threads.clone();
                emitter.blocks(first, last, &region.body);
            }
            phases => emitter.phased_blocks(first, last, phases),
        }
    });
    module.define_function(id, &mut context).map_err(|error| format!("{error:?}"))?;
    module.clear_context(&mut context);
    module.finalize_definitions().map_err(|error| error.to_string())?;
    let address = module.get_finalized_function(id);
    // SAFETY: the function was just defined with this signature and the platform's calling convention.
    let function = unsafe { std::mem::transmute::<*const u8, BlockFunction>(address) };
    let Phased { program, .. } = phased;
    Ok(Lowered { function, launch, layout, arrays: program.arrays })
}

/// The phases of a kernel. Where no access is checked, loops that add products for a tile of threads are regions of their own.
pub fn phased(kernel: &Kernel, options: Options) -> Phased<'_> {
    let is_guarded = options.bounds == BoundsChecks::Guarded;
    let phased = Phased::new(kernel, is_guarded, &FxHashSet::default());
    if is_guarded {
        return phased;
    }
    let loops = tile_loops(&phased, kernel.launch.threads.as_constant(), options);
    if loops.is_empty() { phased } else { Phased::new(kernel, is_guarded, &loops) }
}

/// Fills the function: a loop over blocks around the work of the threads.
fn lower<'l>(
    kernel: &'l Kernel,
    phased: &'l Phased<'l>,
    (ids, layout, options): (Ids, TableLayout, Options),
    mut builder: FunctionBuilder<'_>,
    module: &JITModule,
    blocks: impl FnOnce(&mut Emitter<'l, '_>, Value, Value),
) -> LaunchTable {
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    builder.seal_block(entry);
    let [table, first, last] = [0, 1, 2].map(|position| builder.block_params(entry)[position]);
    let mut emitter = Emitter {
        kernel,
        program: &phased.program,
        builder,
        forms: Forms::new(&phased.program, &NOTHING_TAKEN, options),
        layout,
        first_lines: first_lines(&phased.program.arrays, kernel.launch.threads.as_constant()),
        table,
        target: module.target_config(),
        ids,
        counters: HashMap::new(),
        nest: Vec::new(),
        lanes: None,
        splits: false,
        members: None,
        plain: false,
        places: FxHashMap::default(),
        moved: None,
    };
    blocks(&mut emitter, first, last);
    emitter.builder.ins().return_(&[]);
    let target = emitter.target;
    let Emitter { builder, forms, .. } = emitter;
    use_constants(builder.func, entry);
    builder.finalize(target);
    forms.launch
}

/// The most constants that are used where a function starts.
const MOST_CONSTANTS: usize = 256;

/// Uses every constant once where the function starts. The code generator moves an operation out of the loops in which its
/// operands do not change. It places a constant just outside the innermost loop around its first use, though, so that
/// whatever is computed from it would stay inside the other loops.
fn use_constants(function: &mut Function, entry: Block) {
    let mut constants = BTreeSet::new();
    for inst in function.layout.blocks().flat_map(|block| function.layout.block_insts(block)) {
        if let InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } = function.dfg.insts[inst] {
            let type_ = function.dfg.value_type(function.dfg.first_result(inst));
            constants.insert((type_.bits(), imm.bits()));
        }
    }
    let slot = function.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 8, 3));
    let mut cursor = FuncCursor::new(function).at_first_insertion_point(entry);
    for (bits, value) in constants.into_iter().take(MOST_CONSTANTS) {
        let Some(type_) = Type::int(bits as u16) else { continue };
        let constant = cursor.ins().iconst(type_, value);
        cursor.ins().stack_store(types::I64, constant, slot, 0);
    }
}

/// Outside all barrier regions, no value comes from an array.
static NOTHING_TAKEN: Taken = Taken::new();
