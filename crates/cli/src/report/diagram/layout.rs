//! Where do the boxes stand, and how do the arrows go?
//!
//! A tree is laid out from its leaves up. What hangs on a box makes blocks that are moved together until they nearly touch, row by row; the
//! box stands above the middle of them. The next box of a list stands to the right. All of it in whole cells, so that the same diagram
//! can be drawn with characters.

use std::collections::{BTreeMap, HashMap};

use super::forest::{Forest, ObjectReference};
use super::{Arrow, Card, CardRow, Diagram, Inside, Placed, Way, length};

/// Cells between two boxes that stand side by side.
const GAP: i32 = 3;
/// The width that a missing child of a tree keeps free.
const MISSING_WIDTH: i32 = 3;
/// Names that are longer do not push the values of the others to the right.
const WIDEST_COLUMN: i32 = 18;
/// Rows between two groups of boxes that do not hang together.
const ROW_GAP: i32 = 1;

/// Places the cards, which are in the order of `forest.drawn`.
pub(super) fn layout(forest: Forest, cards: Vec<Card>, captions: Vec<CardRow>, most_width: i32) -> Diagram {
    let at: HashMap<usize, usize> =
        forest.drawn.iter().enumerate().map(|(position, index)| (*index, position)).collect();
    let mut builder = LayoutBuilder { sizes: Vec::new(), forest, at };
    builder.sizes = builder.forest.drawn.iter().zip(&cards).map(|(index, card)| builder.size(*index, card)).collect();
    let blocks: Vec<Block> = builder.forest.roots.iter().map(|root| builder.block(*root, &cards)).collect();
    let mut whole = Block::default();
    let top = if captions.is_empty() { 0 } else { captions.len() as i32 + 1 };
    let (mut left, mut y, mut next_y) = (0, top, top);
    for mut block in blocks {
        let (from, to) = block.extent();
        if left > 0 && left + to - from > most_width {
            (left, y) = (0, next_y + ROW_GAP);
        }
        block.shift(left - from, y - block.top());
        left += to - from + GAP + 1;
        next_y = next_y.max(block.bottom());
        whole.take(block);
    }
    let mut places = vec![(0, 0); cards.len()];
    for (position, x, y) in &whole.boxes {
        places[*position] = (*x, *y);
    }
    let boxes: Vec<Placed> = cards
        .into_iter()
        .zip(&builder.sizes)
        .zip(places)
        .map(|((card, size), (x, y))| Placed { card, x, y, w: size.0, h: size.1 })
        .collect();
    let mut arrows = whole.arrows;
    arrows.extend(builder.forest.elsewhere.iter().map(|reference| builder.elsewhere(*reference, &boxes)));
    let caption_width = captions.iter().map(|caption| length(&caption.label) + length(&caption.value) + 3).max();
    let width = whole.rows.values().map(|(_, right)| *right).max().unwrap_or(0).max(caption_width.unwrap_or(0));
    let height = next_y.max(captions.len() as i32);
    Diagram { width, height, captions, boxes, arrows }
}

/// Where the cells of an array begin, from the left border on: a border stands between each two.
pub(super) fn cell_starts(cells: &[CardRow]) -> Vec<i32> {
    let mut starts = Vec::new();
    let mut next = 1;
    for cell in cells {
        starts.push(next);
        next += cell_width(cell) + 1;
    }
    starts
}

pub(super) fn cell_width(cell: &CardRow) -> i32 {
    let label = if cell.label.is_empty() { 0 } else { length(&cell.label) + 1 };
    label + length(&cell.value) + 2
}

/// Rows have their values below each other, unless a name is very long.
pub(super) fn label_width(rows: &[CardRow]) -> i32 {
    rows.iter().map(|row| length(&row.label)).filter(|length| *length <= WIDEST_COLUMN).max().unwrap_or(0)
}

/// Boxes and arrows that have their places in relation to each other.
#[derive(Default)]
struct Block {
    /// Position among the cards, and left upper cell.
    boxes: Vec<(usize, i32, i32)>,
    arrows: Vec<Arrow>,
    /// The first cell of each row that is taken, and the first behind the last.
    rows: BTreeMap<i32, (i32, i32)>,
}

impl Block {
    fn claim(&mut self, x: i32, y: i32, w: i32, h: i32) {
        for row in y..y + h {
            let span = self.rows.entry(row).or_insert((x, x + w));
            *span = (span.0.min(x), span.1.max(x + w));
        }
    }

    fn shift(&mut self, dx: i32, dy: i32) {
        self.boxes.iter_mut().for_each(|(_, x, y)| (*x, *y) = (*x + dx, *y + dy));
        for arrow in &mut self.arrows {
            arrow.points.iter_mut().for_each(|(x, y)| (*x, *y) = (*x + dx, *y + dy));
            arrow.label_at = (arrow.label_at.0 + dx, arrow.label_at.1 + dy);
        }
        self.rows = self.rows.iter().map(|(row, (from, to))| (row + dy, (from + dx, to + dx))).collect();
    }

    fn take(&mut self, other: Block) {
        self.boxes.extend(other.boxes);
        self.arrows.extend(other.arrows);
        for (row, (from, to)) in other.rows {
            self.claim(from, row, to - from, 1);
        }
    }

    /// How far the other must go to the right to stand beside this one.
    fn distance(&self, other: &Block) -> i32 {
        // Rows that only just miss each other count too: boxes must not touch at their corners.
        let beside = |row: i32| (row - 1..=row + 1).filter_map(|near| self.rows.get(&near)).map(|(_, to)| *to).max();
        let distances = other.rows.iter().filter_map(|(row, (from, _))| Some(beside(*row)? + GAP - from));
        distances.max().unwrap_or(0)
    }

    /// The first free row above everything between two columns.
    fn lane_above(&self, from: i32, to: i32) -> i32 {
        let is_taken = |(_, (left, right)): &(&i32, &(i32, i32))| *left < to && *right > from;
        self.rows.iter().find(is_taken).map_or(-1, |(row, _)| row - 1)
    }

    fn extent(&self) -> (i32, i32) {
        let from = self.rows.values().map(|(from, _)| *from).min().unwrap_or(0);
        (from, self.rows.values().map(|(_, to)| *to).max().unwrap_or(0))
    }

    fn top(&self) -> i32 {
        self.rows.first_key_value().map_or(0, |(row, _)| *row)
    }

    fn bottom(&self) -> i32 {
        self.rows.last_key_value().map_or(0, |(row, _)| row + 1)
    }
}

struct LayoutBuilder {
    forest: Forest,
    at: HashMap<usize, usize>,
    sizes: Vec<(i32, i32)>,
}

impl LayoutBuilder {
    fn size(&self, index: usize, card: &Card) -> (i32, i32) {
        let title = length(&card.title);
        let (inner, rows) = match &card.contents {
            Inside::Rows(rows) => {
                let label = label_width(rows);
                let width = |row: &CardRow| length(&row.label).max(label) + 1 + length(&row.value);
                (rows.iter().map(width).max().unwrap_or(0), rows.len() as i32)
            }
            Inside::Cells(cells) => {
                (cells.iter().map(|cell| cell_width(cell) + 1).sum::<i32>() - 3, 1.min(cells.len() as i32))
            }
        };
        let below = self.forest.below.get(&index).map_or(&[][..], Vec::as_slice);
        let labels: i32 = below.iter().map(|reference| length(&self.forest.label(reference).0) + 2).sum();
        let around = self.forest.around.iter().filter(|reference| reference.from == index && reference.to == index);
        let loops = around.map(|reference| length(&self.forest.label(reference).0) + 7).max().unwrap_or(0);
        // Two arrows may arrive at the top, one in the middle and one at the side.
        let width = (title.max(inner) + 4).max(labels + 1).max(loops).max(9);
        (width, rows + 3)
    }

    /// A box at the origin, and all that hangs on it.
    fn block(&self, index: usize, cards: &[Card]) -> Block {
        let position = self.at[&index];
        let (w, h) = self.sizes[position];
        let mut block = Block::default();
        block.boxes.push((position, 0, 0));
        block.claim(0, 0, w, h);
        self.hang_below(index, &mut block, cards);
        if let Some(next) = self.forest.beside.get(&index) {
            let mut beside = self.block(next.to, cards);
            let (label, is_changed) = self.forest.label(next);
            let x = block.distance(&beside).max(w + length(&label) + 2);
            beside.shift(x, 0);
            block.take(beside);
            let points = vec![(w - 1, 1), (x, 1)];
            let label_at = (w - 1 + (x - w + 2 - length(&label)) / 2, 1);
            let (from, to) = (position, self.at[&next.to]);
            block.arrows.push(Arrow { from, to, label, is_changed, way: Way::Beside, points, label_at });
        }
        for reference in self.forest.around.iter().filter(|reference| reference.to == index) {
            self.lead_around(reference, &mut block);
        }
        block
    }

    /// An arrow from the last box of a list back to the first, which is at the origin.
    fn lead_around(&self, reference: &ObjectReference, block: &mut Block) {
        let (from, to) = (self.at[&reference.from], self.at[&reference.to]);
        let Some((_, x, _)) = block.boxes.iter().find(|(position, _, _)| *position == from).copied() else { return };
        let start = x + self.sizes[from].0 - 3;
        let row = block.lane_above(2, start + 1);
        let points = vec![(start, 0), (start, row), (2, row), (2, 0)];
        let (label, is_changed) = self.forest.label(reference);
        let label_at = ((start + 2 - length(&label)) / 2 + 1, row);
        block.claim(2, row, start - 1, -row);
        block.arrows.push(Arrow { from, to, label, is_changed, way: Way::Around, points, label_at });
    }

    /// The children of a box, side by side with gaps for those that are missing, and the column of each; the last is the middle of all.
    fn children(
        &self,
        index: usize,
        references: &[ObjectReference],
        cards: &[Card],
    ) -> (Block, Vec<(ObjectReference, i32)>, i32) {
        let mut slots: Vec<(usize, Option<ObjectReference>)> =
            references.iter().map(|one| (one.slot, Some(*one))).collect();
        let gaps = self.forest.gaps.iter().filter(|(owner, _)| *owner == index);
        slots.extend(gaps.map(|(_, slot)| (*slot, None)));
        slots.sort_by_key(|(slot, _)| *slot);
        let mut together = Block::default();
        let mut centres = Vec::new();
        let mut children = Vec::new();
        for (_, reference) in &slots {
            let mut child = match reference {
                Some(reference) => self.block(reference.to, cards),
                None => Block { rows: BTreeMap::from([(0, (0, MISSING_WIDTH))]), ..Block::default() },
            };
            let width = reference.map_or(MISSING_WIDTH, |reference| self.sizes[self.at[&reference.to]].0);
            let x = together.distance(&child);
            child.shift(x, 0);
            together.take(child);
            centres.push(x + width / 2);
            children.extend(reference.map(|reference| (reference, x + width / 2)));
        }
        let middle = (centres.first().unwrap_or(&0) + centres.last().unwrap_or(&0)) / 2;
        (together, children, middle)
    }

    fn hang_below(&self, index: usize, block: &mut Block, cards: &[Card]) {
        let Some(references) = self.forest.below.get(&index) else { return };
        let (mut together, children, middle) = self.children(index, references, cards);
        let position = self.at[&index];
        let (w, h) = self.sizes[position];
        // An array stands so that its elements are above what they refer to.
        let cells = match &cards[position].contents {
            Inside::Cells(cells) => {
                let starts = cell_starts(cells);
                let port = |one: &ObjectReference| starts[one.slot] + cell_width(&cells[one.slot]) / 2;
                Some(children.iter().map(|(one, _)| port(one)).collect::<Vec<i32>>())
            }
            Inside::Rows(_) => None,
        };
        let anchor = cells.as_ref().map_or(w / 2, |ports| (ports[0] + ports[ports.len() - 1]) / 2);
        let left = middle - anchor;
        let centres: Vec<i32> = children.iter().map(|(_, centre)| centre - left).collect();
        let labels: Vec<(String, bool)> = children.iter().map(|(reference, _)| self.forest.label(reference)).collect();
        let ports = cells.unwrap_or_else(|| ports(&centres, &labels, w));
        let lanes = lanes(&ports, &centres);
        let rows = lanes.iter().map(|lane| lane.map_or(0, |lane| lane + 1)).max().unwrap_or(0);
        let top = h + 1 + rows;
        // A list that leads back to its beginning needs room above it.
        let dy = top - together.top();
        together.shift(-left, dy);
        for ((((reference, _), centre), port), (lane, (label, is_changed))) in
            children.iter().zip(&centres).zip(&ports).zip(lanes.iter().zip(labels))
        {
            let (port, centre) = (*port, *centre);
            let points = match lane {
                None => vec![(port, h - 1), (centre, dy)],
                Some(lane) => vec![(port, h - 1), (port, h + 1 + lane), (centre, h + 1 + lane), (centre, dy)],
            };
            let label_at = (port - length(&label) / 2, h);
            block.claim(label_at.0, h, length(&label).max(1), 1);
            block.claim(port.min(centre), h, (port - centre).abs() + 1, dy - h);
            let (from, to) = (position, self.at[&reference.to]);
            block.arrows.push(Arrow { from, to, label, is_changed, way: Way::Below, points, label_at });
        }
        block.take(together);
    }

    /// A curve between the borders that look at each other.
    fn elsewhere(&self, reference: ObjectReference, boxes: &[Placed]) -> Arrow {
        let (from, to) = (self.at[&reference.from], self.at[&reference.to]);
        let (label, is_changed) = self.forest.label(&reference);
        let mut points = connect(&boxes[from], &boxes[to], self.row_of(reference, &boxes[from]));
        if let (Inside::Cells(cells), true) = (&boxes[from].card.contents, boxes[from].y + boxes[from].h <= boxes[to].y)
        {
            let cell = cell_starts(cells)[reference.slot] + cell_width(&cells[reference.slot]) / 2;
            points[0] = (boxes[from].x + cell, boxes[from].y + boxes[from].h - 1);
        }
        let label_at = points[0];
        Arrow { from, to, label, is_changed, way: Way::Elsewhere, points, label_at }
    }

    /// The row of a box in which a reference is named.
    fn row_of(&self, reference: ObjectReference, from: &Placed) -> i32 {
        let label = self.forest.label(&reference).0;
        let row = match &from.card.contents {
            Inside::Rows(rows) => rows.iter().position(|row| row.label == label).unwrap_or(0) as i32,
            Inside::Cells(_) => 0,
        };
        (from.y + 2 + row).min(from.y + from.h - 1)
    }
}

/// Where the arrows to the children leave the lower border: above the children if that is possible, and apart from each other.
fn ports(centres: &[i32], labels: &[(String, bool)], w: i32) -> Vec<i32> {
    let (least, most) = (1, w - 2);
    let apart = |one: usize| (length(&labels[one].0) + length(&labels[one + 1].0)) / 2 + 2;
    let mut ports: Vec<i32> = centres.iter().map(|centre| (*centre).clamp(least, most)).collect();
    for one in 1..ports.len() {
        ports[one] = ports[one].max(ports[one - 1] + apart(one - 1));
    }
    if let Some(last) = ports.last_mut() {
        *last = (*last).min(most);
    }
    for one in (0..ports.len().saturating_sub(1)).rev() {
        ports[one] = ports[one].min(ports[one + 1] - apart(one));
    }
    // Very many arrows do not fit; they may then start at the same place.
    ports.iter().map(|port| (*port).clamp(least, most)).collect()
}

/// The rows in which arrows go sideways, so that none crosses another: those to the left from left to right, those to the right from
/// right to left. None for an arrow that goes straight down.
fn lanes(ports: &[i32], centres: &[i32]) -> Vec<Option<i32>> {
    let mut lanes: Vec<Option<i32>> = vec![None; ports.len()];
    let mut taken: Option<(i32, i32)> = None;
    for one in 0..ports.len() {
        if centres[one] < ports[one] {
            let lane = taken.filter(|(_, port)| *port >= centres[one]).map_or(0, |(lane, _)| lane + 1);
            taken = Some((lane, ports[one]));
            lanes[one] = Some(lane);
        }
    }
    taken = None;
    for one in (0..ports.len()).rev() {
        if centres[one] > ports[one] {
            let lane = taken.filter(|(_, port)| *port <= centres[one]).map_or(0, |(lane, _)| lane + 1);
            taken = Some((lane, ports[one]));
            lanes[one] = Some(lane);
        }
    }
    lanes
}

/// The ends of a curve: a parent is entered at its side, a neighbour from the side, anything else from below.
fn connect(from: &Placed, to: &Placed, row: i32) -> Vec<(i32, i32)> {
    let centre = |one: &Placed| one.x + one.w / 2;
    let is_left = centre(from) < centre(to);
    if to.y + to.h <= from.y {
        let start = (if is_left { from.x + from.w / 4 } else { from.x + from.w - 1 - from.w / 4 }, from.y);
        let end = (if is_left { to.x } else { to.x + to.w - 1 }, to.y + to.h / 2);
        return vec![start, end];
    }
    if from.y + from.h <= to.y {
        let start = (if is_left { from.x + from.w - 1 } else { from.x }, row);
        return vec![start, (if is_left { to.x + to.w / 4 } else { to.x + to.w - 1 - to.w / 4 }, to.y)];
    }
    let row_there = row.clamp(to.y + 1, to.y + to.h - 1);
    if from.x + from.w <= to.x && to.x - from.x - from.w <= 2 * GAP + 6 {
        return vec![(from.x + from.w - 1, row), (to.x, row_there)];
    }
    if to.x + to.w <= from.x && from.x - to.x - to.w <= 2 * GAP + 6 {
        return vec![(from.x, row), (to.x + to.w - 1, row_there)];
    }
    vec![(centre(from), from.y + from.h - 1), (centre(to), to.y + to.h - 1)]
}
