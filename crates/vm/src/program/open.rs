//! Which classes may an input object have?
//!
//! An input of declared type T may be of any subclass. What is known about its class is itself a class here, an *open* one:
//! it has the fields and supertypes that all the possible classes share, and lists those that are possible. A test of the type
//! splits it in two; when one class is left, that class takes its place. So states need no type constraints beside their objects.

use lazuli_classfile::format::attributes::AttributeData;

use super::class::{Class, ClassId, access};
use super::{GenericType, LoadError, Method, Program, Users};
use crate::value::Kind;

/// Which classes exist besides those that are known by name?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum World {
    /// None: every object is of a class of the class path, or of the declared class itself.
    Closed,
    /// A class of the class path has the subclasses that are there. Interfaces and types of the JDK have further ones, among them
    /// strings, boxes and arrays, and some of which nothing is known.
    #[default]
    ClassPath,
    /// As before, and every class that can be extended has subclasses of which nothing is known.
    Open,
}

impl World {
    /// May an object of this declared type be of a class that is not listed by name? Such a class may extend a known one that extends this one: a sealed or a
    /// private type may have a public subclass.
    pub fn has_others(self, program: &Program, declared: &'static Class) -> bool {
        if self == World::Closed {
            return false;
        }
        let known = || program.extensible.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(has_others) = known().get(&(declared.id, self)) {
            return *has_others;
        }
        let below = program.users_below(declared).iter().copied();
        let has_others = [declared].into_iter().chain(below).any(|class| self.has_direct_others(program, class));
        // A type that no class of the class path implements is implemented elsewhere.
        let is_missing = || {
            let is_there = |class: &&'static Class| !class.is_abstract();
            self == World::ClassPath
                && declared.is_abstract()
                && !declared.is_array()
                && !program.users_below(declared).iter().any(is_there)
                && World::Open.has_others(program, declared)
        };
        let has_others = has_others || is_missing();
        known().insert((declared.id, self), has_others);
        has_others
    }

    /// May a class that is not on the class path extend or implement this one itself? Code of the same package may, where the class is not public: a test or a
    /// mock in another folder. Private and local classes are known in full, as are types of the JDK that are not public, whose packages are closed.
    fn has_direct_others(self, program: &Program, class: &'static Class) -> bool {
        if is_stream(class) {
            return false;
        }
        if is_sealed(class) {
            return program.permitted(class).any(|permitted| self.has_others(program, permitted));
        }
        if class.access & access::FINAL != 0 {
            return false;
        }
        let is_public = class.access & access::PUBLIC != 0;
        // Subclasses of a class of the class path are on the class path themselves, unless the world is open.
        let is_wide = match class.is_interface() {
            true => !class.is_users() || is_public || is_functional(class),
            false => !class.is_users(),
        };
        if self == World::ClassPath && !is_wide {
            return false;
        }
        if let Some(component) = class.component() {
            return component.kind() == Kind::Reference;
        }
        // A local class is declared in no class.
        let is_hidden = class
            .nested_declaration()
            .is_some_and(|own| own.access_flags.bits() & access::PRIVATE != 0 || own.outer_class_info.is_none());
        let is_within_reach = if class.is_users() { !is_hidden } else { is_public };
        if class.is_interface() {
            return is_within_reach || is_functional(class);
        }
        let may_call = |constructor: &Method| match class.is_users() {
            true => constructor.access & access::PRIVATE == 0,
            false => constructor.access & (access::PUBLIC | access::PROTECTED) != 0,
        };
        is_within_reach && class.methods.iter().any(|method| method.name == "<init>" && may_call(method))
    }
}

/// Is it the class of a constant of an enumeration?
pub(crate) fn is_constant(class: &'static Class) -> bool {
    class.chain().any(|class| class.access & access::ENUM != 0)
}

/// Is it a method of the library that only classes of its package may override? None of elsewhere is in a package of the library.
pub(crate) fn is_of_closed_package(method: &Method) -> bool {
    method.access & (access::PUBLIC | access::PROTECTED | access::PRIVATE) == 0 && !method.class().is_users()
}

/// The library alone implements its streams: one of elsewhere could return null from `filter`, or count to -1.
fn is_stream(class: &Class) -> bool {
    class.is_interface() && class.name.starts_with("java/util/stream/") && class.name.ends_with("Stream")
}

/// Types of the library that programs implement rarely, and the classes that most objects behind them have.
const STAND_INS: &[(&str, &[&str])] = &[
    ("java/lang/CharSequence", &["java/lang/String"]),
    ("java/lang/Number", &["java/lang/Integer", "java/lang/Long", "java/lang/Double"]),
    ("java/lang/Comparable", &["java/lang/Integer", "java/lang/String"]),
];

/// The classes that an object may have.
#[derive(Clone)]
pub struct Possible {
    /// All are subtypes of it; its fields are those that may be read.
    pub bound: &'static Class,
    /// Further types that all have.
    pub also: Vec<&'static Class>,
    /// Types that none has.
    pub not: Vec<&'static Class>,
    /// The known ones, by name.
    pub known: Vec<&'static Class>,
    /// May it be a class that is not on the class path?
    pub others: bool,
    /// The world that they are taken from.
    pub world: World,
}

/// The two outcomes of a type test: the class if the answer is yes, and if it is no; none if that answer is not possible.
pub struct Split {
    /// The class of the object if the test succeeds.
    pub yes: Option<&'static Class>,
    /// The class of the object if the test fails.
    pub no: Option<&'static Class>,
}

impl Program {
    /// The class that stands for all classes which an input of this declared type may have. None if there can be no such object.
    pub fn possible_classes(&self, declared: &'static Class, world: World) -> Option<&'static Class> {
        if declared.access & access::FINAL != 0 && !declared.is_array() {
            return Some(declared).filter(|class| !class.is_abstract());
        }
        let mut known: Vec<&'static Class> = Vec::new();
        let mut not: Vec<&'static Class> = Vec::new();
        let mut others = world.has_others(self, declared);
        if let Some(component) = declared.component() {
            known.push(declared);
            if component.is_array() {
                // `Node[][]` may be `Leaf[][]`, because `Node[]` may be `Leaf[]`.
                let below = self.possible_classes(component, world)?;
                let Some(possible) = below.possible() else { return Some(declared) };
                known.extend(possible.known.iter().map(|class| self.array_class(class)));
                others = possible.others;
            } else if component.kind() == Kind::Reference && component.access & access::FINAL == 0 {
                known.extend(self.users_below(component).iter().map(|class| self.array_class(class)));
                others = world.has_others(self, component);
            } else {
                return Some(declared);
            }
        } else {
            for class in self.users_below(declared).iter().copied().chain([declared]) {
                // A permitted subclass of a sealed type may be open itself.
                others |= world.has_others(self, class);
                // The constants of an enumeration are all its objects. Where it implements the declared type of the user's, they are tried one by one, as objects
                // of static fields are; behind other types, an input is never one of them here.
                if class.access & access::ENUM != 0 {
                    match declared.is_users() && declared.is_interface() {
                        true => not.push(class),
                        false => others = true,
                    }
                } else if !class.is_abstract() {
                    known.push(class);
                }
            }
        }
        known.sort_by_key(|class| class.name);
        known.dedup_by_key(|class| class.id);
        self.open_class(Possible { bound: declared, also: Vec::new(), not, known, others, world })
    }

    /// The enumerations that implement an interface of the user's. Their constants are among the objects of that type.
    pub fn enumerations_behind(&self, declared: &'static Class) -> impl Iterator<Item = &'static Class> {
        let below = if declared.is_users() && declared.is_interface() { self.users_below(declared) } else { &[] };
        below.iter().copied().filter(|class| class.access & access::ENUM != 0)
    }

    /// The same for a declared type of which the library's objects are made by recipes: the classes of the user beside them, and in an open world
    /// others. None if there are none.
    pub fn beside_library(&self, declared: &'static Class, world: World) -> Option<&'static Class> {
        let class = self.possible_classes(declared, world)?;
        let Some(possible) = class.possible() else { return Some(class).filter(|class| class.is_users()) };
        let known: Vec<&'static Class> = possible.known.iter().copied().filter(|known| known.is_users()).collect();
        let has_constants = self.users_below(declared).iter().any(|class| class.access & access::ENUM != 0);
        self.open_class(Possible { known, others: world == World::Open || has_constants, ..possible.clone() })
    }

    /// The class that stands for the classes of a receiver: those below the declared one that have this method and do not override it. None if
    /// there can be no such object.
    pub fn receiver_classes(
        &self,
        declared: &'static Class,
        method: &'static Method,
        world: World,
    ) -> Option<&'static Class> {
        let class = self.possible_classes(declared, world)?;
        let Some(possible) = class.possible() else { return Some(class) };
        let inherits = |known: &&'static Class| self.select(known, method).is_some_and(|found| found.id == method.id);
        let known = possible.known.iter().copied().filter(inherits).collect();
        // A class is checked for its own objects, also if the JDK declares it; only an interface is checked for objects of classes elsewhere.
        let others = possible.others && (declared.is_interface() || world == World::Open);
        self.open_class(Possible { known, others, ..possible.clone() })
    }

    /// Splits what is known about a class by a type test.
    pub fn split(&self, class: &'static Class, tested: &'static Class) -> Split {
        if class.is_subtype_of(tested) {
            return Split { yes: Some(class), no: None };
        }
        let Some(possible) = class.possible() else { return Split { yes: None, no: Some(class) } };
        let (mut yes, no): (Vec<&'static Class>, Vec<&'static Class>) =
            possible.known.iter().partition(|known| known.is_subtype_of(tested));
        // Invariant: `yes` and `no` exclude each other, and together stand for every class of `possible`. With Leaf and Fork
        // below Node, and others possible, a test for Leaf gives {Leaf and others below it} and {Fork and others but no Leaf}.
        let is_excluded = possible.not.iter().any(|not| tested.is_subtype_of(not));
        let mut other_may = possible.others
            && !is_excluded
            && (self.may_extend(possible.bound, tested, possible.world) || self.may_be_constant(possible, tested));
        // Arrays, and of the library's classes those that the program asks for, become known when it does.
        let has_all = possible.also.iter().chain([&possible.bound]).all(|class| tested.is_subtype_of(class));
        if possible.others && !is_excluded && has_all {
            let found = if tested.is_array() { self.possible_classes(tested, possible.world) } else { Some(tested) };
            match found.and_then(|found| found.possible()) {
                Some(below) => {
                    let may_be = |known: &&&'static Class| !possible.not.iter().any(|not| known.is_subtype_of(not));
                    yes.extend(below.known.iter().filter(may_be));
                    other_may = below.others || self.may_be_constant(possible, tested);
                }
                None if tested.is_array() || !(tested.is_users() || tested.is_abstract()) => yes.push(tested),
                None => {}
            }
            yes.sort_by_key(|class| class.name);
            yes.dedup_by_key(|class| class.id);
        }
        let mut if_yes = Possible { known: yes, others: other_may, ..possible.clone() };
        if tested.is_subtype_of(possible.bound) {
            if_yes.bound = tested;
        } else {
            if_yes.also.push(tested);
        }
        let mut if_no = Possible { known: no, ..possible.clone() };
        if if_no.others {
            if_no.not.push(tested);
            // In a closed world, the others are constants of enumerations.
            if_no.others = if_no.world != World::Closed || self.may_be_constant(&if_no, if_no.bound);
        }
        Split { yes: self.open_class(if_yes), no: self.open_class(if_no) }
    }

    /// Groups the possible classes by the implementation that each has of a method; the unknown ones are the last group, unless they cannot override
    /// the method: then they are in the group of those that inherit it from the bound.
    pub fn split_by_method(&self, class: &'static Class, method: &'static Method) -> Vec<&'static Class> {
        let Some(possible) = class.possible() else { return vec![class] };
        let mut groups: Vec<(Option<&'static Method>, Vec<&'static Class>)> = Vec::new();
        for known in &possible.known {
            let target = self.select(known, method);
            let same = |other: &Option<&'static Method>| other.map(|other| other.id) == target.map(|target| target.id);
            match groups.iter_mut().find(|(other, _)| same(other)) {
                Some((_, group)) => group.push(known),
                None => groups.push((target, vec![known])),
            }
        }
        let fixed = method.access & (access::FINAL | access::PRIVATE) != 0;
        if fixed || (groups.len() == 1 && !possible.others) {
            return vec![class];
        }
        let inherited = self.select(possible.bound, method).filter(|_| is_of_closed_package(method));
        let inherits = |target: Option<&'static Method>| {
            possible.others && inherited.is_some_and(|inherited| target.is_some_and(|target| target.id == inherited.id))
        };
        let has_inheritors = groups.iter().any(|(target, _)| inherits(*target));
        let group = |target, known| self.open_class(Possible { known, others: inherits(target), ..possible.clone() });
        let mut parts: Vec<&'static Class> =
            groups.into_iter().filter_map(|(target, known)| group(target, known)).collect();
        if possible.others && !has_inheritors {
            parts.extend(self.open_class(Possible { known: Vec::new(), ..possible.clone() }));
        }
        parts
    }

    /// The classes of the library that stand for the others behind a type of the library, as far as the object may still be of them: for a
    /// `Comparable<String>`, no `Integer`.
    pub fn stand_ins(&self, possible: &Possible, called: &Method, place: Option<&GenericType>) -> Vec<&'static Class> {
        // Numbers have every order, and compare in one step.
        let most = if called.name == "compareTo" { 1 } else { usize::MAX };
        let named = STAND_INS.iter().filter(|(declared, _)| *declared == possible.bound.name);
        let loaded = named.flat_map(|(_, classes)| *classes).filter_map(|class| self.load(class).ok());
        let may_be = |class: &&'static Class| {
            possible.also.iter().all(|also| class.is_subtype_of(also))
                && !possible.not.iter().any(|not| class.is_subtype_of(not))
                && place.is_none_or(|place| self.may_have_type(class, place))
        };
        loaded.filter(may_be).take(most).collect()
    }

    /// One part for each known class, and one for all others.
    pub fn split_fully(&self, class: &'static Class) -> Vec<&'static Class> {
        let Some(possible) = class.possible() else { return vec![class] };
        let mut parts = possible.known.clone();
        if possible.others {
            parts.extend(self.open_class(Possible { known: Vec::new(), ..possible.clone() }));
        }
        parts
    }

    /// The class that stands for these, always the same for the same; none if there is none.
    pub(crate) fn open_class(&self, possible: Possible) -> Option<&'static Class> {
        match (&possible.known[..], possible.others) {
            ([], false) => return None,
            ([only], false) => return Some(only),
            _ => {}
        }
        let ids = |classes: &[&'static Class]| classes.iter().map(|class| class.id).collect::<Vec<ClassId>>();
        let key = (
            possible.bound.id,
            ids(&possible.also),
            ids(&possible.not),
            ids(&possible.known),
            (possible.others, possible.world),
        );
        let mut open = self.open.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(class) = open.get(&key) {
            return Some(class);
        }
        // A supertype must hold for every class that this one stands for: those of the bound and of passed tests, and, if all
        // classes are known, those that all of them share.
        let bound = possible.bound;
        let mut supertypes: Vec<ClassId> = bound.supertypes.to_vec();
        supertypes.push(bound.id);
        for class in &possible.also {
            supertypes.push(class.id);
            supertypes.extend_from_slice(&class.supertypes);
        }
        if !possible.others
            && let Some((first, rest)) = possible.known.split_first()
        {
            let shared = |id: &&ClassId| rest.iter().all(|class| class.supertypes.contains(id));
            supertypes.extend(first.supertypes.iter().filter(shared));
        }
        supertypes.sort();
        supertypes.dedup();
        let layout = self.layout_of(&possible);
        let class = Class {
            access: bound.access & !access::FINAL,
            super_class: Some(layout),
            form: bound.form,
            vtable: layout.vtable.clone(),
            defaults: layout.defaults.clone(),
            supertypes: supertypes.into(),
            is_valued: true,
            has_variables: layout.has_variables,
            possible: Some(Box::new(possible)),
            ..Class::blank(bound.name, bound.origin.clone())
        };
        let class = self.place(class);
        open.insert(key, class);
        Some(class)
    }

    /// The class whose fields all the possible ones have. Classes that are all known may share more than their bound: of `Base`, `Mid` and
    /// `Leaf1`, `Leaf2` below it, a call that selects `Mid.get` leaves the two leaves, and `Mid.get` reads a field of `Mid`.
    fn layout_of(&self, possible: &Possible) -> &'static Class {
        let bound = if possible.bound.is_interface() { self.known().object } else { possible.bound };
        let Some((first, rest)) = possible.known.split_first().filter(|_| !possible.others) else { return bound };
        let is_shared = |class: &&'static Class| rest.iter().all(|known| known.is_subtype_of(class));
        first.chain().find(is_shared).filter(|shared| shared.is_subtype_of(bound)).unwrap_or(bound)
    }

    /// The direct subclasses that a sealed class lists. One that cannot be loaded has no objects.
    fn permitted(&self, class: &'static Class) -> impl Iterator<Item = &'static Class> {
        let names = class.attributes().flat_map(|attribute| match attribute {
            AttributeData::PermittedSubclasses(names) => names.as_slice(),
            _ => &[],
        });
        // A class that does not extend this one is not sealed by it: so this ends, whatever the class files claim.
        names
            .filter_map(|name| self.load(name).ok())
            .filter(move |below| below.id != class.id && below.is_subtype_of(class))
    }

    /// May a class that extends or implements the one also be a subtype of the other?
    fn may_extend(&self, bound: &'static Class, tested: &'static Class, world: World) -> bool {
        if tested.is_array() {
            return bound.is_array() && tested.is_subtype_of(bound) && element_of(tested).access & access::FINAL == 0;
        }
        if bound.is_array() {
            return false;
        }
        // An input of a wider type may be a constant of an enumeration: what becomes of it then is not explored.
        if tested.access & access::ENUM != 0 && tested.is_subtype_of(bound) {
            return true;
        }
        world.has_others(self, tested) && (tested.is_interface() || bound.is_interface() || tested.is_subtype_of(bound))
    }

    /// May one of the classes that are not listed be an enumeration of the class path that passes a type test? Its constants are among the inputs of wider
    /// types in every world, and what becomes of one is not explored.
    pub(crate) fn may_be_constant(&self, possible: &Possible, tested: &'static Class) -> bool {
        let fits = |class: &Class| {
            class.access & access::ENUM != 0
                && class.is_subtype_of(tested)
                && class.is_subtype_of(possible.bound)
                && possible.also.iter().all(|also| class.is_subtype_of(also))
                && !possible.not.iter().any(|not| class.is_subtype_of(not))
        };
        possible.others && self.users().iter().any(|class| fits(class))
    }

    /// The name of a class without what it is nested in, unless another class of the user has the same.
    pub fn short_name(&self, class: &Class) -> String {
        let simple = simple_name(class.name);
        let same = self.all_users().by_simple_name.get(simple);
        let is_shared = same.is_some_and(|same| same.iter().any(|other| *other != class.id));
        if is_shared { class.java_name() } else { simple.to_string() }
    }

    /// All classes of the user that can be loaded, by name.
    pub fn users(&self) -> &[&'static Class] {
        &self.all_users().loaded
    }

    /// The classes of the user that extend or implement a class, directly or not, by name. One walk over the class path serves all
    /// questions: an `Object` field may hold an object of each class, and each of these has a superclass and fields to ask about.
    pub fn users_below(&self, class: &Class) -> &[&'static Class] {
        self.all_users().below.get(&class.id).map_or(&[], Vec::as_slice)
    }

    fn all_users(&self) -> &Users {
        self.users.get_or_init(|| {
            let mut users = Users::default();
            for name in self.path().user_classes() {
                match self.load(&name) {
                    Ok(class) => users.loaded.push(class),
                    Err(error) => users.failures.push((name, error)),
                }
            }
            for class in &users.loaded {
                users.by_simple_name.entry(simple_name(class.name)).or_default().push(class.id);
                for above in class.supertypes.iter().filter(|above| **above != class.id) {
                    users.below.entry(*above).or_default().push(class);
                }
            }
            users
        })
    }

    /// The classes of the user that cannot be loaded, each with the reason, if all classes were asked for.
    pub fn unloadable(&self) -> &[(String, LoadError)] {
        self.users.get().map_or(&[], |users| &users.failures)
    }
}

/// The name of a class without its package and what it is nested in.
fn simple_name(name: &str) -> &str {
    name.rsplit(['/', '$']).next().unwrap_or(name)
}

impl Class {
    /// The possible classes that an open class stands for; none if this is one class.
    #[inline]
    pub fn possible(&self) -> Option<&Possible> {
        self.possible.as_deref()
    }

    /// Can more become known about the class?
    #[inline]
    pub fn is_open(&self) -> bool {
        self.possible.is_some()
    }
}

/// Does the class list its direct subclasses?
fn is_sealed(class: &Class) -> bool {
    class.attributes().any(|attribute| matches!(attribute, AttributeData::PermittedSubclasses(_)))
}

/// Can a lambda implement the interface? It has one abstract method, of its own or inherited.
fn is_functional(interface: &Class) -> bool {
    let mut found: Vec<(&str, &str)> = Vec::new();
    let mut waiting: Vec<&Class> = vec![interface];
    while let Some(interface) = waiting.pop() {
        let of_object = |method: &&&'static Method| matches!(method.name, "equals" | "hashCode" | "toString");
        let own = interface.methods.iter().filter(|method| method.is_abstract() && !of_object(method));
        found.extend(own.map(|method| (method.name, method.descriptor)));
        waiting.extend(interface.interfaces.iter().copied());
    }
    found.sort();
    found.dedup();
    found.len() == 1
}

/// The class itself; of an array, the class of its innermost elements.
pub fn element_of(class: &Class) -> &Class {
    let mut element = class;
    while let Some(component) = element.component() {
        element = component;
    }
    element
}
