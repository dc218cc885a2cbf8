//! `herbarium.garden.example`: as many pages as wanted, in a tree and in a row.

use super::words::{name, paragraph};
use super::{Generated, list, split, url_set};
use crate::hosts::HERBARIUM;
use crate::log::Scheme;

/// How many pages hang on each.
const BRANCHES: usize = 5;

/// Fills in a page from JSON.
const SCRIPT: &str = "\
const main = document.querySelector(\"main\");
fetch(main.querySelector(\"[data-sheet]\").dataset.sheet)
  .then((response) => response.json())
  .then((sheet) => {
    const text = document.createElement(\"p\");
    text.textContent = sheet.text;
    const children = document.createElement(\"ul\");
    for (const child of sheet.children) {
      const link = document.createElement(\"a\");
      link.href = child.url;
      link.textContent = child.name;
      children.appendChild(document.createElement(\"li\")).appendChild(link);
    }
    main.append(text, children);
  });
";

const STYLE: &str = "body { font: 18px/1.5 serif; margin: 2em auto; max-width: 40em; }\n";

/// What the herbarium of so many pages answers.
pub fn herbarium(scheme: Scheme, target: &str, pages: usize) -> Generated {
    let (path, _) = split(target);
    match path {
        "/robots.txt" => robots(scheme),
        "/sitemap.xml" => {
            url_set((0..pages).map(|sheet| format!("{scheme}://{HERBARIUM}{}", sheet_path(sheet))))
        }
        "/sheet.js" => Generated::new("text/javascript", SCRIPT),
        "/style.css" => Generated::new("text/css", STYLE),
        "/drawer/" => Generated::page("Locked drawer", "", "<p>Not for crawlers.</p>"),
        "/" if pages > 0 => sheet(0, pages),
        _ => numbered(path, pages).unwrap_or_else(Generated::not_found),
    }
}

/// The paths of its pages.
pub fn herbarium_pages(pages: usize) -> Vec<String> {
    (0..pages).map(sheet_path).collect()
}

fn numbered(path: &str, pages: usize) -> Option<Generated> {
    let rest = path.strip_prefix("/sheet/")?;
    let in_range = |number: &str| {
        number
            .parse()
            .ok()
            .filter(|sheet| (1..pages).contains(sheet))
    };
    if let Some(number) = rest.strip_suffix(".json") {
        return in_range(number).map(|number| json(number, pages));
    }
    in_range(rest.strip_suffix('/')?).map(|number| sheet(number, pages))
}

fn sheet_path(sheet: usize) -> String {
    match sheet {
        0 => "/".to_owned(),
        _ => format!("/sheet/{sheet}/"),
    }
}

/// Every second page is filled in by a script; the first is not.
fn is_scripted(sheet: usize) -> bool {
    sheet % 2 == 1
}

fn children(sheet: usize, pages: usize) -> impl Iterator<Item = (String, String)> {
    let first = sheet * BRANCHES + 1;
    (first..first + BRANCHES)
        .take_while(move |child| *child < pages)
        .map(|child| (sheet_path(child), name(child)))
}

fn sheet(sheet: usize, pages: usize) -> Generated {
    let content = match is_scripted(sheet) {
        true => format!(
            "<p data-sheet=\"/sheet/{sheet}.json\"></p><script src=\"/sheet.js\"></script>\n"
        ),
        false => format!(
            "<p>{}</p>\n{}",
            paragraph(sheet, 60),
            list(children(sheet, pages))
        ),
    };
    let mut neighbours = Vec::new();
    if sheet > 0 {
        neighbours.push((sheet_path(sheet - 1), "Previous sheet".to_owned()));
    } else {
        neighbours.push(("/drawer/".to_owned(), "A locked drawer".to_owned()));
    }
    if sheet + 1 < pages {
        neighbours.push((sheet_path(sheet + 1), "Next sheet".to_owned()));
    }
    let head = "<link rel=\"stylesheet\" href=\"/style.css\">";
    let title = format!("Sheet {sheet}: {}", name(sheet));
    Generated::page(&title, head, &(content + &list(neighbours)))
}

fn json(sheet: usize, pages: usize) -> Generated {
    let children: Vec<String> = children(sheet, pages)
        .map(|(url, name)| format!("{{\"url\":\"{url}\",\"name\":\"{name}\"}}"))
        .collect();
    let text = paragraph(sheet, 60);
    let children = children.join(",");
    Generated::new(
        "application/json",
        format!("{{\"text\":\"{text}\",\"children\":[{children}]}}\n"),
    )
}

fn robots(scheme: Scheme) -> Generated {
    let file = format!(
        "User-agent: *\nDisallow: /drawer/\n\nSitemap: {scheme}://{HERBARIUM}/sitemap.xml\n"
    );
    Generated::new("text/plain", file)
}
