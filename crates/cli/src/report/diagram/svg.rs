//! How does a diagram look as SVG, inside of a page that has the colours?

use std::fmt::Write;

use lazuli_console::escape::{escaped, escaped_lines};

use super::layout::{cell_starts, cell_width, label_width};
use super::{Arrow, Diagram, Entry, Inside, Mood, Placed, Way};

/// The size of a cell in pixels.
const CELL: (f64, f64) = (8.0, 18.0);
/// How far below the middle of a row its letters stand.
const BASELINE: f64 = 4.5;
const MARGIN: f64 = 6.0;
const ARROW_HEAD: (f64, f64) = (8.0, 3.5);

/// A drawing with a title for whoever points at it, and a description for whoever cannot see it.
pub fn svg(diagram: &Diagram, title: &str, description: &str) -> String {
    let mut canvas = Canvas { text: String::new(), least: (0.0, 0.0), most: (0.0, 0.0) };
    let (width, height) = (f64::from(diagram.width) * CELL.0, f64::from(diagram.height) * CELL.1);
    canvas.reach((width, height));
    for (row, caption) in diagram.captions.iter().enumerate() {
        canvas.entry(0, row as i32, caption, &format!("{} = ", caption.label));
    }
    for arrow in &diagram.arrows {
        canvas.arrow(arrow, &diagram.boxes);
    }
    for placed in &diagram.boxes {
        canvas.placed(placed);
    }
    for arrow in diagram.arrows.iter().filter(|arrow| arrow.way != Way::Elsewhere) {
        canvas.label(arrow);
    }
    let (x, y) = (canvas.least.0 - MARGIN, canvas.least.1 - MARGIN);
    let (w, h) = (canvas.most.0 - x + MARGIN, canvas.most.1 - y + MARGIN);
    format!(
        "<svg class=\"heap\" role=\"img\" viewBox=\"{x:.0} {y:.0} {w:.0} {h:.0}\" width=\"{w:.0}\" height=\"{h:.0}\">\
         <title>{}</title><desc>{}</desc>\n{}</svg>\n",
        escaped(title),
        escaped_lines(description),
        canvas.text
    )
}

struct Canvas {
    text: String,
    least: (f64, f64),
    most: (f64, f64),
}

type Point = (f64, f64);

impl Canvas {
    fn add(&mut self, element: std::fmt::Arguments) {
        self.text.write_fmt(element).expect("a text can always be longer");
        self.text.push('\n');
    }

    /// The drawing must be large enough for this point.
    fn reach(&mut self, (x, y): Point) {
        self.least = (self.least.0.min(x), self.least.1.min(y));
        self.most = (self.most.0.max(x), self.most.1.max(y));
    }

    fn placed(&mut self, placed: &Placed) {
        let Placed { card, x, y, w, h } = placed;
        let (left, top) = middle((*x, *y));
        let (right, bottom) = middle((x + w - 1, y + h - 1));
        let (width, height) = (right - left, bottom - top);
        let state = match (card.is_new, card.is_changed) {
            (true, _) => " new",
            (false, true) => " touched",
            (false, false) => "",
        };
        self.add(format_args!(
            "<g class=\"box{state}\"><rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>"
        ));
        let line = top + 1.5 * CELL.1;
        self.add(format_args!(
            "<path class=\"head\" d=\"M{left} {line}V{}q0 -5 5 -5H{}q5 0 5 5V{line}z\"/>",
            top + 5.0,
            right - 5.0
        ));
        let baseline = top + 0.8 * CELL.1 + BASELINE;
        let start = f64::from(x + 2) * CELL.0;
        self.add(format_args!("<text class=\"name\" x=\"{start}\" y=\"{baseline}\">{}</text>", escaped(&card.title)));
        match &card.contents {
            Inside::Rows(rows) => {
                let label = label_width(rows) as usize;
                for (row, entry) in rows.iter().enumerate() {
                    self.entry(x + 2, y + 2 + row as i32, entry, &format!("{:label$} ", entry.label));
                }
            }
            Inside::Cells(cells) => {
                for (index, (start, cell)) in cell_starts(cells).into_iter().zip(cells).enumerate() {
                    let label = if cell.label.is_empty() { String::new() } else { format!("{} ", cell.label) };
                    self.entry(x + start + 1, y + 2, cell, &label);
                    if index + 1 < cells.len() {
                        let end = middle((x + start + cell_width(cell), 0)).0;
                        self.add(format_args!("<path class=\"cell\" d=\"M{end} {line}V{bottom}\"/>"));
                    }
                }
            }
        }
        self.add(format_args!("</g>"));
    }

    /// A name and a value that begin in a cell.
    fn entry(&mut self, x: i32, y: i32, entry: &Entry, label: &str) {
        let (start, baseline) = (f64::from(x) * CELL.0, middle((x, y)).1 + BASELINE);
        let value_at = start + f64::from(super::length(label)) * CELL.0;
        let mood = match entry.mood {
            Mood::Plain => "value",
            Mood::Null => "null",
            Mood::Unread => "unread",
            Mood::Reference => "reference",
        };
        let changed = if entry.is_changed { " changed" } else { "" };
        if !label.trim().is_empty() {
            let label = escaped(label.trim_end());
            self.add(format_args!("<text class=\"field{changed}\" x=\"{start}\" y=\"{baseline}\">{label}</text>"));
        }
        if entry.mood == Mood::Unread {
            let (x, y) = (value_at, baseline - 11.0);
            self.add(format_args!(
                "<g class=\"cloud\"><title>never looked at: any value would do</title><path d=\"M{} {}\
                 a4 4 0 0 1 -1 -7.5a5 5 0 0 1 9 -2.5a4.5 4.5 0 0 1 8 2.5a4 4 0 0 1 0 7.5z\"/></g>",
                x + 5.0,
                y + 12.0
            ));
            return;
        }
        let value = escaped(&entry.value);
        self.add(format_args!("<text class=\"{mood}{changed}\" x=\"{value_at}\" y=\"{baseline}\">{value}</text>"));
    }

    fn arrow(&mut self, arrow: &Arrow, boxes: &[Placed]) {
        let points: Vec<Point> = arrow.points.iter().map(|point| middle(*point)).collect();
        let (start, end) = (points[0], points[points.len() - 1]);
        let state = match (arrow.way, arrow.is_changed) {
            (Way::Elsewhere, true) => "arrow thin changed",
            (Way::Elsewhere, false) => "arrow thin",
            (_, true) => "arrow changed",
            (_, false) => "arrow",
        };
        let out = normal(&boxes[arrow.from], arrow.points[0]);
        let back = normal(&boxes[arrow.to], arrow.points[arrow.points.len() - 1]);
        let route = match arrow.way {
            Way::Around => around(&points),
            _ => {
                let distance = (end.0 - start.0).hypot(end.1 - start.1);
                // Whatever leaves and arrives below goes around what stands between; a loop needs room in any case.
                let reach =
                    if out == back { distance.clamp(60.0, 160.0) / 2.0 } else { distance.clamp(16.0, 120.0) / 2.0 };
                let spread = if distance < 1.0 { 24.0 } else { 0.0 };
                let first = (start.0 + out.0 * reach - spread, start.1 + out.1 * reach);
                let second = (end.0 + back.0 * reach + spread, end.1 + back.1 * reach);
                self.reach(first);
                self.reach(second);
                format!(
                    "M{} {}C{} {} {} {} {} {}",
                    start.0, start.1, first.0, first.1, second.0, second.1, end.0, end.1
                )
            }
        };
        let label = escaped(&arrow.label);
        self.add(format_args!("<g class=\"{state}\"><title>{label}</title><path d=\"{route}\"/>"));
        let (long, wide) = ARROW_HEAD;
        let foot = (end.0 + back.0 * long, end.1 + back.1 * long);
        let side = (back.1 * wide, back.0 * wide);
        self.add(format_args!(
            "<polygon points=\"{},{} {},{} {},{}\"/></g>",
            end.0,
            end.1,
            foot.0 + side.0,
            foot.1 + side.1,
            foot.0 - side.0,
            foot.1 - side.1
        ));
    }

    fn label(&mut self, arrow: &Arrow) {
        let (x, y) = arrow.label_at;
        let changed = if arrow.is_changed { " changed" } else { "" };
        let (start, baseline) = (f64::from(x) * CELL.0, middle((x, y)).1 + BASELINE);
        let label = escaped(&arrow.label);
        if !label.is_empty() {
            self.add(format_args!("<text class=\"label{changed}\" x=\"{start}\" y=\"{baseline}\">{label}</text>"));
        }
    }
}

fn middle((x, y): (i32, i32)) -> Point {
    ((f64::from(x) + 0.5) * CELL.0, (f64::from(y) + 0.5) * CELL.1)
}

/// The way out of a box at a point of its border.
fn normal(placed: &Placed, (x, y): (i32, i32)) -> Point {
    if y == placed.y {
        (0.0, -1.0)
    } else if y == placed.y + placed.h - 1 {
        (0.0, 1.0)
    } else if x == placed.x {
        (-1.0, 0.0)
    } else {
        (1.0, 0.0)
    }
}

/// Up, back, and down again, with round corners.
fn around(points: &[Point]) -> String {
    let [start, up, back, end] = points else { return String::new() };
    let round = 6.0f64.min((up.0 - back.0).abs() / 2.0);
    format!(
        "M{} {}V{}Q{} {} {} {}H{}Q{} {} {} {}V{}",
        start.0,
        start.1,
        up.1 + round,
        up.0,
        up.1,
        up.0 - round,
        up.1,
        back.0 + round,
        back.0,
        back.1,
        back.0,
        back.1 + round,
        end.1
    )
}
