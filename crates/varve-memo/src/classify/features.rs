//! The features of a page: what the model looks at, in the order in which it does. The last four
//! are about the site, and only the model's second step looks at them.
//!
//! Counts are logarithms, `ln(1 + n)`: twice as much means the same whether it is much or little.
//! Scripts are of three sorts: those in the page, those of the site (`own`: short ones) and
//! libraries, which can do much that no page asks them to do.

use super::counts::ScriptCounts;
use super::markup;
use varve_page::{Inventory, Page, Role, ScriptForm};

/// From this length on a script is taken for a library.
const LIBRARY: u32 = 32 << 10;

/// A page whose features are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Its decoded text.
    pub html: &'a str,
    /// What analysis found.
    pub page: &'a Page,
    /// What its markup is made of.
    pub inventory: &'a Inventory,
    /// The scripts that stand in it.
    pub inline: &'a [ScriptCounts],
    /// The scripts that it names, as far as they came.
    pub external: &'a [ScriptCounts],
    /// What else is known.
    pub around: Around,
}

/// What is known of a page from elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Around {
    /// URLs in it that filter lists are against.
    pub advertising: u32,
    /// Pages of its site that were visited in a browser.
    pub visited: u32,
    /// Those of them whose scripts fetched something.
    pub deferred: u32,
    /// Scripts that this page names and that were on one of those.
    pub known: u32,
    /// Those that fetched something there.
    pub fetching: u32,
}

macro_rules! features {
    ($($(#[doc = $doc:literal])* $name:ident)*) => {
        /// What the model looks at.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Features {
            $($(#[doc = $doc])* pub $name: f32,)*
        }

        impl Features {
            /// The names of all features, in order.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// Their values in the same order.
            pub fn values(&self) -> Vec<f32> {
                vec![$(self.$name),*]
            }
        }
    };
}

features! {
    /// URLs that filter lists are against.
    advertising
    /// Scripts that are elsewhere.
    external
    /// Scripts in the page.
    inline
    /// Modules.
    modules
    /// Hosts of others that scripts come from.
    foreign
    /// Kinds of event handlers in attributes.
    handlers
    /// Ways to listen to events in short scripts and in the page.
    listeners
    /// Calls that ask a server, in the page.
    inline_ajax
    /// Calls that ask a server, in short scripts.
    own_ajax
    /// Calls that ask a server, in libraries.
    library_ajax
    /// Ways to load code and styles, in the page.
    inline_loads
    /// Ways to load code and styles, in short scripts.
    own_loads
    /// Ways to load code and styles, in libraries.
    library_loads
    /// Ways to load pictures, in the page.
    inline_pictures
    /// Ways to load pictures, in short scripts.
    own_pictures
    /// Ways to load pictures, in libraries.
    library_pictures
    /// Ways to make elements, in the page.
    inline_markup
    /// Ways to make elements, in short scripts.
    own_markup
    /// Ways to make elements, in libraries.
    library_markup
    /// Ways to change the document, in the page and in short scripts.
    changes
    /// Ways to change the document, in libraries.
    library_changes
    /// Names of files in scripts of the page.
    inline_names
    /// Names of files in short scripts.
    own_names
    /// Names of files in libraries.
    library_names
    /// `import()` anywhere.
    imports
    /// Connections and beacons anywhere.
    connections
    /// Ways to go elsewhere, in the page and in short scripts.
    navigation
    /// Mentions of storage, in the page and in short scripts.
    storage
    /// What is not understood, in the page and in short scripts.
    unknown
    /// The share of scripts that can run what is not in their text.
    dynamic
    /// The share of scripts that can do nothing that matters.
    inert
    /// The share of scripts that cannot be parsed.
    opaque
    /// Bytes of the page.
    html_bytes
    /// Bytes of its text.
    text_bytes
    /// Bytes of scripts in the page.
    inline_bytes
    /// Bytes of scripts elsewhere.
    script_bytes
    /// Text against scripts: the difference of their logarithms.
    text_against_scripts
    /// Bytes for those who run no scripts.
    noscript
    /// Values and classes that wait for lazy loaders.
    lazy
    /// Values of `data-` attributes that are names of files.
    data_names
    /// Bytes of JSON.
    json_bytes
    /// Names of files and URLs in it.
    json_names
    /// A mark of a framework.
    framework
    /// An empty element that waits for an application.
    empty_root
    /// Kinds of custom elements.
    custom_elements
    /// What the page wants to be ready for.
    hints
    /// Pictures, frames and films that the page names itself.
    embeds
    /// Frames that the page names itself.
    frames
    /// Pages of the site that were visited.
    visited
    /// The share of them whose scripts fetched something; a half, if none were visited.
    prior
    /// The share of its scripts elsewhere that are known from there.
    known
    /// The share of them that fetched something there.
    fetching
}

impl Features {
    /// The features of a page.
    pub fn of(subject: &Subject<'_>) -> Features {
        let mut features = Features::default();
        features.add_scripts(subject);
        features.add_markup(subject);
        features.advertising = log(f64::from(subject.around.advertising));
        features.beside(subject.around, subject.external.len())
    }

    /// The same page, with what is known of its site, and of its scripts; it has so many.
    pub fn beside(self, around: Around, scripts: usize) -> Features {
        let scripts = scripts.max(1) as f32;
        let deferred = around.deferred.min(around.visited);
        Features {
            visited: log(f64::from(around.visited)),
            prior: (deferred as f32 + 0.5) / (around.visited as f32 + 1.0),
            known: around.known as f32 / scripts,
            fetching: around.fetching as f32 / scripts,
            ..self
        }
    }

    fn add_scripts(&mut self, subject: &Subject<'_>) {
        let inline = Sum::of(subject.inline.iter());
        let external = subject.external.iter();
        let own = Sum::of(external.clone().filter(|script| script.bytes < LIBRARY));
        let library = Sum::of(external.filter(|script| script.bytes >= LIBRARY));
        (self.inline_ajax, self.own_ajax) = (log(inline.ajax), log(own.ajax));
        self.library_ajax = log(library.ajax);
        (self.inline_loads, self.own_loads) = (log(inline.loads), log(own.loads));
        self.library_loads = log(library.loads);
        (self.inline_pictures, self.own_pictures) = (log(inline.pictures), log(own.pictures));
        self.library_pictures = log(library.pictures);
        (self.inline_markup, self.own_markup) = (log(inline.markup), log(own.markup));
        self.library_markup = log(library.markup);
        self.changes = log(inline.changes + own.changes);
        self.library_changes = log(library.changes);
        (self.inline_names, self.own_names) = (log(inline.names), log(own.names));
        self.library_names = log(library.names);
        self.listeners = log(inline.listeners + own.listeners);
        self.imports = log(inline.imports + own.imports + library.imports);
        self.connections = log(inline.connections + own.connections + library.connections);
        self.navigation = log(inline.navigation + own.navigation);
        self.storage = log(inline.storage + own.storage);
        self.unknown = log(inline.unknown + own.unknown);
        self.inline_bytes = log(inline.bytes);
        self.script_bytes = log(own.bytes + library.bytes);
        let all = || subject.inline.iter().chain(subject.external);
        self.dynamic = share(all(), |script| script.dynamic);
        self.inert = share(all(), |script| script.inert);
        self.opaque = share(all(), |script| script.opaque);
    }

    fn add_markup(&mut self, subject: &Subject<'_>) {
        let (page, inventory) = (subject.page, subject.inventory);
        let (hints, foreign) = markup::hosts(page, inventory);
        let (json_bytes, json_names) = markup::json(inventory);
        let modules = page.scripts.iter();
        let modules = modules.filter(|script| script.form == ScriptForm::Module);
        let embeds = page.references.iter();
        let embeds = embeds.filter(|reference| matches!(reference.role, Role::Embed(_)));
        let frames = page.references.iter();
        let frames = frames.filter(|reference| reference.role == Role::Frame);
        self.inline = size(subject.inline.len());
        self.external = size(page.scripts.len().saturating_sub(subject.inline.len()));
        self.modules = size(modules.count());
        self.foreign = size(foreign);
        self.handlers = size(markup::handlers(inventory));
        self.html_bytes = size(subject.html.len());
        self.text_bytes = size(page.text.len());
        self.text_against_scripts = self.text_bytes - self.script_bytes.max(self.inline_bytes);
        self.noscript = size(markup::noscript(subject.html));
        self.lazy = size(markup::lazy(inventory));
        self.data_names = size(markup::data_names(inventory));
        (self.json_bytes, self.json_names) = (size(json_bytes), size(json_names));
        self.framework = f32::from(u8::from(markup::framework(inventory)));
        self.empty_root = f32::from(u8::from(markup::empty_root(subject.html)));
        self.custom_elements = size(markup::custom_elements(inventory));
        (self.hints, self.embeds) = (size(hints), size(embeds.count()));
        self.frames = size(frames.count());
    }
}

/// The sums of counts of several scripts.
#[derive(Default)]
struct Sum {
    bytes: f64,
    ajax: f64,
    loads: f64,
    pictures: f64,
    markup: f64,
    imports: f64,
    connections: f64,
    changes: f64,
    listeners: f64,
    navigation: f64,
    storage: f64,
    unknown: f64,
    names: f64,
}

impl Sum {
    fn of<'s>(scripts: impl Iterator<Item = &'s ScriptCounts>) -> Sum {
        let mut sum = Sum::default();
        for script in scripts {
            sum.bytes += f64::from(script.bytes);
            sum.ajax += f64::from(script.ajax);
            sum.loads += f64::from(script.loads);
            sum.pictures += f64::from(script.pictures);
            sum.markup += f64::from(script.markup);
            sum.imports += f64::from(script.imports);
            sum.connections += f64::from(script.connections);
            sum.changes += f64::from(script.changes);
            sum.listeners += f64::from(script.listeners);
            sum.navigation += f64::from(script.navigation);
            sum.storage += f64::from(script.storage);
            sum.unknown += f64::from(script.unknown);
            sum.names += f64::from(script.names);
        }
        sum
    }
}

fn share<'s>(
    scripts: impl Iterator<Item = &'s ScriptCounts>,
    has: impl Fn(&ScriptCounts) -> bool,
) -> f32 {
    let (mut all, mut with) = (0u32, 0u32);
    for script in scripts {
        all += 1;
        with += u32::from(has(script));
    }
    with as f32 / all.max(1) as f32
}

fn log(count: f64) -> f32 {
    count.ln_1p() as f32
}

fn size(count: usize) -> f32 {
    log(count as f64)
}
