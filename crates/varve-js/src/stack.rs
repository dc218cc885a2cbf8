//! Run a recursive parser with as much stack as its input may need.
//!
//! The parser and the visitors recurse once per level of nesting, without a limit of their own; a
//! stack overflow would end the process. So the depth is bounded beforehand
//! ([`crate::nesting`]) and the work runs on a thread whose stack is large enough for it. Only
//! the pages that are touched cost memory.

use std::thread;

use crate::nesting;

/// What one level of nesting may cost in the parser and the visitor together. Measured with the
/// test below: unoptimised builds need several times as much.
const BYTES_PER_LEVEL: usize = if cfg!(debug_assertions) {
    24 << 10
} else {
    4 << 10
};

/// Depth that is sure to fit on the stack of any thread that calls us.
const SHALLOW: usize = if cfg!(debug_assertions) { 16 } else { 96 };

/// Stack for what does not depend on depth.
const HEADROOM: usize = 256 << 10;

/// Deepest source that is parsed. Real bundles stay below a few thousand.
pub(crate) const MAX_DEPTH: usize = if cfg!(debug_assertions) {
    20_000
} else {
    60_000
};

/// Why the work was not done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooDeep;

/// Runs `work` with stack for everything that `source` can nest.
pub(crate) fn with_stack_for<T: Send>(
    source: &str,
    work: impl FnOnce() -> T + Send,
) -> Result<T, TooDeep> {
    let look = nesting::look(source, MAX_DEPTH).ok_or(TooDeep)?;
    with_stack(look.depth, work)
}

/// Runs `work` with stack for so many levels.
pub(crate) fn with_stack<T: Send>(
    depth: usize,
    work: impl FnOnce() -> T + Send,
) -> Result<T, TooDeep> {
    if depth <= SHALLOW {
        return Ok(work());
    }
    thread::scope(|scope| {
        thread::Builder::new()
            .name("varve-js".to_owned())
            .stack_size(HEADROOM + depth * BYTES_PER_LEVEL)
            .spawn_scoped(scope, work)
            .map_err(|_| TooDeep)?
            .join()
            .map_err(|_| TooDeep)
    })
}
