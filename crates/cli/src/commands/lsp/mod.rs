//! `lazuli lsp`: how does an editor show what Lazuli finds?
//!
//! The server speaks the Language Server Protocol over standard input and output. It has one thread that answers, and never waits: `jobs` runs
//! checks as processes, `classes` says which methods a source file has, `reported` and `lenses` what the editor shows, `places` where, and `transport` carries messages.

mod classes;
mod client;
mod documents;
mod jobs;
mod lenses;
mod places;
mod reported;
mod server;
mod settings;
mod transport;

use clap::Args;
use lazuli_console::visible::tell;
use lsp_server::{Connection, ErrorCode, ProtocolError, Response};
use lsp_types::{
    CodeLensOptions, ExecuteCommandOptions, HoverProviderCapability, InitializeParams, InitializeResult, SaveOptions,
    ServerCapabilities, ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, WorkDoneProgressOptions,
};

use crate::exit::ProcessExit;
use client::Client;
use places::path_of;
use server::Server;
use settings::{EditorProject, EditorSettings};

/// The commands behind code lenses. An editor may offer them elsewhere too.
pub(super) const CHECK: &str = "lazuli.check";
pub(super) const WRITE_TEST: &str = "lazuli.writeTest";

#[derive(Args)]
pub(crate) struct LspOptions {
    /// Speak over standard input and output, which is the only way; many editors say so
    #[arg(long)]
    pub stdio: bool,
}

/// The exit code is that of the protocol: 1 where the editor left without saying so.
pub(crate) fn lsp(_: &LspOptions) -> u8 {
    let (connection, writer) = transport::connect();
    match serve(connection) {
        Ok(true) if writer.has_finished_well() => 0,
        Ok(_) => 1,
        Err(error) => {
            let what = match error.channel_is_disconnected() {
                true => "the input ended before a request to initialize".to_string(),
                false => error.to_string(),
            };
            tell!("{what}. `lazuli lsp` speaks the Language Server Protocol with an editor, which starts it.");
            ProcessExit::WrongRequest.into()
        }
    }
}

/// Speaks with the editor until it says that it is over. False if it went away without a word.
fn serve(connection: Connection) -> Result<bool, ProtocolError> {
    let (id, words) = connection.initialize_start()?;
    let parameters: InitializeParams = match serde_json::from_value(words) {
        Ok(parameters) => parameters,
        Err(error) => {
            let refusal = Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string());
            let _ = connection.sender.send(refusal.into());
            return Ok(false);
        }
    };
    // All paths of settings and reports are relative to the project.
    if let Some(folder) = root(&parameters)
        && std::env::set_current_dir(&folder).is_err()
    {
        tell!("{} cannot be entered; `lazuli lsp` works in the directory in which it was started.", folder.display());
    }
    let client = Client::new(connection.sender.clone(), &parameters.capabilities);
    let result = InitializeResult {
        capabilities: abilities(),
        server_info: Some(ServerInfo {
            name: "lazuli".to_string(),
            version: Some(env!("CARGO_PKG_VERSION").to_string()),
        }),
    };
    connection.initialize_finish(id, serde_json::to_value(result).unwrap_or_default())?;
    let settings = match parameters.initialization_options.filter(|options| !options.is_null()) {
        None => EditorSettings::default(),
        Some(options) => serde_json::from_value(options).unwrap_or_else(|error| {
            client.complain(&format!("the settings of the editor are not understood, and do not count: {error}."));
            EditorSettings::default()
        }),
    };
    let (project, mistake) = EditorProject::open(settings);
    if let Some(mistake) = mistake {
        client.complain(&mistake.to_string());
    }
    Ok(Server::new(client, project).run(&connection))
}

fn root(parameters: &InitializeParams) -> Option<std::path::PathBuf> {
    let first = parameters.workspace_folders.iter().flatten().next().map(|folder| &folder.uri);
    #[allow(deprecated)] // Older editors have nothing else.
    path_of(first.or(parameters.root_uri.as_ref())?)
}

fn abilities() -> ServerCapabilities {
    let progress = WorkDoneProgressOptions { work_done_progress: Some(true) };
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: [CHECK, WRITE_TEST].map(str::to_string).to_vec(),
            work_done_progress_options: progress,
        }),
        ..ServerCapabilities::default()
    }
}
