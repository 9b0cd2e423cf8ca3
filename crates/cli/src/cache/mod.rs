//! What is kept between runs, and what if that fails?
//!
//! Answers about valid objects, and the bounds of fields. All of it can be found out again, so that whatever is wrong with the place where it
//! is kept (it is not there, full, locked, damaged, or too slow) costs one warning and time, and never a result. One thread does all
//! that may take long; whoever wants something from it does not wait longer than is said here.

mod command;
mod files;
mod frame;
mod place;
mod server;
mod wire;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use lazuli_valid::{Archive, Key, Span, StoredObjects, VerdictCache};
use lazuli_vm::program::Program;

pub use command::{CacheOptions, run};
pub use place::Place;

use lazuli_console::visible::tell;

use crate::origin::{Origin, digest};
use files::Files;
use frame::{BOUNDS, OBJECTS, VERDICTS};
use server::Server;

/// How long somebody waits for what is kept, and at the end until it is.
const PATIENCE: Duration = Duration::from_secs(5);

/// More than this about one topic is not read: it would be more than is remembered.
const MOST_BYTES: usize = 64 << 20;

/// A place where named lists of byte strings are kept. Each string is written in one go, and only added.
trait Store: Send {
    /// All names that are ours.
    fn names(&mut self) -> Result<Vec<String>, String>;

    /// What is there under a name, in the order in which it was added; nothing if the name is not known.
    fn read(&mut self, name: &str) -> Result<Contents, String>;

    fn append(&mut self, name: &str, frame: &[u8]) -> Result<(), String>;

    fn remove(&mut self, name: &str) -> Result<(), String>;
}

#[derive(Default)]
struct Contents {
    frames: Vec<Vec<u8>>,
    /// Why there is less than there was.
    damage: Option<String>,
}

/// The cache of a run. Nothing is opened before somebody asks.
pub struct Cache {
    place: Place,
    program: Arc<Program>,
    /// When the run must be over.
    end: Option<Instant>,
    link: OnceLock<Option<Link>>,
    /// Does nobody use it any more? Whoever makes it so has said why.
    is_off: Arc<AtomicBool>,
}

/// A thread that reads and writes.
struct Link {
    origin: Origin,
    requests: Mutex<Sender<Request>>,
}

enum Request {
    Read(String, Sender<Vec<Vec<u8>>>),
    Append(String, Vec<u8>),
    /// Answers when all that came before is done.
    Finish(Sender<()>),
}

impl Cache {
    pub fn new(place: Option<&Place>, program: &Arc<Program>, end: Option<Instant>) -> Arc<Cache> {
        let place = place.cloned().unwrap_or_else(Place::usual);
        let (program, is_off) = (program.clone(), Arc::new(AtomicBool::new(place == Place::None)));
        Arc::new(Cache { place, program, end, link: OnceLock::new(), is_off })
    }

    /// The answers about valid objects that are here.
    pub fn verdicts(self: &Arc<Cache>) -> Arc<VerdictCache> {
        Arc::new(VerdictCache::with(self.clone()))
    }

    /// The result of an earlier computation of bounds, if it was kept.
    pub fn bounds(&self, about: &str) -> Option<Vec<u8>> {
        let name = self.name(BOUNDS, about)?;
        self.read(&name).pop()
    }

    pub fn keep_bounds(&self, about: &str, result: &[u8]) {
        self.append(BOUNDS, about, result);
    }

    /// Waits until all is kept.
    pub fn finish(&self) {
        let (done, is_done) = channel();
        if !self.is_off()
            && self.link.get().is_some()
            && self.send(Request::Finish(done))
            && is_done.recv_timeout(PATIENCE).is_err()
        {
            self.give_up("it takes too long to write");
        }
    }

    fn is_off(&self) -> bool {
        self.is_off.load(Ordering::Relaxed)
    }

    fn give_up(&self, why: &str) {
        give_up(&self.is_off, &self.place, why);
    }

    fn link(&self) -> Option<&Link> {
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

    fn open(&self) -> Result<Link, String> {
        let origin = Origin::of(self.program.path())?;
        let (requests, received) = channel();
        let (place, is_off) = (self.place.clone(), self.is_off.clone());
        let thread = std::thread::Builder::new().name("cache".into());
        thread
            .spawn(move || serve(&place, &is_off, &received))
            .map_err(|error| format!("no thread starts: {error}"))?;
        Ok(Link { origin, requests: Mutex::new(requests) })
    }

    /// Where that is kept which is known about a text: everything on which it depends is part of the name.
    fn name(&self, kind: &str, about: &str) -> Option<String> {
        let Origin { lazuli, classes } = &self.link()?.origin;
        if self.program.path().has_changed() {
            self.give_up("class files are being changed while they are checked");
            return None;
        }
        Some(format!("{kind}-{}", digest(format!("{kind}\n{lazuli}\n{classes}\n{about}").as_bytes())))
    }

    fn send(&self, request: Request) -> bool {
        let Some(link) = self.link() else { return false };
        link.requests.lock().unwrap_or_else(PoisonError::into_inner).send(request).is_ok()
    }

    /// The contents of what is kept under a name.
    fn read(&self, name: &str) -> Vec<Vec<u8>> {
        let (answer, answered) = channel();
        if !self.send(Request::Read(name.to_string(), answer)) {
            return Vec::new();
        }
        let left = self.end.map_or(PATIENCE, |end| end.saturating_duration_since(Instant::now()));
        match answered.recv_timeout(left.min(PATIENCE)) {
            Ok(contents) => contents,
            Err(RecvTimeoutError::Timeout) => {
                self.give_up("it takes too long to answer");
                Vec::new()
            }
            // The thread has said why.
            Err(RecvTimeoutError::Disconnected) => Vec::new(),
        }
    }

    fn append(&self, kind: &str, about: &str, contents: &[u8]) {
        if let Some(name) = self.name(kind, about) {
            let frame = frame::seal(&name, contents);
            self.send(Request::Append(name, frame));
        }
    }
}

impl Archive for Cache {
    fn load(&self, about: &str) -> Vec<(Key, Span)> {
        let Some(name) = self.name(VERDICTS, about) else { return Vec::new() };
        frame::spans(&self.read(&name))
    }

    fn save(&self, about: &str, learned: Vec<(Key, Span)>) {
        self.append(VERDICTS, about, &frame::records(&learned));
    }

    fn load_objects(&self, about: &str) -> Option<StoredObjects> {
        let name = self.name(OBJECTS, about)?;
        serde_json::from_slice(&self.read(&name).pop()?).ok()
    }

    fn save_objects(&self, about: &str, found: &StoredObjects) {
        if let Ok(written) = serde_json::to_vec(found) {
            self.append(OBJECTS, about, &written);
        }
    }
}

/// Does what is asked until somebody gives the place up.
fn serve(place: &Place, is_off: &AtomicBool, requests: &Receiver<Request>) {
    let failed = |why: String| give_up(is_off, place, &why);
    let mut store = match open(place) {
        Ok(store) => store,
        Err(why) => return failed(why),
    };
    let mut has_told = false;
    for request in requests {
        if is_off.load(Ordering::Relaxed) {
            return;
        }
        let done = match request {
            Request::Read(name, answer) => read_intact(&mut *store, &name).map(|(intact, damage)| {
                if let Some(what) = damage.filter(|_| !has_told) {
                    has_told = true;
                    tell!("warning: the cache {place} was damaged: {what}. It is left out.");
                }
                // Who asked may have gone on without an answer.
                let _ = answer.send(intact);
            }),
            Request::Append(name, frame) => store.append(&name, &frame),
            Request::Finish(done) => {
                let _ = done.send(());
                Ok(())
            }
        };
        if let Err(why) = done {
            return failed(why);
        }
    }
}

/// The contents under a name, and what is wrong with the rest. That is thrown away, so that it is told once.
fn read_intact(store: &mut dyn Store, name: &str) -> Result<(Vec<Vec<u8>>, Option<String>), String> {
    let Contents { frames, damage } = store.read(name)?;
    let before = frames.len();
    let intact: Vec<Vec<u8>> = frames.into_iter().filter_map(|frame| frame::unseal(name, frame)).collect();
    let is_changed = intact.len() < before;
    let damage = damage.or(is_changed.then(|| format!("a part of {name} was changed")));
    if is_changed {
        // Who may only read leaves it as it is.
        let is_gone = store.remove(name).is_ok();
        for contents in intact.iter().filter(|_| is_gone) {
            let _ = store.append(name, &frame::seal(name, contents));
        }
    }
    Ok((intact, damage))
}

fn open(place: &Place) -> Result<Box<dyn Store>, String> {
    match place {
        Place::None => Err("there is none".to_string()),
        Place::Homeless => Err("neither XDG_CACHE_HOME nor HOME says where it is; give --cache DIR".to_string()),
        Place::Directory(path) => Ok(Box::new(Files::open(path)?)),
        Place::Server(address) => Ok(Box::new(Server::open(address)?)),
    }
}

/// Says once why nothing is kept from here on.
fn give_up(is_off: &AtomicBool, place: &Place, why: &str) {
    if !is_off.swap(true, Ordering::Relaxed) {
        tell!("warning: the cache {place} is not used: {why}. Nothing else changes.");
    }
}
