//! Asking a second time when the first request takes unusually long.

use futures_util::future::{Either, select};
use std::future::Future;
use std::pin::pin;
use std::time::Duration;

/// Which request was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    First,
    Second,
}

/// The answer to `first`, or to `second` if it is there earlier; that is asked for after a while,
/// if it may be. An error counts only when nobody is left who may answer.
pub(crate) async fn hedged<T, E, F>(
    first: impl Future<Output = Result<T, E>>,
    after: Duration,
    second: impl FnOnce() -> Option<F>,
) -> (Result<T, E>, Which)
where
    F: Future<Output = Result<T, E>>,
{
    let mut first = pin!(first);
    if let Ok(answer) = tokio::time::timeout(after, &mut first).await {
        return (answer, Which::First);
    }
    let Some(second) = second() else {
        return (first.await, Which::First);
    };
    match select(first, pin!(second)).await {
        Either::Left((Ok(answer), _)) => (Ok(answer), Which::First),
        Either::Right((Ok(answer), _)) => (Ok(answer), Which::Second),
        Either::Left((Err(_), second)) => (second.await, Which::Second),
        Either::Right((Err(_), first)) => (first.await, Which::First),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use tokio::time::sleep;

    type Answer = Result<&'static str, &'static str>;

    async fn answer(after: u64, answer: Answer) -> Answer {
        sleep(Duration::from_millis(after)).await;
        answer
    }

    async fn check(first: (u64, Answer), second: (u64, Answer), expected: Answer, asked: bool) {
        let sent = Cell::new(false);
        let (told, _) = hedged(answer(first.0, first.1), Duration::from_millis(50), || {
            sent.set(true);
            Some(answer(second.0, second.1))
        })
        .await;
        assert_eq!((told, sent.get()), (expected, asked));
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_good_answer_counts() {
        check((10, Ok("a")), (0, Ok("b")), Ok("a"), false).await;
        check((10, Err("a")), (0, Ok("b")), Err("a"), false).await;
        check((900, Ok("a")), (10, Ok("b")), Ok("b"), true).await;
        check((90, Ok("a")), (100, Ok("b")), Ok("a"), true).await;
        check((90, Err("a")), (100, Ok("b")), Ok("b"), true).await;
        check((900, Ok("a")), (10, Err("b")), Ok("a"), true).await;
        check((900, Err("a")), (10, Err("b")), Err("a"), true).await;
    }

    #[tokio::test(start_paused = true)]
    async fn without_leave_the_first_is_waited_for() {
        let none = || None::<std::future::Ready<Answer>>;
        let (told, which) = hedged(answer(900, Ok("a")), Duration::from_millis(50), none).await;
        assert_eq!((told, which), (Ok("a"), Which::First));
    }
}
