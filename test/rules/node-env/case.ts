// One small project and what the rule has to say about it.
import type { ReportedSeverity } from '../../../protocol/finding.ts';
import { dedent } from '../../../analysis/testing/dedent.ts';

export interface ExpectedDeploymentFinding {
  messageId: 'missing' | 'host' | 'misspelt' | 'development';
  /** Default `hint`: what only Express's default error handler shows. */
  severity?: ReportedSeverity;
  says?: readonly string[];
  saysNot?: readonly string[];
  /** `path: text at the place`, all of them, in order. */
  related?: readonly string[];
  /** The reported file after the first fix. */
  fixed?: string;
}

export interface DeploymentCase {
  name: string;
  /** Path below the project's folder to text, with « and » around each finding's place. */
  files: Readonly<Record<string, string>>;
  /** In the order of the files' paths and of the places in them. */
  finds?: readonly ExpectedDeploymentFinding[];
}

export function manifest(parts: {
  dependencies?: readonly string[];
  devDependencies?: readonly string[];
  scripts?: Readonly<Record<string, string>>;
}): string {
  const versions = (names: readonly string[] = []) => Object.fromEntries(names.map((name) => [name, '*']));
  return JSON.stringify(
    { name: 'app', dependencies: versions(parts.dependencies), devDependencies: versions(parts.devDependencies), scripts: parts.scripts },
    null,
    2,
  );
}

/** An Express server that answers JSON, without a start script. */
export const API = {
  'package.json': manifest({ dependencies: ['express'] }),
  'server.js': dedent`
    const app = require('express')();
    app.get('/', (req, res) => res.json({}));
    app.listen(3000);

  `,
};
/** The same with `npm start`. */
export const API_START = { ...API, 'package.json': manifest({ dependencies: ['express'], scripts: { start: 'node server.js' } }) };
/** An Express server that renders pug pages. */
export const PAGES = {
  'package.json': manifest({ dependencies: ['express', 'pug'] }),
  'server.js': dedent`
      const express = require('express');
      const app = express();
      app.set('view engine', 'pug');
      app.get('/', (req, res) => res.render('index'));
      app.listen(3000);

    `,
};
