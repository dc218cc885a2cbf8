//! The scribe: one thread that writes everything a crawl records, in the order it comes.
//!
//! Tiers hand over what they have and go on; [`Scribe::commit`] returns when everything handed
//! over before is saved. Commits that wait at the same time share one sync of the disk.
//!
//! After an error nothing more is written: what came later would follow a gap. A full disk is the
//! one error that passes: when there is room again and no page is in flight, [`Scribe::go_on`]
//! begins a new file.

use crate::live::Live;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use tokio::sync::oneshot;
use varve_store::StoreError;
use varve_store::collection::{Attachment, Exchange, LayerEntry, Recorder};

/// How much may wait for the disk before the network waits too.
const WAITING: usize = 256;

/// One thing to write.
pub(crate) enum Entry {
    /// A request and its response.
    Exchange(Box<Exchange>),
    /// Something about a page.
    Attachment(Box<Attachment>),
    /// A line of the page list.
    Page(serde_json::Value),
    /// A line of the log.
    Log(serde_json::Value),
    /// Save everything so far, then say so.
    Commit(oneshot::Sender<Result<(), Arc<StoreError>>>),
}

/// The hand that writes. Cheap to share.
#[derive(Clone)]
pub(crate) struct Scribe {
    entries: SyncSender<Entry>,
    failure: Failure,
}

/// The thread behind it.
pub(crate) struct ScribeThread {
    thread: JoinHandle<Result<Option<LayerEntry>, Arc<StoreError>>>,
}

/// The first error ends all writing: what comes later would follow a gap.
#[derive(Clone, Default)]
struct Failure(Arc<Mutex<Option<Arc<StoreError>>>>);

impl Failure {
    fn get(&self) -> Option<Arc<StoreError>> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Forgets the error, if it was a matter of room.
    fn pass(&self) -> bool {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let passes = first.as_ref().is_none_or(|error| error.is_disk_full());
        if passes {
            *first = None;
        }
        passes
    }

    fn set(&self, error: StoreError) -> Arc<StoreError> {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| Arc::new(error)).clone()
    }
}

impl Scribe {
    /// Starts the thread. `opening` is written before the first exchange, if there is any.
    pub(crate) fn start(
        recorder: Recorder,
        opening: Attachment,
        live: Arc<Live>,
    ) -> std::io::Result<(Scribe, ScribeThread)> {
        let (entries, waiting) = sync_channel(WAITING);
        let failure = Failure::default();
        let seen = failure.clone();
        let thread = std::thread::Builder::new()
            .name("scribe".into())
            .spawn(move || write_all(recorder, opening, &waiting, &seen, &live))?;
        Ok((Scribe { entries, failure }, ScribeThread { thread }))
    }

    /// Hands something over. After a failure it is dropped; [`Scribe::failure`] tells.
    pub(crate) fn write(&self, entry: Entry) {
        // An error means that the thread is gone, which only the end of the crawl brings about.
        let _ = self.entries.send(entry);
    }

    /// Why nothing is written any more.
    pub(crate) fn failure(&self) -> Option<Arc<StoreError>> {
        self.failure.get()
    }

    /// Writes again after the disk was full; whether that is possible. No page may be in flight.
    pub(crate) fn go_on(&self) -> bool {
        self.failure.pass()
    }

    /// Returns when everything handed over before is saved.
    pub(crate) async fn commit(&self) -> Result<(), Arc<StoreError>> {
        let (done, saved) = oneshot::channel();
        if let Err(TrySendError::Full(commit)) = self.entries.try_send(Entry::Commit(done)) {
            let scribe = self.clone();
            // Waiting for the queue must not hold up other tasks.
            let _ = tokio::task::spawn_blocking(move || scribe.write(commit)).await;
        }
        match saved.await {
            Ok(result) => result,
            Err(_) => self.failure().map_or(Ok(()), Err),
        }
    }
}

impl ScribeThread {
    /// Waits for the last entry and seals the layer. All scribes must be gone.
    pub(crate) fn seal(self) -> Result<Option<LayerEntry>, Arc<StoreError>> {
        match self.thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

fn write_all(
    mut recorder: Recorder,
    opening: Attachment,
    entries: &Receiver<Entry>,
    failure: &Failure,
    live: &Live,
) -> Result<Option<LayerEntry>, Arc<StoreError>> {
    let mut opening = Some(Entry::Attachment(Box::new(opening)));
    let mut commits = Vec::new();
    while let Ok(entry) = entries.recv() {
        let mut next = Some(entry);
        while let Some(entry) = next {
            if matches!(entry, Entry::Exchange(_))
                && let Some(opening) = opening.take()
            {
                live.stored(write_one(&mut recorder, opening, &mut commits, failure));
            }
            let stored = write_one(&mut recorder, entry, &mut commits, failure);
            live.stored(stored);
            next = entries.try_recv().ok();
        }
        if !commits.is_empty() {
            let result = match (failure.get(), recorder.commit()) {
                (Some(error), _) => Err(error),
                (None, Ok(_)) => Ok(()),
                (None, Err(error)) => Err(failure.set(error)),
            };
            for commit in commits.drain(..) {
                let _ = commit.send(result.clone());
            }
        }
    }
    // What was saved before a failure makes a layer all the same.
    let sealed = recorder.seal().map_err(|error| failure.set(error));
    failure.get().map_or(sealed, Err)
}

/// Writes it; returns how many bytes that took in the archive.
fn write_one(
    recorder: &mut Recorder,
    entry: Entry,
    commits: &mut Vec<oneshot::Sender<Result<(), Arc<StoreError>>>>,
    failure: &Failure,
) -> u64 {
    if failure.get().is_some() && !matches!(entry, Entry::Commit(_)) {
        return 0;
    }
    let written = match entry {
        Entry::Exchange(exchange) => recorder.append(&exchange).map(|capture| capture.length),
        Entry::Attachment(attachment) => recorder.attach(&attachment).map(|capture| capture.length),
        Entry::Page(page) => {
            recorder.add_page(&page);
            Ok(0)
        }
        Entry::Log(line) => {
            recorder.add_log(&line);
            Ok(0)
        }
        Entry::Commit(done) => {
            commits.push(done);
            Ok(0)
        }
    };
    match written {
        Ok(bytes) => bytes,
        // One URL too long for any index is no reason to stop.
        Err(StoreError::UrlTooLong { .. }) => 0,
        Err(error) => {
            failure.set(error);
            0
        }
    }
}
