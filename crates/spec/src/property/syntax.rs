//! What does a file of properties say, word by word?
//!
//! ```text
//! property iterator for each object {
//!     state unknown {
//!         call java.util.Iterator.hasNext -> asked
//!         call java.util.Iterator.next -> error "next() without hasNext()"
//!     }
//!     state asked {
//!         call java.util.Iterator.next -> unknown
//!     }
//! }
//! ```

use lazuli_vm::property::EventKind;

use super::{PropertyError, PropertyMistake};

/// The words that an event begins with.
const EVENTS: [(&str, EventKind); 7] = [
    ("call", EventKind::Call),
    ("return", EventKind::Return),
    ("throw", EventKind::Throw),
    ("write", EventKind::Write),
    ("lock", EventKind::Lock),
    ("unlock", EventKind::Unlock),
    ("end", EventKind::End),
];

/// Something with its place.
#[derive(Clone, Debug)]
pub struct PlacedSyntax<T> {
    /// The thing itself.
    pub value: T,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

impl<T> PlacedSyntax<T> {
    /// A mistake that stands there.
    pub(super) fn mistake(&self, mistake: PropertyMistake) -> PropertyError {
        PropertyError { line: self.line, column: self.column, mistake }
    }
}

/// A property as it is written.
#[derive(Clone, Debug)]
pub struct PropertySyntax {
    /// The name.
    pub name: PlacedSyntax<String>,
    /// `for each object`
    pub by_object: bool,
    /// `for each thread`
    pub by_thread: bool,
    /// The first is where it begins.
    pub states: Vec<StateSyntax>,
}

/// A state as it is written.
#[derive(Clone, Debug)]
pub struct StateSyntax {
    /// The name.
    pub name: PlacedSyntax<String>,
    /// In their order.
    pub moves: Vec<MoveSyntax>,
}

/// A move as it is written.
#[derive(Clone, Debug)]
pub struct MoveSyntax {
    /// One of these events.
    pub events: Vec<EventSyntax>,
    /// The name of a state; none at an error.
    pub target: Option<PlacedSyntax<String>>,
    /// The user's words for the error.
    pub what: Option<String>,
}

/// An event as it is written.
#[derive(Clone, Debug)]
pub struct EventSyntax {
    /// The kind, where its word stands.
    pub kind: PlacedSyntax<EventKind>,
    /// A method, field or class; none of an end.
    pub subject: Option<PlacedSyntax<String>>,
    /// `while holding CLASS`
    pub holding: Option<PlacedSyntax<String>>,
}

/// A word or sign of the file.
#[derive(Clone, Debug, PartialEq)]
enum PropertyToken {
    Word(String),
    Text(String),
    Sign(&'static str),
}

impl PropertyToken {
    fn told(&self) -> String {
        match self {
            PropertyToken::Word(word) => word.clone(),
            PropertyToken::Text(text) => format!("\"{text}\""),
            PropertyToken::Sign(sign) => sign.to_string(),
        }
    }
}

/// Reads a file.
pub(super) fn parse(text: &str) -> Result<Vec<PropertySyntax>, PropertyError> {
    let mut parser = PropertyParser { tokens: tokens(text)?, at: 0, end: end_of(text) };
    let mut properties: Vec<PropertySyntax> = Vec::new();
    while parser.peek().is_some() {
        parser.keyword("property")?;
        let property = parser.property()?;
        if properties.iter().any(|known| known.name.value == property.name.value) {
            let twice = PropertyMistake::Twice(property.name.value.clone());
            return Err(property.name.mistake(twice));
        }
        properties.push(property);
    }
    match properties.is_empty() {
        true => Err(parser.wrong(PropertyMistake::Empty)),
        false => Ok(properties),
    }
}

/// The line and the column behind the last character.
fn end_of(text: &str) -> (usize, usize) {
    let last = text.lines().last().unwrap_or("");
    match text.ends_with('\n') {
        true => (text.lines().count() + 1, 1),
        false => (text.lines().count().max(1), last.chars().count() + 1),
    }
}

fn tokens(text: &str) -> Result<Vec<PlacedSyntax<PropertyToken>>, PropertyError> {
    let mut tokens = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let characters: Vec<char> = line.chars().collect();
        let mut at = 0;
        while at < characters.len() {
            let start = at;
            let place = |value| PlacedSyntax { value, line: number + 1, column: start + 1 };
            let wrong = |mistake| PropertyError { line: number + 1, column: start + 1, mistake };
            let next = characters.get(at + 1).copied();
            match characters[at] {
                space if space.is_whitespace() => at += 1,
                '#' => break,
                '/' if next == Some('/') => break,
                '{' | '}' | '|' => {
                    let sign = match characters[at] {
                        '{' => "{",
                        '}' => "}",
                        _ => "|",
                    };
                    tokens.push(place(PropertyToken::Sign(sign)));
                    at += 1;
                }
                '-' if next == Some('>') => {
                    tokens.push(place(PropertyToken::Sign("->")));
                    at += 2;
                }
                '"' => {
                    let length = characters[at + 1..].iter().position(|character| *character == '"');
                    let Some(length) = length else { return Err(wrong(PropertyMistake::OpenText)) };
                    let text = characters[at + 1..at + 1 + length].iter().collect();
                    tokens.push(place(PropertyToken::Text(text)));
                    at += length + 2;
                }
                letter if is_part(letter) => {
                    let is_over = |at: usize| {
                        let is_dash = characters[at] == '-' && characters.get(at + 1) != Some(&'>');
                        !is_part(characters[at]) && !is_dash
                    };
                    while at < characters.len() && !is_over(at) {
                        at += 1;
                    }
                    tokens.push(place(PropertyToken::Word(characters[start..at].iter().collect())));
                }
                other => return Err(wrong(PropertyMistake::Character(other))),
            }
        }
    }
    Ok(tokens)
}

/// May a word have it anywhere?
fn is_part(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '.' | '_' | '$' | '*')
}

struct PropertyParser {
    tokens: Vec<PlacedSyntax<PropertyToken>>,
    at: usize,
    /// The line and the column of the end of the file.
    end: (usize, usize),
}

impl PropertyParser {
    fn peek(&self) -> Option<&PropertyToken> {
        self.tokens.get(self.at).map(|token| &token.value)
    }

    /// A mistake at the next word or sign.
    fn wrong(&self, mistake: PropertyMistake) -> PropertyError {
        let (line, column) = self.tokens.get(self.at).map_or(self.end, |token| (token.line, token.column));
        PropertyError { line, column, mistake }
    }

    fn expected(&self, expected: &[&'static str]) -> PropertyError {
        let found = self.peek().map(PropertyToken::told);
        self.wrong(PropertyMistake::Expected { expected: expected.to_vec(), found })
    }

    /// Takes the next word or sign if it is this one.
    fn takes(&mut self, wanted: &str) -> bool {
        let is_it = match self.peek() {
            Some(PropertyToken::Word(word)) => word == wanted,
            Some(PropertyToken::Sign(sign)) => *sign == wanted,
            _ => false,
        };
        self.at += is_it as usize;
        is_it
    }

    fn keyword(&mut self, wanted: &'static str) -> Result<(), PropertyError> {
        if self.takes(wanted) { Ok(()) } else { Err(self.expected(&[wanted])) }
    }

    fn name(&mut self, what: &'static str) -> Result<PlacedSyntax<String>, PropertyError> {
        let Some(PlacedSyntax { value: PropertyToken::Word(word), line, column }) = self.tokens.get(self.at).cloned()
        else {
            return Err(self.expected(&[what]));
        };
        self.at += 1;
        Ok(PlacedSyntax { value: word, line, column })
    }

    fn property(&mut self) -> Result<PropertySyntax, PropertyError> {
        let name = self.name("a name")?;
        let (mut by_object, mut by_thread) = (false, false);
        if self.takes("for") {
            self.keyword("each")?;
            loop {
                match () {
                    () if !by_object && self.takes("object") => by_object = true,
                    () if !by_thread && self.takes("thread") => by_thread = true,
                    () if by_object => return Err(self.expected(&["thread"])),
                    () if by_thread => return Err(self.expected(&["object"])),
                    () => return Err(self.expected(&["object", "thread"])),
                }
                if !self.takes("and") {
                    break;
                }
            }
            if self.peek() != Some(&PropertyToken::Sign("{")) {
                return Err(self.expected(&["and", "{"]));
            }
        } else if self.peek() != Some(&PropertyToken::Sign("{")) {
            return Err(self.expected(&["for each", "{"]));
        }
        self.keyword("{")?;
        let mut states: Vec<StateSyntax> = Vec::new();
        self.keyword("state")?;
        loop {
            let state = self.state()?;
            if states.iter().any(|known| known.name.value == state.name.value) {
                let twice = PropertyMistake::Twice(state.name.value.clone());
                return Err(state.name.mistake(twice));
            }
            states.push(state);
            if self.takes("}") {
                return Ok(PropertySyntax { name, by_object, by_thread, states });
            }
            if !self.takes("state") {
                return Err(self.expected(&["state", "}"]));
            }
        }
    }

    fn state(&mut self) -> Result<StateSyntax, PropertyError> {
        let name = self.name("the name of a state")?;
        self.keyword("{")?;
        let mut moves = Vec::new();
        while !self.takes("}") {
            moves.push(self.one_move()?);
        }
        Ok(StateSyntax { name, moves })
    }

    fn one_move(&mut self) -> Result<MoveSyntax, PropertyError> {
        let mut events = vec![self.event(true)?];
        loop {
            if self.takes("->") {
                break;
            }
            if !self.takes("|") {
                let last = events.last();
                let is_guarded = last.is_some_and(|event| event.holding.is_some());
                return Err(self.expected(if is_guarded { &["|", "->"] } else { &["while holding", "|", "->"] }));
            }
            events.push(self.event(false)?);
        }
        if self.takes("error") {
            let what = match self.peek() {
                Some(PropertyToken::Text(text)) => Some(text.clone()),
                _ => None,
            };
            self.at += what.is_some() as usize;
            return Ok(MoveSyntax { events, target: None, what });
        }
        let target = self.name("the name of a state")?;
        Ok(MoveSyntax { events, target: Some(target), what: None })
    }

    fn event(&mut self, may_end_state: bool) -> Result<EventSyntax, PropertyError> {
        let (line, column) = self.tokens.get(self.at).map_or(self.end, |token| (token.line, token.column));
        let Some((_, kind)) = EVENTS.into_iter().find(|(word, _)| self.takes(word)) else {
            let words = EVENTS.iter().map(|(word, _)| *word);
            let words: Vec<&'static str> = words.chain(may_end_state.then_some("}")).collect();
            return Err(self.expected(&words));
        };
        let subject = match kind {
            EventKind::End => None,
            EventKind::Call | EventKind::Return | EventKind::Throw => Some(self.name("CLASS.METHOD")?),
            EventKind::Write => Some(self.name("CLASS.FIELD")?),
            EventKind::Lock | EventKind::Unlock => Some(self.name("a class")?),
        };
        let holding = match self.takes("while") {
            true => {
                self.keyword("holding")?;
                Some(self.name("a class")?)
            }
            false => None,
        };
        Ok(EventSyntax { kind: PlacedSyntax { value: kind, line, column }, subject, holding })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistake(text: &str) -> (usize, usize, PropertyMistake) {
        let error = parse(text).expect_err(text);
        (error.line, error.column, error.mistake)
    }

    fn expected(text: &str) -> (usize, usize, Vec<&'static str>, Option<String>) {
        match mistake(text) {
            (line, column, PropertyMistake::Expected { expected, found }) => (line, column, expected, found),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_property_has_states_with_moves() {
        let text = "# a comment\nproperty door-bell for each object and thread {\n  state shut { call a.Door.open | write a.Door.x while holding a.Key -> open }\n  \
                    state open { end -> error \"left open\" } // another\n}\nproperty other { state s { } }\n";
        let properties = parse(text).unwrap();
        assert_eq!(properties.len(), 2);
        let door = &properties[0];
        assert_eq!((door.name.value.as_str(), door.by_object, door.by_thread), ("door-bell", true, true));
        let first = &door.states[0].moves[0];
        assert_eq!(first.events.len(), 2);
        assert_eq!(first.events[1].kind.value, EventKind::Write);
        assert_eq!(first.events[1].holding.as_ref().unwrap().value, "a.Key");
        assert_eq!((first.target.as_ref().unwrap().line, first.target.as_ref().unwrap().column), (3, 73));
        let second = &door.states[1].moves[0];
        assert_eq!((second.target.is_none(), second.what.as_deref()), (true, Some("left open")));
        assert!(!properties[1].by_object && !properties[1].by_thread && properties[1].states[0].moves.is_empty());
    }

    #[test]
    fn mistakes_have_a_place_and_what_may_stand_there() {
        let found = |text: &str| Some(text.to_string());
        assert_eq!(expected("proprty x"), (1, 1, vec!["property"], found("proprty")));
        assert_eq!(expected("property x with"), (1, 12, vec!["for each", "{"], found("with")));
        assert_eq!(expected("property x for each person {"), (1, 21, vec!["object", "thread"], found("person")));
        assert_eq!(expected("property x for each object and object {"), (1, 32, vec!["thread"], found("object")));
        assert_eq!(expected("property x {\n}"), (2, 1, vec!["state"], found("}")));
        assert_eq!(
            expected("property x {\n state s {\n  call A.m t"),
            (3, 12, vec!["while holding", "|", "->"], found("t"))
        );
        assert_eq!(
            expected("property x {\n state s {\n  cal A.m -> t"),
            (3, 3, vec!["call", "return", "throw", "write", "lock", "unlock", "end", "}"], found("cal"))
        );
        assert_eq!(
            expected("property x {\n state s {\n"),
            (3, 1, vec!["call", "return", "throw", "write", "lock", "unlock", "end", "}"], None)
        );
        assert_eq!(mistake("property x {\n state s { call A.m => t"), (2, 21, PropertyMistake::Character('=')));
        assert_eq!(mistake("property x { state s { end -> error \"no end\n } }"), (1, 37, PropertyMistake::OpenText));
        assert_eq!(mistake("property x { state s { } state s { } }"), (1, 32, PropertyMistake::Twice("s".to_string())));
        assert_eq!(mistake("# nothing\n"), (2, 1, PropertyMistake::Empty));
    }
}
