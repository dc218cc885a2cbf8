//! `shop.garden.example`: forms, cookies and a sign-in. The basket lives in a cookie: no state here.

use super::{files, page};
use crate::pages::escape;
use crate::reply::Reply;
use crate::request::Request;
use crate::web::Shared;

/// The only customer.
const NAME: &str = "rose";
const PASSWORD: &str = "thorn";
/// Goods in a basket at most, and the length of a name.
const BASKET_LIMIT: usize = 20;
const NAME_LIMIT: usize = 40;

pub(super) fn answer(request: &Request, shared: &Shared) -> Reply {
    let post = request.method == "POST";
    match request.path().as_str() {
        "/basket" if post => add(request),
        "/basket" => basket(request),
        "/sign-in" if post => sign_in(request, shared),
        "/account" => account(request),
        "/sign-out" => Reply::redirect(303, "/sign-in/")
            .field("Set-Cookie", "session=; Max-Age=0; Path=/")
            .field("Set-Cookie", "greeting=; Max-Age=0; Path=/"),
        "/staff/" => staff(request),
        _ => files(request),
    }
}

/// What is in the basket: a list of names in a cookie, with dots between.
fn goods(request: &Request) -> Vec<String> {
    let list = request.cookie("basket").unwrap_or_default().split('.');
    list.filter(|name| !name.is_empty())
        .take(BASKET_LIMIT)
        .map(str::to_owned)
        .collect()
}

fn add(request: &Request) -> Reply {
    let mut goods = goods(request);
    let name = request.form("item").unwrap_or_default();
    let name: String = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
        .take(NAME_LIMIT)
        .collect();
    goods.push(name);
    let cookie = format!("basket={}; Path=/; SameSite=Lax", goods.join("."));
    Reply::redirect(303, "/basket").field("Set-Cookie", cookie)
}

fn basket(request: &Request) -> Reply {
    let goods = goods(request);
    let list: String = goods
        .iter()
        .map(|name| format!("<li>{}</li>", escape(&name.replace('-', " "))))
        .collect();
    let body = format!(
        "<div class=\"wrap narrow\"><p class=\"eyebrow\">Shop</p><h1>Your basket ({})</h1>\n\
         <ul class=\"results\">{list}</ul><p><a class=\"button\" href=\"/\">Back to the shelves</a></p></div>\n",
        goods.len()
    );
    Reply::html(200, page("Basket", &body)).field("Cache-Control", "private, no-store")
}

fn sign_in(request: &Request, shared: &Shared) -> Reply {
    let right = request.form("name").as_deref() == Some(NAME)
        && request.form("password").as_deref() == Some(PASSWORD);
    if !right {
        let body = "<div class=\"wrap narrow\"><h1>That is not right</h1>\n\
             <p>The shop has one customer: <code>rose</code>, with the password <code>thorn</code>.</p>\n\
             <p><a class=\"button\" href=\"/sign-in/\">Again</a></p></div>\n";
        return Reply::html(403, page("Sign in", body));
    }
    let session = format!(
        "session={:016x}; Path=/; HttpOnly; SameSite=Lax",
        shared.random()
    );
    Reply::redirect(303, "/account")
        .field("Set-Cookie", session)
        .field("Set-Cookie", "greeting=hello; Path=/")
}

fn account(request: &Request) -> Reply {
    if request.cookie("session").is_none_or(str::is_empty) {
        return Reply::redirect(302, "/sign-in/");
    }
    let body = "<div class=\"wrap narrow\"><p class=\"eyebrow\">Your account</p><h1>Good morning, Rose</h1>\n\
         <p>You have 3 orders. The last one, a dibber, is on its way.</p>\n\
         <p><a href=\"/sign-out\">Sign out</a></p></div>\n";
    Reply::html(200, page("Your account", body)).field("Cache-Control", "private, no-store")
}

/// A page that asks by HTTP itself who is there (`staff`, `trowel`).
fn staff(request: &Request) -> Reply {
    if request.field("authorization") != Some("Basic c3RhZmY6dHJvd2Vs") {
        return Reply::html(
            401,
            page(
                "Staff only",
                "<div class=\"wrap narrow\"><h1>Staff only</h1></div>",
            ),
        )
        .field(
            "WWW-Authenticate",
            "Basic realm=\"Potting shed\", charset=\"UTF-8\"",
        );
    }
    Reply::html(
        200,
        page(
            "Potting shed",
            "<div class=\"wrap narrow\"><h1>The potting shed</h1><p>Kettle's on.</p></div>",
        ),
    )
}
