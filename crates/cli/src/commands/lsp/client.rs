//! What can be said to the editor, and what does it understand?

use std::cell::Cell;

use crossbeam_channel::Sender;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification;
use lsp_types::request;
use lsp_types::{
    ClientCapabilities, Diagnostic, MessageType, NumberOrString, ProgressParams, ProgressParamsValue,
    PublishDiagnosticsParams, ShowDocumentParams, ShowMessageParams, Uri, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use serde::Serialize;

pub(super) struct Client {
    sender: Sender<Message>,
    shows_progress: bool,
    shows_documents: bool,
    refreshes_lenses: bool,
    /// Of the last request to the editor.
    last: Cell<i32>,
}

impl Client {
    pub(super) fn new(sender: Sender<Message>, abilities: &ClientCapabilities) -> Client {
        let window = abilities.window.as_ref();
        let lenses = abilities.workspace.as_ref().and_then(|workspace| workspace.code_lens.as_ref());
        Client {
            sender,
            shows_progress: window.and_then(|window| window.work_done_progress).unwrap_or(false),
            shows_documents: window.and_then(|window| Some(window.show_document.as_ref()?.support)).unwrap_or(false),
            refreshes_lenses: lenses.and_then(|lenses| lenses.refresh_support).unwrap_or(false),
            last: Cell::new(0),
        }
    }

    pub(super) fn answer(&self, id: RequestId, result: impl Serialize) {
        self.send(Response::new_ok(id, result).into());
    }

    pub(super) fn refuse(&self, id: RequestId, code: ErrorCode, why: &str) {
        self.send(Response::new_err(id, code as i32, why.to_string()).into());
    }

    /// A message that the user sees.
    pub(super) fn complain(&self, message: &str) {
        self.say(MessageType::ERROR, message);
    }

    pub(super) fn warn(&self, message: &str) {
        self.say(MessageType::WARNING, message);
    }

    pub(super) fn inform(&self, message: &str) {
        self.say(MessageType::INFO, message);
    }

    fn say(&self, typ: MessageType, message: &str) {
        let message = format!("Lazuli: {message}");
        self.notify::<notification::ShowMessage>(ShowMessageParams { typ, message });
    }

    pub(super) fn publish(&self, uri: Uri, diagnostics: Vec<Diagnostic>) {
        let published = PublishDiagnosticsParams { uri, diagnostics, version: None };
        self.notify::<notification::PublishDiagnostics>(published);
    }

    /// The titles of lenses have changed.
    pub(super) fn refresh_lenses(&self) {
        if self.refreshes_lenses {
            self.ask::<request::CodeLensRefresh>(());
        }
    }

    pub(super) fn open(&self, uri: Uri) {
        if self.shows_documents {
            let shown = ShowDocumentParams { uri, external: None, take_focus: Some(true), selection: None };
            self.ask::<request::ShowDocument>(shown);
        }
    }

    /// A new place for progress, if the editor has one.
    pub(super) fn begin_progress(
        &self,
        token: Option<NumberOrString>,
        job: u64,
        title: String,
    ) -> Option<NumberOrString> {
        let token = match token {
            Some(token) => token,
            None if self.shows_progress => {
                let token = NumberOrString::String(format!("lazuli/{job}"));
                self.ask::<request::WorkDoneProgressCreate>(WorkDoneProgressCreateParams { token: token.clone() });
                token
            }
            None => return None,
        };
        let begin = WorkDoneProgressBegin { title, cancellable: Some(true), message: None, percentage: None };
        self.progress(&token, WorkDoneProgress::Begin(begin));
        Some(token)
    }

    pub(super) fn report_progress(&self, token: &NumberOrString, message: String) {
        let report = WorkDoneProgressReport { cancellable: Some(true), message: Some(message), percentage: None };
        self.progress(token, WorkDoneProgress::Report(report));
    }

    pub(super) fn end_progress(&self, token: &NumberOrString, message: String) {
        self.progress(token, WorkDoneProgress::End(WorkDoneProgressEnd { message: Some(message) }));
    }

    fn progress(&self, token: &NumberOrString, value: WorkDoneProgress) {
        let value = ProgressParamsValue::WorkDone(value);
        self.notify::<notification::Progress>(ProgressParams { token: token.clone(), value });
    }

    fn notify<N: notification::Notification>(&self, parameters: N::Params) {
        self.send(Notification::new(N::METHOD.to_string(), parameters).into());
    }

    fn ask<R: request::Request>(&self, parameters: R::Params) {
        self.last.set(self.last.get() + 1);
        self.send(Request::new(self.last.get().into(), R::METHOD.to_string(), parameters).into());
    }

    /// An editor that is gone hears nothing; the server ends when it notices.
    fn send(&self, message: Message) {
        let _ = self.sender.send(message);
    }
}
