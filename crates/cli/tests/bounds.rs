//! Are the bounds of fields tight? For every subject, those of `field_bounds` must be the pairs that occur in the pictures of all its
//! valid objects, numbered here once more by a walk of our own.

mod common;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use lazuli_explore::{Bounds, BoundsFound, Config, Picture, Progress, Shown, ShownContents, field_bounds, shapes};
use lazuli_valid::Means;
use lazuli_vm::program::Program;
use tempfile::TempDir;

/// The subjects with an invariant, and the largest scopes that take about a second. At the largest ones of trees, the bounds come from a
/// circuit.
const SUBJECTS: &[(&str, usize)] = &[
    ("bliss/AvlTree", 10),
    ("bliss/BinTree", 8),
    ("bliss/BinomialHeap", 7),
    ("bliss/LinkedList", 7),
    ("bliss/TreeMap", 7),
    ("bliss/TreeSet", 8),
    ("kiasan/BinaryHeap", 5),
    ("kiasan/MergeList", 7),
    ("kiasan/RedBlackTree", 7),
    ("kiasan/SearchTree", 7),
    ("pli/AvlTree", 7),
    ("pli/BinomialHeap", 7),
    ("pli/CombatantStatistic", 1),
    ("pli/DictionaryInfo", 5),
    ("pli/HashMap", 3),
    ("pli/LinkedList", 7),
    ("pli/LongTreeMap", 7),
    ("pli/SQLFilterClauses", 1),
    ("pli/Schedule", 5),
    ("pli/Template", 2),
    ("pli/TransportStats", 5),
    ("pli/TreeMap", 7),
    ("pli/TreeSet", 3),
    ("taco/AVLTree", 7),
    ("taco/BSTree", 7),
    ("taco/BinHeap", 7),
    ("taco/SLList", 7),
    ("taco/TreeSet", 7),
];

/// The largest scope up to 7 at which a circuit finds the bounds in about a second, where that is not the one above. Without any there is no
/// circuit, or none that tells numbers of objects.
const BY_CIRCUIT: &[(&str, usize)] = &[
    ("bliss/TreeMap", 5),
    ("kiasan/BinaryHeap", 0),
    ("kiasan/RedBlackTree", 5),
    ("pli/BinomialHeap", 3),
    ("pli/DictionaryInfo", 1),
    ("pli/HashMap", 2),
    ("pli/LongTreeMap", 5),
    ("pli/Schedule", 0),
    ("pli/Template", 0),
    ("pli/TransportStats", 0),
    ("pli/TreeMap", 5),
    ("pli/TreeSet", 1),
];

/// A computation that takes longer than this on any machine is at fault.
const TIME: Duration = Duration::from_secs(120);

fn program() -> &'static Arc<Program> {
    static PROGRAM: OnceLock<(Arc<Program>, TempDir)> = OnceLock::new();
    let (program, _) = PROGRAM.get_or_init(|| {
        let classes = common::compiled(
            &["subjects/pli", "subjects/bliss", "subjects/kiasan", "subjects/taco", "tests/valid"],
            &[],
        );
        (common::program(classes.path()), classes)
    });
    program
}

fn config(scope: usize) -> Config {
    let bounds = Bounds { scope, ..Bounds::default() };
    Config::default().with(|config| {
        config.bounds = bounds;
        config.limits.deadline = Some(Instant::now() + TIME);
    })
}

fn bounds(class: &str, scope: usize, backbone: &[&str]) -> BoundsFound {
    let class = program().load(class).expect("the subject is there");
    let named: Vec<String> = backbone.iter().map(|name| name.to_string()).collect();
    let found = field_bounds(program(), class, &config(scope), &named, &Progress::default());
    let found = found.expect("the class has an invariant");
    assert_eq!(found.unfinished, None, "{} at scope {scope}", class.name);
    found
}

/// The pairs of one field: its name, then the numbers of the owner and of what it refers to.
type Pairs = BTreeMap<String, BTreeSet<(usize, Option<usize>)>>;

/// The pairs of a valid object. Objects of a class are numbered in the order of a breadth-first walk over the fields of these names.
fn pairs(picture: &Picture, fields: &BTreeSet<String>, pairs: &mut Pairs) {
    let Some((_, Shown::Object(root))) = picture.roots.first() else { panic!("the root is an object") };
    let mut numbers = HashMap::from([(*root, 0)]);
    let mut counts = HashMap::from([(picture.objects[*root].class.as_str(), 1)]);
    let mut walk = vec![*root];
    let mut next = 0;
    while let Some(&at) = walk.get(next) {
        next += 1;
        let object = &picture.objects[at];
        let ShownContents::Fields(contents) = &object.contents else { continue };
        for (field, value) in contents {
            let name = format!(".{}.{field}", object.class.replace('$', "."));
            let Some(bounded) = fields.iter().find(|known| name.ends_with(&format!(".{}", known.replace('$', "."))))
            else {
                continue;
            };
            let target = match value {
                Shown::Null => None,
                Shown::Object(target) => Some(*numbers.entry(*target).or_insert_with(|| {
                    let count = counts.entry(picture.objects[*target].class.as_str()).or_default();
                    walk.push(*target);
                    *count += 1;
                    *count - 1
                })),
                _ => panic!("{field} is not decided in a valid object"),
            };
            pairs.entry(bounded.clone()).or_default().insert((numbers[&at], target));
        }
    }
}

/// `N12` is 12, and null is nothing.
fn number(name: &str) -> Option<usize> {
    (name != "null").then(|| {
        let digits = name.trim_start_matches(|letter: char| !letter.is_ascii_digit());
        digits.parse().unwrap_or_else(|_| panic!("{name} has no number"))
    })
}

#[test]
fn bounds_are_the_pairs_of_all_valid_objects() {
    for (name, most) in SUBJECTS {
        let class = program().load(name).expect("the subject is there");
        let mut seen = 0;
        for scope in 1..=*most {
            let found = bounds(name, scope, &[]);
            let fields: BTreeSet<String> = found.fields.iter().map(|bound| bound.field.clone()).collect();
            let mut expected = Pairs::new();
            let mut view = |picture: &dyn Fn() -> Picture| pairs(&picture(), &fields, &mut expected);
            let listed = shapes(program(), class, &config(scope), &Progress::default(), Some(&mut view));
            assert_eq!(listed.expect("the class has an invariant").unfinished, None, "{name} at scope {scope}");
            let mut actual = Pairs::new();
            for bound in &found.fields {
                assert!(bound.pairs.len() <= bound.of, "{} of {name} at scope {scope}", bound.field);
                let pairs = bound.pairs.iter().map(|(owner, target)| (number(owner).unwrap_or(0), number(target)));
                actual.insert(bound.field.clone(), pairs.collect());
            }
            actual.retain(|_, pairs| !pairs.is_empty());
            assert_eq!(actual, expected, "{name} at scope {scope}");
            seen = seen.max(found.objects.unwrap_or(1));
        }
        assert!(seen > 0, "{name} has no valid object up to scope {most}");
    }
}

/// Whichever way is the quicker one at some scope, both must find the same.
#[test]
fn a_circuit_finds_the_bounds_that_a_list_finds() {
    for (name, most) in SUBJECTS {
        let class = program().load(name).expect("the subject is there");
        let by_circuit = BY_CIRCUIT.iter().find(|(other, _)| other == name);
        for scope in 1..=by_circuit.map_or(*most, |(_, most)| *most).min(7) {
            let by = |means: Means| {
                let config = config(scope).with(|config| config.valid.means = means);
                let found = field_bounds(program(), class, &config, &[], &Progress::default());
                let found = found.unwrap_or_else(|why| panic!("{name} at scope {scope}: {why}"));
                assert_eq!(found.unfinished, None, "{name} at scope {scope}");
                found.fields.into_iter().map(|bound| (bound.field, bound.pairs)).collect::<BTreeMap<_, _>>()
            };
            assert_eq!(by(Means::Circuit), by(Means::List), "{name} at scope {scope}");
        }
    }
}

#[test]
fn red_black_trees_of_five_nodes_keep_22_of_66_pairs() {
    let found = bounds("bliss/TreeMap", 5, &["root", "left", "right"]);
    let sizes: Vec<(&str, usize, usize)> =
        found.fields.iter().map(|bound| (bound.field.as_str(), bound.pairs.len(), bound.of)).collect();
    assert_eq!(sizes, [("TreeMap.root", 2, 6), ("Entry.left", 9, 30), ("Entry.right", 11, 30)]);
}

#[test]
fn fields_that_the_invariant_does_not_read_are_not_numbered_over() {
    let class = program().load("bliss/TreeMap").expect("the subject is there");
    let refusal = |named: &str| {
        field_bounds(program(), class, &config(2), &[named.to_string()], &Progress::default())
            .expect_err(named)
            .to_string()
    };
    assert!(refusal("value").contains("Entry.left"), "{}", refusal("value"));
}
