//! Which classes does a package, or a pattern of packages, stand for?

use lazuli_vm::program::{Class, Program, access};

/// The flag of annotations in a class file (JVMS §4.1).
const ANNOTATION: u16 = 0x2000;

/// `shop`, `shop.*` and `shop.**`: a package, or that with all packages below it.
pub(super) struct PackagePattern {
    /// With slashes; empty for the unnamed package.
    package: String,
    has_below: bool,
}

impl PackagePattern {
    /// A target as a pattern. Without a star it may be a class or a method as well.
    pub(super) fn parse(target: &str) -> PackagePattern {
        let (package, has_below) = match target.strip_suffix("**") {
            Some(package) => (package, true),
            None => (target.strip_suffix('*').unwrap_or(target), false),
        };
        PackagePattern { package: package.trim_end_matches('.').replace('.', "/"), has_below }
    }

    /// Does a class of the class path, with slashes, lie there?
    fn takes(&self, name: &str) -> bool {
        let package = name.rsplit_once('/').map_or("", |(package, _)| package);
        let below = || package.strip_prefix(&*self.package).is_some_and(|rest| rest.starts_with('/'));
        package == self.package || (self.has_below && (self.package.is_empty() || below()))
    }

    /// The user's classes there, in the order of their names: those that source can name.
    pub(super) fn classes(&self, program: &Program) -> Vec<String> {
        let mut names: Vec<String> =
            program.path().user_classes().into_iter().filter(|name| self.takes(name)).collect();
        names.retain(|name| is_named_in_source(program, name));
        names.sort();
        names
    }
}

/// Was the class written as a class that others may use: not anonymous, not local, not private, and not made by the compiler?
fn is_named_in_source(program: &Program, name: &str) -> bool {
    if name.ends_with("package-info") || name.ends_with("module-info") {
        return false;
    }
    // One that cannot be loaded is told about.
    let Ok(class) = program.load(name) else { return true };
    class.access & (access::SYNTHETIC | ANNOTATION) == 0 && !is_hidden(class)
}

fn is_hidden(class: &'static Class) -> bool {
    class.name.contains('$') && class.source_name(class.package()).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_take_packages() {
        let takes = |pattern: &str, name: &str| PackagePattern::parse(pattern).takes(name);
        assert!(takes("shop", "shop/Cart") && takes("shop.*", "shop/Cart") && takes("shop.**", "shop/Cart"));
        assert!(!takes("shop", "shop/stock/Item") && !takes("shop.*", "shop/stock/Item"));
        assert!(takes("shop.**", "shop/stock/Item") && !takes("shop.**", "shopping/List"));
        assert!(takes("*", "Alone") && !takes("*", "shop/Cart") && takes("**", "shop/Cart"));
    }
}
