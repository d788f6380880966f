// Compose files: what each service runs, and its NODE_ENV.
import type { Edit, Span } from '../../protocol/finding.ts';
import type { CommandText } from './command-text.ts';
import { EXAMPLE_ENV_FILES, findNodeEnv } from './env-file.ts';
import { UNKNOWN, type EnvState } from './launch.ts';
import { dockerBytes, memoryAt, nodeAt, variableOf, type MemoryLimit, type Setting } from './memory-limit.ts';
import { dirname, join, purposeOf } from './paths.ts';
import { addToEnvironment, indentStep, insertBeforeKey } from './yaml-edits.ts';
import { YamlFile, isYamlMap, isYamlScalar, spanOf, type YamlDocument, type YamlNode } from './yaml-nodes.ts';

export interface ComposeBuild {
  context: string;
  dockerfile: string;
  target: string | undefined;
  args: ReadonlyMap<string, string | undefined>;
}

export interface ComposeService {
  path: string;
  name: string;
  nameSpan: Span;
  build: ComposeBuild | undefined;
  image: string | undefined;
  /** Undefined if the file does not mention NODE_ENV. */
  env: EnvState | undefined;
  memory: MemoryLimit | undefined;
  nodeOptions: Setting | undefined;
  /** The files of `env_file`, as absolute paths; undefined for one whose name is a variable. */
  envFiles: readonly (string | undefined)[];
  entrypoint: CommandText | undefined;
  command: CommandText | undefined;
  commandSpan: Span | undefined;
  /** The sources of the project are mounted over those of the image: a development setup. */
  mountsSources: boolean;
  isDevelopment: boolean;
  /** Adds the variable in the style of the file; undefined if that is not safe. */
  addition: Edit | undefined;
}

type ReadText = (path: string) => string | undefined;

// `extends` may be chained. Real files have one step.
const MAX_EXTENDS = 5;

/** Files that services extend are parsed once each. */
interface Reading {
  readText: ReadText;
  files: Map<string, YamlFile | undefined>;
}

type ServiceEntry = { key: string; keySpan: Span; value: YamlNode | undefined };

export function parseCompose(path: string, text: string, readText: ReadText): ComposeService[] {
  const file = new YamlFile(path, text);
  const document = file.documents[0];
  if (!document) return [];
  const reading: Reading = { readText, files: new Map([[path, file]]) };
  return serviceEntries(file, document).map((entry) => readService(file, document, entry, reading, 0));
}

function serviceEntries(file: YamlFile, document: YamlDocument): ServiceEntry[] {
  const services = file.find(document.contents, 'services', document);
  // Version 1 of the format has its services at the top level.
  return services
    ? file.entries(services.value, document)
    : file
        .entries(document.contents, document)
        .filter((entry) => file.find(entry.value, 'build', document) ?? file.find(entry.value, 'image', document));
}

function readService(file: YamlFile, document: YamlDocument, entry: ServiceEntry, reading: Reading, depth: number): ComposeService {
  const at = (key: string) => file.find(entry.value, key, document);
  const folder = dirname(file.path);
  const base = extended(file, document, entry.value, reading, depth);
  const commandEntry = at('command');
  const own = environmentState(file, document, entry.value, reading.readText);
  const image = file.scalar(at('image')?.value);
  const memory = nodeAt(file, document, entry.value, ['deploy', 'resources', 'limits', 'memory']) ?? at('mem_limit')?.value;
  const profiles = file.items(at('profiles')?.value, document).map((item) => file.scalar(item) ?? '');
  return {
    path: file.path,
    name: entry.key,
    nameSpan: entry.keySpan,
    build: readBuild(file, document, at('build')?.value, folder) ?? base?.build,
    image: image ?? base?.image,
    env: own ?? base?.env,
    memory: memory ? memoryAt(file, memory, dockerBytes) : base?.memory,
    nodeOptions: variableOf(file, document, at('environment')?.value, 'NODE_OPTIONS') ?? base?.nodeOptions,
    envFiles: [...(base?.envFiles ?? []), ...envFilesOf(file, document, entry.value)],
    entrypoint: file.command(at('entrypoint')?.value, document) ?? base?.entrypoint,
    command: file.command(commandEntry?.value, document) ?? base?.command,
    commandSpan: commandEntry?.value ? file.valueSpan(commandEntry.value) : base?.commandSpan,
    mountsSources: mountsSources(file, document, at('volumes')?.value) || at('develop') !== undefined || (base?.mountsSources ?? false),
    isDevelopment:
      purposeOf(entry.key) === 'development' ||
      profiles.some((profile) => purposeOf(profile) === 'development') ||
      (base?.isDevelopment ?? false),
    addition: addition(file, document, entry),
  };
}

/** The service after an override file: what the override sets wins, and environments are merged. */
export function overlay(base: ComposeService, over: ComposeService): ComposeService {
  return {
    ...over,
    build: over.build ?? base.build,
    image: over.image ?? base.image,
    env: over.env ?? base.env,
    memory: over.memory ?? base.memory,
    nodeOptions: over.nodeOptions ?? base.nodeOptions,
    envFiles: [...base.envFiles, ...over.envFiles],
    entrypoint: over.entrypoint ?? base.entrypoint,
    command: over.command ?? base.command,
    commandSpan: over.commandSpan,
    mountsSources: over.mountsSources || base.mountsSources,
  };
}

function extended(
  file: YamlFile,
  document: YamlDocument,
  service: YamlNode | undefined,
  reading: Reading,
  depth: number,
): ComposeService | undefined {
  const value = file.find(service, 'extends', document)?.value;
  if (!value || depth > MAX_EXTENDS) return undefined;
  const name = file.scalar(value) ?? file.scalar(file.find(value, 'service', document)?.value);
  const other = file.scalar(file.find(value, 'file', document)?.value);
  if (name === undefined) return undefined;
  if (other === undefined) {
    const found = file.find(file.find(document.contents, 'services', document)?.value, name, document);
    return found ? readService(file, document, found, reading, depth + 1) : undefined;
  }
  const path = join(dirname(file.path), other);
  const { files, readText } = reading;
  if (!files.has(path)) {
    const text = readText(path);
    files.set(path, text === undefined ? undefined : new YamlFile(path, text));
  }
  const base = files.get(path);
  const its = base?.documents[0];
  // Only the service that is named: its file may have many, and extend this one.
  const found = base && its && serviceEntries(base, its).find(({ key }) => key === name);
  return found ? readService(base, its, found, reading, depth + 1) : undefined;
}

function readBuild(file: YamlFile, document: YamlDocument, value: YamlNode | undefined, folder: string): ComposeBuild | undefined {
  if (!value) return undefined;
  const short = file.scalar(value);
  const context = short ?? (isYamlMap(value) ? (file.scalar(file.find(value, 'context', document)?.value) ?? '.') : undefined);
  if (context === undefined || /^(?:https?|git|ssh):|^git@|\$\{/.test(context)) return undefined;
  const absolute = join(folder, context);
  const args = new Map<string, string | undefined>();
  const argsNode = file.find(value, 'args', document)?.value;
  for (const arg of file.entries(argsNode, document)) args.set(arg.key, defaultOf(file.scalar(arg.value)));
  for (const item of file.items(argsNode, document)) {
    const [name = '', ...rest] = (file.scalar(item) ?? '').split('=');
    if (name) args.set(name, rest.length > 0 ? defaultOf(rest.join('=')) : undefined);
  }
  return {
    context: absolute,
    dockerfile: join(absolute, file.scalar(file.find(value, 'dockerfile', document)?.value) ?? 'Dockerfile'),
    target: file.scalar(file.find(value, 'target', document)?.value),
    args,
  };
}

/** `${X:-production}` is `production` if the host does not set it; `${X}` alone is unknown. */
function defaultOf(value: string | undefined): string | undefined {
  if (value === undefined || !value.includes('$')) return value;
  return /^\$\{\w+:?-([^}]*)\}$/.exec(value)?.[1];
}

function environmentState(file: YamlFile, document: YamlDocument, service: YamlNode | undefined, readText: ReadText): EnvState | undefined {
  const environment = file.find(service, 'environment', document)?.value;
  const folder = dirname(file.path);
  // What the host sets still counts. Braces within brackets must be quoted.
  const quote = isYamlMap(environment) && environment.flow ? '"' : '';
  const entry = file.find(environment, 'NODE_ENV', document);
  if (entry) {
    const value = file.scalar(entry.value);
    if (value === undefined)
      return hostState(
        file,
        { start: entry.keySpan.start, end: entry.keySpan.end + 1 },
        { start: entry.keySpan.end + 1, end: entry.keySpan.end + 1, text: ` ${quote}\${NODE_ENV:-production}${quote}` },
        folder,
        readText,
      );
    return entry.value ? substituted(file, value, file.valueSpan(entry.value), folder, readText) : undefined;
  }
  for (const item of file.items(environment, document)) {
    const text = file.scalar(item);
    const span = file.valueSpan(item);
    if (text === 'NODE_ENV') return hostState(file, span, { ...span, text: 'NODE_ENV=${NODE_ENV:-production}' }, folder, readText);
    if (text?.startsWith('NODE_ENV='))
      return substituted(file, text.slice('NODE_ENV='.length), { start: span.start + 'NODE_ENV='.length, end: span.end }, folder, readText);
  }
  return envFileState(file, document, service, readText);
}

function envFilesOf(file: YamlFile, document: YamlDocument, service: YamlNode | undefined): (string | undefined)[] {
  const value = file.find(service, 'env_file', document)?.value;
  if (!value) return [];
  const paths = isYamlScalar(value)
    ? [file.scalar(value)]
    : file.items(value, document).map((item) => file.scalar(item) ?? file.scalar(file.find(item, 'path', document)?.value));
  return paths.map((path) => (path === undefined || path.includes('$') ? undefined : join(dirname(file.path), path)));
}

function envFileState(file: YamlFile, document: YamlDocument, service: YamlNode | undefined, readText: ReadText): EnvState | undefined {
  let state: EnvState | undefined;
  for (const absolute of envFilesOf(file, document, service)) {
    const text = absolute === undefined ? undefined : readText(absolute);
    if (absolute === undefined || text === undefined) state = UNKNOWN;
    else {
      const found = findNodeEnv(text);
      if (found) state = { kind: 'value', value: found.value, place: { path: absolute, span: found.span } };
    }
  }
  return state;
}

function substituted(file: YamlFile, value: string, span: Span, folder: string, readText: ReadText): EnvState {
  if (!value.includes('$')) return { kind: 'value', value, place: file.place(span) };
  const variable = /^\$(?:\{(\w+)(?::?([-?])([^}]*))?\}|(\w+))$/.exec(value);
  const name = variable?.[1] ?? variable?.[4];
  if (!variable || name === undefined || variable[2] === '?') return UNKNOWN;
  const fromFile = findVariable(readText(join(folder, '.env')), name);
  if (fromFile !== undefined) return { kind: 'value', value: fromFile, place: undefined };
  if (variable[2] === '-') {
    const at = file.text.indexOf(variable[3] ?? '', span.start + value.indexOf('-'));
    return {
      kind: 'value',
      value: variable[3] ?? '',
      place: at >= 0 && at < span.end ? file.place({ start: at, end: at + (variable[3] ?? '').length }) : undefined,
    };
  }
  if (name !== 'NODE_ENV') return UNKNOWN;
  return hostState(file, span, { ...span, text: '${NODE_ENV:-production}' }, folder, readText);
}

/** The value comes from the environment of compose, unless the `.env` next to it (or its template) has one. */
function hostState(file: YamlFile, span: Span, edit: Edit, folder: string, readText: ReadText): EnvState {
  const text = readText(join(folder, '.env'));
  const found = text === undefined ? undefined : findNodeEnv(text);
  if (found) return { kind: 'value', value: found.value, place: { path: join(folder, '.env'), span: found.span } };
  if (EXAMPLE_ENV_FILES.some((name) => findNodeEnv(readText(join(folder, name)) ?? '') !== undefined)) return UNKNOWN;
  return { kind: 'host', place: file.place(span), edit };
}

function findVariable(text: string | undefined, name: string): string | undefined {
  const match = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[ \\t]*["']?([^"'\\r\\n#]*)`, 'm').exec(text ?? '');
  return match?.[1]?.trim();
}

const SOURCE_MOUNT = /^\.{0,2}\/?$|^\.{1,2}\/?(?:\.\.\/)*(?:src|server|app|api|backend|lib|web|packages|apps)(?:\/|$)/;

function mountsSources(file: YamlFile, document: YamlDocument, volumes: YamlNode | undefined): boolean {
  return file.items(volumes, document).some((item) => {
    const source = file.scalar(item)?.split(':')[0] ?? file.scalar(file.find(item, 'source', document)?.value) ?? '-';
    const isPath = source.startsWith('.') || source === '${PWD}' || source === '$PWD';
    return isPath && (SOURCE_MOUNT.test(source) || source.includes('PWD'));
  });
}

function addition(file: YamlFile, document: YamlDocument, entry: { keySpan: Span; value: YamlNode | undefined }): Edit | undefined {
  if (!isYamlMap(entry.value)) return undefined;
  const environment = file.find(entry.value, 'environment', document);
  const own = spanOf(entry.value);
  if (environment) {
    // An environment that several services share cannot be changed for one of them.
    const span = environment.value ? spanOf(environment.value) : environment.keySpan;
    return span.start >= own.start && span.end <= own.end
      ? addToEnvironment(file, environment, entry.value.flow === true, indentStepOf(file, entry))
      : undefined;
  }
  const first = entry.value.items[0]?.key as YamlNode | undefined;
  if (!first) return undefined;
  const at = spanOf(first).start;
  if (entry.value.flow) return { start: at, end: at, text: 'environment: { NODE_ENV: production }, ' };
  return insertBeforeKey(file.text, at, ['environment:', `${indentStepOf(file, entry)}NODE_ENV: production`]);
}

function indentStepOf(file: YamlFile, { keySpan, value }: { keySpan: Span; value: YamlNode | undefined }): string {
  const first = isYamlMap(value) ? (value.items[0]?.key as YamlNode | undefined) : undefined;
  return first ? indentStep(file.text, keySpan.start, spanOf(first).start) : '  ';
}
