//! Which methods and clauses make the contract of a target?

use std::sync::Arc;

use lazuli_vm::program::{Class, Method};

use crate::Specification;

/// The name of the invariant where none is given.
const USUAL_NAME: &str = "repOK";
/// The name of an invariant that stands for none: JML alone counts.
const JML_ALONE: &str = "jml";

/// Names the parts of a contract.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ContractOptions {
    /// The class of the receiver, where it inherits the method. Default: the class that declares the method.
    pub receiver: Option<&'static Class>,
    /// The name of the method that says whether an object is valid. Default: `repOK`, where a class has it.
    pub invariant: Option<String>,
    /// The names of two methods that make the invariant together, one about the structure and one about the data in it, which is asked
    /// only after the first. Default: one method says both.
    pub split: Option<(String, String)>,
    /// A method that says of inputs which are known in part whether they may become valid, for techniques that ask that: `NAME` of the
    /// class, or a static `pkg.Class.NAME` that takes the object. Default: the invariant, up to where it reads something unknown.
    pub hybrid: Option<String>,
    /// Must the invariant hold again when the method returns, or throws what it declares? Default: true.
    pub post: bool,
    /// The name of a method that says which arguments the target takes. Default: all of them.
    pub precondition: Option<String>,
    /// The name of a method that says whether a normal return is right. Default: every one is.
    pub postcondition: Option<String>,
    /// The target's contract in JML, compiled. Default: none.
    pub specification: Option<Arc<Specification>>,
    /// Exceptions that are no fault, by full or simple name, subclasses included. Default: none.
    pub allowed: Vec<String>,
    /// Do calls by contract rely on the target? Then every exception that its contract does not list is a defect, whatever it says no to. Default: no.
    pub is_relied_on: bool,
}

impl Default for ContractOptions {
    fn default() -> ContractOptions {
        ContractOptions {
            receiver: None,
            invariant: None,
            split: None,
            hybrid: None,
            post: true,
            precondition: None,
            postcondition: None,
            specification: None,
            allowed: Vec::new(),
            is_relied_on: false,
        }
    }
}

impl ContractOptions {
    /// The methods that say together whether an object is valid, in the order in which they are asked.
    pub fn invariant_names(&self) -> Vec<&str> {
        match (&self.split, &self.invariant) {
            (Some((heap, data)), _) => vec![heap, data],
            (None, Some(name)) => vec![name],
            (None, None) => vec![USUAL_NAME],
        }
    }

    /// The class of which receivers are, or a superclass of theirs.
    pub fn receiver_of(&self, method: &'static Method) -> &'static Class {
        self.receiver.unwrap_or(method.class())
    }

    /// Does only what JML says count?
    pub fn is_jml_alone(&self) -> bool {
        self.split.is_none() && self.invariant.as_deref() == Some(JML_ALONE)
    }

    /// The invariant of JML for a root, if it has one.
    pub fn clauses_of_root(&self, root: usize) -> impl Iterator<Item = &'static Method> {
        let all = self.specification.iter().flat_map(|specification| &specification.invariants);
        all.filter(move |invariant| invariant.root == root).map(|invariant| invariant.all)
    }
}
