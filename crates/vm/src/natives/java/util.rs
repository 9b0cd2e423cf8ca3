//! `java.util`.

use crate::natives::{Models, always_true};
use crate::value::Value;

/// Models of native methods in `java.util`.
pub(super) const MODELS: &[Models] = &[
    ("java/util/concurrent/atomic/AtomicLong", &[("VMSupportsCS8()Z", always_true)]),
    ("java/util/concurrent/atomic/Striped64", &[("getProbe()I", |_| Ok(Value::Int(1)))]),
    (
        "java/util/TimeZone",
        &[
            ("getSystemTimeZoneID(Ljava/lang/String;)Ljava/lang/String;", |call| {
                let zone = call.vm.host.time_zone();
                Ok(call.interned(&zone).into())
            }),
            ("getSystemGMTOffsetID()Ljava/lang/String;", |call| Ok(call.interned("GMT").into())),
        ],
    ),
];
