//! Units and tilings, against the vectors and against their definitions.

mod oracle;
mod random;
mod vectors;
