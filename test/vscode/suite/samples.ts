// A trusted folder with a copy of all samples: activation, findings as in the terminal, every fix, fix-all on save, settings.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../protocol/editor.ts';
import {
  actionsAt,
  activate,
  becomes,
  choose,
  diagnosticsOf,
  expectedRows,
  folder,
  readExpected,
  revert,
  rowsOf,
  ruleOf,
  set,
  show,
  until,
  uriOf,
} from './editor.ts';
import type { Expected } from './expected.ts';
import { runTests } from './runner.ts';

export interface SamplesExpected extends Expected {
  /** A file with safe fixes and what `lint --fix` makes of it. */
  fixAll: { file: string; text: string };
}

const INVOICES = 'express-shop/lib/invoices.js';

export async function run(): Promise<void> {
  const expected = readExpected<SamplesExpected>();
  const withFindings = [...new Set(expected.findings.map((finding) => finding.file))];
  const severitiesOf = (file: string, ruleId: string) =>
    diagnosticsOf(uriOf(file))
      .filter((one) => ruleOf(one) === ruleId)
      .map((one) => one.severity);
  const SYNC = 'no-sync-in-handler';

  await runTests({
    'activates where JavaScript is, and has its commands': async () => {
      const extension = await activate();
      assert.ok(extension.isActive);
      const commands = await vscode.commands.getCommands(true);
      assert.deepEqual(
        Object.values(COMMANDS).filter((command) => !commands.includes(command)),
        [],
      );
    },

    'offers the tools of `nodometer mcp` to language models': async () => {
      const ask = async (tool: string, input: object): Promise<string> => {
        const { content } = await vscode.lm.invokeTool(`nodometer_${tool}`, { input, toolInvocationToken: undefined });
        const [part, ...more] = content;
        assert.equal(more.length, 0);
        assert.ok(part instanceof vscode.LanguageModelTextPart);
        return part.value;
      };
      assert.deepEqual(
        vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('nodometer_')),
        ['findings', 'explain', 'prove', 'compare'].map((name) => `nodometer_${name}`),
      );
      const listed = await ask('findings', { path: 'express-shop/lib' });
      const id = /^express-shop\/lib\/invoices\.js:\S+ \w+ [\w-]+ ([0-9a-f]{12}) /m.exec(listed)?.[1];
      assert.ok(id, listed);
      assert.match(listed, /\ndone: /);
      assert.match(await ask('explain', { id }), new RegExp(`^express-shop/lib/invoices\\.js:.* ${id} `));
      assert.match(await ask('findings', { path: '../..' }), /^error: The path leads out of the folder/);
    },

    'shows what the terminal shows, file by file': async () => {
      assert.ok(withFindings.length > 10 && expected.findings.length > 20, 'the samples are there');
      for (const file of withFindings) {
        await show(uriOf(file));
        await becomes(() => rowsOf(uriOf(file)), expectedRows(expected.findings, file), file);
      }
      const innocent = expected.files.filter((file) => !withFindings.includes(file));
      assert.ok(innocent.length > 10);
      for (const file of innocent) await show(uriOf(file));
      // The server answers in turn: when the last file's findings are here, the others have been looked at.
      await show(uriOf(INVOICES));
      await becomes(() => rowsOf(uriOf(INVOICES)), expectedRows(expected.findings, INVOICES), INVOICES);
      assert.deepEqual(
        innocent.flatMap((file) => rowsOf(uriOf(file))),
        [],
      );
    },

    "links every finding to its rule's page": async () => {
      for (const diagnostic of withFindings.flatMap((file) => diagnosticsOf(uriOf(file)))) {
        assert.ok(typeof diagnostic.code === 'object', `${ruleOf(diagnostic)} has a link`);
        assert.match(readFileSync(diagnostic.code.target.fsPath, 'utf8'), new RegExp(`^# .*${ruleOf(diagnostic)}`));
      }
    },

    'offers every fix, and each does what the terminal says': async () => {
      assert.ok(expected.fixes.length > 15);
      for (const { finding, title, kind, text } of expected.fixes) {
        const place = expected.findings[finding];
        assert.ok(place);
        const editor = await show(uriOf(place.file));
        const { uri } = editor.document;
        await becomes(() => rowsOf(uri), expectedRows(expected.findings, place.file), `${place.file} before "${title}"`);
        const start = new vscode.Position(place.line - 1, place.column - 1);
        const actions = (await actionsAt(uri, new vscode.Range(start, start))).filter((action) => action.title === title);
        assert.ok(actions.length > 0, `"${title}" is offered at ${place.file}:${place.line}`);
        const [action] = actions;
        assert.ok(action);
        assert.equal(action.isPreferred ?? false, kind === 'safe', `${title}: safe fixes are preferred, no others`);
        const before = diagnosticsOf(uri).length;
        await choose(action);
        assert.equal(editor.document.getText(), text, `${place.file}: ${title}`);
        await until(`"${title}" takes a finding of ${place.file} away`, () => diagnosticsOf(uri).length < before);
        await revert();
        await until('the file is as before', () => !editor.document.isDirty);
      }
    },

    'makes the safe fixes on save': async () => {
      const { file, text } = expected.fixAll;
      const uri = uriOf(file);
      await set('editor.codeActionsOnSave', { 'source.fixAll.nodometer': 'explicit' });
      const { document } = await show(uri);
      await until('findings in the file with safe fixes', () => diagnosticsOf(uri).length > 0);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(uri, new vscode.Position(0, 0), '// touched\n');
      await vscode.workspace.applyEdit(edit);
      assert.ok(await document.save());
      assert.equal(readFileSync(uri.fsPath, 'utf8'), `// touched\n${text}`);
      await becomes(() => diagnosticsOf(uri).length, 0, 'nothing is left');
      await set('editor.codeActionsOnSave', undefined);
    },

    'does not fix on save unless it is asked to': async () => {
      const uri = uriOf('plain.js');
      const before =
        'module.exports = (links) => links.filter((link) => { try { new URL(link); return true; } catch { return false; } });\n';
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(before));
      const { document } = await show(uri);
      await until('findings', () => diagnosticsOf(uri).length > 0);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(uri, new vscode.Position(0, 0), '// touched\n');
      await vscode.workspace.applyEdit(edit);
      assert.ok(await document.save());
      assert.equal(readFileSync(uri.fsPath, 'utf8'), `// touched\n${before}`);
      assert.equal(diagnosticsOf(uri).length, 1);
    },

    'offers comments that silence, and obeys them': async () => {
      const uri = uriOf(INVOICES);
      const { document } = await show(uri);
      await becomes(() => rowsOf(uri), expectedRows(expected.findings, INVOICES), INVOICES);
      const [first] = diagnosticsOf(uri);
      assert.ok(first);
      const comments = (await actionsAt(uri, first.range)).filter((action) => /^Disable/.test(action.title));
      assert.ok(comments.length >= 2, 'for the line and for the file');
      const before = diagnosticsOf(uri).length;
      const [line] = comments;
      assert.ok(line);
      await choose(line);
      assert.match(document.getText(), /nodometer-disable-(?:next-)?line no-sync-in-handler/);
      await becomes(() => diagnosticsOf(uri).length, before - 1, 'one is silenced');
      await revert();
      await becomes(() => rowsOf(uri), expectedRows(expected.findings, INVOICES), INVOICES);
      await set('nodometer.codeAction.disableComment.enable', false);
      await until(
        'no comments are offered',
        async () => !(await actionsAt(uri, first.range)).some((action) => /^Disable/.test(action.title)),
      );
      await set('nodometer.codeAction.disableComment.enable', undefined);
    },

    'follows the settings at once': async () => {
      await show(uriOf(INVOICES));
      const { Error: ERROR, Warning: WARNING, Information: HINT } = vscode.DiagnosticSeverity;
      const count = severitiesOf(INVOICES, SYNC).length;
      assert.ok(count > 0);
      const all = (severity: vscode.DiagnosticSeverity) => Array<vscode.DiagnosticSeverity>(count).fill(severity);
      const severities = () => severitiesOf(INVOICES, SYNC);
      for (const [value, severity] of [
        ['error', ERROR],
        ['hint', HINT],
        ['warning', WARNING],
      ] as const) {
        await set('nodometer.rules', { [SYNC]: value });
        await becomes(severities, all(severity), `as ${value}`);
      }
      await set('nodometer.rules', { [SYNC]: 'off' });
      await becomes(severities, [], 'switched off');
      await set('nodometer.rules', undefined);
      await becomes(severities, all(WARNING), 'as it was');
      await set('nodometer.enable', false);
      await becomes(() => withFindings.flatMap((file) => rowsOf(uriOf(file))), [], 'switched off as a whole');
      await set('nodometer.enable', undefined);
      await becomes(severities, all(WARNING), 'switched on again');
      await set('nodometer.maxFileSize', 10);
      await becomes(severities, [], 'the file is too large');
      await set('nodometer.maxFileSize', undefined);
      await becomes(severities, all(WARNING), 'the file is not too large');
    },

    'lets the configuration file win over the settings': async () => {
      const config = uriOf('express-shop/nodometer.config.json');
      const severities = () => severitiesOf(INVOICES, SYNC);
      await set('nodometer.rules', { [SYNC]: 'hint' });
      await until(
        'the severity of the setting before',
        () => severities().length > 0 && severities().every((severity) => severity === vscode.DiagnosticSeverity.Information),
      );
      // As another program does it: VS Code has to notice, and the server has to be told. The wait before is needed: the change
      // of the setting alone would have the server read the file, and VS Code's watcher tells nothing of a file that is made and
      // deleted within a moment.
      writeFileSync(config.fsPath, JSON.stringify({ rules: { [SYNC]: 'error' } }));
      await until(
        'the severity of the file',
        () => severities().length > 0 && severities().every((severity) => severity === vscode.DiagnosticSeverity.Error),
      );
      rmSync(config.fsPath);
      await until('the severity of the setting', () =>
        severities().every((severity) => severity === vscode.DiagnosticSeverity.Information),
      );
      await set('nodometer.rules', undefined);
      await until("the rule's own severity", () => severities().every((severity) => severity === vscode.DiagnosticSeverity.Warning));
    },

    'lints the workspace on command': async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.commands.executeCommand(COMMANDS.lintWorkspace);
      // With no file open the findings are those of the run.
      for (const file of withFindings) await becomes(() => rowsOf(uriOf(file)), expectedRows(expected.findings, file), file);
    },

    'follows folders that another program makes, moves and deletes': async () => {
      const text = readFileSync(uriOf('koa-notes/routes/notes.js').fsPath);
      const counts = () => ['one/routes/notes.js', 'other/routes/notes.js'].map((file) => diagnosticsOf(uriOf(file)).length);
      const count = expectedRows(expected.findings, 'koa-notes/routes/notes.js').length;
      assert.ok(count > 0);
      mkdirSync(uriOf('one/routes').fsPath, { recursive: true });
      writeFileSync(uriOf('one/routes/notes.js').fsPath, text);
      await becomes(counts, [count, 0], 'made');
      renameSync(uriOf('one').fsPath, uriOf('other').fsPath);
      await becomes(counts, [0, count], 'moved');
      rmSync(uriOf('other').fsPath, { recursive: true });
      await becomes(counts, [0, 0], 'deleted');
    },

    'starts the server again on command, and nothing is lost': async () => {
      await show(uriOf(INVOICES));
      await becomes(() => rowsOf(uriOf(INVOICES)), expectedRows(expected.findings, INVOICES), INVOICES);
      await vscode.commands.executeCommand(COMMANDS.restartServer);
      await becomes(() => rowsOf(uriOf(INVOICES)), expectedRows(expected.findings, INVOICES), 'after the restart');
      assert.equal(folder().scheme, 'file');
    },
  });
}
