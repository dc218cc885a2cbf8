//! Scope: what belongs to a crawl, seen from its seeds.
//!
//! Seeds are looked up by hash, so that a crawl of a hundred thousand sites asks as quickly as one of
//! a single page. `www.` makes no other host, and http and https are alike here.

mod place;

use super::canonical::{canonical, is_web};
use place::Places;
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use std::fmt;
use url::Url;

/// How large a compiled pattern may become, in bytes.
const MAX_PATTERN: usize = 1 << 20;

/// How far a crawl goes from its seeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    /// The seeds alone.
    #[default]
    Page,
    /// The directories of the seeds.
    Prefix,
    /// The hosts of the seeds.
    Host,
    /// The registrable domains of the seeds.
    Domain,
    /// Wherever links lead.
    Any,
}

impl Reach {
    /// Why something beyond it is left out.
    fn reason(self) -> &'static str {
        match self {
            Reach::Page => "scope.page",
            Reach::Prefix => "scope.prefix",
            Reach::Host => "scope.host",
            Reach::Domain => "scope.domain",
            // Never given: everything is within.
            Reach::Any => "scope.any",
        }
    }
}

/// What was asked for, as typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScopeRules {
    /// How far to go from the seeds.
    pub reach: Reach,
    /// Patterns that widen it: a URL with a match anywhere belongs to it.
    pub include: Vec<String>,
    /// Patterns that narrow it. They win over everything else.
    pub exclude: Vec<String>,
    /// How many links away from a seed; without it, any number.
    pub depth: Option<u32>,
    /// How many links beyond the scope.
    pub extra_hops: u32,
}

/// A pattern that is no regular expression, or too large a one.
#[derive(Debug, thiserror::Error)]
#[error("the pattern {pattern:?} cannot be used: {cause}")]
pub struct PatternError {
    /// As it was typed.
    pub pattern: String,
    /// What is wrong with it.
    pub cause: String,
}

/// Whether a URL belongs to a crawl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    In,
    /// It is one link further outside than the page that mentions it, and that is allowed.
    Hop,
    /// It does not, for a stable reason.
    Out(&'static str),
}

/// The scope of a crawl.
#[derive(Clone, Debug)]
pub struct Scope {
    reach: Reach,
    include: Vec<Regex>,
    exclude: Vec<Regex>,
    depth: Option<u32>,
    extra_hops: u32,
    places: Places,
}

impl Scope {
    /// The scope of these rules around these seeds.
    pub fn new<'u>(
        rules: &ScopeRules,
        seeds: impl IntoIterator<Item = &'u Url>,
    ) -> Result<Scope, PatternError> {
        let mut scope = Scope {
            reach: rules.reach,
            include: compile(&rules.include)?,
            exclude: compile(&rules.exclude)?,
            depth: rules.depth,
            extra_hops: rules.extra_hops,
            places: Places::default(),
        };
        seeds.into_iter().for_each(|seed| scope.add_seed(seed));
        Ok(scope)
    }

    /// One seed more: also where a seed was redirected to.
    pub fn add_seed(&mut self, seed: &Url) {
        self.places.add(self.reach, seed);
    }

    /// Excludes more, from now on.
    pub fn exclude(&mut self, pattern: &str) -> Result<(), PatternError> {
        self.exclude.push(compile_one(pattern)?);
        Ok(())
    }

    /// Whether links are followed at all.
    pub fn follows_links(&self) -> bool {
        self.reach != Reach::Page || !self.include.is_empty() || self.extra_hops > 0
    }

    /// Whether a URL belongs to the crawl that is `depth` links from a seed, when the page that
    /// mentions it is `hops` links outside the scope (0: within).
    pub fn admits(&self, url: &Url, depth: u32, hops: u32) -> Verdict {
        if !is_web(url) || url.host_str().is_none_or(str::is_empty) {
            return Verdict::Out("scope.scheme");
        }
        if matches(&self.exclude, url) {
            return Verdict::Out("scope.excluded");
        }
        if self.depth.is_some_and(|limit| depth > limit) {
            return Verdict::Out("scope.depth");
        }
        let within = self.reach == Reach::Any || self.places.contain(self.reach, url);
        if within || matches(&self.include, url) {
            return Verdict::In;
        }
        match hops < self.extra_hops {
            true => Verdict::Hop,
            false => Verdict::Out(self.reach.reason()),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.reach {
            Reach::Page => "no further than the pages named",
            Reach::Prefix => "within the folders of the pages named",
            Reach::Host => "within the hosts of the pages named",
            Reach::Domain => "within the domains of the pages named",
            Reach::Any => "wherever they lead",
        })?;
        if let Some(depth) = self.depth {
            write!(f, ", at most {depth} steps")?;
        }
        for pattern in &self.include {
            write!(f, ", also what matches {pattern}")?;
        }
        for pattern in &self.exclude {
            write!(f, ", not what matches {pattern}")?;
        }
        match self.extra_hops {
            0 => Ok(()),
            hops => write!(f, ", and {hops} beyond"),
        }
    }
}

fn matches(patterns: &[Regex], url: &Url) -> bool {
    !patterns.is_empty() && {
        let text = canonical(url);
        patterns.iter().any(|pattern| pattern.is_match(&text))
    }
}

fn compile(patterns: &[String]) -> Result<Vec<Regex>, PatternError> {
    patterns
        .iter()
        .map(|pattern| compile_one(pattern))
        .collect()
}

fn compile_one(pattern: &str) -> Result<Regex, PatternError> {
    RegexBuilder::new(pattern)
        .size_limit(MAX_PATTERN)
        .dfa_size_limit(MAX_PATTERN)
        .build()
        .map_err(|error| PatternError {
            pattern: pattern.to_owned(),
            cause: error.to_string(),
        })
}

#[cfg(test)]
mod tests;
