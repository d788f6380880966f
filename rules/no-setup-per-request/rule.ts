// What is built again for every request although no request changes it.
import {
  enclosingFunction,
  enclosingFunctionName,
  endOf,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
} from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import { defineRule } from '../../analysis/rule.ts';
import { CONNECTION_MS, CONTEXT, SETUP_WARNING_US, type SetupCall } from '../../knowledge/setup-calls.ts';
import { isKept } from '../shared/kept.ts';
import { EXPORTS_OPTION, withCallers, type ExportsOption } from '../shared/exported-place.ts';
import { isPageCode } from '../shared/page-code.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { goesIntoKept, isAgentRow, nameAtTop } from './siblings.ts';
import { findSetup, isPartOfSetup, mayBuild } from './builds.ts';
import { findContext } from './contexts.ts';
import { hoist } from './hoist.ts';
import { keepFirst } from './keep-first.ts';
import { homeOf } from './fixed.ts';
import { dependsOnLocale, mayFail } from './may-fail.ts';
import { belongsToRequest } from './uses.ts';
import { findUncached, mayTurnOffCache, onlyInDevelopment } from './views.ts';

// Settings of views are made once; what they cost shows when views are rendered.
const OF_REQUESTS = ['thing', 'client', 'call', 'compared', 'context'];

export const rule = defineRule<'thing' | 'client' | 'call' | 'compared' | 'context' | 'views', ExportsOption>({
  meta: {
    id: 'no-setup-per-request',
    group: 'api',
    summary: 'Clients, schemas, templates, and formatters that are rebuilt on each request, although no request changes them',
    severity: 'warning',
    otherSeverities: ['hint'],
    proof: 'measured',
    nodeRange: '*',
    fix: 'safe',
    messages: {
      thing: {
        what: '`{{call}}` builds the same thing again on every {{where}}.',
        why: 'Building it takes {{cost}} (Node 20 to 24), and none of its inputs depends on the request.',
        remedy: '{{instead}}',
      },
      client: {
        what: '`{{call}}` creates a client on every {{where}}.',
        why: 'Its connections are new, too. In processor time, a request took {{ownTls}} ms over a new TLS connection and {{keptTls}} ms over a kept one, and a query {{ownQuery}} ms with a new pool and {{keptQuery}} ms with a kept one (PostgreSQL, Node 20 to 24).',
        remedy: '{{instead}}',
      },
      call: {
        what: '`{{call}}` builds {{built}} on every {{where}}, and throws it away.',
        why: 'With arguments that never change, each call takes {{cost}} (Node 20 to 24), most of it to rebuild the same object.',
        remedy: '{{instead}}',
      },
      compared: {
        what: '`{{call}}` builds a collator for each comparison of the sort{{which}}.',
        why: 'With options, each comparison takes {{cost}} (Node 20 to 24), whereas one collator for all of them takes less than 0.5 µs. A sort of 1,000 elements makes about 9,000 comparisons.',
        remedy: 'Create an `Intl.Collator` with the same locale and options at the top level, and pass its `compare` the two texts.',
      },
      context: {
        what: '`{{call}}` creates a new script context on every {{where}}, to run code that is always the same.',
        why: 'A context has its own globals: creating one takes {{cost}} (Node 20 to 24). A small script in a kept context takes 0.7 to 1.4 µs.',
        remedy:
          'Create one context, keep it, and set the data before each run. Wrap the code in a function, so that its variables do not stay.',
      },
      views: {
        what: '`{{call}}` turns off the cache of `{{engine}}` views in production, too.',
        why: 'Each response then reads and compiles its view again. For a page of some 25 lines, this took {{cost}}, and {{kept}} with the cache (Node 20 to 24).',
        remedy: '{{instead}}',
      },
    },
    options: { exports: EXPORTS_OPTION },
    forRequestsOnly: true,
    unlessOption: 'exports',
    confirmedBy: [
      {
        kind: 'runs',
        expect: 'the code runs while requests are handled, and its share of their time is measured',
        messages: OF_REQUESTS,
      },
      { kind: 'time', expect: 'the function takes less time with the fix', messages: OF_REQUESTS },
    ],
  },
  create({ facts, source, options, runsOn, report }) {
    const mayBeUncached = mayTurnOffCache(source.text);
    if (!mayBeUncached && !mayBuild(source.text)) return {};
    const tell = withCallers(report, options, facts);
    const listen = (call: CallNode): void => {
      const uncached = mayBeUncached ? findUncached(call, facts) : undefined;
      if (uncached && !isPageCode(facts)) {
        const { engine, name, remedy } = uncached;
        report({
          at: uncached.at,
          messageId: 'views',
          severity: engine.us[0] >= SETUP_WARNING_US ? undefined : 'hint',
          data: { call: uncached.call, engine: name, cost: timeOf(engine.us), kept: timeOf(engine.kept), instead: remedy },
          repair: () => onlyInDevelopment(uncached),
        });
        return;
      }
      const context = findContext(call, facts);
      if (context) {
        const request = onRequestPath(call, facts);
        if (!request || request.isOnce || isInCatch(call) || isPageCode(facts)) return;
        // The others return what the code does.
        if (context === CONTEXT && isKept(call, facts)) return;
        tell({
          at: { start: startOf(call), end: endOf(call.callee) },
          messageId: 'context',
          severity: 'hint',
          data: { call: nameOf(call, context, facts), cost: timeOf(context.us) },
          request,
          functionName: enclosingFunctionName(call),
        });
        return;
      }
      const setup = findSetup(call, facts);
      if (!setup) return;
      const request = onRequestPath(call, facts);
      if (!request || request.isOnce || isInCatch(call) || isPageCode(facts)) return;
      const { row, whole, holder } = setup;
      const home = homeOf(setup.parts, facts);
      if (!home || (home !== 'top' && !isWorthMoving(row)) || isPartOfSetup(call, facts)) return;
      if (row.makes !== 'call' && (isKept(call, facts) || belongsToRequest(whole, row.makes, facts))) return;
      if (isAgentRow(setup) && goesIntoKept(setup, facts)) return;
      if (holder?.type === 'VariableDeclarator' && holder.init && belongsToRequest(holder.init, 'thing', facts)) return;
      const isLate = row.makes !== 'call' && mayFail(whole, row, facts);
      const same = home === 'top' && row.makes !== 'call' ? nameAtTop(setup, facts) : undefined;
      // A client may belong to what the caller asked for.
      (row.makes === 'client' ? report : tell)({
        at: { start: startOf(call), end: endOf(call.callee) },
        messageId: row.measured.includes('localeCompare') ? 'compared' : row.makes,
        severity: row.makes === 'client' || row.us[0] >= SETUP_WARNING_US ? undefined : 'hint',
        data: {
          call: nameOf(call, row, facts),
          cost: costOf(row),
          built: row.built ?? '',
          which: isForSome(call) ? ' that reaches this line' : '',
          instead:
            home !== 'top'
              ? IN_FIELD
              : same !== undefined
                ? `Use \`${same}\`, which this module has already built.`
                : dependsOnLocale(whole, row, facts)
                  ? NAME_BOTH
                  : isLate
                    ? row.makes === 'client'
                      ? KEEP_CLIENT
                      : KEEP_FIRST
                    : (row.instead ?? (row.makes === 'client' ? SHARE_IT : BUILD_ONCE)),
          ...(row.makes === 'client' && CONNECTIONS),
        },
        request,
        functionName: enclosingFunctionName(call),
        repair: home !== 'top' ? undefined : () => (isLate && same === undefined ? keepFirst(setup, facts, runsOn) : hoist(setup, facts)),
      });
    };
    return { CallExpression: listen, OptionalCallExpression: listen, NewExpression: listen };
  },
});

/** `a.name.localeCompare(b.name) || a.id.localeCompare(b.id)`: the second one only compares what the first one finds equal. */
function isForSome(call: CallNode): boolean {
  const fn = enclosingFunction(call);
  return fn !== undefined && conditionsOn(call, fn).length > 0;
}

/** What only runs after an exception runs on few requests. */
function isInCatch(call: CallNode): boolean {
  for (let at = parentOf(call); at && !isFunction(at); at = parentOf(at)) if (at.type === 'CatchClause') return true;
  return false;
}

/** What a maker was given, and fields, are not known at the top level. */
const IN_FIELD = 'Build it on first use, and keep it in a field.';
/**
 * Not calls, whose remedy is another one. Of schemas, their parts are built already: a schema of 8 takes 12 to 105 µs in Joi and 5 µs in yup
 * (Node 20 and 24); zod compiles it at its first use.
 */
const isWorthMoving = ({ makes, chain, module }: SetupCall): boolean => makes !== 'call' && (!chain || module === 'zod');
const BUILD_ONCE = 'Build it once, at the top level of the module.';
const SHARE_IT = 'Create it once, at the top level of the module, and let all requests share it.';
/** `process.env.TZ` may be set while the program runs. */
const NAME_BOTH = 'Name its language, for dates also the `timeZone`, and build it once, at the top level of the module.';
/** Without a key, a constructor may throw: at the top level, the program would no longer start. */
const KEEP_FIRST = 'Create it on first use, and keep it.';
const KEEP_CLIENT = 'Create it on first use, keep it, and let all requests share it.';
const range = ([least, most]: readonly [number, number]): string => (least === most ? String(least) : `${least} to ${most}`);
const CONNECTIONS = {
  keptTls: range(CONNECTION_MS.https.kept),
  ownTls: range(CONNECTION_MS.https.own),
  keptQuery: range(CONNECTION_MS.postgres.kept),
  ownQuery: range(CONNECTION_MS.postgres.own),
};

// Longer callees get a shorter name.
const MAX_NAME = 32;

function nameOf(call: CallNode, row: SetupCall, facts: Facts): string {
  const callee = unwrap(call.callee);
  const written = facts.source.slice(callee);
  const short = (isMember(callee) ? memberName(callee) : undefined) ?? row.path.at(-1) ?? row.module;
  const name = written.length <= MAX_NAME && !/\s/.test(written) ? written : short;
  return call.type === 'NewExpression' ? `new ${name}` : name;
}

/** `38 to 115 µs`, `14 to 57 ms`, `77 to 460 µs in zod 4`. */
function costOf({ us, module, since }: SetupCall): string {
  return since === undefined ? timeOf(us) : `${timeOf(us)} in ${module} ${since}`;
}

function timeOf([least, most]: SetupCall['us']): string {
  const inMs = least >= 1000;
  const words = (us: number): string => String(Number((inMs ? us / 1000 : us).toPrecision(2)));
  if (!inMs && most >= 1000) return `${words(least)} µs to ${String(Number((most / 1000).toPrecision(2)))} ms`;
  return words(least) === words(most) ? `${words(least)} ${inMs ? 'ms' : 'µs'}` : `${words(least)} to ${words(most)} ${inMs ? 'ms' : 'µs'}`;
}
