// Fix: what no request changes is built once, above the function that uses it.
import { getCodeStyle } from '../../analysis/fix/code-style.ts';
import { hasComment } from '../../analysis/fix/blocks.ts';
import { offsetBefore } from '../../analysis/fix/offset-before.ts';
import { isReference } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  enclosingFunction,
  endOf,
  parentOf,
  isCall,
  isFunction,
  isMember,
  memberName,
  startOf,
  unwrap,
  type CallNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { findQuery } from '../../analysis/facts/queries.ts';
import { SETUP_WARNING_US } from '../../knowledge/setup-calls.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Fix, Repair } from '../../analysis/rule.ts';
import { outdented, topLevelStatement } from '../shared/top-level.ts';
import type { Setup } from './builds.ts';
import { declarationOf, renamed, takenLines } from './declared.ts';
import { mayFail } from './may-fail.ts';
import { sharedName } from './names.ts';
import { whyNotWorth } from './worth.ts';
import { isSafeToShare, whyNotShared, whySharingShows } from './shareable.ts';
import { builtAtTop, isAgentRow, partnersOf, setupsOf, twinsOf, whyTooMany } from './siblings.ts';

const TITLE = 'Build it once, at the top level of the module';
const NOTHING: Repair = { fixes: [], refused: [] };
const refusal = (reason: string): Repair => ({ fixes: [], refused: [{ title: TITLE, reason }] });

export function hoist(setup: Setup, facts: Facts): Repair {
  // A call that builds inside has nothing to keep; an Ajv instance of its own would have to move, too.
  if (!topLevelStatement(setup.whole) || setup.row.makes === 'call' || setup.holder) return NOTHING;
  const request = setup.row.makes === 'thing' && setup.row.us[0] < SETUP_WARNING_US ? requestBeside(setup.whole, facts) : undefined;
  if (request)
    return refusal(
      `the function also sends a request to another service (line ${lineOf(request, facts)}), beside which this does not count`,
    );
  const useless = whyNotWorth(setup, facts);
  if (useless !== undefined) return refusal(useless);
  const top = builtAtTop(setup, facts);
  if (top) return refusal(`the same object is already built on line ${lineOf(top, facts)}. Use that one`);
  const larger = largerOne(setup, facts);
  if (larger) return refusal(`what is built of it on line ${lineOf(larger.whole, facts)} would stay, because of the comments in it`);
  const partners = partnersOf(setup, facts);
  const [partner] = partners;
  for (const one of [setup, ...partners]) {
    const many = whyTooMany(one, facts);
    if (many !== undefined) return refusal(many);
  }
  if (partner && !isAgentRow(setup) && !twinsOf(setup, facts).includes(partner))
    return refusal(`\`${calleeOf(partner, facts)}\` on line ${lineOf(partner.whole, facts)} belongs to it, and would stay`);
  // What is the same is built once; what belongs together moves together.
  const groups: (readonly Setup[])[] = [];
  for (const one of [setup, ...(isAgentRow(setup) ? partners : [])].sort((a, b) => startOf(a.whole) - startOf(b.whole)))
    if (!groups.some((group) => group.some(({ whole }) => whole === one.whole))) groups.push(sharers(one, facts));
  const all = groups.flat();
  const places = all.flatMap(({ whole }) => {
    const statement = topLevelStatement(whole);
    return statement ? [placeFor(statement, facts)] : [];
  });
  const place = places.reduce((first, one) => (startOf(one) < startOf(first) ? one : first));
  for (const one of [setup, ...all.filter(({ whole }) => whole !== setup.whole)]) {
    const isFirst = one.whole === setup.whole;
    const why = !isFirst && mayFail(one.whole, one.row, facts) ? 'it may fail when the program starts' : whyItStays(one, place, facts);
    if (why !== undefined && isFirst) return refusal(why);
    if (why !== undefined) return refusal(`what is built on line ${lineOf(one.whole, facts)} belongs to it, and would stay: ${why}`);
  }
  return moveAll(groups, place, facts);
}

/** A request to another service, by the function itself or by one of the file that it calls. */
function requestBeside(whole: Node, facts: Facts): Node | undefined {
  const { calls } = facts;
  const isRequest = (call: CallNode): boolean =>
    findQuery(call, facts, true)?.isHttp === true ||
    (call.callee.type === 'Identifier' && FETCHES.test(call.callee.name) && parentOf(call)?.type === 'AwaitExpression');
  const fn = enclosingFunction(whole);
  const known = facts.remember('requests of functions', () => new Map<Node, Node | undefined>());
  if (fn && !known.has(fn))
    known.set(
      fn,
      calls
        .callsIn(fn)
        .find((call) => isRequest(call) || calls.edgesOfCall(call).some(({ target }) => calls.callsIn(target).some(isRequest))),
    );
  return fn && known.get(fn);
}

/** `await fetchJson(url)`, `await httpGet(url)` */
const FETCHES = /^(?:fetch|https?)(?:[A-Z]\w*)?$/;

/** Twins that can be one. What can be changed may have to be another one in another function. */
function sharers(one: Setup, facts: Facts): readonly Setup[] {
  return twinsOf(one, facts).filter(({ whole, row }) => whole === one.whole || !whySharingShows(whole, row, facts));
}

/** What is built of it, and has to stay: to move a small part of it helps little. */
function largerOne({ whole }: Setup, facts: Facts): Setup | undefined {
  const own = declarationOf(whole, facts);
  const binding = own && facts.bindings.resolve(own.id);
  const commented = facts.remember('setups with comments', () => {
    const all = setupsOf(facts).filter((one) => hasComment(facts, one.whole));
    return new Map(all.map((one) => [one.whole, one]));
  });
  if (!binding || commented.size === 0) return undefined;
  let larger: Setup | undefined;
  for (const use of facts.bindings.references(binding))
    for (let at: Node | undefined = use; at; at = parentOf(at)) {
      const one = at === whole ? undefined : commented.get(at);
      if (one && (!larger || startOf(one.whole) < startOf(larger.whole))) larger = one;
    }
  return larger;
}

function whyItStays({ whole, row }: Setup, place: Node, facts: Facts): string | undefined {
  const statement = topLevelStatement(whole);
  if (!statement) return 'it is not in a function of the module itself';
  const why = whyNotShared(whole, row, statement, facts);
  if (why) return why;
  const late = lateName(whole, place, facts);
  if (late) return `\`${late}\` is not defined yet at the top of the module`;
  return hasComment(facts, whole) ? 'there is a comment in it, which would be moved with it' : undefined;
}

/** @param groups each of which gets one constant */
function moveAll(groups: readonly (readonly Setup[])[], place: Node, facts: Facts): Repair {
  const { semicolon } = getCodeStyle(facts);
  const line = facts.source.lineBreak;
  const edits: Fix['edits'][number][] = [];
  const declared = groups.flat().flatMap(({ whole }) => declarationOf(whole, facts) ?? []);
  const names = new Set<string>();
  let text = '';
  for (const group of groups) {
    const named = sharedName(group, facts);
    if ('reason' in named) return refusal(named.reason);
    const { name } = named;
    if (names.has(name)) return refusal(`\`${name}\` would stand for two of them`);
    names.add(name);
    for (const [i, { whole }] of group.entries()) {
      const own = declarationOf(whole, facts);
      const uses = own && renamed(own, name, facts);
      let comment: string | undefined;
      if (own && uses) {
        const taken = takenLines(own, declared, facts);
        if ('reason' in taken) return refusal(taken.reason);
        ({ comment } = taken);
        if (comment !== undefined && i > 0) return refusal(`the comment above line ${lineOf(whole, facts)} would have to move with it`);
        edits.push({ start: taken.start, end: taken.end, text: '' }, ...uses);
      } else edits.push({ start: startOfValue(whole, name), end: endOfChainLink(whole, facts), text: name });
      if (i === 0)
        text += `${comment === undefined ? '' : `${comment.replaceAll('\n', line)}${line}`}const ${name} = ${outdented(whole, facts)}${semicolon}${line}`;
    }
  }
  const offset = offsetBefore(place, facts);
  const isSafe = groups.flat().every(({ whole, row }) => isSafeToShare(whole, row));
  const inserted = { start: offset, end: offset, text: `${text}${line}` };
  return { fixes: [{ title: TITLE, kind: isSafe ? 'safe' : 'suggestion', edits: [inserted, ...edits] }], refused: [] };
}

const lineOf = (node: Node, facts: Facts): number => facts.source.positionAt(startOf(node)).line;

const calleeOf = ({ whole }: Setup, facts: Facts): string =>
  whole.type === 'NewExpression'
    ? `new ${facts.source.slice(whole.callee)}`
    : isCall(whole)
      ? (facts.source.slice(whole.callee).split(/[\s(]/)[0] ?? '')
      : '';

/**
 * Before the statement around it. A function declaration can be called before its statement is reached, though: if code of the module may
 * do so, before all that does more than load other modules.
 */
export function placeFor(statement: Node, facts: Facts): Node {
  const declared =
    statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration' ? statement.declaration : statement;
  if (declared?.type !== 'FunctionDeclaration') return statement;
  const { body } = facts.module.program;
  const { running, working } = facts.remember('first statements that do more than load', () => ({
    running: body.find((one) => callsOwnCode(one, facts)),
    working: body.find((one) => !isLoading(one)),
  }));
  return running && startOf(running) < startOf(statement) ? (working ?? statement) : statement;
}

function callsOwnCode(statement: Node, facts: Facts): boolean {
  let calls = false;
  walkWithin(statement, (node) => {
    if (isFunction(node)) return false;
    if (isCall(node)) {
      const isImmediate = isMember(node.callee) && RUNS_NOW.test(memberName(node.callee) ?? '');
      calls ||= facts.calls.edgesOfCall(node).some(({ via }) => via !== 'callback' || isImmediate);
    }
    return calls ? 'stop' : undefined;
  });
  return calls;
}

const RUNS_NOW = /^(?:map|forEach|filter|reduce|some|every|find|findIndex|flatMap|sort|from|then)$/;

/** `import x from 'x'`, `const { y } = require('y')` */
function isLoading(statement: Node): boolean {
  if (statement.type === 'ImportDeclaration') return true;
  return (
    statement.type === 'VariableDeclaration' &&
    statement.declarations.every(({ init }) => {
      let value = init ? unwrap(init) : undefined;
      while (value && isMember(value)) value = unwrap(value.object);
      return value?.type === 'CallExpression' && value.callee.type === 'Identifier' && value.callee.name === 'require';
    })
  );
}

/** A name that is declared below, or in the function. */
function lateName(whole: Node, statement: Node, facts: Facts): string | undefined {
  let late: string | undefined;
  walkWithin(whole, (node) => {
    if (node.type === 'Identifier' && isReference(node)) {
      const binding = facts.bindings.resolve(node);
      const isKnown =
        !binding ||
        (startOf(whole) <= startOf(binding.identifier) && startOf(binding.identifier) < endOf(whole)) ||
        (binding.scope.type === 'Program' &&
          (binding.kind === 'import' || binding.kind === 'function' || startOf(binding.identifier) < startOf(statement)));
      if (!isKnown) late = node.name;
    }
    return late === undefined ? undefined : 'stop';
  });
  return late;
}

/** `{ httpAgent }`, and not `{ httpAgent: httpAgent }` */
function startOfValue(whole: Node, name: string): number {
  const up = parentOf(whole);
  const isSame = up?.type === 'ObjectProperty' && !up.computed && up.key.type === 'Identifier' && up.key.name === name;
  return startOf(isSame ? up : whole);
}

/** `schema.parse(body)`, where the call stood on a line of its own. */
function endOfChainLink(whole: Node, { source: { text } }: Facts): number {
  const end = endOf(whole);
  const next = end + (/^\s*/.exec(text.slice(end, end + MOST_SPACE))?.[0].length ?? 0);
  return /^\??\.[\w$]/.test(text.slice(next, next + 3)) ? next : end;
}

/** Of what follows, in characters: longer white space is left as it is. */
const MOST_SPACE = 200;
