//! Tests of the texts; that they mean what the map means is tested by executing them, in the crate of tests.
