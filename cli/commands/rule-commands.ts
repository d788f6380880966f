// `nodometer explain <rule>` and `nodometer rules`.
import pc from 'picocolors';
import type { AnyRule, OptionSpec } from '../../analysis/rule.ts';
import { didYouMean } from '../../workspace/config/closest-name.ts';
import { EXPLAIN_HELP, RULES_HELP } from '../help.ts';
import { CommandError } from '../../workspace/errors.ts';
import { EXIT_OK, type ExitCode, type Host } from '../host.ts';
import { oneOf, readOptions } from './lint-arguments.ts';
import { renderMarkdown, renderTable } from '../markdown-terminal.ts';
import { hasColors } from '../terminal.ts';

const OPTIONS = {
  color: { type: 'boolean' },
  format: { type: 'string', short: 'f' },
  help: { type: 'boolean', short: 'h' },
  'no-color': { type: 'boolean' },
} as const;

interface Arguments {
  positionals: readonly string[];
  json: boolean;
  help: boolean;
  color?: boolean;
}

function readArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = readOptions(argv, OPTIONS);
  return {
    positionals,
    json: oneOf('format', values.get('format')?.[0] ?? 'text', ['text', 'json']) === 'json',
    help: values.has('help'),
    color: values.has('color') ? true : values.has('no-color') ? false : undefined,
  };
}

export async function explainCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const { positionals, json, help, color } = readArguments(argv);
  if (help) {
    host.stdout.write(EXPLAIN_HELP);
    return EXIT_OK;
  }
  const rules = await host.loadRules();
  const [id, ...others] = positionals;
  if (id === undefined) throw new CommandError('`explain` requires a rule ID. Run `nodometer rules` to list all rules.');
  if (others.length > 0) throw new CommandError(`\`explain\` takes one rule ID, not ${positionals.length}.`);
  const rule = rules.find((one) => one.meta.id === id);
  if (!rule)
    throw new CommandError(
      `Unknown rule \`${id}\`.${
        didYouMean(
          id,
          rules.map((one) => one.meta.id),
        ) || ' Run `nodometer rules` to list all rules.'
      }`,
    );
  const doc = host.findRuleDoc(id);
  if (json) {
    host.stdout.write(
      `${JSON.stringify({ ...describeRule(rule), messages: rule.meta.messages, options: rule.meta.options, confirmedBy: rule.meta.confirmedBy, documentation: doc ?? null }, undefined, 2)}\n`,
    );
    return EXIT_OK;
  }
  const colors = pc.createColors(hasColors(host, host.stdout, color));
  const columns = host.stdout.isTTY ? host.stdout.columns : undefined;
  const { meta } = rule;
  const facts = `*${meta.severity} by default; group ${meta.group}; ${meta.proof}; ${meta.nodeRange === '*' ? 'any Node' : `Node ${meta.nodeRange}`}; fix: ${meta.fix}*`;
  const text = doc === undefined ? `# ${id}\n\n${facts}\n\n${plainDoc(rule)}` : doc.replace(/^(# .*\n)/, `$1\n${facts}\n`);
  host.stdout.write(renderMarkdown(text, { colors, columns }));
  return EXIT_OK;
}

/** For a rule without a README: what its metadata says. */
function plainDoc({ meta }: AnyRule): string {
  const messages = Object.values(meta.messages).map(({ what, why, remedy }) => `- ${what} ${why} ${remedy}`);
  const options = Object.entries(meta.options as Readonly<Record<string, OptionSpec>>).map(
    ([name, spec]) => `- \`${name}\`: ${spec.description} Default: \`${JSON.stringify(spec.default)}\`.`,
  );
  return [`${meta.summary}.`, '## Messages', ...messages, ...(options.length > 0 ? ['## Options', ...options] : [])].join('\n\n');
}

export async function rulesCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const { positionals, json, help, color } = readArguments(argv);
  if (help) {
    host.stdout.write(RULES_HELP);
    return EXIT_OK;
  }
  if (positionals.length > 0)
    throw new CommandError(`\`rules\` does not take arguments. To read about a rule, run: nodometer explain ${positionals[0]}`);
  const rules = await host.loadRules();
  const rows = rules.map(describeRule);
  if (json) {
    host.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
    return EXIT_OK;
  }
  const colors = pc.createColors(hasColors(host, host.stdout, color));
  const table = [
    ['Rule', 'Group', 'Severity', 'Fix', 'Node', 'Finds'],
    ...rows.map((row) => [row.id, row.group, row.severity, row.fix, row.nodeRange === '*' ? 'any' : row.nodeRange, row.summary]),
  ];
  host.stdout.write(`${renderTable(table, colors).join('\n')}\n`);
  return EXIT_OK;
}

function describeRule({ meta }: AnyRule) {
  const { id, group, severity, fix, nodeRange, proof, summary } = meta;
  return { id, group, severity, fix, nodeRange, proof, summary };
}
