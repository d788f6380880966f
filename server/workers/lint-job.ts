// A run over whole folders, away from the thread that answers the editor: files on disk to diagnostics.
import type { Diagnostic } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { URI } from 'vscode-uri';
import type { Finding, Span } from '../../protocol/finding.ts';
import type { EditorSettings } from '../../protocol/settings.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import type { Source } from '../../analysis/module/source.ts';
import { runDeployment } from '../../workspace/deployment-run.ts';
import { Interrupted } from '../../workspace/errors.ts';
import type { LintRun } from '../../workspace/lint-run.ts';
import { openAnalysis, type AnalysisPlace } from '../../workspace/project-index/analysis-place.ts';
import { Baselines, type KnownFindings } from '../shared/baselines.ts';
import { toDiagnostics, type DiagnosticAbilities } from '../shared/convert.ts';
import { withoutMark } from '../documents/documents.ts';
import { folderTools, type FolderJob } from '../shared/folder-tools.ts';

/** Everything that a job needs, as data that can be sent to another thread. */
export interface LintJob extends FolderJob {
  folders: readonly { path: string; editor: EditorSettings }[];
  /** Further threads, and the cache; without it all is worked out in the job's own thread. */
  analysis?: AnalysisPlace;
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
  const { now, signal, post } = host;
  const tools = folderTools(folder, editor, job, { rules: host.rules, now, signal, log: (message) => post({ kind: 'log', message }) });
  const discovery = await tools.discoverOwn();
  if (!discovery) return 0;
  const { scripts } = discovery;
  const run = tools.newRun(job.analysis && openAnalysis(job.analysis, folder, () => Date.now()), (done, total) =>
    post({ kind: 'progress', done, total }),
  );
  await run.scripts(scripts);
  run.project.save(true);
  let read = run.scriptCount;
  const baselines = new Baselines(
    () => folder,
    (message) => post({ kind: 'log', message }),
  );
  const knownIn = (file: string, text: string, findings: readonly Finding[]) => baselines.knownIn(file, text, findings, editor.baseline);
  post({ kind: 'files', files: filesOf(run, 'module', job, knownIn) });
  tellCrashes(run, post);
  post({ kind: 'progress', done: scripts.length, total: scripts.length });
  const deploymentRun = tools.newRun();
  read += await runDeployment({ run: deploymentRun, discovery, discoverIn: (other) => tools.deploymentIn(other) });
  post({ kind: 'files', files: filesOf(deploymentRun, 'deployment', job, knownIn) });
  tellCrashes(deploymentRun, post);
  return read;
}

function tellCrashes({ crashes }: LintRun, post: LintJobHost['post']): void {
  for (const { ruleId, file, error } of crashes) post({ kind: 'crash', ruleId, file, message: error.message, stack: error.stack });
}

export type KnownIn = (file: string, text: string, findings: readonly Finding[]) => KnownFindings | undefined;

function filesOf(run: LintRun, part: LintPart, job: LintJob, knownIn: KnownIn): LintedFile[] {
  return run.files.map(({ file, findings }) => ({
    path: file,
    part,
    diagnostics: diagnosticsOf(file, run.sources.get(file)?.text ?? '', findings, { ...job, knownIn }, (other) => run.sources.get(other)),
  }));
}

/** Of a file on disk. */
export function diagnosticsOf(
  file: string,
  text: string,
  findings: readonly Finding[],
  { abilities, pages, knownIn }: Pick<LintJob, 'abilities' | 'pages'> & { knownIn: KnownIn },
  locate: (path: string) => Source | undefined,
): Diagnostic[] {
  const toUri = (path: string) => URI.file(path).toString();
  const unmarked = withoutMark(text);
  const known = knownIn(file, text, findings);
  const document = TextDocument.create(toUri(file), '', 0, unmarked);
  return toDiagnostics(movedBack(findings, text.length - unmarked.length), {
    document,
    abilities,
    toUri,
    pageOf: (ruleId) => pages[ruleId],
    ...(known && { known }),
    locate,
  });
}

function movedBack(findings: readonly Finding[], by: number): readonly Finding[] {
  if (by === 0) return findings;
  const move = ({ start, end }: Span): Span => ({ start: Math.max(0, start - by), end: Math.max(0, end - by) });
  return findings.map((finding) => ({
    ...finding,
    span: move(finding.span),
    related: finding.related.map((place) =>
      place.file === undefined || place.file === finding.file ? { ...place, span: move(place.span) } : place,
    ),
  }));
}
