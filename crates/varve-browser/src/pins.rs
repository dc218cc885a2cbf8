//! Pinning the client: the calls that make pages see it.

use serde_json::{Value, json};

use crate::client::{Brand, Client, Hints};

/// The call that sets the size of window and screen.
pub(crate) const METRICS: &str = "Emulation.setDeviceMetricsOverride";

/// How large pages are drawn. Their layout and all they can ask for is the same; drawing is a
/// quarter of what a page costs, and nobody looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drawn {
    /// While a page loads and is scrolled.
    Small,
    /// For its picture.
    Whole,
}

/// How small that is. Real input goes by what is drawn.
pub(crate) const SMALL: f64 = 0.1;

impl Client {
    /// The value of `Accept-Language`, as Chromium writes it: each language a little less wanted
    /// than the one before.
    pub fn accept_language(&self) -> String {
        let weighted = |(rank, language): (usize, &str)| match rank {
            0 => language.to_owned(),
            _ => format!("{language};q={:.1}", 1.0 - 0.1 * rank.min(9) as f64),
        };
        let languages = self.languages.split(',').map(str::trim).enumerate();
        languages.map(weighted).collect::<Vec<_>>().join(",")
    }

    /// The most wanted language.
    pub(crate) fn locale(&self) -> &str {
        self.languages
            .split([',', ';'])
            .next()
            .unwrap_or_default()
            .trim()
    }

    /// What `navigator.platform` says.
    pub(crate) fn platform(&self) -> &'static str {
        match self.mobile {
            true => "Linux armv81",
            false => "Linux x86_64",
        }
    }

    /// What `navigator.maxTouchPoints` says.
    pub(crate) fn touch_points(&self) -> u32 {
        if self.touch { 5 } else { 0 }
    }

    /// The client hints that go with a user agent.
    pub(crate) fn hints_for(&self, user_agent: &str) -> Option<Hints> {
        let (_, rest) = user_agent.split_once("Chrome/").unwrap_or_default();
        let version = rest.split(' ').next().unwrap_or_default();
        let hints = self.hints.clone();
        hints.or_else(|| self.default_hints(user_agent, version))
    }

    /// The user agent for a Chromium of this version.
    pub(crate) fn user_agent(&self, version: &str) -> String {
        let major = major(version);
        let (system, mobile) = match self.mobile {
            true => ("Linux; Android 10; K", " Mobile"),
            false => ("X11; Linux x86_64", ""),
        };
        self.user_agent.clone().unwrap_or_else(|| {
            format!(
                "Mozilla/5.0 ({system}) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/{major}.0.0.0{mobile} Safari/537.36"
            )
        })
    }

    /// The calls that pin it in a page. Those of [`Client::pins_everywhere`] are among them.
    pub(crate) fn pins(&self, version: &str) -> Vec<(&'static str, Value)> {
        let media = json!({"features": [
            {"name": "prefers-color-scheme", "value": self.colour_scheme},
            {"name": "prefers-reduced-motion", "value": "no-preference"},
        ]});
        let touch = json!({"enabled": self.touch, "maxTouchPoints": self.touch_points().max(1)});
        let mut pins = self.pins_everywhere(version);
        pins.push((METRICS, self.metrics(Drawn::Small)));
        pins.push(("Emulation.setTouchEmulationEnabled", touch));
        pins.push(("Emulation.setEmulatedMedia", media));
        pins.push((
            "Emulation.setLocaleOverride",
            json!({"locale": self.locale()}),
        ));
        pins.push((
            "Emulation.setTimezoneOverride",
            json!({"timezoneId": self.time_zone}),
        ));
        pins
    }

    /// The size of the window and the screen.
    pub(crate) fn metrics(&self, drawn: Drawn) -> Value {
        json!({
            "width": self.width, "height": self.height,
            "screenWidth": self.width, "screenHeight": self.height,
            "deviceScaleFactor": self.pixel_ratio, "mobile": self.mobile,
            "scale": match drawn {
                Drawn::Small => SMALL,
                Drawn::Whole => 1.0,
            },
        })
    }

    /// The calls that pin what frames of other processes and workers see as well.
    pub(crate) fn pins_everywhere(&self, version: &str) -> Vec<(&'static str, Value)> {
        let user_agent = self.user_agent(version);
        let mut agent = json!({
            "userAgent": user_agent,
            "acceptLanguage": self.languages,
            "platform": self.platform(),
        });
        // Without hints none are sent, as by browsers of other makers.
        if let Some(hints) = self
            .hints
            .clone()
            .or_else(|| self.default_hints(&user_agent, version))
        {
            agent["userAgentMetadata"] = json!(hints);
        }
        let processors = json!({"hardwareConcurrency": self.processors});
        vec![
            ("Emulation.setUserAgentOverride", agent),
            ("Emulation.setHardwareConcurrencyOverride", processors),
        ]
    }

    fn default_hints(&self, user_agent: &str, version: &str) -> Option<Hints> {
        user_agent.contains("Chrome/").then(|| Hints {
            brands: brands(major(version), "99"),
            full_version_list: brands(version, "99.0.0.0"),
            platform: if self.mobile { "Android" } else { "Linux" }.to_owned(),
            platform_version: if self.mobile { "10.0.0" } else { "6.1.0" }.to_owned(),
            architecture: if self.mobile { "" } else { "x86" }.to_owned(),
            bitness: if self.mobile { "" } else { "64" }.to_owned(),
            model: if self.mobile { "K" } else { "" }.to_owned(),
            mobile: self.mobile,
        })
    }
}

fn major(version: &str) -> &str {
    version.split('.').next().unwrap_or_default()
}

fn brands(version: &str, of_nobody: &str) -> Vec<Brand> {
    let brand = |brand: &str, version: &str| Brand {
        brand: brand.to_owned(),
        version: version.to_owned(),
    };
    vec![brand("Chromium", version), brand("Not)A;Brand", of_nobody)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_weighted_as_chromium_does() {
        let check = |languages: &str, expected: &str| {
            let languages = languages.to_owned();
            let client = Client {
                languages,
                ..Client::default()
            };
            assert_eq!(client.accept_language(), expected);
        };
        check("en-US,en", "en-US,en;q=0.9");
        check("de, fr,en", "de,fr;q=0.9,en;q=0.8");
    }

    #[test]
    fn the_user_agent_fits_the_browser_and_the_device() {
        let check = |client: &Client, expected: &str| {
            let agent = client.user_agent("148.0.7778.167");
            assert!(
                agent.contains(expected) && !agent.contains("Headless"),
                "{agent}"
            );
        };
        check(
            &Client::default(),
            "(X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari",
        );
        check(
            &Client {
                mobile: true,
                ..Client::default()
            },
            "Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Mobile",
        );
        check(
            &Client {
                user_agent: Some("A/1".into()),
                ..Client::default()
            },
            "A/1",
        );
    }

    #[test]
    fn hints_are_those_of_the_claimed_browser() {
        let hints = |agent: Option<&str>| {
            let client = Client {
                user_agent: agent.map(str::to_owned),
                ..Client::default()
            };
            client.pins("148.0.1.2")[0].1["userAgentMetadata"].clone()
        };
        assert_eq!(
            hints(None)["brands"][0],
            json!({"brand": "Chromium", "version": "148"})
        );
        assert_eq!(hints(Some("Gecko/20100101 Firefox/150.0")), Value::Null);
    }
}
