// Repositories with several programs, which share some of their packages.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { App } from './support.ts';

const S = 'exports.load = function load() {};\n';
/** All get what anybody has passed. */
const SHARED = dedent`
  const jobs = [];
  exports.run = (job) => { jobs.push(job); return jobs.map((one) => one()); };
`;
const shop = dedent`
  const app = require('express')();
  const { run } = require('@acme/shared');
  app.get('/shop', (req, res) => res.json(run(function inShop() { return 1; })));
`;
const mail = dedent`
  const { run } = require('@acme/shared');
  const s = require('./s');
  exports.start = () => run(() => s.load());
  exports.start();
`;

const packages = (...more: readonly { root: string; name: string; needs?: readonly string[] }[]) => ({
  packages: [
    { root: '/project', name: 'acme' },
    { root: '/project/shared', name: '@acme/shared', main: 'index.js' },
    { root: '/project/shop', name: '@acme/shop', main: 'index.js', needs: ['@acme/shared'] },
    { root: '/project/mail', name: '@acme/mail', main: 'index.js', needs: ['@acme/shared'] },
    ...more,
  ],
  aliases: [],
});
const files = { 'shop/index.js': shop, 'shared/index.js': SHARED, 'mail/index.js': mail, 'mail/s.js': S };

export const programCases: readonly App[] = [
  {
    name: 'two programs that share a package',
    files,
    layout: packages(),
    reached: ['shop/index.js#inShop GET /shop'],
    idle: ['mail/s.js#load'],
  },
  {
    name: 'two packages of one program, by its package.json',
    files,
    layout: packages({ root: '/project/all', name: '@acme/all', needs: ['@acme/shop', '@acme/mail'] }),
    reached: ['mail/s.js#load GET /shop'],
  },
  {
    name: 'two packages of one program, by its imports',
    files: { ...files, 'all/index.js': "require('@acme/shop');\nrequire('@acme/mail');\n" },
    layout: packages({ root: '/project/all', name: '@acme/all' }),
    reached: ['mail/s.js#load GET /shop'],
  },
  {
    name: 'a package in the folder of another one, which may load it by its path',
    files: { ...files, 'shop/plugins/mail/index.js': mail, 'shop/plugins/mail/s.js': S },
    layout: packages({ root: '/project/shop/plugins/mail', name: '@acme/plugin' }),
    reached: ['shop/plugins/mail/s.js#load GET /shop'],
    idle: ['mail/s.js#load'],
  },
  {
    name: 'folders without a package.json of their own',
    files,
    layout: {
      packages: [
        { root: '/project', name: 'acme' },
        { root: '/project/shared', name: '@acme/shared', main: 'index.js' },
      ],
      aliases: [],
    },
    reached: ['mail/s.js#load GET /shop'],
  },
  {
    name: 'what both programs run leads each to its own',
    files: {
      ...files,
      'mail/index.js': dedent`
        const app = require('express')();
        const { run } = require('@acme/shared');
        const s = require('./s');
        app.get('/mail', (req, res) => res.json(run(() => s.load())));
      `,
    },
    layout: packages(),
    reached: ['shop/index.js#inShop GET /shop', 'mail/s.js#load GET /mail'],
    routes: { 'mail/s.js#load': ['GET /mail'], 'shop/index.js#inShop': ['GET /shop'] },
  },
];
