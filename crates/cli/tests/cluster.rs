//! Do workers in other processes come to the verdict of one, whatever is killed on the way?
//!
//! A real server on loopback, real processes, and real signals. The limit of a piece is a number of conflicts, so that the pieces are known before: whatever
//! happens, exactly these must be accounted for.

mod common;

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use fastrand::Rng;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use redis::TypedCommands;
use serde_json::Value;
use tempfile::TempDir;

/// A test that takes longer than this hangs.
const HANGS: Duration = Duration::from_secs(300);

const LEASE: &str = "2s";

/// A process that ends with the test.
struct Process(Child);

impl Process {
    fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.0.id() as i32), signal).expect("what was started can be signalled");
    }

    fn end(&mut self) {
        // Either has ended before.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

struct Server {
    process: Process,
    port: u16,
    directory: TempDir,
    password: &'static str,
}

impl Server {
    fn start(password: &'static str) -> Server {
        Server::start_at("127.0.0.1", password)
    }

    /// A server that listens at this address, too.
    fn start_at(address: &str, password: &'static str) -> Server {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        let directory = tempfile::tempdir().expect("a scratch directory");
        let process = Server::process(address, port, directory.path(), password);
        Server { process, port, directory, password }
    }

    fn process(address: &str, port: u16, directory: &Path, password: &str) -> Process {
        let mut command = Command::new("redis-server");
        command.args(["--port", &port.to_string(), "--save", "", "--appendonly", "yes", "--dir"]);
        command.arg(directory).args(["--bind", "127.0.0.1"]).args(Some(address).filter(|other| *other != "127.0.0.1"));
        command.stdout(Stdio::null());
        if !password.is_empty() {
            command.args(["--requirepass", password]);
        }
        let process = Process(command.spawn().expect("redis-server is installed (scripts/test.sh installs it)"));
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begin.elapsed() < HANGS, "the server does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        process
    }

    /// As after a loss of power.
    fn restart(&mut self) {
        self.process.end();
        self.process = Server::process("127.0.0.1", self.port, self.directory.path(), self.password);
    }

    fn url(&self) -> String {
        match self.password {
            "" => format!("redis://127.0.0.1:{}", self.port),
            password => format!("redis://:{password}@127.0.0.1:{}", self.port),
        }
    }

    fn connection(&self) -> redis::Connection {
        let client = redis::Client::open(self.url()).expect("the address is right");
        client.get_connection().expect("the server answers")
    }

    fn worker(&self) -> Process {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.args(["worker", "--jobs", "1", "--cluster", &self.url()]);
        Process(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts"))
    }
}

/// The file, in the directory of the check, with the report of one that runs beside the test.
const REPORT: &str = "report.json";

/// The check whose pieces are solved elsewhere.
struct Check {
    classes: TempDir,
    target: &'static str,
    scope: &'static str,
    conflicts: &'static str,
}

impl Check {
    fn command(&self, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.args(["check", self.target, "--engine", "sat", "--scope", self.scope, "--piece-limit", self.conflicts]);
        command.args(["--split-after", "0s", "--no-confirm", "--cache", "none", "--format", "json", "--quiet"]);
        command.args(["--time", "250s", "--class-path"]).arg(self.classes.path()).args(more);
        // A journal, if one is asked for, belongs to the test.
        command.current_dir(self.classes.path());
        command
    }

    fn run(&self, more: &[&str]) -> Output {
        self.command(more).output().expect("it runs")
    }

    /// Starts it, with the report in a file: a pipe that is read at the end alone would be full before.
    fn start(&self, more: &[&str]) -> Process {
        let mut command = self.command(more);
        command.args(["-o", REPORT]).stdout(Stdio::null()).stderr(Stdio::null());
        Process(command.spawn().expect("it starts"))
    }

    /// The report of one that was started and has ended.
    fn written(&self) -> Value {
        let text = std::fs::read(self.classes.path().join(REPORT)).expect("it has written a report");
        serde_json::from_slice(&text).expect("it is JSON")
    }
}

fn report(output: &Output) -> Value {
    let (text, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{said}"))
}

/// The verdict, and how the pieces ended.
fn account(report: &Value) -> Vec<Value> {
    let pieces = ["leaves", "empty", "refuted", "split", "open"].map(|name| report["pieces"][name].clone());
    [report["verdict"].clone(), report["extent"].clone()].into_iter().chain(pieces).collect()
}

fn small_check() -> Check {
    let classes = common::compiled(&["subjects/taco"], &[]);
    Check { classes, target: "taco.BSTree.remove", scope: "4", conflicts: "30" }
}

#[test]
fn workers_elsewhere_come_to_the_same_verdict_by_the_same_pieces() {
    let check = small_check();
    let here = account(&report(&check.run(&["--jobs", "2"])));
    assert_eq!(here[0], "holds");
    let server = Server::start("secret");
    let workers = [server.worker(), server.worker()];
    let cluster = ["--cluster", &server.url(), "--lease", LEASE];
    let elsewhere = report(&check.run(&cluster));
    assert_eq!(account(&elsewhere), here);
    let names: Vec<&Value> = elsewhere["pieces"]["workers"].as_array().expect("there are workers").iter().collect();
    assert!(!names.is_empty() && names.iter().all(|worker| worker["pieces"].as_u64() > Some(0)), "{names:?}");
    // All was answered, so that a coordinator which begins again has nothing to ask.
    drop(workers);
    let again = report(&check.run(&[&cluster[..], &["--resume"]].concat()));
    assert_eq!(account(&again), here);
    assert_eq!(again["pieces"]["workers"].as_array().map(Vec::len), Some(0));
    // Nothing of the problem stays for ever.
    let mut connection = server.connection();
    for key in connection.keys("lazuli:cluster:1:*:*").expect("they are listed") {
        let left: i64 = redis::cmd("TTL").arg(&key).query(&mut connection).expect("it answers");
        assert!(left > 0, "{key} has no end");
    }
}

#[test]
fn status_shows_workers_and_other_versions_are_refused() {
    let check = small_check();
    let server = Server::start("");
    let status = |format: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.args(["cluster", "status", "--cluster", &server.url(), "--format", format]).output().expect("it runs")
    };
    let said = String::from_utf8_lossy(&status("text").stdout).into_owned();
    assert!(said.contains("0 workers") && said.contains("nothing to do"), "{said}");
    let worker = server.worker();
    let begin = Instant::now();
    while report(&status("json"))["workers"].as_array().map(Vec::len) != Some(1) {
        assert!(begin.elapsed() < HANGS, "the worker is not shown");
        std::thread::sleep(Duration::from_millis(50));
    }
    // One that is asked politely goes, and is not shown any more.
    worker.signal(Signal::SIGTERM);
    while report(&status("json"))["workers"].as_array().map(Vec::len) != Some(0) {
        assert!(begin.elapsed() < HANGS, "the worker is still shown");
        std::thread::sleep(Duration::from_millis(50));
    }
    // A worker of another version, as it would tell of itself.
    let mut connection = server.connection();
    let now: Vec<f64> = redis::cmd("TIME").query(&mut connection).expect("it answers");
    connection.zadd("lazuli:cluster:1:beats", "old", now[0] * 1000.0 + 60_000.0).expect("it is added");
    connection.hset("lazuli:cluster:1:workers", "old", "0.0.9\t\t\t7").expect("it is added");
    let output = check.run(&["--cluster", &server.url(), "--lease", LEASE]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("0.0.9") && said.contains(env!("CARGO_PKG_VERSION")), "{said}");
    assert_eq!(output.status.code(), Some(3), "{said}");
}

#[test]
fn a_server_that_is_not_there_is_told() {
    let check = small_check();
    let output = check.run(&["--cluster", "redis://127.0.0.1:1", "--lease", LEASE]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("redis://127.0.0.1:1"), "{said}");
    assert_eq!(output.status.code(), Some(3), "{said}");
}

/// Certificates of an authority of ours, and of a server that is certified by it for 127.0.0.1 alone.
fn certificates(directory: &Path) -> bool {
    let script = r#"
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem
        openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=server -keyout server.key -out server.csr
        echo subjectAltName=IP:127.0.0.1 > names
        openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem"#;
    let mut command = Command::new("sh");
    command.args(["-ec", script]).current_dir(directory).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A server that speaks TLS alone. None if there is no such server here.
fn encrypted_server(directory: &Path) -> Option<(Process, u16)> {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
    let mut command = Command::new("redis-server");
    command.args(["--port", "0", "--tls-port", &port.to_string(), "--bind", "127.0.0.1", "--save", ""]);
    command.args(["--tls-cert-file", "server.pem", "--tls-key-file", "server.key", "--tls-ca-cert-file", "ca.pem"]);
    command.args(["--tls-auth-clients", "no", "--requirepass", "secret"]).current_dir(directory).stdout(Stdio::null());
    let mut process = Process(command.spawn().expect("redis-server is installed (scripts/test.sh installs it)"));
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if process.0.try_wait().expect("it can be asked").is_some() {
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Some((process, port))
}

#[test]
fn connections_are_encrypted_and_servers_certified() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    if !certificates(directory.path()) {
        println!("skipped: openssl makes no certificates here");
        return;
    }
    let Some((_server, port)) = encrypted_server(directory.path()) else {
        println!("skipped: this redis-server has no TLS");
        return;
    };
    let ca = directory.path().join("ca.pem").display().to_string();
    let url = format!("rediss://:secret@127.0.0.1:{port}");
    let check = small_check();
    let here = account(&report(&check.run(&["--jobs", "1"])));
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    // The password may stand in the environment.
    command.args(["worker", "--jobs", "1", "--ca", &ca, "--cluster", &format!("rediss://127.0.0.1:{port}")]);
    command.env("LAZULI_SERVER_PASSWORD", "secret").stdout(Stdio::null()).stderr(Stdio::null());
    let _worker = Process(command.spawn().expect("it starts"));
    let elsewhere = report(&check.run(&["--cluster", &url, "--ca", &ca, "--lease", LEASE]));
    assert_eq!(account(&elsewhere), here);
    // A second run finds the result that the first one kept there.
    let bounds = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.args(["bounds", "taco.SLList", "--scope", "3", "--format", "json", "-q", "-cp"]);
        command.arg(check.classes.path()).args(more).output().expect("it runs")
    };
    let kept = ["--cache", &url, "--ca", &ca];
    assert_eq!(report(&bounds(&kept))["from_cache"], false);
    assert_eq!(report(&bounds(&kept))["from_cache"], true);

    let refused = |address: &str, more: &[&str]| {
        let output = check.run(&[&["--cluster", address, "--lease", LEASE][..], more].concat());
        assert_eq!(output.status.code(), Some(3), "{address}");
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
    };
    let said = refused(&url, &[]);
    assert!(said.contains("UnknownIssuer") && said.contains("--ca"), "{said}");
    let said = refused(&format!("rediss://:secret@localhost:{port}"), &["--ca", &ca]);
    assert!(said.contains("not valid for name"), "{said}");
    let said = refused(&format!("rediss://:wrong@127.0.0.1:{port}"), &["--ca", &ca]);
    assert!(said.contains("WRONGPASS"), "{said}");
    let said = refused(&url, &["--ca", &check.classes.path().join("none.pem").display().to_string()]);
    assert!(said.contains("none.pem"), "{said}");
    // A server that does not encrypt, and a client that does not.
    let plain = Server::start("");
    let said = refused(&format!("rediss://127.0.0.1:{}", plain.port), &["--ca", &ca]);
    assert!(said.contains("no encrypted connection"), "{said}");
    refused(&format!("redis://:secret@127.0.0.1:{port}"), &[]);
}

#[test]
fn servers_elsewhere_need_encryption_and_a_password() {
    let check = small_check();
    for option in ["--cluster", "--cache"] {
        for (address, why) in
            [("redis://:secret@192.0.2.7", "not be encrypted"), ("rediss://192.0.2.7", "without a password")]
        {
            let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
            command.args(["check", check.target, "--engine", "sat", "--scope", "2", option, address, "-cp"]);
            let output =
                command.arg(check.classes.path()).env_remove("LAZULI_SERVER_PASSWORD").output().expect("it runs");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{option} {address}: {said}");
            assert!(said.contains(why) && said.contains("--insecure"), "{said}");
        }
    }
}

#[test]
fn nothing_is_lost_whatever_is_killed() {
    let classes = common::compiled(&["subjects/taco"], &[]);
    let check = Check { classes, target: "taco.BSTree.remove", scope: "7", conflicts: "30" };
    let here = account(&report(&check.run(&["--jobs", "2"])));
    assert_eq!(here[0], "holds");
    let seed = std::env::var("LAZULI_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(21);
    println!("LAZULI_SEED={seed}");
    let mut random = Rng::with_seed(seed);
    let mut server = Server::start("");
    let mut workers: Vec<Process> = (0..4).map(|_| server.worker()).collect();
    let url = server.url();
    let resumed = ["--cluster", &url, "--lease", LEASE, "--resume"];
    let mut coordinator = check.start(&resumed[..4]);
    let begin = Instant::now();
    // All that is done to it is done while pieces are solved.
    let mut connection = server.connection();
    while connection.keys("lazuli:cluster:1:*:answers").expect("they are listed").is_empty() {
        assert!(begin.elapsed() < HANGS, "no piece is answered");
        std::thread::sleep(Duration::from_millis(20));
    }
    let (mut kills, mut step) = (0, 0);
    let mut has_ended = false;
    while kills < 10 && !has_ended {
        assert!(begin.elapsed() < HANGS, "it does not end");
        std::thread::sleep(Duration::from_millis(random.u64(100..400)));
        step += 1;
        match step {
            3 | 8 => server.restart(),
            5 => {
                // As if the machine had crashed: what was answered stays.
                coordinator.end();
                coordinator = check.start(&resumed);
            }
            6 => {
                // Frozen for longer than its lease, and then it goes on as if nothing had been.
                let frozen = random.usize(0..workers.len());
                workers[frozen].signal(Signal::SIGSTOP);
                std::thread::sleep(Duration::from_millis(2500));
                workers[frozen].signal(Signal::SIGCONT);
            }
            9 => {
                // Every connection is cut without a word.
                let cut = redis::cmd("CLIENT").arg("KILL").arg("TYPE").arg("normal").exec(&mut server.connection());
                cut.expect("the server does as it is told");
            }
            _ => {
                let victim = random.usize(0..workers.len());
                workers[victim].end();
                workers[victim] = server.worker();
                kills += 1;
            }
        }
        has_ended = coordinator.0.try_wait().expect("it can be asked").is_some();
    }
    while coordinator.0.try_wait().expect("it can be asked").is_none() {
        assert!(begin.elapsed() < HANGS, "it does not end");
        std::thread::sleep(Duration::from_millis(50));
    }
    let end = check.written();
    assert_eq!(account(&end), here, "{kills} workers were killed");
    assert!(step > 6, "it ended at step {step}, before the worst was over: make the problem larger");
}

/// A network of its own, with one cable to this machine. It ends with the test.
struct Network {
    name: String,
    cable: String,
    /// Of this machine, as it is seen from there.
    address: String,
}

impl Network {
    /// None where that is not allowed, or `ip` is not installed.
    fn make() -> Option<Network> {
        let number = std::process::id();
        // Other runs of this test have other numbers; there is room for 64 of these networks in each of 250.
        let subnet = format!("10.213.{}.{}", number / 64 % 250, number % 64 * 4);
        let (head, last) = subnet.rsplit_once('.').expect("it has dots");
        let last: u32 = last.parse().expect("a number");
        let (near, far) = (format!("{head}.{}", last + 1), format!("{head}.{}", last + 2));
        let network = Network { name: format!("lazuli{number}"), cable: format!("lz{number}"), address: near.clone() };
        let (name, cable) = (&network.name, &network.cable);
        let commands = [
            format!("netns add {name}"),
            format!("link add {cable} type veth peer name {cable}p"),
            format!("link set {cable}p netns {name}"),
            format!("addr add {near}/30 dev {cable}"),
            format!("link set {cable} up"),
            format!("-n {name} addr add {far}/30 dev {cable}p"),
            format!("-n {name} link set {cable}p up"),
        ];
        commands.iter().all(|command| Network::ip(command)).then_some(network)
    }

    fn ip(words: &str) -> bool {
        let mut command = Command::new("ip");
        command.args(words.split(' ')).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    fn is_connected(&self, so: bool) {
        let state = if so { "up" } else { "down" };
        assert!(Network::ip(&format!("link set {} {state}", self.cable)), "the cable can be pulled");
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        // The cable has an end in either network, and goes with one of them.
        let _ = Network::ip(&format!("link del {}", self.cable));
        let _ = Network::ip(&format!("netns del {}", self.name));
    }
}

#[test]
fn a_worker_whose_cable_is_pulled_loses_its_piece_to_another() {
    let Some(network) = Network::make() else {
        println!("skipped: no network namespaces can be made here");
        return;
    };
    let classes = common::compiled(&["subjects/taco"], &[]);
    let check = Check { classes, target: "taco.BSTree.remove", scope: "6", conflicts: "30" };
    let here = account(&report(&check.run(&["--jobs", "2"])));
    let server = Server::start_at(&network.address, "secret");
    let mut command = Command::new("ip");
    command.args(["netns", "exec", &network.name, env!("CARGO_BIN_EXE_lazuli"), "worker", "--jobs", "1", "--insecure"]);
    command.args(["--cluster", &format!("redis://:secret@{}:{}", network.address, server.port)]);
    let far = Process(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts"));
    let mut connection = server.connection();
    let begin = Instant::now();
    while !connection.exists("lazuli:cluster:1:workers").expect("it answers") {
        assert!(begin.elapsed() < HANGS, "the worker is not there");
        std::thread::sleep(Duration::from_millis(20));
    }
    let url = server.url();
    let mut coordinator = check.start(&["--cluster", &url, "--lease", LEASE]);
    // Splits are noted among the answers; there are few of them at first.
    let mut answered = || {
        let streams = connection.keys("lazuli:cluster:1:*:answers").expect("they are listed");
        let Some(stream) = streams.first() else { return 0 };
        redis::cmd("XLEN").arg(stream).query::<u64>(&mut connection).expect("it answers")
    };
    while answered() < 30 {
        assert!(begin.elapsed() < HANGS, "no piece is answered");
        std::thread::sleep(Duration::from_millis(5));
    }
    // It is alone, and has a piece. A second worker takes over when the lease is over.
    network.is_connected(false);
    let near = server.worker();
    std::thread::sleep(Duration::from_millis(3000));
    network.is_connected(true);
    while coordinator.0.try_wait().expect("it can be asked").is_none() {
        assert!(begin.elapsed() < HANGS, "it does not end");
        std::thread::sleep(Duration::from_millis(50));
    }
    let end = check.written();
    assert_eq!(account(&end), here);
    let names: Vec<&str> = end["pieces"]["workers"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|worker| worker["name"].as_str())
        .collect();
    for worker in [&far, &near] {
        let number = format!("-{}-", worker.0.id());
        assert!(names.iter().any(|name| name.contains(&number)), "{number} answered nothing: {names:?}");
    }
}
