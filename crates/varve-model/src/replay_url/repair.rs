//! The two repairs that a URL inside a path needs.

/// Gives a URL the scheme or the slash that it lacks; every other byte stays.
pub(super) fn repair(url: &str) -> String {
    let Some((scheme, rest)) = split_scheme(url) else {
        return format!("http://{}", url.trim_start_matches('/'));
    };
    let lost_a_slash = rest.starts_with('/') && !rest.starts_with("//");
    match lost_a_slash && !scheme.eq_ignore_ascii_case("file") {
        true => format!("{scheme}:/{rest}"),
        false => url.to_owned(),
    }
}

/// The scheme of a URL and what follows its colon.
///
/// `localhost:8080/` and `example.com:x` are a host and its port, or look like it.
fn split_scheme(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once(':')?;
    let in_scheme = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let starts_well = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    let like_a_host = scheme.contains('.') || rest.starts_with(|c: char| c.is_ascii_digit());
    let is_scheme = starts_well
        && scheme.bytes().all(in_scheme)
        && (rest.starts_with('/') || scheme.eq_ignore_ascii_case("urn") || !like_a_host);
    is_scheme.then_some((scheme, rest))
}
