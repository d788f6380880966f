// Records the kinds of values that a file passes to functions of other files, and to its own functions that others may call.
// `answers/argument-kinds.ts` combines those of all files.
import { endOf, isCall, isFunction, parentOf, startOf, unwrap, type CallNode, type Node } from '../../module/ast.ts';
import { argumentKinds, type ArgumentKind } from '../../facts/argument-kinds.ts';
import { isInHotLoop, loopLightness } from '../../facts/hot-loops.ts';
import type { Flow } from './walk.ts';
import { ArgumentFlag, KindCode, SiteFlag } from './format.ts';

/** Only in small functions do a few nanoseconds at one operation matter. In characters. */
const LONGEST = 1500;

const CODES: Readonly<Record<Extract<ArgumentKind, string>, number>> = {
  number: KindCode.Number,
  string: KindCode.String,
  boolean: KindCode.Boolean,
  bigint: KindCode.Bigint,
  date: KindCode.Date,
  absent: KindCode.Absent,
  instance: KindCode.Instance,
  other: KindCode.Other,
};

export function readArgumentKinds(flow: Flow): number[] {
  const { facts, out } = flow;
  const { module, projectImports } = facts;
  const found: number[] = [];
  const own = smallFunctions(module.program.body);
  const take = (call: CallNode): void => {
    const kinds = call.arguments.length === 0 ? undefined : argumentKinds(call, facts, projectImports);
    const site = kinds && flow.sites.get(call);
    if (kinds === undefined || site === undefined) return;
    found.push(
      site,
      flagsOf(flow, call, site),
      kinds.length,
      ...kinds.map((kind) =>
        kind === undefined ? KindCode.Unknown : typeof kind === 'string' ? CODES[kind] : KindCode.Keys + out.text(kind.keys.join(', ')),
      ),
    );
  };
  for (const call of projectImports.calls) take(call);
  if (own.size > 0) for (const call of module.nodes('CallExpression')) if (isOwn(flow, call, own)) take(call);
  return found;
}

/** Names of the small functions at the top level of a file, which other files may call. */
function smallFunctions(statements: readonly Node[]): ReadonlySet<string> {
  const found = new Set<string>();
  const take = (name: string, fn: Node): void => {
    if (isFunction(fn) && fn.params.length > 0 && endOf(fn) - startOf(fn) <= LONGEST) found.add(name);
  };
  for (const statement of statements) {
    const inner =
      (statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration') && statement.declaration
        ? statement.declaration
        : statement;
    if (inner.type === 'FunctionDeclaration' && inner.id) take(inner.id.name, inner);
    else if (inner.type === 'VariableDeclaration')
      for (const { id, init } of inner.declarations) if (init && id.type === 'Identifier') take(id.name, unwrap(init));
  }
  return found;
}

function isOwn({ facts: { bindings, module } }: Flow, call: CallNode, own: ReadonlySet<string>): boolean {
  const callee = unwrap(call.callee);
  if (callee.type !== 'Identifier' || !own.has(callee.name)) return false;
  const binding = bindings.resolve(callee);
  return binding !== undefined && binding.kind !== 'param' && binding.scope === module.program && bindings.isConstant(binding);
}

/** Whether the call is in a hot loop, and whether little else is. */
function flagsOf({ facts, out }: Flow, call: CallNode, site: number): number {
  if (isOnErrorPath(call)) return ArgumentFlag.Never;
  if ((out.flagsOfSite(site) & SiteFlag.Repeated) === 0 || !isInHotLoop(facts, call)) return 0;
  return ArgumentFlag.Hot | (loopLightness(facts, new Set(callsOfSame(call)))(call) ? ArgumentFlag.Light : 0);
}

/** In a `catch` or a `throw`: a working program never runs it. */
function isOnErrorPath(node: Node): boolean {
  for (let at = parentOf(node); at && !isFunction(at); at = parentOf(at))
    if (at.type === 'CatchClause' || at.type === 'ThrowStatement') return true;
  return false;
}

/** `area(a) + area(b)`: all calls of the same function in the expression, which are as light as this one. */
function callsOfSame(call: CallNode): Node[] {
  const found: Node[] = [call];
  const name = unwrap(call.callee);
  for (let at = parentOf(call); at && /Expression$/.test(at.type) && !isFunction(at); at = parentOf(at)) {
    if (at.type !== 'BinaryExpression') continue;
    for (const side of [unwrap(at.left), unwrap(at.right)]) if (isCall(side) && isSameCallee(unwrap(side.callee), name)) found.push(side);
  }
  return found;
}

function isSameCallee(a: Node, b: Node): boolean {
  if (a.type === 'Identifier' && b.type === 'Identifier') return a.name === b.name;
  return (
    a.type === 'MemberExpression' &&
    b.type === 'MemberExpression' &&
    isSameCallee(unwrap(a.object), unwrap(b.object)) &&
    isSameCallee(a.property, b.property)
  );
}
