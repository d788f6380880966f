// What the terminal says about a folder, in the form in which the suites compare it with the editor.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { JsonFinding } from '../../../cli/formats/json.ts';

export interface ExpectedFinding {
  /** From the folder, with `/`. */
  file: string;
  /** Lines and columns from 1. */
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  ruleId: string;
  severity: 'error' | 'warning' | 'hint';
  message: string;
  related: { file: string; line: number; column: number; message: string }[];
}

export interface ExpectedFix {
  /** Place in `findings`. */
  finding: number;
  title: string;
  kind: 'safe' | 'suggestion';
  /** The whole file after it. */
  text: string;
}

export interface Expected {
  findings: ExpectedFinding[];
  fixes: ExpectedFix[];
  /** `title: reason`, each with its finding's place in `findings`. */
  refused: { finding: number; text: string }[];
  /** Every file that was read. */
  files: string[];
}

interface SarifRegion {
  startLine: number;
  startColumn: number;
  endLine: number;
  endColumn: number;
}

/** The part of a SARIF result that says what a fix does. */
interface SarifResult {
  fixes?: {
    description: { text: string };
    artifactChanges: { replacements: { deletedRegion: SarifRegion; insertedContent: { text: string } }[] }[];
  }[];
  properties: { refusedFixes?: string[] };
}

/** Runs `node command lint folder` three times: for the findings, for the fixes and for the list of files. */
export function askTerminal(command: string, folder: string, ...more: string[]): Expected {
  const name = (file: string): string => relative(folder, file).split(sep).join('/');
  const rows = JSON.parse(run(command, folder, '--format', 'json', ...more)) as JsonFinding[];
  const findings = rows.map(
    ({ file, line, column, endLine, endColumn, ruleId, severity, message, related }): ExpectedFinding => ({
      file: name(file),
      line,
      column,
      endLine,
      endColumn,
      ruleId,
      severity,
      message,
      related: related.map((place) => ({ ...place, file: name(place.file) })),
    }),
  );
  const [{ results }] = (JSON.parse(run(command, folder, '--format', 'sarif', ...more)) as { runs: [{ results: SarifResult[] }] }).runs;
  const fixes = results.flatMap((result, finding) =>
    (result.fixes ?? []).map((fix): ExpectedFix => {
      const [, title = '', kind] = /^(.*) \((safe|suggestion)\)$/s.exec(fix.description.text) ?? [];
      const file = rows[finding]?.file ?? '';
      return {
        finding,
        title,
        kind: kind === 'safe' ? 'safe' : 'suggestion',
        text: replaced(
          readFileSync(file, 'utf8'),
          fix.artifactChanges.flatMap((change) => change.replacements),
        ),
      };
    }),
  );
  const refused = results.flatMap((result, finding) => (result.properties.refusedFixes ?? []).map((text) => ({ finding, text })));
  return {
    findings,
    fixes,
    refused,
    files: run(command, folder, '--list-files', ...more)
      .trim()
      .split('\n')
      .map((file) => name(join(folder, file))),
  };
}

function run(command: string, folder: string, ...more: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'lint', folder, '--exit-zero', '--no-progress', ...more], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`nodometer lint ${more.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

function replaced(text: string, replacements: readonly { deletedRegion: SarifRegion; insertedContent: { text: string } }[]): string {
  return TextDocument.applyEdits(
    TextDocument.create('file:///a', '', 0, text),
    replacements.map(({ deletedRegion: region, insertedContent }) => ({
      range: {
        start: { line: region.startLine - 1, character: region.startColumn - 1 },
        end: { line: region.endLine - 1, character: region.endColumn - 1 },
      },
      newText: insertedContent.text,
    })),
  );
}
