//! Visit the live web and hand over exchanges.
