// What stays of each call or request: from counts after collections to a verdict. Pure.
import type { SourcePlace } from '../../protocol/evidence.ts';
import type { Retained, RetainedRate, RetainedUnit, Slope } from '../../protocol/retained.ts';
import type { Opinion } from './hypothesis.ts';

/** At the end of a phase. All are sums since the start. */
export interface RetainedPhase {
  /** Calls or requests. */
  calls: number;
  /** How often the place added something. */
  adds: number;
  /** Different keys that came to it. */
  keys: number;
  /** What is there; undefined where it cannot be counted. */
  count?: number;
  /** Bytes on the heap. */
  bytes: number;
}

export interface RetainedRun {
  /** The first is the warm-up. */
  phases: readonly RetainedPhase[];
  /** A timer that had yet to run when all was counted, and may take something out. */
  timer?: Pick<SourcePlace, 'file' | 'line'> & { delay: number };
  /** Another place of the same run leaves something, too: the heap is that of all. */
  isShared?: boolean;
  per: Retained['per'];
  node: string;
}

export interface RetainedClaim {
  unit: RetainedUnit;
  /** As the code names what is added to. */
  name: string;
  /** The same key again adds nothing. */
  isKeyed: boolean;
}

/** After so many without an effect it happens in fewer than one of ten, with 95 % confidence (the rule of three). */
const LEAST_ADDED = 30;
/** The warm-up, and three more to see whether growth goes on. */
const LEAST_PHASES = 4;
/** What still grows does so in each round of the second half as fast as in the first half: at so much of that pace at least. Our choice. */
const LEAST_OF_FIRST_HALF = 0.6;
/** What no longer grows: less than this of what came. Our choice. */
const MOST_OF_FLAT = 0.02;
/** What shrank by so much of what it had gained was taken out, and did not just end late. Our choice. */
const LEAST_SHRUNK = 0.1;
/** 97.5 % quantiles of Student's t distribution by degrees of freedom; the last for all above. */
const T_975 = [0, 12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23] as const;

const NOUNS: Readonly<Record<RetainedUnit, readonly [one: string, more: string]>> = {
  entry: ['entry', 'entries'],
  listener: ['listener', 'listeners'],
  timer: ['timer', 'timers'],
  session: ['session', 'sessions'],
};

/** Undefined where the place was not come to. */
export function judgeRetained(claim: RetainedClaim, run: RetainedRun): (Opinion & { retained?: Retained }) | undefined {
  const { phases, per, node } = run;
  const [first] = phases;
  const last = phases.at(-1);
  if (!first || !last || last.adds === 0) return undefined;
  const calls = `${whole(last.calls)} ${per}s`;
  if (phases.length < LEAST_PHASES)
    return open('too few rounds', `Only ${calls} were made before the run ended. That is too few to see what stays (Node ${node}).`);
  const counts = phases.flatMap(({ count }) => count ?? []);
  if (counts.length < phases.length)
    return open(
      `${NOUNS[claim.unit][1]} not counted`,
      `The ${NOUNS[claim.unit][1]} of \`${claim.name}\` cannot be counted. ${heapSentence(run)}`,
    );
  const retained = retainedOf(claim.unit, run, counts);
  return { ...judgeCounts(claim, run, counts, retained), ...(retained && { retained }) };
}

function judgeCounts(claim: RetainedClaim, run: RetainedRun, counts: readonly number[], retained: Retained | undefined): Opinion {
  const { phases, per, node, timer } = run;
  const [least, most] = [counts[0] ?? 0, counts.at(-1) ?? 0];
  const [before = NO_PHASE, after = NO_PHASE] = [phases[0], phases.at(-1)];
  const came = (phase: RetainedPhase): number => (claim.isKeyed ? phase.keys - before.keys : phase.adds - before.adds);
  if (came(after) < LEAST_ADDED) return unvaried(claim, run, came(after));
  const counted = `\`${claim.name}\` had ${countText(claim.unit, least)} after ${whole(before.calls)} ${per}s, and ${whole(most)} after ${whole(after.calls)}, counted ${phases.length} times after a forced collection (Node ${node}).`;
  const steps = counts.slice(1).map((count, i) => count - (counts[i] ?? 0));
  const shrunk = -Math.min(0, ...steps);
  if (shrunk >= Math.max(1, LEAST_SHRUNK * Math.max(...counts)))
    return {
      verdict: 'refuted',
      figure: `${NOUNS[claim.unit][1]} are taken out: ${whole(most)} after ${whole(after.calls)} ${per}s`,
      ground: `${counted} In between, they became ${whole(shrunk)} fewer.`,
    };
  const middle = Math.floor(phases.length / 2);
  const half = { came: came(phases[middle] ?? before), grew: (counts[middle] ?? 0) - least };
  const second = { came: came(after) - half.came, grew: most - least - half.grew };
  if (second.grew <= MOST_OF_FLAT * second.came && second.came >= LEAST_ADDED / 2) {
    if (claim.unit === 'session')
      return open(
        'no session stays',
        `${counted} Only requests that change their session leave one. Profile a route that does, such as a login.`,
      );
    const keys = claim.isKeyed ? `, with about ${whole(after.keys)} different keys` : '';
    return {
      verdict: 'refuted',
      figure: `stays at ${countText(claim.unit, most)} in ${whole(after.calls)} ${per}s`,
      ground: `${counted} This code ran ${whole(after.adds)} times${keys}, and the second half added nothing.`,
    };
  }
  const pace = half.came > 0 ? half.grew / half.came : 0;
  // A limit that comes late stops the last of them.
  const isSteady =
    pace > 0 &&
    steps.slice(middle).every((step, i) => {
      const keys = came(phases[middle + i + 1] ?? after) - came(phases[middle + i] ?? after);
      return keys > 0 && step / keys >= LEAST_OF_FIRST_HALF * pace;
    });
  if (!retained || retained.rate.low <= 0 || !isSteady || most - least < LEAST_ADDED)
    return open(
      'growth unclear',
      `${counted} The growth is not steady. There may be a limit, or a longer run may show more: \`--time 20\`.`,
    );
  if (timer)
    return open(
      `${rateText(retained)}, but a timer may remove it`,
      `${counted} The timer in ${timer.file.split(/[\\/]/).at(-1) ?? ''}:${timer.line} (${duration(timer.delay)}) may remove it later; this run did not wait for it. Shorten its delay for a profile.`,
    );
  const { rate, bytes } = retained;
  const isExact = number(rate.low) === number(rate.high);
  const each = `Each ${per} leaves ${countText(claim.unit, rate.value)}${isExact ? ' in every round' : ` (95 % interval ${number(rate.low)} to ${number(rate.high)})`}.`;
  const memory = bytes
    ? `The heap keeps ${bytesText(bytes.value)} per ${per} (95 % interval ${bytesText(bytes.low)} to ${bytesText(bytes.high)}).`
    : run.isShared
      ? heapSentence(run, 'for this and the other findings')
      : 'The effect on the heap was too small to measure.';
  return {
    verdict: 'confirmed',
    figure: `${rateText(retained)} stay${number(rate.value) === '1' && !bytes ? 's' : ''} (${whole(after.calls)} ${per}s)`,
    ground: `${counted} ${each} ${memory} A limit above ${countText(claim.unit, most)} would not have shown.`,
  };
}

const NO_PHASE: RetainedPhase = { calls: 0, adds: 0, keys: 0, bytes: 0 };

/** `1 entry and 312 bytes per request` */
export function rateText({ unit, per, rate, bytes }: RetainedRate): string {
  return `${countText(unit, rate.value)}${bytes ? ` and ${bytesText(bytes.value)}` : ''} per ${per}`;
}

/** `1 entry`, `2,000 entries`, `0.5 entries` */
function countText(unit: RetainedUnit, n: number): string {
  const value = number(n);
  return `${value} ${NOUNS[unit][value === '1' ? 0 : 1]}`;
}

/** The place ran for too few new keys, or too seldom. */
function unvaried({ isKeyed, name }: RetainedClaim, { phases, per, node }: RetainedRun, came: number): Opinion {
  const [before = NO_PHASE, after = NO_PHASE] = [phases[0], phases.at(-1)];
  const ran = after.adds - before.adds;
  const calls = `${whole(after.calls)} ${per}s`;
  const how =
    per === 'request'
      ? 'Let each request ask for something else: `{n}` stands for its number, as in `/** @profile GET /items/{n} */`.'
      : 'Let each call pass something else, such as `Math.random()`.';
  return isKeyed && ran >= LEAST_ADDED
    ? open(
        `no new keys in ${calls}`,
        `${capital(calls)} brought ${came <= 0 ? 'no new key' : `only ${whole(came)} new keys`} to \`${name}\` after the first round, so it could not grow (Node ${node}). ${how}`,
      )
    : open(
        `ran ${whole(ran)} times in ${calls}`,
        `After the first round, this code ran only ${whole(ran)} times in ${calls}, so this run says nothing about growth (Node ${node}). ${how}`,
      );
}

function retainedOf(unit: RetainedUnit, { phases, per, isShared }: RetainedRun, counts: readonly number[]): Retained | undefined {
  const calls = phases.map((one) => one.calls);
  const rate = slopeOf(calls, counts);
  const bytes = isShared ? undefined : bytesSlope(phases);
  if (!rate) return undefined;
  return {
    unit,
    per,
    rate,
    ...(bytes && bytes.low > 0 ? { bytes } : {}),
    points: phases.map((one, i) => ({ calls: one.calls, count: counts[i] ?? 0, bytes: Math.round(one.bytes) })),
  };
}

function bytesSlope(phases: readonly RetainedPhase[]): Slope | undefined {
  return slopeOf(
    phases.map(({ calls }) => calls),
    phases.map(({ bytes }) => bytes),
  );
}

/** By least squares, with the 95 % interval; undefined with fewer points than make one. */
export function slopeOf(xs: readonly number[], ys: readonly number[]): Slope | undefined {
  const n = Math.min(xs.length, ys.length);
  if (n < 3) return undefined;
  const mean = (list: readonly number[]): number => list.slice(0, n).reduce((sum, one) => sum + one, 0) / n;
  const [x0, y0] = [mean(xs), mean(ys)];
  const each = xs.slice(0, n).map((x, i) => ({ x: x - x0, y: (ys[i] ?? y0) - y0 }));
  const sxx = each.reduce((sum, { x }) => sum + x ** 2, 0);
  if (sxx === 0) return undefined;
  const value = each.reduce((sum, { x, y }) => sum + x * y, 0) / sxx;
  const rest = each.reduce((sum, { x, y }) => sum + (y - value * x) ** 2, 0);
  const reach = (T_975[Math.min(n - 2, T_975.length - 1)] ?? 0) * Math.sqrt(rest / (n - 2) / sxx);
  return { value, low: value - reach, high: value + reach };
}

function heapSentence({ phases, per, node }: RetainedRun, why = 'for this or another reason'): string {
  const slope = bytesSlope(phases);
  return slope && slope.low > 0
    ? `The heap keeps ${bytesText(slope.value)} per ${per} (95 % interval ${bytesText(slope.low)} to ${bytesText(slope.high)}, Node ${node}), ${why}.`
    : `The heap did not grow clearly (Node ${node}).`;
}

function open(figure: string, ground: string): Opinion {
  return { verdict: 'inconclusive', figure, ground };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `2,000` */
function whole(n: number): string {
  return Math.round(n).toLocaleString('en-US');
}

/** `1`, `0.25`, `2,000` */
function number(n: number): string {
  return Number(n.toFixed(2)).toLocaleString('en-US');
}

function duration(ms: number): string {
  return ms >= 1000 ? `${number(ms / 1000)} s` : `${Math.round(ms)} ms`;
}

/** `312 bytes`, `4.1 kB` */
export function bytesText(n: number): string {
  const size = Math.abs(n);
  if (size < 1000) return `${Math.round(n)} bytes`;
  return size < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`;
}
