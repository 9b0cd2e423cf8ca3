//! How does a test get its name? From the features of its path: the size of the input, how arguments compare with its contents, which
//! references are null, and how it ends. A name has as few of them as distinguish it from the other tests of the method.

use std::collections::{BTreeMap, BTreeSet};

use lazuli_explore::{Drawn, Outcome, Picture, Shown, ShownContents};
use lazuli_logic::{Binary, Constant, Expression, Unary};
use lazuli_vm::program::is_identifier;

/// The longest name. Features that would make it longer are left out; tests of equal names are numbered.
const LONGEST: usize = 110;

/// The features of a path, the most distinctive first.
pub struct TestDescription {
    method: String,
    /// In words: `onOneNode`, `keyBelowRootKey`.
    pub features: Vec<String>,
    /// How many of them every name has.
    essential: usize,
    /// How it ends, if not by a return.
    end: Option<String>,
}

impl TestDescription {
    /// Of a path of the method, whose name ends with `end`.
    pub fn of(method: &str, outcome: &Outcome, end: Option<String>) -> TestDescription {
        let mut features: Vec<String> = Vec::new();
        let mut add = |feature: String| {
            if !feature.is_empty() && !features.contains(&feature) {
                features.push(feature);
            }
        };
        let shown = outcome.example.as_ref().unwrap_or(&outcome.input);
        let size = size(shown, &outcome.input);
        let mut essential = !size.is_empty() as usize;
        add(size);
        let parameters: Vec<&str> =
            outcome.input.roots.iter().map(|(name, _)| name.as_str()).filter(|name| *name != "this").collect();
        let is_about_parameter = |conjunct: &&Expression| {
            conjunct.variables().iter().any(|variable| parameters.contains(&root_of(&variable.name)))
        };
        // The last comparison is where the path found its place.
        let compared: Vec<String> =
            outcome.condition.iter().rev().filter(is_about_parameter).filter_map(words).collect();
        essential += !compared.is_empty() as usize;
        sharpened(compared).into_iter().for_each(&mut add);
        roots(&outcome.input).into_iter().for_each(&mut add);
        shape(&outcome.input).into_iter().for_each(&mut add);
        outcome.condition.iter().filter(|conjunct| !is_about_parameter(conjunct)).filter_map(words).for_each(&mut add);
        values(shown).into_iter().for_each(&mut add);
        let end = end.map(|end| identifier(&end));
        TestDescription { method: identifier(method), essential: essential.max(1).min(features.len()), features, end }
    }
}

/// Replaces *at least* and *differs* by *above*.
fn sharpened(words: Vec<String>) -> Vec<String> {
    let mut sharp: Vec<String> = Vec::new();
    for word in &words {
        let is_different = |weak: &str| words.contains(&word.replacen(weak, "Differs", 1));
        sharp.push(match word {
            word if word.contains("AtLeast") && is_different("AtLeast") => word.replacen("AtLeast", "Above", 1),
            word if word.contains("AtMost") && is_different("AtMost") => word.replacen("AtMost", "Below", 1),
            word => word.clone(),
        });
    }
    sharp
}

/// Would a test of this name override a method of every object, or hide an assertion that the tests import?
fn is_taken(name: &str) -> bool {
    const OF_OBJECTS: [&str; 8] =
        ["hashCode", "toString", "clone", "finalize", "getClass", "notify", "notifyAll", "wait"];
    OF_OBJECTS.contains(&name) || name.starts_with("assert") || name == "fail"
}

/// A name for each, all different.
pub fn names(tests: &[TestDescription]) -> Vec<String> {
    let mut chosen: Vec<BTreeSet<usize>> = tests.iter().map(|test| (0..test.essential).collect()).collect();
    let written = |test: &TestDescription, chosen: &BTreeSet<usize>| {
        let features = chosen.iter().map(|index| test.features[*index].as_str());
        let parts = [test.method.as_str()].into_iter().chain(features).chain(test.end.as_deref());
        let name = parts.filter(|part| !part.is_empty()).collect::<Vec<&str>>().join("_");
        // A method may be called `1` in a class file, or nothing but signs.
        if is_identifier(&name) && !is_taken(&name) { name } else { format!("test_{name}") }
    };
    loop {
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, test) in tests.iter().enumerate() {
            by_name.entry(written(test, &chosen[index])).or_default().push(index);
        }
        let mut has_changed = false;
        for (name, same) in by_name.iter().filter(|(_, same)| same.len() > 1) {
            for index in same {
                let others = same.iter().filter(|other| *other != index);
                let is_shared = |feature: &String| others.clone().all(|other| tests[*other].features.contains(feature));
                let features = tests[*index].features.iter().enumerate();
                let mut telling = features.filter(|(at, feature)| {
                    !chosen[*index].contains(at) && !is_shared(feature) && name.len() + feature.len() < LONGEST
                });
                if let Some((at, _)) = telling.next() {
                    chosen[*index].insert(at);
                    has_changed = true;
                }
            }
        }
        if !has_changed {
            return numbered(tests.iter().zip(&chosen).map(|(test, chosen)| written(test, chosen)).collect());
        }
    }
}

/// The second and further tests of a name have a number.
fn numbered(names: Vec<String>) -> Vec<String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut different = Vec::new();
    for name in names {
        let mut unique = name.clone();
        let mut number = 1;
        while !taken.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}_variant{number}");
        }
        different.push(unique);
    }
    different
}

/// How many objects there are besides the receiver, by the most frequent class. A receiver is empty if the path found nothing in it.
fn size(picture: &Picture, read: &Picture) -> String {
    let Some((_, Shown::Object(this))) = picture.roots.iter().find(|(name, _)| name == "this") else {
        return String::new();
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (index, object) in picture.objects.iter().enumerate() {
        let is_counted = matches!(object.contents, ShownContents::Fields(_)) && !object.class.starts_with("java.");
        if index != *this && is_counted && !object.is_new {
            *counts.entry(simple(&object.class)).or_default() += 1;
        }
    }
    let most = counts.iter().max_by_key(|(_, count)| **count);
    // The contents of an array count as well, but have no common measure.
    let lengths = values(picture);
    match most {
        None if !lengths.is_empty() => lengths[0].clone(),
        None if !holds_null(read) => String::new(),
        None => format!("onEmpty{}", capital(&simple(&picture.objects[*this].class))),
        Some((class, 1)) => format!("onOne{}", capital(class)),
        Some((class, count)) => format!("on{}{}", number_word(*count), capital(&plural(class))),
    }
}

/// Did the path find a null in the receiver?
fn holds_null(picture: &Picture) -> bool {
    let this = picture.roots.iter().find(|(name, _)| name == "this").map(|(_, shown)| shown);
    let Some(Shown::Object(index)) = this else { return false };
    match picture.objects.get(*index).map(|object| &object.contents) {
        Some(ShownContents::Fields(fields)) => fields.iter().any(|(_, shown)| *shown == Shown::Null),
        _ => false,
    }
}

/// Which arguments are null or the same.
fn roots(picture: &Picture) -> Vec<String> {
    let mut found = Vec::new();
    for (index, (name, shown)) in picture.roots.iter().enumerate().filter(|(_, (name, _))| name != "this") {
        match shown {
            Shown::Null => found.push(format!("{}Null", path(name))),
            Shown::Object(object) => {
                let same = picture.roots[..index].iter().find(|(_, other)| other == shown).map(|(other, _)| other);
                let first = picture.objects.get(*object).map(|object| &object.name).filter(|first| *first != name);
                found.push(match same.or(first) {
                    Some(other) => format!("{}Is{}", path(name), capital(&path(other))),
                    None => format!("{}NotNull", path(name)),
                });
            }
            _ => {}
        }
    }
    found
}

/// References of the input that are null, or that lead to an object that was met before.
fn shape(picture: &Picture) -> Vec<String> {
    let mut found = Vec::new();
    for object in &picture.objects {
        let ShownContents::Fields(fields) = &object.contents else { continue };
        for (field, shown) in fields {
            let place = path(&format!("{}.{field}", object.name));
            match shown {
                Shown::Null => found.push(format!("{place}Null")),
                Shown::Object(index) => {
                    let target = &picture.objects[*index];
                    let is_own = target.name == format!("{}.{field}", object.name);
                    found.push(match is_own {
                        true => format!("{place}There"),
                        false => format!("{place}Is{}", capital(&path(&target.name))),
                    });
                }
                _ => {}
            }
        }
    }
    found
}

/// Lengths of arrays, and texts: what is left to tell paths apart.
fn values(picture: &Picture) -> Vec<String> {
    let value = |object: &Drawn| match &object.contents {
        ShownContents::Elements { length: Expression::Constant(Constant::Int(length)), .. } => {
            Some(format!("{}OfLength{length}", path(&object.name)))
        }
        ShownContents::Text(text) => Some(format!("{}OfLength{}", path(&object.name), text.len())),
        _ => None,
    };
    picture.objects.iter().filter_map(value).collect()
}

/// A comparison as words: `keyLessThanRootKey`.
fn words(expression: &Expression) -> Option<String> {
    match expression {
        Expression::Unary(Unary::Not, inner) => match &**inner {
            Expression::Binary(Binary::Equal, left, right) => relation(left, "Differs", "Differs", right),
            Expression::Binary(Binary::Less, left, right) => relation(left, "AtLeast", "AtMost", right),
            Expression::Binary(Binary::LessOrEqual, left, right) => relation(left, "Above", "Below", right),
            other => Some(format!("not{}", capital(&operand(other)?))),
        },
        Expression::Binary(Binary::Equal, left, right) => relation(left, "Equals", "Equals", right),
        Expression::Binary(Binary::Less, left, right) => relation(left, "Below", "Above", right),
        Expression::Binary(Binary::LessOrEqual, left, right) => relation(left, "AtMost", "AtLeast", right),
        other => operand(other),
    }
}

/// The shorter path stands first: `keyAboveRootKey`, and not `rootKeyBelowKey`.
fn relation(left: &Expression, word: &str, mirrored: &str, right: &Expression) -> Option<String> {
    let depth = |expression: &Expression| match expression {
        Expression::Constant(_) => usize::MAX,
        other => other.variables().iter().map(|variable| variable.name.matches('.').count()).max().unwrap_or(0),
    };
    let (one, other) = (operand(left)?, operand(right)?);
    Some(match depth(left) <= depth(right) {
        true => format!("{one}{word}{}", capital(&other)),
        false => format!("{other}{mirrored}{}", capital(&one)),
    })
}

/// No name is made of more levels than this.
const MOST_LEVELS: usize = 5;

fn operand(expression: &Expression) -> Option<String> {
    operand_within(expression, MOST_LEVELS)
}

/// Nothing if it has more levels: a part that occurs often would be written as often.
fn operand_within(expression: &Expression, levels: usize) -> Option<String> {
    let levels = levels.checked_sub(1)?;
    let part = |part: &Expression| operand_within(part, levels);
    let joined = |left, word, right| Some(format!("{}{word}{}", part(left)?, capital(&part(right)?)));
    match expression {
        Expression::Variable(variable) => Some(path(&variable.name)),
        Expression::Constant(Constant::Int(value)) => Some(number(i64::from(*value))),
        Expression::Constant(Constant::Long(value)) => Some(number(*value)),
        Expression::Constant(Constant::Bool(value)) => Some(value.to_string()),
        Expression::Unary(Unary::Widen | Unary::Truncate | Unary::UnsignedShort, inner) => part(inner),
        Expression::Unary(Unary::Negate, inner) => Some(format!("Minus{}", capital(&part(inner)?))),
        Expression::Binary(Binary::Add, left, right) => joined(left, "Plus", right),
        Expression::Binary(Binary::Subtract, left, right) => joined(left, "Minus", right),
        Expression::Binary(Binary::Multiply, left, right) => joined(left, "Times", right),
        Expression::Unary(Unary::IsNan, inner) => Some(format!("{}IsNaN", part(inner)?)),
        _ => None,
    }
}

fn number(value: i64) -> String {
    const LEAST: i64 = i32::MIN as i64;
    const GREATEST: i64 = i32::MAX as i64;
    match value {
        LEAST => "MinInt".to_string(),
        GREATEST => "MaxInt".to_string(),
        i64::MIN => "MinLong".to_string(),
        i64::MAX => "MaxLong".to_string(),
        value if value < 0 => format!("Minus{}", value.unsigned_abs()),
        value => value.to_string(),
    }
}

fn number_word(count: usize) -> String {
    let words = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
    words.get(count).map_or_else(|| count.to_string(), |word| word.to_string())
}

fn plural(word: &str) -> String {
    match word.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if word.ends_with('s') || word.ends_with("ch") || word.ends_with('x') => format!("{word}es"),
        _ => format!("{word}s"),
    }
}

/// `rootLeftKey` for `this.root.left.key`.
fn path(name: &str) -> String {
    let parts = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let mut parts = parts.peekable();
    if parts.peek() == Some(&"this") && name != "this" {
        parts.next();
    }
    let mut joined = String::new();
    for part in parts {
        joined.push_str(&if joined.is_empty() { part.to_string() } else { capital(part) });
    }
    joined
}

/// The parameter or static field with which a name begins.
fn root_of(name: &str) -> &str {
    name.split(['.', '[']).next().unwrap_or(name)
}

fn simple(class: &str) -> String {
    identifier(class.rsplit(['.', '$']).next().unwrap_or(class))
}

fn identifier(name: &str) -> String {
    name.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect()
}

/// The word with a capital letter.
pub fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(features: &[&str], end: Option<&str>) -> TestDescription {
        let features: Vec<String> = features.iter().map(|feature| feature.to_string()).collect();
        let essential = features.len().min(2);
        TestDescription { method: "put".to_string(), features, essential, end: end.map(str::to_string) }
    }

    #[test]
    fn names_have_what_tells_them_apart_and_no_more() {
        let tests = [
            described(&["onEmptyMap"], None),
            described(&["onOneEntry", "keyBelowRootKey", "valueNull"], None),
            described(&["onOneEntry", "keyBelowRootKey", "rootLeftNull"], None),
            described(&["onOneEntry", "keyEqualsRootKey"], Some("throwsIllegalStateException")),
        ];
        let expected = [
            "put_onEmptyMap",
            "put_onOneEntry_keyBelowRootKey_valueNull",
            "put_onOneEntry_keyBelowRootKey_rootLeftNull",
            "put_onOneEntry_keyEqualsRootKey_throwsIllegalStateException",
        ];
        assert_eq!(names(&tests), expected);
    }

    #[test]
    fn what_cannot_be_told_apart_is_numbered() {
        let tests = [
            described(&["onEmptyMap"], None),
            described(&["onEmptyMap"], None),
            described(&[], None),
            described(&[], None),
        ];
        assert_eq!(names(&tests), ["put_onEmptyMap", "put_onEmptyMap_variant2", "put", "put_variant2"]);
    }

    #[test]
    fn a_test_neither_overrides_nor_hides_what_tests_have() {
        let named = |method: &str| TestDescription { method: method.to_string(), ..described(&[], None) };
        let tests = ["hashCode", "assertEquals", "equals", "size"].map(named);
        assert_eq!(names(&tests), ["test_hashCode", "test_assertEquals", "equals", "size"]);
    }

    #[test]
    fn names_of_places_become_words() {
        assert_eq!(path("this.root.left.key"), "rootLeftKey");
        assert_eq!(path("this.heap[2]"), "heap2");
        assert_eq!(
            (plural("Entry"), plural("Node"), plural("Box")),
            ("Entries".into(), "Nodes".into(), "Boxes".into())
        );
    }
}
