//! How is a cache kept in a directory?
//!
//! Each name is a file that only grows: a line that says which format it has, then frames, each after its length. A process locks a file
//! for as long as it reads or adds to it, which is a moment, so that several runs share a directory. The end of a frame that was
//! being written when the machine or the disk failed is cut off by the next write.
//!
//! Why no embedded database: redb 4.4, tried with 400 files in which three bits were changed, panicked on 45 and gave wrong values from
//! 71, and one process keeps all others out. Here, everything has a checksum, and nothing needs to be found but by its name.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use lazuli_console::safe;

use super::frame::{BOUNDS, CHECKS, OBJECTS, VERDICTS};
use super::{CacheDamage, CacheError, MOST_BYTES, Store, StoredFrames};

/// The first line of every file; it changes with the format.
const FORMAT: &[u8] = b"lazuli cache 1\n";

/// How long another run may keep a file locked.
const LOCKED: Duration = Duration::from_secs(1);

/// Bytes that the files of a directory may occupy. Beyond it, the least recently used ones are removed.
const MOST_ON_DISK: u64 = 1 << 30;

pub(super) struct FileStore {
    directory: PathBuf,
    /// Was room made? Looking through all files once in a run is enough.
    has_room: bool,
}

impl FileStore {
    pub(super) fn open(directory: &Path) -> Result<FileStore, CacheError> {
        safe::make_private(directory).map_err(CacheError::Directory)?;
        Ok(FileStore { directory: directory.to_path_buf(), has_room: false })
    }

    /// Makes room for a new file.
    fn make_room(&self, most: u64) -> std::io::Result<()> {
        let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in std::fs::read_dir(&self.directory)?.flatten().filter(|entry| is_ours(&entry.file_name())) {
            let metadata = entry.metadata()?;
            files.push((metadata.modified()?, metadata.len(), entry.path()));
        }
        files.sort();
        let mut occupied: u64 = files.iter().map(|(_, length, _)| length).sum();
        for (_, length, path) in files {
            if occupied <= most {
                break;
            }
            std::fs::remove_file(path)?;
            occupied -= length;
        }
        Ok(())
    }
}

impl Store for FileStore {
    fn names(&mut self) -> Result<Vec<String>, CacheError> {
        let entries = std::fs::read_dir(&self.directory).map_err(CacheError::Directory)?;
        let names = entries.flatten().map(|entry| entry.file_name()).filter(|name| is_ours(name));
        Ok(names.filter_map(|name| name.into_string().ok()).collect())
    }

    fn read(&mut self, name: &str) -> Result<StoredFrames, CacheError> {
        let path = self.directory.join(name);
        let file = match safe::open(&path, OpenOptions::new().read(true)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(StoredFrames::default()),
            opened => opened.map_err(|error| fault(&path, error))?,
        };
        lock(&path, || file.try_lock_shared())?;
        // Marks the file as recently used. A file that may only be read stays as it is.
        let _ = file.set_modified(SystemTime::now());
        let mut bytes = Vec::new();
        let most = (FORMAT.len() + MOST_BYTES) as u64;
        (&file).take(most).read_to_end(&mut bytes).map_err(|error| fault(&path, error))?;
        if bytes.is_empty() {
            return Ok(StoredFrames::default());
        }
        let mut rest = bytes.strip_prefix(FORMAT).ok_or_else(|| of_another_format(&path))?;
        let mut frames = Vec::new();
        while let Some((frame, behind)) = first_frame(rest) {
            frames.push(frame.to_vec());
            rest = behind;
        }
        let is_torn = !rest.is_empty() && bytes.len() < most as usize;
        let damage = is_torn.then(|| CacheDamage::Torn(path.clone()));
        Ok(StoredFrames { frames, damage })
    }

    fn append(&mut self, name: &str, frame: &[u8]) -> Result<(), CacheError> {
        let path = self.directory.join(name);
        if !path.exists() {
            if !std::mem::replace(&mut self.has_room, true) {
                // Another run may remove the same file at the same time.
                let _ = self.make_room(MOST_ON_DISK);
            }
            match safe::create(&path, &[]) {
                // Another run was faster; both add to the same file.
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(fault(&path, error)),
                _ => {}
            }
        }
        let opened = safe::open(&path, OpenOptions::new().read(true).write(true));
        let mut file = opened.map_err(|error| fault(&path, error))?;
        lock(&path, || file.try_lock())?;
        let end = end_of_frames(&mut file).map_err(|error| fault(&path, error))?;
        let end = end.ok_or_else(|| of_another_format(&path))?;
        let length = (frame.len() as u64).to_le_bytes();
        let format = if end == 0 { FORMAT } else { &[] };
        let bytes = [format, &length, frame].concat();
        let written =
            file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end))).and_then(|_| file.write_all(&bytes));
        written.map_err(|error| {
            // The disk is full, say. What is there already stays good.
            let _ = file.set_len(end);
            fault(&path, error)
        })
    }

    fn remove(&mut self, name: &str) -> Result<(), CacheError> {
        let path = self.directory.join(name);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(fault(&path, error)),
            _ => Ok(()),
        }
    }
}

/// Where the next frame belongs; nothing if the file is not of our format. Only lengths are looked at: a changed frame is
/// noticed when it is read.
fn end_of_frames(file: &mut File) -> std::io::Result<Option<u64>> {
    let whole = file.metadata()?.len();
    let mut format = vec![0; FORMAT.len().min(whole as usize)];
    file.read_exact(&mut format)?;
    if format != FORMAT {
        // A file whose first write was cut short is begun anew.
        return Ok(FORMAT.starts_with(&format).then_some(0));
    }
    let mut end = FORMAT.len() as u64;
    while whole - end >= 8 {
        let mut length = [0; 8];
        file.seek(SeekFrom::Start(end))?;
        file.read_exact(&mut length)?;
        match end.checked_add(8).and_then(|begin| begin.checked_add(u64::from_le_bytes(length))) {
            Some(next) if next <= whole => end = next,
            _ => break,
        }
    }
    Ok(Some(end))
}

/// The first frame, and what comes behind it; nothing if it is not there as a whole.
fn first_frame(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
}

fn lock(path: &Path, attempt: impl Fn() -> Result<(), TryLockError>) -> Result<(), CacheError> {
    let begin = Instant::now();
    loop {
        match attempt() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(fault(path, error)),
            Err(TryLockError::WouldBlock) if begin.elapsed() > LOCKED => {
                return Err(CacheError::Locked(path.to_path_buf()));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

fn is_ours(name: &std::ffi::OsStr) -> bool {
    let name = name.to_string_lossy();
    [VERDICTS, BOUNDS, OBJECTS, CHECKS].iter().any(|kind| {
        let digest = name.strip_prefix(kind).and_then(|rest| rest.strip_prefix('-'));
        digest.is_some_and(|digest| digest.len() == 32 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()))
    })
}

fn fault(path: &Path, error: std::io::Error) -> CacheError {
    CacheError::File { path: path.to_path_buf(), error }
}

fn of_another_format(path: &Path) -> CacheError {
    CacheError::OtherFormat(path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "verdicts-00112233445566778899aabbccddeeff";

    fn frames(directory: &Path) -> Vec<Vec<u8>> {
        FileStore::open(directory).unwrap().read(NAME).unwrap().frames
    }

    #[test]
    fn frames_come_back_in_their_order() {
        let directory = tempfile::tempdir().unwrap();
        let mut files = FileStore::open(directory.path()).unwrap();
        assert!(files.read(NAME).unwrap().frames.is_empty());
        files.append(NAME, b"one").unwrap();
        files.append(NAME, b"").unwrap();
        files.append(NAME, b"three").unwrap();
        assert_eq!(frames(directory.path()), [&b"one"[..], b"", b"three"]);
        assert_eq!(files.names().unwrap(), [NAME]);
        files.remove(NAME).unwrap();
        assert!(files.names().unwrap().is_empty());
    }

    #[test]
    fn what_was_torn_costs_itself_alone_and_is_written_over() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(NAME);
        let mut files = FileStore::open(directory.path()).unwrap();
        files.append(NAME, b"one").unwrap();
        let first = std::fs::metadata(&path).unwrap().len() as usize;
        files.append(NAME, b"two").unwrap();
        let whole = std::fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let expected: &[&[u8]] = if cut < first { &[] } else { &[b"one"] };
            match files.read(NAME) {
                Ok(contents) => {
                    assert_eq!(contents.frames, expected, "cut at {cut}");
                    assert_eq!(contents.damage.is_some(), ![0, FORMAT.len(), first].contains(&cut), "cut at {cut}");
                }
                Err(CacheError::OtherFormat(_)) => assert!(cut < FORMAT.len(), "cut at {cut}"),
                Err(why) => panic!("cut at {cut}: {why}"),
            }
            files.append(NAME, b"three").unwrap();
            assert_eq!(frames(directory.path()), [expected, &[b"three"]].concat(), "cut at {cut}");
        }
    }

    #[test]
    fn a_file_of_another_format_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(NAME);
        let mut files = FileStore::open(directory.path()).unwrap();
        for text in [&b"lazuli cache 2\nsomething"[..], b"nothing of ours"] {
            std::fs::write(&path, text).unwrap();
            assert!(matches!(files.read(NAME), Err(CacheError::OtherFormat(_))));
            assert!(matches!(files.append(NAME, b"one"), Err(CacheError::OtherFormat(_))));
            assert_eq!(std::fs::read(&path).unwrap(), text);
        }
    }

    #[test]
    fn a_length_that_leads_nowhere_is_no_frame() {
        let directory = tempfile::tempdir().unwrap();
        let mut bytes = FORMAT.to_vec();
        bytes.extend(u64::MAX.to_le_bytes());
        bytes.extend(b"something");
        std::fs::write(directory.path().join(NAME), bytes).unwrap();
        let mut files = FileStore::open(directory.path()).unwrap();
        assert!(files.read(NAME).unwrap().damage.is_some());
        files.append(NAME, b"one").unwrap();
        assert_eq!(frames(directory.path()), [b"one"]);
    }

    #[test]
    fn the_least_recently_used_files_make_room() {
        let directory = tempfile::tempdir().unwrap();
        let mut files = FileStore::open(directory.path()).unwrap();
        let name = |digit: char| format!("{BOUNDS}-{}", String::from(digit).repeat(32));
        for (age, digit) in ['a', 'b', 'c'].into_iter().enumerate() {
            files.append(&name(digit), &[0; 100]).unwrap();
            let time = SystemTime::now() - Duration::from_secs(100 - 10 * age as u64);
            File::options().write(true).open(directory.path().join(name(digit))).unwrap().set_modified(time).unwrap();
        }
        std::fs::write(directory.path().join("foreign"), [0; 1000]).unwrap();
        files.read(&name('a')).unwrap();
        files.make_room(300).unwrap();
        let mut left = files.names().unwrap();
        left.sort();
        assert_eq!(left, [name('a'), name('c')]);
        assert!(directory.path().join("foreign").exists());
    }
}
