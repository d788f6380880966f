// How a project's formatter lays out code: what Prettier, Biome, and EditorConfig are told. Read as text, because a configuration may be
// JSON, YAML, or a module.
import { dirname, join } from 'node:path';
import type { CodeFormat, LintConfig } from '../protocol/project.ts';
import { isRecord } from '../protocol/unknown-values.ts';

/** In the order in which Prettier takes them. */
const PRETTIER_FILES = [
  '.prettierrc',
  '.prettierrc.json',
  '.prettierrc.yaml',
  '.prettierrc.yml',
  '.prettierrc.js',
  '.prettierrc.cjs',
  '.prettierrc.mjs',
  'prettier.config.js',
  'prettier.config.cjs',
  'prettier.config.mjs',
] as const;

/** Prettier's own. */
const PRETTIER_WIDTH = 80;

const WIDTH = /["']?\b(?:printWidth|lineWidth)["']?[ \t]*:[ \t]*(\d{2,3})\b/;
const COMMAS = /["']?\btrailingComma["']?[ \t]*:[ \t]*["']?(all|es5|none)\b/;
const EDITOR_WIDTH = /^[ \t]*max_line_length[ \t]*=[ \t]*(\d{2,3})\b/;
/** `[*]`, `[*.{js,ts}]` */
const OF_SCRIPTS = /^[ \t]*\[(?:\*\]|[^\]]*\b(?:js|ts)\b)/;

const ESLINT_FILES = [
  ...['js', 'mjs', 'cjs', 'ts'].map((kind) => `eslint.config.${kind}`),
  ...['.js', '.cjs', '.yaml', '.yml', '.json', ''].map((kind) => `.eslintrc${kind}`),
];

/** Everything besides package.json that is looked into here. */
export const CODE_FORMAT_FILES: readonly string[] = [...PRETTIER_FILES, ...ESLINT_FILES, 'biome.json', 'biome.jsonc', '.editorconfig'];

const ECMA_VERSION = /\becmaVersion["']?[ \t]*:[ \t]*(\d{1,4})\b/;
/** Rules that forbid what a fix may write. */
const RULES =
  /\b(no-await-in-loop|functional\/no-let|import(?:-x)?\/order)["']?[ \t]{0,9}:[ \t]{0,9}(?:\[[ \t]{0,9})?["']?(off|warn|error|[012])\b/g;
/** The sixth edition is that of 2015. */
const FIRST_YEAR = 2009;

export interface FolderReader {
  /** Undefined where there is no such file. */
  read(path: string): string | undefined;
  /** The package.json of a folder. */
  packageIn(folder: string): Readonly<Record<string, unknown>> | undefined;
}

/** What the nearest configuration says; undefined where there is none. */
export function findCodeFormat(folder: string, { read, packageIn }: FolderReader): CodeFormat | undefined {
  let editorWidth: number | undefined;
  for (let at = folder, parent = dirname(at); ; at = parent, parent = dirname(at)) {
    const own = packageIn(at);
    const text =
      own && isRecord(own.prettier)
        ? JSON.stringify(own.prettier)
        : PRETTIER_FILES.reduce<string | undefined>((found, name) => found ?? read(join(at, name)), undefined);
    if (text !== undefined) {
      const commas = COMMAS.exec(text)?.[1] ?? defaultCommas(own);
      return {
        width: numberIn(WIDTH, text) ?? editorWidth ?? editorWidthIn(read(join(at, '.editorconfig'))) ?? PRETTIER_WIDTH,
        ...(commas === undefined ? {} : { trailingComma: commas === 'es5' ? 'literals' : (commas as 'all' | 'none') }),
      };
    }
    const biome = read(join(at, 'biome.json')) ?? read(join(at, 'biome.jsonc'));
    // Biome's own width.
    if (biome !== undefined) return { width: numberIn(WIDTH, biome) ?? PRETTIER_WIDTH };
    editorWidth ??= editorWidthIn(read(join(at, '.editorconfig')));
    if (parent === at || read(join(at, '.git', 'HEAD')) !== undefined) break;
  }
  return editorWidth === undefined ? undefined : { width: editorWidth };
}

/** What the nearest configuration of ESLint says. */
export function findLintConfig(folder: string, { read, packageIn }: FolderReader): LintConfig | undefined {
  for (let at = folder, parent = dirname(at); ; at = parent, parent = dirname(at)) {
    const own = packageIn(at)?.eslintConfig;
    const text = isRecord(own)
      ? JSON.stringify(own)
      : ESLINT_FILES.reduce<string | undefined>((found, name) => found ?? read(join(at, name)), undefined);
    if (text !== undefined) {
      const version = numberIn(ECMA_VERSION, text);
      const rules = Object.fromEntries([...text.matchAll(RULES)].map(([, name = '', level = '']) => [name, !/^(?:off|0)$/.test(level)]));
      if (forbidsUnusedSiblings(text)) rules['unused-rest-siblings'] = true;
      // Other parsers have ideas of their own.
      const isOwnParser = !/\bparser\b/.test(text);
      return {
        ...(version === undefined || !isOwnParser ? {} : { ecmaVersion: version < FIRST_YEAR ? version + FIRST_YEAR : version }),
        rules,
      };
    }
    if (parent === at || read(join(at, '.git', 'HEAD')) !== undefined) return undefined;
  }
}

/** Whether `const { secret, ...others } = user` is an error, because nothing uses `secret`: the default of `no-unused-vars`. */
function forbidsUnusedSiblings(text: string): boolean {
  if (text.includes('ignoreRestSiblings')) return false;
  if (/\bno-unused-vars["']?[ \t]{0,9}:[ \t]{0,9}\[\s{0,99}["']?(?:warn|error|[12])\b/.test(text)) return true;
  return !text.includes('no-unused-vars') && /\brecommended/.test(text) && !IGNORES_SIBLINGS.test(text);
}

/** Shared configurations that set `ignoreRestSiblings`, or leave the rule out. */
const IGNORES_SIBLINGS = /airbnb|standard|react-app|next|antfu|\bxo\b|google|nestjs|vue|nuxt/i;

/** Of the sections that are about scripts, the last counts. */
function editorWidthIn(text: string | undefined): number | undefined {
  let width: number | undefined;
  let isOfScripts = false;
  for (const line of text?.split('\n') ?? []) {
    if (/^[ \t]*\[/.test(line)) isOfScripts = OF_SCRIPTS.test(line);
    else if (isOfScripts) width = numberIn(EDITOR_WIDTH, line) ?? width;
  }
  return width;
}

function numberIn(pattern: RegExp, text: string | undefined): number | undefined {
  const digits = text === undefined ? undefined : pattern.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** `es5` up to version 2, `all` since. */
function defaultCommas(own: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const { devDependencies } = own ?? {};
  const version = isRecord(devDependencies) ? devDependencies.prettier : undefined;
  const major = typeof version === 'string' ? /\d+/.exec(version)?.[0] : undefined;
  return major === undefined ? undefined : Number(major) < 3 ? 'es5' : 'all';
}
