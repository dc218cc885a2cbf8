//! The words that the program understands.

mod aggregate;
mod crawl;
mod mementomap;
mod memo;

pub(crate) use aggregate::{AggregateArgs, FormArg};
pub(crate) use crawl::{CrawlArgs, ScopeArg, Size, TechniqueArg, TierArg};
pub(crate) use mementomap::{
    CompactArgs, EvaluateArgs, FormatArg, GenerateArgs, IndexFilterArgs, LookupArgs, MapTo,
    MementomapArgs, MementomapCommand, MergeArgs, RollUpArgs, StatsArgs,
};
pub(crate) use memo::{MemoArgs, MemoClearArgs, MemoCommand, MemoLsArgs, MemoShowArgs};

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use varve_serve::PublicOrigin;

/// A web archive that understands JavaScript.
#[derive(Debug, Parser)]
#[command(name = "varve", version, after_help = crate::exit::HELP, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Only errors on stderr
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Oddities too, not only damage
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Results on stdout as JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// When to colour messages
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Ask many archives as one: TimeMaps, TimeGates and mementos (RFC 7089)
    ///
    /// Looks a URL up in all archives of a list and prints what they have, or serves that over
    /// HTTP as MemGator does. Archives whose MementoMap excludes a URL are not asked; at the
    /// deadline there is an answer, whoever is missing. Addresses that are not public are not
    /// contacted unless allowed.
    Aggregate(Box<AggregateArgs>),
    /// Save pages and sites from the live web into a collection
    ///
    /// Each page is saved with everything it needs: over HTTP where that loses nothing, in
    /// Chromium where scripts decide. Links are followed as far as --scope says, politely. A crawl
    /// that was interrupted, however, goes on when the same command is given again. The summary
    /// proves what was captured.
    Crawl(Box<CrawlArgs>),
    /// Serve the example web on loopback, to try things on
    ///
    /// Several sites under names that exist nowhere else. Prints how to crawl them.
    DemoSite(DemoSiteArgs),
    /// Add WARC, ARC or WACZ files to a collection as a new layer
    ///
    /// Files are copied as they stand, checked and indexed on the way. A file that is in the
    /// collection already adds nothing. What is damaged in a file is reported with its offset and
    /// set aside; everything else is kept. An interrupted import is run again with the same words.
    Import(ImportArgs),
    /// Write a collection as one WACZ or WARC for other tools
    Export(ExportArgs),
    /// Tell which scripts crawls leave out, and why
    ///
    /// Scripts of third parties that only talk to servers (they count, advertise, ask for consent)
    /// cannot work in an archive. Crawls do not ask for them, unless told so with --no-filter.
    Filter(FilterArgs),
    /// Look up captures of a URL
    ///
    /// Prints CDXJ lines in order of URL and time. URL may end in `*` (everything below) or begin
    /// with `*.` (a domain and its subdomains).
    Find(FindArgs),
    /// Show archived pages in the browser
    ///
    /// Prints the URL to open. Archived content is on origins of its own, apart from the archive's
    /// pages and, in the host layout, apart from all other archived content. Nothing of it reaches
    /// the live web.
    Serve(ServeArgs),
    /// Check every byte of collections or archive files
    ///
    /// Framing, lengths and digests of every record, the index against the records and the
    /// records against the index, all files against the manifest. Exit code 5 on any damage.
    Audit(AuditArgs),
    /// Replay pages in Chromium and compare them with their captures
    ///
    /// Requests, complaints, pictures and text. Writes a report with pictures side by side, and
    /// names everything that is wrong. Exit code 5 if a page is not within the limits.
    Qa(QaArgs),
    /// Store apart what never ran of scripts, verified by replaying
    ///
    /// The bodies of functions that no visit saw running are taken out of their scripts and stored
    /// by themselves, compressed hard; stubs in their place fetch them when a page calls them after
    /// all, so nothing is lost. Crawls with --prune tell what ran; of others, and of imported files,
    /// pages are visited to learn it, without a network. Pages are replayed in Chromium before
    /// and after, and only if none of them is worse do the new layers take the place of the old.
    /// Scripts of pages that differ stay whole. Interrupted, it leaves the collection as it was.
    Prune(PruneArgs),
    /// Tell what crawls learned of the scripts of sites
    ///
    /// Crawls visit a few pages of a site in Chromium and learn what scripts ask for there; most
    /// other pages are then saved without a browser. The next crawl of the collection begins with
    /// what the last one knew.
    Memo(MemoArgs),
    /// Profiles of archives: which parts of the web they hold
    ///
    /// A MementoMap is a small sorted text that says which URLs an archive may hold, so that others
    /// need not ask. All commands read FILE or `-`, plain or compressed, and write to stdout or to
    /// `-o FILE`.
    Mementomap(Box<MementomapArgs>),
}

#[derive(Debug, Args)]
pub(crate) struct DemoSiteArgs {
    /// Where to listen, on loopback
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8800")]
    pub(crate) listen: std::net::SocketAddr,
    /// Write the certificate of its authority here
    #[arg(long, value_name = "FILE", default_value = "demo-ca.pem")]
    pub(crate) ca_file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// WARC, ARC (plain, .gz, .zst) or WACZ files, or directories of them
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The collection; made when it is not there
    #[arg(short, long, value_name = "DIR", default_value = "varve-archive")]
    pub(crate) collection: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The collection
    #[arg(value_name = "DIR")]
    pub(crate) collection: PathBuf,
    /// The file to write: OUT.wacz, OUT.warc.gz, OUT.warc.zst or OUT.warc
    #[arg(value_name = "OUT")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct FilterArgs {
    #[command(subcommand)]
    pub(crate) command: FilterCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FilterCommand {
    /// Say whether a script would be asked for, and by which rule not
    Test(FilterTestArgs),
    /// Name the lists that crawls go by
    Lists(FilterLists),
}

#[derive(Debug, Args)]
pub(crate) struct FilterTestArgs {
    /// The script
    pub(crate) url: String,
    /// The page that wants it
    #[arg(long, value_name = "URL")]
    pub(crate) page: String,
    #[command(flatten)]
    pub(crate) lists: FilterLists,
}

#[derive(Debug, Args)]
pub(crate) struct FilterLists {
    /// Go by this list, too (in the syntax of EasyList)
    #[arg(long, value_name = "FILE")]
    pub(crate) filter: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct FindArgs {
    /// The collection
    #[arg(value_name = "DIR")]
    pub(crate) collection: PathBuf,
    /// The URL, also as `example.org/*` or `*.example.org`
    pub(crate) url: String,
    /// What counts as a match
    #[arg(long = "match", value_name = "HOW")]
    pub(crate) how: Option<MatchHow>,
    /// The first URL that no longer belongs (`--match range`)
    #[arg(long, value_name = "URL")]
    pub(crate) until_url: Option<String>,
    /// Captured at this time or later (4 to 17 digits: 2014, 201402, ...)
    #[arg(long, value_name = "TIME")]
    pub(crate) from: Option<String>,
    /// Captured at this time or earlier
    #[arg(long, value_name = "TIME")]
    pub(crate) to: Option<String>,
    /// Nearest to this time first
    #[arg(long, value_name = "TIME", conflicts_with = "reverse")]
    pub(crate) closest: Option<String>,
    /// Last first
    #[arg(long)]
    pub(crate) reverse: bool,
    /// Only captures whose field matches: `field:part`, `=field:whole`, `~field:regex`; `!` before
    /// it negates
    #[arg(long, value_name = "FILTER")]
    pub(crate) filter: Vec<String>,
    /// One of neighbours that agree in a field, or in its first N characters: `timestamp:6`
    #[arg(long, value_name = "FIELD[:N]")]
    pub(crate) collapse: Option<String>,
    /// Only these fields, separated by commas
    #[arg(long, value_name = "FIELDS", value_delimiter = ',')]
    pub(crate) fields: Vec<String>,
    /// At most so many
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Without the first so many
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) offset: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MatchHow {
    /// This URL
    Exact,
    /// URLs that begin like this one
    Prefix,
    /// URLs of this host
    Host,
    /// URLs of this host and its subdomains
    Domain,
    /// URLs from this one up to --until-url
    Range,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The collections
    #[arg(value_name = "DIR", default_value = "varve-archive")]
    pub(crate) collections: Vec<PathBuf>,
    /// Where the archive's own pages are
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8080")]
    pub(crate) listen: std::net::SocketAddr,
    /// Where archived URLs are put
    #[arg(long, value_name = "HOW", default_value = "host")]
    pub(crate) layout: LayoutArg,
    /// The name below which archived hosts are (`--layout host`)
    #[arg(long, value_name = "NAME", default_value = "replay.localhost")]
    pub(crate) replay_host: String,
    /// Where archived content is (`--layout path`)
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8081")]
    pub(crate) replay_listen: std::net::SocketAddr,
    /// The address of the archive's own pages as others see it, where a server that speaks TLS
    /// stands before this one (`https://archive.example.org`)
    #[arg(long, value_name = "URL", value_parser = public_origin)]
    pub(crate) public_url: Option<PublicOrigin>,
    /// The same of archived content (`--layout path`); it must be another one
    #[arg(long, value_name = "URL", value_parser = public_origin)]
    pub(crate) public_replay_url: Option<PublicOrigin>,
    /// A list of what may not be shown, and when: embargoes and takedowns
    ///
    /// Lines such as `com,example)/private - {"access": "block"}`, as pywb has them. They hold in
    /// every interface, and are read again when the file changes.
    #[arg(long, value_name = "FILE")]
    pub(crate) access: Option<PathBuf>,
    /// Let those who know the token in this file add files and take URLs down, at /admin
    ///
    /// The file holds one word of at least 16 characters and may be readable by its owner only.
    /// Without it nothing can be changed. Taking down needs --access, too.
    #[arg(long, value_name = "FILE")]
    pub(crate) admin_token: Option<PathBuf>,
    /// How much may be sent to /admin at once
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "16GB",
        requires = "admin_token"
    )]
    pub(crate) upload_limit: Size,
    /// Be a proxy here, for browsers that have the archive for their web
    #[arg(long, value_name = "ADDR:PORT")]
    pub(crate) proxy_listen: Option<std::net::SocketAddr>,
    /// Keep the key and certificate of the proxy in this file; without it both are new each time
    #[arg(long, value_name = "FILE", requires = "proxy_listen")]
    pub(crate) proxy_ca: Option<PathBuf>,
    /// The time that the proxy shows, in 4 to 14 digits; without it the latest
    #[arg(long, value_name = "TIMESTAMP", requires = "proxy_listen", value_parser = moment)]
    pub(crate) proxy_time: Option<varve_model::Timestamp>,
}

/// A moment by the digits it begins with.
fn moment(text: &str) -> Result<varve_model::Timestamp, String> {
    varve_model::Timestamp::earliest_of(text).map_err(|error| error.to_string())
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LayoutArg {
    /// A host name for each archived origin and time
    Host,
    /// The archived URL in the path, at an address of its own
    Path,
}

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// Collections, WARC, ARC or WACZ files
    #[arg(required = true, value_name = "DIR|FILE")]
    pub(crate) targets: Vec<PathBuf>,
    /// Make the indexes of collections anew from their records first
    #[arg(long)]
    pub(crate) rebuild_index: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PruneArgs {
    /// The collection
    #[arg(value_name = "DIR")]
    pub(crate) collection: PathBuf,
    /// Where a crawl did not tell what runs, visit so many of its pages to learn it, or `all`
    #[arg(long, value_name = "N|all", default_value = "100")]
    pub(crate) learn: PagesArg,
    /// Replay so many pages before and after, evenly spread over the collection, or `all`
    #[arg(long, value_name = "N|all", default_value = "20")]
    pub(crate) verify: PagesArg,
    /// What becomes of what is taken out
    #[arg(long, default_value = "keep")]
    pub(crate) cold: ColdArg,
    /// Pack all records anew (imported files stay as they are)
    #[arg(long, value_name = "HOW")]
    pub(crate) compress: Option<CompressArg>,
    /// Keep the layers as they were, in `originals/` of the collection
    #[arg(long)]
    pub(crate) keep_original: bool,
    /// Only say what would come of it
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Pages that are replayed at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    pub(crate) workers: Option<usize>,
}

/// How records are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompressArg {
    /// With zstd, and a dictionary for each kind of content: other tools read that
    Zstd,
    /// The same, and JPEG pictures packed without loss, a fifth smaller: others read these from exports
    Smallest,
}

/// What becomes of what is taken out of scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColdArg {
    /// It is stored apart, and fetched when a page needs it after all
    Keep,
    /// It is removed for good; a page that needs it gets an error there
    Drop,
}

/// So many pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PagesArg {
    All,
    Some(usize),
}

impl std::str::FromStr for PagesArg {
    type Err = String;

    fn from_str(text: &str) -> Result<PagesArg, String> {
        match (text, text.parse()) {
            ("all", _) => Ok(PagesArg::All),
            (_, Ok(number)) if number > 0 => Ok(PagesArg::Some(number)),
            _ => Err("expected a number of pages, or `all`".to_owned()),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct QaArgs {
    /// The collection
    #[arg(value_name = "DIR")]
    pub(crate) collection: PathBuf,
    /// Check so many pages, evenly spread over the collection
    #[arg(long, value_name = "N", default_value_t = 50, conflicts_with = "all")]
    pub(crate) pages: usize,
    /// Check every page
    #[arg(long)]
    pub(crate) all: bool,
    /// Only pages whose URLs match; `*` stands for anything
    #[arg(long, value_name = "PATTERN")]
    pub(crate) url: Option<String>,
    /// Pages visited at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    pub(crate) workers: Option<usize>,
    /// Where the report goes: a directory that is new, empty or holds an earlier report
    #[arg(long, value_name = "OUT_DIR", default_value = "varve-qa")]
    pub(crate) report: PathBuf,
    /// Requests of a page that the archive may not have
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) max_missing: usize,
    /// Requests of a page that may fail
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) max_failed: usize,
    /// New complaints on the console of a page
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) max_errors: usize,
    /// How much of a page's picture may differ
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = percent)]
    pub(crate) max_picture: f64,
    /// How much of a page's text may differ
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = percent)]
    pub(crate) max_text: f64,
    /// Replay on a telephone, whatever captured the pages
    #[arg(long)]
    pub(crate) phone: bool,
    /// What replay does so that pages find what was saved for them; all but `all` are to see what
    /// each is good for
    #[arg(long, value_name = "MEANS", default_value = "all", hide = true)]
    pub(crate) means: MeansArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MeansArg {
    None,
    Matching,
    Pinning,
    All,
}

fn percent(text: &str) -> Result<f64, String> {
    let percent: f64 = text.trim_end_matches('%').parse().unwrap_or(f64::NAN);
    let is_share = (0.0..=100.0).contains(&percent);
    is_share
        .then_some(percent)
        .ok_or_else(|| "a percentage is a number from 0 to 100".to_owned())
}

fn public_origin(text: &str) -> Result<PublicOrigin, String> {
    let why = "it must be like https://archive.example.org, without a path";
    PublicOrigin::parse(text).ok_or_else(|| why.to_owned())
}
