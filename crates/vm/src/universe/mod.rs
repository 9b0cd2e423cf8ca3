//! Which objects may an input be?
//!
//! The one place that answers it. For a reference of declared type T, a path that has met some inputs may find null, one of these inputs, an
//! object that a static field holds, or a new input, whose class is one of those that the world of classes allows. Techniques, the
//! search for valid inputs, lists, circuits, the SAT engine, `shapes` and `bounds` take their alternatives from here. Each
//! alternative that a bound or the world leaves out is told as a [`Restriction`], and the verdict lists those.

mod answers;
mod field_limit;
mod regions;
mod typed;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::library::{LibraryForm, LibraryRecipe, recipe_for, recipe_of};
use crate::outcome::{Answer, Place};
use crate::program::{
    Class, ClassId, GenericType, Method, Program, access, element_of, is_constant, is_end_of_name, readable_type,
};
use crate::state::State;
use crate::symbols::{Entry, Unknown};
use crate::value::{Kind, ObjId, UnknownId, Value};

pub use crate::program::World;
pub use answers::{Alternatives, Cx, alternatives};
pub use field_limit::{FieldLimit, FieldLimitError, FieldValues, LimitedField, LimitedValues};
pub(crate) use regions::RegionMap;
pub use regions::{Region, RegionError, RegionPlace, check_regions};
pub(crate) use typed::typed_fields;
pub use typed::{may_hold_read, obeys_arguments};

/// The bounds of the structures that are tried.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Input objects of each class. Default: 3.
    pub scope: usize,
    /// The same for single classes, by simple or full name. Default: none.
    pub scope_of: Vec<(String, usize)>,
    /// Input objects in all. Default: no bound.
    pub objects: Option<usize>,
    /// The longest chain of lazily initialised references, and the longest input array or string.
    /// Default: no bound on chains; arrays and strings as the scope.
    pub k: Option<usize>,
    /// Elements of one array that a path touches, at any index; arrays are then of any length. Default: the length of input arrays is bounded
    /// instead.
    pub touched: Option<usize>,
    /// Forks at one branch between two reads of something new. Default: 100.
    pub unroll: usize,
    /// Is that number only where to begin, so that whole programs are explored with larger ones while there is time?
    pub unrolls_further: bool,
    /// Choices on one path. Default: 10000.
    pub depth: usize,
    /// Which classes may inputs have besides those of the class path? Default: `World::ClassPath`.
    pub world: World,
    /// May strings of inputs hold any unit of UTF-16? Else they are Latin-1. Default: false.
    pub has_all_units: bool,
    /// How many bits the whole numbers of inputs have, their sign included. Default: as many as Java gives them.
    pub int_bits: Option<u32>,
    /// Fields of which fewer values are tried than their types allow. Default: none.
    pub fields: Vec<FieldLimit>,
    /// Parts of the input that are apart from each other and from the rest. Default: none.
    pub regions: Vec<Region>,
    /// Classes of which only calls make objects: none comes into being where a reference is read. Default: none.
    pub made: Arc<BTreeSet<ClassId>>,
    /// Are collections and the like made by their own constructors and methods? Else they are like other objects. Default: true.
    pub has_recipes: bool,
    /// Do fields hold only what constructors let through? Else they hold whatever their types allow. Default: false.
    pub is_constructed: bool,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            scope: 3,
            scope_of: Vec::new(),
            objects: None,
            k: None,
            touched: None,
            unroll: 100,
            unrolls_further: false,
            depth: 10_000,
            world: World::default(),
            has_all_units: false,
            int_bits: None,
            fields: Vec::new(),
            regions: Vec::new(),
            made: Arc::default(),
            has_recipes: true,
            is_constructed: false,
        }
    }
}

impl Bounds {
    /// The largest length of an input array or string.
    pub fn length(&self) -> usize {
        self.k.unwrap_or(self.scope)
    }

    /// The least and the greatest number that an input may have, if that is less than Java allows.
    pub fn numbers(&self) -> Option<(i64, i64)> {
        let greatest = i64::MAX >> (i64::BITS - self.int_bits?.clamp(1, i64::BITS));
        Some((-greatest - 1, greatest))
    }

    /// The recipe for the objects of a declared type, if the library's objects there are made by one.
    pub fn recipe_of(&self, declared: &Class) -> Option<&'static LibraryRecipe> {
        recipe_of(declared).filter(|_| self.has_recipes)
    }

    /// Iterations that ask nothing at all are cheap, so that many more of them are let pass than forks.
    pub fn iterations(&self) -> u32 {
        u32::try_from(self.unroll.saturating_mul(100)).unwrap_or(u32::MAX)
    }

    /// Do only calls make the objects that a class, or an open class, stands for? An unknown subclass has the fields of the class that it
    /// extends, and these are what calls leave there.
    pub fn is_made_by_calls(&self, class: &'static Class) -> bool {
        let is_made = |class: &&'static Class| self.made.contains(&class.id);
        match class.possible() {
            _ if self.made.is_empty() => false,
            None => is_made(&class),
            Some(possible) => {
                (possible.bound.chain().any(|above| is_made(&above)) || !possible.others)
                    && possible.known.iter().all(is_made)
            }
        }
    }

    /// How many input objects of a class (named with dots) there may be.
    pub fn scope_of(&self, class: &str) -> usize {
        let named = self.scope_of.iter().find(|(name, _)| is_end_of_name(name, class));
        named.map_or(self.scope, |(_, scope)| *scope)
    }
}

impl World {
    /// The restriction that this world means for objects of a declared type.
    pub fn restriction(self, program: &Program, declared: &'static Class) -> Option<Restriction> {
        let element = element_of(declared);
        if self.has_others(program, element) || !World::Open.has_others(program, element) {
            return None;
        }
        Some(if self == World::Closed { Restriction::Closed } else { Restriction::ClassPath })
    }
}

/// Something that leaves inputs out, so that the verdict does not speak of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Restriction {
    /// Objects are of classes on the class path, where their declared type is one of these.
    ClassPath,
    /// Objects are of classes on the class path, whatever their declared type is.
    Closed,
    /// Inputs refer only to the first few of the objects behind static fields.
    Statics,
    /// A static field that the program may change holds what the initialiser of its class left there: "Config.mode".
    InitialStatic {
        /// The field with its class.
        field: String,
    },
    /// Constants of an enumeration are no inputs, because the enumeration was not initialised before the method.
    NoConstants {
        /// The simple name of the enumeration.
        class: String,
    },
    /// Constructors never leave a field null, and nothing else assigns null: "Cart.lines".
    NeverNull {
        /// The field with the simple name of its class.
        field: String,
    },
    /// A field of inputs has only some of the values that its type allows, because the request says so.
    Field {
        /// The field as the request names it.
        field: String,
        /// The values.
        values: FieldValues,
    },
    /// Parts of the input are apart from each other, because the request says so.
    Regions {
        /// For each part the places that lead into it.
        regions: Vec<Vec<String>>,
    },
    /// Arrays in fields and in other arrays have exactly their declared type.
    ExactArrays,
    /// The receiver is none of the objects behind static fields, though some have its class.
    NewReceiver,
    /// Objects of a class of the JDK, or arrays, that calls hand out or take are changed by calls of the user's classes only.
    OnlyByCalls {
        /// The class, with dots.
        class: String,
        /// Do other calls take all elements out, too?
        is_emptied: bool,
    },
    /// Objects of a type of the library are of one class: an `ArrayList` stands behind `List`.
    Represented {
        /// The simple name of the declared type.
        declared: String,
        /// The simple name of the class.
        class: String,
    },
    /// Objects of a class of the library are filled from `new C()`, and their keys or elements have not changed since. Another comparator, capacity or
    /// order of access, and keys that are not where they belong, show in how such an object behaves.
    Filled {
        /// The simple name of the class.
        class: String,
    },
    /// Collections, and objects of generic classes, whose declared type arguments differ are different objects.
    Apart {
        /// The simple name of the declared type.
        declared: String,
    },
    /// Code that is not there gives only such objects of a class as calls made before.
    ResultsMade {
        /// The simple name of the class.
        class: String,
    },
    /// Objects of a class of the library are those that one of its methods makes.
    MadeBy {
        /// The simple name of the class.
        class: String,
        /// The method, as it is called: "BigDecimal.valueOf(long, int)".
        method: String,
    },
    /// Calls that make inputs return or refuse: one that fails may change objects before, and what it leaves behind was not tried.
    ReturningCalls,
    /// Calls hand out the objects that they make: one that is passed on by a callback, an array or an exception only was not tried.
    HandedOut {
        /// The simple name of the class.
        class: String,
    },
    /// Methods of this class, which use private members of the class whose objects calls make, were not called.
    Uncalled {
        /// The class, with dots.
        class: String,
    },
    /// Objects of one declared type: "3 Node objects".
    Scope {
        /// The simple name of the declared type.
        class: String,
        /// The greatest number of such objects.
        most: usize,
    },
    /// Calls and assignments that make the inputs of one path.
    Calls {
        /// The greatest number of calls.
        most: usize,
    },
    /// Objects in all.
    Objects {
        /// The greatest number of objects.
        most: usize,
    },
    /// References from a root.
    Chain {
        /// The greatest number of references.
        most: usize,
    },
    /// Elements of an array.
    ArrayLength {
        /// The greatest length.
        most: usize,
    },
    /// Elements of an array of unknown length that a path touches.
    Touched {
        /// The greatest number.
        most: usize,
    },
    /// Changes from a thread that could go on to another, on one path.
    Preemptions {
        /// The greatest number.
        most: usize,
    },
    /// Arrays in a new array of arrays.
    Rows {
        /// The greatest number.
        most: usize,
    },
    /// Elements of a collection, or pairs of a map.
    Elements {
        /// The greatest number.
        most: usize,
    },
    /// Characters of a string, which are units of UTF-16.
    TextLength {
        /// The greatest length.
        most: usize,
        /// Are all of them Latin-1?
        is_latin: bool,
    },
    /// Bytes of standard input.
    StandardInput {
        /// The greatest number.
        most: usize,
    },
    /// Arguments of the program.
    Arguments {
        /// The greatest number.
        most: usize,
    },
}

impl Restriction {
    /// Does a larger scope leave out less?
    pub fn is_bound(&self) -> bool {
        use Restriction::*;
        !matches!(
            self,
            ClassPath
                | Closed
                | Statics
                | ExactArrays
                | NewReceiver
                | InitialStatic { .. }
                | NoConstants { .. }
                | NeverNull { .. }
                | Field { .. }
                | Regions { .. }
                | OnlyByCalls { .. }
                | Represented { .. }
                | Filled { .. }
                | Apart { .. }
                | ResultsMade { .. }
                | MadeBy { .. }
                | ReturningCalls
                | HandedOut { .. }
                | Uncalled { .. }
                | Arguments { .. }
        )
    }

    /// Is it the bound on calls that make inputs?
    pub fn is_about_calls(&self) -> bool {
        self.calls().is_some()
    }

    /// How many calls make the inputs of one path at most, if that is the restriction.
    pub fn calls(&self) -> Option<usize> {
        match self {
            Restriction::Calls { most } => Some(*most),
            _ => None,
        }
    }

    /// An enumeration that is not initialised has no constants yet, which are no inputs then.
    fn no_constants(program: &Program, state: &State, class: &'static Class) -> Option<Restriction> {
        let is_missing = class.enum_constants().next().is_some() && enum_constants(program, state, class).is_empty();
        is_missing.then(|| Restriction::NoConstants { class: program.short_name(class) })
    }

    /// Of objects of a type of the library that are of one class.
    pub fn represented(declared: &Class, class: &Class) -> Restriction {
        Restriction::Represented { declared: simple_name(declared), class: simple_name(class) }
    }

    /// The bound on objects of a declared type.
    pub fn scope(bounds: &Bounds, declared: &'static Class) -> Restriction {
        let element = readable_type(&declared.descriptor());
        let class = element.rsplit(['.', '$']).next().unwrap_or(&element).to_string();
        Restriction::Scope { class, most: bounds.scope_of(&declared.java_name()) }
    }

    /// The bound that keeps an input small of which it becomes known only now that it is an array or a string.
    pub fn length(program: &Program, bounds: &Bounds, was: &Class, is: &Class) -> Option<Restriction> {
        let (most, string) = (bounds.length(), program.known().string);
        if is.is_array() && !was.is_array() {
            bounds.touched.is_none().then_some(Restriction::ArrayLength { most })
        } else if is.id == string.id && was.id != string.id {
            Some(Restriction::TextLength { most, is_latin: !bounds.has_all_units })
        } else {
            None
        }
    }
}

/// May the receiver be an object behind a static field? No path tries that.
pub fn receiver_restriction(
    program: &Program,
    state: &State,
    receiver: &Class,
    target: &'static Method,
) -> Option<Restriction> {
    let may_receive = |class: &'static Class| {
        class.is_subtype_of(receiver) && program.select(class, target).is_some_and(|found| found.id == target.id)
    };
    let mut held = state.held_by_statics().iter().map(|held| state.heap.class(held.object));
    held.any(may_receive).then_some(Restriction::NewReceiver)
}

/// The class of which no program makes an object.
pub const NO_OBJECTS: &str = "java/lang/Void";

/// The class that all records extend.
const RECORD: &str = "java/lang/Record";

/// The objects that a reference may denote.
#[derive(Default)]
pub struct Objects {
    /// One answer per object, and null where it is possible.
    pub answers: Vec<Answer>,
    /// The restrictions that left an answer out, or kept one small.
    pub restrictions: Vec<Restriction>,
    /// Is the reference null only because no class is known that an object could have?
    pub is_void: bool,
}

/// A reference of an input that is not decided.
pub struct Reference<'a> {
    /// The declared type.
    pub declared: &'static Class,
    /// The same with its arguments, if it has some.
    pub generic: Option<&'a GenericType>,
    /// May it be null?
    pub may_be_null: bool,
    /// How many references lead to it from a root.
    pub depth: u32,
    /// Does it come from a caller? Only such arrays are tried that are of a subtype of their declared type.
    pub is_callers: bool,
    /// The call of code that is not there which gave it.
    pub call: Option<u32>,
    /// Which reference or place it is, where regions tell what it leads to.
    pub origin: Option<ReferenceOrigin>,
}

/// The reference of a question.
#[derive(Clone, Copy)]
pub enum ReferenceOrigin {
    /// One that is not decided.
    Undecided(UnknownId),
    /// The one that a place held at entry.
    Held(Place),
}

impl<'a> From<&'a Unknown> for Reference<'a> {
    fn from(unknown: &'a Unknown) -> Reference<'a> {
        let Unknown { declared, may_be_null, depth, is_callers, call, .. } = *unknown;
        let generic = unknown.generic.as_deref();
        Reference { declared, generic, may_be_null, depth, is_callers, call, origin: None }
    }
}

/// Lists the objects that a reference may denote: null, every input that fits, what static fields hold, and a new one if the bounds allow.
pub fn objects(program: &Program, bounds: &Bounds, state: &State, reference: &Reference) -> Objects {
    let Reference { declared, may_be_null, depth, is_callers, .. } = *reference;
    let mut found = Objects::default();
    if may_be_null {
        found.answers.push(Answer::Null);
    }
    if declared.access & access::ENUM != 0 {
        found.answers.extend(enum_constants(program, state, declared).into_iter().map(Answer::Alias));
        found.restrictions.extend(Restriction::no_constants(program, state, declared));
        if is_mutable(declared) {
            found.restrictions.push(Restriction::InitialStatic {
                field: format!("the constants of {}", program.short_name(declared)),
            });
        }
        return found;
    }
    if declared.name == NO_OBJECTS {
        return found;
    }
    let scope = match bounds.scope_of.is_empty() {
        true => bounds.scope,
        false => bounds.scope_of(&declared.java_name()),
    };
    let count = state.symbols.inputs.iter().filter(|input| input.counted.id == declared.id).count();
    let recipe = bounds.recipe_of(declared);
    let constants = recipe.and_then(|recipe| recipe.constants_of(reference.generic));
    if recipe.is_some_and(|recipe| recipe.is_of_constants()) && constants.is_none() {
        // Of which enumeration the constants are is not known.
        found.is_void = true;
        return found;
    }
    let regions = RegionMap::of(&bounds.regions, state);
    let region = match reference.origin {
        Some(ReferenceOrigin::Undecided(id)) => regions.of_reference(id),
        Some(ReferenceOrigin::Held(place)) => regions.of_place(&bounds.regions, state, place),
        None => None,
    };
    let is_apart = |object: ObjId| region.zip(regions.of_object(object)).is_some_and(|(one, other)| one != other);
    for input in state.symbols.inputs.iter().filter(|input| !is_apart(input.object)) {
        // An object that a call by contract made comes out of that call, and of later ones; nothing referred to it before (Kiasan's context versions).
        let made = state.symbols.made_by_call(input.object);
        if made.is_some_and(|made| reference.call.is_none_or(|call| call < made)) {
            continue;
        }
        let was = state.heap.class(input.object);
        if let Some(narrower) = program.split(was, declared).yes
            && may_become(program, state, input.object, narrower)
        {
            // An object of some class that no call made is of none whose objects only calls make.
            if narrower.id != was.id && bounds.is_made_by_calls(narrower) && !bounds.is_made_by_calls(was) {
                continue;
            }
            if !typed::may_be_shared(program, input, narrower, reference.generic) {
                found.restrictions.push(Restriction::Apart { declared: simple_name(declared) });
                continue;
            }
            if !typed::may_hold_read(program, state, input, narrower, reference.generic) {
                continue;
            }
            if let Some(recipe) = recipe
                && !may_be_built(program, bounds.world, was, declared, recipe)
            {
                let class = recipe.told().to_string();
                found.restrictions.push(Restriction::Represented { declared: simple_name(declared), class });
                continue;
            }
            let is_typed = matches!(input.entry, Entry::Built(_)) || input.generic.is_some();
            let is_of_library = recipe_of(was).or_else(|| recipe_for(was)).is_some();
            if is_typed && is_of_library && !is_within(program, input.generic.as_deref(), reference) {
                found.restrictions.push(Restriction::Apart { declared: simple_name(declared) });
                continue;
            }
            if input.counts_anew_as(declared) && count >= scope {
                found.restrictions.push(Restriction::scope(bounds, declared));
                continue;
            }
            found.answers.push(Answer::Alias(input.object));
            found.restrictions.extend(Restriction::length(program, bounds, was, narrower));
        }
    }
    // An object that a static field has held since its class was initialised was there at entry too: a sentinel, say.
    for held in state.held_by_statics().iter().filter(|held| !is_apart(held.object)) {
        let class = state.heap.class(held.object);
        let is_of_other_type = || {
            let types = held.generic.as_deref().zip(reference.generic);
            types.is_some_and(|(one, other)| !program.may_be_both(one, other))
        };
        let fits = reference.generic.is_none_or(|generic| program.may_have_type(class, generic));
        if !fits || !may_stand_at(program, class, declared) {
            continue;
        }
        if is_of_other_type() {
            found.restrictions.push(Restriction::Apart { declared: simple_name(declared) });
        } else {
            found.answers.push(Answer::Alias(held.object));
            if is_constant(class) && is_mutable(class) {
                let field = format!("the constants of {}", program.short_name(class));
                found.restrictions.push(Restriction::InitialStatic { field });
            }
        }
    }
    let behind = program.enumerations_behind(declared);
    found.restrictions.extend(behind.filter_map(|class| Restriction::no_constants(program, state, class)));
    if state.symbols.has_more_held {
        found.restrictions.push(Restriction::Statics);
    }
    // Code that is not there may give what it was handed before, also where the program itself made it.
    let place = match reference.origin {
        Some(ReferenceOrigin::Held(place)) => Some(place),
        Some(ReferenceOrigin::Undecided(id)) => state.symbols.unknown(id).place,
        None => None,
    };
    let is_result = place.is_none();
    let is_element = place.is_some_and(|place| state.heap.class(place.object).is_array());
    let call = reference.call.filter(|_| !is_element);
    let handed = state.symbols.handed.iter().filter(|handed| call.is_some_and(|call| handed.call <= call));
    // A text or a box that such code puts into an object may as well be one of its own.
    let is_value = |object: ObjId| {
        let class = state.heap.class(object);
        class.is_box || class.id == program.known().string.id
    };
    for object in handed.map(|handed| handed.object).filter(|object| is_result || !is_value(*object)) {
        let is_listed =
            state.symbols.input(object).is_some() || state.held_by_statics().iter().any(|held| held.object == object);
        if !is_listed && program.split(state.heap.class(object), declared).yes.is_some() {
            found.answers.push(Answer::Alias(object));
        }
    }
    let possible = match recipe {
        Some(_) => program.beside_library(declared, bounds.world),
        None => program.possible_classes(declared, bounds.world),
    };
    let possible = possible.and_then(|class| program.with_arguments(class, reference.generic));
    if recipe.is_none() && possible.is_none() {
        found.is_void = program.enumerations_behind(declared).next().is_none();
        return found;
    }
    let mut reached: Vec<Restriction> = Vec::new();
    if count >= scope {
        reached.push(Restriction::scope(bounds, declared));
    }
    if let Some(most) = bounds.objects.filter(|most| state.symbols.inputs.len() >= *most) {
        reached.push(Restriction::Objects { most });
    }
    if let Some(most) = bounds.k.filter(|k| depth as usize > *k) {
        reached.push(Restriction::Chain { most });
    }
    if let Some(recipe) = recipe.filter(|_| reached.is_empty()) {
        let most = bounds.length();
        let sizes = recipe.sizes(most, constants);
        let has_all = recipe.is_of_constants() && *recipe.sizes(most + 1, constants).end() <= most;
        found.answers.extend(sizes.map(|size| Answer::Build { recipe, size }));
        if recipe.is_unlimited() && !has_all {
            found.restrictions.push(Restriction::Elements { most });
        }
        let class = recipe.told().to_string();
        if !recipe.is_told_by_contents() {
            found.restrictions.push(Restriction::Filled { class: class.clone() });
        }
        // All objects of `EnumSet` are of classes of the JDK.
        if declared.access & access::FINAL == 0 && recipe.form != LibraryForm::Constants {
            found.restrictions.push(Restriction::Represented { declared: simple_name(declared), class });
        }
    }
    let Some(possible) = possible else {
        found.restrictions.extend(reached);
        return found;
    };
    if reached.is_empty() && bounds.is_made_by_calls(possible) {
        // The objects that calls made are among the inputs.
        found.restrictions.extend(World::ClassPath.restriction(program, declared));
        if reference.call.is_some() {
            found.restrictions.push(Restriction::ResultsMade { class: simple_name(declared) });
        }
        return found;
    }
    if reached.is_empty() {
        found.answers.push(Answer::Fresh);
        reached.extend(Restriction::length(program, bounds, program.known().object, declared));
        reached.extend(bounds.world.restriction(program, declared));
        if declared.is_array() && possible.is_open() && !is_callers {
            reached.push(Restriction::ExactArrays);
        }
    }
    found.restrictions.extend(reached);
    found
}

/// May an object of this class stand at a place whose objects of the library are made by a recipe? One of which only interfaces are known is of the library's class
/// there, or of a class of the user: no `Repository` of unknown class is a `List` as well, of a size below zero.
fn may_be_built(
    program: &Program,
    world: World,
    class: &Class,
    declared: &'static Class,
    recipe: &LibraryRecipe,
) -> bool {
    let Some(possible) = class.possible().filter(|_| world != World::Open && !class.is_subtype_of(declared)) else {
        return true;
    };
    let fits = |built: &Class| {
        let mut above = possible.also.iter().chain([&possible.bound]);
        above.all(|above| built.is_subtype_of(above)) && !possible.not.iter().any(|not| built.is_subtype_of(not))
    };
    let is_users = |class: &&'static Class| class.is_subtype_of(declared);
    possible.known.iter().any(is_users)
        || program.users_below(declared).iter().any(|class| fits(class))
        || program.load(recipe.class).is_ok_and(fits)
}

/// Is an object of the library, which was made for one declared type, also of another one?
fn is_within(program: &Program, made: Option<&GenericType>, reference: &Reference) -> bool {
    let Some(made) = made else { return reference.generic.is_none_or(|generic| generic.arguments.is_empty()) };
    let Some(wanted) = reference.generic else { return true };
    if made.arguments.len() != wanted.arguments.len() {
        let is_any = |argument: &GenericType| !argument.is_exact && argument.class.id == program.known().object.id;
        return wanted.arguments.iter().all(is_any);
    }
    made.arguments.iter().zip(&wanted.arguments).all(|(made, wanted)| made.is_within(wanted))
}

fn simple_name(class: &Class) -> String {
    class.name.rsplit(['/', '$']).next().unwrap_or(class.name).to_string()
}

/// The restriction by which a field is not null though it could be by its type: the guarantee of the constructors of its class, where the
/// inputs are objects that constructors made.
pub fn never_null(program: &Program, bounds: &Bounds, state: &State, place: Place) -> Option<Restriction> {
    let (class, field) = state.heap.class(place.object).declaration_at(place.slot).filter(|_| bounds.is_constructed)?;
    let told = || Restriction::NeverNull { field: format!("{}.{}", simple_name(class), field.name) };
    program.is_never_null(class, field).then(told)
}

/// May the place hold null? An object of an inner class has an outer one: no constructor leaves it out.
pub fn may_hold_null(state: &State, place: Place) -> bool {
    let field = state.heap.class(place.object).field_at(place.slot);
    !field.is_some_and(|field| field.access & access::SYNTHETIC != 0 && field.name.starts_with("this$"))
}

/// Can the place hold the object? The components of a record are there before it, so that no record is one of its own components, or one of
/// theirs.
pub fn may_hold(state: &State, place: Place, object: ObjId) -> bool {
    let is_record = |object: ObjId| state.heap.class(object).super_class.is_some_and(|above| above.name == RECORD);
    if !is_record(place.object) {
        return true;
    }
    let mut waiting = vec![object];
    let mut seen: Vec<ObjId> = Vec::new();
    while let Some(component) = waiting.pop() {
        if component == place.object {
            return false;
        }
        if seen.contains(&component) || !is_record(component) {
            continue;
        }
        seen.push(component);
        if let Some(Entry::Fields(fields)) = state.symbols.input(component).map(|input| &input.entry) {
            waiting.extend(fields.iter().filter_map(|value| match state.symbols.settled(*value) {
                Value::Ref(object) => object,
                _ => None,
            }));
        }
    }
    true
}

/// Can an input be of this class, given what it holds? The elements of an array that the path has read, or the arrays in these, may be of no class that
/// an array of this type takes: an `Object[]` that contains itself is no `Node[]`.
pub fn may_become(program: &Program, state: &State, object: ObjId, class: &'static Class) -> bool {
    let mut waiting = vec![(object, class)];
    let mut seen: Vec<(ObjId, u32)> = Vec::new();
    while let Some((object, class)) = waiting.pop() {
        let Some(component) = class.component().filter(|component| component.kind() == Kind::Reference) else {
            continue;
        };
        if seen.contains(&(object, class.id.index() as u32)) {
            continue;
        }
        seen.push((object, class.id.index() as u32));
        for element in read_elements(state, object) {
            match program.split(state.heap.class(element), component).yes {
                Some(narrower) => waiting.push((element, narrower)),
                None => return false,
            }
        }
    }
    true
}

/// The objects that an input array held at entry, as far as the path has read them.
pub fn read_elements(state: &State, array: ObjId) -> Vec<ObjId> {
    let Some(Entry::Elements(elements)) = state.symbols.input(array).map(|input| &input.entry) else {
        return Vec::new();
    };
    let object = |value: Value| match state.symbols.settled(value) {
        Value::Ref(object) => object,
        _ => None,
    };
    elements.iter().filter_map(|(_, value)| object(*value)).collect()
}

/// May an object of a static field stand at a place of a declared type? Constants of enumerations do where they implement an interface of the user's; behind wider
/// types, such as `Object`, what becomes of one is not explored.
pub fn may_stand_at(program: &Program, class: &'static Class, declared: &'static Class) -> bool {
    program.split(class, declared).yes.is_some() && (!is_constant(class) || declared.is_users())
}

/// The constants of an enumeration that is initialised, in order of declaration.
pub fn enum_constants(program: &Program, state: &State, class: &'static Class) -> Vec<ObjId> {
    let Some(mirror) = state.classes.slot(class.id).mirror else { return Vec::new() };
    let object = |field| match state.heap.field(mirror, program.slot_of(field) as usize) {
        Value::Ref(object) => object,
        _ => None,
    };
    class.enum_constants().filter_map(object).collect()
}

/// Can objects of the class change? Of a class of the JDK, that is known of few.
pub fn is_mutable(class: &'static Class) -> bool {
    if class.is_array() {
        return true;
    }
    const CONSTANT: [&str; 8] = [
        "java/lang/String",
        "java/lang/Class",
        "java/lang/Object",
        "java/math/BigInteger",
        "java/math/BigDecimal",
        "java/util/regex/Pattern",
        "java/util/Optional",
        "java/lang/Enum",
    ];
    let is_known = |class: &Class| {
        class.is_box
            || CONSTANT.contains(&class.name)
            || class.name.starts_with("java/time/")
            || class.name.starts_with("java/util/ImmutableCollections$")
    };
    // The captured values of a lambda stay.
    if class.is_users() && class.file.is_none() {
        return false;
    }
    class.chain().any(|class| match class.is_users() || class.access & access::ENUM != 0 {
        true => class.fields.iter().any(|field| !field.is_static() && field.access & access::FINAL == 0),
        false => !is_known(class) && class.name != "java/lang/Record" && class.name != "java/lang/Number",
    })
}
