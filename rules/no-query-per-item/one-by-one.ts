// What keeps the queries of a list apart: each goes to a database of its own, or reads what its own iteration has changed.
import { constantOf } from '../../analysis/facts/constants.ts';
import { propertyValue } from '../../analysis/facts/handlers/route-paths.ts';
import { findQuery, type Query } from '../../analysis/facts/queries.ts';
import { driverOf } from '../../analysis/facts/outside/query-remedies.ts';
import { isWrittenBefore } from '../../analysis/facts/outside/sent-queries.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  enclosingFunction,
  isCall,
  isMember,
  memberName,
  parentOf,
  startOf,
  staticName,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { awaits, isOfElement, isWithEach, referencesIn, type Elements } from '../shared/elements.ts';

/**
 * Whether the database or the collection is another one for each element: `member.db.collection('users').find()`.
 * @param site the call in the loop
 * @param query the call that sends the query: the same, or in a function that the other one calls
 */
export function isElsewhereForEach(site: CallNode, query: CallNode, elements: Elements, facts: Facts): boolean {
  const place = placeOf(query);
  if (!place) return false;
  return site === query ? isOfElement(place, elements, facts) : isOfArgument(place, site, query, elements, facts);
}

/** What tells where a query goes. */
function placeOf(query: CallNode): Node | undefined {
  const callee = unwrap(query.callee);
  return isMember(callee) && !isBuilt(callee.object) ? callee.object : undefined;
}

const PLACES = /^(?:collection|getCollection|model|getModel|db)$/;

/** `knex('users').where({ id })`: the calls of a builder also have its conditions. */
function isBuilt(receiver: Node): boolean {
  const call = unwrap(receiver);
  return isCall(call) && !(isMember(call.callee) && PLACES.test(memberName(call.callee) ?? ''));
}

function isOfArgument(place: Node, site: CallNode, query: CallNode, elements: Elements, facts: Facts): boolean {
  const fn = enclosingFunction(query);
  if (!fn || facts.calls.functionsOf(site.callee)[0] !== fn) return false;
  const references = referencesIn(place, facts);
  return fn.params.some((parameter, index) => {
    const argument = site.arguments[index];
    return (
      argument !== undefined &&
      references.some(
        ({ identifier, binding }) =>
          contains(parameter, binding.identifier) &&
          isOfElement(partFor(argument, parameter, binding.identifier, identifier, facts), elements, facts),
      )
    );
  });
}

/** What a parameter gets of its argument, as far as a reference uses it: `pool` of `load({ db: pool, id })`, for `options.db`. */
function partFor(argument: Node, parameter: Node, identifier: Node, reference: Node, facts: Facts): Node {
  const value = unwrap(argument);
  const object = unwrap(constantOf(value, facts.bindings) ?? value);
  if (object.type !== 'ObjectExpression') return argument;
  const pattern = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
  if (pattern === identifier) {
    const member = parentOf(reference);
    const name = isMember(member) && member.object === reference ? memberName(member) : undefined;
    return givenAs(name, object) ?? argument;
  }
  if (pattern.type !== 'ObjectPattern') return argument;
  const property = pattern.properties.find((one) => contains(one, identifier));
  if (property?.type !== 'ObjectProperty') return argument;
  const given = givenAs(staticName(property.key, property.computed), object);
  return given ? partFor(given, property.value, identifier, reference, facts) : argument;
}

/** The value of a property that no spread after it may replace. */
function givenAs(name: string | undefined, object: t.ObjectExpression): Node | undefined {
  const value = name === undefined ? undefined : propertyValue(object, name);
  return value && !object.properties.some((one) => one.type === 'SpreadElement' && startOf(one) > startOf(value)) ? value : undefined;
}

/**
 * Whether rows that are read before the loop would not be those that the query gets: the same iteration writes them before it, or takes
 * away what it has read.
 */
export function isChangedBeside(site: CallNode, asks: Query, query: CallNode, elements: Elements, facts: Facts): boolean {
  if (asks.isHttp) return false;
  if (driverOf(asks.code)?.shape !== 'command') return !asks.isWrite && isWrittenBefore(query, site, elements.body, facts);
  // One client has all keys.
  const around = site === query ? elements.body : enclosingFunction(query);
  return around ? isTakenAway(query, asks.isWrite, around, facts) : false;
}

/** What goes to a person or to another service, by the name of the function: `sendMail`, `sendAdmin`, `notifyOwner`, `chargeCustomer`. */
const SENDS = /^(?:(?:notify|upload|e?mail|charge|refund)(?![a-z])|(?:send|deliver)[A-Z_])/;
/** What goes to a database: `redis.sendCommand(['GET', key])`. */
const ASKS = /^send_?(?:Command|Query|Sql|SQL|Statement|Batch|Operation)/;
/** Commands of AWS SDK 3: `client.send(new SendEmailCommand(…))`. */
const MESSAGES = /^(?:Send|Publish)\w{0,40}Command$/;
/** Whose `send` sends a message. */
const RECEIVERS =
  /(?:mail|mailer|transport|transporter|sms|push|telegram|twilio|slack|discord|webhook|bot|chat|channel|member|user|author|recipient|notifier|notifications?|messaging|messages|resend|sendgrid|sgMail|postmark|ses|sns|sqs)(?:Client|Service|Api|API)?$/i;
const SERVICES =
  /(?:A(?:pi|PI)|S(?:dk|DK)|[tT]wilio|[sS]tripe|[oO]pen[aA][iI]|mailer|[tT]ransporter|[tT]elegram|[sS]ftp)(?:Client|Service)?$/;

/**
 * Whether each query also comes with a message, or with a request to another service, that the loop waits for: `await mailer.send(…); await
 * db.update(…)`. That takes longer than the query. What is written afterwards is what a crash, or an answer of that service, finds: all at
 * once at the end is something else. A message that is only sent for some of the elements leaves the query of the others as it is.
 */
export function isBesideMessage(site: CallNode, asks: Query, { body, isSequential }: Elements, facts: Facts): boolean {
  if (asks.isHttp || !isSequential) return false;
  return awaits(body, (awaited) => {
    let sends = false;
    walkWithin(awaited, (node) => {
      if (sends || node === site) return false;
      if (isCall(node) && !findQuery(node, facts)) sends = isSending(node) && !onlyAsks(node, facts);
      return undefined;
    });
    return sends && isWithEach(awaited, site, body);
  });
}

/** A function of the file that sends a query, and nothing else: `sendAlert` adds a row. */
function onlyAsks(call: CallNode, facts: Facts): boolean {
  const [fn] = facts.calls.functionsOf(call.callee);
  if (!fn) return false;
  let asks = false;
  let sends = false;
  walkWithin(fn.body, (node) => {
    if (!isCall(node)) return;
    const query = findQuery(node, facts);
    if (query && !query.isHttp) asks = true;
    else sends ||= query !== undefined || isSending(node);
  });
  return asks && !sends;
}

function isSending({ callee: called, arguments: [first] }: CallNode): boolean {
  const callee = unwrap(called);
  if (callee.type === 'Identifier') return isNamedSending(callee.name);
  if (!isMember(callee)) return false;
  const name = memberName(callee) ?? '';
  if (isNamedSending(name)) return true;
  const isBare = /^(?:send|deliver)$/.test(name);
  if (isBare && first?.type === 'NewExpression' && first.callee.type === 'Identifier' && MESSAGES.test(first.callee.name)) return true;
  const isService = (one: string): boolean => SERVICES.test(one) || (isBare && RECEIVERS.test(one));
  for (let at = unwrap(callee.object); ; at = unwrap(at.object)) {
    if (!isMember(at)) return at.type === 'Identifier' && isService(at.name);
    if (isService(memberName(at) ?? '')) return true;
  }
}

const isNamedSending = (name: string): boolean => SENDS.test(name) && !ASKS.test(name);

/** `GET key`, then `DEL key`: what others add to it in between is lost, and the earlier it is read, the more. */
const TAKES = /^(?:h?del|unlink)$/i;

function isTakenAway(query: CallNode, isWrite: boolean, around: Node, facts: Facts): boolean {
  const [key] = query.arguments;
  const callee = unwrap(query.callee);
  if (!key || !isMember(callee)) return false;
  if (isWrite && !TAKES.test(memberName(callee) ?? '')) return false;
  const [receiver, written] = [facts.source.slice(callee.object), facts.source.slice(key)];
  let does = false;
  walkWithin(around, (node) => {
    if (does) return false;
    if (!isCall(node) || node === query) return undefined;
    const other = unwrap(node.callee);
    const [same] = node.arguments;
    if (!same || !isMember(other) || facts.source.slice(other.object) !== receiver || facts.source.slice(same) !== written)
      return undefined;
    const isBefore = startOf(node) < startOf(query);
    const sent = findQuery(node, facts, true);
    if (isWrite) does = isBefore && sent?.isWrite === false;
    else does = TAKES.test(memberName(other) ?? '') || (isBefore && sent?.isWrite === true);
    return undefined;
  });
  return does;
}

/** Whether a loop puts what it reads into a list, in the order of the elements: `all.push(...rows)`, `all = all.concat(rows)`. */
export function isInOrder(query: CallNode, asks: Query, { body, isSequential }: Elements, facts: Facts): boolean {
  if (asks.isWrite || asks.isHttp || !isSequential || asks.batch === '') return false;
  // `mget` answers in the order of its keys.
  if (driverOf(asks.code)?.shape === 'command') return false;
  let does = false;
  walkWithin(body, (node) => {
    if (does) return false;
    if (!isCall(node) || !isMember(node.callee) || !/^(?:push|concat)$/.test(memberName(node.callee) ?? '')) return undefined;
    does = node.arguments.some(
      (one) =>
        contains(one, query) ||
        referencesIn(one, facts).some(
          ({ binding: { declaration } }) => declaration.type === 'VariableDeclarator' && contains(declaration, query),
        ),
    );
    return undefined;
  });
  return does;
}
