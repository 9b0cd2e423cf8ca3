//! `java.lang.String` and its helpers.

use crate::natives::{Call, Exit, Models, always_false};
use crate::value::Value;

/// Models of interning and of the byte order of UTF-16 strings.
pub(super) const MODELS: &[Models] = &[
    ("java/lang/String", &[("intern()Ljava/lang/String;", intern)]),
    ("java/lang/StringUTF16", &[("isBigEndian()Z", always_false)]),
    ("java/lang/StringCoding", &[("err(Ljava/lang/String;)V", |_| Ok(Value::Top))]),
];

fn intern(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    let units = call.vm.units(call.state, this);
    let id = call.vm.program.intern_utf16(units);
    match call.state.strings.get(id) {
        Some(string) => Ok(string.into()),
        None => {
            call.state.strings.set(id, this);
            Ok(this.into())
        }
    }
}
