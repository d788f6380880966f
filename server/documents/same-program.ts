// Whether two texts say the same but for their comments: the proof that a comment was put where a comment may stand.
import { DockerfileParser } from 'dockerfile-ast';
import { parseAllDocuments } from 'yaml';
import { deploymentKindOf } from '../../analysis/deployment/deployment-files.ts';
import { parse, SCRIPT_FILE, type ParseOutcome } from '../../analysis/module/parse.ts';
import { EDITOR_LIMIT_MS, TookTooLong, withinTime } from '../../workspace/time-limit.ts';
import { readLineComments, type CommentText } from '../../analysis/run/suppress.ts';
import type { t } from '../../analysis/module/ast.ts';

/** A text as its reader sees it. */
export interface ReadProgram {
  /** Set for modules. */
  ast?: t.File;
  /** What the text says, without comments and places. */
  readonly meaning: unknown;
  /** Comments as each run over this file reads them: a PM2 module is read by two. A comment counts when all of them see it. */
  readonly comments: readonly (readonly CommentText[])[];
}

/** Whether the file's format has comments that are read for directives. */
export function takesComments(file: string): boolean {
  return SCRIPT_FILE.test(file) || (deploymentKindOf(file) !== undefined && !/\.json$/i.test(file));
}

/** Undefined where it would hold up the thread that answers the editor. */
function parsedInTime(file: string, text: string): ParseOutcome | undefined {
  try {
    return withinTime(() => parse(file, text), EDITOR_LIMIT_MS);
  } catch (error) {
    if (error instanceof TookTooLong) return undefined;
    throw error;
  }
}

/** Undefined when the text cannot be read, or when its format has no comments (JSON). */
export function readProgram(file: string, text: string): ReadProgram | undefined {
  const kind = deploymentKindOf(file);
  const lineComments = kind ? [readLineComments(text)] : [];
  if (SCRIPT_FILE.test(file)) {
    const outcome = parsedInTime(file, text);
    if (!outcome?.ok) return undefined;
    return {
      ast: outcome.ast,
      meaning: [outcome.ast.program, outcome.recovered.length],
      comments: [outcome.ast.comments ?? [], ...lineComments],
    };
  }
  if (!takesComments(file)) return undefined;
  if (kind === 'dockerfile') return { meaning: dockerfileMeaning(text), comments: lineComments };
  if (/\.ya?ml$/i.test(file)) {
    const meaning = yamlMeaning(text);
    return meaning === undefined ? undefined : { meaning, comments: lineComments };
  }
  return { meaning: text.split(/\r\n|\r|\n/).filter((line) => !/^[\t \uFEFF]*(?:#|\/\/|;)/.test(line)), comments: lineComments };
}

export function isSameProgram(a: ReadProgram, b: ReadProgram): boolean {
  return isSame(a.meaning, b.meaning);
}

function dockerfileMeaning(text: string): unknown {
  const dockerfile = DockerfileParser.parse(text.replace(/^\uFEFF/, ''));
  return [
    dockerfile.getDirectives().map((directive) => [directive.getName(), directive.getValue()]),
    // In a here-document every line counts, whatever it begins with.
    dockerfile
      .getInstructions()
      .map((instruction) => [
        instruction.getKeyword(),
        /<<-?["']?\w/.test(instruction.getArgumentsContent() ?? '')
          ? instruction.getTextContent()
          : instruction.getArguments().map((argument) => argument.getValue()),
      ]),
  ];
}

function yamlMeaning(text: string): unknown {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents) || documents.some((document) => document.errors.length > 0)) return undefined;
  return documents.map((document): unknown => document.toJS({ maxAliasCount: -1 }));
}

/** Where nodes stand, how they are written, and what comments are near them. */
const NO_MEANING: ReadonlySet<string> = new Set([
  'start',
  'end',
  'loc',
  'range',
  'extra',
  'errors',
  'comments',
  'tokens',
  'leadingComments',
  'trailingComments',
  'innerComments',
  'parent',
]);

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => isSame(item, b[i]));
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (a.type === 'TemplateElement') return b.type === 'TemplateElement' && isSame(a.value, b.value);
  if (typeof a.type === 'string' && /^JSX(?:Element|Fragment)$/.test(a.type) && a.type === b.type) {
    return isSame({ ...a, type: '', children: jsxChildren(a.children) }, { ...b, type: '', children: jsxChildren(b.children) });
  }
  const keys = keysOf(a);
  return keys.length === keysOf(b).length && keys.every((key) => isSame(a[key], b[key]));
}

function keysOf(object: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(object).filter((key) => !NO_MEANING.has(key) && object[key] !== undefined);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Children as they are rendered: without `{}` and `{/* … *\/}`, texts as JSX folds them. */
function jsxChildren(children: unknown): unknown[] {
  return (children as readonly t.JSXElement['children'][number][]).flatMap((child): unknown[] => {
    if (child.type === 'JSXExpressionContainer' && child.expression.type === 'JSXEmptyExpression') return [];
    if (child.type !== 'JSXText') return [child];
    const text = foldJsxText((child.extra?.raw as string | undefined) ?? child.value);
    return text === '' ? [] : [text];
  });
}

/** Lines without the white space around line breaks, empty ones left out, joined by a space: what every JSX compiler does. */
function foldJsxText(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  return lines
    .map((line, i) => {
      const head = i === 0 ? line : line.replace(/^[\t ]+/, '');
      return i === lines.length - 1 ? head : head.replace(/(?<![\t ])[\t ]+$/, '');
    })
    .filter((line) => line !== '')
    .join(' ');
}
