//! The words of `varve mementomap`.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct MementomapArgs {
    #[command(subcommand)]
    pub(crate) command: MementomapCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MementomapCommand {
    /// Make a map of what an archive holds
    Generate(GenerateArgs),
    /// Make a map smaller, by wildcards in place of hosts and directories with many children
    Compact(CompactArgs),
    /// Make one map of several
    Merge(MergeArgs),
    /// Ask a map about URLs
    Lookup(LookupArgs),
    /// Tell the holdings of an archive in figures
    Stats(StatsArgs),
    /// Tell what a map costs and how often it is right
    Evaluate(EvaluateArgs),
}

/// Where a map goes.
#[derive(Debug, Args)]
pub(crate) struct MapTo {
    /// The file to write, compressed if it ends in .gz or .zst [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write several files of at most so many lines, which name each other
    #[arg(long, value_name = "N", requires = "out")]
    pub(crate) page_lines: Option<u64>,
}

/// How names are told apart, and when they roll up. Without a weight the command has its own.
#[derive(Debug, Args)]
pub(crate) struct RollUpArgs {
    /// Hosts roll up when they have more children than this times the power law, or `inf`
    #[arg(long, value_name = "W")]
    pub(crate) host_weight: Option<f64>,
    /// The same for directories
    #[arg(long, value_name = "W")]
    pub(crate) path_weight: Option<f64>,
    /// Children of a host at depth 1, by the power law
    #[arg(long, value_name = "A", default_value_t = 16.329)]
    pub(crate) ha: f64,
    /// How fast they get fewer with depth
    #[arg(long, value_name = "K", default_value_t = 0.714)]
    pub(crate) hk: f64,
    /// Children of the root of a site, by the power law
    #[arg(long, value_name = "A", default_value_t = 24.546)]
    pub(crate) pa: f64,
    /// How fast they get fewer with depth
    #[arg(long, value_name = "K", default_value_t = 1.429)]
    pub(crate) pk: f64,
    /// Names of hosts are told apart down to this depth
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) max_host_depth: usize,
    /// Names in paths are told apart down to this depth
    #[arg(long, value_name = "N", default_value_t = 9)]
    pub(crate) max_path_depth: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FormatArg {
    /// CDX or CDXJ
    Index,
    /// URLs or keys, one on each line
    Urls,
    /// The log of a web server
    Log,
}

/// Which lines of an index count.
#[derive(Debug, Args)]
pub(crate) struct IndexFilterArgs {
    /// Only these media types, or those that begin so: `text/html`, `image/`
    #[arg(long, value_name = "TYPE")]
    pub(crate) mime: Vec<String>,
    /// Only these status codes, or those that begin so: `200`, `3`
    #[arg(long, value_name = "CODE")]
    pub(crate) status: Vec<String>,
    /// Only what was captured at this time or later (4 to 14 digits)
    #[arg(long, value_name = "TIME", value_parser = digits)]
    pub(crate) since: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// Indexes (CDX, CDXJ, ZipNum's .idx), lists of URLs, access logs, collections, or `-`
    #[arg(value_name = "FILE|DIR", default_value = "-")]
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) to: MapTo,
    /// What lines are [default: the first ones tell]
    #[arg(long, value_name = "WHAT")]
    pub(crate) format: Option<FormatArg>,
    #[command(flatten)]
    pub(crate) filter: IndexFilterArgs,
    /// Count originals, too: frequencies are `mementos/originals`
    #[arg(long)]
    pub(crate) originals: bool,
    /// The archive's address, for the header
    #[arg(long, value_name = "URL")]
    pub(crate) id: Option<String>,
    /// The archive's name, for the header
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Keys are sorted always; this is for those who say it anyway
    #[arg(long, hide = true)]
    pub(crate) sort: bool,
    #[command(flatten)]
    pub(crate) roll_up: RollUpArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CompactArgs {
    /// The map, or `-`
    #[arg(value_name = "MAP", default_value = "-")]
    pub(crate) map: PathBuf,
    #[command(flatten)]
    pub(crate) to: MapTo,
    #[command(flatten)]
    pub(crate) roll_up: RollUpArgs,
    /// Find weights that leave at most so many lines
    #[arg(long, value_name = "N", conflicts_with_all = ["host_weight", "path_weight"])]
    pub(crate) target_lines: Option<u64>,
    /// Find weights that leave at most so many lines for each key: 0.1 for a tenth
    #[arg(long, value_name = "R", conflicts_with_all = ["host_weight", "path_weight", "target_lines"])]
    pub(crate) target_cost: Option<f64>,
    /// Estimate the power laws from the map, and tell them
    #[arg(long, conflicts_with_all = ["ha", "hk", "pa", "pk"])]
    pub(crate) fit: bool,
    /// Roll up what costs least accuracy, instead of what has many children; holds the map in memory
    #[arg(long)]
    pub(crate) adaptive: bool,
    /// Look-ups to answer well: URLs, keys or an access log (with --adaptive)
    #[arg(long, value_name = "FILE", requires = "adaptive")]
    pub(crate) lookups: Option<PathBuf>,
    /// Say of what is asked for here and not held that it is not; holds the map in memory
    #[arg(long, value_name = "FILE")]
    pub(crate) absent: Option<PathBuf>,
    /// How often something must be asked for to be worth a line (with --absent)
    #[arg(long, value_name = "N", default_value_t = 2, requires = "absent")]
    pub(crate) absent_least: u64,
    /// The most lines that are spent on it (with --absent)
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "absent")]
    pub(crate) absent_most: usize,
    /// Write a filter that knows the keys behind the wildcards, for nearly exact answers
    #[arg(long, value_name = "FILE")]
    pub(crate) filter: Option<PathBuf>,
    /// Sort the map first
    #[arg(long)]
    pub(crate) sort: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The maps; one may be `-`
    #[arg(value_name = "MAP", required = true)]
    pub(crate) maps: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) to: MapTo,
    /// Sort the maps first
    #[arg(long)]
    pub(crate) sort: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LookupArgs {
    /// The map, or `-`
    #[arg(value_name = "MAP")]
    pub(crate) map: PathBuf,
    /// URLs, or keys such as `com,example)/path`
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<String>,
    /// More of them, one on each line (`-` reads stdin)
    #[arg(long, value_name = "FILE")]
    pub(crate) batch: Option<PathBuf>,
    /// The filter of the map
    #[arg(long, value_name = "FILE")]
    pub(crate) filter: Option<PathBuf>,
    /// The file to write [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// Indexes (CDX, CDXJ, ZipNum's .idx), collections, or `-`
    #[arg(value_name = "FILE|DIR", default_value = "-")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The file to write [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write a page with charts, too
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct EvaluateArgs {
    /// The map (not needed with --grid)
    #[arg(value_name = "MAP", required_unless_present = "grid")]
    pub(crate) map: Option<PathBuf>,
    /// What the archive holds: indexes, lists of URLs, or collections
    #[arg(long, value_name = "FILE|DIR", required = true)]
    pub(crate) index: Vec<PathBuf>,
    /// What is asked for: URLs, keys or an access log, or `-`
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) lookups: PathBuf,
    /// The filter of the map
    #[arg(long, value_name = "FILE", requires = "map")]
    pub(crate) filter: Option<PathBuf>,
    /// Judge the roll-up with 25 pairs of weights
    #[arg(long, conflicts_with = "map")]
    pub(crate) grid: bool,
    /// The table of the grid with commas
    #[arg(long, requires = "grid")]
    pub(crate) csv: bool,
    /// Write a chart of the grid
    #[arg(long, value_name = "FILE", requires = "grid")]
    pub(crate) svg: Option<PathBuf>,
    /// The file to write [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// The digits that a time begins with.
fn digits(text: &str) -> Result<String, String> {
    varve_model::Timestamp::earliest_of(text)
        .map(|_| text.to_owned())
        .map_err(|error| error.to_string())
}
