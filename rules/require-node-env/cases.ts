// NODE_ENV in code. How the project is started is held to its own table: test/rules/require-node-env.test.ts.
import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import type { MessageId } from './messages.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const manifest = (...names: string[]) => ({
  manifest: {
    bin: [],
    scripts: {},
    dependencies: Object.fromEntries(names.map((name) => [name, '*'])),
    devDependencies: {},
    private: true,
  },
});

export const cases: RuleCases<MessageId> = {
  valid: [
    dedent`
      process.env.NODE_ENV = 'production';
      const express = require('express');
      const app = express();
    `,
    {
      name: 'express reads it in express(), not while it is loaded',
      code: dedent`
        const express = require('express');
        process.env.NODE_ENV = 'production';
        const app = express();
      `,
    },
    {
      name: 'the same in an ES module',
      code: dedent`
        import express from 'express';
        process.env.NODE_ENV ??= 'production';
        const app = express();
      `,
    },
    {
      name: 'koa does not read it',
      code: dedent`
      import Koa from 'koa';
      const app = new Koa();
      process.env.NODE_ENV = 'production';
    `,
    },
    {
      name: 'a type import loads nothing',
      file: 'src/app.ts',
      code: dedent`
        import type { Root } from 'react-dom/client';
        process.env.NODE_ENV = 'production';
        export type R = Root;
      `,
    },
    {
      name: 'TypeScript compiled to CommonJS keeps the order',
      file: 'src/app.ts',
      code: dedent`
        process.env.NODE_ENV = 'production';
        import { renderToString } from 'react-dom/server';
        renderToString(null);
      `,
    },
    {
      name: 'in a test',
      file: 'test/app.test.js',
      code: dedent`
      const app = require('express')();
      process.env.NODE_ENV = 'production';
    `,
    },
    {
      name: 'another value',
      code: dedent`
      const app = require('express')();
      process.env.NODE_ENV = 'test';
    `,
    },
    {
      name: 'made in a function that is called later',
      code: dedent`
        const express = require('express');
        function makeApp() { return express(); }
        process.env.NODE_ENV = 'production';
        makeApp();
      `,
    },
    {
      name: 'made in another branch',
      code: dedent`
        const express = require('express');
        if (process.argv[2] === 'plain') { express(); }
        process.env.NODE_ENV = 'production';
        express();
      `,
    },
    {
      name: 'an express of its own',
      code: dedent`
      function express() {}
      const app = express();
      process.env.NODE_ENV = 'production';
    `,
    },
    {
      name: 'an env of its own',
      code: dedent`
        const process = { env: {} };
        const app = require('express')();
        process.env.NODE_ENV = 'production';
      `,
    },
    { name: 'the comparison everybody makes', code: "if (process.env.NODE_ENV === 'production') start();" },
    {
      name: 'names of their own',
      code: dedent`
        const { NODE_ENV } = process.env;
        if (process.env.NODE_ENV === 'prod' || process.env.NODE_ENV === 'preprod' || process.env.NODE_ENV === 'production-eu' || process.env.NODE_ENV === 'products') start();
      `,
    },
    { name: 'compared after lowering', code: "if (process.env.NODE_ENV.toLowerCase() === 'production') start();" },
    { name: 'another variable', code: "if (process.env.APP_ENV === 'Production') start();" },
    {
      name: 'prod in a project that reads it nowhere',
      code: dedent`
      process.env.NODE_ENV = 'prod';
      require('http').createServer().listen(1);
    `,
    },
    { name: 'slips in the cases of another switch', code: "switch (process.env.STAGE) { case 'Production': start(); }" },
    { name: 'a slip in a test', file: 'test/env.test.js', code: "check(process.env.NODE_ENV === 'Production');" },
  ],
  invalid: [
    {
      name: 'after express()',
      project: manifest('express'),
      code: dedent`
        const express = require('express');
        const app = express();
        «process.env.NODE_ENV = 'production'»;
        app.listen(3000);

      `,
      findings: [
        {
          messageId: 'tooLate',
          data: { package: 'express', reason: 'express reads it when `express()` is called.' },
          related: ['express reads NODE_ENV here'],
          fixes: [
            {
              kind: 'suggestion',
              title: 'Set it before express reads it',
              output: dedent`
                  const express = require('express');
                  process.env.NODE_ENV = 'production';
                  const app = express();
                  app.listen(3000);

                `,
            },
          ],
        },
      ],
    },
    {
      name: "with the figures of the project's own view engine",
      project: manifest('express', 'pug'),
      code: dedent`
        import express from 'express';
        export const app = express();
        «process.env.NODE_ENV = process.env.NODE_ENV || 'production'»; // for the views

      `,
      findings: [
        {
          messageId: 'tooLate',
          data: {
            effects:
              "Express enables its view cache only when NODE_ENV is `production`. With it, pages of pug were 11–33× faster (Node 18 to 26). Express's default error handler sends the stack trace to the client unless NODE_ENV is `production`",
          },
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                  import express from 'express';
                  process.env.NODE_ENV = process.env.NODE_ENV || 'production';
                  export const app = express();
                   // for the views

                `,
            },
          ],
        },
      ],
    },
    {
      name: 'connect reads it while it is loaded',
      code: dedent`
        const connect = require('connect');
        «process.env.NODE_ENV = 'production'»;
        connect().listen(1);

      `,
      findings: [
        {
          messageId: 'tooLate',
          data: { package: 'connect' },
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
                process.env.NODE_ENV = 'production';
                const connect = require('connect');
                connect().listen(1);

              `,
            },
          ],
        },
      ],
    },
    {
      name: 'imports run first',
      code: dedent`
        «process.env.NODE_ENV = 'production'»;
        import { renderToString } from 'react-dom/server';
        renderToString(null);

      `,
      findings: [
        {
          messageId: 'tooLate',
          data: {
            package: 'react-dom',
            remedy: 'Set it in the environment that starts the process, or in a module that is imported first.',
          },
          refused: ['imports run before'],
        },
      ],
    },
    {
      name: 'in TypeScript behind the import',
      file: 'src/server.ts',
      code: dedent`
        import { renderToString } from 'react-dom/server';
        if (!process.env.NODE_ENV) «process.env.NODE_ENV = 'production'»;
        renderToString(null as never);

      `,
      findings: [{ messageId: 'tooLate', refused: ['imports run before'] }],
    },
    {
      name: 'new ApolloServer, aliased',
      project: manifest('@apollo/server'),
      code: dedent`
        import { ApolloServer as Server } from '@apollo/server';
        const server = new Server({});
        if (!process.env.NODE_ENV) {
          «process.env['NODE_ENV'] = 'production'»;
        }

      `,
      findings: [
        {
          messageId: 'tooLate',
          data: { package: '@apollo/server', reason: '@apollo/server reads it when a `ApolloServer` is created.' },
          refused: ['depends on code between'],
        },
      ],
    },
    {
      name: 'inside one function',
      project: manifest('express'),
      code: dedent`
        const express = require('express');
        function main() {
          const app = express();
          const { env } = process;
          «env.NODE_ENV = 'production'»;
          app.listen(1);
        }
        main();

      `,
      findings: [{ messageId: 'tooLate', functionName: 'main', refused: ['depends on code between'] }],
    },
    {
      name: 'set to prod in front of express',
      project: manifest('express'),
      code: dedent`
        process.env.NODE_ENV = «'prod'»;
        const app = require('express')();

      `,
      findings: [
        {
          messageId: 'misspelt',
          data: { value: '`prod`', packages: 'express' },
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
            process.env.NODE_ENV = 'production';
            const app = require('express')();

          `,
            },
          ],
        },
      ],
    },
    {
      name: 'a default that is misspelt',
      code: dedent`
        process.env.NODE_ENV ||= «"Production"»;
        import express from 'express';
        express();

      `,
      findings: [
        {
          messageId: 'misspelt',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
            process.env.NODE_ENV ||= "production";
            import express from 'express';
            express();

          `,
            },
          ],
        },
      ],
    },
    {
      name: 'compared with a capital',
      code: "if (process.env.NODE_ENV === «'Production'») start();",
      findings: [
        {
          messageId: 'comparison',
          data: { value: '`Production`' },
          fixes: [{ kind: 'suggestion', output: "if (process.env.NODE_ENV === 'production') start();" }],
        },
      ],
    },
    {
      name: 'compared with a space',
      code: dedent`
        import { env } from 'node:process';
        export const isLive = «'production '» == env.NODE_ENV;
      `,
      findings: [
        {
          messageId: 'comparison',
          data: { value: '`production␠`' },
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
              import { env } from 'node:process';
              export const isLive = 'production' == env.NODE_ENV;
            `,
            },
          ],
        },
      ],
    },
    {
      name: 'compared with a typo',
      code: "const debug = process.env.NODE_ENV !== «'prodution'»;",
      findings: [
        { messageId: 'comparison', fixes: [{ kind: 'suggestion', output: "const debug = process.env.NODE_ENV !== 'production';" }] },
      ],
    },
    {
      name: 'a case of a switch',
      code: dedent`
        switch (process.env.NODE_ENV) {
          case «'prodcution'»:
            start();
        }
      `,
      findings: [
        {
          messageId: 'comparison',
          fixes: [
            {
              kind: 'suggestion',
              output: dedent`
            switch (process.env.NODE_ENV) {
              case 'production':
                start();
            }
          `,
            },
          ],
        },
      ],
    },
  ],
};
