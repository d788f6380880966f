// What is needed to read one workspace folder away from the thread that answers the editor: its configurations, projects, settings and
// files.
import { sep } from 'node:path';
import type { EditorSettings } from '../../protocol/settings.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import { ConfigFinder } from '../../workspace/config/config-finder.ts';
import { discover, type Discovery, type DiscoveryRequest, type FoundDeploymentFile } from '../../workspace/discovery/discover.ts';
import { CommandError } from '../../workspace/errors.ts';
import { EvidenceStores } from '../../workspace/profile/evidence-store.ts';
import { gitIgnoreOptions } from '../../workspace/discovery/git-ignore.ts';
import { findLeftOut } from '../../workspace/discovery/left-out.ts';
import { LintRun, type RunRequest } from '../../workspace/lint-run.ts';
import { ProjectFinder } from '../../workspace/project.ts';
import { SettingsResolver } from '../../workspace/config/rule-settings.ts';
import { Skipped } from '../../workspace/discovery/skipped.ts';
import { Turns } from '../../workspace/turns.ts';
import { NODE_SETTING_SOURCE } from './project-view.ts';

export interface FolderJob {
  /** Folders inside these that are workspace folders of their own: their files are theirs. */
  allFolders: readonly string[];
  runningNode: string;
  platform: string;
}

export interface FolderHost {
  rules: readonly AnyRule[];
  now(): number;
  signal: AbortSignal;
  log(message: string): void;
}

export interface FolderTools {
  /** The folder's files without those of workspace folders inside it; undefined, and logged, where they cannot be found. */
  discoverOwn(): Promise<Discovery | undefined>;
  deploymentIn(folder: string): Promise<readonly FoundDeploymentFile[]>;
  newRun(threads?: RunRequest['threads'], progress?: (done: number, total: number) => void, overlay?: Map<string, string>): LintRun;
  /** Whether a file is left out by its place, as the walk would leave it out. */
  isLeftOut(path: string): Promise<boolean>;
}

export function folderTools(
  folder: string,
  editor: EditorSettings,
  { allFolders, runningNode, platform }: FolderJob,
  { rules, now, signal, log }: FolderHost,
): FolderTools {
  const configs = new ConfigFinder({
    search: true,
    cwd: folder,
    rules,
    warn: log,
    recover: (_, error) => {
      log(error.message);
      return undefined;
    },
  });
  const projects = new ProjectFinder({ runningNode, warn: log });
  const settings = new SettingsResolver(rules, new Map(), { base: new Map(Object.entries(editor.rules)) });
  const turns = new Turns({ now, signal });
  // Asked of one file after the other: together they have one limit.
  const git = gitIgnoreOptions(platform, log);
  const discoveryOf = (path: string): DiscoveryRequest => ({
    paths: [path],
    cwd: folder,
    useIgnoreFiles: true,
    configs,
    turns,
    skipped: new Skipped(),
    warn: log,
    note: log,
    git: gitIgnoreOptions(platform, log),
  });
  const evidence = new EvidenceStores((inner) => projects.findRoot(inner), log);
  const inner = allFolders.filter((other) => other !== folder && other.startsWith(folder === sep ? sep : `${folder}${sep}`));
  const isOwn = ({ path }: { path: string }) => !inner.some((other) => path.startsWith(`${other}${sep}`));
  return {
    async discoverOwn() {
      try {
        const { scripts, deployment, folders } = await discover(discoveryOf(folder));
        // Files that belong to a folder inside this one are not reported here; what they say counts all the same.
        return { scripts: scripts.filter(isOwn), deployment: deployment.filter(isOwn), folders: inner.length === 0 ? folders : new Set() };
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        log(error.message);
        return undefined;
      }
    },
    deploymentIn: async (other) => (await discover(discoveryOf(other))).deployment,
    newRun: (threads, progress = () => undefined, overlay = new Map()) =>
      new LintRun({
        rules,
        configs,
        projects,
        settings,
        turns,
        skipped: new Skipped(),
        repairs: false,
        dryRun: false,
        cwd: folder,
        warn: log,
        note: log,
        threads,
        progress,
        overlay,
        loadFixCheck: () => Promise.reject(new Error('a run over the workspace applies no fixes')),
        evidenceFor: (file) => evidence.forFile(file),
        defaults: {
          maxFileSize: editor.maxFileSize,
          reportUnusedDisables: editor.reportUnusedDisables,
          node: editor.node ? { range: editor.node, source: NODE_SETTING_SOURCE } : undefined,
        },
      }),
    isLeftOut: async (path) => !isOwn({ path }) || (await findLeftOut(path, folder, { configs, useIgnoreFiles: true }, git)) !== undefined,
  };
}
