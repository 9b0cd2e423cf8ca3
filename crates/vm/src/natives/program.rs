//! Which arguments does a whole program get?

use super::lazuli::any_named;
use super::{Call, Exit, Models};
use crate::ambient::{Ambient, AmbientValue, Source};
use crate::outcome::{End, Stop};
use crate::universe::Restriction;
use crate::value::{Kind, Value};
use crate::whole::{ARGUMENTS, ProgramArguments};

/// The native method of the launcher.
pub(super) const MODELS: &[Models] = &[(ARGUMENTS, &[("arguments()[Ljava/lang/String;", arguments)])];

fn arguments(call: &mut Call) -> Result<Value, Exit> {
    let arguments = call.vm.rules.program.clone().unwrap_or_default();
    let texts = match arguments {
        ProgramArguments::Given(texts) => texts.iter().map(|text| call.vm.new_text(call.state, text).into()).collect(),
        ProgramArguments::Any { most } => {
            let count = number_of_arguments(call, most)?;
            let string = call.vm.program.known().string;
            (0..count).map(|at| any_named(call, &format!("args[{at}]"), string, false)).collect()
        }
    };
    Ok(call.vm.new_string_array(call.state, texts).into())
}

/// Any number up to the bound. More of them are asked for once, so that the verdict tells the bound.
fn number_of_arguments(call: &mut Call, most: usize) -> Result<i32, Exit> {
    let most_tried = i32::try_from(most).unwrap_or(i32::MAX - 1);
    let wanted = AmbientValue {
        source: Source::Arguments,
        name: "number of arguments",
        kind: Kind::Int,
        range: (0, most_tried as i64 + 1),
        usual: Value::Int(0),
    };
    // The user asked for them by an option of their own.
    let usual = std::mem::replace(&mut call.vm.rules.ambient, Ambient::Unknown);
    let count = call.vm.take_once(call.state, wanted);
    call.vm.rules.ambient = usual;
    let count = call.vm.fix(call.state, count, most_tried + 1)?;
    if count > most_tried {
        return Err(Exit::Stop(Stop::End(End::Beyond(Box::new(Restriction::Arguments { most })))));
    }
    Ok(count)
}
