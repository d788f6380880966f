// Which files on disk the server wants to hear about, and what a change of each means.
import { basename, dirname } from 'node:path';
import { WatchKind, type FileSystemWatcher } from 'vscode-languageserver/node';
import { SCRIPT_FILE } from '../../analysis/module/parse.ts';
import { BASELINE_FILE } from '../../workspace/baseline/baseline-file.ts';
import { CODE_FORMAT_FILES } from '../../workspace/code-format.ts';
import { CONFIG_NAME } from '../../workspace/config/config-finder.ts';
import { PRODUCTION_FILE } from '../../workspace/production/production-store.ts';
import { BABEL_FILES } from '../../workspace/project-index/module-aliases.ts';
import { EVIDENCE_FILE } from '../../workspace/profile/evidence-store.ts';
import { deploymentFileKind } from '../../workspace/discovery/left-out.ts';

/** Everything that tells which files are linted, by which rules, for which Node, and how fixes are laid out. */
const CONTEXT_NAMES: readonly string[] = [
  CONFIG_NAME,
  'package.json',
  '.gitignore',
  '.nvmrc',
  '.node-version',
  '.tool-versions',
  'mise.toml',
  '.mise.toml',
  'Dockerfile',
  ...BABEL_FILES,
  ...CODE_FORMAT_FILES,
];

/** Says which file an import means; others are extended by it. */
const ALIAS_FILE = /^[jt]sconfig\b.*\.json$/;

const WATCHED_GLOBS: readonly string[] = [
  `**/{${CONTEXT_NAMES.join(',')}}`,
  '**/{ts,js}config*.json',
  '**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}',
  '**/{Dockerfile,Containerfile,Procfile,dockerfile}*',
  '**/*.{Dockerfile,dockerfile,yml,yaml,service,env}',
  '**/{*.service.d/*,supervisor*}.conf',
  '**/.env*',
  '**/.nodometer/{evidence,baseline,production}.json',
  '**/{ecosystem,pm2,processes,process}*.{json,json5}',
];

/** Of a folder that is moved or deleted as a whole, clients tell the folder alone; its name can be any. */
export const WATCHERS: readonly FileSystemWatcher[] = [
  ...WATCHED_GLOBS.map((globPattern) => ({ globPattern })),
  { globPattern: '**/*', kind: WatchKind.Create | WatchKind.Delete },
];

export interface ChangeMeaning {
  /** Settings, project or what is left out may have changed for any file. */
  context: boolean;
  /** What deployment files are judged by may have changed. */
  deployment: boolean;
  /** The file itself can have findings. */
  lintable: boolean;
}

export function meaningOf(path: string): ChangeMeaning {
  const context =
    // What is written into a new folder at once, a client may not have watched yet.
    basename(path) === dirname(PRODUCTION_FILE) ||
    CONTEXT_NAMES.includes(basename(path)) ||
    ALIAS_FILE.test(basename(path)) ||
    path.endsWith(EVIDENCE_FILE) ||
    path.endsWith(PRODUCTION_FILE) ||
    path.endsWith(BASELINE_FILE);
  const isDeployment = deploymentFileKind(path) !== undefined;
  const isScript = SCRIPT_FILE.test(path);
  // The rules about deployment also look into the programs that are started.
  return { context, deployment: isDeployment || isScript, lintable: isDeployment || isScript };
}
