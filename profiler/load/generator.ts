// The load generator as a process: what it is asked for, and what it says.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadTraffic } from '../../protocol/load.ts';
import type { ProgramRequest } from '../../protocol/evidence.ts';
import { runChild } from '../run/child.ts';
import { lastWords } from '../run/failure.ts';
import { harnessFolder } from '../run/run.ts';

export interface GeneratorOrder {
  protocol: 'http' | 'https';
  port: number;
  request: ProgramRequest;
  connections: number;
  rate?: number;
  warmUpMs: number;
  measureMs: number;
  /** It writes there when the window begins and ends. */
  windowFile: string;
}

/** As `harness/generator.cjs` writes it. */
export interface GeneratorResult extends Omit<LoadTraffic, 'perSecond' | 'errorShare'> {
  /** It was not given up before the end. */
  isWhole: boolean;
  /** Answers with a status of 400 and more. */
  bad: number;
  generator: { cpuMs: number; waitedMs: number; utilization: number; delayP99: number; machineBusyMs: number };
}

export type GeneratorOutcome = { ok: true; result: GeneratorResult } | { ok: false; reason: string };

/** Starting it and reading what it says, in ms. */
const START_UP_MS = 15_000;
const OUTPUT_BYTES = 1024 * 1024;

/** Always by the Node that runs Nodometer, whichever one is measured. @param folder the exchange; removed if the host ends first */
export async function generateLoad(order: GeneratorOrder, folder: string, signal: AbortSignal): Promise<GeneratorOutcome> {
  const orderFile = join(folder, 'order.json');
  writeFileSync(orderFile, JSON.stringify(order));
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || name.startsWith('NODE_') ? [] : [[name, value] as const],
    ),
  );
  const { cause, code, stdout, stderr, error } = await runChild({
    executable: process.execPath,
    arguments: [join(harnessFolder(), 'generator.cjs'), orderFile],
    // In an editor, `process.execPath` is Electron.
    env: { ...env, NODOMETER_LOAD: orderFile, ...(process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' }) },
    cwd: folder,
    marker: `NODOMETER_LOAD=${orderFile}`,
    wallMs: order.warmUpMs + order.measureMs + START_UP_MS,
    outputBytes: OUTPUT_BYTES,
    folder: { path: folder, bytes: Infinity },
    signal,
  });
  if (cause === 'aborted') return { ok: false, reason: 'Stopped.' };
  if (cause !== 'exit') return { ok: false, reason: `The load generator did not work: ${error ?? cause}.` };
  const result = code === 0 ? decode(stdout.text) : undefined;
  return result ? { ok: true, result } : { ok: false, reason: `The load generator ended with code ${code}${lastWords(stderr.text)}.` };
}

function decode(text: string): GeneratorResult | undefined {
  try {
    const value = JSON.parse(text) as GeneratorResult;
    return typeof value.windowMs === 'number' && typeof value.answered === 'number' ? value : undefined;
  } catch {
    // It was ended while it wrote.
    return undefined;
  }
}
