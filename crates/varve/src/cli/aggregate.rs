//! The words of `varve aggregate`: those of MemGator where they mean the same.

use super::crawl::Size;
use clap::{Args, ValueEnum};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct AggregateArgs {
    /// The URL whose mementos are wanted; or `server`, which is --listen 127.0.0.1:1208
    #[arg(value_name = "URI-R", required_unless_present = "listen")]
    pub(crate) url: Option<String>,
    /// Only those around this time (4 to 14 digits: 2014, 201402, ...)
    #[arg(value_name = "DATETIME", value_parser = super::moment)]
    pub(crate) time: Option<varve_model::Timestamp>,
    /// Serve TimeMaps and TimeGates over HTTP here, instead of looking up one URL
    #[arg(long, value_name = "ADDR:PORT", conflicts_with = "url")]
    pub(crate) listen: Option<SocketAddr>,

    /// The archives: a JSON file, or the URL of one
    #[arg(short, long, visible_alias = "arcs", value_name = "FILE|URL")]
    pub(crate) archives: String,
    /// A directory with MementoMaps of archives: ID.ukvs, also with .gz or .zst
    #[arg(long, value_name = "DIR", help_heading = "Whom to ask")]
    pub(crate) maps: Option<PathBuf>,
    /// Do not ask archives for their MementoMaps
    #[arg(long, help_heading = "Whom to ask")]
    pub(crate) no_fetched_maps: bool,
    /// Ask only the N archives that promise most; -1 asks all
    #[arg(short = 'k', long, value_name = "N", default_value_t = -1, allow_negative_numbers = true,
        help_heading = "Whom to ask")]
    pub(crate) topk: i64,
    /// Leave an archive alone after so many failures in a row; -1 never does
    #[arg(
        short = 'F',
        long,
        value_name = "N",
        default_value_t = 5,
        allow_negative_numbers = true,
        help_heading = "Whom to ask"
    )]
    pub(crate) tolerance: i64,
    /// Leave it alone for so long at most; it begins with a sixteenth of it
    #[arg(
        short,
        long,
        value_name = "TIME",
        default_value = "15m",
        help_heading = "Whom to ask"
    )]
    pub(crate) dormant: Span,

    /// Answer after so long, with what is there
    #[arg(
        short,
        long,
        visible_alias = "deadline",
        value_name = "TIME",
        default_value = "20s",
        help_heading = "Limits"
    )]
    pub(crate) restimeout: Span,
    /// For connecting to an archive
    #[arg(
        short = 't',
        long,
        value_name = "TIME",
        default_value = "5s",
        help_heading = "Limits"
    )]
    pub(crate) contimeout: Span,
    /// For an archive to begin its answer
    #[arg(
        short = 'T',
        long,
        value_name = "TIME",
        default_value = "15s",
        help_heading = "Limits"
    )]
    pub(crate) hdrtimeout: Span,
    /// Requests that one archive has to answer at once
    #[arg(long, value_name = "N", default_value_t = 32, help_heading = "Limits")]
    pub(crate) per_archive: usize,
    /// Read at most so much of one answer
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "32MB",
        help_heading = "Limits"
    )]
    pub(crate) max_body: Size,
    /// Keep whole answers for so long; 0 keeps none
    #[arg(
        long,
        value_name = "TIME",
        default_value = "10m",
        help_heading = "Limits"
    )]
    pub(crate) cache: Span,

    /// How mementos are told
    #[arg(
        short,
        long,
        value_name = "FORM",
        default_value = "link",
        ignore_case = true
    )]
    pub(crate) format: FormArg,
    /// The path below which everything is served
    #[arg(short = 'R', long, value_name = "PATH", default_value = "/")]
    pub(crate) root: String,
    /// The address as others see it, where another server stands before this one
    #[arg(short = 'P', long, visible_alias = "public-url", value_name = "URL",
        value_parser = public_url)]
    pub(crate) proxy: Option<String>,
    /// Let anybody watch what is looked up, at /monitor
    #[arg(short, long)]
    pub(crate) monitor: bool,

    /// Who we say we are [default: Varve and its version]
    #[arg(short = 'A', long, value_name = "TEXT", help_heading = "Network")]
    pub(crate) agent: Option<String>,
    /// Where archives can complain: an address or URL, told with the agent
    #[arg(short, long, value_name = "TEXT", help_heading = "Network")]
    pub(crate) contact: Option<String>,
    /// Contact these addresses too, although they are not public
    #[arg(long, value_name = "CIDR", help_heading = "Network")]
    pub(crate) allow_net: Vec<String>,
    /// Connect elsewhere for these hosts: `'*.example.org=127.0.0.1:8080'`
    #[arg(long, value_name = "PATTERN=ADDR:PORT", help_heading = "Network")]
    pub(crate) map_host: Vec<String>,
    /// Believe certificates of this authority too (PEM)
    #[arg(long, value_name = "FILE", help_heading = "Network")]
    pub(crate) ca_file: Vec<PathBuf>,
}

/// An address without a path, and without a slash at its end.
fn public_url(text: &str) -> Result<String, String> {
    super::public_origin(text)?;
    Ok(text.trim_end_matches('/').to_owned())
}

/// How mementos are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormArg {
    /// Links, after RFC 7089
    Link,
    /// JSON
    Json,
    /// Lines of a time and JSON
    Cdxj,
}

/// A length of time, as people write it: `500ms`, `5s`, `1m30s`, or seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span(pub(crate) Duration);

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let wrong = || format!("{text}: expected a length of time such as 500ms, 20s or 1m30s");
        if let Ok(seconds) = text.parse() {
            return Ok(Span(Duration::from_secs(seconds)));
        }
        let mut rest = text;
        let mut millis = 0_u64;
        while !rest.is_empty() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (number, after) = rest.split_at(digits);
            let letters = after.bytes().take_while(u8::is_ascii_lowercase).count();
            let (unit, after) = after.split_at(letters);
            let unit = match unit {
                "ms" => 1,
                "s" => 1_000,
                "m" => 60_000,
                "h" => 3_600_000,
                _ => return Err(wrong()),
            };
            let number: u64 = number.parse().map_err(|_| wrong())?;
            let more = number.checked_mul(unit).ok_or_else(wrong)?;
            millis = millis.checked_add(more).ok_or_else(wrong)?;
            rest = after;
        }
        match text.is_empty() {
            true => Err(wrong()),
            false => Ok(Span(Duration::from_millis(millis))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_read_as_people_write_them() {
        let check = |text: &str, expected: Option<u64>| {
            let read = text
                .parse::<Span>()
                .ok()
                .map(|span| span.0.as_millis() as u64);
            assert_eq!(read, expected, "{text}");
        };
        check("0", Some(0));
        check("20", Some(20_000));
        check("500ms", Some(500));
        check("1m30s", Some(90_000));
        check("2h", Some(7_200_000));
        for bad in [
            "",
            "s",
            "5 s",
            "-5s",
            "5d",
            "1.5s",
            "99999999999999999999s",
            "m5",
        ] {
            check(bad, None);
        }
    }
}
