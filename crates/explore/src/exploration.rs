//! How does another program explore a method? This is the front door; `examples/embed.rs` goes through it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lazuli_vm::program::{Method, Program, has_parameters};
use lazuli_vm::reason::ClassFault;

use crate::technique::TechniqueChoice;
use crate::{Config, Failure, Needing, Progress, Report, explore};

/// An exploration of one method, before it runs.
///
/// ```no_run
/// # use std::sync::Arc;
/// # use lazuli_classfile::{ClassPath, Jdk};
/// # use lazuli_explore::Exploration;
/// # use lazuli_vm::program::Program;
/// let path = ClassPath::open(Jdk::locate()?, &["build/classes".into()])?;
/// let program = Arc::new(Program::open(path)?);
/// let report = Exploration::of(&program, "acme.SortedList", "insert")?.scope(3).run()?;
/// println!("{:?}, {} paths", report.verdict(), report.paths);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Exploration<'a> {
    program: Arc<Program>,
    method: &'static Method,
    config: Config,
    observer: Option<Observer<'a>>,
}

/// A function that is told how far an exploration has come, and how often.
struct Observer<'a> {
    every: Duration,
    tell: Box<dyn FnMut(&Progress) + Send + 'a>,
}

impl<'a> Exploration<'a> {
    /// Prepares the exploration of a method: `insert`, or `insert(int, Object)` where a class has several of the name.
    pub fn of(program: &Arc<Program>, class: &str, method: &str) -> Result<Exploration<'a>, Failure> {
        let unusable = |error| Failure::Class {
            what: Needing::Target(format!("{class}.{method}")),
            fault: Box::new(ClassFault::of_load(program, &error)),
        };
        let owner = program.load(&class.replace('.', "/")).map_err(unusable)?;
        let (name, parameters) = method.split_at(method.find('(').unwrap_or(method.len()));
        let is_meant = |candidate: &&&'static Method| {
            candidate.name == name && (parameters.is_empty() || has_parameters(candidate, parameters))
        };
        let found: Vec<&'static Method> = owner.methods.iter().filter(is_meant).copied().collect();
        match found.as_slice() {
            [method] => Ok(Exploration::of_method(program, method)),
            several => {
                Err(Failure::Ambiguous { class: class.to_string(), method: method.to_string(), count: several.len() })
            }
        }
    }

    /// Prepares the exploration of a method that the program has found.
    pub fn of_method(program: &Arc<Program>, method: &'static Method) -> Exploration<'a> {
        Exploration { program: program.clone(), method, config: Config::default(), observer: None }
    }

    /// Tries at most so many input objects of each class.
    pub fn scope(mut self, scope: usize) -> Exploration<'a> {
        self.config.bounds.scope = scope;
        self
    }

    /// Answers questions about inputs by a technique: the name of one, or a [`TechniqueChoice::custom`] from outside.
    pub fn technique(mut self, technique: impl Into<TechniqueChoice>) -> Exploration<'a> {
        self.config.technique = technique.into();
        self
    }

    /// Changes any part of the configuration.
    pub fn configure(mut self, change: impl FnOnce(&mut Config)) -> Exploration<'a> {
        change(&mut self.config);
        self
    }

    /// Calls a function every so often while the exploration runs, and once at its end. It may set [`Progress::stop`] to end the exploration.
    pub fn observe(mut self, every: Duration, tell: impl FnMut(&Progress) + Send + 'a) -> Exploration<'a> {
        self.observer = Some(Observer { every, tell: Box::new(tell) });
        self
    }

    /// Explores the method.
    pub fn run(self) -> Result<Report, Failure> {
        let Exploration { program, method, config, observer } = self;
        let progress = Progress::default();
        let Some(mut observer) = observer else { return explore(&program, method, &config, &progress) };
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                loop {
                    // The order matters: what is told last is the end.
                    let is_last = is_over.load(Ordering::Acquire);
                    (observer.tell)(&progress);
                    if is_last {
                        break;
                    }
                    std::thread::park_timeout(observer.every);
                }
            });
            let report = explore(&program, method, &config, &progress);
            is_over.store(true, Ordering::Release);
            watcher.thread().unpark();
            report
        })
    }
}
