// Where a comment goes that silences a finding. Places are tried, best first; one is taken when the text with the comment
// still says the same and the comment silences what it should and nothing else.
import type { Edit, Finding } from '../../protocol/finding.ts';
import { deploymentKindOf } from '../../analysis/deployment/deployment-files.ts';
import { applyEdits } from '../../analysis/module/edit.ts';
import { SCRIPT_FILE } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import { applySuppressions, SUPPRESSION_RULE } from '../../analysis/run/suppress.ts';
import type { t } from '../../analysis/module/ast.ts';
import { extendDirective, placeDirectives } from '../documents/directives.ts';
import { moveSpan } from '../shared/moved-findings.ts';
import { isSameProgram, readProgram, type ReadProgram } from '../documents/same-program.ts';

export interface DisableRequest {
  file: string;
  text: string;
  /** The text as it is read; undefined when it cannot have comments. */
  program: ReadProgram | undefined;
  finding: Finding;
  /** All of the text's findings. */
  findings: readonly Finding[];
  location: 'separateLine' | 'sameLine';
  /** Findings of a text that stands in for the file's. */
  lint(text: string): readonly Finding[];
}

/** Comments of other tools that mean the line, or the statement, right below them. */
const OF_OTHER_TOOLS =
  /(?:disable|ignore)-next-line|(?:biome|prettier|oxfmt|deno-lint|deno-fmt|dprint|hadolint)[- ]ignore|ignore=|\bignore next\b|@ts-(?:ignore|expect-error)/;
/** Comments that count only at the top of a file. */
const PRAGMA =
  /@(?:jest-|vitest-|flow|noflow|ts-|jsx|format|prettier|license|license|preserve|copyright|generated|oncall)|copyright|eslint-env/i;
/** Docker reads these only before anything else, comments included. */
const PARSER_DIRECTIVE = /^#[\t ]*(?:syntax|escape|check)[\t ]*=/i;

/** The edit that silences the finding's rule on the finding's line. */
export function disableForLine(request: DisableRequest): Edit | undefined {
  const { text, file, finding, findings } = request;
  const source = new Source(file, text);
  const line = source.positionAt(finding.span.start).line;
  const expected = new Set(findings.filter((one) => one.ruleId === finding.ruleId && source.positionAt(one.span.start).line === line));
  // Some rules read comments: a test with a remark in it is no plain test any more, and the comment would silence nothing.
  return firstSound(request, expected, lineEdits(request, source, line), (changed) =>
    isSameList(
      findings.filter((one) => !expected.has(one)),
      request.lint(changed),
    ),
  );
}

/** The edit that silences the finding's rule in the whole file. */
export function disableForFile(request: DisableRequest): Edit | undefined {
  const { finding, findings } = request;
  // Comments further down that silence the rule, too, become idle and are reported as such; so the lists may differ.
  return firstSound(request, new Set(findings.filter((one) => one.ruleId === finding.ruleId)), fileEdits(request), () => true);
}

function firstSound(
  { file, text, program, findings }: DisableRequest,
  expected: ReadonlySet<Finding>,
  edits: readonly Edit[],
  agrees: (changed: string) => boolean,
): Edit | undefined {
  if (!program) return undefined;
  return edits.find((edit) => {
    const changed = applyEdits(text, [edit]);
    const after = readProgram(file, changed);
    if (!after || !isSameProgram(program, after)) return false;
    const change = { start: edit.start, removed: edit.end - edit.start, inserted: edit.text.length };
    // Reports about comments are made after comments are applied.
    const moved = new Map(
      findings
        .filter((one) => one.ruleId !== SUPPRESSION_RULE)
        .map((finding) => [{ ...finding, span: moveSpan(finding.span, change) ?? finding.span }, finding]),
    );
    const source = new Source(file, changed);
    return (
      after.comments.every((comments) => {
        const kept = new Set(
          applySuppressions({ findings: [...moved.keys()], source, comments, rules: [], settings: {}, reportUnused: false }).findings,
        );
        return [...moved].every(([one, original]) => kept.has(one) !== expected.has(original));
      }) && agrees(changed)
    );
  });
}

/** Whether the same is found as often, wherever it stands. */
function isSameList(a: readonly Finding[], b: readonly Finding[]): boolean {
  const list = (findings: readonly Finding[]): string =>
    findings
      .map(({ ruleId, messageId }) => `${ruleId} ${messageId}`)
      .sort()
      .join('\n');
  return list(a) === list(b);
}

function lineEdits({ file, text, program, finding, location }: DisableRequest, source: Source, line: number): Edit[] {
  const { ruleId } = finding;
  const directives = placeDirectives(text, program?.comments[0] ?? []);
  const lineOf = (offset: number) => source.positionAt(offset).line;
  const present = directives.find(
    (one) =>
      (one.kind === 'disable-line' && lineOf(one.end) === line) || (one.kind === 'disable-next-line' && lineOf(one.end) === line - 1),
  );
  const extended = present && extendDirective(present, ruleId);
  const start = lineStart(source, line);
  const indent = /^[\t ]*/.exec(text.slice(start))?.[0] ?? '';
  const lineBreak = lineBreakAt(source, line);
  const above = (comment: string): Edit => ({ start, end: start, text: `${indent}${comment}${lineBreak}` });
  if (!SCRIPT_FILE.test(file)) {
    // Docker, env files, Procfiles and units take a `#` after other text for a part of it.
    return [...(extended ? [extended] : []), above(`${lineMark(file)} nodometer-disable-next-line ${ruleId}`)];
  }
  const end = source.lineStart(line) + source.lineText(line).trimEnd().length;
  const after = (comment: string): Edit => ({ start: end, end, text: comment });
  const separate = [above(`// nodometer-disable-next-line ${ruleId}`), above(`{/* nodometer-disable-next-line ${ruleId} */}`)];
  const inside: Edit = { start: finding.span.start, end: finding.span.start, text: `/* nodometer-disable-line ${ruleId} */ ` };
  const same = [after(` // nodometer-disable-line ${ruleId}`), after(`{/* nodometer-disable-line ${ruleId} */}`)];
  const isTaken = line > 1 && OF_OTHER_TOOLS.test(source.lineText(line - 1));
  return [
    ...(extended ? [extended] : []),
    ...(location === 'sameLine' || isTaken ? [...same, inside, ...separate] : [...separate, inside, ...same]),
  ];
}

function fileEdits({ file, text, program, finding, findings }: DisableRequest): Edit[] {
  const { ruleId } = finding;
  const source = new Source(file, text);
  const first = Math.min(...findings.filter((one) => one.ruleId === ruleId).map((one) => one.span.start));
  const directives = placeDirectives(text, program?.comments[0] ?? []);
  const code = program?.ast?.program.body[0]?.start ?? first;
  const present = directives.find((one) => one.kind === 'disable' && one.start < Math.min(code, first));
  const extended = present && extendDirective(present, ruleId);
  // What reads deployment files sees no block comments.
  const comment =
    SCRIPT_FILE.test(file) && !deploymentKindOf(file)
      ? `/* nodometer-disable ${ruleId} */`
      : `${lineMark(file)} nodometer-disable ${ruleId}`;
  const lines = program?.ast
    ? scriptTops(source, program.ast)
    : [afterLines(source, (line) => line.startsWith('#!') || PARSER_DIRECTIVE.test(line))];
  return [
    ...(extended ? [extended] : []),
    ...lines.map(
      (line): Edit => ({ start: lineStart(source, line), end: lineStart(source, line), text: `${comment}${lineBreakAt(source, line)}` }),
    ),
  ];
}

/** Lines before which a comment for the whole module may go, the best first. From 1. */
function scriptTops(source: Source, ast: t.File): number[] {
  const top = afterLines(source, (line) => line.startsWith('#!'));
  const directive = ast.program.directives.at(-1);
  if (directive) return [source.positionAt(directive.end ?? 0).line + 1, top];
  const header = headerEnd(source, ast, top);
  return header === undefined ? [top] : [header, top];
}

/** The line after a comment that belongs to the file, not to the code below it. */
function headerEnd(source: Source, ast: t.File, top: number): number | undefined {
  const code = ast.program.body[0]?.start ?? source.text.length;
  let end: number | undefined;
  let text = '';
  let line = top;
  for (const comment of ast.comments ?? []) {
    const from = comment.start ?? 0;
    if (
      from >= code ||
      source.positionAt(from).line !== line ||
      (end !== undefined && comment.type === 'CommentBlock') ||
      comment.value.includes('nodometer-')
    )
      break;
    end = source.positionAt(comment.end ?? 0).line + 1;
    text += comment.value;
    line = end;
    if (comment.type === 'CommentBlock') break;
  }
  if (end === undefined) return undefined;
  return PRAGMA.test(text) || (end <= source.lineCount && source.lineText(end).trim() === '') ? end : undefined;
}

/** The first line, from 1, that does not fit. */
function afterLines(source: Source, fits: (line: string) => boolean): number {
  let line = 1;
  while (line < source.lineCount && fits(source.lineText(line).replace(/^\uFEFF/, ''))) line++;
  return line;
}

/** After a byte order mark, which stays first. */
function lineStart(source: Source, line: number): number {
  const start = source.lineStart(line);
  return start === 0 && source.text.startsWith('\uFEFF') ? 1 : start;
}

/** What ends the line or, on the last one, the line before; the file's own where neither is an ordinary line break. */
function lineBreakAt(source: Source, line: number): string {
  const breakBefore = (next: number): string | undefined =>
    next > 1 && next <= source.lineCount ? /(?:\r\n|\r|\n)$/.exec(source.text.slice(0, source.lineStart(next)).slice(-2))?.[0] : undefined;
  return breakBefore(line + 1) ?? breakBefore(line) ?? source.lineBreak;
}

/** What starts a comment that ends with its line. */
function lineMark(file: string): string {
  return SCRIPT_FILE.test(file) || /\.json5$/i.test(file) ? '//' : '#';
}
