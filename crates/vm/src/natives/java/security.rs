//! `java.security`: there is no security manager, so everything is permitted; and the security properties are built in.

use crate::interp::Trouble;
use crate::natives::{Call, Exit, Models, always_null, nothing};
use crate::program::{Assembler, Method, Op, SyntheticClass, SyntheticMethod, access};
use crate::value::Value;

/// Models of access control contexts and of the security properties.
pub(super) const MODELS: &[Models] = &[
    (
        "java/security/AccessController",
        &[
            ("getStackAccessControlContext()Ljava/security/AccessControlContext;", always_null),
            ("getInheritedAccessControlContext()Ljava/security/AccessControlContext;", always_null),
            ("ensureMaterializedForStackWalk(Ljava/lang/Object;)V", nothing),
            ("getProtectionDomain(Ljava/lang/Class;)Ljava/security/ProtectionDomain;", always_null),
        ],
    ),
    ("java/security/Security", &[("loadProps(Ljava/io/File;Ljava/lang/String;Z)Z", load_properties)]),
    ("java/security/Security$SecPropLoader", &[("loadAll()V", load_all_properties)]),
];

/// The properties of the JDK's file `java.security`, as far as programs without files and network depend on it. Left out are the
/// providers that the JDK would find by looking for services in other modules.
const PROPERTIES: &[(&str, &str)] = &[
    ("security.provider.1", "SUN"),
    ("security.provider.2", "SunRsaSign"),
    ("security.provider.3", "SunJSSE"),
    ("security.provider.4", "SunJCE"),
    ("securerandom.source", "file:/dev/random"),
    ("securerandom.strongAlgorithms", "NativePRNGBlocking:SUN,DRBG:SUN"),
    ("securerandom.drbg.config", ""),
    ("keystore.type", "pkcs12"),
    ("keystore.type.compat", "true"),
    ("crypto.policy", "unlimited"),
];

/// The file is not read: a path depends on the program alone. The first call asks for the JDK's file, which is this list; a
/// second one would ask for a file of the user's, and there is none.
fn load_properties(call: &mut Call) -> Result<Value, Exit> {
    if call.reference(0).is_none() {
        return Ok(Value::bool(false));
    }
    let fill = fill(call)?;
    let class = call.method.class();
    let properties = call.static_field(class, "props");
    call.hand_over(fill, &[properties])
}

/// The same in newer releases, where the table belongs to the class around.
fn load_all_properties(call: &mut Call) -> Result<Value, Exit> {
    let fill = fill(call)?;
    let class = call.load("java/security/Security")?;
    let properties = call.static_field(class, "props");
    call.hand_over(fill, &[properties])
}

/// A method that puts the properties into a table and gives back true. It is made once.
fn fill(call: &Call) -> Result<&'static Method, Exit> {
    const NAME: &str = "java/security/Security$$Properties";
    const DESCRIPTOR: &str = "(Ljava/util/Properties;)Z";
    let program = &call.vm.program;
    let host = call.method.class();
    let class = match program.load(NAME) {
        Ok(class) => class,
        Err(_) => {
            let table = call.load("java/util/Properties")?;
            let signature = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
            let put = program.find_method(table, "put", signature).ok_or(Trouble::NullPointer)?;
            let mut assembler = Assembler::default();
            for (key, value) in PROPERTIES {
                assembler.load(0).op(Op::String(program.intern_str(key))).op(Op::String(program.intern_str(value)));
                assembler.call_virtual(put).op(Op::Pop);
            }
            assembler.op(Op::Int(1)).op(Op::ReturnValue);
            program.define_synthetic(SyntheticClass {
                name: NAME.to_string(),
                host,
                interfaces: Vec::new(),
                fields: Vec::new(),
                methods: vec![SyntheticMethod {
                    name: "fill",
                    descriptor: DESCRIPTOR.to_string(),
                    access: access::STATIC,
                    code: assembler.finish(1, 4),
                }],
            })
        }
    };
    class.own_method("fill", DESCRIPTOR).ok_or_else(|| Exit::Unsupported(NAME.into()))
}
