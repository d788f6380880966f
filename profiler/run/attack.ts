// Tries an attack in a process of its own, which is killed when its time is up.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonAttack, type Attack } from '../../protocol/attack.ts';
import type { AttackPoint, AttackRun } from '../judge/attack.ts';
import type { NodeBinary } from '../plan/node-binary.ts';
import { runChild } from './child.ts';
import { harnessFolder } from './run.ts';

export interface AttackOptions {
  /** For everything, in ms. */
  wallMs: number;
  signal?: AbortSignal;
}

const OUTPUT_BYTES = 256 * 1024;
const PHASES: ReadonlySet<unknown> = new Set<AttackPoint['phase']>(['warm-up', 'search', 'growth', 'begun', 'full']);

export async function runAttack(node: NodeBinary, attack: Attack, { wallMs, signal }: AttackOptions): Promise<AttackRun> {
  const { prefix, pump, suffix, method, size } = attack;
  const expression = isJsonAttack(attack) ? {} : { pattern: attack.pattern, flags: attack.flags };
  const marker = `nodometer-attack:${process.pid}-${Math.random()}`;
  const env: Record<string, string> = { NODOMETER_ATTACK: marker };
  // Nothing that changes what Node does.
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && !name.startsWith('NODE_') && name !== 'ELECTRON_RUN_AS_NODE') env[name] = value;
  const input = JSON.stringify({ prefix, pump, suffix, ...expression, method, size });
  const { cause, stdout, elapsedMs } = await runChild({
    executable: node.path,
    arguments: [join(harnessFolder(), 'attack.cjs'), input, !isJsonAttack(attack) && attack.isExponential ? 'exponential' : 'power'],
    env,
    cwd: tmpdir(),
    marker,
    wallMs,
    outputBytes: OUTPUT_BYTES,
    signal,
  });
  const points = stdout.text.split('\n').flatMap((line) => pointOf(line) ?? []);
  const begun = points.find(({ phase }) => phase === 'begun');
  const isKilled = cause === 'time-limit';
  return {
    points,
    isKilled,
    isAborted: cause === 'aborted',
    ...(isKilled && begun ? { unfinishedMs: Math.max(0, elapsedMs - begun.ms - START_MS) } : {}),
  };
}

/**
 * Until Node's own clock starts, and until a killed process is gone, in ms: more than either takes, so that what is left is a lower bound.
 */
const START_MS = 200;

function pointOf(line: string): AttackPoint | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return undefined;
    const { phase, pumps, characters, ms } = value as Record<string, unknown>;
    return PHASES.has(phase) && typeof pumps === 'number' && typeof characters === 'number' && typeof ms === 'number'
      ? { phase: phase as AttackPoint['phase'], pumps, characters, ms }
      : undefined;
  } catch {
    // The last line may be cut off.
    return undefined;
  }
}
