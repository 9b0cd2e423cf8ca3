//! Why can a table not be measured? `Display` is the message to the user.

use std::path::PathBuf;

use lazuli_classfile::JdkError;

/// The reason why nothing, or no more, is measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A name that no table has.
    #[error("there is no table {wanted}; there are: {}. `lazuli bench` tells what they compare.", known.join(", "))]
    NoSuchTable {
        /// The name that was given.
        wanted: String,
        /// The names of the tables.
        known: Vec<&'static str>,
    },
    /// A name that no subject of the table has.
    #[error("the table has no subject {wanted}; there are: {}.", known.join(", "))]
    NoSuchSubject {
        /// The name that was given.
        wanted: String,
        /// The classes of the table.
        known: Vec<String>,
    },
    /// A name that no column of the table has.
    #[error("the table has no technique {wanted}; there are: {}.", known.join(", "))]
    NoSuchTechnique {
        /// The name that was given.
        wanted: String,
        /// The columns of the table.
        known: Vec<&'static str>,
    },
    /// Techniques were chosen in a table that has one column.
    #[error("the table {table} compares no techniques; leave --technique out.")]
    NoTechniques {
        /// The table.
        table: &'static str,
    },
    /// Scopes were chosen in a table whose methods are checked as deep as the time allows.
    #[error(
        "the table {table} has no scopes: each method is checked as deep as the time allows. Leave --scope and --full out, or give --cell."
    )]
    NoScopes {
        /// The table.
        table: &'static str,
    },
    /// A class path was given to a table that has subjects of its own.
    #[error("the table {table} measures subjects of its own; leave --class-path out.")]
    OwnSubjects {
        /// The table.
        table: &'static str,
    },
    /// There is no JDK.
    #[error(transparent)]
    Jdk(#[from] JdkError),
    /// The folder of a package has no Java sources.
    #[error(
        "there are no subjects in {}: a folder {package} with Java sources is expected there.\n\
         Go to the directory of Lazuli's own sources, or name its folder with --subjects DIR.",
        directory.display()
    )]
    NoSubjects {
        /// The directory of the subjects.
        directory: PathBuf,
        /// The folder that is missing.
        package: String,
    },
    /// A comment about a planted defect cannot be understood.
    #[error(
        "{}:{line}: before `package`, each line is `// defect NAME, KIND: Class.method throws Exception` with a NAME of small letters, or a statement of its driver after `//     `.",
        path.display()
    )]
    BadDefect {
        /// The source.
        path: PathBuf,
        /// The line, beginning with 1.
        line: usize,
    },
    /// A defect that changes nothing, that is there twice, or that no comment announces.
    #[error(
        "{package}: the defect {name} must be announced once before `package`, and change at least one line that ends with `// defect {name}: CODE`."
    )]
    DefectNotPlanted {
        /// The package.
        package: String,
        /// The defect.
        name: String,
    },
    /// A file cannot be read.
    #[error("{} cannot be read: {error}.", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: std::io::Error,
    },
    /// No scratch directory for the classes.
    #[error("no temporary directory can be made: {0}. Set TMPDIR to a directory that can be written to.")]
    NoScratch(std::io::Error),
    /// No directory for the caches of the measured processes.
    #[error("no temporary directory can be made: {0}.")]
    NoCaches(std::io::Error),
    /// A file cannot be written.
    #[error("{} cannot be written: {error}.", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: std::io::Error,
    },
    /// The directory of the plots cannot be made.
    #[error("the directory {} cannot be made: {error}.", path.display())]
    NoDirectory {
        /// The directory.
        path: PathBuf,
        /// The reason.
        error: std::io::Error,
    },
    /// The compiler refuses the subjects.
    #[error("javac refuses the subjects in {}:\n{messages}", directory.display())]
    Rejected {
        /// The directory of the subjects.
        directory: PathBuf,
        /// The messages of the compiler.
        messages: String,
    },
    /// There is no compiler.
    #[error(
        "the subjects cannot be compiled: there is no javac, neither in the JDK that is used nor on the PATH.\n\
         Install a whole JDK, for example with `apt-get install openjdk-17-jdk-headless`, or set JAVA_HOME to one."
    )]
    NoCompiler,
    /// The compiler cannot be started.
    #[error("javac cannot be started: {0}.")]
    CompilerNotStarted(std::io::Error),
    /// The running executable is not known.
    #[error("Lazuli does not find itself: {0}.")]
    NoExecutable(std::io::Error),
}
