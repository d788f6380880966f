// From a file of somebody's to what it recorded: which format it has is told by its content.
import { Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { MOST_BYTES, readChunks } from '../../files/read-text-file.ts';
import { CommandError, Interrupted } from '../errors.ts';
import { COVERAGE_PATHS, CoverageFile } from './coverage-file.ts';
import { CPU_PROFILE_PATHS, CpuProfileFile, SAMPLE_PATHS } from './cpu-profile-file.ts';
import { JsonElements, JsonProblem } from './json-elements.ts';
import { PprofFile } from './pprof-file.ts';
import { ImportLimit, ImportProblem, type Recorded } from './recorded.ts';
import { SPANS_PATHS, SpansFile } from './spans-file.ts';

export interface ReadingRequest {
  /** Absolute. */
  path: string;
  /** As the user named it. */
  shown: string;
  /** Lets Ctrl-C through. */
  breathe(bytes: number): Promise<void>;
}

const HOW =
  'CPU profiles are recorded with `node --cpu-prof`, coverage with `NODE_V8_COVERAGE=<folder>`, pprof profiles with `@datadog/pprof`, and spans by an OpenTelemetry exporter that writes OTLP/JSON.';

/** @throws CommandError for what cannot be read, in a sentence */
export async function readRecording(request: ReadingRequest): Promise<Recorded> {
  const { path, shown } = request;
  try {
    return await read(request);
  } catch (error) {
    if (error instanceof Interrupted || error instanceof CommandError) throw error;
    if (!(error instanceof ImportProblem) && !(error instanceof JsonProblem)) throw error;
    throw new CommandError(
      error instanceof ImportLimit
        ? `${shown} is too large to be imported: ${error.message}.`
        : /\.cpuprofile(?:\.gz)?$/.test(path)
          ? `${shown} is no CPU profile: ${error.message}. To record one, run \`node --cpu-prof app.js\`.`
          : `${shown} cannot be imported: ${error.message}. ${HOW}`,
    );
  }
}

async function read(request: ReadingRequest): Promise<Recorded> {
  const head = await headOf(request);
  if (head.length === 0) throw new ImportProblem('it is empty');
  if (head[0] === 0x50 && head[1] === 0x4b) throw new ImportProblem('it is a ZIP archive; unpack it first');
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff))
    throw new ImportProblem('it is UTF-16; save it as UTF-8');
  const text = head
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  // Fields of a protocol buffer begin with control codes, which JSON does not have.
  return /^[[{"]/.test(text) || !/[\u0000-\u0008\u000e-\u001f\u007f-\u00ff]/.test(text) ? readJson(request) : readPprof(request);
}

const HEAD_BYTES = 64;

async function headOf(request: ReadingRequest): Promise<Buffer> {
  for await (const bytes of bytesOf({ ...request, breathe: async () => undefined })) return Buffer.from(bytes.subarray(0, HEAD_BYTES));
  return Buffer.alloc(0);
}

async function readPprof(request: ReadingRequest): Promise<Recorded> {
  const profile = new PprofFile();
  for await (const bytes of bytesOf(request)) profile.tables.push(bytes);
  profile.tables.end();
  profile.prepare();
  for await (const bytes of bytesOf(request)) profile.samples.push(bytes);
  return profile.recorded();
}

async function readJson(request: ReadingRequest): Promise<Recorded> {
  const cpu = new CpuProfileFile();
  const coverage = new CoverageFile();
  const spans = new SpansFile();
  const takers: ((value: unknown) => void)[] = [
    (value) => cpu.addNode(value),
    (value) => coverage.setUrl(value),
    (value) => coverage.addFunction(value),
    (value) => spans.addSpan(value),
  ];
  const elements = new JsonElements([...CPU_PROFILE_PATHS, ...COVERAGE_PATHS, ...SPANS_PATHS], (i, value) => takers[i]?.(value));
  for await (const bytes of bytesOf(request)) elements.push(bytes);
  elements.end();
  const { keys } = elements;
  if (!cpu.isEmpty) {
    if (cpu.needsSamples) {
      const samples = new JsonElements(SAMPLE_PATHS, (_, value) => cpu.addSample(value));
      for await (const bytes of bytesOf(request)) samples.push(bytes);
    }
    return cpu.recorded();
  }
  if (keys.has('result')) return coverage.recorded();
  if (keys.has('resourceSpans')) return spans.recorded();
  throw new ImportProblem(whatItIs(keys));
}

function whatItIs(keys: ReadonlySet<string>): string {
  if (keys.has('nodes') && keys.has('callFrame') === false && keys.has('startTime')) return 'it has no nodes';
  if (keys.has('head') && keys.has('samples')) return 'it is a heap profile, which says nothing about time';
  if (keys.has('snapshot')) return 'it is a heap snapshot, which says nothing about time';
  if (keys.has('traceEvents')) return 'it is a trace of Chrome DevTools; import the CPU profile instead';
  if (keys.has('resourceMetrics') || keys.has('resourceLogs')) return 'it has metrics or logs of OpenTelemetry, and no spans';
  const names = [...keys].slice(0, 5).map((key) => `\`${key.slice(0, 30)}\``);
  return names.length > 0 ? `its JSON has the keys ${names.join(', ')}, which no known format has` : 'its JSON has no keys';
}

/** The bytes, decompressed if they are. */
async function* bytesOf({ path, shown, breathe }: ReadingRequest): AsyncGenerator<Buffer> {
  const chunks = plainChunks(path, shown);
  const first = chunks.next();
  if (first.done) return;
  const all = (function* () {
    yield first.value;
    yield* chunks;
  })();
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    for (const chunk of all) {
      await breathe(chunk.length);
      yield chunk;
    }
    return;
  }
  const source = Readable.from(all);
  // What is cut off is told by what reads it, and a stream of several parts is one.
  const gunzip = createGunzip({ finishFlush: constants.Z_FINISH });
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  let length = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MOST_BYTES.imports) throw new ImportLimit('it is larger than 4 GB when decompressed');
      await breathe(chunk.length);
      yield chunk;
    }
  } catch (error) {
    if (/^Z_/.test((error as NodeJS.ErrnoException).code ?? '')) throw new ImportProblem('its compressed data is damaged or cut off');
    throw error;
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

function* plainChunks(path: string, shown: string): Generator<Buffer> {
  const problem = yield* readChunks(path, MOST_BYTES.imports);
  if (problem) throw new CommandError(`${shown} ${problem.why}.`);
}

/** Several recordings of the same kind as one: processes of one program. */
export function merged(all: readonly Recorded[]): Recorded {
  const [first] = all;
  if (!first) throw new Error('nothing to merge');
  if (all.length === 1) return first;
  if (all.some(({ kind }) => kind !== first.kind))
    throw new CommandError('Files of different kinds cannot be imported together. Import each kind on its own, with a `--name` for each.');
  const functions = new Map<string, Recorded['functions'][number]>();
  for (const one of all.flatMap((recorded) => recorded.functions)) {
    const key = JSON.stringify([one.name, one.url, one.place, one.range]);
    const known = functions.get(key);
    if (!known) {
      functions.set(key, { ...one });
      continue;
    }
    known.total += one.total;
    known.self += one.self;
    known.calls += one.calls;
    if (one.lines)
      known.lines = known.lines
        ? { first: Math.min(known.lines.first, one.lines.first), last: Math.max(known.lines.last, one.lines.last) }
        : one.lines;
  }
  const routes = new Map<string, Recorded['routes'][number]>();
  for (const one of all.flatMap((recorded) => recorded.routes)) {
    const key = `${one.method} ${one.route}`;
    routes.set(key, { ...one, requests: one.requests + (routes.get(key)?.requests ?? 0) });
  }
  const dates = all.flatMap(({ date }) => date ?? []);
  return {
    kind: first.kind,
    ...(dates.length > 0 ? { date: Math.max(...dates) } : {}),
    functions: [...functions.values()],
    total: all.reduce((sum, { total }) => sum + total, 0),
    routes: [...routes.values()],
    remarks: [...new Set(all.flatMap(({ remarks }) => remarks))],
  };
}
