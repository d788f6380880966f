// What is suggested as the request of a load, and which text has which origin.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KnownRequests } from '../../client/profile/known-requests.ts';
import type { LoadExample } from '../../protocol/editor.ts';

const SOURCE = { kind: 'openapi', file: '/openapi.json', parts: ['path id'], madeUp: [], hasHosts: false } as const;
const example: LoadExample = { request: 'GET /users/7', origin: { source: SOURCE, notes: ['A note.'] } };

describe('the request of a load in the editor', () => {
  it('is what was typed last, which has no source', () => {
    const known = new KnownRequests();
    assert.deepEqual(known.suggestionFor('', undefined), { request: 'GET /' });
    const first = known.suggestionFor('a', example);
    assert.deepEqual(first, example);
    assert.deepEqual(known.typed('a', first, ' GET /users/8 '), { request: 'GET /users/8' });
    assert.deepEqual(known.suggestionFor('a', example), { request: 'GET /users/8' });
    // Another route is asked as its own example says.
    assert.deepEqual(known.suggestionFor('b', example), example);
  });

  it('keeps its source for the program that it was suggested for, and until the same text is typed', () => {
    const known = new KnownRequests();
    const confirmed = known.typed('a', known.suggestionFor('a', example), example.request);
    assert.deepEqual(confirmed, example);
    known.keep('server.js', confirmed);
    assert.deepEqual(known.originOf('server.js', example.request), example.origin);
    assert.equal(known.originOf('other.js', example.request), undefined);
    known.keep('server.js', known.typed('', known.suggestionFor('', undefined), example.request));
    assert.equal(known.originOf('server.js', example.request), undefined);
  });
});
