// Which file of the project a recording means: it names paths of another machine, URLs, or names that a bundler made.
import { basename, join, posix, resolve, sep } from 'node:path';
import { statsOf } from '../../files/path-stats.ts';
import { insideOf } from '../../files/inside.ts';

export type FoundPath =
  | { kind: 'own'; file: string }
  | { kind: 'package'; name: string }
  /** Node's own, or V8's. */
  | { kind: 'core' }
  | { kind: 'ambiguous'; files: readonly string[] }
  | { kind: 'unknown' };

export interface PathPrefix {
  from: string;
  /** Absolute. */
  to: string;
}

/** Folders of a path that are compared. */
const MOST_PARTS = 20;
const PACKAGE = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//g;

export class ProjectPaths {
  readonly #root: string;
  readonly #prefixes: readonly PathPrefix[];
  readonly #byName = new Map<string, string[]>();
  readonly #known = new Map<string, FoundPath>();

  /**
   * @param root the project's folder
   * @param prefixes tried in their order
   * @param files of the project, absolute: those that are linted, and those of the commit
   */
  constructor(root: string, prefixes: readonly PathPrefix[], files: Iterable<string>) {
    this.#root = root;
    this.#prefixes = prefixes;
    for (const file of files) {
      const known = this.#byName.get(basename(file));
      if (known) known.push(file);
      else this.#byName.set(basename(file), [file]);
    }
  }

  find(url: string): FoundPath {
    let found = this.#known.get(url);
    if (!found) this.#known.set(url, (found = this.#look(url)));
    return found;
  }

  #look(url: string): FoundPath {
    if (url === '' || url.startsWith('node:')) return { kind: 'core' };
    const path = pathOf(url);
    if (path === undefined) return { kind: 'unknown' };
    const name = [...`/${path}`.replaceAll('//', '/').matchAll(PACKAGE)].at(-1)?.[1];
    if (name !== undefined) return { kind: 'package', name };
    for (const { from, to } of this.#prefixes) {
      const prefix = from.endsWith('/') ? from.slice(0, -1) : from;
      if (path !== prefix && !path.startsWith(`${prefix}/`)) continue;
      const file = resolve(to, `.${path.slice(prefix.length)}`);
      return this.#isOwn(file) ? { kind: 'own', file } : { kind: 'unknown' };
    }
    const direct = resolve(path);
    if (path.startsWith('/') && this.#isOwn(direct)) return { kind: 'own', file: direct };
    return this.#bySuffix(path.split('/').filter((part) => part !== ''));
  }

  /** The file that has the most of the path. A name alone is enough only in the project's own folder. */
  #bySuffix(parts: readonly string[]): FoundPath {
    const sameName = this.#byName.get(parts.at(-1) ?? '') ?? [];
    for (let from = Math.max(0, parts.length - MOST_PARTS); from < parts.length; from++) {
      const suffix = parts.slice(from).join('/');
      const inRoot = join(this.#root, ...parts.slice(from));
      const isName = from === parts.length - 1;
      const files = new Set(isName ? [] : sameName.filter((file) => slashed(file).endsWith(`/${suffix}`)));
      if (this.#isOwn(inRoot) || sameName.includes(inRoot)) files.add(inRoot);
      const [file] = files;
      if (files.size > 1) return { kind: 'ambiguous', files: [...files] };
      if (file !== undefined) return { kind: 'own', file };
    }
    return { kind: 'unknown' };
  }

  /** A file of the project, whatever a recording makes of `..`. */
  #isOwn(file: string): boolean {
    if (!insideOf(this.#root, file)) return false;
    return (this.#byName.get(basename(file))?.includes(file) ?? false) || (statsOf(file)?.isFile() ?? false);
  }
}

/** With slashes; undefined for what is no file, such as a page. */
function pathOf(url: string): string | undefined {
  const [, scheme, rest] = /^([a-zA-Z][a-zA-Z+.-]+):\/{0,3}(.*)$/s.exec(url) ?? [];
  if (scheme === undefined || rest === undefined) return url.includes('\0') ? undefined : normalized(url.replaceAll('\\', '/'));
  switch (scheme) {
    case 'file':
      try {
        // Of a Windows machine: file:///C:/app/x.js
        return normalized(/^[A-Za-z]:/.test(rest) ? decodeURIComponent(rest) : `/${decodeURIComponent(rest)}`);
      } catch {
        // An escape that is none: then it is no URL of a file.
        return undefined;
      }
    case 'webpack':
    case 'webpack-internal':
      // webpack://shop/./src/app.ts?a1b2
      return normalized(rest.replace(/\?[\w-]*$/, '').replace(/^(?:[^/]*\/)?\.\//, ''));
    default:
      return undefined;
  }
}

function normalized(path: string): string {
  return posix.normalize(path).replace(/^(?:\.\.?\/)+/, '');
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
