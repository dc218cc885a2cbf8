//! The access list as a file that changes: a rule more or one less, and every other line as it was.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// The rules of a list, as they are written.
pub(super) fn rules(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with(['!', '#']))
}

/// A list with another rule. Of rules with the same key the first counts, so the new one comes
/// before those that are there.
pub(super) fn with(text: &str, rule: &str) -> String {
    let key = key_of(rule);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let same = |line: &&str| rules(line).next().map(key_of) == Some(key);
    let at = lines.iter().position(same).unwrap_or(lines.len());
    let mut out = lines[..at].concat();
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out + rule + "\n" + &lines[at..].concat()
}

/// A list without a rule; `None` if it is not there.
pub(super) fn without(text: &str, rule: &str) -> Option<String> {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let at = lines.iter().position(|line| line.trim() == rule.trim())?;
    lines.remove(at);
    Some(lines.concat())
}

/// Puts a text in the place of a file: after a crash either the one or the other is there, whole.
/// Who may read the file stays as it was.
pub(super) fn replace(file: &Path, text: &str) -> io::Result<()> {
    // A link stays one.
    let file = file.canonicalize()?;
    let dir = file.parent().unwrap_or(Path::new("/"));
    let mut new = NamedTempFile::new_in(dir)?;
    new.write_all(text.as_bytes())?;
    new.as_file()
        .set_permissions(file.metadata()?.permissions())?;
    new.as_file().sync_all()?;
    new.persist(&file)?;
    File::open(dir)?.sync_all()
}

fn key_of(rule: &str) -> &str {
    rule.split(' ').next().unwrap_or("")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    const BLOCK: &str = "a)/ - {\"access\": \"block\"}";
    const ALLOW: &str = "a)/ - {\"access\": \"allow\"}";

    #[test]
    fn what_is_there_stays() {
        let check = |text: &str, expected: &str| assert_eq!(with(text, BLOCK), expected, "{text}");
        check("", &format!("{BLOCK}\n"));
        check("# why", &format!("# why\n{BLOCK}\n"));
        check("!x\r\nb - {}\r\n", &format!("!x\r\nb - {{}}\r\n{BLOCK}\n"));
        check(
            &format!("# why\n{ALLOW}\nb - {{}}\n"),
            &format!("# why\n{BLOCK}\n{ALLOW}\nb - {{}}\n"),
        );
    }

    #[test]
    fn a_rule_is_taken_back() {
        let text = format!("# why\n{BLOCK}\r\nb - {{}}");
        assert_eq!(without(&text, BLOCK).unwrap(), "# why\nb - {}");
        assert_eq!(without(&text, ALLOW), None);
        assert_eq!(rules(&text).collect::<Vec<_>>(), [BLOCK, "b - {}"]);
    }

    #[test]
    fn a_file_keeps_its_readers_and_a_link_its_target() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("list"), dir.path().join("link"));
        std::fs::write(&file, "old").unwrap();
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace(&link, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
        assert!(link.is_symlink());
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
    }
}
