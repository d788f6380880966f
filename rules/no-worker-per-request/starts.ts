// Which call starts a thread, a process or a pool of them.
import { isMember, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';
import { textOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { INTERPRETERS, NODE_PROGRAMS, PROGRAM_STARTERS, THREAD_STARTERS, type ThreadStarter } from '../../knowledge/thread-starters.ts';

export interface Start {
  /** As in the message: `new Worker`, `fork`, `spawn('python3')`. */
  name: string;
  starts: 'thread' | 'process' | 'pool' | 'program';
}

const MODULES = [...new Set([...THREAD_STARTERS, ...PROGRAM_STARTERS].map((row) => row.module))];
const ANY_MODULE = new RegExp(`['"](?:node:)?(?:${MODULES.join('|')})['"]`);

/** Whether a text names one of the modules. Most files do not, and cost no more than this check. */
export function mayStart(text: string): boolean {
  return ANY_MODULE.test(text);
}

export function findStart(call: CallNode, facts: Facts): Start | undefined {
  const callee = unwrap(call.callee);
  if (callee.type !== 'Identifier' && !isMember(callee)) return undefined;
  const origin = facts.origins.moduleMember(callee);
  if (!origin) return undefined;
  const by = call.type === 'NewExpression' ? 'new' : 'call';
  const row = THREAD_STARTERS.find((one) => one.by === by && isMeant(one, origin));
  if (row) return { name: nameOf(call, row, facts), starts: row.starts };
  if (by === 'new' || !PROGRAM_STARTERS.some((one) => isMeant(one, origin))) return undefined;
  if (asksForVersion(call, facts)) return undefined;
  const program = programsOf(call, facts).find((one) => NODE_PROGRAMS.has(one) || INTERPRETERS.has(one));
  if (program === undefined) return undefined;
  const shown = `${origin.path.at(-1) ?? origin.module}('${program}')`;
  if (NODE_PROGRAMS.has(program)) return { name: shown, starts: 'process' };
  return { name: shown, starts: 'program' };
}

function isMeant(row: Pick<ThreadStarter, 'module' | 'path'>, origin: { module: string; path: readonly string[] }): boolean {
  return row.module === origin.module && row.path.length === origin.path.length && row.path.every((name, i) => name === origin.path[i]);
}

function nameOf(call: CallNode, row: ThreadStarter, facts: Facts): string {
  const written = facts.source.slice(unwrap(call.callee));
  const name = written.length <= MAX_NAME && !/\s/.test(written) ? written : (row.path.at(-1) ?? row.module);
  return row.by === 'new' ? `new ${name}` : name;
}

// Longer callees (`require('node:child_process').fork` is one of the longest in practice) get a shorter name.
const MAX_NAME = 24;

/** `spawn(process.execPath, ['-v'])`: what is installed by now. A process that runs already would tell what it was started with. */
function asksForVersion({ arguments: [, list] }: CallNode, facts: Facts): boolean {
  const [first] = list?.type === 'ArrayExpression' ? list.elements : [];
  return first != null && /^(?:-v|--version)$/i.test(textOf(first, facts.bindings) ?? '');
}

/**
 * The programs that a call starts, if the source shows them: `process.execPath`, `'python3'`, the first word of each command of a command
 * line.
 */
function programsOf(call: CallNode, facts: Facts): string[] {
  const first = call.arguments[0];
  if (!first) return [];
  const node = unwrap(first);
  if (facts.origins.isGlobal(node, 'process.execPath') || facts.origins.isGlobal(node, 'process.argv0')) return ['node'];
  // `cd ${folder} && python3 main.py`, `echo ${code} | node`
  return commandText(node, facts)
    .split(/&&|\|\|?|;/)
    .flatMap((command) => {
      const word = /^\s*(\S+)(?=\s|$)/.exec(command)?.[1];
      return word === undefined || word.includes(HOLE) ? [] : [word.slice(word.lastIndexOf('/') + 1).replace(/\.exe$/, '')];
    });
}

// Replaces the parts of a command line that are only known at run time.
const HOLE = '\0';

function commandText(expression: Node, facts: Facts): string {
  const node = unwrap(expression);
  if (node.type === 'TemplateLiteral')
    return node.quasis
      .map(
        (quasi, i) => (quasi.value.cooked ?? HOLE) + (i < node.expressions.length ? commandText(node.expressions[i] as Node, facts) : ''),
      )
      .join('');
  if (node.type === 'BinaryExpression' && node.operator === '+') return commandText(node.left, facts) + commandText(node.right, facts);
  return textOf(node, facts.bindings) ?? HOLE;
}
