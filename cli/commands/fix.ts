// `nodometer fix <id>`: the first fix of one finding.
import { applyEdits } from '../../analysis/module/edit.ts';
import { SCRIPT_FILE } from '../../analysis/module/parse.ts';
import { titleWithCost, type Finding } from '../../protocol/finding.ts';
import { CommandError } from '../../workspace/errors.ts';
import { agentLine, shellWord } from '../formats/agent-line.ts';
import { pathText } from '../formats/agent.ts';
import { visible } from '../formats/display-text.ts';
import { regionOf } from '../formats/region.ts';
import { FIX_HELP } from '../help.ts';
import { EXIT_OK, type ExitCode, type Host } from '../host.ts';
import { readProjectFindings, type ProjectFindings } from '../project-findings.ts';
import { checkNodeRange, type SetupArguments } from '../run-setup.ts';
import { safeText } from '../safe-output.ts';
import { oneOf, readOptions } from './lint-arguments.ts';

const OPTIONS = {
  'cache-location': { type: 'string' },
  config: { type: 'string', short: 'c' },
  'dry-run': { type: 'boolean' },
  format: { type: 'string', short: 'f' },
  help: { type: 'boolean', short: 'h' },
  'no-cache': { type: 'boolean' },
  'no-config': { type: 'boolean' },
  node: { type: 'string' },
} as const;

export async function fixCommand(argv: readonly string[], host: Host): Promise<ExitCode> {
  const { values, positionals } = readOptions(argv, OPTIONS);
  if (values.has('help')) {
    host.stdout.write(FIX_HELP);
    return EXIT_OK;
  }
  const [id, ...others] = positionals;
  if (id === undefined) throw new CommandError('`fix` requires the ID of a finding. To list them, run `nodometer lint --format agent`.');
  if (others.length > 0) throw new CommandError(`\`fix\` takes one ID, not ${positionals.length}.`);
  const format = oneOf('format', values.get('format')?.[0] ?? 'text', ['text', 'agent']);
  const isDry = values.has('dry-run');
  const node = values.get('node')?.[0];
  checkNodeRange(node);
  const findings = await readProjectFindings(
    {
      ...setupArguments(),
      configFile: values.get('config')?.[0],
      useConfig: !values.has('no-config'),
      useCache: !values.has('no-cache'),
      cacheLocation: values.get('cache-location')?.[0],
      nodeRange: node,
    },
    host,
    isDry,
  );
  const finding = findings.find(id);
  if (!finding)
    throw new CommandError(
      `No finding has the ID \`${id}\` now: it is fixed, or its code has changed. To list the findings, run \`nodometer lint --format agent\`.`,
    );
  host.stdout.write(safeText(await makeFix(finding, findings, format, isDry, host), false));
  return EXIT_OK;
}

/** As `nodometer lint --format agent` reads the project. */
export function setupArguments(): SetupArguments {
  return {
    severities: new Map(),
    useConfig: true,
    useProject: true,
    useCache: true,
    ignores: [],
    useIgnoreFiles: true,
    progress: true,
    exports: 'in-libraries',
  };
}

async function makeFix(
  { file, span, ruleId, fixes, refused }: Finding,
  { run }: ProjectFindings,
  format: 'text' | 'agent',
  isDry: boolean,
  host: Host,
): Promise<string> {
  const fix = fixes.find(({ edits }) => edits.length > 0);
  const source = run.sources.get(file);
  const { line, column } = regionOf(source, span);
  const place = `${pathText(file, host.cwd)}:${line}:${column}`;
  if (!fix || !source) {
    const why = refused.map(({ title, reason }) => ` ${title}: ${reason}.`).join('');
    throw new CommandError(`There is no fix for ${ruleId} at ${visible(place)}.${visible(why)}`);
  }
  const after = applyEdits(source.text, fix.edits);
  const damage = await findDamage(file, source.text, after, host);
  if (damage !== undefined) throw new CommandError(`Nothing was changed: ${damage} ("${visible(fix.title)}").`);
  const kept = run.keepFixed(file, source.text, { text: after, made: 1, rejected: [] });
  // `keepFixed` has said why.
  if (kept !== after) throw new CommandError('Nothing was changed.');
  const did = isDry ? 'would fix' : 'fixed';
  if (format === 'text') return `${visible(`${did} ${place} (${ruleId}): ${titleWithCost(fix)}`)}\n`;
  const word = shellWord(`${pathText(file, host.cwd)}:${line}`);
  return [
    agentLine(`${did} ${place} ${ruleId}`, `${fix.kind}: ${titleWithCost(fix)}`),
    agentLine(
      isDry ? 'done: nothing was changed' : 'done: 1 fix made',
      isDry || word === undefined || !SCRIPT_FILE.test(file) ? undefined : `compare: nodometer compare --base HEAD ${word}`,
    ),
  ].join('');
}

async function findDamage(file: string, before: string, after: string, host: Host): Promise<string | undefined> {
  if (SCRIPT_FILE.test(file)) return (await host.loadFixCheck())(file, before, after);
  const { isBroken } = await import('../../workspace/discovery/deployment-syntax.ts');
  return isBroken(file, after) && !isBroken(file, before) ? 'the result could not be parsed' : undefined;
}
