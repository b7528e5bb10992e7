//! Tests of the whole room.

mod canonical;
