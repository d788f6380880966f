// Asks for code actions as an editor would, and makes what they say.
import type { CodeAction, Command, TextEdit } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Finding } from '../../protocol/finding.ts';
import type { DeploymentFile } from '../../protocol/project.ts';
import { deploymentKindOf } from '../../analysis/deployment/deployment-files.ts';
import { findDamage } from '../../analysis/fix/verify.ts';
import { SCRIPT_FILE } from '../../analysis/module/parse.ts';
import { lintDeployment } from '../../analysis/run/run.ts';
import { defaultSettings } from '../../analysis/run/rule-settings.ts';
import { rules } from '../../rules/index.ts';
import { ActionMemory } from '../../server/actions/action-memory.ts';
import {
  codeActions,
  type ActionAbilities,
  type ActionContext,
  type ActionRequest,
  type ActionSettings,
} from '../../server/actions/code-actions.ts';
import type { ConvertContext } from '../../server/shared/convert.ts';
import { isBroken } from '../../workspace/discovery/deployment-syntax.ts';
import { lintReal, PROJECT } from './texts.ts';

export const ABLE: ActionAbilities = {
  literals: true,
  disabled: true,
  preferred: true,
  documentChanges: true,
  changeAnnotations: false,
  resolveEdit: false,
  commands: true,
  profiles: false,
};
export const DEFAULTS: ActionSettings = {
  'codeAction.disableComment.enable': true,
  'codeAction.disableComment.location': 'separateLine',
  'codeAction.showDocumentation': true,
};

const MANIFEST: DeploymentFile = {
  path: '/p/package.json',
  kind: 'package-json',
  text: '{ "scripts": { "build": "tsc" }, "dependencies": { "express": "^5.0.0" } }',
};

/** Findings of one file, be it a module, a file that says how a program is started, or both. */
export function lintAny(file: string, text: string, beside: readonly DeploymentFile[] = [MANIFEST]): readonly Finding[] {
  const found = SCRIPT_FILE.test(file) ? [...lintReal(file, text)] : [];
  const kind = deploymentKindOf(file);
  if (kind) {
    const files = [...beside.filter((one) => one.path !== file), { path: file, kind, text }];
    const project = {
      root: '/p',
      info: PROJECT,
      files,
      readText: (path: string) =>
        files.find((one) => one.path === path)?.text ?? (/\.js$/.test(path) ? "require('express')().listen(3000);\n" : undefined),
    };
    found.push(...lintDeployment(project, rules, defaultSettings(rules)).findings.filter((finding) => finding.file === file));
  }
  return found;
}

export function convertOf(text: string, version = 7, uri = 'file:///p/a.js'): ConvertContext {
  return {
    document: TextDocument.create(uri, '', version, text),
    abilities: { relatedInformation: true, codeDescription: true, data: true, unnecessary: true },
    toUri: (path) => `file://${path}`,
    pageOf: (ruleId) => (rules.some((rule) => rule.meta.id === ruleId) ? `file:///docs/${ruleId}.md` : undefined),
    locate: () => undefined,
  };
}

export function contextOf(file: string, text: string, more: Partial<ActionContext> = {}): ActionContext {
  return {
    file,
    findings: lintAny(file, text),
    convert: convertOf(text),
    abilities: ABLE,
    settings: DEFAULTS,
    memory: new ActionMemory(),
    lint: (one) => lintAny(file, one),
    findDamage: (before, after) =>
      SCRIPT_FILE.test(file)
        ? findDamage(file, before, after)
        : isBroken(file, after) && !isBroken(file, before)
          ? 'the result could not be parsed'
          : undefined,
    ...more,
  };
}

/** What is offered with the cursor at the start of `part`, or at an offset. */
export function offered(context: ActionContext, at: string | number, more: Partial<ActionRequest> = {}): CodeAction[] {
  const { document } = context.convert;
  const offset = typeof at === 'number' ? at : document.getText().indexOf(at);
  const position = document.positionAt(offset);
  return codeActions({ ...context, range: { start: position, end: position }, ...more }) as CodeAction[];
}

export function titlesOf(actions: readonly (CodeAction | Command)[]): string[] {
  return actions.map(
    (action) =>
      `${action.title}${'isPreferred' in action && action.isPreferred ? ' (preferred)' : ''}${'disabled' in action && action.disabled ? ` (disabled: ${action.disabled.reason})` : ''}`,
  );
}

export function editsOf(action: CodeAction | undefined): TextEdit[] {
  const [change] = action?.edit?.documentChanges ?? [];
  return change && 'edits' in change ? (change.edits as TextEdit[]) : [];
}

export function applied(context: ActionContext, action: CodeAction | undefined): string {
  return TextDocument.applyEdits(context.convert.document, editsOf(action));
}

export function titled(actions: readonly CodeAction[], start: string): CodeAction | undefined {
  return actions.find((action) => action.title.startsWith(start));
}
