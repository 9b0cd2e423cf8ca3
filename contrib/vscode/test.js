// Loads the extension with stand-ins for VS Code and its language client: does it start the right server, and stop it?
"use strict";

const assert = require("node:assert");
const { test } = require("node:test");
const Module = require("node:module");
const manifest = require("./package.json");

const state = { configuration: {}, commands: {}, executed: [], clients: [], errors: [], onChange: undefined };

class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { id, name, server, options, running: false });
    state.clients.push(this);
  }
  async start() {
    if (this.server.command === "missing") throw new Error("ENOENT");
    this.running = true;
  }
  async stop() {
    this.running = false;
  }
}

const vscode = {
  workspace: {
    getConfiguration: (section) => {
      assert.strictEqual(section, "lazuli");
      return { get: (name, otherwise) => state.configuration[name] ?? manifest.contributes.configuration.properties[`lazuli.${name}`]?.default ?? otherwise };
    },
    createFileSystemWatcher: (pattern) => ({ pattern }),
    onDidChangeConfiguration: (listener) => (state.onChange = listener),
  },
  window: {
    activeTextEditor: { document: { uri: { toString: () => "file:///a/Node.java" } } },
    showErrorMessage: (message) => state.errors.push(message),
  },
  commands: {
    registerCommand: (name, action) => (state.commands[name] = action),
    executeCommand: (...words) => state.executed.push(words),
  },
};

const load = Module._load;
Module._load = (name, ...rest) => ({ vscode, "vscode-languageclient/node": { LanguageClient } })[name] ?? load(name, ...rest);
const extension = require("./extension.js");

test("the server is started with the settings, started again with new ones, and stopped", async () => {
  await extension.activate({ subscriptions: [] });
  const [first] = state.clients;
  assert.ok(first.running);
  assert.deepStrictEqual(first.server, { command: "lazuli", args: ["lsp"] });
  assert.deepStrictEqual(first.options.initializationOptions, { classPath: [], sources: [], arguments: ["--time", "20s"], checkOn: "save" });
  assert.deepStrictEqual(Object.keys(state.commands).sort(), manifest.contributes.commands.map(({ command }) => command).sort());

  state.configuration = { classPath: ["out"], checkOn: "open", testFolder: "made", path: "/opt/lazuli" };
  await state.onChange({ affectsConfiguration: (section) => section === "lazuli" });
  const second = state.clients[1];
  assert.ok(!first.running && second.running);
  assert.strictEqual(second.server.command, "/opt/lazuli");
  assert.deepStrictEqual(second.options.initializationOptions, { classPath: ["out"], sources: [], arguments: ["--time", "20s"], checkOn: "open", testFolder: "made" });

  await state.commands["lazuli.checkFile"]();
  assert.deepStrictEqual(state.executed, [["lazuli.check", "file:///a/Node.java"]]);
  await extension.deactivate();
  assert.ok(!second.running);
});

test("a program that is not there is told about", async () => {
  state.configuration = { path: "missing" };
  await state.commands["lazuli.restart"]();
  assert.match(state.errors[0], /"missing".*lazuli\.path/);
  await extension.deactivate();
});
