//! How does a diagram look in characters?

use std::collections::HashMap;

use super::layout::{cell_starts, cell_width, label_width};
use super::{Arrow, CardRow, Diagram, Emphasis, Inside, Placed, Way};

/// Which neighbours of a cell a line leads to.
const UP: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;

/// The lines of a drawing. A star marks what has changed.
pub(super) fn characters(diagram: &Diagram) -> Vec<String> {
    let mut canvas = CharacterCanvas::default();
    for (row, caption) in diagram.captions.iter().enumerate() {
        let star = if caption.is_changed { "*" } else { "" };
        canvas.write(0, row as i32, &format!("{star}{} = {}", caption.label, caption.value));
    }
    for placed in &diagram.boxes {
        canvas.placed(placed);
    }
    for arrow in diagram.arrows.iter().filter(|arrow| arrow.way != Way::Elsewhere) {
        canvas.arrow(arrow);
    }
    canvas.lines()
}

#[derive(Default)]
struct CharacterCanvas {
    lines: HashMap<(i32, i32), u8>,
    letters: HashMap<(i32, i32), char>,
}

impl CharacterCanvas {
    fn line(&mut self, from: (i32, i32), to: (i32, i32)) {
        let (dx, dy) = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
        let (ahead, behind) = match (dx, dy) {
            (1, _) => (RIGHT, LEFT),
            (-1, _) => (LEFT, RIGHT),
            (_, 1) => (DOWN, UP),
            _ => (UP, DOWN),
        };
        let mut at = from;
        while at != to {
            *self.lines.entry(at).or_default() |= ahead;
            at = (at.0 + dx, at.1 + dy);
            *self.lines.entry(at).or_default() |= behind;
        }
    }

    fn write(&mut self, x: i32, y: i32, text: &str) {
        for (offset, letter) in text.chars().enumerate() {
            self.letters.insert((x + offset as i32, y), letter);
        }
    }

    fn placed(&mut self, placed: &Placed) {
        let Placed { card, x, y, w, h } = placed;
        let (right, bottom) = (x + w - 1, y + h - 1);
        let corners = [(*x, *y), (right, *y), (right, bottom), (*x, bottom), (*x, *y)];
        corners.windows(2).for_each(|pair| self.line(pair[0], pair[1]));
        self.write(x + 2, y + 1, &card.title);
        match &card.contents {
            Inside::Rows(rows) => {
                let label = label_width(rows) as usize;
                for (row, entry) in rows.iter().enumerate() {
                    let star = if entry.is_changed { "*" } else { " " };
                    let text = format!("{star}{:label$} {}", entry.label, shown(entry));
                    self.write(x + 1, y + 2 + row as i32, &text);
                }
            }
            Inside::Cells(cells) => {
                for (index, (start, cell)) in cell_starts(cells).into_iter().zip(cells).enumerate() {
                    let star = if cell.is_changed { "*" } else { " " };
                    let label = if cell.label.is_empty() { String::new() } else { format!("{} ", cell.label) };
                    self.write(x + start, y + 2, &format!("{star}{label}{}", shown(cell)));
                    if index + 1 < cells.len() {
                        self.write(x + start + cell_width(cell), y + 2, "│");
                    }
                }
            }
        }
    }

    fn arrow(&mut self, arrow: &Arrow) {
        arrow.points.windows(2).for_each(|pair| self.line(pair[0], pair[1]));
        let star = if arrow.is_changed { "*" } else { "" };
        // In the middle of a line, the star stands in the place of a piece of it.
        let x = arrow.label_at.0 - star.len() as i32;
        self.write(x, arrow.label_at.1, &format!("{star}{}", arrow.label));
        let (end, before) = (arrow.points[arrow.points.len() - 1], arrow.points[arrow.points.len() - 2]);
        let head = if end.0 > before.0 { "▶" } else { "▼" };
        self.write(end.0, end.1, head);
    }

    fn lines(self) -> Vec<String> {
        let cells = self.lines.keys().chain(self.letters.keys());
        let (width, height) = cells.fold((0, 0), |most, (x, y)| (most.0.max(x + 1), most.1.max(y + 1)));
        let cell = |x: i32, y: i32| match (self.letters.get(&(x, y)), self.lines.get(&(x, y))) {
            (Some(letter), _) => *letter,
            (None, Some(sides)) => joint(*sides),
            (None, None) => ' ',
        };
        let row = |y: i32| (0..width).map(|x| cell(x, y)).collect::<String>().trim_end().to_string();
        (0..height).map(row).collect()
    }
}

fn shown(entry: &CardRow) -> &str {
    match entry.emphasis {
        Emphasis::Unread => "(?)",
        _ => &entry.value,
    }
}

fn joint(sides: u8) -> char {
    match (sides & UP != 0, sides & DOWN != 0, sides & LEFT != 0, sides & RIGHT != 0) {
        (false, false, _, _) => '─',
        (_, _, false, false) => '│',
        (false, true, false, true) => '┌',
        (false, true, true, false) => '┐',
        (true, false, false, true) => '└',
        (true, false, true, false) => '┘',
        (true, true, false, true) => '├',
        (true, true, true, false) => '┤',
        (false, true, true, true) => '┬',
        (true, false, true, true) => '┴',
        (true, true, true, true) => '┼',
    }
}
