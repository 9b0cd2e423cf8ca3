//! Which programs try to break a limit?
//!
//! Java sources below `tests/limits` name their commands in lines that begin with `//!`. Sources that are too long to keep, and class files
//! that no compiler writes, are made here.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One command, without its limits.
#[derive(Clone)]
pub struct Nasty {
    /// `check`, `tests`, `shapes` or `bounds`; or `confirm`, a check whose faults are run on the JVM.
    pub command: String,
    /// The target and options.
    pub words: Vec<String>,
    pub class_path: PathBuf,
}

impl Nasty {
    fn new(line: &str, class_path: &Path) -> Nasty {
        let mut words = line.split_whitespace().map(str::to_string);
        let command = words.next().expect("a command");
        Nasty { command, words: words.collect(), class_path: class_path.to_path_buf() }
    }

    pub fn name(&self) -> String {
        format!("{} {}", self.command, self.words.join(" "))
    }
}

/// Makes all programs in a directory.
pub fn make(directory: &Path) -> Vec<Nasty> {
    let mut all = compiled(directory);
    all.extend(hostile(&directory.join("hostile")));
    all
}

/// The commands alone, for a list.
pub fn sources() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/limits");
    let entries = std::fs::read_dir(folder).expect("tests/limits is there").flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "java"));
    found.sort();
    found
}

fn compiled(directory: &Path) -> Vec<Nasty> {
    let classes = directory.join("classes");
    let mut files = sources();
    let generated = [("Branches", branches()), ("Switches", switches()), ("Nested", nested()), ("Faults", faults())];
    for (name, source) in generated {
        let file = directory.join(format!("{name}.java"));
        std::fs::write(&file, source).expect("the scratch directory can be written");
        files.push(file);
    }
    let javac = Command::new("javac").args(["-J-Xss64m", "-g", "-nowarn", "-d"]).arg(&classes).args(&files).output();
    let javac = javac.expect("javac is installed (scripts/test.sh installs it)");
    assert!(javac.status.success(), "javac failed:\n{}", String::from_utf8_lossy(&javac.stderr));
    let mut all = Vec::new();
    for file in files {
        let source = std::fs::read_to_string(file).expect("the source is there");
        let lines = source.lines().filter_map(|line| line.strip_prefix("//! "));
        all.extend(lines.map(|line| Nasty::new(line, &classes)));
    }
    all
}

/// Thousands of branches, one after the other: 2^3000 paths.
fn branches() -> String {
    let mut source = "//! check Branches.all\n//! check Branches.all --order bfs\n//! tests Branches.all\n\
        public class Branches {\n    public static int all(long a, int b) {\n        int n = 0;\n"
        .to_string();
    for index in 0..2000 {
        source += &format!("        if ((a >> {}) % {} == b) n++;\n", index % 64, index + 2);
    }
    source + "        return 1 / (n - 1999);\n    }\n}\n"
}

/// Switches with thousands of cases in one another.
fn switches() -> String {
    let cases: String = (0..1500).map(|case| format!("case {}: n += {case}; break;\n", case * 7)).collect();
    format!(
        "//! check Switches.all\npublic class Switches {{ public static int all(int a, int b) {{ int n = 0;\n\
         for (int i = 0; i < 50; i++) {{ switch (a ^ b * i) {{ {cases} }} }} return 1 / (n - 77); }} }}\n"
    )
}

/// So many faults that running them all on the JVM takes longer than there is.
fn faults() -> String {
    let mut source = "//! confirm Faults\n//! check Faults\npublic class Faults {\n".to_string();
    for index in 0..40 {
        source += &format!("    public static int f{index}(int a, int b) {{ return 1 / (a * b - {index}); }}\n");
    }
    source + "}\n"
}

/// One expression, as deep as a compiler takes it.
fn nested() -> String {
    let (mut deep, mut close) = (String::new(), String::new());
    for index in 0..400 {
        deep += &format!("(a * {} + (b ^ ", index + 3);
        close += "))";
    }
    format!(
        "//! check Nested.all\n//! check Nested.all --paths\npublic class Nested {{ public static int all(int a, int b) {{ return 1 / ({deep} a {close}); }} }}\n"
    )
}

/// Class files and class paths that no compiler makes.
fn hostile(directory: &Path) -> Vec<Nasty> {
    let mut all = Vec::new();
    let mut add = |name: &str, line: &str, fill: &dyn Fn(&Path)| {
        let folder = directory.join(name);
        std::fs::create_dir_all(&folder).expect("the scratch directory can be written");
        fill(&folder);
        all.push(Nasty::new(line, &folder));
    };
    add("lattice", "check Bottom.value", &lattice);
    add("lattice", "check Bottom.given", &lattice);
    add("chain", "check C3000.value", &|folder| {
        for index in 0..3000 {
            let parent = if index == 0 { "java/lang/Object".to_string() } else { format!("C{}", index - 1) };
            Made { parent, ..Made::new(&format!("C{index}")) }.write(folder);
        }
        Made { parent: "C2999".into(), ..Made::new("C3000") }.write(folder);
    });
    add("circle", "check Circle0.value", &|folder| {
        for index in 0..3 {
            Made { parent: format!("Circle{}", (index + 1) % 3), ..Made::new(&format!("Circle{index}")) }.write(folder);
        }
    });
    add("inner", "check Inner0.value", &|folder| {
        // Each is said to be a member of the next.
        for index in 0..3 {
            let names: Vec<String> = (0..3).map(|index| format!("Inner{index}")).collect();
            let inner = (0..3).map(|index| (names[index].clone(), names[(index + 1) % 3].clone())).collect();
            Made { inner, ..Made::new(&format!("Inner{index}")) }.write(folder);
        }
    });
    add("crowd", "check Target.given", &|folder| {
        for index in 0..20_000 {
            Made { interfaces: vec!["Crowd".into()], ..Made::new(&format!("K{index}")) }.write(folder);
        }
        Made { is_interface: true, ..Made::new("Crowd") }.write(folder);
        Made { takes: "LCrowd;".into(), ..Made::new("Target") }.write(folder);
    });
    add("crowd", "check Target.value", &|_| {});
    add("pipes", "check Target.given", &|folder| {
        Made { takes: "LBlocked;".into(), ..Made::new("Target") }.write(folder);
        Made::new("Beside").write(folder);
        mkfifo(&folder.join("Blocked.class"));
        mkfifo(&folder.join("Other.class"));
    });
    add("pipes", "check Blocked.value", &|_| {});
    add("devices", "check Target.given", &|folder| {
        Made { takes: "LEndless;".into(), ..Made::new("Target") }.write(folder);
        let _ = symlink("/dev/zero", folder.join("Endless.class"));
        let _ = symlink("/dev/tty", folder.join("Terminal.class"));
        // A directory that contains itself.
        let _ = symlink(".", folder.join("again"));
    });
    add("devices", "check Endless.value", &|_| {});
    add("pipejar", "check Target.value", &|folder| Made::new("Target").write(folder));
    mkfifo(&directory.join("pipejar/library.jar"));
    let last = all.last_mut().expect("it was added");
    last.class_path = PathBuf::from(format!("{0}:{0}/library.jar", last.class_path.display()));
    all
}

/// 40 levels of two interfaces, each of which extends both of the level above: 2^40 ways to the top.
fn lattice(folder: &Path) {
    for level in 0..40 {
        for side in ["L", "R"] {
            let above = level - 1;
            let interfaces = if level == 0 { vec![] } else { vec![format!("L{above}"), format!("R{above}")] };
            Made { interfaces, is_interface: true, ..Made::new(&format!("{side}{level}")) }.write(folder);
        }
    }
    let interfaces = vec!["L39".to_string(), "R39".to_string()];
    Made { interfaces, takes: "LL20;".into(), ..Made::new("Bottom") }.write(folder);
}

fn mkfifo(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(path.exists() || made.is_ok_and(|status| status.success()), "mkfifo is installed");
}

/// A class with two static methods: `int value(int)` returns its argument, and `int given(TYPE)` 1 for null, or else divides by zero.
struct Made {
    name: String,
    parent: String,
    interfaces: Vec<String>,
    /// The parameter of `given`, if there is such a method.
    takes: String,
    is_interface: bool,
    /// Class and the class that it is said to be a member of.
    inner: Vec<(String, String)>,
}

impl Made {
    fn new(name: &str) -> Made {
        let (interfaces, inner) = (Vec::new(), Vec::new());
        let parent = "java/lang/Object".to_string();
        Made { name: name.to_string(), parent, interfaces, takes: String::new(), is_interface: false, inner }
    }

    fn write(&self, folder: &Path) {
        std::fs::write(folder.join(format!("{}.class", self.name)), self.bytes()).expect("a class can be written");
    }

    fn bytes(&self) -> Vec<u8> {
        let mut pool = Pool::default();
        let (this, parent) = (pool.class(&self.name), pool.class(&self.parent));
        let interfaces: Vec<u16> = self.interfaces.iter().map(|name| pool.class(name)).collect();
        let code = pool.utf8("Code");
        let mut methods = Vec::new();
        let mut method = |pool: &mut Pool, name: &str, descriptor: &str, ops: &[u8]| {
            let mut bytes = Vec::new();
            put(&mut bytes, &[0x0009, pool.utf8(name), pool.utf8(descriptor), 1, code]);
            bytes.extend((12 + ops.len() as u32).to_be_bytes());
            put(&mut bytes, &[2, 1]);
            bytes.extend((ops.len() as u32).to_be_bytes());
            bytes.extend(ops);
            put(&mut bytes, &[0, 0]);
            methods.push(bytes);
        };
        if !self.is_interface {
            // iload_0, ireturn
            method(&mut pool, "value", "(I)I", &[0x1a, 0xac]);
        }
        if !self.takes.is_empty() {
            // aload_0, ifnull to the end, iconst_1, iconst_0, idiv, ireturn; iconst_1, ireturn
            let ops = [0x2a, 0xc6, 0, 7, 0x04, 0x03, 0x6c, 0xac, 0x04, 0xac];
            method(&mut pool, "given", &format!("({})I", self.takes), &ops);
        }
        let inner_name = pool.utf8("InnerClasses");
        let inner: Vec<[u16; 4]> = self
            .inner
            .iter()
            .map(|(inner, outer)| [pool.class(inner), pool.class(outer), pool.utf8(inner), 0x0009])
            .collect();
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe];
        // Version 49 needs no stack maps.
        put(&mut bytes, &[0, 49, pool.count + 1]);
        bytes.extend(&pool.bytes);
        put(&mut bytes, &[if self.is_interface { 0x0601 } else { 0x0021 }, this, parent, interfaces.len() as u16]);
        put(&mut bytes, &interfaces);
        put(&mut bytes, &[0, methods.len() as u16]);
        bytes.extend(methods.concat());
        if inner.is_empty() {
            put(&mut bytes, &[0]);
        } else {
            put(&mut bytes, &[1, inner_name]);
            bytes.extend((2 + 8 * inner.len() as u32).to_be_bytes());
            put(&mut bytes, &[inner.len() as u16]);
            inner.iter().for_each(|entry| put(&mut bytes, entry));
        }
        bytes
    }
}

fn put(bytes: &mut Vec<u8>, numbers: &[u16]) {
    numbers.iter().for_each(|number| bytes.extend(number.to_be_bytes()));
}

#[derive(Default)]
struct Pool {
    bytes: Vec<u8>,
    count: u16,
}

impl Pool {
    fn utf8(&mut self, text: &str) -> u16 {
        self.bytes.push(1);
        put(&mut self.bytes, &[text.len() as u16]);
        self.bytes.extend(text.as_bytes());
        self.count += 1;
        self.count
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.bytes.push(7);
        put(&mut self.bytes, &[name]);
        self.count += 1;
        self.count
    }
}
