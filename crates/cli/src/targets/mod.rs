//! Which classes and methods does the user mean?
//!
//! `plan` gives each method its options, `specifications` its JML. Names are taken as people write them; an error lists what could be
//! named instead.

pub(crate) mod bundled;
pub(crate) mod concurrent;
mod error;
pub(crate) mod implementations;
mod packages;
pub(crate) mod patterns;
pub(crate) mod plan;
pub(crate) mod properties;
mod similar;
pub(crate) mod since;
pub(crate) mod specifications;

use std::collections::BTreeSet;
use std::path::Path;

use lazuli_classfile::{ClassPath, Jdk};
use lazuli_console::visible::visible;
use lazuli_vm::program::{Class, LoadError, Method, Program, access, has_parameters, signature};
use lazuli_vm::reason::ClassFault;

use crate::arguments::CommonOptions;
use crate::project::layout::ProjectLayout;
use error::{ClassHint, MethodHint};
use packages::PackagePattern;
use similar::nearest;

pub(crate) use error::TargetError;

/// Opens the class path on top of the installed JDK.
pub(crate) fn open_program(options: &CommonOptions) -> Result<Program, TargetError> {
    let path = ClassPath::open(Jdk::locate()?, &options.class_path())?;
    Program::open(path).map_err(TargetError::Library)
}

/// A class as people write it: `pkg.Outer.Inner` as well as `pkg.Outer$Inner`.
pub(crate) fn find_class(
    program: &Program,
    name: &str,
    options: &CommonOptions,
) -> Result<&'static Class, TargetError> {
    match load_named(program, name) {
        Ok(class) => Ok(class),
        Err(LoadError::NotFound(missing)) if is_spelling_of(&missing, name) => {
            Err(no_such_class(program, name, options))
        }
        Err(error) => Err(cannot_be_loaded(program, name, &error)),
    }
}

/// The class in which a program begins, and its main method, which the class may inherit.
pub(crate) fn find_main(
    program: &Program,
    class: &str,
    options: &CommonOptions,
) -> Result<(&'static Class, &'static Method), TargetError> {
    let owner = find_class(program, class, options)?;
    let starts = |method: &&'static Method| method.is_static() && method.access & access::PUBLIC != 0;
    let main = program.find_method(owner, "main", "([Ljava/lang/String;)V").filter(starts);
    main.map(|main| (owner, main)).ok_or_else(|| TargetError::NoMain(class.to_string()))
}

/// A method to check, on receivers of a class that declares or inherits it.
#[derive(Clone, Copy)]
pub(crate) struct CheckedMethod {
    pub method: &'static Method,
    pub class: &'static Class,
    /// Did the user name the method itself, and not only its class or package?
    pub is_named: bool,
    /// Do calls by contract rely on it?
    pub is_relied_on: bool,
}

/// The methods that a target stands for, and the classes of a package in which there is nothing to check.
#[derive(Default)]
pub(crate) struct FoundTargets {
    pub methods: Vec<CheckedMethod>,
    pub skipped: Vec<TargetError>,
}

/// The same for all that a user may write: packages (`shop`, `shop.*`, and `shop.**` with those below it) beside classes and methods.
pub(crate) fn find_targets(
    program: &Program,
    target: &str,
    options: &CommonOptions,
) -> Result<FoundTargets, TargetError> {
    let pattern = PackagePattern::parse(target);
    let of_package = |names: Vec<String>| {
        let mut found = FoundTargets::default();
        for name in &names {
            match find_methods(program, &name.replace('/', "."), options) {
                // A method that is inherited from a class of the same package is checked there, with these receivers.
                Ok(methods) => found.methods.extend(methods.into_iter().filter(|method| {
                    method.class.id == method.method.class().id
                        || !names.iter().any(|name| name == method.method.class().name)
                })),
                // Of a nested class without methods, people do not expect any.
                Err(TargetError::NoPublicMethod { class, .. }) if class.contains('$') => {}
                Err(error) => found.skipped.push(error),
            }
        }
        found
    };
    if target.ends_with('*') {
        return match pattern.classes(program) {
            names if names.is_empty() => Err(no_such_class(program, target.trim_end_matches(['*', '.']), options)),
            names => Ok(of_package(names)),
        };
    }
    match find_methods(program, target, options) {
        Ok(methods) => Ok(FoundTargets { methods, skipped: Vec::new() }),
        Err(error @ TargetError::NoSuchClass { .. }) if !target.contains('(') => match pattern.classes(program) {
            names if names.is_empty() => Err(error),
            names => Ok(of_package(names)),
        },
        Err(error) => Err(error),
    }
}

/// The classes of the user that a pattern of packages stands for, with slashes.
pub(crate) fn classes_below(program: &Program, pattern: &str) -> Vec<String> {
    PackagePattern::parse(pattern).classes(program)
}

/// The methods that a class or method stands for: `pkg.Class`, `pkg.Class.method`, `pkg.Class.new`, or that with parameters, either as a
/// descriptor or as in source. A method that the class inherits is meant for receivers of that class.
pub(crate) fn find_methods(
    program: &Program,
    target: &str,
    options: &CommonOptions,
) -> Result<Vec<CheckedMethod>, TargetError> {
    if target.trim().is_empty() {
        return Err(TargetError::Empty);
    }
    let (path, parameters) = match target.find('(') {
        Some(start) => (&target[..start], Some(&target[start..])),
        None => (target, None),
    };
    if parameters.is_none() {
        match load_named(program, path) {
            Ok(class) => return public_methods(class).map(|methods| targets(class, methods, false)),
            Err(LoadError::NotFound(missing)) if is_spelling_of(&missing, path) => {}
            Err(error) => return Err(cannot_be_loaded(program, path, &error)),
        }
    }
    let Some((class_name, method_name)) = path.rsplit_once('.') else {
        return match parameters {
            Some(parameters) => {
                Err(TargetError::NoClassNamed { target: target.to_string(), parameters: parameters.to_string() })
            }
            None => Err(no_such_class(program, path, options)),
        };
    };
    match load_named(program, class_name) {
        Ok(class) => named_methods(class, method_name, parameters).map(|methods| targets(class, methods, true)),
        // Whether the last word was meant as a class or a method cannot be known; the hint looks for both.
        Err(LoadError::NotFound(missing)) if is_spelling_of(&missing, class_name) => {
            let is_package = !PackagePattern::parse(class_name).classes(program).is_empty();
            Err(match similar_class(program, path) {
                Some(_) if parameters.is_none() => no_such_class(program, path, options),
                _ if is_package => no_such_class(program, path, options),
                _ => no_such_class(program, class_name, options),
            })
        }
        Err(error) => Err(cannot_be_loaded(program, class_name, &error)),
    }
}

fn targets(class: &'static Class, methods: Vec<&'static Method>, is_named: bool) -> Vec<CheckedMethod> {
    methods.into_iter().map(|method| CheckedMethod { method, class, is_named, is_relied_on: false }).collect()
}

/// How a method is written in source: `acme.List.add(int, Object)`.
pub(crate) fn title(method: &Method) -> String {
    format!("{}.{}", method.class().java_name(), signature(method))
}

/// How a method is written that is checked on receivers of a class, which may inherit it.
pub(crate) fn title_for(method: &Method, receiver: Option<&'static Class>) -> String {
    receiver.map_or_else(|| title(method), |class| format!("{}.{}", class.java_name(), signature(method)))
}

/// The public methods that the class declares, in the order of the class file, which is that of the source, and those that it inherits from other
/// classes of the user. Programs begin with `main`, and the compiler makes `values` and `valueOf`: these are checked if they are named.
fn public_methods(class: &'static Class) -> Result<Vec<&'static Method>, TargetError> {
    let is_wanted = |method: &&'static Method| {
        let unwanted = access::ABSTRACT | access::NATIVE | access::SYNTHETIC;
        method.access & access::PUBLIC != 0
            && method.access & unwanted == 0
            && !is_initialiser(method)
            && !is_main(method)
            && !is_of_enumeration(method)
    };
    let mut methods: Vec<&'static Method> = class.methods.iter().copied().filter(is_wanted).collect();
    for above in class.chain().skip(1).filter(|above| above.is_users()) {
        let is_inherited = |method: &&'static Method, known: &[&'static Method]| {
            let is_overridden = known
                .iter()
                .chain(&class.methods)
                .any(|other| (other.name, other.descriptor) == (method.name, method.descriptor));
            is_wanted(method) && !method.is_static() && !is_overridden
        };
        let inherited: Vec<&'static Method> =
            above.methods.iter().copied().filter(|method| is_inherited(method, &methods)).collect();
        methods.extend(inherited);
    }
    if methods.is_empty() {
        return Err(TargetError::NoPublicMethod { class: class.java_name(), methods: listed_methods(class) });
    }
    Ok(methods)
}

fn named_methods(
    class: &'static Class,
    name: &str,
    parameters: Option<&str>,
) -> Result<Vec<&'static Method>, TargetError> {
    let class_name = class.java_name();
    if name == "<clinit>" {
        return Err(TargetError::Initialiser { class: class_name.replace('$', ".") });
    }
    let is_constructor = matches!(name, "new" | "<init>");
    if is_constructor && (class.is_abstract() || class.is_interface() || class.access & access::ENUM != 0) {
        return Err(TargetError::NotConstructible { class: class_name });
    }
    let own = if is_constructor { "<init>" } else { name };
    let is_named = |method: &&Method| method.name == own && method.access & access::SYNTHETIC == 0;
    let mut overloads: Vec<&'static Method> = class.methods.iter().copied().filter(is_named).collect();
    // A private overload is a helper of the others, and meant only if its parameters are written.
    if parameters.is_none() && overloads.iter().any(|method| !method.is_private()) {
        overloads.retain(|method| !method.is_private());
    }
    if overloads.is_empty() && !is_constructor {
        overloads = inherited_methods(class, name);
    }
    if overloads.is_empty() {
        return Err(no_such_method(class, name));
    }
    let fitting: Vec<&'static Method> = match parameters {
        Some(parameters) => overloads.iter().copied().filter(|method| has_parameters(method, parameters)).collect(),
        None => overloads.clone(),
    };
    if fitting.is_empty() {
        let parameters = parameters.unwrap_or("").to_string();
        let overloads = overloads
            .iter()
            .map(|method| match is_constructor {
                true => format!("\n  {class_name}.{}", visible(&signature(method))),
                false => format!("\n  {class_name}.{}{}", visible(method.name), visible(method.descriptor)),
            })
            .collect();
        return Err(TargetError::NoSuchOverload { class: class_name, name: name.to_string(), parameters, overloads });
    }
    let with_body: Vec<&'static Method> = fitting.iter().copied().filter(|method| has_body(method)).collect();
    match (with_body.is_empty(), fitting[0].is_abstract()) {
        (false, _) => Ok(with_body),
        (true, true) => Err(TargetError::Abstract(title(fitting[0]))),
        (true, false) => Err(TargetError::Native(title(fitting[0]))),
    }
}

/// The methods of that name that a class inherits from its nearest superclass that has one.
fn inherited_methods(class: &'static Class, name: &str) -> Vec<&'static Method> {
    let is_inherited = |method: &&Method| {
        let unwanted = access::STATIC | access::PRIVATE | access::SYNTHETIC;
        method.name == name && method.access & unwanted == 0
    };
    let above = class.chain().skip(1).map(|above| above.methods.iter().copied().filter(is_inherited).collect());
    above.into_iter().find(|found: &Vec<_>| !found.is_empty()).unwrap_or_default()
}

fn has_body(method: &Method) -> bool {
    method.access & (access::ABSTRACT | access::NATIVE) == 0
}

fn is_main(method: &Method) -> bool {
    method.name == "main" && method.is_static() && method.descriptor == "([Ljava/lang/String;)V"
}

/// The methods that the compiler gives to every enumeration.
fn is_of_enumeration(method: &'static Method) -> bool {
    let class = method.class();
    class.access & access::ENUM != 0
        && method.is_static()
        && ((method.name == "values" && method.descriptor.starts_with("()["))
            || (method.name == "valueOf" && method.descriptor == format!("(Ljava/lang/String;)L{};", class.name)))
}

fn is_initialiser(method: &Method) -> bool {
    method.name.starts_with('<')
}

fn load_named(program: &Program, name: &str) -> Result<&'static Class, LoadError> {
    let mut name = name.replace('.', "/");
    let first = program.load(&name);
    let mut result = first.clone();
    while let (Err(LoadError::NotFound(_)), Some(last)) = (&result, name.rfind('/')) {
        name.replace_range(last..=last, "$");
        result = program.load(&name);
    }
    result.or(first)
}

/// Is the missing class the one that was asked for, and not, say, its superclass?
fn is_spelling_of(missing: &str, name: &str) -> bool {
    let plain = |text: &str| text.replace(['/', '$'], ".");
    plain(missing) == plain(name)
}

fn cannot_be_loaded(program: &Program, name: &str, error: &LoadError) -> TargetError {
    let own = name.replace(['.', '$'], "/");
    let file = match error {
        LoadError::NotFound(_) => program.path().file_of(&own),
        _ => None,
    };
    TargetError::Unloadable { name: name.to_string(), file, fault: Box::new(ClassFault::of_load(program, error)) }
}

/// A class or package of the user with a similar name, as people write it.
fn similar_class(program: &Program, name: &str) -> Option<String> {
    let classes: Vec<String> = program.path().user_classes().into_iter().map(|name| name.replace('/', ".")).collect();
    let dotted = |name: &str| name.replace(['/', '$'], ".");
    let simple_of = |name: &str| name.rsplit(['.', '$']).next().unwrap_or_default().to_string();
    let wanted = dotted(name);
    let readable: Vec<String> = classes.iter().map(|name| dotted(name)).collect();
    if let Some(whole) = nearest(&wanted, readable.iter().map(String::as_str)) {
        return readable.iter().position(|name| name == whole).map(|at| classes[at].clone());
    }
    // The package may be the mistake.
    let simple: Vec<String> = classes.iter().map(|name| simple_of(name)).collect();
    if let Some(last) = nearest(&simple_of(&wanted), simple.iter().map(String::as_str)) {
        return simple.iter().position(|name| name == last).map(|at| classes[at].clone());
    }
    let packages: BTreeSet<&str> = classes.iter().filter_map(|name| Some(name.rsplit_once('.')?.0)).collect();
    nearest(&wanted, packages).map(str::to_string)
}

fn no_such_class(program: &Program, name: &str, options: &CommonOptions) -> TargetError {
    let hint = match (similar_class(program, name), program.path().user_classes().len()) {
        (Some(similar), _) => ClassHint::Similar(similar),
        (None, 0) => match ProjectLayout::of(Path::new("")).build {
            Some(build) if options.class_path == "." => ClassHint::NotBuilt(build),
            _ => ClassHint::NoClasses,
        },
        (None, count) => ClassHint::OtherClasses(count),
    };
    TargetError::NoSuchClass { name: name.to_string(), class_path: options.class_path.clone(), hint }
}

fn no_such_method(class: &'static Class, name: &str) -> TargetError {
    let class_name = class.java_name();
    let inherited = class.chain().skip(1).find(|parent| parent.methods.iter().any(|method| method.name == name));
    let is_shown = |method: &&&Method| method.access & access::SYNTHETIC == 0 && !is_initialiser(method);
    let users = class.chain().filter(|above| above.id == class.id || above.is_users());
    let known: Vec<&str> =
        users.flat_map(|class| class.methods.iter().filter(is_shown).map(|method| method.name)).collect();
    let hint = match (inherited, nearest(name, known)) {
        (Some(parent), _) => MethodHint::Inherited(format!("{}.{name}", parent.java_name())),
        (None, Some(similar)) => MethodHint::Similar(format!("{class_name}.{similar}")),
        (None, None) => MethodHint::Others(listed_methods(class)),
    };
    TargetError::NoSuchMethod { class: class_name, name: name.to_string(), hint }
}

/// The signatures of the methods that can be named.
fn listed_methods(class: &'static Class) -> Vec<String> {
    let is_shown =
        |method: &&&Method| method.access & access::SYNTHETIC == 0 && !is_initialiser(method) && has_body(method);
    class.methods.iter().filter(is_shown).map(|method| visible(&signature(method)).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The methods that a target stands for among the classes of the JDK, or the message.
    fn found(target: &str) -> String {
        let options = CommonOptions { class_path: String::new(), memory: None };
        let program = open_program(&options).expect("a JDK is installed");
        match find_methods(&program, target, &options) {
            Ok(targets) => targets.iter().map(|target| title(target.method)).collect::<Vec<_>>().join(" "),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn targets_are_classes_methods_and_overloads() {
        assert_eq!(
            found("java.util.Objects.requireNonNullElse"),
            "java.util.Objects.requireNonNullElse(Object, Object)"
        );
        let all = "java.util.BitSet.and(BitSet)";
        assert!(found("java.util.BitSet").split(") ").any(|method| format!("{method})") == all));
        let one = "java.util.BitSet.flip(int, int)";
        assert_eq!(found("java.util.BitSet.flip"), format!("java.util.BitSet.flip(int) {one}"));
        for spelled in ["flip(II)V", "flip(int,int)", "flip(int, int)"] {
            assert_eq!(found(&format!("java.util.BitSet.{spelled}")), one);
        }
        let nested = "java.util.AbstractMap$SimpleEntry.setValue(Object)";
        for spelled in ["SimpleEntry.setValue", "SimpleEntry.setValue(java.lang.Object)"] {
            assert_eq!(found(&format!("java.util.AbstractMap.{spelled}")), nested);
            assert_eq!(found(&format!("java.util.AbstractMap${spelled}")), nested);
        }
    }

    #[test]
    fn constructors_are_called_new_and_private_overloads_need_parameters() {
        assert_eq!(found("java.util.BitSet.new"), "java.util.BitSet.new() java.util.BitSet.new(int)");
        assert_eq!(found("java.util.BitSet.new(int)"), "java.util.BitSet.new(int)");
        assert_eq!(found("java.util.BitSet.new(long[])"), "java.util.BitSet.new(long[])");
        assert!(found("java.time.DayOfWeek.new").contains("no objects of its own"));
    }

    #[test]
    fn methods_that_the_compiler_makes_and_main_are_checked_if_named() {
        let all = found("java.time.DayOfWeek");
        assert!(!all.contains("values()") && !all.contains("valueOf(") && all.contains("plus(long)"), "{all}");
        assert_eq!(found("java.time.DayOfWeek.values"), "java.time.DayOfWeek.values()");
    }

    #[test]
    fn a_class_may_be_named_that_inherits_the_method() {
        assert_eq!(found("java.util.Stack.elementAt"), "java.util.Vector.elementAt(int)");
    }

    #[test]
    fn a_class_stands_for_its_public_methods_with_a_body() {
        // Both bridges and constructors are left out.
        assert_eq!(
            found("java.util.AbstractMap.SimpleEntry"),
            ["getKey()", "getValue()", "setValue(Object)", "equals(Object)", "hashCode()", "toString()"]
                .map(|method| format!("java.util.AbstractMap$SimpleEntry.{method}"))
                .join(" ")
        );
        assert!(found("java.lang.Runnable").contains("has no public method with a body"));
    }

    #[test]
    fn what_cannot_be_checked_is_explained() {
        for (target, expected) in [
            ("java.lang.Object.hashCode", "is native"),
            ("java.util.AbstractList.get", "is abstract"),
            ("java.util.BitSet.<clinit>", "initialisers cannot be checked on their own"),
            ("java.util.AbstractList.new", "no objects of its own"),
            ("java.util.BitSet.new(char)", "there is:\n  java.util.BitSet.new()\n  java.util.BitSet.new(int)"),
            ("java.util.BitSet.fliip", "did you mean java.util.BitSet.flip?"),
            ("java.util.BitSet.flip(J)V", "there is:\n  java.util.BitSet.flip(I)V\n  java.util.BitSet.flip(II)V"),
            ("java.util.BitSet.Flip", "did you mean java.util.BitSet.flip?"),
            ("java.util.LinkedHashMap.hash", "check java.util.HashMap.hash"),
            ("java.lang.Runnable.walk", "it has no methods with a body"),
            ("java.util.Stack.fly", "there are:\n  push(Object)\n  pop()"),
            ("no.such.Place", "there is no class no.such on the class path"),
            ("flip(I)V", "names no class"),
            (" ", "a target is empty"),
        ] {
            assert!(found(target).contains(expected), "{target}: {}", found(target));
        }
    }
}
