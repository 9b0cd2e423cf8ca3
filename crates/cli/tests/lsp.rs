//! Does `lazuli lsp` serve an editor? A scripted one opens, saves, hovers, clicks lenses, cancels and leaves, over stdio.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The method that fails is not where the fault is; of a record, the source shows the constructor alone, and of the others no default constructor.
const STACK: &str = "package acme;
public class Stack {
    static class Cell { Cell below; }
    record Pair(int left, int right) {}
    Cell top; int size;
    public boolean repOK() {
        java.util.Set<Cell> seen = new java.util.HashSet<>();
        for (Cell cell = top; cell != null; cell = cell.below) { if (!seen.add(cell)) return false; }
        return size == seen.size();
    }
    public void push() { Cell cell = new Cell(); cell.below = top; top = cell; size++; }
    public void drop() {
        Cells.cut(this);
        size--;
    }
    private int secret() { return size; }
}
";

const CELLS: &str = "package acme;
class Cells {
    static void cut(Stack stack) { stack.top = stack.top.below; }
}
";

/// Takes longer than any test waits.
const ENDLESS: &str = "package acme;
public class Endless {
    public int mix(int a, int b, int c) {
        int n = 0;
        for (int i = 0; i < 40; i++) { if (((a * 31 + i) ^ (b * 17)) % 7 == c % 5) n += i; a = a * b + c; b ^= a >>> 3; }
        assert n != 123456;
        return n;
    }
}
";

/// Long, because other tests run at the same time.
const PATIENCE: Duration = Duration::from_secs(120);

struct Editor {
    server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// All that came and was not waited for.
    heard: Vec<Value>,
    last: i64,
    folder: TempDir,
}

impl Editor {
    /// A project as Maven lays it out, and a server for it.
    fn start(options: Value) -> Editor {
        let folder = tempfile::tempdir().expect("a scratch directory can be made");
        let sources = folder.path().join("src/main/java/acme");
        std::fs::create_dir_all(&sources).expect("the scratch directory can be written");
        std::fs::write(folder.path().join("pom.xml"), "<project/>").expect("the scratch directory can be written");
        for (name, text) in [("Stack", STACK), ("Cells", CELLS), ("Endless", ENDLESS)] {
            std::fs::write(sources.join(format!("{name}.java")), text).expect("the scratch directory can be written");
        }
        let mut server = Command::new(env!("CARGO_BIN_EXE_lazuli"))
            .args(["lsp", "--stdio"])
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("lazuli starts");
        let (sender, messages) = channel();
        let mut output = BufReader::new(server.stdout.take().expect("it is piped"));
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                let _ = sender.send(message);
            }
        });
        let input = server.stdin.take();
        let mut editor = Editor { server, input, messages, heard: Vec::new(), last: 0, folder };
        editor.compile();
        let abilities = json!({
            "window": {"workDoneProgress": true, "showDocument": {"support": true}},
            "workspace": {"codeLens": {"refreshSupport": true}},
        });
        let root = editor.uri("");
        let parameters =
            json!({"processId": null, "rootUri": root, "capabilities": abilities, "initializationOptions": options});
        let result = editor.ask("initialize", parameters);
        assert_eq!(result["serverInfo"]["name"], "lazuli");
        assert_eq!(
            result["capabilities"]["executeCommandProvider"]["commands"],
            json!(["lazuli.check", "lazuli.writeTest"])
        );
        editor.tell("initialized", json!({}));
        editor
    }

    fn path(&self, file: &str) -> PathBuf {
        let root = self.folder.path().canonicalize().expect("it is there");
        if file.is_empty() { root } else { root.join("src/main/java/acme").join(file) }
    }

    fn uri(&self, file: &str) -> String {
        format!("file://{}", self.path(file).display())
    }

    fn compile(&self) {
        let mut javac = Command::new("javac");
        javac.current_dir(self.folder.path()).args(["-g", "-d", "target/classes", "-sourcepath", "src/main/java"]);
        let files = ["Stack", "Cells", "Endless"].map(|name| format!("src/main/java/acme/{name}.java"));
        assert!(javac.args(files).status().expect("javac is installed").success());
    }

    fn send(&mut self, message: Value) {
        let text = message.to_string();
        let input = self.input.as_mut().expect("the editor is still there");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server listens");
        input.flush().expect("the server listens");
    }

    fn tell(&mut self, method: &str, parameters: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": parameters}));
    }

    fn request(&mut self, method: &str, parameters: Value) -> i64 {
        self.last += 1;
        self.send(json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": parameters}));
        self.last
    }

    /// The next message that is meant; others are kept.
    fn wait(&mut self, what: &str, is_meant: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.heard.iter().position(&is_meant) {
            return self.heard.remove(at);
        }
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            let Ok(message) = self.messages.recv_timeout(Duration::from_millis(100)) else { continue };
            // Requests of the server want an answer.
            if message.get("method").is_some() && message.get("id").is_some() {
                self.send(json!({"jsonrpc": "2.0", "id": message["id"], "result": null}));
            }
            if is_meant(&message) {
                return message;
            }
            self.heard.push(message);
        }
        panic!("{what} did not come; heard {:#?}", self.heard);
    }

    fn response(&mut self, id: i64) -> Value {
        self.wait("a response", |message| message["id"] == id && message.get("method").is_none())
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.request(method, parameters);
        let response = self.response(id);
        assert!(response.get("error").is_none(), "{response}");
        response["result"].clone()
    }

    fn open(&mut self, file: &str) {
        let text = std::fs::read_to_string(self.path(file)).expect("it is there");
        let document = json!({"uri": self.uri(file), "languageId": "java", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    fn lenses(&mut self, file: &str) -> Vec<(i64, String, Value)> {
        let uri = self.uri(file);
        let lenses = self.ask("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
        let lens = |lens: &Value| {
            let title = lens["command"]["title"].as_str().expect("a lens has a title").to_string();
            (lens["range"]["start"]["line"].as_i64().expect("and a line") + 1, title, lens["command"].clone())
        };
        lenses.as_array().expect("a list").iter().map(lens).collect()
    }

    /// Does what a click on a lens does, until it has ended.
    fn click(&mut self, command: &Value) -> Value {
        self.ask("workspace/executeCommand", json!({"command": command["command"], "arguments": command["arguments"]}))
    }

    fn hover(&mut self, file: &str, line: i64) -> Value {
        let uri = self.uri(file);
        self.ask(
            "textDocument/hover",
            json!({"textDocument": {"uri": uri}, "position": {"line": line - 1, "character": 9}}),
        )
    }

    /// The latest diagnostics of a file, as (line, severity, message).
    fn diagnostics(&mut self, file: &str, is_meant: impl Fn(&[Value]) -> bool) -> Vec<(i64, i64, String)> {
        let uri = self.uri(file);
        let published = self.wait("diagnostics", |message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == *uri
                && is_meant(message["params"]["diagnostics"].as_array().expect("a list"))
        });
        let one = |found: &Value| {
            let line = found["range"]["start"]["line"].as_i64().expect("a line") + 1;
            (
                line,
                found["severity"].as_i64().expect("a number"),
                found["message"].as_str().expect("a text").to_string(),
            )
        };
        published["params"]["diagnostics"].as_array().expect("a list").iter().map(one).collect()
    }

    /// Leaves as the protocol wants it; the result is the exit code.
    fn leave(mut self) -> Option<i32> {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        self.ended()
    }

    fn ended(&mut self) -> Option<i32> {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if let Some(status) = self.server.try_wait().expect("it is our child") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the server does not end");
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn read(input: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().expect("a number"),
            Some(_) => {}
            None => break,
        }
    }
    let mut text = vec![0; length];
    input.read_exact(&mut text).ok()?;
    Some(serde_json::from_slice(&text).expect("messages are JSON"))
}

fn lens<'a>(lenses: &'a [(i64, String, Value)], line: i64, word: &str) -> &'a Value {
    let found = lenses.iter().find(|(at, title, _)| *at == line && title.starts_with(word));
    &found.unwrap_or_else(|| panic!("no {word} at line {line} in {lenses:#?}")).2
}

fn replace(path: &Path, old: &str, new: &str) {
    let text = std::fs::read_to_string(path).expect("it is there");
    assert!(text.contains(old));
    std::fs::write(path, text.replace(old, new)).expect("the scratch directory can be written");
}

#[test]
fn lenses_check_write_tests_and_show_what_was_found() {
    let mut editor = Editor::start(json!({"arguments": ["--scope", "2", "--time", "60s"], "testFolder": "made"}));
    editor.open("Stack.java");
    let lenses = editor.lenses("Stack.java");
    let shown: Vec<(i64, &str)> = lenses.iter().map(|(line, title, _)| (*line, title.as_str())).collect();
    let expected = [
        (2, "check class"),
        (6, "check"),
        (6, "write test"),
        (11, "check"),
        (11, "write test"),
        (12, "check"),
        (12, "write test"),
        (4, "check class"),
        (4, "check"),
        (4, "write test"),
    ];
    assert_eq!(shown, expected);
    assert!(editor.hover("Stack.java", 13).is_null(), "nothing is known yet");

    let verdicts = editor.click(lens(&lenses, 12, "check"));
    assert_eq!(verdicts[0]["verdict"], "violated");
    // The fault is in another file, which shows it; the method that was checked is named beside it.
    let found = editor.diagnostics("Cells.java", |all| !all.is_empty());
    assert_eq!((found.len(), found[0].0, found[0].1), (1, 3, 1), "{found:?}");
    assert!(found[0].2.starts_with("acme.Stack.drop(): NullPointerException: "), "{found:?}");
    assert!(found[0].2.contains("(confirmed on the JVM)") && found[0].2.contains(".drop()"), "{found:?}");
    let hover = editor.hover("Stack.java", 13);
    let words = hover["contents"]["value"].as_str().expect("markdown");
    assert!(words.starts_with("```text\nacme.Stack.drop(): violated: ") && words.contains("example"), "{words}");
    assert!(editor.hover("Stack.java", 11).is_null(), "push was not checked");
    let lenses = editor.lenses("Stack.java");
    assert!(
        lenses.iter().any(|(line, title, _)| *line == 12 && title.starts_with("check (violated: NullPointer")),
        "{lenses:?}"
    );

    let files = editor.click(lens(&lenses, 12, "write test"));
    let file = files[0].as_str().expect("a file").strip_prefix("file://").expect("of this machine").to_string();
    assert!(file.ends_with("made/acme/StackLazuliTest.java"), "{file}");
    assert!(std::fs::read_to_string(&file).expect("it was written").contains("@Test"));
    editor.wait("a request to show the test", |message| message["method"] == "window/showDocument");
    editor.wait("the end of progress", |message| {
        message["method"] == "$/progress" && message["params"]["value"]["kind"] == "end"
    });
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn a_new_build_is_checked_and_takes_diagnostics_away() {
    let mut editor = Editor::start(json!({"arguments": ["--scope", "2"]}));
    editor.open("Stack.java");
    // Any answer says that the file was taken note of: the build comes after it.
    editor.lenses("Stack.java");
    replace(&editor.path("Stack.java"), "top = cell; size++;", "top = cell;");
    let uri = editor.uri("Stack.java");
    editor.compile();
    editor.tell("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
    let found =
        editor.diagnostics("Stack.java", |all| all.iter().any(|one| one["message"].to_string().contains("push")));
    assert!(
        found.iter().any(|(line, severity, message)| (*line, *severity) == (11, 1) && message.contains("invariant")),
        "{found:?}"
    );
    replace(&editor.path("Stack.java"), "top = cell;", "top = cell; size++;");
    editor.compile();
    editor.diagnostics("Stack.java", |all| !all.iter().any(|one| one["message"].to_string().contains("push")));
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn a_long_check_is_cancelled_and_nothing_waits_for_it() {
    let mut editor = Editor::start(json!({"checkOn": "command", "arguments": ["--time", "10m", "--scope", "3"]}));
    editor.open("Endless.java");
    editor.open("Stack.java");
    let uri = editor.uri("Endless.java");
    let check = |editor: &mut Editor| {
        editor.request(
            "workspace/executeCommand",
            json!({"command": "lazuli.check", "arguments": [uri, "acme.Endless.mix"]}),
        )
    };
    let begins = |message: &Value| message["method"] == "$/progress" && message["params"]["value"]["kind"] == "begin";
    let first = check(&mut editor);
    let progress = editor.wait("progress", begins);
    assert!(progress["params"]["value"]["title"].to_string().contains("acme.Endless.mix"), "{progress}");
    // Answers come while it runs.
    assert!(!editor.lenses("Stack.java").is_empty());
    editor.tell("$/cancelRequest", json!({"id": first}));
    let response = editor.response(first);
    assert_eq!(response["error"]["code"], -32800, "{response}");
    // By the button beside the progress; and one that waits behind it by its request.
    let (second, third) = (check(&mut editor), check(&mut editor));
    let progress = editor.wait("progress", begins);
    editor.tell("$/cancelRequest", json!({"id": third}));
    assert_eq!(editor.response(third)["error"]["code"], -32800);
    editor.tell("window/workDoneProgress/cancel", json!({"token": progress["params"]["token"]}));
    assert_eq!(editor.response(second)["error"]["code"], -32800);
    // One that is running when the editor leaves ends with the server.
    check(&mut editor);
    editor.wait("progress", begins);
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn wrong_words_are_told_and_a_lost_editor_ends_the_server() {
    let mut editor = Editor::start(json!({"clasPath": ["x"]}));
    let told = editor.wait("a message", |message| message["method"] == "window/showMessage");
    assert!(told["params"]["message"].to_string().contains("clasPath"), "{told}");
    let id = editor.request("textDocument/definition", json!({}));
    assert_eq!(editor.response(id)["error"]["code"], -32601);
    let id = editor.request("workspace/executeCommand", json!({"command": "lazuli.check", "arguments": []}));
    assert_eq!(editor.response(id)["error"]["code"], -32602);
    let uri = editor.uri("Missing.java");
    let id = editor.request("workspace/executeCommand", json!({"command": "lazuli.check", "arguments": [uri]}));
    let refused = editor.response(id);
    assert!(refused["error"]["message"].to_string().contains("target/classes"), "{refused}");
    let uri = editor.uri("Stack.java");
    let id = editor.request(
        "workspace/executeCommand",
        json!({"command": "lazuli.check", "arguments": [uri, "acme.Stack.nothing"]}),
    );
    let refused = editor.response(id);
    assert!(refused["error"]["message"].to_string().contains("nothing"), "{refused}");
    editor.tell("textDocument/didOpen", json!({"nonsense": true}));
    editor.input = None;
    assert_eq!(editor.ended(), Some(1));
}

#[test]
fn what_is_no_message_is_told_and_costs_no_memory() {
    for (bytes, words) in [
        ("Content-Length: 5\r\n\r\nhello", "cannot be understood"),
        ("Content-Length: 99999999999999\r\n\r\n{}", "99999999999999 bytes is too long"),
        ("Content-Length: 200000000\r\n\r\n{}", "ends too early"),
        ("Content-Length: many\r\n\r\n{}", "`Content-Length: many` is no header"),
        ("{\"jsonrpc\": \"2.0\"}\n", "is no header"),
        ("Content-Type: text\r\n\r\n{}", "has no Content-Length"),
        ("", "the input ended before a request to initialize"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
        command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn().expect("lazuli starts");
        let mut input = server.stdin.take().expect("it is piped");
        input.write_all(bytes.as_bytes()).expect("the server listens");
        drop(input);
        let output = server.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(words), "{bytes}: {told}");
    }
}

#[test]
fn paths_with_blanks_and_windows_line_ends_are_understood() {
    let place = tempfile::tempdir().expect("a scratch directory can be made");
    let folder = place.path().join("a b%ü");
    let source = folder.join("src/main/java/acme/Sp.java");
    std::fs::create_dir_all(source.parent().expect("it has one")).expect("a folder can be made");
    let text = "package acme;\r\npublic class Sp {\r\n    public static int f(int x) {\r\n        return 10 / (x - 3);\r\n    }\r\n}\r\n";
    std::fs::write(&source, text).expect("the scratch directory can be written");
    let mut javac = Command::new("javac");
    javac.args(["-g", "-d"]).arg(folder.join("target/classes")).arg(&source);
    assert!(javac.status().expect("javac is installed").success());
    let escaped = |path: &Path| {
        format!("file://{}", path.display()).replace('%', "%25").replace(' ', "%20").replace('ü', "%C3%BC")
    };
    let (root, uri) = (escaped(&folder), escaped(&source));
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": null, "rootUri": root, "capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}),
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": "untitled:Untitled-1", "languageId": "java", "version": 1, "text": ""}}}),
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri, "languageId": "java", "version": 1, "text": text}}}),
        json!({"jsonrpc": "2.0", "id": "lenses", "method": "textDocument/codeLens", "params": {"textDocument": {"uri": uri}}}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "shutdown"}),
        json!({"jsonrpc": "2.0", "method": "exit"}),
    ];
    let mut command = Command::new(env!("CARGO_BIN_EXE_lazuli"));
    let mut server = command
        .arg("lsp")
        .current_dir(place.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("lazuli starts");
    let mut input = server.stdin.take().expect("it is piped");
    for message in messages {
        let text = message.to_string();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server listens");
    }
    drop(input);
    let output = server.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    let mut said = std::io::BufReader::new(&output.stdout[..]);
    let lenses = std::iter::from_fn(|| read(&mut said)).find(|message| message["id"] == "lenses").expect("an answer");
    let shown = lenses["result"].to_string();
    assert!(shown.contains("acme.Sp.f(I)I") && shown.contains("a%20b%25%C3%BC"), "{shown}");
}

#[test]
fn the_extension_for_vs_code_starts_and_stops_the_server() {
    if Command::new("node").arg("--version").output().is_err() {
        println!("skipped: there is no Node.js");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib/vscode");
    let output = Command::new("node").args(["--test", "test.js"]).current_dir(folder).output().expect("node starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
