//! What does a run take from outside, and what does an exploration put in its place?
//!
//! Clocks, random bytes, identity hash codes, environment variables and the like differ from run to run, so that an exploration treats them as
//! inputs: each value that the program takes is an unknown with a name such as `System.nanoTime()#2`. The state keeps the list of what was
//! taken, and the run of an example looks its values up by these names.
//!
//! Some values stay concrete all the same: those that the user asked for, those that contract methods see, and settings of the machine. Then
//! the verdict is about one run's values only, and names them (`Assumption`).

use std::rc::Rc;

use lazuli_logic::{Binary, Unary};
use serde::{Deserialize, Serialize};

use crate::contracts::ContractCheck;
use crate::interp::Vm;
use crate::program::Method;
use crate::state::State;
use crate::symbols::Taken;
use crate::value::{Kind, ObjId, Value};

/// How an exploration treats what a run takes from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ambient {
    /// As inputs of the path: each may have any value of its range.
    #[default]
    Unknown,
    /// As values of one run, which is always the same one.
    Concrete,
}

/// Where a value comes from that is not the program's own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Source {
    /// `System.nanoTime()`
    NanoTime,
    /// `System.currentTimeMillis()`, `Instant.now()`, …
    Clock,
    /// `SecureRandom`
    RandomBytes,
    /// `Object.hashCode()`, `System.identityHashCode(Object)`
    IdentityHash,
    /// The environment variable of that name, or all of them.
    Environment(Option<String>),
    /// `Runtime.availableProcessors()`
    Processors,
    /// `Runtime.freeMemory()`, …
    Memory,
    /// The order of `Set.of` and `Map.of`.
    ImmutableOrder,
    /// The order of hash tables whose keys have identity hash codes.
    HashOrder,
    /// The state of the current thread: interrupted, name, daemon, priority, the locks that callers hold.
    Thread,
    /// The methods on the stack below the target.
    Callers,
    /// The default locale.
    Locale,
    /// The default time zone.
    TimeZone,
    /// The default charset.
    Charset,
    /// `System.in`
    StandardInput,
    /// The arguments of a whole program.
    Arguments,
    /// The line separator of the platform.
    LineSeparator,
    /// The system property of that name, or all of them.
    Property(Option<String>),
}

/// Something that a verdict takes for granted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Assumption {
    /// It has the value of one run, and was read.
    Ambient {
        /// The value that was read.
        source: Source,
    },
    /// All threads see all writes in one order.
    Consistency,
    /// A thread wakes up from a `wait` or `park` for no reason at most so often.
    SpuriousWakeUps {
        /// At each place, for each thread of a path.
        most: u32,
    },
    /// A weak compare-and-set fails for no reason at most so often.
    SpuriousFailures {
        /// At each place, for each thread of a path.
        most: u32,
    },
    /// Clocks show a time from 1970 to 9999.
    ClockRange,
    /// Code that is not there changes nothing but what it was handed or has returned, and no static field; it throws no error; arrays that it
    /// makes hold nothing that the method made; and an exception in a method that it calls back is one of its own.
    UnknownCode {
        /// Is that all of the inputs, too?
        has_inputs: bool,
    },
    /// Code that is not there leaves objects of a class valid which it gets valid.
    LeavesValid {
        /// The class.
        class: String,
    },
    /// Code that is not there leaves no more elements than that in a collection that it changes.
    Refills {
        /// How many.
        most: usize,
    },
    /// A method whose code is not there changes nothing.
    Pure {
        /// The class and the name of the method.
        method: String,
    },
    /// A method keeps its contract, which replaced calls of it.
    Contract {
        /// The method, with its class.
        method: String,
        /// `Store.java:12`
        at: String,
        /// Does the contract come with Lazuli?
        is_bundled: bool,
        /// Does the code that is there keep it?
        check: ContractCheck,
    },
    /// A comparison whose code is not there is a total order, or an equivalence, of what the objects hold, and throws at most for null.
    Relation {
        /// The class and the name of the method.
        method: String,
        /// An order, or an equivalence?
        is_order: bool,
    },
    /// The objects that comparisons and pure methods of code that is not there get under a type of the JDK do not lead to objects of a class that the method changes, and that
    /// it meets under a type of the user's: an element is no node.
    Apart {
        /// The class of the changed objects.
        class: String,
    },
    /// The result of a method whose code is not there, and whose type is a variable, is of the class to which the program casts it.
    ResultCast {
        /// The class and the name of the method.
        method: String,
        /// The class.
        class: String,
    },
    /// Objects of generic classes hold what their type arguments say: no unchecked cast and no raw type put anything else there.
    TypeArguments,
    /// A class whose initialiser runs other code of the user's is initialised before the method.
    InitialisedBefore {
        /// The class, with dots.
        class: String,
    },
    /// Objects of a class that inputs refer to are valid by their own invariant, which the invariant of the input did not ask.
    ValidParts {
        /// The class.
        class: String,
    },
    /// Classes whose initialisers depend on each other are initialised in the order in which the method uses them.
    InitialisedInOrder {
        /// The one that sees or changes fields of another.
        class: String,
    },
    /// No caller passes null for a parameter of the target.
    NeverNull {
        /// The parameter.
        parameter: String,
        /// The annotation that says so, by its simple name.
        by: String,
    },
}

/// A value that a native takes from outside: its name without the number, and its values.
pub(crate) struct AmbientValue {
    /// The origin, for reports and assumptions.
    pub source: Source,
    /// The name in the list of taken values, without its number.
    pub name: &'static str,
    /// The kind of the value.
    pub kind: Kind,
    /// The least and the greatest value that it may have.
    pub range: (i64, i64),
    /// The value of the one run that stands for all where nothing is unknown.
    pub usual: Value,
}

/// The one run took place on 2025-06-15 at 15:06:40 UTC.
pub(crate) const USUAL_SECOND: i64 = 1_750_000_000;
/// The first second of the year 10000.
pub(crate) const END_OF_CLOCKS: i64 = 253_402_300_800;

/// Seed of the one run for `Set.of` and `Map.of`.
pub(crate) const USUAL_SALT: i64 = 0x4C61_7A75;

/// The name that an exploration gives that seed.
pub const IMMUTABLE_ORDER: &str = "order of Set.of and Map.of";

/// Methods of hash tables that take a hash code for nothing but to find a place, where the class has others that give it away.
const TABLES: &[(&str, &[&str])] = &[
    ("java/util/HashMap", &["hash"]),
    ("java/util/HashMap$TreeNode", &["tieBreakOrder"]),
    ("java/util/concurrent/ConcurrentHashMap$TreeBin", &["tieBreakOrder"]),
    ("java/util/IdentityHashMap", &["hash"]),
    ("java/util/WeakHashMap", &["hash"]),
    // Keys of the library's own tables, which keep the hash code of what they stand for.
    ("java/lang/invoke/MethodType$ConcurrentWeakInternSet$WeakEntry", &["<init>"]),
    ("java/io/ObjectStreamClass$WeakClassKey", &["<init>"]),
    ("jdk/internal/util/WeakReferenceKey", &["<init>"]),
    ("jdk/internal/util/SoftReferenceKey", &["<init>"]),
    ("java/util/ImmutableCollections$SetN", &["probe"]),
    ("java/util/ImmutableCollections$MapN", &["probe"]),
];

/// Tables of which every method but `hashCode` is such a one.
const WHOLE_TABLES: &[&str] = &["java/util/Hashtable", "java/util/concurrent/ConcurrentHashMap"];

/// Operations whose result does not depend on the order in which they walk a table.
const UNORDERED: &[&str] = &[
    "addAll",
    "putAll",
    "putMapEntries",
    "containsAll",
    "removeAll",
    "retainAll",
    "removeIf",
    "equals",
    "hashCode",
    "clone",
    "copyOf",
];

impl Vm {
    /// A value from outside. In a contract method it is that of the one run, because such a method must always say the same.
    pub(crate) fn take(&mut self, state: &mut State, wanted: AmbientValue) -> Value {
        let AmbientValue { source, name, kind, range, usual } = wanted;
        if state.thread.is_guarded {
            self.take_for_granted(Assumption::Ambient { source });
            return usual;
        }
        let is_numbered = |taken: &&Taken| taken.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('#'));
        let number = state.symbols.taken.iter().filter(is_numbered).count() + 1;
        let name = format!("{name}#{number}");
        let value = match (&self.example, self.rules.ambient, kind.sort()) {
            (_, Ambient::Concrete, _) => {
                self.take_for_granted(Assumption::Ambient { source });
                usual
            }
            (Some(example), ..) => {
                let known = example.taken.iter().find(|taken| *taken.name == *name);
                known.map_or(usual, |taken| taken.value)
            }
            (None, _, Some(sort)) if !self.is_concrete => self.symbol_in(state, &name, sort, range),
            _ => usual,
        };
        Rc::make_mut(&mut state.symbols.taken).push(Taken { name: name.into(), value, is_used: true });
        value
    }

    /// A value that is taken once, and then is the same each time that it is asked for.
    pub(crate) fn take_once(&mut self, state: &mut State, wanted: AmbientValue) -> Value {
        let is_it = |taken: &&Taken| taken.name.strip_suffix("#1") == Some(wanted.name);
        match state.symbols.taken.iter().find(is_it) {
            Some(taken) => taken.value,
            None => self.take(state, wanted),
        }
    }

    /// The verdict depends on it. What a concrete run depends on is told with the path that it is an example of.
    pub(crate) fn take_for_granted(&mut self, assumption: Assumption) {
        // A whole program begins in a new thread, with nothing below it.
        let is_so = self.rules.program.is_some()
            && matches!(assumption, Assumption::Ambient { source: Source::Thread | Source::Callers });
        if self.is_exploring && !self.is_concrete && !is_so {
            self.assumptions.insert(assumption);
        }
    }

    /// `System.nanoTime()`: any number, but never less than before.
    pub(crate) fn nano_time(&mut self, state: &mut State) -> Value {
        let wanted = |name, least, usual| AmbientValue {
            source: Source::NanoTime,
            name,
            kind: Kind::Long,
            range: (least, i64::MAX),
            usual: Value::Long(usual),
        };
        if state.thread.is_guarded {
            return self.take(state, wanted("System.nanoTime()", i64::MIN, 0));
        }
        let now = match state.symbols.nano_time {
            None => self.take(state, wanted("System.nanoTime()", i64::MIN, 0)),
            Some(before) => {
                let elapsed = self.take(state, wanted("nanoseconds until the next System.nanoTime()", 0, 1000));
                let sort = lazuli_logic::Sort::Long;
                match (self.term_of(before, sort), self.term_of(elapsed, sort)) {
                    (Some(before), Some(elapsed)) => {
                        let sum = self.terms.binary(Binary::Add, before, elapsed);
                        self.value_of(sum)
                    }
                    _ => before,
                }
            }
        };
        state.symbols.nano_time = Some(now);
        now
    }

    /// A time of the wall clock, in units of which a second has so many.
    pub(crate) fn clock(&mut self, state: &mut State, name: &'static str, per_second: i64) -> Value {
        self.take_for_granted(Assumption::ClockRange);
        let range = (0, END_OF_CLOCKS * per_second - 1);
        // In the one run, a millisecond passes with each value that is taken, so that loops which wait for a time end.
        let usual = Value::Long(USUAL_SECOND * per_second + state.symbols.taken.len() as i64 * per_second / 1000);
        self.take(state, AmbientValue { source: Source::Clock, name, kind: Kind::Long, range, usual })
    }

    /// The identity hash code of an object. A hash table that looks for a place gets one that is concrete: all that the program sees of it
    /// is the order of the table, which `note_hash_order` is about.
    pub(crate) fn identity_hash(&mut self, state: &mut State, object: ObjId) -> Value {
        let usual = Value::Int(state.heap.identity_hash(object));
        if !self.is_exploring {
            return usual;
        }
        if is_for_table(state) {
            return self.hash_for_table(state, object);
        }
        if let Some((_, known)) = state.symbols.hashes.iter().find(|(known, _)| *known == object) {
            return *known;
        }
        let source = Source::IdentityHash;
        let name = "identity hash code";
        // HotSpot's have 31 bits and are never 0; two objects may have the same.
        let range = (1, i32::MAX as i64);
        let hash = self.take(state, AmbientValue { source, name, kind: Kind::Int, range, usual });
        if !state.thread.is_guarded {
            Rc::make_mut(&mut state.symbols.hashes).push((object, hash));
        }
        hash
    }

    /// The identity hash code by which a hash table places an object.
    pub(crate) fn hash_for_table(&mut self, state: &mut State, object: ObjId) -> Value {
        state.symbols.has_hashed |= self.is_exploring;
        Value::Int(state.heap.identity_hash(object))
    }

    /// The program begins to walk a hash table.
    pub(crate) fn note_hash_order(&mut self, state: &State) {
        if !state.symbols.has_hashed {
            return;
        }
        let mut library = state.thread.frames.iter().rev().take_while(|frame| !frame.method.class().is_users());
        // Nor does the order in which providers of algorithms are found.
        let is_unordered = |method: &Method| {
            UNORDERED.contains(&method.name) || method.class().name.starts_with("java/security/Provider")
        };
        if library.all(|frame| !is_unordered(frame.method)) {
            self.take_for_granted(Assumption::Ambient { source: Source::HashOrder });
        }
    }

    /// `ImmutableCollections.SALT32L` and what `REVERSE` is made of it, as the JDK's initialiser does.
    pub(crate) fn immutable_order(&mut self, state: &mut State) -> (Value, Value) {
        let salt = self.take(
            state,
            AmbientValue {
                source: Source::ImmutableOrder,
                name: IMMUTABLE_ORDER,
                kind: Kind::Long,
                range: (0, u32::MAX as i64),
                usual: Value::Long(USUAL_SALT),
            },
        );
        let Some(term) = self.term_of(salt, lazuli_logic::Sort::Long) else { return (salt, Value::Int(0)) };
        let one = self.terms.long(1);
        let lowest = self.terms.binary(Binary::BitAnd, term, one);
        let opposite = self.terms.binary(Binary::BitXor, lowest, one);
        let reverse = self.terms.unary(Unary::Truncate, opposite);
        (salt, self.value_of(reverse))
    }
}

/// Does a hash table want the hash code, to find a place? Only code of the JDK may be in between: the user's own could keep it.
fn is_for_table(state: &State) -> bool {
    for frame in state.thread.frames.iter().rev() {
        let (class, method) = (frame.method.class(), frame.method.name);
        if class.is_users() {
            return false;
        }
        let finds = |(table, methods): &(&str, &[&str])| *table == class.name && methods.contains(&method);
        if TABLES.iter().any(finds) || (WHOLE_TABLES.contains(&class.name) && method != "hashCode") {
            return true;
        }
    }
    false
}
