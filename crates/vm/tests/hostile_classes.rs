//! Do broken and hostile class files give an error, and nothing worse?

#[path = "support/hostile.rs"]
mod hostile;

use std::time::{Duration, Instant};

use lazuli_vm::program::LoadError;

/// A short run of the fuzzer, with a fixed seed. CONTRIBUTING.md names the command for a long one.
#[test]
fn damaged_files_are_refused_without_harm() {
    let work = std::thread::Builder::new()
        .stack_size(512 << 20)
        .spawn(|| hostile::attack(20_261_115, Instant::now() + Duration::from_secs(10)));
    let report = work.unwrap().join().unwrap();
    let findings: Vec<String> = report
        .findings
        .iter()
        .map(|found| format!("{}: {} ({} bytes)", found.seed, found.what, found.bytes.len()))
        .collect();
    assert!(findings.is_empty(), "{findings:#?}");
    assert!(report.files > 500, "only {} files in 10 s", report.files);
    assert!(report.accepted < report.files, "some damage is noticed");
}

/// Class files made by hand: a constant pool of the given entries, then the rest.
fn class_file(pool: &[&[u8]], rest: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61];
    bytes.extend(((pool.len() + 1) as u16).to_be_bytes());
    bytes.extend(pool.concat());
    bytes.extend(rest);
    bytes
}

#[test]
fn absurd_tables_are_refused() {
    let program = hostile::program();
    let huge_code: Vec<u8> = [&[0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1][..], &[0xFF; 40]].concat();
    let files = [
        class_file(&[], &[0xFF; 8]),
        // An entry that refers to itself, and two that refer to each other.
        class_file(&[&[7, 0, 1]], &[0, 0x21, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        class_file(&[&[12, 0, 2, 0, 2], &[12, 0, 1, 0, 1]], &[0, 0x21, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        class_file(&[&[17, 0, 0, 0, 1]], &[0, 0x21, 0, 1, 0, 0]),
        class_file(&[&[1, 0xFF, 0xFF]], &[]),
        // Modified UTF-8 that is none.
        class_file(&[&[1, 0, 3, 0xFF, 0xC0, 0xE0], &[7, 0, 1]], &[0, 0x21, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        class_file(&[&[1, 0, 1, b'A'], &[7, 0, 1]], &huge_code),
        vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0xFF, 0xFF],
    ];
    for (index, bytes) in files.iter().enumerate() {
        assert!(program.examine(bytes).is_err(), "file {index}");
    }
}

#[test]
fn a_file_beyond_all_measure_is_refused() {
    let program = hostile::program();
    let error = program.examine(&vec![0xCA; lazuli_classfile::LARGEST_CLASS_FILE + 1]).unwrap_err();
    assert!(matches!(error, LoadError::Format { .. }), "{error}");
}
