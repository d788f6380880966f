// Whether the linter reports the findings of the cases at all, at their lines: `tsx bench/truth/check-findings.ts [part of a name]`.
import { lintCommand } from '../../cli/commands/lint.ts';
import { lineOf } from './case.ts';
import { cases } from './cases/index.ts';
import { hostFor } from './host.ts';
import { inFolder } from './run-check.ts';

interface Reported {
  file: string;
  line: number;
  ruleId: string;
  messageId: string;
}

const [only = ''] = process.argv.slice(2);
let looked = 0;
let missing = 0;
for (const one of cases.filter(({ name }) => name.includes(only))) {
  const { finding, target, name } = one;
  looked += 1;
  await inFolder(one.files, async (folder) => {
    const { host, kept } = hostFor(folder);
    await lintCommand(['.', '--format', 'json', '--exit-zero'], host);
    const reported = JSON.parse(kept.out) as Reported[];
    const file = finding.file ?? target.file;
    const line = lineOf(one);
    const isThere = reported.some(
      (found) =>
        found.ruleId === finding.ruleId && found.messageId === finding.messageId && found.line === line && found.file.endsWith(file),
    );
    if (isThere) return;
    missing += 1;
    const others = reported.map((found) => `${found.ruleId} ${found.messageId} ${found.file}:${found.line}`);
    console.log(
      `${finding.ruleId} ${finding.messageId} ${file}:${line} is not reported: ${name}. Reported: ${others.join(', ') || 'nothing'}`,
    );
  });
}
console.log(`${looked} cases, ${missing} without their finding.`);
process.exitCode = missing > 0 ? 1 : 0;
