// What the analysis may know about the project around a file. The host (terminal, server) reads it from disk; the analysis never does.

export interface PackageManifest {
  name?: string;
  type?: 'module' | 'commonjs';
  main?: string;
  /** The paths below its name that others may load: `./lib/*`, from the keys of `exports`. */
  subpaths?: readonly string[];
  /** Paths of the package's commands, as written. */
  bin: readonly string[];
  scripts: Readonly<Record<string, string>>;
  dependencies: Readonly<Record<string, string>>;
  devDependencies: Readonly<Record<string, string>>;
  private: boolean;
}

/** What a project's formatter is told. */
export interface CodeFormat {
  /** Columns of a line. */
  width: number;
  /** After the last element on a line of its own: everywhere, not in calls, or nowhere. */
  trailingComma?: 'all' | 'literals' | 'none';
}

/** What a project's ESLint is told that decides about the form of a fix. */
export interface LintConfig {
  /** The year of the language that it parses. */
  ecmaVersion?: number;
  /** By the name of the rule: whether it is on. */
  rules: Readonly<Record<string, boolean>>;
}

/** Where the range of versions comes from if nothing in the project says one. */
export const RUNNING_NODE = 'the running Node';

export interface ProjectInfo {
  /** Absolute path of the folder with the nearest package.json, when there is one. */
  root?: string;
  /** Where that folder stands below the outermost one around it that has a package.json, with forward slashes: `public/vendor/acorn`. */
  place?: string;
  manifest?: PackageManifest;
  /** How the project formats its code, when a configuration says it. */
  format?: CodeFormat;
  lint?: LintConfig;
  /** Semver range of the Node versions that the project declares it runs on, e.g. `>=18`. */
  nodeRange: string;
  /** Where the range comes from: `engines.node in package.json`, `.nvmrc`, `RUNNING_NODE`. */
  nodeRangeSource: string;
}

/** Kinds of files that say how a program is started. */
export type DeploymentKind = 'package-json' | 'dockerfile' | 'compose' | 'pm2' | 'procfile' | 'systemd' | 'kubernetes' | 'env';

export interface DeploymentFile {
  /** Absolute path. */
  path: string;
  kind: DeploymentKind;
  text: string;
}

/** One project's deployment files, with a way to look at the sources they start. */
export interface DeploymentProject {
  /** Absolute path of the project's folder. */
  root: string;
  info: ProjectInfo;
  files: readonly DeploymentFile[];
  /** Manifests of the larger projects around it, which may run its image: the charts of a monorepo. */
  around?: readonly DeploymentFile[];
  /** Text of a file by absolute path, or undefined when it is missing or unreadable. Given by the host. */
  readText(path: string): string | undefined;
}
