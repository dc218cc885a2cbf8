//! The client that a page is looked at with, as far as pages can ask for it.

/// What media queries, `srcset` and `image-set()` are evaluated for.
#[derive(Clone, Debug, PartialEq)]
pub struct Viewport {
    /// Width of the viewport in CSS pixels.
    pub width: u32,
    /// Height of the viewport in CSS pixels.
    pub height: u32,
    /// Width and height of the screen in CSS pixels.
    pub screen: (u32, u32),
    /// Device pixels per CSS pixel.
    pub pixel_ratio: f64,
    /// The primary pointing device.
    pub pointer: Pointer,
    /// The preferred colour scheme.
    pub colour_scheme: ColourScheme,
}

impl Default for Viewport {
    /// What headless Chromium has when nothing is emulated: no pointing device at all.
    fn default() -> Viewport {
        Viewport {
            width: 1280,
            height: 800,
            screen: (1280, 800),
            pixel_ratio: 1.0,
            pointer: Pointer::None,
            colour_scheme: ColourScheme::Light,
        }
    }
}

/// A primary pointing device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// There is none.
    None,
    /// A finger: it cannot hover.
    Coarse,
    /// A mouse: it can hover.
    Fine,
}

/// A preferred colour scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColourScheme {
    /// Dark text on light ground.
    Light,
    /// Light text on dark ground.
    Dark,
}
