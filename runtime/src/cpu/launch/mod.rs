//! What a launch needs besides machine code: the table that the code reads, the memory of blocks, and the cores.

pub mod launch_table;
pub mod run;
pub mod scratch;
pub mod table_layout;
