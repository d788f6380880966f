// Projects of other people whose suites run without outside services, at pinned commits. None of their code is kept here.

export interface Project {
  /** `owner/name` on GitHub. */
  repository: string;
  commit: string;
  /** Paths of the repository that no test needs and that are large. */
  leaveOut?: readonly string[];
  /** What is linted, where that is more than the whole folder: Node-RED keeps its sources in `node_modules`. */
  paths?: readonly string[];
  /** Major of the Node that everything of the project runs on: the oldest of ours that its `engines` allow. */
  node: 20 | 22 | 24;
  /** For `sh`, once; with the network. Scripts of packages run only where a native module has to be built. */
  install: string;
  /** For `sh`, before each run of the suite; without the network. */
  build?: string;
  /** For `sh`; without the network. Writes the report to the file that `$REPORT` names. */
  suite: string;
  report: ReportFormat;
  /** The suite is ended after so many minutes. */
  minutes: number;
}

/** Jest's and Vitest's reports have one format. */
export type ReportFormat = 'jest' | 'mocha';

const NPM = 'npm install --ignore-scripts --no-audit --no-fund --no-progress --legacy-peer-deps';

export const PROJECTS: readonly Project[] = [
  {
    repository: 'node-red/node-red',
    commit: '1f38dc899b1d6d24b05369023ef2d83b808cd55d',
    leaveOut: ['packages/node_modules/@node-red/editor-client/src/vendor'],
    paths: ['.', 'packages/node_modules'],
    node: 22,
    // One development dependency comes from GitHub, not from the registry; only the documentation needs it.
    install: `npm pkg delete devDependencies.jsdoc-nr-template && rm package-lock.json && ${NPM}`,
    suite: `npx mocha 'test/unit/**/*_spec.js' --exit --reporter json --reporter-option output="$REPORT"`,
    report: 'mocha',
    minutes: 15,
  },
  {
    repository: 'actualbudget/actual-server',
    commit: '7bd499c5be758c47958e351fa62faf91e0bc2b80',
    node: 20,
    install: `rm -f yarn.lock && ${NPM} && npm rebuild better-sqlite3 bcrypt`,
    suite: 'NODE_ENV=test NODE_OPTIONS=--experimental-vm-modules npx jest --coverage=false --json --outputFile="$REPORT"',
    report: 'jest',
    minutes: 10,
  },
  {
    repository: 'maildev/maildev',
    commit: '7756cfa1a767e1d3b67f57dcfef7d72ee4fb1b33',
    node: 20,
    install:
      'npm_config_manage_package_manager_versions=false npx --yes pnpm@10 install --ignore-scripts --frozen-lockfile && cd packages/core && npx tsc && node scripts/set-version.mjs',
    build: '(cd packages/smtp && npx tsc)',
    suite: 'cd packages/smtp && npx vitest run --reporter=json --outputFile="$REPORT"',
    report: 'jest',
    minutes: 10,
  },
  {
    repository: 'MagicMirrorOrg/MagicMirror',
    commit: 'fb41d24ef522e91e802e2a623ff6afbddeb3c9d8',
    node: 24,
    install: NPM,
    suite: 'npx vitest run tests/unit --reporter=json --outputFile="$REPORT"',
    report: 'jest',
    minutes: 10,
  },
  {
    repository: 'alphagov/govuk-prototype-kit',
    commit: '3238906afcf9698039b1b49acf4e6dd5fe1ee9a3',
    node: 20,
    install: NPM,
    // The project leaves out what is below a folder `tmp`, where it may be laid out.
    suite: 'npx jest lib bin migrator --testPathIgnorePatterns /node_modules/ __tests__/fixtures/ --json --outputFile="$REPORT"',
    report: 'jest',
    minutes: 10,
  },
];
