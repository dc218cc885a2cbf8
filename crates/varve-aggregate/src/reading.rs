//! TimeMaps as peers write them, in the three forms of the field, and `Link` fields.

use crate::claims::Claims;
use crate::trouble::Trouble;
use serde::Deserialize;
use serde_json::Value;
use url::Url;
use varve_model::{HttpHead, Link, Links, Timestamp};

/// Parts that one TimeMap may name.
const PARTS: usize = 1_000;
/// JSON has to be held as a whole, and takes more memory than its text.
const LONGEST_JSON: usize = 8 << 20;

/// What a TimeMap, a part of one, or a TimeGate says.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// Mementos that are believable.
    pub(crate) mementos: Vec<(Timestamp, Box<str>)>,
    /// Other parts of the same TimeMap.
    pub(crate) parts: Vec<Url>,
    /// How many mementos are not.
    pub(crate) lies: u64,
    /// Where the archive's MementoMap is.
    pub(crate) mementomap: Option<Url>,
}

/// Reads a TimeMap that was found at `page`. Stops when there are `most` mementos.
pub(crate) fn read_timemap(
    bytes: &[u8],
    page: &Url,
    claims: &Claims,
    most: usize,
) -> Result<Told, Trouble> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}').trim();
    match text.as_bytes().first() {
        // Some say so that they have nothing.
        None => Ok(Told::default()),
        Some(b'{' | b'[') => read_json(text, page, claims, most),
        Some(b'!' | b'0'..=b'9') => read_cdxj(text, page, claims, most),
        Some(_) => read_links(text, page, claims, most),
    }
}

/// Reads the `Link` fields of a head.
pub(crate) fn read_fields(head: &HttpHead, page: &Url, claims: &Claims) -> Told {
    let mut told = Told::default();
    let mut original = None;
    for value in head.get_all("Link") {
        let value = String::from_utf8_lossy(&value);
        for link in Links::of(&value) {
            told.take(&link, page, claims, &mut original);
        }
    }
    // A page that speaks of another URL may have its links, but they are not ours.
    if original == Some(Original::Other) {
        told.lies += told.mementos.drain(..).count() as u64;
    }
    told
}

/// Whether the URL that a TimeMap is about is the one in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Original {
    Ours,
    Other,
}

impl Told {
    fn take(
        &mut self,
        link: &Link<'_>,
        page: &Url,
        claims: &Claims,
        original: &mut Option<Original>,
    ) {
        if link.is("memento") {
            self.claim(claims.memento(page, link.target, link.get("datetime")));
        } else if link.is("original") {
            *original = Some(judged(claims, link.target));
        } else if link.is("mementomap") {
            self.mementomap = page.join(link.target).ok();
        } else if is_part(link) && self.parts.len() < PARTS {
            self.parts.extend(page.join(link.target));
        }
    }

    fn claim(&mut self, memento: Result<(Timestamp, Box<str>), crate::claims::Lie>) {
        match memento {
            Ok(memento) => self.mementos.push(memento),
            Err(_) => self.lies += 1,
        }
    }
}

fn judged(claims: &Claims, url: &str) -> Original {
    match claims.is_it(url) {
        true => Original::Ours,
        false => Original::Other,
    }
}

/// Whether a link leads to another part of the same TimeMap: a page before or after, or an entry of
/// an index. Links to the same TimeMap in other forms do not.
fn is_part(link: &Link<'_>) -> bool {
    let form = link.get("type").unwrap_or("application/link-format");
    let index = link.get("from").is_some() || link.get("until").is_some();
    let beside = ["next", "prev"].iter().any(|relation| link.is(relation));
    form.starts_with("application/link-format") && link.is("timemap") && (beside || index)
}

fn read_links(text: &str, page: &Url, claims: &Claims, most: usize) -> Result<Told, Trouble> {
    let mut told = Told::default();
    let mut original = None;
    let mut links = Links::of(text);
    let mut any = false;
    for link in links.by_ref() {
        any |= link.get("rel").is_some();
        told.take(&link, page, claims, &mut original);
        if original == Some(Original::Other) {
            return Err(Trouble::OtherUrl);
        }
        if told.mementos.len() >= most {
            break;
        }
    }
    match any {
        true => Ok(told),
        false => Err(Trouble::NoTimeMap("it has no links")),
    }
}

/// A TimeMap in JSON, as far as it matters.
#[derive(Deserialize)]
struct JsonMap {
    original_uri: Option<String>,
    mementos: JsonMementos,
    next: Option<String>,
    prev: Option<String>,
}

#[derive(Deserialize)]
struct JsonMementos {
    list: Vec<JsonMemento>,
}

#[derive(Deserialize)]
struct JsonMemento {
    uri: Box<str>,
    datetime: Box<str>,
}

fn read_json(text: &str, page: &Url, claims: &Claims, most: usize) -> Result<Told, Trouble> {
    if text.len() > LONGEST_JSON {
        return Err(Trouble::TooMuch);
    }
    let no_map = |_| Trouble::NoTimeMap("it is no JSON with a list of mementos");
    let map: JsonMap = serde_json::from_str(text).map_err(no_map)?;
    let other = |url: &String| judged(claims, url) == Original::Other;
    if map.original_uri.as_ref().is_some_and(other) {
        return Err(Trouble::OtherUrl);
    }
    let mut told = Told::default();
    for entry in map.mementos.list.iter().take(most) {
        told.claim(claims.memento(page, &entry.uri, Some(&entry.datetime)));
    }
    let beside = [map.next, map.prev].into_iter().flatten();
    told.parts
        .extend(beside.filter_map(|place| page.join(&place).ok()));
    Ok(told)
}

fn read_cdxj(text: &str, page: &Url, claims: &Claims, most: usize) -> Result<Told, Trouble> {
    let mut told = Told::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (key, json) = line.split_once(' ').unwrap_or((line, ""));
        let value: Value = serde_json::from_str(json).unwrap_or_default();
        if key == "!meta" {
            if let Some(original) = value["original_uri"].as_str()
                && judged(claims, original) == Original::Other
            {
                return Err(Trouble::OtherUrl);
            }
            let beside = [&value["next"], &value["prev"]].into_iter();
            let beside = beside.filter_map(|place| page.join(place.as_str()?).ok());
            told.parts
                .extend(beside.take(PARTS - told.parts.len().min(PARTS)));
        } else if !key.starts_with('!') {
            let uri = value["uri"].as_str().unwrap_or("");
            told.claim(claims.memento(page, uri, Some(key)));
        }
        if told.mementos.len() >= most {
            break;
        }
    }
    Ok(told)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::original;
    use proptest::prelude::*;

    const PAGE: &str = "http://archive.example/timemap/link/http://a.example/";

    fn claims() -> Claims {
        let url = original::Original::parse("http://a.example/").unwrap();
        Claims::about(&url, 1_735_689_600_000)
    }

    fn read(text: &str) -> Result<Told, Trouble> {
        read_timemap(text.as_bytes(), &Url::parse(PAGE).unwrap(), &claims(), 100)
    }

    fn times(told: &Told) -> Vec<String> {
        told.mementos
            .iter()
            .map(|(time, _)| time.digits14())
            .collect()
    }

    #[test]
    fn all_three_forms_say_the_same() {
        let link = "<http://a.example>; rel=\"original\",\n\
            <http://archive.example/timemap/json/http://a.example/>; rel=\"timemap\"; type=\"application/json\",\n\
            <http://m/1>; rel=\"first memento\"; datetime=\"Sun, 16 Feb 2014 05:02:21 GMT\",\n\
            </timemap/link/page-2/http://a.example/>; rel=\"timemap next\"; type=\"application/link-format\"";
        let json = r#"{"original_uri": "http://a.example", "mementos": {"list":
            [{"datetime": "2014-02-16T05:02:21Z", "uri": "http://m/1"}]},
            "next": "/timemap/link/page-2/http://a.example/"}"#;
        let cdxj = "!context [\"http://tools.ietf.org/html/rfc7089\"]\n\
            !meta {\"original_uri\": \"http://a.example\"}\n\
            !meta {\"next\": \"/timemap/link/page-2/http://a.example/\"}\n\
            20140216050221 {\"uri\": \"http://m/1\", \"rel\": \"memento\"}\n";
        for form in [link, json, cdxj] {
            let told = read(form).unwrap();
            assert_eq!(times(&told), ["20140216050221"], "{form}");
            let parts: Vec<&str> = told.parts.iter().map(Url::as_str).collect();
            let next = "http://archive.example/timemap/link/page-2/http://a.example/";
            assert_eq!(parts, [next], "{form}");
        }
    }

    #[test]
    fn what_is_no_timemap_of_the_url_is_refused() {
        let check = |text: &str, expected: &str| {
            assert_eq!(read(text).unwrap_err().reason(), expected, "{text}");
        };
        check(
            "<!doctype html><html><body>Sorry</body></html>",
            "malformed",
        );
        check("Internal error", "malformed");
        check("{\"mementos\": 3}", "malformed");
        check("{\"mementos\": {\"list\": [", "malformed");
        check("<http://b.example/>; rel=\"original\"", "lie.url");
        check(
            "{\"original_uri\": \"http://b.example/\", \"mementos\": {\"list\": []}}",
            "lie.url",
        );
        check("!meta {\"original_uri\": \"http://b.example/\"}", "lie.url");
        assert!(read("").unwrap().mementos.is_empty());
    }

    #[test]
    fn lies_are_counted_and_left_out() {
        let told = read(
            "<http://m/1>; rel=memento; datetime=\"Sun, 16 Feb 2014 05:02:21 GMT\",\n\
             <http://m/2>; rel=memento; datetime=\"Sun, 16 Feb 2094 05:02:21 GMT\",\n\
             <data:,x>; rel=memento; datetime=\"Sun, 16 Feb 2014 05:02:21 GMT\"",
        )
        .unwrap();
        assert_eq!((times(&told).len(), told.lies), (1, 2));
    }

    #[test]
    fn heads_tell_of_mementos_and_of_maps() {
        let head = b"HTTP/1.1 302 Found\r\n\
            Link: <http://a.example/>; rel=\"original\", </.well-known/mementomap>; rel=\"mementomap\"\r\n\
            Link: <http://m/1>; rel=\"memento\"; datetime=\"Sun, 16 Feb 2014 05:02:21 GMT\"\r\n\r\n";
        let (head, _) = HttpHead::parse(head).unwrap();
        let told = read_fields(&head, &Url::parse(PAGE).unwrap(), &claims());
        assert_eq!(times(&told), ["20140216050221"]);
        assert_eq!(
            told.mementomap.unwrap().as_str(),
            "http://archive.example/.well-known/mementomap"
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(
            start in "|\\{|!|2|<", bytes in proptest::collection::vec(any::<u8>(), 0..300)
        ) {
            let mut all = start.into_bytes();
            all.extend(bytes);
            let told = read_timemap(&all, &Url::parse(PAGE).unwrap(), &claims(), 10);
            prop_assert!(told.map_or(0, |told| told.mementos.len()) <= 10);
        }
    }
}
