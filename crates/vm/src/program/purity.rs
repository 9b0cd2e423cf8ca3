//! Which methods are declared to change nothing?
//!
//! `@Pure` and `@SideEffectFree` of any package, as annotations of the method. They matter only where the code of the method is not there, and the JVM checks
//! none of them, so that each is an assumption.

use lazuli_classfile::format::attributes::AttributeData;

use super::class::Method;
use super::nullness::simple;

/// The simple names of annotations that say so.
const PURE: [&str; 2] = ["Pure", "SideEffectFree"];

/// Does an annotation say that the method changes nothing?
pub fn is_declared_pure(method: &'static Method) -> bool {
    method.attributes().any(|attribute| match attribute {
        AttributeData::RuntimeVisibleAnnotations(table) | AttributeData::RuntimeInvisibleAnnotations(table) => {
            table.iter().any(|annotation| PURE.contains(&simple(annotation).as_str()))
        }
        _ => false,
    })
}
