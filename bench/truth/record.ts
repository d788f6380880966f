// What establish.ts found, case by case and Node by Node.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TruthCase } from './case.ts';

export const RECORD = fileURLToPath(new URL('./established.json', import.meta.url));

/** By the case's key, then by major. */
export type Established = Record<string, Record<string, { node: string; date: string; truth: string; holds: boolean; results: string[] }>>;

export function keyOf({ finding, name }: Pick<TruthCase, 'finding' | 'name'>): string {
  return `${finding.ruleId}: ${name}`;
}

export function readRecord(): Established {
  return existsSync(RECORD) ? (JSON.parse(readFileSync(RECORD, 'utf8')) as Established) : {};
}
