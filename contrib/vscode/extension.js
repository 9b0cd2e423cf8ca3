// Starts `lazuli lsp`, and nothing else: diagnostics, hovers, lenses and progress are the server's.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** @type {LanguageClient | undefined} */
let client;

function settings() {
  const lazuli = vscode.workspace.getConfiguration("lazuli");
  const options = {
    classPath: lazuli.get("classPath", []),
    sources: lazuli.get("sources", []),
    arguments: lazuli.get("arguments", []),
    checkOn: lazuli.get("checkOn", "save"),
  };
  const folder = lazuli.get("testFolder", "");
  return folder ? { ...options, testFolder: folder } : options;
}

async function start() {
  const command = vscode.workspace.getConfiguration("lazuli").get("path", "lazuli");
  client = new LanguageClient(
    "lazuli",
    "Lazuli",
    { command, args: ["lsp"] },
    {
      documentSelector: ["java", "kotlin", "scala"].map((language) => ({ scheme: "file", language })),
      initializationOptions: settings(),
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/{lazuli.toml,*.class}") },
    },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(`Lazuli cannot be started as "${command}": ${error.message}. Set lazuli.path to the program.`);
  }
}

async function stop() {
  const ended = client;
  client = undefined;
  await ended?.stop();
}

async function restart() {
  await stop();
  await start();
}

function checkFile() {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && vscode.commands.executeCommand("lazuli.check", uri.toString());
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("lazuli.checkFile", checkFile),
    vscode.commands.registerCommand("lazuli.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("lazuli") && restart()),
  );
  await start();
};

exports.deactivate = stop;
