//! What can be odd about a head.

use super::lines::Line;

/// An oddity of a head, kept in its bytes and smoothed over in its view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HeadNote {
    /// A line ends with LF alone.
    BareLf,
    /// A field continues on a line that starts with white space (obs-fold).
    ObsFold,
    /// A line after the start line has no colon: it is no field.
    MissingColon,
    /// A line starts with a colon: it is no field.
    EmptyName,
    /// White space stands between a name and its colon.
    SpaceBeforeColon,
    /// A byte is NUL.
    Nul,
    /// A byte is beyond ASCII.
    NonAscii,
}

/// Every oddity of some lines once, in the order of [`HeadNote`].
pub(super) fn of<'a>(lines: impl Iterator<Item = Line<'a>>) -> Vec<HeadNote> {
    let mut found = Vec::new();
    let mut note = |is_odd: bool, note: HeadNote| {
        if is_odd && !found.contains(&note) {
            found.push(note);
        }
    };
    let mut started = false;
    for line in lines {
        note(line.whole.len() == line.text.len() + 1, HeadNote::BareLf);
        note(line.text.contains(&0), HeadNote::Nul);
        note(!line.text.is_ascii(), HeadNote::NonAscii);
        let is_start_line = !started;
        started |= !line.text.is_empty();
        if is_start_line || line.text.is_empty() {
            continue;
        }
        let field = line.split_colon().filter(|_| !line.is_fold());
        note(line.is_fold(), HeadNote::ObsFold);
        note(field.is_none() && !line.is_fold(), HeadNote::MissingColon);
        note(
            field.is_some_and(|(name, _)| name.trim_ascii().is_empty()),
            HeadNote::EmptyName,
        );
        let spaced = |name: &[u8]| name.ends_with(b" ") || name.ends_with(b"\t");
        note(
            field.is_some_and(|(name, _)| spaced(name)),
            HeadNote::SpaceBeforeColon,
        );
    }
    found.sort_unstable();
    found
}
