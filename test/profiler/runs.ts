// What the tests of runs share: a Node to run, a folder for targets, and a count of everything that a run may leave behind.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { probeNode } from '../../profiler/run/probe-node.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import type { RunKind, RunRequest, Target } from '../../profiler/plan/plan.ts';
import { runNode, type Artifacts, type RunOptions, type RunOutcome } from '../../profiler/run/run.ts';
import type { RunRecord } from '../../profiler/parse/records.ts';

/** The Node that runs the tests, and those that NODOMETER_NODES names: paths with the system's delimiter between them. */
export async function nodesToTest(): Promise<NodeBinary[]> {
  const paths = [process.execPath, ...(process.env.NODOMETER_NODES ?? '').split(process.platform === 'win32' ? ';' : ':').filter(Boolean)];
  return Promise.all(
    paths.map(async (path) => {
      const outcome = await probeNode(path);
      assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
      return outcome.node;
    }),
  );
}

export interface Bench {
  /** Holds the targets. */
  folder: string;
  /** Writes a file and gives its path. */
  write(name: string, text: string): string;
  run(request: BenchRequest, options?: RunOptions): Promise<RunOutcome<readonly RunRecord[]>>;
  /** As `run`, with a reader of its own. */
  runWith<Value>(
    request: BenchRequest,
    read: (artifacts: Artifacts) => Value | Promise<Value>,
    options?: RunOptions,
  ): Promise<RunOutcome<Value>>;
  /** Everything that runs of this bench have left: temp folders, and processes where the system shows their environment. */
  leftovers(): string[];
  end(): void;
}

export type BenchRequest = Partial<RunRequest> & { kind: RunKind; target?: Target };

// Long enough for a loaded machine to start a Node; the targets that never end use all of it.
const WALL_MS = 8000;
const MEASURE_MS = 300;

export function makeBench(node: NodeBinary): Bench {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-test-')));
  const folder = join(root, 'targets');
  const temp = join(root, 'temp');
  const mark = randomUUID();
  mkdirSync(folder);
  mkdirSync(temp);
  const runWith: Bench['runWith'] = (request, read, options) =>
    runNode({ node, limits: { wallMs: WALL_MS, measureMs: MEASURE_MS }, ...request, env: { NODOMETER_TEST: mark, ...request.env } }, read, {
      tempFolder: temp,
      ...options,
    });
  return {
    folder,
    write(name, text) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    runWith,
    run: (request, options) => runWith(request, ({ records }) => records, options),
    leftovers: () => [...readdirSync(temp), ...processesWith(mark)],
    end: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Linux only; elsewhere the tests of children ask the children's ids. */
function processesWith(mark: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      return readFileSync(`/proc/${entry}/environ`, 'latin1').includes(mark);
    } catch {
      // It has ended, or is another user's.
      return false;
    }
  });
}
