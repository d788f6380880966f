import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { watchLengths } from '../../../server/message-lengths.ts';

function lengthsOf(bytes: Buffer, size: number, most = 100): number[] {
  const told: number[] = [];
  const watch = watchLengths(most, (length) => told.push(length));
  for (let at = 0; at < bytes.length; at += size) watch(bytes.subarray(at, at + size));
  return told;
}

const message = (body: string) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

describe('lengths of messages', () => {
  it('are heard however the bytes come', () => {
    const long = Buffer.from(`${message('{"a":"é\r\n\r\n"}')}${message('x'.repeat(100))}content-length:101\r\nContent-Type: a\r\n\r\n{`);
    for (const size of [1, 2, 3, 7, 20, 1000]) assert.deepEqual(lengthsOf(long, size), [101], `${size} bytes each`);
  });

  it('are not taken from what a message says', () => {
    const innocent = Buffer.from(message('\r\n\r\nContent-Length: 2000\r\n\r\n').repeat(3));
    for (const size of [1, 5, 1000]) assert.deepEqual(lengthsOf(innocent, size), []);
  });

  it('are not looked for in what is not the protocol', () => {
    assert.deepEqual(lengthsOf(Buffer.from(`${'x'.repeat(9000)}\r\nContent-Length: 2000\r\n\r\n`), 1000), []);
    assert.deepEqual(lengthsOf(Buffer.from(`Content-Length: -5\r\n\r\n${message('a')}`), 1000), []);
  });
});
