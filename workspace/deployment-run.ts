// The files that say how a program is started, project by project: read, passed to the rules, fixed.
import { dirname, sep } from 'node:path';
import type { Finding } from '../protocol/finding.ts';
import type { DeploymentFile, DeploymentProject } from '../protocol/project.ts';
import { lintDeployment } from '../analysis/run/run.ts';
import type { RuleSettings } from '../analysis/run/rule-settings.ts';
import type { Discovery, FoundDeploymentFile } from './discovery/discover.ts';
import { MAX_PASSES, fixText } from './fix.ts';
import { findRepositoryRoot } from './discovery/git-ignore.ts';
import type { LintRun } from './lint-run.ts';
import { SharedLimit } from './shared-limit.ts';
import { inTwoTries } from './second-try.ts';
import { FILE_LIMIT_MS, TookTooLong, withinTimeUnlessStopped } from './time-limit.ts';
import type { ProjectFinder } from './project.ts';

/** For the projects that take long, together, in ms: six that are ended at their own limits. Our choice. */
const ALL_LIMIT_MS = 60_000;
/** What the deployment files of every project may take, also after that, in ms. Our choice. */
const OWN_MS = 100;

export interface DeploymentRequest {
  run: LintRun;
  discovery: Discovery;
  /** The deployment files of a folder of which only a part was asked for. */
  discoverIn(folder: string): Promise<readonly FoundDeploymentFile[]>;
}

/** Number of files looked at. */
export async function runDeployment({ run, discovery, discoverIn }: DeploymentRequest): Promise<number> {
  const { request } = run;
  if (!request.rules.some((rule) => rule.checkDeployment)) return 0;
  const named = new Set(discovery.deployment.map((file) => file.path));
  const { projects } = request;
  const byRoot = groupByRoot(discovery.deployment, projects);
  const time = new SharedLimit(ALL_LIMIT_MS);
  for (const [root, found] of byRoot) {
    await run.breathe(0, byRoot.size, root);
    const config = await request.configs.forFolder(root);
    await request.settings.prepare(config);
    // What a Dockerfile leaves out may stand in the compose file beside it, so a project is always read whole.
    const all = discovery.folders.has(root) ? found : mergeByPath(found, groupByRoot(await discoverIn(root), projects).get(root) ?? []);
    const info = run.projectOf(root, config);
    const settings = request.settings.forFile(`${root}${sep}package.json`, config);
    const files = all.flatMap(({ path, kind }): DeploymentFile[] => {
      const text = run.readText(path);
      return text === undefined ? [] : [{ path, kind, text }];
    });
    const around = files.some(({ kind }) => kind === 'dockerfile')
      ? await manifestsAround(root, projects, async (above) =>
          discovery.folders.has(above) ? discovery.deployment : await discoverIn(above),
        )
      : [];
    const aroundFiles = around.flatMap(({ path, kind }): DeploymentFile[] => {
      const text = run.readText(path);
      return text === undefined ? [] : [{ path, kind, text }];
    });
    // A signal that comes just before work with a limit is lost.
    await request.turns.turn();
    let isReported = false;
    const check = (changed: ReadonlyMap<string, string>): Checked => {
      const look = (stretch: number): Checked => {
        const limit = Math.ceil(time.limitFor(OWN_MS, FILE_LIMIT_MS) * stretch);
        return withinTimeUnlessStopped(() => lintProject({ root, info, files, around: aroundFiles, changed, settings, run }), limit);
      };
      try {
        return inTwoTries(look, (ms) => time.took(OWN_MS, ms));
      } catch (error) {
        if (!(error instanceof TookTooLong)) throw error;
        const why = time.isUsedUp ? `the limit for all slow projects together (${time.total / 1000} s) was used up` : error.message;
        if (!isReported) request.warn(`The deployment files of ${run.shown(root)} were not read: ${why}.`);
        isReported = true;
        return { findings: [], crashes: [] };
      }
    };
    const fixed = request.fix ? await fixProject(run, files, named, check) : new Map<string, string>();
    for (const path of fixed.keys()) relint(run, path, discovery);
    const { findings, crashes } = check(fixed);
    run.crashes.push(...crashes);
    for (const file of files) {
      const own = named.has(file.path) ? findings.filter((finding) => finding.file === file.path) : [];
      const at = request.configs.known(dirname(file.path));
      await request.settings.prepare(at);
      const fileSettings = request.settings.forFile(file.path, at);
      run.addFindings(
        file.path,
        fixed.get(file.path) ?? file.text,
        own.filter((finding) => fileSettings[finding.ruleId]?.severity !== 'off'),
      );
    }
  }
  return named.size;
}

/** Files by the folder of their package.json; without one, by their repository or their own folder. */
export function groupByRoot(files: readonly FoundDeploymentFile[], projects: ProjectFinder): Map<string, FoundDeploymentFile[]> {
  const groups = new Map<string, FoundDeploymentFile[]>();
  for (const file of files) {
    const root = deploymentRootOf(file.path, projects);
    const group = groups.get(root);
    if (group) group.push(file);
    else groups.set(root, [file]);
  }
  return groups;
}

/** The folder of the project that a deployment file belongs to. */
export function deploymentRootOf(path: string, projects: ProjectFinder): string {
  const folder = dirname(path);
  return projects.findRoot(folder) ?? findRepositoryRoot(folder) ?? folder;
}

/**
 * Manifests elsewhere in the outermost project that a project lies in: the charts of a monorepo, which may be a package of their own, start
 * the images of its packages.
 */
export async function manifestsAround(
  root: string,
  projects: ProjectFinder,
  filesBelow: (folder: string) => Promise<readonly FoundDeploymentFile[]>,
): Promise<FoundDeploymentFile[]> {
  let outermost: string | undefined;
  for (let at = projects.findRoot(dirname(root)), i = 0; at !== undefined && i < MOST_AROUND; at = projects.findRoot(dirname(at)), i++)
    outermost = at;
  if (outermost === undefined) return [];
  const above = `${outermost}${sep}`;
  return (await filesBelow(outermost)).filter(
    ({ path, kind }) => kind === 'kubernetes' && path.startsWith(above) && deploymentRootOf(path, projects) !== root,
  );
}

// A package lies in a workspace, which lies in a repository.
const MOST_AROUND = 3;

function mergeByPath(a: readonly FoundDeploymentFile[], b: readonly FoundDeploymentFile[]): FoundDeploymentFile[] {
  return [...new Map([...a, ...b].map((file) => [file.path, file])).values()].sort((x, y) => (x.path < y.path ? -1 : 1));
}

type Checked = ReturnType<typeof lintProject>;

interface ProjectCheck extends Omit<DeploymentProject, 'readText'> {
  changed: ReadonlyMap<string, string>;
  settings: RuleSettings;
  run: LintRun;
}

function lintProject({ root, info, files, around, changed, settings, run }: ProjectCheck) {
  const project: DeploymentProject = {
    root,
    info,
    around,
    files: files.map((file) => ({ ...file, text: changed.get(file.path) ?? file.text })),
    readText: (path) => changed.get(path) ?? run.readText(path),
  };
  return lintDeployment(project, run.request.rules, settings);
}

type Check = (changed: ReadonlyMap<string, string>) => { findings: readonly Finding[] };

/** Fixes one file after the other, each with the others as they then stand. */
async function fixProject(
  run: LintRun,
  files: readonly DeploymentFile[],
  named: ReadonlySet<string>,
  check: Check,
): Promise<Map<string, string>> {
  const changed = new Map<string, string>();
  const { fix } = run.request;
  if (!fix) return changed;
  const { isBroken } = await import('./discovery/deployment-syntax.ts');
  // A fix in one file may call for one in another; more rounds than this mean that they undo each other.
  for (let round = 0; round < MAX_PASSES; round++) {
    const fixable = new Set(
      check(changed)
        .findings.filter((finding) => finding.fixes.length > 0 && named.has(finding.file))
        .map((finding) => finding.file),
    );
    let any = false;
    for (const { path, text: original } of files.filter((file) => fixable.has(file.path))) {
      const before = changed.get(path) ?? original;
      const outcome = fixText({
        text: before,
        allowed: fix,
        named: run.request.namedFixes,
        lint: (text) => check(new Map([...changed, [path, text]])).findings.filter((finding) => finding.file === path),
        findDamage: (was, is) => (isBroken(path, is) && !isBroken(path, was) ? 'the result could not be parsed' : undefined),
      });
      const after = run.keepFixed(path, before, outcome);
      if (after === before) continue;
      changed.set(path, after);
      any = true;
    }
    if (!any) break;
  }
  return changed;
}

/** A PM2 file is a module too: what was found in it before it was fixed no longer stands where it stood. */
function relint(run: LintRun, path: string, discovery: Discovery): void {
  if (!run.hasFindings(path) || !discovery.scripts.some((file) => file.path === path)) return;
  const text = run.readText(path);
  if (text === undefined) return;
  run.relint(path, text);
}
