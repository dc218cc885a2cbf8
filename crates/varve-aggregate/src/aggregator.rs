//! `Aggregator`: many archives asked as one.
//!
//! A look-up goes to the peers that can have the URL (their maps say so, or they have none), that
//! are not dormant, and, if only some are to be asked, that promise most. All are asked at once.
//! Before the deadline there is an answer, whoever is missing; it says who.

use crate::answer::{Answer, Memento, Missing, Question, merge};
use crate::archives::Archive;
use crate::ask::{Asking, Share, now};
use crate::budget::{Budget, Reserve};
use crate::cache::Cache;
use crate::claims::Claims;
use crate::client::Client;
use crate::error::AggregateError;
use crate::flights::Flights;
use crate::health::Patience;
use crate::map::{Holding, MapFile};
use crate::maps::{self, MapOptions};
use crate::monitor::Monitor;
use crate::original::Original;
use crate::peer::Peer;
use crate::tally::Counts;
use crate::timing::hearing;
use crate::trouble::Trouble;
use futures_util::future::join_all;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};
use url::Url;
use varve_fetch::{AddressPolicy, FetchOptions, Fetcher, Limits, MapHost, RequestRules, Trust};

/// Bytes of a map.
const MAP_BYTES: u64 = 256 << 20;
/// How long fetching a map may take.
const MAP_TIME: Duration = Duration::from_secs(300);
/// Bytes of a list of archives, and how long fetching it may take.
const LIST_BYTES: u64 = 8 << 20;
const LIST_TIME: Duration = Duration::from_secs(60);
/// Mementos that are read of one peer about one URL.
const MEMENTOS: usize = 250_000;
/// Bytes of all answers that somebody holds, those in the cache included.
const MEMORY: usize = 128 << 20;
/// Bytes of those in the cache.
const CACHE: usize = MEMORY / 4;
/// Look-ups at a time.
const LOOKUPS: usize = 1_024;
/// What is believed of an archive of which nothing is said.
const BELIEVED: f64 = 0.5;

/// Whom to ask, and how.
#[derive(Clone, Debug)]
pub struct AggregateOptions {
    /// The archives.
    pub archives: Vec<Archive>,
    /// Ask at most so many of them about one URL.
    pub topk: Option<usize>,
    /// How failures are taken.
    pub patience: Patience,
    /// There is an answer after no more than this.
    pub deadline: Duration,
    /// For connecting to a peer.
    pub connect_time: Duration,
    /// For a peer to begin its answer.
    pub header_time: Duration,
    /// Bytes of a TimeMap, or of one part of it, that are read.
    pub body_bytes: u64,
    /// Requests that one peer has to answer at once.
    pub per_peer: usize,
    /// How long whole answers are kept.
    pub cache_time: Duration,
    /// How maps are kept up.
    pub maps: MapOptions,
    /// Who we say we are.
    pub agent: String,
    /// Which addresses may be contacted.
    pub policy: AddressPolicy,
    /// Hosts that are served elsewhere.
    pub map_hosts: Vec<MapHost>,
    /// Which certificates are good.
    pub trust: Trust,
    /// Where long answers are kept while they are read.
    pub spool_dir: PathBuf,
}

impl AggregateOptions {
    /// These archives, and the defaults for everything else.
    pub fn new(archives: Vec<Archive>) -> AggregateOptions {
        AggregateOptions {
            archives,
            topk: None,
            patience: Patience::default(),
            deadline: Duration::from_secs(20),
            connect_time: Duration::from_secs(5),
            header_time: Duration::from_secs(15),
            body_bytes: 32 << 20,
            per_peer: 32,
            cache_time: Duration::from_secs(600),
            maps: MapOptions::default(),
            agent: concat!("Varve/", env!("CARGO_PKG_VERSION")).to_owned(),
            policy: AddressPolicy::default(),
            map_hosts: Vec::new(),
            trust: Trust::default(),
            spool_dir: std::env::temp_dir(),
        }
    }

    /// Fetches a list of archives, within the same limits.
    pub async fn fetch_list(&self, place: &str) -> Result<String, AggregateError> {
        let url = Url::parse(place).map_err(|_| AggregateError::ListAddress)?;
        let client = Client::new(
            self.fetcher(LIST_BYTES, LIST_TIME)?,
            &self.agent,
            LIST_BYTES,
        );
        let got = client.get(url, &[]).await?;
        if got.status != 200 {
            return Err(Trouble::Status(got.status).into());
        }
        let read = client.read(got, |bytes| String::from_utf8_lossy(bytes).into_owned());
        match read.await? {
            (_, Some(trouble)) => Err(trouble.into()),
            (text, None) => Ok(text),
        }
    }

    fn fetcher(&self, body_bytes: u64, total: Duration) -> Result<Fetcher, AggregateError> {
        let options = FetchOptions {
            policy: self.policy.clone(),
            map_hosts: self.map_hosts.clone(),
            trust: self.trust.clone(),
            limits: Limits {
                head_bytes: 64 * 1024,
                head_fields: 200,
                body_bytes,
                connect: self.connect_time,
                tls: self.connect_time,
                first_byte: self.header_time,
                stall: self.header_time,
                total,
            },
            // Peers have places of their own; several may be on one host.
            per_host: usize::MAX,
            rules: RequestRules::default(),
            spool_dir: self.spool_dir.clone(),
        };
        Ok(Fetcher::new(options)?)
    }
}

/// What is known about one peer, for people and metrics.
#[derive(Clone, Debug)]
pub struct PeerFacts {
    /// Its id.
    pub id: Arc<str>,
    /// Its name.
    pub name: String,
    /// What was asked of it, and what came of it.
    pub counts: Counts,
    /// Whether it is left alone now.
    pub dormant: bool,
    /// The lines of its map, if it has one.
    pub map_lines: Option<usize>,
    /// What is wrong with its map.
    pub map_trouble: Option<String>,
}

/// Many archives as one.
pub struct Aggregator {
    peers: Vec<Arc<Peer>>,
    client: Client,
    map_client: Client,
    options: AggregateOptions,
    budget: Budget,
    cache: Cache,
    flights: Flights,
    lookups: Semaphore,
    pub(crate) monitor: Monitor,
}

/// There are more look-ups than can be made in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are too many look-ups at this moment")]
pub struct Overloaded;

/// What became of one peer in a look-up.
struct Heard<'a> {
    peer: &'a Peer,
    share: Share,
    trouble: Option<Trouble>,
}

/// Who is asked about a URL, and who is not.
struct Plan<'a> {
    asked: Vec<&'a Peer>,
    dormant: Vec<&'a Peer>,
    skipped_by_map: usize,
}

impl Aggregator {
    /// Gets ready to ask. Contacts nobody yet.
    pub fn new(options: AggregateOptions) -> Result<Aggregator, AggregateError> {
        let peer = |archive: &Archive| {
            Arc::new(Peer::new(
                archive.clone(),
                options.patience,
                options.per_peer,
            ))
        };
        // The deadline is kept here; the fetcher need not end everything at the same moment.
        let asks = options.fetcher(options.body_bytes, options.deadline * 2)?;
        let fetches = options.fetcher(MAP_BYTES, MAP_TIME)?;
        Ok(Aggregator {
            peers: options.archives.iter().map(peer).collect(),
            client: Client::new(asks, &options.agent, options.body_bytes),
            map_client: Client::new(fetches, &options.agent, MAP_BYTES),
            budget: Budget::new(MEMORY),
            cache: Cache::new(options.cache_time, CACHE),
            flights: Flights::default(),
            lookups: Semaphore::new(LOOKUPS),
            monitor: Monitor::new(),
            options,
        })
    }

    /// Reads the maps that are in files, once. The errors are of maps that are not used.
    pub fn read_maps(&self) -> Vec<AggregateError> {
        let mut errors = Vec::new();
        for peer in &self.peers {
            let Some(file) = maps::file_of(peer, self.options.maps.dir.as_deref()) else {
                continue;
            };
            match MapFile::open(&file) {
                Ok(map) => peer.map.set(Some(Arc::new(map)), None),
                Err(error) => errors.push(error.into()),
            }
        }
        errors
    }

    /// Keeps maps up, for as long as what is given is held.
    pub fn keep_maps(&self) -> JoinSet<()> {
        let mut keepers = JoinSet::new();
        for peer in &self.peers {
            let (client, options) = (self.map_client.clone(), self.options.maps.clone());
            keepers.spawn(maps::keep(peer.clone(), client, options));
        }
        keepers
    }

    /// What is known about each peer.
    pub fn peers(&self) -> Vec<PeerFacts> {
        let facts = |peer: &Arc<Peer>| PeerFacts {
            id: peer.id.clone(),
            name: peer.archive.name.clone(),
            counts: peer.tally.counts(),
            dormant: peer.is_dormant(),
            map_lines: peer.map.current().map(|map| map.lines()),
            map_trouble: peer.map.trouble(),
        };
        self.peers.iter().map(facts).collect()
    }

    /// How long whole answers are kept.
    pub fn cache_time(&self) -> Duration {
        self.cache.lifetime()
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn deadline(&self) -> Duration {
        self.options.deadline
    }

    /// Looks a URL up. Before the deadline there is an answer, with time left to send it, or word
    /// that there are too many.
    pub async fn look_up(
        &self,
        original: &Original,
        question: Question,
    ) -> Result<Arc<Answer>, Overloaded> {
        let began = Instant::now();
        // Whoever has the whole TimeMap knows what is around a time, too.
        if let Some(answer) = self.cache.get(original.as_str(), began) {
            return Ok(answer);
        }
        let under_way = LOOKUPS - self.lookups.available_permits();
        let until = began + hearing(self.options.deadline, under_way);
        let place = timeout_at(until, self.lookups.acquire()).await;
        let Ok(Ok(_place)) = place else {
            return Err(Overloaded);
        };
        let asking = async || {
            let answer = Arc::new(self.gather(original, question, until).await);
            if question == Question::TimeMap {
                self.cache.put(&answer, Instant::now());
            }
            answer
        };
        Ok(self.flights.join(original.as_str(), question, asking).await)
    }

    async fn gather(&self, original: &Original, question: Question, until: Instant) -> Answer {
        let plan = self.plan(original);
        let claims = Claims::about(original, now());
        let all = plan.asked.iter();
        let heard = all.map(|peer| self.hear(peer, original, question, &claims, until));
        let heard = join_all(heard).await;
        let missing = plan.dormant.iter().map(|peer| Missing {
            archive: peer.id.clone(),
            trouble: Trouble::Dormant,
        });
        let mut answer = Answer {
            original: original.clone(),
            mementos: Vec::new(),
            missing: missing.collect(),
            asked: plan.asked.len(),
            answered: 0,
            skipped_by_map: plan.skipped_by_map,
            reserve: Reserve::default(),
        };
        for one in heard {
            one.join(&mut answer);
        }
        answer.mementos = merge(std::mem::take(&mut answer.mementos));
        answer
    }

    /// Who is asked about a URL.
    fn plan(&self, original: &Original) -> Plan<'_> {
        let mut plan = Plan {
            asked: Vec::new(),
            dormant: Vec::new(),
            skipped_by_map: 0,
        };
        for peer in &self.peers {
            let map = peer.map.current();
            if map.is_some_and(|map| map.holds(original.key()) == Holding::Nothing) {
                peer.tally.count(|counts| counts.skipped_by_map += 1);
                plan.skipped_by_map += 1;
            } else if peer.is_dormant() {
                peer.tally.count(|counts| counts.skipped_dormant += 1);
                plan.dormant.push(peer);
            } else {
                plan.asked.push(peer);
            }
        }
        if let Some(most) = self.options.topk {
            let promise = |peer: &&Peer| {
                let believed = peer.archive.probability.unwrap_or(BELIEVED);
                peer.tally.promise(believed.clamp(0.0, 1.0))
            };
            plan.asked.sort_by(|a, b| promise(b).total_cmp(&promise(a)));
            for peer in plan.asked.split_off(most.min(plan.asked.len())) {
                peer.tally.count(|counts| counts.left_out += 1);
            }
        }
        plan
    }

    /// Asks one peer and writes down what came of it.
    async fn hear<'a>(
        &self,
        peer: &'a Peer,
        original: &Original,
        question: Question,
        claims: &Claims,
        until: Instant,
    ) -> Heard<'a> {
        let began = Instant::now();
        let asking = Asking {
            peer,
            client: &self.client,
            budget: &self.budget,
            claims,
            original,
            most: MEMENTOS,
        };
        let mut share = Share::default();
        let mapped = peer.map.current().is_some();
        let trouble = visit(&asking, question, until, &mut share).await.err();
        let found = share.mementos.len();
        peer.tally.count(|counts| {
            let miss = found == 0 && trouble.is_none();
            counts.hits += u64::from(found > 0);
            counts.misses += u64::from(miss);
            counts.map_misses += u64::from(miss && mapped);
            counts.mementos += found as u64;
            counts.lies += share.lies;
        });
        if let Some(trouble) = &trouble {
            peer.tally.trouble(trouble);
        }
        let took = began.elapsed();
        self.monitor
            .peer(original.as_str(), &peer.id, found, took, trouble.as_ref());
        Heard {
            peer,
            share,
            trouble,
        }
    }
}

/// Asks one peer when it is its turn, as long as there is time.
async fn visit(
    asking: &Asking<'_>,
    question: Question,
    until: Instant,
    share: &mut Share,
) -> Result<(), Trouble> {
    let peer = asking.peer;
    let place = timeout_at(until, peer.places.acquire()).await;
    let Ok(Ok(_place)) = place else {
        return Err(Trouble::Busy);
    };
    // It may have fallen ill while others were asking.
    let Some(visit) = peer.admit() else {
        return Err(Trouble::Dormant);
    };
    peer.tally.count(|counts| counts.asked += 1);
    let asked = timeout_at(until, asking.ask(question, share)).await;
    let outcome = asked.unwrap_or(Err(Trouble::Deadline));
    visit.end(outcome.as_ref().err());
    outcome
}

impl Heard<'_> {
    fn join(self, answer: &mut Answer) {
        answer.answered += usize::from(self.trouble.is_none() || !self.share.mementos.is_empty());
        answer.reserve.add(self.share.reserve);
        let id = &self.peer.id;
        let mementos = self.share.mementos.into_iter().map(|(time, uri)| Memento {
            time: time.to_seconds(),
            uri,
            archive: id.clone(),
        });
        answer.mementos.extend(mementos);
        answer.missing.extend(self.trouble.map(|trouble| Missing {
            archive: id.clone(),
            trouble,
        }));
    }
}
