use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{ChunkBase, ChunkKind, ChunkUrl, Goal, chunks};
use ChunkBase::{Page, PublicPath, Script};

#[track_caller]
fn check(source: &str, base: ChunkBase, expected: &[&str]) {
    let found = chunks(source, Goal::Either);
    let urls: Vec<_> = found.iter().map(|chunk| chunk.url.as_str()).collect();
    assert_eq!(urls, expected, "{source}");
    for chunk in found {
        assert_eq!(chunk.base, base, "{source}");
    }
}

#[track_caller]
fn check_keys(source: &str, base: ChunkBase, expected: &[(&str, Option<&str>)]) {
    let found = chunks(source, Goal::Either);
    let found: Vec<_> = found
        .iter()
        .map(|chunk| {
            assert_eq!(chunk.base, base, "{source}");
            (chunk.url.as_str(), chunk.key.as_deref())
        })
        .collect();
    assert_eq!(found, expected, "{source}");
}

#[test]
fn webpack_makes_names_from_tables() {
    check(
        r#"r.u=e=>"assets/js/"+({1:"main",7:"docs"}[e]||e)+"."+{1:"aa",3:"bb",7:"cc"}[e]+".js",r.p="/""#,
        Page,
        &[
            "/assets/js/main.aa.js",
            "/assets/js/docs.cc.js",
            "/assets/js/3.bb.js",
        ],
    );
    check(
        r#"r.u=e=>"js/"+(673===e?"alpha":e)+"."+{97:"f2",673:"19"}[e]+".js",r.p="/app/""#,
        Page,
        &["/app/js/alpha.19.js", "/app/js/97.f2.js"],
    );
    check(
        r#"n.u=e=>673===e?"n/a.js":"x"===e?"i/x.4.js":void 0"#,
        PublicPath,
        &["n/a.js", "i/x.4.js"],
    );
    check(
        r#"f.u=function(e){return 12===e?"static/chunks/12-a.js":"static/chunks/"+e+"."+{3:"b"}[e]+".js"},
           f.miniCssF=function(e){return"static/css/"+{3:"c"}[e]+".css"},f.p="/_next/""#,
        Page,
        &[
            "/_next/static/chunks/12-a.js",
            "/_next/static/chunks/3.b.js",
            "/_next/static/css/c.css",
        ],
    );
    check(
        r#"__webpack_require__.u = (chunkId) => {
               // return url for filenames not based on template
               if (chunkId === "one") return "one.js";
               if (chunkId === "two") { return "two.js"; }
               return "js/" + chunkId + "." + {"three":"h"}[chunkId] + ".js";
           };"#,
        PublicPath,
        &["one.js", "two.js", "js/three.h.js"],
    );
    check("r.u=e=>`js/${{1:'a'}[e]}.js`", PublicPath, &["js/a.js"]);
    check(
        "r.u = id => ({1: 'a.js', 2: 'b.mjs?v=2'})[id]",
        PublicPath,
        &["a.js", "b.mjs?v=2"],
    );
}

#[test]
fn older_runtimes_put_the_public_path_into_names() {
    check(
        r#"(window.webpackJsonp=window.webpackJsonp||[]);function s(e){return r.p+"js/"+({2:"b"}[e]||e)+"."+{1:"x",2:"y"}[e]+".chunk.js"}
           r.p="https://cdn.example/";"#,
        Page,
        &[
            "https://cdn.example/js/b.y.chunk.js",
            "https://cdn.example/js/1.x.chunk.js",
        ],
    );
    // Chunks without styles have the hash of nothing.
    check(
        r#"webpackJsonp;new Promise(function(t){var o="css/"+({}[e]||e)+"."+{1:"31d6cfe0d16ae931b73c",2:"ab"}[e]+".css"})"#,
        PublicPath,
        &["css/2.ab.css"],
    );
}

#[test]
fn names_by_number_alone_are_those_that_are_asked_for() {
    check(
        r#"r.u=e=>e+".js",r.p="/";Promise.all([r.e(12),r.e("x")]).then(()=>r(3))"#,
        Page,
        &["/12.js", "/x.js"],
    );
}

#[test]
fn the_public_path_may_be_that_of_the_script() {
    check(
        "var s=document.currentScript.src;r.u=e=>({1:'a'})[e]+'.js';r.p=s",
        Script,
        &["a.js"],
    );
    check(
        "var s=document.currentScript.src;r.u=e=>({1:'a'})[e]+'.js';r.p=s+'../'",
        Script,
        &["../a.js"],
    );
    check(
        "r.u=e=>({1:'a'})[e]+'.js';r.p=window.base||'/b/'",
        Page,
        &["/b/a.js"],
    );
}

#[test]
fn vite_lists_files() {
    let deps = r#"const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["assets/a.js","assets/a.css"])))=>i.map(i=>d[i]);"#;
    check(deps, PublicPath, &["assets/a.js", "assets/a.css"]);
    let with_base = format!("{deps}const r='modulepreload',b=function(e){{return'/docs/'+e}};");
    check(
        &with_base,
        Page,
        &["/docs/assets/a.js", "/docs/assets/a.css"],
    );
    check(
        r#"function __vite__mapDeps(indexes) { if (!__vite__mapDeps.viteFileDeps) {
             __vite__mapDeps.viteFileDeps = ["./b.js"] } return indexes.map((i) => __vite__mapDeps.viteFileDeps[i]) }"#,
        Script,
        &["./b.js"],
    );
    let root = |url: &str, script: &'static str| {
        let chunk = ChunkUrl {
            url: url.to_owned(),
            base: PublicPath,
            kind: ChunkKind::Script,
            key: None,
        };
        chunk.root(script)
    };
    let script = "https://a.example/docs/assets/chunks/x.js";
    assert_eq!(root("assets/a.js", script), Some("https://a.example/docs/"));
    assert_eq!(root("js/a.js", script), None);
    assert_eq!(root("a.js", script), None);
}

#[test]
fn imports_have_the_keys_of_their_tables() {
    check_keys(
        r#"const pages = {
             "./pages/Home.vue": () => import("./Home.1.js"),
             "./pages/About.vue": () => preload(() => import("./About.2.js"), []) };
           const routes = [{ path: "/x", component: () => import("./X.3.js") }];
           function later() { return import("./later.js") }
           import("bare"); import(computed);"#,
        Script,
        &[
            ("./Home.1.js", Some("./pages/Home.vue")),
            ("./About.2.js", Some("./pages/About.vue")),
            ("./X.3.js", Some("/x")),
            ("./later.js", None),
        ],
    );
}

#[test]
fn manifests_have_the_keys_of_pages() {
    check_keys(
        r#"window.__VP_HASH_MAP__=JSON.parse("{\"guide_a.md\":\"X1\",\"index.md\":\"Y2\"}");
           window.__VP_SITE_DATA__=JSON.parse("{\"base\":\"/docs/\"}");"#,
        Page,
        &[
            ("/docs/assets/guide_a.md.X1.lean.js", Some("guide_a.md")),
            ("/docs/assets/guide_a.md.X1.js", Some("guide_a.md")),
            ("/docs/assets/index.md.Y2.lean.js", Some("index.md")),
            ("/docs/assets/index.md.Y2.js", Some("index.md")),
        ],
    );
    check_keys(
        r#"self.__BUILD_MANIFEST=function(a,b){return{__rewrites:{},"/":[a,b,"static/chunks/pages/index-1.js"],"/p/[id]":[b],sortedPages:["/","/p/[id]"]}}("static/chunks/1-a.js","static/css/b.css"),self.__BUILD_MANIFEST_CB&&self.__BUILD_MANIFEST_CB();"#,
        PublicPath,
        &[
            ("_next/static/chunks/1-a.js", Some("/")),
            ("_next/static/css/b.css", Some("/")),
            ("_next/static/chunks/pages/index-1.js", Some("/")),
            ("_next/static/css/b.css", Some("/p/[id]")),
        ],
    );
    check_keys(
        r#"self.__next_f.push([1,"3:I[5,[\"7\",\"static/chunks/7-a.js\",\"static/chunks/app/page-b.js\"]]"])"#,
        PublicPath,
        &[
            ("_next/static/chunks/7-a.js", None),
            ("_next/static/chunks/app/page-b.js", None),
        ],
    );
    check_keys(
        r#"window.___chunkMapping="{\"app\":[\"/app-1.js\"],\"component---index\":[\"/c-2.js\"]}""#,
        Page,
        &[
            ("/app-1.js", Some("app")),
            ("/c-2.js", Some("component---index")),
        ],
    );
    check_keys(
        r#"window.__remixManifest={"routes":{"root":{"id":"root","module":"/build/root-1.js","imports":["/build/_shared/c-2.js"]}}}"#,
        Page,
        &[
            ("/build/root-1.js", Some("root")),
            ("/build/_shared/c-2.js", Some("root")),
        ],
    );
}

#[test]
fn others_register_files() {
    check(
        "System.register(['./a.js', 'bare'], function (e) { return { execute() {} } })",
        Script,
        &["./a.js"],
    );
    check(
        r#"parcelRequire("x").register(new URL("",import.meta.url).toString(),JSON.parse("[\"i\",\"a.1.js\",\"j\",\"b.2.css\"]"))"#,
        Script,
        &["a.1.js", "b.2.css"],
    );
}

#[test]
fn kinds_are_told_by_names() {
    let found = chunks("r.u=e=>({1:'a.js',2:'b.css'})[e]", Goal::Script);
    let kinds: Vec<_> = found.iter().map(|chunk| chunk.kind).collect();
    assert_eq!(kinds, [ChunkKind::Script, ChunkKind::Style]);
}

#[test]
fn what_is_no_manifest_lists_nothing() {
    for source in [
        "",
        "f('a.js')",
        "r.u=e=>f(e)+'.js'",
        "r.u=(a,b)=>({1:'a'})[a]+b+'.js'",
        "import(x); y='a '+{1:'b'}[e]+'.js'",
        "import(x); y=z+{1:'b'}[e]+w+'.js'",
        "import(x); y='a'+{1:'b'}[e]+'.png'",
        "__VP_HASH_MAP__=f()",
        "__BUILD_MANIFEST=1;__next_f.push(2);System.register()",
        "r.u=e=>{f();return 'a.js'}",
        "import(",
    ] {
        assert_eq!(chunks(source, Goal::Either), [], "{source}");
    }
}

#[test]
fn chunks_are_bounded() {
    let table: Vec<_> = (0..50_000).map(|id| format!("{id}:'h{id}'")).collect();
    let table = table.join(",");
    let start = Instant::now();
    let source = format!("r.u=e=>'js/'+e+'.'+{{{table}}}[e]+'.js'");
    assert_eq!(chunks(&source, Goal::Script).len(), 5_000);
    // Each key once more for every part of a long sum.
    let long = format!("r.u=e=>{}{{{table}}}[e]+'.js'", "''+".repeat(20_000));
    assert!(chunks(&long, Goal::Script).len() <= 5_000);
    let many = format!("import(x);{}", "y='a'+{1:'b'}[e]+'.js';".repeat(20_000));
    assert_eq!(chunks(&many, Goal::Script).len(), 1);
    for unit in [
        "''+",
        "{1:''}[e]+",
        "e===1?'a':",
        "({a:()=>",
        "`${",
        "r.u=e=>",
        "e||",
        "[",
        "f(",
    ] {
        for depth in [2_000, 100_000] {
            chunks(&format!("import(x);{}e", unit.repeat(depth)), Goal::Script);
        }
    }
    assert!(start.elapsed() < Duration::from_secs(120));
}

proptest! {
    #[test]
    fn any_text_is_looked_into(source in "[ -~\n]{0,60}") {
        chunks(&format!("import('a');{source}"), Goal::Either);
        chunks(&format!("r.u=e=>{source}"), Goal::Script);
    }
}
