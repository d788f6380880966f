// Lints published applications and frameworks with all rules: findings by rule and by 1,000 lines, crashes, unreadable files, time.
// `npm run bench:real [-- --only name] [-- --out findings.json]`; all findings go to .cache/real-code.json for reading.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rules } from '../rules/index.ts';
import { buildCommand, lintFolder, table, type ListedFinding } from './lint-command.ts';
import { fetchPackage, type PackageSpec } from './packages.ts';

const OUT = fileURLToPath(new URL('../.cache/real-code.json', import.meta.url));

/** Servers and the frameworks that they are made of. Several are compiled before they are published; that is code that runs, too. */
const PACKAGES: readonly PackageSpec[] = [
  // Frameworks.
  'express@5.3.0',
  'fastify@5.12.8',
  'koa@3.3.0',
  '@koa/router@15.7.0',
  '@hapi/hapi@21.4.10',
  'restify@12.0.0',
  'sails@1.5.18',
  '@nestjs/core@12.5.1',
  '@feathersjs/express@5.0.50',
  'moleculer@0.15.2',
  'socket.io@4.8.4',
  // Servers to run as they are.
  'http-server@14.1.1',
  'json-server@0.17.4',
  'serve@14.2.7',
  'parse-server@9.10.0',
  'ghost@6.65.0',
  'verdaccio@6.10.4',
  'unleash-server@8.2.0',
  '@directus/api@39.2.1',
  'apostrophe@4.32.2',
  'hexo@8.1.2',
  'pm2@7.0.4',
  '@node-red/runtime@5.0.7',
  '@node-red/nodes@5.0.7',
  '@node-red/editor-api@5.0.7',
  '@strapi/core@5.54.0',
  '@strapi/admin@5.54.0',
  '@strapi/upload@5.54.0',
  'thelounge@4.5.2',
  'mongo-express@1.0.2',
  'n8n@2.41.3',
  'signalk-server@2.32.0',
  'homebridge@2.4.0',
  'prerender@5.21.6',
  'statsd@0.9.0',
  'ep_etherpad-lite@1.8.14',
  'parse-dashboard@9.2.0',
  'cas-server@0.15.2',
  // Databases' drivers.
  'mongoose@9.12.1',
  'sequelize@6.37.8',
  'knex@3.3.0',
];

interface PackageReport {
  package: string;
  files: number;
  lines: number;
  findings: number;
  perThousandLines: number;
  byRule: Record<string, number>;
  crashes: readonly string[];
  unread: readonly string[];
  ms: number;
}

function lintPackage(command: string, spec: PackageSpec): { report: PackageReport; findings: ListedFinding[] } {
  const folder = fetchPackage(spec);
  const result = lintFolder(command, folder);
  const lines = result.files.reduce((sum, file) => sum + linesOf(file), 0);
  const byRule: Record<string, number> = {};
  for (const { ruleId } of result.findings) byRule[ruleId] = (byRule[ruleId] ?? 0) + 1;
  const report: PackageReport = {
    package: spec,
    files: result.files.length,
    lines,
    findings: result.findings.length,
    perThousandLines: round(result.findings.length / (lines / 1000)),
    byRule,
    crashes: result.crashes,
    unread: result.unread,
    ms: Math.round(result.ms),
  };
  const shorten = (file: string): string => join(spec, relative(folder, file));
  const findings = result.findings.map((finding) => ({
    ...finding,
    file: shorten(finding.file),
    related: finding.related.map((place) => ({ ...place, file: shorten(place.file) })),
  }));
  return { report, findings };
}

function linesOf(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length;
}

function round(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0;
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, out: { type: 'string', default: OUT } } });
  const command = await buildCommand();
  const reports: PackageReport[] = [];
  const findings: ListedFinding[] = [];
  for (const spec of PACKAGES) {
    if (values.only && !spec.includes(values.only)) continue;
    try {
      const one = lintPackage(command, spec);
      reports.push(one.report);
      findings.push(...one.findings);
    } catch (error) {
      // A package that the registry will not give must not hide the others; it counts as a failure at the end.
      reports.push({
        package: spec,
        files: 0,
        lines: 0,
        findings: 0,
        perThousandLines: 0,
        byRule: {},
        crashes: [`not linted: ${(error as Error).message}`],
        unread: [],
        ms: 0,
      });
    }
  }
  const ids = [...new Set([...rules.map((rule) => rule.meta.id), ...findings.map((finding) => finding.ruleId)])].sort();
  console.log(
    table(
      ['package', 'files', 'lines', ...ids, 'per 1,000 lines', 'unread', 'crashes', 'ms'],
      reports.map((report) => [
        report.package,
        report.files,
        report.lines,
        ...ids.map((id) => report.byRule[id] ?? 0),
        report.perThousandLines.toFixed(2),
        report.unread.length,
        report.crashes.length,
        report.ms,
      ]),
    ),
  );
  const lines = reports.reduce((sum, report) => sum + report.lines, 0);
  const crashes = reports.flatMap((report) => report.crashes);
  console.log(
    `\n${reports.length} packages, ${reports.reduce((sum, report) => sum + report.files, 0)} files, ${lines} lines, ${findings.length} findings (${round(findings.length / (lines / 1000))} per 1,000 lines), ${crashes.length} crashes`,
  );
  console.log(
    table(
      ['rule', 'findings', 'per 1,000 lines', 'error', 'warning', 'hint'],
      ids.map((id) => {
        const own = findings.filter((finding) => finding.ruleId === id);
        const count = (severity: string): number => own.filter((finding) => finding.severity === severity).length;
        return [id, own.length, round(own.length / (lines / 1000)).toFixed(2), count('error'), count('warning'), count('hint')];
      }),
    ),
  );
  for (const crash of crashes) console.log(crash);
  const out = values.out;
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, `${JSON.stringify({ packages: reports, findings }, null, 1)}\n`);
  console.log(`all findings: ${relative(process.cwd(), out)}`);
  return crashes.length > 0 ? 1 : 0;
}

process.exitCode = await main();
