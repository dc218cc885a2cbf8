//! A request on its way.

use crate::connect::Origin;
use crate::error::FetchError;
use crate::exchange::Protocol;
use crate::incoming::About;
use crate::request::Request;
use crate::trouble::Trouble;
use std::net::SocketAddr;
use std::time::{Instant, SystemTime};
use url::Url;

/// A request, where it goes, and since when.
pub(crate) struct Call {
    pub(crate) request: Request,
    pub(crate) origin: Origin,
    pub(crate) begun: Instant,
}

/// When a request was sent, by both clocks.
#[derive(Clone, Copy)]
pub(crate) struct Sent {
    pub(crate) at: Instant,
    pub(crate) on: SystemTime,
}

impl Sent {
    /// Right now.
    pub(crate) fn now() -> Sent {
        Sent {
            at: Instant::now(),
            on: SystemTime::now(),
        }
    }
}

impl Call {
    /// A call that begins now.
    pub(crate) fn new(request: Request) -> Result<Call, FetchError> {
        match request.url.scheme() {
            "http" | "https" => Call::switching(request),
            _ => Err(FetchError::Scheme(request.url.to_string())),
        }
    }

    /// As [`Call::new`], also for the URLs of WebSockets.
    pub(crate) fn switching(request: Request) -> Result<Call, FetchError> {
        Ok(Call {
            origin: Origin::of(&request.url)?,
            request,
            begun: Instant::now(),
        })
    }

    /// Whether the request changes nothing (RFC 9110, section 9.2.1) and can be sent twice.
    pub(crate) fn is_safe(&self) -> bool {
        matches!(self.request.method.as_str(), "GET" | "HEAD" | "OPTIONS")
    }

    /// Whether the request says that it is the last on its connection.
    pub(crate) fn asks_to_close(&self) -> bool {
        let value = self.request.field("connection");
        value.is_some_and(|value| value.eq_ignore_ascii_case(b"close"))
    }

    /// What is known of the exchange when its response begins.
    pub(crate) fn about(
        &self,
        peer: SocketAddr,
        protocol: Protocol,
        sent: Sent,
        request_head: Vec<u8>,
    ) -> About {
        About {
            url: without_fragment(&self.request.url),
            method: self.request.method.clone(),
            begun: self.begun,
            sent,
            peer,
            protocol,
            encrypted: self.origin.encrypted(),
            request_head,
            request_body: self.request.body.clone(),
        }
    }

    /// The error of a phase that took too long.
    pub(crate) fn too_long(&self, phase: &'static str) -> FetchError {
        FetchError::Timeout {
            url: self.request.url.to_string(),
            phase,
        }
    }

    /// The error that remains of a trouble.
    pub(crate) fn error(&self, trouble: Trouble) -> FetchError {
        let url = self.request.url.to_string();
        match trouble {
            Trouble::Closed { .. } | Trouble::Refused | Trouble::Leaving | Trouble::WantsHttp1 => {
                FetchError::Disconnected { url }
            }
            Trouble::Time => self.too_long("header"),
            Trouble::Malformed(cause) => FetchError::Malformed { url, cause },
            Trouble::Limit(cause) => FetchError::HeadLimit { url, cause },
            Trouble::Request(cause) => FetchError::Request { url, cause },
        }
    }
}

fn without_fragment(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    url
}
