//! How are figures set out in rows and columns, for a terminal and for a document?

/// A heading, columns and rows.
pub struct Sheet {
    pub title: String,
    /// What the columns mean, where their headings are too short to say it.
    pub note: String,
    columns: Vec<(String, Side)>,
    rows: Vec<Vec<String>>,
}

/// Words stand on the left of their column, numbers on the right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    RemainingEntries,
    Right,
}

impl Sheet {
    pub fn new(title: &str, note: &str) -> Sheet {
        Sheet { title: title.to_string(), note: note.to_string(), columns: Vec::new(), rows: Vec::new() }
    }

    pub fn column(mut self, heading: &str, side: Side) -> Sheet {
        self.columns.push((heading.to_string(), side));
        self
    }

    /// A row has a text for each column.
    pub fn row(&mut self, row: Vec<String>) {
        debug_assert_eq!(row.len(), self.columns.len());
        self.rows.push(row);
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn text(&self) -> String {
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| self.lines().map(|line| line[column].chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = format!("{}\n", self.title);
        if !self.note.is_empty() {
            text.push_str(&format!("{}\n", self.note));
        }
        for line in self.lines() {
            let cells = line.iter().zip(&self.columns).zip(&widths).map(|((cell, (_, side)), width)| match side {
                Side::RemainingEntries => format!("{cell:<width$}"),
                Side::Right => format!("{cell:>width$}"),
            });
            text.push_str(format!("  {}", cells.collect::<Vec<_>>().join("  ")).trim_end());
            text.push('\n');
        }
        text
    }

    pub fn markdown(&self) -> String {
        let mut text = format!("### {}\n\n", self.title);
        if !self.note.is_empty() {
            text.push_str(&format!("{}\n\n", self.note));
        }
        let rule: Vec<&str> =
            self.columns.iter().map(|(_, side)| if *side == Side::RemainingEntries { "---" } else { "---:" }).collect();
        for (number, line) in self.lines().enumerate() {
            let cells: Vec<String> = line.iter().map(|cell| cell.replace('|', "\\|")).collect();
            text.push_str(&format!("| {} |\n", cells.join(" | ")));
            if number == 0 {
                text.push_str(&format!("| {} |\n", rule.join(" | ")));
            }
        }
        text
    }

    /// The headings, and then the rows.
    fn lines(&self) -> impl Iterator<Item = Vec<&str>> {
        let headings = self.columns.iter().map(|(heading, _)| heading.as_str()).collect();
        std::iter::once(headings).chain(self.rows.iter().map(|row| row.iter().map(String::as_str).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Sheet {
        let mut sheet = Sheet::new("Paths", "").column("method", Side::RemainingEntries).column("paths", Side::Right);
        sheet.row(vec!["add".to_string(), "1,234,567".to_string()]);
        sheet.row(vec!["é|x".to_string(), "2".to_string()]);
        sheet
    }

    #[test]
    fn columns_are_as_wide_as_they_must_be() {
        let expected = "Paths\n  method      paths\n  add     1,234,567\n  é|x             2\n";
        assert_eq!(sample().text(), expected);
    }

    #[test]
    fn documents_tell_numbers_from_words() {
        let expected = "### Paths\n\n| method | paths |\n| --- | ---: |\n| add | 1,234,567 |\n| é\\|x | 2 |\n";
        assert_eq!(sample().markdown(), expected);
    }
}
