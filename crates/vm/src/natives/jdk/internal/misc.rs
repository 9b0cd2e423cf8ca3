//! `jdk.internal.misc`: what the JDK asks its virtual machine.

use crate::natives::{Models, always_false, always_null, always_true, nothing};
use crate::value::Value;

/// Models of the questions that `jdk.internal.misc` asks at startup.
pub(super) const MODELS: &[Models] = &[
    (
        "jdk/internal/misc/VM",
        &[
            ("initialize()V", nothing),
            ("initializeFromArchive(Ljava/lang/Class;)V", nothing),
            // Its classes are there, and are initialised when first used.
            ("isJavaLangInvokeInited()Z", always_true),
            ("latestUserDefinedLoader0()Ljava/lang/ClassLoader;", always_null),
            ("getNanoTimeAdjustment(J)J", |call| {
                if call.vm.is_exploring {
                    // Instants come from a model of their own.
                    return call.unsupported();
                }
                let now = call.vm.now().as_nanos() as i64;
                Ok(Value::Long(now.wrapping_sub(call.long(0).wrapping_mul(1_000_000_000))))
            }),
        ],
    ),
    (
        "jdk/internal/misc/CDS",
        &[
            ("isDumpingClassList0()Z", always_false),
            ("isDumpingArchive0()Z", always_false),
            ("isSharingEnabled0()Z", always_false),
            ("getCDSConfigStatus()I", always_false),
            // A fixed seed: the iteration order of Set.of and Map.of is the same in every run.
            ("getRandomSeedForDumping()J", |_| Ok(Value::Long(0x4C61_7A75_6C69))),
            ("defineArchivedModules(Ljava/lang/Object;Ljava/lang/Object;)V", nothing),
            ("initializeFromArchive(Ljava/lang/Class;)V", nothing),
        ],
    ),
    (
        "jdk/internal/misc/Signal",
        &[("findSignal0(Ljava/lang/String;)I", |_| Ok(Value::Int(-1))), ("handle0(IJ)J", |_| Ok(Value::Long(0)))],
    ),
    // There is one thread, and it is no virtual one.
    ("jdk/internal/vm/ContinuationSupport", &[("isSupported0()Z", always_false)]),
    ("jdk/internal/misc/ScopedMemoryAccess", &[("registerNatives()V", nothing)]),
    (
        "jdk/internal/util/ArraysSupport",
        // "Nothing compared yet, all elements remain": the callers then compare one by one.
        &[("vectorizedMismatch(Ljava/lang/Object;JLjava/lang/Object;JII)I", |call| Ok(Value::Int(!call.int(4))))],
    ),
];
