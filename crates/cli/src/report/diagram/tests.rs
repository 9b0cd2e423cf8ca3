//! Do lists look like lists and trees like trees, and is every drawing sound?

use std::collections::BTreeSet;

use lazuli_explore::{Drawn, Picture, Shown, ShownContents};

use super::super::samples::{drawn as plain, int, unknown};
use super::*;

fn object(name: &str, class: &str, links: &[&str], fields: &[(&str, Shown)]) -> Drawn {
    let fields = fields.iter().map(|(name, shown)| (name.to_string(), shown.clone())).collect();
    let links = links.iter().map(|link| link.to_string()).collect();
    Drawn { contents: ShownContents::Fields(fields), links, is_exact: true, ..plain(name, class) }
}

fn number(value: i32) -> Shown {
    Shown::Value(int(value))
}

fn this(objects: Vec<Drawn>) -> Picture {
    Picture { roots: vec![("this".to_string(), Shown::Object(0))], objects, calls: Vec::new() }
}

fn drawing(picture: &Picture, before: Option<&Picture>) -> String {
    characters(&Diagram::of(picture, before, 100)).join("\n")
}

/// A circular list of cells, each with its number.
fn ring(size: usize) -> Picture {
    let list = object("this", "Ring", &[], &[("head", Shown::Object(1))]);
    let cell = |at: usize| {
        let next = Shown::Object(at % size + 1);
        let fields =
            [("value", number(at as i32)), ("next", next), ("prev", Shown::Object((at + size - 2) % size + 1))];
        object(&format!("cell {at}"), "Cell", &["next", "prev"], &fields)
    };
    this([list].into_iter().chain((1..=size).map(cell)).collect())
}

#[test]
fn a_circular_list_goes_to_the_right_and_back() {
    let expected = [
        "                      ┌──────────────────────next──────────────────────┐",
        "┌────────────┐      ┌─▼──────────┐      ┌────────────┐      ┌──────────┴─┐",
        "│ this: Ring ├─head─▶ Cell #2    ├─next─▶ Cell #3    ├─next─▶ Cell #4    │",
        "└────────────┘      │ value 1    │      │ value 2    │      │ value 3    │",
        "                    │ prev  → #4 │      │ prev  → #2 │      │ prev  → #3 │",
        "                    └────────────┘      └────────────┘      └────────────┘",
    ];
    assert_eq!(drawing(&ring(3), None), expected.join("\n"));
}

#[test]
fn a_tree_stands_on_its_leaves_and_a_missing_child_leaves_its_side_free() {
    let links = ["left", "right", "parent"];
    let node = |name: &str, key: i32, left: Shown, right: Shown, parent: Shown| {
        object(name, "Node", &links, &[("key", number(key)), ("left", left), ("right", right), ("parent", parent)])
    };
    let picture = this(vec![
        node("this", 2, Shown::Object(1), Shown::Object(2), Shown::Null),
        node("left", 1, Shown::Null, Shown::Null, Shown::Object(0)),
        node("right", 3, Shown::Null, Shown::Object(3), Shown::Object(0)),
        node("rightmost", 4, Shown::Null, Shown::Null, Shown::Object(2)),
    ]);
    let expected = [
        "               ┌─────────────┐",
        "               │ this: Node  │",
        "               │ key    2    │",
        "               │ parent null │",
        "               └┬───────────┬┘",
        "              left        right",
        "           ┌────┘           └────┐",
        "┌──────────▼─────────┐   ┌───────▼───────┐",
        "│ Node               │   │ Node #3       │",
        "│ key         1      │   │ key    3      │",
        "│ left, right null   │   │ left   null   │",
        "│ parent      → this │   │ parent → this │",
        "└────────────────────┘   └──────────────┬┘",
        "                                      right",
        "                                        └┐",
        "                               ┌─────────▼────────┐",
        "                               │ Node             │",
        "                               │ key         4    │",
        "                               │ left, right null │",
        "                               │ parent      → #3 │",
        "                               └──────────────────┘",
    ];
    let drawn = drawing(&picture, None);
    assert_eq!(drawn, expected.join("\n"));
    let diagram = Diagram::of(&picture, None, 100);
    let [root, left, right, rightmost] = diagram.boxes.as_slice() else { panic!("{drawn}") };
    let middle = |placed: &Placed| placed.x + placed.w / 2;
    assert!(left.y == right.y && left.y > root.y + root.h && rightmost.y > right.y + right.h, "{drawn}");
    assert!(
        middle(left) < middle(root) && middle(root) < middle(right) && middle(right) < middle(rightmost),
        "{drawn}"
    );
}

#[test]
fn arrays_are_rows_texts_stand_inside_and_clouds_share_a_row() {
    let array = |items: Vec<Shown>| Drawn {
        contents: ShownContents::Elements {
            length: int(items.len() as i32),
            items: items.into_iter().enumerate().map(|(index, shown)| (int(index as i32), shown)).collect(),
            others: Shown::Unread,
        },
        is_exact: true,
        ..plain("this.items", "java.lang.Object[]")
    };
    let text =
        Drawn { contents: ShownContents::Text("a\"b".encode_utf16().collect()), ..plain("text", "java.lang.String") };
    let boxed = object("five", "java.lang.Integer", &[], &[("value", number(5))]);
    let leaf = object("leaf", "Leaf", &[], &[("a", Shown::Unread), ("b", Shown::Unread), ("c", unknown("leaf.c"))]);
    let fields = [("items", Shown::Object(1)), ("name", Shown::Object(2))];
    let picture = this(vec![
        object("this", "Bag", &[], &fields),
        array(vec![Shown::Object(3), Shown::Null, Shown::Object(4), number(7)]),
        text,
        boxed,
        leaf,
    ]);
    let expected = [
        "       ┌─────────────┐",
        "       │ this: Bag   │",
        "       │ name \"a\\\"b\" │",
        "       └──────┬──────┘",
        "            items",
        "┌─────────────▼────────────┐",
        "│ Object[4]                │",
        "│ Integer 5 │ null │ • │ 7 │",
        "└────────────────────┬─────┘",
        "                     │",
        "               ┌─────▼────┐",
        "               │ Leaf     │",
        "               │ a, b (?) │",
        "               │ c    any │",
        "               └──────────┘",
    ];
    assert_eq!(drawing(&picture, None), expected.join("\n"));
}

#[test]
fn what_has_changed_is_marked_and_what_was_cut_off_stands_apart() {
    let before = ring(2);
    let mut after = ring(2);
    let ShownContents::Fields(fields) = &mut after.objects[1].contents else { unreachable!() };
    fields[0].1 = number(9);
    fields[1].1 = Shown::Object(1);
    let drawn = drawing(&after, Some(&before));
    assert!(drawn.contains("│*value 9") && drawn.contains("*next"), "{drawn}");
    let diagram = Diagram::of(&after, Some(&before), 100);
    let entered: BTreeSet<usize> =
        diagram.arrows.iter().filter(|arrow| arrow.way != Way::Elsewhere).map(|arrow| arrow.to).collect();
    assert_eq!(entered, BTreeSet::from([1]), "{drawn}");
    assert!(!drawing(&after, None).contains('*'));
}

#[test]
fn a_drawing_that_is_too_wide_or_too_large_is_written_as_lines() {
    assert!(drawn(&ring(3), None, 100)[0].contains('┐'));
    assert!(drawn(&ring(3), None, 40)[0].starts_with("this "), "{:?}", drawn(&ring(3), None, 40));
    assert!(drawn(&ring(40), None, 10_000)[0].starts_with("this "));
    let single = this(vec![object("this", "Box", &[], &[("value", number(1))])]);
    assert_eq!(drawn(&single, None, 100), ["this = Box { value = 1 }"]);
}

/// A small generator of numbers: the same ones every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides
    }
}

/// Objects of a few classes that refer to each other at random, with some arrays and constants among them.
fn random_heap(dice: &mut Dice) -> Picture {
    let size = 1 + dice.roll(14);
    let value = |dice: &mut Dice| match dice.roll(7) {
        0 => Shown::Null,
        1 => Shown::Unread,
        2 => number(dice.roll(1000) as i32),
        3 => Shown::Unknown { class: "acme.Some".to_string(), may_be_null: true },
        _ => Shown::Object(dice.roll(size)),
    };
    let mut objects = Vec::new();
    for index in 0..size {
        let class = ["List", "Tree", "acme.Other"][dice.roll(3)];
        let names: Vec<String> = (0..dice.roll(5)).map(|field| format!("field{}", "x".repeat(field))).collect();
        let links = names.iter().filter(|_| dice.roll(2) == 0).cloned().collect();
        let contents = match dice.roll(6) {
            0 => {
                let items = (0..dice.roll(4)).map(|at| (int(at as i32), value(dice))).collect();
                ShownContents::Elements { length: int(dice.roll(6) as i32), items, others: Shown::Unread }
            }
            1 => ShownContents::Text("text".encode_utf16().collect()),
            _ => ShownContents::Fields(names.into_iter().map(|name| (name, value(dice))).collect()),
        };
        let (is_new, is_constant) = (dice.roll(4) == 0, dice.roll(12) == 0);
        objects.push(Drawn { contents, links, is_new, is_constant, ..plain(&format!("object {index}"), class) });
    }
    let roots = (0..1 + dice.roll(3)).map(|root| (format!("root{root}"), value(dice))).collect();
    Picture { roots, objects, calls: Vec::new() }
}

fn is_on_border(placed: &Placed, (x, y): (i32, i32)) -> bool {
    let (right, bottom) = (placed.x + placed.w - 1, placed.y + placed.h - 1);
    let is_inside = (placed.x..=right).contains(&x) && (placed.y..=bottom).contains(&y);
    is_inside && (x == placed.x || x == right || y == placed.y || y == bottom)
}

#[test]
fn boxes_never_overlap_and_arrows_end_at_their_borders() {
    let mut dice = Dice(1);
    let mut arrows = 0;
    for round in 0..3000 {
        let before = random_heap(&mut dice);
        let after = random_heap(&mut dice);
        for (heap, earlier) in [(&before, None), (&after, Some(&before))] {
            let diagram = Diagram::of(heap, earlier, 60);
            let drawing = || format!("round {round}:\n{}", characters(&diagram).join("\n"));
            for (index, one) in diagram.boxes.iter().enumerate() {
                assert!(one.x >= 0 && one.y >= 0 && one.x + one.w <= diagram.width, "{}", drawing());
                assert!(one.y + one.h <= diagram.height, "{}", drawing());
                for other in &diagram.boxes[index + 1..] {
                    let is_apart = one.x + one.w <= other.x
                        || other.x + other.w <= one.x
                        || one.y + one.h <= other.y
                        || other.y + other.h <= one.y;
                    assert!(is_apart, "{}", drawing());
                }
            }
            for arrow in &diagram.arrows {
                let (first, last) = (arrow.points[0], arrow.points[arrow.points.len() - 1]);
                assert!(is_on_border(&diagram.boxes[arrow.from], first), "{arrow:?}\n{}", drawing());
                assert!(is_on_border(&diagram.boxes[arrow.to], last), "{arrow:?}\n{}", drawing());
                // On its way, an arrow that is drawn with characters touches no box.
                for pair in arrow.points.windows(2).filter(|_| arrow.way != Way::Elsewhere) {
                    let is_straight = pair[0].0 == pair[1].0 || pair[0].1 == pair[1].1;
                    assert!(is_straight, "{arrow:?}\n{}", drawing());
                    for cell in between(pair[0], pair[1]).filter(|cell| *cell != first && *cell != last) {
                        let is_free = !diagram.boxes.iter().any(|placed| covers(placed, cell));
                        assert!(is_free, "{arrow:?} at {cell:?}\n{}", drawing());
                    }
                }
            }
            arrows += diagram.arrows.len();
            let again = Diagram::of(heap, earlier, 60);
            assert_eq!(characters(&diagram), characters(&again));
            assert_eq!(svg(&diagram, "t", "d"), svg(&again, "t", "d"));
        }
    }
    assert!(arrows > 10_000, "the heaps have something to draw: {arrows}");
}

fn between(from: (i32, i32), to: (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    let (xs, ys) = (from.0.min(to.0)..=from.0.max(to.0), from.1.min(to.1)..=from.1.max(to.1));
    xs.flat_map(move |x| ys.clone().map(move |y| (x, y)))
}

fn covers(placed: &Placed, (x, y): (i32, i32)) -> bool {
    (placed.x..placed.x + placed.w).contains(&x) && (placed.y..placed.y + placed.h).contains(&y)
}
