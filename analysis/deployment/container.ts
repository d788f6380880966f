// Where the files of an image come from: a path in the container, traced through COPY to the build context.
import type { Copy, Image } from './dockerfile.ts';
import type { Terrain } from './launch.ts';
import { basename, dirname, isInside, join, relativeTo } from './paths.ts';

// Stages that copy from other stages. Real files have two or three.
const MOST_STAGES = 60;
/** Paths that are looked for in the copies of one stage. */
const MOST_WANTED = 200;
// A build context is at most this many folders above the project of the Dockerfile: the root of a monorepo.
const FOLDERS_ABOVE_ROOT = 3;

/** `contexts`: folders that the image may be built from, best first. */
export function containerTerrain(image: Image, contexts: readonly string[], root: string): Terrain {
  return {
    isPosix: true,
    candidates(path, cwd) {
      const wanted = join(cwd, path);
      const found = contexts.flatMap((context) => copiedFrom(wanted, image, context));
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

/** Likely build contexts of a Dockerfile: its own folder, and those above it, up to the project's and a little further. */
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

/** Stages may copy from each other in many ways: what was asked once is not asked again. */
function copiedFrom(wanted: string, image: Image, context: string, visited = new Map<Image, Set<string>>()): string[] {
  const known = visited.get(image) ?? new Set<string>();
  visited.set(image, known);
  if (known.has(wanted) || known.size > MOST_WANTED || visited.size > MOST_STAGES) return [];
  known.add(wanted);
  const found: string[] = [];
  // Later copies hide earlier ones.
  for (const copy of [...image.copies].reverse()) {
    for (const source of sourcesOf(wanted, copy)) {
      if (!copy.from) found.push(join(context, `./${source}`));
      else found.push(...copiedFrom(join('/', source), copy.from, context, visited), ...withoutCopies(join('/', source), [context]));
    }
  }
  return found;
}

/** The paths in the source of a copy that would end up as `wanted`. */
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
    // An open bracket is not a pattern.
    return false;
  }
}

/** `/usr/src/app/server/app.js` may be `server/app.js` in the context even without a COPY (`git clone`, a bind mount). */
function withoutCopies(wanted: string, contexts: readonly string[]): string[] {
  const parts = wanted.split('/').filter(Boolean);
  return contexts.flatMap((context) => parts.map((_, i) => join(context, parts.slice(i).join('/'))));
}
