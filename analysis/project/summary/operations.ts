// The layout of operations in the flat list of a summary.
import { Op, type FileSummary } from './format.ts';

/**
 * Positions of a call's operands, relative to its code. After the arguments come the count of the functions in literals, and those
 * functions.
 */
export const CallOperand = { Site: 1, Result: 2, Callee: 3, Self: 4, Flags: 5, ArgumentCount: 6, Arguments: 7 } as const;
/** Of `Op.Copy`. */
export const CopyOperand = { To: 1, From: 2 } as const;
/** Of the operations that import. */
export const ImportOperand = { Specifier: 2 } as const;

/** By operation; 1 for unused codes. */
const LENGTHS: readonly number[] = lengths({
  [Op.Copy]: 3,
  [Op.Object]: 3,
  [Op.Load]: 4,
  [Op.LoadOpen]: 4,
  [Op.Store]: 4,
  [Op.Field]: 4,
  [Op.Import]: 3,
  [Op.ImportDefault]: 3,
  [Op.ImportPattern]: 3,
  [Op.Instance]: 3,
  [Op.Inherit]: 3,
  [Op.Extend]: 3,
  [Op.Mix]: 3,
  [Op.Inherits]: 3,
  [Op.Implements]: 3,
  [Op.This]: 3,
  [Op.Provide]: 3,
  [Op.Inject]: 3,
  [Op.InjectNamed]: 3,
  [Op.ProvideNamed]: 3,
  [Op.Mount]: 4,
  [Op.Blocks]: 2,
  [Op.ArgumentText]: 3,
  [Op.FieldText]: 4,
  [Op.Row]: 3,
  [Op.Rest]: 3,
  [Op.Default]: 3,
  [Op.Arguments]: 3,
  [Op.Logger]: 3,
  [Op.Keep]: 4,
});

function lengths(by: Readonly<Record<number, number>>): number[] {
  return Array.from({ length: Math.max(...Object.values(Op)) + 1 }, (_, code) => by[code] ?? 1);
}

/** The length of the operation at a position. */
export function lengthAt(ops: readonly number[], at: number): number {
  const code = ops[at] as number;
  if (code !== Op.Call) return LENGTHS[code] ?? 1;
  const passedCount = passedCountAt(ops, at);
  return passedCount + 1 + (ops[at + passedCount] as number);
}

/** The position of the count of functions in literals, relative to the code of the call. */
export function passedCountAt(ops: readonly number[], at: number): number {
  return CallOperand.Arguments + (ops[at + CallOperand.ArgumentCount] as number);
}

export interface Contents {
  /** The number of calls. */
  calls: number;
  /** Pairs of operation and text, one for each import. */
  imports: readonly number[];
}

const known = new WeakMap<FileSummary, Contents>();

/** What every solve needs to know about a summary. */
export function contentsOf(summary: FileSummary): Contents {
  let contents = known.get(summary);
  if (!contents) known.set(summary, (contents = read(summary)));
  return contents;
}

function read({ ops }: FileSummary): Contents {
  const imports: number[] = [];
  let calls = 0;
  for (let at = 0; at < ops.length; at += lengthAt(ops, at)) {
    const code = ops[at] as number;
    if (code === Op.Call) calls++;
    else if (code === Op.Import || code === Op.ImportDefault || code === Op.ImportPattern)
      imports.push(code, ops[at + ImportOperand.Specifier] as number);
  }
  return { calls, imports };
}
