// Loggers that one file makes and others use, and lines of logs that cost something even if nobody reads them.
import { isMember, startOf, unwrap, type CallNode } from '../../module/ast.ts';
import { isCostlyText, isLogName, LIBRARIES, TURNED_ON } from '../../facts/outside/loggers.ts';
import { FunctionFlag, Op } from './format.ts';
import type { Flow } from './walk.ts';

const MAY_MAKE = /['"](?:winston|pino|bunyan|log4js|loglevel|consola|debug|(?:node:)?util)['"]/;

/** A call that may make a logger. Nobody knows of one in a file that turns a level on. */
export function noteLogger({ facts, out }: Flow, node: CallNode, result: number): void {
  const { text } = facts.source;
  if (!facts.remember('may make loggers', () => MAY_MAKE.test(text) && !TURNED_ON.test(text))) return;
  const origin = facts.origins.moduleMember(unwrap(node.callee));
  if (!origin || !Object.hasOwn(LIBRARIES, origin.module)) return;
  const made = origin.path.filter((part) => part !== 'default').join('.');
  if (LIBRARIES[origin.module]?.makers.includes(made)) out.op(Op.Logger, result, out.text(origin.module));
}

/** A line of a log that makes text of something. Only the project knows whether it is one, and whether its level is on. */
export function noteLog(flow: Flow, node: CallNode, name: string): void {
  if (!isLogName(name, isMember(unwrap(node.callee))) || !node.arguments.some((one) => isCostlyText(flow.facts.source.slice(one)))) return;
  const { index } = flow.out.function(name, startOf(node), startOf(node), 0, FunctionFlag.Call, flow.frame.fn);
  flow.out.op(Op.Blocks, index);
  flow.blocking.set(node, index);
}

const LOGGER = /^log:([^.]+)(?:\.([^.]+))?$/;

/** The name of the object that stands for loggers of a library. */
export function loggerOf(library: string): string {
  return `log:${library}`;
}

/** What `log.child({ … })` returns: a logger of the same library. */
export function madeByLogger(member: string): string | undefined {
  const [, library, name] = LOGGER.exec(member) ?? [];
  return library !== undefined && /^(?:child|extend|withTag)$/.test(name ?? '') ? loggerOf(library) : undefined;
}

/** Whether a member of a logger writes nothing by default. */
export function isOffByDefault(member: string): boolean {
  const [, library = '', level] = LOGGER.exec(member) ?? [];
  const { levels = [], isFunction = false } = LIBRARIES[library] ?? {};
  return level === undefined ? isFunction : levels.includes(level);
}
