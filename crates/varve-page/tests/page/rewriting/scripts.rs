//! Scripts in pages. The rewriter of the tests writes `L` for `location` and asks for specifiers
//! in quotes.

use varve_page::{Rewriting, ScriptUse};

use super::{Letters, check_how, rewritten, text};

fn marked(
    text: &str,
    used: ScriptUse,
    specifier: &mut dyn FnMut(&str) -> Option<String>,
) -> Option<String> {
    let sign = match used {
        ScriptUse::Classic => "c",
        ScriptUse::Module => "m",
        ScriptUse::Handler => "h",
        ScriptUse::JavascriptUrl => "u",
        _ => "?",
    };
    let mut new = text.replace("location", &format!("L{sign}"));
    if used == ScriptUse::Module
        && let Some((_, rest)) = text.split_once('"')
        && let Some((inside, _)) = rest.split_once('"')
        && let Some(mapped) = specifier(inside)
    {
        new = new.replace(inside, &mapped);
    }
    (new != text).then_some(new)
}

#[track_caller]
fn check(html: &str, expected: &str) {
    let how = Rewriting {
        scripts: &marked,
        ..Rewriting::new(&Letters)
    };
    check_how(html, expected, &how);
}

#[test]
fn scripts_by_their_type() {
    check("<script>location</script>", "<script>Lc</script>");
    check(
        "<script type='text/javascript'>location</script>",
        "<script type='text/javascript'>Lc</script>",
    );
    check(
        "<script type=''>location</script>",
        "<script type=''>Lc</script>",
    );
    check(
        "<script type=module>location</script>",
        "<script type=module>Lm</script>",
    );
    check(
        "<script type=' MODULE '>location</script>",
        "<script type=' MODULE '>Lm</script>",
    );
    check(
        "<script type=text/x-template>location</script>",
        "<script type=text/x-template>location</script>",
    );
    check(
        "<script type=application/json>location</script>",
        "<script type=application/json>location</script>",
    );
    check(
        "<script type=application/ld+json>location</script>",
        "<script type=application/ld+json>location</script>",
    );
    check(
        "<script>a</script><script type=x>location</script><script>location</script>",
        "<script>a</script><script type=x>location</script><script>Lc</script>",
    );
}

#[test]
fn sources_of_scripts() {
    check(
        "<script src=x></script>",
        "<script src=\"~s/d/x\"></script>",
    );
    check(
        "<script type=module src=x></script>",
        "<script type=module src=\"~m/d/x\"></script>",
    );
    check(
        "<script nomodule src=x></script>",
        "<script nomodule src=\"~s/d/x\"></script>",
    );
    check(
        "<script type=text/plain src=x></script>",
        "<script type=text/plain src=\"~s/d/x\"></script>",
    );
    check(
        "<script src=x>location</script>",
        "<script src=\"~s/d/x\">location</script>",
    );
}

#[test]
fn the_text_of_scripts_is_kept_but_for_what_changes() {
    check(
        "<script>a<b&&c; '</p>' <!-- location --></script>",
        "<script>a<b&&c; '</p>' <!-- Lc --></script>",
    );
    check(
        "<script>\n//<![CDATA[\nlocation\n//]]>\n</script>",
        "<script>\n//<![CDATA[\nLc\n//]]>\n</script>",
    );
    check("<script>location", "<script>location");
    check(
        "<script><!--<script>location</script>--></script><p>",
        "<script><!--<script>Lc</script>--></script><p>",
    );
    check("<SCRIPT>location</SCRIPT >", "<SCRIPT>Lc</SCRIPT >");
}

#[test]
fn a_script_that_would_end_its_element_is_left_alone() {
    let how = Rewriting {
        scripts: &|_, _, _| Some("'</scRipt>'".into()),
        ..Rewriting::new(&Letters)
    };
    let found = rewritten("text/html", b"<script>x</script>", &how);
    assert_eq!(&found.body[..], b"<script>x</script>");
    assert_eq!(found.notes.len(), 1);
}

#[test]
fn specifiers_of_modules() {
    check(
        "<script type=module>import \"./x\"</script>",
        "<script type=module>import \"~m/d/x\"</script>",
    );
    check(
        "<script type=module>import \"/x\"</script>",
        "<script type=module>import \"~m/x\"</script>",
    );
    check(
        "<script type=module>import \"http://o/x\"</script>",
        "<script type=module>import \"~m/http://o/x\"</script>",
    );
    check(
        "<script type=module>import \"bare\"</script>",
        "<script type=module>import \"bare\"</script>",
    );
    check(
        "<base href=/e/><script type=module>import \"./x\"</script>",
        "<base href=\"~b/e/\"><script type=module>import \"~m/e/x\"</script>",
    );
}

#[test]
fn handlers() {
    check("<a onclick='location'>", "<a onclick='Lh'>");
    check("<a ONCLICK=location>", "<a ONCLICK=\"Lh\">");
    check(
        "<a onclick='a(&quot;location&quot;)'>",
        "<a onclick='a(\"Lh\")'>",
    );
    check(
        "<a onclick=\"a('&amp;', location)\">",
        "<a onclick=\"a('&amp;', Lh)\">",
    );
    check(
        "<body onload=\"a(\n'<', location)\">",
        "<body onload=\"a(\n'<', Lh)\">",
    );
    check(
        "<a on-click='location' one='location' onx1='location'>",
        "<a on-click='location' one='location' onx1='location'>",
    );
    check("<a onclick=''>", "<a onclick=''>");
}

#[test]
fn javascript_urls() {
    check("<a href='javascript:location'>", "<a href='javascript:Lu'>");
    check(
        "<a href=' JavaScript:location'>",
        "<a href='javascript:Lu'>",
    );
    check(
        "<a href='java\nscript:location'>",
        "<a href='javascript:Lu'>",
    );
    check(
        "<a href='javascript:%6cocation'>",
        "<a href='javascript:Lu'>",
    );
    check(
        "<a href='javascript:a%20%25location'>",
        "<a href='javascript:a %25Lu'>",
    );
    check(
        "<a href='javascript:\"a\"+location'>",
        "<a href='javascript:\"a\"+Lu'>",
    );
    check(
        "<iframe src='javascript:location'></iframe>",
        "<iframe src='javascript:Lu'></iframe>",
    );
    check(
        "<form action='javascript:location'>",
        "<form action='javascript:Lu'>",
    );
    check(
        "<a href='javascript:void(0)'>",
        "<a href='javascript:void(0)'>",
    );
    check(
        "<img src='javascript:location'>",
        "<img src='javascript:location'>",
    );
}

#[test]
fn import_maps() {
    check(
        "<script type=importmap>{\"imports\":{\"a\":\"./x\"}}</script>",
        "<script type=importmap>{\"imports\":{\"a\":\"~m/d/x\"}}</script>",
    );
    check(
        "<script type=importmap>{\"imports\":{\"a/\":\"/x/\",\"/k\":\"b\"}}</script>",
        "<script type=importmap>{\"imports\":{\"a/\":\"~m/x/\",\"~m/k\":\"b\"}}</script>",
    );
    check(
        "<script type=importmap>{\"scopes\":{\"/s/\":{\"a\":\"http://o/x\"}}}</script>",
        "<script type=importmap>{\"scopes\":{\"~m/s/\":{\"a\":\"~m/http://o/x\"}}}</script>",
    );
    check(
        "<script type=importmap>{\"integrity\":{\"/x\":\"sha\"}}</script>",
        "<script type=importmap>{}</script>",
    );
    check(
        "<script type=importmap>{\"imports\":{\"a\":null,\"b\":\"c\"}}</script>",
        "<script type=importmap>{\"imports\":{\"a\":null,\"b\":\"c\"}}</script>",
    );
    check(
        "<script type=importmap>not json</script>",
        "<script type=importmap>not json</script>",
    );
}

#[test]
fn speculation_rules_are_dropped() {
    check(
        "<script type=speculationrules>{\"prefetch\":[]}</script>",
        "<script type=\"_speculationrules\">{\"prefetch\":[]}</script>",
    );
    check(
        "<script type='SpeculationRules'>{}</script>",
        "<script type='_speculationrules'>{}</script>",
    );
}

#[test]
fn scripts_of_their_own() {
    let how = Rewriting {
        scripts: &marked,
        script: ScriptUse::Classic,
        ..Rewriting::new(&Letters)
    };
    assert_eq!(text("text/javascript", "a(location)", &how), "a(Lc)");
    let module = Rewriting {
        script: ScriptUse::Module,
        ..how
    };
    assert_eq!(
        text("text/javascript", "import \"./x\"", &module),
        "import \"~m/d/x\""
    );
    let found = rewritten(
        "text/javascript; charset=windows-1252",
        b"'\xe4';location;'\xf6'",
        &how,
    );
    assert_eq!(&found.body[..], b"'\xe4';Lc;'\xf6'");
    assert_eq!(found.counts.scripts, 1);
}

#[test]
fn scripts_that_run_as_they_come_are_told() {
    let html = b"<script async src=a.js></script><script src=b.js></script>\
        <script type=module async src='http://o/c.mjs#x'></script><script async>inline</script>\
        <script type=text/plain async src=d></script><script defer src=e.js></script>";
    let url = url::Url::parse("http://h/d/").unwrap();
    let document = varve_page::Document {
        content_type: Some("text/html"),
        ..varve_page::Document::new(&url, html)
    };
    let rewritten = varve_page::rewrite(&document, &varve_page::Rewriting::new(&super::Letters));
    let told: Vec<&str> = rewritten
        .async_scripts
        .iter()
        .map(|it| it.as_str())
        .collect();
    assert_eq!(told, ["http://h/d/a.js", "http://o/c.mjs"]);
}
