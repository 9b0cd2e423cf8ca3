//! Which files are open in the editor, and which build are their classes of?

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::Uri;

use super::classes::{CompiledClass, CompiledSource};
use super::settings::EditorProject;

/// The open files by their paths.
#[derive(Default)]
pub(super) struct OpenDocuments {
    documents: BTreeMap<PathBuf, OpenDocument>,
}

pub(super) struct OpenDocument {
    pub uri: Uri,
    pub text: String,
    pub compiled: CompiledSource,
    /// Was it checked since it was opened? Then a new build checks it again.
    pub was_checked: bool,
    /// Class files that are not those of `compiled`, seen once: a compiler may still be writing.
    unsettled: Option<CompiledSource>,
}

impl OpenDocuments {
    pub(super) fn open(&mut self, path: PathBuf, uri: Uri, text: String, project: &EditorProject) {
        let compiled = CompiledSource::find(&path, &project.class_path);
        self.documents.insert(path, OpenDocument { uri, text, compiled, was_checked: false, unsettled: None });
    }

    pub(super) fn get(&self, path: &Path) -> Option<&OpenDocument> {
        self.documents.get(path)
    }

    pub(super) fn get_mut(&mut self, path: &Path) -> Option<&mut OpenDocument> {
        self.documents.get_mut(path)
    }

    pub(super) fn close(&mut self, path: &Path) {
        self.documents.remove(path);
    }

    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.documents.keys().cloned().collect()
    }

    /// Looks at the class files of a document again. True if a new build has settled: they differ, and did not change since the last look.
    pub(super) fn has_new_build(&mut self, path: &Path, project: &EditorProject) -> bool {
        let Some(document) = self.documents.get_mut(path) else { return false };
        if document.compiled.is_current() {
            document.unsettled = None;
            return false;
        }
        let now = CompiledSource::find(path, &project.class_path);
        if now.stamp == document.compiled.stamp {
            document.compiled = now;
            document.unsettled = None;
            return false;
        }
        if document.unsettled.as_ref().is_some_and(|before| before.stamp == now.stamp) {
            document.compiled = now;
            document.unsettled = None;
            return true;
        }
        document.unsettled = Some(now);
        false
    }
}

impl OpenDocument {
    /// The targets that a check of the whole file names: its classes, and of those without public methods the others that are not private.
    pub(super) fn targets(&self) -> Vec<String> {
        let named = self.compiled.classes.iter().filter(|class| class.is_named);
        let targets = |class: &CompiledClass| match class.has_public_methods() {
            true => vec![class.name.clone()],
            false => class
                .methods
                .iter()
                .filter(|method| method.is_ordinary())
                .map(|method| method.request.clone())
                .collect(),
        };
        named.flat_map(targets).collect()
    }
}
