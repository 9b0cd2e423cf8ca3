//! What do the names in a specification stand for? Types, members, and which of the declared methods is which.

use std::collections::HashSet;
use std::sync::Arc;

use lazuli_jml::{CompilationUnit, Complaint, MethodDeclaration, Span, TypeDeclaration, TypeName, TypeParameter};
use lazuli_vm::program::{CallSite, Class, Field, Method, Program, access, descriptor, readable_type};
use lazuli_vm::value::Kind;

/// Gives the file in which a class is specified, if there is one.
pub type Files<'a> = &'a dyn Fn(&Class) -> Result<Option<Arc<CompilationUnit>>, Complaint>;

/// Where something is said: names mean what they mean there.
#[derive(Clone)]
pub(super) struct Context {
    /// The file, with its imports.
    pub unit: Arc<CompilationUnit>,
    /// The class whose members need no qualification.
    pub class: &'static Class,
    /// Those of the class, of the classes around it, and of the method.
    pub type_parameters: Vec<TypeParameter>,
}

/// The declaration of a class, and where it stands.
#[derive(Clone)]
pub(super) struct Declared {
    /// The context in which names of the declaration are looked up.
    pub context: Context,
    /// By position: in the file, then in the type around it, and so on.
    path: Vec<usize>,
}

impl Declared {
    /// Finds the declaration of a class in the files.
    pub(super) fn find(files: Files, class: &'static Class) -> Result<Option<Declared>, Complaint> {
        if class.is_array() || class.kind() != Kind::Reference {
            return Ok(None);
        }
        let Some(unit) = files(class)? else { return Ok(None) };
        if unit.package.replace('.', "/") != class.package() {
            return Ok(None);
        }
        let local = class.name.rsplit('/').next().unwrap_or(class.name);
        let (mut path, mut type_parameters) = (Vec::new(), Vec::new());
        let mut types = &unit.types;
        for part in local.split('$') {
            let Some(at) = types.iter().position(|declared| declared.name == part) else { return Ok(None) };
            path.push(at);
            type_parameters.extend(types[at].type_parameters.iter().cloned());
            types = &types[at].types;
        }
        Ok(Some(Declared { context: Context { unit, class, type_parameters }, path }))
    }

    /// The syntax tree of the class itself.
    pub(super) fn declaration(&self) -> &TypeDeclaration {
        self.around().pop().expect("a path has a beginning")
    }

    /// Does the class, or one around it, say that what it declares may be null?
    pub(super) fn is_nullable_by_default(&self) -> bool {
        self.around().iter().any(|declared| declared.is_nullable_by_default)
    }

    /// The declarations on the way to this one, which is the last.
    fn around(&self) -> Vec<&TypeDeclaration> {
        let mut types = &self.context.unit.types;
        let mut found = Vec::new();
        for at in &self.path {
            found.push(&types[*at]);
            types = &types[*at].types;
        }
        found
    }

    /// Complains of what the class does not have: what is said of that would go unheard.
    pub(super) fn check(&self) -> Result<(), Complaint> {
        let class = self.context.class;
        let missing = |what: String| {
            format!(
                "{} has no {what}; is it misspelt, or was the class compiled from another source?",
                class.java_name()
            )
        };
        for field in &self.declaration().fields {
            if !class.fields.iter().any(|known| known.name == field.name) {
                return Err(self.context.complain(field.span, missing(format!("field {}", field.name))));
            }
        }
        let methods = self.declaration().methods.iter();
        for declared in methods.filter(|declared| !declared.cases.is_empty() || declared.is_pure) {
            let is_it = |method: &&Method| self.method(method).is_some_and(|found| std::ptr::eq(found, declared));
            if let Some(name) = declared.name.as_ref().filter(|_| !class.methods.iter().any(|method| is_it(&&**method)))
            {
                let types =
                    declared.parameters.iter().map(|parameter| self.erased(&parameter.of, &declared.type_parameters));
                let types = types.collect::<Vec<_>>().join(", ");
                return Err(self.context.complain(declared.span, missing(format!("method {name}({types})"))));
            }
        }
        Ok(())
    }

    /// The declaration of a method of the class.
    pub(super) fn method(&self, method: &Method) -> Option<&MethodDeclaration> {
        let (parameters, _) = descriptor::method(method.descriptor)?;
        let name = (method.name != "<init>").then_some(method.name);
        let wanted: Vec<String> = parameters.iter().map(|parameter| simple(&readable_type(parameter))).collect();
        self.declaration().methods.iter().find(|declared| {
            let types =
                declared.parameters.iter().map(|parameter| self.erased(&parameter.of, &declared.type_parameters));
            declared.name.as_deref() == name && types.eq(wanted.iter().cloned())
        })
    }

    /// The simple name of a type as the class file has it: type variables are what they extend.
    fn erased(&self, of: &TypeName, own: &[TypeParameter]) -> String {
        let all = || own.iter().chain(self.context.type_parameters.iter().rev());
        let mut name = simple(&of.name);
        // A type variable may extend another one, but not itself.
        for _ in 0..8 {
            let Some(variable) = all().find(|variable| variable.name == name) else { break };
            name = variable.bound.as_ref().map_or_else(|| "Object".to_string(), |bound| simple(&bound.name));
        }
        format!("{name}{}", "[]".repeat(of.dimensions))
    }
}

impl Context {
    /// Makes a complaint about a part of this file.
    pub(super) fn complain(&self, span: Span, message: impl Into<String>) -> Complaint {
        self.unit.source.complain(span, message)
    }

    /// The class that a type stands for.
    pub(super) fn class_of(&self, program: &Program, of: &TypeName) -> Result<&'static Class, Complaint> {
        match self.find_class(program, &of.name, 0) {
            Some(mut class) => {
                for _ in 0..of.dimensions {
                    class = program.array_class(class);
                }
                Ok(class)
            }
            None => {
                let message = format!("there is no class {}; import it, or write its full name", of.name);
                Err(self.complain(of.span, message))
            }
        }
    }

    /// A class by its name with dots, as far as it can be seen from here (JLS §6.5.5).
    pub(super) fn find_class(&self, program: &Program, name: &str, depth: usize) -> Option<&'static Class> {
        if let Some(variable) = self.type_parameters.iter().rev().find(|variable| variable.name == name) {
            let bound = variable.bound.as_ref().filter(|_| depth < 8);
            return match bound {
                Some(bound) => self.find_class(program, &bound.name, depth + 1),
                None => Some(program.known().object),
            };
        }
        if let Some(kind) = Kind::PRIMITIVES.iter().find(|kind| kind.primitive_name() == Some(name)) {
            return Some(program.primitive(*kind));
        }
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        let below = rest
            .split('.')
            .filter(|part| !part.is_empty())
            .fold(String::new(), |below, part| format!("{below}${part}"));
        let load = |first: &str| program.load(&format!("{first}{below}")).ok();
        let around = std::iter::successors(Some(self.class.name), |name| name.rsplit_once('$').map(|(outer, _)| outer));
        for enclosing in around {
            if enclosing.rsplit(['/', '$']).next() == Some(first) {
                return load(enclosing);
            }
            let Ok(enclosing) = program.load(enclosing) else { continue };
            if let Some(found) = supertypes(enclosing).iter().find_map(|above| load(&format!("{}${first}", above.name)))
            {
                return Some(found);
            }
        }
        let imports = &self.unit.imports;
        let named = imports.iter().filter(|import| !import.is_on_demand && simple(&import.name) == first);
        let package = self.class.package();
        let near = if package.is_empty() { first.to_string() } else { format!("{package}/{first}") };
        let on_demand = imports.iter().filter(|import| import.is_on_demand);
        named
            .filter_map(|import| load_dotted(program, &format!("{}{}", import.name, below.replace('$', "."))))
            .next()
            .or_else(|| load(&near))
            .or_else(|| on_demand.filter_map(|import| load_dotted(program, &format!("{}.{name}", import.name))).next())
            .or_else(|| load(&format!("java/lang/{first}")))
            .or_else(|| load_dotted(program, name).filter(|_| name.contains('.')))
    }
}

/// A field by name: of the class, of what it extends, or of an interface of these.
pub(super) fn find_field(class: &'static Class, name: &str) -> Option<(&'static Class, &'static Field)> {
    let own = |class: &'static Class| Some((class, class.fields.iter().find(|field| field.name == name)?));
    supertypes(class).into_iter().find_map(own)
}

/// The methods of a name that can be called on a class, each signature once, the nearest first.
pub(super) fn find_methods(class: &'static Class, name: &str) -> Vec<&'static Method> {
    let mut seen = HashSet::new();
    let all = supertypes(class).into_iter().flat_map(|class| class.methods.iter().copied());
    let named = all.filter(|method| method.name == name && method.access & access::SYNTHETIC == 0);
    named.filter(|method| seen.insert(parameters(method))).collect()
}

/// The method of a class that a method is, or overrides (JLS §8.4.8.1). Where a supertype has type variables, its parameters may be of other
/// types in class files; then the compiler made a bridge, which has those types and calls the method.
pub(super) fn overridden(program: &Program, method: &'static Method, class: &'static Class) -> Option<&'static Method> {
    let is_own = class.id == method.class().id;
    let is_alone = |one: &Method| one.is_static() || one.is_private() || one.name == "<init>";
    let declared = class.methods.iter().copied();
    let mut named = declared.filter(|found| found.name == method.name && found.access & access::SYNTHETIC == 0);
    named.find(|found| match is_own {
        true => found.id == method.id,
        false if is_alone(method) || is_alone(found) => false,
        false => {
            let bridge = bridge(method.class(), found);
            parameters(found) == parameters(method) || bridge.is_some_and(|bridge| leads_to(program, bridge, method))
        }
    })
}

/// The bridge of a class that has the types of the parameters of another method.
pub(super) fn bridge(class: &'static Class, wanted: &Method) -> Option<&'static Method> {
    let mut bridges = class.methods.iter().copied().filter(|found| found.access & access::SYNTHETIC != 0);
    bridges.find(|found| found.name == wanted.name && parameters(found) == parameters(wanted))
}

fn leads_to(program: &Program, bridge: &'static Method, method: &Method) -> bool {
    let calls = |call: &CallSite| call.name == method.name && call.descriptor == method.descriptor;
    program.code(bridge).is_ok_and(|code| code.calls.iter().any(calls))
}

fn parameters(method: &Method) -> Option<&'static str> {
    method.descriptor.split(')').next()
}

/// The class itself, what it extends, and all interfaces, each once.
pub(super) fn supertypes(class: &'static Class) -> Vec<&'static Class> {
    let mut found: Vec<&'static Class> = class.chain().collect();
    let mut next = 0;
    while let Some(class) = found.get(next).copied() {
        next += 1;
        for interface in &class.interfaces {
            if !found.iter().any(|known| known.id == interface.id) {
                found.push(interface);
            }
        }
    }
    found
}

/// A class by its full name, wherever the packages end in it.
fn load_dotted(program: &Program, name: &str) -> Option<&'static Class> {
    let mut name = name.replace('.', "/");
    loop {
        if let Ok(class) = program.load(&name) {
            return Some(class);
        }
        let dot = name.rfind('/')?;
        name.replace_range(dot..=dot, "$");
    }
}

fn simple(name: &str) -> String {
    name.rsplit(['.', '$']).next().unwrap_or(name).to_string()
}
