// Whether a package is a library: what its own files say. A wrong answer costs an agent hints that are about nobody's calls.
import type { PackageManifest } from '../protocol/project.ts';
import { isRecord } from '../protocol/unknown-values.ts';

/** It is started: `node .`, `next start`. A script that only builds while files change is no server. */
const BUILDS = /\bwatch\b|--watch\b|\btsc\b|\bstorybook\b/;
/** With a port, or what holds one: `listen(3000)`. A framework has methods of that name, too. */
const LISTENS = /\.listen\s*\(\s*(?:\d|process\.env|[\w.]{0,80}port\b|\{)/i;
const EXPORTS = /\bexports?\b/;
const ENDINGS = ['', '.js', '.ts', '/index.js'];
/** What authors of packages write, and hardly those of applications. */
const SIGNS = ['exports', 'module', 'types', 'typings', 'files', 'publishConfig'];

/** @param raw what package.json says @param read the text of a file in the folder; undefined where there is none */
export function isLibrary(
  raw: Readonly<Record<string, unknown>>,
  { main, scripts, bin, private: isPrivate }: PackageManifest,
  read: (path: string) => string | undefined,
): boolean {
  const isUsed = main !== undefined || typeof raw.module === 'string' || typeof raw.exports === 'string' || isRecord(raw.exports);
  const { start } = scripts;
  if (!isUsed || isPrivate || (start !== undefined && !BUILDS.test(start))) return false;
  const textOf = (path: string): string | undefined => {
    for (const ending of ENDINGS) {
      // A folder has no text.
      const text = /[\\/]$/.test(path) && ending !== '/index.js' ? undefined : read(`${path}${ending}`);
      if (text !== undefined) return text;
    }
    return undefined;
  };
  if (bin.some((path) => LISTENS.test(textOf(path) ?? ''))) return false;
  const entry = main === undefined ? undefined : textOf(main);
  return entry === undefined ? SIGNS.some((sign) => raw[sign] !== undefined) : EXPORTS.test(entry) && !LISTENS.test(entry);
}
