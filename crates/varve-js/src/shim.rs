//! The shim: the client-side half of replay, as one script for windows and one for workers.
//!
//! What the rewriter cannot see in a script's text (addresses made at run time, properties of the
//! DOM, the network, clocks) is mapped in the browser. The sources are in `shim/`, plain files that
//! share one function's scope; here they are joined in a fixed order. The function keeps its name,
//! because it installs its own text in frames that a page makes.

/// Joins files of `shim/` into one function and calls it.
macro_rules! joined {
    ($($file:literal),+ $(,)?) => {
        concat!(
            "(function varveShim(GIVEN) {\n\"use strict\";\n",
            $(include_str!(concat!("../shim/", $file)), "\n",)+
            "})();\n"
        )
    };
}

const WINDOW: &str = joined!(
    "natives.js",
    "patching.js",
    "config.js",
    "urls.js",
    "code.js",
    "css.js",
    "stylesheets.js",
    "rules.js",
    "attributes.js",
    "location.js",
    "reflected.js",
    "html.js",
    "held.js",
    "markup.js",
    "windows.js",
    "cookies.js",
    "document.js",
    "net.js",
    "peers.js",
    "sockets.js",
    "frames.js",
    "messages.js",
    "history.js",
    "workers.js",
    "service-workers.js",
    "storage.js",
    "determinism.js",
    "performance.js",
    "timezone.js",
    "locale.js",
    "client.js",
    "plugins.js",
    "media.js",
    "disabled.js",
    "secure.js",
    "stacks.js",
    "leading.js",
    "guards.js",
    "runtime.js",
    "steps-window.js",
    "start.js",
);

const WORKER: &str = joined!(
    "natives.js",
    "patching.js",
    "config.js",
    "urls.js",
    "code.js",
    "css.js",
    "stylesheets.js",
    "location.js",
    "windows.js",
    "cookies.js",
    "net.js",
    "peers.js",
    "sockets.js",
    "messages.js",
    "workers.js",
    "service-workers.js",
    "storage.js",
    "determinism.js",
    "performance.js",
    "timezone.js",
    "locale.js",
    "client.js",
    "plugins.js",
    "media.js",
    "disabled.js",
    "secure.js",
    "stacks.js",
    "runtime.js",
    "steps-worker.js",
    "start.js",
);

/// The script that every archived document loads before anything else, from `/__varve/shim.js`.
///
/// It reads its configuration from `data-varve` of its own element.
pub fn window_shim() -> &'static str {
    WINDOW
}

/// The script that every archived worker runs before its own, from `/__varve/worker.js`.
///
/// It reads its configuration from the global `__varveConfig`. Workers made of blobs ask for it with
/// the configuration as the parameter `config` of the query, to be put in front of it.
pub fn worker_shim() -> &'static str {
    WORKER
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxc_allocator::Allocator;
    use oxc_parser::Parser;
    use oxc_span::SourceType;

    /// The text of the object literal that becomes `__varve`.
    fn runtime_object(shim: &str) -> &str {
        let start = shim.find("const runtime = {").expect("the runtime object");
        let end = shim[start..].find("\n};").expect("its end");
        &shim[start..start + end]
    }

    #[test]
    fn every_name_exists_in_both_shims() {
        for shim in [window_shim(), worker_shim()] {
            let object = runtime_object(shim);
            for name in crate::EMITTED {
                let defined = [": ", ",\n", "() {", "(value) {"]
                    .iter()
                    .flat_map(|after| {
                        ["\n  ", "\n  get ", "\n  set "].map(|before| (before, after))
                    })
                    .any(|(before, after)| object.contains(&format!("{before}{name}{after}")));
                assert!(defined, "{name} is not in the runtime object");
            }
        }
    }

    #[test]
    fn both_shims_parse_as_scripts() {
        for shim in [window_shim(), worker_shim()] {
            let allocator = Allocator::default();
            let parsed = Parser::new(&allocator, shim, SourceType::script()).parse();
            assert!(
                parsed.diagnostics.is_empty(),
                "{:?}",
                parsed.diagnostics.first()
            );
        }
    }

    #[test]
    fn what_a_worker_lacks_is_not_in_its_shim() {
        assert!(window_shim().contains("installDocuments"));
        assert!(!worker_shim().contains("function installDocuments"));
    }
}
