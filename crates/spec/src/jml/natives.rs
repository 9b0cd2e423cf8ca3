//! Which questions of specifications can no bytecode answer? Those about the heap before the method. The answers are in `natives/contract`.

use lazuli_vm::natives::contract::CLASS;
use lazuli_vm::program::{Code, Method, Program, SyntheticClass, SyntheticMethod, access};

/// The methods that tell what a field held before, by the kind of its value; all smaller numbers are an `int`.
#[derive(Clone, Copy)]
pub(super) struct HeldBefore {
    /// Of a field of a reference type.
    pub reference: &'static Method,
    /// Of a field that is on the stack as an `int`.
    pub int: &'static Method,
    /// Of a field of type `long`.
    pub long: &'static Method,
    /// Of a field of type `float`.
    pub float: &'static Method,
    /// Of a field of type `double`.
    pub double: &'static Method,
}

/// The methods of a class that only specifications call.
#[derive(Clone, Copy)]
pub(super) struct Natives {
    /// Was the object made by the method?
    pub fresh: &'static Method,
    /// Throws: a value from before the method is asked for that could not be computed.
    pub undefined: &'static Method,
    /// The number of objects that were there before, and whose contents are known.
    pub objects: &'static Method,
    /// One of them.
    pub object: &'static Method,
    /// How many of its fields or elements are known.
    pub places: &'static Method,
    /// The slot of such a field, or the index of such an element.
    pub index: &'static Method,
    /// Does it hold something else now?
    pub changed: &'static Method,
    /// The methods that tell the former contents of a field in a slot.
    pub held: HeldBefore,
    /// A call by contract begins.
    pub begun: &'static Method,
    /// A precondition, by its number, is false at the call.
    pub refused: &'static Method,
    /// The call may assign all fields or elements of an object.
    pub assign_all: &'static Method,
    /// The call may assign the field in a slot of an object.
    pub assign_field: &'static Method,
    /// The call may assign the elements from one index to another.
    pub assign_between: &'static Method,
    /// The contract allows the end of the call.
    pub satisfied: &'static Method,
    /// It does not.
    pub unsatisfied: &'static Method,
}

impl Natives {
    /// Loads the class of native methods, and defines it at the first request.
    pub(super) fn of(program: &Program) -> Natives {
        let class = program.load(CLASS).unwrap_or_else(|_| {
            let declared = [
                ("fresh", "(Ljava/lang/Object;)Z"),
                ("undefined", "()V"),
                ("objects", "()I"),
                ("object", "(I)Ljava/lang/Object;"),
                ("places", "(I)I"),
                ("index", "(II)I"),
                ("changed", "(II)Z"),
                ("held", "(Ljava/lang/Object;I)Ljava/lang/Object;"),
                ("heldInt", "(Ljava/lang/Object;I)I"),
                ("heldLong", "(Ljava/lang/Object;I)J"),
                ("heldFloat", "(Ljava/lang/Object;I)F"),
                ("heldDouble", "(Ljava/lang/Object;I)D"),
                ("begun", "()V"),
                ("refused", "(I)V"),
                ("assignAll", "(Ljava/lang/Object;)V"),
                ("assignField", "(Ljava/lang/Object;I)V"),
                ("assignBetween", "(Ljava/lang/Object;II)V"),
                ("satisfied", "()V"),
                ("unsatisfied", "()V"),
            ];
            let method = |(name, descriptor): (&'static str, &str)| SyntheticMethod {
                name,
                descriptor: descriptor.to_string(),
                access: access::STATIC | access::NATIVE,
                code: Code::default(),
            };
            program.define_synthetic(SyntheticClass {
                name: CLASS.to_string(),
                host: program.known().object,
                interfaces: Vec::new(),
                fields: Vec::new(),
                methods: declared.map(method).into(),
            })
        });
        let named = |name: &str| {
            let found = class.methods.iter().find(|method| method.name == name);
            *found.expect("the class has been made here")
        };
        Natives {
            fresh: named("fresh"),
            undefined: named("undefined"),
            objects: named("objects"),
            object: named("object"),
            places: named("places"),
            index: named("index"),
            changed: named("changed"),
            held: HeldBefore {
                reference: named("held"),
                int: named("heldInt"),
                long: named("heldLong"),
                float: named("heldFloat"),
                double: named("heldDouble"),
            },
            begun: named("begun"),
            refused: named("refused"),
            assign_all: named("assignAll"),
            assign_field: named("assignField"),
            assign_between: named("assignBetween"),
            satisfied: named("satisfied"),
            unsatisfied: named("unsatisfied"),
        }
    }
}
