// The report of a route under load: answers and latencies, the event loop over time, causes.
import type { SourcePlace } from '../../protocol/evidence.ts';
import type { LoadCall, LoadCauses, LoadProcess, LoadReport } from '../../protocol/load.ts';
import type { Translate } from '../translate.ts';
import { amount, bytes, delayTime, milliseconds, percent } from './figures.ts';
import { blockTable, footer } from './report-model.ts';
import type { PageWords } from './report-panel.ts';
import { asRequest, cutText, MOST_ROWS, type Cell, type ReportModel, type Section } from './report-parts.ts';
import { latencyPicture, slicesPicture } from './report-pictures.ts';

export interface LoadModelRequest extends PageWords {
  report: LoadReport;
}

/** Less often than this is told as once in so many. */
const SELDOM = 0.1;

export function loadModel({ report, ...words }: LoadModelRequest): ReportModel {
  const { t } = words;
  const { command, request, connections, traffic, causes, isMachineBusy } = report;
  const problems = problemSections(report, t);
  return {
    title: t('{0} under load', `${request.method} ${request.path}`),
    figures: report.noResult === undefined ? figures(report, t) : [],
    sections: [
      // Whoever reads figures of a busy machine must know.
      ...(isMachineBusy ? problems : []),
      ...resultSections(report, t),
      ...report.processes.map((process) => processSection(process, report.processes.length > 1, t)),
      ...(causes ? causeSections(report, causes, words) : []),
      ...(isMachineBusy ? [] : problems),
      ...requestSections(report, words),
    ],
    footer: [command, t('{0} connections', connections), t('monitored for {0}', milliseconds(traffic.windowMs)), ...footer(report, words)],
  };
}

function problemSections({ problems }: LoadReport, t: Translate): Section[] {
  if (problems.length === 0) return [];
  const rows = problems.map((text) => [{ text }]);
  return [{ id: 'problems', title: t('Limitations'), table: { columns: [{ title: t('Problem') }], rows } }];
}

/** Where it came from, unless the user typed it. */
function requestSections({ source }: LoadReport, { pathOf, t }: PageWords): Section[] {
  if (!source) return [];
  const { file, line, operation, parts, madeUp, hasHosts } = source;
  const listed = parts.join(', ');
  const sentences = [
    operation === undefined
      ? t('From the comment at {0}: {1}.', `${pathOf(file)}:${line ?? 1}`, listed)
      : t('From {0} in {1}: {2}.', operation, pathOf(file), listed),
    ...(madeUp.length > 0 ? [t('Made up from types: {0}.', madeUp.join(', '))] : []),
    ...(hasHosts ? [t('The hosts that the file names are not used.')] : []),
  ];
  return [{ id: 'request', title: t('Request'), text: sentences.join(' ') }];
}

function figures({ traffic, limit, processes }: LoadReport, t: Translate): ReportModel['figures'] {
  const of = (wanted: number): string | undefined => {
    const found = traffic.latency.percentiles.find(({ percent: one }) => one === wanted);
    return found && milliseconds(found.ms);
  };
  const [p50, p99] = [of(50), of(99)];
  const busy = Math.max(...processes.map(({ utilization }) => utilization));
  return [
    {
      label: t('requests/s'),
      value: limit === 'generator' || limit === 'both' ? t('at least {0}', amount(traffic.perSecond)) : amount(traffic.perSecond),
    },
    ...(p50 === undefined ? [] : [{ label: 'p50', value: p50 }]),
    ...(p99 === undefined ? [] : [{ label: 'p99', value: p99 }]),
    ...(processes.length === 0 ? [] : [{ label: t('event loop busy'), value: percent(busy) }]),
    { label: t('errors'), value: percent(traffic.errorShare) },
  ];
}

function resultSections({ traffic, limit, noResult, isMachineBusy, generator }: LoadReport, t: Translate): Section[] {
  if (noResult !== undefined) return [{ id: 'latency', title: t('No result'), text: noResult }];
  const limits = {
    server: t('The server was the limit: its event loop was busy at least 90 % of the time.'),
    generator: t(
      'The load generator was the limit (its event loop was busy {0} of the time), so the server can do more.',
      percent(generator.utilization),
    ),
    both: t(
      'Server and load generator were both busy (the generator {0} of the time), so the server may be able to do more.',
      percent(generator.utilization),
    ),
    waiting: t(
      'Neither the server nor the load generator was busy 90 % of the time: the requests waited for something else. More connections may get more answers.',
    ),
    rate: t('The server kept up with the rate.'),
  };
  // On a busy machine an event loop is also busy while it waits for a processor, which is said elsewhere.
  const isKnown = limit !== undefined && (limit === 'rate' || !isMachineBusy);
  const text = isKnown ? limits[limit] : undefined;
  return [
    {
      id: 'latency',
      title: t('Latency'),
      ...(text === undefined ? {} : { text }),
      pictures: [latencyPicture(traffic.latency, t)],
    },
  ];
}

function processSection(process: LoadProcess, isOneOfSeveral: boolean, t: Translate): Section {
  const { pid, utilization, cpuShare, delay, gc, heap, active, slices } = process;
  const sentences = [
    t(
      'Its event loop was busy {0} of the time, and it used {1} processors. It had {2} requests at a time on average, {3} at most.',
      percent(utilization),
      cpuShare.toFixed(2),
      active.mean.toFixed(1),
      active.max,
    ),
    t('Event loop delay: p50 {0}, p99 {1}, {2} at most.', delayTime(delay.p50), delayTime(delay.p99), delayTime(delay.max)),
    gc.count === 0
      ? t('No garbage collection.')
      : t('Garbage collections: {0}, {1} in total, {2} at most.', amount(gc.count), milliseconds(gc.totalMs), milliseconds(gc.maxMs)),
    t('Heap: {0} at first, {1} at most.', bytes(heap.start), bytes(heap.max)),
  ];
  return {
    id: `server-${pid}`,
    title: isOneOfSeveral ? t('Server process {0}', pid) : t('Server'),
    text: sentences.join(' '),
    ...(slices.length > 1 ? { pictures: [slicesPicture(slices, t)] } : {}),
  };
}

function causeSections(report: LoadReport, causes: LoadCauses, words: PageWords): Section[] {
  const { t } = words;
  const { counts, calls, blocks, pool, requests, windowMs } = causes;
  const seen = t(
    'Seen in a second run of the server, monitored in detail for {0} requests in {1}.',
    amount(requests),
    milliseconds(windowMs),
  );
  const rows: readonly [string, number][] = [
    [t('blocking calls'), counts.blockingCalls],
    [t('threads started'), counts.threads],
    [t('processes started'), counts.processes],
    [t('sockets opened'), counts.sockets],
    [t('outgoing requests'), counts.outgoing],
  ];
  const waits = pool
    ? [t('An empty job waited for the thread pool: p50 {0}, p99 {1}, {2} at most.', ...[pool.p50, pool.p99, pool.max].map(milliseconds))]
    : [];
  const cut = cutText(calls.length, t).text;
  return [
    {
      id: 'per-request',
      title: t('Per request'),
      text: [seen, ...waits].join(' '),
      table: {
        columns: [{ title: t('What') }, { title: t('Per request'), isFigure: true }],
        rows: rows.map(([what, n]) => [{ text: what }, { text: perRequest(n, t), isFigure: true }]),
      },
    },
    ...(calls.length === 0
      ? []
      : [
          {
            id: 'calls',
            title: t('Blocking calls'),
            ...(cut === undefined ? {} : { text: cut }),
            table: {
              columns: [
                { title: t('Call') },
                { title: t('Location') },
                { title: t('Per request'), isFigure: true },
                { title: t('Time per request'), isFigure: true },
                { title: t('Longest'), isFigure: true },
              ],
              rows: calls.slice(0, MOST_ROWS).map((call) => callRow(call, words)),
            },
          },
        ]),
    ...(blocks.length === 0 ? [] : [{ id: 'blocks', title: t('Longest blocks'), table: blockTable(blocks, asRequest(report, words)) }]),
  ];
}

function callRow({ name, place, inside, perRequest: n, msPerRequest, maxMs }: LoadCall, { pathOf, t }: PageWords): Cell[] {
  const text = (one: SourcePlace): string => `${pathOf(one.file)}:${one.line}:${one.column}`;
  const at = place ?? inside;
  return [
    { text: name, isCode: true },
    at ? { text: text(at), place: at, ...(place && inside ? { details: [t('in {0}', text(inside))] } : {}) } : { text: 'Node.js' },
    { text: perRequest(n, t), isFigure: true },
    { text: milliseconds(msPerRequest), isFigure: true },
    { text: milliseconds(maxMs), isFigure: true },
  ];
}

/** `0`, `1`, `2.5`, `one in 40`. */
function perRequest(n: number, t: Translate): string {
  if (n === 0) return '0';
  if (n < SELDOM) return t('one in {0}', amount(Math.round(1 / n)));
  return n >= 10 ? amount(n) : String(Number(n.toFixed(2)));
}
