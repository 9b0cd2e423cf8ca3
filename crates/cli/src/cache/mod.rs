//! Which results are reused by later runs, and what if that fails?
//!
//! Answers about valid objects, and the bounds of fields. All of it can be computed again, so that a fault of the store (it is missing,
//! full, locked, damaged, or too slow) costs one warning and time, and never a result. One thread does all reading and writing; other
//! threads wait for it no longer than `PATIENCE`.

mod error;
mod files;
pub(crate) mod frame;
mod location;
mod server;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use lazuli_valid::{Archive, Key, KnownScopes, StoredObjects, VerdictCache};
use lazuli_vm::program::Program;

pub(crate) use error::{CacheDamage, CacheError};
pub(crate) use location::CacheLocation;

use lazuli_console::visible::tell;

use crate::provenance::{Provenance, ProvenanceError, digest};
use files::FileStore;
use frame::{BOUNDS, CHECKS, OBJECTS, VERDICTS};
use server::ServerStore;

/// How long a run waits for an answer, and at its end until all is written.
const PATIENCE: Duration = Duration::from_secs(5);

/// The most bytes that are read under one name; the in-memory cache would not hold more.
const MOST_BYTES: usize = 64 << 20;

/// Named lists of byte strings, which only grow. Each string is written in one go.
pub(crate) trait Store: Send {
    /// All names that Lazuli wrote.
    fn names(&mut self) -> Result<Vec<String>, CacheError>;

    /// The frames under a name, in the order in which they were added; none if the name is not known.
    fn read(&mut self, name: &str) -> Result<StoredFrames, CacheError>;

    fn append(&mut self, name: &str, frame: &[u8]) -> Result<(), CacheError>;

    fn remove(&mut self, name: &str) -> Result<(), CacheError>;
}

#[derive(Default)]
pub(crate) struct StoredFrames {
    pub(crate) frames: Vec<Vec<u8>>,
    /// Why there is less than was written.
    pub(crate) damage: Option<CacheDamage>,
}

/// The cache of a run. It is opened when it is first read or written.
pub(crate) struct Cache {
    place: CacheLocation,
    program: Arc<Program>,
    /// When the run must be over.
    end: Option<Instant>,
    link: OnceLock<Option<CacheThread>>,
    /// Is it given up for this run? The reason has been printed then.
    is_off: Arc<AtomicBool>,
}

/// A thread that reads and writes.
struct CacheThread {
    provenance: Provenance,
    requests: Mutex<Sender<CacheRequest>>,
}

enum CacheRequest {
    Read(String, Sender<Vec<Vec<u8>>>),
    Append(String, Vec<u8>),
    /// The same, where all are dropped that were there if there are so many.
    AppendToFew(String, Vec<u8>, usize),
    /// Answers when all that came before is done.
    Finish(Sender<()>),
}

impl Cache {
    pub(crate) fn new(place: Option<CacheLocation>, program: &Arc<Program>, end: Option<Instant>) -> Arc<Cache> {
        let place = place.unwrap_or_else(CacheLocation::usual);
        let (program, is_off) = (program.clone(), Arc::new(AtomicBool::new(place == CacheLocation::None)));
        Arc::new(Cache { place, program, end, link: OnceLock::new(), is_off })
    }

    /// Answers about valid objects, backed by this cache.
    pub(crate) fn verdicts(self: &Arc<Cache>) -> Arc<VerdictCache> {
        Arc::new(VerdictCache::with(self.clone()))
    }

    /// The result of an earlier computation of bounds, if it was stored.
    pub(crate) fn bounds(&self, about: &str) -> Option<Vec<u8>> {
        let name = self.name(BOUNDS, about)?;
        self.read(&name).pop()
    }

    pub(crate) fn store_bounds(&self, about: &str, result: &[u8]) {
        self.append(BOUNDS, about, result);
    }

    /// The verdicts of earlier runs that were kept under a digest of their question, in the order in which they were found.
    pub(crate) fn checks(&self, question: &str) -> Vec<Vec<u8>> {
        match self.is_off() {
            true => Vec::new(),
            false => self.read(&check_name(question)),
        }
    }

    /// Keeps a verdict; all that are there are dropped if there are so many.
    pub(crate) fn keep_check(&self, question: &str, verdict: &[u8], most: usize) {
        if self.is_stable() {
            let name = check_name(question);
            let frame = frame::seal(&name, verdict);
            self.send(CacheRequest::AppendToFew(name, frame, most));
        }
    }

    pub(crate) fn place(&self) -> &CacheLocation {
        &self.place
    }

    /// Who makes the results of this run, from which classes. None if the cache cannot be used.
    pub(crate) fn provenance(&self) -> Option<Provenance> {
        Some(self.link()?.provenance.clone())
    }

    /// Gives the cache up if something is not known that results depend on.
    pub(crate) fn unless_broken<T>(&self, known: Result<T, ProvenanceError>) -> Option<T> {
        known.map_err(|why| self.give_up(&why.into())).ok()
    }

    /// Waits until all is written.
    pub(crate) fn finish(&self) {
        let (done, is_done) = channel();
        if !self.is_off()
            && self.link.get().is_some()
            && self.send(CacheRequest::Finish(done))
            && is_done.recv_timeout(PATIENCE).is_err()
        {
            self.give_up(&CacheError::SlowWrite);
        }
    }

    fn is_off(&self) -> bool {
        self.is_off.load(Ordering::Relaxed)
    }

    fn give_up(&self, why: &CacheError) {
        give_up(&self.is_off, &self.place, why);
    }

    fn link(&self) -> Option<&CacheThread> {
        if self.is_off() {
            return None;
        }
        let link = self.link.get_or_init(|| match self.open() {
            Ok(link) => Some(link),
            Err(why) => {
                self.give_up(&why);
                None
            }
        });
        link.as_ref()
    }

    fn open(&self) -> Result<CacheThread, CacheError> {
        let provenance = Provenance::of(self.program.path())?;
        let (requests, received) = channel();
        let (place, is_off) = (self.place.clone(), self.is_off.clone());
        let thread = std::thread::Builder::new().name("cache".into());
        thread.spawn(move || serve(&place, &is_off, &received)).map_err(CacheError::NoThread)?;
        Ok(CacheThread { provenance, requests: Mutex::new(requests) })
    }

    /// The name for results about a text: a digest of everything on which they depend.
    fn name(&self, kind: &str, about: &str) -> Option<String> {
        let Provenance { lazuli, classes, .. } = &self.link()?.provenance;
        if !self.is_stable() {
            return None;
        }
        Some(format!("{kind}-{}", digest(format!("{kind}\n{lazuli}\n{classes}\n{about}").as_bytes())))
    }

    /// Are the classes still those whose provenance is known? If not, the cache is given up.
    fn is_stable(&self) -> bool {
        let has_changed = self.program.path().has_changed();
        if has_changed {
            self.give_up(&CacheError::ChangingClasses);
        }
        !has_changed
    }

    fn send(&self, request: CacheRequest) -> bool {
        let Some(link) = self.link() else { return false };
        link.requests.lock().unwrap_or_else(PoisonError::into_inner).send(request).is_ok()
    }

    /// The contents under a name.
    fn read(&self, name: &str) -> Vec<Vec<u8>> {
        let (answer, answered) = channel();
        if !self.send(CacheRequest::Read(name.to_string(), answer)) {
            return Vec::new();
        }
        let left = self.end.map_or(PATIENCE, |end| end.saturating_duration_since(Instant::now()));
        match answered.recv_timeout(left.min(PATIENCE)) {
            Ok(contents) => contents,
            Err(RecvTimeoutError::Timeout) => {
                self.give_up(&CacheError::SlowRead);
                Vec::new()
            }
            // The thread has said why.
            Err(RecvTimeoutError::Disconnected) => Vec::new(),
        }
    }

    fn append(&self, kind: &str, about: &str, contents: &[u8]) {
        if let Some(name) = self.name(kind, about) {
            let frame = frame::seal(&name, contents);
            self.send(CacheRequest::Append(name, frame));
        }
    }
}

impl Archive for Cache {
    fn load(&self, about: &str) -> Vec<(Key, KnownScopes)> {
        let Some(name) = self.name(VERDICTS, about) else { return Vec::new() };
        let known = frame::spans(&self.read(&name));
        if !known.is_empty() {
            // It is not known which bodies they came from.
            self.program.uses_everything();
        }
        known
    }

    fn save(&self, about: &str, learned: Vec<(Key, KnownScopes)>) {
        self.append(VERDICTS, about, &frame::records(&learned));
    }

    fn load_objects(&self, about: &str) -> Option<StoredObjects> {
        let name = self.name(OBJECTS, about)?;
        let objects = serde_json::from_slice(&self.read(&name).pop()?).ok();
        self.program.uses_everything();
        objects
    }

    fn save_objects(&self, about: &str, found: &StoredObjects) {
        if let Ok(written) = serde_json::to_vec(found) {
            self.append(OBJECTS, about, &written);
        }
    }
}

fn check_name(question: &str) -> String {
    format!("{CHECKS}-{question}")
}

/// Executes requests until the cache is given up.
fn serve(place: &CacheLocation, is_off: &AtomicBool, requests: &Receiver<CacheRequest>) {
    let failed = |why: CacheError| give_up(is_off, place, &why);
    let mut store = match open(place) {
        Ok(store) => store,
        Err(why) => return failed(why),
    };
    let mut has_warned = false;
    for request in requests {
        if is_off.load(Ordering::Relaxed) {
            return;
        }
        let done = match request {
            CacheRequest::Read(name, answer) => read_intact(&mut *store, &name).map(|(intact, damage)| {
                if let Some(what) = damage.filter(|_| !has_warned) {
                    has_warned = true;
                    tell!("warning: the cache {place} was damaged: {what}. It is left out.");
                }
                // The run may have gone on without an answer.
                let _ = answer.send(intact);
            }),
            CacheRequest::Append(name, frame) => store.append(&name, &frame),
            CacheRequest::AppendToFew(name, frame, most) => append_to_few(&mut *store, &name, &frame, most),
            CacheRequest::Finish(done) => {
                let _ = done.send(());
                Ok(())
            }
        };
        if let Err(why) = done {
            return failed(why);
        }
    }
}

fn append_to_few(store: &mut dyn Store, name: &str, frame: &[u8], most: usize) -> Result<(), CacheError> {
    if store.read(name)?.frames.len() >= most {
        store.remove(name)?;
    }
    store.append(name, frame)
}

/// The contents under a name, and the damage of the rest. Damaged frames are removed, so that the warning is printed once.
fn read_intact(store: &mut dyn Store, name: &str) -> Result<(Vec<Vec<u8>>, Option<CacheDamage>), CacheError> {
    let StoredFrames { frames, damage } = store.read(name)?;
    let before = frames.len();
    let intact: Vec<Vec<u8>> = frames.into_iter().filter_map(|frame| frame::unseal(name, frame)).collect();
    let is_changed = intact.len() < before;
    let damage = damage.or(is_changed.then(|| CacheDamage::Changed(name.to_string())));
    if is_changed {
        // A run that may only read leaves it as it is.
        let is_gone = store.remove(name).is_ok();
        for contents in intact.iter().filter(|_| is_gone) {
            let _ = store.append(name, &frame::seal(name, contents));
        }
    }
    Ok((intact, damage))
}

pub(crate) fn open(place: &CacheLocation) -> Result<Box<dyn Store>, CacheError> {
    match place {
        CacheLocation::None => Err(CacheError::None),
        CacheLocation::Homeless => Err(CacheError::Homeless),
        CacheLocation::Directory(path) => Ok(Box::new(FileStore::open(path)?)),
        CacheLocation::Server(address) => Ok(Box::new(ServerStore::open(address)?)),
    }
}

/// Turns the cache off, and prints once why.
fn give_up(is_off: &AtomicBool, place: &CacheLocation, why: &CacheError) {
    if !is_off.swap(true, Ordering::Relaxed) {
        tell!("warning: the cache {place} is not used: {why}. Nothing else changes.");
    }
}
