//! Understand scripts.
