//! Which JDK is installed here, and how are the classes in its image found?

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use jimage_rs::JImage;
use thiserror::Error;

/// An error that leaves Lazuli without the classes of the JDK.
#[derive(Debug, Error)]
pub enum JdkError {
    /// No place where JDKs usually are has one.
    #[error(
        "no JDK found (looked at JAVA_HOME, at `java` on the PATH, and in /usr/lib/jvm and /opt).\n  \
         Install one, for example with `apt-get install openjdk-17-jdk-headless`, or set JAVA_HOME to its directory."
    )]
    NotFound,
    /// The directory has no image of modules that can be read, for the reason given.
    #[error(
        "{0} is no JDK that Lazuli can use: {1}.\n  Set JAVA_HOME to the directory of a JDK 17 or later (it contains lib/modules)."
    )]
    Unusable(PathBuf, String),
}

/// An installed JDK, its class image mapped into memory for the life of the process.
pub struct Jdk {
    home: PathBuf,
    image: &'static JImage,
    version: String,
    module_names: Vec<String>,
    /// Package (with slashes) to module, filled when a class is not in `java.base`.
    modules: OnceLock<HashMap<String, String>>,
}

impl Jdk {
    /// Finds the JDK: JAVA_HOME, then `java` on the PATH, then the usual places.
    pub fn locate() -> Result<Jdk, JdkError> {
        if let Some(home) = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
            return Jdk::open(Path::new(&home));
        }
        let on_path = std::env::var_os("PATH")
            .into_iter()
            .flat_map(|path| std::env::split_paths(&path).map(|directory| directory.join("java")).collect::<Vec<_>>());
        let mut homes: Vec<PathBuf> = on_path
            .filter_map(|java| java.canonicalize().ok())
            .filter_map(|java| Some(java.parent()?.parent()?.to_path_buf()))
            .collect();
        for usual in ["/usr/lib/jvm", "/opt", "/Library/Java/JavaVirtualMachines"] {
            let mut found: Vec<PathBuf> =
                std::fs::read_dir(usual).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
            found.sort();
            homes.extend(found.iter().cloned());
            homes.extend(found.into_iter().map(|path| path.join("Contents/Home")));
        }
        match homes.into_iter().find(|home| home.join("lib/modules").is_file()) {
            Some(home) => Jdk::open(&home),
            None => Err(JdkError::NotFound),
        }
    }

    /// Opens the JDK at `home`.
    pub fn open(home: &Path) -> Result<Jdk, JdkError> {
        let unusable = |why: String| JdkError::Unusable(home.to_path_buf(), why);
        let modules = home.join("lib/modules");
        if !modules.is_file() {
            return Err(unusable("it has no file lib/modules".into()));
        }
        let image = JImage::open(&modules).map_err(|error| unusable(format!("lib/modules cannot be read: {error}")))?;
        let release = std::fs::read_to_string(home.join("release")).unwrap_or_default();
        let version = release
            .lines()
            .find_map(|line| line.strip_prefix("JAVA_VERSION="))
            .map(|quoted| quoted.trim_matches('"').to_string())
            .ok_or_else(|| unusable("its file `release` names no JAVA_VERSION".into()))?;
        let names = release.lines().find_map(|line| line.strip_prefix("MODULES=")).unwrap_or_default();
        let module_names = names.trim_matches('"').split_whitespace().map(str::to_string).collect();
        let image = Box::leak(Box::new(image));
        let jdk = Jdk { home: home.to_path_buf(), image, version, module_names, modules: OnceLock::new() };
        if jdk.feature() < 17 {
            return Err(unusable(format!("it is version {}", jdk.version)));
        }
        Ok(jdk)
    }

    /// The directory in which the JDK is installed.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The modules in the image, in the order in which the JDK lists them.
    pub fn module_names(&self) -> &[String] {
        &self.module_names
    }

    /// The full version, such as "17.0.15".
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The feature release: 17 for "17.0.15".
    pub fn feature(&self) -> u32 {
        self.version.split(['.', '-', '+']).next().and_then(|first| first.parse().ok()).unwrap_or(0)
    }

    /// The module and the bytes of a class, named with slashes.
    pub fn find(&self, name: &str) -> Option<(&str, &'static [u8])> {
        if let Some(bytes) = self.resource(&format!("/java.base/{name}.class")) {
            return Some(("java.base", bytes));
        }
        let package = name.rsplit_once('/').map_or("", |(package, _)| package);
        let module = self.module_of(package)?;
        Some((module, self.resource(&format!("/{module}/{name}.class"))?))
    }

    /// A resource by its full name in the image, such as `/java.base/java/lang/Object.class`.
    pub fn resource(&self, name: &str) -> Option<&'static [u8]> {
        match self.image.find_resource(name).ok()?? {
            Cow::Borrowed(bytes) => Some(bytes),
            Cow::Owned(bytes) => Some(Box::leak(bytes.into_boxed_slice())),
        }
    }

    /// The names (with slashes) of all classes of a module, sorted.
    pub fn classes_of(&self, module: &str) -> Vec<String> {
        let mut names: Vec<String> =
            self.image
                .resource_names_iter()
                .flatten()
                .filter(|name| name.module == module && name.extension == "class")
                .map(|name| {
                    if name.parent.is_empty() {
                        name.base.to_string()
                    } else {
                        format!("{}/{}", name.parent, name.base)
                    }
                })
                .collect();
        names.sort();
        names
    }

    /// The module that a package (with slashes) belongs to.
    pub fn module_of(&self, package: &str) -> Option<&str> {
        // Most packages asked for here are the user's. The image lists its packages, so they need not be collected for that.
        self.image.find_resource(&format!("/packages/{}", package.replace('/', "."))).ok()??;
        let modules = self.modules.get_or_init(|| {
            self.image
                .resource_names_iter()
                .flatten()
                .filter(|name| name.extension == "class" && !name.parent.is_empty())
                .map(|name| (name.parent.to_string(), name.module.to_string()))
                .collect()
        });
        modules.get(package).map(String::as_str)
    }
}
