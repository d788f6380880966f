// Why a run gave nothing, or not all, in one sentence for the user. Pure.
import type { ChildEnd } from './child.ts';
import type { Limits, RunRequest } from '../plan/plan.ts';
import { recordsOf, type RunRecord, type ThrownValue } from '../parse/records.ts';

export type FailureKind =
  /** The program could not be started, or the request makes no sense. */
  | 'not-started'
  | 'aborted'
  | 'time-limit'
  | 'output-limit'
  | 'folder-limit'
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

export function reasonOf(request: RunRequest, limits: Required<Limits>, end: ChildEnd, records: readonly RunRecord[]): Failure | undefined {
  const during = stageOf(request, records);
  switch (end.cause) {
    case 'not-started':
      return { kind: 'not-started', reason: `${request.node.path} cannot be started: ${end.error ?? 'no reason given'}.` };
    case 'aborted':
      return { kind: 'aborted', reason: 'Stopped.' };
    case 'time-limit':
      return { kind: 'time-limit', reason: `It was ended at its limit of ${seconds(limits.wallMs)}, ${during}.${stuckSentence(records)}` };
    case 'output-limit':
      return {
        kind: 'output-limit',
        reason: `It wrote more than ${megabytes(Math.max(end.stdout.bytes, end.stderr.bytes))} of output and was ended.`,
      };
    case 'folder-limit':
      return { kind: 'folder-limit', reason: `V8's log grew beyond ${megabytes(limits.folderBytes)}; the run was ended there.` };
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
      reason: `The event loop did not turn for ${seconds(request.endlessMs ?? 0)}, and the run was ended.${stuckSentence(records)}`,
    };
  if ((isFunction || isServed) && ends.some(({ by }) => by === 'done')) return undefined;
  // In a program with several processes the main one's end decides; a child's failure is among its records.
  const mainPid = recordsOf(records, 'started')[0]?.pid;
  const failure = recordsOf(records, 'failure').find(({ pid }) => isFunction || pid === mainPid);
  if (failure && (isFunction || end.code !== 0)) return failureReason(request, failure);
  if (OUT_OF_MEMORY.test(end.stderr.text))
    return {
      kind: 'memory',
      reason: `It needed more memory than the ${request.limits.heapMb ?? 'allowed'} MB, ${during}.`.replace('the allowed MB', 'the limit'),
    };
  if (end.signal) return { kind: 'crash', reason: `The process was ended by ${end.signal}, ${during}.` };
  if (end.code !== null && ABORT_CODES.has(end.code)) return { kind: 'crash', reason: `The process aborted, ${during}.` };
  if (records.length === 0) {
    if (request.target?.type === 'command' && end.code === 0)
      return { kind: 'not-started', reason: 'The command started no Node program that could be measured.' };
    const said = firstLine(end.stderr.text);
    if (end.code === NODE_BAD_OPTION)
      return { kind: 'not-started', reason: `${request.node.path} does not take the flags of this run${said}.` };
    return { kind: 'not-started', reason: `${request.node.path} ended with code ${end.code} before the run began${said}.` };
  }
  if (isFunction) return { kind: 'exit', reason: `The code ended the process with code ${end.code}, ${during}.` };
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
    const how = byBudget ? 'did not start a server in time' : `ended with code ${code} and never listened`;
    return { kind: 'no-server', reason: `The program ${how}, so that no request could be sent.` };
  }
  if (servers.every(({ protocol }) => protocol === 'tcp'))
    return { kind: 'no-server', reason: 'The program listens, but not with an HTTP server, so that no request could be sent.' };
  return byBudget ? undefined : { kind: 'exit', reason: `The program ended with code ${code} before all requests were answered.` };
}

function failureReason(request: RunRequest, { stage, error, call, during, ms }: RunRecord & { type: 'failure' }): Failure {
  const thrown = `${sentenceOf(error)}.`;
  const text = request.target?.type === 'function' && call !== undefined ? request.target.calls[call] : undefined;
  switch (stage) {
    case 'load':
      return { kind: 'load', reason: `The module could not be loaded: ${thrown}` };
    case 'setup':
      return { kind: 'call', reason: `What is to run before the calls failed: ${thrown}` };
    case 'call-syntax':
      return { kind: 'call', reason: `The call \`${text ?? ''}\` is no expression: ${thrown}` };
    case 'not-exposed':
      return {
        kind: 'call',
        reason: 'The module ended before its last line (a `return` at its top level, for one), so its functions could not be reached.',
      };
    case 'uncaught':
      return { kind: during === 'load' ? 'load' : 'uncaught', reason: `An error that nobody caught ended the process: ${thrown}` };
    case 'rejection':
      return { kind: 'uncaught', reason: `A promise was rejected and nobody handled it, which ended the process: ${thrown}` };
    case 'unsettled':
      return {
        kind: 'unsettled',
        reason:
          during === 'load'
            ? 'The module waits at its top level for a promise that can never settle.'
            : 'A call gave a promise that can never settle: nothing was left that could have settled it.',
      };
    case 'pending':
      return { kind: 'pending', reason: `After ${seconds(ms ?? 0)}, a call had still not come back.` };
    case 'collector':
      return { kind: 'not-started', reason: `This Node gives no access to what the run measures: ${thrown}` };
    case 'harness':
      return { kind: 'internal', reason: `The run itself failed: ${thrown}` };
  }
}

function sentenceOf({ type, message, stack }: ThrownValue): string {
  // Node's own text of a missing module goes on with the list of requirers.
  const first = message.split('\n')[0] ?? '';
  // For a syntax error the first line of the stack says where.
  const place = type === 'SyntaxError' ? /^(\S.*:\d+)$/m.exec(stack?.split('\n')[0] ?? '')?.[1] : undefined;
  const text = type === '(not an Error)' ? `${first} was thrown, which is not an Error` : `${type}: ${first}`;
  return (place ? `${text} (${place})` : text).replace(/\.$/, '');
}

function stageOf(request: RunRequest, records: readonly RunRecord[]): string {
  if (request.target?.type !== 'function') return 'while the program ran';
  if (recordsOf(records, 'loaded').length > 0) return 'while the calls ran';
  return recordsOf(records, 'started').length > 0 ? 'while the module was being loaded' : 'before the module was loaded';
}

function stuckSentence(records: readonly RunRecord[]): string {
  const blocks = recordsOf(records, 'block').filter(({ endless }) => endless);
  const last = blocks[blocks.length - 1];
  const top = last?.stack[0];
  return top ? ` The event loop was stuck in ${top.functionName} (${top.file}:${top.line}:${top.column}).` : '';
}

function firstLine(text: string): string {
  const line = text
    .split('\n')
    .find((one) => one.trim() !== '')
    ?.trim();
  return line ? `: ${line.slice(0, 200).replace(/\.$/, '')}` : '';
}

function seconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}

function megabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1024 / 1024))} MB`;
}
