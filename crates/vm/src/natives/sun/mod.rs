//! Models for the packages `sun.*`.

use std::rc::Rc;

use super::{Call, Exit, Models, always_null, nothing};
use crate::ambient::{Assumption, Source};
use crate::heap::Body;
use crate::value::{ObjId, Value};

/// Lists the models of the packages `sun.*`.
pub(super) fn models() -> impl Iterator<Item = Models> {
    MODELS.iter().copied()
}

const MODELS: &[Models] = &[
    ("sun/nio/ch/IOUtil", &[("initIDs()V", nothing)]),
    (
        "sun/nio/fs/UnixNativeDispatcher",
        // Paths can be computed with; there is nothing that the file system could do beyond what is modelled.
        &[("init()I", |_| Ok(Value::Int(0))), ("getcwd()[B", current_directory)],
    ),
    (
        "sun/security/provider/NativePRNG",
        // There are no files, and so no /dev/random: the JDK falls back on generators of its own.
        &[(
            "initIO(Lsun/security/provider/NativePRNG$Variant;)Lsun/security/provider/NativePRNG$RandomIO;",
            always_null,
        )],
    ),
    (
        "sun/security/provider/SeedGenerator",
        &[
            ("<clinit>()V", nothing),
            ("generateSeed([B)V", |call| {
                let array = call.object(0)?;
                fill_with_seed(call, array)?;
                Ok(Value::Top)
            }),
            ("getSystemEntropy()[B", |call| {
                let class = call.vm.program.known().byte_array;
                let array = call.state.heap.allocate_array(class, 20);
                fill_with_seed(call, array)?;
                Ok(array.into())
            }),
        ],
    ),
];

fn current_directory(call: &mut Call) -> Result<Value, Exit> {
    call.vm.take_for_granted(Assumption::Ambient { source: Source::Property(Some("user.dir".to_string())) });
    let directory =
        std::env::current_dir().map(|path| path.into_os_string().into_encoded_bytes()).unwrap_or_else(|_| b"/".into());
    let contents = directory.iter().map(|byte| *byte as i8).collect();
    Ok(call.state.heap.insert(call.vm.program.known().byte_array, Body::Bytes(contents)).into())
}

/// Seeds come from the host's clock, spread by the finaliser of SplitMix64. They are no secret.
fn fill_with_seed(call: &mut Call, array: ObjId) -> Result<(), Exit> {
    let mut seed = call.vm.host.now().as_nanos() as u64;
    let Body::Bytes(bytes) = call.state.heap.body_mut(array) else { return call.unsupported() };
    for byte in Rc::make_mut(bytes) {
        seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (seed ^ (seed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        *byte = (mixed >> 56) as i8;
    }
    Ok(())
}
