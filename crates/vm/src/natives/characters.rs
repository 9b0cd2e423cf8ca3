//! What are the properties of a character that is not known, and of all the characters of a text at once?
//!
//! Methods of `Character` that depend on one character become terms, by what they return for each. Methods of strings that map each character by itself
//! become one string of terms, without a path for each character.

use super::{Call, Exit, Models};
use crate::interp::LatinTable;
use crate::value::{ObjId, Value};
use lazuli_logic::{Sort, Term};

/// The greatest unit of UTF-16, and of Latin-1.
const GREATEST_UNIT: i32 = 0xFFFF;
const GREATEST_LATIN: i32 = 0xFF;

/// Models for a character that is not known.
pub(super) const OF_UNKNOWNS: &[Models] = &[
    (
        "java/lang/Character",
        &[
            ("isLowerCase(I)Z", by_table),
            ("isUpperCase(I)Z", by_table),
            ("isTitleCase(I)Z", by_table),
            ("isDigit(I)Z", by_table),
            ("isDefined(I)Z", by_table),
            ("isLetter(I)Z", by_table),
            ("isLetterOrDigit(I)Z", by_table),
            ("isAlphabetic(I)Z", by_table),
            ("isIdeographic(I)Z", by_table),
            ("isJavaIdentifierStart(I)Z", by_table),
            ("isJavaIdentifierPart(I)Z", by_table),
            ("isUnicodeIdentifierStart(I)Z", by_table),
            ("isUnicodeIdentifierPart(I)Z", by_table),
            ("isIdentifierIgnorable(I)Z", by_table),
            ("toLowerCase(I)I", by_table),
            ("toUpperCase(I)I", by_table),
            ("toTitleCase(I)I", by_table),
            ("toUpperCaseEx(I)I", by_table),
            ("digit(II)I", by_table),
            ("getNumericValue(I)I", by_table),
            ("isSpace(C)Z", by_table),
            ("isSpaceChar(I)Z", by_table),
            ("isWhitespace(I)Z", by_table),
            ("isISOControl(I)Z", by_table),
            ("getType(I)I", by_table),
            ("getDirectionality(I)B", by_table),
            ("isMirrored(I)Z", by_table),
        ],
    ),
    (
        "java/lang/CharacterDataLatin1",
        &[
            ("isWhitespace(I)Z", by_latin_table),
            ("toLowerCase(I)I", by_latin_table),
            ("toUpperCase(I)I", by_latin_table),
            ("toUpperCaseEx(I)I", by_latin_table),
        ],
    ),
];

/// Models of texts that an exploration asks first.
pub(super) const GUIDES: &[Models] = &[
    (
        "java/lang/String",
        &[("hashCode()I", hash_code), ("equalsIgnoreCase(Ljava/lang/String;)Z", equals_ignoring_case)],
    ),
    (
        "java/lang/StringLatin1",
        &[
            ("toLowerCase(Ljava/lang/String;[BLjava/util/Locale;)Ljava/lang/String;", lower_case),
            ("toUpperCase(Ljava/lang/String;[BLjava/util/Locale;)Ljava/lang/String;", upper_case),
            ("replace([BCC)Ljava/lang/String;", replace),
        ],
    ),
];

/// Languages with rules of their own for the case of letters.
const SPECIAL_LANGUAGES: [&str; 3] = ["tr", "az", "lt"];

fn by_table(call: &mut Call) -> Result<Value, Exit> {
    tabulated(call, GREATEST_UNIT)
}

fn by_latin_table(call: &mut Call) -> Result<Value, Exit> {
    tabulated(call, GREATEST_LATIN)
}

/// The result as a function of the only argument that is not known, if that is at most so great. Asks whether it is.
fn tabulated(call: &mut Call, most: i32) -> Result<Value, Exit> {
    let mut unknown = call.arguments.iter().enumerate().filter(|(_, value)| matches!(value, Value::Term(..)));
    let (Some((varied, Value::Term(term, Sort::Int))), None) = (unknown.next(), unknown.next()) else {
        return Err(Exit::OwnCode);
    };
    let term = *term;
    let (least, greatest) = call.vm.terms.range(term);
    if least < 0 || greatest > most as i64 {
        let (zero, end) = (call.vm.terms.int(0), call.vm.terms.int(most));
        for fits in [call.vm.terms.less_or_equal(zero, term), call.vm.terms.less_or_equal(term, end)] {
            if !call.vm.decide(call.state, fits)? {
                return Err(Exit::OwnCode);
            }
        }
    }
    let range = if greatest <= GREATEST_LATIN as i64 { (0, GREATEST_LATIN) } else { (0, most) };
    let Some(pieces) = call.vm.tabulate(call.state, call.method, call.arguments, varied, range) else {
        return Err(Exit::OwnCode);
    };
    let value = call.vm.value_by_pieces(term, &pieces);
    Ok(call.vm.value_of(value))
}

/// A static method of `Character` for each character of Latin-1.
fn latin_table(call: &mut Call, name: &str) -> Result<LatinTable, Exit> {
    let class = call.load("java/lang/Character")?;
    let Some(method) = class.own_method(name, "(I)I") else { return Err(Exit::OwnCode) };
    match call.vm.latin_table(call.state, method) {
        Some(table) => Ok(table),
        None => Err(Exit::OwnCode),
    }
}

fn hash_code(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    if call.vm.is_plain(call.state, this.into()) {
        return Err(Exit::OwnCode);
    }
    call.vm.hash_of_text(call.state, this).ok_or(Exit::OwnCode)
}

fn equals_ignoring_case(call: &mut Call) -> Result<Value, Exit> {
    let (this, other) = (call.this(), call.settled(call.arguments[1])?);
    let Some(other) = other.object() else { return Err(Exit::OwnCode) };
    let is_known = |text: ObjId| call.vm.is_plain(call.state, text.into());
    if this == other || (is_known(this) && is_known(other)) {
        return Err(Exit::OwnCode);
    }
    // Two letters are the same if the small letters of their capitals are. These may lie outside of Latin-1.
    let capitals = latin_table(call, "toUpperCase")?;
    let class = call.load("java/lang/Character")?;
    let Some(lower) = class.own_method("toLowerCase", "(I)I") else { return Err(Exit::OwnCode) };
    let Some(folded) = call.vm.mapped_table(call.state, &capitals, lower) else { return Err(Exit::OwnCode) };
    match call.vm.equal_folded(call.state, this, other, &folded) {
        Some(equal) => Ok(Value::bool(call.vm.decide(call.state, equal)?)),
        None => Err(Exit::OwnCode),
    }
}

fn lower_case(call: &mut Call) -> Result<Value, Exit> {
    let table = latin_table(call, "toLowerCase")?;
    in_case(call, table)
}

fn upper_case(call: &mut Call) -> Result<Value, Exit> {
    let table = latin_table(call, "toUpperCaseEx")?;
    in_case(call, table)
}

/// A text with each letter mapped by the table, unless one becomes no letter of Latin-1, or the language has rules of its own.
fn in_case(call: &mut Call, mut table: LatinTable) -> Result<Value, Exit> {
    let (Some(text), Some(bytes)) = (call.reference(0), call.reference(1)) else { return Err(Exit::OwnCode) };
    let Value::Ref(Some(locale)) = call.arguments[2] else { return Err(Exit::OwnCode) };
    let language = call.field(locale, "baseLocale").object().map(|base| call.field(base, "language"));
    let Some(language) = language.and_then(Value::object) else { return Err(Exit::OwnCode) };
    let has_rules = SPECIAL_LANGUAGES.contains(&call.text(language).as_str());
    if has_rules || call.met_unknown.get() {
        return Err(Exit::OwnCode);
    }
    let Some(letters) = call.vm.latin_letters(call.state, bytes)? else { return Err(Exit::OwnCode) };
    let is_latin = |value: i32| (0..=GREATEST_LATIN).contains(&value);
    let others: Vec<(i32, i32)> = (0..).zip(table).filter(|(_, to)| !is_latin(*to)).map(|(at, _)| (at, at)).collect();
    let mut is_special = call.vm.terms.truth(false);
    for letter in &letters {
        let is_other = call.vm.lies_in(*letter, &others, (0, GREATEST_LATIN));
        is_special = call.vm.terms.or(is_special, is_other);
    }
    if call.vm.decide(call.state, is_special)? {
        return Err(Exit::OwnCode);
    }
    for (letter, _) in others {
        table[letter as usize] = letter;
    }
    let mapped: Vec<Term> = letters.iter().map(|letter| call.vm.value_in_table(*letter, &table)).collect();
    changed(call, &letters, &mapped, text.into())
}

/// `StringLatin1.replace(value, old, new)` gives null where nothing changes.
fn replace(call: &mut Call) -> Result<Value, Exit> {
    let (Some(bytes), Value::Int(old), Value::Int(new)) = (call.reference(0), call.arguments[1], call.arguments[2])
    else {
        return Err(Exit::OwnCode);
    };
    if old > GREATEST_LATIN || new > GREATEST_LATIN {
        return Err(Exit::OwnCode);
    }
    let Some(letters) = call.vm.latin_letters(call.state, bytes)? else { return Err(Exit::OwnCode) };
    let (old, new) = (call.vm.terms.int(old), call.vm.terms.int(new));
    let mapped = letters.iter().map(|letter| {
        let is_it = call.vm.terms.equal(*letter, old);
        call.vm.terms.choose(is_it, new, *letter)
    });
    let mapped: Vec<Term> = mapped.collect();
    // The JDK looks for the old letter, also where the new one is the same.
    let found = letters.iter().fold(None, |found: Option<Term>, letter| {
        let is_it = call.vm.terms.equal(*letter, old);
        Some(found.map_or(is_it, |found| call.vm.terms.or(found, is_it)))
    });
    match found {
        Some(found) if call.vm.decide(call.state, found)? => Ok(call.vm.latin_text(call.state, &mapped).into()),
        _ => Ok(Value::NULL),
    }
}

/// The new text, or the old one where no letter changes.
fn changed(call: &mut Call, letters: &[Term], mapped: &[Term], old: Value) -> Result<Value, Exit> {
    let mut same = call.vm.terms.truth(true);
    for (letter, mapped) in letters.iter().zip(mapped) {
        let equal = call.vm.terms.equal(*letter, *mapped);
        same = call.vm.terms.and(same, equal);
    }
    match call.vm.decide(call.state, same)? {
        true => Ok(old),
        false => Ok(call.vm.latin_text(call.state, mapped).into()),
    }
}
