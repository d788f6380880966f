// What people write about the Node they use, as a semver range. Pure: texts in, ranges out.
import { isRecord } from '../protocol/unknown-values.ts';
import semver from 'semver';

export type NodeRangeReading =
  | { kind: 'range'; range: string }
  /** Says nothing about the version: empty, or `*`. */
  | { kind: 'silent' }
  /** `text` is shortened for messages. */
  | { kind: 'invalid'; text: string };

/** In characters: more than anybody writes, and semver takes seconds for a range of a megabyte. */
const LONGEST_RANGE = 1000;
/** Of what is shown, in characters. */
const MOST_SHOWN = 100;

// Names of the long-term lines as `.nvmrc` uses them (nodejs/Release, schedule.json).
const LTS_MAJORS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    argon: 4,
    boron: 6,
    carbon: 8,
    dubnium: 10,
    erbium: 12,
    fermium: 14,
    gallium: 16,
    hydrogen: 18,
    iron: 20,
    jod: 22,
    krypton: 24,
  }),
);

/** `lts/*`, `node` and the like move with time; none of them has meant an older line than this since October 2025. */
const NEWEST_LINE = '>=24';
const MOVING_NAMES: ReadonlySet<string> = new Set([
  'node',
  'stable',
  'latest',
  'current',
  'lts',
  'lts/*',
  'lts/latest',
  'nodejs',
  'system-lts',
]);

/** Reads a semver range, a version (`v20`, `20.11.0`) or a name that a version manager knows (`lts/iron`). */
export function readNodeRange(given: string): NodeRangeReading {
  const text = given.trim();
  if (text === '' || text === '*' || text.toLowerCase() === 'x') return { kind: 'silent' };
  if (text.length > LONGEST_RANGE) return { kind: 'invalid', text: shortened(text) };
  const name = text.toLowerCase();
  if (MOVING_NAMES.has(name)) return { kind: 'range', range: NEWEST_LINE };
  const codename = /^(?:lts[/-])?([a-z]+)$/.exec(name)?.[1];
  const major = codename === undefined ? undefined : LTS_MAJORS.get(codename);
  if (major !== undefined) return { kind: 'range', range: `${major}.x` };
  const version = text.replace(/^(?:node(?:js)?[-@])/i, '');
  return semver.validRange(version) === null
    ? { kind: 'invalid', text: shortened(text) }
    : { kind: 'range', range: version.replace(/^v(?=\d)/i, '') };
}

function shortened(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** The first line of a `.nvmrc` or `.node-version` that is no comment. */
export function readVersionFile(text: string): string {
  return (
    text
      .split(/\r?\n/)
      .map((line) => line.replace(/#.*/, '').trim())
      .find((line) => line !== '') ?? ''
  );
}

/** The Node versions of an asdf `.tool-versions`: `nodejs 20.11.0 18.19.0`. */
export function readToolVersions(text: string): string | undefined {
  const line = text
    .split(/\r?\n/)
    .map((one) => one.replace(/#.*/, '').trim())
    .find((one) => /^node(?:js)?\s/.test(one));
  return line?.split(/\s+/).slice(1).join(' || ');
}

/** The Node version in the `[tools]` table of a `mise.toml`: `node = "20"`, `node = ["20", "22"]`, `node = { version = "20" }`. */
export function readMiseToml(text: string): string | undefined {
  let inTools = false;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    if (line.startsWith('[')) inTools = /^\[\s*tools\s*\]/.test(line);
    const value = /^(?:tools\.)?["']?node(?:js)?["']?\s*=\s*(\S.*)$/.exec(line)?.[1];
    if (value === undefined || !(inTools || line.startsWith('tools.'))) continue;
    const versions = (/version\s*=\s*(["'][^"']*["'])/.exec(value)?.[1] ?? value).match(/["'][^"']*["']/g) ?? [];
    return versions.map((version) => version.slice(1, -1)).join(' || ');
  }
  return undefined;
}

/** The Node of the last stage that has one: `FROM node:20.11-alpine AS run`. Images with other names may have any Node. */
export function readDockerfile(text: string): string | undefined {
  const lines = text
    .split(/\r?\n/)
    .flatMap((line) => /^\s*FROM\s+(?:--platform=\S+\s+)?(?:\S+\/)?node:(\d[\d.]*)(?![\w])/i.exec(line)?.[1] ?? []);
  return lines.at(-1)?.replace(/\.$/, '');
}

/** `devEngines.runtime` of a package.json, when it is Node: `{ name: 'node', version: '>=20' }` or a list of such. */
export function readDevEngines(devEngines: unknown): string | undefined {
  const runtime = isRecord(devEngines) ? devEngines.runtime : undefined;
  const node = (Array.isArray(runtime) ? runtime : [runtime]).filter(isRecord).find((one) => one.name === 'node');
  return typeof node?.version === 'string' ? node.version : undefined;
}
