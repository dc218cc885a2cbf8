use super::*;
use crate::fs::sim::{FaultError, FaultOp, FaultPlan, SimDisk};
use crate::index::LayerIndex;
use crate::index::testing::forward;
use std::sync::Arc;

const FORMS: [IndexForm; 2] = [IndexForm::Plain, IndexForm::ZipNum];

fn disk() -> (SimDisk, Fs) {
    let disk = SimDisk::new();
    let fs: Fs = Arc::new(disk.clone());
    fs.create_dir_all(Path::new("indexes")).unwrap();
    (disk, fs)
}

#[test]
fn both_forms_give_back_what_was_written() {
    for form in FORMS {
        for count in [0, 1, 5000] {
            let lines: Vec<_> = (0..count)
                .map(|n| format!("com,a)/ {n:014} {{}}"))
                .collect();
            let (_, fs) = disk();
            let mut writer = IndexWriter::create(&fs, Path::new("indexes"), form).unwrap();
            for line in &lines {
                writer.push(line.as_bytes()).unwrap();
            }
            assert_eq!(writer.finish().unwrap(), count);
            let index = LayerIndex::open(&fs, Path::new("indexes")).unwrap();
            let is_plain = matches!(index, LayerIndex::Plain(_));
            assert_eq!(is_plain, form == IndexForm::Plain);
            assert_eq!(forward(index.start()), (lines, vec![]));
            let verified = index.verify(&mut |fault| panic!("{fault}")).unwrap();
            assert_eq!(verified.lines, count);
        }
    }
}

#[test]
fn lines_that_could_not_be_read_again_are_refused() {
    let long = format!("a 1 {}", "x".repeat(MAX_LINE));
    let table = [
        ("com,a)/ 1 {}", None),
        ("com,b)/ 1 {}", None),
        ("com,a)/ 1 {}", Some("out of order")),
        ("com,c)/ 1 {\n}", Some("line break")),
        ("com,c)/ 1", Some("not a key, a time and more")),
        ("com,c)/", Some("not a key, a time and more")),
        ("", Some("not a key, a time and more")),
        ("!meta 0 {}", Some("header")),
        (&long, Some("longer than 1 MiB")),
        ("com,b)/ 1 {}", None),
    ];
    for form in FORMS {
        let (_, fs) = disk();
        let mut writer = IndexWriter::create(&fs, Path::new("indexes"), form).unwrap();
        for (line, refusal) in table {
            let pushed = writer
                .push(line.as_bytes())
                .map_err(|error| error.to_string());
            match refusal {
                None => pushed.unwrap(),
                Some(reason) => assert!(pushed.unwrap_err().contains(reason), "{reason}"),
            }
        }
        assert_eq!(writer.finish().unwrap(), 3);
    }
}

#[test]
fn what_the_disk_refuses_is_an_error() {
    let errors = [
        (FaultOp::Create, FaultError::NoSpace),
        (FaultOp::Append, FaultError::NoSpace),
        (FaultOp::SyncFile, FaultError::Hardware),
    ];
    for form in FORMS {
        for (op, error) in errors {
            let (disk, fs) = disk();
            disk.fail(FaultPlan::once(op, 1, error));
            let written =
                IndexWriter::create(&fs, Path::new("indexes"), form).and_then(|mut writer| {
                    writer.push(b"com,a)/ 1 {}")?;
                    writer.finish()
                });
            let failed = written.unwrap_err();
            assert!(matches!(failed, StoreError::Io { .. }), "{op:?}: {failed}");
        }
    }
}
