// Dockerfiles: stages, and the image that a stage produces, with its NODE_ENV, working folder, copies and start command.
import { DockerfileParser, type Instruction, type PropertyInstruction } from 'dockerfile-ast';
import { IMAGES_WITHOUT_IT, OFFICIAL_IMAGES_THAT_SET_IT, OFFICIAL_PREFIXES } from '../../knowledge/node-env-setters.ts';
import type { Span } from '../../protocol/finding.ts';
import { execWords } from './docker-words.ts';
import { UNKNOWN, UNSET, type EnvState, type Place } from './launch.ts';
import { isAbsolute, join } from './paths.ts';
import type { Word } from './shell-words.ts';

export interface Copy {
  sources: readonly string[];
  /** Absolute in the image. */
  target: string;
  /** The stage copied from; undefined for the build context. */
  from: Image | undefined;
}

export interface ImageCommand {
  instruction: 'CMD' | 'ENTRYPOINT';
  /** The whole instruction. */
  span: Span;
  form: 'exec' | 'shell';
  words: readonly Word[];
  /** The text of the shell form, and its start. */
  text: string;
  textStart: number;
}

export interface Image {
  path: string;
  env: EnvState;
  workdir: string;
  copies: readonly Copy[];
  entrypoint: ImageCommand | undefined;
  command: ImageCommand | undefined;
  /** The base image passes its command to node: distroless does, and so does `node` for arguments that are not a command. */
  runsNode: boolean;
  /** Built on Docker's own `node` image, whose `docker-entrypoint.sh` runs the command. */
  isNodeImage: boolean;
  npmOmitsDev: boolean;
  /** `ARG NODE_ENV=production` without an `ENV`: does not exist when the container runs. */
  argOnly: Place | undefined;
  /** `RUN export NODE_ENV=…` or `RUN NODE_ENV=… npm ci`: ends with that step. */
  runOnly: Place | undefined;
}

export interface Stage {
  name: string | undefined;
  /** Index of the stage that it builds on, or the name of the image with its variables resolved. */
  base: number | string;
  instructions: readonly StageInstruction[];
  /** From `FROM` to the stage's last instruction. */
  span: Span;
}

export interface StageInstruction {
  keyword: string;
  span: Span;
  /** The text after the keyword, with its offsets. */
  text: string;
  textStart: number;
  properties: readonly { name: string; value: string | undefined; span: Span }[];
  flags: ReadonlyMap<string, string>;
}

export interface DockerBuild {
  path: string;
  text: string;
  stages: readonly Stage[];
  globalArgs: ReadonlyMap<string, string>;
}

/** Undefined if the text has no stage. */
export function parseDockerfile(path: string, text: string): DockerBuild | undefined {
  let instructions: readonly StageInstruction[];
  try {
    const starts = lineStarts(text);
    instructions = DockerfileParser.parse(text)
      .getInstructions()
      .map((instruction) => toInstruction(instruction, text, starts));
  } catch {
    // The parser fails on some half-typed files.
    return undefined;
  }
  const globalArgs = new Map<string, string>();
  const stages: { name: string | undefined; base: number | string; instructions: StageInstruction[]; span: Span }[] = [];
  for (const instruction of instructions) {
    const stage = stages.at(-1);
    if (instruction.keyword === 'FROM') {
      const [image = '', as, name] = instruction.text
        .trim()
        .split(/\s+/)
        .filter((word) => !word.startsWith('--'));
      const resolved = expand(image, (variable) => globalArgs.get(variable)) ?? image;
      const index = stages.findIndex((other) => other.name !== undefined && other.name === resolved.toLowerCase());
      stages.push({
        name: as?.toLowerCase() === 'as' ? name?.toLowerCase() : undefined,
        base: index >= 0 ? index : resolved,
        instructions: [],
        span: { ...instruction.span },
      });
    } else if (stage) {
      stage.instructions.push(instruction);
      stage.span.end = instruction.span.end;
    } else if (instruction.keyword === 'ARG') {
      for (const property of instruction.properties) if (property.value !== undefined) globalArgs.set(property.name, property.value);
    }
  }
  return stages.length > 0 ? { path, text, stages, globalArgs } : undefined;
}

/** Stages that lead to each other in a longer row than this are not followed. */
const MAX_STAGES_DEEP = 200;

type BuildArgs = ReadonlyMap<string, string | undefined>;

/** The image that a stage produces with the given build arguments. */
export function imageOf(build: DockerBuild, index: number, buildArgs: BuildArgs): Image {
  return new Images(build, buildArgs).at(index);
}

/** The images of one build. Each stage is worked out once, however many others copy from it. */
class Images {
  readonly build: DockerBuild;
  readonly buildArgs: BuildArgs;
  /** Undefined for a stage that is being worked out: one that needs itself stays unknown. */
  readonly #known = new Map<number, Image | undefined>();
  #depth = 0;

  constructor(build: DockerBuild, buildArgs: BuildArgs) {
    this.build = build;
    this.buildArgs = buildArgs;
  }

  at(index: number): Image {
    const unknown = (): Image => ({ ...emptyImage(this.build.path), env: UNKNOWN });
    if (this.#known.has(index)) return this.#known.get(index) ?? unknown();
    const stage = this.build.stages[index];
    if (!stage || this.#depth > MAX_STAGES_DEEP) return unknown();
    this.#known.set(index, undefined);
    this.#depth++;
    const image = imageOfStage(stage, this);
    this.#depth--;
    this.#known.set(index, image);
    return image;
  }
}

function imageOfStage(stage: Stage, images: Images): Image {
  const { build, buildArgs } = images;
  const image: { -readonly [K in keyof Image]: Image[K] } =
    typeof stage.base === 'number' ? { ...images.at(stage.base), argOnly: undefined } : baseImage(build.path, stage.base);
  const variables = new Map<string, string | undefined>();
  const argPlaces = new Map<string, Place>();
  const copies = [...image.copies];
  for (const instruction of stage.instructions) {
    switch (instruction.keyword) {
      case 'ARG':
        for (const { name, value, span } of instruction.properties) {
          const buildValue = buildArgs.has(name)
            ? buildArgs.get(name)
            : expand(value ?? '', (variable) => variables.get(variable)) || build.globalArgs.get(name);
          variables.set(name, buildValue === '' ? undefined : buildValue);
          argPlaces.set(name, { path: build.path, span });
          if (name === 'NODE_ENV' && buildValue) image.argOnly = { path: build.path, span: instruction.span };
        }
        break;
      case 'ENV':
        for (const { name, value = '', span } of instruction.properties) {
          if (name === 'NODE_ENV') image.env = envState(value, { path: build.path, span }, variables, argPlaces, image.env);
          if (/^npm_config_(?:production|omit|only)$/i.test(name)) image.npmOmitsDev = /^(?:true|dev|prod(?:uction)?)$/.test(value);
          variables.set(
            name,
            expand(value, (variable) => variables.get(variable)),
          );
        }
        break;
      case 'RUN':
        if (/\bNODE_ENV=["']?production/.test(instruction.text)) image.runOnly = { path: build.path, span: instruction.span };
        break;
      case 'WORKDIR': {
        const folder = expand(instruction.text.trim().replace(/^["']|["']$/g, ''), (variable) => variables.get(variable)) ?? '/app';
        const workdir = isAbsolute(folder) ? join('/', folder) : join(image.workdir, folder);
        if (workdir.length <= LONGEST_PATH) image.workdir = workdir;
        break;
      }
      case 'COPY':
      case 'ADD': {
        const copy = toCopy(instruction, image.workdir, images, variables);
        if (copy) copies.push(copy);
        break;
      }
      case 'ENTRYPOINT':
        image.entrypoint = toCommand('ENTRYPOINT', instruction);
        // A new ENTRYPOINT resets an inherited CMD.
        if (image.command && !isInStage(image.command.span, stage.span)) image.command = undefined;
        image.runsNode = false;
        break;
      case 'CMD':
        image.command = toCommand('CMD', instruction);
        break;
    }
  }
  return { ...image, copies };
}

function emptyImage(path: string): Image {
  return {
    path,
    env: UNSET,
    workdir: '/',
    copies: [],
    entrypoint: undefined,
    command: undefined,
    runsNode: false,
    isNodeImage: false,
    npmOmitsDev: false,
    argOnly: undefined,
    runOnly: undefined,
  };
}

export function baseImage(path: string, name: string): Image {
  const image = emptyImage(path);
  if (name === 'scratch') return image;
  let bare = withoutTag(name.toLowerCase());
  for (const prefix of OFFICIAL_PREFIXES) if (bare.startsWith(prefix)) bare = bare.slice(prefix.length);
  if (bare === 'node') return { ...image, runsNode: true, isNodeImage: true };
  const known = IMAGES_WITHOUT_IT.find((row) => row.image.test(bare));
  if (known) return { ...image, runsNode: known.isNodeEntrypoint };
  // A third-party image may set anything.
  const isOfficial = !/[/$]/.test(bare) && bare !== '' && !OFFICIAL_IMAGES_THAT_SET_IT.has(bare);
  return isOfficial ? image : { ...image, env: UNKNOWN };
}

function envState(
  value: string,
  place: Place,
  variables: ReadonlyMap<string, string | undefined>,
  argPlaces: ReadonlyMap<string, Place>,
  before: EnvState,
): EnvState {
  if (!value.includes('$')) return { kind: 'value', value, place };
  const only = /^\$\{?(\w+)(?::?-([^}]*))?\}?$/.exec(value);
  if (only?.[1] === 'NODE_ENV' && !variables.has('NODE_ENV') && only[2] === undefined) return before;
  const resolved = expand(value, (name) => variables.get(name));
  // An ARG without a default gets its value at build time.
  if (resolved === undefined || resolved === '') return UNKNOWN;
  const argPlace = only?.[1] === undefined ? undefined : argPlaces.get(only[1]);
  return { kind: 'value', value: resolved, place: variables.get(only?.[1] ?? '') === resolved ? argPlace : undefined };
}

/** In characters: PATH_MAX of Linux. Each relative WORKDIR makes the path longer, and each COPY repeats it. */
const LONGEST_PATH = 4096;

/** In characters. Linux starts no program with a longer value (MAX_ARG_STRLEN), and each line can double the one before. */
const MOST_EXPANDED = 131_072;

/** Docker's variable expansion; undefined if a variable is unknown, or the result too long. */
function expand(text: string, lookUp: (name: string) => string | undefined): string | undefined {
  if (text.length > MOST_EXPANDED) return undefined;
  let isKnown = true;
  let length = 0;
  const result = text.replace(
    /\$(?:(\w+)|\{(\w+)(?::([-+])([^}]{0,1000}))?\})/g,
    (_, plain: string | undefined, braced: string | undefined, operator: string | undefined, alternative: string | undefined) => {
      const value = length > MOST_EXPANDED ? undefined : lookUp(plain ?? braced ?? '');
      length += value?.length ?? 0;
      if (operator === '-') return value || (alternative ?? '');
      if (operator === '+') return value ? (alternative ?? '') : '';
      if (value === undefined) isKnown = false;
      return value ?? '';
    },
  );
  return isKnown && length <= MOST_EXPANDED ? result : undefined;
}

function toCopy(
  instruction: StageInstruction,
  workdir: string,
  images: Images,
  variables: ReadonlyMap<string, string | undefined>,
): Copy | undefined {
  const listed = execWords(instruction.text, 0)?.map((word) => word.text);
  const parts = (
    listed ??
    instruction.text
      .replace(/\\\r?\n/g, ' ')
      .trim()
      .split(/\s+/)
  )
    .filter((part) => !part.startsWith('--'))
    .map((part) => (expand(part, (variable) => variables.get(variable)) ?? part).replace(/^["']|["']$/g, ''));
  const target = parts.pop();
  if (target === undefined || parts.length === 0 || parts.some((part) => part.startsWith('<<'))) return undefined;
  const flag = instruction.flags.get('from');
  let from: Image | undefined;
  if (flag !== undefined) {
    const { stages } = images.build;
    const named = stages.findIndex((stage) => stage.name === flag.toLowerCase());
    const index = named >= 0 ? named : /^\d+$/.test(flag) ? Number(flag) : -1;
    if (index < 0 || !stages[index]) return undefined;
    from = images.at(index);
  }
  const absolute = join(isAbsolute(target) ? '/' : workdir, target);
  return { sources: parts, target: absolute, from };
}

function toCommand(keyword: 'CMD' | 'ENTRYPOINT', instruction: StageInstruction): ImageCommand | undefined {
  const words = execWords(instruction.text, instruction.textStart);
  if (words?.length === 0 || instruction.text.trim() === '') return undefined;
  return {
    instruction: keyword,
    span: instruction.span,
    form: words ? 'exec' : 'shell',
    words: words ?? [],
    text: instruction.text,
    textStart: instruction.textStart,
  };
}

/** `node` of `node:24@sha256:…`. */
export function withoutTag(image: string): string {
  const at = image.indexOf('@');
  const name = at < 0 ? image : image.slice(0, at);
  // A colon before the last slash belongs to the port of a registry.
  const colon = name.indexOf(':', name.lastIndexOf('/') + 1);
  return colon < 0 ? name : name.slice(0, colon);
}

function isInStage(span: Span, stage: Span | undefined): boolean {
  return stage !== undefined && stage.start <= span.start && span.end <= stage.end;
}

function toInstruction(instruction: Instruction, text: string, starts: readonly number[]): StageInstruction {
  const offset = (position: { line: number; character: number }): number =>
    Math.min(text.length, (starts[position.line] ?? text.length) + position.character);
  const range = instruction.getRange();
  const span = { start: offset(range.start), end: offset(range.end) };
  const textStart = Math.min(offset(instruction.getInstructionRange().end), span.end);
  const keyword = instruction.getKeyword();
  const flags = new Map<string, string>();
  const body = text.slice(textStart, span.end);
  for (const match of body.matchAll(/(?:^|\s)--([\w-]+)=(\S+)/g)) if (match[1] && match[2]) flags.set(match[1], match[2]);
  const properties =
    keyword === 'ENV' || keyword === 'ARG'
      ? (instruction as PropertyInstruction).getProperties().map((property) => {
          const value = property.getValueRange();
          const valueSpan = value ? unquoted(text, { start: offset(value.start), end: offset(value.end) }) : span;
          return { name: property.getName(), value: property.getValue() ?? undefined, span: valueSpan };
        })
      : [];
  return { keyword, span, text: body, textStart, properties, flags };
}

function unquoted(text: string, span: Span): Span {
  const quote = text[span.start];
  return span.end - span.start >= 2 && (quote === '"' || quote === "'") && text[span.end - 1] === quote
    ? { start: span.start + 1, end: span.end - 1 }
    : span;
}

// Line starts as the parser counts them: it breaks at CRLF, LF and CR.
function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push((match.index ?? 0) + match[0].length);
  return starts;
}
