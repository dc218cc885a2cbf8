//! The server: an aggregator over HTTP, as MemGator's users know it.

mod about;
mod asked;
mod metrics;
mod proxied;
mod reply;
mod seats;

use crate::aggregator::Aggregator;
use crate::answer::Question;
use crate::error::AggregateError;
use crate::original::Original;
use crate::render::{Rendering, View};
use asked::{Asked, Bad, Shape, read};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::http::{Method, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use reply::Reply;
use seats::Seats;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, broadcast::error::RecvError, watch};
use tokio::task::{JoinHandle, JoinSet};
use varve_model::{TimeMapForm, Timestamp};

/// How long requests under way may take to end when the server stops.
const FAREWELL: Duration = Duration::from_secs(2);
/// A connection on which nothing moves for longer than an answer may take, and this, is closed.
const IDLE: Duration = Duration::from_secs(40);
/// Those who watch at a time.
const WATCHERS: usize = 16;
/// Mementos that are passed on at a time.
const PROXIED: usize = 8;

/// Where the server is, and what it offers.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Where to listen.
    pub listen: SocketAddr,
    /// The path below which everything is, with slashes around it.
    pub root: String,
    /// The address as others see it, without the root, if another server stands before this one.
    pub public: Option<String>,
    /// Whether anybody may watch what is looked up.
    pub monitor: bool,
}

impl ServerOptions {
    /// At this address, at its root, unwatched.
    pub fn new(listen: SocketAddr) -> ServerOptions {
        ServerOptions {
            listen,
            root: "/".to_owned(),
            public: None,
            monitor: false,
        }
    }
}

/// An aggregator that is being served.
pub struct Server {
    address: SocketAddr,
    base: String,
    over: watch::Sender<bool>,
    task: JoinHandle<()>,
    _keepers: JoinSet<()>,
}

/// What all requests share.
struct Desk {
    aggregator: Arc<Aggregator>,
    options: ServerOptions,
    address: SocketAddr,
    watchers: Arc<Semaphore>,
    proxied: Semaphore,
    over: watch::Receiver<bool>,
}

impl Server {
    /// Starts to serve, and to keep the archives' maps up.
    pub async fn start(
        aggregator: Arc<Aggregator>,
        options: ServerOptions,
    ) -> Result<Server, AggregateError> {
        let failed = |error| AggregateError::Listen {
            address: options.listen,
            error,
        };
        let listener = TcpListener::bind(options.listen).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let keepers = aggregator.keep_maps();
        let (over, is_over) = watch::channel(false);
        let idle = aggregator.deadline() + IDLE;
        let desk = Arc::new(Desk {
            aggregator,
            address,
            options,
            watchers: Arc::new(Semaphore::new(WATCHERS)),
            proxied: Semaphore::new(PROXIED),
            over: is_over.clone(),
        });
        let base = desk.base(&HeaderMap::new());
        let router = Router::new().fallback(answer).with_state(desk);
        let task = tokio::spawn(serve(Seats::new(listener, idle), router, is_over));
        Ok(Server {
            address,
            base,
            over,
            task,
            _keepers: keepers,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address to give to others, with a slash at its end.
    pub fn url(&self) -> &str {
        &self.base
    }

    /// Ends it: requests under way are answered, if they are not too slow.
    pub async fn stop(mut self) {
        self.over.send_replace(true);
        let _ = tokio::time::timeout(FAREWELL, &mut self.task).await;
        self.task.abort();
    }
}

async fn serve(seats: Seats, router: Router, mut over: watch::Receiver<bool>) {
    let end = async move {
        // An error means that the server itself is gone.
        let _ = over.wait_for(|over| *over).await;
    };
    // It fails only if accepting does, which it tries again by itself.
    let _ = axum::serve(seats, router).with_graceful_shutdown(end).await;
}

async fn answer(State(desk): State<Arc<Desk>>, request: Request) -> Response {
    let method = request.method().clone();
    if method == Method::OPTIONS {
        return Reply::preflight().finish();
    }
    if method != Method::GET && method != Method::HEAD {
        let reply = Reply::words(
            StatusCode::METHOD_NOT_ALLOWED,
            "only GET and HEAD are understood",
        );
        return reply.with(header::ALLOW, "GET, HEAD, OPTIONS").finish();
    }
    let target = request
        .uri()
        .path_and_query()
        .map_or("/", |target| target.as_str());
    let asked = match read(target, &desk.options.root) {
        Ok(asked) => asked,
        Err(bad) => return Reply::bad(&bad).finish(),
    };
    let base = desk.base(request.headers());
    match asked {
        Asked::Monitor => desk.watch(),
        asked => desk.reply(asked, &base, request.headers()).await.finish(),
    }
}

impl Desk {
    async fn reply(&self, asked: Asked, base: &str, headers: &HeaderMap) -> Reply {
        match asked {
            Asked::TimeMap(form, original) => self.timemap(form, &original, base).await,
            Asked::TimeGate(original) => match wanted(headers) {
                Ok(time) => {
                    let shape = Shape::Redirect;
                    let reply = self.around(shape, time, &original, base).await;
                    reply.with(header::VARY, "accept-datetime")
                }
                Err(bad) => Reply::bad(&bad),
            },
            Asked::Memento(shape, time, original) => {
                self.around(shape, time, &original, base).await
            }
            Asked::About => {
                let html = about::page(&self.aggregator.peers(), base);
                let policy = "default-src 'none'; style-src 'unsafe-inline'";
                Reply::new(StatusCode::OK, "text/html; charset=utf-8", html)
                    .with(header::CONTENT_SECURITY_POLICY, policy)
                    .with(header::CACHE_CONTROL, "no-store")
            }
            Asked::Metrics => {
                let text = metrics::text(&self.aggregator.peers());
                Reply::new(
                    StatusCode::OK,
                    "text/plain; version=0.0.4; charset=utf-8",
                    text,
                )
                .with(header::CACHE_CONTROL, "no-store")
            }
            Asked::Health => Reply::words(StatusCode::OK, "ok"),
            Asked::Monitor | Asked::Nothing => {
                Reply::words(StatusCode::NOT_FOUND, "there is nothing here")
            }
        }
    }

    async fn timemap(&self, form: TimeMapForm, original: &Original, base: &str) -> Reply {
        let Ok(answer) = self.aggregator.look_up(original, Question::TimeMap).await else {
            return overloaded();
        };
        let keep = self.aggregator.cache_time();
        let reply = match answer.mementos.is_empty() {
            true => Reply::nothing(&answer),
            false => {
                let rendering = Rendering::new(answer.clone(), base, form, View::All);
                Reply::timemap(rendering, form)
            }
        };
        reply.about(&answer, keep)
    }

    async fn around(
        &self,
        shape: Shape,
        time: Timestamp,
        original: &Original,
        base: &str,
    ) -> Reply {
        let Ok(answer) = self
            .aggregator
            .look_up(original, Question::Around(time))
            .await
        else {
            return overloaded();
        };
        let keep = self.aggregator.cache_time();
        let form = match shape {
            Shape::Form(form) => form,
            Shape::Redirect | Shape::Proxy => TimeMapForm::Link,
        };
        let rendering = Rendering::new(answer.clone(), base, form, View::Around(time));
        let Some(closest) = rendering.closest() else {
            return Reply::nothing(&answer).about(&answer, keep);
        };
        let reply = match shape {
            Shape::Redirect => Reply::redirect(&closest.uri),
            Shape::Proxy => {
                // It is never closed.
                let _place = self.proxied.acquire().await;
                proxied::proxied(&self.aggregator, closest).await
            }
            Shape::Form(form) => Reply::timemap(rendering.clone(), form),
        };
        let reply = reply.with(header::LINK, &rendering.link_field());
        reply.about(&answer, keep)
    }

    /// Where this server is, as whoever asks knows it; with a slash at its end.
    fn base(&self, headers: &HeaderMap) -> String {
        let root = &self.options.root;
        if let Some(public) = &self.options.public {
            return format!("{}{root}", public.trim_end_matches('/'));
        }
        let host = headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok());
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
        let host = host.filter(|host| !host.is_empty() && host.bytes().all(plain));
        match host {
            Some(host) => format!("http://{host}{root}"),
            None => format!("http://{}{root}", self.address),
        }
    }

    /// A stream of what happens.
    fn watch(&self) -> Response {
        if !self.options.monitor {
            let words = "nobody may watch here: start it with --monitor";
            return Reply::words(StatusCode::NOT_IMPLEMENTED, words).finish();
        }
        let Ok(place) = self.watchers.clone().try_acquire_owned() else {
            let words = "too many are watching already";
            return Reply::words(StatusCode::SERVICE_UNAVAILABLE, words).finish();
        };
        let (events, over) = (self.aggregator.monitor.watch(), self.over.clone());
        let watching = stream::unfold(
            (events, over, place),
            |(mut events, mut over, place)| async {
                loop {
                    let next = tokio::select! {
                        next = events.recv() => next,
                        _ = over.wait_for(|over| *over) => return None,
                    };
                    match next {
                        Ok(event) => {
                            let event = Ok::<_, Infallible>(Event::default().data(&*event));
                            return Some((event, (events, over, place)));
                        }
                        Err(RecvError::Lagged(_)) => {}
                        Err(RecvError::Closed) => return None,
                    }
                }
            },
        );
        let beat = KeepAlive::new().interval(Duration::from_secs(15));
        let mut response = Sse::new(watching).keep_alive(beat).into_response();
        let open = header::HeaderValue::from_static("*");
        response
            .headers_mut()
            .insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, open);
        response
    }
}

fn overloaded() -> Reply {
    let reply = Reply::words(
        StatusCode::SERVICE_UNAVAILABLE,
        "there is too much to do; come again",
    );
    reply.with(header::RETRY_AFTER, "5")
}

/// The time that a TimeGate is asked for; without one, now.
fn wanted(headers: &HeaderMap) -> Result<Timestamp, Bad> {
    let Some(text) = headers.get(HeaderName::from_static("accept-datetime")) else {
        let now = Timestamp::from_unix_millis(crate::ask::now());
        return now
            .map(Timestamp::to_seconds)
            .ok_or_else(|| Bad("the clock is wrong".to_owned()));
    };
    let time = text.to_str().ok().map(Timestamp::parse_http_date);
    match time {
        Some(Ok(time)) => Ok(time),
        _ => {
            let words = "Accept-Datetime: it is no date such as Sun, 16 Feb 2014 05:02:21 GMT";
            Err(Bad(words.to_owned()))
        }
    }
}
