// The stored traces of V8, read with the parser.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isBenignDeopt } from '../../../knowledge/deopt-reasons.ts';
import { V8LogReader, type V8Log, type V8LogOptions } from '../../../profiler/parse/v8-log.ts';
import type { InlineCache, SourcePlace } from '../../../protocol/evidence.ts';
import { ROOT } from '../../../scripts/generate.ts';

const TRACES = join(ROOT, 'test/profiler/traces');
export const MAJORS = [18, 20, 22, 24, 26] as const;
export const FIXTURES = '/fixtures';

export const OPTIONS: V8LogOptions = { isUserFile: (file) => file.startsWith(`${FIXTURES}/`), isBenign: isBenignDeopt };

export function traceNames(major: number): string[] {
  return readdirSync(join(TRACES, String(major))).map((file) => file.replace(/\.v8log$/, ''));
}

export function tracePath(major: number, name: string): string {
  return join(TRACES, String(major), `${name}.v8log`);
}

export function traceText(major: number, name: string): string {
  return readFileSync(tracePath(major, name), 'latin1');
}

export function readText(text: string, options: V8LogOptions = OPTIONS): V8Log {
  const reader = new V8LogReader(options);
  reader.write(text);
  return reader.end();
}

export function readTrace(major: number, name: string): V8Log {
  return readText(traceText(major, name));
}

/** `shapes.cjs:14:17` */
export function short({ file, line, column }: SourcePlace): string {
  return `${file.slice(FIXTURES.length + 1)}:${line}:${column}`;
}

export function cacheAt(log: V8Log, at: string, kind: string): InlineCache {
  const found = log.inlineCaches.find((cache) => cache.kind === kind && short(cache.place) === at);
  if (!found) throw new Error(`no ${kind} at ${at}: ${log.inlineCaches.map((cache) => `${cache.kind} ${short(cache.place)}`).join(', ')}`);
  return found;
}

/** Properties of each shape at the place, as text, sorted: V8 meets them in an order of its own. */
export function shapesOf(cache: InlineCache): string[] {
  return cache.shapes
    .map(
      ({ properties, dictionary, constructorName, elements }) =>
        `${constructorName ?? '?'}${elements ? `(${elements})` : ''}${dictionary ? '[dictionary]' : ''}${properties ? `{${properties.join(',')}}` : ''}`,
    )
    .sort();
}
