// What the checks of one project share: its files, which starts were found, and what is known to set NODE_ENV.
import type { DeploymentContext } from '../../analysis/rule.ts';
import type { DeploymentFile } from '../../protocol/project.ts';
import { PLATFORM_FILES } from '../../knowledge/node-env-setters.ts';
import type { EcosystemStart } from '../../analysis/deployment/start-commands.ts';
import { Judge } from './judge.ts';
import type { MessageId } from './messages.ts';
import { dirname, join, purposeOf, relativeTo, toSlashes } from '../../analysis/deployment/paths.ts';
import { ProjectFiles } from '../../analysis/deployment/project-files.ts';
import { Reporter } from './report.ts';

/** How many folders above a package of a monorepo the Dockerfile of all may be. */
const FOLDERS_ABOVE = 3;
/** `ENV NODE_ENV=production`, `ENV NODE_ENV "production"`, and `ARG NODE_ENV=production` before `ENV NODE_ENV=${NODE_ENV}` */
const SET_BY_IMAGE =
  /^ENV[ \t]{1,20}NODE_ENV[= ][ \t]{0,20}["']?production\b|^ARG[ \t]{1,20}NODE_ENV=["']?production["']?[ \t]{0,20}\r?\nENV[ \t]{1,20}NODE_ENV[= ]["']?\$\{?NODE_ENV\b/m;

// `overlays/production/api/deployment.yaml`
const NEAREST_FOLDERS = 4;

/** A chart keeps its manifests in `templates`. Elsewhere, that folder holds templates of files. */
function withoutChartFolder(path: string): string {
  return path.replace(/((?:^|\/)[\w-]*(?:helm|charts?|deploy|kubernetes|k8s)[\w-]*\/(?:.*\/)?)templates\//, '$1');
}

export class Scene {
  readonly context: DeploymentContext<MessageId>;
  readonly files: ProjectFiles;
  readonly judge: Judge;
  readonly reporter: Reporter;
  /** Folders of the package.json files whose server a deployment file starts. */
  readonly deployed = new Set<string>();
  /** Commands of Dockerfiles and scripts that start a PM2 file. */
  readonly ecosystems: EcosystemStart[] = [];
  /** Whether a deployment file sets NODE_ENV=production, or sets it in an unknown way, for a start that could not be followed. */
  isDecidedElsewhere = false;

  constructor(context: DeploymentContext<MessageId>) {
    this.context = context;
    this.files = new ProjectFiles(context.project);
    this.judge = new Judge(this.files, context.project.info);
    this.reporter = new Reporter(context, this.files);
  }

  *filesOf(
    kind: DeploymentFile['kind'],
  ): Generator<{ file: DeploymentFile; path: string; purpose: 'development' | 'production' | undefined }> {
    for (const file of this.files.files) {
      if (file.kind !== kind) continue;
      const path = toSlashes(file.path);
      yield { file, path, purpose: this.purposeOf(path) };
    }
  }

  /** What the path of a file in the project says about its purpose. */
  purposeOf(path: string): 'development' | 'production' | undefined {
    return purposeOf(withoutChartFolder(relativeTo(this.files.root, path)));
  }

  /** The same for a file above the project: by its nearest folders. */
  purposeAbove(path: string): 'development' | 'production' | undefined {
    return purposeOf(withoutChartFolder(path).split('/').slice(-NEAREST_FOLDERS).join('/'));
  }

  /** The name of a platform that runs the project and sets its environment. */
  findPlatform(folder: string): string | undefined {
    for (const { path, platform, holds } of PLATFORM_FILES) {
      const text = this.files.readText(join(folder, path)) ?? this.files.readText(join(this.files.root, path));
      if (text !== undefined && (holds === undefined || holds.test(text))) return platform;
    }
    return undefined;
  }

  /** Whether a Makefile, a platform file or a `docker run` in package.json sets the variable for containers or processes. */
  isSetOutside(): boolean {
    const { root } = this.files;
    const named = [
      'Makefile',
      'makefile',
      'fly.toml',
      'render.yaml',
      'app.yaml',
      'railway.toml',
      'nixpacks.toml',
      'justfile',
      'Taskfile.yml',
      'captain-definition',
      'Dockerrun.aws.json',
      'task-definition.json',
      'skaffold.yaml',
      'azure-pipelines.yml',
      'cloudbuild.yaml',
    ];
    if (
      named.some((name) =>
        /\bNODE_ENV\b["']?\s{0,40}[:=,]?\s{0,40}(?:["']?value["']?\s{0,40}[:=]\s{0,40})?["']?production\b/.test(
          this.files.readText(join(root, name)) ?? '',
        ),
      )
    )
      return true;
    if (this.#isSetAbove()) return true;
    const scripts = this.files.manifestAt(join(root, 'package.json'))?.scripts.values() ?? [];
    return [...scripts].some(({ text }) => /\bdocker\b.*\s-(?:e|-env)[ =]["']?NODE_ENV/.test(text));
  }

  /** Whether a Dockerfile above this package of a monorepo sets it: its image starts the package by some script, by whatever name. */
  #isSetAbove(): boolean {
    let at = this.files.root;
    for (let i = 0; i < FOLDERS_ABOVE && at !== '/' && at !== '.'; i++) {
      at = dirname(at);
      const text = this.files.readText(join(at, 'Dockerfile'));
      if (text !== undefined && SET_BY_IMAGE.test(text)) return true;
    }
    return false;
  }

  /**
   * Whether the whole project is an example, a test fixture or similar inside a larger one: the name of its folder says so, and there is a
   * package.json above it.
   */
  isExample(): boolean {
    const { root } = this.files;
    // Examples are not nested deeper than this in their project.
    const maxUp = 5;
    let at = root;
    for (let i = 0; i < maxUp; i++) {
      at = dirname(at);
      if (at === '/' || at === '.') return false;
      if (
        this.files.has(join(at, 'package.json')) &&
        /(?:^|\/)(?:examples?|samples?|demos?|fixtures?|__fixtures__|tests?|__tests__|e2e|benchmarks?|bench|playgrounds?|templates?|starters?|docs?)\//.test(
          `${relativeTo(at, root)}/`,
        )
      )
        return true;
    }
    return false;
  }
}
