//! What differs between two sequences: the shortest list of steps from one to the other, where that
//! can be found in bounded time.

/// Steps that are looked for; sequences that differ more count as different from end to end.
const MAX_STEPS: isize = 1_500;

/// One step from the old sequence to the new one, with the places in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Both have it.
    Keep(usize),
    /// Only the old one has it.
    Remove(usize),
    /// Only the new one has it.
    Add(usize),
}

/// The steps from one sequence to another; kept and removed things are named by their places in the
/// old one, added ones by those in the new one.
pub(super) fn diff<T: PartialEq>(old: &[T], new: &[T]) -> Vec<Step> {
    let alike = |pair: &(&T, &T)| pair.0 == pair.1;
    let start = old.iter().zip(new).take_while(alike).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let backwards = old_rest.iter().rev().zip(new_rest.iter().rev());
    let end = backwards.take_while(alike).count();
    let old_middle = &old_rest[..old_rest.len() - end];
    let new_middle = &new_rest[..new_rest.len() - end];
    let middle = shortest(old_middle, new_middle).unwrap_or_else(|| {
        let removed = (0..old_middle.len()).map(Step::Remove);
        removed
            .chain((0..new_middle.len()).map(Step::Add))
            .collect()
    });
    let mut steps: Vec<Step> = (0..start).map(Step::Keep).collect();
    steps.extend(middle.into_iter().map(|step| match step {
        Step::Keep(at) => Step::Keep(at + start),
        Step::Remove(at) => Step::Remove(at + start),
        Step::Add(at) => Step::Add(at + start),
    }));
    steps.extend((old.len() - end..old.len()).map(Step::Keep));
    steps
}

/// Myers' search: how far each diagonal comes with ever more steps.
fn shortest<T: PartialEq>(old: &[T], new: &[T]) -> Option<Vec<Step>> {
    let (width, height) = (old.len() as isize, new.len() as isize);
    let most = MAX_STEPS.min(width + height);
    let mut reached = vec![0_isize; (2 * most + 3) as usize];
    let place = |diagonal: isize| (diagonal + most + 1) as usize;
    let mut trace: Vec<Vec<isize>> = Vec::new();
    for steps in 0..=most {
        trace.push(reached[place(-steps)..=place(steps)].to_vec());
        for diagonal in (-steps..=steps).step_by(2) {
            let (left, right) = (reached[place(diagonal - 1)], reached[place(diagonal + 1)]);
            let down = diagonal == -steps || (diagonal != steps && left < right);
            let mut x = if down { right } else { left + 1 };
            let mut y = x - diagonal;
            while x < width && y < height && old[x as usize] == new[y as usize] {
                (x, y) = (x + 1, y + 1);
            }
            reached[place(diagonal)] = x;
            if x >= width && y >= height {
                return Some(walk_back(&trace, width, height));
            }
        }
    }
    None
}

/// The way that led to the end.
fn walk_back(trace: &[Vec<isize>], mut x: isize, mut y: isize) -> Vec<Step> {
    let mut way = Vec::new();
    for (steps, reached) in trace.iter().enumerate().skip(1).rev() {
        let steps = steps as isize;
        let at = |diagonal: isize| reached[(diagonal + steps) as usize];
        let diagonal = x - y;
        let down = diagonal == -steps || (diagonal != steps && at(diagonal - 1) < at(diagonal + 1));
        let before = if down { diagonal + 1 } else { diagonal - 1 };
        let (from_x, from_y) = (at(before), at(before) - before);
        while x > from_x && y > from_y {
            (x, y) = (x - 1, y - 1);
            way.push(Step::Keep(x as usize));
        }
        way.push(match down {
            true => Step::Add((y - 1) as usize),
            false => Step::Remove((x - 1) as usize),
        });
        (x, y) = (from_x, from_y);
    }
    // What is left is the same in both.
    way.extend((0..x).rev().map(|at| Step::Keep(at as usize)));
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn apply(old: &[u8], new: &[u8]) -> (Vec<u8>, usize) {
        let mut made = Vec::new();
        let mut at = 0;
        let mut changes = 0;
        for step in diff(old, new) {
            match step {
                Step::Keep(place) => {
                    assert_eq!(place, at);
                    made.push(old[place]);
                    at += 1;
                }
                Step::Remove(place) => {
                    assert_eq!(place, at);
                    at += 1;
                    changes += 1;
                }
                Step::Add(place) => {
                    assert_eq!(place, made.len());
                    made.push(new[place]);
                    changes += 1;
                }
            }
        }
        assert_eq!(at, old.len());
        (made, changes)
    }

    #[test]
    fn the_way_is_short() {
        for (old, new, changes) in [
            ("", "", 0),
            ("abc", "abc", 0),
            ("abc", "abxc", 1),
            ("abcabba", "cbabac", 5),
            ("abc", "", 3),
            ("", "abc", 3),
            ("abc", "xyz", 6),
        ] {
            let (made, took) = apply(old.as_bytes(), new.as_bytes());
            assert_eq!((made.as_slice(), took), (new.as_bytes(), changes), "{old}");
        }
    }

    #[test]
    fn what_differs_too_much_differs_from_end_to_end() {
        let old: Vec<u32> = (0..5_000).collect();
        let new: Vec<u32> = (5_000..10_000).collect();
        assert_eq!(diff(&old, &new).len(), 10_000);
    }

    proptest! {
        #[test]
        fn steps_lead_from_one_to_the_other(old in "[ab]{0,40}", new in "[ab]{0,40}") {
            prop_assert_eq!(apply(old.as_bytes(), new.as_bytes()).0, new.as_bytes());
        }
    }
}
