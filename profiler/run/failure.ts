// Why a run gave nothing, or not all, in one sentence for the user. Pure.
import type { ChildEnd } from './child.ts';
import type { Limits, RunRequest } from '../plan/plan.ts';
import { recordsOf, type RunRecord, type ThrownValue } from '../parse/records.ts';
import { firstSentence, shownMessage } from './shown-error.ts';

export type FailureKind =
  /** The program could not be started, or the request makes no sense. */
  | 'not-started'
  | 'aborted'
  | 'time-limit'
  | 'output-limit'
  | 'folder-limit'
  /** The program removed the folder that holds what was measured. */
  | 'folder-removed'
  /** The event loop did not turn for as long as was allowed. */
  | 'endless'
  /** Module missing, syntax error, an error while the module ran. */
  | 'load'
  /** A call's text is no expression, or the module ended before its end. */
  | 'call'
  /** The program ended the process before the run was done. */
  | 'exit'
  | 'uncaught'
  /** A promise that nothing can settle any more. */
  | 'unsettled'
  /** A call that something may still settle, some time. */
  | 'pending'
  /** The program started no server that requests could be sent to. */
  | 'no-server'
  | 'memory'
  /** A signal, or an abort. */
  | 'crash'
  /** The module has replaced built-in functions that what measures needs as they are. */
  | 'replaced'
  /** Nodometer's own fault. */
  | 'internal';

export interface Failure {
  kind: FailureKind;
  reason: string;
}

const OUT_OF_MEMORY = /FATAL ERROR:.*(?:heap out of memory|Allocation failed|invalid table size)/;
// What a shell calls 128 + 6: an abort where the signal does not reach the parent as one.
const ABORT_CODES: ReadonlySet<number> = new Set([134, 3_221_226_505]);
const NODE_BAD_OPTION = 9;
const MOST_CHARACTERS = 200;

export function reasonOf(request: RunRequest, limits: Required<Limits>, end: ChildEnd, records: readonly RunRecord[]): Failure | undefined {
  const during = stageOf(request, records);
  switch (end.cause) {
    case 'not-started':
      return { kind: 'not-started', reason: `${request.node.path} could not be started: ${end.error ?? 'no reason given'}.` };
    case 'aborted':
      return { kind: 'aborted', reason: 'Stopped.' };
    case 'time-limit':
      return {
        kind: 'time-limit',
        reason: `The run was stopped at its time limit of ${seconds(limits.wallMs)}, ${during}.${stuckSentence(records)}`,
      };
    case 'output-limit':
      return {
        kind: 'output-limit',
        reason: `The run was stopped because it wrote more than ${megabytes(Math.max(end.stdout.bytes, end.stderr.bytes))} of output.`,
      };
    case 'memory-limit':
      return {
        kind: 'memory',
        reason: `The run was stopped because it took more than ${megabytes(end.memoryLimit ?? 0)} of memory, ${during}.`,
      };
    case 'suspended':
      return { kind: 'crash', reason: `The process was suspended (SIGSTOP) and did not continue, ${during}.` };
    case 'folder-limit':
      return { kind: 'folder-limit', reason: `The run was stopped because the V8 log exceeded ${megabytes(limits.folderBytes)}.` };
    case 'exit':
      return exitReason(request, end, records, during);
  }
}

function exitReason(request: RunRequest, end: ChildEnd, records: readonly RunRecord[], during: string): Failure | undefined {
  const ends = recordsOf(records, 'ended');
  const isFunction = request.target?.type === 'function' || request.kind === 'idle';
  const isServed = request.target?.type === 'file' && request.target.requests !== undefined;
  if (ends.some(({ by }) => by === 'endless'))
    return {
      kind: 'endless',
      reason: `The run was stopped because the event loop was blocked for ${seconds(request.endlessMs ?? 0)}.${stuckSentence(records)}`,
    };
  if ((isFunction || isServed) && ends.some(({ by }) => by === 'done')) return undefined;
  // In a program with several processes the main one's end decides; a child's failure is among its records.
  const mainPid = recordsOf(records, 'started')[0]?.pid;
  const failure = recordsOf(records, 'failure').find(({ pid }) => isFunction || pid === mainPid);
  if (failure && (isFunction || end.code !== 0)) return failureReason(request, failure);
  if (OUT_OF_MEMORY.test(end.stderr.text))
    return {
      kind: 'memory',
      reason: `The process ran out of memory${request.limits.heapMb === undefined ? '' : ` (limit: ${request.limits.heapMb} MB)`}, ${during}.`,
    };
  if (end.signal) return { kind: 'crash', reason: `The process was killed by ${end.signal}, ${during}.` };
  if (end.code !== null && ABORT_CODES.has(end.code)) return { kind: 'crash', reason: `The process aborted, ${during}.` };
  if (records.length === 0) {
    if (request.target?.type === 'command' && end.code === 0)
      return { kind: 'not-started', reason: 'The command did not start a Node program that could be measured.' };
    const said = firstLine(end.stderr.text);
    if (end.code === NODE_BAD_OPTION)
      return { kind: 'not-started', reason: `${request.node.path} does not support the flags of this run${said}.` };
    return { kind: 'not-started', reason: `${request.node.path} exited with code ${end.code} before the run began${said}.` };
  }
  if (isFunction) return { kind: 'exit', reason: `The code exited the process with code ${end.code}, ${during}.` };
  if (isServed)
    return servedReason(
      end,
      records,
      ends.some(({ by }) => by === 'budget'),
    );
  return undefined;
}

function servedReason({ code }: ChildEnd, records: readonly RunRecord[], byBudget: boolean): Failure | undefined {
  const servers = recordsOf(records, 'listening');
  if (servers.length === 0) {
    const how = byBudget ? 'did not start a server in time' : `exited with code ${code} and never started a server`;
    return { kind: 'no-server', reason: `The program ${how}, so no request could be sent.` };
  }
  if (servers.every(({ protocol }) => protocol === 'tcp'))
    return { kind: 'no-server', reason: 'The program listens, but not with an HTTP server, so no request could be sent.' };
  return byBudget ? undefined : { kind: 'exit', reason: `The program exited with code ${code} before it answered all requests.` };
}

function failureReason(request: RunRequest, { stage, error, call, during, ms, replaced }: RunRecord & { type: 'failure' }): Failure {
  const thrown = `${sentenceOf(error)}.`;
  const text = request.target?.type === 'function' && call !== undefined ? request.target.calls[call] : undefined;
  switch (stage) {
    case 'load':
      return { kind: 'load', reason: `The module could not be loaded: ${thrown}${packageRemedy(error)}` };
    case 'setup':
      return { kind: 'call', reason: `The setup code for the calls failed: ${thrown}` };
    case 'call-syntax':
      return { kind: 'call', reason: `The call \`${text ?? ''}\` is not an expression: ${thrown}` };
    case 'not-exposed':
      return {
        kind: 'call',
        reason:
          'The module ended before its last line (for example, because of a top-level `return`), so its functions could not be accessed.',
      };
    case 'uncaught':
      return {
        kind: during === 'load' ? 'load' : 'uncaught',
        reason: `An uncaught error ended the process: ${thrown}${packageRemedy(error)}${bodyRemedy(error, request)}`,
      };
    case 'rejection':
      return { kind: 'uncaught', reason: `An unhandled promise rejection ended the process: ${thrown}` };
    case 'unsettled':
      return {
        kind: 'unsettled',
        reason:
          during === 'load'
            ? 'The module has a top-level `await` of a promise that can never settle.'
            : 'A call returned a promise that can never settle: no pending work was left to settle it.',
      };
    case 'pending':
      return { kind: 'pending', reason: `A call had not returned after ${seconds(ms ?? 0)}.` };
    case 'collector':
      return { kind: 'not-started', reason: `This Node version does not support what the run measures: ${thrown}` };
    case 'harness':
      if (replaced && replaced.length > 0)
        return {
          kind: 'replaced',
          reason: `The module replaces ${replaced.map((name) => `\`${name}\``).join(', ')}. The run then failed: ${thrown}`,
        };
      return { kind: 'internal', reason: `Internal error in the run: ${thrown}` };
  }
}

function sentenceOf({ type, message, stack }: ThrownValue): string {
  const first = firstSentence(message).slice(0, MOST_CHARACTERS);
  // For a syntax error the first line of the stack says where.
  const place = type === 'SyntaxError' ? /^(\S.*:\d+)$/m.exec(stack?.split('\n')[0] ?? '')?.[1] : undefined;
  const text = type === '(not an Error)' ? `${first} was thrown, which is not an Error` : `${type}: ${first}`;
  return (place ? `${text} (${place})` : text).replace(/\.$/, '');
}

const TYPESCRIPT = /\.[cm]?tsx?$/;
const NOT_UNDERSTOOD = /^(?:SyntaxError|ERR_UNKNOWN_FILE_EXTENSION|ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX|ERR_INVALID_TYPESCRIPT_SYNTAX)$/;

/** What to do about a program that Node alone cannot read. Empty where that is not what is wrong. */
export function loaderRemedy(file: string | undefined, { type, code }: Pick<ThrownValue, 'type' | 'code'>, node: string): string {
  if (file === undefined || !TYPESCRIPT.test(file) || !NOT_UNDERSTOOD.test(code ?? type)) return '';
  return ` Node ${node} does not run this TypeScript by itself. Run the npm script that starts it with its loader: \`--script start\`.`;
}

const NOT_FOUND = /^(?:ERR_)?MODULE_NOT_FOUND$/;
/** Neither a path nor a URL, and none of the usual aliases of a project's own folders. */
const PACKAGE = /^Cannot find (?:module|package) '(?![./\\#~]|@\/)([^':]+)'/;

/** What to do about a package that is not there. Empty where that is not what is wrong. */
export function packageRemedy({ message, code = '' }: Pick<ThrownValue, 'message' | 'code'>): string {
  const name = NOT_FOUND.test(code) ? PACKAGE.exec(message)?.[1] : undefined;
  return name === undefined ? '' : ` If \`${name}\` is a package of the project, run \`npm install\` first.`;
}

/** A server that parses an empty body: what a request without one sends. */
function bodyRemedy({ message }: Pick<ThrownValue, 'message'>, { target }: RunRequest): string {
  const isEmpty = target?.type === 'file' && target.requests?.some(({ body }) => body === undefined) === true;
  if (!isEmpty || !message.startsWith('Unexpected end of JSON input')) return '';
  return ' The request had no body, and the program parses one. Send a request with a body: `--request "POST /path" --body "{}"`.';
}

function stageOf(request: RunRequest, records: readonly RunRecord[]): string {
  if (request.target?.type !== 'function') return 'while the program was running';
  if (recordsOf(records, 'loaded').length > 0) return 'while the calls were running';
  return recordsOf(records, 'started').length > 0 ? 'while the module was loading' : 'before the module was loaded';
}

function stuckSentence(records: readonly RunRecord[]): string {
  const blocks = recordsOf(records, 'block').filter(({ endless }) => endless);
  const last = blocks[blocks.length - 1];
  const top = last?.stack[0];
  return top ? ` The event loop was blocked in ${top.functionName} (${top.file}:${top.line}:${top.column}).` : '';
}

function firstLine(text: string): string {
  const line = text
    .split('\n')
    .find((one) => one.trim() !== '')
    ?.trim();
  return line ? `: ${line.slice(0, MOST_CHARACTERS).replace(/\.$/, '')}` : '';
}

function seconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}

function megabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1024 / 1024))} MB`;
}

/** What a program said of an error, if it did. @param sources texts of its code, where it may quote what a request sent */
export function lastWords(stderr: string, sources?: readonly string[]): string {
  const line = stderr
    .split('\n')
    .map((one) => one.trim())
    .find((one) => /^\w*Error\b/.test(one));
  if (line === undefined) return '';
  const name = /^\w*Error:?/.exec(line)?.[0] ?? '';
  const rest = line.slice(name.length, MOST_CHARACTERS).trimEnd();
  return `: ${`${name} ${sources ? shownMessage(rest, sources) : rest.trim()}`.trim().replace(/\.$/, '')}`;
}
