// `nodometer lag`: runs a program and says how long its event loop stood still, and what held it.
import { measureLag } from '../../profiler/lag.ts';
import { CommandError, Interrupted } from '../../workspace/errors.ts';
import { formatLag } from '../../workspace/formats/lag-text.ts';
import { LAG_HELP } from '../help.ts';
import { EXIT_FINDINGS, EXIT_OK, type ExitCode, type Host } from '../host.ts';
import { oneOf, readOptions } from './lint-arguments.ts';
import { programOf } from './profile-program.ts';
import { findRunNodes } from '../run-nodes.ts';
import { styleOf, writeReport, type OutputArguments } from '../run-output.ts';
import { withSafeValues } from '../safe-output.ts';

const OPTIONS = {
  color: { type: 'boolean' },
  'download-node': { type: 'boolean' },
  format: { type: 'string', short: 'f' },
  help: { type: 'boolean', short: 'h' },
  'no-color': { type: 'boolean' },
  node: { type: 'string' },
  'output-file': { type: 'string', short: 'o' },
  script: { type: 'string' },
  threshold: { type: 'string' },
  time: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
} as const;

const DEFAULT_SECONDS = 10;
/**
 * Our choice, between the limits of Clinic's doctor: a median delay of 10 ms or a maximum of 100 ms (node-clinic-doctor, analyze-delay.js).
 */
const DEFAULT_THRESHOLD_MS = 50;
const MS_PER_S = 1000;

/** Exit codes: 0 no block over the threshold, 1 some, 2 could not be measured. */
export async function lagCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const split = argv.indexOf('--');
  const programArguments = split === -1 ? [] : argv.slice(split + 1);
  const { values, positionals } = readOptions(split === -1 ? argv : argv.slice(0, split), OPTIONS);
  const one = (name: keyof typeof OPTIONS) => values.get(name)?.[0];
  if (values.has('help')) {
    host.stdout.write(LAG_HELP);
    return EXIT_OK;
  }
  const format = oneOf('format', one('format') ?? 'text', ['text', 'json', 'markdown']);
  const [file, ...more] = positionals;
  const script = one('script');
  if ((file === undefined) === (script === undefined))
    throw new CommandError('Specify one program: `nodometer lag server.js -- arguments`, or `--script start`.');
  if (more.length > 0) throw new CommandError(`Put the program's arguments after \`--\`: \`nodometer lag ${file} -- ${more.join(' ')}\`.`);
  const seconds = positive('time', one('time'), DEFAULT_SECONDS);
  const thresholdMs = positive('threshold', one('threshold'), DEFAULT_THRESHOLD_MS);
  const program = programOf({ file, script, programArguments }, host);
  if (
    !values.has('yes') &&
    !(await host.confirm(`This executes \`${program.command}\` for up to ${seconds} s, including its side effects. Continue?`))
  )
    throw new CommandError('Nothing was run. To skip the confirmation, use `--yes`.');
  const given = one('node');
  if (given?.includes(','))
    throw new CommandError('`nodometer lag` measures one Node version at a time. To compare several, use `nodometer profile`.');
  const [node] = await findRunNodes({ requested: given === undefined ? [] : [given], mayDownload: values.has('download-node') }, host);
  if (!node) throw new CommandError('No Node binary was found to run the program.');
  const outcome = await measureLag({
    node,
    target: program.target,
    command: program.command,
    date: new Date().toISOString(),
    measureMs: seconds * MS_PER_S,
    thresholdMs,
    cwd: program.cwd,
    signal: host.signal,
  });
  if (!outcome.ok) {
    if (outcome.aborted) throw new Interrupted(outcome.reason);
    throw new CommandError(outcome.reason);
  }
  const output: OutputArguments = {
    format,
    outputFile: one('output-file'),
    color: values.has('color') ? true : values.has('no-color') ? false : undefined,
  };
  const text =
    format === 'json'
      ? `${JSON.stringify(outcome.report, null, 2)}\n`
      : formatLag(withSafeValues(outcome.report), host.cwd, styleOf(output, host));
  writeReport(text, output, host);
  return outcome.report.blocks.length > 0 ? EXIT_FINDINGS : EXIT_OK;
}

function positive(option: string, given: string | undefined, otherwise: number): number {
  const value = given === undefined ? otherwise : Number(given);
  if (!(value > 0 && Number.isFinite(value))) throw new CommandError(`\`--${option}\` must be a positive number, not \`${given}\`.`);
  return value;
}
