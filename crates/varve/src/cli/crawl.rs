//! The words of `varve crawl`: each is a flag and a line of the YAML file alike.

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::str::FromStr;

/// What was typed, or stood in the file. What is not there has a default, named with the flag.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct CrawlArgs {
    /// Where to begin
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<String>,
    /// More of them, one on each line (`-` reads stdin; `#` starts a comment)
    #[arg(long, value_name = "FILE")]
    pub(crate) seeds: Option<PathBuf>,
    /// Begin with the pages that this collection has, to save them again
    #[arg(long, value_name = "DIR")]
    pub(crate) recrawl: Option<PathBuf>,
    /// The collection; made when it is not there [default: varve-archive]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) collection: Option<PathBuf>,
    /// A YAML file with any of these words; flags count more
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub(crate) config: Option<PathBuf>,
    /// Only say what would be done
    #[arg(long)]
    #[serde(skip)]
    pub(crate) dry_run: bool,

    /// What belongs to the crawl [default: prefix]
    #[arg(long, help_heading = "What belongs")]
    pub(crate) scope: Option<ScopeArg>,
    /// Follow links at most so many steps from where we began
    #[arg(long, value_name = "N", help_heading = "What belongs")]
    pub(crate) depth: Option<u32>,
    /// Also save pages up to so many links outside of the scope [default: 0]
    #[arg(long, value_name = "N", help_heading = "What belongs")]
    pub(crate) extra_hops: Option<u32>,
    /// URLs that match belong too
    #[arg(long, value_name = "REGEX", help_heading = "What belongs")]
    pub(crate) include: Vec<String>,
    /// URLs that match do not belong
    #[arg(long, value_name = "REGEX", help_heading = "What belongs")]
    pub(crate) exclude: Vec<String>,
    /// Never ask for URLs that match, not even for what a page needs
    #[arg(long, value_name = "REGEX", help_heading = "What belongs")]
    pub(crate) block: Vec<String>,
    /// Do not look for sitemaps
    #[arg(long, help_heading = "What belongs")]
    pub(crate) no_sitemaps: bool,

    /// End after so many pages
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_pages: Option<u64>,
    /// End after so much was received (500MB, 20GB, ...)
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    pub(crate) max_size: Option<Size>,
    /// End after so long
    #[arg(long, value_name = "SECS", help_heading = "Limits")]
    pub(crate) max_time: Option<u64>,
    /// How long one page may take [default: 90]
    #[arg(long, value_name = "SECS", help_heading = "Limits")]
    pub(crate) page_timeout: Option<u64>,
    /// Keep at most so much of one response [default: 20GB]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    pub(crate) max_body: Option<Size>,
    /// When the disk is full, wait so long for room before giving up [default: 300]
    #[arg(long, value_name = "SECS", help_heading = "Limits")]
    pub(crate) disk_wait: Option<u64>,

    /// Wait at least so long between two pages of a host [default: 250]
    #[arg(long, value_name = "MS", help_heading = "Politeness")]
    pub(crate) delay: Option<u64>,
    /// Requests that one host has to answer at once [default: 12]
    #[arg(long, value_name = "N", help_heading = "Politeness")]
    pub(crate) per_host: Option<usize>,
    /// Do not ask for robots.txt
    #[arg(long, help_heading = "Politeness")]
    pub(crate) ignore_robots: bool,

    /// How pages are fetched [default: auto]
    #[arg(long, help_heading = "How pages are saved")]
    pub(crate) tier: Option<TierArg>,
    /// Pages that go without a browser shall have this share of what it would ask for; if a look at
    /// one finds less, those like it are visited again [default: 0.995]
    #[arg(long, value_name = "SHARE", help_heading = "How pages are saved")]
    pub(crate) min_recall: Option<f64>,
    /// Do without a part of what saves visits, to measure what it is good for
    #[arg(long, value_name = "PART", hide = true)]
    pub(crate) memo_without: Vec<TechniqueArg>,
    /// Leave out the third-party scripts that this list is against, too (in the syntax of
    /// EasyList; `varve filter lists` tells which are used anyhow)
    #[arg(long, value_name = "FILE", help_heading = "How pages are saved")]
    pub(crate) filter: Vec<PathBuf>,
    /// Ask for all scripts, whatever lists say
    #[arg(long, conflicts_with = "filter", help_heading = "How pages are saved")]
    pub(crate) no_filter: bool,
    /// In a recrawl, visit one page in N without filter, to see whether it needs what is left out;
    /// 0 for none [default: 50]
    #[arg(long, value_name = "N", help_heading = "How pages are saved")]
    pub(crate) sample: Option<u32>,
    /// Learn which functions of scripts run, also those that wait for clicks and keys, and store the
    /// others apart when the crawl is done (see `varve prune --help`)
    #[arg(long, help_heading = "How pages are saved")]
    pub(crate) prune: bool,
    /// Learn it, and leave it to a later `varve prune`
    #[arg(long, help_heading = "How pages are saved")]
    pub(crate) learn: bool,
    /// Pages in flight at once [default: 4]
    #[arg(long, value_name = "N", help_heading = "How pages are saved")]
    pub(crate) workers: Option<usize>,
    /// Take no pictures of pages
    #[arg(long, help_heading = "How pages are saved")]
    pub(crate) no_screenshots: bool,
    /// The window that pages see [default: 1366x900]
    #[arg(long, value_name = "WxH", help_heading = "How pages are saved")]
    pub(crate) viewport: Option<String>,
    /// Of pages saved without a browser, fetch all variants of pictures, styles and fonts, not only
    /// those for this window, for replay on other devices
    #[arg(long, help_heading = "How pages are saved")]
    pub(crate) all_variants: bool,
    /// Who we say we are [default: the installed Chromium]
    #[arg(long, value_name = "TEXT", help_heading = "How pages are saved")]
    pub(crate) user_agent: Option<String>,
    /// Send this with every request to the crawl's own hosts: `'Name: value'`
    #[arg(long, value_name = "FIELD", help_heading = "How pages are saved")]
    pub(crate) header: Vec<String>,
    /// Begin with the cookies of this file (cookies.txt), to be logged in
    #[arg(long, value_name = "FILE", help_heading = "How pages are saved")]
    pub(crate) cookies: Option<PathBuf>,
    /// Begin with the cookies and the local storage of this profile of Chromium (what
    /// `chromium --user-data-dir=DIR` wrote), to be logged in; it is only read
    #[arg(long, value_name = "DIR", help_heading = "How pages are saved")]
    pub(crate) profile: Option<PathBuf>,

    /// Show the crawl on a page at this loopback address, and steer it there
    #[arg(long, value_name = "ADDR:PORT")]
    pub(crate) dashboard: Option<std::net::SocketAddr>,
    /// Try again so often what fails in passing [default: 2]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) retries: Option<u32>,

    /// Contact these addresses too, although they are not public
    #[arg(long, value_name = "CIDR", help_heading = "Network")]
    pub(crate) allow_net: Vec<String>,
    /// Connect elsewhere for these hosts: `'*.example.org=127.0.0.1:8080'`
    #[arg(long, value_name = "PATTERN=ADDR:PORT", help_heading = "Network")]
    pub(crate) map_host: Vec<String>,
    /// Believe certificates of this authority too (PEM)
    #[arg(long, value_name = "FILE", help_heading = "Network")]
    pub(crate) ca_file: Vec<PathBuf>,
    /// Believe any certificate
    #[arg(long, conflicts_with = "ca_file", help_heading = "Network")]
    pub(crate) accept_invalid_certificates: bool,
}

/// What belongs to a crawl.
#[derive(Clone, Copy, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ScopeArg {
    /// The given pages and what they need
    Page,
    /// What lies in the folders of the given pages
    Prefix,
    /// All of their hosts
    Host,
    /// All hosts of their domains
    Domain,
    /// Everything that is linked
    Any,
}

/// How pages are fetched.
#[derive(Clone, Copy, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TierArg {
    /// In Chromium where that is needed to know what a page's scripts ask for, all else over HTTP
    Auto,
    /// Without a browser
    Http,
    /// In Chromium
    Browser,
}

/// A part of what saves visits.
#[derive(Clone, Copy, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TechniqueArg {
    /// URLs made of what pages give
    Templates,
    /// Pages that teach most first
    Cover,
    /// Scripts known from other sites
    Sharing,
    /// Guesses by the looks of a page
    Classifier,
}

/// So many bytes, as people write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "u64")]
pub(crate) struct Size(pub(crate) u64);

/// A number, or a number with a unit.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Bytes(u64),
    Text(String),
}

impl TryFrom<Written> for Size {
    type Error = String;

    fn try_from(written: Written) -> Result<Size, String> {
        match written {
            Written::Bytes(bytes) => Ok(Size(bytes)),
            Written::Text(text) => text.parse(),
        }
    }
}

impl From<Size> for u64 {
    fn from(size: Size) -> u64 {
        size.0
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let digits = text.trim_end_matches(|end: char| !end.is_ascii_digit());
        let unit = text[digits.len()..].trim().to_ascii_lowercase();
        let unit = match unit.trim_end_matches("ib").trim_end_matches('b') {
            "" => 1,
            "k" => 1 << 10,
            "m" => 1 << 20,
            "g" => 1 << 30,
            "t" => 1_u64 << 40,
            _ => return Err(format!("{text}: expected a size such as 500MB or 20GB")),
        };
        let number: u64 = digits
            .trim()
            .parse()
            .map_err(|_| format!("{text}: expected a size such as 500MB or 20GB"))?;
        number
            .checked_mul(unit)
            .map(Size)
            .ok_or_else(|| format!("{text} is more than there is"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        let check = |text: &str, expected: Option<u64>| {
            assert_eq!(text.parse::<Size>().ok().map(u64::from), expected, "{text}");
        };
        check("0", Some(0));
        check("1000", Some(1000));
        check("2k", Some(2048));
        check("500MB", Some(500 << 20));
        check("20 GiB", Some(20 << 30));
        check("1t", Some(1 << 40));
        for bad in ["", "MB", "1.5GB", "-1", "1 parsec", "99999999999T"] {
            check(bad, None);
        }
    }
}
