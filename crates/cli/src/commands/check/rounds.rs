//! How is the time shared by all targets?
//!
//! Each gets an equal share of what is left, in turn. A target that needs less leaves more to those behind it; the rest in the end goes to those
//! that ran out of time, as long as it is more than they had for the scope that they did not finish.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// Works on each of so many targets, and publishes the results in their order, each as soon as it is settled.
///
/// `work` is given the index, what is there so far, and when to end. `unfinished` is how long it worked on what it then had to give up,
/// if it ran out of time. `publish` may move the end: what it takes is not taken from the targets that are left.
pub(crate) fn in_rounds<T>(
    targets: usize,
    end: &Cell<Option<Instant>>,
    mut work: impl FnMut(usize, Option<T>, Option<Instant>) -> T,
    unfinished: impl Fn(&T) -> Option<Duration>,
    mut publish: impl FnMut(usize, T),
) {
    let mut results: Vec<Option<T>> = (0..targets).map(|_| None).collect();
    let mut is_settled = vec![false; targets];
    let mut published = 0;
    // A target that may still be improved holds back those behind it.
    let mut publish_settled = |results: &mut [Option<T>], is_settled: &[bool]| {
        while published < targets && is_settled[published] {
            results[published].take().into_iter().for_each(|result| publish(published, result));
            published += 1;
        }
    };
    let mut waiting: Vec<usize> = (0..targets).collect();
    while !waiting.is_empty() {
        for (position, index) in waiting.iter().copied().enumerate() {
            let deadline = fair_deadline(end.get(), waiting.len() - position);
            let result = work(index, results[index].take(), deadline);
            is_settled[index] = unfinished(&result).is_none();
            results[index] = Some(result);
            publish_settled(&mut results, &is_settled);
        }
        waiting.retain(|index| !is_settled[*index]);
        let share = fair_deadline(end.get(), waiting.len()).map(|end| end.saturating_duration_since(Instant::now()));
        for index in &waiting {
            let spent = results[*index].as_ref().and_then(&unfinished);
            is_settled[*index] = share <= spent;
        }
        waiting.retain(|index| !is_settled[*index]);
        publish_settled(&mut results, &is_settled);
    }
}

/// An equal share of the time that is left.
pub(crate) fn fair_deadline(end: Option<Instant>, targets_left: usize) -> Option<Instant> {
    let now = Instant::now();
    let left = end?.saturating_duration_since(now);
    Some(now + left / targets_left.max(1) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_shared_by_the_targets_that_are_left() {
        let now = Instant::now();
        let hour = Duration::from_secs(3600);
        let third = fair_deadline(Some(now + hour), 3).unwrap();
        assert!(third >= now + hour / 3 && third < now + hour / 2);
        assert!(fair_deadline(Some(now + hour), 1).unwrap() >= now + hour);
        assert_eq!(fair_deadline(None, 1), None);
    }

    #[test]
    fn who_ran_out_of_time_gets_what_others_left() {
        let hour = Duration::from_secs(3600);
        let (mut turns, mut published) = (Vec::new(), Vec::new());
        let work = |index: usize, so_far: Option<(usize, u32)>, _| {
            turns.push(index);
            (index, so_far.map_or(0, |(_, turns)| turns) + 1)
        };
        // The second target needs three turns, the others one.
        let unfinished = |result: &(usize, u32)| (result.0 == 1 && result.1 < 3).then_some(Duration::from_secs(9));
        in_rounds(3, &Cell::new(Some(Instant::now() + hour)), work, unfinished, |index, result| {
            published.push((index, result.1))
        });
        assert_eq!((turns, published), (vec![0, 1, 2, 1, 1], vec![(0, 1), (1, 3), (2, 1)]));
    }

    #[test]
    fn no_round_is_begun_that_has_no_more_time_than_the_last() {
        let mut turns = 0;
        let end = &Cell::new(Some(Instant::now() + Duration::from_millis(500)));
        let work = |_, _: Option<()>, _| turns += 1;
        in_rounds(2, end, work, |_| Some(Duration::from_secs(1)), |_, _| ());
        assert_eq!(turns, 2);
    }
}
