//! How are classes made whose inputs are of every kind? Fields, arguments and static fields of own classes and interfaces with subclasses, type
//! variables, texts, boxes, arrays, constants and wide types; an invariant about them; and methods that tell them apart, change them, and go wrong.
//!
//! A program is a list of lines, so that one which shows an error can be made smaller by leaving lines out.

use super::dice::Dice;

/// A program that was made up.
#[derive(Clone)]
pub struct Generated {
    pub name: String,
    pub lines: Vec<Line>,
}

/// A line of a program.
#[derive(Clone)]
pub struct Line {
    pub text: String,
    pub part: Part,
}

/// Of what is a line a part?
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Of every program.
    Program,
    /// Of nothing: the program may be one without it.
    Single,
    Invariant,
    Method(usize),
}

impl Generated {
    pub fn source(&self) -> String {
        self.lines.iter().map(|line| format!("{}\n", line.text)).collect()
    }

    /// The same program, of which brute force builds inputs with more kinds of objects at places of wider types.
    pub fn with_more_kinds(&self) -> Generated {
        let mut wider = self.clone();
        for line in &mut wider.lines {
            if line.text.starts_with(WIDE) {
                line.text = format!("{WIDE} String Integer Double int[] Object[] String[]");
            } else if line.text.starts_with(MOST) {
                line.text = format!("{MOST} 1000000");
            }
        }
        wider
    }
}

/// The type of a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Int,
    Flag,
    Text,
    Box,
    Any,
    Node,
    Sub,
    Face,
    Colour,
    Pair,
    Ints,
    Rows,
    Objects,
    Nodes,
    Texts,
    Variable,
    Task,
    Chars,
    TextHolder,
    NodeHolder,
    AnyHolder,
}

const TYPES: [Type; 21] = [
    Type::Int,
    Type::Flag,
    Type::Text,
    Type::Box,
    Type::Any,
    Type::Node,
    Type::Sub,
    Type::Face,
    Type::Colour,
    Type::Pair,
    Type::Ints,
    Type::Rows,
    Type::Objects,
    Type::Nodes,
    Type::Texts,
    Type::Variable,
    Type::Task,
    Type::Chars,
    Type::TextHolder,
    Type::NodeHolder,
    Type::AnyHolder,
];

impl Type {
    fn java(self) -> &'static str {
        match self {
            Type::Int => "int",
            Type::Flag => "boolean",
            Type::Text => "String",
            Type::Box => "Integer",
            Type::Any => "Object",
            Type::Node => "Node",
            Type::Sub => "Sub",
            Type::Face => "Face",
            Type::Colour => "Colour",
            Type::Pair => "Pair",
            Type::Ints => "int[]",
            Type::Rows => "int[][]",
            Type::Objects => "Object[]",
            Type::Nodes => "Node[]",
            Type::Texts => "String[]",
            Type::Variable => "T",
            Type::Task => "Runnable",
            Type::Chars => "CharSequence",
            Type::TextHolder => "Holder<String>",
            Type::NodeHolder => "Holder<Node>",
            Type::AnyHolder => "Holder<?>",
        }
    }

    fn is_number(self) -> bool {
        matches!(self, Type::Int | Type::Flag)
    }

    /// May it hold objects of many kinds?
    fn is_wide(self) -> bool {
        matches!(self, Type::Any | Type::Variable | Type::Objects)
    }
}

/// Where a value is, and what must be true before one may look there.
#[derive(Clone)]
struct Place {
    guard: String,
    expression: String,
    of: Type,
}

/// The directive about what places of wider types hold.
const WIDE: &str = "// wide:";

/// The directive about how many inputs are tried.
const MOST: &str = "// most:";

/// The program of this number. The same number gives the same program.
pub fn program(number: u64) -> Generated {
    let mut dice = Dice::new(number);
    let name = format!("Any{number}");
    let has_receivers = dice.chance(30);
    let has_sentinel = dice.chance(25);
    let variable = dice.pick(&["T", "T extends Comparable<T>", "T extends OUTER.Node"]).replace("OUTER", &name);
    let fields: Vec<Place> = (0..1 + dice.below(3)).map(|at| place(&mut dice, format!("f{at}"))).collect();
    let statics: Vec<Place> = match dice.chance(25) {
        true => vec![not_variable(place(&mut dice, "s0".to_string()))],
        false => Vec::new(),
    };
    let wide = fields.iter().chain(&statics).filter(|place| place.of.is_wide()).count();
    let scope = if wide == 0 && fields.len() < 3 && dice.chance(60) { 2 } else { 1 };
    let mut lines = Vec::new();
    let mut add = |text: String, part| lines.push(Line { text, part });
    for text in [
        "// Made up.".to_string(),
        format!("// scope: {scope}"),
        "// domain: int 0 1; string a".to_string(),
        format!("{WIDE} String Integer int[]"),
        "// known: java.lang.ClassCastException".to_string(),
        "// subtype-array: all".to_string(),
        "// objects: 3".to_string(),
        format!("{MOST} 20000"),
    ] {
        add(text, Part::Program);
    }
    add(format!("public class {name}<{variable}> {{"), Part::Program);
    let in_node = dice.pick(&["", " Node next;", " Object any;", " String text;"]);
    let sub = dice.pick(&["0", "-1", "1 - n"]);
    add("    interface Face { int look(); }".to_string(), Part::Single);
    add(
        format!("    static class Node implements Face {{ int n;{in_node} public int look() {{ return n; }} }}"),
        Part::Single,
    );
    add(
        format!(
            "    static class Sub extends Node {{{} public int look() {{ return {sub}; }} }}",
            if dice.chance(30) { " Object item;" } else { "" }
        ),
        Part::Single,
    );
    if dice.chance(30) {
        add("    static class Sub2 extends Node { int more; }".to_string(), Part::Single);
    }
    add("    enum Colour { RED, GREEN }".to_string(), Part::Single);
    add("    static class Holder<V> { V value; V get() { return value; } }".to_string(), Part::Single);
    if dice.chance(30) {
        add("    static class Texts extends Holder<String> { }".to_string(), Part::Single);
    }
    add("    record Pair(int n, Object of) { }".to_string(), Part::Single);
    if has_sentinel {
        add("    static final Node NONE = new Node();".to_string(), Part::Single);
    }
    for (places, modifier) in [(&fields, ""), (&statics, "static ")] {
        for place in places {
            add(format!("    {modifier}{} {};", place.of.java(), place.expression), Part::Single);
        }
    }
    if has_receivers {
        add("    int kind() { return 0; }".to_string(), Part::Single);
        let field = dice.pick(&["", " int own;"]);
        add(format!("    static class Lower extends {name} {{{field} int kind() {{ return 1; }} }}"), Part::Single);
    }
    let mut known = fields.clone();
    known.extend(statics.iter().cloned());
    if has_sentinel {
        known.push(Place { guard: String::new(), expression: "NONE".to_string(), of: Type::Node });
    }
    let scene = Scene { in_node, has_receivers, known: inner(&known, in_node), fields };
    add("    boolean repOK() {".to_string(), Part::Invariant);
    for _ in 0..dice.below(3) {
        let condition = scene.condition(&mut dice, &[]);
        let negation = if dice.chance(50) { "!" } else { "" };
        add(format!("        if ({negation}({condition})) {{ return false; }}"), Part::Invariant);
    }
    add("        return true;".to_string(), Part::Invariant);
    add("    }".to_string(), Part::Invariant);
    for method in 0..3 {
        let parameters: Vec<Place> = (0..dice.below(3)).map(|at| place(&mut dice, format!("p{at}"))).collect();
        let declared: Vec<String> =
            parameters.iter().map(|place| format!("{} {}", place.of.java(), place.expression)).collect();
        let part = Part::Method(method);
        add(format!("    public void m{method}({}) {{", declared.join(", ")), part);
        let more = inner(&parameters, in_node);
        for _ in 0..1 + dice.below(3) {
            add(format!("        {}", scene.statement(&mut dice, &more)), part);
        }
        add("    }".to_string(), part);
    }
    add("}".to_string(), Part::Program);
    // An object that a program asks for may be at every place of a wide type, also where the program declares no such place.
    if lines.iter().any(|line| line.text.contains("instanceof Object[]")) {
        let wide = lines.iter_mut().find(|line| line.text.starts_with(WIDE));
        wide.into_iter().for_each(|line| line.text.push_str(" Object[]"));
    }
    Generated { name, lines }
}

fn place(dice: &mut Dice, expression: String) -> Place {
    Place { guard: String::new(), expression, of: dice.pick(&TYPES) }
}

/// A static field has no type variable.
fn not_variable(place: Place) -> Place {
    Place { of: if place.of == Type::Variable { Type::Any } else { place.of }, ..place }
}

/// The places, and what is behind them.
fn inner(places: &[Place], in_node: &str) -> Vec<Place> {
    let mut all = places.to_vec();
    for place in places {
        let Place { guard, expression, of } = place;
        let mut add = |guard: String, expression: String, of| all.push(Place { guard, expression, of });
        let not_null = format!("{guard}{expression} != null && ");
        match of {
            Type::Node | Type::Sub => match in_node {
                " Node next;" => add(not_null, format!("{expression}.next"), Type::Node),
                " Object any;" => add(not_null, format!("{expression}.any"), Type::Any),
                " String text;" => add(not_null, format!("{expression}.text"), Type::Text),
                _ => {}
            },
            Type::Pair => add(not_null, format!("{expression}.of()"), Type::Any),
            Type::TextHolder => add(not_null, format!("{expression}.value"), Type::Text),
            Type::NodeHolder => add(not_null, format!("{expression}.get()"), Type::Node),
            Type::AnyHolder => add(not_null, format!("{expression}.value"), Type::Any),
            Type::Rows | Type::Objects | Type::Nodes | Type::Texts => {
                let element = match of {
                    Type::Rows => Type::Ints,
                    Type::Nodes => Type::Node,
                    Type::Texts => Type::Text,
                    _ => Type::Any,
                };
                add(format!("{not_null}{expression}.length == 1 && "), format!("{expression}[0]"), element);
            }
            _ => {}
        }
    }
    all
}

/// The expressions that the methods of a program may read.
struct Scene {
    in_node: &'static str,
    has_receivers: bool,
    known: Vec<Place>,
    /// Those that can be assigned.
    fields: Vec<Place>,
}

impl Scene {
    fn any(&self, dice: &mut Dice, parameters: &[Place]) -> Place {
        // Arguments are there to be read.
        let of_parameters = !parameters.is_empty() && dice.chance(55);
        let all = if of_parameters { parameters } else { &self.known };
        all[dice.below(all.len())].clone()
    }

    /// Something that is true of some inputs, and false of others.
    fn condition(&self, dice: &mut Dice, parameters: &[Place]) -> String {
        if self.has_receivers && dice.chance(12) {
            return "kind() == 1".to_string();
        }
        let Place { guard, expression: it, of } = self.any(dice, parameters);
        let other = self.any(dice, parameters);
        if !of.is_number() && !other.of.is_number() && dice.chance(25) {
            return format!("({guard}{}{it} != null && (Object) {it} == (Object) {})", other.guard, other.expression);
        }
        let choices: Vec<String> = match of {
            Type::Int => vec![format!("{it} == 1"), format!("{it} > 0")],
            Type::Flag => vec![it.clone()],
            Type::Text => vec![
                format!("\"a\".equals({it})"),
                format!("{it} != null && {it}.length() == 1"),
                format!("{it} != null && {it}.isEmpty()"),
            ],
            Type::Box => vec![format!("{it} != null && {it} == 1")],
            Type::Node | Type::Sub => vec![
                format!("{it} != null && {it}.n == 1"),
                format!("{it} != null && {it}.look() == 0"),
                format!("{it} != null && {it}.look() < 0"),
                format!("{it} != null && (Object) {it}.getClass() == Node.class"),
            ],
            Type::Face => vec![format!("{it} instanceof Sub"), format!("{it} instanceof Node && {it}.look() == 0")],
            Type::Colour => vec![format!("{it} == Colour.GREEN")],
            Type::Pair => vec![format!("{it} != null && {it}.n() == 1"), format!("new Pair(0, null).equals({it})")],
            Type::TextHolder => {
                vec![format!("{it} != null && \"a\".equals({it}.value)"), format!("(Object) {it} instanceof Holder")]
            }
            Type::NodeHolder => vec![
                format!("{it} != null && {it}.value instanceof Sub"),
                format!("{it} != null && {it}.get() == null"),
            ],
            Type::AnyHolder => vec![format!("{it} != null && {it}.get() instanceof String")],
            Type::Ints => vec![
                format!("{it} != null && {it}.length == 1 && {it}[0] == 1"),
                format!("{it} != null && {it}.length == 0"),
            ],
            Type::Rows => vec![format!("{it} != null && {it}.length == 1")],
            Type::Objects | Type::Nodes | Type::Texts => vec![
                format!("{it} != null && {it}.length == 1"),
                format!("(Object) {it} instanceof Sub[]"),
                format!("(Object) {it} instanceof String[]"),
            ],
            Type::Any | Type::Variable | Type::Task | Type::Chars => vec![
                format!("(Object) {it} instanceof String"),
                format!("\"a\".equals({it})"),
                format!("(Object) {it} instanceof Integer && (Integer) (Object) {it} == 1"),
                format!("(Object) {it} instanceof int[] && ((int[]) (Object) {it}).length == 1"),
                format!("(Object) {it} instanceof Node && ((Node) (Object) {it}).n == 1"),
                format!("(Object) {it} instanceof Sub"),
                format!("(Object) {it} instanceof Holder<?> && ((Holder<?>) (Object) {it}).value instanceof String"),
                format!("(Object) {it} instanceof Object[]"),
                format!("(Object) {it} == Colour.RED"),
                format!("(Object) {it} == this"),
            ],
        };
        let chosen = match !of.is_number() && dice.chance(20) {
            true => format!("{it} == null"),
            false => choices[dice.below(choices.len())].clone(),
        };
        format!("({guard}{chosen})")
    }

    fn statement(&self, dice: &mut Dice, parameters: &[Place]) -> String {
        let one = self.condition(dice, parameters);
        let both = match dice.chance(50) {
            true => format!("{one} && {}", self.condition(dice, parameters)),
            false => one,
        };
        match dice.below(10) {
            0 => format!("if ({both}) {{ throw new AssertionError(); }}"),
            1 | 2 => format!("assert !({both});"),
            // Right by construction: nothing changes in between.
            3 => format!("{{ boolean before = {both}; assert before == ({both}); }}"),
            _ => format!("if ({both}) {{ {} }}", self.effect(dice, parameters)),
        }
    }

    /// Something that changes an object.
    fn effect(&self, dice: &mut Dice, parameters: &[Place]) -> String {
        if !self.fields.is_empty() && dice.chance(35) {
            let field = &self.fields[dice.below(self.fields.len())];
            let same = parameters.iter().find(|place| place.of == field.of && place.guard.is_empty());
            return match (field.of, same) {
                (_, Some(same)) if dice.chance(70) => format!("{} = {};", field.expression, same.expression),
                (Type::Int, _) => format!("{}++;", field.expression),
                (Type::Flag, _) => format!("{0} = !{0};", field.expression),
                (Type::Text, _) => format!("{} = \"a\";", field.expression),
                (Type::Node, _) => format!("{} = new Sub();", field.expression),
                _ => format!("{} = null;", field.expression),
            };
        }
        let Place { guard, expression: it, of } = self.any(dice, parameters);
        let guarded = |condition: &str, then: &str| format!("if ({guard}{condition}) {{ {then} }}");
        match of {
            Type::Node | Type::Sub => match (self.in_node, dice.chance(30)) {
                (" Node next;", true) => guarded(&format!("{it} != null"), &format!("{it}.next = null;")),
                _ => guarded(&format!("{it} != null"), &format!("{it}.n = 1;")),
            },
            Type::Ints => guarded(&format!("{it} != null && {it}.length == 1"), &format!("{it}[0] = 1;")),
            Type::Rows | Type::Texts => {
                guarded(&format!("{it} != null && {it}.length == 1"), &format!("{it}[0] = null;"))
            }
            Type::Objects | Type::Nodes => {
                guarded(&format!("{it} != null && {it}.length == 1"), &format!("{it}[0] = new Node();"))
            }
            Type::Any | Type::Variable => match dice.chance(50) {
                true => guarded(
                    &format!("(Object) {it} instanceof int[] && ((int[]) (Object) {it}).length == 1"),
                    &format!("((int[]) (Object) {it})[0] = 1;"),
                ),
                false => guarded(&format!("(Object) {it} instanceof Node"), &format!("((Node) (Object) {it}).n = 1;")),
            },
            _ => "throw new AssertionError();".to_string(),
        }
    }
}
