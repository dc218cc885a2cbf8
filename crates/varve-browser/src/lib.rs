//! Visit a page in Chromium and tell what happened.
