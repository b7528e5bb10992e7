//! What kernels mean: machine code, the interpreter and the adversary beside it, in one program.

mod added_executor;
mod adversary;
mod barriers;
mod collectives;
mod execute;
mod operators;
mod patterns;
mod random_kernels;
mod wrapping;
