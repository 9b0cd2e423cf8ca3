//! Which methods call themselves, and which loops wait for such calls?

use std::collections::{HashMap, HashSet};

use lazuli_vm::program::{Code, Method, Op, Program};

use super::flow::Order;

/// What is known about the methods that were met.
#[derive(Default)]
pub struct Recursion {
    /// The methods that a method may call, by its number.
    calls: HashMap<u32, Vec<&'static Method>>,
    is_apart: HashMap<u32, bool>,
    takes_out: HashMap<u32, bool>,
    has_loops: HashMap<u32, bool>,
}

impl Recursion {
    /// Is a call of the method an activation of its own? If it may call itself, or has a loop that waits for one that does.
    pub fn is_apart(&mut self, program: &Program, method: &'static Method) -> bool {
        if let Some(known) = self.is_apart.get(&method.id.index()) {
            return *known;
        }
        let is_apart = self.is_recursive(program, method) || {
            let below = self.below(program, method);
            let recursive = below.into_iter().any(|callee| self.is_recursive(program, callee));
            recursive && program.code(method).is_ok_and(|code| Order::of(code).has_loops())
        };
        self.is_apart.insert(method.id.index(), is_apart);
        is_apart
    }

    /// May the method call itself?
    pub fn is_recursive(&mut self, program: &Program, method: &'static Method) -> bool {
        self.below(program, method).iter().any(|callee| callee.id == method.id)
    }

    /// Does a method, or one that it leads to, call one that is an activation of its own?
    pub fn leads_apart(&mut self, program: &Program, method: &'static Method) -> bool {
        self.below(program, method).into_iter().any(|callee| self.is_apart(program, callee))
    }

    /// Does the loop that begins with a block call something that is an activation of its own?
    pub fn waits(&mut self, program: &Program, method: &'static Method, order: &Order, head: u32) -> bool {
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
    pub fn has_loops(&mut self, program: &Program, method: &'static Method) -> bool {
        if let Some(known) = self.has_loops.get(&method.id.index()) {
            return *known;
        }
        let mut all = self.below(program, method).into_iter().chain([method]);
        let has_loops = all.any(|method| program.code(method).is_ok_and(|code| Order::of(code).has_loops()));
        self.has_loops.insert(method.id.index(), has_loops);
        has_loops
    }

    /// May the method, or one that it leads to, take something out of a collection?
    pub fn takes_out(&mut self, program: &Program, method: &'static Method) -> bool {
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
    pub fn below(&mut self, program: &Program, method: &'static Method) -> Vec<&'static Method> {
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
        let below = program.users().iter().filter(|class| class.is_subtype_of(named.class()));
        found.extend(below.filter_map(|class| program.select(class, named)));
    }
    found.retain(|method| method.class().is_users());
    found
}
