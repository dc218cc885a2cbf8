//! The report as a page for people: static, without scripts, the worst first.

use super::{Comparison, PageReport, Report, Verdict};
use crate::finding::Kind;
use varve_serve::Markup;

/// Nothing but the files of the report itself.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; \
                      form-action 'none'";

/// The page.
pub(super) fn index(report: &Report) -> String {
    let mut pages: Vec<(usize, &PageReport)> = report.pages.iter().enumerate().collect();
    pages.sort_by_key(|(number, page)| (std::cmp::Reverse(page.badness()), *number));
    let mut body = head(report).markup(&summary(report));
    body = body.html(FILTER).html("<main>");
    for (number, page) in pages {
        body = body.markup(&section(number, page));
    }
    body.html("</main></body></html>\n").into_string()
}

/// What of the list is shown; style does it.
const FILTER: &str = "<fieldset><legend>Show</legend>\
     <input type=\"radio\" name=\"show\" id=\"all\" checked><label for=\"all\">All pages</label>\
     <input type=\"radio\" name=\"show\" id=\"bad\"><label for=\"bad\">Only bad ones</label>\
     </fieldset>";

fn head(report: &Report) -> Markup {
    Markup::new("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
        .html("<meta http-equiv=\"Content-Security-Policy\" content=\"")
        .text(POLICY)
        .html("\"><meta name=\"viewport\" content=\"width=device-width\">")
        .html("<meta name=\"color-scheme\" content=\"light dark\"><title>Quality of ")
        .text(&report.collection)
        .html("</title><link rel=\"stylesheet\" href=\"style.css\"></head><body>")
        .html("<header><h1>Quality of ")
        .text(&report.collection)
        .html("</h1><p>")
        .text(&report.time)
        .html(", Varve ")
        .text(report.version)
        .html("</p></header>")
}

fn summary(report: &Report) -> Markup {
    let summary = &report.summary;
    let verdict = match (summary.bad, summary.checked) {
        (_, 0) => "No page was checked.".to_owned(),
        (0, 1) => "The page is good.".to_owned(),
        (0, checked) => format!("All {checked} pages are good."),
        (bad, checked) => format!("{bad} of {checked} pages are bad."),
    };
    let class = if summary.bad > 0 { "bad" } else { "good" };
    let mut html = Markup::new("<section class=\"summary\"><p class=\"verdict ")
        .text(class)
        .html("\">")
        .text(verdict)
        .html("</p><p>")
        .text(format!("Chosen from {} pages. ", summary.pages))
        .text(match summary.without_visit {
            0 => String::new(),
            blind => format!("{blind} were captured without a browser: only requests are judged. "),
        })
        .text(if summary.interrupted {
            "The check was interrupted."
        } else {
            ""
        })
        .html("</p>");
    if !summary.findings.is_empty() {
        html = html.html("<table><caption>Findings</caption><thead><tr>");
        html = html.html("<th scope=\"col\">kind</th><th scope=\"col\">findings</th></tr></thead>");
        html = html.html("<tbody>");
        for kind in Kind::ALL {
            if let Some(count) = summary.findings.get(kind.name()) {
                html = html.html("<tr><th scope=\"row\">").text(kind.name());
                html = html.html("</th><td>").text(count).html("</td></tr>");
            }
        }
        html = html.html("</tbody></table>");
    }
    html.html("</section>")
}

fn section(number: usize, page: &PageReport) -> Markup {
    let (class, word) = match page.verdict {
        Verdict::Good => ("good", "good"),
        Verdict::Bad => ("bad", "bad"),
    };
    let mut html = Markup::new("<article class=\"")
        .text(class)
        .html("\" id=\"page-")
        .text(number)
        .html("\"><h2><span class=\"verdict ")
        .text(class)
        .html("\">")
        .text(word)
        .html("</span> ")
        .text(page.title.as_deref().unwrap_or(&page.url))
        .html("</h2><p class=\"url\">")
        .text(&page.url)
        .html(" <span>")
        .text(&page.time)
        .html("</span></p>");
    if !page.findings.is_empty() {
        html = html.html("<ul class=\"findings\">");
        for finding in &page.findings {
            html = html.html("<li><b>").text(finding.kind.name());
            html = html.html("</b> ").text(&finding.what);
            if let Some(url) = &finding.url {
                html = html.html(" <span class=\"url\">").text(url).html("</span>");
            }
            html = html.html("</li>");
        }
        html = html.html("</ul>");
    }
    html.markup(&pictures(page))
        .markup(&details(page))
        .html("</article>")
}

fn pictures(page: &PageReport) -> Markup {
    let Some(files) = &page.picture.files else {
        return Markup::default();
    };
    let mut html = Markup::new("<div class=\"pictures\">");
    for (name, what, file) in [
        ("Capture", "The page as it was captured", &files.capture),
        ("Replay", "The page in replay", &files.replay),
        ("Difference", "What differs, in red", &files.difference),
    ] {
        let Some(file) = file else {
            continue;
        };
        html = html
            .html("<figure><figcaption>")
            .text(name)
            .html("</figcaption><a href=\"")
            .text(file)
            .html("\"><img loading=\"lazy\" src=\"")
            .text(file)
            .html("\" alt=\"")
            .text(what)
            .html(": ")
            .text(&page.url)
            .html("\"></a></figure>");
    }
    html.html("</div>")
}

fn details(page: &PageReport) -> Markup {
    let requests = &page.requests;
    let rules = requests.matched.iter();
    let rules: Vec<String> = rules
        .map(|(rule, count)| format!("{rule} {count}"))
        .collect();
    let rows = [
        (
            "requests",
            format!(
                "{} asked, {} answered ({}), {} missing, {} failed, {} leaked",
                requests.asked,
                requests.answered,
                rules.join(", "),
                requests.missing,
                requests.failed,
                requests.leaked
            ),
        ),
        ("console", page.console.words().to_owned()),
        ("picture", picture_words(page)),
        ("text", text_words(page)),
        ("visits", format!("{} in {} ms", page.visits, page.ms)),
    ];
    let mut html = Markup::new("<details><summary>Details</summary><dl>");
    for (name, words) in rows {
        html = html.html("<dt>").text(name).html("</dt><dd>");
        html = html.text(words).html("</dd>");
    }
    html = html.html("</dl>");
    for (name, lines) in [
        ("Text that is gone", &page.text.gone),
        ("Text that is new", &page.text.new),
        ("Notes", &page.notes),
    ] {
        if lines.is_empty() {
            continue;
        }
        html = html.html("<h3>").text(name).html("</h3><ul>");
        for line in lines {
            html = html.html("<li>").text(line).html("</li>");
        }
        html = html.html("</ul>");
    }
    html.html("</details>")
}

fn picture_words(page: &PageReport) -> String {
    let picture = &page.picture;
    match picture.compared {
        Comparison::Compared => format!(
            "{} pixels differ ({:.3} %), {:.1} % not compared because they move",
            picture.differing_pixels, picture.differing_percent, picture.not_compared_percent
        ),
        other => other.words().to_owned(),
    }
}

fn text_words(page: &PageReport) -> String {
    match page.text.compared {
        Comparison::Compared => format!("{:.2} % differs", page.text.differing_percent),
        other => other.words().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::page;
    use super::*;
    use crate::finding::Finding;
    use crate::options::Thresholds;
    use crate::report::Summary;

    fn report(mut pages: Vec<PageReport>) -> Report {
        for page in &mut pages {
            page.decide(&Thresholds::default());
        }
        Report {
            restored: Vec::new(),
            collection: "<i>".to_owned(),
            time: "2026".to_owned(),
            version: "1",
            thresholds: Thresholds::default(),
            summary: Summary::new(&pages, 9, false),
            pages,
        }
    }

    #[test]
    fn the_worst_comes_first() {
        let named = |url: &str, findings| PageReport {
            url: url.to_owned(),
            ..page(findings)
        };
        let finding = |kind| Finding::new(kind, "x");
        let html = index(&report(vec![
            named("u:good", vec![]),
            named("u:looks", vec![finding(Kind::Picture)]),
            named("u:leaks", vec![finding(Kind::Leaked)]),
        ]));
        // A picture differs by nothing here, so that page is good with a finding.
        let place = |url| html.find(url).unwrap();
        assert!(place("u:leaks") < place("u:looks") && place("u:looks") < place("u:good"));
        assert!(html.contains("1 of 3 pages are bad."));
    }

    #[test]
    fn what_pages_say_is_never_markup() {
        let evil = "\"><script>alert(1)</script>";
        let mut evil_page = page(vec![Finding::about(Kind::Missing, evil, evil)]);
        evil_page.title = Some(evil.to_owned());
        evil_page.url = evil.to_owned();
        evil_page.notes = vec![evil.to_owned()];
        evil_page.text.gone = vec![evil.to_owned()];
        let html = index(&report(vec![evil_page]));
        assert!(!html.contains("<script") && !html.contains("<i>"));
        assert_eq!(html.matches("&lt;script&gt;").count(), 6);
    }
}
