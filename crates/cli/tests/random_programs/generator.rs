//! How are random Java programs made? Statements over a heap of two classes, and a check at the end that may fail.
//!
//! Loops and recursion count down, so that all of them end. What may throw has a line of its own: an exception and its line tell the
//! faults of a program apart.

use super::dice::Dice;

/// A program that was made up.
pub struct Generated {
    /// The simple name of its class; the method `run` of its class `A` is the one to check.
    pub name: String,
    pub source: String,
    /// Are exceptions that the JVM throws no faults, and only the check at the end is one?
    pub only_checks: bool,
}

/// The program of this number. The same number gives the same program.
pub fn program(number: u64) -> Generated {
    let mut dice = Dice::new(number);
    let name = format!("Program{number}");
    let (only_checks, has_invariant, is_static) = (dice.chance(50), dice.chance(25), dice.chance(50));
    let invariant = match has_invariant {
        true => format!("boolean repOK() {{ return {}; }}", dice.pick(&INVARIANTS)),
        false => String::new(),
    };
    let (are_valid, is_valid_again) = match (has_invariant, is_static) {
        (false, _) => ("true", "true"),
        (true, true) => ("a == null || a.repOK()", "true"),
        (true, false) => ("as[1].repOK() && (a == null || a.repOK())", "as[1].repOK()"),
    };
    let body = Writer::new(&mut dice, Method::Run { is_static }).written();
    let help = Writer::new(&mut dice, Method::Help).written();
    let source = include_str!("Template.java")
        .replace("$NAME", &name)
        .replace("$INVARIANT", &invariant)
        .replace("$STATIC", if is_static { "static " } else { "" })
        .replace("$TARGET", if is_static { "A" } else { "as[1]" })
        .replace("$ARE_VALID", are_valid)
        .replace("$IS_VALID_AGAIN", is_valid_again)
        .replace("$BODY", &body)
        .replace("$HELP", &help);
    Generated { name, source, only_checks }
}

const INVARIANTS: [&str; 5] = [
    "n >= 0",
    "next == null || next.n > n",
    "other != null && other.back == this",
    "next != this && (next == null || next.next == null)",
    "other == null || other.flag == (next == null)",
];

/// The deepest nesting of statements.
const NESTING: usize = 2;

#[derive(Clone, Copy, PartialEq)]
enum Method {
    Run {
        is_static: bool,
    },
    /// It calls itself.
    Help,
}

/// Writes the statements of a method, whose variables the template declares.
struct Writer<'a> {
    dice: &'a mut Dice,
    method: Method,
    text: String,
    /// How many variables have a name that was made up.
    named: usize,
}

impl<'a> Writer<'a> {
    fn new(dice: &'a mut Dice, method: Method) -> Writer<'a> {
        Writer { dice, method, text: String::new(), named: 0 }
    }

    fn written(mut self) -> String {
        let count = if self.method == Method::Help { 2 } else { 5 + self.dice.below(4) };
        for _ in 0..count {
            self.statement(NESTING);
        }
        if self.method != Method::Help {
            let condition = self.condition();
            self.line(&format!("if ({condition}) {{"));
            self.line("throw new AssertionError();");
            self.line("}");
        }
        self.text
    }

    fn line(&mut self, text: &str) {
        self.text.push_str("            ");
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn new_name(&mut self) -> String {
        self.named += 1;
        format!("x{}", self.named)
    }

    fn statements(&mut self, nesting: usize) {
        for _ in 0..1 + self.dice.below(2) {
            self.statement(nesting);
        }
    }

    fn statement(&mut self, nesting: usize) {
        if nesting > 0 && self.dice.chance(45) {
            return self.block(nesting - 1);
        }
        match self.dice.below(12) {
            0 => self.assign("c", Self::a),
            1 => self.assign("d", Self::b),
            2 => self.assign("m", Self::int),
            3 => self.assign("v", Self::long),
            4 => self.write("a", "next", Self::a),
            5 => self.write("a", "other", Self::b),
            6 => self.write("a", "n", Self::int),
            7 => self.write("b", "back", Self::a),
            8 => self.write("b", "flag", Self::condition),
            9 => self.write("b", "w", Self::long),
            10 => self.call(),
            _ => self.look_at_a_class(),
        }
    }

    fn assign(&mut self, name: &str, value: fn(&mut Self) -> String) {
        let value = value(self);
        self.line(&format!("{name} = {value};"));
    }

    /// Writes a field, mostly of something that is there.
    fn write(&mut self, class: &str, field: &str, value: fn(&mut Self) -> String) {
        let object = self.variable(class);
        let value = value(self);
        let is_safe = object != "this" && self.dice.chance(70);
        if is_safe {
            self.line(&format!("if ({object} != null) {{"));
        }
        self.line(&format!("{object}.{field} = {value};"));
        if is_safe {
            self.line("}");
        }
    }

    fn call(&mut self) {
        let (a, b, int) = (self.a(), self.b(), self.int());
        match self.dice.below(4) {
            0 => {
                let (object, condition) = (self.variable("a"), self.condition());
                self.line(&format!("c = {object}.pick({a}, {condition});"));
            }
            1 => {
                let object = self.variable("b");
                self.line(&format!("{object}.swap({b});"));
            }
            _ if self.method == Method::Help => {
                self.line("if (depth > 0) {");
                self.line(&format!("m = help({a}, {b}, {int}, depth - 1);"));
                self.line("}");
            }
            _ => {
                let depth = self.dice.below(3);
                self.line(&format!("m = help({a}, {b}, {int}, {depth});"));
            }
        }
    }

    fn look_at_a_class(&mut self) {
        let (condition, a, b) = (self.condition(), self.a(), self.b());
        let name = self.new_name();
        self.line(&format!("Object {name} = null;"));
        self.line(&format!("if ({condition}) {{"));
        self.line(&format!("{name} = {a};"));
        self.line("} else {");
        self.line(&format!("{name} = {b};"));
        self.line("}");
        match self.dice.chance(60) {
            true => {
                self.line(&format!("if ({name} instanceof A) {{"));
                self.line(&format!("m = ((A) {name}).n;"));
                self.line("}");
            }
            false => self.line(&format!("d = (B) {name};")),
        }
    }

    /// Statements within others.
    fn block(&mut self, nesting: usize) {
        match self.dice.below(8) {
            0..=2 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {{"));
                self.statements(nesting);
                if self.dice.chance(50) {
                    self.line("} else {");
                    self.statements(nesting);
                }
                self.line("}");
            }
            3 | 4 => {
                let (count, condition) = (self.new_name(), self.condition());
                self.line(&format!("int {count} = 0;"));
                let most = 1 + self.dice.below(3);
                self.line(&format!("while ({count} < {most} && ({condition})) {{"));
                self.line(&format!("{count}++;"));
                self.statements(nesting);
                if self.dice.chance(30) {
                    let (condition, leave) = (self.condition(), self.dice.pick(&["break", "continue"]));
                    self.line(&format!("if ({condition}) {{"));
                    self.line(&format!("{leave};"));
                    self.line("}");
                }
                self.line("}");
            }
            5 | 6 => {
                self.line("try {");
                self.statements(nesting);
                let caught = self.dice.pick(&[
                    "NullPointerException",
                    "NullPointerException",
                    "ArithmeticException",
                    "RuntimeException",
                ]);
                let name = self.new_name();
                self.line(&format!("}} catch ({caught} {name}) {{"));
                self.statements(nesting);
                self.line("}");
            }
            _ => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {{"));
                let leave = self.dice.pick(&[
                    "return k;",
                    "return m;",
                    "throw new AssertionError();",
                    "throw new AssertionError();",
                ]);
                self.line(leave);
                self.line("}");
            }
        }
    }

    /// A variable of class `A` or `B`.
    fn variable(&mut self, class: &str) -> &'static str {
        let has_this = self.method == Method::Run { is_static: false };
        match class {
            "a" if has_this => self.dice.pick(&["this", "this", "a", "c"]),
            "a" => self.dice.pick(&["a", "c"]),
            _ => self.dice.pick(&["b", "d"]),
        }
    }

    fn a(&mut self) -> String {
        let (a, b) = (self.variable("a"), self.variable("b"));
        match self.dice.below(10) {
            0..=2 => a.to_string(),
            3..=5 => format!("{a}.next"),
            6 => format!("{a}.next.next"),
            7 => format!("{b}.back"),
            8 => "new A()".to_string(),
            _ => "null".to_string(),
        }
    }

    fn b(&mut self) -> String {
        let (a, b) = (self.variable("a"), self.variable("b"));
        match self.dice.below(7) {
            0 | 1 => b.to_string(),
            2..=4 => format!("{a}.other"),
            5 => "new B()".to_string(),
            _ => "null".to_string(),
        }
    }

    fn int(&mut self) -> String {
        let a = self.variable("a");
        let one = self.dice.pick(&["k", "m", "1"]);
        match self.dice.below(12) {
            0 => "k".to_string(),
            1 => "m".to_string(),
            2 | 3 => format!("{a}.n"),
            4 => (self.dice.below(4) as i64 - 1).to_string(),
            5 | 6 => format!("{a}.n + {one}"),
            7 => format!("{one} - {a}.n"),
            8 => format!("{a}.n * {}", self.dice.pick(&["2", "3", "-1"])),
            9 => format!("{one} {} {a}.n", self.dice.pick(&["/", "%"])),
            10 => {
                format!("{one} {} {}", self.dice.pick(&["&", "|", "^", "<<", ">>", ">>>"]), self.dice.pick(&["m", "1"]))
            }
            _ => "(int) v".to_string(),
        }
    }

    fn long(&mut self) -> String {
        let b = self.variable("b");
        match self.dice.below(6) {
            0 => "v".to_string(),
            1 | 2 => format!("{b}.w"),
            3 => format!("{b}.w + v"),
            4 => "v - k".to_string(),
            _ => "m".to_string(),
        }
    }

    fn condition(&mut self) -> String {
        let (a, other) = (self.variable("a"), self.variable("a"));
        let b = self.variable("b");
        match self.dice.below(11) {
            0 => format!("{a} == {other}"),
            1 => format!("{a}.next == {other}"),
            2 => format!("{a} != null && {a}.next == {other}"),
            3 => format!("{b} != null && {b}.flag"),
            4 => format!("{b}.flag"),
            5 => format!("{a} != null && {a}.n {} k", self.dice.pick(&["<", "==", ">="])),
            6 => format!("m {} {}", self.dice.pick(&["<", "!=", ">"]), self.dice.pick(&["k", "0", "2"])),
            7 => format!("{b} != null && {b}.w > v"),
            8 => format!("{a} != null && {a}.other == {b}"),
            9 => format!("{b} == null || {b}.back != {a}"),
            _ => format!("!({a} == null || {b} == null)"),
        }
    }
}
