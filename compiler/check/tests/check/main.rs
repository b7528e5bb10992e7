//! What a file means and what is wrong with it, asked as a command or an editor asks.

mod effects;
mod evaluate;
mod kernels;
mod transforms;
