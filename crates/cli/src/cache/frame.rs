//! How is what is kept written down, so that what was torn or changed is known as such?
//!
//! A frame is a checksum and then the contents. The checksum is also about the name under which it is kept: what was moved
//! to another name is as good as damaged.

use lazuli_valid::{Key, KnownScopes};
use sha2::{Digest, Sha256};

/// The kinds of contents, with which names begin.
pub(crate) const VERDICTS: &str = "verdicts";
/// Results of `lazuli bounds`.
pub(crate) const BOUNDS: &str = "bounds";
/// Valid objects, from which bounds and circuits are made.
pub(crate) const OBJECTS: &str = "objects";
/// Verdicts of `lazuli check`.
pub(crate) const CHECKS: &str = "checks";

const CHECKSUM: usize = 16;

/// A key, and the two scopes of a span, each with one added; 0 stands for none.
const RECORD: usize = 16 + 4 + 4;

pub(crate) fn seal(name: &str, contents: &[u8]) -> Vec<u8> {
    [&checksum(name, contents)[..], contents].concat()
}

/// The contents, unless they were changed.
pub(crate) fn unseal(name: &str, mut frame: Vec<u8>) -> Option<Vec<u8>> {
    let (sum, contents) = frame.split_at_checked(CHECKSUM)?;
    if sum != checksum(name, contents) {
        return None;
    }
    frame.drain(..CHECKSUM);
    Some(frame)
}

pub(crate) fn records(learned: &[(Key, KnownScopes)]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(learned.len() * RECORD);
    let scope = |scope: Option<u32>| scope.map_or(0, |scope| scope.saturating_add(1)).to_le_bytes();
    for (key, span) in learned {
        bytes.extend(key);
        bytes.extend(scope(span.possible_from));
        bytes.extend(scope(span.impossible_up_to));
    }
    bytes
}

/// The entries of all contents, each key as often as it is there.
pub(crate) fn spans(contents: &[Vec<u8>]) -> Vec<(Key, KnownScopes)> {
    let records = contents.iter().flat_map(|contents| contents.chunks_exact(RECORD));
    records.filter_map(span).collect()
}

/// How many answers there are.
pub(crate) fn count(contents: &[u8]) -> u64 {
    (contents.len() / RECORD) as u64
}

fn span(record: &[u8]) -> Option<(Key, KnownScopes)> {
    let (key, scopes) = record.split_first_chunk::<16>()?;
    let (from, up_to) = scopes.split_first_chunk::<4>()?;
    let scope = |bytes: [u8; 4]| u32::from_le_bytes(bytes).checked_sub(1);
    let (possible_from, impossible_up_to) = (scope(*from), scope(up_to.try_into().ok()?));
    Some((*key, KnownScopes { possible_from, impossible_up_to }))
}

fn checksum(name: &str, contents: &[u8]) -> [u8; CHECKSUM] {
    let mut sum = Sha256::new_with_prefix((name.len() as u64).to_le_bytes());
    sum.update(name.as_bytes());
    sum.update(contents);
    let mut half = [0; CHECKSUM];
    half.copy_from_slice(&sum.finalize()[..CHECKSUM]);
    half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let span = |possible_from, impossible_up_to| KnownScopes { possible_from, impossible_up_to };
        let learned =
            vec![([7; 16], span(Some(3), None)), ([8; 16], span(None, Some(0))), ([9; 16], span(Some(5), Some(4)))];
        assert_eq!(spans(&[records(&learned[..1]), records(&learned[1..])]), learned);
        assert_eq!(count(&records(&learned)), 3);
    }

    #[test]
    fn what_was_changed_is_no_frame() {
        let frame = seal("a", b"contents");
        assert_eq!(unseal("a", frame.clone()).as_deref(), Some(&b"contents"[..]));
        assert_eq!(unseal("b", frame.clone()), None);
        for at in 0..frame.len() {
            let mut changed = frame.clone();
            changed[at] ^= 1;
            assert_eq!(unseal("a", changed), None, "at {at}");
            assert_eq!(unseal("a", frame[..at].to_vec()), None, "up to {at}");
        }
    }
}
