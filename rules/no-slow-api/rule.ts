// Calls of which another form was measured to be much faster, where the difference counts.
import semver from 'semver';
import { enclosingFunctionName, type CallNode } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { defineRule } from '../../analysis/rule.ts';
import { SLOW_FIGURES, type SlowFigures } from '../../knowledge/slow-api-figures.ts';
import { isPageCode } from '../shared/page-code.ts';
import { onRequestPath } from '../shared/request-place.ts';
import { mayBeSlow, slowFormOf } from './sites.ts';

// A loop with fewer iterations takes microseconds.
const MANY_ROUNDS = 100;

export const rule = defineRule<'each' | 'loop'>({
  meta: {
    id: 'no-slow-api',
    group: 'api',
    summary: 'Calls on request paths that have an alternative measured to be at least twice as fast',
    severity: 'hint',
    proof: 'measured',
    nodeRange: '>=20',
    fix: 'none',
    messages: {
      each: {
        what: '`{{call}}` takes {{slow}} on every {{where}}.',
        why: 'With {{other}} instead, it takes {{fast}} ({{node}}): {{ratio}}.',
        remedy: '{{remedy}}',
      },
      loop: {
        what: '`{{call}}` takes {{slow}} in each iteration of a loop, on every {{where}}.',
        why: 'With {{other}} instead, it takes {{fast}} ({{node}}): {{ratio}}. For 1,000 items, that is more than a millisecond.',
        remedy: '{{remedy}}',
      },
    },
    options: {},
    forRequestsOnly: true,
    confirmedBy: [{ kind: 'runs', expect: 'the code runs while requests are handled' }],
  },
  create({ facts, source, report, project }) {
    if (!mayBeSlow(source.text)) return {};
    const listen = (call: CallNode): void => {
      const form = slowFormOf(call, facts, project.manifest);
      if (!form || (form.inLoops && !isInLoop(call, facts))) return;
      const figures = figuresOf(form.measured, project.nodeRange);
      const request = figures && onRequestPath(call, facts);
      if (!figures || !request || request.isOnce || isPageCode(facts)) return;
      report({
        at: call,
        messageId: form.inLoops ? 'loop' : 'each',
        data: { call: form.call, other: form.other, remedy: form.remedy, ...figures },
        request,
        functionName: enclosingFunctionName(call),
      });
    };
    return { CallExpression: listen, OptionalCallExpression: listen };
  },
});

function isInLoop(call: CallNode, facts: Facts): boolean {
  return facts.hotness.repetitionsInFunction(call).some(({ atMost }) => atMost === undefined || atMost >= MANY_ROUNDS);
}

/** What was measured on the versions that the project runs on; undefined where it runs on none of them. */
function figuresOf(measured: string, nodeRange: string): Record<'slow' | 'fast' | 'ratio' | 'node', string> | undefined {
  const rows = Object.entries(SLOW_FIGURES[measured] ?? {}).filter(([major]) => runsOn(nodeRange, major));
  const first = rows[0]?.[0];
  const last = rows.at(-1)?.[0];
  if (first === undefined || last === undefined) return undefined;
  const figures = rows.map(([, one]) => one);
  return {
    slow: timeOf(figures, 'slow'),
    fast: timeOf(figures, 'fast'),
    ratio: ratioOf(figures),
    node: `Node ${first === last ? first : `${first} to ${last}`}`,
  };
}

function runsOn(nodeRange: string, major: string): boolean {
  // A range that cannot be read may mean any version.
  return semver.validRange(nodeRange) === null || semver.intersects(nodeRange, `^${major}.0.0`, { includePrerelease: true });
}

const LEAST_NS = 100;
const NS_PER_US = 1000;
// Beyond this, the faster form takes as good as nothing, and its exact time is noise.
const MOST_TIMES = 100;

/** `75 to 80 µs`, `less than 0.1 µs` */
function timeOf(figures: readonly SlowFigures[], form: 'slow' | 'fast'): string {
  const times = figures.map((one) => one[form]);
  const most = Math.max(...times);
  if (most < LEAST_NS) return `less than ${LEAST_NS / NS_PER_US} µs`;
  return `${range(Math.min(...times) / NS_PER_US, most / NS_PER_US)} µs`;
}

/** With the widest interval of the versions. */
function ratioOf(figures: readonly SlowFigures[]): string {
  const low = Math.min(...figures.map((one) => one.low));
  if (low >= MOST_TIMES) return `more than ${MOST_TIMES} times as fast`;
  return `${range(low, Math.max(...figures.map((one) => one.high)))} times as fast`;
}

function range(low: number, high: number): string {
  const [from, to] = [low, high].map((value) => String(Number(value.toPrecision(2))));
  return from === to ? `${from}` : `${from} to ${to}`;
}
