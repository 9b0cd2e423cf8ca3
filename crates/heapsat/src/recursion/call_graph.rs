//! Which methods call themselves, and which loops wait for such calls?

use std::collections::{HashMap, HashSet};

use lazuli_vm::program::{Code, Method, Op, Program};

use crate::exec::flow::LoopOrder;

/// The calls of methods, and properties that follow from them, each computed once and cached.
#[derive(Default)]
pub(crate) struct CallGraph {
    /// The methods that a method may call, by its number.
    calls: HashMap<u32, Vec<&'static Method>>,
    is_apart: HashMap<u32, bool>,
    takes_out: HashMap<u32, bool>,
    has_loops: HashMap<u32, bool>,
}

impl CallGraph {
    /// Is a call of the method executed apart from its caller? So it is if the method may call itself, or has a loop with a call of one that does.
    pub(crate) fn is_apart(&mut self, program: &Program, method: &'static Method) -> bool {
        if let Some(known) = self.is_apart.get(&method.id.index()) {
            return *known;
        }
        let is_apart = self.is_recursive(program, method) || {
            let below = self.below(program, method);
            let recursive = below.into_iter().any(|callee| self.is_recursive(program, callee));
            recursive && program.code(method).is_ok_and(|code| LoopOrder::of(code).has_loops())
        };
        self.is_apart.insert(method.id.index(), is_apart);
        is_apart
    }

    /// May the method call itself?
    pub(crate) fn is_recursive(&mut self, program: &Program, method: &'static Method) -> bool {
        self.below(program, method).iter().any(|callee| callee.id == method.id)
    }

    /// Does a method, directly or not, call one that is executed apart?
    pub(crate) fn leads_apart(&mut self, program: &Program, method: &'static Method) -> bool {
        self.below(program, method).into_iter().any(|callee| self.is_apart(program, callee))
    }

    /// Does the loop of a head call a method that is executed apart?
    pub(crate) fn waits(&mut self, program: &Program, method: &'static Method, order: &LoopOrder, head: u32) -> bool {
        let Ok(code) = program.code(method) else { return false };
        let mut sites: Vec<&'static Method> = Vec::new();
        for block in order.loop_of(head) {
            for pc in order.starts[block as usize]..order.end(block, code) {
                sites.extend(callees(program, code, code.ops[pc as usize].first()));
            }
        }
        sites.into_iter().any(|callee| self.is_apart(program, callee))
    }

    /// Does the method, or one that it leads to, have a loop?
    pub(crate) fn has_loops(&mut self, program: &Program, method: &'static Method) -> bool {
        if let Some(known) = self.has_loops.get(&method.id.index()) {
            return *known;
        }
        let mut all = self.below(program, method).into_iter().chain([method]);
        let has_loops = all.any(|method| program.code(method).is_ok_and(|code| LoopOrder::of(code).has_loops()));
        self.has_loops.insert(method.id.index(), has_loops);
        has_loops
    }

    /// May the method, or one that it leads to, take something out of a collection?
    pub(crate) fn takes_out(&mut self, program: &Program, method: &'static Method) -> bool {
        if let Some(known) = self.takes_out.get(&method.id.index()) {
            return *known;
        }
        let all = self.below(program, method).into_iter().chain([method]);
        let takes_out = all.filter_map(|method| program.code(method).ok()).any(|code| {
            let adds = ["<init>", "add", "contains", "size", "isEmpty"];
            let is_collection = |class: &str| class.starts_with("java/util/");
            code.calls.iter().any(|site| is_collection(site.class) && !adds.contains(&site.name))
        });
        self.takes_out.insert(method.id.index(), takes_out);
        takes_out
    }

    /// All methods that a method may lead to.
    pub(crate) fn below(&mut self, program: &Program, method: &'static Method) -> Vec<&'static Method> {
        let mut found: Vec<&'static Method> = Vec::new();
        let mut seen = HashSet::new();
        let mut waiting = vec![method];
        while let Some(method) = waiting.pop() {
            let calls = self.calls.entry(method.id.index()).or_insert_with(|| {
                let Ok(code) = program.code(method) else { return Vec::new() };
                code.ops.iter().flat_map(|op| callees(program, code, op.first())).collect()
            });
            for callee in calls.iter() {
                if seen.insert(callee.id.index()) {
                    found.push(callee);
                    waiting.push(callee);
                }
            }
        }
        found
    }
}

/// The methods of the user that an instruction may call.
fn callees(program: &Program, code: &'static Code, op: Op) -> Vec<&'static Method> {
    let (Op::InvokeVirtual(site) | Op::InvokeInterface(site) | Op::InvokeSpecial(site) | Op::InvokeStatic(site)) = op
    else {
        return Vec::new();
    };
    let Ok(named) = program.resolve_call(&code.calls[site as usize]) else { return Vec::new() };
    let mut found = vec![named];
    if matches!(op, Op::InvokeVirtual(_) | Op::InvokeInterface(_)) {
        let below = program.users_below(named.class()).iter();
        found.extend(below.filter_map(|class| program.select(class, named)));
    }
    found.retain(|method| method.class().is_users());
    found
}
