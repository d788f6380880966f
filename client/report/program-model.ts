// The report of a whole program: a file or an npm script with all Node processes that it started.
import type { CpuShares, ProfileReport } from '../../protocol/evidence.ts';
import type { ReasonWords } from '../../protocol/editor.ts';
import { amount, milliseconds, percent } from './figures.ts';
import { flame } from './flame-section.ts';
import { blocking, cpuProfile, eventLoop, exceptions, footer, problems, verdictsAndSeen } from './report-model.ts';
import { placeCell, type Cell, type ModelRequest, type ReportModel, type Section } from './report-parts.ts';
import { shapes, tiers } from './v8-sections.ts';
import type { PageWords } from './report-panel.ts';

export interface ProgramModelRequest extends PageWords {
  report: ProfileReport;
  reasons: Readonly<Record<string, ReasonWords>>;
}

/** Less of the processor's time is not worth a row. */
const LEAST_SHARE = 0.01;
const MOST_ROWS = 20;

export function programModel({ report, reasons, ...words }: ProgramModelRequest): ReportModel {
  const request: ModelRequest = { profiled: { report, reasons }, before: [], lineCount: Infinity, ...words };
  const { t } = words;
  const sections = [verdictsAndSeen, cpu, blocking, exceptions, eventLoop, problems, flame, tiers, shapes, aside, cpuProfile].flatMap(
    (section) => section(request),
  );
  return {
    title: report.program?.command ?? t('The program'),
    figures: figures(request),
    sections,
    footer: [...ranText(request), ...footer(report, words)],
  };
}

function figures({ profiled: { report }, t }: ModelRequest): ReportModel['figures'] {
  const { program, blocks } = report;
  const longest = Math.max(0, ...blocks.map(({ duration }) => duration));
  return [
    ...(program?.cpu
      ? [
          { label: t('CPU time in your code'), value: percent(program.cpu.user) },
          { label: t('CPU time in packages'), value: percent(program.cpu.packages) },
        ]
      : []),
    ...(longest > 0
      ? [
          {
            label: t('longest block'),
            value: blocks.some(({ endless }) => endless) ? t('not finished after {0}', milliseconds(longest)) : milliseconds(longest),
          },
        ]
      : []),
  ];
}

function ranText({
  profiled: {
    report: { program },
  },
  t,
}: ModelRequest): string[] {
  if (!program) return [];
  const { files, processes, exitCode } = program;
  return [
    files.length === 1 ? t('1 of your files ran') : t('{0} of your files ran', files.length),
    ...(processes > 1 ? [t('{0} Node processes', processes)] : []),
    exitCode === null ? t('stopped by Nodometer') : t('exit code {0}', exitCode),
  ];
}

function cpu(request: ModelRequest): Section[] {
  const {
    profiled: {
      report: { program },
    },
    t,
  } = request;
  const shares = program?.cpu;
  if (!shares) return [];
  const rows = shares.functions
    .filter(({ self, total }) => self >= LEAST_SHARE || total >= LEAST_SHARE)
    .slice(0, MOST_ROWS)
    .map(({ functionName, place, self, total }): Cell[] => [
      { text: functionName || (place.line === 1 && place.column === 1 ? t('(top level)') : t('(anonymous)')), isCode: functionName !== '' },
      placeCell(place, request),
      { text: percent(self), isFigure: true },
      { text: percent(total), isFigure: true },
    ]);
  const columns = [
    { title: t('Function') },
    { title: t('Location') },
    { title: t('Self'), isFigure: true },
    { title: t('Total'), isFigure: true },
  ];
  return [
    {
      id: 'cpu',
      title: t('CPU time'),
      text: cpuText(shares, request),
      ...(rows.length > 0 ? { table: { columns, rows } } : {}),
    },
  ];
}

function cpuText({ busyMs, user, packages, core, gc, byPackage }: CpuShares, { t }: ModelRequest): string {
  const named = byPackage
    .filter(({ self }) => self >= LEAST_SHARE)
    .map(({ name, self }) => `${name} ${percent(self)}`)
    .join(', ');
  const all = t(
    '{0} of CPU time: your code {1}, packages {2}, Node internals {3}, garbage collection {4}.',
    milliseconds(busyMs),
    percent(user),
    percent(packages),
    percent(core),
    percent(gc),
  );
  return named === '' ? all : `${all} ${t('Packages: {0}.', named)}`;
}

/** What is counted and not listed. */
function aside({
  profiled: {
    report: { program },
  },
  t,
}: ModelRequest): Section[] {
  if (!program) return [];
  const {
    monomorphic,
    aside: { packageDeopts, coreDeopts },
  } = program;
  return [
    {
      id: 'aside',
      title: t('Not shown'),
      text: t(
        '{0} monomorphic property accesses in your code; {1} deoptimizations in packages and {2} in Node internals.',
        amount(monomorphic),
        amount(packageDeopts),
        amount(coreDeopts),
      ),
    },
  ];
}
