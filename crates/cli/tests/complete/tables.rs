//! Which sequences of operations do hash tables with unknown keys have to stand? Fixtures that are made up, the same every time.
//!
//! Each makes a map, performs operations on it with keys that depend on the parameters, and returns a digest: of what the operations returned, and of
//! the values in the order in which the map is walked.

use std::fmt::Write;
use std::path::Path;

use super::dice::Dice;

/// So many fixtures are made up of each kind of keys.
const EACH: u64 = 8;

/// A kind of keys: its name, the type of the parameters and of the keys, the domain, keys made of parameters, and further classes.
struct Keys {
    name: &'static str,
    parameter: &'static str,
    key: &'static str,
    domain: &'static str,
    keys: &'static [&'static str],
    classes: &'static str,
}

const KINDS: &[Keys] = &[
    Keys {
        name: "Ints",
        parameter: "int",
        key: "Integer",
        domain: "int -1 0 1 16 17 65552",
        keys: &["a", "b", "c", "a", "b", "c", "16", "1", "null"],
        classes: "",
    },
    Keys {
        name: "Boxes",
        parameter: "Integer",
        key: "Integer",
        domain: "int 0 16 300",
        keys: &["a", "b", "c", "300"],
        classes: "",
    },
    Keys {
        name: "Longs",
        parameter: "int",
        key: "Long",
        domain: "int -1 0 1 16",
        keys: &["(long) a << 32", "(long) b", "(long) b << 32 | a", "(long) c", "16L"],
        classes: "",
    },
    Keys {
        name: "Chars",
        parameter: "char",
        key: "Character",
        domain: "char a q r",
        keys: &["a", "b", "c", "'a'"],
        classes: "",
    },
    Keys {
        name: "Texts",
        parameter: "String",
        key: "String",
        domain: "string ar",
        keys: &["a", "b", "c", "\"a\"", "\"\"", "null"],
        classes: "",
    },
    Keys {
        name: "Records",
        parameter: "int",
        key: "Pair",
        domain: "int -1 0 1 31",
        keys: &["new Pair(a, b > 0)", "new Pair(b, b > 0)", "new Pair(c, true)", "new Pair(1, false)", "null"],
        classes: "record Pair(int x, boolean y) {}",
    },
    Keys {
        name: "Coded",
        parameter: "int",
        key: "Key",
        domain: "int -1..2 16",
        keys: &["new Key(a)", "new Key(b)", "new Key(c)", "new Key(16)", "null"],
        classes: "record Key(int v) { public int hashCode() { return v & ~1; } \
                  public boolean equals(Object o) { return o instanceof Key k && k.v == v; } }",
    },
    // Equal keys have different hash codes, as in a class that forgets one of the two methods.
    Keys {
        name: "Careless",
        parameter: "int",
        key: "Key",
        domain: "int -1..2 17",
        keys: &["new Key(a)", "new Key(b)", "new Key(c)", "new Key(1)"],
        classes: "record Key(int v) { public boolean equals(Object o) { return o instanceof Key k && k.v / 2 == v / 2; } }",
    },
];

const MAPS: &[&str] = &[
    "new HashMap<>()",
    "new HashMap<>()",
    "new HashMap<>(2)",
    "new HashMap<>(1, 4f)",
    "new LinkedHashMap<>()",
    "new LinkedHashMap<>(4, 0.75f, true)",
];

/// Operations; `$` is a key, `#` a number that each operation has for itself.
const OPERATIONS: &[&str] = &[
    "h = add(h, map.put($, #));",
    "h = add(h, map.put($, #));",
    "map.put($, #);",
    "map.put($, #);",
    "h = add(h, map.putIfAbsent($, #));",
    "h = add(h, map.get($));",
    "h = add(h, map.getOrDefault($, #));",
    "h = add(h, map.containsKey($) ? # : 0);",
    "h = add(h, map.remove($));",
    "h = add(h, map.remove($, #) ? 1 : 0);",
    "h = add(h, map.replace($, #));",
    "h = add(h, map.merge($, #, (one, two) -> one + two));",
    "h = add(h, map.merge($, #, (one, two) -> null));",
    "h = add(h, map.compute($, (key, value) -> value == null ? # : null));",
    "h = add(h, map.computeIfAbsent($, key -> #));",
    "h = add(h, map.computeIfPresent($, (key, value) -> value > 3 ? null : #));",
    "h = add(h, map.size());",
    "h = add(h, map.keySet().remove($) ? # : 0);",
    "map.values().removeIf(value -> value % 3 == # % 3);",
    "map.entrySet().iterator().forEachRemaining(entry -> entry.setValue(entry.getValue() + #));",
    "map.replaceAll((key, value) -> value + 1);",
];

/// Ends; each shows the order of the map, or something that must not depend on it.
const ENDS: &[&str] = &[
    "for (int value : map.values()) h = add(h, value);",
    "for (Map.Entry<$K, Integer> entry : map.entrySet()) h = add(h, entry.getValue());",
    "for ($K key : map.keySet()) h = add(h, map.get(key));",
    "int[] sum = { h }; map.forEach((key, value) -> sum[0] = add(sum[0], value)); h = sum[0];",
    "for (Object value : map.values().toArray()) h = add(h, (Integer) value);",
    "for (Object key : map.keySet().toArray()) h = add(h, map.get(key));",
    "h = add(h, map.values().stream().reduce(h, (one, two) -> one * 31 + two));",
    "Map<$K, Integer> copy = new HashMap<>(map); h = add(h, copy.equals(map) ? 1 : 0); for (int value : copy.values()) h = add(h, value);",
    "Set<$K> set = new LinkedHashSet<>(map.keySet()); for ($K key : set) h = add(h, map.get(key));",
    "Iterator<Integer> all = map.values().iterator(); while (all.hasNext()) if (all.next() % 2 == 0) all.remove(); for (int value : map.values()) h = add(h, value);",
    "h = add(h, map.size()); h = add(h, map.containsValue(2) ? 1 : 0);",
];

/// Writes the fixtures into a directory, below that of their area.
pub fn write(root: &Path) {
    let area = root.join("tables");
    std::fs::create_dir_all(&area).expect("a directory can be made");
    for (at, kind) in KINDS.iter().enumerate() {
        for number in 0..EACH {
            let name = format!("{}{number}", kind.name);
            let source = fixture(kind, &name, &mut Dice::new(at as u64 * 1000 + number));
            std::fs::write(area.join(format!("{name}.java")), source).expect("a file can be written");
        }
    }
}

fn fixture(kind: &Keys, name: &str, dice: &mut Dice) -> String {
    let (key, parameter) = (kind.key, kind.parameter);
    let mut body = String::new();
    for number in 1..=3 + dice.below(4) {
        let operation = dice.pick(OPERATIONS).replace('$', dice.pick(kind.keys)).replace('#', &number.to_string());
        writeln!(body, "        {operation}").expect("a string grows");
    }
    let (map, end) = (dice.pick(MAPS), dice.pick(ENDS).replace("$K", key));
    format!(
        "// A hash table with unknown keys.
// target: {name}.run
// scope: 3
// k: 1
// domain: {}
// techniques: lazy
// paths-outside-domain: 1000000
import java.util.*;

public class {name} {{
    {}

    static int add(int sum, Integer value) {{
        return sum * 31 + (value == null ? 7 : value);
    }}

    static int run({parameter} a, {parameter} b, {parameter} c) {{
        int h = 0;
        Map<{key}, Integer> map = {map};
{body}        {end}
        return h;
    }}
}}
",
        kind.domain, kind.classes
    )
}
