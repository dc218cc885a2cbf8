//! Nothing that was reported as saved is ever lost: not by power loss at any moment, not by a
//! full or failing disk, whatever the disk did with writes that were not synced.

use crate::fixture::{captures_of, exchange, gzip_warc, put, sim, world};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use varve_store::audit::{AuditObserver, Finding, audit_collection, audit_manifest};
use varve_store::collection::{Collection, RecordOptions};
use varve_store::fs::sim::{FaultError, FaultOp, FaultPlan, FaultSpan, Loss, SimDisk};
use varve_store::fs::{FileSystem, Fs};
use varve_store::{Result, StoreError};

const ROOT: &str = "archive";
const SOURCES: [(&str, &str); 3] = [("a.warc.gz", "a"), ("b.warc.gz", "b"), ("c.warc.gz", "c")];

/// A disk with files to import, all durable.
fn prepared() -> SimDisk {
    let (disk, _) = sim();
    disk.create_dir_all(Path::new("in")).unwrap();
    for (name, word) in SOURCES {
        let bodies: Vec<Vec<u8>> = (0..4)
            .map(|n| format!("{word}{n}").repeat(50).into_bytes())
            .collect();
        let bodies: Vec<&[u8]> = bodies.iter().map(Vec::as_slice).collect();
        let bytes = gzip_warc(&bodies);
        put(&disk, &format!("in/{name}"), &bytes);
    }
    disk.fork()
}

fn open(disk: &SimDisk) -> Result<Collection> {
    let fs: Fs = Arc::new(disk.clone());
    Collection::open_or_create(fs, Path::new(ROOT), world())
}

/// Records three batches into two files and seals; marks what is saved.
fn record(disk: &SimDisk, prefix: &str) -> Result<()> {
    let collection = open(disk)?;
    let world = world();
    let options = RecordOptions {
        rotate_at: 2_000,
        ..RecordOptions::default()
    };
    let mut recorder = collection.record(options)?;
    for batch in 0..3 {
        for number in 0..3 {
            let url = format!("http://{prefix}.example/{batch}/{number}");
            // Every third body is one seen before: a revisit.
            let body = format!("body {} ", if number == 2 { 0 } else { batch * 3 + number });
            recorder.append(&exchange(world.as_ref(), &url, body.repeat(40).as_bytes()))?;
        }
        for capture in recorder.commit()? {
            disk.mark(format!("saved {}", capture.url));
        }
    }
    recorder.seal()?;
    Ok(())
}

/// Imports all sources; marks those that are saved.
fn import(disk: &SimDisk) -> Result<()> {
    let collection = open(disk)?;
    let mut importer = collection.import()?;
    for (name, _) in SOURCES {
        importer.import(Path::new(&format!("in/{name}")), &mut ())?;
        disk.mark(format!("imported {name}"));
    }
    importer.finish()?;
    Ok(())
}

struct Damage(Vec<Finding>);

impl AuditObserver for Damage {
    fn found(&mut self, finding: &Finding) {
        if finding.is_damage {
            self.0.push(finding.clone());
        }
    }
}

/// Recovers, audits, and looks for everything that was acknowledged.
fn check(disk: &SimDisk, marks: &[String], context: &str) {
    let fs: Fs = Arc::new(disk.clone());
    let collection = match Collection::open(fs.clone(), Path::new(ROOT), world()) {
        Ok(collection) => collection,
        Err(StoreError::NotACollection { .. }) if marks.is_empty() => return,
        Err(error) => panic!("{context}: cannot open: {error}"),
    };
    assert_eq!(
        audit_manifest(fs.as_ref(), Path::new(ROOT)),
        None,
        "{context}"
    );
    let mut damage = Damage(Vec::new());
    audit_collection(&collection, &mut damage).unwrap_or_else(|error| panic!("{context}: {error}"));
    assert_eq!(damage.0, [], "{context}");
    for mark in marks {
        let Some((verb, what)) = mark.split_once(' ') else {
            continue;
        };
        match verb {
            "saved" => check_saved(&collection, what, context),
            "imported" => check_imported(disk, &collection, what, context),
            _ => {}
        }
    }
    let left = fs.list(&Path::new(ROOT).join("state")).unwrap_or_default();
    let left: Vec<_> = left
        .into_iter()
        .filter(|entry| entry.name != "lock")
        .collect();
    assert_eq!(left, [], "{context}: recovery left something open");
}

fn check_saved(collection: &Collection, url: &str, context: &str) {
    let hits = captures_of(collection, url);
    assert_eq!(hits.len(), 1, "{context}: {url}");
    let index = collection.index().unwrap();
    let original = collection.payload_of(&index, &hits[0]).unwrap();
    let original = original.unwrap_or_else(|| panic!("{context}: the payload of {url} is lost"));
    let mut body = String::new();
    std::io::Read::read_to_string(&mut collection.read(&original).unwrap(), &mut body).unwrap();
    assert!(body.starts_with("body "), "{context}: {url}: {body}");
}

fn check_imported(disk: &SimDisk, collection: &Collection, name: &str, context: &str) {
    let layers = collection.layers().len();
    let stored = (0..layers).any(|layer| {
        let path = collection.layer_dir(layer).join("archive").join(name);
        let bytes = varve_store::fs::read_small(disk, &path, u64::MAX);
        bytes.ok() == varve_store::fs::read_small(disk, &Path::new("in").join(name), u64::MAX).ok()
    });
    assert!(stored, "{context}: {name} is not in the collection");
}

fn is_soak() -> bool {
    std::env::var_os("VARVE_SOAK").is_some()
}

/// Crashes at every sync boundary in every way, with as many dice as the run allows.
fn crash_everywhere(disk: &SimDisk, at_least: usize) -> usize {
    let points = disk.sync_points();
    let seeds = at_least.div_ceil(points.len() * Loss::ALL.len()).max(1) as u64;
    let mut images = 0;
    for position in points {
        let marks = disk.marks_before(position);
        for loss in Loss::ALL {
            for seed in 0..seeds {
                let image = disk.crash_image(position, loss, seed);
                check(
                    &image,
                    &marks,
                    &format!("position {position}, {loss:?}, seed {seed}"),
                );
                images += 1;
            }
        }
    }
    images
}

#[test]
fn power_loss_at_any_moment_loses_nothing_saved() {
    let (record_images, import_images) = if is_soak() {
        (3_500, 3_000)
    } else {
        (400, 300)
    };
    let disk = prepared();
    record(&disk, "one").unwrap();
    record(&disk, "two").unwrap();
    let images = crash_everywhere(&disk, record_images);
    let disk = prepared();
    import(&disk).unwrap();
    let images = images + crash_everywhere(&disk, import_images);
    assert!(
        images >= if is_soak() { 6_000 } else { 500 },
        "only {images} images"
    );
}

#[test]
fn a_crash_during_recovery_is_recovered_from() {
    let disk = prepared();
    record(&disk, "one").unwrap();
    let points = disk.sync_points();
    for position in points.into_iter().step_by(3) {
        let marks = disk.marks_before(position);
        let crashed = disk.crash_image(position, Loss::Torn, 7);
        let recovering = crashed.fork();
        let _ = open(&recovering);
        for again in recovering.sync_points().into_iter().step_by(2) {
            let image = recovering.crash_image(again, Loss::Reordered, again as u64);
            check(
                &image,
                &marks,
                &format!("position {position}, then {again}"),
            );
        }
    }
}

#[test]
fn a_full_or_failing_disk_loses_nothing_saved_at_any_operation() {
    let clean = prepared();
    let base: Vec<usize> = FaultOp::ALL.iter().map(|op| clean.op_count(*op)).collect();
    record(&clean, "one").unwrap();
    import(&clean).unwrap();
    let mut runs = 0;
    for (op, base) in FaultOp::ALL.into_iter().zip(base) {
        let step = if is_soak() { 1 } else { 2 };
        for nth in (1..=clean.op_count(op) - base).step_by(step) {
            for (error, span) in [
                (FaultError::NoSpace, FaultSpan::Once),
                (FaultError::NoSpace, FaultSpan::Forever),
                (FaultError::Hardware, FaultSpan::Once),
                (FaultError::Hardware, FaultSpan::Forever),
            ] {
                let disk = prepared();
                disk.fail(FaultPlan {
                    op,
                    nth,
                    error,
                    span,
                    seed: nth as u64,
                });
                let result = record(&disk, "one").and_then(|()| import(&disk));
                let marks = disk.marks_before(disk.log_len());
                disk.clear_faults();
                let context = format!("{op:?} {nth} fails with {error:?} {span:?}");
                if let (Err(failed), FaultError::NoSpace) = (&result, error) {
                    assert!(failed.is_disk_full(), "{context}: {failed}");
                }
                for loss in [Loss::Process, Loss::Dropped, Loss::Reordered] {
                    let image = disk.crash_image(disk.log_len(), loss, nth as u64);
                    check(&image, &marks, &format!("{context}, then {loss:?}"));
                }
                runs += 1;
            }
        }
    }
    assert!(runs > 100, "only {runs} runs");
}

#[test]
fn an_interrupted_import_run_again_ends_like_one_that_was_not() {
    let whole = prepared();
    import(&whole).unwrap();
    let expected = urls(&open(&whole).unwrap());
    for position in whole.sync_points() {
        let image = whole.crash_image(position, Loss::Reordered, 3);
        import(&image).unwrap();
        let collection = open(&image).unwrap();
        assert_eq!(urls(&collection), expected, "position {position}");
        let captures: u64 = collection.layers().iter().map(|layer| layer.captures).sum();
        assert_eq!(
            captures, 12,
            "position {position}: something was imported twice"
        );
    }
}

fn urls(collection: &Collection) -> BTreeSet<String> {
    let index = collection.index().unwrap();
    let mut cursor = index.start().unwrap();
    let mut urls = BTreeSet::new();
    while let Some((_, line)) = cursor.next_line().unwrap() {
        let line = std::str::from_utf8(line).unwrap();
        let capture = varve_model::Capture::parse(line).unwrap();
        urls.insert(format!("{} {}", capture.url, capture.filename));
    }
    urls
}

#[test]
fn any_flipped_bit_in_a_collection_is_found() {
    let disk = prepared();
    record(&disk, "one").unwrap();
    import(&disk).unwrap();
    let paths: Vec<String> = disk
        .snapshot_paths()
        .into_iter()
        .filter(|path| path.starts_with(ROOT))
        .collect();
    let sizes: Vec<u64> = paths
        .iter()
        .map(|path| disk.open(Path::new(path)).unwrap().len().unwrap() * 8)
        .collect();
    let total: u64 = sizes.iter().sum();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for round in 0..1_000 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let mut bit = state % total;
        let mut which = 0;
        while bit >= sizes[which] {
            bit -= sizes[which];
            which += 1;
        }
        let flipped = disk.fork();
        flipped.flip_bit(&paths[which], bit).unwrap();
        assert!(
            is_damaged(&flipped),
            "round {round}: bit {bit} of {} was not noticed",
            paths[which]
        );
    }
}

fn is_damaged(disk: &SimDisk) -> bool {
    let fs: Fs = Arc::new(disk.clone());
    if audit_manifest(fs.as_ref(), Path::new(ROOT)).is_some() {
        return true;
    }
    let Ok(collection) = Collection::open(fs, Path::new(ROOT), world()) else {
        return true;
    };
    let mut damage = Damage(Vec::new());
    audit_collection(&collection, &mut damage).unwrap();
    !damage.0.is_empty()
}

#[test]
fn an_import_that_goes_on_after_an_error_loses_nothing_it_reported() {
    for op in FaultOp::ALL {
        for nth in 1..60 {
            let disk = prepared();
            open(&disk).unwrap();
            disk.fail(FaultPlan::once(op, nth, FaultError::Hardware));
            let attempt = || -> Result<()> {
                let mut importer = open(&disk)?.import()?;
                for (name, _) in SOURCES {
                    if importer
                        .import(Path::new(&format!("in/{name}")), &mut ())
                        .is_ok()
                    {
                        disk.mark(format!("imported {name}"));
                    }
                }
                importer.finish().map(drop)
            };
            let _ = attempt();
            let marks = disk.marks_before(disk.log_len());
            disk.clear_faults();
            for loss in [Loss::Process, Loss::Dropped] {
                let image = disk.crash_image(disk.log_len(), loss, nth as u64);
                check(
                    &image,
                    &marks,
                    &format!("{op:?} {nth} fails, then {loss:?}"),
                );
            }
        }
    }
}
