// The OpenAPI files of a project: those with the usual names, or the one that the user named.
import { basename, join } from 'node:path';
import { readOpenApi, type OpenApiDocument } from '../../analysis/openapi/document.ts';
import { statsOf } from '../../files/path-stats.ts';
import { MOST_BYTES, readTextFile } from '../../files/read-text-file.ts';

const NAMES = ['openapi', 'swagger'].flatMap((name) => ['.json', '.yaml', '.yml'].map((ending) => name + ending));
const FOLDERS = ['', 'docs', 'api', 'spec', 'public'];
/** A project has one, or one of each version. */
const MOST_FILES = 4;

/** In bytes. The YAML parser takes about a second for each MB. */
const MOST_YAML_BYTES = 2 * 1024 * 1024;

/** `why` is a sentence. */
export type OpenApiFile = { ok: true; file: string; document: OpenApiDocument } | { ok: false; why: string };

/** @param folders absolute; the nearest first */
export function openApiFilesIn(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => FOLDERS.flatMap((below) => NAMES.map((name) => join(folder, below, name))))
    .filter((path) => statsOf(path)?.isFile())
    .slice(0, MOST_FILES);
}

/** @param shown the path as the user knows it */
export function readOpenApiFile(path: string, shown: string): OpenApiFile {
  const reading = readTextFile(path, /\.json$/i.test(path) ? MOST_BYTES.settings : MOST_YAML_BYTES);
  if (!reading.ok)
    return { ok: false, why: reading.problem === 'missing' ? `File not found: \`${shown}\`.` : `\`${shown}\` ${reading.why}.` };
  const read = readOpenApi(basename(path), reading.text);
  return read.ok ? { ok: true, file: path, document: read.document } : { ok: false, why: `\`${shown}\` ${read.why}.` };
}
