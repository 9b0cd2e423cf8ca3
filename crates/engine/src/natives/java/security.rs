//! `java.security`: there is no security manager, so everything is permitted.

use crate::natives::{Models, always_null, nothing};

pub const MODELS: &[Models] = &[(
    "java/security/AccessController",
    &[
        ("getStackAccessControlContext()Ljava/security/AccessControlContext;", always_null),
        ("getInheritedAccessControlContext()Ljava/security/AccessControlContext;", always_null),
        ("ensureMaterializedForStackWalk(Ljava/lang/Object;)V", nothing),
        ("getProtectionDomain(Ljava/lang/Class;)Ljava/security/ProtectionDomain;", always_null),
    ],
)];
