// A run over whole folders, away from the thread that answers the editor: files on disk to diagnostics.
import { sep } from 'node:path';
import type { Diagnostic } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { URI } from 'vscode-uri';
import type { Finding, Span } from '../protocol/finding.ts';
import type { EditorSettings } from '../protocol/settings.ts';
import type { AnyRule } from '../analysis/rule.ts';
import { ConfigFinder } from '../workspace/config-finder.ts';
import { runDeployment } from '../workspace/deployment-run.ts';
import { discover, type DiscoveryRequest } from '../workspace/discover.ts';
import { CommandError, Interrupted } from '../workspace/errors.ts';
import { EvidenceStores } from '../workspace/evidence-store.ts';
import { LintRun } from '../workspace/lint-run.ts';
import { ProjectFinder } from '../workspace/project.ts';
import { SettingsResolver } from '../workspace/rule-settings.ts';
import { Skipped } from '../workspace/skipped.ts';
import { Turns } from '../workspace/turns.ts';
import { toDiagnostics, type DiagnosticAbilities } from './convert.ts';
import { withoutMark } from './documents.ts';
import { NODE_SETTING_SOURCE } from './project-view.ts';

/** Everything that a job needs, as data that can be sent to another thread. */
export interface LintJob {
  folders: readonly { path: string; editor: EditorSettings }[];
  /** Folders inside these that are workspace folders of their own: their files are theirs. */
  allFolders: readonly string[];
  runningNode: string;
  platform: string;
  /** This job's part of the files: every `count`-th, from `index` on. */
  shard: { index: number; count: number };
  abilities: DiagnosticAbilities;
  /** URI of each rule's page. */
  pages: Readonly<Record<string, string>>;
}

/** Modules and the rules about deployment are read by separate passes; a file may have findings of both. */
export type LintPart = 'module' | 'deployment';

export interface LintedFile {
  path: string;
  part: LintPart;
  diagnostics: readonly Diagnostic[];
}

export type LintJobMessage =
  | { kind: 'progress'; done: number; total: number }
  /** Files with findings. */
  | { kind: 'files'; files: readonly LintedFile[] }
  | { kind: 'crash'; ruleId: string; file: string; message: string; stack: string | undefined }
  | { kind: 'log'; message: string }
  /** The last message. `files`: how many were read. */
  | { kind: 'done'; files: number };

export interface LintJobHost {
  rules: readonly AnyRule[];
  now(): number;
  signal: AbortSignal;
  post(message: LintJobMessage): void;
}

/** Posts what it finds and `done` at the end. Ends early, without `done`, when the signal is aborted. */
export async function runLintJob(job: LintJob, host: LintJobHost): Promise<void> {
  let read = 0;
  try {
    for (const { path, editor } of job.folders) {
      if (editor.enable) read += await lintFolder(path, editor, job, host);
    }
  } catch (error) {
    if (error instanceof Interrupted) return;
    throw error;
  }
  host.post({ kind: 'done', files: read });
}

async function lintFolder(folder: string, editor: EditorSettings, job: LintJob, host: LintJobHost): Promise<number> {
  const { rules, now, signal, post } = host;
  const log = (message: string) => post({ kind: 'log', message });
  const configs = new ConfigFinder({
    search: true, cwd: folder, rules,
    recover: (_, error) => {
      log(error.message);
      return undefined;
    },
  });
  const projects = new ProjectFinder({ runningNode: job.runningNode, warn: log });
  const settings = new SettingsResolver(rules, new Map(), new Map(Object.entries(editor.rules)));
  const turns = new Turns({ now, signal });
  const discoveryOf = (path: string): DiscoveryRequest => ({
    paths: [path], cwd: folder, useIgnoreFiles: true, configs, turns, skipped: new Skipped(), warn: log, note: log,
    git: { ignorecase: job.platform === 'win32' || job.platform === 'darwin', warn: log },
  });
  const evidence = new EvidenceStores((inner) => projects.findRoot(inner), log);
  const newRun = (progress: (done: number, total: number) => void = () => undefined) => new LintRun({
    rules, configs, projects, settings, turns, skipped: new Skipped(), dryRun: false, cwd: folder, warn: log, note: log,
    loadFixCheck: () => Promise.reject(new Error('a run over the workspace makes no fixes')),
    progress,
    overlay: new Map(),
    evidenceFor: (file) => evidence.forFile(file),
    defaults: { maxFileSize: editor.maxFileSize, reportUnusedDisables: editor.reportUnusedDisables, node: editor.node ? { range: editor.node, source: NODE_SETTING_SOURCE } : undefined },
  });
  let discovery;
  try {
    discovery = await discover(discoveryOf(folder));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    log(error.message);
    return 0;
  }
  const inner = job.allFolders.filter((other) => other !== folder && other.startsWith(folder === sep ? sep : `${folder}${sep}`));
  const isOwn = ({ path }: { path: string }) => !inner.some((other) => path.startsWith(`${other}${sep}`));
  const own = discovery.scripts.filter(isOwn);
  const mine = own.filter((_, i) => i % job.shard.count === job.shard.index);
  // Other threads report the other files; what they do when a request comes counts for these as well.
  const others = own.filter((_, i) => i % job.shard.count !== job.shard.index);
  const run = newRun((done, total) => post({ kind: 'progress', done, total }));
  await run.scripts(mine, others);
  let read = run.scriptCount;
  postRun(run, 'module', job, post);
  post({ kind: 'progress', done: mine.length, total: mine.length });
  if (job.shard.index === 0) {
    const deploymentRun = newRun();
    const deployment = discovery.deployment.filter(isOwn);
    // Files that belong to a folder inside this one are not reported here; what they say counts all the same.
    const folders = inner.length === 0 ? discovery.folders : new Set<string>();
    const discoverIn = async (other: string) => (await discover(discoveryOf(other))).deployment;
    read += await runDeployment({ run: deploymentRun, discovery: { ...discovery, deployment, folders }, discoverIn });
    postRun(deploymentRun, 'deployment', job, post);
  }
  return read;
}

function postRun(run: LintRun, part: LintPart, job: LintJob, post: LintJobHost['post']): void {
  const { abilities, pages } = job;
  for (const { ruleId, file, error } of run.crashes) post({ kind: 'crash', ruleId, file, message: error.message, stack: error.stack });
  const files = run.files.map(({ file, findings }): LintedFile => {
    const toUri = (path: string) => URI.file(path).toString();
    const text = run.sources.get(file)?.text ?? '';
    const unmarked = withoutMark(text);
    const document = TextDocument.create(toUri(file), '', 0, unmarked);
    const diagnostics = toDiagnostics(movedBack(findings, text.length - unmarked.length), { document, abilities, toUri, pageOf: (ruleId) => pages[ruleId], locate: (other) => run.sources.get(other) });
    return { path: file, part, diagnostics };
  });
  if (files.length > 0) post({ kind: 'files', files });
}

function movedBack(findings: readonly Finding[], by: number): readonly Finding[] {
  if (by === 0) return findings;
  const move = ({ start, end }: Span): Span => ({ start: Math.max(0, start - by), end: Math.max(0, end - by) });
  return findings.map((finding) => ({
    ...finding, span: move(finding.span),
    related: finding.related.map((place) => (place.file === undefined || place.file === finding.file ? { ...place, span: move(place.span) } : place)),
  }));
}
