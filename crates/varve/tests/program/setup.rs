//! Running the program and its judges.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn varve() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_varve"));
    command.env_remove("NO_COLOR");
    command
}

/// Runs the program; panics with its words when it does not end with `code`.
#[track_caller]
pub(crate) fn run(args: &[&dyn AsRef<std::ffi::OsStr>], code: i32) -> Output {
    let output = varve()
        .args(args.iter().map(|arg| arg.as_ref()))
        .output()
        .unwrap();
    assert_eq!(
        output.status.code(),
        Some(code),
        "{:?}\n{}{}",
        args.iter()
            .map(|arg| arg.as_ref().to_owned())
            .collect::<Vec<_>>(),
        stdout(&output),
        stderr(&output)
    );
    output
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A tool of the judges' virtual environment.
pub(crate) fn judge(tool: &str) -> Command {
    let path = root().join(".venv/bin").join(tool);
    assert!(
        path.exists(),
        "{} is missing: run `make test`, which installs the judges",
        path.display()
    );
    Command::new(path)
}

/// Runs a command that must succeed.
#[track_caller]
pub(crate) fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let words = format!("{}{}", stdout(&output), stderr(&output));
    assert!(output.status.success(), "{command:?}\n{words}");
    words
}

/// Writes the sample website; returns the WARC's path.
pub(crate) fn sample(dir: &Path) -> PathBuf {
    let example = Path::new(env!("CARGO_BIN_EXE_varve"))
        .with_file_name("examples")
        .join("sample");
    succeed(Command::new(example).arg(dir));
    dir.join("garden.warc.gz")
}

/// The directory of other tools' archives, on machines that have it.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    Some(root().join("../shared").join(name)).filter(|path| path.exists())
}

/// All files below a directory.
pub(crate) fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path))
        } else {
            found.push(path)
        }
    }
    found.sort();
    found
}

/// The one layer of a collection.
pub(crate) fn only_layer(collection: &Path) -> PathBuf {
    let mut layers: Vec<_> = std::fs::read_dir(collection.join("layers"))
        .unwrap()
        .collect();
    assert_eq!(layers.len(), 1);
    layers.remove(0).unwrap().path()
}
