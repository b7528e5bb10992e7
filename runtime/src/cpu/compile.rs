//! From a typed kernel to machine code in memory.

use std::sync::{Mutex, PoisonError};

use cranelift_codegen::ir::{AbiParam, InstBuilder, UserFuncName, Value, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use kernel::typed::Kernel;

use super::emitter::{Emitter, declare_variables, zero};
use super::forms::Forms;
use super::launch_table::LaunchTable;
use super::options::Options;
use super::phases::{BlockArray, Phased};
use super::table_layout::TableLayout;
use super::usage::Usage;
use crate::execute::error::ExecuteError;

/// Runs the blocks `first..last`; the pointer is to the launch's table.
pub type BlockFunction = unsafe extern "C" fn(table: *const u64, first: i64, last: i64);

/// Machine code and what it asks its launch for.
pub struct Code {
    /// Kept only to be freed; nobody looks into it, the lock is what lets threads share the code. `None` only while it
    /// is dropped.
    module: Mutex<Option<JITModule>>,
    pub lowered: Lowered,
}

/// A function in memory, and what its launch has to provide.
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
            // so no call is under way and none can follow.
            unsafe { module.free_memory() };
        }
    }
}

/// Compiles a kernel that [`crate::execute::check::check`] has passed.
pub fn compile(kernel: &Kernel, options: Options) -> Result<Code, ExecuteError> {
    let refused = |reason: String| ExecuteError::Codegen { kernel: kernel.name.to_string(), reason };
    let isa = processor().map_err(refused)?;
    let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
    match define(kernel, options, &mut module) {
        Ok(lowered) => Ok(Code { module: Mutex::new(Some(module)), lowered }),
        Err(reason) => {
            // SAFETY: no pointer into the module's memory was kept.
            unsafe { module.free_memory() };
            Err(refused(reason))
        }
    }
}

/// The code generator for the processor that this runs on.
fn processor() -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    let settings = [
        ("opt_level", "speed"),
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

fn define(kernel: &Kernel, options: Options, module: &mut JITModule) -> Result<Lowered, String> {
    let mut context = module.make_context();
    let mut frontend = FunctionBuilderContext::new();
    let parameters = [module.target_config().pointer_type(), types::I64, types::I64];
    context.func.signature.params.extend(parameters.map(AbiParam::new));
    let id = module
        .declare_function("run_blocks", Linkage::Local, &context.func.signature)
        .map_err(|error| error.to_string())?;
    context.func.name = UserFuncName::user(0, id.as_u32());
    let builder = FunctionBuilder::new(&mut context.func, &mut frontend);
    let is_cut = kernel.has_barriers() || !kernel.shared.is_empty();
    let (launch, layout, arrays) = if is_cut {
        let phased = Phased::new(kernel);
        let usage = Usage::default();
        let launch = lower(&phased.kernel, &usage, options, builder, module, |emitter, first, last| {
            emitter.phased_blocks(first, last, &phased);
        });
        (launch, TableLayout::new(&phased.kernel), phased.arrays)
    } else {
        let usage = Usage::new(kernel);
        let launch = lower(kernel, &usage, options, builder, module, |emitter, first, last| {
            emitter.blocks(first, last, &kernel.body);
        });
        (launch, TableLayout::new(kernel), Vec::new())
    };
    module.define_function(id, &mut context).map_err(|error| format!("{error:?}"))?;
    module.clear_context(&mut context);
    module.finalize_definitions().map_err(|error| error.to_string())?;
    let address = module.get_finalized_function(id);
    // SAFETY: the function was just defined with this signature and the platform's calling convention.
    let function = unsafe { std::mem::transmute::<*const u8, BlockFunction>(address) };
    Ok(Lowered { function, launch, layout, arrays })
}

/// Fills the function: a loop over the blocks around the threads' work.
fn lower<'k>(
    kernel: &'k Kernel,
    usage: &'k Usage,
    options: Options,
    mut builder: FunctionBuilder<'_>,
    module: &JITModule,
    blocks: impl FnOnce(&mut Emitter<'k, '_>, Value, Value),
) -> LaunchTable {
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    builder.seal_block(entry);
    let [table, first, last] = [0, 1, 2].map(|position| builder.block_params(entry)[position]);
    let block = builder.declare_var(types::I64);
    let thread = builder.declare_var(types::I64);
    let run = builder.declare_var(types::I64);
    let digits = [builder.declare_var(types::I64), builder.declare_var(types::I64)];
    let nothing = zero(&mut builder, types::I64);
    for counter in [thread, run, digits[0], digits[1]] {
        builder.def_var(counter, nothing);
    }
    let locals = declare_variables(&mut builder, kernel);
    let mut emitter = Emitter {
        kernel,
        usage,
        builder,
        forms: Forms::new(kernel, usage, options),
        layout: TableLayout::new(kernel),
        table,
        target: module.target_config(),
        locals,
        block,
        thread,
        run,
        digits,
        nest: Vec::new(),
        lanes: None,
        splits: false,
        members: None,
        plain: false,
        outer_counters: Vec::new(),
    };
    blocks(&mut emitter, first, last);
    emitter.builder.ins().return_(&[]);
    let target = emitter.target;
    let Emitter { builder, forms, .. } = emitter;
    builder.finalize(target);
    forms.launch
}
