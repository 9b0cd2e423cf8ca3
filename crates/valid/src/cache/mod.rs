//! Is it known already whether a valid object has some facts, from an earlier path, scope or run?
//!
//! A valid object of a scope is one of every larger scope. So facts that some valid object has at a scope are possible from there on; facts
//! that none has are impossible up to there, and larger scopes stay open. A text names all else on which answers depend, such as the
//! invariant and the other bounds: an answer is of use only where the text is the same.

pub(crate) mod objects;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use sha2::{Digest, Sha256};

use crate::{Fact, Referent, StoredObjects};

/// Answers that are remembered in one process; each takes about 50 bytes. Later answers are not kept, and are asked for again.
const MOST: usize = 2_000_000;

/// New answers that are handed to the archive together.
const BATCH: usize = 8_192;

/// Stands for a set of facts. Two sets have the same one as seldom as two texts have the same SHA-256, of which it is a half.
pub type Key = [u8; 16];

/// The scopes at which it is known whether a valid object has the facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownScopes {
    /// The smallest scope at which one has them.
    pub possible_from: Option<u32>,
    /// The largest scope at which none has.
    pub impossible_up_to: Option<u32>,
}

/// Keeps answers for later runs. Whatever goes wrong there, it knows less, and never something else.
pub trait Archive: Send + Sync {
    /// All that is known about what the text says.
    fn load(&self, about: &str) -> Vec<(Key, KnownScopes)>;

    /// Keeps answers about what the text says. Does not wait until they are kept.
    fn save(&self, about: &str, learned: Vec<(Key, KnownScopes)>);

    /// The valid objects about which the text is.
    fn load_objects(&self, about: &str) -> Option<StoredObjects>;

    /// Stores valid objects under this text; a failed write costs time in the next run, but no answer.
    fn save_objects(&self, about: &str, found: &StoredObjects);
}

/// All answers of a process.
#[derive(Default)]
pub struct VerdictCache {
    archive: Option<Arc<dyn Archive>>,
    topics: Mutex<HashMap<String, Arc<Topic>>>,
    /// Answers that are remembered, of all topics.
    count: Arc<AtomicUsize>,
}

impl VerdictCache {
    /// With those of earlier runs.
    pub fn with(archive: Arc<dyn Archive>) -> VerdictCache {
        VerdictCache { archive: Some(archive), ..VerdictCache::default() }
    }

    /// The topic that the text names, loaded once.
    pub fn topic(&self, about: &str) -> Arc<Topic> {
        // The second caller waits until the archive has answered, so that it is asked once.
        let mut topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        let topic = topics.entry(about.to_string()).or_insert_with(|| {
            let kept = self.archive.as_ref().map(|archive| archive.load(about)).unwrap_or_default();
            let room = MOST.saturating_sub(self.count.load(Ordering::Relaxed));
            let mut known: HashMap<Key, KnownScopes> = HashMap::new();
            for (key, span) in kept.into_iter().take(room) {
                let all = known.entry(key).or_default();
                *all = all.and(span);
            }
            self.count.fetch_add(known.len(), Ordering::Relaxed);
            let (archive, count) = (self.archive.clone(), self.count.clone());
            Arc::new(Topic { about: about.into(), archive, known: RwLock::new(known), fresh: Mutex::default(), count })
        });
        topic.clone()
    }

    /// The valid objects about which the text is, if an earlier run found them.
    pub fn objects(&self, about: &str) -> Option<StoredObjects> {
        self.archive.as_ref()?.load_objects(about)
    }

    /// Keeps valid objects for later runs.
    pub fn keep_objects(&self, about: &str, found: &StoredObjects) {
        self.archive.iter().for_each(|archive| archive.save_objects(about, found));
    }

    /// Hands all that is new to the archive.
    pub fn save(&self) {
        let topics: Vec<Arc<Topic>> =
            self.topics.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        topics.iter().for_each(|topic| topic.save(1));
    }
}

/// Where answers come from is no part of what is explored.
impl std::fmt::Debug for VerdictCache {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.write_str("VerdictCache")
    }
}

/// The answers about one invariant under the same bounds, shared by all threads.
pub struct Topic {
    about: String,
    archive: Option<Arc<dyn Archive>>,
    known: RwLock<HashMap<Key, KnownScopes>>,
    /// Answers that the archive does not have yet.
    fresh: Mutex<Vec<(Key, KnownScopes)>>,
    count: Arc<AtomicUsize>,
}

impl Topic {
    /// Does some valid object of that scope have the facts, if that is known?
    pub fn find(&self, key: &Key, scope: u32) -> Option<bool> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(key)?.at(scope)
    }

    /// Remembers an answer. True if it will be kept.
    pub fn learn(&self, key: Key, scope: u32, is_possible: bool) -> bool {
        let span = {
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            if !known.contains_key(&key) && self.count.fetch_add(1, Ordering::Relaxed) >= MOST {
                self.count.fetch_sub(1, Ordering::Relaxed);
                return false;
            }
            let span = known.entry(key).or_default();
            span.add(scope, is_possible);
            *span
        };
        if self.archive.is_some() {
            self.fresh.lock().unwrap_or_else(PoisonError::into_inner).push((key, span));
            self.save(BATCH);
        }
        true
    }

    /// Hands what is new to the archive, if it is as much as that.
    fn save(&self, least: usize) {
        let Some(archive) = &self.archive else { return };
        let mut fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        if fresh.len() >= least {
            archive.save(&self.about, std::mem::take(&mut fresh));
        }
    }
}

impl KnownScopes {
    /// Answers for one scope: possibility carries over to larger scopes, and impossibility to smaller ones.
    pub fn at(&self, scope: u32) -> Option<bool> {
        // Two answers contradict each other: nothing is known then.
        if self.possible_from.zip(self.impossible_up_to).is_some_and(|(from, up_to)| from <= up_to) {
            return None;
        }
        if self.possible_from.is_some_and(|from| from <= scope) {
            return Some(true);
        }
        self.impossible_up_to.filter(|up_to| scope <= *up_to).map(|_| false)
    }

    fn add(&mut self, scope: u32, is_possible: bool) {
        if is_possible {
            self.possible_from = Some(self.possible_from.map_or(scope, |known| known.min(scope)));
        } else {
            self.impossible_up_to = self.impossible_up_to.max(Some(scope));
        }
    }

    /// Joins two spans.
    pub fn and(mut self, other: KnownScopes) -> KnownScopes {
        other.possible_from.into_iter().for_each(|scope| self.add(scope, true));
        other.impossible_up_to.into_iter().for_each(|scope| self.add(scope, false));
        self
    }
}

/// The key of a set of facts, in whatever order they are. None if one of them is about an object without a number: such
/// objects have no name that outlives the run.
pub fn key_of(facts: &[Fact]) -> Option<Key> {
    let mut sorted: Vec<(u16, u16, u32)> = Vec::with_capacity(facts.len());
    for (field, owner, target) in facts {
        let target = match target {
            Referent::Null => 0,
            Referent::Object(number) => u32::from(*number) + 1,
            Referent::Other(_) => return None,
        };
        sorted.push((*field, *owner, target));
    }
    sorted.sort_unstable();
    sorted.dedup();
    let mut sum = Sha256::new();
    for (field, owner, target) in sorted {
        sum.update(field.to_le_bytes());
        sum.update(owner.to_le_bytes());
        sum.update(target.to_le_bytes());
    }
    sum.finalize()[..16].try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_possible_stays_so_above_and_what_is_not_stays_so_below() {
        let mut span = KnownScopes::default();
        assert_eq!(span.at(3), None);
        span.add(4, true);
        span.add(6, true);
        assert_eq!([3, 4, 5, 9].map(|scope| span.at(scope)), [None, Some(true), Some(true), Some(true)]);
        span.add(2, false);
        span.add(1, false);
        assert_eq!([1, 2, 3, 4].map(|scope| span.at(scope)), [Some(false), Some(false), None, Some(true)]);
    }

    #[test]
    fn answers_that_contradict_each_other_are_none() {
        let span = KnownScopes { possible_from: Some(3), impossible_up_to: Some(3) };
        assert_eq!([2, 3, 4].map(|scope| span.at(scope)), [None; 3]);
    }

    #[test]
    fn a_key_is_of_a_set_and_not_of_a_list() {
        let facts = [(0, 0, Referent::Object(1)), (1, 0, Referent::Null), (0, 1, Referent::Null)];
        let mut turned = facts;
        turned.reverse();
        assert_eq!(key_of(&facts), key_of(&turned));
        assert_eq!(key_of(&facts), key_of(&[&facts[..], &facts[..1]].concat()));
        for other in [&facts[..2], &[(1, 0, Referent::Object(1)), facts[1], facts[2]], &[(0, 0, Referent::Null)], &[]] {
            assert_ne!(key_of(&facts), key_of(other), "{other:?}");
        }
    }

    #[derive(Default)]
    struct Answers(Mutex<Vec<(String, Key, KnownScopes)>>);

    impl Archive for Answers {
        fn load(&self, about: &str) -> Vec<(Key, KnownScopes)> {
            let kept = self.0.lock().unwrap();
            kept.iter().filter(|(topic, ..)| topic == about).map(|(_, key, span)| (*key, *span)).collect()
        }

        fn save(&self, about: &str, learned: Vec<(Key, KnownScopes)>) {
            self.0.lock().unwrap().extend(learned.into_iter().map(|(key, span)| (about.to_string(), key, span)));
        }

        fn load_objects(&self, _about: &str) -> Option<StoredObjects> {
            None
        }

        fn save_objects(&self, _about: &str, _found: &StoredObjects) {}
    }

    #[test]
    fn another_run_knows_what_was_learned_about_the_same() {
        let kept = Arc::new(Answers::default());
        let key = key_of(&[(0, 0, Referent::Null)]).unwrap();
        let first = VerdictCache::with(kept.clone());
        assert_eq!(first.topic("a").find(&key, 3), None);
        assert!(first.topic("a").learn(key, 3, true));
        assert_eq!(first.topic("a").find(&key, 4), Some(true));
        first.save();
        let second = VerdictCache::with(kept);
        assert_eq!(second.topic("a").find(&key, 3), Some(true));
        assert_eq!(second.topic("a").find(&key, 2), None);
        assert_eq!(second.topic("b").find(&key, 3), None);
    }
}
