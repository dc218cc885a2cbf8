//! A browser for a test, and a look at the processes it consists of.

use std::net::SocketAddr;
use std::time::Duration;

use tempfile::TempDir;
use url::Url;
use varve_browser::{Browser, BrowserOptions, Visit, VisitOptions};

use crate::site::Site;

/// A browser with a directory of its own.
pub(crate) struct Setup {
    pub(crate) browser: Browser,
    pub(crate) scratch: TempDir,
}

pub(crate) fn options(scratch: &TempDir) -> BrowserOptions {
    // Nobody listens on the discard port.
    let dead_end = SocketAddr::from(([127, 0, 0, 1], 9));
    BrowserOptions::new(dead_end, scratch.path().to_owned())
}

pub(crate) async fn setup() -> Setup {
    setup_with(|_| {}).await
}

pub(crate) async fn setup_with(change: impl FnOnce(&mut BrowserOptions)) -> Setup {
    let scratch = tempfile::tempdir().unwrap();
    std::fs::set_permissions(
        scratch.path(),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    let mut options = options(&scratch);
    change(&mut options);
    Setup {
        browser: Browser::start(options).await.unwrap(),
        scratch,
    }
}

pub(crate) fn quick() -> VisitOptions {
    let deadline = Duration::from_secs(20);
    VisitOptions {
        deadline,
        screenshot: false,
        scroll: false,
        ..VisitOptions::default()
    }
}

impl Setup {
    /// Visits the site's first page.
    pub(crate) async fn visit(&self, site: &Site, options: &VisitOptions) -> Visit {
        self.browser
            .visit(&Url::parse("http://site.test/").unwrap(), site, options)
            .await
    }

    /// Checks that the browser is as good as new: an ordinary page works.
    pub(crate) async fn assert_next_page_is_fine(&self) {
        let site = Site::of("<title>next</title><p>as usual").await;
        let visit = self.visit(&site, &quick()).await;
        assert_eq!(
            (visit.outcome.reason().as_ref(), visit.title.as_str()),
            ("ok", "next")
        );
    }
}

/// The living processes of a group: pid and the content of `status`.
pub(crate) fn processes(group: i32) -> Vec<(i32, String)> {
    let pids = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let of_group = pids.filter(|pid| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
        let fields: Vec<&str> = fields.split_whitespace().collect();
        // The dead that wait for the system's first process are not ours to bury.
        fields.len() > 2 && fields[2] == group.to_string() && fields[0] != "Z"
    });
    let status = |pid| std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    of_group.map(|pid| (pid, status(pid))).collect()
}
