//! What an archive holds, as a small sorted text: MementoMaps made, shrunk, merged, asked and
//! judged.

mod adaptive;
mod bytes;
mod chart;
mod compact;
mod error;
mod evaluate;
mod filter;
mod frequency;
mod generate;
mod header;
mod input;
mod key;
mod lookup;
mod merge;
mod output;
mod record;
mod sort;
mod stats;
mod tree;
mod tune;

pub use adaptive::{Absent, Asked, Better, Improved, improve};
pub use chart::{Axes, Series, chart};
pub use compact::{Compacted, PowerLaw, RollUp, compact};
pub use error::{MapError, Result};
pub use evaluate::{Evaluation, GRID, Truth, Weighed, asked, evaluate, grid, grid_chart};
pub use filter::KeyFilter;
pub use frequency::{Count, Frequency};
pub use generate::{Counter, Filter, Format, Generated, Wanted};
pub use header::{About, merged_headers};
pub use input::{Input, Lines};
pub use key::{asked_key, is_wildcard, key_of};
pub use lookup::{Answer, Map};
pub use merge::merge_maps;
pub use output::{MapOutput, Output};
pub use record::{Record, Records};
pub use sort::sort_map;
pub use stats::{Depth, Holding, Holdings, Profiler, Year, html, text};
pub use tune::{Fit, Level, Shape, fit, fitted, shape, weighed_for};
