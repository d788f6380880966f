// The view of routes: its order, and its words, which say all that its icons and colors say.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findingWords, routesMessage, routeWords, sortedRoutes, type RoutesOrder } from '../../client/routes-model.ts';
import type { KnownRoute } from '../../protocol/editor.ts';
import { english as t } from './english.ts';

const AT = { line: 0, character: 0 };
const route = (name: string | undefined, more: Partial<KnownRoute> = {}): KnownRoute => ({
  ...(name === undefined ? {} : { route: name }),
  uri: 'file:///app.js',
  position: AT,
  blocking: 0,
  others: 0,
  places: [],
  ...more,
});
const timed = (ns: number): Pick<KnownRoute, 'time'> => ({ time: { ns, isP99: true, node: '22.1.0' } });

describe('the view of routes', () => {
  it('is sorted by what matters most first, and by path in it', () => {
    const routes = [
      route('POST /b', { blocking: 1, ...timed(2) }),
      route(undefined, { blocking: 9 }),
      route('GET /b', { blocking: 1 }),
      route('GET /c', { others: 3, ...timed(3) }),
      route('GET /a'),
    ];
    const order = (by: RoutesOrder): (string | undefined)[] => sortedRoutes(routes, by).map((one) => one.route);
    assert.deepEqual(order('path'), ['GET /a', 'GET /b', 'POST /b', 'GET /c', undefined]);
    assert.deepEqual(order('findings'), [undefined, 'GET /b', 'POST /b', 'GET /c', 'GET /a']);
    assert.deepEqual(order('time'), ['GET /c', 'POST /b', 'GET /a', 'GET /b', undefined]);
  });

  it('says what a route blocks on, what profiles say, and how long it took', () => {
    const say = (one: KnownRoute): string => {
      const { label, description, icon } = routeWords(one, 'app.js:1', t);
      return `${icon} ${label}: ${description}`;
    };
    assert.equal(say(route('GET /a')), 'pass GET /a: no findings');
    assert.equal(say(route('GET /a', { blocking: 1 })), 'warning GET /a: 1 blocking call');
    assert.equal(say(route('GET /a', { blocking: 2, others: 1 })), 'warning GET /a: 2 blocking calls · 1 more');
    assert.equal(say(route('GET /a', { others: 1 })), 'info GET /a: 1 finding');
    assert.equal(
      say(route('GET /a', { blocking: 2, verdict: 'confirmed', ...timed(3_100_000) })),
      'flame GET /a: 2 blocking calls · confirmed · p99 3.1 ms',
    );
    assert.equal(say(route('GET /a', { time: { ns: 850, isP99: false, node: '22.1.0' } })), 'pass GET /a: no findings · 850 ns/call');
    assert.equal(say(route(undefined, { blocking: 1 })), 'warning Handler in app.js:1: 1 blocking call');
    assert.equal(
      routeWords(route('GET /a', { blocking: 1, verdict: 'refuted', ...timed(10_000) }), 'app.js:1', t).tooltip,
      'GET /a; registered in app.js:1; 1 blocking call, refuted, p99 10 µs; measured on Node 22.1.0',
    );
  });

  it('says where a finding is, and what a profile says of it', () => {
    const finding = { uri: 'file:///a.js', range: { start: AT, end: AT }, what: '`fs.readFileSync` blocks.' };
    assert.deepEqual(findingWords(finding, 'a.js:3', t), {
      label: '`fs.readFileSync` blocks.',
      description: 'a.js:3',
      tooltip: '`fs.readFileSync` blocks. (a.js:3)',
      icon: 'circle-outline',
    });
    assert.equal(findingWords({ ...finding, verdict: 'seen' }, 'a.js:3', t).description, 'a.js:3 · no cost shown');
  });

  it('shows routes and places of strangers as text', () => {
    const hostile = route('GET /$(sync~spin)[x](command:quit)', { blocking: 1 });
    const { label, tooltip } = routeWords(hostile, '$(flame).js:1', t);
    for (const text of [label, tooltip, findingWords({ uri: '', range: { start: AT, end: AT }, what: '$(x)[a](b:c)' }, '', t).label])
      assert.doesNotMatch(text, /\$\((?:sync|flame|x)|\]\(/, text);
  });

  it('says why it is empty', () => {
    const message = (...[result, state]: [Parameters<typeof routesMessage>[0], Parameters<typeof routesMessage>[1]]): string | undefined =>
      routesMessage(result, state, t);
    const built = { kind: 'built', files: 3 } as const;
    assert.equal(message({ isOn: true, routes: [route('GET /')] }, { index: built, isRunning: true }), undefined);
    assert.equal(message({ isOn: true, routes: [] }, { index: built, isRunning: true }), 'No routes of a known framework were found.');
    assert.equal(
      message({ isOn: true, routes: [] }, { index: { kind: 'building', done: 1, total: 2 }, isRunning: true }),
      'Reading the project…',
    );
    assert.match(message({ isOn: false, routes: [] }, { index: { kind: 'off' }, isRunning: true }) ?? '', /index is off/);
    assert.equal(message(undefined, { index: undefined, isRunning: false }), 'The language server is not running.');
  });
});
