//! Which objects do fields lead to, over all heaps at once?
//!
//! `\reach` is code with a queue and a set. Executed as it is, it iterates once for each object that might be found next, and so does a quantifier over
//! it. Neither is needed: each object is reached under some condition, namely the transitive closure of the fields, which is the same for all starts
//! in the same heap. A quantifier then iterates over all candidates, each under the condition that it is reached.
//!
//! So objects come in the order of their names, and not in that in which the code would find them. The difference shows only if one of them makes
//! the clause throw before another one decides it. So the loop visits all candidates, also when the clause is decided; and where one may throw then,
//! the code is executed as it is after all (`Refusal::Unordered`).

use std::collections::BTreeMap;
use std::rc::Rc;

use lazuli_logic::circuit::{Circuit, Lit};
use lazuli_vm::program::{Class, Method, Reach, ResolvedField};
use lazuli_vm::value::Kind;

use crate::Refusal;
use crate::exec::executor::Executor;
use crate::exec::path::{Allocation, GuardedPath, ObjectBody};
use crate::exec::value::{GuardedUnion, Pointee, PointsTo, SymValue};
use crate::library::collections::SymList;

/// The objects to which the fields of an object lead, and when: those that may be there, without null.
type Edges = Vec<(Pointee, Lit)>;

type FieldGraph = BTreeMap<Pointee, Edges>;

/// The objects that are reached from an object, each with its guard.
type ReachedFrom = BTreeMap<Pointee, Lit>;

/// In which order does `\reach` yield objects?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReachOrder {
    /// By atom: the transitive closure says which ones are reached.
    ByAtom,
    /// As the code of `\reach` finds them, which is executed like all other code.
    AsFound,
}

/// The transitive closures that are known.
pub(crate) struct Reachability {
    order: ReachOrder,
    closures: Vec<(FieldGraph, Rc<BTreeMap<Pointee, ReachedFrom>>)>,
}

impl Reachability {
    pub(crate) fn new(order: ReachOrder) -> Reachability {
        Reachability { order, closures: Vec::new() }
    }
}

impl Executor<'_> {
    /// Models a method that collects reachable objects. None if it is another one, or must be executed.
    pub(crate) fn model_reach(
        &mut self,
        path: &mut GuardedPath,
        method: &'static Method,
        arguments: &[SymValue],
    ) -> Result<Option<SymValue>, Refusal> {
        if self.reachability.order == ReachOrder::AsFound {
            return Ok(None);
        }
        let Some(reach) = self.program.collected_by(method) else { return Ok(None) };
        let [SymValue::Ref(start)] = arguments else { return Ok(None) };
        let reached = match self.reached(path, &reach, start) {
            Ok(reached) => reached,
            Err(Refusal::Unsupported(..)) => return Ok(None),
            Err(other) => return Err(other),
        };
        let (class, body) = match reach.gives_row {
            true => ("java/util/ArrayDeque", ObjectBody::List(SymList::candidates(reached))),
            false => ("java/util/IdentityHashMap", ObjectBody::Set(reached.into_iter().collect())),
        };
        let class = self.program.load(class).map_err(|error| self.unlinked(error))?;
        Ok(Some(self.allocate(path, class, body)))
    }

    /// Is a path inside an iteration over candidates, so that another order of objects might decide something else first?
    pub(crate) fn iterates_unordered(&self, path: &GuardedPath) -> bool {
        self.context.is_in_unordered_iteration() || path.registers.iter().any(|register| is_iterating(path, register))
    }

    fn reached(&mut self, path: &GuardedPath, reach: &Reach, start: &PointsTo) -> Result<ReachedFrom, Refusal> {
        let first = self.of_class(path, start, reach.class)?;
        let graph = self.graph(path, reach, &first)?;
        let is_known = |(known, _): &&(FieldGraph, _)| graph.iter().all(|(from, edges)| known.get(from) == Some(edges));
        let closure = match self.reachability.closures.iter().rev().find(is_known) {
            Some((_, closure)) => closure.clone(),
            None => {
                let closure = Rc::new(closure(self.circuit, &graph));
                self.reachability.closures.push((graph, closure.clone()));
                closure
            }
        };
        let mut reached = GuardedUnion::default();
        for (from, when) in &first {
            for (to, leads) in &closure[from] {
                reached.add(*to, self.circuit.and(*when, *leads));
            }
        }
        Ok(reached.refs(self.circuit).iter().copied().collect())
    }

    /// All fields of all objects that may be reached.
    fn graph(&mut self, path: &GuardedPath, reach: &Reach, first: &Edges) -> Result<FieldGraph, Refusal> {
        let mut graph = FieldGraph::new();
        let mut waiting: Vec<Pointee> = first.iter().map(|(target, _)| *target).collect();
        while let Some(from) = waiting.pop() {
            if graph.contains_key(&from) {
                continue;
            }
            let mut edges = GuardedUnion::default();
            for (owner, field) in &reach.fields {
                let field = ResolvedField {
                    class: owner,
                    slot: field.slot,
                    kind: Kind::Reference,
                    is_static: false,
                    is_variable: false,
                    access: field.access,
                };
                let Some(SymValue::Ref(refs)) = self.field_of(path, from, &field)? else {
                    return Err(self.unsupported("a field of an object whose class is not known"));
                };
                for (to, when) in self.of_class(path, &refs, reach.class)? {
                    edges.add(to, when);
                }
            }
            let edges = edges.refs(self.circuit);
            let edges: Edges = edges.iter().filter(|(to, _)| *to != from).copied().collect();
            waiting.extend(edges.iter().map(|(to, _)| *to));
            graph.insert(from, edges);
        }
        Ok(graph)
    }

    /// The pointees of a reference that are of a class.
    fn of_class(&mut self, path: &GuardedPath, refs: &PointsTo, class: &'static Class) -> Result<Edges, Refusal> {
        let mut found = Vec::new();
        for (target, when) in refs.iter().filter(|(target, _)| *target != Pointee::Null) {
            let fits = self.is_of(path, *target, class)?;
            let when = self.circuit.and(*when, fits);
            if when != Lit::FALSE {
                found.push((*target, when));
            }
        }
        Ok(found)
    }
}

/// Does the loop of a head iterate over a list of candidates? Then it ends by itself, and the solver need not be asked whether it iterates again.
pub(crate) fn is_bounded_iteration(path: &GuardedPath, target: u32) -> bool {
    path.code.walks.iter().any(|(head, queue)| *head == target && is_iterating(path, &path.registers[*queue as usize]))
}

/// Is the value a list of candidates whose iteration has begun?
fn is_iterating(path: &GuardedPath, queue: &SymValue) -> bool {
    let is_iterating = |made: &Rc<Allocation>| matches!(&made.body, ObjectBody::List(list) if list.is_iterating);
    let is_it =
        |target: Pointee| matches!(target, Pointee::Allocated(made) if path.heap.get(made).is_some_and(is_iterating));
    matches!(queue, SymValue::Ref(refs) if refs.iter().any(|(target, _)| is_it(*target)))
}

/// The transitive closure of a graph, one strongly connected component after the other, each behind its successors. Mostly a component is a
/// single object, because fields of valid heaps lead from lower numbers to higher ones; then the closure takes one pass over the edges.
fn closure(circuit: &mut Circuit, graph: &FieldGraph) -> BTreeMap<Pointee, ReachedFrom> {
    let mut all: BTreeMap<Pointee, ReachedFrom> = BTreeMap::new();
    for part in parts(graph) {
        let mut within = within(circuit, graph, &part);
        // Successors outside of the component.
        let mut beyond: BTreeMap<Pointee, ReachedFrom> = BTreeMap::new();
        for from in &part {
            let mut reached = GuardedUnion::default();
            for (to, when) in graph[from].iter().filter(|(to, _)| !part.contains(to)) {
                for (further, leads) in &all[to] {
                    reached.add(*further, circuit.and(*when, *leads));
                }
            }
            beyond.insert(*from, reached.refs(circuit).iter().copied().collect());
        }
        for from in &part {
            let mut reached = GuardedUnion::default();
            for (to, when) in &within[from] {
                for (further, leads) in &beyond[to] {
                    reached.add(*further, circuit.and(*when, *leads));
                }
            }
            let row = within.get_mut(from).expect("it is one of them");
            row.extend(reached.refs(circuit).iter().copied());
        }
        all.extend(within);
    }
    all
}

/// The closure within a component: over the first object, the first two, and so on (Warshall, "A theorem on Boolean matrices", JACM 1962).
fn within(circuit: &mut Circuit, graph: &FieldGraph, part: &[Pointee]) -> BTreeMap<Pointee, ReachedFrom> {
    let mut rows: BTreeMap<Pointee, ReachedFrom> = BTreeMap::new();
    for from in part {
        let edges = graph[from].iter().filter(|(to, _)| part.contains(to)).copied();
        rows.insert(*from, edges.chain([(*from, Lit::TRUE)]).collect());
    }
    for over in part {
        let onwards = rows[over].clone();
        for (from, row) in &mut rows {
            let Some(leads) = row.get(over).copied().filter(|_| from != over) else { continue };
            for (to, when) in &onwards {
                let detour = circuit.and(leads, *when);
                if detour != Lit::FALSE {
                    let known = row.get(to).copied().unwrap_or(Lit::FALSE);
                    row.insert(*to, circuit.or(known, detour));
                }
            }
        }
    }
    rows
}

/// The strongly connected components, each behind those to which it leads (Tarjan, "Depth-first search and linear graph algorithms", 1972).
fn parts(graph: &FieldGraph) -> Vec<Vec<Pointee>> {
    struct SccSearch<'a> {
        graph: &'a FieldGraph,
        /// When an object was met, and the first one met that it leads back to.
        met: BTreeMap<Pointee, (usize, usize)>,
        open: Vec<Pointee>,
        parts: Vec<Vec<Pointee>>,
    }
    fn visit(search: &mut SccSearch, from: Pointee) -> usize {
        let at = search.met.len();
        search.met.insert(from, (at, at));
        search.open.push(from);
        let mut lowest = at;
        let graph = search.graph;
        for (to, _) in &graph[&from] {
            let back = match search.met.get(to) {
                None => visit(search, *to),
                Some((_, low)) if search.open.contains(to) => *low,
                Some(_) => continue,
            };
            lowest = lowest.min(back);
        }
        search.met.insert(from, (at, lowest));
        if lowest == at {
            let first = search.open.iter().position(|open| *open == from).expect("it is open");
            let mut part = search.open.split_off(first);
            part.sort();
            search.parts.push(part);
        }
        lowest
    }
    let mut search = SccSearch { graph, met: BTreeMap::new(), open: Vec::new(), parts: Vec::new() };
    for from in graph.keys() {
        if !search.met.contains_key(from) {
            visit(&mut search, *from);
        }
    }
    search.parts
}
