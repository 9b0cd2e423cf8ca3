//! How is a program run that may do anything, so that nothing of it is left when it ends?
//!
//! A confirmation runs code of the user's classes. It is started through Lazuli itself, twice (the two words below are commands of Lazuli
//! that are not for people). The *guard* makes new namespaces where the system lets it: the program is then the first process of its own
//! PID namespace, and when it ends or is killed, the kernel ends all that it started, `setsid` or not; and it sees no network. Where there
//! are no namespaces, the guard adopts whatever loses its parent (`PR_SET_CHILD_SUBREAPER`), finds all descendants in /proc, and kills
//! them. The *start* asks to be killed with the guard, and becomes the program. The guard in turn ends with its standard input, which
//! Lazuli holds: so nothing survives a Lazuli that is killed.

use std::ffi::OsString;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, poll};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{Signal, kill};
use nix::sys::socket::{AddressFamily, MsgFlags, NetlinkAddr, SockFlag, SockProtocol, SockType, sendto, socket};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, close, getegid, geteuid, getpid};

/// The word for the guard, that for one whose program may speak with itself, and that for the start.
const GUARD: &str = "__guard";
const GUARD_WITH_LOOPBACK: &str = "__guard-with-loopback";
const START: &str = "__start";

/// Lazuli's own program, as a process sees it.
const SELF: &str = "/proc/self/exe";

/// How often the guard looks at the program.
const INTERVAL: u16 = 5;
/// How long the guard tries to get rid of processes. They cannot withstand; but a system may be slow.
const CLEANING: Duration = Duration::from_secs(2);

/// Address space of each process. A JVM reserves far more than it uses; what it may use is said by `-Xmx`.
const MOST_MEMORY: u64 = 6 << 30;
/// The length of each file that is written.
const MOST_FILE: u64 = 64 << 20;
const MOST_DESCRIPTORS: u64 = 4096;

/// The code of a guard that cannot start the program.
const NOT_STARTED: u8 = 127;

/// A command that runs a program under guard, in a directory of its own. It must get a pipe as its standard input: when that is closed,
/// everything ends.
pub(crate) fn contained(program: &Path, directory: &Path) -> Command {
    guarded(GUARD, program, directory)
}

/// The same for a program of several processes that speak with each other: the loopback of their own network is up, on which there is no one else.
pub(crate) fn contained_with_loopback(program: &Path, directory: &Path) -> Command {
    guarded(GUARD_WITH_LOOPBACK, program, directory)
}

fn guarded(word: &str, program: &Path, directory: &Path) -> Command {
    let mut command = Command::new(SELF);
    command.arg(word).arg(program).current_dir(directory).process_group(0);
    command
}

/// Is the process a guard or a start, and not one that a user began? Then it does not come back before all is over.
pub(crate) fn serve() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    let role = words.next()?;
    let program: Vec<OsString> = words.collect();
    match role.to_str()? {
        GUARD => Some(guard(&program, false)),
        GUARD_WITH_LOOPBACK => Some(guard(&program, true)),
        START => Some(start(&program)),
        _ => None,
    }
}

fn start(program: &[OsString]) -> ExitCode {
    let Some((program, arguments)) = program.split_first() else { return ExitCode::from(NOT_STARTED) };
    // Neither fails on any system that has them, and where one does, the guard still finds the process.
    let _ = prctl::set_pdeathsig(Signal::SIGKILL);
    let _ = prctl::set_no_new_privs();
    let error = Command::new(program).args(arguments).exec();
    eprintln!("{} cannot be run: {error}", program.display());
    ExitCode::from(NOT_STARTED)
}

fn guard(program: &[OsString], has_loopback: bool) -> ExitCode {
    close_descriptors();
    limit();
    let made = isolate();
    let has_namespace = made.contains(CloneFlags::CLONE_NEWPID);
    if has_loopback && made.contains(CloneFlags::CLONE_NEWNET) {
        // Where it stays down, the processes do not find each other, and say so.
        let _ = raise_loopback();
    }
    let _ = prctl::set_child_subreaper(true);
    let child = Command::new(SELF).arg(START).args(program).stdin(Stdio::null()).spawn();
    let status = child.and_then(|mut child| {
        let status = watch(&mut child);
        // The first process of a namespace takes all others with it. Otherwise they are children of this one now.
        if !has_namespace {
            kill_descendants();
        }
        status
    });
    match status {
        Ok(status) => ExitCode::from(code(status)),
        Err(error) => {
            eprintln!("no process can be started: {error}");
            ExitCode::from(NOT_STARTED)
        }
    }
}

/// As a shell tells it.
fn code(status: ExitStatus) -> u8 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)) as u8
}

/// Waits until the program ends, and kills it when Lazuli closes the pipe.
fn watch(child: &mut Child) -> std::io::Result<ExitStatus> {
    let input = std::io::stdin();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        // Nothing ever comes; but the other end may close it.
        let mut asked = [PollFd::new(input.as_fd(), PollFlags::POLLIN)];
        match poll(&mut asked, INTERVAL) {
            Ok(0) | Err(Errno::EINTR) => {}
            Ok(_) | Err(_) => {
                child.kill()?;
                return child.wait();
            }
        }
    }
}

/// Whatever Lazuli itself was given by the process that started it is no business of the program.
fn close_descriptors() {
    let descriptors = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let numbers = descriptors.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    for number in numbers.filter(|number| *number > 2).collect::<Vec<i32>>() {
        let _ = close(number);
    }
}

fn limit() {
    let limits = [
        (Resource::RLIMIT_CORE, 0),
        (Resource::RLIMIT_AS, MOST_MEMORY),
        (Resource::RLIMIT_FSIZE, MOST_FILE),
        (Resource::RLIMIT_NOFILE, MOST_DESCRIPTORS),
    ];
    for (resource, most) in limits {
        // A limit that is lower already stays; it cannot be raised anyway.
        if let Ok((_, hard)) = getrlimit(resource) {
            let _ = setrlimit(resource, most.min(hard), most.min(hard));
        }
    }
}

/// Makes new namespaces, as many as the system allows, and says which.
fn isolate() -> CloneFlags {
    let (user, group) = (geteuid(), getegid());
    let processes = CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWIPC;
    let all = processes | CloneFlags::CLONE_NEWNET;
    let own_user = CloneFlags::CLONE_NEWUSER;
    // With a namespace of users, root would lose its right to read the files of others, and does not need one.
    let attempts: &[CloneFlags] = match user.is_root() {
        true => &[all, own_user | all, processes],
        false => &[own_user | all, own_user | processes],
    };
    let Some(made) = attempts.iter().find(|flags| unshare(**flags).is_ok()) else { return CloneFlags::empty() };
    if made.contains(own_user) {
        // The program goes on as the same user. If the map cannot be written, it sees the overflow user ID, which does no harm.
        let _ = std::fs::write("/proc/self/setgroups", "deny");
        let _ = std::fs::write("/proc/self/uid_map", format!("{user} {user} 1"));
        let _ = std::fs::write("/proc/self/gid_map", format!("{group} {group} 1"));
    }
    *made
}

/// Sets the first interface of a new network namespace up, which is its loopback. The message is that of rtnetlink(7): RTM_NEWLINK with IFF_UP.
fn raise_loopback() -> nix::Result<()> {
    const LENGTH: u32 = 32;
    const RTM_NEWLINK: u16 = 16;
    const NLM_F_REQUEST: u16 = 1;
    const LOOPBACK: u32 = 1;
    const IFF_UP: u32 = 1;
    let header = [&LENGTH.to_ne_bytes()[..], &RTM_NEWLINK.to_ne_bytes(), &NLM_F_REQUEST.to_ne_bytes(), &[0; 8]];
    let interface = [&[0; 4][..], &LOOPBACK.to_ne_bytes(), &IFF_UP.to_ne_bytes(), &IFF_UP.to_ne_bytes()];
    let message = [header.concat(), interface.concat()].concat();
    let own = SockFlag::SOCK_CLOEXEC;
    let socket = socket(AddressFamily::Netlink, SockType::Raw, own, SockProtocol::NetlinkRoute)?;
    sendto(socket.as_raw_fd(), &message, &NetlinkAddr::new(0, 0), MsgFlags::empty())?;
    Ok(())
}

/// Kills all that comes from this process. What is killed leaves its children to this process, so that none is lost.
fn kill_descendants() {
    let begin = Instant::now();
    while begin.elapsed() < CLEANING {
        let found = descendants();
        for process in &found {
            let _ = kill(*process, Signal::SIGKILL);
        }
        // Takes notice of those that are dead.
        while matches!(waitpid(None, Some(WaitPidFlag::WNOHANG)), Ok(status) if status != WaitStatus::StillAlive) {}
        if found.is_empty() {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The processes whose parent, or whose parent's parent and so on, is this one.
fn descendants() -> Vec<Pid> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let related: Vec<(i32, i32)> = processes.filter_map(|process| Some((process, parent(process)?))).collect();
    let mut found = vec![getpid().as_raw()];
    let mut next = 0;
    while let Some(process) = found.get(next).copied() {
        next += 1;
        let children = related.iter().filter(|(child, parent)| *parent == process && !found.contains(child));
        let children: Vec<i32> = children.map(|(child, _)| *child).collect();
        found.extend(children);
    }
    found.into_iter().skip(1).map(Pid::from_raw).collect()
}

/// The fourth field of `/proc/N/stat`; the second one is a name in brackets, in which anything may be.
fn parent(process: i32) -> Option<i32> {
    let stat = std::fs::read(format!("/proc/{process}/stat")).ok()?;
    String::from_utf8_lossy(&stat).rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}
