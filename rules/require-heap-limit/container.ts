// What the rule knows of one container, and the heap limit that a text sets.
import type { CommandText } from '../../analysis/deployment/command-text.ts';
import type { DockerBuild } from '../../analysis/deployment/dockerfile.ts';
import type { Place } from '../../analysis/deployment/launch.ts';
import type { MemoryLimit, Setting } from '../../analysis/deployment/memory-limit.ts';
import type { ProjectFiles } from '../../analysis/deployment/project-files.ts';

export type MessageId = 'above' | 'unseen' | 'small';

export interface LimitedContainer {
  /** `the service \`web\`` */
  subject: string;
  memory: MemoryLimit;
  nodeOptions: Setting | undefined;
  /** The command that replaces that of the image. */
  commandPlace: Place | undefined;
  /** Whether variables come from where the project does not show them. */
  isOpen: boolean;
  image: string | undefined;
  build: { build: DockerBuild; stage: number; args: ReadonlyMap<string, string | undefined>; contexts: readonly string[] } | undefined;
  entrypoint: CommandText | undefined;
  command: CommandText | undefined;
}

export interface HeapLimit extends Place {
  /** MiB, as V8 takes it. */
  size: number;
}

const HEAP_LIMIT = /--max[-_]old[-_]space[-_]size=(\d{1,9})(?![\w.$])/g;
/** Whatever sets a limit, or may. */
const MAY_SET_LIMIT = /max[-_]old[-_]space|max[-_]heap[-_]size|NODE_OPTIONS|node-options/;

/** The heap limit that the text at a place sets: the last one counts. The place is that of the number. */
export function heapLimitAt(place: Place | undefined, files: ProjectFiles): HeapLimit | undefined {
  if (!place) return undefined;
  const text = files.readText(place.path)?.slice(place.span.start, place.span.end) ?? '';
  const match = [...text.matchAll(HEAP_LIMIT)].at(-1);
  if (!match) return undefined;
  const end = place.span.start + match.index + match[0].length;
  return { path: place.path, span: { start: end - (match[1] ?? '').length, end }, size: Number(match[1]) };
}

export function maySetHeapLimit(text: string | undefined): boolean {
  return text !== undefined && MAY_SET_LIMIT.test(text);
}

/** The name of the image that a stage is built on, and the ENV of the stage and of those below it. */
export function baseOf(build: DockerBuild, stage: number): { image: string; nodeOptions: Place | undefined } {
  let nodeOptions: Place | undefined;
  let at = build.stages[stage];
  for (let i = 0; at && i <= build.stages.length; i++) {
    for (const { properties, keyword } of at.instructions.toReversed()) {
      const found = keyword === 'ENV' ? properties.findLast(({ name }) => name === 'NODE_OPTIONS') : undefined;
      if (found) nodeOptions ??= { path: build.path, span: found.span };
    }
    if (typeof at.base === 'string') return { image: at.base, nodeOptions };
    at = build.stages[at.base];
  }
  return { image: '', nodeOptions };
}

/** `18.19` of `docker.io/library/node:18.19-alpine`. */
export function nodeVersionOf(image: string): string | undefined {
  return /^(?:(?:docker\.io\/)?(?:library\/)?)node:v?(\d{1,3}(?:\.\d{1,3}){0,2})(?![\w.])/.exec(image)?.[1];
}

/**
 * Whether Node of that version sees limits of cgroup v1 only: tested with 18.18.0 (sees both), 18.18.2, 18.20.8 and 20.2.0 (do not), 20.3.0
 * and later (see both). A tag of two parts means the last release of those.
 */
export function missesCgroup2(version: string): boolean {
  const [major = 0, minor, patch] = version.split('.').map(Number);
  if (major === 18) return !(minor === 18 && patch === 0);
  return major < 20 || (major === 20 && minor !== undefined && minor < 3);
}
