//! Pseudo-classes and pseudo-elements that Chromium knows.

use std::fmt;

use cssparser::{Parser, ToCss};

use super::{Error, unknown};

/// A pseudo-class that is not about the place of an element among others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PseudoClass {
    /// `:link`, `:any-link`: nothing was visited.
    Link,
    /// `:checked`.
    Checked,
    /// `:disabled`.
    Disabled,
    /// `:enabled`.
    Enabled,
    /// `:required`.
    Required,
    /// `:optional`.
    Optional,
    /// `:read-only`.
    ReadOnly,
    /// `:read-write`.
    ReadWrite,
    /// `:placeholder-shown`.
    PlaceholderShown,
    /// `:valid`, and others that hold for every element of a form that nobody has touched.
    Valid,
    /// `:invalid`, of what is required and empty.
    Invalid,
    /// `:defined`: only what scripts define is not.
    Defined,
    /// `:open`.
    Open,
    /// `:lang(x)`.
    Lang(Vec<Box<str>>),
    /// `:dir(x)`; whether it is `rtl`.
    Dir { rtl: bool },
    /// `:hover`, and everything else that takes somebody or a script to come true.
    Never,
}

impl PseudoClass {
    pub(super) fn named(name: &str) -> Option<PseudoClass> {
        Some(match name.to_ascii_lowercase().as_str() {
            "link" | "any-link" | "-webkit-any-link" => PseudoClass::Link,
            "checked" => PseudoClass::Checked,
            "disabled" => PseudoClass::Disabled,
            "enabled" => PseudoClass::Enabled,
            "required" => PseudoClass::Required,
            "optional" => PseudoClass::Optional,
            "read-only" => PseudoClass::ReadOnly,
            "read-write" => PseudoClass::ReadWrite,
            "placeholder-shown" => PseudoClass::PlaceholderShown,
            "valid" => PseudoClass::Valid,
            "invalid" => PseudoClass::Invalid,
            "defined" => PseudoClass::Defined,
            "open" => PseudoClass::Open,
            "visited"
            | "hover"
            | "active"
            | "focus"
            | "focus-visible"
            | "focus-within"
            | "target"
            | "target-current"
            | "indeterminate"
            | "default"
            | "in-range"
            | "out-of-range"
            | "user-valid"
            | "user-invalid"
            | "autofill"
            | "-webkit-autofill"
            | "fullscreen"
            | "-webkit-full-screen"
            | "-webkit-full-page-media"
            | "-webkit-drag"
            | "modal"
            | "popover-open"
            | "picture-in-picture"
            | "playing"
            | "paused"
            | "seeking"
            | "buffering"
            | "stalled"
            | "muted"
            | "volume-locked"
            | "horizontal"
            | "vertical"
            | "decrement"
            | "increment"
            | "start"
            | "end"
            | "double-button"
            | "single-button"
            | "no-button"
            | "corner-present"
            | "window-inactive"
            | "xr-overlay"
            | "active-view-transition"
            | "has-slotted"
            | "interest-source"
            | "interest-target" => PseudoClass::Never,
            _ => return None,
        })
    }

    pub(super) fn function(name: &str, parser: &mut Parser<'_>) -> Result<PseudoClass, Error> {
        match name.to_ascii_lowercase().as_str() {
            "lang" => {
                let list = parser.parse_comma_separated(|parser| {
                    let tag: Box<str> = parser.expect_ident_or_string()?.as_ref().into();
                    Ok::<_, Error>(tag)
                })?;
                Ok(PseudoClass::Lang(list.into_iter().collect()))
            }
            "dir" => {
                let rtl = parser.expect_ident()?.eq_ignore_ascii_case("rtl");
                Ok(PseudoClass::Dir { rtl })
            }
            "state" | "active-view-transition-type" => {
                while parser.next().is_ok() {}
                Ok(PseudoClass::Never)
            }
            _ => Err(unknown()),
        }
    }
}

impl ToCss for PseudoClass {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        write!(out, ":{self:?}")
    }
}

impl selectors::parser::NonTSPseudoClass for PseudoClass {
    fn is_active_or_hover(&self) -> bool {
        false
    }

    fn is_user_action_state(&self) -> bool {
        *self == PseudoClass::Never
    }
}

/// A pseudo-element, as far as it matters which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PseudoElement {
    /// `::before`.
    Before,
    /// `::after`.
    After,
    /// `::first-line`.
    FirstLine,
    /// `::first-letter`.
    FirstLetter,
    /// `::marker`.
    Marker,
    /// `::placeholder`.
    Placeholder,
    /// `::file-selector-button`.
    FileSelectorButton,
    /// A part of a control, such as `::-webkit-slider-thumb`.
    Part,
    /// `::selection`, scroll bars and the like: nothing to be seen of it.
    Other,
}

/// How the names of parts of controls begin.
const PARTS: [&str; 6] = [
    "-webkit-calendar-",
    "-webkit-inner-spin-",
    "-webkit-meter-",
    "-webkit-progress-",
    "-webkit-search-",
    "-webkit-slider-",
];

impl PseudoElement {
    pub(super) fn named(name: &str) -> Option<PseudoElement> {
        Some(match name.to_ascii_lowercase().as_str() {
            "before" => PseudoElement::Before,
            "after" => PseudoElement::After,
            "first-line" => PseudoElement::FirstLine,
            "first-letter" => PseudoElement::FirstLetter,
            "marker" => PseudoElement::Marker,
            "placeholder" | "-webkit-input-placeholder" => PseudoElement::Placeholder,
            "file-selector-button" | "-webkit-file-upload-button" => {
                PseudoElement::FileSelectorButton
            }
            "selection"
            | "backdrop"
            | "cue"
            | "grammar-error"
            | "spelling-error"
            | "target-text"
            | "search-text"
            | "details-content"
            | "view-transition"
            | "column"
            | "checkmark"
            | "picker-icon"
            | "scroll-marker"
            | "scroll-marker-group" => PseudoElement::Other,
            name if PARTS.iter().any(|part| name.starts_with(part)) => PseudoElement::Part,
            // Chromium takes every name of its own kind for known.
            name if name.starts_with("-webkit-") => PseudoElement::Other,
            _ => return None,
        })
    }

    pub(super) fn function(name: &str) -> Option<PseudoElement> {
        const KNOWN: [&str; 9] = [
            "cue",
            "highlight",
            "picker",
            "scroll-button",
            "view-transition-group",
            "view-transition-image-pair",
            "view-transition-new",
            "view-transition-old",
            "part",
        ];
        let known = KNOWN.iter().any(|known| name.eq_ignore_ascii_case(known));
        known.then_some(PseudoElement::Other)
    }
}

impl ToCss for PseudoElement {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        write!(out, "::{self:?}")
    }
}

impl selectors::parser::PseudoElement for PseudoElement {
    fn accepts_state_pseudo_classes(&self) -> bool {
        true
    }

    fn valid_after_slotted(&self) -> bool {
        true
    }

    fn valid_after_before_or_after(&self) -> bool {
        *self == PseudoElement::Marker
    }

    fn is_before_or_after(&self) -> bool {
        matches!(self, PseudoElement::Before | PseudoElement::After)
    }
}
