//! How many children a host or a directory may have before a wildcard takes its place.

use crate::{MapError, Result};

/// A power law: the cut-off at a depth (from 1) is `weight x a x depth^-k`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    /// How many times the law; infinite for never.
    pub weight: f64,
    /// The cut-off at depth 1, at weight 1.
    pub a: f64,
    /// How fast it falls.
    pub k: f64,
}

/// When hosts and directories roll up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollUp {
    /// Of hosts.
    pub host: PowerLaw,
    /// Of paths; the root of a site has depth 1.
    pub path: PowerLaw,
    /// Names of hosts are told apart down to this depth.
    pub max_host_depth: usize,
    /// Names in paths are told apart down to this depth.
    pub max_path_depth: usize,
}

impl Default for RollUp {
    /// As in the paper, at weight 1.
    fn default() -> RollUp {
        RollUp {
            host: PowerLaw {
                weight: 1.0,
                a: 16.329,
                k: 0.714,
            },
            path: PowerLaw {
                weight: 1.0,
                a: 24.546,
                k: 1.429,
            },
            max_host_depth: 8,
            max_path_depth: 9,
        }
    }
}

impl RollUp {
    /// Nothing ever rolls up.
    pub fn never() -> RollUp {
        RollUp::default().weighing(f64::INFINITY, f64::INFINITY)
    }

    /// The same with other weights.
    pub fn weighing(mut self, host: f64, path: f64) -> RollUp {
        self.host.weight = host;
        self.path.weight = path;
        self
    }

    pub(crate) fn cutoffs(&self) -> Result<Cutoffs> {
        let sensible = |law: &PowerLaw| law.weight >= 0.0 && law.a >= 0.0 && law.k.is_finite();
        if !sensible(&self.host) || !sensible(&self.path) {
            let text = "weights and the parameters of power laws must not be negative";
            return Err(MapError::Request(text.to_owned()));
        }
        let depths = 1..=MAX_DEPTH;
        if !depths.contains(&self.max_host_depth) || !depths.contains(&self.max_path_depth) {
            let text = format!("depths must be from 1 to {MAX_DEPTH}");
            return Err(MapError::Request(text));
        }
        let mut host = self.host.cutoffs(self.max_host_depth);
        // A top-level domain is never rolled up.
        host[0] = u32::MAX;
        let path = self.path.cutoffs(self.max_path_depth);
        Ok(Cutoffs { host, path })
    }
}

/// Enough for any URL that means anything.
const MAX_DEPTH: usize = 100;

impl PowerLaw {
    /// The most children that each depth may have; `u32::MAX` for any number.
    fn cutoffs(&self, depths: usize) -> Vec<u32> {
        let cutoff = |depth: usize| {
            // In this order: other tools multiply so, and the last bit may decide.
            let cutoff = self.a * (depth as f64).powf(-self.k) * self.weight;
            // More than 9.955 children are 10: whole numbers compare faster. (0 x infinity is
            // never, too.)
            if cutoff < f64::from(u32::MAX) {
                cutoff.floor() as u32
            } else {
                u32::MAX
            }
        };
        (1..=depths).map(cutoff).collect()
    }
}

/// The most children of hosts and directories, by depth from 0.
#[derive(Clone, Debug)]
pub(crate) struct Cutoffs {
    pub(crate) host: Vec<u32>,
    pub(crate) path: Vec<u32>,
}

impl Cutoffs {
    /// Whether anything can have too many children.
    pub(crate) fn may_roll_up(&self) -> bool {
        let mut all = self.host.iter().chain(&self.path);
        all.any(|most| *most < u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn cut_offs_are_those_of_the_paper() {
        let cutoffs = RollUp::default().cutoffs().unwrap();
        assert_eq!(cutoffs.host, [u32::MAX, 9, 7, 6, 5, 4, 4, 3]);
        assert_eq!(cutoffs.path, [24, 9, 5, 3, 2, 1, 1, 1, 1]);
        let never = RollUp::never().cutoffs().unwrap();
        assert!(
            never
                .host
                .iter()
                .chain(&never.path)
                .all(|most| *most == u32::MAX)
        );
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(RollUp::default().weighing(-1.0, 1.0).cutoffs().is_err());
        assert!(RollUp::default().weighing(1.0, f64::NAN).cutoffs().is_err());
        let flat = RollUp {
            max_path_depth: 0,
            ..RollUp::default()
        };
        assert!(flat.cutoffs().is_err());
    }
}
