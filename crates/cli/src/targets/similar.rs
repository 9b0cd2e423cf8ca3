//! Which known name did a user mean by one that is not known?

/// The known name that is nearest to a written one, if it is near: some letters left out, added, changed or swapped. Upper and lower case
/// count less than that. Of several, the first.
pub(crate) fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A short name has little that could be recognised.
    let most = 2 * (written.chars().count() / 3).clamp(1, 3);
    let near = known.into_iter().filter_map(|name| {
        let distance = distance(written, name, most)?;
        (distance <= most).then_some((distance, name))
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// Twice the number of letters to change so that one word becomes the other, where neighbours may change places; another case counts as half
/// a letter. None if the lengths alone differ by more than `most`.
fn distance(one: &str, other: &str, most: usize) -> Option<usize> {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if 2 * one.len().abs_diff(other.len()) > most {
        return None;
    }
    // Optimal string alignment, row by row: row[j] is the distance of one[..i] and other[..j].
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).map(|letters| 2 * letters).collect();
    for i in 1..=one.len() {
        let mut next = vec![2 * i];
        for j in 1..=other.len() {
            let (a, b) = (one[i - 1], other[j - 1]);
            let changed = match (a == b, a.eq_ignore_ascii_case(&b)) {
                (true, _) => 0,
                (_, true) => 1,
                _ => 2,
            };
            let mut best = (row[j - 1] + changed).min(row[j] + 2).min(next[j - 1] + 2);
            if i > 1 && j > 1 && a == other[j - 2] && b == one[i - 2] {
                best = best.min(before[j - 2] + 2);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        let known = ["TreeMap", "TreeSet", "LinkedList", "insert"];
        for (written, meant) in [
            ("TreMap", Some("TreeMap")),
            ("treemap", Some("TreeMap")),
            ("TreeSte", Some("TreeSet")),
            ("LinkdList", Some("LinkedList")),
            ("Insert", Some("insert")),
            ("inserted", Some("insert")),
            ("HashMap", None),
            ("x", None),
        ] {
            assert_eq!(nearest(written, known), meant, "{written}");
        }
    }

    #[test]
    fn swapped_letters_are_one_change() {
        assert_eq!(distance("ab", "ba", 9), Some(2));
        assert_eq!(distance("abc", "abC", 9), Some(1));
        assert_eq!(distance("", "abc", 9), Some(6));
        assert_eq!(distance("a", "abcdef", 4), None);
    }
}
