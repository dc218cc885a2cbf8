//! Requests to peers, all of them through `varve-fetch`: redirects followed a few times, bodies
//! decoded, everything within limits.

use crate::trouble::Trouble;
use bytes::Bytes;
use std::io::Read;
use std::sync::Arc;
use tokio::sync::Semaphore;
use url::Url;
use varve_fetch::{Exchange, Fetcher, Request, Truncation};
use varve_model::HttpHead;
use varve_store::http::{BodyReader, DecodeLimits};

/// Redirects in a row that are followed.
const REDIRECTS: usize = 5;
/// Longer bodies are read where they hold up nobody.
const AT_ONCE: u64 = 128 * 1024;
/// Bodies that are decoded and read at once.
const READERS: usize = 8;
/// What cannot be text this many times its length is not inflated.
const INFLATES: u64 = 200;

/// Sends requests.
#[derive(Clone)]
pub(crate) struct Client {
    fetcher: Fetcher,
    agent: String,
    /// Bytes of a body, decoded.
    most: u64,
    /// Decoded bodies take memory; so many are held at once.
    readers: Arc<Semaphore>,
}

/// A response with its body.
pub(crate) struct Got {
    /// Where it came from, after redirects.
    pub(crate) url: Url,
    pub(crate) status: u16,
    pub(crate) head: HttpHead,
    exchange: Exchange,
}

/// Fields of a request.
pub(crate) type Fields<'a> = &'a [(&'a str, &'a str)];

impl Client {
    /// A client that calls itself `agent` and reads bodies of at most so many bytes.
    pub(crate) fn new(fetcher: Fetcher, agent: &str, most: u64) -> Client {
        Client {
            fetcher,
            agent: agent.to_owned(),
            most,
            readers: Arc::new(Semaphore::new(READERS)),
        }
    }

    /// Bytes of a body, decoded, that are read.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// Asks for a URL and reads the answer, following redirects.
    pub(crate) async fn get(&self, url: Url, fields: Fields<'_>) -> Result<Got, Trouble> {
        let mut url = url;
        for _ in 0..=REDIRECTS {
            let incoming = self.fetcher.send(self.request("GET", &url, fields)).await?;
            let head = incoming.head().clone();
            let status = head.status().unwrap_or(0);
            if let Some(next) = redirect(&url, &head) {
                url = next;
                continue;
            }
            let exchange = incoming.complete().await;
            return Ok(Got {
                url,
                status,
                head,
                exchange,
            });
        }
        Err(Trouble::Redirects)
    }

    /// Asks for the head of an answer alone, following nothing.
    pub(crate) async fn head(&self, url: &Url, fields: Fields<'_>) -> Result<HttpHead, Trouble> {
        let incoming = self.fetcher.send(self.request("HEAD", url, fields)).await?;
        let head = incoming.head().clone();
        // There is nothing more to come; the connection is free at once.
        drop(incoming.complete().await);
        if !matches!(head.status(), Some(405 | 501)) {
            return Ok(head);
        }
        let incoming = self.fetcher.send(self.request("GET", url, fields)).await?;
        Ok(incoming.head().clone())
    }

    /// Reads the content of a response, as far as limits allow; also says why it is not whole.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        got: Got,
        read: impl FnOnce(&[u8]) -> T + Send + 'static,
    ) -> Result<(T, Option<Trouble>), Trouble> {
        // They are never closed.
        let _place = self.readers.acquire().await;
        let most = self.most;
        let is_short = got.exchange.body.len() <= AT_ONCE;
        let work = move || {
            let (bytes, trouble) = decode(&got.head, &got.exchange, most)?;
            Ok((read(&bytes), trouble))
        };
        if is_short {
            return work();
        }
        let working = tokio::task::spawn_blocking(work);
        let lost = |_| Trouble::Coding("it was given up".to_owned());
        working.await.map_err(lost)?
    }

    fn request(&self, method: &str, url: &Url, fields: Fields<'_>) -> Request {
        let usual = [
            ("User-Agent", self.agent.as_str()),
            ("Accept", "*/*"),
            ("Accept-Encoding", "gzip"),
        ];
        let all = usual.iter().chain(fields);
        let mut request = Request::get(url.clone());
        request.method = method.to_owned();
        request.fields = all
            .map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()))
            .collect();
        request
    }
}

/// Where a response leads, if it leads elsewhere.
pub(crate) fn redirect(url: &Url, head: &HttpHead) -> Option<Url> {
    let leads = matches!(head.status(), Some(301 | 302 | 303 | 307 | 308));
    let location = head.get("Location").filter(|_| leads)?;
    url.join(&String::from_utf8_lossy(&location)).ok()
}

/// Content, and why it is not whole.
type Decoded = (Vec<u8>, Option<Trouble>);

/// Takes off what was put around the content. What came of it before an end that is none is kept.
fn decode(head: &HttpHead, exchange: &Exchange, most: u64) -> Result<Decoded, Trouble> {
    let mut trouble = exchange.truncated.map(Trouble::Truncated);
    let body = Pieces {
        exchange,
        at: 0,
        piece: Bytes::new(),
    };
    let limits = DecodeLimits {
        bytes: most,
        ratio: INFLATES,
        ratio_free: 1 << 20,
    };
    let mut reader = BodyReader::new(head, body, limits);
    if let Some(coding) = reader.unknown_coding() {
        return Err(Trouble::Coding(format!("\"{coding}\" is not known")));
    }
    let mut bytes = Vec::new();
    if let Err(error) = reader.read_to_end(&mut bytes) {
        trouble.get_or_insert(Trouble::Coding(error.to_string()));
    }
    if trouble.is_none() && bytes.len() as u64 >= most {
        trouble = Some(Trouble::Truncated(Truncation::Length));
    }
    Ok((bytes, trouble))
}

/// A body as a stream of bytes, from memory or from its file.
struct Pieces<'a> {
    exchange: &'a Exchange,
    at: u64,
    piece: Bytes,
}

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        if self.piece.is_empty() {
            self.piece = self.exchange.body.read_at(self.at, 64 * 1024)?;
            self.at += self.piece.len() as u64;
        }
        let length = self.piece.len().min(into.len());
        into[..length].copy_from_slice(&self.piece.split_to(length));
        Ok(length)
    }
}
