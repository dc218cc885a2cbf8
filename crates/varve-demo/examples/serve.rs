//! Serves the example web and tells what is asked of it: `cargo run -p varve-demo --example serve -- PORT`.
//! To look at it: `chromium --host-resolver-rules='MAP * 127.0.0.1:PORT' --ignore-certificate-errors http://garden.example/`.

use std::net::Ipv4Addr;
use std::time::Duration;
use varve_demo::{DemoOptions, DemoWeb};

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let port = std::env::args().nth(1).and_then(|port| port.parse().ok());
    let web = DemoWeb::start(DemoOptions {
        listen: (Ipv4Addr::LOCALHOST, port.unwrap_or(0)).into(),
        log: true,
        ..DemoOptions::default()
    })
    .await?;
    println!("listening on {}", web.address());
    let mut told = 0;
    loop {
        tokio::time::sleep(Duration::from_millis(200)).await;
        for logged in web.log().iter().skip(told) {
            let status = String::from_utf8_lossy(&logged.response_head);
            let status = status.split(' ').nth(1).unwrap_or("-").trim().to_owned();
            println!(
                "{:?} {} {} {}",
                logged.protocol,
                logged.method,
                status.lines().next().unwrap_or("-"),
                logged.url()
            );
            told += 1;
        }
    }
}
