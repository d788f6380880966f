// Before and after a profile: what is refused, what is remembered, what is said.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { amount, bytes, milliseconds, time } from '../../client/report/figures.ts';
import { ProfileMemory } from '../../client/profile/profile-memory.ts';
import { doneMessage, failureMessage, refusalOf } from '../../client/profile/profile-text.ts';
import { labelOf, stateView } from '../../client/session/status-text.ts';
import { calleeOf, problemOfCall } from '../../client/profile/typed-call.ts';
import { problemOfRequest } from '../../client/profile/typed-request.ts';
import { english as t } from './english.ts';
import { reportOf } from './profile-report.ts';

function memory(): ProfileMemory {
  const values = new Map<string, unknown>();
  return new ProfileMemory({
    get: <T>(key: string) => values.get(key) as T | undefined,
    update: async (key, value) => void values.set(key, value),
  });
}

describe('profiling', () => {
  it('is refused where nothing may be run, with the reason', () => {
    const sound = { trusted: true, virtual: false, onDisk: true };
    assert.equal(refusalOf(sound, t), undefined);
    assert.match(refusalOf({ ...sound, trusted: false }, t) ?? '', /not trusted\. Nothing was run/);
    assert.match(refusalOf({ ...sound, virtual: true }, t) ?? '', /not on disk/);
    assert.match(refusalOf({ ...sound, onDisk: false }, t) ?? '', /Save the file first/);
  });

  it('remembers the files that were agreed to, and the calls that were typed', async () => {
    const one = memory();
    assert.equal(one.hasAgreed('file:///a.js'), false);
    await one.agree('file:///a.js');
    await one.agree('file:///a.js');
    assert.deepEqual([one.hasAgreed('file:///a.js'), one.hasAgreed('file:///b.js')], [true, false]);
    await one.rememberCall('file:///a.js', 'total', 'total(1)');
    await one.rememberCall('file:///a.js', 'other', 'other()');
    assert.deepEqual([one.callOf('file:///a.js', 'total'), one.callOf('file:///b.js', 'total')], ['total(1)', undefined]);
  });

  it('holds back a call that is not finished', () => {
    for (const call of [
      'total(1)',
      'new Shop(1).total([{ a: "(" }], `}`)',
      "f('it\\'s (')",
      'total ( )',
      'GET /users/1?a=b',
      'POST /users {"a":1}',
    ])
      assert.equal(problemOfCall(call, t), undefined, call);
    const broken: [call: string, says: RegExp][] = [
      ['', /for example/],
      ['total', /needs parentheses/],
      ['total(1', /\( is not matched/],
      ['total(1]', /\] is not matched/],
      ['total)(', /\) is not matched/],
      ["total('a)", /Unterminated string/],
    ];
    for (const [call, says] of broken) assert.match(problemOfCall(call, t) ?? '', says, call);
    assert.equal(calleeOf('shop.total (1, 2)'), 'shop.total');
  });

  it('looks over a request that is typed: a method, a path without a host, no parameter that is left', () => {
    for (const request of ['GET /', ' POST /users -H "x-key: 1" {"name":"a"} ', 'GET /users/1?from=a:b', 'GET /a:b'])
      assert.equal(problemOfRequest(request, t), undefined, request);
    const broken: [request: string, says: RegExp][] = [
      ['', /method and a path/],
      ['/users', /method and a path/],
      ['GET', /method and a path/],
      ['GET http://example.org/', /method and a path/],
      ['GET //example.org/', /method and a path/],
      ['BREW /coffee', /method and a path/],
      ['GET /users/:id/posts', /Replace :id with a value/],
    ];
    for (const [request, says] of broken) assert.match(problemOfRequest(request, t) ?? '', says, request);
  });

  it('says what came of it', () => {
    assert.equal(doneMessage(reportOf(), t), 'total on Node 24.1.0: 1 confirmed, 12 ns/call, TurboFan, 3 deopts.');
    assert.equal(failureMessage({ ok: false, why: 'It ended.', remedy: '' }, t), 'Nodometer: It ended.');
    assert.equal(failureMessage({ ok: false, why: 'It ended.', remedy: 'Save it.' }, t), 'Nodometer: It ended. Save it.');
  });

  it('is seen in the status item', () => {
    const view = stateView({ server: { kind: 'running' }, lintingWorkspace: false, profiling: true, node: {} }, t);
    assert.deepEqual([labelOf(view, t), view.busy], ['Nodometer: Profiling', true]);
  });

  it('writes figures that can be read', () => {
    assert.deepEqual([0, 0.04, 3.26, 12.4, 447.8, 1500, 30_000, 2.5e6, 1.5e9].map(time), [
      '0 ns',
      '0.04 ns',
      '3.3 ns',
      '12 ns',
      '448 ns',
      '1.5 µs',
      '30 µs',
      '2.5 ms',
      '1.5 s',
    ]);
    assert.deepEqual([milliseconds(0.03), milliseconds(52)], ['30 µs', '52 ms']);
    assert.deepEqual([1, 200, 9999, 60_000, 1_250_000].map(amount), ['1', '200', '9999', '60 k', '1.3 M']);
    assert.deepEqual([408, 1234, 5e6].map(bytes), ['408 B', '1.2 kB', '5 MB']);
  });
});
