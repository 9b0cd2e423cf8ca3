//! What is everything that one path of execution knows? A state: fork it, and both go on independently.

use std::rc::Rc;

use crate::frame::{HeldMonitor, Thread};
use crate::heap::{Heap, share};
use crate::program::{Class, ClassId, StringId};
use crate::property::PropertyMonitor;
use crate::symbols::Symbols;
use crate::threads::Threads;
use crate::value::ObjId;

/// How far the initialisation of a class has come in this state (JVMS §5.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Initialisation {
    /// No instruction has needed the class yet.
    #[default]
    NotStarted,
    /// The initialiser is on the stack.
    Running,
    /// The initialiser has returned.
    Done,
    /// The initialiser threw, so that every further use throws.
    Failed,
}

/// The per-state part of a class: its mirror, whose extra fields are the class's static fields, and its progress.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct ClassSlot {
    /// The `java.lang.Class` object, once something needed it.
    pub mirror: Option<ObjId>,
    /// The progress of the initialisation.
    pub initialisation: Initialisation,
}

/// The classes as one state sees them, by class id.
#[derive(Clone, Default)]
pub struct Classes(Rc<Vec<ClassSlot>>);

impl Classes {
    /// Looks up a class; one that the state never met has no mirror and is not initialised.
    #[inline]
    pub fn slot(&self, id: ClassId) -> ClassSlot {
        self.0.get(id.index()).copied().unwrap_or_default()
    }

    /// Looks up a class for writing, and makes room for it.
    pub fn slot_mut(&mut self, id: ClassId) -> &mut ClassSlot {
        let classes = Rc::make_mut(&mut self.0);
        if classes.len() <= id.index() {
            classes.resize(id.index() + 1, ClassSlot::default());
        }
        &mut classes[id.index()]
    }

    /// The mirrors that exist.
    pub fn mirrors(&self) -> impl Iterator<Item = ObjId> + '_ {
        self.0.iter().filter_map(|slot| slot.mirror)
    }

    /// The classes that an earlier state of the path knew less of, by their numbers.
    pub fn changed_since<'a>(&'a self, earlier: &'a Classes) -> impl Iterator<Item = (usize, ClassSlot)> + 'a {
        let before = |at: usize| earlier.0.get(at).copied().unwrap_or_default();
        let is_shared = Rc::ptr_eq(&self.0, &earlier.0);
        let all = self.0.iter().copied().enumerate().filter(move |_| !is_shared);
        all.filter(move |(at, slot)| *slot != before(*at))
    }

    /// May code of this class run without further ado? While its initialiser runs, its own thread may go on.
    #[inline]
    pub fn is_usable(&self, class: &Class) -> bool {
        matches!(self.slot(class.id).initialisation, Initialisation::Done | Initialisation::Running)
    }
}

/// The objects of the interned strings, by string id.
#[derive(Clone, Default)]
pub struct Interned(Rc<Vec<Option<ObjId>>>);

impl Interned {
    /// The object of a string constant, if the state has made it.
    #[inline]
    pub fn get(&self, id: StringId) -> Option<ObjId> {
        self.0.get(id.index()).copied().flatten()
    }

    /// The string objects that exist, as roots for the collector.
    pub fn objects(&self) -> impl Iterator<Item = ObjId> + '_ {
        self.0.iter().copied().flatten()
    }

    /// The string constants that an earlier state of the path had not made, by their numbers.
    pub fn made_since<'a>(&'a self, earlier: &'a Interned) -> impl Iterator<Item = (usize, ObjId)> + 'a {
        let is_shared = Rc::ptr_eq(&self.0, &earlier.0);
        let all = self.0.iter().copied().enumerate().filter(move |_| !is_shared);
        all.filter_map(move |(at, object)| {
            let before = earlier.0.get(at).copied().flatten();
            object.filter(|object| Some(*object) != before).map(|object| (at, object))
        })
    }

    /// Records the object of a string constant.
    pub fn set(&mut self, id: StringId, object: ObjId) {
        let strings = Rc::make_mut(&mut self.0);
        if strings.len() <= id.index() {
            strings.resize(id.index() + 1, None);
        }
        strings[id.index()] = Some(object);
    }
}

/// Everything that one path of execution knows.
#[derive(Clone, Default)]
pub struct State {
    /// The objects as they are now.
    pub heap: Heap,
    /// The frames and registers.
    pub thread: Thread,
    /// The mirrors and the initialisation of classes.
    pub classes: Classes,
    /// The interned strings.
    pub strings: Interned,
    /// The monitors that the thread holds.
    pub monitors: Vec<HeldMonitor>,
    /// The other threads, once one was started.
    pub threads: Option<Box<Threads>>,
    /// How far the path has come towards breaking a property, if there are any and the method runs.
    pub monitor: Option<Box<PropertyMonitor>>,
    /// Objects that the virtual machine itself finds again by role.
    pub roots: Roots,
    /// The unknowns, and the path's assumptions about them.
    pub symbols: Symbols,
}

/// The few objects that natives must find without a reference from the program.
#[derive(Clone, Default)]
pub struct Roots {
    /// The `java.lang.Thread` object of the first thread.
    pub main_thread: Option<ObjId>,
    /// Module objects by name; the unnamed module has the empty name.
    pub modules: Rc<Vec<(String, ObjId)>>,
    /// The arguments of `main`, until it has started.
    pub arguments: Option<ObjId>,
    /// The exceptions that made class initialisers fail.
    pub failures: Rc<Vec<(ClassId, ObjId)>>,
}

impl State {
    /// The same as `fork`, in a state that is no longer needed. Costs least if that was a fork of a state like this one.
    pub fn fork_into(&self, spare: &mut State) {
        let State { heap, thread, classes, strings, monitors, threads, monitor, roots, symbols } = self;
        spare.heap.become_copy(heap);
        thread.fork_into(&mut spare.thread);
        share(&mut spare.classes.0, &classes.0);
        share(&mut spare.strings.0, &strings.0);
        spare.monitors.clone_from(monitors);
        spare.threads.clone_from(threads);
        spare.monitor.clone_from(monitor);
        spare.roots.clone_from(roots);
        spare.symbols.become_copy(symbols);
    }

    /// A copy that shares what neither of the two has written since.
    pub fn fork(&self) -> State {
        State {
            heap: self.heap.clone(),
            thread: self.thread.fork(),
            classes: self.classes.clone(),
            strings: self.strings.clone(),
            monitors: self.monitors.clone(),
            threads: self.threads.clone(),
            monitor: self.monitor.clone(),
            roots: self.roots.clone(),
            symbols: self.symbols.clone(),
        }
    }
}
