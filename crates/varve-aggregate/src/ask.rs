//! One peer asked about one URL: its TimeMap part by part, or its TimeGate.

use crate::answer::Question;
use crate::budget::{Budget, Reserve};
use crate::claims::{Claims, stamp};
use crate::client::{Client, Got, redirect};
use crate::hedge::{Which, hedged};
use crate::original::Original;
use crate::peer::Peer;
use crate::reading::{Told, read_fields, read_timemap};
use crate::trouble::Trouble;
use std::collections::{HashSet, VecDeque};
use std::time::Duration;
use tokio::time::Instant;
use url::Url;
use varve_model::{HttpHead, Timestamp};

/// Parts of one TimeMap that are read.
const PARTS: usize = 64;
/// TimeGates in a row that are followed.
const GATES: usize = 5;
/// Nobody is asked a second time sooner.
const SOONEST_HEDGE: Duration = Duration::from_millis(20);

/// What one peer is asked, and with what.
pub(crate) struct Asking<'a> {
    pub(crate) peer: &'a Peer,
    pub(crate) client: &'a Client,
    pub(crate) budget: &'a Budget,
    pub(crate) claims: &'a Claims,
    pub(crate) original: &'a Original,
    /// Mementos that are read of one peer.
    pub(crate) most: usize,
}

/// What a peer has told so far. It outlives the asking, which may be cut short at any moment.
#[derive(Debug, Default)]
pub(crate) struct Share {
    pub(crate) mementos: Vec<(Timestamp, Box<str>)>,
    pub(crate) reserve: Reserve,
    pub(crate) lies: u64,
}

impl Asking<'_> {
    /// Asks; what is told goes to `share`, bit by bit.
    pub(crate) async fn ask(&self, question: Question, share: &mut Share) -> Result<(), Trouble> {
        let archive = &self.peer.archive;
        let (timemap, timegate) = (archive.timemap.as_deref(), archive.timegate.as_deref());
        match (question, timemap, timegate) {
            (Question::Around(time), _, Some(gate)) => self.timegate(gate, time, share).await?,
            (_, Some(map), _) => self.timemap(map, share).await?,
            // Without a TimeMap, the TimeGate knows at least the first, the last and another one.
            (_, None, Some(gate)) => {
                let latest = Timestamp::from_unix_millis(now());
                let latest = latest.ok_or(Trouble::NoTimeMap("the clock is wrong"))?;
                self.timegate(gate, latest, share).await?
            }
            (_, None, None) => return Err(Trouble::NoTimeMap("it has none")),
        }
        match share.lies {
            0 => Ok(()),
            lies => Err(Trouble::Lies(lies)),
        }
    }

    async fn timemap(&self, prefix: &str, share: &mut Share) -> Result<(), Trouble> {
        let first = self.address(prefix)?;
        let mut known = HashSet::from([first.clone()]);
        let mut parts = VecDeque::from([first.clone()]);
        let mut read = 0;
        while let Some(url) = parts.pop_front() {
            if read == PARTS {
                return Err(Trouble::TooMuch);
            }
            let got = match read {
                0 => self.first(url).await?,
                _ => self.client.get(url, &[]).await?,
            };
            match got.status {
                200 => {}
                404 | 410 | 451 if read == 0 => return Ok(()),
                status => return Err(Trouble::Status(status)),
            }
            let page = got.url.clone();
            let (told, trouble) = self.read(got, share).await?;
            self.peer.map.hint(told.mementomap);
            // What of it was there is good, whatever comes after.
            self.take(told.mementos, told.lies, share)?;
            if let Some(trouble) = trouble {
                return Err(trouble);
            }
            let ours = |part: &Url| part.host_str() == page.host_str();
            let fresh = told.parts.into_iter().filter(ours);
            parts.extend(fresh.filter(|part| known.insert(part.clone())));
            read += 1;
        }
        Ok(())
    }

    async fn read(&self, got: Got, share: &Share) -> Result<(Told, Option<Trouble>), Trouble> {
        let (page, claims) = (got.url.clone(), self.claims.clone());
        self.peer
            .map
            .hint(read_fields(&got.head, &page, &claims).mementomap);
        let room = self.most.saturating_sub(share.mementos.len());
        if room == 0 {
            return Err(Trouble::TooMuch);
        }
        let reading = self
            .client
            .read(got, move |bytes| read_timemap(bytes, &page, &claims, room));
        let (told, trouble) = reading.await?;
        match (told, trouble) {
            // It makes no sense because it was cut.
            (Err(_), Some(trouble)) => Err(trouble),
            (told, None) => {
                let told = told?;
                let full = (told.mementos.len() >= room).then_some(Trouble::TooMuch);
                Ok((told, full))
            }
            (told, trouble) => Ok((told?, trouble)),
        }
    }

    fn take(
        &self,
        mementos: Vec<(Timestamp, Box<str>)>,
        lies: u64,
        share: &mut Share,
    ) -> Result<(), Trouble> {
        let lengths = mementos.iter().map(|(_, uri)| uri.len());
        share.reserve.add(self.budget.take(lengths)?);
        share.mementos.extend(mementos);
        share.lies += lies;
        Ok(())
    }

    /// The first request, which is sent again on another connection if it takes unusually long.
    async fn first(&self, url: Url) -> Result<Got, Trouble> {
        let began = Instant::now();
        let first = self.client.get(url.clone(), &[]);
        let Some(usual) = self.peer.tally.usual() else {
            let got = first.await?;
            self.peer.tally.took(began.elapsed());
            return Ok(got);
        };
        let second = || {
            let place = self.peer.places.try_acquire().ok()?;
            self.peer.tally.may_hedge().then_some(async move {
                let _place = place;
                self.client.get(url, &[]).await
            })
        };
        let (got, which) = hedged(first, usual.max(SOONEST_HEDGE), second).await;
        let got = got?;
        self.peer.tally.took(began.elapsed());
        if which == Which::Second {
            self.peer.tally.count(|counts| counts.hedges_won += 1);
        }
        Ok(got)
    }

    async fn timegate(
        &self,
        prefix: &str,
        time: Timestamp,
        share: &mut Share,
    ) -> Result<(), Trouble> {
        let mut url = self.address(prefix)?;
        let date = time.http_date();
        for _ in 0..GATES {
            let began = Instant::now();
            let head = self
                .client
                .head(&url, &[("Accept-Datetime", &date)])
                .await?;
            self.peer.tally.took(began.elapsed());
            let mut told = read_fields(&head, &url, self.claims);
            self.peer.map.hint(told.mementomap.take());
            told.mementos.extend(self.shown(&url, &head));
            if told.mementos.is_empty()
                && let Some(next) = redirect(&url, &head)
            {
                share.lies += told.lies;
                url = next;
                continue;
            }
            return match head.status().unwrap_or(0) {
                404 | 410 | 451 => Ok(()),
                200..400 => self.take(told.mementos, told.lies, share),
                status => Err(Trouble::Status(status)),
            };
        }
        Err(Trouble::Redirects)
    }

    /// The memento that a TimeGate itself shows or leads to, if it says when it is from.
    fn shown(&self, url: &Url, head: &HttpHead) -> Option<(Timestamp, Box<str>)> {
        if let Some(date) = head.get("Memento-Datetime") {
            let date = String::from_utf8_lossy(&date).into_owned();
            let place = head.get("Content-Location");
            let place = place.map(|place| String::from_utf8_lossy(&place).into_owned());
            let target = place.unwrap_or_else(|| url.to_string());
            return self.claims.memento(url, &target, Some(&date)).ok();
        }
        let next = redirect(url, head)?;
        stamp(next.as_str())?;
        self.claims.memento(url, next.as_str(), None).ok()
    }

    fn address(&self, prefix: &str) -> Result<Url, Trouble> {
        let written = format!("{prefix}{}", self.original);
        Url::parse(&written).map_err(|_| Trouble::NoTimeMap("its address cannot be made"))
    }
}

/// What time it is, in milliseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}
