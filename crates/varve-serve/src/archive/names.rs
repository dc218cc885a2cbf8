//! What collections are called: by their directories, each by a name of its own.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// What a collection is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// For people.
    pub(crate) shown: String,
    /// In paths of ours: letters, digits, `.`, `-` and `_` only.
    pub(crate) path: String,
}

/// The names of collections in these directories.
pub(super) fn names(roots: &[PathBuf]) -> Vec<Name> {
    let mut taken = HashSet::new();
    roots.iter().map(|root| name(root, &mut taken)).collect()
}

fn name(root: &Path, taken: &mut HashSet<String>) -> Name {
    let whole = root.file_name().is_none();
    let root = match whole {
        // Such as `.`.
        true => root.canonicalize().unwrap_or_else(|_| root.to_owned()),
        false => root.to_owned(),
    };
    let shown = root.file_name().unwrap_or(root.as_os_str());
    let shown = shown.to_string_lossy().into_owned();
    let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let path: String = shown
        .chars()
        .map(|c| if safe(c) { c } else { '-' })
        .collect();
    // Browsers would take dots alone for directories.
    let path = match path.trim_matches('.') {
        "" => "collection".to_owned(),
        _ => path,
    };
    if taken.insert(path.clone()) {
        return Name { shown, path };
    }
    let mut number = 2;
    while !taken.insert(format!("{path}-{number}")) {
        number += 1;
    }
    Name {
        shown: format!("{shown} ({number})"),
        path: format!("{path}-{number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_name_of_its_own_that_a_path_can_hold() {
        let roots = ["/a/web", "/b/web", "c/Über uns?", "/d/web-2", "/e/.."].map(PathBuf::from);
        let names: Vec<(String, String)> = names(&roots[..4])
            .into_iter()
            .map(|name| (name.shown, name.path))
            .collect();
        let expected = [
            ("web", "web"),
            ("web (2)", "web-2"),
            ("Über uns?", "-ber-uns-"),
            ("web-2 (2)", "web-2-2"),
        ];
        assert_eq!(names, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }
}
