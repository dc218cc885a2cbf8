//! The names that rewritten scripts use, and the calls they are used in.
//!
//! All are properties of one global, [`GLOBAL`], which the client script of this crate defines
//! before any archived script runs. What each promises:
//!
//! | name | promise |
//! |---|---|
//! | `location` | accessor: the archived location of this window or worker; setting it navigates |
//! | `top` | accessor: the topmost archived window; in a worker whatever `self.top` is |
//! | `eval` | the indirect `eval`, which rewrites its text first |
//! | `locationOf(x)` | `x.location`, the archived one if `x` is a window or document |
//! | `locationOfMaybe(x)` | the same, `undefined` if `x` is null or undefined |
//! | `setLocation(x, v)` | `x.location = v`; gives `v` |
//! | `topOf(x)` | `x.top`, the archived one if `x` is a window |
//! | `topOfMaybe(x)` | the same, `undefined` if `x` is null or undefined |
//! | `key(k)` | a property key for a window or document: private ones of the client script in place of `location`, `top` and `eval`, any other as it is |
//! | `view(x)` | an object to take `location` and `top` out of: `x` itself if it is no window or document |
//! | `cold(key, n)` | the text of a function's body that was taken out, ready for a direct `eval` (pruned scripts say it, not the rewriter) |
//! | `code(t)` | the text rewritten, if it is a string, for a direct `eval` |
//! | `importing(s, base)` | the specifier that loads the archived module; `base` is the URL of the module that asks, if one does |
//! | `original(u)` | the archived URL of a replay URL |
//! | `post(x)` | `x.postMessage` bound to `x`, with origins as the archive knows them if `x` is a window |
//! | `postHere(...)` | `postMessage(...)` of this window or worker |

/// The global object that holds everything rewritten scripts need.
pub const GLOBAL: &str = "__varve";

/// The properties of [`GLOBAL`] that rewritten scripts use.
pub const EMITTED: &[&str] = &[
    "code",
    "cold",
    "eval",
    "importing",
    "key",
    "location",
    "locationOf",
    "locationOfMaybe",
    "original",
    "post",
    "postHere",
    "setLocation",
    "top",
    "topOf",
    "topOfMaybe",
    "view",
];

pub(super) const CODE: &str = "__varve.code(";
pub(crate) const COLD: &str = "__varve.cold(";
pub(super) const EVAL: &str = "__varve.eval";
pub(super) const IMPORTING: &str = "__varve.importing(";
pub(super) const KEY: &str = "__varve.key(";
pub(super) const LOCATION: &str = "__varve.location";
pub(super) const ORIGINAL: &str = "__varve.original(";
pub(super) const POST: &str = "__varve.post(";
pub(super) const POST_HERE: &str = "__varve.postHere";
pub(super) const SET_LOCATION: &str = "__varve.setLocation(";
pub(super) const TOP: &str = "__varve.top";
pub(super) const VIEW: &str = "__varve.view(";
