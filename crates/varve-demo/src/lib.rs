//! An example web on loopback, to show and to test with.
