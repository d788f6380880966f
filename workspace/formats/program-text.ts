// What the text of a whole program's profile has beyond a function's: what ran, where the time went, and what is set apart.
import type {
  CpuShares,
  FlameFrame,
  InlineCache,
  LoopBlock,
  LoopDelay,
  ProfileReport,
  ProgramFacts,
  SourcePlace,
  Tier,
  Verdict,
} from '../../protocol/evidence.ts';
import { amount, duration } from '../../profiler/judge/words.ts';
import type { ProfileStyle } from './profile-style.ts';

type At = (place: SourcePlace) => string;

const MOST_FUNCTIONS = 12;
const MOST_PACKAGES = 6;
const PERCENT = 100;
const LEAST_DELAY_MS = 0.1;
/** Less of the processor's time is not worth a line. */
const LEAST_SHARE = 0.01;

export function programHead({ program, machine }: ProfileReport, style: ProfileStyle): string[] {
  if (!program) return [];
  const { command, processes, files, exitCode } = program;
  const parts = [
    `${amount(files.length)} of your files ran`,
    ...(processes > 1 ? [`${processes} Node processes`] : []),
    exitCode === null ? 'stopped by Nodometer' : `exit code ${exitCode}`,
  ];
  return [style.title(`${command} on Node ${machine.node}`), style.dim(parts.join(', '))];
}

/** Those that a run could judge; the others are counted. */
export function programVerdicts({ verdicts }: ProfileReport, at: At): { shown: readonly Verdict[]; rest: string | undefined } {
  const shown = verdicts
    .filter(({ verdict }) => verdict !== 'not-reached')
    .sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
  const missed = verdicts.filter(({ verdict }) => verdict === 'not-reached');
  if (missed.length === 0) return { shown, rest: undefined };
  const named = missed
    .slice(0, MOST_NAMED)
    .map(({ place, ruleId, figure }) => `${at(place)} (${ruleId}; ${figure})`)
    .join(', ');
  return { shown, rest: `Not reached: ${named}${missed.length > MOST_NAMED ? `, and ${missed.length - MOST_NAMED} more` : ''}` };
}

const ORDER: readonly Verdict['verdict'][] = ['confirmed', 'seen', 'refuted', 'inconclusive', 'not-reached'];
const MOST_NAMED = 6;

export function cpuLines({ cpu }: ProgramFacts, at: At, style: ProfileStyle): string[] {
  if (!cpu) return [];
  const parts = [
    `your code ${percent(cpu.user)}`,
    `packages ${percent(cpu.packages)}`,
    `Node internals ${percent(cpu.core)}`,
    `garbage collection ${percent(cpu.gc)}`,
  ];
  const lines = ['', style.section('CPU time'), style.row([`${duration(cpu.busyMs)} busy`, ...parts])];
  const busy = cpu.functions.filter(({ self, total }) => self >= LEAST_SHARE || total >= LEAST_SHARE).slice(0, MOST_FUNCTIONS);
  if (busy.length > 0)
    lines.push(
      ...style.table(
        ['function', 'self', 'total', 'location'],
        busy.map(({ functionName, self, total, place }) => [
          functionName || (place.line === 1 && place.column === 1 ? '(top level)' : '(anonymous)'),
          percent(self),
          percent(total),
          at(place),
        ]),
        [0, 3],
      ),
    );
  const packages = cpu.byPackage.filter(({ self }) => self >= LEAST_SHARE).slice(0, MOST_PACKAGES);
  if (packages.length > 0) lines.push(style.dim(`Packages: ${packages.map(({ name, self }) => `${name} ${percent(self)}`).join(', ')}`));
  return lines;
}

/** The busiest functions inside of packages, from the call stacks. */
export function packageLines({ flame }: CpuShares, at: At, style: ProfileStyle): string[] {
  const found = new Map<string, FlameFrame & { place: SourcePlace }>();
  for (const frame of flame) {
    const { owner, place, self } = frame;
    if (owner !== 'packages' || !place) continue;
    const key = `${frame.functionName} ${at(place)}`;
    found.set(key, { ...frame, place, self: self + (found.get(key)?.self ?? 0) });
  }
  const busy = [...found.values()]
    .filter(({ self }) => self >= LEAST_SHARE)
    .sort((a, b) => b.self - a.self)
    .slice(0, MOST_FUNCTIONS);
  if (busy.length === 0) return [];
  return [
    '',
    style.section('CPU time in packages'),
    ...style.table(
      ['function', 'package', 'self', 'location'],
      busy.map(({ functionName, module = '', self, place }) => [functionName || '(anonymous)', module, percent(self), at(place)]),
      [0, 1, 3],
    ),
  ];
}

const TIERS: readonly Tier[] = ['turbofan', 'maglev', 'sparkplug'];

/** How many functions came how far: their names are of no interest where there are hundreds. */
export function programTiers({ tiers }: ProfileReport, style: ProfileStyle): string[] {
  const best = new Map<string, number>();
  for (const { place, tier, inlinedInto } of tiers) {
    const rank = TIERS.indexOf(tier);
    const key = `${place.file}:${place.line}:${place.column}`;
    if (!inlinedInto) best.set(key, Math.min(best.get(key) ?? TIERS.length, rank < 0 ? TIERS.length : rank));
  }
  const count = (rank: number) => [...best.values()].filter((one) => one === rank).length;
  const reached = TIERS.flatMap((tier, rank) => (count(rank) > 0 ? [`${amount(count(rank))} reached ${NAMES[tier]}`] : []));
  if (best.size === 0) return [style.dim('V8 logged none of your functions.')];
  return [style.row([`${amount(best.size)} of your functions ran: ${reached.join(', ') || 'none was compiled'}.`])];
}

const NAMES: Readonly<Record<Tier, string>> = { ignition: 'Ignition', sparkplug: 'Sparkplug', maglev: 'Maglev', turbofan: 'TurboFan' };

export function asideLines({ aside }: ProgramFacts, style: ProfileStyle): string[] {
  const { packageDeopts, coreDeopts, cacheLines } = aside;
  const deopts = [
    ...(packageDeopts > 0 ? [`${amount(packageDeopts)} in packages`] : []),
    ...(coreDeopts > 0 ? [`${amount(coreDeopts)} in Node internals`] : []),
  ];
  const parts = [
    ...(deopts.length > 0 ? [`deoptimizations: ${deopts.join(', ')}`] : []),
    ...(cacheLines > 0 ? [`property accesses in packages and Node internals (${counted(cacheLines, 'log line')})`] : []),
  ];
  return parts.length === 0 ? [] : [style.dim(`Not shown: ${parts.join('; ')}.`)];
}

/** Megamorphic ones that go on missing first: state alone is no cost. */
export function worstFirst(a: InlineCache, b: InlineCache): number {
  return (
    Number(b.state === 'megamorphic') - Number(a.state === 'megamorphic') ||
    b.megamorphicMisses - a.megamorphicMisses ||
    b.shapeCount - a.shapeCount
  );
}

/** Blocks of one kind at one place are one row, the longest first. */
export function blockRows(blocks: readonly LoopBlock[], at: At, style: ProfileStyle): string[] {
  const groups = new Map<string, LoopBlock[]>();
  for (const block of blocks) {
    const key = JSON.stringify([block.kind, block.endless, block.call, block.stack[0] ?? null]);
    groups.set(key, [...(groups.get(key) ?? []), block]);
  }
  const longest = (group: readonly LoopBlock[]) => Math.max(...group.map((block) => block.duration));
  return [...groups.values()]
    .sort((a, b) => longest(b) - longest(a))
    .map((group) => {
      const { endless, isCut, kind, stack, call }: Omit<LoopBlock, 'duration'> = group[0] ?? { endless: false, kind: 'unknown', stack: [] };
      const [top] = stack;
      return style.row([
        endless || group.length === 1
          ? lengthOf({ endless, isCut, duration: longest(group) })
          : `×${group.length}, up to ${duration(longest(group))}`,
        causeOf({ kind, call }),
        top ? `${top.functionName || '(anonymous)'} ${at(top)}` : '',
      ]);
    });
}

/** Of what was stopped it is known how long it took at least. */
export function lengthOf({ endless, isCut, duration: ms }: Pick<LoopBlock, 'endless' | 'isCut' | 'duration'>): string {
  return endless ? `not finished after ${duration(ms)}` : `${isCut ? 'at least ' : ''}${duration(ms)}`;
}

/** What kept the loop, with the call of Node's where it was one. */
export function causeOf({ kind, call }: Pick<LoopBlock, 'kind' | 'call'>): string {
  return call === undefined ? BLOCK_WORDS[kind] : `${BLOCK_WORDS[kind]} (${call})`;
}

const BLOCK_WORDS: Readonly<Record<LoopBlock['kind'], string>> = {
  'next-tick': 'recursive process.nextTick',
  microtask: 'recursive microtasks',
  synchronous: 'synchronous code',
  unknown: 'unknown cause',
};

export function delayLines(delay: LoopDelay, style: ProfileStyle, found: readonly LoopBlock[] = []): string[] {
  // Less is the clock's noise: 0 would be said to have been measured.
  const ms = (value: number) => (value < LEAST_DELAY_MS ? `<${LEAST_DELAY_MS} ms` : `${value.toFixed(1)} ms`);
  const blocks = `blocks over ${delay.threshold} ms: ${delay.blocks}`;
  if (delay.window === 0) {
    const why = found.some(({ endless }) => endless)
      ? 'unknown: the event loop was blocked until the program was stopped'
      : 'not measured: the program ended too early';
    return [style.row([why, blocks])];
  }
  return [
    style.row([
      `p50 ${ms(delay.p50)}`,
      `p90 ${ms(delay.p90)}`,
      `p99 ${ms(delay.p99)}`,
      `max ${ms(delay.max)}`,
      `over ${duration(delay.window)}`,
    ]),
    style.dim(
      `  The timer resolution of ${delay.resolution} ms is subtracted. An idle loop on this machine has a p99 of ${ms(delay.idleFloor)}; lower values cannot be distinguished from noise.`,
    ),
    style.row([`utilization ${(delay.utilization * PERCENT).toFixed(0)} %`, blocks]),
    // What other programs caused is no block of this one, and a block whose code nobody saw is not counted: both would look like a mistake.
    ...(delay.blocks === 0 && delay.max >= delay.threshold
      ? [
          style.dim(
            '  The longest delay is not counted as a block: other programs used the processors, or its code was not seen. Measure again when the machine is less busy.',
          ),
        ]
      : []),
  ];
}

/** `1 file`, `12 k files`. */
export function counted(n: number, what: string, plural = 's'): string {
  return `${amount(n)} ${what}${n === 1 ? '' : plural}`;
}

export function percent(share: number): string {
  const value = share * PERCENT;
  return `${value >= 10 || value === 0 ? Math.round(value) : value.toFixed(1)} %`;
}
