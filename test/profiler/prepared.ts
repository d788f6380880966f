// A function of a file on the disk, made ready as the terminal does it, and profiled on a Node.
import { dirname } from 'node:path';
import { isBenignDeopt } from '../../knowledge/deopt-reasons.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import type { RunKind } from '../../profiler/plan/plan.ts';
import { profileFunction, type ProfileOutcome } from '../../profiler/profile.ts';
import { rules } from '../../rules/index.ts';
import { ConfigFinder } from '../../workspace/config/config-finder.ts';
import {
  isUserFile,
  prepareTarget,
  type PreparedTarget,
  type TargetOutcome,
  type TargetRequest,
} from '../../workspace/profile/profile-target.ts';
import { ProjectPaths } from '../../workspace/project-index/project-paths.ts';
import { ProjectFinder } from '../../workspace/project.ts';
import { SettingsResolver } from '../../workspace/config/rule-settings.ts';

const NOW = '2026-01-01T00:00:00Z';

export async function prepared(file: string, at: TargetRequest['at']): Promise<TargetOutcome> {
  const folder = dirname(file);
  const configs = new ConfigFinder({ search: true, cwd: folder, rules, warn: () => undefined });
  const config = await configs.forFolder(folder);
  const settings = new SettingsResolver(rules, new Map());
  await settings.prepare(config);
  const problems: string[] = [];
  const projects = new ProjectFinder({ runningNode: process.versions.node, warn: (message) => problems.push(message) });
  const project = projects.infoFor(folder);
  const paths = new ProjectPaths({
    rules,
    configs,
    settings,
    projects,
    platform: process.platform,
    now: () => performance.now(),
    signal: new AbortController().signal,
  });
  const lookup = await paths.lookupFor(file);
  const inCode = await paths.callsOf(file, at);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return prepareTarget({ file, at, rules, settings: settings.forFile(file, config), project, lookup, inCode });
}

export function profiled(
  { target, text, calls, program, loading, clocked, retained, format, hypotheses, without, scaled }: PreparedTarget,
  node: NodeBinary,
  budgetMs: number,
  runs?: ReadonlySet<RunKind>,
): Promise<ProfileOutcome> {
  return profileFunction({
    node,
    target,
    text,
    calls,
    program,
    loading,
    clocked,
    retained,
    format,
    hypotheses,
    without,
    scaled,
    budgetMs,
    runs,
    date: NOW,
    isUserFile,
    isBenign: isBenignDeopt,
  });
}
