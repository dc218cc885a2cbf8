//! What a request asks for, read from its path.
//!
//! | path | what |
//! |---|---|
//! | `/timemap/{link,json,cdxj}/URL` | all mementos of a URL |
//! | `/timegate/URL` | the memento nearest to `Accept-Datetime` |
//! | `/memento/TIME/URL` | the memento nearest to a time (4 to 14 digits) |
//! | `/memento/{link,json,cdxj}/TIME/URL`, `/api/...` | what there is around a time |
//! | `/memento/proxy/TIME/URL`, `/api/...` | the memento nearest to a time itself |
//! | `/`, `/about` | a page about the archives |
//! | `/metrics` | the same for Prometheus |
//! | `/monitor` | what happens, as it happens |
//! | `/healthz` | whether anybody is there |

use crate::original::Original;
use varve_model::{TimeMapForm, Timestamp};

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    TimeMap(TimeMapForm, Original),
    TimeGate(Original),
    Memento(Shape, Timestamp, Original),
    About,
    Metrics,
    Monitor,
    Health,
    Nothing,
}

/// How what is around a time is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// By leading to the nearest memento.
    Redirect,
    /// By writing down what there is.
    Form(TimeMapForm),
    /// By giving the nearest memento itself.
    Proxy,
}

/// Why a request makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bad(pub(super) String);

/// Reads a path with its query, below the root.
pub(super) fn read(target: &str, root: &str) -> Result<Asked, Bad> {
    let Some(path) = target.strip_prefix(root) else {
        return Ok(Asked::Nothing);
    };
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    match first {
        "timemap" => {
            let (form, url) = rest.split_once('/').unwrap_or((rest, ""));
            Ok(Asked::TimeMap(form_named(form)?, original(url)?))
        }
        "timegate" => Ok(Asked::TimeGate(original(rest)?)),
        "memento" | "api" => memento(rest, first == "api"),
        _ => Ok(match path.split('?').next().unwrap_or("") {
            "" | "about" => Asked::About,
            "metrics" => Asked::Metrics,
            "monitor" => Asked::Monitor,
            "healthz" => Asked::Health,
            _ => Asked::Nothing,
        }),
    }
}

fn memento(rest: &str, must_have_shape: bool) -> Result<Asked, Bad> {
    let (first, after) = rest.split_once('/').unwrap_or((rest, ""));
    let plain = !must_have_shape && first.bytes().all(|byte| byte.is_ascii_digit());
    let (shape, time, url) = match plain {
        true => (Shape::Redirect, first, after),
        false => {
            let shape = match first {
                "proxy" => Shape::Proxy,
                form => Shape::Form(form_named(form)?),
            };
            let (time, url) = after.split_once('/').unwrap_or((after, ""));
            (shape, time, url)
        }
    };
    let short = time.len() <= 14;
    let read = Timestamp::earliest_of(time).ok().filter(|_| short);
    let read = read.ok_or_else(|| {
        let shown: String = time.chars().take(40).collect();
        Bad(format!("{shown:?} is no time: 4 to 14 digits are expected"))
    })?;
    Ok(Asked::Memento(shape, read, original(url)?))
}

fn form_named(name: &str) -> Result<TimeMapForm, Bad> {
    let shown = || name.chars().take(40).collect::<String>();
    TimeMapForm::named(name)
        .ok_or_else(|| Bad(format!("{:?} is no form: link, json or cdxj", shown())))
}

fn original(url: &str) -> Result<Original, Bad> {
    Original::parse(url).map_err(|error| Bad(format!("the URL: {error}")))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn paths_of_memgator_are_understood() {
        let url = || Original::parse("http://a.example/x?y=1").unwrap();
        let time = |digits: &str| Timestamp::earliest_of(digits).unwrap();
        let check =
            |path: &str, expected: Asked| assert_eq!(read(path, "/"), Ok(expected), "{path}");
        check(
            "/timemap/link/http://a.example/x?y=1",
            Asked::TimeMap(TimeMapForm::Link, url()),
        );
        check(
            "/timemap/JSON/a.example/x?y=1",
            Asked::TimeMap(TimeMapForm::Json, url()),
        );
        check(
            "/timemap/cdxj/http:/a.example/x?y=1",
            Asked::TimeMap(TimeMapForm::Cdxj, url()),
        );
        check(
            "/timegate/http%3A%2F%2Fa.example%2Fx%3Fy=1",
            Asked::TimeGate(url()),
        );
        check(
            "/memento/2014/http://a.example/x?y=1",
            Asked::Memento(Shape::Redirect, time("2014"), url()),
        );
        check(
            "/memento/json/20140102/a.example/x?y=1",
            Asked::Memento(Shape::Form(TimeMapForm::Json), time("20140102"), url()),
        );
        check(
            "/api/proxy/201401/a.example/x?y=1",
            Asked::Memento(Shape::Proxy, time("201401"), url()),
        );
        for path in ["/", "/about", "/about?x"] {
            check(path, Asked::About);
        }
        check("/monitor", Asked::Monitor);
        check("/favicon.ico", Asked::Nothing);
    }

    #[test]
    fn what_makes_no_sense_is_said() {
        let check = |path: &str, expected: &str| {
            let Bad(words) = read(path, "/").unwrap_err();
            assert!(words.contains(expected), "{path}: {words}");
        };
        check("/timemap/http://a.example/", "is no form");
        check("/timemap/link/", "the URL");
        check("/timegate/ftp://a.example/", "the URL");
        check("/memento/201/a.example/", "is no time");
        check("/memento/link/20141301000000/a.example/", "is no time");
        check("/memento/20140101000000000/a.example/", "is no time");
        check("/api/2014/a.example/", "is no form");
    }

    #[test]
    fn below_a_root_of_its_own_it_is_found_there_alone() {
        assert_eq!(read("/agg/about", "/agg/"), Ok(Asked::About));
        assert_eq!(read("/about", "/agg/"), Ok(Asked::Nothing));
    }

    proptest! {
        #[test]
        fn any_path_is_read(path in "/(timemap|timegate|memento|api)?/?\\PC{0,40}") {
            let _ = read(&path, "/");
        }
    }
}
