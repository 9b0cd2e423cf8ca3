//! Of which parts does the executor of bytecode consist?
//!
//! Its methods are in the folders of their ideas: `exec` has instructions and control flow, `recursion` recursive calls, `library` modelled
//! methods, `method` whole methods with their contracts. Here are the parts of its state, each of which keeps its own invariants.

use std::collections::HashMap;
use std::rc::Rc;

use lazuli_logic::circuit::{Circuit, Decider, Lit};
use lazuli_vm::program::{Class, LinkError, Method, Program, UsedStatics};
use lazuli_vm::reason::{ClassFault, Untranslated};
use lazuli_vm::state::State;

use crate::Refusal;
use crate::atoms::universe::Universe;
use crate::exec::context::{Allocations, Budget, CallContext, Position};
use crate::exec::flow::LoopOrder;
use crate::exec::path::{Allocation, GuardedPath, ObjectBody, SymHeap};
use crate::exec::value::{Pointee, SymValue};
use crate::library::reach::{ReachOrder, Reachability};
use crate::method::state::MethodState;
use crate::numbers::Arithmetic;
use crate::recursion::call_graph::CallGraph;
use crate::recursion::{Recursion, Strategy};

/// Where a path goes after a block.
pub(crate) enum Successor {
    /// To another block, by instruction.
    Jump(GuardedPath, u32),
    Return(GuardedPath, SymValue),
    /// Out of the method with an exception.
    Throw(GuardedPath, SymValue),
    /// Into a method that takes the place of this one.
    TailCall(GuardedPath, &'static Method, Vec<SymValue>),
}

/// An end of a method: its guard, the value that it returns or throws, and the heap that it leaves.
pub(crate) struct MethodExit {
    pub(crate) guard: Lit,
    pub(crate) value: SymValue,
    pub(crate) heap: SymHeap,
    pub(crate) is_thrown: bool,
}

/// Is an invariant or a whole method executed?
pub(crate) enum ExecutionMode {
    /// An invariant: it writes nothing, and a throw means that the input is not valid.
    Invariant,
    /// A method with its contract.
    Method(MethodState),
}

impl ExecutionMode {
    pub(crate) fn is_method(&self) -> bool {
        matches!(self, ExecutionMode::Method(_))
    }

    pub(crate) fn method(&self) -> Option<&MethodState> {
        match self {
            ExecutionMode::Invariant => None,
            ExecutionMode::Method(state) => Some(state),
        }
    }

    pub(crate) fn method_mut(&mut self) -> Option<&mut MethodState> {
        match self {
            ExecutionMode::Invariant => None,
            ExecutionMode::Method(state) => Some(state),
        }
    }
}

/// Everything that a translation works on.
pub(crate) struct Workspace<'a> {
    pub(crate) circuit: &'a mut Circuit,
    pub(crate) decider: &'a mut Decider,
    pub(crate) universe: &'a mut Universe,
    pub(crate) program: &'a Program,
    /// A state in which the classes that the program uses are initialised.
    pub(crate) statics: &'a State,
    /// Notes the static fields that the code uses.
    pub(crate) used_statics: &'a UsedStatics,
    pub(crate) budget: Budget<'a>,
}

/// Executes bytecode on all inputs at once.
pub(crate) struct Executor<'a> {
    pub(crate) circuit: &'a mut Circuit,
    pub(crate) decider: &'a mut Decider,
    pub(crate) universe: &'a mut Universe,
    pub(crate) program: &'a Program,
    pub(crate) statics: &'a State,
    pub(crate) used_statics: &'a UsedStatics,
    pub(crate) budget: Budget<'a>,
    pub(crate) mode: ExecutionMode,
    pub(crate) recursion: Recursion,
    pub(crate) call_graph: CallGraph,
    pub(crate) arithmetic: Arithmetic,
    pub(crate) reachability: Reachability,
    pub(crate) allocations: Allocations,
    pub(crate) context: CallContext,
    /// The loop nests of methods, by number.
    orders: HashMap<u32, Rc<LoopOrder>>,
}

impl<'a> Executor<'a> {
    /// Makes an executor, and asserts the axioms of the universe.
    pub(crate) fn new(
        workspace: Workspace<'a>,
        mode: ExecutionMode,
        strategy: Strategy,
        arithmetic: Arithmetic,
        reach_order: ReachOrder,
    ) -> Executor<'a> {
        let Workspace { circuit, decider, universe, program, statics, used_statics, budget } = workspace;
        for axiom in std::mem::take(&mut universe.axioms) {
            decider.assert(circuit, axiom);
        }
        Executor {
            circuit,
            decider,
            universe,
            program,
            statics,
            used_statics,
            budget,
            mode,
            recursion: Recursion::new(strategy),
            call_graph: CallGraph::default(),
            arithmetic,
            reachability: Reachability::new(reach_order),
            allocations: Allocations::default(),
            context: CallContext::default(),
            orders: HashMap::new(),
        }
    }

    /// The path at the beginning of a method.
    pub(crate) fn enter(
        &mut self,
        guard: Lit,
        method: &'static Method,
        arguments: Vec<SymValue>,
        heap: SymHeap,
    ) -> Result<GuardedPath, Refusal> {
        // One thread runs a whole method, and invariants have no locks.
        let waits = method.is_synchronized() && !self.mode.is_method();
        if method.native.is_some() || method.watched.is_some() || waits || method.is_abstract() {
            return Err(self.unsupported(&format!("a call of {}", method.full_name())));
        }
        if self.universe.foreseen.as_ref().is_some_and(|foreseen| !foreseen.contains(&method.id.index())) {
            return Err(Refusal::Unforeseen);
        }
        let code = self.program.code(method).map_err(|error| self.unlinked(error))?;
        let order = self.orders.entry(method.id.index()).or_insert_with(|| Rc::new(LoopOrder::of(code))).clone();
        let mut registers = arguments;
        registers.resize(code.locals as usize, SymValue::Undefined);
        let visit = order.first();
        Ok(GuardedPath { guard, method, code, order, registers, heap, block: 0, visit, pc: 0 })
    }

    /// Assumes that no valid input makes the literal true.
    pub(crate) fn assume_not(&mut self, guard: Lit) {
        self.decider.assert(self.circuit, !guard);
    }

    /// Allocates an object in the heap of a path.
    pub(crate) fn allocate(&mut self, path: &mut GuardedPath, class: &'static Class, body: ObjectBody) -> SymValue {
        let number = self.allocations.reserve(1);
        if self.mode.is_method() && class.is_subtype_of(self.program.known().throwable) {
            // Two instructions of one line are two causes.
            let told = |at: Position| format!("{}, instruction {}", source_location(self.program, at), at.1);
            let site = self.context.position().map(told);
            self.allocations.set_site(number, site.unwrap_or_default());
        }
        path.heap.set(number, Allocation { class, body });
        SymValue::one(Pointee::Allocated(number))
    }

    /// Refuses something at the instruction that is being executed.
    pub(crate) fn unsupported(&self, what: &str) -> Refusal {
        Refusal::Unsupported(what.into(), self.context.position().map(|at| source_location(self.program, at)))
    }

    /// Refuses a class or a member that cannot be linked.
    pub(crate) fn unlinked(&self, error: impl Into<LinkError>) -> Refusal {
        let fault = ClassFault::of_link(self.program, &error.into());
        let at = self.context.position().map(|at| source_location(self.program, at));
        Refusal::Unsupported(Untranslated::Class(Box::new(fault)), at)
    }
}

/// The method and the line of an instruction.
pub(crate) fn source_location(program: &Program, (method, pc): Position) -> String {
    let line = program.code(method).ok().and_then(|code| code.line(pc));
    format!("{}.{}, line {}", method.class().java_name(), method.name, line.unwrap_or(0))
}
