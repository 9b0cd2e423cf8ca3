//! Does no order of the calls explain what threads saw on a concrete input? Run with nothing unknown, each order either explains it or does not.

use lazuli_vm::interp::{Vm, Walk};
use lazuli_vm::outcome::{End, Stop};
use lazuli_vm::program::Method;
use lazuli_vm::reason::NoExample;
use lazuli_vm::state::State;
use lazuli_vm::symbols::Input;
use lazuli_vm::value::{Kind, ObjId, Value};

use super::Concrete;
use super::run::{Lines, after_use};
use crate::concurrent::{ConcurrentUse, ENDED_BY_EXCEPTION};
use crate::report::{After, CallEnd, ConcurrentCall, ConcurrentCalls, OrderMismatch, RefutedOrder};
use crate::worker::isomorphic::{Comparison, TwoEnds, static_pairs};

/// How often a query is called in a row.
const MOST_REPEATED: usize = 6;

/// The most lists of arguments of a query.
const MOST_GIVEN: usize = 16;

/// A run of threads that no order explains.
pub(crate) struct UnexplainedRun {
    /// The calls, and why no order explains them.
    pub calls: ConcurrentCalls,
    /// The lines that the run came to.
    pub lines: Lines,
    /// The heap after the run.
    pub after: After,
}

impl Concrete {
    /// The method that runs the threads of a use on this input, to which their record is added.
    pub(crate) fn driver(&mut self, vm: &Vm, plan: &ConcurrentUse) -> &'static Method {
        let record = self.state.heap.allocate(plan.record);
        self.arguments.push(record.into());
        plan.driver(&vm.program, &plan.by_thread())
    }
}

/// Runs the threads by their schedule on a concrete input, and then each order of their calls. An error if one explains the run.
pub(crate) fn run_orders(vm: &mut Vm, concrete: Concrete, plan: &ConcurrentUse) -> Result<UnexplainedRun, NoExample> {
    let start = concrete.state.heap.clone();
    let run = |vm: &mut Vm, threads: &[Vec<usize>], is_scheduled: bool| {
        let mut state = concrete.state.fork();
        let record = state.heap.allocate(plan.record);
        let mut arguments = concrete.arguments.clone();
        arguments.push(record.into());
        let driver = plan.driver(&vm.program, threads);
        vm.example = Some(concrete.example.clone());
        vm.walk = is_scheduled.then(Walk::default);
        (vm.may_start_threads, vm.has_only_reasons) = (true, !is_scheduled);
        let stop = vm.call(&mut state, driver, &arguments);
        (vm.may_start_threads, vm.has_only_reasons, vm.example) = (false, false, None);
        let lines = vm.walk.take().unwrap_or_default().lines;
        match stop {
            Stop::End(end @ (End::Returned(_) | End::Deadlock)) => Ok((state, record, end == End::Deadlock, lines)),
            _ => Err(NoExample::EndsOtherwise),
        }
    };
    let (state, record, waits, lines) = run(vm, &plan.by_thread(), true)?;
    let mut refuted = Vec::new();
    let is_old = |object: ObjId| start.contains(object);
    let words = CallWords { plan, concrete: &concrete };
    for order in plan.orders_of(&state, record) {
        let mut difference = None;
        for calls in &order.runs {
            let (other, also, is_blocked, _) = run(vm, std::slice::from_ref(calls), false)?;
            let ends = TwoEnds { one: &state, other: &other, is_old: &is_old };
            let (first, second) = ((&state, record), (&other, also));
            let of_call = |vm: &Vm, call: usize| OrderMismatch::Ends {
                call: words.call(vm, call),
                end: words.end(vm, &other, also, call),
            };
            difference = plan.thrown_differently(first, second, &order.calls).map(|call| of_call(vm, call));
            for call in order.calls.iter().filter(|_| difference.is_none()).copied().collect::<Vec<_>>() {
                if is_different(vm, &ends, plan.ends_of(first, second, &[call]))?.is_some() {
                    difference = Some(of_call(vm, call));
                    break;
                }
            }
            if difference.is_none() && waits != is_blocked {
                let last = calls.last().copied().unwrap_or(0);
                difference = Some(of_call(vm, last));
            }
            // One by one, two results are alike that are one object in only one of the runs.
            for last in 1..=order.calls.len() {
                let first_calls = &order.calls[..last];
                if difference.is_none() && is_different(vm, &ends, plan.ends_of(first, second, first_calls))?.is_some()
                {
                    difference = Some(OrderMismatch::Identity { call: words.call(vm, order.calls[last - 1]) });
                }
            }
            if difference.is_none() && !waits {
                // Results that are objects of the run are a part of the heap.
                let results = plan.ends_of(first, second, &order.calls);
                let mut pairs = results.clone();
                let roots = concrete.roots.iter().filter(|root| root.holder.is_none());
                pairs.extend(roots.map(|root| (root.name.to_string(), root.value, root.value)));
                pairs.extend(static_pairs(&vm.program, &state, &other));
                // Two heaps that no call tells apart are as good as one. Where no call shows anything, the heap is all there is.
                if let Some(place) = is_different(vm, &ends, pairs)? {
                    let queries = plan.queries(&vm.program);
                    difference = match queries.is_empty() {
                        true => Some(OrderMismatch::Heap { place }),
                        false => {
                            words.told_apart(vm, &ends, &queries, &results)?.map(|call| OrderMismatch::Later { call })
                        }
                    };
                }
            }
            if difference.is_some() {
                break;
            }
        }
        match difference {
            None => return Err(NoExample::Explained),
            Some(why) => {
                let calls = order.runs.first().unwrap_or(&order.calls);
                let calls = calls.iter().map(|call| words.call(vm, *call)).collect();
                refuted.push(RefutedOrder { calls, why });
            }
        }
    }
    let ended =
        |call: &usize| ConcurrentCall { call: words.call(vm, *call), end: words.end(vm, &state, record, *call) };
    let threads = plan.by_thread().iter().map(|calls| calls.iter().map(ended).collect()).collect();
    let calls = ConcurrentCalls { threads, orders: refuted };
    let after = after_use(vm, &state, &concrete);
    Ok(UnexplainedRun { calls, lines, after })
}

/// The first place that differs.
fn is_different(vm: &mut Vm, ends: &TwoEnds, pairs: Vec<(String, Value, Value)>) -> Result<Option<String>, NoExample> {
    match ends.compare(vm, pairs) {
        Comparison::Same => Ok(None),
        Comparison::Different(place) => Ok(Some(place)),
        Comparison::Asks(_) => Err(NoExample::Asks),
    }
}

/// Calls and their ends, for readers.
struct CallWords<'a> {
    plan: &'a ConcurrentUse,
    concrete: &'a Concrete,
}

impl CallWords<'_> {
    /// `push(3)`
    fn call(&self, vm: &Vm, number: usize) -> String {
        let call = self.plan.calls[number];
        let given = self.concrete.arguments.iter().skip(1 + call.first);
        let shown = given.zip(call.method.parameters.iter());
        let arguments: Vec<String> =
            shown.map(|(value, kind)| self.value(vm, &self.concrete.state, *value, *kind)).collect();
        format!("{}({})", call.method.name, arguments.join(", "))
    }

    /// A call after which the results of calls differ in two heaps, if there is one among a few: each query with the arguments of the
    /// calls, again and again. What it returns may be an object that one of the calls returned, which `results` pairs.
    fn told_apart(
        &self,
        vm: &mut Vm,
        ends: &TwoEnds,
        queries: &[&'static Method],
        results: &[(String, Value, Value)],
    ) -> Result<Option<String>, NoExample> {
        let Some(Value::Ref(Some(receiver))) = self.concrete.arguments.first().copied() else { return Ok(None) };
        for query in queries {
            for given in self.arguments_of(query) {
                let mut states = [ends.one.fork(), ends.other.fork()];
                for state in &mut states {
                    (state.thread, state.threads) = Default::default();
                    state.monitors.clear();
                }
                for _ in 0..MOST_REPEATED {
                    let mut returned = Vec::new();
                    for state in &mut states {
                        let Some(target) = vm.select(state.heap.class(receiver), query) else { return Ok(None) };
                        let mut arguments = vec![Value::from(receiver)];
                        arguments.extend(given.iter().copied());
                        vm.example = Some(self.concrete.example.clone());
                        let stop = vm.call(state, target, &arguments);
                        vm.example = None;
                        (state.thread, state.threads) = Default::default();
                        state.monitors.clear();
                        returned.push(match stop {
                            Stop::End(End::Returned(value)) => Ok(value),
                            Stop::End(End::Threw(thrown)) => Err(state.heap.class(thrown).id),
                            _ => return Err(NoExample::EndsOtherwise),
                        });
                    }
                    let [one, other] = &states;
                    let after = TwoEnds { one, other, is_old: ends.is_old };
                    let is_same = match (&returned[0], &returned[1]) {
                        (Ok(one), Ok(other)) => {
                            let mut pairs = results.to_vec();
                            pairs.push((String::new(), *one, *other));
                            is_different(vm, &after, pairs)?.is_none()
                        }
                        (Err(one), Err(other)) => one == other,
                        _ => false,
                    };
                    if !is_same {
                        let shown = given.iter().zip(query.parameters.iter());
                        let shown: Vec<String> =
                            shown.map(|(value, kind)| self.value(vm, one, *value, *kind)).collect();
                        return Ok(Some(format!("{}({})", query.name, shown.join(", "))));
                    }
                }
            }
        }
        Ok(None)
    }

    /// For each parameter of a query, the first argument of the calls that fits, and then each other one.
    fn arguments_of(&self, query: &'static Method) -> Vec<Vec<Value>> {
        let parameters = &self.plan.target.parameters;
        let fitting = |kind: &Kind| -> Vec<Value> {
            let given = self.concrete.arguments.iter().skip(1).zip(parameters.iter());
            let mut values: Vec<Value> = given.filter(|(_, own)| *own == kind).map(|(value, _)| *value).collect();
            values.push(kind.default_value());
            values
        };
        let mut all: Vec<Vec<Value>> = vec![Vec::new()];
        for kind in query.parameters.iter() {
            let values = fitting(kind);
            let longer = |given: &Vec<Value>| {
                let given = given.clone();
                values.clone().into_iter().map(move |value| given.iter().copied().chain([value]).collect::<Vec<_>>())
            };
            all = all.iter().flat_map(longer).take(MOST_GIVEN).collect();
        }
        all
    }

    fn end(&self, vm: &Vm, state: &State, record: ObjId, number: usize) -> CallEnd {
        let method: &'static Method = self.plan.calls[number].method;
        let field = |what: &str| {
            let slot = self.plan.slot(&format!("{what}{number}"));
            slot.map_or(Value::Top, |slot| state.heap.field(record, slot))
        };
        match field("ended") {
            Value::Int(0) => CallEnd::Waits,
            Value::Int(ENDED_BY_EXCEPTION) => {
                let thrown = field("thrown").object();
                CallEnd::Threw(thrown.map_or(String::new(), |thrown| state.heap.class(thrown).java_name()))
            }
            _ if method.result == Kind::Void => CallEnd::Returned(None),
            _ => CallEnd::Returned(Some(self.value(vm, state, field("result"), method.result))),
        }
    }

    fn value(&self, vm: &Vm, state: &State, value: Value, kind: Kind) -> String {
        match (value, kind) {
            (Value::Int(value), Kind::Boolean) => (value != 0).to_string(),
            (Value::Int(value), Kind::Char) => match char::from_u32(value as u32).filter(|letter| !letter.is_control())
            {
                Some(letter) => format!("'{letter}'"),
                None => value.to_string(),
            },
            (Value::Int(value), _) => value.to_string(),
            (Value::Long(value), _) => value.to_string(),
            (Value::Float(value), _) => format!("{value:?}"),
            (Value::Double(value), _) => format!("{value:?}"),
            (Value::Ref(Some(object)), _) => self.object(vm, state, object),
            _ => "null".to_string(),
        }
    }

    fn object(&self, vm: &Vm, state: &State, object: ObjId) -> String {
        let class = state.heap.class(object);
        if class.id == vm.program.known().string.id {
            return format!("{:?}", vm.text(state, object));
        }
        if let (Some(kind), Some(field)) = (Kind::of_box(class.name), class.field("value")) {
            return self.value(vm, state, state.heap.field(object, field.slot as usize), kind);
        }
        let name = |input: &&Input| input.object == object;
        match self.concrete.inputs.iter().find(name) {
            Some(input) => input.name.to_string(),
            None => format!("a new {}", vm.program.short_name(class)),
        }
    }
}
