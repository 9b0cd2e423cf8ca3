//! Which methods of MUCHO-TACO's subjects are checked, and which changes make them wrong?

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The subjects of Table 3, and their methods.
pub const SUBJECTS: [(&str, &[&str]); 5] = [
    ("SLList", &["contains", "insert", "remove"]),
    ("BSTree", &["find", "add", "remove"]),
    ("AVLTree", &["findMax", "find", "insert"]),
    ("TreeSet", &["find", "insert", "remove"]),
    ("BinHeap", &["min", "decreaseKey", "insert", "extractMin"]),
];

/// By what is said in JML alone.
pub const BY_JML: [&str; 4] = ["--invariant", "jml", "--spec", "subjects/taco/specs"];

/// The parameters of a method, where JML does not say them.
pub fn precondition(method: &str) -> &'static [&'static str] {
    if method == "decreaseKey" { &["--pre", "isDecrease"] } else { &[] }
}

/// A change that makes a method wrong. It shows at this scope, by `repOK` and by JML.
pub struct Defect {
    pub class: &'static str,
    pub method: &'static str,
    pub scope: &'static str,
    /// The text whose first occurrence is replaced.
    pub right: &'static str,
    pub wrong: &'static str,
}

/// The defects, by class. What is behind each says of what kind it is.
#[rustfmt::skip]
pub const DEFECTS: [Defect; 22] = [
    defect("SLList", "insert", "last.next = fresh;", "last.next = fresh; fresh.next = head;"), // a cycle
    defect("SLList", "remove", "if (node == null || index < 0) {", "if (index < 0) {"), // a missing null check
    defect("BSTree", "add", "} else if (key < above.key) {", "} else if (key > above.key) {"), // a comparison
    defect("BSTree", "remove", "node.key = next.key;", "node.key = next.key + 1;"), // off by one
    defect("BSTree", "remove", "} else if (above.left == node) {", "} else if (above.left != node) {"), // a comparison
    defect("AVLTree", "insert", "node.left = top.right;\n        top.right = node;", "top.right = node;"), // a rotation
    defect("AVLTree", "insert", "return turnedRight(node);", "return turnedLeft(node);"), // a rotation
    defect("AVLTree", "insert", "measure(node);\n        return node;", "return node;"), // a height
    defect("AVLTree", "insert", "fresh.height = 1;", "fresh.height = 0;"), // off by one
    defect("TreeSet", "insert", "root.isBlack = true;", ""), // a colour
    defect("TreeSet", "insert", "uncle.isBlack = true;", ""), // a colour
    defect("TreeSet", "insert", "by.parent = parent;", ""), // a parent
    defect("TreeSet", "insert", "node.parent = child;", ""), // a parent
    defect("TreeSet", "insert", "turn(grandparent, !isLeft);", "turn(grandparent, isLeft);"), // a rotation
    defect("TreeSet", "remove", "if (node.isBlack) {", "if (!node.isBlack) {"), // a comparison
    defect("TreeSet", "remove", "if (by != null) {", "if (true) {"), // a missing null check
    defect("BinHeap", "insert", "parent.degree++;", ""), // a degree
    defect("BinHeap", "insert", "} else if (node.key <= next.key) {", "} else if (node.key >= next.key) {"), // a comparison
    defect("BinHeap", "extractMin", "child.parent = null;", ""), // a parent
    defect("BinHeap", "extractMin", "size--;", ""), // off by one
    defect("BinHeap", "extractMin", "united(merge(nodes, children))", "united(nodes)"), // a lost subtree
    defect("BinHeap", "decreaseKey", "at.parent.key > at.key", "at.parent.key < at.key"), // a comparison
];

impl Defect {
    pub fn target(&self) -> String {
        format!("taco.{}.{}", self.class, self.method)
    }

    /// The classes with the defect.
    pub fn compiled(&self) -> TempDir {
        let source = root().join(format!("subjects/taco/{}.java", self.class));
        let text = std::fs::read_to_string(&source).expect("the subject is there");
        assert!(text.contains(self.right), "{}: {}", self.class, self.right);
        let folder = tempfile::tempdir().expect("a scratch directory can be made");
        let changed = folder.path().join(format!("{}.java", self.class));
        std::fs::write(&changed, text.replacen(self.right, self.wrong, 1)).expect("it can be written");
        let javac = Command::new("javac").args(["-g", "-d"]).arg(folder.path()).arg(changed).output();
        let javac = javac.expect("javac is installed (scripts/test.sh installs it)");
        assert!(javac.status.success(), "{}", String::from_utf8_lossy(&javac.stderr));
        folder
    }
}

const fn defect(class: &'static str, method: &'static str, right: &'static str, wrong: &'static str) -> Defect {
    Defect { class, method, scope: "3", right, wrong }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
