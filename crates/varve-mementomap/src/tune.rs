//! Finding weights and power laws for a map.

use crate::compact::{Compactor, Wildcards};
use crate::{Compacted, MapError, PowerLaw, Records, Result, RollUp, compact};
use std::path::Path;

/// How many hosts or directories there are at a depth, and how many children they have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// All of them.
    pub nodes: u64,
    /// Those that have children.
    pub parents: u64,
    /// The children of all of them.
    pub children: u64,
}

impl Level {
    /// The mean number of children of those that have some.
    pub fn mean_children(self) -> f64 {
        match self.parents {
            0 => 0.0,
            parents => self.children as f64 / parents as f64,
        }
    }
}

/// The tree that the keys of a map make, by depth from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// How many keys there are.
    pub keys: u64,
    /// Of hosts.
    pub host: Vec<Level>,
    /// Of paths; the root of a site has depth 1.
    pub path: Vec<Level>,
}

impl Shape {
    /// The levels of hosts without top-level domains, which never roll up and whose children are
    /// unlike all others.
    pub fn host_without_tlds(&self) -> Vec<Level> {
        let mut levels = self.host.clone();
        if let Some(tlds) = levels.first_mut() {
            *tlds = Level::default();
        }
        levels
    }
}

/// A power law fitted to a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The mean number of children at depth 1.
    pub a: f64,
    /// How fast it falls with depth.
    pub k: f64,
    /// How much of the differences between depths it explains, up to 1.
    pub r_squared: f64,
}

/// The shape of a sorted map.
pub fn shape(records: &mut Records, roll_up: &RollUp) -> Result<Shape> {
    let cutoffs = roll_up.weighing(f64::INFINITY, f64::INFINITY).cutoffs()?;
    let mut compactor = Compactor::new(cutoffs, Wildcards::Beside, std::io::sink());
    while let Some(record) = records.next_record()? {
        if !compactor.push(&record)? {
            let key = record.key.to_vec();
            return Err(records.unsorted(&key));
        }
    }
    compactor.into_shape()
}

/// Fits `a x depth^-k` to the mean numbers of children, by least squares of their logarithms; `None`
/// with fewer than two depths.
pub fn fit(levels: &[Level]) -> Option<Fit> {
    let points: Vec<(f64, f64)> = levels
        .iter()
        .zip(1..)
        .filter(|(level, _)| level.parents > 0)
        .map(|(level, depth)| (f64::from(depth).ln(), level.mean_children().ln()))
        .collect();
    if points.len() < 2 {
        return None;
    }
    let count = points.len() as f64;
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / count;
    let sum = |of: &dyn Fn(f64, f64) -> f64| {
        points
            .iter()
            .map(|(x, y)| of(x - mean_x, y - mean_y))
            .sum::<f64>()
    };
    let slope = sum(&|x, y| x * y) / sum(&|x, _| x * x);
    let all = sum(&|_, y| y * y);
    let unexplained = sum(&|x, y| (y - slope * x).powi(2));
    Some(Fit {
        a: (mean_y - slope * mean_x).exp(),
        k: -slope,
        r_squared: if all > 0.0 {
            1.0 - unexplained / all
        } else {
            1.0
        },
    })
}

/// A roll-up whose power laws are fitted to a map, where it has enough depths; the weights stay.
pub fn fitted(shape: &Shape, roll_up: &RollUp) -> RollUp {
    let law = |law: PowerLaw, levels: &[Level]| match fit(levels) {
        Some(Fit { a, k, .. }) => PowerLaw { a, k, ..law },
        None => law,
    };
    RollUp {
        host: law(roll_up.host, &shape.host_without_tlds()),
        path: law(roll_up.path, &shape.path),
        ..*roll_up
    }
}

/// The roll-up with the greatest weight, one for hosts and paths, that leaves at most so many lines
/// of a map.
pub fn weighed_for(path: &Path, roll_up: &RollUp, lines: u64) -> Result<RollUp> {
    let left = |weight: f64| -> Result<Compacted> {
        let roll_up = roll_up.weighing(weight, weight);
        compact(&mut Records::open(path)?, &roll_up, std::io::sink())
    };
    if left(f64::INFINITY)?.lines <= lines {
        return Ok(roll_up.weighing(f64::INFINITY, f64::INFINITY));
    }
    let (mut low, mut high) = (0.0_f64, 1e7_f64);
    let least = left(low)?.lines;
    if least > lines {
        let text = format!(
            "no weights make less than {least} lines of {}: each top-level domain keeps its sites",
            path.display()
        );
        return Err(MapError::Request(text));
    }
    for step in 0..32 {
        // Far apart, by magnitude; close together, by halves.
        let middle = match low {
            0.0 => high / 100.0,
            _ => (low * high).sqrt(),
        };
        match left(middle)?.lines <= lines {
            true => low = middle,
            false => high = middle,
        }
        if high < 1e-3 || (low > 0.0 && high / low < 1.0001) || step == 31 {
            break;
        }
    }
    Ok(roll_up.weighing(low, low))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Input;
    use std::io::Cursor;

    #[test]
    fn shapes_count_nodes_and_children_by_depth() {
        let map = "com,a) 1\ncom,a)/x 1\ncom,a)/x-1 1\ncom,a)/x/y 1\ncom,a,b)/z 1\norg,c) 1\n";
        let mut records = Records::new(Input::new("map", Cursor::new(map)).unwrap()).unwrap();
        let shape = shape(&mut records, &RollUp::default()).unwrap();
        let level = |nodes, parents, children| Level {
            nodes,
            parents,
            children,
        };
        assert_eq!(shape.keys, 6);
        assert_eq!(shape.host, [level(2, 2, 2), level(2, 1, 1), level(1, 0, 0)]);
        assert_eq!(shape.path, [level(3, 2, 3), level(3, 1, 1), level(1, 0, 0)]);
    }

    #[test]
    fn a_power_law_is_found_again() {
        let levels: Vec<Level> = (1..=6)
            .map(|depth| {
                let children = (1e6 * 20.0 * f64::from(depth).powf(-1.5)) as u64;
                Level {
                    nodes: 0,
                    parents: 1_000_000,
                    children,
                }
            })
            .collect();
        let fit = fit(&levels).unwrap();
        assert!(
            (fit.a - 20.0).abs() < 0.01 && (fit.k - 1.5).abs() < 0.001,
            "{fit:?}"
        );
        assert!(fit.r_squared > 0.999);
        assert_eq!(super::fit(&levels[..1]), None);
    }

    #[test]
    fn weights_are_found_for_a_number_of_lines() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut keys: Vec<String> = (0..2000)
            .map(|n| format!("com,s{})/d{}/p{n} 1\n", n % 7, n % (n % 97 + 1)))
            .collect();
        keys.sort();
        std::fs::write(file.path(), keys.concat()).unwrap();
        for wanted in [7, 300, 1000, 5000] {
            let found = weighed_for(file.path(), &RollUp::default(), wanted).unwrap();
            let mut records = Records::open(file.path()).unwrap();
            let lines = compact(&mut records, &found, std::io::sink())
                .unwrap()
                .lines;
            assert!(lines <= wanted, "{lines} for {wanted}");
            assert!(lines * 3 > wanted.min(2000), "{lines} for {wanted}");
        }
        let error = weighed_for(file.path(), &RollUp::default(), 3)
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("no weights make less than 7 lines"),
            "{error}"
        );
    }
}
