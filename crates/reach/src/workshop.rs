//! By which calls does the code around a class make objects, if the user names no methods?
//!
//! The code around is code of the same package: it may call what is not private, and assign to fields that are neither private nor final.
//! A class that has only such fields, and a constructor, is *assignable*: every content of its objects can be written there, so that
//! its objects are inputs whatever their fields hold. Objects of all other classes of the user exist only if calls make them, unless the
//! class has an invariant, which then says what its objects are.

use std::collections::BTreeSet;
use std::sync::Arc;

use lazuli_spec::{ContractOptions, invariant_of, parameter_classes, root_classes};
use lazuli_vm::program::{Class, ClassId, Field, Method, Program, access, descriptor, element_of};
use lazuli_vm::value::Kind;

use crate::library_values;
use crate::nest::{builds, intruders, is_near};
use crate::observer::observes;

/// The calls that may make the inputs of one method.
#[derive(Clone)]
pub struct Workshop {
    /// The classes of which only calls make objects.
    pub made: Arc<BTreeSet<ClassId>>,
    /// The constructors that are called.
    pub constructors: Vec<&'static Method>,
    /// The static methods that are called: factories, and those that change what they are given.
    pub statics: Vec<&'static Method>,
    /// The classes among the types of inputs and arguments of which calls make objects, for the verdict.
    pub classes: Vec<&'static Class>,
    /// The types of everything that the method and the calls take.
    pub types: Vec<&'static Class>,
    /// The types of places to which a reference can be passed: parameters of the method and of calls that change something, and fields and arrays that are assigned to.
    pub sinks: Vec<&'static Class>,
    /// Classes of the library of which the calls do not make every object, each with the method that makes those that are tried.
    pub sampled: Vec<(&'static Class, &'static Method)>,
    /// Classes that reach into private members of the others, and whose objects no call makes: constants of an enumeration.
    pub uncalled: Vec<&'static Class>,
}

impl Workshop {
    /// The classes of the program of which only calls make objects, where they are inputs of a method.
    pub fn made_classes(program: &Program, target: &'static Method, options: &ContractOptions) -> BTreeSet<ClassId> {
        let users = program.users().iter().copied();
        // A root whose invariant is in JML is what that says.
        let roots = root_classes(program, target, options).unwrap_or_default();
        let has_clauses = |root: usize| options.clauses_of_root(root).next().is_some();
        let specified: Vec<&'static Class> =
            roots.iter().enumerate().filter(|(root, _)| has_clauses(*root)).map(|(_, class)| *class).collect();
        let is_specified = |class: &'static Class| specified.iter().any(|root| class.is_subtype_of(root));
        let has_invariant =
            |class: &&'static Class| is_specified(class) || !invariant_of(program, class, options).is_empty();
        let described = described(program, users.clone().filter(has_invariant).collect());
        let is_made =
            |class: &&'static Class| !described.contains(&class.id) && is_made_by_calls(program, class, options);
        users.filter(is_made).map(|class| class.id).collect()
    }

    /// The calls that may make what a method takes, and what these calls take; and those that make objects of classes which stand behind wider types there. None if no
    /// input of the method is made by calls.
    pub fn of(
        program: &Program,
        target: &'static Method,
        options: &ContractOptions,
        behind_wider_types: &[&'static Class],
    ) -> Option<Workshop> {
        let mut shop = Workshop {
            made: Arc::new(Workshop::made_classes(program, target, options)),
            constructors: vec![],
            statics: vec![],
            classes: vec![],
            types: vec![],
            sinks: vec![],
            sampled: vec![],
            uncalled: vec![],
        };
        let mut wanted: Vec<&'static Class> = Vec::new();
        if !target.is_static() && target.name != "<init>" {
            wanted.push(options.receiver_of(target));
        }
        wanted.extend(parameter_classes(program, target).unwrap_or_default());
        wanted.extend(behind_wider_types);
        // Calls also make what private static fields hold.
        let is_written = |field: &Field| {
            field.is_static()
                && field.access & access::PRIVATE != 0
                && field.access & (access::FINAL | access::SYNTHETIC) == 0
        };
        if target.class().is_users() && target.class().fields.iter().any(is_written) {
            shop.add(program, target.class(), &mut wanted);
        }
        let mut seen: BTreeSet<ClassId> = BTreeSet::new();
        let mut next = 0;
        while let Some(&declared) = wanted.get(next) {
            next += 1;
            let element = element_of(declared);
            if element.kind() != Kind::Reference || !seen.insert(element.id) {
                continue;
            }
            if !element.is_users() {
                shop.add_value(program, element, &mut wanted);
                continue;
            }
            for class in program.users().iter().copied().filter(|class| class.is_subtype_of(element)) {
                if class.is_interface() || class.access & access::ENUM != 0 {
                    continue;
                }
                if shop.made.contains(&class.id) {
                    shop.add(program, class, &mut wanted);
                } else {
                    // The fields of what is assigned to hold objects that calls make.
                    wanted.extend(class.chain().flat_map(|class| field_types(program, class)));
                }
            }
        }
        if shop.classes.is_empty() {
            // Nothing is looked for that no call takes: bodies would be read that the answer does not depend on.
            return None;
        }
        // Objects of other classes stand behind wider types alone, and no call makes them here.
        let known: BTreeSet<ClassId> = shop.classes.iter().map(|class| class.id).collect();
        Arc::make_mut(&mut shop.made).retain(|class| known.contains(class));
        shop.types = wanted;
        shop.sinks = shop.find_sinks(program, target);
        Some(shop)
    }

    /// Is the static field private to classes that are in the workshop with all their methods, so that calls write there what can be written?
    pub fn writes_static(&self, program: &Program, class: &'static Class, slot: u32) -> bool {
        let is_in = |class: &Class| self.classes.iter().any(|known| known.id == class.id);
        let mut fields = class.fields.iter().filter(|field| field.is_static() && program.slot_of(field) == slot);
        let is_private = fields.all(|field| field.access & access::PRIVATE != 0);
        let mut near = program.users().iter().filter(|other| is_near(class, other));
        is_private && is_in(class) && near.all(|other| is_in(other) || other.is_interface())
    }

    /// Can an object of the class be passed to some call, or be assigned to a field?
    pub fn is_passable(&self, class: &'static Class) -> bool {
        self.sinks.iter().any(|sink| class.is_subtype_of(sink))
    }

    fn find_sinks(&self, program: &Program, target: &'static Method) -> Vec<&'static Class> {
        let mut declared: Vec<&'static Class> = parameter_classes(program, target).unwrap_or_default();
        let mut arrays: Vec<&'static Class> = Vec::new();
        let mut take = |method: &'static Method| {
            declared.extend(parameter_classes(program, method).unwrap_or_default());
            let (_, result) = descriptor::method(method.descriptor).unwrap_or_default();
            let result = program.load_descriptor(result).ok();
            arrays.extend(result);
            result
        };
        // The types of objects that the code around may have: those that it makes or passes, and those that calls and static fields hand out.
        let mut had: Vec<&'static Class> = self.types.iter().chain(&self.classes).copied().collect();
        had.extend(self.constructors.iter().chain(&self.statics).filter_map(|method| take(method)));
        for class in program.users() {
            let fields = class.fields.iter().filter(|field| field.is_static() && field.kind == Kind::Reference);
            let readable = fields.filter(|field| is_readable(program, class, field));
            had.extend(readable.filter_map(|field| program.load_descriptor(field.descriptor).ok()));
        }
        let mut classes: Vec<&'static Class> = Vec::new();
        let mut seen: BTreeSet<ClassId> = BTreeSet::new();
        while let Some(element) = had.pop().map(element_of) {
            if element.kind() != Kind::Reference || !seen.insert(element.id) {
                continue;
            }
            if !element.is_users() {
                // A lambda behind a type of the library takes what the methods of that type take.
                let methods = element.methods.iter().copied().filter(|method| method.is_abstract());
                had.extend(methods.filter_map(&mut take));
                continue;
            }
            let below = program.users().iter().copied().filter(|class| class.is_subtype_of(element));
            for class in below {
                if !classes.iter().any(|known| known.id == class.id) {
                    classes.push(class);
                    had.extend(methods_on(program, class).into_iter().filter_map(&mut take));
                }
            }
        }
        for class in &classes {
            let fields = assignable_fields(program, class);
            declared.extend(fields.iter().filter_map(|(_, field)| program.load_descriptor(field.descriptor).ok()));
            arrays.extend(class.chain().flat_map(|above| field_types(program, above)));
        }
        // An array that is handed out takes what it may contain, and one that is passed contains it.
        arrays.extend(declared.iter().copied());
        declared.extend(arrays.into_iter().filter(|array| array.is_array()).map(element_of));
        // An object of the JDK may contain anything.
        let known = program.known();
        let is_plain =
            |class: &Class| class.is_users() || class.is_array() || class.is_box || class.id == known.string.id;
        let mut sinks: Vec<&'static Class> =
            declared.into_iter().filter(|sink| sink.kind() == Kind::Reference).collect();
        if sinks.iter().any(|sink| !is_plain(sink)) {
            sinks.push(known.object);
        }
        sinks.sort_by_key(|sink| sink.id);
        sinks.dedup_by_key(|sink| sink.id);
        sinks
    }

    fn add(&mut self, program: &Program, class: &'static Class, wanted: &mut Vec<&'static Class>) {
        if self.classes.iter().any(|known| known.id == class.id) {
            return;
        }
        self.classes.push(class);
        // Constructors that are private are called by nested classes too: a builder.
        let builders =
            program.users().iter().copied().filter(|other| is_near(class, other) && builds(program, other, class));
        wanted.extend(builders);
        for intruder in intruders(program, class) {
            self.add_intruder(program, intruder, wanted);
        }
        for method in class.methods.iter().copied().filter(|method| program.can_call(method, class.package())) {
            if method.is_abstract() || method.access & access::NATIVE != 0 {
                continue;
            }
            let is_program = method.name == "main" && method.descriptor == "([Ljava/lang/String;)V";
            match (method.name == "<init>", method.is_static()) {
                (true, _) if !class.is_abstract() => self.constructors.push(method),
                (false, true) if !is_program && !observes(program, method) => self.statics.push(method),
                _ => {}
            }
            wanted.extend(parameter_classes(program, method).unwrap_or_default());
        }
    }
}

impl Workshop {
    /// Adds the calls of a class that makes or changes objects of another one of its nest.
    fn add_intruder(&mut self, program: &Program, class: &'static Class, wanted: &mut Vec<&'static Class>) {
        // A constant of an enumeration is there without a call. Its body is a class of its own.
        if let Some(constants) = class.chain().find(|above| above.is_users() && above.access & access::ENUM != 0) {
            let constants = constants.super_class.filter(|above| above.is_users()).unwrap_or(constants);
            if !self.uncalled.iter().any(|known| known.id == constants.id) {
                self.uncalled.push(constants);
            }
            return;
        }
        // Objects of a class that cannot be named are had only where a call hands them out.
        if class.source_name(class.package()).is_none() {
            return;
        }
        let is_callable = |method: &&'static Method| {
            (method.name == "<init>" && !class.is_abstract() || method.is_static())
                && program.can_call(method, class.package())
        };
        if !class.methods.iter().any(is_callable) {
            return self.uncalled.push(class);
        }
        if !class.is_abstract() {
            Arc::make_mut(&mut self.made).insert(class.id);
        }
        self.add(program, class, wanted);
    }

    /// Adds the calls that make values of a class of the library: a date of three numbers.
    fn add_value(&mut self, program: &Program, class: &'static Class, wanted: &mut Vec<&'static Class>) {
        let Some(factory) = library_values::factory_of(program, class) else { return };
        Arc::make_mut(&mut self.made).insert(class.id);
        self.classes.push(class);
        match factory.method.name {
            "<init>" => self.constructors.push(factory.method),
            _ => self.statics.push(factory.method),
        }
        if !factory.makes_all {
            self.sampled.push((class, factory.method));
        }
        wanted.extend(parameter_classes(program, factory.method).unwrap_or_default());
    }
}

/// The methods that the code around may call on an object of exactly this class, without those that change nothing.
pub fn methods_on(program: &Program, class: &'static Class) -> Vec<&'static Method> {
    let mut found: Vec<&'static Method> = Vec::new();
    let mut owners: Vec<&'static Class> = class.chain().collect();
    let mut next = 0;
    while let Some(&owner) = owners.get(next) {
        next += 1;
        owners.extend(owner.interfaces.iter().copied());
    }
    for owner in owners.into_iter().filter(|owner| owner.is_users()) {
        for method in owner.methods.iter().copied() {
            let unwanted = access::STATIC | access::SYNTHETIC | access::NATIVE | access::ABSTRACT | access::PRIVATE;
            let is_own = || program.select(class, method).is_some_and(|selected| selected.id == method.id);
            // A class that cannot be named is used through the types that it implements.
            let may_call = program.can_call(method, owner.package())
                || (owner.source_name(owner.package()).is_none() && method.access & access::PUBLIC != 0);
            if method.access & unwanted == 0
                && !method.name.starts_with('<')
                && may_call
                && is_own()
                && !observes(program, method)
                && !found.iter().any(|known| known.id == method.id)
            {
                found.push(method);
            }
        }
    }
    found
}

/// The fields of an object of this class that the code around may assign to.
pub fn assignable_fields(program: &Program, class: &'static Class) -> Vec<(&'static Class, &'static Field)> {
    let own = |owner: &'static Class| {
        let fields = owner.fields.iter().filter(move |field| !field.is_static());
        fields.filter(move |field| is_assignable(program, owner, field)).map(move |field| (owner, field))
    };
    class.chain().filter(|owner| owner.is_users()).flat_map(own).collect()
}

/// May the code around read the field?
pub fn is_readable(program: &Program, owner: &'static Class, field: &'static Field) -> bool {
    program.can_use_field(owner, field, owner.package())
}

fn is_assignable(program: &Program, owner: &'static Class, field: &'static Field) -> bool {
    field.access & access::FINAL == 0 && is_readable(program, owner, field)
}

/// Do only calls make objects of the class? Constants of enumerations and objects with an invariant are what they are.
fn is_made_by_calls(program: &Program, class: &'static Class, options: &ContractOptions) -> bool {
    if class.is_interface() || class.file.is_none() || class.chain().any(|class| class.access & access::ENUM != 0) {
        return false;
    }
    let instance_fields = |owner: &'static Class| owner.fields.iter().filter(|field| !field.is_static());
    let is_open = class.chain().all(|owner| match owner.is_users() {
        true => instance_fields(owner).all(|field| is_assignable(program, owner, field)),
        false => owner.name == "java/lang/Object",
    });
    let has_constructor = || {
        let package = class.package();
        class.methods.iter().any(|method| method.name == "<init>" && program.can_call(method, package))
    };
    let is_assignable = is_open && !class.is_inner() && (class.is_abstract() || has_constructor());
    !is_assignable && invariant_of(program, class, options).is_empty()
}

/// The classes whose objects invariants describe: those that have one, and the parts of their representation. A part is an object of a field
/// whose class serves the class with the invariant: it is nested beside it, or is not public. A public class is an abstraction of its
/// own. Example: `List` with `repOK` and a private `List$Node`, whose links only the invariant restricts.
fn described(program: &Program, with_invariant: Vec<&'static Class>) -> BTreeSet<ClassId> {
    let mut found: BTreeSet<ClassId> = BTreeSet::new();
    let mut waiting = with_invariant;
    while let Some(class) = waiting.pop() {
        if !found.insert(class.id) {
            continue;
        }
        let declared = class.chain().flat_map(|class| field_types(program, class)).map(element_of);
        for element in declared.filter(|element| element.kind() == Kind::Reference && element.is_users()) {
            let below = program.users().iter().copied().filter(|below| below.is_subtype_of(element));
            waiting.extend(below.filter(|part| is_near(class, part) || part.access & access::PUBLIC == 0));
        }
    }
    found
}

fn field_types(program: &Program, class: &'static Class) -> Vec<&'static Class> {
    let fields = class.fields.iter().filter(|field| !field.is_static() && field.kind == Kind::Reference);
    fields.filter_map(|field| program.load_descriptor(field.descriptor).ok()).collect()
}
