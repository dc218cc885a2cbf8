//! Import maps: what bare module specifiers mean on a page.

use serde_json::{Map, Value};
use url::Url;

/// Most entries of one map.
const MAX_ENTRIES: usize = 10_000;

/// Keys and where they lead: nowhere, if the map forbids them.
type Entries = Vec<(String, Option<Url>)>;

/// A page's import map. Empty by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportMap {
    /// Longest key first.
    imports: Entries,
    /// Longest prefix first.
    scopes: Vec<(String, Entries)>,
}

impl ImportMap {
    /// Reads an import map that stands on a page with this base URL. What is malformed is left
    /// out, as browsers do.
    pub(crate) fn parse(json: &str, base: &Url) -> Result<ImportMap, serde_json::Error> {
        let parsed: Value = serde_json::from_str(json)?;
        let imports = parsed.get("imports").and_then(Value::as_object);
        let scopes = parsed.get("scopes").and_then(Value::as_object);
        let mut scopes: Vec<_> = scopes
            .into_iter()
            .flatten()
            .take(MAX_ENTRIES)
            .filter_map(|(prefix, map)| {
                let prefix = base.join(prefix).ok()?;
                Some((prefix.to_string(), entries(map.as_object()?, base)))
            })
            .collect();
        scopes.sort_by(|a, b| b.0.cmp(&a.0));
        Ok(ImportMap {
            imports: imports.map(|map| entries(map, base)).unwrap_or_default(),
            scopes,
        })
    }

    /// Adds another map of the same page; what was said first holds.
    pub(crate) fn merge(&mut self, later: ImportMap) {
        extend(&mut self.imports, later.imports);
        for (prefix, map) in later.scopes {
            match self.scopes.iter_mut().find(|(known, _)| *known == prefix) {
                Some((_, known)) => extend(known, map),
                None => self.scopes.push((prefix, map)),
            }
        }
        self.scopes.sort_by(|a, b| b.0.cmp(&a.0));
    }

    /// The addresses that the map leads to.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = &Url> {
        let scoped = self.scopes.iter().flat_map(|(_, map)| map);
        self.imports.iter().chain(scoped).filter_map(|(key, url)| {
            // A prefix is not a resource.
            url.as_ref().filter(|_| !key.ends_with('/'))
        })
    }

    /// Resolves a specifier used by a module at `base`. Bare specifiers that the map does not
    /// know have no meaning.
    pub fn resolve(&self, specifier: &str, base: &Url) -> Option<Url> {
        let as_url = url_like(specifier, base);
        let key = as_url.as_ref().map_or(specifier, Url::as_str);
        let scopes = self.scopes.iter().filter(|(prefix, _)| {
            prefix == base.as_str() || (prefix.ends_with('/') && base.as_str().starts_with(prefix))
        });
        for map in scopes.map(|(_, map)| map).chain([&self.imports]) {
            if let Some(resolved) = lookup(map, key) {
                return resolved;
            }
        }
        as_url
    }
}

/// A specifier that is a URL or begins with `/`, `./` or `../`.
fn url_like(specifier: &str, base: &Url) -> Option<Url> {
    let relative = ["/", "./", "../"]
        .iter()
        .any(|start| specifier.starts_with(start));
    if relative {
        base.join(specifier).ok()
    } else {
        Url::parse(specifier).ok()
    }
}

/// `Some(None)` means that the map forbids the specifier.
fn lookup(map: &[(String, Option<Url>)], key: &str) -> Option<Option<Url>> {
    map.iter().find_map(|(from, to)| {
        if from == key {
            return Some(to.clone());
        }
        let rest = key
            .strip_prefix(from.as_str())
            .filter(|_| from.ends_with('/'))?;
        Some(to.as_ref().and_then(|to| to.join(rest).ok()))
    })
}

/// Normalised entries, longest key first, so that the first match is the most specific.
fn entries(map: &Map<String, Value>, base: &Url) -> Entries {
    let mut entries: Vec<_> = map
        .iter()
        .filter(|(key, _)| !key.is_empty())
        .take(MAX_ENTRIES)
        .map(|(key, value)| {
            let key = url_like(key, base).map_or_else(|| key.clone(), String::from);
            let to = value.as_str().and_then(|to| url_like(to, base));
            let to = to.filter(|to| !key.ends_with('/') || to.as_str().ends_with('/'));
            (key, to)
        })
        .collect();
    entries.sort_by(|a, b| b.0.cmp(&a.0));
    entries
}

fn extend(known: &mut Entries, later: Entries) {
    let new: Vec<_> = later
        .into_iter()
        .filter(|(key, _)| known.binary_search_by(|(k, _)| key.cmp(k)).is_err())
        .collect();
    known.extend(new);
    known.sort_by(|a, b| b.0.cmp(&a.0));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use url::Url;

    use super::ImportMap;

    #[test]
    fn specifiers_are_resolved_after_the_standard() {
        let page = Url::parse("https://h/app/index.html").unwrap();
        let mut map = ImportMap::parse(
            r#"{"imports": {"lib": "./lib.js", "lib/": "/lib/", "lib/special": "/s.js", "no": null,
                 "bad/": "/bad.js", "/app/old.js": "/app/new.js", "cdn": "https://cdn/x.js"},
               "scopes": {"/admin/": {"lib": "/admin-lib.js"}}}"#,
            &page,
        )
        .unwrap();
        let other = r#"{"imports": {"lib": "/late.js", "late": "/late.js"}}"#;
        map.merge(ImportMap::parse(other, &page).unwrap());
        for (specifier, from, expected) in [
            ("lib", "/a.js", "https://h/app/lib.js"),
            ("lib/x/y.js", "/a.js", "https://h/lib/x/y.js"),
            ("lib/special", "/a.js", "https://h/s.js"),
            ("lib", "/admin/a.js", "https://h/admin-lib.js"),
            ("lib/x", "/admin/a.js", "https://h/lib/x"),
            ("cdn", "/a.js", "https://cdn/x.js"),
            ("late", "/a.js", "https://h/late.js"),
            ("./old.js", "/app/a.js", "https://h/app/new.js"),
            ("./b.js", "/x/a.js", "https://h/x/b.js"),
            ("../b.js", "/x/a.js", "https://h/b.js"),
            ("https://o/b.js", "/x/a.js", "https://o/b.js"),
            ("no", "/a.js", ""),
            ("bad/x", "/a.js", ""),
            ("unknown", "/a.js", ""),
        ] {
            let from = page.join(from).unwrap();
            let found = map.resolve(specifier, &from).map(String::from);
            assert_eq!(
                found.unwrap_or_default(),
                expected,
                "{specifier} from {from}"
            );
        }
    }
}
