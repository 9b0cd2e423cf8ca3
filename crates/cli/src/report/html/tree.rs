//! Which ways did the exploration go? Choices that can be folded, and where they led.

use std::sync::Arc;

use lazuli_console::escape::escaped;
use lazuli_console::numbers::count;
use lazuli_explore::{Choice, Ending, Leaf, Report};

/// Browsers give up on pages that are nested more deeply than some hundred levels.
const DEEPEST: usize = 60;
/// Branches that are open from the start.
const OPEN_LEVELS: usize = 1;

/// The tree of a target; nothing if there was only one path.
pub(super) fn details(report: &Report) -> String {
    let leaves = &report.tree;
    if leaves.len() < 2 {
        return String::new();
    }
    let mut root = TreeNode::default();
    for leaf in leaves {
        root.add(&leaf.choices, leaf);
    }
    let paths = count(report.paths, "path", "paths");
    let cut = match report.paths > leaves.len() as u64 {
        true => format!("<p class=\"quiet\">Only the first {} of {paths} are shown.</p>\n", leaves.len()),
        false => String::new(),
    };
    format!(
        "<h3>The exploration tree</h3>\n<details class=\"exploration\"><summary>{paths} by their choices</summary>\n{cut}\
         <div class=\"tree\">\n{}</div></details>\n",
        root.html(0)
    )
}

/// The choices that paths share, and those by which they differ.
#[derive(Default)]
struct TreeNode<'a> {
    branches: Vec<(&'a Arc<Choice>, TreeNode<'a>)>,
    ends: Vec<&'a Leaf>,
}

impl<'a> TreeNode<'a> {
    /// Leaves come in the order of their traces, so that a branch that was begun is the last one.
    fn add(&mut self, choices: &'a [Arc<Choice>], leaf: &'a Leaf) {
        let mut node = self;
        for choice in choices {
            if node.branches.last().is_none_or(|(last, _)| *last != choice) {
                node.branches.push((choice, TreeNode::default()));
            }
            node = &mut node.branches.last_mut().expect("one was just added").1;
        }
        node.ends.push(leaf);
    }

    fn leaves(&self) -> usize {
        self.ends.len() + self.branches.iter().map(|(_, node)| node.leaves()).sum::<usize>()
    }

    fn has_fault(&self) -> bool {
        self.ends.iter().any(|leaf| leaf.is_fault) || self.branches.iter().any(|(_, node)| node.has_fault())
    }

    fn html(&self, level: usize) -> String {
        let mut html: String = self.ends.iter().map(|leaf| end(leaf)).collect();
        for (choice, node) in &self.branches {
            html.push_str(&node.branch(choice, level));
        }
        html
    }

    /// Choices after which there is only one way to go on stand in one line.
    fn branch(&self, choice: &Choice, level: usize) -> String {
        let mut words = vec![words_of(choice)];
        let mut node = self;
        while let ([(next, only)], []) = (node.branches.as_slice(), node.ends.as_slice()) {
            words.push(words_of(next));
            node = only;
        }
        let words = words.join(" <span class=\"quiet\">·</span> ");
        if let ([], [leaf]) = (node.branches.as_slice(), node.ends.as_slice()) {
            return format!("<div class=\"way\">{words} {}</div>\n", end(leaf).trim_end());
        }
        let leaves = node.leaves() as u64;
        if level >= DEEPEST {
            return format!(
                "<div class=\"way\">{words} <span class=\"quiet\">… {}</span></div>\n",
                count(leaves, "path", "paths")
            );
        }
        let fault = if node.has_fault() { " class=\"fault\"" } else { "" };
        let open = if level < OPEN_LEVELS { " open" } else { "" };
        format!(
            "<details{fault}{open}><summary>{words} <span class=\"quiet\">{}</span></summary>\n{}</details>\n",
            count(leaves, "path", "paths"),
            node.html(level + 1)
        )
    }
}

fn words_of(choice: &Choice) -> String {
    format!("<span title=\"{}\">{}</span>", escaped(&choice.at), escaped(&choice.what))
}

fn end(leaf: &Leaf) -> String {
    let simple = |class: &str| class.rsplit(['.', '$']).next().unwrap_or(class).to_string();
    let (words, class) = match &leaf.ending {
        Ending::Returned if leaf.is_fault => ("returned, contract broken".to_string(), "violated"),
        Ending::Returned => ("returned".to_string(), "holds"),
        Ending::Threw { class, .. } if leaf.is_fault => (format!("threw {}", simple(class)), "violated"),
        Ending::Threw { class, .. } => (format!("threw {}", simple(class)), "holds"),
        Ending::Exited(code) => (format!("exited with code {code}"), "holds"),
        Ending::Deadlock { .. } => ("deadlocked".to_string(), "violated"),
        Ending::Broken(breach) => (format!("broke property {}", breach.property), "violated"),
        Ending::Limit { .. } => ("cut by a limit".to_string(), "incomplete"),
        Ending::Unsupported { .. } => ("unsupported".to_string(), "incomplete"),
        Ending::Unknown { .. } => ("unknown".to_string(), "incomplete"),
    };
    format!("<span class=\"end {class}\">{}</span>\n", escaped(&words))
}
