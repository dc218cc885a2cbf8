//! `media.garden.example`: films and sounds, a part at a time.

use super::{cors, files_in_portions, preflight};
use crate::negotiate::Portion;
use crate::reply::Reply;
use crate::request::Request;

/// How much one answer to an open range gives, so that a film takes several.
const PORTION: usize = 32 << 10;

pub(super) fn answer(request: &Request) -> Reply {
    if request.method == "OPTIONS" {
        return preflight(request);
    }
    cors(
        files_in_portions(request, Portion::AtMost(PORTION)),
        request,
    )
}
