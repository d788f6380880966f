// What a run writes: V8's logs, the harness's records, CPU profiles, type feedback and source maps. The profiled program may write into all
// of them. Read, collected, judged, and shown.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isBenignDeopt } from '../../../knowledge/deopt-reasons.ts';
import { runsPerCall } from '../../../profiler/evidence/coverage.ts';
import { EvidenceCollector } from '../../../profiler/evidence/collector.ts';
import { findUnpredicted } from '../../../profiler/judge/unpredicted.ts';
import { judge } from '../../../profiler/judge/verdict.ts';
import type { Hypothesis } from '../../../profiler/judge/hypothesis.ts';
import { callsIn, decodeRecords, recordsOfPhase, requestsIn } from '../../../profiler/parse/records.ts';
import type { ProfileReport } from '../../../protocol/evidence.ts';
import type { RunKind } from '../../../profiler/plan/plan.ts';
import { MARKDOWN } from '../../../workspace/formats/profile-style.ts';
import { formatProfile } from '../../../workspace/formats/profile-text.ts';
import { ROOT } from '../../../scripts/generate.ts';
import { MAJORS, traceNames, traceText } from '../../profiler/parse/traces.ts';
import type { OddCase } from '../child.ts';
import type { Random } from '../random.ts';
import { injured, injuredValue } from './injured.ts';

const FILE = '/fixtures/shapes.cjs';
const PLACE = { file: FILE, line: 3, column: 5 };
const TEXT = readFileSync(join(ROOT, 'test/profiler/fixtures/shapes.cjs'), 'utf8');
const KINDS: readonly RunKind[] = ['trace', 'feedback', 'time', 'io', 'exceptions', 'watch', 'counts', 'cpu'];
/** Of a log: a whole one has thousands of lines. */
const LONGEST = 60_000;

const RECORDS: readonly Record<string, unknown>[] = [
  { type: 'started', node: '20.20.2', v8: '11.3', main: FILE },
  { type: 'loaded', ms: 12 },
  { type: 'phase', phase: 0 },
  { type: 'calls', phase: 0, calls: [{ mode: 'plain', calls: 100, thrown: 1, firstError: { type: 'Error', message: 'x' }, cut: false }] },
  { type: 'listening', port: 8080, protocol: 'http' },
  { type: 'requests', phase: 0, requests: [{ sent: 3, answered: 3, failed: 0, statuses: { 200: 3 }, latencies: [1, 2, 3] }] },
  { type: 'timing', call: 0, samples: [10, 11, 12], callsPerSample: 100, overhead: 1, allocated: 16 },
  { type: 'throw-cost', samples: [1000, 1100] },
  { type: 'gc', count: 1, totalMs: 2, maxMs: 2 },
  {
    type: 'sync-calls',
    calls: [{ name: 'fs.readFileSync', place: PLACE, count: 3, totalMs: 1, maxMs: 1, loopMs: 1, startUp: false, durations: [1] }],
    left: 0,
  },
  {
    type: 'exceptions',
    thrown: [{ place: PLACE, type: 'Error', message: 'x', count: 3, caught: true }],
    created: [{ type: 'Error', count: 1 }],
    capped: false,
  },
  {
    type: 'block',
    id: 1,
    duration: 80,
    kind: 'javascript',
    endless: false,
    startUp: false,
    stack: [{ functionName: 'f', ...PLACE }],
  },
  {
    type: 'loop-delay',
    resolution: 1,
    p50: 1,
    p90: 1,
    p99: 1,
    max: 2,
    utilization: 0.5,
    threshold: 50,
    window: 1000,
    lastBlock: 0,
    histogram: [{ from: 0, to: 1, count: 3 }],
  },
  {
    type: 'counts',
    startUp: false,
    files: [{ file: FILE, functions: [{ name: 'f', isBlockCoverage: true, ranges: [{ start: 0, end: 100, count: 7 }] }] }],
  },
  { type: 'cpu-profile', path: 'a.cpuprofile' },
  {
    type: 'source-map',
    file: FILE,
    text: TEXT,
    map: JSON.stringify({ version: 3, sources: ['a.ts'], names: ['a'], mappings: 'AAAA,CAAC;AACA' }),
  },
  { type: 'failure', stage: 'load', error: { type: 'Error', message: 'x', stack: 'Error: x\n    at f (/a.js:1:1)' } },
  { type: 'problem', text: 'x' },
  { type: 'ended', by: 'done', code: 0 },
];

const CPU_PROFILE = {
  nodes: [
    { id: 1, callFrame: { functionName: '(root)', scriptId: '0', url: '', lineNumber: -1, columnNumber: -1 }, children: [2] },
    {
      id: 2,
      callFrame: { functionName: 'f', scriptId: '1', url: `file://${FILE}`, lineNumber: 2, columnNumber: 4 },
      children: [3],
      positionTicks: [{ line: 3, ticks: 2 }],
    },
    { id: 3, callFrame: { functionName: 'g', scriptId: '1', url: 'node:fs', lineNumber: 2, columnNumber: 4 } },
  ],
  startTime: 0,
  endTime: 4000,
  samples: [2, 3, 2, 1],
  timeDeltas: [1000, 1000, 1000, 1000],
};

const RANGE = { start: { file: FILE, line: 1, column: 1 }, end: { file: FILE, line: 40, column: 1 } };
const HYPOTHESES: readonly Hypothesis[] = (
  [
    'loop-delay',
    'sync-io',
    'inline-cache',
    'feedback',
    'deopt',
    'map-transition',
    'elements',
    'bounds',
    'runs',
    'exceptions',
    'microtasks',
  ] as const
).map((kind) => ({ ruleId: 'r', messageId: 'm', range: RANGE, functions: [RANGE], related: [], kinds: [kind] }));

export function logCase(name: string, random: Random): OddCase {
  const major = random.pick(MAJORS);
  const log = traceText(major, random.pick(traceNames(major)));
  const from = random.below(Math.max(1, log.length - LONGEST));
  const v8Log = injured(random, log.slice(from, from + LONGEST));
  const records = RECORDS.map((record) => {
    const line = JSON.stringify({ pid: 7, ...(random.chance(0.2) ? (injuredValue(random, record) as object) : record) });
    return random.chance(0.05) ? injured(random, line) : line;
  });
  const profile = random.chance(0.5) ? JSON.stringify(injuredValue(random, CPU_PROFILE)) : injured(random, JSON.stringify(CPU_PROFILE));
  const feedback = injured(random, readFileSync(join(ROOT, `test/profiler/feedback/${major}.txt`), 'utf8').slice(0, LONGEST));
  const subject = random.pick(['function', 'server', 'program'] as const);
  return {
    name,
    work: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'nodometer-fuzz-'));
      try {
        const at = (file: string, text: string): string => {
          writeFileSync(join(folder, file), text);
          return join(folder, file);
        };
        const decoded = decodeRecords(records.join('\n'));
        const artifacts = {
          folder,
          records: recordsOfPhase(decoded.records, 0),
          unreadRecords: decoded.unread,
          v8Logs: [at('v8-1-1.log', v8Log)],
          cpuProfiles: [at('a.cpuprofile', profile)],
          feedbackFiles: ['feedback-7.txt'],
        };
        at('feedback-7.txt', feedback);
        const collector = new EvidenceCollector(
          {
            subject,
            isUserFile: (file) => file.startsWith('/fixtures/'),
            isBenign: isBenignDeopt,
            textOf: (file) => (file === FILE ? TEXT : undefined),
            textOnDisk: () => undefined,
            isInQuestion: (file) => file === FILE,
          },
          [],
        );
        for (const kind of KINDS) await collector.take(kind, artifacts, 1);
        await collector.takeHiddenDeopts(artifacts);
        const requestProblems = requestsIn(artifacts.records).map(({ request }) => String(request));
        runsPerCall(artifacts.records, () => TEXT)(PLACE);
        const found = collector.found(collector.sourceMaps([FILE]), () => true);
        const facts = {
          target: { file: FILE, calls: ['f()'], origin: 'typed' as const },
          machine: { node: '20.20.2', v8: '11.3', platform: 'linux x64', cpu: 'x', cores: 2 },
          date: '2026-01-01T00:00:00.000Z',
          calls: callsIn(artifacts.records),
          ...found,
          loopDelay: collector.loopDelay,
          timing: collector.timing,
          unreadLines: collector.log?.unreadLines ?? 0,
          problems: [...collector.problems, ...requestProblems],
        };
        const run = {
          ...facts,
          countedCalls: 100,
          moreThrown: collector.moreThrown,
          unit: 'call' as const,
          unitNs: collector.timing?.median,
          timedCalls: 100,
          throwNs: collector.throwNs,
        };
        const judged = HYPOTHESES.map((hypothesis) => ({ hypothesis, verdict: judge(hypothesis, run, () => 100) }));
        const report: ProfileReport = {
          ...facts,
          verdicts: judged.map(({ verdict }) => verdict),
          unpredicted: findUnpredicted({ ...run, cpu: found.cpu }, judged),
        };
        formatProfile({ reports: [report], comparison: [], cwd: folder, explainReason: () => undefined, style: MARKDOWN, verbose: true });
        return [];
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
