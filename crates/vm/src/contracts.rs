//! Which calls are replaced by the contract of the method, and what does such a contract say?
//!
//! The embedder compiles a contract to a *stub*, a static method with the arguments of the method (Kiasan, section 4): it checks the precondition,
//! computes what the postcondition wants to know of the time before, lists what may be assigned, *performs* the call, and drops all results
//! that the postcondition does not allow. Performing is a method without code: the interpreter gives unknown values to what may be assigned and to the result
//! (`interp/by_contract`). So a call by contract forks as all code does, and the run of an example executes the same stub on known values.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::heap::Heap;
use crate::program::{Class, Method, MethodId};
use crate::unknown_code::MethodPatterns;
use crate::value::{ObjId, Value};

/// A contract that can replace a call.
#[derive(Debug)]
pub struct CallContract {
    /// The method of which it speaks.
    pub method: &'static Method,
    /// Runs in place of the method.
    pub stub: &'static Method,
    /// The method that the stub calls to have the call performed; it has no code.
    pub perform: &'static Method,
    /// The conditions that must be true at the call, for messages: `requires at Store.java:12`.
    pub required: Vec<String>,
    /// May the call assign everything that it can reach? If not, the stub lists the places.
    pub assigns_everything: bool,
    /// Does it change nothing? Then it returns the same as before while nothing that it may read has changed.
    pub is_pure: bool,
    /// Is the result always an object that the call makes?
    pub returns_new: bool,
    /// The exceptions by which it may end.
    pub exceptions: Vec<&'static Class>,
    /// Must the heap before the call be remembered?
    pub asks_entry: bool,
    /// `Store.java:12`
    pub at: String,
    /// Does the contract come with Lazuli?
    pub is_bundled: bool,
}

/// Why a call by contract is not possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractRefusal {
    /// The clause that cannot be understood, and why.
    pub why: String,
}

/// The contract of a method, if it has one that can be used.
pub type ContractAnswer = Result<Option<Arc<CallContract>>, ContractRefusal>;

type ContractOf = dyn Fn(&'static Method) -> ContractAnswer + Send + Sync;

/// Gives the contracts of methods. The embedder compiles them; each is compiled once.
#[derive(Clone)]
pub struct KnownContracts {
    of: Arc<ContractOf>,
    kept: Arc<Mutex<ContractTable>>,
    /// The methods whose calls are replaced though their code is there.
    pub replaced: MethodPatterns,
    /// Stands for the text of all contracts.
    fingerprint: String,
}

#[derive(Default)]
struct ContractTable {
    contracts: HashMap<MethodId, ContractAnswer>,
    performed: HashMap<MethodId, Arc<CallContract>>,
    stubs: HashMap<MethodId, Arc<CallContract>>,
}

impl KnownContracts {
    /// Asks this function, once for each method. Two with the same patterns and the same fingerprint say the same.
    pub fn new(
        replaced: MethodPatterns,
        fingerprint: String,
        of: impl Fn(&'static Method) -> ContractAnswer + Send + Sync + 'static,
    ) -> KnownContracts {
        KnownContracts { of: Arc::new(of), kept: Arc::default(), replaced, fingerprint }
    }

    /// The contract of a method, its own or an inherited one.
    pub fn of(&self, method: &'static Method) -> ContractAnswer {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.contracts.get(&method.id) {
            return known.clone();
        }
        let found = (self.of)(method);
        if let Ok(Some(contract)) = &found {
            kept.performed.insert(contract.perform.id, contract.clone());
            kept.stubs.insert(contract.stub.id, contract.clone());
        }
        kept.contracts.insert(method.id, found.clone());
        found
    }

    /// The contract whose stub calls this method to have the call performed.
    pub fn performed_by(&self, perform: &'static Method) -> Option<Arc<CallContract>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.performed.get(&perform.id).cloned()
    }
}

impl KnownContracts {
    /// The same where code that is there is executed.
    pub fn of_missing_code(&self) -> KnownContracts {
        KnownContracts { replaced: MethodPatterns::default(), ..self.clone() }
    }

    /// The contract of a stub.
    pub fn with_stub(&self, stub: &'static Method) -> Option<Arc<CallContract>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.stubs.get(&stub.id).cloned()
    }
}

impl std::fmt::Debug for KnownContracts {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        let mut shown = out.debug_struct("KnownContracts");
        shown.field("replaced", &self.replaced).field("fingerprint", &self.fingerprint).finish_non_exhaustive()
    }
}

/// A call by contract that has begun.
#[derive(Clone)]
pub struct ContractCall {
    /// Tells it from all others of the exploration.
    pub key: ContractCallKey,
    /// The places that it may assign, as far as the stub has listed them.
    pub assigned: Vec<AssignedPlace>,
    /// The heap before the call, if its clauses ask for it.
    pub past: Option<Rc<Heap>>,
    /// Its number among the calls of code that is not executed, from 1 on; none until it was performed.
    pub performed: Option<u32>,
}

/// A call by contract whose precondition is false. It ends the path.
#[derive(Clone, Debug)]
pub struct RefusedCall {
    /// The error that stands for it.
    pub exception: ObjId,
    /// The object that is called, or null.
    pub receiver: Value,
    /// The method.
    pub method: &'static Method,
    /// The condition, and that it is false.
    pub told: Rc<str>,
}

/// Places that a call by contract may assign.
#[derive(Clone, Copy, Debug)]
pub enum AssignedPlace {
    /// All fields, or all elements.
    All(ObjId),
    /// The field in this slot.
    Field(ObjId, u32),
    /// The elements from the one index to the other, both included.
    Between(ObjId, Value, Value),
}

/// The result of a call that changes nothing. The same call gives it again while nothing that it may read has changed.
#[derive(Clone, Debug)]
pub struct PureResult {
    /// The method.
    pub method: MethodId,
    /// The receiver, if there is one, and the arguments.
    pub arguments: Vec<Value>,
    /// The contents of what it may read, as one number.
    pub version: u64,
    /// The result.
    pub result: Value,
}

/// A call by contract on a path: from it, all paths come that differ in the end of the call only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContractCallKey {
    /// The choices of the path up to the call, as one number.
    pub choices: u64,
    /// The number of the call on its path.
    pub number: u32,
}

/// How calls by contract ended that began in the same state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractEnds {
    /// The class and the name of the method.
    pub method: String,
    /// The method and line of the call.
    pub at: String,
    /// Did some end satisfy the contract?
    pub is_satisfied: bool,
}

/// Whether the code that is there keeps a contract that a verdict relies on.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ContractCheck {
    /// It was not asked for.
    #[default]
    NotAsked,
    /// No code of the class path implements the method.
    NoCode,
    /// All that is there keeps it.
    Kept {
        /// The methods that were checked.
        by: Vec<String>,
    },
    /// Some of it breaks the contract, or it could not be decided.
    NotKept {
        /// The methods that break it, or that were not decided.
        by: Vec<String>,
    },
}
