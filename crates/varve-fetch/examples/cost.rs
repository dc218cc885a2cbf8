//! What an exchange costs: CPU time of the fetching thread per small exchange, and per megabyte
//! of a large one, over plain HTTP/1.1 on loopback. Run with `--release`.

use std::error::Error;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use varve_fetch::{
    AddressPolicy, FetchOptions, Fetcher, Limits, Request, RequestRules, Resolve, Resolving, Trust,
};

const SMALL: usize = 4 * 1024;
const LARGE: usize = 1 << 30;
const COUNT: u32 = 100_000;

fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || serve(stream));
        }
    });
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(measure(address))
}

async fn measure(address: SocketAddr) -> Result<(), Box<dyn Error>> {
    let options = FetchOptions {
        policy: AddressPolicy::allowing(["127.0.0.0/8".parse()?]),
        map_hosts: Vec::new(),
        trust: Trust::AcceptInvalid,
        limits: Limits::default(),
        per_host: 16,
        rules: RequestRules::default(),
        spool_dir: std::env::temp_dir(),
    };
    let fetcher = Fetcher::with_resolver(options, std::sync::Arc::new(NoNames))?;
    let request = |path: &str| -> Result<Request, Box<dyn Error>> {
        let mut request = Request::get(format!("http://{address}/{path}").parse()?);
        for name in ["User-Agent", "Accept", "Accept-Encoding", "Accept-Language"] {
            request
                .fields
                .push((name.into(), b"a typical value".to_vec()));
        }
        Ok(request)
    };
    let small = request("small")?;
    for round in ["warm-up", "small exchanges"] {
        let before = cpu_nanos()?;
        for _ in 0..COUNT {
            let exchange = fetcher.send(small.clone()).await?.complete().await;
            assert_eq!(exchange.body.len(), SMALL as u64);
        }
        let each = (cpu_nanos()? - before) as f64 / 1e3 / f64::from(COUNT);
        println!("{round}: {each:.1} µs of CPU each");
    }
    let before = cpu_nanos()?;
    let exchange = fetcher.send(request("large")?).await?.complete().await;
    assert_eq!(exchange.body.len(), LARGE as u64);
    let each = (cpu_nanos()? - before) as f64 / 1e3 / (LARGE >> 20) as f64;
    println!("a large body: {each:.0} µs of CPU per MiB");
    Ok(())
}

/// CPU time of this thread so far.
fn cpu_nanos() -> Result<u64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    Ok(text.split_whitespace().next().unwrap_or_default().parse()?)
}

/// Answers requests, which must come in one piece, on a connection.
fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let head = |length: usize| {
        format!(
            "HTTP/1.1 200 OK\r\nDate: Mon, 01 Jan 2024 00:00:00 GMT\r\nServer: example\r\n\
             Content-Type: text/html; charset=utf-8\r\nETag: \"0123456789abcdef\"\r\n\
             Cache-Control: public, max-age=3600\r\nContent-Length: {length}\r\n\r\n"
        )
    };
    let small = [head(SMALL).as_bytes(), &vec![b'x'; SMALL]].concat();
    let piece = vec![b'x'; 1 << 20];
    let mut request = [0; 4096];
    loop {
        let length = stream.read(&mut request)?;
        if length == 0 {
            return Ok(());
        }
        if request.starts_with(b"GET /small") {
            stream.write_all(&small)?;
        } else {
            stream.write_all(head(LARGE).as_bytes())?;
            for _ in 0..LARGE >> 20 {
                stream.write_all(&piece)?;
            }
        }
    }
}

/// The server is named by its address.
struct NoNames;

impl Resolve for NoNames {
    fn resolve<'a>(&'a self, _: &'a str) -> Resolving<'a> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }
}
