// A measurement under load for people, in the terminal or as Markdown.
import { relative } from 'node:path';
import type { LoopBlock, SourcePlace } from '../../protocol/evidence.ts';
import type { LoadCauses, LoadLimit, LoadProcess, LoadReport } from '../../protocol/load.ts';
import { errorText } from '../../profiler/load/judge.ts';
import { duration, percent } from '../../profiler/judge/words.ts';
import { count } from '../count.ts';
import type { ProfileStyle } from './profile-style.ts';
import { causeOf, lengthOf } from './program-text.ts';
import { requestSourceText } from './request-source.ts';

const MOST_PLACES = 8;
const MOST_FRAMES = 5;
const MB = 1024 * 1024;
/** Fewer say nothing of what one leaves: caches fill, code is compiled. Our choice. */
const MANY_REQUESTS = 100;
/** Eighths of a line's height. */
const BARS = '▁▂▃▄▅▆▇█';
/** Of a thing per request: less often is told as once in so many. */
const SELDOM = 0.1;

export function formatLoad(report: LoadReport, cwd: string, style: ProfileStyle): string {
  const { command, request, source, machine, connections, rate, traffic, noResult, problems } = report;
  const how = [
    count(connections, 'connection'),
    rate === undefined ? 'as fast as it answers' : `${rate} requests/s`,
    duration(traffic.windowMs),
  ];
  const lines = [
    style.title(`${request.method} ${request.path} under load on Node ${machine.node}`),
    style.dim(`${command} · ${how.join(' · ')} · ${machine.cpu}, ${count(machine.cores, 'core')}`),
    ...(source ? [style.dim(requestSourceText(source, cwd))] : []),
    '',
  ];
  if (noResult === undefined) lines.push(...resultLines(report, style));
  else lines.push(style.verdict('inconclusive', `? No result. ${noResult}`));
  for (const problem of problems) lines.push(style.verdict('inconclusive', `! ${problem}`));
  const at = ({ file, line, column }: SourcePlace): string => `${relative(cwd, file) || file}:${line}:${column}`;
  for (const process of report.processes) lines.push('', ...processLines(process, report.processes.length > 1, style));
  if (report.causes) lines.push('', ...causeLines(report.causes, at, style));
  return `${lines.join('\n')}\n`;
}

function resultLines({ traffic, limit, generator, isMachineBusy }: LoadReport, style: ProfileStyle): string[] {
  const { perSecond, latency, errorShare } = traffic;
  const atLeast = limit === 'generator' || limit === 'both' ? 'at least ' : '';
  return [
    style.row([
      `${atLeast}${perSecondText(perSecond)}`,
      `${count(traffic.answered, 'answer')}`,
      errorShare === 0 ? 'no errors' : `${percent(errorShare)} errors (${errorText(traffic)})`,
    ]),
    // On a busy machine an event loop is also busy while it waits for a processor, which is said elsewhere.
    ...(limit && (limit === 'rate' || !isMachineBusy) ? [style.row([LIMIT_WORDS[limit](percent(generator.utilization))])] : []),
    '',
    style.section('Latency'),
    ...style.table(
      [...latency.percentiles.map(({ percent: share }) => `p${share}`), 'max', 'mean'],
      [[...latency.percentiles.map(({ ms }) => duration(ms)), duration(latency.max), duration(latency.mean)]],
      [],
    ),
  ];
}

const LIMIT_WORDS: Readonly<Record<LoadLimit, (generator: string) => string>> = {
  server: () => 'The server was the limit: its event loop was busy at least 90 % of the time.',
  generator: (share) => `The load generator was the limit (its event loop was busy ${share} of the time), so the server can do more.`,
  both: (share) => `Server and load generator were both busy (the generator ${share} of the time), so the server may be able to do more.`,
  waiting: () =>
    'Neither the server nor the load generator was busy 90 % of the time: the requests waited for something else. More connections may get more answers.',
  rate: () => 'The server kept up with the rate.',
};

/** `1,234 requests/s`, `12.3 requests/s` */
export function perSecondText(perSecond: number): string {
  return `${perSecond >= 100 ? count(Math.round(perSecond), 'request').replace(/ requests?$/, '') : perSecond.toFixed(1)} requests/s`;
}

function processLines(process: LoadProcess, isOneOfSeveral: boolean, style: ProfileStyle): string[] {
  const { pid, utilization, cpuShare, delay, gc, heap, active, slices } = process;
  const lines = [
    style.section(isOneOfSeveral ? `Server process ${pid}` : 'Server'),
    style.row([
      `event loop busy ${percent(utilization)}`,
      `${cpuShare.toFixed(2)} processors used`,
      `${active.mean.toFixed(1)} requests at a time on average, ${active.max} at most`,
    ]),
    style.row([
      `event loop delay p50 ${duration(delay.p50)}`,
      `p90 ${duration(delay.p90)}`,
      `p99 ${duration(delay.p99)}`,
      `max ${duration(delay.max)}`,
    ]),
    style.row([
      gc.count === 0
        ? 'no garbage collection'
        : `${count(gc.count, 'garbage collection')}, ${duration(gc.totalMs)} in total, ${duration(gc.maxMs)} at most`,
      `heap ${megabytes(heap.start)} to ${megabytes(heap.max)}`,
      `memory ${megabytes(heap.rss)}`,
    ]),
  ];
  const longest = Math.max(...slices.map((slice) => slice.delay), 0);
  if (slices.length > 1)
    lines.push(
      ...style.code([
        `delay over time     ${sparkline(slices.map((slice) => slice.delay))}  up to ${duration(longest)}`,
        `answers over time   ${sparkline(slices.map(({ requests }) => requests))}  up to ${Math.max(...slices.map(({ requests }) => requests))} in ${duration(sliceMs(process))}`,
      ]),
    );
  return lines;
}

function sliceMs({ slices }: LoadProcess): number {
  return (slices.at(-1)?.at ?? 0) / Math.max(1, slices.length);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / MB)} MB`;
}

/** In eighths of the largest value. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(...values, 0);
  return values.map((value) => BARS[most === 0 ? 0 : Math.min(BARS.length - 1, Math.floor((value / most) * BARS.length))] ?? '').join('');
}

function causeLines(
  { requests, windowMs, blocks, calls, counts, pool, heapKept }: LoadCauses,
  at: (place: SourcePlace) => string,
  style: ProfileStyle,
): string[] {
  const rows: readonly [string, number][] = [
    ['blocking calls', counts.blockingCalls],
    ['threads started', counts.threads],
    ['processes started', counts.processes],
    ['sockets opened', counts.sockets],
    ['outgoing requests', counts.outgoing],
  ];
  const lines = [
    style.section('Causes'),
    style.dim(`  Seen in a second run of the server, monitored in detail for ${count(requests, 'request')} in ${duration(windowMs)}.`),
    style.row(['per request', ...rows.map(([what, n]) => `${what}: ${perRequest(n)}`)]),
  ];
  if (pool)
    lines.push(
      style.row(['wait for the thread pool', `p50 ${duration(pool.p50)}`, `p99 ${duration(pool.p99)}`, `max ${duration(pool.max)}`]),
    );
  if (heapKept)
    lines.push(
      style.row([
        `heap after a collection: ${megabytes(heapKept.before)} before the requests, ${megabytes(heapKept.after)} after them`,
        requests >= MANY_REQUESTS && heapKept.after - heapKept.before >= MB
          ? `${count(Math.round((heapKept.after - heapKept.before) / requests), 'byte')} per request`
          : '',
      ]),
    );
  if (calls.length > 0) {
    lines.push(
      '',
      ...style.table(
        ['blocking call', 'where', 'per request', 'time per request', 'longest'],
        calls
          .slice(0, MOST_PLACES)
          .map(({ name, place, inside, perRequest: n, msPerRequest, maxMs }) => [
            name,
            place || inside ? [place, inside].flatMap((one) => (one ? [at(one)] : [])).join(' in ') : 'Node.js itself',
            perRequest(n),
            duration(msPerRequest),
            duration(maxMs),
          ]),
        [0, 1],
      ),
    );
    if (calls.length > MOST_PLACES) lines.push(style.dim(`  and ${count(calls.length - MOST_PLACES, 'more place')}`));
  }
  const places = byPlace(blocks);
  if (places.length > 0) {
    lines.push('', style.section('Event loop blocks'));
    for (const { longest, others } of places.slice(0, MOST_PLACES))
      lines.push(
        style.row([lengthOf(longest), causeOf(longest), others > 0 ? `and ${count(others, 'shorter one')} at the same location` : '']),
        ...longest.stack.slice(0, MOST_FRAMES).map((frame) => style.dim(`    ${frame.functionName || '(anonymous)'}  ${at(frame)}`)),
      );
    if (places.length > MOST_PLACES) lines.push(style.dim(`  and at ${count(places.length - MOST_PLACES, 'more location')}`));
  }
  return lines;
}

/** `0`, `1`, `2.5`, `one in 40`. */
export function perRequest(n: number): string {
  if (n === 0) return '0';
  if (n < SELDOM) return `one in ${Math.round(1 / n)}`;
  return n >= 10 ? String(Math.round(n)) : String(Number(n.toFixed(2)));
}

/** The longest of each place first, with how many shorter ones there were. */
function byPlace(blocks: readonly LoopBlock[]): { longest: LoopBlock; others: number }[] {
  const found = new Map<string, { longest: LoopBlock; others: number }>();
  for (const block of blocks) {
    const top = block.stack[0];
    const key = JSON.stringify([block.kind, block.endless, block.call, top && [top.file, top.functionName]]);
    const known = found.get(key);
    if (known) known.others += 1;
    else found.set(key, { longest: block, others: 0 });
  }
  return [...found.values()];
}
