// With the option `exports`: what each call of an exported function builds.
import type { InvalidCase, ValidCase } from '../../analysis/testing/rule-tester.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

export const libraryInnocents: readonly ValidCase[] = [
  {
    name: 'a library, without the option',
    code: "exports.money = (n) => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(n);\n",
  },
  {
    name: 'a library: a factory',
    options: { exports: true },
    code: "exports.makeFormat = () => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });\n",
  },
  {
    name: 'a library: a client of the caller',
    options: { exports: true },
    code: dedent`
      const { S3Client } = require('@aws-sdk/client-s3');
      exports.put = (command) => { const s3 = new S3Client({ region: 'eu-west-1' }); return s3.send(command); };

    `,
  },
  {
    name: 'a library: the caller chooses the locale',
    options: { exports: true },
    code: 'exports.money = (n, locale) => new Intl.NumberFormat(locale).format(n);\n',
  },
  {
    name: 'a library: once for each instance',
    options: { exports: true },
    code: "exports.Money = class { constructor() { this.format = new Intl.NumberFormat('en-US'); } };\n",
  },
];

export const libraries: readonly InvalidCase<'thing' | 'client' | 'call' | 'compared'>[] = [
  {
    name: 'a library: for each call of what it exports',
    options: { exports: true },
    code: dedent`
      const format = (n) => «new Intl.NumberFormat»('en-US', { style: 'currency', currency: 'USD' }).format(n);
      function total(items) { return format(items.reduce((sum, { price }) => sum + price, 0)); }
      module.exports = { total };
    `,
    findings: [
      {
        messageId: 'thing',
        severity: 'hint',
        data: { where: 'call of `total`, which this module exports' },
        fixes: [
          {
            kind: 'safe',
            output: dedent`
              const usdFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

              const format = (n) => usdFormat.format(n);
              function total(items) { return format(items.reduce((sum, { price }) => sum + price, 0)); }
              module.exports = { total };
            `,
          },
        ],
      },
    ],
  },
];
