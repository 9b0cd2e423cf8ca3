//! `jdk.internal.util.SystemProps`: the system properties that only the virtual machine knows.

use crate::natives::{Call, Exit, Models};
use crate::value::Value;

/// The model that fills in the system properties.
pub(super) const MODELS: &[Models] = &[(
    "jdk/internal/util/SystemProps$Raw",
    &[
        ("vmProperties()[Ljava/lang/String;", vm_properties),
        ("platformProperties()[Ljava/lang/String;", platform_properties),
    ],
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
        // Parallel streams are computed by the thread that waits for them.
        ("java.util.concurrent.ForkJoinPool.common.parallelism", "0"),
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
        Some(Some(crate::program::ConstantValue::Value(Value::Int(length)))) => length as usize,
        _ => return call.unsupported(),
    };
    let mut items = vec![Value::NULL; length];
    for (name, value) in values.into_iter().chain([("_display_language_NDX", Some(locale.language))]) {
        let Some(Some(crate::program::ConstantValue::Value(Value::Int(at)))) =
            class.field(name).map(|field| field.constant)
        else {
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
        // As the C library does, whose `setlocale` the JDK asks: a locale that is not installed counts as "C".
        let setting = setting.filter(|setting| is_installed(setting)).unwrap_or_else(|| "C".into());
        if setting == "C" || setting == "POSIX" {
            return Locale { language: "en".into(), country: Some("US".into()), encoding: "ANSI_X3.4-1968".into() };
        }
        let (name, encoding) = setting.split_once('.').unwrap_or((&setting, "ISO-8859-1"));
        let encoding = encoding.split('@').next().unwrap_or(encoding);
        let is_utf8 = encoding.eq_ignore_ascii_case("utf8") || encoding.eq_ignore_ascii_case("utf-8");
        let encoding = if is_utf8 { "UTF-8" } else { encoding };
        let name = name.split('@').next().unwrap_or(name);
        let (language, country) = match name.split_once('_') {
            Some((language, country)) => (language, Some(country.to_string())),
            None if name == "C" || name == "POSIX" => ("en", None),
            None => (name, None),
        };
        Locale { language: language.into(), country, encoding: encoding.into() }
    }
}

const LOCALES: &str = "/usr/lib/locale";

/// Does the C library know the locale? It has a directory of its own or is listed in the archive.
fn is_installed(setting: &str) -> bool {
    let (name, modifier) = setting.split_once('@').unwrap_or((setting, ""));
    let (name, encoding) = name.split_once('.').unwrap_or((name, ""));
    // The C library writes UTF-8 as utf8.
    let encoding = encoding.to_lowercase().replace('-', "");
    let dotted = if encoding.is_empty() { String::new() } else { format!(".{encoding}") };
    let modified = if modifier.is_empty() { String::new() } else { format!("@{modifier}") };
    let canonical = format!("{name}{dotted}{modified}");
    if canonical == "C" || canonical == "POSIX" || canonical == "C.utf8" {
        return true;
    }
    let has_directory = !canonical.contains('/') && std::path::Path::new(LOCALES).join(&canonical).is_dir();
    has_directory
        || names_in_archive()
            .is_some_and(|names| names.split(|byte| *byte == 0).any(|known| known == canonical.as_bytes()))
}

/// The table of names in glibc's locale archive: its header has offset and size of the table as its 6th and 7th word.
fn names_in_archive() -> Option<Vec<u8>> {
    use std::io::{Read, Seek, SeekFrom};
    let mut archive = std::fs::File::open(format!("{LOCALES}/locale-archive")).ok()?;
    let mut header = [0; 28];
    archive.read_exact(&mut header).ok()?;
    let word = |index: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| header[4 * index + byte]));
    archive.seek(SeekFrom::Start(word(5) as u64)).ok()?;
    let mut names = Vec::new();
    archive.take(word(6) as u64).read_to_end(&mut names).ok()?;
    Some(names)
}
