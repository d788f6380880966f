// What is told of an error that ended a program: why it died, and nothing of what a request sent.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shownError, shownMessage } from '../../../profiler/run/shown-error.ts';

const SOURCE = 'throw new Error(`no user ${id} in table`);\nconst options = { name: "rows.txt" };\n';

describe('the message of an error', () => {
  const cases: readonly (readonly [message: string, shown: string])[] = [
    ['no user 4711 in table', 'no user [value] in table'],
    ['no user alice@example.org in table', 'no user [value] in table'],
    ['no user alice in table', 'no user [value] in table'],
    ['no user Anna Maria Smith in table', 'no user [value] in table'],
    ["no user 'alice' in table", 'no user [value] in table'],
    ["Cannot read properties of undefined (reading 'name')", "Cannot read properties of undefined (reading 'name')"],
    ["Cannot read properties of undefined (reading 'tok_91')", 'Cannot read properties of undefined (reading [value])'],
    ['options.name is not a function', 'options.name is not a function'],
    ["ENOENT: no such file or directory, open 'rows.txt'", "ENOENT: no such file or directory, open 'rows.txt'"],
    ["ENOENT: no such file or directory, open '/srv/17.txt'", 'ENOENT: no such file or directory, open [value]'],
    ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED [value]'],
    ['Unexpected token \'a\', "alice, 17" is not valid JSON', 'Unexpected token [value], [value] is not valid JSON'],
    ['no user \u001b[31mred\u001b[0m\u202e in table', 'no user [value] in table'],
    ['Unknown file extension ".ts" for /srv/app.ts', 'Unknown file extension [value] for [value]'],
    ['no user\nBearer abc', 'no user'],
    ['', ''],
  ];
  for (const [message, shown] of cases) it(JSON.stringify(message), () => assert.equal(shownMessage(message, [SOURCE]), shown));

  it('is short, whatever it was', () => {
    assert.ok(shownMessage('no user in table '.repeat(100), [SOURCE]).length <= 161);
    assert.equal(shownMessage('x'.repeat(100_000), [SOURCE]), '[value]');
  });
});

describe('an error', () => {
  const thrown = (stack: string, message = 'no user 17') => ({ type: 'Error', message, stack: `Error: ${message}\n${stack}` });
  const textOf = (file: string) => (file === '/srv/app.js' ? SOURCE : undefined);
  const isOurs = (file: string) => file.startsWith('/harness/');

  it('has the place where it was made, behind the frames of Node and of the harness', () => {
    for (const stack of [
      '    at find (/srv/app.js:1:7)',
      '    at /srv/app.js:1:7',
      '    at async file:///srv/app.js:1:7',
      '    at node:internal/timers:3:1\n    at wrapped (/harness/calls.cjs:9:9)\n    at find (/srv/app.js:1:7)',
    ])
      assert.equal(shownError(thrown(stack), textOf, isOurs).message, 'no user [value] (app.js:1)', stack);
  });

  it('without a stack is held against the text of the entry', () => {
    const value = { type: '(not an Error)', message: "'no user'" };
    assert.equal(shownError(value, textOf, isOurs, '/srv/app.js').message, "'no user'");
    assert.equal(shownError(value, textOf, isOurs).message, '[value]');
  });

  it('has no name that holds data', () => {
    assert.equal(shownError({ ...thrown(''), type: 'alice@example.org' }, textOf, isOurs).type, 'Error');
    assert.equal(shownError({ ...thrown(''), type: 'TypeError' }, textOf, isOurs).type, 'TypeError');
  });
});
