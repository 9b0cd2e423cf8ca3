//! Which objects do fields lead to, over all heaps at once?
//!
//! `\reach` is code with a queue and a set. Executed as it is, it goes round once for each object that might be found next, and a quantifier over it once more.
//! What it comes to needs neither: each object is reached under some condition, and that is the transitive closure of the fields, which is the same for all that start in
//! the same heap. A quantifier then goes through all objects that may be there, one after the other, each if it is there.
//!
//! So objects come in the order of their names, and not in that in which they are found. Nobody can tell, unless one of them makes the clause throw before another
//! decides it. So all are looked at, also when it is decided; and where one may throw then, the code is executed as it is after all (`Refusal::Unordered`).

use std::collections::BTreeMap;
use std::rc::Rc;

use lazuli_logic::circuit::{Circuit, Lit};
use lazuli_vm::program::{Class, Method, Reach, ResolvedField};
use lazuli_vm::value::Kind;

use super::Refusal;
use super::collections::List;
use super::meaning::{Collected, Meaning, Refs, Target};
use super::translate::Translator;
use super::way::{Body, Made, Way};

/// The objects to which the fields of an object lead, and when: those that may be there, without null.
type Edges = Vec<(Target, Lit)>;

type Graph = BTreeMap<Target, Edges>;

/// What is reached from an object, and when.
type Row = BTreeMap<Target, Lit>;

/// The closures that are known.
#[derive(Default)]
pub struct Closures(Vec<(Graph, Rc<BTreeMap<Target, Row>>)>);

impl Translator<'_> {
    /// Calls a method that collects what can be reached, without executing it. None if it is another one, or must be executed.
    pub fn call_reach(
        &mut self,
        way: &mut Way,
        method: &'static Method,
        arguments: &[Meaning],
    ) -> Result<Option<Meaning>, Refusal> {
        let Some(reach) = self.program.collected_by(method).filter(|_| !self.walks_in_order) else { return Ok(None) };
        let [Meaning::Ref(start)] = arguments else { return Ok(None) };
        let reached = match self.reached(way, &reach, start) {
            Ok(reached) => reached,
            Err(Refusal::Unsupported(..)) => return Ok(None),
            Err(other) => return Err(other),
        };
        let (class, body) = match reach.gives_row {
            true => ("java/util/ArrayDeque", Body::List(List::row(reached))),
            false => ("java/util/IdentityHashMap", Body::Set(reached.into_iter().collect())),
        };
        let class = self.program.load(class).map_err(|error| self.unlinked(error))?;
        Ok(Some(self.make(way, class, body)))
    }

    /// May something else be decided first, if objects came in another order?
    pub fn is_unordered(&self, way: &Way) -> bool {
        self.rows > 0 || way.registers.iter().any(|register| is_begun(way, register))
    }

    fn reached(&mut self, way: &Way, reach: &Reach, start: &Refs) -> Result<Row, Refusal> {
        let first = self.of_class(way, start, reach.class)?;
        let graph = self.graph(way, reach, &first)?;
        let is_known = |(known, _): &&(Graph, _)| graph.iter().all(|(from, edges)| known.get(from) == Some(edges));
        let closure = match self.closures.0.iter().rev().find(is_known) {
            Some((_, closure)) => closure.clone(),
            None => {
                let closure = Rc::new(closure(self.circuit, &graph));
                self.closures.0.push((graph, closure.clone()));
                closure
            }
        };
        let mut reached = Collected::default();
        for (from, when) in &first {
            for (to, leads) in &closure[from] {
                reached.add(*to, self.circuit.and(*when, *leads));
            }
        }
        Ok(reached.refs(self.circuit).iter().copied().collect())
    }

    /// All fields of all objects that may be reached.
    fn graph(&mut self, way: &Way, reach: &Reach, first: &Edges) -> Result<Graph, Refusal> {
        let mut graph = Graph::new();
        let mut waiting: Vec<Target> = first.iter().map(|(target, _)| *target).collect();
        while let Some(from) = waiting.pop() {
            if graph.contains_key(&from) {
                continue;
            }
            let mut edges = Collected::default();
            for (owner, field) in &reach.fields {
                let field = ResolvedField {
                    class: owner,
                    slot: field.slot,
                    kind: Kind::Reference,
                    is_static: false,
                    is_variable: false,
                };
                let Some(Meaning::Ref(refs)) = self.field_of(way, from, &field)? else {
                    return Err(self.unsupported("a field of an object whose class is not known"));
                };
                for (to, when) in self.of_class(way, &refs, reach.class)? {
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

    /// What a reference may be of a class.
    fn of_class(&mut self, way: &Way, refs: &Refs, class: &'static Class) -> Result<Edges, Refusal> {
        let mut found = Vec::new();
        for (target, when) in refs.iter().filter(|(target, _)| *target != Target::Null) {
            let fits = self.is_of(way, *target, class)?;
            let when = self.circuit.and(*when, fits);
            if when != Lit::FALSE {
                found.push((*target, when));
            }
        }
        Ok(found)
    }
}

/// Does a loop that begins another round here go through what may be there, one after the other? Then it ends by itself, and nobody need ask whether an input gets round once more.
pub fn ends_by_itself(way: &Way, target: u32) -> bool {
    way.code.walks.iter().any(|(head, queue)| *head == target && is_begun(way, &way.registers[*queue as usize]))
}

/// Is it a queue that somebody goes through, entry by entry?
fn is_begun(way: &Way, queue: &Meaning) -> bool {
    let is_begun = |made: &Rc<Made>| matches!(&made.body, Body::List(list) if list.is_begun);
    let is_it = |target: Target| matches!(target, Target::Made(made) if way.heap.get(made).is_some_and(is_begun));
    matches!(queue, Meaning::Ref(refs) if refs.iter().any(|(target, _)| is_it(*target)))
}

/// What is reached from each object. Those that lead to each other are looked at together, behind all to which they lead: for the most part
/// there is one, because fields of valid heaps lead from lower numbers to higher ones.
fn closure(circuit: &mut Circuit, graph: &Graph) -> BTreeMap<Target, Row> {
    let mut all: BTreeMap<Target, Row> = BTreeMap::new();
    for part in parts(graph) {
        let mut within = within(circuit, graph, &part);
        // What each leads to outside.
        let mut beyond: BTreeMap<Target, Row> = BTreeMap::new();
        for from in &part {
            let mut reached = Collected::default();
            for (to, when) in graph[from].iter().filter(|(to, _)| !part.contains(to)) {
                for (further, leads) in &all[to] {
                    reached.add(*further, circuit.and(*when, *leads));
                }
            }
            beyond.insert(*from, reached.refs(circuit).iter().copied().collect());
        }
        for from in &part {
            let mut reached = Collected::default();
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

/// Ways within a part: over the first object, the first two, and so on (Warshall, "A theorem on Boolean matrices", JACM 1962).
fn within(circuit: &mut Circuit, graph: &Graph, part: &[Target]) -> BTreeMap<Target, Row> {
    let mut rows: BTreeMap<Target, Row> = BTreeMap::new();
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

/// The objects in parts whose members may lead to each other, each part behind those to which it leads (Tarjan, "Depth-first search and linear graph algorithms", 1972).
fn parts(graph: &Graph) -> Vec<Vec<Target>> {
    struct Search<'a> {
        graph: &'a Graph,
        /// When an object was met, and the first one met that it leads back to.
        met: BTreeMap<Target, (usize, usize)>,
        open: Vec<Target>,
        parts: Vec<Vec<Target>>,
    }
    fn visit(search: &mut Search, from: Target) -> usize {
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
    let mut search = Search { graph, met: BTreeMap::new(), open: Vec::new(), parts: Vec::new() };
    for from in graph.keys() {
        if !search.met.contains_key(from) {
            visit(&mut search, *from);
        }
    }
    search.parts
}
