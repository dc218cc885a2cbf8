//! Visit a page in Chromium and tell what happened.
//!
//! A [`Browser`] is a supervised Chromium. [`Browser::visit`] loads one page in it, through a proxy
//! that records the page's [`Traffic`], and returns a [`Visit`]: where the page ended, what it says,
//! where it leads, what it asked for and why, how it looks. Whatever a page does, it is the visit's
//! [`Outcome`] and nobody else's.

mod as_seen;
mod browser;
mod cdp;
mod chromium;
mod client;
mod error;
mod guard;
mod options;
mod pins;
mod profile;
pub mod proxy;
mod traffic;
mod visit;

pub use as_seen::{
    ClientAsSeen, ConnectionAsSeen, MediaTypeAsSeen, OrientationAsSeen, PluginAsSeen, ScreenAsSeen,
    VisualViewportAsSeen, WindowAsSeen,
};
pub use browser::Browser;
pub use chromium::{Footprint, footprint, user_agent};
pub use client::{Brand, Client, ColourScheme, Hints};
pub use error::BrowserError;
pub use options::{BrowserOptions, Cookie, Detail, SameSite, Stacks, VisitOptions};
pub use profile::{LocalStorage, Profile, ProfileContents, ProfileError};
pub use traffic::{Activity, Traffic};
pub use visit::{
    Area, Asked, AttributeRead, Cause, ConsoleError, Frame, FunctionRun, Handled, Idle, Initiator,
    KnownHandlers, Link, Made, Outcome, Reads, Redirect, RequestEntry, Running, ScriptRun,
    SelectorRead, Source, StackFrame, Tally, Visit, When,
};
