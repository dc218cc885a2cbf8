//! Paths that no person would write: endless, or going in circles.

use url::Url;

/// The longest URL that is followed.
const MAX_URL: usize = 2_000;

/// The deepest path that is followed.
const MAX_SEGMENTS: usize = 30;

/// How often the same segments may follow on themselves.
const MAX_REPEATS: usize = 3;

/// The longest sequence of segments whose repetition is looked for.
const MAX_PERIOD: usize = 8;

/// Whether a URL alone shows that links are being made up.
pub(super) fn is_made_up(url: &Url) -> bool {
    if url.as_str().len() > MAX_URL {
        return true;
    }
    let path = url.path().trim_matches('/');
    let segments: Vec<&str> = path.split('/').collect();
    segments.len() > MAX_SEGMENTS
        || (1..=MAX_PERIOD).any(|period| goes_in_circles(&segments, period))
}

/// Whether some `period` segments follow on themselves too often. Numbers may: `/000/000/000/000/`
/// is how repositories file things.
fn goes_in_circles(segments: &[&str], period: usize) -> bool {
    let wanted = period * MAX_REPEATS;
    let mut run = 0;
    let mut words = 0;
    for at in period..segments.len() {
        if segments[at] == segments[at - period] {
            run += 1;
            words += usize::from(!is_number(segments[at]));
        } else {
            (run, words) = (0, 0);
        }
        if run >= wanted && words > 0 {
            return true;
        }
    }
    false
}

fn is_number(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn circles_and_depths() {
        for (path, expected) in [
            ("/", false),
            ("/a/a/a", false),
            ("/a/a/a/", false),
            ("/a/a/a/a", true),
            ("/x/a/a/a/a/y", true),
            ("/a/b/a/b/a/b", false),
            ("/a/b/a/b/a/b/a/b", true),
            ("/a/b/c/a/b/c/a/b/c/a/b/c/", true),
            ("/a/x/a/y/a/z/a/w", false),
            ("/000/000/000/000/001", false),
            ("/a/////b", true),
            ("/2024/2024/2024/2024/", false),
        ] {
            let url = Url::parse(&format!("http://a.com{path}")).unwrap();
            assert_eq!(is_made_up(&url), expected, "{path}");
        }
    }

    #[test]
    fn long_and_deep_ones() {
        let path = |segments: usize| (0..segments).map(|n| format!("/s{n}")).collect::<String>();
        let url = |rest: &str| Url::parse(&format!("http://a.com{rest}")).unwrap();
        assert!(!is_made_up(&url(&path(MAX_SEGMENTS))));
        assert!(is_made_up(&url(&path(MAX_SEGMENTS + 1))));
        assert!(!is_made_up(&url(&format!("/?q={}", "x".repeat(1_900)))));
        assert!(is_made_up(&url(&format!("/?q={}", "x".repeat(2_000)))));
    }
}
