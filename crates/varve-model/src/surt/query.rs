//! The query of a key: parameters in order, sessions gone.

use super::escape;

/// Appends a query; says whether anything is left of it.
pub(super) fn push(key: &mut Vec<u8>, query: &[u8]) -> bool {
    let start = key.len();
    escape::push_escaped(key, &escape::unescape(query));
    strip_sessions(key, start);
    sort_parameters(key, start);
    key.len() > start
}

/// Finds where a session starts and how long it is, in a query in lower case.
type Finder = fn(&[u8]) -> Option<(usize, usize)>;

/// Takes out the last session of each kind, with the `&` that follows it. The `&` before it
/// stays: `a=1&sid=...` becomes `a=1&`.
fn strip_sessions(key: &mut Vec<u8>, start: usize) {
    let kinds: [Finder; 5] = [
        |query| last_id(query, b"jsessionid="),
        |query| last_id(query, b"phpsessid="),
        |query| last_id(query, b"sid="),
        last_asp_session,
        last_coldfusion_session,
    ];
    // All five names hold "id": most queries need only this one look.
    if !escape::has_pair(&key[start..], |a, b| (a == b'i') & (b == b'd')) {
        return;
    }
    for find in kinds {
        if let Some((at, length)) = find(&key[start..]) {
            let end = start + at + length;
            let end = end + usize::from(key.get(end) == Some(&b'&'));
            key.drain(start + at..end);
        }
    }
}

/// The last `name` with 32 letters and digits to the end of its parameter.
fn last_id(query: &[u8], name: &[u8]) -> Option<(usize, usize)> {
    let length = name.len() + 32;
    let is_session = |text: &[u8]| {
        text.starts_with(name) && text[name.len()..].iter().all(u8::is_ascii_alphanumeric)
    };
    rposition(query, length, is_session)
}

/// The last `aspsessionid` with 8 letters, `=` and 24 letters to the end of its parameter.
fn last_asp_session(query: &[u8]) -> Option<(usize, usize)> {
    const NAME: &[u8] = b"aspsessionid";
    let is_session = |text: &[u8]| {
        let Some(([label @ .., b'='], value)) = text.strip_prefix(NAME).map(|t| t.split_at(9))
        else {
            return false;
        };
        label.iter().chain(value).all(u8::is_ascii_alphabetic)
    };
    rposition(query, NAME.len() + 33, is_session)
}

/// The last text of that length that is a session and ends where its parameter ends.
fn rposition(
    query: &[u8],
    length: usize,
    is_session: impl Fn(&[u8]) -> bool,
) -> Option<(usize, usize)> {
    let last = query.len().checked_sub(length)?;
    let ends = |at: usize| matches!(query.get(at + length), None | Some(b'&'));
    let at = (0..=last)
        .rev()
        .find(|at| ends(*at) && is_session(&query[*at..*at + length]))?;
    Some((at, length))
}

/// The last `cfid=...&cftoken=...`, neither of them empty.
fn last_coldfusion_session(query: &[u8]) -> Option<(usize, usize)> {
    let mut end = query.len();
    let mut token_end = None; // the end of the next parameter, if it is a token
    for (i, parameter) in query.rsplit(|b| *b == b'&').enumerate() {
        if i > 0 {
            end -= 1; // the `&` after this parameter
        }
        let start = end - parameter.len();
        if let Some(token_end) = token_end
            && let Some(at) = last_cfid(parameter)
        {
            return Some((start + at, token_end - start - at));
        }
        let value = parameter.strip_prefix(b"cftoken=");
        token_end = value.filter(|value| !value.is_empty()).map(|_| end);
        end = start;
    }
    None
}

/// Where the last `cfid=` with a value starts.
fn last_cfid(parameter: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"cfid=";
    let last = parameter.len().checked_sub(NAME.len() + 1)?;
    (0..=last)
        .rev()
        .find(|at| parameter[*at..].starts_with(NAME))
}

/// Sorts parameters by name, then value; `a` comes before `a=`.
fn sort_parameters(key: &mut Vec<u8>, start: usize) {
    let query = &key[start..];
    if !escape::has(query, |b| b == b'&') {
        return;
    }
    let mut parameters: Vec<(&[u8], Option<&[u8]>)> =
        query.split(|b| *b == b'&').map(name_and_value).collect();
    if parameters.is_sorted() {
        return;
    }
    parameters.sort_unstable();
    let mut sorted = Vec::with_capacity(query.len());
    for (i, (name, value)) in parameters.into_iter().enumerate() {
        if i > 0 {
            sorted.push(b'&');
        }
        sorted.extend_from_slice(name);
        if let Some(value) = value {
            sorted.push(b'=');
            sorted.extend_from_slice(value);
        }
    }
    key.truncate(start);
    key.extend_from_slice(&sorted);
}

fn name_and_value(parameter: &[u8]) -> (&[u8], Option<&[u8]>) {
    match parameter.iter().position(|b| *b == b'=') {
        Some(at) => (&parameter[..at], Some(&parameter[at + 1..])),
        None => (parameter, None),
    }
}
