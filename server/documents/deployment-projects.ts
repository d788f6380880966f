// The files that say how a project is started, for documents of which one is open: they are judged together.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { textOfFile } from '../../files/read-text-file.ts';
import type { Finding } from '../../protocol/finding.ts';
import type { DeploymentFile } from '../../protocol/project.ts';
import type { EditorSettings } from '../../protocol/settings.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import { lintDeployment, type RuleCrash } from '../../analysis/run/run.ts';
import { deploymentRootOf, groupByRoot, manifestsAround } from '../../workspace/deployment-run.ts';
import { discover, type FoundDeploymentFile } from '../../workspace/discovery/discover.ts';
import { CommandError } from '../../workspace/errors.ts';
import { findRepositoryRoot } from '../../workspace/discovery/git-ignore.ts';
import { deploymentFileKind } from '../../workspace/discovery/left-out.ts';
import { DEFAULT_MAX_FILE_SIZE } from '../../workspace/discovery/read-source.ts';
import { Skipped } from '../../workspace/discovery/skipped.ts';
import { EDITOR_LIMIT_MS, withinTime } from '../../workspace/time-limit.ts';
import { Turns } from '../../workspace/turns.ts';
import type { ProjectView } from '../shared/project-view.ts';
import { statsOf } from '../../files/path-stats.ts';

export interface DeploymentRequest {
  rules: readonly AnyRule[];
  view: ProjectView;
  now(): number;
  /** The text of an open document; undefined when none is open at the path. */
  openText(path: string): string | undefined;
  log(message: string): void;
}

/** How long the walk through a project may hold the thread at a time, in ms. Half a frame: typing goes on meanwhile. */
const WALK_TURN_MS = 8;

export type Judge = (text: string) => { findings: readonly Finding[]; crashes: readonly RuleCrash[] };

interface DiskText {
  stamp: string;
  text: string | undefined;
}

export class DeploymentProjects {
  readonly #request: DeploymentRequest;
  #files = new Map<string, Promise<readonly FoundDeploymentFile[]>>();
  readonly #texts = new Map<string, DiskText>();

  constructor(request: DeploymentRequest) {
    this.#request = request;
  }

  /** Forgets which files there are. */
  reset(): void {
    this.#files = new Map();
    this.#texts.clear();
  }

  rootOf(path: string): string {
    return deploymentRootOf(path, this.#request.view.projects);
  }

  /**
   * What finds the whole project's findings in one of its files, given that file's text. Other open documents count as they stand
   * in the editor.
   */
  async judgeFor(path: string, editor: EditorSettings): Promise<Judge> {
    const { rules, view } = this.#request;
    const root = this.rootOf(path);
    const found = await this.#filesOf(root, path);
    const foundAround = found.some(({ kind }) => kind === 'dockerfile')
      ? await manifestsAround(root, view.projects, (above) => this.#allBelow(above))
      : [];
    const config = await view.configs.forFolder(root);
    const settings = await view.settingsFor(join(root, 'package.json'), config, editor);
    const own = await view.settingsFor(path, await view.configs.forFolder(dirname(path)), editor);
    const info = view.projectFor(root, config, editor);
    return (text) => {
      const readText = (other: string) => (other === path ? text : this.#readText(other));
      const files = found.flatMap((file): DeploymentFile[] => {
        const one = readText(file.path);
        return one === undefined ? [] : [{ ...file, text: one }];
      });
      const around = foundAround.flatMap((file): DeploymentFile[] => {
        const one = readText(file.path);
        return one === undefined ? [] : [{ ...file, text: one }];
      });
      const { findings, crashes } = withinTime(
        () => lintDeployment({ root, info, files, around, readText }, rules, settings),
        EDITOR_LIMIT_MS,
      );
      return { findings: findings.filter((finding) => finding.file === path && own[finding.ruleId]?.severity !== 'off'), crashes };
    };
  }

  async #filesOf(root: string, path: string): Promise<readonly FoundDeploymentFile[]> {
    const known = groupByRoot(await this.#allBelow(root), this.#request.view.projects).get(root) ?? [];
    const kind = deploymentFileKind(path);
    // Open, but not yet on disk or left out by a walk: judged with the others all the same.
    return kind === undefined || known.some((file) => file.path === path) ? known : [...known, { path, kind }];
  }

  /** With those of the projects inside of it. */
  #allBelow(root: string): Promise<readonly FoundDeploymentFile[]> {
    let files = this.#files.get(root);
    if (!files) this.#files.set(root, (files = this.#find(root)));
    return files;
  }

  async #find(root: string): Promise<readonly FoundDeploymentFile[]> {
    const { view, log, now } = this.#request;
    // A stray file in a home folder must not set off a walk through all of it.
    if (!existsSync(join(root, 'package.json')) && findRepositoryRoot(root) !== root) return neighbors(root);
    try {
      const { deployment } = await discover({
        paths: [root],
        cwd: root,
        useIgnoreFiles: true,
        git: view.git,
        configs: view.configs,
        skipped: new Skipped(),
        turns: new Turns({ now, signal: new AbortController().signal }, WALK_TURN_MS),
        warn: log,
        note: log,
      });
      return deployment;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      // The folder has gone since; what is open is judged alone.
      return [];
    }
  }

  #readText(path: string): string | undefined {
    const open = this.#request.openText(path);
    if (open !== undefined) return open;
    // Rules ask for files that may not be there or not be readable; both mean "nothing to read".
    const stats = statsOf(path);
    if (!stats?.isFile() || stats.size > DEFAULT_MAX_FILE_SIZE) return undefined;
    const stamp = `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
    const known = this.#texts.get(path);
    if (known?.stamp === stamp) return known.text;
    const text = textOfFile(path, DEFAULT_MAX_FILE_SIZE);
    if (text === undefined) return undefined;
    this.#texts.set(path, { stamp, text });
    return text;
  }
}

function neighbors(folder: string): FoundDeploymentFile[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap((entry) => {
        const path = join(folder, entry.name);
        const kind = deploymentFileKind(path);
        return kind ? [{ path, kind }] : [];
      });
  } catch {
    // No such folder, or none that may be read: there are no neighbors then.
    return [];
  }
}
