//! The directory of a report: `report.json`, `index.html` with its style, and pictures.

use super::{PictureFiles, Report, html};
use crate::error::QaError;
use std::fs;
use std::path::{Path, PathBuf};

const JSON: &str = "report.json";
const PICTURES: &str = "pictures";
const STYLE: &str = include_str!("style.css");

/// Pictures of one page, as PNG.
#[derive(Default)]
pub(crate) struct PagePictures<'a> {
    pub(crate) capture: Option<&'a [u8]>,
    pub(crate) replay: Option<&'a [u8]>,
    pub(crate) difference: Option<&'a [u8]>,
}

/// A directory that a report goes to.
pub(crate) struct ReportDir(PathBuf);

impl ReportDir {
    /// Makes the directory. One with an earlier report loses that; one with anything else is left
    /// alone.
    pub(crate) fn create(path: &Path) -> Result<ReportDir, QaError> {
        fs::create_dir_all(path).map_err(QaError::report(path, "create"))?;
        let mut entries = fs::read_dir(path).map_err(QaError::report(path, "read"))?;
        let is_ours = path.join(JSON).is_file();
        if !is_ours && entries.next().is_some() {
            return Err(QaError::NotAReport(path.to_owned()));
        }
        let pictures = path.join(PICTURES);
        if pictures.is_dir() {
            fs::remove_dir_all(&pictures).map_err(QaError::report(&pictures, "remove"))?;
        }
        fs::create_dir(&pictures).map_err(QaError::report(&pictures, "create"))?;
        let dir = ReportDir(path.to_owned());
        // Whatever interrupts it, the next report may go here.
        dir.write(JSON, b"{}\n")?;
        Ok(dir)
    }

    /// Writes the pictures of the page with this number.
    pub(crate) fn pictures(
        &self,
        number: usize,
        pictures: &PagePictures<'_>,
    ) -> Result<Option<PictureFiles>, QaError> {
        let write = |what: &str, png: Option<&[u8]>| {
            let name = format!("{PICTURES}/{number:05}-{what}.png");
            png.map(|png| self.write(&name, png).map(|()| name))
                .transpose()
        };
        let files = PictureFiles {
            capture: write("capture", pictures.capture)?,
            replay: write("replay", pictures.replay)?,
            difference: write("difference", pictures.difference)?,
        };
        Ok((files != PictureFiles::default()).then_some(files))
    }

    /// Writes what the pictures belong to.
    pub(crate) fn finish(&self, report: &Report) -> Result<(), QaError> {
        let json = serde_json::to_vec_pretty(report).unwrap_or_default();
        self.write("style.css", STYLE.as_bytes())?;
        self.write("index.html", html::index(report).as_bytes())?;
        self.write(JSON, &json)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), QaError> {
        let path = self.0.join(name);
        fs::write(&path, bytes).map_err(QaError::report(&path, "write"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_replaces_an_earlier_one_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("new/report");
        let first = ReportDir::create(&place).unwrap();
        let picture = PagePictures {
            capture: Some(b"png"),
            ..PagePictures::default()
        };
        let files = first.pictures(7, &picture).unwrap().unwrap();
        let name = files.capture.unwrap();
        assert_eq!(fs::read(place.join(&name)).unwrap(), b"png");
        ReportDir::create(&place).unwrap();
        assert!(!place.join(name).exists());
        let others = dir.path().join("others");
        fs::create_dir(&others).unwrap();
        fs::write(others.join("mine.txt"), "").unwrap();
        assert!(matches!(
            ReportDir::create(&others),
            Err(QaError::NotAReport(_))
        ));
    }
}
