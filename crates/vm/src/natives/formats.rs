//! Which texts does `String.format` make of unknown values?
//!
//! A text that is not told until something looks into it. The formatter's own code would look into each number on the way. `Objects.checkIndex` makes its message so, and with it every list whose index is out of range.

use lazuli_logic::Sort;

use super::{Call, Exit, Models};
use crate::ambient::{Assumption, Source};
use crate::interp::{plain_units, unit_of};
use crate::untold::TextUnit;
use crate::value::{Kind, ObjId, Value};

/// Models that an exploration asks first.
pub(super) const MODELS: &[Models] = &[(
    "java/lang/String",
    &[
        ("format(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;", format),
        ("formatted([Ljava/lang/Object;)Ljava/lang/String;", format),
    ],
)];

/// A conversion of a format that never throws, and runs no code of the user's, for the arguments that `fits` allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Conversion {
    /// `%s`, of any text or box.
    Text,
    /// `%d`, of a box of a whole number.
    Decimal,
}

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
enum FormatPart {
    Literal(char),
    Converted(Conversion),
    LineEnd,
}

fn format(call: &mut Call) -> Result<Value, Exit> {
    let decided = |index: usize| call.state.symbols.settled(call.arguments[index]).object();
    let (Some(format), Some(arguments)) = (decided(0), decided(1)) else { return Err(Exit::OwnCode) };
    if !call.vm.is_plain(call.state, format.into()) {
        return Err(Exit::OwnCode);
    }
    let Some(parts) = parts(&call.text(format)) else { return Err(Exit::OwnCode) };
    let converted = parts.iter().filter_map(|part| match part {
        FormatPart::Converted(conversion) => Some(*conversion),
        _ => None,
    });
    let mut is_known = true;
    let mut objects = Vec::new();
    for (at, conversion) in converted.enumerate() {
        let Some(argument) = call.state.heap.element(arguments, at as i32) else { return Err(Exit::OwnCode) };
        match call.state.symbols.settled(argument) {
            Value::Ref(None) => objects.push(None),
            Value::Ref(Some(object)) if fits(call, conversion, object) => {
                is_known &= is_told(call, object);
                objects.push(Some(object));
            }
            _ => return Err(Exit::OwnCode),
        }
    }
    if is_known {
        return Err(Exit::OwnCode);
    }
    let (mut units, mut objects): (Vec<TextUnit>, _) = (Vec::new(), objects.into_iter());
    for part in parts {
        match part {
            FormatPart::Literal(letter) => units.extend(plain_units(letter.encode_utf8(&mut [0; 4]))),
            FormatPart::LineEnd => units.push(TextUnit::Untold),
            FormatPart::Converted(_) => match objects.next().flatten() {
                Some(object) => units.extend(text_of(call, object)?),
                None => units.extend(plain_units("null")),
            },
        }
    }
    // The digits are those of the locale, which is that of one run.
    call.vm.take_for_granted(Assumption::Ambient { source: Source::Locale });
    Ok(call.vm.untold_string(call.state, units).into())
}

/// The parts of a format. None if there is a conversion of another kind, or with flags, width or position.
fn parts(format: &str) -> Option<Vec<FormatPart>> {
    let mut found = Vec::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        found.push(match letter {
            '%' => match letters.next()? {
                's' => FormatPart::Converted(Conversion::Text),
                'd' => FormatPart::Converted(Conversion::Decimal),
                'n' => FormatPart::LineEnd,
                '%' => FormatPart::Literal('%'),
                _ => return None,
            },
            letter => FormatPart::Literal(letter),
        });
    }
    Some(found)
}

/// The text of a string or box.
fn text_of(call: &mut Call, object: ObjId) -> Result<Vec<TextUnit>, Exit> {
    let Some((value, kind)) = call.unboxed(object)? else { return Ok(call.vm.parts_of_text(call.state, object)) };
    Ok(match (kind, value) {
        (Kind::Boolean, Value::Term(term, _)) => {
            let zero = call.vm.terms.int(0);
            let is_false = call.vm.terms.equal(term, zero);
            plain_units(if call.vm.decide(call.state, is_false)? { "false" } else { "true" }).collect()
        }
        (Kind::Boolean, Value::Int(truth)) => plain_units(if truth != 0 { "true" } else { "false" }).collect(),
        (Kind::Char, Value::Int(unit)) => vec![TextUnit::Known(unit as u16)],
        (Kind::Char, Value::Term(term, _)) => vec![unit_of(call.vm, term)],
        (_, Value::Int(number)) => plain_units(&number.to_string()).collect(),
        (_, Value::Long(number)) => plain_units(&number.to_string()).collect(),
        (_, Value::Term(term, Sort::Int | Sort::Long)) => vec![TextUnit::Number(term)],
        _ => vec![TextUnit::Untold],
    })
}

fn fits(call: &Call, conversion: Conversion, object: ObjId) -> bool {
    let class = call.state.heap.class(object);
    let is_text = class.id == call.vm.program.known().string.id;
    match (conversion, Kind::of_box(class.name)) {
        (Conversion::Text, of_box) => is_text || of_box.is_some(),
        (Conversion::Decimal, Some(kind)) => matches!(kind, Kind::Byte | Kind::Short | Kind::Int | Kind::Long),
        (Conversion::Decimal, None) => false,
    }
}

/// Is everything known that the text of a string or box depends on?
fn is_told(call: &Call, object: ObjId) -> bool {
    let class = call.state.heap.class(object);
    let is_known = |value: Value| !matches!(value, Value::Unread | Value::Term(..) | Value::Unknown(_));
    let value = class.field("value").map(|field| call.state.heap.field(object, field.slot as usize));
    call.vm.is_plain(call.state, object.into()) && value.is_none_or(is_known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_conversions_are_understood() {
        use Conversion::{Decimal, Text};
        let conversions = |format: &str| {
            let parts = parts(format)?.into_iter();
            let converted = parts.filter_map(|part| match part {
                FormatPart::Converted(conversion) => Some(conversion),
                _ => None,
            });
            Some(converted.collect::<Vec<Conversion>>())
        };
        assert_eq!(conversions("Index %s out of bounds for length %d%n"), Some(vec![Text, Decimal]));
        assert_eq!(conversions("100 %%"), Some(vec![]));
        for other in ["%5d", "%1$s", "%", "%x", "%-3s"] {
            assert_eq!(conversions(other), None, "{other}");
        }
    }
}
