//! The crawl on stderr while it runs: a picture redrawn in place on a terminal, plain lines
//! elsewhere, nothing when asked to be quiet.
//!
//! The display has a thread of its own and only ever reads: a terminal that hangs holds up nobody
//! but itself.

mod frame;
mod plain;
mod screen;
mod text;

pub(crate) use text::clean;

use screen::Screen;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use varve_crawl::live::{Control, Live};

/// Time between two pictures, or two looks for finished pages.
const BEAT: Duration = Duration::from_millis(250);
/// Time between two summary lines where there is no terminal.
const SUMMARY: Duration = Duration::from_secs(10);
/// At the end the display has so long to show the last of it.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How a crawl is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// Not at all.
    Silent,
    /// In lines.
    Lines,
    /// On a terminal.
    Terminal {
        /// Whether it may use colours.
        color: bool,
    },
}

/// A display at work.
pub(crate) struct Display {
    /// Dropped to end the display.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Display {
    /// Shows the crawl from now on.
    pub(crate) fn start(live: Arc<Live>, control: Arc<Control>, how: How) -> io::Result<Display> {
        let (end, ended) = channel();
        let thread = std::thread::Builder::new().name("display".into());
        let thread = match how {
            How::Silent => None,
            How::Lines => Some(thread.spawn(move || show_lines(&live, &control, &ended))?),
            How::Terminal { color } => {
                Some(thread.spawn(move || show_frames(&live, &control, color, &ended))?)
            }
        };
        let end = Some(end);
        Ok(Display { end, thread })
    }
}

impl Drop for Display {
    /// Shows what is left and gives the terminal back.
    fn drop(&mut self) {
        self.end = None;
        let Some(thread) = self.thread.take() else {
            return;
        };
        let began = Instant::now();
        while !thread.is_finished() && began.elapsed() < LAST_WORDS {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Waits for the next beat; whether there is one.
fn goes_on(ended: &Receiver<()>) -> bool {
    ended.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout)
}

fn show_lines(live: &Live, control: &Control, ended: &Receiver<()>) {
    let mut seen = 0;
    let mut summed_up = Instant::now();
    loop {
        let goes_on = goes_on(ended);
        let mut text = String::new();
        for page in live.finished_after(seen) {
            if page.id > seen + 1 {
                text += &plain::left_out(page.id - seen - 1);
            }
            seen = page.id;
            text += &plain::page(&page);
        }
        if summed_up.elapsed() >= SUMMARY {
            summed_up = Instant::now();
            text += &plain::summary(&control.snapshot(live));
        }
        // Nobody may be reading any more, which is no reason to end a crawl.
        let _ = io::stderr().write_all(text.as_bytes());
        if !goes_on {
            return;
        }
    }
}

fn show_frames(live: &Live, control: &Control, color: bool, ended: &Receiver<()>) {
    let terminal = console::Term::stderr();
    let mut screen = Screen::new(io::stderr());
    let mut seen = 0;
    while goes_on(ended) {
        let (rows, columns) = terminal.size();
        let lasting = failures(live, &mut seen);
        let frame = frame::frame(&control.snapshot(live), usize::from(rows));
        let width = usize::from(columns);
        if screen.draw(&lasting, &frame, width, color).is_err() {
            return;
        }
    }
    let _ = screen.clear(&failures(live, &mut seen));
}

/// Pages that could not be saved stay on the screen, above the picture.
fn failures(live: &Live, seen: &mut u64) -> String {
    let finished = live.finished_after(*seen);
    *seen = finished.last().map_or(*seen, |page| page.id);
    let failed = finished.iter().filter(|page| !page.saved);
    failed.map(plain::page).collect()
}
