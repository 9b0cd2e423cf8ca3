//! How is a file written so that nothing else is harmed by it?
//!
//! A file comes into being under a name that cannot be guessed, in the directory where it belongs, and is then renamed. So nothing is
//! written through a link that a project, or another user of the machine, has put there, and a reader finds the old file or the new one.
//! Only a path that the user names on the command line is followed where it leads.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use nix::libc;
use tempfile::NamedTempFile;
pub use tempfile::TempDir;

/// All temporary files and directories that were ever made. Their names cannot be guessed, and one that was renamed or removed is not there
/// any more.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// How long a process that must end removes them: a program may have filled its directory with files.
const REMOVING: Duration = Duration::from_millis(200);

/// A file that is not yet where it belongs. If it is dropped, nothing has changed.
pub enum FileDraft {
    /// A temporary file, and where it goes.
    Beside(NamedTempFile, PathBuf),
    /// A device or a pipe, which cannot be replaced.
    Direct(File),
}

impl FileDraft {
    /// For a path that the user has named: links are followed, and devices and pipes are written to.
    pub fn named(path: &Path) -> Result<FileDraft> {
        match std::fs::metadata(path) {
            // A file behind `/dev/stdout` is what the shell has opened; it would go on writing to the one that was replaced.
            Ok(there) if !there.is_dir() && (!there.is_file() || is_of_system(path)) => {
                OpenOptions::new().write(true).open(path).map(FileDraft::Direct)
            }
            Ok(there) => FileDraft::beside(&std::fs::canonicalize(path)?, Some(&there)),
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            Err(_) if path.is_symlink() => Err(Error::other("it is a link that leads nowhere")),
            Err(_) => FileDraft::beside(path, None),
        }
    }

    /// For a path that the user did not name: a link is replaced, and not followed.
    pub fn own(path: &Path) -> Result<FileDraft> {
        match std::fs::symlink_metadata(path) {
            Ok(there) if there.is_symlink() => FileDraft::beside(path, None),
            Ok(there) => FileDraft::beside(path, Some(&there)),
            Err(error) if error.kind() == ErrorKind::NotFound => FileDraft::beside(path, None),
            Err(error) => Err(error),
        }
    }

    fn beside(path: &Path, there: Option<&Metadata>) -> Result<FileDraft> {
        match there {
            Some(there) if there.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Some(there) if !there.is_file() => return Err(no_file()),
            Some(there) if there.permissions().readonly() => return Err(ErrorKind::PermissionDenied.into()),
            _ => {}
        }
        let mode = there.map_or(0o666, |there| there.permissions().mode() & 0o777);
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        // The process's umask applies.
        builder.prefix(".lazuli-").permissions(Permissions::from_mode(mode));
        let file = builder.tempfile_in(directory)?;
        note_temporary(file.path());
        Ok(FileDraft::Beside(file, path.to_path_buf()))
    }

    /// Puts the file where it belongs; later writes to it append. If `must_be_new`, nothing is replaced.
    fn put(self, must_be_new: bool) -> Result<File> {
        match self {
            FileDraft::Direct(file) => Ok(file),
            FileDraft::Beside(file, path) => {
                // Some disks only notice that they are full when the bytes have to go there.
                file.as_file().sync_data()?;
                let put = if must_be_new { file.persist_noclobber(path) } else { file.persist(path) };
                put.map_err(|error| error.error)
            }
        }
    }

    /// Puts the file where it belongs, in place of an older one.
    pub fn finish(self) -> Result<File> {
        self.put(false)
    }
}

impl Write for FileDraft {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        match self {
            FileDraft::Beside(file, _) => file.write(bytes),
            FileDraft::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> Result<()> {
        match self {
            FileDraft::Beside(file, _) => file.flush(),
            FileDraft::Direct(file) => file.flush(),
        }
    }
}

/// Writes a whole file whose path the user did not name.
pub fn replace(path: &Path, contents: &[u8]) -> Result<()> {
    let mut draft = FileDraft::own(path)?;
    draft.write_all(contents)?;
    draft.finish().map(drop)
}

/// The same, if there is no file yet.
pub fn create(path: &Path, contents: &[u8]) -> Result<()> {
    let mut draft = FileDraft::beside(path, None)?;
    draft.write_all(contents)?;
    draft.put(true).map(drop)
}

/// Opens a file that is really one: a link is not followed, and opening a pipe does not block.
pub fn open(path: &Path, options: &mut OpenOptions) -> Result<File> {
    let file = options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(no_file()) }
}

/// The contents of a file that is really one.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path, OpenOptions::new().read(true))?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A temporary directory that only this user can look into.
pub fn private_folder() -> Result<TempDir> {
    let folder = kept_folder()?;
    note_temporary(folder.path());
    Ok(folder)
}

/// The same for a directory that outlives the process.
pub fn kept_folder() -> Result<TempDir> {
    tempfile::Builder::new().prefix("lazuli-").permissions(Permissions::from_mode(0o700)).tempdir()
}

fn note_temporary(path: &Path) {
    // The process may have another working directory when it ends.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).push(path);
}

/// Removes the temporary files that destructors would remove, in a process that ends without them.
pub fn remove_temporary() {
    let paths = std::mem::take(&mut *TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner));
    let (sender, done) = mpsc::channel();
    let work = move || {
        for path in paths.into_iter().rev() {
            if std::fs::remove_file(&path).is_err() {
                let _ = std::fs::remove_dir_all(&path);
            }
        }
        let _ = sender.send(());
    };
    if std::thread::Builder::new().spawn(work).is_ok() {
        let _ = done.recv_timeout(REMOVING);
    }
}

/// Makes a directory for this user alone, if it is not there.
pub fn make_private(directory: &Path) -> Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

/// Makes a directory below another one, on a way without links.
pub fn make_below(base: &Path, below: &Path) -> Result<PathBuf> {
    std::fs::create_dir_all(base)?;
    let mut directory = base.to_path_buf();
    for part in below.components() {
        let Component::Normal(name) = part else { return Err(ErrorKind::InvalidInput.into()) };
        directory.push(name);
        match std::fs::create_dir(&directory) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            _ if !std::fs::symlink_metadata(&directory)?.is_dir() => {
                return Err(Error::other(format!("{} is no directory, or a link to one", directory.display())));
            }
            _ => {}
        }
    }
    Ok(directory)
}

/// Does a path lead to a place below the folder, whatever links are on the way? It need not be there yet.
pub fn is_below(folder: &Path, path: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(folder) = std::fs::canonicalize(folder) else { return false };
    let Ok(path) = std::path::absolute(path) else { return false };
    // A link that leads nowhere is there as well, and has no place.
    let Some(there) = path.ancestors().find(|ancestor| ancestor.symlink_metadata().is_ok()) else { return false };
    let has_way_up =
        path.strip_prefix(there).is_ok_and(|rest| rest.components().any(|part| part == Component::ParentDir));
    !has_way_up && std::fs::canonicalize(there).is_ok_and(|there| there.starts_with(folder))
}

fn is_of_system(path: &Path) -> bool {
    let leads_there = |path: &Path| path.starts_with("/dev") || path.starts_with("/proc");
    leads_there(path) || std::fs::read_link(path).is_ok_and(|to| leads_there(&to))
}

fn no_file() -> Error {
    Error::other("it is there, and no ordinary file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn text(path: &Path) -> String {
        std::fs::read_to_string(path).unwrap()
    }

    fn names(folder: &Path) -> usize {
        std::fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_link_is_followed_only_if_the_user_named_it() {
        let folder = private_folder().unwrap();
        let (victim, link) = (folder.path().join("victim"), folder.path().join("link"));
        std::fs::write(&victim, "precious").unwrap();
        symlink(&victim, &link).unwrap();
        replace(&link, b"mine").unwrap();
        assert_eq!((text(&victim).as_str(), text(&link).as_str()), ("precious", "mine"));
        std::fs::remove_file(&link).unwrap();
        symlink(&victim, &link).unwrap();
        let mut draft = FileDraft::named(&link).unwrap();
        draft.write_all(b"new").unwrap();
        assert_eq!(text(&victim), "precious");
        draft.finish().unwrap();
        assert_eq!(text(&victim), "new");
        assert!(link.is_symlink() && names(folder.path()) == 2);
        assert!(open(&link, OpenOptions::new().read(true)).is_err());
        assert!(create(&link, b"").is_err_and(|error| error.kind() == ErrorKind::AlreadyExists));
    }

    #[test]
    fn what_is_not_finished_leaves_nothing() {
        let folder = private_folder().unwrap();
        let file = folder.path().join("file");
        drop(FileDraft::named(&file).unwrap());
        assert_eq!(names(folder.path()), 0);
        assert_eq!(std::fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn devices_and_pipes_are_no_files() {
        assert!(matches!(FileDraft::named(Path::new("/dev/null")), Ok(FileDraft::Direct(_))));
        assert!(FileDraft::own(Path::new("/dev/null")).is_err());
        assert!(read(Path::new("/dev/zero")).is_err());
        assert!(FileDraft::named(Path::new("/tmp")).is_err_and(|error| error.kind() == ErrorKind::IsADirectory));
    }

    #[test]
    fn a_way_below_has_no_links_and_does_not_lead_up() {
        let (folder, other) = (private_folder().unwrap(), private_folder().unwrap());
        symlink(other.path(), folder.path().join("link")).unwrap();
        symlink("nowhere", folder.path().join("dangling")).unwrap();
        assert!(make_below(folder.path(), Path::new("a/b")).unwrap().is_dir());
        for way in ["link", "link/c", "../c", "/tmp"] {
            assert!(make_below(folder.path(), Path::new(way)).is_err(), "{way}");
        }
        let is_below = |path: &str| is_below(folder.path(), &folder.path().join(path));
        assert!(is_below("a/b/c") && is_below("new/file") && is_below("a/../d"));
        for path in ["link/x", "dangling", "../x", "/etc/x", "new/../../x", "link"] {
            assert!(!is_below(path), "{path}");
        }
    }
}
