//! Which texts does `String.format` make of unknown values?
//!
//! A text that is not told: it may be passed on, thrown and compared by identity, and looking into it is not supported. The formatter's own code would
//! look into each number on the way. `Objects.checkIndex` makes its message so, and with it every list whose index is out of range.

use super::{Call, Exit, Models};
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

fn format(call: &mut Call) -> Result<Value, Exit> {
    let decided = |index: usize| call.state.symbols.settled(call.arguments[index]).object();
    let (Some(format), Some(arguments)) = (decided(0), decided(1)) else { return Err(Exit::OwnCode) };
    if !call.vm.is_plain(call.state, format.into()) {
        return Err(Exit::OwnCode);
    }
    let Some(conversions) = conversions(&call.text(format)) else { return Err(Exit::OwnCode) };
    let mut is_known = true;
    for (at, conversion) in conversions.iter().enumerate() {
        let Some(argument) = call.state.heap.element(arguments, at as i32) else { return Err(Exit::OwnCode) };
        match call.state.symbols.settled(argument) {
            Value::Ref(None) => {}
            Value::Ref(Some(object)) if fits(call, *conversion, object) => is_known &= is_told(call, object),
            _ => return Err(Exit::OwnCode),
        }
    }
    match is_known {
        true => Err(Exit::OwnCode),
        false => Ok(call.vm.untold_text(call.state).into()),
    }
}

/// The conversions of a format, in the order of their arguments. None if there is one of another kind, or with flags, width or position.
fn conversions(format: &str) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter == '%' {
            match letters.next()? {
                's' => found.push(Conversion::Text),
                'd' => found.push(Conversion::Decimal),
                'n' | '%' => {}
                _ => return None,
            }
        }
    }
    Some(found)
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
        assert_eq!(conversions("Index %s out of bounds for length %d%n"), Some(vec![Text, Decimal]));
        assert_eq!(conversions("100 %%"), Some(vec![]));
        for other in ["%5d", "%1$s", "%", "%x", "%-3s"] {
            assert_eq!(conversions(other), None, "{other}");
        }
    }
}
