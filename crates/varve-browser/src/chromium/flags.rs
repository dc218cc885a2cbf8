//! What Chromium is told when it starts.

use std::path::Path;

use super::find::Executable;
use crate::options::BrowserOptions;

/// The same for all. None is here for speed: none was found that helps much.
const ALWAYS: &[&str] = &[
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-gpu",
    "--in-process-gpu",
    "--hide-scrollbars",
    "--mute-audio",
    "--force-color-profile=srgb",
    // Nothing of Chromium's own goes over the network.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-client-side-phishing-detection",
    "--disable-breakpad",
    "--no-pings",
    "--metrics-recording-only",
    "--disable-features=MediaRouter,OptimizationHints,Translate,InterestFeedContentSuggestions,\
     CertificateTransparencyComponentUpdater,AutofillServerCommunication,HttpsUpgrades",
    // No way around the proxy: neither for loopback, nor by UDP, nor by a name looked up.
    "--proxy-bypass-list=<-loopback>",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE [::1]",
    // window.open() returns null, as with any popup blocker; we are told the address all the same.
    "--block-new-web-contents",
    // Pages are not shown to anybody, but should not notice.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--autoplay-policy=no-user-gesture-required",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--password-store=basic",
    "--use-mock-keychain",
];

/// Shared memory smaller than this (containers often have 64 MB) makes pages crash.
const ENOUGH_SHARED_MEMORY: u64 = 512 << 20;

/// All flags for one start.
pub(super) fn flags(
    executable: &Executable,
    version: &str,
    options: &BrowserOptions,
    profile: &Path,
    sandbox: bool,
) -> Vec<String> {
    let client = &options.client;
    let mut flags: Vec<String> = ALWAYS.iter().map(|flag| flag.to_string()).collect();
    flags.push(format!("--user-data-dir={}", profile.display()));
    flags.push(format!("--proxy-server={}", options.dead_end_proxy));
    flags.push(format!("--window-size={},{}", client.width, client.height));
    flags.push(format!("--lang={}", client.locale()));
    // The shell sends this as it stands, until the pins are there; a whole Chromium adds weights.
    let languages = match executable {
        Executable::Browser(_) => client.languages.clone(),
        Executable::Shell(_) => client.accept_language(),
    };
    flags.push(format!("--accept-lang={languages}"));
    // For what no session of ours reaches in time: service workers.
    flags.push(format!("--user-agent={}", client.user_agent(version)));
    if let Some(pin) = &options.key_pin {
        flags.push(format!("--ignore-certificate-errors-spki-list={pin}"));
    }
    if matches!(executable, Executable::Browser(_)) {
        flags.push("--headless=new".to_owned());
    }
    if !sandbox {
        flags.push("--no-sandbox".to_owned());
    }
    if shared_memory() < ENOUGH_SHARED_MEMORY {
        flags.push("--disable-dev-shm-usage".to_owned());
    }
    flags
}

fn shared_memory() -> u64 {
    rustix::fs::statvfs("/dev/shm").map_or(0, |disk| disk.f_blocks * disk.f_frsize)
}
