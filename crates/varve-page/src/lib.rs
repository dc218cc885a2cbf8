//! Understand documents.
