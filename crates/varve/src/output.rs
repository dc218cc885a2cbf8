//! What people and programs see: results on stdout, everything else on stderr.

use crate::cli::{Color, Global};
use crate::display::How;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

/// Where words go.
pub(crate) struct Output {
    pub(crate) json: bool,
    pub(crate) verbose: bool,
    quiet: bool,
    color: bool,
}

impl Output {
    pub(crate) fn new(global: &Global) -> Output {
        let color = match global.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        };
        Output {
            json: global.json,
            verbose: global.verbose,
            quiet: global.quiet,
            color,
        }
    }

    /// A line of results. A reader that went away (`| head`) is not an error.
    pub(crate) fn result(&self, line: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match writeln!(out, "{line}") {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
            result => result,
        }
    }

    /// Where something is that goes on, whether anybody reads that or not.
    pub(crate) fn announce(&self, lines: &str) -> io::Result<()> {
        match writeln!(io::stdout(), "{lines}") {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }

    /// Something worth knowing.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(io::stderr(), "{text}");
        }
    }

    /// Something wrong that did not stop the command.
    pub(crate) fn warning(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(io::stderr(), "{} {text}", self.painted("warning:", "33"));
        }
    }

    /// Damage, or why the command failed.
    pub(crate) fn error(&self, error: &anyhow::Error) {
        self.failure(&format!("{error:#}"));
    }

    /// The same for a text.
    pub(crate) fn failure(&self, text: &str) {
        let _ = writeln!(io::stderr(), "{} {text}", self.painted("error:", "31"));
    }

    /// A bar over so many bytes, shown on a terminal only.
    pub(crate) fn bar(&self, bytes: u64, what: &str) -> ProgressBar {
        let template = "{msg:>10} {bar:32} {bytes}/{total_bytes} {bytes_per_sec} {eta}";
        self.drawn(bytes, what, template)
    }

    /// A bar over so many things, shown on a terminal only.
    pub(crate) fn counter(&self, number: u64, what: &str) -> ProgressBar {
        self.drawn(number, what, "{msg:>10} {bar:32} {pos}/{len} {eta}")
    }

    fn drawn(&self, length: u64, what: &str, template: &str) -> ProgressBar {
        if self.quiet || !io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }

    /// How the progress of a crawl is shown.
    pub(crate) fn display(&self) -> How {
        match (self.quiet, io::stderr().is_terminal()) {
            (true, _) => How::Silent,
            (false, false) => How::Lines,
            (false, true) => How::Terminal { color: self.color },
        }
    }

    fn painted(&self, text: &str, code: &str) -> String {
        if self.color {
            format!("\x1b[1;{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

/// Bytes as people say them.
pub(crate) fn human_bytes(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}

/// "1 record", "2 records".
pub(crate) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", indicatif::HumanCount(number))
}
