//! Pages that do not let go of the browser. Without a browser they are pages like any other.

use crate::serving::{asked, page};
use crate::table::Behaviour;
use crate::table::Serve::Http;
use std::net::TcpStream;

pub(crate) const TABLE: &[Behaviour] = &[
    unruly("endless-loop", "runs `while (true);`", |s| script(s, "while (true);"))
        .browser(&["browser.hang"])
        .always(),
    unruly("endless-loop-later", "does so when it has loaded", |s| {
        script(s, "onload = () => setTimeout(() => { while (true); }, 100)")
    })
    .browser(&["browser.hang"]),
    unruly("alerts", "opens dialogs without end", |s| script(s, "while (true) alert('again')"))
        .browser(&["browser.dialog", "browser.hang"])
        .always(),
    unruly("will-not-leave", "asks not to be left", |s| {
        script(s, "onbeforeunload = event => { event.preventDefault(); while (true); }")
    }),
    unruly("windows", "opens 10,000 windows", |s| {
        script(s, "for (let i = 0; i < 10000; i++) open('/window?' + i)")
    })
    .browser(&["ok", "ok.partial", "browser.hang"])
    .always(),
    unruly("memory-hog", "takes all the memory there is", |s| {
        script(s, "const all = []; while (true) all.push(new Uint8Array(1 << 26).fill(1))")
    })
    .browser(&["browser.oom", "browser.crash", "browser.hang"])
    .always(),
    unruly("heap-hog", "fills the heap of its scripts", |s| {
        script(s, "const all = []; while (true) all.push(new Array(1e5).fill(0).map(i => ({i})))")
    })
    .browser(&["browser.oom", "browser.crash", "browser.hang"]),
    unruly("dom-hog", "grows its document without end", |s| {
        script(s, "while (true) document.body.append(document.createElement('p'))")
    })
    .browser(&["browser.oom", "browser.crash", "browser.hang"]),
    unruly("shader", "has the graphics processor run for ever", shader)
        .browser(&["ok", "ok.partial", "browser.hang"]),
    unruly("reloads", "reloads itself without end", |s| script(s, "location.reload()"))
        .browser(&["redirect.loop", "timeout.page"])
        .always(),
    unruly("history", "pushes a million states", |s| {
        script(s, "for (let i = 0; i < 1e6; i++) history.pushState(i, '', '/state/' + i)")
    })
    .browser(&["ok", "ok.partial", "browser.hang", "timeout.page"]),
    unruly("hashes", "changes its fragment without end", |s| {
        script(s, "setInterval(() => { location.hash = Math.random() }, 1)")
    })
    .browser(&["ok", "ok.partial", "redirect.loop", "timeout.page"]),
    unruly("workers", "starts workers without end, each an endless loop", |s| {
        script(s, "setInterval(() => new Worker('data:text/javascript,while(true);'), 10)")
    })
    .browser(&["ok", "ok.partial", "timeout.page", "browser.hang", "browser.oom", "browser.crash"]),
    unruly("prompts", "wants to print, to have a file and to be told a password", |s| {
        script(s, "print(); f.click(); prompt('password?'); confirm('sure?')")
    })
    .always(),
    unruly("mutations", "changes in every frame, also while its picture is taken", |s| {
        script(s, "(function f() { document.body.append('x'); requestAnimationFrame(f) })()")
    })
    .browser(&["ok", "ok.partial"]),
    unruly("tall", "grows whenever it is scrolled", |s| {
        script(s, "onscroll = () => { b.style.height = (b.offsetHeight + 5000) + 'px' }; b.style.height = '9000px'")
    })
    .browser(&["ok", "ok.partial", "timeout.page"]),
    unruly("regular-expression", "matches an expression that takes for ever", |s| {
        script(s, "/^(a+)+$/.test('a'.repeat(60) + 'b')")
    })
    .browser(&["browser.hang"]),
    unruly("throws", "throws errors without end", |s| {
        script(s, "setInterval(() => { for (let i = 0; i < 1000; i++) setTimeout(() => { throw new Error('x'.repeat(9999)) }) }, 1)")
    })
    .browser(&["ok", "ok.partial", "timeout.page", "browser.hang"]),
];

const fn unruly(name: &'static str, does: &'static str, serve: fn(TcpStream)) -> Behaviour {
    Behaviour::new(name, does, Http(serve)).keeps("before the script")
}

fn script(mut stream: TcpStream, script: &str) {
    let body = format!(
        "<!doctype html><title>unruly</title><body id=b><p>before the script\
         <input type=file id=f><script>{script}</script>"
    );
    if asked(&mut stream).is_some() {
        page(&mut stream, "text/html", body);
    }
}

fn shader(stream: TcpStream) {
    script(
        stream,
        "const gl = document.createElement('canvas').getContext('webgl');
         const add = (p, kind, text) => { const s = gl.createShader(kind); gl.shaderSource(s, text);
             gl.compileShader(s); gl.attachShader(p, s) };
         const p = gl.createProgram();
         add(p, gl.VERTEX_SHADER, 'void main() { gl_PointSize = 999.; gl_Position = vec4(0, 0, 0, 1); }');
         add(p, gl.FRAGMENT_SHADER, 'precision highp float; void main() { float x = 0.; \
             for (int i = 0; i < 2000000000; i++) x += sin(x); gl_FragColor = vec4(x); }');
         gl.linkProgram(p); gl.useProgram(p); gl.drawArrays(gl.POINTS, 0, 1); gl.finish()",
    );
}
