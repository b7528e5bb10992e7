//! Units and tilings, against the vectors and against their definitions.

mod completion;
mod oracle;
mod random;
mod vectors;
