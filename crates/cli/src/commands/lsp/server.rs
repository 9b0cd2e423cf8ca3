//! What does the server answer, and what does it do by itself?
//!
//! Invariant: nothing here waits for a check. At most one job runs; others are queued, and a check of a file replaces an older one of the same
//! targets. A request of a command is answered when its job ends.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    CodeLensParams, Diagnostic, DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, ExecuteCommandParams, Hover, HoverContents, HoverParams, Location, MarkupContent,
    MarkupKind, NumberOrString, Uri, WorkDoneProgressCancelParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::client::Client;
use super::documents::OpenDocuments;
use super::jobs::{JobEvent, JobKind, RunningJob};
use super::lenses::lenses;
use super::places::{SourcePlaces, path_of, uri_of};
use super::reported::{TargetReport, line_range};
use super::settings::{CheckOn, EditorProject};
use super::{CHECK, WRITE_TEST};

/// How often class files are looked at.
const PAUSE: Duration = Duration::from_millis(400);

pub(super) struct Server {
    client: Client,
    project: EditorProject,
    documents: OpenDocuments,
    /// The latest report of each target, by the file and the name.
    reports: BTreeMap<(PathBuf, String), TargetReport>,
    /// The files that show diagnostics.
    shown: BTreeSet<Uri>,
    queue: VecDeque<Job>,
    running: Option<(RunningJob, Job)>,
    events: (Sender<JobEvent>, Receiver<JobEvent>),
    last_job: u64,
    is_shut_down: bool,
}

/// Work that was asked for, by a request or by a new build.
struct Job {
    number: u64,
    kind: JobKind,
    /// The request that waits for it.
    request: Option<RequestId>,
    token: Option<NumberOrString>,
    is_cancelled: bool,
    settled: usize,
}

/// How a job ended, for the request that waits for it.
enum JobEnd {
    Done(Value),
    Cancelled,
    /// With the message of the process.
    Failed(String),
}

impl Server {
    pub(super) fn new(client: Client, project: EditorProject) -> Server {
        Server {
            client,
            project,
            documents: OpenDocuments::default(),
            reports: BTreeMap::new(),
            shown: BTreeSet::new(),
            queue: VecDeque::new(),
            running: None,
            events: unbounded(),
            last_job: 0,
            is_shut_down: false,
        }
    }

    /// Answers until the editor says `exit`, or is gone. True if it had said `shutdown` before.
    pub(super) fn run(mut self, connection: &Connection) -> bool {
        loop {
            let events = self.events.1.clone();
            select! {
                recv(connection.receiver) -> message => match message {
                    Ok(Message::Request(request)) => self.answer(request),
                    Ok(Message::Notification(told)) if told.method == notification::Exit::METHOD => break,
                    Ok(Message::Notification(told)) => self.hear(told),
                    // Answers to what the editor was asked to show.
                    Ok(Message::Response(_)) => {}
                    Err(_) => break,
                },
                recv(events) -> event => if let Ok(event) = event { self.note(event) },
                default(PAUSE) => self.look_for_builds(),
            }
            self.start_next();
        }
        self.end_running();
        self.is_shut_down
    }

    fn answer(&mut self, request: Request) {
        let Request { id, method, params } = request;
        if self.is_shut_down {
            return self.client.refuse(id, ErrorCode::InvalidRequest, "the server is shut down");
        }
        match method.as_str() {
            request::Shutdown::METHOD => {
                self.is_shut_down = true;
                self.queue.clear();
                self.end_running();
                self.client.answer(id, Value::Null);
            }
            request::HoverRequest::METHOD => self.with(id, params, Server::hover),
            request::CodeLensRequest::METHOD => self.with(id, params, Server::lenses),
            request::ExecuteCommand::METHOD => match serde_json::from_value(params) {
                Ok(parameters) => self.execute(id, parameters),
                Err(error) => self.client.refuse(id, ErrorCode::InvalidParams, &error.to_string()),
            },
            _ => self.client.refuse(id, ErrorCode::MethodNotFound, &format!("{method} is not served")),
        }
    }

    fn with<P: DeserializeOwned, R: serde::Serialize>(
        &mut self,
        id: RequestId,
        parameters: Value,
        answer: impl FnOnce(&Server, P) -> R,
    ) {
        match serde_json::from_value(parameters) {
            Ok(parameters) => self.client.answer(id, answer(self, parameters)),
            Err(error) => self.client.refuse(id, ErrorCode::InvalidParams, &error.to_string()),
        }
    }

    fn hear(&mut self, told: Notification) {
        let Notification { method, params } = told;
        // By the protocol, a notification that cannot be read has no answer.
        match method.as_str() {
            notification::DidOpenTextDocument::METHOD => parsed(params).into_iter().for_each(|told| self.open(told)),
            notification::DidChangeTextDocument::METHOD => {
                parsed(params).into_iter().for_each(|told| self.change(told))
            }
            notification::DidCloseTextDocument::METHOD => parsed(params).into_iter().for_each(|told| self.close(told)),
            notification::DidSaveTextDocument::METHOD => self.look_for_builds(),
            notification::DidChangeWatchedFiles::METHOD => {
                parsed(params).into_iter().for_each(|told| self.files_changed(told))
            }
            notification::Cancel::METHOD => self.cancel_request(&params["id"]),
            notification::WorkDoneProgressCancel::METHOD => {
                if let Some(WorkDoneProgressCancelParams { token }) = parsed(params) {
                    self.cancel(|job| job.token.as_ref() == Some(&token));
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, told: DidOpenTextDocumentParams) {
        let document = told.text_document;
        let Some(path) = path_of(&document.uri) else { return };
        self.documents.open(path.clone(), document.uri, document.text, &self.project);
        if self.project.settings.check_on == CheckOn::Open {
            self.check_file(&path, None, None);
        }
    }

    fn change(&mut self, told: DidChangeTextDocumentParams) {
        // Changes are whole texts, as the server asked for.
        let text = told.content_changes.into_iter().next_back().map(|change| change.text);
        let document = path_of(&told.text_document.uri).and_then(|path| self.documents.get_mut(&path));
        if let (Some(document), Some(text)) = (document, text) {
            document.text = text;
        }
    }

    fn close(&mut self, told: DidCloseTextDocumentParams) {
        let Some(path) = path_of(&told.text_document.uri) else { return };
        self.documents.close(&path);
        self.reports.retain(|(source, _), _| *source != path);
        self.show();
    }

    fn files_changed(&mut self, told: DidChangeWatchedFilesParams) {
        let mut changed = told.changes.iter().filter_map(|change| path_of(&change.uri));
        if changed.any(|path| EditorProject::is_settings(&path)) {
            let (project, mistake) = EditorProject::open(self.project.settings.clone());
            self.project = project;
            mistake.into_iter().for_each(|mistake| self.client.complain(&mistake.to_string()));
        }
        self.look_for_builds();
    }

    /// Checks again what a new build may have changed: all open files that were checked before, and the one that was compiled.
    fn look_for_builds(&mut self) {
        let paths = self.documents.paths();
        let mut built: Vec<&PathBuf> = Vec::new();
        for path in &paths {
            if self.documents.has_new_build(path, &self.project) {
                built.push(path);
            }
        }
        if built.is_empty() {
            return;
        }
        self.client.refresh_lenses();
        if self.project.settings.check_on == CheckOn::Command {
            return;
        }
        for path in &paths {
            let was_checked = self.documents.get(path).is_some_and(|document| document.was_checked);
            if was_checked || built.contains(&path) {
                self.check_file(path, None, None);
            }
        }
    }

    /// Checks all that a file has. One that was not compiled is told about only if the user asked.
    fn check_file(&mut self, path: &Path, request: Option<RequestId>, token: Option<NumberOrString>) {
        let targets = self.documents.get(path).map(|document| document.targets()).unwrap_or_default();
        if targets.is_empty() {
            if let Some(id) = request {
                self.client.refuse(id, ErrorCode::RequestFailed, &self.not_compiled(path));
            }
            return;
        }
        self.submit(JobKind::Check { source: path.to_path_buf(), targets }, request, token);
    }

    fn not_compiled(&self, path: &Path) -> String {
        let folders: Vec<String> = self.project.class_path.iter().map(|entry| entry.display().to_string()).collect();
        format!(
            "there is no method to check that was compiled from {} in {}; compile it with `javac -g`, or say where its classes \
             are with `class-path` in lazuli.toml.",
            path.display(),
            folders.join(", ")
        )
    }

    fn execute(&mut self, id: RequestId, parameters: ExecuteCommandParams) {
        let ExecuteCommandParams { command, arguments, work_done_progress_params } = parameters;
        let token = work_done_progress_params.work_done_token;
        let uri = arguments.first().and_then(|uri| serde_json::from_value::<Uri>(uri.clone()).ok());
        let path = uri.as_ref().and_then(path_of);
        let target = arguments.get(1).and_then(Value::as_str).map(str::to_string);
        match (command.as_str(), path, target) {
            (CHECK, Some(path), None) => self.check_file(&path, Some(id), token),
            (CHECK, Some(source), Some(target)) => {
                self.submit(JobKind::Check { source, targets: vec![target] }, Some(id), token);
            }
            (WRITE_TEST, Some(_), Some(target)) => {
                let folder = self.project.test_folder();
                self.submit(JobKind::WriteTest { target, folder }, Some(id), token);
            }
            (CHECK | WRITE_TEST, _, _) => {
                let why = format!("{command} needs the URI of a file, and a target such as acme.Node.swap(int)");
                self.client.refuse(id, ErrorCode::InvalidParams, &why);
            }
            _ => self.client.refuse(id, ErrorCode::InvalidParams, &format!("there is no command {command}")),
        }
    }

    /// Queues a job. An older one for the same, which no request waits for, is of no more use.
    fn submit(&mut self, kind: JobKind, request: Option<RequestId>, token: Option<NumberOrString>) {
        if let JobKind::Check { source, .. } = &kind {
            if let Some(document) = self.documents.get_mut(source) {
                document.was_checked = true;
            }
            let stale = self.documents.get(source).is_some_and(|document| document.compiled.is_older_than(source));
            if stale && request.is_some() {
                let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
                self.client.warn(&format!("{name} is newer than its class file. The verdict is about the class file."));
            }
        }
        self.cancel(|job| job.request.is_none() && job.kind == kind);
        self.last_job += 1;
        let number = self.last_job;
        self.queue.push_back(Job { number, kind, request, token, is_cancelled: false, settled: 0 });
    }

    fn start_next(&mut self) {
        while self.running.is_none()
            && let Some(mut job) = self.queue.pop_front()
        {
            job.token = self.client.begin_progress(job.token.take(), job.number, job.title());
            let started = RunningJob::start(job.number, &job.kind, self.project.words(), self.events.0.clone());
            match started {
                Ok(running) => self.running = Some((running, job)),
                Err(error) => {
                    let why = format!("lazuli cannot be started: {error}.");
                    self.client.complain(&why);
                    self.finish(job, JobEnd::Failed(why));
                }
            }
        }
    }

    fn end_running(&mut self) {
        if let Some((running, job)) = self.running.take() {
            running.end_now();
            self.finish(job, JobEnd::Failed("the server was shut down".to_string()));
        }
    }

    fn cancel_request(&mut self, id: &Value) {
        let id = match id {
            Value::Number(number) => number.as_i64().and_then(|number| i32::try_from(number).ok()).map(RequestId::from),
            Value::String(text) => Some(RequestId::from(text.clone())),
            _ => None,
        };
        if id.is_some() {
            self.cancel(|job| job.request == id);
        }
    }

    /// Ends jobs, running or not. A running one is answered when its process has ended.
    fn cancel(&mut self, is_meant: impl Fn(&Job) -> bool) {
        if let Some((running, job)) = &mut self.running
            && is_meant(job)
        {
            job.is_cancelled = true;
            running.end();
        }
        let (meant, others) = std::mem::take(&mut self.queue).into_iter().partition(|job| is_meant(job));
        self.queue = others;
        for mut job in meant {
            job.is_cancelled = true;
            self.finish(job, JobEnd::Cancelled);
        }
    }

    fn note(&mut self, event: JobEvent) {
        let number = match &event {
            JobEvent::Settled { job, .. } | JobEvent::Ended { job, .. } => *job,
        };
        // News of a process that was ended come late.
        if self.running.as_ref().is_none_or(|(running, _)| running.job != number) {
            return;
        }
        match event {
            JobEvent::Settled { headline, reports, .. } => {
                let Some((_, job)) = &mut self.running else { return };
                if job.is_cancelled {
                    return;
                }
                if let Some(token) = &job.token {
                    self.client.report_progress(token, headline);
                }
                if let JobKind::Check { source, .. } = &job.kind
                    && reports.len() > job.settled
                {
                    job.settled = reports.len();
                    let source = source.clone();
                    self.keep(&source, reports);
                }
            }
            JobEvent::Ended { reports, output, complaints, .. } => {
                let Some((_, job)) = self.running.take() else { return };
                self.end(job, reports, &output, &complaints);
            }
        }
    }

    fn end(&mut self, job: Job, reports: Vec<TargetReport>, output: &str, complaints: &str) {
        if job.is_cancelled {
            return self.finish(job, JobEnd::Cancelled);
        }
        match &job.kind {
            JobKind::Check { source, targets } => {
                if reports.iter().all(|report| report.error.is_some()) {
                    let why: Vec<&str> = reports.iter().filter_map(|report| report.error.as_deref()).collect();
                    let why = if why.is_empty() { complaints.trim().to_string() } else { why.join("\n") };
                    if job.request.is_some() {
                        self.client.complain(&why);
                    }
                    let source = source.clone();
                    self.keep(&source, reports);
                    return self.finish(job, JobEnd::Failed(why));
                }
                let verdicts: Vec<Value> = reports
                    .iter()
                    .map(|report| json!({"target": report.target, "title": report.title, "verdict": report.verdict}))
                    .collect();
                let (source, is_whole) = (source.clone(), targets.len() > 1 || !targets[0].contains('('));
                if is_whole {
                    self.forget_missing(&source, &reports);
                }
                self.keep(&source, reports);
                self.client.refresh_lenses();
                self.finish(job, JobEnd::Done(Value::Array(verdicts)));
            }
            JobKind::WriteTest { folder, .. } => {
                // `folder/acme/NodeLazuliTest.java: 3 tests`
                let files = output.lines().filter_map(|line| Some(line.split_once(".java: ")?.0.to_string() + ".java"));
                let files: Vec<PathBuf> = files.map(PathBuf::from).filter(|file| file.starts_with(folder)).collect();
                if files.is_empty() {
                    let why = if complaints.trim().is_empty() { output } else { complaints }.trim();
                    self.client.complain(why);
                    return self.finish(job, JobEnd::Failed(why.to_string()));
                }
                self.client.inform(output.trim());
                let uris: Vec<Uri> = files.iter().filter_map(|file| uri_of(&file.canonicalize().ok()?)).collect();
                uris.first().into_iter().for_each(|uri| self.client.open(uri.clone()));
                self.finish(job, JobEnd::Done(json!(uris)));
            }
        }
    }

    /// Answers the request that waits for a job.
    fn finish(&self, job: Job, end: JobEnd) {
        if let Some(token) = &job.token {
            let how = if job.is_cancelled { "cancelled" } else { "done" };
            self.client.end_progress(token, how.to_string());
        }
        match (job.request, end) {
            (None, _) => {}
            (Some(id), JobEnd::Done(result)) => self.client.answer(id, result),
            (Some(id), JobEnd::Cancelled) => self.client.refuse(id, ErrorCode::RequestCanceled, "cancelled"),
            (Some(id), JobEnd::Failed(why)) => self.client.refuse(id, ErrorCode::RequestFailed, &why),
        }
    }

    fn keep(&mut self, source: &Path, reports: Vec<TargetReport>) {
        for report in reports {
            self.reports.insert((source.to_path_buf(), report.target.clone()), report);
        }
        self.show();
    }

    /// Forgets the reports about a file whose methods are no longer there, and what could not be checked before.
    fn forget_missing(&mut self, source: &Path, reports: &[TargetReport]) {
        let Some(document) = self.documents.get(source) else { return };
        self.reports.retain(|(file, target), report| {
            let is_there = document.compiled.methods().any(|method| method.target == *target);
            file != source || reports.iter().any(|new| new.target == *target) || (is_there && report.error.is_none())
        });
    }

    /// Shows the diagnostics of all reports, and none where there are none any more.
    fn show(&mut self) {
        let places = SourcePlaces::new(&self.project.sources, &self.project.class_path);
        // By the text of the address: addresses have cells, which keys should not.
        let mut by_file: BTreeMap<String, (Uri, Vec<Diagnostic>)> = BTreeMap::new();
        let entry = |uri: Uri| (uri.as_str().to_string(), (uri, Vec::new()));
        for ((source, _), report) in &self.reports {
            let Some(begins) = self.declared(source, &report.target) else { continue };
            for (place, diagnostic) in report.diagnostics(&begins, &places) {
                let (key, empty) = entry(place.uri);
                let (_, same) = by_file.entry(key).or_insert(empty);
                if !same.contains(&diagnostic) {
                    same.push(diagnostic);
                }
            }
        }
        for uri in std::mem::take(&mut self.shown) {
            let (key, empty) = entry(uri);
            by_file.entry(key).or_insert(empty);
        }
        for (uri, diagnostics) in by_file.into_values() {
            if !diagnostics.is_empty() {
                self.shown.insert(uri.clone());
            }
            self.client.publish(uri, diagnostics);
        }
    }

    /// Where an open file declares a target; its first line for what it does not show.
    fn declared(&self, source: &Path, target: &str) -> Option<Location> {
        let document = self.documents.get(source)?;
        let method = document.compiled.methods().find(|method| method.target == target || method.request == target);
        let line = method.map_or(1, |method| method.declaration(&document.text).unwrap_or(method.lines.0));
        Some(Location { uri: document.uri.clone(), range: line_range(line) })
    }

    fn reports_of<'a>(&'a self, source: &Path) -> BTreeMap<&'a str, &'a TargetReport> {
        let of_file = self.reports.iter().filter(|((file, _), _)| file == source);
        of_file.map(|((_, target), report)| (target.as_str(), report)).collect()
    }

    fn hover(&self, parameters: HoverParams) -> Option<Hover> {
        let at = parameters.text_document_position_params;
        let path = path_of(&at.text_document.uri)?;
        let document = self.documents.get(&path)?;
        let method = document.compiled.method_at(at.position.line + 1, &document.text)?;
        let report = self.reports.get(&(path, method.target.clone()))?;
        let value = report.hover();
        Some(Hover {
            contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }),
            range: None,
        })
    }

    fn lenses(&self, parameters: CodeLensParams) -> Vec<lsp_types::CodeLens> {
        let path = path_of(&parameters.text_document.uri);
        let document = path.as_ref().and_then(|path| Some((path, self.documents.get(path)?)));
        document.map(|(path, document)| lenses(document, &self.reports_of(path))).unwrap_or_default()
    }
}

impl Job {
    fn title(&self) -> String {
        match &self.kind {
            JobKind::Check { source, targets } => match targets.as_slice() {
                [one] => format!("Checking {one}"),
                _ => format!("Checking {}", source.file_name().unwrap_or_default().to_string_lossy()),
            },
            JobKind::WriteTest { target, .. } => format!("Writing a test of {target}"),
        }
    }
}

fn parsed<P: DeserializeOwned>(parameters: Value) -> Option<P> {
    serde_json::from_value(parameters).ok()
}
