//! Does a real browser show the HTML report, and do its links and folds work?
//!
//! `scripts/test.sh` installs Chromium where it may. Where there is none, the test says so and checks nothing.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// Asks the page what a reader would find out by clicking, and writes the answers into it.
const QUESTIONS: &str = r##"
<script>
const answers = [];
const say = (what, answer) => answers.push(what + ": " + answer);
const key = (name) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
const seen = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length);
const go = (hash) => { location.hash = hash; dispatchEvent(new Event("hashchange")); };
say("the index is shown alone", seen("header").length === 1 && seen("section").length === 0);
const search = document.querySelector("input[type=search]");
const filter = (words) => { search.value = words; search.dispatchEvent(new Event("input")); return seen("tr.method").length; };
say("the filter shows", [filter(""), filter("cells size"), filter("violated"), filter("nothing"), filter("")]);
const holds = document.querySelector("input[value=violated]");
holds.click();
say("verdicts can be left out", seen("tr.method").every((row) => row.dataset.verdict !== "violated"));
holds.click();
go("target-1");
say("a method is a page", seen("header").length === 0 && seen("section").length === 1);
const scene = () => seen(".scene")[0];
const shown = () => `${scene().querySelector(".number").textContent}/${seen("tr.now").length}`;
const steps = [shown()];
key("ArrowRight"); steps.push(shown());
key("ArrowLeft"); steps.push(shown());
const slider = document.querySelector(".controls input");
slider.value = slider.max;
slider.dispatchEvent(new Event("input"));
say("steps", [...steps, seen(".scene").length].join(" "));
say("the last step is the end", scene().dataset.end === "true" && scene().textContent.includes("AssertionError is thrown"));
say("steps have variables", document.querySelector(".variables").textContent.includes("key"));
say("what is new or changed is marked", document.querySelectorAll(".scene .new, .scene .changed, .scene .touched").length > 0);
say("objects unfold", document.querySelector(".objects").textContent.includes("first"));
document.body.classList.remove("paged", "at-method");
document.querySelectorAll("[hidden]").forEach((one) => (one.hidden = false));
const folds = [...document.querySelectorAll("details")];
const fold = folds.find((one) => !one.open && one.getClientRects().length);
const height = document.body.scrollHeight;
fold.querySelector("summary").click();
say("a click opens a fold", fold.open && document.body.scrollHeight > height);
folds.forEach((one) => (one.open = true));
const links = [...document.querySelectorAll("a[href]")];
say("links", links.length);
say("every link leads somewhere", links.every((link) => { link.click(); return document.querySelector(":target") === document.getElementById(link.hash.slice(1)); }));
const drawings = [...document.querySelectorAll("svg.heap")];
say("drawings", drawings.length > 3);
say("drawings have a size", drawings.every((one) => one.getBBox().width > 20 && one.getBBox().height > 20));
const texts = [...document.querySelectorAll("svg.heap .box")].flatMap((box) => {
  const frame = box.querySelector("rect").getBBox();
  return [...box.querySelectorAll("text")].map((text) => text.getBBox()).filter((text) => text.x < frame.x || text.x + text.width > frame.x + frame.width);
});
say("texts outside of their boxes", texts.length);
say("wider than the window", document.documentElement.scrollWidth > innerWidth);
const shades = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
const light = (colour) => shades(colour).reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
const paper = (element) => { for (let at = element; at; at = at.parentElement) { const colour = getComputedStyle(at).backgroundColor; if (!/, 0\)$/.test(colour) && colour !== "transparent") return colour; } return "rgb(255, 255, 255)"; };
const contrast = (element) => { const pair = [light(getComputedStyle(element).color), light(paper(element))].sort((a, b) => b - a); return (pair[0] + 0.05) / (pair[1] + 0.05); };
const dull = [...document.querySelectorAll("body *:not(svg *):not(script)")].filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) && contrast(one) < 4.5);
say("texts that are hard to read", dull.map((one) => one.className || one.tagName).join(" "));
const headings = [...document.querySelectorAll("h1, h2, h3, h4")].map((one) => Number(one.tagName[1]));
say("headings skip no level", headings.every((level, at) => level <= (headings[at - 1] ?? 0) + 1));
say("the page runs no code of the program", typeof alerted === "undefined");
const told = document.createElement("pre");
told.id = "answers";
told.textContent = answers.join("\n");
document.body.append(told);
</script>
"##;

const EXPECTED: &str = "\
the index is shown alone: true
the filter shows: 2,1,1,0,2
verdicts can be left out: true
a method is a page: true
steps: 1/1 2/1 1/1 1
the last step is the end: true
steps have variables: true
what is new or changed is marked: true
objects unfold: true
a click opens a fold: true
links: 2
every link leads somewhere: true
drawings: true
drawings have a size: true
texts outside of their boxes: 0
wider than the window: false
texts that are hard to read: 
headings skip no level: true
the page runs no code of the program: true";

fn chromium() -> Option<&'static str> {
    let runs = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(runs)
}

/// A report about a class whose exception has markup in its message.
fn report(directory: &TempDir) -> String {
    let source = r#"
        public class Cells {
            static class Cell { int value; Cell next; }
            Cell first;
            public void check(int key) {
                if (first != null && first.next != null && first.value == key) {
                    first.next = new Cell();
                    throw new AssertionError("</pre><script>alerted = 1</script> \"&amp;\"");
                }
            }
            public int size() { int size = 0; for (Cell cell = first; cell != null; cell = cell.next) size++; return size; }
        }"#;
    let root = directory.path();
    std::fs::write(root.join("Cells.java"), source).expect("the scratch directory can be written");
    let javac = Command::new("javac").args(["-g", "-d"]).arg(root).arg(root.join("Cells.java")).status();
    assert!(javac.expect("javac is installed").success());
    let output = Command::new(env!("CARGO_BIN_EXE_lazuli"))
        .current_dir(root)
        .args([
            "check",
            "-cp",
            ".",
            "Cells",
            "--max-paths",
            "400",
            "--jobs",
            "1",
            "--format",
            "html",
            "-o",
            "report.html",
        ])
        .output()
        .expect("lazuli starts");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read_to_string(root.join("report.html")).expect("the report was written")
}

/// The page as the browser renders it.
fn shown(browser: &str, directory: &Path, page: &Path, options: &[&str]) -> String {
    let output = Command::new(browser)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("--user-data-dir={}", directory.join("profile").display()))
        .args(options)
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_browser_shows_the_report_and_its_links_and_folds_work() {
    let Some(browser) = chromium() else {
        // Not by a macro: what a test that passes prints is not shown.
        let _ = writeln!(std::io::stderr(), "SKIPPED: there is no Chromium here; `apt-get install chromium` brings it");
        return;
    };
    let directory = tempfile::tempdir().expect("a scratch directory can be made");
    let report = report(&directory);
    assert!(report.contains("throw new AssertionError"), "the source lines are there");
    let page = directory.path().join("asked.html");
    std::fs::write(&page, report.replace("</body>", &format!("{QUESTIONS}</body>"))).expect("it can be written");
    for options in [
        &["--window-size=1200,900"][..],
        &["--window-size=1200,900", "--blink-settings=preferredColorScheme=0"],
        &["--window-size=500,900"],
    ] {
        let dom = shown(browser, directory.path(), &page, options);
        let answers = dom.split("<pre id=\"answers\">").nth(1).and_then(|rest| rest.split("</pre>").next());
        assert_eq!(answers, Some(EXPECTED), "{options:?}");
    }
}
