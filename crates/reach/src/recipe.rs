//! By which calls are the inputs of a method made, under a technique that has them made so?

use lazuli_spec::{ContractError, ContractOptions, invariant_of, parameter_classes};
use lazuli_vm::program::{Class, Method, Program, access, has_parameters, signature};
use lazuli_vm::universe::Bounds;
use lazuli_vm::value::Kind;

/// How one input is made.
#[derive(Clone)]
pub struct Recipe {
    /// Which of the receiver and the parameters it is.
    pub root: usize,
    /// May it be null, or an input that was made before it?
    pub is_parameter: bool,
    /// The class of the object to make.
    pub class: &'static Class,
    /// The constructor that makes it.
    pub constructor: &'static Method,
    /// The methods that may be called on it then.
    pub methods: Vec<&'static Method>,
    /// How often, all of them together.
    pub calls: usize,
}

/// Why no recipe can be made of the methods that a request names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecipeError {
    /// The types of the parameters cannot be loaded.
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// An abstract class has no objects.
    #[error("{class} is abstract")]
    Abstract {
        /// The class, with dots.
        class: String,
    },
    /// All constructors of the class are private.
    #[error("{class} has no constructor that others may call")]
    NoConstructor {
        /// The class, with dots.
        class: String,
    },
    /// None of the constructors is without parameters, and the request names none.
    #[error("{class} has several constructors: {constructors:?}")]
    SeveralConstructors {
        /// The class, with dots.
        class: String,
        /// The constructors, at least two, as a request may name them.
        constructors: Vec<String>,
    },
    /// The request names a method that the class has not.
    #[error("{class} has no method {wanted}")]
    NoSuchMethod {
        /// The class, with dots.
        class: String,
        /// The name as it was given.
        wanted: String,
        /// The methods that the class has.
        methods: Vec<String>,
    },
    /// The target has no receiver, and no parameter has an invariant and a method of the given names.
    #[error("{target} takes no object that calls could make")]
    NothingToMake {
        /// The target: `acme.Map.put(int)`.
        target: String,
    },
}

/// The recipes for the receiver, and for the parameters that have an invariant, from the methods that `build` names.
pub fn recipes(
    program: &Program,
    method: &'static Method,
    build: &[String],
    options: &ContractOptions,
    bounds: &Bounds,
) -> Result<Vec<Recipe>, RecipeError> {
    let wanted: Vec<Wanted> = build.iter().map(|text| Wanted::parse(text)).collect();
    let receiver = (!method.is_static() && method.name != "<init>").then(|| method.class());
    let mut recipes = Vec::new();
    if let Some(class) = receiver {
        let methods = methods_of(program, class, &wanted);
        if methods.is_empty() {
            return Err(no_such_method(class, &wanted[0]));
        }
        recipes.push(Recipe {
            root: 0,
            is_parameter: false,
            class,
            constructor: constructor_of(class, &wanted)?,
            methods,
            calls: bounds.scope_of(&class.java_name()),
        });
    }
    let parameters = parameter_classes(program, method)?;
    for (index, class) in parameters.into_iter().enumerate() {
        let may_be_made = class.kind() == Kind::Reference && !class.is_array() && class.access & access::ENUM == 0;
        let methods = methods_of(program, class, &wanted);
        if may_be_made
            && !methods.is_empty()
            && !invariant_of(program, class, options).is_empty()
            && let Ok(constructor) = constructor_of(class, &wanted)
        {
            let root = index + receiver.is_some() as usize;
            let calls = bounds.scope_of(&class.java_name());
            recipes.push(Recipe { root, is_parameter: true, class, constructor, methods, calls });
        }
    }
    if recipes.is_empty() {
        let target = format!("{}.{}", method.class().java_name(), signature(method));
        return Err(RecipeError::NothingToMake { target });
    }
    let is_used = |wanted: &Wanted| recipes.iter().any(|recipe| wanted.fits_any(program, recipe.class));
    match wanted.iter().find(|wanted| !is_used(wanted)) {
        Some(unused) => Err(no_such_method(recipes[0].class, unused)),
        None => Ok(recipes),
    }
}

/// A method as `--build` names it.
struct Wanted<'a> {
    text: &'a str,
    /// `acme.Map` in `acme.Map.put(int)`.
    class: Option<&'a str>,
    name: &'a str,
    parameters: Option<&'a str>,
}

impl<'a> Wanted<'a> {
    fn parse(text: &'a str) -> Wanted<'a> {
        let (path, parameters) = match text.find('(') {
            Some(start) => (&text[..start], Some(&text[start..])),
            None => (text, None),
        };
        let (class, name) = path.rsplit_once('.').map_or((None, path), |(class, name)| (Some(class), name));
        Wanted { text, class, name, parameters }
    }

    fn is_constructor(&self) -> bool {
        self.name == "new"
    }

    fn fits(&self, class: &'static Class, method: &Method) -> bool {
        let own = if self.is_constructor() { "<init>" } else { self.name };
        // Programs cannot call a private one: it is meant only if its parameters are written.
        let is_meant = !method.is_private() || self.parameters.is_some();
        method.name == own
            && is_meant
            && self.class.is_none_or(|wanted| class.is_called(wanted))
            && self.parameters.is_none_or(|parameters| has_parameters(method, parameters))
    }

    fn fits_any(&self, program: &Program, class: &'static Class) -> bool {
        match self.is_constructor() {
            true => constructors(class).any(|constructor| self.fits(class, constructor)),
            false => callable(program, class).any(|method| self.fits(class, method)),
        }
    }
}

/// The methods of a class that are wanted, inherited ones included, in the order in which they are named.
fn methods_of(program: &Program, class: &'static Class, wanted: &[Wanted]) -> Vec<&'static Method> {
    let mut found: Vec<&'static Method> = Vec::new();
    for wanted in wanted.iter().filter(|wanted| !wanted.is_constructor()) {
        for method in callable(program, class).filter(|method| wanted.fits(class, method)) {
            if !found.iter().any(|known| known.id == method.id) {
                found.push(method);
            }
        }
    }
    found
}

/// The methods that others may call on an object of exactly this class. A private overload is never meant by its name.
fn callable<'a>(program: &'a Program, class: &'static Class) -> impl Iterator<Item = &'static Method> + 'a {
    let all = class.chain().flat_map(|class| class.methods.iter().copied());
    let unwanted = access::ABSTRACT | access::NATIVE | access::SYNTHETIC | access::STATIC | access::PRIVATE;
    all.filter(move |method| {
        method.access & unwanted == 0
            && !method.name.starts_with('<')
            && program.find_method(class, method.name, method.descriptor).is_some_and(|found| found.id == method.id)
    })
}

fn constructors(class: &'static Class) -> impl Iterator<Item = &'static Method> {
    let unwanted = access::SYNTHETIC | access::PRIVATE;
    class.methods.iter().copied().filter(move |method| method.name == "<init>" && method.access & unwanted == 0)
}

/// The constructor that is asked for; else the one without parameters; else the only one.
fn constructor_of(class: &'static Class, wanted: &[Wanted]) -> Result<&'static Method, RecipeError> {
    if class.is_abstract() {
        return Err(RecipeError::Abstract { class: class.java_name() });
    }
    let asked = |constructor: &&'static Method| {
        wanted.iter().any(|wanted| wanted.is_constructor() && wanted.fits(class, constructor))
    };
    let is_asked = constructors(class).any(|constructor| asked(&constructor));
    let possible: Vec<&'static Method> = match is_asked {
        true => constructors(class).filter(asked).collect(),
        false => constructors(class).collect(),
    };
    let plain = possible.iter().find(|constructor| constructor.parameters.is_empty());
    match (plain, possible.as_slice()) {
        (Some(plain), _) => Ok(plain),
        (None, [only]) => Ok(only),
        (None, []) => Err(RecipeError::NoConstructor { class: class.java_name() }),
        (None, several) => {
            let constructors = several.iter().map(|constructor| signature(constructor)).collect();
            Err(RecipeError::SeveralConstructors { class: class.java_name(), constructors })
        }
    }
}

fn no_such_method(class: &'static Class, wanted: &Wanted) -> RecipeError {
    let is_shown = |method: &&Method| {
        let hidden = access::ABSTRACT | access::NATIVE | access::SYNTHETIC | access::STATIC;
        method.access & hidden == 0 && method.name != "<clinit>"
    };
    let methods = class.methods.iter().copied().filter(is_shown).map(signature).collect();
    RecipeError::NoSuchMethod { class: class.java_name(), wanted: wanted.text.to_string(), methods }
}
