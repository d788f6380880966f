// The fixes of a project as the language server offers them in an editor, those over several files among them; and marks that tell which
// of the code that they change a suite runs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CodeActionKind, type CodeAction, type TextEdit, type WorkspaceEdit } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { SCRIPT_FILE, TYPESCRIPT_FILE } from '../../analysis/module/parse.ts';
import { endOf, startOf } from '../../analysis/module/ast.ts';
import type { ModuleIndex } from '../../analysis/module/module-index.ts';
import { readModule } from '../../analysis/module/text-reader.ts';
import { ACROSS_FILES } from '../../protocol/editor.ts';
import { start, uriOf, type Session } from '../../test/lsp/harness.ts';

export interface OfferedFix {
  rule: string;
  title: string;
  /** Relative to the project. */
  file: string;
  /** Of the finding, from 1. */
  line: number;
  /** Of the finding, from 0. */
  offset: number;
  /** The text of each file that it changes, by path. */
  after: ReadonlyMap<string, string>;
}

/** A project of 600 files is read in less than a minute of one's own processor. */
const GIVEN_UP_AFTER_MS = 600_000;

/** Each different change once, in the order of the files. @param files of the findings, as absolute paths */
export async function offeredFixes(folder: string, files: readonly string[]): Promise<OfferedFix[]> {
  const session = await start({ folders: [folder] });
  try {
    const scripts = files.filter((file) => SCRIPT_FILE.test(file));
    for (const file of scripts) await session.open(uriOf(file), readFileSync(file, 'utf8'), { languageId: languageOf(file) });
    await indexRead(session);
    const fixes: OfferedFix[] = [];
    const seen = new Set<string>();
    for (const file of scripts) {
      for (const fix of await fixesIn(session, folder, file)) {
        const key = JSON.stringify([...fix.after]);
        if (!seen.has(key)) fixes.push(fix);
        seen.add(key);
      }
    }
    return fixes;
  } finally {
    await session.dispose();
  }
}

async function indexRead(session: Session): Promise<void> {
  const isRead = (): boolean => session.logs.some(({ message }) => message.includes('files of the project were read'));
  for (const end = performance.now() + GIVEN_UP_AFTER_MS; !isRead(); await delay(200))
    if (performance.now() > end) throw new Error('the project was not read in time');
  await session.indexed();
}

async function fixesIn(session: Session, folder: string, file: string): Promise<OfferedFix[]> {
  const uri = uriOf(file);
  const fixes: OfferedFix[] = [];
  const document = TextDocument.create(uri, '', 1, session.textOf(uri));
  for (const { range, code } of await session.diagnose(uri)) {
    for (const action of await session.actions(uri, range, [CodeActionKind.QuickFix])) {
      const isOfFinding = action.diagnostics?.some((one) => one.code === code && JSON.stringify(one.range) === JSON.stringify(range));
      if (!isOfFinding || action.disabled || !isFix(action)) continue;
      const { edit } = action.edit ? action : await session.resolve(action);
      if (edit === undefined) continue;
      fixes.push({
        rule: String(code),
        title: action.title,
        file: relative(folder, file),
        line: range.start.line + 1,
        offset: document.offsetAt(range.start),
        after: textsAfter(edit),
      });
    }
  }
  return fixes;
}

/** Neither a comment that disables the finding, nor all fixes of a rule at once. */
function isFix({ data, edit, title }: CodeAction): boolean {
  const make = (data as { make?: string } | undefined)?.make;
  return make === ACROSS_FILES || (make === undefined && edit !== undefined && !title.startsWith('Disable '));
}

function textsAfter({ documentChanges = [], changes = {} }: WorkspaceEdit): Map<string, string> {
  const edits = new Map<string, TextEdit[]>(Object.entries(changes));
  for (const change of documentChanges) {
    if (!('edits' in change)) throw new Error(`a fix does more than change texts: ${change.kind}`);
    edits.set(change.textDocument.uri, [...(edits.get(change.textDocument.uri) ?? []), ...(change.edits as TextEdit[])]);
  }
  return new Map(
    [...edits].map(([uri, some]) => {
      const path = fileURLToPath(uri);
      return [path, TextDocument.applyEdits(TextDocument.create(uri, '', 0, readFileSync(path, 'utf8')), some)];
    }),
  );
}

function languageOf(file: string): string {
  if (!TYPESCRIPT_FILE.test(file)) return 'javascript';
  return extname(file) === '.tsx' ? 'typescriptreact' : 'typescript';
}

/** Has the statement of each finding write its number to a file when it runs. */
export function placeMarks(folder: string, fixes: readonly Pick<OfferedFix, 'file' | 'offset'>[], marks: string): void {
  const numbered = fixes.map(({ file, offset }, number) => ({ file, offset, number }));
  for (const name of new Set(fixes.map(({ file }) => file))) {
    const path = join(folder, name);
    let text = readFileSync(path, 'utf8');
    const read = readModule(path, text);
    if (!read.ok) throw new Error(`${name} does not parse`);
    const insertions = numbered
      .filter(({ file }) => file === name)
      .map(({ offset, number }) => ({ at: startOfStatement(read.module, offset), number }))
      .sort((a, b) => b.at - a.at);
    // Tests may replace the module `fs`; nothing replaces what the process itself gives.
    for (const { at, number } of insertions)
      text = `${text.slice(0, at)};process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(marks)}, '${number}\\n');${text.slice(at)}`;
    writeFileSync(path, text);
  }
}

/** The numbers that were written. */
export function readMarks(marks: string): ReadonlySet<number> {
  return new Set(existsSync(marks) ? readFileSync(marks, 'utf8').split('\n').filter(Boolean).map(Number) : []);
}

/** Of the innermost statement in a list of statements, before which another one may stand. */
function startOfStatement(module: ModuleIndex, offset: number): number {
  const lists = [
    module.program.body,
    ...module.nodes('BlockStatement').map(({ body }) => body),
    ...module.nodes('SwitchCase').map(({ consequent }) => consequent),
  ];
  const around = lists.flat().filter((node) => startOf(node) <= offset && offset < endOf(node));
  // What contains a place starts the earlier the further out it is.
  return Math.max(...around.map(startOf));
}
