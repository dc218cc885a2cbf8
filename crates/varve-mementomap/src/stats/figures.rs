//! What follows from counts: how evenly mementos are spread, and the shape of the tree.

use super::{Depth, FitReport, Holding, Holdings};
use crate::tune::Shape;
use crate::{Level, fit};
use std::collections::BTreeMap;

/// Fills in what follows from how many originals have how many mementos.
pub(super) fn spread(holdings: &mut Holdings, spread: &BTreeMap<u64, u64>) {
    let Holding {
        originals,
        mementos,
    } = holdings.total;
    if originals == 0 {
        return;
    }
    let (all_originals, all_mementos) = (originals as f64, mementos as f64);
    holdings.mean = all_mementos / all_originals;
    let (mut seen, mut held, mut area) = (0, 0, 0.0);
    holdings.lorenz.push((0.0, 0.0));
    for (count, originals) in spread {
        let before = held as f64 / all_mementos;
        if seen < all_originals as u64 / 2 + all_originals as u64 % 2 {
            holdings.median = *count;
        }
        seen += originals;
        held += count * originals;
        let after = held as f64 / all_mementos;
        area += *originals as f64 / all_originals * (before + after) / 2.0;
        let (across, up) = (seen as f64 / all_originals, after);
        // Where the greatest part of originals and the least part of mementos make one.
        if across + up <= 1.0 {
            holdings.pareto = 1.0 - across;
        } else if let Some((x, y)) = holdings.lorenz.last().filter(|(x, y)| x + y < 1.0) {
            let share = (1.0 - x - y) / (across - x + up - y);
            holdings.pareto = 1.0 - (x + share * (across - x));
        }
        holdings.lorenz.push((across, up));
    }
    holdings.gini = 1.0 - 2.0 * area;
}

/// Fills in what the tree of keys says, by depth.
pub(super) fn depths(holdings: &mut Holdings, shape: &Shape) {
    holdings.keys = shape.keys;
    let told = |levels: &[Level]| {
        levels
            .iter()
            .zip(1..)
            .map(|(level, depth)| Depth {
                depth,
                nodes: level.nodes,
                parents: level.parents,
                mean_children: level.mean_children(),
                reduction: 1.0 - level.nodes as f64 / shape.keys.max(1) as f64,
            })
            .collect()
    };
    holdings.host_depths = told(&shape.host);
    holdings.path_depths = told(&shape.path);
    holdings.host_fit = fit(&shape.host_without_tlds()).map(FitReport::from);
    holdings.path_fit = fit(&shape.path).map(FitReport::from);
}
