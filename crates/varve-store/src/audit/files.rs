//! Checking one archive file record by record.

use super::{Audit, AuditObserver, Tally};
use crate::collection::is_zip;
use crate::fs::{Fs, ReadAt};
use crate::wacz::WaczReader;
use crate::warc::{Scanned, Scanner, Step, Verify};
use crate::{Result, StoreError};
use std::path::Path;
use std::sync::Arc;

/// Checks a WARC, ARC or WACZ file that is in no collection.
pub fn audit_file(fs: &Fs, path: &Path, observer: &mut dyn AuditObserver) -> Result<Tally> {
    let mut audit = Audit::new(observer);
    let file = fs.open(path).map_err(StoreError::io(path, "open"))?;
    audit.tally.files = 1;
    audit.tally.bytes = file.len().map_err(StoreError::io(path, "look at"))?;
    let mut first = [0; 4];
    crate::fs::read_full_at(file.as_ref(), &mut first, 0).map_err(StoreError::io(path, "read"))?;
    if is_zip(&first) {
        let checked = audit_wacz(&mut audit, path, file);
        audit.survive(checked)?;
    } else {
        walk(&mut audit, path, file, |_| Ok(()))?;
    }
    Ok(audit.tally)
}

/// Walks all records of an archive file, reporting everything that is wrong with them.
pub(super) fn walk(
    audit: &mut Audit<'_>,
    path: &Path,
    file: Arc<dyn ReadAt>,
    mut take: impl FnMut(&Scanned) -> Result<()>,
) -> Result<()> {
    let scanner = Scanner::new(file, Verify::Digests).map_err(|error| error.at(path));
    let Some(mut scanner) = audit.survive(scanner)? else {
        return Ok(());
    };
    let (mut seen, mut records) = (0, 0);
    loop {
        let step = scanner.next_step().map_err(StoreError::io(path, "read"));
        let Some(step) = audit.survive(step)? else {
            return Ok(());
        };
        let position = scanner.position();
        audit.observer.advanced(position.saturating_sub(seen));
        seen = seen.max(position);
        match step {
            None => break,
            Some(Step::Damage { from, fault, .. }) => {
                audit.damage(path, Some(from), fault.to_string())
            }
            Some(Step::Record(record)) => {
                records += 1;
                let at = Some(record.place.offset);
                for fault in &record.faults {
                    match fault.is_damage() {
                        true => audit.damage(path, at, fault.to_string()),
                        false => audit.note(path, at, fault.to_string()),
                    }
                }
                take(&record)?;
            }
        }
    }
    audit.tally.records += records;
    if records == 0 && seen == 0 {
        audit.damage(path, None, "is empty");
    }
    Ok(())
}

fn audit_wacz(audit: &mut Audit<'_>, path: &Path, file: Arc<dyn ReadAt>) -> Result<()> {
    let mut wacz = WaczReader::open(path, file)?;
    for name in wacz.archives() {
        let inside = path.join(&name);
        match wacz.stored_member(&name)? {
            Some(member) => walk(audit, &inside, member, |_| Ok(()))?,
            None => audit.note(
                &inside,
                None,
                "is compressed in the ZIP: its records were not walked",
            ),
        }
    }
    for found in wacz.check_hashes(path)? {
        audit.damage(
            path,
            Some(found.offset),
            format!("{}: {}", found.file, found.fault),
        );
    }
    Ok(())
}
