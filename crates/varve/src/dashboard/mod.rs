//! The dashboard: a page on loopback that shows the crawl and steers it.
//!
//! It runs on a thread and a runtime of its own and only looks at what [`Live`] shows, so that
//! nothing it does holds up the crawl. Connections, watchers and bodies have limits. What it shows
//! is other people's text: the page puts it on the screen as text and never as markup, and its
//! policy allows no script but its own.

mod assets;
mod doorman;
mod events;
mod listener;
mod orders;
mod routes;

use anyhow::{Context, Result, bail};
use doorman::Doorman;
use listener::FewConnections;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use varve_crawl::live::{Control, Live};

/// So many may watch at once. Everybody else can still load the page and the metrics.
const WATCHERS: usize = 8;
/// At the end of the crawl, watchers have so long to hear of it.
const FAREWELL: Duration = Duration::from_millis(500);

/// A dashboard at work.
pub(crate) struct Dashboard {
    address: SocketAddr,
    over: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

/// What every request may need.
struct Desk {
    live: Arc<Live>,
    control: Arc<Control>,
    doorman: Doorman,
    watchers: Arc<Semaphore>,
    over: watch::Receiver<bool>,
}

/// Refuses addresses that others than this machine can reach.
pub(crate) fn check_address(address: SocketAddr) -> Result<()> {
    if !address.ip().to_canonical().is_loopback() {
        bail!(
            "--dashboard {address}: the dashboard asks for no password and listens on loopback \
             only, such as 127.0.0.1:{port}; from elsewhere, use `ssh -L`",
            port = address.port()
        );
    }
    Ok(())
}

impl Dashboard {
    /// Listens there, on loopback, until the end of the crawl.
    pub(crate) fn start(
        address: SocketAddr,
        live: Arc<Live>,
        control: Arc<Control>,
    ) -> Result<Dashboard> {
        check_address(address)?;
        let why = || format!("--dashboard {address}: cannot listen there");
        let listener = TcpListener::bind(address).with_context(why)?;
        listener.set_nonblocking(true).with_context(why)?;
        let address = listener.local_addr().with_context(why)?;
        let (over, is_over) = watch::channel(false);
        let desk = Arc::new(Desk {
            live,
            control,
            doorman: Doorman::new(address)?,
            watchers: Arc::new(Semaphore::new(WATCHERS)),
            over: is_over,
        });
        let thread = std::thread::Builder::new().name("dashboard".into());
        let thread = thread
            .spawn(move || serve(listener, desk))
            .with_context(why)?;
        Ok(Dashboard {
            address,
            over,
            thread: Some(thread),
        })
    }

    /// Where it is.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Dashboard {
    /// Tells those who watch how the crawl ended, and closes.
    fn drop(&mut self) {
        self.over.send_replace(true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(listener: TcpListener, desk: Arc<Desk>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let Ok(runtime) = runtime else {
        return;
    };
    runtime.block_on(async {
        let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
            return;
        };
        let end = wait_for_end(desk.over.clone());
        let serving = axum::serve(FewConnections::new(listener), routes::router(desk.clone()))
            .with_graceful_shutdown(end);
        let farewell = async {
            wait_for_end(desk.over.clone()).await;
            tokio::time::sleep(FAREWELL).await;
        };
        tokio::select! {
            _ = serving => {}
            () = farewell => {}
        }
    });
    // Whoever does not hang up is hung up on.
    runtime.shutdown_background();
}

async fn wait_for_end(mut over: watch::Receiver<bool>) {
    // An error means that the dashboard itself is gone.
    let _ = over.wait_for(|over| *over).await;
}
