//! What is it to use an object from several threads at once?
//!
//! A [`ConcurrentUse`] says which methods each thread calls, one after the other, on one object. The arguments of all calls together are the parameters of a
//! method that no class declares (`target`), so that an exploration makes receiver and arguments as for every other method. What runs in its place
//! is glue (`glue`): it starts the threads, waits for them, and keeps in a *record* how each call ended and which calls of other threads had ended
//! before it began.

mod glue;
mod orders;
mod search;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use lazuli_vm::program::{Class, Method, Program, access, descriptor, parameter_names, signature};
use lazuli_vm::value::Kind;

pub(crate) use glue::ENDED_BY_EXCEPTION;
use orders::orders;
pub(crate) use search::{OrderPhase, OrderSearch, ThreadsEnd};

/// More calls than this have too many orders.
pub const MOST_CALLS: usize = 8;

/// One call of a concurrent use.
#[derive(Clone, Copy)]
pub(crate) struct UseCall {
    /// The method that is called.
    pub method: &'static Method,
    /// The thread, from 0 on.
    pub thread: usize,
    /// Its number among the calls of the thread.
    pub position: usize,
    /// The parameter of the whole use that is its first argument.
    pub first: usize,
}

/// The calls of several threads on one object.
pub struct ConcurrentUse {
    /// The class of the object.
    pub class: &'static Class,
    /// The method that stands for all of it.
    pub target: &'static Method,
    pub(crate) calls: Vec<UseCall>,
    pub(crate) record: &'static Class,
    pub(crate) threads: usize,
    drivers: Mutex<HashMap<Vec<Vec<usize>>, &'static Method>>,
}

impl std::fmt::Debug for ConcurrentUse {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.title())
    }
}

impl ConcurrentUse {
    /// The use of an object of a class by threads that call these methods, which must not be static. None if a descriptor is broken.
    pub fn new(program: &Program, class: &'static Class, threads: &[Vec<&'static Method>]) -> Option<ConcurrentUse> {
        let mut calls: Vec<UseCall> = Vec::new();
        let mut types = String::new();
        let mut names: Vec<String> = Vec::new();
        for (thread, methods) in threads.iter().enumerate() {
            for (position, method) in methods.iter().copied().enumerate() {
                calls.push(UseCall { method, thread, position, first: names.len() });
                let (parameters, _) = descriptor::method(method.descriptor)?;
                types.extend(parameters);
                names.extend(parameter_names(method));
            }
        }
        let name = described(threads, &|method| method.name.to_string());
        let target = program.describe_method(class, &name, &format!("({types})V"), told_apart(names))?;
        let record = glue::record(program, class, &calls, threads.len())?;
        Some(ConcurrentUse { class, target, calls, record, threads: threads.len(), drivers: Mutex::default() })
    }

    /// `acme.Stack: push(int) | pop()`, with the calls of each thread between the lines.
    pub fn title(&self) -> String {
        let mut threads: Vec<Vec<&'static Method>> = vec![Vec::new(); self.threads];
        for call in &self.calls {
            threads[call.thread].push(call.method);
        }
        format!("{}: {}", self.class.java_name(), described(&threads, &|method| signature(method)))
    }

    /// The calls of each thread, by number.
    pub(crate) fn by_thread(&self) -> Vec<Vec<usize>> {
        let of = |thread: usize| (0..self.calls.len()).filter(|call| self.calls[*call].thread == thread).collect();
        (0..self.threads).map(of).collect()
    }

    /// The static method that has threads make these calls: it takes the receiver, all arguments, and the record.
    pub(crate) fn driver(&self, program: &Program, threads: &[Vec<usize>]) -> &'static Method {
        let mut drivers = self.drivers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = drivers.get(threads) {
            return known;
        }
        let driver = glue::driver(program, self, threads);
        drivers.insert(threads.to_vec(), driver);
        driver
    }

    /// The methods that show what an object holds, by results that are no part of it: public ones with numbers as parameters. A method that may be
    /// interrupted waits, and shows nothing.
    pub(crate) fn queries(&self, program: &Program) -> Vec<&'static Method> {
        let is_value = |kind: &str| match kind {
            "V" => false,
            "Ljava/lang/Object;" | "Ljava/lang/String;" => true,
            kind => {
                let named = kind.strip_prefix('L').and_then(|kind| kind.strip_suffix(';'));
                Kind::of_descriptor(kind) != Kind::Reference || named.is_some_and(|name| Kind::of_box(name).is_some())
            }
        };
        let mut found: Vec<&'static Method> = Vec::new();
        for method in self.class.chain().filter(|class| class.is_users()).flat_map(|class| class.methods.iter()) {
            let unwanted = access::STATIC | access::ABSTRACT | access::NATIVE | access::SYNTHETIC;
            let (_, result) = descriptor::method(method.descriptor).unwrap_or_default();
            let waits = method.declared_exceptions().iter().any(|name| name == "java/lang/InterruptedException");
            if method.access & access::PUBLIC != 0
                && method.access & unwanted == 0
                && !method.name.starts_with('<')
                && is_value(result)
                && method.parameters.iter().all(|kind| *kind != Kind::Reference)
                && !waits
                && program.code(method).is_ok()
                && !found.iter().any(|known| (known.name, known.descriptor) == (method.name, method.descriptor))
            {
                found.push(method);
            }
        }
        found
    }

    /// The slot of a field of the record, which glue wrote.
    pub(crate) fn slot(&self, name: &str) -> Option<usize> {
        self.record.field(name).map(|field| field.slot as usize)
    }
}

fn described(threads: &[Vec<&'static Method>], call: &dyn Fn(&'static Method) -> String) -> String {
    let thread =
        |methods: &Vec<&'static Method>| methods.iter().map(|method| call(method)).collect::<Vec<_>>().join("; ");
    threads.iter().map(thread).collect::<Vec<_>>().join(" | ")
}

/// Parameters of one name get numbers.
fn told_apart(names: Vec<String>) -> Vec<String> {
    let is_alone = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
    let mut told = Vec::new();
    for (at, name) in names.iter().enumerate() {
        told.push(match is_alone(name) {
            true => name.clone(),
            false => format!("{name}{}", names[..at].iter().filter(|other| *other == name).count() + 1),
        });
    }
    told
}
