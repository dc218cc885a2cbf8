//! What is done about a request: ask the server, or send again what it said before, or refuse.

use super::asked::Wanted;
use super::calls_home::{is_call_home, is_navigation};
use super::delivery::{Delivery, Fate};
use super::fields::Purpose;
use super::port::Patience;
use super::refusal::{Then, not_at_home, nothing, unanswered};
use super::relay::Relay;
use super::sink::{CANCELLED, Failure};
use super::websocket;
use super::wire::BrowserStream;
use url::Url;
use varve_fetch::{Asked, Begin, Exchange, FetchError, Request, Ticket, Upgrade, opens_to};
use varve_model::HttpHead;

/// What is needed to tell of a failure.
struct Subject {
    url: Url,
    method: String,
    wish: Then,
}

impl<S: BrowserStream> Relay<'_, S> {
    /// Answers a request.
    pub(super) async fn answer(mut self, wanted: Wanted) -> Fate {
        let wish = match wanted.keep_alive {
            true => Then::KeepAlive,
            false => Then::Close,
        };
        if is_call_home(&wanted.request) {
            self.port.tally(|sum| sum.calls_home += 1);
            return self.refuse(&not_at_home(wish), wish).await;
        }
        if self.port.holds(&wanted.request) {
            return self.refuse(&nothing(wish), wish).await;
        }
        self.port.tally(|sum| sum.requests += 1);
        let subject = Subject {
            url: wanted.request.url.clone(),
            method: wanted.request.method.clone(),
            wish,
        };
        if let Err(error) = self.port.look(&wanted.request) {
            return self.fail(&error, subject).await;
        }
        match wanted.purpose {
            Purpose::WebSocket => self.web_socket(wanted.request, subject).await,
            Purpose::Response => self.response(wanted.request, subject).await,
        }
    }

    /// From what was recorded before, or from the server. Documents are always fetched, and so is
    /// what a page asks for again: if it wanted what it got, the browser's cache would have it.
    async fn response(mut self, request: Request, subject: Subject) -> Fate {
        let again = self.port.asks_again(&request.url);
        let takes_offers = is_navigation(&request) || (!again && request.method == "GET");
        if takes_offers
            && let Some(exchange) = self.port.take_offered(&request.url)
            && let Some(delivery) = Delivery::again(&exchange, subject.wish)
        {
            return self.send_again(exchange, delivery).await;
        }
        if again || is_navigation(&request) {
            return self.fetch(request, None, subject).await;
        }
        let reuse = self.port.shared.reuse.clone();
        match self.waiting(reuse.get_or_begin(&request)).await {
            Some(Begin::Known(exchange)) => {
                match Delivery::again(&exchange, subject.wish)
                    .filter(|_| opens(&exchange, &request))
                {
                    Some(delivery) => self.send_again(exchange, delivery).await,
                    None => self.fetch(request, None, subject).await,
                }
            }
            Some(Begin::Fetch(ticket)) => self.fetch(request, Some(ticket), subject).await,
            Some(Begin::Alone) => self.fetch(request, None, subject).await,
            None => self.cancelled(subject),
        }
    }

    async fn fetch(mut self, request: Request, ticket: Option<Ticket>, subject: Subject) -> Fate {
        self.pace.shared(ticket);
        let shared = self.port.shared.clone();
        let asking = shared.fetcher.ask(request.clone(), shared.earlier.as_ref());
        let unreadable = match self.waiting(asking).await {
            Some(Ok(Asked::Response(incoming))) => {
                return self.pass_on(*incoming, subject.wish).await;
            }
            Some(Ok(Asked::Unchanged(unchanged))) => {
                match Delivery::again(&unchanged.held, subject.wish) {
                    Some(delivery) => return self.send_unchanged(unchanged, delivery).await,
                    None => "its head is none".to_owned(),
                }
            }
            Some(Ok(Asked::Unreadable(error))) => error.to_string(),
            Some(Err(error)) => return self.fail(&error, subject).await,
            None => return self.cancelled(subject),
        };
        let (url, method) = (subject.url.clone(), subject.method.clone());
        self.port
            .fail(Failure::unreadable(url, method, &unreadable));
        self.port.tally(|sum| sum.requests += 1);
        self.fetch_anew(request, subject).await
    }

    /// From the server, whatever is held.
    async fn fetch_anew(mut self, request: Request, subject: Subject) -> Fate {
        let fetcher = self.port.shared.fetcher.clone();
        match self.waiting(fetcher.send(request)).await {
            Some(Ok(incoming)) => self.pass_on(incoming, subject.wish).await,
            Some(Err(error)) => self.fail(&error, subject).await,
            None => self.cancelled(subject),
        }
    }

    async fn web_socket(mut self, request: Request, subject: Subject) -> Fate {
        let fetcher = self.port.shared.fetcher.clone();
        match self.waiting(fetcher.upgrade(request)).await {
            Some(Ok(Upgrade::Switched { exchange, stream })) => {
                self.pace.is_stream();
                self.patience = Patience::None;
                self.deliver(&exchange.response_head).await;
                let stop = self.port.ends(Patience::None);
                let (early, browser) = self.wire.raw();
                let room = self.port.room.clone();
                let log = websocket::relay(early, browser, stream, stop, room).await;
                self.port.record_web_socket(exchange, log);
                Fate::Close
            }
            Some(Ok(Upgrade::Refused(incoming))) => self.pass_on(incoming, subject.wish).await,
            Some(Err(error)) => self.fail(&error, subject).await,
            None => self.cancelled(subject),
        }
    }

    async fn fail(mut self, error: &FetchError, subject: Subject) -> Fate {
        let answer = unanswered(subject.url.as_str(), error, subject.wish);
        let failure = Failure::new(subject.url, subject.method, error);
        self.port.fail(failure);
        self.refuse(&answer, subject.wish).await
    }

    fn cancelled(self, subject: Subject) -> Fate {
        self.port.fail(Failure {
            message: format!("{}: nobody waited for the response", subject.url),
            url: subject.url,
            method: subject.method,
            reason: CANCELLED,
        });
        Fate::Close
    }

    /// Sends an answer of our own.
    async fn refuse(&mut self, answer: &[u8], wish: Then) -> Fate {
        self.deliver(answer).await;
        match (wish, self.is_here()) {
            (Then::KeepAlive, true) => Fate::KeepAlive,
            _ => Fate::Close,
        }
    }
}

/// Whether a recorded response is open to whom asks for it now.
fn opens(exchange: &Exchange, request: &Request) -> bool {
    let head = HttpHead::parse(&exchange.response_head);
    head.is_some_and(|(head, _)| opens_to(&head, request))
}
