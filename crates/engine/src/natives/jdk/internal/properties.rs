//! `jdk.internal.util.SystemProps`: the system properties that only the virtual machine knows.

use crate::natives::{Call, Exit, Models};
use crate::value::Value;

pub const MODELS: &[Models] = &[(
    "jdk/internal/util/SystemProps$Raw",
    &[("vmProperties()[Ljava/lang/String;", vm_properties), ("platformProperties()[Ljava/lang/String;", platform_properties)],
)];

/// Alternating names and values.
fn vm_properties(call: &mut Call) -> Result<Value, Exit> {
    let home = call.vm.program.jdk().home().display().to_string();
    let version = call.vm.program.jdk().version().to_string();
    let feature = call.vm.program.jdk().feature().to_string();
    let pairs = [
        ("java.home", home.as_str()),
        ("java.vm.specification.name", "Java Virtual Machine Specification"),
        ("java.vm.specification.vendor", "Oracle Corporation"),
        ("java.vm.specification.version", &feature),
        ("java.vm.name", "Lazuli"),
        ("java.vm.vendor", "Lazuli"),
        ("java.vm.version", &version),
        ("java.vm.info", "interpreted mode"),
        ("java.class.path", ""),
        ("java.library.path", ""),
        ("jdk.debug", "release"),
        ("sun.nio.MaxDirectMemorySize", "-1"),
        ("sun.nio.PageAlignDirectMemory", "false"),
        // Threads and signals that the JDK would start for itself are of no use here.
        ("java.vm.compressedOopsMode", ""),
    ];
    let mut items = Vec::new();
    for (name, value) in pairs {
        items.push(call.new_text(name).into());
        items.push(call.new_text(value).into());
    }
    items.extend([Value::NULL, Value::NULL]);
    let string = call.vm.program.known().string;
    Ok(call.new_references(string, items).into())
}

/// An array whose places are named by the `_…_NDX` constants of the class.
fn platform_properties(call: &mut Call) -> Result<Value, Exit> {
    let class = call.method.class();
    let environment = call.vm.host.environment();
    let variable = |name: &str| environment.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    let locale = Locale::from_environment(&variable);
    let encoding = locale.encoding.clone();
    let directory = std::env::current_dir().map(|path| path.display().to_string()).unwrap_or_else(|_| "/".into());
    let values: [(&str, Option<String>); 21] = [
        ("_display_language_NDX", None),
        ("_file_encoding_NDX", Some(encoding.clone())),
        ("_native_encoding_NDX", Some(encoding.clone())),
        ("_file_separator_NDX", Some("/".into())),
        ("_format_language_NDX", None),
        ("_java_io_tmpdir_NDX", Some("/tmp".into())),
        ("_line_separator_NDX", Some("\n".into())),
        ("_os_arch_NDX", Some(if cfg!(target_arch = "aarch64") { "aarch64" } else { "amd64" }.into())),
        ("_os_name_NDX", Some("Linux".into())),
        ("_os_version_NDX", Some("0".into())),
        ("_path_separator_NDX", Some(":".into())),
        ("_stdout_encoding_NDX", None),
        ("_sun_arch_data_model_NDX", Some("64".into())),
        ("_sun_cpu_endian_NDX", Some("little".into())),
        ("_sun_io_unicode_encoding_NDX", Some("UnicodeLittle".into())),
        ("_sun_jnu_encoding_NDX", Some(encoding)),
        ("_user_dir_NDX", Some(directory)),
        ("_user_home_NDX", Some(variable("HOME").unwrap_or_else(|| "?".into()))),
        ("_user_name_NDX", Some(variable("USER").or_else(|| variable("LOGNAME")).unwrap_or_else(|| "root".into()))),
        ("_display_country_NDX", locale.country.clone()),
        ("_display_script_NDX", None),
    ];
    let length = match class.field("FIXED_LENGTH").map(|field| field.constant) {
        Some(Some(crate::program::Constant::Value(Value::Int(length)))) => length as usize,
        _ => return call.unsupported(),
    };
    let mut items = vec![Value::NULL; length];
    for (name, value) in values.into_iter().chain([("_display_language_NDX", Some(locale.language))]) {
        let Some(Some(crate::program::Constant::Value(Value::Int(at)))) = class.field(name).map(|field| field.constant) else {
            continue;
        };
        if let (Some(place), Some(value)) = (items.get_mut(at as usize), value) {
            *place = call.new_text(&value).into();
        }
    }
    let string = call.vm.program.known().string;
    Ok(call.new_references(string, items).into())
}

/// The locale that the environment asks for, as the JDK on Linux understands it.
struct Locale {
    language: String,
    country: Option<String>,
    encoding: String,
}

impl Locale {
    fn from_environment(variable: &dyn Fn(&str) -> Option<String>) -> Locale {
        let setting = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|value| !value.is_empty());
        let setting = setting.unwrap_or_else(|| "C".into());
        let (name, encoding) = setting.split_once('.').unwrap_or((&setting, "ANSI_X3.4-1968"));
        let encoding = encoding.split('@').next().unwrap_or(encoding);
        let encoding = if encoding.eq_ignore_ascii_case("utf8") { "UTF-8" } else { encoding };
        let name = name.split('@').next().unwrap_or(name);
        let (language, country) = match name.split_once('_') {
            Some((language, country)) => (language, Some(country.to_string())),
            None if name == "C" || name == "POSIX" => ("en", None),
            None => (name, None),
        };
        Locale { language: language.into(), country, encoding: encoding.into() }
    }
}
