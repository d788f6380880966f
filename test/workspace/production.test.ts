// Recordings of the real tools, found again in the code: which functions they mean, and what is said of those that are not there.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { Function as PprofFunction, Line, Location, Profile, Sample, StringTable, ValueType } from 'pprof-format';
import { ROOT } from '../../scripts/generate.ts';
import { CommitTexts } from '../../workspace/production/commit-texts.ts';
import { JsonElements } from '../../workspace/production/json-elements.ts';
import { placeFunctions, type Placed } from '../../workspace/production/place-functions.ts';
import { ProjectPaths, type PathPrefix } from '../../workspace/production/project-paths.ts';
import { merged, readRecording } from '../../workspace/production/read-recording.ts';
import type { Recorded } from '../../workspace/production/recorded.ts';
import { folderWith } from '../cli/support.ts';

/** Each kind of function, busy for some milliseconds of processor time, whatever else the machine does. */
const KINDS = `'use strict';
const used = () => { const { user, system } = process.cpuUsage(); return user + system; };
function spin(ms) { const end = used() + ms * 1000; let n = 0; while (++n % 1000 || used() < end) {} }
const arrow = (ms) => { spin(ms); };
const single = ms => spin(ms);
const later = async (ms) => { spin(ms); };
class Cart {
  constructor(ms) { spin(ms); }
  total(ms) { spin(ms); }
  static make(ms) { spin(ms); }
  get size() { spin(30); return 1; }
  field = (ms) => { spin(ms); };
  async load(ms) { spin(ms); }
  *each(ms) { spin(ms); yield 1; }
}
const o = { method(ms) { spin(ms); }, fn: function (ms) { spin(ms); }, named: function inner(ms) { spin(ms); } };
exports.thing = function (ms) { spin(ms); };
function outer(cb = (x) => spin(30)) { cb(); (function () { spin(30); })(); }
function twice(n) { spin(10); if (n > 0) twice(n - 1); }
arrow(30); single(30); later(30);
const cart = new Cart(30);
cart.total(30); Cart.make(30); cart.size; cart.field(30); cart.load(30); [...cart.each(30)];
o.method(30); o.fn(30); o.named(30); exports.thing(30); outer(); twice(5);
`;
/** Of 200 µs, so that no function is missed. */
const RECORD = ['--cpu-prof', '--cpu-prof-interval=200', '--cpu-prof-name=a.cpuprofile'];
/** What tells the time may be inlined, or not be sampled. */
const USED = 2;
const ALL_LINES = [3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 16, 16, 16, 17, 18, 18, 18, 19];

const breathe = async (): Promise<void> => undefined;
const readFile = (path: string): Promise<Recorded> => readRecording({ path, shown: 'it', breathe });

interface Project {
  path: string;
  dispose(): void;
}
const made: Project[] = [];
after(() => {
  for (const one of made) one.dispose();
});

function project(files: Readonly<Record<string, string>>): string {
  const folder = folderWith({ 'package.json': '{}', ...files });
  made.push(folder);
  return folder.path;
}

interface Options {
  commit?: CommitTexts;
  prefixes?: readonly PathPrefix[];
  files?: readonly string[];
}

function place(root: string, recorded: Recorded, { commit, prefixes = [], files = [] }: Options = {}): Promise<Placed> {
  const paths = new ProjectPaths(root, prefixes, [...files.map((file) => join(root, file)), ...(commit?.files ?? [])]);
  return placeFunctions({ recorded, root, paths, commit, breathe });
}

const linesOf = ({ functions }: Placed): number[] => functions.map(({ line }) => line).sort((a, b) => a - b);
const reasonsOf = ({ left }: Placed): string[] =>
  [...left].filter(([why]) => why !== 'outside').map(([why, one]) => `${why} ${one.functions}`);

function node(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  execFileSync(process.execPath, [...args], { cwd, env: { ...process.env, NODE_OPTIONS: '', NODE_V8_COVERAGE: '', ...env } });
}

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...args], {
    cwd,
    stdio: 'ignore',
  });
}

describe('a CPU profile', () => {
  it('of `node --cpu-prof` has every kind of function, once, with its share', async () => {
    const root = project({ 'kinds.js': KINDS });
    node(root, [...RECORD, 'kinds.js']);
    const recorded = await readFile(join(root, 'a.cpuprofile'));
    const placed = await place(root, recorded);
    assert.deepEqual(
      linesOf(placed).filter((line) => line !== USED),
      ALL_LINES,
    );
    // What V8 makes of fields of a class is no function of anybody's, and may be sampled.
    assert.deepEqual(
      reasonsOf(placed).filter((one) => !one.startsWith('compiler')),
      [],
    );
    const spin = placed.functions.find(({ line }) => line === 3);
    const recursive = placed.functions.find(({ line }) => line === 19);
    assert.ok(spin?.total !== undefined && spin.total <= recorded.total);
    // On the stack six times, and counted once.
    assert.ok(recursive?.total !== undefined && recursive.total < recorded.total / 4, `${recursive?.total} of ${recorded.total}`);
    const sum = placed.functions.reduce((all, { self = 0 }) => all + self, 0);
    assert.ok(sum <= recorded.total);
  });

  it('counts recursion once for each stack, and leaves idle samples out', async () => {
    const root = project({ 'a.js': 'function f(n) { if (n) f(n - 1); else g(); }\nfunction g() {}\n' });
    const frame = (functionName: string, lineNumber: number, columnNumber: number, url = `file://${root}/a.js`) => ({
      functionName,
      url,
      lineNumber,
      columnNumber,
    });
    writeFileSync(
      join(root, 'a.cpuprofile'),
      JSON.stringify({
        nodes: [
          { id: 1, callFrame: frame('(root)', -1, -1, ''), hitCount: 0, children: [2, 5] },
          { id: 2, callFrame: frame('f', 0, 10), hitCount: 1, children: [3] },
          { id: 3, callFrame: frame('f', 0, 10), hitCount: 2, children: [4] },
          { id: 4, callFrame: frame('g', 1, 10), hitCount: 4 },
          { id: 5, callFrame: frame('(idle)', -1, -1, ''), hitCount: 100 },
        ],
        startTime: -1,
        endTime: -5,
        timeDeltas: [-1, null],
      }),
    );
    const recorded = await readFile(join(root, 'a.cpuprofile'));
    assert.equal(recorded.total, 7);
    const { functions } = await place(root, recorded);
    assert.deepEqual(
      functions.map(({ function: name, total, self }) => [name, total, self]),
      [
        ['f', 7, 3],
        ['g', 4, 4],
      ],
    );
    // The same without counts in the nodes, as other tools write it.
    const text = readFileSync(join(root, 'a.cpuprofile'), 'utf8').replace(/,"hitCount":\d+/g, '');
    writeFileSync(join(root, 'b.cpuprofile'), text.replace('"timeDeltas"', '"samples":[2,3,3,4,4,5,4,4,5,7,-1],"timeDeltas"'));
    const sampled = await readFile(join(root, 'b.cpuprofile'));
    assert.deepEqual(sampled.functions, recorded.functions);
    assert.deepEqual(sampled.remarks, ['2 counts that are no numbers of samples were left out']);
  });
});

describe('coverage of NODE_V8_COVERAGE', () => {
  it('has how often each function was called', async () => {
    const root = project({ 'kinds.js': KINDS });
    node(root, ['kinds.js'], { NODE_V8_COVERAGE: join(root, 'coverage') });
    const [name = ''] = readdirSync(join(root, 'coverage'));
    const placed = await place(root, await readFile(join(root, 'coverage', name)));
    assert.deepEqual(
      linesOf(placed).filter((line) => line !== USED),
      ALL_LINES,
    );
    assert.equal(placed.functions.find(({ line }) => line === 19)?.calls, 6);
    // What V8 makes of fields of a class is no function of anybody's.
    assert.deepEqual(reasonsOf(placed), ['compiler 1']);
    assert.match(placed.left.get('compiler')?.examples[0] ?? '', /^<instance_members_initializer> /);
  });
});

/** The samples of a CPU profile as `pprof-format` writes them. */
function asPprof(path: string, isDatadog = false): Uint8Array {
  interface Node {
    id: number;
    hitCount: number;
    children?: number[];
    callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number };
    positionTicks?: { line: number; ticks: number }[];
  }
  const { nodes } = JSON.parse(readFileSync(path, 'utf8')) as { nodes: Node[] };
  const stringTable = new StringTable();
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const functions = nodes.map(
    ({ id, callFrame: { functionName, url, lineNumber, columnNumber } }) =>
      new PprofFunction({
        id,
        // @datadog/pprof 5.20, without `lineNumbers`.
        name: stringTable.dedup(functionName || (isDatadog ? `(anonymous:L#${lineNumber + 1}:C#${columnNumber + 1})` : '(anonymous)')),
        filename: stringTable.dedup(url.startsWith('file://') ? new URL(url).pathname : url),
        startLine: isDatadog ? 0 : lineNumber + 1,
      }),
  );
  const locations = nodes.map(
    ({ id, callFrame }) => new Location({ id, line: [new Line({ functionId: id, line: callFrame.lineNumber + 1 })] }),
  );
  const samples = nodes
    .filter(({ hitCount }) => hitCount > 0)
    .map(({ id, hitCount }) => {
      const locationId: number[] = [];
      for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) locationId.push(at);
      return new Sample({ locationId, value: [hitCount, hitCount * 1_000_000] });
    });
  return new Profile({
    stringTable,
    sampleType: [
      new ValueType({ type: stringTable.dedup('sample'), unit: stringTable.dedup('count') }),
      new ValueType({ type: stringTable.dedup('wall'), unit: stringTable.dedup('nanoseconds') }),
    ],
    function: functions,
    location: locations,
    sample: samples,
    timeNanos: BigInt(Date.UTC(2026, 10, 21)) * 1_000_000n,
  }).encode();
}

describe('a pprof profile', () => {
  it('has the shares of the CPU profile that it was made of, compressed and not', async () => {
    const root = project({ 'kinds.js': KINDS });
    node(root, [...RECORD, 'kinds.js']);
    const bytes = asPprof(join(root, 'a.cpuprofile'));
    writeFileSync(join(root, 'a.pb.gz'), gzipSync(bytes));
    writeFileSync(join(root, 'a.pprof'), bytes);
    const profile = await place(root, await readFile(join(root, 'a.cpuprofile')));
    for (const name of ['a.pb.gz', 'a.pprof']) {
      const recorded = await readFile(join(root, name));
      assert.equal(recorded.kind, 'pprof');
      assert.equal(new Date(recorded.date ?? 0).toISOString(), '2026-11-21T00:00:00.000Z');
      const placed = await place(root, recorded);
      // Of functions without a name there may be several on one line, which pprof cannot tell apart.
      const named = ({ functions }: Placed) =>
        functions
          .filter(({ line }) => line !== 16 && line !== 18)
          .map(({ line, total, self }) => `${line} ${total} ${self}`)
          .sort();
      assert.deepEqual(placed.left.get('changed')?.examples ?? [], []);
      assert.deepEqual(named(placed), named(profile));
      assert.deepEqual(
        reasonsOf(placed).filter((one) => !/^(?:ambiguous|compiler)/.test(one)),
        [],
      );
    }
  });

  it('of @datadog/pprof has the functions without a name, too', async () => {
    const root = project({ 'kinds.js': KINDS });
    node(root, [...RECORD, 'kinds.js']);
    writeFileSync(join(root, 'a.pb'), asPprof(join(root, 'a.cpuprofile'), true));
    const placed = await place(root, await readFile(join(root, 'a.pb')));
    const profile = await place(root, await readFile(join(root, 'a.cpuprofile')));
    const sums = ({ functions }: Placed) => functions.map(({ line, total, self }) => `${line} ${total} ${self}`);
    // Two functions may have the same samples.
    const others = sums(placed);
    const missing = sums(profile).filter((one) => {
      const at = others.indexOf(one);
      if (at >= 0) others.splice(at, 1);
      return at < 0;
    });
    // V8 calls the default of a parameter by the parameter, and the file does not.
    assert.deepEqual(placed.left.get('changed')?.examples, [`cb in ${root}/kinds.js`]);
    assert.equal(missing.length, 1);
    assert.equal(placed.left.get('ambiguous'), undefined);
  });

  it('of the heap is refused', async () => {
    const root = project({});
    const stringTable = new StringTable();
    const sampleType = ['objects', 'space'].map(
      (type) => new ValueType({ type: stringTable.dedup(type), unit: stringTable.dedup('bytes') }),
    );
    writeFileSync(join(root, 'heap.pb'), new Profile({ stringTable, sampleType }).encode());
    await assert.rejects(readFile(join(root, 'heap.pb')), /it is a heap profile, which says nothing about time/);
  });
});

describe('OpenTelemetry spans', () => {
  // By hand, from https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding and the example of opentelemetry-proto, trace.json.
  const span = (kind: unknown, route: string | undefined, method: string, key = 'http.request.method') => ({
    traceId: '5B8EFFF798038103D269B633813FC60C',
    spanId: 'EEE19B7EC3C1B174',
    name: 'GET',
    kind,
    startTimeUnixNano: '1795219200000000000',
    endTimeUnixNano: '1795219201000000000',
    attributes: [
      { key, value: { stringValue: method } },
      ...(route === undefined ? [] : [{ key: 'http.route', value: { stringValue: route } }]),
    ],
  });
  const request = (...spans: unknown[]) => ({
    resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'x' }, spans }] }],
  });

  it('count requests by route: one object, or one on each line', async () => {
    const root = project({});
    const one = request(span(2, '/users/:id', 'GET'), span(2, undefined, 'GET'), span(1, '/users/:id', 'GET'), span(3, '/out', 'GET'));
    const two = request(span('SPAN_KIND_SERVER', '/users/:id', 'get', 'http.method'), span(2, '/save', 'POST'));
    writeFileSync(join(root, 'lines.json'), `${JSON.stringify(one)}\n\n${JSON.stringify(two)}\n`);
    const recorded = await readFile(join(root, 'lines.json'));
    assert.equal(recorded.total, 4);
    assert.deepEqual(recorded.routes, [
      { method: 'GET', route: '/users/:id', requests: 2 },
      { method: 'POST', route: '/save', requests: 1 },
    ]);
    assert.deepEqual(recorded.remarks, ['1 of 4 requests have no `http.route`']);
    assert.equal(new Date(recorded.date ?? 0).toISOString(), '2026-11-21T00:00:01.000Z');
    writeFileSync(join(root, 'one.json'), JSON.stringify(one, undefined, 2));
    assert.equal((await readFile(join(root, 'one.json'))).total, 2);
  });

  it('without a route are refused', async () => {
    const root = project({});
    writeFileSync(join(root, 'a.json'), JSON.stringify(request(span(2, undefined, 'GET'))));
    await assert.rejects(readFile(join(root, 'a.json')), /none of its 1 spans of a server has the attribute `http\.route`/);
    writeFileSync(join(root, 'b.json'), JSON.stringify(request(span(3, '/x', 'GET'))));
    await assert.rejects(readFile(join(root, 'b.json')), /it has no spans of a server/);
  });
});

describe('code that is not as it was', () => {
  const BEFORE = dedent`
    function busy(ms) {
      let n = 0;
      while (++n < ms * 1e6) {}
    }
    function work() {
      busy(100);
    }
    function other() {
      busy(100);
    }
    work();
    other();

  `;

  async function recordedIn(root: string): Promise<Recorded> {
    node(root, [...RECORD, 'a.js']);
    return readFile(join(root, 'a.cpuprofile'));
  }

  it('is found by commit where it has moved, and told where it has changed', async () => {
    const root = project({ 'a.js': BEFORE });
    git(root, 'init', '-q');
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'one');
    const recorded = await recordedIn(root);
    // A comment and a new name of the file; `other` is another function by now.
    git(root, 'mv', 'a.js', 'b.js');
    writeFileSync(
      join(root, 'b.js'),
      dedent`
        // first

        ${BEFORE.replace('function other() {\n  busy(100);', 'function other() {\n  busy(99);').replace('function work() {', 'function work()\n{ // same')}
      `,
    );
    const without = await place(root, recorded, { files: ['b.js'] });
    assert.deepEqual(without.functions, []);
    assert.deepEqual(reasonsOf(without), ['unknown 4']);
    const commit = await CommitTexts.open(root, 'HEAD');
    const placed = await place(root, recorded, { commit, files: ['b.js'] });
    assert.deepEqual(placed.functions.map(({ file, function: name, line }) => `${file}:${line} ${name}`).sort(), [
      'b.js:3 busy',
      'b.js:7 work',
    ]);
    assert.deepEqual(reasonsOf(placed), ['changed 1']);
  });

  it('is not found without a commit where another line or name stands there', async () => {
    const root = project({ 'a.js': BEFORE });
    const recorded = await recordedIn(root);
    writeFileSync(join(root, 'a.js'), BEFORE.replace('function work', 'function play').replace('function other', '\nfunction other'));
    const placed = await place(root, recorded);
    assert.deepEqual(
      placed.functions.map(({ function: name }) => name),
      ['busy'],
    );
    assert.deepEqual(reasonsOf(placed), ['changed 2']);
  });

  it('is told where the commit does not have its file', async () => {
    const root = project({ 'b.js': '' });
    git(root, 'init', '-q');
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'one');
    writeFileSync(join(root, 'a.js'), BEFORE);
    const placed = await place(root, await recordedIn(root), { commit: await CommitTexts.open(root, 'HEAD'), files: ['a.js'] });
    assert.deepEqual(placed.functions, []);
    assert.deepEqual(reasonsOf(placed), ['uncommitted 3']);
  });

  it('needs a commit that is there', async () => {
    const root = project({ 'a.js': BEFORE });
    await assert.rejects(CommitTexts.open(root, 'HEAD'), /`--commit` needs a git repository/);
    git(root, 'init', '-q');
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'one');
    await assert.rejects(CommitTexts.open(root, '--output=x'), /is not a commit of/);
  });

  it('of compiled TypeScript is found through the source map, by the text that was built', async () => {
    // No object is made: V8 samples a constructor in one run of ten, and the list would differ.
    const source = `interface Options {
  ms: number;
}

const OPTIONS: Options = { ms: 100 };

export class Worker {
  /** Busy for about as long as \`spin\`. */
  public static async run<T>(value: T): Promise<T> {
    let n: number = 0;
    while (++n < OPTIONS.ms * 1e6) {}
    return value;
  }
}

export const spin = (ms: number): void => {
  let n: number = 0;
  while (++n < ms * 1e6) {}
};

spin(100);
void Worker.run('x');
`;
    const root = project({ 'src/a.ts': source });
    const flags = ['--outDir', 'dist', '--rootDir', 'src', '--sourceMap', '--inlineSources', '--target', 'es2022', '--module', 'commonjs'];
    node(root, [join(ROOT, 'node_modules/typescript/bin/tsc'), 'src/a.ts', ...flags, '--types', '', '--lib', 'es2022']);
    node(root, [...RECORD, 'dist/a.js']);
    const recorded = await readFile(join(root, 'a.cpuprofile'));
    const shown = ({ functions }: Placed) => functions.map(({ file, function: name, line }) => `${file}:${line} ${name}`).sort();
    assert.deepEqual(shown(await place(root, recorded)), ['src/a.ts:16 spin', 'src/a.ts:9 Worker.run']);
    // The map has the text that was built: what has moved since is found, and what has changed is told.
    writeFileSync(join(root, 'src/a.ts'), `// new\n${source.replace('return value;', 'return value as T;')}`);
    const after = await place(root, recorded);
    assert.deepEqual(shown(after), ['src/a.ts:17 spin']);
    assert.deepEqual(reasonsOf(after), ['changed 1']);
    // Another build than the one that ran.
    writeFileSync(join(root, 'dist/a.js'), `\n\n${readFileSync(join(root, 'dist/a.js'), 'utf8')}`);
    assert.deepEqual(reasonsOf(await place(root, recorded)), ['changed 2']);
  });
});

describe('a bundle', () => {
  it('is found in its sources through its map, minified and from another folder', async () => {
    const root = project({
      'src/work.ts': `const rounds: number = 40;
export class Sealer {
  seal(id: number): number {
    let n = 0;
    while (++n < rounds * 1e6) {}
    return n + id;
  }
}
export const spin = (ms: number): void => {
  let n: number = 0;
  while (++n < ms * 1e6) {}
};
`,
      'src/main.ts': `import { Sealer, spin } from './work.ts';
function start(): void {
  spin(40);
  console.log(new Sealer().seal(1));
}
start();
`,
    });
    for (const minify of [false, true]) {
      const out = join(root, 'dist/main.js');
      buildSync({
        entryPoints: [join(root, 'src/main.ts')],
        bundle: true,
        platform: 'node',
        sourcemap: true,
        outfile: out,
        minify,
        keepNames: false,
      });
      const server = project({ 'app/dist/main.js': readFileSync(out, 'utf8') });
      node(server, [...RECORD, 'app/dist/main.js']);
      const placed = await place(root, await readFile(join(server, 'a.cpuprofile')));
      assert.deepEqual(placed.functions.map(({ file, function: name, line, total = 0 }) => total > 0 && `${file}:${line} ${name}`).sort(), [
        'src/main.ts:2 start',
        'src/work.ts:3 Sealer.seal',
        'src/work.ts:9 spin',
      ]);
      assert.deepEqual(reasonsOf(placed), []);
    }
  });
});

describe('more functions than are kept', () => {
  it('are counted', async () => {
    const count = 2010;
    const root = project({ 'a.js': Array.from({ length: count }, (_, i) => `function f${i}() { return ${i}; }\n`).join('') });
    const nodes = Array.from({ length: count }, (_, i) => ({
      id: i + 1,
      callFrame: { functionName: `f${i}`, url: '/app/a.js', lineNumber: i, columnNumber: `function f${i}`.length },
      hitCount: i + 1,
    }));
    writeFileSync(join(root, 'a.cpuprofile'), JSON.stringify({ nodes }));
    const placed = await place(root, await readFile(join(root, 'a.cpuprofile')));
    assert.equal(placed.functions.length, 2000);
    assert.deepEqual(placed.left.get('beyond'), { functions: 10, self: 55, examples: ['f9 in a.js', 'f8 in a.js', 'f7 in a.js'] });
  });
});

describe('paths of another machine', () => {
  const find = (root: string, url: string, files: readonly string[], prefixes: readonly PathPrefix[] = []): string => {
    const found = new ProjectPaths(
      root,
      prefixes,
      files.map((file) => join(root, file)),
    ).find(url);
    return found.kind === 'own' ? found.file.slice(root.length + 1) : found.kind === 'package' ? `package ${found.name}` : found.kind;
  };

  it('are matched by their end, if one file has it', () => {
    const root = project({ 'server.js': '', 'src/a.js': '', 'packages/x/src/b.js': '', 'packages/y/src/b.js': '', 'dist/c.js': '' });
    const files = ['server.js', 'src/a.js', 'packages/x/src/b.js', 'packages/y/src/b.js'];
    const cases: [url: string, found: string][] = [
      ['/app/server.js', 'server.js'],
      ['file:///srv/shop/src/a.js', 'src/a.js'],
      ['file:///C:/shop/src/a.js', 'src/a.js'],
      ['C:\\shop\\src\\a.js', 'src/a.js'],
      ['webpack://shop/./src/a.js?3f2a', 'src/a.js'],
      ['webpack-internal:///./src/a.js', 'src/a.js'],
      ['/app/dist/c.js', 'dist/c.js'],
      ['/app/packages/y/src/b.js', 'packages/y/src/b.js'],
      ['/app/src/b.js', 'ambiguous'],
      // A name alone says too little.
      ['/app/lib/b.js', 'unknown'],
      ['/app/src/other.js', 'unknown'],
      ['/app/node_modules/@scope/p/src/a.js', 'package @scope/p'],
      ['C:\\shop\\node_modules\\p\\src\\a.js', 'package p'],
      ['node:internal/fs', 'core'],
      ['', 'core'],
      ['https://example.com/src/a.js', 'unknown'],
      ['/app/../../etc/passwd', 'unknown'],
      ['file:///%ZZ/src/a.js', 'unknown'],
      ['evalmachine.<anonymous>', 'unknown'],
    ];
    for (const [url, found] of cases) assert.equal(find(root, url, files), found, url);
    assert.equal(find(root, pathToFileURL(join(root, 'packages/x/src/b.js')).href, files), 'packages/x/src/b.js');
  });

  it('are matched by a prefix that was given, which never leads out of the project', () => {
    const root = project({ 'packages/x/src/b.js': '', 'src/a.js': '' });
    const prefixes = [{ from: '/app', to: join(root, 'packages/x') }];
    assert.equal(find(root, '/app/src/b.js', [], prefixes), 'packages/x/src/b.js');
    assert.equal(find(root, '/app/src/a.js', ['src/a.js'], prefixes), 'unknown');
    assert.equal(find(root, '/application/src/a.js', ['src/a.js'], prefixes), 'src/a.js');
    assert.equal(find(root, '/etc/passwd', [], [{ from: '/etc', to: '/etc' }]), 'unknown');
  });
});

describe('JSON that is read piece by piece', () => {
  const TEXT = JSON.stringify({
    skipped: { nodes: [1, '"]}'], text: '\\" [' },
    nodes: [{ id: 1, text: 'a"b\\\u2028€', list: [[]] }, 2, -3.5e2, 'x', true, null, [], {}],
    result: [{ url: 'u', functions: ['f', 'g'] }, { functions: [] }],
    nothing: [],
  });
  const PATHS = [
    ['nodes', '*'],
    ['result', '*', 'url'],
    ['result', '*', 'functions', '*'],
  ];

  const read = (text: Buffer, size: number): unknown[] => {
    const taken: unknown[] = [];
    const elements = new JsonElements(PATHS, (path, value) => taken.push([path, value]));
    for (let at = 0; at < text.length; at += size) elements.push(text.subarray(at, at + size));
    elements.end();
    return taken;
  };

  it('has the same parts in pieces of every size', () => {
    const value = JSON.parse(TEXT) as { nodes: unknown[] };
    const expected = [...value.nodes.map((one) => [0, one]), [1, 'u'], [2, 'f'], [2, 'g']];
    for (const text of [TEXT, ` \n${JSON.stringify(value, undefined, 3)}\r\n\t`, `\ufeff${TEXT}`])
      for (const size of [1, 2, 3, 7, 64, 10_000]) {
        if (text.startsWith('\ufeff') && size < 3) continue;
        assert.deepEqual(read(Buffer.from(text), size), expected);
      }
    assert.equal(read(Buffer.from(`${TEXT}\n${TEXT}`), 10).length, 2 * expected.length);
  });

  it('is refused where it is damaged, cut off, or nested without end', () => {
    const cases: [text: string, message: RegExp][] = [
      ['', /it is empty/],
      ['[1]', /it has a list where/],
      ['x', /it has no object where/],
      ['{"nodes":[1', /ends in the middle/],
      ['{"nodes":[{"a":"', /ends in the middle/],
      ['{"nodes":[1}', /damaged at byte 11/],
      ['{"nodes":[NaN]}', /damaged/],
      ['{"nodes":[{"a":-}]}', /damaged/],
      ['{"nodes" 1}', /damaged at byte 9/],
      ['{nodes:1}', /damaged at byte 1/],
      ['{"a":1}}', /it has no object where/],
      [`{"nodes":${'['.repeat(1e6)}`, /nested more than 200 levels/],
      [`{"other":${'['.repeat(1e6)}`, /nested more than 200 levels/],
      [`{"nodes":["${'x'.repeat(17 * 1024 * 1024)}"]}`, /one part of it is larger than 16384 KB/],
      [`{"${'x'.repeat(100_000)}":1}`, /one part of it is larger than 64 KB/],
    ];
    for (const [text, message] of cases) assert.throws(() => read(Buffer.from(text), 256 * 1024), message, text.slice(0, 40));
  });
});

describe('files that are no recording', () => {
  it('are told apart, each with a sentence', async () => {
    const root = project({});
    const frame = { functionName: 'f', url: '', lineNumber: 0, columnNumber: 0 };
    const cases: [content: string | Uint8Array, message: RegExp][] = [
      ['', /it is empty/],
      ['console.log(1)', /no object where its JSON should begin/],
      ['{"head":{},"samples":[]}', /it is a heap profile/],
      ['{"traceEvents":[]}', /it is a trace of Chrome DevTools/],
      ['{"a":1}', /its JSON has the keys `a`, which no known format has/],
      ['{"nodes":[{"id":1}]}', /no number or no `callFrame`/],
      [JSON.stringify({ nodes: [{ id: 1, callFrame: frame, children: [1] }] }), /a node of it is below itself/],
      [JSON.stringify({ nodes: [{ id: 2, callFrame: frame, children: [1] }] }), /a node of it is below itself/],
      [
        JSON.stringify({
          nodes: [
            { id: 1, callFrame: frame },
            { id: 1, callFrame: frame },
          ],
        }),
        /two nodes with the number 1/,
      ],
      [JSON.stringify({ nodes: [{ id: 2 ** 40, callFrame: frame }] }), /more than 16777216 nodes/],
      [JSON.stringify({ nodes: [{ id: 1, callFrame: frame, hitCount: -4 }] }), /no samples in which the program was busy/],
      [Buffer.from('PK\u0003\u0004'), /it is a ZIP archive/],
      [Buffer.from([0xff, 0xfe, 0x7b, 0]), /it is UTF-16/],
      [Buffer.from([0x0a, 0x80]), /ends in the middle of a message/],
      [Buffer.from([0x0a, ...Array<number>(30).fill(0xff)]), /no protocol buffer/],
      [Buffer.from([0x0f, 0x01]), /no protocol buffer/],
      [Buffer.from([0x12, 0x02, 0x08, 0x01]), /it has no types of samples/],
      [gzipSync('{"nodes":[').subarray(0, 20), /damaged or cut off|ends in the middle/],
      [Buffer.from([0x1f, 0x8b, 1, 2, 3]), /compressed data is damaged|it is empty/],
    ];
    for (const [i, [content, message]] of cases.entries()) {
      writeFileSync(join(root, `${i}.json`), content);
      await assert.rejects(readFile(join(root, `${i}.json`)), message, `case ${i}`);
    }
    writeFileSync(join(root, 'a.cpuprofile'), '{}');
    await assert.rejects(
      readFile(join(root, 'a.cpuprofile')),
      /^CommandError: it is no CPU profile: .*To record one, run `node --cpu-prof app\.js`\.$/,
    );
    mkdirSync(join(root, 'folder'));
    await assert.rejects(readFile(join(root, 'folder')), /it is a folder\./);
    await assert.rejects(readFile(join(root, 'nothing')), /it does not exist\./);
    if (process.platform === 'linux') await assert.rejects(readFile('/dev/zero'), /is not a regular file/);
  });

  it('of several kinds are not imported together', () => {
    const recorded = { functions: [], total: 0, routes: [], remarks: [] };
    assert.throws(
      () =>
        merged([
          { ...recorded, kind: 'spans' },
          { ...recorded, kind: 'pprof' },
        ]),
      /different kinds/,
    );
  });
});
