//! The words of the platform that do something: one table for each place where a word can stand.

use super::Sink;

/// What a word does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Sink(Sink),
    Navigation,
    Storage,
    Cookie,
    Dom,
    Listener,
    /// Gives something else each time.
    Chance,
}

/// Globals that matter wherever they are mentioned: who has them can use them.
pub(super) fn global(name: &str) -> Option<Effect> {
    Some(match name {
        "fetch" | "fetchLater" => Effect::Sink(Sink::Fetch),
        "XMLHttpRequest" | "ActiveXObject" => Effect::Sink(Sink::Xhr),
        "Image" => Effect::Sink(Sink::Image),
        "Audio" => Effect::Sink(Sink::Media),
        "Worker" | "SharedWorker" => Effect::Sink(Sink::Worker),
        "WebSocket"
        | "WebSocketStream"
        | "WebTransport"
        | "RTCPeerConnection"
        | "webkitRTCPeerConnection" => Effect::Sink(Sink::Socket),
        "EventSource" => Effect::Sink(Sink::EventSource),
        "importScripts" => Effect::Sink(Sink::Script),
        "CSSStyleSheet" | "FontFace" => Effect::Sink(Sink::Style),
        "localStorage" | "sessionStorage" | "indexedDB" | "caches" | "openDatabase" => {
            Effect::Storage
        }
        "cookieStore" => Effect::Cookie,
        "Date" | "performance" | "crypto" | "msCrypto" => Effect::Chance,
        _ => return None,
    })
}

/// Methods that matter when they are called, whatever they are called on.
pub(super) fn method(name: &str) -> Option<Effect> {
    Some(match name {
        "fetch" | "addAll" => Effect::Sink(Sink::Fetch),
        "sendBeacon" => Effect::Sink(Sink::Beacon),
        "getScript" => Effect::Sink(Sink::Script),
        "addModule" => Effect::Sink(Sink::Worker),
        "insertAdjacentHTML"
        | "write"
        | "writeln"
        | "createContextualFragment"
        | "html"
        | "setHTMLUnsafe"
        | "parseHTMLUnsafe"
        | "parseHTML" => Effect::Sink(Sink::Markup),
        "insertRule" | "addRule" | "replaceSync" | "css" => Effect::Sink(Sink::Style),
        "appendChild"
        | "insertBefore"
        | "replaceChild"
        | "removeChild"
        | "append"
        | "prepend"
        | "replaceWith"
        | "replaceChildren"
        | "insertAdjacentElement"
        | "insertAdjacentText"
        | "setAttribute"
        | "setAttributeNS"
        | "removeAttribute"
        | "toggleAttribute"
        | "cloneNode"
        | "importNode"
        | "attachShadow"
        | "attr"
        | "prop"
        | "addClass"
        | "removeClass"
        | "toggleClass"
        | "appendTo"
        | "prependTo"
        | "insertAfter"
        | "wrap"
        | "wrapAll"
        | "wrapInner"
        | "unwrap"
        | "detach"
        | "empty"
        | "remove"
        | "show"
        | "hide"
        | "fadeIn"
        | "fadeOut"
        | "slideUp"
        | "slideDown"
        | "slideToggle"
        | "before"
        | "after" => Effect::Dom,
        "addEventListener" | "attachEvent" | "on" | "one" | "bind" | "delegate" | "live"
        | "ready" => Effect::Listener,
        "pushState" | "replaceState" | "requestSubmit" | "submit" => Effect::Navigation,
        _ => return None,
    })
}

/// Methods of jQuery that listen when they are given something.
pub(super) fn listens_with_argument(name: &str) -> bool {
    matches!(
        name,
        "click"
            | "dblclick"
            | "submit"
            | "change"
            | "keyup"
            | "keydown"
            | "keypress"
            | "hover"
            | "scroll"
            | "resize"
            | "focus"
            | "blur"
            | "mouseenter"
            | "mouseleave"
            | "mouseover"
    )
}

/// Properties that matter when they are assigned to.
pub(super) fn written(name: &str) -> Option<Effect> {
    Some(match name {
        "src" | "srcset" | "poster" => Effect::Sink(Sink::Image),
        "href" | "rel" | "media" => Effect::Sink(Sink::Link),
        "innerHTML" | "outerHTML" | "srcdoc" => Effect::Sink(Sink::Markup),
        "cssText" | "adoptedStyleSheets" => Effect::Sink(Sink::Style),
        "className" | "textContent" | "innerText" | "nodeValue" | "hidden" | "disabled"
        | "checked" | "selected" | "style" => Effect::Dom,
        "location" => Effect::Navigation,
        "cookie" => Effect::Cookie,
        _ if is_handler(name) => Effect::Listener,
        _ => return None,
    })
}

/// `onclick` and the like.
fn is_handler(name: &str) -> bool {
    name.len() > 3 && name.starts_with("on") && name.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Properties of styles that can have a `url()`.
pub(super) fn style_with_url(name: &str) -> bool {
    let plain = name
        .trim_start_matches("webkit")
        .trim_start_matches("Webkit");
    let plain = plain.to_ascii_lowercase();
    let within = [
        "background",
        "mask",
        "liststyle",
        "borderimage",
        "clippath",
        "shapeoutside",
    ];
    within.iter().any(|start| plain.starts_with(start))
        || matches!(plain.as_str(), "content" | "cursor" | "filter" | "csstext")
}

/// What comes of an element with this tag.
pub(super) fn element(tag: &str) -> Option<Sink> {
    Some(match tag.to_ascii_lowercase().as_str() {
        "script" => Sink::Script,
        "link" => Sink::Link,
        "iframe" | "frame" | "object" | "embed" | "portal" => Sink::Frame,
        "img" | "image" | "picture" | "use" | "feimage" | "input" => Sink::Image,
        "audio" | "video" | "source" | "track" => Sink::Media,
        "style" => Sink::Style,
        _ => return None,
    })
}

/// What comes of an attribute that is set.
pub(super) fn attribute(name: &str) -> Option<Sink> {
    Some(match name.to_ascii_lowercase().as_str() {
        "src" | "srcset" | "poster" | "imagesrcset" => Sink::Image,
        "href" | "xlink:href" | "rel" | "media" => Sink::Link,
        "data" => Sink::Frame,
        "srcdoc" => Sink::Markup,
        "style" => Sink::Style,
        _ => return None,
    })
}

/// Functions of `$` and `axios` that ask servers.
pub(super) fn is_ajax(name: &str) -> bool {
    matches!(
        name,
        "ajax"
            | "get"
            | "post"
            | "put"
            | "delete"
            | "patch"
            | "head"
            | "request"
            | "getJSON"
            | "getScript"
            | "load"
    )
}
