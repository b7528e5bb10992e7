//! What a file means and what is wrong with it, asked as a command or an editor asks.

mod barriers;
mod evaluate;
mod kernels;
mod transforms;
