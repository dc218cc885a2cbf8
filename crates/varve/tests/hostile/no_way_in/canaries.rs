//! Listeners where nobody may come by.

use crate::namespace;
use crate::serving::{head, listen, send};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Private addresses at which somebody can listen. (Nobody can at a group's, and a link-local one
/// is none without its link.)
const ADDRESSES: [&str; 12] = [
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "127.0.0.2",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.192",
    "192.168.0.1",
    "198.18.0.1",
    "64:ff9b::7f00:1",
    "::1",
    "fd00:ec2::254",
];

/// What the canaries heard.
pub(super) struct Canaries {
    heard: Arc<Mutex<BTreeSet<String>>>,
}

impl Canaries {
    /// Lets one listen at every address.
    pub(super) fn start() -> Canaries {
        let heard = Arc::<Mutex<BTreeSet<String>>>::default();
        for address in ADDRESSES {
            let v6 = address.contains(':');
            if !address.starts_with("127.") && address != "::1" {
                namespace::add_address(&format!("{address}/{}", if v6 { 128 } else { 32 }));
            }
            let heard = heard.clone();
            let at = if v6 {
                format!("[{address}]:80")
            } else {
                format!("{address}:80")
            };
            listen(&at, move |mut stream| {
                heard.lock().unwrap().insert(address.to_owned());
                head(&mut stream);
                send(
                    &mut stream,
                    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                );
            });
        }
        Canaries { heard }
    }

    pub(super) fn addresses(&self) -> Vec<String> {
        ADDRESSES.map(str::to_owned).to_vec()
    }

    /// At which addresses somebody came by since this was asked last.
    pub(super) fn heard(&self) -> Vec<String> {
        // Connections that were made are accepted by now.
        std::thread::sleep(Duration::from_millis(200));
        let heard = std::mem::take(&mut *self.heard.lock().unwrap());
        heard.into_iter().collect()
    }
}
