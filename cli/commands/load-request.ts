// What `nodometer load` and `nodometer compare --load` ask the server for: what was typed, and for the rest comments and OpenAPI files.
import { dirname, relative, resolve } from 'node:path';
import type { ProgramRequest } from '../../protocol/evidence.ts';
import type { RequestOrigin } from '../../protocol/load.ts';
import { ConfigFinder } from '../../workspace/config/config-finder.ts';
import { settingsWith } from '../../workspace/config/rule-settings.ts';
import { CommandError, ConfigError } from '../../workspace/errors.ts';
import type { LintRun } from '../../workspace/lint-run.ts';
import { loadRequestOf, typedRequestOf } from '../../workspace/load/load-request.ts';
import { handledRoutes, hasRequestComments } from '../../workspace/load/project-routes.ts';
import { factsIn } from '../../workspace/project-index/project-calls.ts';
import { ProjectPaths } from '../../workspace/project-index/project-paths.ts';
import { findProjectRoot } from '../../workspace/project-index/project-root.ts';
import { ProjectFinder } from '../../workspace/project.ts';
import type { Host } from '../host.ts';
import type { LoadArguments } from './load-arguments.ts';

export interface AskedRequest extends RequestOrigin {
  request: ProgramRequest;
}

const DEFAULT_PARTS = { method: 'GET', path: '/', headers: {} };

/**
 * Undefined where the user said nothing of a request. Throws where it has parameters that nothing fills.
 * @param program absolute: the file that is started, or the package.json of its script
 */
export async function askedRequest(args: LoadArguments, program: string, host: Host): Promise<AskedRequest | undefined> {
  const { parts, body, openApi } = args;
  if (!parts && openApi === undefined) return undefined;
  const projects = new ProjectFinder({ runningNode: host.nodeVersion, warn: () => undefined });
  const folder = dirname(program);
  const [own, whole] = [projects.findRoot(folder) ?? folder, findProjectRoot(folder) ?? folder];
  let run: LintRun | undefined;
  const problems: string[] = [];
  const outcome = await loadRequestOf({
    typed: typedRequestOf(parts ?? DEFAULT_PARTS, body),
    folders: [...new Set([own, whole])],
    ...(openApi !== undefined && { openApi: resolve(host.cwd, openApi) }),
    cwd: host.cwd,
    routes: async () => {
      try {
        run = await readProject(whole, projects, host);
      } catch (error) {
        // Such as of a broken configuration: a load does without.
        if (!(error instanceof CommandError)) throw error;
        const [mistake] = error instanceof ConfigError ? error.problems : [];
        problems.push(
          `Comments above handlers were not read: ${mistake ? `${relative(host.cwd, mistake.file)}:${mistake.line} has a mistake.` : error.message}`,
        );
      }
      return run ? handledRoutes(run, program, projects) : [];
    },
    factsOf: (file) => run && factsIn(run, file),
  });
  if (!outcome.ok) throw new CommandError([outcome.why, ...problems].join(' '));
  return { ...outcome, notes: [...outcome.notes, ...problems] };
}

/** Undefined where no file of it has a comment with a request. */
async function readProject(root: string, projects: ProjectFinder, host: Host): Promise<LintRun | undefined> {
  const rules = await host.loadRules();
  const warn = (): void => undefined;
  const configs = new ConfigFinder({ search: true, cwd: host.cwd, rules, warn });
  const settings = settingsWith(false, rules, new Map(), projects);
  await settings.prepare(await configs.forFolder(root));
  return new ProjectPaths({ ...host, rules, configs, settings, projects }).runIn(root, hasRequestComments);
}
