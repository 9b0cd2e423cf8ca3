//! How is a heap drawn as boxes and arrows?
//!
//! `forest` finds out what is a list and what is a tree, `cards` what stands in the boxes, and `layout` where they are. The result is a
//! `Diagram` in cells of a grid, which `characters` and `svg` draw. Nothing here depends on anything but the picture: the same heap
//! always looks the same.

mod cards;
mod characters;
mod forest;
mod layout;
mod svg;

use lazuli_explore::{Picture, Shown};

use characters::characters;
pub use svg::svg;

use super::changes::Changes;
use super::picture::{self, When};
use forest::Forest;

/// With more boxes than this, nobody sees anything among characters.
const MOST_BOXES: usize = 30;

/// Boxes and arrows on a grid of cells; a cell has room for one character.
pub struct Diagram {
    pub width: i32,
    pub height: i32,
    /// Roots that are no object of the picture: `key = 5`.
    pub captions: Vec<Entry>,
    pub boxes: Vec<Placed>,
    pub arrows: Vec<Arrow>,
}

/// A name and what it stands for.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Empty for an element of an array.
    pub label: String,
    pub value: String,
    pub mood: Mood,
    pub is_changed: bool,
}

/// What a reader should see at once about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    Plain,
    Null,
    /// Nobody looked: a cloud.
    Unread,
    /// An object of the diagram, by the tag in its title.
    Reference,
}

/// What stands in a box.
#[derive(Clone, Debug)]
pub struct Card {
    pub title: String,
    pub is_new: bool,
    /// Did the method change anything in it?
    pub is_changed: bool,
    pub contents: Inside,
}

#[derive(Clone, Debug)]
pub enum Inside {
    /// One below the other.
    Rows(Vec<Entry>),
    /// Elements, side by side.
    Cells(Vec<Entry>),
}

/// A box: its left upper cell, and its size with the border.
#[derive(Clone, Debug)]
pub struct Placed {
    pub card: Card,
    pub x: i32,
    pub y: i32,
    pub w: i32,
    pub h: i32,
}

/// A reference from one box to another.
#[derive(Clone, Debug)]
pub struct Arrow {
    pub from: usize,
    pub to: usize,
    pub label: String,
    pub is_changed: bool,
    pub way: Way,
    /// From a border cell to a border cell, by way of corners.
    pub points: Vec<(i32, i32)>,
    /// The left end of the label.
    pub label_at: (i32, i32),
}

/// Where an arrow leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To a child.
    Below,
    /// To the next of a list.
    Beside,
    /// From the end of a list back into it, above its boxes.
    Around,
    /// Anywhere else. The row that it starts from names the box too, so that it may be left out.
    Elsewhere,
}

impl Diagram {
    /// Draws a heap; in comparison with an earlier one, if there is one. Boxes that do not hang together stand side by side up to the width.
    pub fn of(picture: &Picture, before: Option<&Picture>, width: usize) -> Diagram {
        let changes = Changes::between(before, picture);
        let forest = Forest::of(picture, before, &changes);
        let cards = cards::cards(picture, &forest, &changes);
        let captions = cards::captions(picture, &forest, &changes);
        layout::layout(forest, cards, captions, width as i32)
    }

    /// Has anything changed?
    pub fn is_changed(&self) -> bool {
        self.boxes.iter().any(|placed| placed.card.is_changed || placed.card.is_new)
            || self.captions.iter().any(|caption| caption.is_changed)
    }

    /// Does a drawing show more than a line of text would?
    pub fn is_worth_it(&self) -> bool {
        self.boxes.len() > 1 || !self.arrows.is_empty()
    }
}

/// A heap as boxes and arrows, if that shows more than lines of text would and there is room for it.
pub fn drawn(heap: &Picture, before: Option<&Picture>, width: usize) -> Vec<String> {
    let diagram = Diagram::of(heap, before, width);
    let is_readable = diagram.boxes.len() <= MOST_BOXES && diagram.width <= width as i32;
    if diagram.is_worth_it() && is_readable {
        return characters(&diagram);
    }
    picture::compared(heap, before, When::AtEntry)
}

/// A heap with a result as one more root.
pub fn with_result(heap: &Picture, result: Option<&Shown>) -> Picture {
    let mut heap = heap.clone();
    heap.roots.extend(result.map(|result| ("result".to_string(), result.clone())));
    heap
}

#[cfg(test)]
mod tests;

/// How many cells a text takes.
fn length(text: &str) -> i32 {
    text.chars().count() as i32
}
