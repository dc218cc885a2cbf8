//! Scripts, inline and external, through `varve-js`.

use varve_js::{Base, Goal, Request, RequestKind, Wanted};

use crate::collector::{Collector, Offer};
use crate::{Destination, Document, Need, Note, Role, ScriptForm};

/// Offers what an inline script asks for. Everything is relative to the page.
pub(crate) fn find_inline(
    text: &str,
    at: Option<usize>,
    form: ScriptForm,
    collector: &mut Collector<'_>,
) {
    let goal = match form {
        ScriptForm::Classic => Goal::Script,
        ScriptForm::Module => Goal::Module,
    };
    let found = varve_js::requests(text, goal);
    for request in &found.requests {
        offer(request, at, collector);
    }
    note(found.note, collector);
}

/// Offers what an external script asks for: relative to itself, or to the page that runs it.
pub(crate) fn find_external(document: &Document<'_>, text: &str, collector: &mut Collector<'_>) {
    let goal = match document.destination {
        Destination::Module => Goal::Module,
        _ => Goal::Either,
    };
    if let Some(within) = document.within {
        collector.import_map = within.import_map.clone();
    }
    let own = collector.base.clone();
    let page = document.within.map(|within| within.base.clone());
    let found = varve_js::requests(text, goal);
    for request in &found.requests {
        collector.base = match (request.base, &page) {
            (Base::Page, Some(page)) => page.clone(),
            _ => own.clone(),
        };
        offer(request, Some(0), collector);
    }
    collector.base = own;
    note(found.note, collector);
}

fn note(note: Option<varve_js::Note>, collector: &mut Collector<'_>) {
    let reason = match note {
        None => return,
        Some(varve_js::Note::TooLong) => "too long".to_owned(),
        Some(varve_js::Note::TooDeep) => "nests too deeply".to_owned(),
        Some(varve_js::Note::TooMany) => "asks for too much".to_owned(),
        Some(varve_js::Note::Syntax(words)) => words,
    };
    collector.note(Note::Script(reason));
}

fn offer(request: &Request, at: Option<usize>, collector: &mut Collector<'_>) {
    let (context, need) = match request.kind {
        RequestKind::Import => ("import", Need::Needed),
        RequestKind::ExportFrom => ("export from", Need::Needed),
        // The rest is asked for when the code runs, if it does.
        RequestKind::DynamicImport => ("import()", Need::Needed),
        RequestKind::Url => ("new URL()", Need::Needed),
        RequestKind::Worker => ("new Worker()", Need::Needed),
        RequestKind::SharedWorker => ("new SharedWorker()", Need::Needed),
        RequestKind::ImportScripts => ("importScripts()", Need::Needed),
        RequestKind::ServiceWorker => ("serviceWorker.register()", Need::Needed),
    };
    let destination = match request.wanted {
        Wanted::Module => Destination::Module,
        Wanted::Script => Destination::Script,
        Wanted::Json => Destination::Json,
        Wanted::Style => Destination::Style,
        Wanted::Unknown => Destination::Other,
    };
    let offer = Offer {
        url: &request.specifier,
        role: Role::Embed(destination),
        need,
        context,
        span: at.map(|at| at + request.span.start..at + request.span.end),
    };
    match request.base {
        Base::Module => {
            let base = collector.base.clone();
            if let Some(url) = collector.import_map.resolve(&request.specifier, &base) {
                collector.offer_resolved(url, offer);
            }
        }
        Base::Script | Base::Page => collector.offer(offer),
    }
}
