//! Which classes, methods and fields does a file of properties name?
//!
//! A name that means nothing is a mistake: a property that waits for events which never come would always hold.

use lazuli_vm::program::{Class, Method, Program};
use lazuli_vm::property::{
    AutomatonMove, AutomatonState, EventKind, EventPattern, EventSubject, MOST_PATTERNS, MoveTarget, NamedMethod,
    Property,
};

use super::syntax::{EventSyntax, PlacedSyntax, PropertySyntax, StateSyntax, parse};
use super::{PropertyError, PropertyMistake};

/// The properties that a text describes.
pub fn properties(program: &Program, text: &str) -> Result<Vec<Property>, PropertyError> {
    parse(text)?.iter().map(|syntax| PropertyResolver { program, syntax }.property()).collect()
}

/// Finds what a property names.
struct PropertyResolver<'a> {
    program: &'a Program,
    syntax: &'a PropertySyntax,
}

impl PropertyResolver<'_> {
    fn property(&self) -> Result<Property, PropertyError> {
        let PropertySyntax { name, by_object, by_thread, states } = self.syntax;
        let mut patterns = Vec::new();
        let resolve = |(number, state): (usize, &StateSyntax)| self.state(number, state, &mut patterns);
        let states = states.iter().enumerate().map(resolve).collect::<Result<Vec<_>, _>>()?;
        if !can_break(&states) {
            return Err(name.mistake(PropertyMistake::NeverBroken));
        }
        if patterns.len() > MOST_PATTERNS {
            return Err(name.mistake(PropertyMistake::TooManyEvents { most: MOST_PATTERNS }));
        }
        let (by_object, by_thread) = (*by_object, *by_thread);
        Ok(Property { name: name.value.clone(), by_object, by_thread, patterns, states })
    }

    fn state(
        &self,
        number: usize,
        state: &StateSyntax,
        patterns: &mut Vec<EventPattern>,
    ) -> Result<AutomatonState, PropertyError> {
        let mut moves = Vec::new();
        for written in &state.moves {
            let target = match &written.target {
                Some(target) => MoveTarget::State(self.state_of(target)?),
                None => {
                    let what = written.what.clone();
                    MoveTarget::Error(what.unwrap_or_else(|| format!("an error in state {}", state.name.value)))
                }
            };
            for event in &written.events {
                if event.kind.value == EventKind::End && self.syntax.by_object && number == 0 {
                    return Err(event.kind.mistake(PropertyMistake::EndOfUnseen));
                }
                moves.push(AutomatonMove { pattern: patterns.len(), target: target.clone() });
                patterns.push(self.pattern(event)?);
            }
        }
        Ok(AutomatonState { name: state.name.value.clone(), moves })
    }

    fn state_of(&self, name: &PlacedSyntax<String>) -> Result<usize, PropertyError> {
        let states = &self.syntax.states;
        states.iter().position(|state| state.name.value == name.value).ok_or_else(|| {
            let states = states.iter().map(|state| state.name.value.clone()).collect();
            name.mistake(PropertyMistake::NoState { name: name.value.clone(), states })
        })
    }

    fn pattern(&self, event: &EventSyntax) -> Result<EventPattern, PropertyError> {
        let kind = event.kind.value;
        let subject = match (&event.subject, kind) {
            (None, _) | (_, EventKind::End) => EventSubject::Nothing,
            (Some(name), EventKind::Lock | EventKind::Unlock) => EventSubject::Monitor(self.class(name, &name.value)?),
            (Some(name), EventKind::Write) => self.field(name)?,
            (Some(name), EventKind::Call | EventKind::Return | EventKind::Throw) => self.methods(name)?,
        };
        let holding = event.holding.as_ref().map(|name| self.class(name, &name.value)).transpose()?;
        Ok(EventPattern { kind, subject, holding })
    }

    /// A class by its full name, or by an end of it where it is the user's.
    fn class(&self, place: &PlacedSyntax<String>, name: &str) -> Result<&'static Class, PropertyError> {
        let users = self.program.users();
        let full = users.iter().copied().find(|class| class.java_name() == name);
        let named: Vec<&'static Class> = users.iter().copied().filter(|class| class.is_called(name)).collect();
        match (full, named.as_slice()) {
            (Some(class), _) => Ok(class),
            (None, [class]) => Ok(class),
            (None, []) => self.library(name).ok_or_else(|| place.mistake(PropertyMistake::NoClass(name.to_string()))),
            (None, several) => {
                let classes = several.iter().map(|class| class.java_name()).collect();
                Err(place.mistake(PropertyMistake::SeveralClasses { name: name.to_string(), classes }))
            }
        }
    }

    /// A class of the JDK, of which the inner ones may be written with dots.
    fn library(&self, name: &str) -> Option<&'static Class> {
        let mut written = name.replace('.', "/");
        loop {
            if let Ok(class) = self.program.load(&written) {
                return Some(class);
            }
            let dot = written.rfind('/')?;
            written.replace_range(dot..=dot, "$");
        }
    }

    fn member<'n>(&self, name: &'n PlacedSyntax<String>) -> Result<(&'static Class, &'n str), PropertyError> {
        let parts = name.value.rsplit_once('.').filter(|(class, member)| !class.is_empty() && !member.is_empty());
        let Some((class, member)) = parts else {
            return Err(name.mistake(PropertyMistake::NoMember(name.value.clone())));
        };
        Ok((self.class(name, class)?, member))
    }

    fn field(&self, name: &PlacedSyntax<String>) -> Result<EventSubject, PropertyError> {
        let (class, member) = self.member(name)?;
        let declared =
            |class: &'static Class| class.fields.iter().find(|field| field.name == member).map(|field| (class, field));
        let Some((class, field)) = class.chain().find_map(declared) else {
            let (class, name_of) = (class.java_name(), member.to_string());
            return Err(name.mistake(PropertyMistake::NoField { class, name: name_of }));
        };
        if field.is_static() && self.syntax.by_object {
            return Err(name.mistake(PropertyMistake::NoObject { member: name.value.clone() }));
        }
        Ok(EventSubject::Field { class, slot: self.program.slot_of(field), is_static: field.is_static() })
    }

    /// All methods of the name that the class has, or all of its methods.
    fn methods(&self, name: &PlacedSyntax<String>) -> Result<EventSubject, PropertyError> {
        let (class, member) = self.member(name)?;
        let wanted = if member == "new" { "<init>" } else { member };
        let is_named = |method: &&'static Method| match wanted {
            // The methods that every object has say nothing about the class.
            "*" => !method.name.starts_with('<') && method.class().name != "java/lang/Object",
            wanted => method.name == wanted,
        };
        let above: Vec<&'static Class> = if wanted == "<init>" { vec![class] } else { supertypes(class) };
        let named: Vec<&'static Method> =
            above.iter().flat_map(|class| class.methods.iter().copied()).filter(is_named).collect();
        if named.is_empty() {
            let (class, name_of) = (class.java_name(), member.to_string());
            return Err(name.mistake(PropertyMistake::NoMethod { class, name: name_of }));
        }
        let has_object = |method: &&'static Method| !method.is_static();
        let named: Vec<&'static Method> = match self.syntax.by_object {
            true => named.into_iter().filter(has_object).collect(),
            false => named,
        };
        if named.is_empty() {
            return Err(name.mistake(PropertyMistake::NoObject { member: name.value.clone() }));
        }
        let methods = named.into_iter().map(|method| {
            let is_fixed = method.is_static() || method.is_private() || method.name == "<init>";
            NamedMethod {
                name: method.name,
                parameters: method.parameters.len(),
                exactly: is_fixed.then(|| method.class().id),
            }
        });
        Ok(EventSubject::Methods(class, methods.collect()))
    }
}

/// The class, its superclasses and all interfaces.
fn supertypes(class: &'static Class) -> Vec<&'static Class> {
    let mut found: Vec<&'static Class> = Vec::new();
    let mut waiting: Vec<&'static Class> = vec![class];
    while let Some(class) = waiting.pop() {
        if found.iter().any(|known| known.id == class.id) {
            continue;
        }
        found.push(class);
        waiting.extend(class.super_class);
        waiting.extend(class.interfaces.iter().copied());
    }
    found
}

/// Does a way lead from the first state to an error?
fn can_break(states: &[AutomatonState]) -> bool {
    let (mut seen, mut waiting) = (vec![false; states.len()], vec![0]);
    while let Some(state) = waiting.pop() {
        if std::mem::replace(&mut seen[state], true) {
            continue;
        }
        for taken in &states[state].moves {
            match taken.target {
                MoveTarget::State(target) => waiting.push(target),
                MoveTarget::Error(_) => return true,
            }
        }
    }
    false
}
