//! In which orders could the calls of several threads have happened one after the other?

/// All orders of the calls of several threads, by number, that keep the order within each thread, and put before each call those that `before` says.
pub(crate) fn orders(threads: &[Vec<usize>], before: &dyn Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let all = threads.iter().map(Vec::len).sum();
    extend(threads, &mut vec![0; threads.len()], &mut Vec::new(), all, before, &mut found);
    found
}

fn extend(
    threads: &[Vec<usize>],
    done: &mut Vec<usize>,
    order: &mut Vec<usize>,
    all: usize,
    before: &dyn Fn(usize, usize) -> bool,
    found: &mut Vec<Vec<usize>>,
) {
    if order.len() == all {
        return found.push(order.clone());
    }
    let left: Vec<usize> = threads.iter().zip(done.iter()).flat_map(|(calls, done)| &calls[*done..]).copied().collect();
    for thread in 0..threads.len() {
        let Some(next) = threads[thread].get(done[thread]).copied() else { continue };
        if left.iter().any(|other| *other != next && before(*other, next)) {
            continue;
        }
        done[thread] += 1;
        order.push(next);
        extend(threads, done, order, all, before, found);
        order.pop();
        done[thread] -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_keep_threads_and_calls_that_were_over() {
        let threads = [vec![0, 1], vec![2]];
        assert_eq!(orders(&threads, &|_, _| false), [[0, 1, 2], [0, 2, 1], [2, 0, 1]]);
        assert_eq!(orders(&threads, &|first, then| (first, then) == (0, 2)), [[0, 1, 2], [0, 2, 1]]);
        assert_eq!(orders(&threads, &|first, then| (first, then) == (2, 0)), [[2, 0, 1]]);
        assert_eq!(orders(&[vec![0, 1], vec![2, 3]], &|_, _| false).len(), 6);
    }
}
