//! The forms in which the field writes TimeMaps.

/// The form of a TimeMap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeMapForm {
    /// Links (RFC 7089).
    Link,
    /// JSON.
    Json,
    /// Lines of a time and JSON.
    Cdxj,
}

impl TimeMapForm {
    /// All of them.
    pub const ALL: [TimeMapForm; 3] = [TimeMapForm::Link, TimeMapForm::Json, TimeMapForm::Cdxj];

    /// The form of this name, in any case.
    ///
    /// ```
    /// use varve_model::TimeMapForm;
    /// assert_eq!(TimeMapForm::named("JSON"), Some(TimeMapForm::Json));
    /// assert_eq!(TimeMapForm::named("xml"), None);
    /// ```
    pub fn named(name: &str) -> Option<TimeMapForm> {
        let mut forms = TimeMapForm::ALL.into_iter();
        forms.find(|form| form.name().eq_ignore_ascii_case(name))
    }

    /// What it is called in addresses.
    pub fn name(self) -> &'static str {
        match self {
            TimeMapForm::Link => "link",
            TimeMapForm::Json => "json",
            TimeMapForm::Cdxj => "cdxj",
        }
    }

    /// Its media type.
    pub fn content_type(self) -> &'static str {
        match self {
            TimeMapForm::Link => "application/link-format",
            TimeMapForm::Json => "application/json",
            TimeMapForm::Cdxj => "application/cdxj+ors",
        }
    }
}
