// Calls that no hook sees, timed where they stand: the text with the clocks, and what comes of it in a run.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { parse } from '@babel/parser';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse as parseModule } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import { awaitedTogether, AWAITED_WITH, bodyReadsOf, listAround } from '../../analysis/profile/awaited-with.ts';
import { timedCallOf, timedLoopOf } from '../../analysis/profile/timed-calls.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import { withClocks, type ClockedCall } from '../../profiler/plan/timed-calls.ts';
import type { ProfileReport } from '../../protocol/evidence.ts';
import { rules } from '../../rules/index.ts';
import { folderWith, run } from '../cli/support.ts';

const FILE = '/a.js';
const HARNESS = JSON.stringify(fileURLToPath(new URL('../../profiler/harness/sync-calls.cjs', import.meta.url)));

/** `‹` and `›` are around a call, `«` and `»` around its last argument. */
function marked(text: string): { text: string; calls: ClockedCall[] } {
  const calls: { call: { start: number; end: number }; last?: { start: number; end: number } }[] = [];
  const open: (typeof calls)[number][] = [];
  let plain = '';
  for (const character of text) {
    const at = plain.length;
    const current = open.at(-1);
    if (character === '‹') {
      const call = { call: { start: at, end: at } };
      calls.push(call);
      open.push(call);
    } else if (character === '«' && current) current.last = { start: at, end: at };
    else if (character === '»' && current?.last) current.last.end = at;
    else if (character === '›' && current) {
      current.call.end = at;
      open.pop();
    } else plain += character;
  }
  return { text: plain, calls: calls.map((one, i) => ({ ...one, name: `call ${i}`, place: { file: FILE, line: 1, column: 1 } })) };
}

/** What runs says which clock was begun and ended around which value, in this order. */
function ran(text: string): string[] {
  const events: string[] = [];
  const clock = {
    begin: (call: number, value: unknown) => {
      events.push(`begin ${call}`);
      return value;
    },
    end: (call: number, value: unknown) => {
      events.push(`end ${call} ${String(value)}`);
      return value;
    },
  };
  const tell = (name: string, value: unknown) => {
    events.push(name);
    return value;
  };
  const body = text.replaceAll(
    `''.constructor.valueOf.call(''.constructor["nodometer.clock"]||{begin:(_,v)=>v,end:(_,v)=>v,from:(_,v)=>v})`,
    'clock',
  );
  new Function('clock', 'tell', body)(clock, tell);
  return events;
}

describe('clocks around calls', () => {
  it('run over the call, and not over its arguments', () => {
    const { text, calls } = marked("‹tell('call', «tell('argument', 1)»)›;");
    assert.deepEqual(ran(withClocks({ file: FILE, text, calls }).text), ['argument', 'begin 0', 'call', 'end 0 1']);
  });

  it('stand around calls in each other, spread arguments, sequences, and calls without arguments', () => {
    const inner = marked("‹tell('outer', «‹tell('inner', «2»)›»)›;");
    assert.deepEqual(ran(withClocks({ file: FILE, ...inner }).text), ['begin 1', 'inner', 'end 1 2', 'begin 0', 'outer', 'end 0 2']);
    const spread = marked("‹tell(...«['spread', 3]»)›;");
    assert.deepEqual(ran(withClocks({ file: FILE, ...spread }).text), ['begin 0', 'spread', 'end 0 3']);
    const sequence = marked("‹tell('call', («1, 4»))›;");
    assert.deepEqual(ran(withClocks({ file: FILE, ...sequence }).text), ['begin 0', 'call', 'end 0 4']);
    const none = marked("const f = () => tell('none', 5); ‹f()›;");
    assert.deepEqual(ran(withClocks({ file: FILE, ...none }).text), ['begin 0', 'none', 'end 0 5']);
    const chain = marked("‹‹[tell('first', 6)].slice(«0»)›.concat(«7»)›;");
    assert.deepEqual(ran(withClocks({ file: FILE, ...chain }).text), ['first', 'begin 1', 'end 1 6', 'begin 0', 'end 0 6,7']);
  });

  it('see the object of a prototype before and after it is set', () => {
    const text = "tell('done', Object.setPrototypeOf(one(), other()) === 1);";
    const at = (part: string) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length });
    const call = { ...at('Object.setPrototypeOf(one(), other())'), name: 'set', place: { file: FILE, line: 1, column: 1 } };
    const clocked = withClocks({ file: FILE, text, calls: [{ ...call, call, object: at('one()'), last: at('other()') }] }).text;
    assert.equal(
      clocked.replaceAll(
        `''.constructor.valueOf.call(''.constructor["nodometer.clock"]||{begin:(_,v)=>v,end:(_,v)=>v,from:(_,v)=>v})`,
        'clock',
      ),
      "tell('done', clock.end(0,Object.setPrototypeOf(clock.from(0,(one())), clock.begin(0,(other())))) === 1);",
    );
  });

  it('stand around statements, and stop however these are left', () => {
    const statement = ({ text, calls }: ReturnType<typeof marked>) =>
      withClocks({ file: FILE, text, calls: calls.map((one) => ({ ...one, isStatement: true })) }).text;
    const plain = marked("if (1) ‹for (let i = 0; i < 2; i++) tell('round');› else tell('else');");
    assert.deepEqual(ran(statement(plain)), ['begin 0', 'round', 'round', 'end 0 0']);
    const returned = marked("tell('before')\n‹while (true) return;›");
    assert.deepEqual(ran(statement(returned)), ['before', 'begin 0', 'end 0 0']);
    const labeled = marked(
      "‹outer: for (const i of [1, 2]) { ‹do { tell('inner'); if (i === 1) continue outer; break outer } while (true)› }›",
    );
    const inner = ['begin 1', 'inner', 'end 1 0'];
    assert.deepEqual(ran(statement(labeled)), ['begin 0', ...inner, ...inner, 'end 0 0']);
  });

  it('of loops run over the whole statement with its labels, and not over what waits', () => {
    const loopIn = (text: string) => {
      const outcome = parseModule(FILE, text);
      assert.ok(outcome.ok);
      const facts = new Facts(new ModuleIndex(outcome.ast), new Source(FILE, text), { nodeRange: '>=20', nodeRangeSource: 'test' });
      const start = text.search(/(?:for|while|do)\b/);
      const timed = timedLoopOf({ span: { start, end: start + 3 } }, facts);
      return timed && `${timed.name}: ${text.slice(timed.call.start, timed.call.end)}`;
    };
    assert.equal(loopIn('async function f() { for (;;) await 1; }'), undefined);
    assert.equal(loopIn('function* f() { for (;;) yield 1; }'), undefined);
    assert.equal(loopIn('const forward = [];'), undefined);
    assert.equal(loopIn('outer: for (;;) break outer;'), 'for: outer: for (;;) break outer;');
    assert.equal(loopIn('async function f() { while (true) { break; } await 1; }'), 'while: while (true) { break; }');
  });

  it('change nothing where the text runs without a clock, as in a context of its own, and behind a line without a semicolon', () => {
    const run = (one: ReturnType<typeof marked>, more: Partial<ClockedCall> = {}): unknown =>
      runInNewContext(withClocks({ file: FILE, text: one.text, calls: one.calls.map((call) => ({ ...call, ...more })) }).text);
    assert.equal(run(marked("const a = 'x y'\n‹a.split(«' '»)›.length")), 2);
    assert.equal(run(marked('let n = 0\n‹for (const i of [1, 2]) n += i›\nn'), { isStatement: true }), 3);
    assert.equal(run(marked('(() => { return‹[1, 2].concat(«3»)›.length })()')), 3, 'without a space before it');
    // As runtypes has them.
    const own = ['Object', 'Symbol', 'String', 'globalThis'].map((name) => `const ${name} = () => { throw ${name}; };\n`).join('');
    assert.equal(run(marked(`{ ${own} ‹'x y'.split(«' '»)›.length }`)), 2);
    const text = 'const a = {}\nObject.setPrototypeOf(a, null) === a';
    const span = (one: string, from = 0) => ({ start: text.indexOf(one, from), end: text.indexOf(one, from) + one.length });
    const call = span('Object.setPrototypeOf(a, null)');
    const plain = { text, calls: [{ name: 'set', place: { file: FILE, line: 1, column: 1 }, call, last: span('null') }] };
    assert.equal(run(plain, { object: span('a', text.indexOf('(')) }), true);
  });

  it('leave the text a program, with each line where it was', () => {
    const { text, calls } = marked(dedent`
      async function f(a) {
        return ‹a.one(«await a»)›
        ‹new (a.b)(...«a»)›;
      }

    `);
    const { text: clocked, putIn } = withClocks({ file: FILE, text, calls });
    parse(clocked);
    assert.equal(clocked.split('\n').length, text.split('\n').length);
    assert.deepEqual(
      putIn.map(({ line, column }) => `${line}:${column}`),
      ['2:10', '2:16', '2:23', '2:24', '3:3', '3:16', '3:17', '3:18'],
    );
  });
});

function factsOf(text: string): Facts {
  const outcome = parseModule(FILE, text);
  if (!outcome.ok) throw new Error(outcome.issue.message);
  return new Facts(new ModuleIndex(outcome.ast), new Source(FILE, text), { nodeRange: '>=20', nodeRangeSource: 'test' });
}

function spanOf(text: string, expression: string): { start: number; end: number } {
  const start = text.indexOf(expression);
  return { start, end: start + expression.length };
}

describe('claims', () => {
  const HASH = "make('sha512').update(text).digest('hex')";
  const JOIN = "items.map((item) => name(item)).join(', ')";
  const ZOD = "const { z } = require('zod'); ";
  const CASES: [what: string, rule: string, text: string, span: string, timed: string, last?: string][] = [
    ['of a repeated chain', 'no-redundant-work computed', `const a = ${HASH};`, HASH, HASH],
    ['of an unused chain', 'no-redundant-work unused', `const a = ${HASH};`, HASH, HASH],
    ['of a text for a log', 'no-eager-log eager', `log('made ' + ${JOIN});`, JOIN, JOIN],
    [
      'of a schema with its parts',
      'no-setup-per-request thing',
      'const a = z.object({ b: z.list(1) });',
      'z.object',
      'z.object({ b: z.list(1) })',
    ],
    [
      'of a schema with its methods',
      'no-setup-per-request thing',
      `${ZOD}z.object({ b }).strict().parse(x);`,
      'z.object',
      'z.object({ b }).strict()',
    ],
    ['of a client', 'no-setup-per-request client', 'const a = new Pool(read());', 'new Pool', 'new Pool(read())'],
    // What is formatted is another matter, and so is what a blocking call gets.
    ['of a formatting call', 'no-setup-per-request call', "const a = x.format('de', b(1));", 'x.format', "x.format('de', b(1))", 'b(1)'],
    ['of a blocking call', 'no-sync-in-handler sync', 'pack(make(1));', 'pack(make(1))', 'pack(make(1))', 'make(1)'],
    ['of an expression that waits', 'no-redundant-work read', 'find(await id());', 'find(await id())', 'find(await id())', 'await id()'],
  ];
  for (const [what, rule, text, marked_, timed, last] of CASES)
    it(`${what} are timed ${last === undefined ? 'as a whole' : 'from the last argument on'}`, () => {
      const [ruleId = '', messageId = ''] = rule.split(' ');
      const within = `async function f() { ${text} }`;
      const found = timedCallOf({ ruleId, messageId, span: spanOf(within, marked_), data: { call: 'call' } }, factsOf(within));
      assert.deepEqual(found?.call, spanOf(within, timed));
      assert.deepEqual(found.last, last === undefined ? undefined : spanOf(within, last));
    });
});

describe('what is awaited with a call', () => {
  const texts = (text: string, spans: readonly { start: number; end: number }[]): string[] =>
    spans.map(({ start, end }) => text.slice(start, end));

  const BODIES: [what: string, text: string, bodies: string[]][] = [
    ['a body', 'const a = await fetch(u); out.push(await a.json());', ['a.json()']],
    ['a body that is returned', 'const a = await fetch(u); return a.text();', ['a.text()']],
    ['a body in brackets', 'out.push(await (await fetch(u)).json());', ['(await fetch(u)).json()']],
    ['no body of something else', 'const a = await fetch(u); await b.json(); b.json(a);', []],
    ['no body in another function', 'const a = await fetch(u); later(() => a.json());', []],
    ['no body of a promise', 'const a = fetch(u); await a.json();', []],
  ];
  for (const [what, text, bodies] of BODIES)
    it(`is ${what}`, () => {
      const within = `async function f() { ${text} }`;
      assert.deepEqual(texts(within, bodyReadsOf(spanOf(within, 'fetch(u)'), factsOf(within))), bodies);
    });

  it('is the body in a callback, which the clock then is around', () => {
    const clocked = (text: string) => {
      const found = timedCallOf(
        { ruleId: 'no-query-per-item', messageId: 'http', span: spanOf(text, 'fetch(u)'), data: { call: 'fetch' } },
        factsOf(text),
      );
      return found && texts(text, [found.call]);
    };
    assert.deepEqual(clocked('list.map((u) => fetch(u).then((r) => r.json()));'), ['fetch(u).then((r) => r.json())']);
    assert.deepEqual(clocked('list.map((u) => fetch(u).then((r) => send(r)));'), ['fetch(u)']);
  });

  const ROUNDS: [what: string, text: string, calls: string[]][] = [
    ['each read', 'const a = await fetch(1); const b = await fetch(2);', ['0 fetch(1)', '1 fetch(2)']],
    [
      'each read with its body',
      'const a = await fetch(1); const c = await a.json(); const b = await fetch(2); const d = await b.json();',
      ['0 fetch(1)', '0+ a.json()', '1 fetch(2)', '1+ b.json()'],
    ],
    [
      'bodies behind both reads',
      'const a = await fetch(1); const b = await fetch(2); const c = await a.json(); const d = await b.json();',
      ['0 fetch(1)', '1 fetch(2)', '0+ a.json()', '1+ b.json()'],
    ],
    [
      'no body that only some rounds read',
      'const a = await fetch(1); const b = await fetch(2); if (b.ok) await b.json();',
      ['0 fetch(1)', '1 fetch(2)'],
    ],
    [
      'no body that nobody waits for',
      'const a = await fetch(1); const b = await fetch(2); const c = b.json();',
      ['0 fetch(1)', '1 fetch(2)'],
    ],
  ];
  for (const [what, text, calls] of ROUNDS)
    it(`of a round, is ${what}`, () => {
      const within = `async function f() { ${text} }`;
      const found = awaitedTogether(
        { span: spanOf(within, 'fetch(2)'), related: [{ span: spanOf(within, 'fetch(1)'), message: AWAITED_WITH.before }] },
        factsOf(within),
      );
      assert.equal(found.of, 2);
      assert.deepEqual(
        found.calls.map(({ call, index, isPart }) => `${index}${isPart ? '+' : ''} ${within.slice(call.start, call.end)}`),
        calls,
      );
    });

  it('are the others in the list of a Promise.all', () => {
    const around = (text: string) => {
      const found = listAround(spanOf(text, 'two()'), factsOf(text));
      return found && [...texts(text, [found.list]), found.own];
    };
    assert.deepEqual(around('const [a, b] = await Promise.all([one(), two()]);'), ['[one(), two()]', 1]);
    assert.deepEqual(around('Promise.allSettled([(two())]);'), ['[(two())]', 0]);
    assert.equal(around('Promise.race([one(), two()]);'), undefined);
    assert.equal(around('Promise.all([...some, two()]);'), undefined);
    assert.equal(around('const list = [one(), two()];'), undefined);
  });
});

describe('expressions that are no calls', () => {
  const timed = (text: string, expression: string) =>
    timedCallOf(
      { ruleId: 'no-stack-capture', messageId: 'captured', span: spanOf(text, expression), data: { call: 'new Error().stack' } },
      factsOf(text),
    );

  it('have a clock around the reading of a stack, and around a call as ever', () => {
    const text = "const at = new Error('at').stack.split('\\n');\nconst late = new Error('late');\n";
    const call = timed(text, "new Error('at').stack");
    assert.deepEqual([call?.call, call?.last], [{ start: 11, end: 32 }, undefined]);
    const { text: clocked } = withClocks({
      file: FILE,
      text,
      calls: call ? [{ ...call, place: { file: FILE, line: 1, column: 12 } }] : [],
    });
    assert.match(clocked, /begin\(0,0\),new Error\('at'\)\.stack\)\.split/);
    assert.equal(timed(text, "new Error('late')")?.last !== undefined, true, 'a call, whose argument is not timed');
    for (const written of [
      "e.stack = e.message.split('a');",
      'delete e.stack;',
      '[e.stack] = list;',
      '({ a: e.stack } = list);',
      'for (e.stack of list);',
    ])
      assert.equal(timed(written, 'e.stack'), undefined, written);
    assert.notEqual(timed('all = e.stack;', 'e.stack'), undefined);
  });
});

describe('what clocks and hooks show of a call', () => {
  /** Times of calls, in µs, where only reading the time takes any: 1 µs. */
  async function shown(code: string): Promise<Record<string, number>> {
    const script = dedent`
      let ns = 0n;
      process.hrtime.bigint = () => (ns += 1000n);
      const { installSyncCalls } = require(${HARNESS});
      let last;
      const place = { file: __filename, line: 1, column: 1 };
      const clocks = { calls: ['outer', 'inner'].map((name) => ({ name, place })), putIn: [] };
      const hooks = installSyncCalls({ write: (record) => { last = record; } }, { clocks });
      const clock = String['nodometer.clock'];
      const fs = require('node:fs');
      hooks.arm();
      for (let i = 0; i < 20; i++) { ${code} }
      hooks.finish();
      console.log(JSON.stringify(Object.fromEntries(last.calls.map(({ name, totalMs, count }) => [name, (totalMs / count) * 1000]))));
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
    return JSON.parse(stdout) as Record<string, number>;
  }

  it('is nothing where it takes nothing, and neither is what they add to the clock around them', async () => {
    const nearly = (figures: Record<string, number>): string[] =>
      Object.entries(figures).map(([name, us]) => `${name} ${Math.abs(Math.round(us * 100) / 100)}`);
    assert.deepEqual(nearly(await shown("fs.existsSync('/');")), ['fs.existsSync 0']);
    assert.deepEqual(nearly(await shown('clock.end(0, clock.begin(0, 0));')), ['outer 0']);
    const three = "clock.begin(0, 0); for (let j = 0; j < 3; j++) fs.existsSync('/'); clock.end(0, 0);";
    assert.deepEqual(nearly(await shown(three)), ['fs.existsSync 0', 'outer 0']);
    const small = 'clock.begin(0, 0); for (let j = 0; j < 3; j++) JSON.stringify({ j }); clock.end(0, 0);';
    assert.deepEqual(nearly(await shown(small)), ['outer 0']);
    const within = 'clock.begin(0, 0); for (let j = 0; j < 3; j++) clock.end(1, clock.begin(1, 0)); clock.end(0, 0);';
    assert.deepEqual(nearly(await shown(within)), ['inner 0', 'outer 0']);
    // And what takes its time does.
    const slow = 'clock.begin(0, 0); for (let j = 0; j < 12; j++) process.hrtime.bigint(); clock.end(0, 0);';
    assert.deepEqual(nearly(await shown(slow)), ['outer 12']);
  });

  interface Counted {
    /** By names and lines. */
    found: string[];
    /** So many stacks were read, and keys made. */
    stacks: number;
    keys: number;
    /** Names of calls that were recorded one by one. */
    long: string[];
  }

  /** What hooks and clocks count where they run often. */
  async function counted(code: string): Promise<Counted> {
    const script = dedent`
      let [stacks, keys] = [0, 0];
      const { captureStackTrace } = Error;
      Error.captureStackTrace = (...args) => { stacks += 1; captureStackTrace(...args); };
      const { stringify } = JSON;
      JSON.stringify = (...args) => { keys += 1; return stringify(...args); };
      const { installSyncCalls } = require(${HARNESS});
      let last, long = [];
      const place = { file: __filename, line: 1, column: 1 };
      const clocks = { calls: ['outer', 'inner'].map((name) => ({ name, place })), putIn: [] };
      const hooks = installSyncCalls({ write: (record) => record.type === 'long-call' ? long.push(record.name) : last = record }, { clocks });
      const clock = String['nodometer.clock'];
      const fs = require('node:fs');
      hooks.arm();
      [stacks, keys] = [0, 0];
      ${code}
      setImmediate(() => {
        const all = [stacks, keys];
        later();
        hooks.finish();
        const found = last.calls.map(({ name, place, count }) => name + ' ' + place.line + ' x' + count);
        console.log(stringify({ found, stacks: all[0], keys: all[1], long }));
      });
      function later() {
        if (globalThis.atLast) atLast();
      }
    `;
    const folder = folderWith({ 'a.js': script });
    try {
      const { stdout } = await promisify(execFile)(process.execPath, ['a.js'], { cwd: folder.path });
      return JSON.parse(stdout) as Counted;
    } finally {
      folder.dispose();
    }
  }

  it('is read from few stacks, where one place calls thousands of times', async () => {
    const one = "clock.begin(0, 0); for (let i = 0; i < 3200; i++) fs.existsSync('/'); clock.end(0, 0);";
    const { found, stacks } = await counted(one);
    assert.deepEqual(found, ['fs.existsSync 15 x3200', 'outer 1 x1']);
    assert.ok(stacks < 3200 / 10, String(stacks));
    // Small JSON is no call that blocks. A long text always counts.
    const large = "JSON.stringify('x'.repeat(65536).split(''))";
    const small = `clock.begin(0, 0); ${large}; for (let i = 0; i < 200; i++) JSON.stringify({ i }); ${large}; ${large}; clock.end(0, 0); ${large};`;
    const once = 'JSON.stringify 15 x1';
    assert.deepEqual(
      (await counted(small)).found,
      [once, once, once, 'outer 1 x1', once],
      'four long texts, of which one follows small ones',
    );
    const { keys } = await counted('for (let i = 0; i < 3200; i++) clock.end(0, clock.begin(0, 0));');
    assert.ok(keys < 10, String(keys));
  });

  it('is never charged to the place of shorter calls, and not for long where two come at a regular pace', async () => {
    const archive = dedent`
      const { randomBytes } = require('node:crypto');
      for (let i = 0; i < 2; i++) {
        clock.begin(0, 0); for (let j = 0; j < 60; j++) randomBytes(8);
        randomBytes(4e6); clock.end(0, 0);
      }
    `;
    assert.deepEqual((await counted(archive)).found, ['crypto.randomBytes 17 x120', 'crypto.randomBytes 18 x2', 'outer 1 x2']);
    const paced = dedent`
      for (let i = 0; i < 400; i++) {
        clock.begin(0, 0); for (let j = 0; j < 62; j++) fs.existsSync('/');
        fs.existsSync('/'); fs.existsSync('/'); clock.end(0, 0);
      }
    `;
    const later = (await counted(paced)).found.flatMap((one) => /^fs.existsSync 17 x(\d+)$/.exec(one)?.[1] ?? []);
    assert.equal(later.length, 2);
    for (const count of later) assert.ok(Number(count) > 200, count);
  });

  it('is summed up for loops that run before the event loop goes on', async () => {
    const script = dedent`
      let ns = 0n;
      process.hrtime.bigint = () => (ns += 1000n);
      const { installSyncCalls } = require(${HARNESS});
      let last;
      const place = { file: __filename, line: 1, column: 1 };
      const clocks = { calls: ['for', 'outer'].map((name) => ({ name, place })), putIn: [] };
      const hooks = installSyncCalls({ write: (record) => { last = record; } }, { clocks });
      const clock = String['nodometer.clock'];
      hooks.arm();
      const run = (call) => { clock.begin(call, 0); for (let j = 0; j < 12; j++) process.hrtime.bigint(); clock.end(call, 0); };
      run(0);
      setImmediate(() => {
        for (let i = 0; i < 3; i++) run(0);
        run(1);
        hooks.finish();
        console.log(JSON.stringify(last.calls.map(({ name, count, maxMs, maxTurnMs }) => [name, count, maxMs, maxTurnMs])));
      });
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
    const [loop, other] = JSON.parse(stdout) as [name: string, count: number, maxMs: number, maxTurnMs: number | null][];
    assert.deepEqual(loop?.slice(0, 2), ['for', 4]);
    assert.equal(Math.round(((loop?.[3] ?? 0) / (loop?.[2] ?? 0)) * 100), 300);
    assert.deepEqual(other?.[3], null);
  });

  it('is recorded one by one where JSON.parse gets a buffer, and not a short text', async () => {
    const { long } = await counted("hooks.tellLong(-1); JSON.parse(Buffer.from('[]')); JSON.parse('[]'); hooks.tellLong(Infinity);");
    assert.deepEqual(long, ['JSON.parse']);
  });

  it('is told apart where several places call, and where no clock runs', async () => {
    const two = dedent`
      for (let i = 0; i < 200; i++) {
        clock.begin(0, 0); for (let j = 0; j < 15; j++) fs.existsSync('/');
        fs.existsSync('/'); clock.end(0, 0);
      }
    `;
    assert.deepEqual((await counted(two)).found, ['fs.existsSync 16 x3000', 'fs.existsSync 17 x200', 'outer 1 x200']);
    const outside = dedent`
      for (let i = 0; i < 200; i++) {
        clock.begin(0, 0); for (let j = 0; j < 15; j++) fs.existsSync('/'); clock.end(0, 0);
        fs.existsSync('/');
      }
    `;
    assert.deepEqual((await counted(outside)).found, ['fs.existsSync 16 x3000', 'outer 1 x200', 'fs.existsSync 17 x200']);
    // The clock of a call that throws is left behind.
    const thrown = dedent`
      clock.begin(0, 0); for (let j = 0; j < 200; j++) fs.existsSync('/');
      globalThis.atLast = () => {
        fs.existsSync('/');
      };
    `;
    assert.deepEqual((await counted(thrown)).found, ['fs.existsSync 15 x200', 'fs.existsSync 17 x1']);
  });
});

describe('jobs of the thread pool', () => {
  it('end with their callback, which gets what it would, and are no blocking calls', async () => {
    const folder = folderWith({
      'a.js': dedent`
        const crypto = require('node:crypto');
        function handle(req, res) {
          const found = [];
          const done = function (error, key) {
            found.push(error === null && this !== handle && key.length === 64);
            if (found.length === 6) res.end(String(found.every(Boolean)));
          };
          for (let i = 0; i < 6; i++) crypto.pbkdf2('secret', 'salt', 50_000, 64, 'sha512', done);
        }
        require('node:http').createServer(handle).listen(3000);
      `,
    });
    try {
      const { out, err } = await run(['profile', 'a.js:handle', '--request', 'GET /', '--yes', '--no-save', '--time', '2', '-f', 'json'], {
        cwd: folder.path,
        rules,
      });
      assert.notEqual(out, '', err);
      const report = JSON.parse(out) as ProfileReport;
      const jobs = report.syncCalls.filter(({ name }) => name === 'crypto.pbkdf2');
      assert.deepEqual(
        jobs.map(({ place, peak, pool }) => [place.line, place.column, peak, pool?.threads]),
        [[8, 31, 6, 4]],
      );
      assert.ok((jobs[0]?.awaitedMs ?? 0) > (jobs[0]?.totalMs ?? Infinity), JSON.stringify(jobs));
      // Whether a crowded machine lets the probe ask in time is another matter: the longest wait is there in any case.
      assert.ok((jobs[0]?.pool?.maxMs ?? 0) > (jobs[0]?.pool?.restMs ?? Infinity), JSON.stringify(jobs));
    } finally {
      folder.dispose();
    }
  });
});

describe('packages that compute', () => {
  const PACKAGE = {
    'package.json': '{ "name": "a", "version": "1.0.0" }',
    'node_modules/bcryptjs/package.json': '{ "name": "bcryptjs", "version": "2.4.3", "main": "index.js" }',
    'node_modules/bcryptjs/index.js': dedent`
      exports.hashSync = (text, rounds) => {
        // By the processor's time, in ms: the wait for a processor is not the call's.
        const spent = () => process.cpuUsage().user / 1000;
        const end = spent() + rounds;
        let n = 0;
        while (spent() < end) n += text.length;
        return String(n);
      };
    `,
  };

  async function verdicts(text: string, file = 'a.js', others: Record<string, string> = {}): Promise<ProfileReport> {
    const folder = folderWith({ ...PACKAGE, ...others, [file]: text });
    try {
      const { out, err } = await run(
        ['profile', `${file}:login`, '--request', 'GET /', '--yes', '--no-save', '--node', process.execPath, '--time', '2', '-f', 'json'],
        { cwd: folder.path, rules },
      );
      assert.notEqual(out, '', err);
      return JSON.parse(out) as ProfileReport;
    } finally {
      folder.dispose();
    }
  }

  it('are confirmed by the time of the call, and other calls keep their columns', async () => {
    const report = await verdicts(dedent`
      const bcrypt = require('bcryptjs');
      const fs = require('node:fs');
      function login(req, res) {
        const hash = bcrypt.hashSync(req.url, 12); const own = fs.readFileSync(__filename, 'utf8');
        res.end(hash + own.length);
      }
      require('node:http').createServer(login).listen(3000);
    `);
    const hash = report.verdicts.find(({ place }) => place.line === 4 && place.column === 16);
    assert.equal(hash?.verdict, 'confirmed', JSON.stringify(report.verdicts));
    assert.match(hash?.figure ?? '', /^bcryptjs\.hashSync: /);
    assert.ok((hash?.cost?.ns ?? 0) >= 1e6, JSON.stringify(hash?.cost));
    // The column behind what was put into the line.
    const read = report.syncCalls.find(({ name }) => name === 'fs.readFileSync');
    assert.deepEqual([read?.place.line, read?.place.column], [4, 61], JSON.stringify(report.syncCalls));
  });

  it('are not judged by the time of a call that computes after it has returned', async () => {
    const report = await verdicts(
      dedent`
        const bcrypt = require('bcryptjs');
        function login(req, res) {
          bcrypt.hash(req.url, 30, (error, hash) => res.end(hash));
        }
        require('node:http').createServer(login).listen(3000);
      `,
      'a.js',
      {
        'node_modules/bcryptjs/index.js': dedent`
          exports.hash = (text, ms, callback) => setImmediate(() => {
            const end = performance.now() + ms;
            while (performance.now() < end);
            callback(null, text);
          });
        `,
      },
    );
    assert.deepEqual(
      report.syncCalls.filter(({ name }) => name.startsWith('bcryptjs')),
      [],
    );
    const [verdict] = report.verdicts;
    assert.equal(verdict?.ruleId, 'no-sync-in-handler');
    assert.ok(verdict.verdict === 'confirmed' || verdict.verdict === 'inconclusive', JSON.stringify(verdict));
  });

  it('are not charged with the reading of stacks, where they call functions that are watched, too', async () => {
    const report = await verdicts(
      dedent`
        const bcrypt = require('bcryptjs');
        function login(req, res) {
          const hash = bcrypt.hashSync(req.url, 12);
          res.end(hash);
        }
        require('node:http').createServer(login).listen(3000);
      `,
      'a.js',
      {
        'node_modules/bcryptjs/index.js': dedent`
          const { existsSync } = require('node:fs');
          exports.hashSync = (text) => {
            for (let i = 0; i < 20; i += 1) existsSync(__filename);
            return text;
          };
        `,
      },
    );
    const msOf = (name: string): number =>
      report.syncCalls.filter((call) => call.name === name).reduce((sum, { totalMs }) => sum + totalMs, 0);
    const [outer, inner] = [msOf('bcryptjs.hashSync'), msOf('fs.existsSync')];
    // A stack took 16 times as long as what it was read for.
    assert.ok(inner > 0 && outer < inner * 4, `${outer} ms around ${inner} ms`);
  });

  it('a recursion is judged at the call of a handler that a framework is deep around', async () => {
    const report = await verdicts(
      dedent`
        const app = require('express')();
        const slow = (n) => (n < 2 ? n : slow(n - 1) + slow(n - 2));
        app.get('/', function login(req, res) {
          res.end(String(slow(Number(req.query.n ?? 36))));
        });
        app.listen(3000);
      `,
      'a.js',
      {
        'node_modules/express/package.json': '{ "name": "express", "version": "4.0.0", "main": "index.js" }',
        'node_modules/express/index.js': dedent`
          const deeper = (depth, call) => (depth === 0 ? call() : [deeper(depth - 1, call)]);
          module.exports = () => {
            let handler;
            return {
              get(path, last) { handler = last; },
              listen(port) {
                require('node:http').createServer((req, res) => deeper(30, () => handler(Object.assign(req, { query: {} }), res))).listen(port);
              },
            };
          };
        `,
      },
    );
    const found = report.verdicts.find(({ ruleId }) => ruleId === 'no-blocking-loop');
    assert.equal(found?.verdict, 'confirmed', JSON.stringify(report.verdicts));
    assert.deepEqual(report.unpredicted?.findings ?? [], []);
  });

  it('tell how long a query for each element was awaited, and not only what it takes of the thread', async () => {
    const report = await verdicts(dedent`
      const pool = { query: (text, [id]) => new Promise((resolve) => setTimeout(resolve, 3, { id })) };
      const list = async () => ['a', 'b', 'c', 'd'];
      async function login(req, res) {
        const found = [];
        for (const id of await list()) found.push(await pool.query('SELECT * FROM users WHERE id = $1', [id]));
        res.end(JSON.stringify(found));
      }
      require('node:http').createServer(login).listen(3000);
    `);
    const [query] = report.verdicts;
    assert.equal(query?.ruleId, 'no-query-per-item', JSON.stringify(report.verdicts));
    assert.equal(query.verdict, 'confirmed', JSON.stringify(query));
    assert.match(query.figure, /^ran 4 times for each request, awaited /);
    // Four timers of 3 ms, one after the other. A timer may fire up to 1 ms early.
    assert.ok((query.cost?.ns ?? 0) >= 8e6, JSON.stringify(query.cost));
  });

  /** A response whose headers are there after 1 ms, and its body after so many more. */
  const FETCH = (ms: string): string => dedent`
    const wait = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));
    globalThis.fetch = async (url) => wait(1, { json: () => wait(${ms}, [url]) });
  `;

  it('tell how long the bodies of responses were awaited, too', async () => {
    const report = await verdicts(dedent`
      ${FETCH('10')}
      const list = async () => ['a', 'b', 'c', 'd'];
      async function login(req, res) {
        const found = [];
        for (const id of await list()) {
          const answer = await fetch('http://service/users/' + id);
          found.push(await answer.json());
        }
        res.end(JSON.stringify(found));
      }
      require('node:http').createServer(login).listen(3000);
    `);
    const [query] = report.verdicts;
    assert.equal(query?.verdict, 'confirmed', JSON.stringify(report.verdicts));
    // Three of four times 11 ms, where the headers alone take 3 ms. A timer may fire up to 1 ms early.
    assert.ok((query.cost?.ns ?? 0) >= 25e6, JSON.stringify(query.cost));
  });

  it('tell how much longer queries for all elements at once take than one', async () => {
    const report = await verdicts(dedent`
      const pool = { query: (text, [id]) => new Promise((resolve) => setTimeout(resolve, 40, { id })) };
      const list = async () => ['a', 'b', 'c', 'd'];
      async function login(req, res) {
        const found = await Promise.all((await list()).map((id) => pool.query('SELECT * FROM users WHERE id = $1', [id])));
        res.end(JSON.stringify(found));
      }
      require('node:http').createServer(login).listen(3000);
    `);
    const [query] = report.verdicts;
    assert.equal(query?.ruleId, 'no-query-per-item', JSON.stringify(report.verdicts));
    // They are all there after 40 ms.
    assert.ok((query.cost?.ns ?? Infinity) < 20e6, JSON.stringify(query));
  });

  it('tell how much later than others in its list an unused query ends', async () => {
    const served = (unused: number): string => dedent`
      const pool = { query: (text) => new Promise((resolve) => setTimeout(resolve, text.includes('stats') ? ${unused} : 20, { text })) };
      async function login(req, res) {
        const [user, stats] = await Promise.all([pool.query('SELECT * FROM users'), pool.query('SELECT * FROM stats')]);
        res.end(user.text);
      }
      require('node:http').createServer(login).listen(3000);
    `;
    const [short] = (await verdicts(served(5))).verdicts;
    assert.equal(`${short?.ruleId}: ${short?.verdict}`, 'no-redundant-work: seen', JSON.stringify(short));
    assert.match(short?.figure ?? '', /beside what takes longer$/);
    const [long] = (await verdicts(served(60))).verdicts;
    assert.equal(long?.verdict, 'confirmed', JSON.stringify(long));
    // 40 ms of 60.
    assert.ok((long.cost?.ns ?? Infinity) < 55e6, JSON.stringify(long.cost));
  });

  describe('that are awaited one after the other', () => {
    const served = (pool: string, handler: string): string => dedent`
      const wait = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));
      const pool = { ${pool} };
      async function login(req, res) {
        ${handler}
        res.end(JSON.stringify([a, b]));
      }
      require('node:http').createServer(login).listen(3000);
    `;
    const TWO = dedent`
      const a = await pool.query('SELECT * FROM users');
        const b = await pool.query('SELECT * FROM orders');
    `;

    async function verdictOn(pool: string, handler = TWO): Promise<ProfileReport['verdicts'][number]> {
      const report = await verdicts(served(pool, handler));
      const found = report.verdicts.find(({ ruleId }) => ruleId === 'no-sequential-await');
      assert.ok(found, JSON.stringify(report.verdicts));
      return found;
    }

    it('tell how much of their time could overlap: the sum without the longest', async () => {
      const found = await verdictOn("query: (text) => wait(text.includes('users') ? 20 : 5, text)");
      assert.equal(found.verdict, 'confirmed', JSON.stringify(found));
      // 5 ms of 25. A timer may fire up to 1 ms early, and late.
      assert.ok((found.cost?.ns ?? 0) >= 4e6 && (found.cost?.ns ?? 0) < 15e6, JSON.stringify(found.cost));
    });

    it('do so where the query only runs when it is awaited, which happens once', async () => {
      const lazy = 'query: (text) => ({ then(ok, no) { this.sent = (this.sent ?? 0) + 1; return wait(5, this.sent).then(ok, no); } })';
      const found = await verdictOn(lazy, `${TWO}\n  if (a !== 1 || b !== 1) throw new Error('sent twice');`);
      assert.equal(found.verdict, 'confirmed', JSON.stringify(found));
    });

    it('are refuted where one of them is answered at once', async () => {
      const found = await verdictOn("query: (text) => (text.includes('users') ? wait(5) : Promise.resolve(text))");
      assert.equal(found.verdict, 'refuted', JSON.stringify(found));
    });

    it('are so whatever the first round took', async () => {
      const kept = "kept: undefined, query(text) { return text.includes('users') ? wait(5) : (this.kept ??= wait(30, text)); }";
      const found = await verdictOn(kept);
      assert.equal(found.verdict, 'refuted', JSON.stringify(found));
    });

    it('tell of the bodies, too', async () => {
      const handler = dedent`
        const one = await fetch('http://service/users');
          const a = await one.json();
          const two = await fetch('http://service/orders');
          const b = await two.json();
      `;
      const report = await verdicts(served('', handler).replace(/^const wait.*\n/, `${FETCH('20')}\n`));
      const found = report.verdicts.find(({ ruleId }) => ruleId === 'no-sequential-await');
      assert.equal(found?.verdict, 'confirmed', JSON.stringify(report.verdicts));
      // 21 ms of 42, where the headers alone take 1 ms.
      assert.ok((found.cost?.ns ?? 0) >= 10e6, JSON.stringify(found.cost));
    });

    it('in the list of a Promise.all, too', async () => {
      const list = "const [a, b] = await Promise.all([await pool.query('SELECT * FROM users'), pool.query('SELECT * FROM orders')]);";
      const found = await verdictOn('query: (text) => wait(5, text)', list);
      assert.equal(found.verdict, 'confirmed', JSON.stringify(found));
    });
  });

  it('are so in an ES module, too, and cost nothing where they take no time', async () => {
    const report = await verdicts(
      dedent`
        import { createServer } from 'node:http';
        import bcrypt from 'bcryptjs';
        function login(req, res) {
          const hash = bcrypt.hashSync(req.url, 0);
          setTimeout(() => res.end(hash), 5);
        }
        createServer(login).listen(3000);
      `,
      'a.mjs',
    );
    assert.deepEqual(
      report.verdicts.map(({ ruleId, verdict }) => `${ruleId}: ${verdict}`),
      ['no-sync-in-handler: seen'],
      JSON.stringify(report.verdicts),
    );
  });
});
