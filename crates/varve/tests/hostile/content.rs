//! Documents that are hard to read.

use crate::serving::{asked, page};
use crate::table::Behaviour;
use crate::table::Serve::Http;
use std::net::TcpStream;

pub(crate) const TABLE: &[Behaviour] = &[
    Behaviour::new("deep", "nests 10,000 elements", Http(deep)).always(),
    Behaviour::new("deeper", "nests a million elements", Http(deeper)).browser(HEAVY),
    Behaviour::new(
        "long-script",
        "has an inline script of 100 MB",
        Http(long_script),
    )
    .http(&["limit.document"])
    .browser(SLOW)
    .keeps("<title>long</title>")
    .cut(&["", "time"]),
    Behaviour::new("many-links", "has a million links", Http(many_links)).browser(SLOW),
    Behaviour::new(
        "many-pictures",
        "has 100,000 pictures, each another one",
        Http(many_pictures),
    )
    .http(&["timeout.page", "ok"])
    .browser(&["timeout.page", "ok.partial", "browser.hang"])
    .keeps("many pictures"),
    Behaviour::new(
        "charsets",
        "mixes Shift-JIS, UTF-16 and bytes that are no text",
        Http(charsets),
    )
    .keeps("<iframe src=/utf-16>")
    .always(),
    Behaviour::new(
        "malformed",
        "breaks off in HTML, CSS, scripts and SVG",
        Http(malformed),
    )
    .keeps("<table><p><svg><title>")
    .always(),
    Behaviour::new("base", "sets three bases, none of them sane", Http(base))
        .keeps("<base href=data:,>"),
    Behaviour::new(
        "frames-in-frames",
        "frames itself under ever new URLs",
        Http(frames_in_frames),
    )
    .http(&["ok", "timeout.page"])
    .browser(&["ok", "ok.partial", "timeout.page", "browser.hang"])
    .keeps("frame in a frame"),
    Behaviour::new(
        "import-loop",
        "has style sheets that import each other",
        Http(import_loop),
    )
    .keeps("@import"),
];

/// A million, and 100 MB. Code that is not optimised is given less.
const MILLION: usize = if cfg!(debug_assertions) {
    100_000
} else {
    1_000_000
};
const LONG: usize = if cfg!(debug_assertions) {
    40 << 20
} else {
    100 << 20
};

/// It may take Chromium longer than it has.
const SLOW: &[&str] = &["ok", "ok.partial", "timeout.page", "browser.hang"];
/// Chromium needs three quarters of a gigabyte for it, if it does not give up before.
const HEAVY: &[&str] = &[
    "ok",
    "ok.partial",
    "timeout.page",
    "browser.hang",
    "browser.oom",
    "browser.crash",
];

fn html(mut stream: TcpStream, body: impl FnOnce() -> Vec<u8>) {
    if asked(&mut stream).is_some() {
        page(&mut stream, "text/html", body());
    }
}

fn deep(stream: TcpStream) {
    html(stream, || "<div>".repeat(10_000).into_bytes());
}

fn deeper(stream: TcpStream) {
    html(stream, || "<div>".repeat(MILLION).into_bytes());
}

fn long_script(stream: TcpStream) {
    html(stream, || {
        let mut body = b"<title>long</title><script>/*".to_vec();
        body.resize(LONG, b'x');
        body.extend_from_slice(b"*/</script><p>after");
        body
    });
}

fn many_links(stream: TcpStream) {
    html(stream, || {
        let links = (0..MILLION).map(|number| format!("<a href=/{number}>x</a>"));
        links.collect::<String>().into_bytes()
    });
}

fn many_pictures(mut stream: TcpStream) {
    match asked(&mut stream).as_deref() {
        None => {}
        Some("/") => {
            let pictures = (0..MILLION / 10).map(|number| format!("<img src=/{number}.png>"));
            let pictures: String = pictures.collect();
            page(
                &mut stream,
                "text/html",
                format!("<p>many pictures{pictures}"),
            );
        }
        Some(_) => page(&mut stream, "image/png", "\u{89}PNG and nothing more"),
    }
}

fn charsets(mut stream: TcpStream) {
    const SHIFT_JIS: &[u8] =
        b"<title>\x83e\x83X\x83g</title><p>\x93\xfa\x96{\x8c\xea \x81\xff\xfe\0";
    const FRAMES: &[u8] = b"<iframe src=/utf-16></iframe><iframe src=/no-text></iframe>";
    match asked(&mut stream).as_deref() {
        None => {}
        Some("/") => {
            let body = [SHIFT_JIS, FRAMES].concat();
            page(&mut stream, "text/html; charset=Shift_JIS", body);
        }
        Some("/utf-16") => {
            let text = "\u{feff}<title>Größe</title><p>\u{1f3db}";
            let mut body: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            body.extend(b"\xd8\x00\xd8");
            page(&mut stream, "text/html; charset=no-such-charset", body);
        }
        Some(_) => page(
            &mut stream,
            "text/html; charset=utf-8",
            b"<p>\xff\xfe\x80\xc0\xaf\xf5<img src=\"\xff\">",
        ),
    }
}

fn malformed(mut stream: TcpStream) {
    let (kind, body) = match asked(&mut stream).as_deref() {
        None => return,
        Some("/style.css") => (
            "text/css",
            "p { background: url('/a.png; } @import url( @media { {{{ url(\\",
        ),
        Some("/script.js") => (
            "text/javascript",
            "let a = `${ `${ /[/ ; function* ( { import('./x'",
        ),
        Some("/picture.svg") => (
            "image/svg+xml",
            "<svg><![CDATA[ <image href='/b.png'><svg><!DOCTYPE",
        ),
        Some(_) => (
            "text/html",
            "<!doctype <html><link rel=stylesheet href=/style.css><script src=/script.js></script>\
             <img src=/picture.svg><table><p><svg><title><p></table><select><input><template></p>\
             <img srcset='a 1x, , b -1x, c 1e999w' style='background:url(' src=http://[::1><!-- --!",
        ),
    };
    page(&mut stream, kind, body);
}

fn base(stream: TcpStream) {
    html(stream, || {
        "<img src=a.png><base href=data:,><base href='http://[::1'><base href=javascript:1>\
         <a href=b>b</a><img src=//><img src=http:c.png><p>base"
            .into()
    });
}

fn frames_in_frames(mut stream: TcpStream) {
    if let Some(path) = asked(&mut stream) {
        page(
            &mut stream,
            "text/html",
            format!(
                "<p>frame in a frame<iframe src={path}a/></iframe><iframe src={path}b/></iframe>"
            ),
        );
    }
}

fn import_loop(mut stream: TcpStream) {
    match asked(&mut stream).as_deref() {
        None => {}
        Some("/") => page(
            &mut stream,
            "text/html",
            "<link rel=stylesheet href=/a.css><p>loop",
        ),
        Some("/a.css") => page(
            &mut stream,
            "text/css",
            "@import '/b.css'; @import '/a.css';",
        ),
        Some(_) => page(
            &mut stream,
            "text/css",
            "@import '/a.css'; p { color: red }",
        ),
    }
}
