//! A tournament among sorted sequences, whose winner has the line that comes next.
//!
//! Each inner node of a binary tree remembers who lost there. When the winner moves on to its next
//! line, only the matches on its way to the root are played again: one comparison for each
//! doubling of the players.

/// Who wins among players that are known by their numbers.
#[derive(Debug, Default)]
pub(super) struct Tournament {
    /// The winner at 0, the losers of the inner nodes after it.
    tree: Vec<usize>,
}

impl Tournament {
    /// Plays all matches. `beats(a, b)` says whether `a` comes before `b`.
    pub(super) fn play(players: usize, beats: impl Fn(usize, usize) -> bool) -> Tournament {
        // Leaves are numbered after the inner nodes, as in a heap: player 0 is at `players`.
        let mut winners: Vec<usize> = (0..2 * players)
            .map(|node| node.saturating_sub(players))
            .collect();
        let mut tree = vec![0; players.max(1)];
        for node in (1..players).rev() {
            let (left, right) = (winners[2 * node], winners[2 * node + 1]);
            let right_wins = beats(right, left);
            winners[node] = if right_wins { right } else { left };
            tree[node] = if right_wins { left } else { right };
        }
        tree[0] = winners.get(1).copied().unwrap_or(0);
        Tournament { tree }
    }

    /// The winner; 0 if nobody plays.
    pub(super) fn winner(&self) -> usize {
        self.tree.first().copied().unwrap_or(0)
    }

    /// Plays the winner's matches again, after it has changed.
    pub(super) fn replay(&mut self, beats: impl Fn(usize, usize) -> bool) {
        let mut winner = self.winner();
        let mut node = (winner + self.tree.len()) / 2;
        while node > 0 {
            if beats(self.tree[node], winner) {
                std::mem::swap(&mut self.tree[node], &mut winner);
            }
            node /= 2;
        }
        if let Some(first) = self.tree.first_mut() {
            *first = winner;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn merges_sorted_sequences(
            mut players in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 0..20)
        ) {
            let mut expected = players.concat();
            expected.sort();
            for player in &mut players {
                player.sort_by(|a, b| b.cmp(a));
            }
            let beats = |players: &[Vec<u8>], a: usize, b: usize| {
                let next = |at: usize| players[at].last().copied().map_or(256, u16::from);
                next(a) < next(b)
            };
            let mut tournament = Tournament::play(players.len(), |a, b| beats(&players, a, b));
            let mut merged = Vec::new();
            while let Some(next) = players.get_mut(tournament.winner()).and_then(Vec::pop) {
                merged.push(next);
                tournament.replay(|a, b| beats(&players, a, b));
            }
            prop_assert_eq!(merged, expected);
        }
    }
}
