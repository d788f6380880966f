// `execSync`, `execFileSync`, and `spawnSync`. Promisified, `exec` leaves the child's standard input open, keeps what it writes to standard
// error, and rejects with another error. So these calls get a function of their own in the file, which gives what the blocking call gives.
import { startOf, unwrap, type CallNode, type Node, type t } from '../../analysis/module/ast.ts';
import { addImport, type AddedImport } from '../../analysis/fix/add-import.ts';
import { getCodeStyle, inBraces } from '../../analysis/fix/code-style.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { runsOn } from '../../analysis/run/run.ts';
import type { Edit } from '../../analysis/rule.ts';
import { addBlockAfterLoads, findLoads, freeName } from './after-loads.ts';

const STARTS = { execSync: 'exec', execFileSync: 'execFile', spawnSync: 'execFile' } as const;
export type SyncStart = keyof typeof STARTS;

export function asyncStartOf(name: SyncStart): string {
  return STARTS[name];
}

export function isSyncStart(name: string | undefined): name is SyncStart {
  return name !== undefined && Object.hasOwn(STARTS, name);
}

/** While a blocking call runs, no other request can start the same program. */
export const AT_ONCE = ' (requests may then run the program at the same time)';

/** Options that mean the same for both. */
const SAME_OPTIONS: ReadonlySet<string> = new Set(
  'cwd env uid gid shell maxBuffer killSignal windowsHide windowsVerbatimArguments encoding stdio'.split(' '),
);

/** The helper is written with `?.` and `??`. */
const TOO_OLD = '<14.0.0-0';

/** What prevents the conversion, and where; undefined if nothing does. */
export function whyNoStart(call: CallNode, name: SyncStart, facts: Facts): { reason: string; at: Node; remedy?: string } | undefined {
  const { file } = facts.source;
  if (/\.[cm]?tsx?$/i.test(file))
    return {
      reason: `in TypeScript, the type of the result depends on \`encoding\`. Write a function with the type that you need around \`${STARTS[name]}\``,
      at: call,
      remedy: `Start the child process with \`${STARTS[name]}\`, and await its end.`,
    };
  if (runsOn(facts.project, TOO_OLD))
    return { reason: 'the project may run on Node 12, which does not know `?.`. Set `engines.node` to a later version', at: call };
  if (!findLoads(facts))
    return { reason: '`node:child_process` is loaded inside of a function. Load it at the top of the file', at: call.callee };
  const spread = call.arguments.find(({ type }) => type === 'SpreadElement' || type === 'ArgumentPlaceholder');
  if (spread) return { reason: 'the source does not show which arguments these are. Write them one by one', at: spread };
  const [, ...rest] = call.arguments;
  const options = rest.at(-1);
  if (name !== 'execSync' && rest.length === 1 && options && options.type !== 'ObjectExpression' && !isArray(options, facts))
    return { reason: 'the source does not show whether these are arguments or options. Pass both', at: options };
  const isArguments = name !== 'execSync' && rest.length === 1 && options?.type !== 'ObjectExpression';
  return options && !isArguments ? whyNotOptions(options, name) : undefined;
}

function whyNotOptions(options: Node, name: SyncStart): { reason: string; at: Node } | undefined {
  if (options.type !== 'ObjectExpression')
    return {
      reason: 'the options come from elsewhere, and `stdio`, `input`, and `timeout` would act differently. Write them here',
      at: options,
    };
  for (const property of options.properties) {
    const key = property.type === 'ObjectProperty' && !property.computed ? nameOfKey(property.key) : undefined;
    if (property.type !== 'ObjectProperty' || key === undefined)
      return { reason: 'the source does not show which option this is. Write the options one by one', at: property };
    if (key === 'timeout')
      return { reason: `\`${STARTS[name]}\` reports a \`timeout\` without the code \`ETIMEDOUT\`. Convert it by hand`, at: property };
    if (key === 'input')
      return { reason: 'a child that does not read its `input` would end this process with EPIPE. Convert it by hand', at: property };
    if (key === 'stdio' && !isPiped(property.value))
      return {
        reason: `\`${STARTS[name]}\` always reads what the child writes. Use \`spawn\` with this \`stdio\`, and wait for its \`close\` event`,
        at: property,
      };
    if (!SAME_OPTIONS.has(key))
      return { reason: `\`${STARTS[name]}\` may understand \`${key}\` differently. Convert it by hand`, at: property };
  }
  return undefined;
}

function nameOfKey(key: Node): string | undefined {
  return key.type === 'Identifier' ? key.name : key.type === 'StringLiteral' ? key.value : undefined;
}

/** `'pipe'`, or an array that pipes the output. An input that is ignored is as empty as one that is closed. */
function isPiped(value: Node): boolean {
  if (value.type === 'StringLiteral') return value.value === 'pipe';
  if (value.type !== 'ArrayExpression' || value.elements.length !== 3) return false;
  const [input, output, error] = value.elements.map((element) => (element?.type === 'StringLiteral' ? element.value : undefined));
  return (input === 'pipe' || input === 'ignore') && output === 'pipe' && error === 'pipe';
}

function isArray(node: Node, facts: Facts): boolean {
  const value = unwrap(node);
  if (value.type === 'ArrayExpression') return true;
  const binding = value.type === 'Identifier' ? facts.bindings.resolve(value) : undefined;
  const declaration = binding && facts.bindings.isConstant(binding) ? binding.declaration : undefined;
  return declaration?.type === 'VariableDeclarator' && declaration.init?.type === 'ArrayExpression';
}

/** The function to call instead, and the edits that add it to the file. */
export function startHelper(name: SyncStart, facts: Facts): AddedImport {
  return facts.remember(`helper for ${name}`, () => {
    const { local: start, edits } = addImport(facts, 'node:child_process', STARTS[name]);
    const text = (called: string): string => helperText(name, called, start, facts);
    const wanted = name.replace('Sync', 'Async');
    const present = functionWith(text, wanted, facts);
    if (present !== undefined) return { edits: [], local: present };
    const local = freeName(wanted, facts);
    return { edits: [...edits, addBlockAfterLoads(text(local), facts)].flatMap((edit) => edit ?? []), local };
  });
}

/** Adds the empty list of arguments before options. */
export function argumentEdits(call: CallNode, name: SyncStart): Edit[] {
  const [, second, third] = call.arguments;
  if (name === 'execSync' || third || second?.type !== 'ObjectExpression') return [];
  return [{ start: startOf(second), end: startOf(second), text: '[], ' }];
}

/** A function of the file that an earlier fix has added. */
function functionWith(text: (name: string) => string, wanted: string, facts: Facts): string | undefined {
  const plain = (code: string): string => code.replace(/\s+|;/g, '').replace(/^\/\*\*.*?\*\//, '');
  return facts.module.program.body.find(
    (statement): statement is t.FunctionDeclaration =>
      statement.type === 'FunctionDeclaration' &&
      statement.id?.name.startsWith(wanted) === true &&
      plain(facts.source.slice(statement)) === plain(text(statement.id.name)),
  )?.id?.name;
}

/** Its lines fit into 80 columns. */
function helperText(name: SyncStart, called: string, start: string, facts: Facts): string {
  const { indent, semicolon, quote, lineBreak } = getCodeStyle(facts);
  const own = name === 'execSync' ? ['command'] : ['command', 'args'];
  const number = `${quote}number${quote}`;
  // What the blocking call says where the program was not even started.
  const common: Line[] = [
    [3, 'const isStarted = child.pid !== undefined;'],
    [4, 'pid: child.pid ?? 0,'],
    [4, 'stdout: isStarted ? stdout : null,'],
    [4, 'stderr: isStarted ? stderr : null,'],
  ];
  const [isStarted, ...fields] = common as [Line, ...Line[]];
  const ends: Line[] =
    name === 'spawnSync'
      ? [
          isStarted,
          [3, `const ${inBraces('code = 0, signal = null', facts)} = error ?? {};`],
          [3, 'const result = {'],
          [4, `status: typeof code === ${number} ? code : null,`],
          [4, 'signal,'],
          [4, 'output: isStarted ? [null, stdout, stderr] : null,'],
          ...fields,
          [3, '};'],
          [3, `if (typeof code === ${quote}string${quote}) result.error = error;`],
          [3, 'resolve(result);'],
        ]
      : [
          [3, 'if (!options?.stdio) process.stderr.write(stderr);'],
          [3, 'if (!error) return resolve(stdout);'],
          isStarted,
          [3, 'if (stderr.length === 0) error.message = error.message.trimEnd();'],
          [3, 'Object.assign(error, {'],
          [4, `status: typeof error.code === ${number} ? error.code : null,`],
          [4, 'signal: error.signal ?? null,'],
          ...fields,
          [3, '});'],
          [3, 'reject(error);'],
        ];
  const lines: Line[] = [
    [0, '/** Does what the synchronous function does, without blocking the event loop. */'],
    [0, `function ${called}(${[...own, 'options'].join(', ')}) {`],
    [1, `const settings = ${inBraces(`encoding: ${quote}buffer${quote}, ...options`, facts)};`],
    [1, `return new Promise((${name === 'spawnSync' ? 'resolve' : 'resolve, reject'}) => {`],
    [2, 'const finish = (error, stdout, stderr) => {'],
    ...ends,
    [2, '};'],
    [2, `const child = ${start}(${[...own, 'settings', 'finish'].join(', ')});`],
    [2, 'child.stdin?.end();'],
    [1, '});'],
    [0, '}'],
  ];
  return lines.map(([depth, line]) => indent.repeat(depth) + (semicolon ? line : line.replace(/;$/, ''))).join(lineBreak);
}

type Line = readonly [depth: number, text: string];
