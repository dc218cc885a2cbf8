//! Text as servers send it: pages, scripts, style sheets and answers of services, piece by piece.

use crate::boilerplate::Site;
use crate::dice::Dice;
use crate::language::Language;
use std::io::Write;

/// A page. One that is too short for the site's navigation is a fragment.
pub(crate) fn html(
    mut out: Vec<u8>,
    length: usize,
    site: &Site,
    language: &Language,
    dice: &mut Dice,
) -> Vec<u8> {
    let whole = length > 2 * (site.top.len() + site.bottom.len());
    if whole {
        out.extend_from_slice(&site.top);
    }
    let topic = language.topic(dice);
    let end = length.saturating_sub(if whole { site.bottom.len() } else { 0 });
    while out.len() < end {
        let class = site.class(dice);
        match dice.below(10) {
            0..6 => {
                write!(out, "<p class=\"{class}\">").unwrap();
                for _ in 0..dice.between(1, 6) {
                    language.sentence(&mut out, dice, &topic);
                }
                out.extend_from_slice(b"</p>\n");
            }
            6 => {
                write!(out, "<h2 id=\"{}\">", language.name(dice)).unwrap();
                language.sentence(&mut out, dice, &site.topic);
                out.extend_from_slice(b"</h2>\n");
            }
            _ => card(&mut out, class, site, language, dice),
        }
    }
    if whole {
        out.extend_from_slice(&site.bottom);
    }
    out
}

/// A teaser: picture, title and link.
fn card(out: &mut Vec<u8>, class: &str, site: &Site, language: &Language, dice: &mut Dice) {
    let (id, name) = (dice.below(1 << 24), language.name(dice));
    write!(
        out,
        "<div class=\"{class} {class}--wide\" data-id=\"{id}\"><a href=\"/{name}/"
    )
    .unwrap();
    language.slug(out, dice, 4);
    write!(
        out,
        ".html\"><img loading=\"lazy\" src=\"/media/{:x}.jpg\" alt=\"\"></a><h3>",
        dice.throw()
    )
    .unwrap();
    language.sentence(out, dice, &site.topic);
    out.extend_from_slice(b"</h3></div>\n");
}

/// A statement of minified script.
pub(crate) fn statement(out: &mut Vec<u8>, site: &Site, language: &Language, dice: &mut Dice) {
    let letter = |dice: &mut Dice| char::from(b'a' + dice.below(16) as u8);
    let (a, b, c) = (letter(dice), letter(dice), letter(dice));
    let (name, other) = (site.name(dice), site.name(dice));
    match dice.below(8) {
        0 => write!(
            out,
            "function {name}({a},{b}){{if(!{a}.{other})return null;"
        ),
        1 => write!(out, "var {a}={b}.{name}({c},{});", dice.below(1000)),
        2 => write!(
            out,
            "{a}.{name}=function({b}){{return {b}.{other}&&{a}.{other}[{b}]}};"
        ),
        3 => write!(
            out,
            "for(var {a}=0;{a}<{b}.length;{a}++){c}.push({b}[{a}].{name});"
        ),
        4 => write!(
            out,
            "{a}.prototype.{name}=function(){{this.{other}=this.{name}||\"{}\"}};",
            language.name(dice)
        ),
        5 => write!(
            out,
            "void 0!=={a}.{name}?{b}={a}.{name}:{b}={c}.{other}({a}),"
        ),
        6 => write!(
            out,
            "case\"{}\":return e.{name}(t,n.{other});",
            language.word(dice)
        ),
        _ => write!(
            out,
            "{a}({}).{name}({{{other}:!0,{}:{c}}})}}",
            dice.below(10_000),
            site.name(dice)
        ),
    }
    .unwrap();
}

/// A rule of a style sheet.
pub(crate) fn rule(out: &mut Vec<u8>, site: &Site, language: &Language, dice: &mut Dice) {
    const PROPERTIES: [&str; 16] = [
        "margin",
        "padding",
        "border-radius",
        "font-size",
        "line-height",
        "width",
        "height",
        "top",
        "left",
        "gap",
        "max-width",
        "min-height",
        "letter-spacing",
        "flex-basis",
        "inset",
        "outline-offset",
    ];
    write!(out, ".{} .{}", site.class(dice), site.class(dice)).unwrap();
    out.extend_from_slice(if dice.percent(20) { b":hover{" } else { b"{" });
    for _ in 0..dice.between(1, 6) {
        let property = dice.pick(&PROPERTIES);
        match dice.below(4) {
            0 => write!(out, "color:#{:06x};", dice.throw() >> 40),
            1 => write!(out, "{property}:{}px;", dice.below(64)),
            2 => write!(out, "{property}:{}.{}rem;", dice.below(4), dice.below(100)),
            _ => write!(out, "background:url(/media/{}.svg);", language.word(dice)),
        }
        .unwrap();
    }
    out.extend_from_slice(b"}\n");
}

/// An entry of an answer of some service.
pub(crate) fn object(out: &mut Vec<u8>, site: &Site, language: &Language, dice: &mut Dice) {
    let names: [&str; 4] = std::array::from_fn(|at| site.names[at].as_str());
    write!(
        out,
        "{{\"id\":\"{:016x}\",\"{}\":{},",
        dice.throw(),
        names[0],
        dice.below(1_000_000)
    )
    .unwrap();
    write!(
        out,
        "\"{}\":\"20{:02}-0{}-1{}T12:00:00Z\",",
        names[1],
        dice.below(25),
        dice.between(1, 10),
        dice.below(10)
    )
    .unwrap();
    write!(
        out,
        "\"{}\":{},\"{}\":\"",
        names[2],
        dice.percent(50),
        names[3]
    )
    .unwrap();
    language.sentence(out, dice, &site.topic);
    write!(out, "\",\"url\":\"https://{}/", site.host).unwrap();
    language.slug(out, dice, 3);
    out.extend_from_slice(b"\"},");
}
