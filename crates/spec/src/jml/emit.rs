//! How is a typed expression written as bytecode? Plain instructions, as javac would have made them: crates that execute or
//! translate methods need to know nothing of specifications.

use lazuli_vm::program::{Assembler, Class, Code, Field, Method, Op, Program};
use lazuli_vm::value::Kind;

use super::natives::{HeldBefore, Natives};
use super::typed::*;

/// Where the variables of a clause are found among the registers of its method.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout {
    /// How many values the target gets, the receiver included.
    pub given: usize,
    /// Does a result or an exception follow?
    pub has_outcome: bool,
    /// Values from before the method, each with whether there is one.
    pub olds: usize,
}

impl Layout {
    /// Counts the registers of the arguments; each old value takes two.
    pub(super) fn arguments(&self) -> usize {
        self.given + self.has_outcome as usize + 2 * self.olds
    }

    fn old(&self, number: usize) -> usize {
        self.given + self.has_outcome as usize + 2 * number
    }
}

/// Methods that generated code calls. Sets are maps that compare by identity, because `equals` may be user code.
#[derive(Clone, Copy)]
pub(super) struct Library {
    /// The constructor of a set.
    pub new_set: &'static Method,
    /// Tests whether a set has an object.
    pub has: &'static Method,
    /// Adds an object to a set.
    pub put: &'static Method,
    /// Counts the objects of a set.
    pub size: &'static Method,
    /// The constructor of a queue.
    pub new_queue: &'static Method,
    /// Adds an object at the end of a queue.
    pub enqueue: &'static Method,
    /// Removes the first object of a queue; null if there is none.
    pub poll: &'static Method,
    /// Tests whether a queue has no objects.
    pub is_empty: &'static Method,
    /// Copies a queue.
    pub copy_of_queue: &'static Method,
    /// Removes all objects of a queue.
    pub empty: &'static Method,
    /// Copies an array.
    pub clone: &'static Method,
    /// Was an object made by the method?
    pub fresh: &'static Method,
    /// Throws: there is no value from before the method.
    pub undefined: &'static Method,
    /// Tells what a field held before the method.
    pub held: HeldBefore,
}

/// A place in the code that may not be known yet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct JumpLabel(usize);

/// Makes a jump instruction from the position of its target.
pub(super) type JumpMaker = fn(u32) -> Op;

/// Writes the bytecode of one method, with labels that are patched at the end and the operand stack's height on record.
pub(super) struct Emitter<'a> {
    /// The program whose fields and methods the code refers to.
    pub program: &'a Program,
    /// The methods that the code calls.
    pub library: Library,
    layout: Layout,
    /// The instructions so far.
    pub code: Assembler,
    labels: Vec<Option<u32>>,
    jumps: Vec<(u32, JumpMaker, JumpLabel)>,
    /// Operands now, and at most.
    height: usize,
    highest: usize,
    locals: usize,
}

impl<'a> Emitter<'a> {
    /// `bound` variables follow the arguments.
    pub(super) fn new(program: &'a Program, library: Library, layout: Layout, bound: usize) -> Emitter<'a> {
        Emitter {
            program,
            library,
            layout,
            code: Assembler::default(),
            labels: Vec::new(),
            jumps: Vec::new(),
            height: 0,
            highest: 0,
            locals: layout.arguments() + bound,
        }
    }

    /// Patches all jumps and gives the finished code.
    pub(super) fn finish(mut self) -> Code {
        for (at, jump, label) in self.jumps {
            let target = self.labels[label.0].expect("every label is placed");
            self.code.patch(at, jump(target));
        }
        self.code.finish(self.locals, self.highest)
    }

    /// Makes a label that has no position yet.
    pub(super) fn label(&mut self) -> JumpLabel {
        self.labels.push(None);
        JumpLabel(self.labels.len() - 1)
    }

    /// Gives a label the position of the next instruction.
    pub(super) fn place(&mut self, label: JumpLabel) {
        self.labels[label.0] = Some(self.code.here());
    }

    /// Reserves a register that no other value uses.
    pub(super) fn new_local(&mut self) -> usize {
        self.locals += 1;
        self.locals - 1
    }

    /// Appends an instruction that refers to no site and copies nothing wide.
    pub(super) fn op(&mut self, op: Op) {
        self.code.op(op);
        self.account_for(op);
    }

    /// Appends the first instruction of a handler, which finds the exception alone on the stack and drops it.
    pub(super) fn drop_exception(&mut self) {
        self.account(0, 1);
        self.op(Op::Pop);
    }

    /// Appends a jump to a label, which is patched in `finish`.
    pub(super) fn jump(&mut self, jump: JumpMaker, label: JumpLabel) {
        self.jumps.push((self.code.here(), jump, label));
        self.code.op(Op::Nop);
        self.account_for(jump(0));
    }

    /// Pushes the contents of a register.
    pub(super) fn load(&mut self, register: usize) {
        self.op(Op::Load(register as u16));
    }

    /// Pops the top operand into a register.
    pub(super) fn store(&mut self, register: usize) {
        self.op(Op::Store(register as u16));
    }

    /// Pushes an `int` constant.
    pub(super) fn int(&mut self, value: i32) {
        self.op(Op::Int(value));
    }

    /// Calls a method by the instruction that javac would choose.
    pub(super) fn call(&mut self, method: &'static Method) {
        match () {
            () if method.is_static() => self.code.call_static(method),
            () if method.name == "<init>" => self.code.call_special(method),
            () => self.code.call_virtual(method),
        };
        self.account(method.arguments as usize, (method.result != Kind::Void) as usize);
    }

    /// Replaces the object on top of the stack by the contents of its field.
    pub(super) fn get_field(&mut self, owner: &'static Class, field: &'static Field) {
        self.code.get_field(self.program, owner, field.name);
        self.account(1, 1);
    }

    /// Goes to one of two places that both return.
    pub(super) fn return_condition(&mut self, condition: &Typed) {
        let is_false = self.label();
        self.branch(condition, false, is_false);
        self.int(1);
        self.op(Op::ReturnValue);
        self.place(is_false);
        self.int(0);
        self.op(Op::ReturnValue);
    }

    /// Jumps if the condition comes out as wanted, else goes on.
    pub(super) fn branch(&mut self, condition: &Typed, wanted: bool, target: JumpLabel) {
        match &condition.node {
            TypedNode::Int(truth) => {
                if (*truth != 0) == wanted {
                    self.jump(Op::Goto, target);
                }
            }
            TypedNode::Not(inner) => self.branch(inner, !wanted, target),
            // Both parts go there alike, or the first one leads past it.
            TypedNode::And(left, right) | TypedNode::Or(left, right) => {
                let stops_at = matches!(condition.node, TypedNode::Or(..));
                if wanted == stops_at {
                    self.branch(left, wanted, target);
                    self.branch(right, wanted, target);
                } else {
                    let past = self.label();
                    self.branch(left, !wanted, past);
                    self.branch(right, wanted, target);
                    self.place(past);
                }
            }
            TypedNode::IsNull(inner) => {
                self.value(inner);
                self.jump(if wanted { Op::IfNull } else { Op::IfNonNull }, target);
            }
            TypedNode::Same(left, right) => {
                self.value(left);
                self.value(right);
                self.jump(if wanted { Op::IfAcmpEq } else { Op::IfAcmpNe }, target);
            }
            TypedNode::Compare(relation, left, right) => self.comparison(*relation, left, right, wanted, target),
            _ => {
                self.value(condition);
                self.jump(if wanted { Op::IfNe } else { Op::IfEq }, target);
            }
        }
    }

    fn comparison(&mut self, relation: Relation, left: &Typed, right: &Typed, wanted: bool, target: JumpLabel) {
        self.value(left);
        self.value(right);
        let kind = if let Type::Primitive(kind) = left.of { kind } else { Kind::Int };
        // NaN makes every comparison false, but for `!=`.
        let is_upper = matches!(relation, Relation::Less | Relation::LessOrEqual);
        let compare = match kind {
            Kind::Long => Some(Op::Lcmp),
            Kind::Float => Some(if is_upper { Op::Fcmpg } else { Op::Fcmpl }),
            Kind::Double => Some(if is_upper { Op::Dcmpg } else { Op::Dcmpl }),
            _ => None,
        };
        let is_int = compare.is_none();
        if let Some(compare) = compare {
            self.op(compare);
        }
        let relation = if wanted { relation } else { relation.negated() };
        let jump: JumpMaker = match (relation, is_int) {
            (Relation::Equal, true) => Op::IfIcmpEq,
            (Relation::NotEqual, true) => Op::IfIcmpNe,
            (Relation::Less, true) => Op::IfIcmpLt,
            (Relation::LessOrEqual, true) => Op::IfIcmpLe,
            (Relation::Greater, true) => Op::IfIcmpGt,
            (Relation::GreaterOrEqual, true) => Op::IfIcmpGe,
            (Relation::Equal, false) => Op::IfEq,
            (Relation::NotEqual, false) => Op::IfNe,
            (Relation::Less, false) => Op::IfLt,
            (Relation::LessOrEqual, false) => Op::IfLe,
            (Relation::Greater, false) => Op::IfGt,
            (Relation::GreaterOrEqual, false) => Op::IfGe,
        };
        self.jump(jump, target);
    }

    /// Pushes the value of an expression.
    pub(super) fn value(&mut self, expression: &Typed) {
        match &expression.node {
            TypedNode::Null => self.op(Op::Null),
            TypedNode::Int(value) => self.int(*value),
            TypedNode::Constant(value) => {
                self.code.constant(*value);
                self.account(0, 1);
            }
            TypedNode::Text(text) => self.op(Op::String(*text)),
            TypedNode::Mirror(class) => {
                self.code.class_constant(class);
                self.account(0, 1);
            }
            TypedNode::Variable(place) => {
                let register = self.register(*place);
                self.load(register);
            }
            TypedNode::Old(number) => self.old(*number),
            // A condition that threw has the value false.
            TypedNode::WasTrue(number) => self.load(self.layout.old(*number)),
            TypedNode::Field(on, owner, field) => {
                self.value(on);
                self.get_field(owner, field);
            }
            TypedNode::Static(owner, field) => {
                self.code.get_static(self.program, owner, field.name);
                self.account(0, 1);
            }
            TypedNode::Length(array) => {
                self.value(array);
                self.op(Op::ArrayLength);
            }
            TypedNode::Element(array, index) => {
                self.value(array);
                self.value(index);
                self.op(Op::ArrayLoad);
            }
            TypedNode::Call(method, arguments) => {
                arguments.iter().for_each(|argument| self.value(argument));
                self.call(method);
            }
            TypedNode::Arithmetic(op, left, right) => {
                self.value(left);
                self.value(right);
                self.op(*op);
            }
            TypedNode::Convert(ops, inner) => {
                self.value(inner);
                ops.iter().for_each(|op| self.op(*op));
            }
            TypedNode::Cast(class, inner) => {
                self.value(inner);
                self.code.check_cast(class);
            }
            TypedNode::InstanceOf(inner, class) => {
                self.value(inner);
                self.code.instance_of(class);
            }
            TypedNode::CopyOf(array) => {
                self.value(array);
                self.call(self.library.clone);
                if let Type::Reference(class) = array.of {
                    self.code.check_cast(class);
                }
            }
            TypedNode::Conditional(condition, then, otherwise) => {
                let (is_false, end) = (self.label(), self.label());
                self.branch(condition, false, is_false);
                self.value(then);
                self.jump(Op::Goto, end);
                self.height -= 1;
                self.place(is_false);
                self.value(otherwise);
                self.place(end);
            }
            TypedNode::Has(set, object) => {
                self.value(set);
                self.value(object);
                self.call(self.library.has);
            }
            TypedNode::Size(set) => {
                self.value(set);
                self.call(self.library.size);
            }
            TypedNode::Fresh(object) => {
                self.value(object);
                self.call(self.library.fresh);
            }
            TypedNode::Past(object, owner, field) => self.past(object, owner, field),
            TypedNode::Collected(collected) => {
                collected.from.iter().for_each(|from| self.value(from));
                self.call(collected.method);
            }
            TypedNode::Loop(quantified) => self.quantified(quantified),
            TypedNode::Compare(..)
            | TypedNode::Same(..)
            | TypedNode::IsNull(_)
            | TypedNode::Not(_)
            | TypedNode::And(..)
            | TypedNode::Or(..) => {
                let (is_false, end) = (self.label(), self.label());
                self.branch(expression, false, is_false);
                self.int(1);
                self.jump(Op::Goto, end);
                self.height -= 1;
                self.place(is_false);
                self.int(0);
                self.place(end);
            }
        }
    }

    /// Pushes a value, or goes elsewhere if it is one from before the method that there was not.
    pub(super) fn value_or(&mut self, expression: &Typed, elsewhere: JumpLabel) {
        if let TypedNode::Old(number) = expression.node {
            self.load(self.layout.old(number) + 1);
            self.jump(Op::IfEq, elsewhere);
            return self.load(self.layout.old(number));
        }
        self.value(expression);
    }

    fn old(&mut self, number: usize) {
        let register = self.layout.old(number);
        let is_there = self.label();
        self.load(register + 1);
        self.jump(Op::IfNe, is_there);
        self.call(self.library.undefined);
        self.place(is_there);
        self.load(register);
    }

    /// Pushes what a field held before the method. It is read as it is now first: an input's field that nothing has read yet is decided
    /// then, and null throws as it does elsewhere.
    fn past(&mut self, object: &Typed, owner: &'static Class, field: &'static Field) {
        let (of, now) = (self.new_local(), self.new_local());
        self.value(object);
        self.store(of);
        self.load(of);
        self.get_field(owner, field);
        self.store(now);
        self.load(of);
        self.int(self.program.slot_of(field) as i32);
        self.call(match field.kind {
            Kind::Reference => self.library.held.reference,
            Kind::Long => self.library.held.long,
            Kind::Float => self.library.held.float,
            Kind::Double => self.library.held.double,
            _ => self.library.held.int,
        });
        if let Ok(class) = self.program.load_descriptor(field.descriptor)
            && class.kind() == Kind::Reference
        {
            self.code.check_cast(class);
        }
    }

    /// Makes an object of a collection, and gives its register.
    pub(super) fn new_collection(&mut self, constructor: &'static Method) -> usize {
        let made = self.new_local();
        self.code.new_object(constructor.class());
        self.account(0, 1);
        self.op(Op::Dup);
        self.call(constructor);
        self.store(made);
        made
    }

    /// Takes the objects of a queue one by one until there are none left, or goes to `done`. The register is that of the object.
    pub(super) fn poll(&mut self, queue: usize, object: usize, done: JumpLabel) {
        self.load(queue);
        self.call(self.library.is_empty);
        self.jump(Op::IfNe, done);
        self.load(queue);
        self.call(self.library.poll);
        self.store(object);
    }

    /// Appends the object in a register to the queue in another.
    pub(super) fn enqueue(&mut self, queue: usize, object: usize) {
        self.load(queue);
        self.load(object);
        self.call(self.library.enqueue);
        self.op(Op::Pop);
    }

    /// Maps a variable to its register: the arguments first, then the outcome, the old values and the bound variables.
    pub(super) fn register(&self, place: VariablePlace) -> usize {
        match place {
            VariablePlace::Given(position) => position,
            VariablePlace::Outcome => self.layout.given,
            VariablePlace::Bound(number) => self.layout.arguments() + number,
        }
    }

    /// Keeps track of the stack's height, from which the maximum for the method follows.
    pub(super) fn account(&mut self, pops: usize, pushes: usize) {
        self.height = self.height.saturating_sub(pops) + pushes;
        self.highest = self.highest.max(self.height);
    }

    fn account_for(&mut self, op: Op) {
        let (pops, pushes) =
            op.effect().counts().expect("instructions with sites are accounted for where they are made");
        self.account(pops, pushes);
    }
}

impl Library {
    /// Every JDK has these.
    pub(super) fn of(program: &Program, natives: &Natives) -> Library {
        let method = |class: &str, name: &str, descriptor: &str| {
            let class = program.load(class).expect("the JDK has it");
            class.own_method(name, descriptor).expect("the JDK's class has it")
        };
        let set = |name: &str, descriptor: &str| method("java/util/IdentityHashMap", name, descriptor);
        let queue = |name: &str, descriptor: &str| method("java/util/ArrayDeque", name, descriptor);
        Library {
            new_set: set("<init>", "()V"),
            has: set("containsKey", "(Ljava/lang/Object;)Z"),
            put: set("put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"),
            size: set("size", "()I"),
            new_queue: queue("<init>", "()V"),
            enqueue: queue("add", "(Ljava/lang/Object;)Z"),
            poll: queue("poll", "()Ljava/lang/Object;"),
            is_empty: queue("isEmpty", "()Z"),
            empty: queue("clear", "()V"),
            copy_of_queue: queue("clone", "()Ljava/util/ArrayDeque;"),
            clone: method("java/lang/Object", "clone", "()Ljava/lang/Object;"),
            fresh: natives.fresh,
            undefined: natives.undefined,
            held: natives.held,
        }
    }
}

impl Relation {
    /// The relation that is true where this one is false, for integers.
    pub fn negated(self) -> Relation {
        match self {
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
            Relation::Less => Relation::GreaterOrEqual,
            Relation::LessOrEqual => Relation::Greater,
            Relation::Greater => Relation::LessOrEqual,
            Relation::GreaterOrEqual => Relation::Less,
        }
    }
}
