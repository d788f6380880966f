// Where the files of an image come from: a path in the container, led back through COPY to the build context.
import type { Copy, Image } from './dockerfile.ts';
import type { Terrain } from './launch.ts';
import { basename, dirname, isInside, join, relativeTo } from './paths.ts';

// A stage that copies from a stage that copies …: real files have two or three.
const MAX_STAGES = 6;
// A build context lies at most this far above the Dockerfile's project: the root of a monorepo.
const FOLDERS_ABOVE_ROOT = 3;

/** `contexts` are the folders that the image may be built from, best first. */
export function containerTerrain(image: Image, contexts: readonly string[], root: string): Terrain {
  return {
    isPosix: true,
    candidates(path, cwd) {
      const wanted = join(cwd, path);
      const found = contexts.flatMap((context) => copiedFrom(wanted, image, context, 0));
      return [
        ...new Set([
          ...found,
          ...withoutCopies(
            wanted,
            contexts.filter((context) => isInside(context, root)),
          ),
        ]),
      ];
    },
  };
}

/** Folders that `docker build` is likely given for a Dockerfile: its own, then those above it up to the project's and a little beyond. */
export function likelyContexts(folder: string, root: string): string[] {
  const contexts: string[] = [];
  let at = folder;
  let above = 0;
  while (above <= FOLDERS_ABOVE_ROOT) {
    contexts.push(at);
    if (!isInside(at, root) || at === root) above++;
    const up = dirname(at);
    if (up === at) break;
    at = up;
  }
  return contexts;
}

function copiedFrom(wanted: string, image: Image, context: string, depth: number): string[] {
  if (depth > MAX_STAGES) return [];
  const found: string[] = [];
  // Later copies lie over earlier ones.
  for (const copy of [...image.copies].reverse()) {
    for (const source of sourcesOf(wanted, copy)) {
      if (!copy.from) found.push(join(context, `./${source}`));
      else found.push(...copiedFrom(join('/', source), copy.from, context, depth + 1), ...withoutCopies(join('/', source), [context]));
    }
  }
  return found;
}

/** The paths in a copy's source that would have become `wanted`. */
function sourcesOf(wanted: string, copy: Copy): string[] {
  const found: string[] = [];
  for (const source of copy.sources) {
    const name = basename(source);
    if (/[*?[]/.test(name)) {
      if (dirname(wanted) === copy.target && matchesGlob(basename(wanted), name)) found.push(join(dirname(source), basename(wanted)));
      continue;
    }
    if (wanted === copy.target && copy.sources.length === 1) found.push(source);
    else if (wanted === join(copy.target, name)) found.push(source);
    if (isInside(wanted, copy.target) && wanted !== copy.target) found.push(`${source}/${relativeTo(copy.target, wanted)}`);
  }
  return found;
}

function matchesGlob(name: string, glob: string): boolean {
  const pattern = glob
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
  try {
    return new RegExp(`^${pattern}$`).test(name);
  } catch {
    // A bracket left open is no pattern.
    return false;
  }
}

/** `/usr/src/app/server/app.js` may be the context's `server/app.js` also when no COPY says so (`git clone`, a bind mount). */
function withoutCopies(wanted: string, contexts: readonly string[]): string[] {
  const parts = wanted.split('/').filter(Boolean);
  return contexts.flatMap((context) => parts.map((_, i) => join(context, parts.slice(i).join('/'))));
}
