//! What belongs to one site: all hosts below one name that somebody can register.

use url::{Host, Url};

/// Whether two URLs belong to one site. What has no name to register, such as an address, is a
/// site of its own.
pub fn is_same_site(one: &Url, other: &Url) -> bool {
    match (one.host(), other.host()) {
        (Some(Host::Domain(one)), Some(Host::Domain(other))) => {
            one == other || registrable(one).is_some_and(|site| registrable(other) == Some(site))
        }
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// The name that somebody registered, of a host below it.
pub fn registrable(host: &str) -> Option<&str> {
    psl::domain_str(host.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn check(one: &str, other: &str, same: bool) {
        let (a, b) = (Url::parse(one).unwrap(), Url::parse(other).unwrap());
        assert_eq!(is_same_site(&a, &b), same, "{one} {other}");
        assert_eq!(is_same_site(&b, &a), same, "{other} {one}");
    }

    #[test]
    fn hosts_below_one_registered_name_are_one_site() {
        check(
            "https://www.a.example/",
            "http://cdn.a.example:8080/x",
            true,
        );
        check("https://a.co.uk/", "https://static.a.co.uk/", true);
        check("https://a.example./", "https://a.example/", true);
        check("https://a.example/", "https://b.example/", false);
        check("https://a.co.uk/", "https://b.co.uk/", false);
        // Anybody can have a name below this one.
        check("https://a.github.io/", "https://b.github.io/", false);
    }

    #[test]
    fn addresses_and_bare_names_are_sites_of_their_own() {
        check("http://127.0.0.1/", "http://127.0.0.1:81/", true);
        check("http://127.0.0.1/", "http://128.0.0.1/", false);
        check("http://[::1]/", "http://[::1]/", true);
        check("http://localhost/", "http://localhost/", true);
        check("http://localhost/", "http://intranet/", false);
        check("data:,x", "data:,x", false);
    }
}
