//! How are random Java classes made? Linked nodes of some kind, an invariant about them, and a method that looks around.
//!
//! The invariant is put together from what people write: trees or mere reachability, by recursion or with a list of what is left to do, sizes,
//! order, parents, colours, and which references are null. The method counts its way, so that its result tells how it got there.

use std::fmt::Write;

use super::dice::Dice;

/// A class that was made up.
pub struct Generated {
    pub name: String,
    pub source: String,
    /// Larger inputs would be too many.
    pub scope: usize,
}

/// The class of this number. The same number gives the same class.
pub fn class(number: u64) -> Generated {
    let mut dice = Dice::new(number);
    let links: &[&str] =
        dice.pick(&[&["next"] as &[&str], &["left", "right"], &["left", "right"], &["one", "two", "three"]]);
    let layout = Layout {
        name: format!("Random{number}"),
        is_container: dice.chance(60),
        links,
        is_tree: links.len() > 2 || dice.chance(75),
        has_parent: dice.chance(35),
        has_side: dice.chance(35),
        has_size: dice.chance(50),
        is_recursive: dice.chance(50),
    };
    let scope = if links.len() > 2 || !layout.is_tree { 2 } else { 3 };
    let source = [layout.head(), layout.invariant(&mut dice), layout.method(&mut dice), "}\n".to_string()].concat();
    Generated { name: format!("made/up/{}", layout.name), source, scope }
}

struct Layout {
    name: String,
    /// Is there an object that holds the first node, or is it the first node?
    is_container: bool,
    /// The references that lead from node to node.
    links: &'static [&'static str],
    /// May no node be met twice?
    is_tree: bool,
    has_parent: bool,
    /// Does a node have an object of another class beside it?
    has_side: bool,
    has_size: bool,
    is_recursive: bool,
}

impl Layout {
    fn node(&self) -> &str {
        if self.is_container { "Node" } else { &self.name }
    }

    /// Where the nodes begin.
    fn first(&self) -> &'static str {
        if self.is_container { "root" } else { "this" }
    }

    /// Only an object that holds nodes counts them.
    fn counts(&self) -> bool {
        self.is_container && self.has_size
    }

    fn head(&self) -> String {
        let mut fields = format!("int key; boolean dark; {} {};", self.node(), self.links.join(", "));
        if self.has_parent {
            write!(fields, " {} parent;", self.node()).expect("texts can be written to");
        }
        if self.has_side {
            fields.push_str(" Side side;");
        }
        let mut text = format!("package made.up;\n\nimport java.util.*;\n\npublic class {} {{\n", self.name);
        if self.has_side {
            text.push_str("    static class Side { int weight; Side twin; }\n");
        }
        match self.is_container {
            true => {
                writeln!(text, "    static class Node {{ {fields} }}\n    Node root;")
                    .expect("texts can be written to");
            }
            false => writeln!(text, "    {fields}").expect("texts can be written to"),
        }
        if self.counts() {
            text.push_str("    int size;\n");
        }
        text
    }

    fn invariant(&self, dice: &mut Dice) -> String {
        let (node, first) = (self.node(), self.first());
        let mut lines = vec!["boolean repOK() {".to_string()];
        if self.is_container {
            let empty = match (self.counts(), dice.chance(75)) {
                (true, _) => "size == 0",
                (false, may_be_empty) => {
                    if may_be_empty {
                        "true"
                    } else {
                        "false"
                    }
                }
            };
            lines.push(format!("    if (root == null) {{ return {empty}; }}"));
        }
        if self.has_parent && dice.chance(70) {
            lines.push(format!("    if ({first}.parent != null) {{ return false; }}"));
        }
        lines.push(format!("    Set<{node}> visited = new HashSet<>();"));
        lines.push(format!("    visited.add({first});"));
        let result = if self.counts() { "size == visited.size()" } else { "true" };
        let around = match self.is_recursive {
            true => {
                lines.push(format!("    return isRight({first}, visited) && {result};"));
                lines.push("}".to_string());
                lines.push(format!("private static boolean isRight({node} node, Set<{node}> visited) {{"));
                "isRight(next, visited)"
            }
            false => {
                let (list, take) = dice.pick(&[
                    ("ArrayDeque", "removeFirst()"),
                    ("ArrayDeque", "removeLast()"),
                    ("LinkedList", "removeFirst()"),
                    ("ArrayList", "remove(pending.size() - 1)"),
                ]);
                lines.push(format!("    {list}<{node}> pending = new {list}<>();"));
                lines.push(format!("    pending.add({first});"));
                lines.push("    while (!pending.isEmpty()) {".to_string());
                lines.push(format!("    {node} node = pending.{take};"));
                "pending.add(next)"
            }
        };
        for condition in self.conditions_of_nodes(dice) {
            lines.push(format!("    if ({condition}) {{ return false; }}"));
        }
        let conditions = self.conditions_of_links(dice);
        for link in self.links {
            lines.push(format!("    if (node.{link} != null) {{"));
            lines.push(format!("        {node} next = node.{link};"));
            match self.is_tree {
                true => lines.push(format!("        if (!visited.add(next) || !{around}) {{ return false; }}")),
                false => lines.push(format!("        if (visited.add(next) && !{around}) {{ return false; }}")),
            }
            for (of_link, condition) in &conditions {
                if of_link.is_none_or(|known| known == *link) {
                    lines.push(format!("        if ({condition}) {{ return false; }}"));
                }
            }
            lines.push("    }".to_string());
        }
        match self.is_recursive {
            true => lines.push("    return true;\n    }".to_string()),
            false => lines.push(format!("    }}\n    return {result};\n    }}")),
        }
        lines.iter().map(|line| format!("    {line}\n")).collect()
    }

    /// A condition under which a node is invalid, whatever is beside it.
    fn conditions_of_nodes(&self, dice: &mut Dice) -> Vec<String> {
        let (first, last) = (self.links[0], self.links[self.links.len() - 1]);
        let mut all = vec![
            "node.key < 0 || node.key > 2".to_string(),
            format!("node.dark && node.{first} == null"),
            format!("!node.dark && node.{last} != null"),
        ];
        if self.links.len() > 1 {
            all.push(format!("(node.{first} == null) != (node.{last} == null)"));
            all.push(format!("node.{first} == null && node.{last} != null"));
        }
        if self.has_side {
            all.push("node.side == null".to_string());
            all.push("node.side != null && node.side.weight < node.key".to_string());
            all.push("node.side != null && node.side.twin != node.side".to_string());
            all.push("node.side != null && node.side.twin != null".to_string());
        }
        if self.has_parent {
            all.push("node.parent == node || (node.dark && node.parent == null)".to_string());
        }
        dice.some_of(all, 35)
    }

    /// A condition under which a node and the next one are invalid: over every link, or over one of them.
    fn conditions_of_links(&self, dice: &mut Dice) -> Vec<(Option<&'static str>, String)> {
        let (first, last) = (self.links[0], self.links[self.links.len() - 1]);
        let mut all = vec![
            (Some(first), "next.key <= node.key".to_string()),
            (Some(last), "next.key > node.key".to_string()),
            (None, "node.dark && next.dark".to_string()),
            (None, "next.key == node.key + 1".to_string()),
        ];
        if self.has_side {
            all.push((None, "next.side == node.side && next.side != null".to_string()));
            all.push((Some(first), "next.side != node.side".to_string()));
        }
        let mut chosen = dice.some_of(all, 30);
        if self.has_parent && dice.chance(80) {
            chosen.push((None, "next.parent != node".to_string()));
        }
        chosen
    }

    /// A method that looks around, and changes something now and then. Its loops end on any input.
    fn method(&self, dice: &mut Dice) -> String {
        let mut text = format!(
            "    int lookAround(int k) {{\n        int way = 1;\n        {} at = {};\n",
            self.node(),
            self.first()
        );
        for _ in 0..4 + dice.below(3) {
            writeln!(text, "        {}", self.statement(dice)).expect("texts can be written to");
        }
        text.push_str("        return way;\n    }\n");
        text
    }

    fn statement(&self, dice: &mut Dice) -> String {
        let mut references = self.links.to_vec();
        if self.has_parent {
            references.push("parent");
        }
        let (one, other) = (dice.pick(&references), dice.pick(&references));
        let fork = |condition: String| format!("if ({condition}) {{ way = way * 2 + 1; }} else {{ way = way * 2; }}");
        match dice.below(10) {
            0 => format!("at = at.{one};"),
            1 | 2 => format!("if (at.{one} != null) {{ at = at.{one}; way = way * 2 + 1; }} else {{ way = way * 2; }}"),
            3 => fork("at.key < k".to_string()),
            4 => fork("at.dark".to_string()),
            5 => {
                fork(format!("at.{one} == {}", if dice.chance(50) { "at".to_string() } else { format!("at.{other}") }))
            }
            6 => format!("for (int i = 0; i < 2 && at.{one} != null; i++) {{ at = at.{one}; way = way * 2 + 1; }}"),
            7 if self.has_side => fork("at.side != null && at.side.weight > k".to_string()),
            7 => fork(format!("at == {}", self.first())),
            8 => format!("at.{one} = {};", if dice.chance(50) { "null".to_string() } else { format!("at.{other}") }),
            _ => dice.pick(&["at.key = k;", "at.dark = !at.dark;", "at.key = at.key + 1;"]).to_string(),
        }
    }
}
