// NODE_ENV in code. How the project is started is held to its own table: test/rules/require-node-env.test.ts.
import type { RuleCases } from '../../analysis/testing/rule-tester.ts';
import type { MessageId } from './messages.ts';

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
    "process.env.NODE_ENV = 'production';\nconst express = require('express');\nconst app = express();",
    {
      name: 'express reads it in express(), not while it is loaded',
      code: "const express = require('express');\nprocess.env.NODE_ENV = 'production';\nconst app = express();",
    },
    {
      name: 'the same in an ES module',
      code: "import express from 'express';\nprocess.env.NODE_ENV ??= 'production';\nconst app = express();",
    },
    { name: 'koa does not read it', code: "import Koa from 'koa';\nconst app = new Koa();\nprocess.env.NODE_ENV = 'production';" },
    {
      name: 'a type import loads nothing',
      file: 'src/app.ts',
      code: "import type { Root } from 'react-dom/client';\nprocess.env.NODE_ENV = 'production';\nexport type R = Root;",
    },
    {
      name: 'TypeScript compiled to CommonJS keeps the order',
      file: 'src/app.ts',
      code: "process.env.NODE_ENV = 'production';\nimport { renderToString } from 'react-dom/server';\nrenderToString(null);",
    },
    { name: 'in a test', file: 'test/app.test.js', code: "const app = require('express')();\nprocess.env.NODE_ENV = 'production';" },
    { name: 'another value', code: "const app = require('express')();\nprocess.env.NODE_ENV = 'test';" },
    {
      name: 'made in a function that is called later',
      code: "const express = require('express');\nfunction makeApp() { return express(); }\nprocess.env.NODE_ENV = 'production';\nmakeApp();",
    },
    {
      name: 'made in another branch',
      code: "const express = require('express');\nif (process.argv[2] === 'plain') { express(); }\nprocess.env.NODE_ENV = 'production';\nexpress();",
    },
    { name: 'an express of its own', code: "function express() {}\nconst app = express();\nprocess.env.NODE_ENV = 'production';" },
    {
      name: 'an env of its own',
      code: "const process = { env: {} };\nconst app = require('express')();\nprocess.env.NODE_ENV = 'production';",
    },
    { name: 'the comparison everybody makes', code: "if (process.env.NODE_ENV === 'production') start();" },
    {
      name: 'names of their own',
      code: "const { NODE_ENV } = process.env;\nif (process.env.NODE_ENV === 'prod' || process.env.NODE_ENV === 'preprod' || process.env.NODE_ENV === 'production-eu' || process.env.NODE_ENV === 'products') start();",
    },
    { name: 'compared after lowering', code: "if (process.env.NODE_ENV.toLowerCase() === 'production') start();" },
    { name: 'another variable', code: "if (process.env.APP_ENV === 'Production') start();" },
    { name: 'prod in a project that reads it nowhere', code: "process.env.NODE_ENV = 'prod';\nrequire('http').createServer().listen(1);" },
    { name: 'slips in the cases of another switch', code: "switch (process.env.STAGE) { case 'Production': start(); }" },
    { name: 'a slip in a test', file: 'test/env.test.js', code: "check(process.env.NODE_ENV === 'Production');" },
  ],
  invalid: [
    {
      name: 'after express()',
      project: manifest('express'),
      code: "const express = require('express');\nconst app = express();\n«process.env.NODE_ENV = 'production'»;\napp.listen(3000);\n",
      findings: [
        {
          messageId: 'tooLate',
          data: { package: 'express', reason: 'express reads it when `express()` is called.' },
          related: ['express reads NODE_ENV here'],
          fixes: [
            {
              kind: 'suggestion',
              title: 'Set it before express reads it',
              output:
                "const express = require('express');\nprocess.env.NODE_ENV = 'production';\nconst app = express();\napp.listen(3000);\n",
            },
          ],
        },
      ],
    },
    {
      name: "with the figures of the project's own view engine",
      project: manifest('express', 'pug'),
      code: "import express from 'express';\nexport const app = express();\n«process.env.NODE_ENV = process.env.NODE_ENV || 'production'»; // for the views\n",
      findings: [
        {
          messageId: 'tooLate',
          data: {
            effects:
              "Express turns its view cache on only when NODE_ENV is `production`. With it, pages of pug were 11–33× faster, Node 18 to 26. Express's default error handler sends the stack trace to the client unless NODE_ENV is `production`",
          },
          fixes: [
            {
              kind: 'suggestion',
              output:
                "import express from 'express';\nprocess.env.NODE_ENV = process.env.NODE_ENV || 'production';\nexport const app = express();\n // for the views\n",
            },
          ],
        },
      ],
    },
    {
      name: 'connect reads it while it is loaded',
      code: "const connect = require('connect');\n«process.env.NODE_ENV = 'production'»;\nconnect().listen(1);\n",
      findings: [
        {
          messageId: 'tooLate',
          data: { package: 'connect' },
          fixes: [
            {
              kind: 'suggestion',
              output: "process.env.NODE_ENV = 'production';\nconst connect = require('connect');\nconnect().listen(1);\n",
            },
          ],
        },
      ],
    },
    {
      name: 'imports run first',
      code: "«process.env.NODE_ENV = 'production'»;\nimport { renderToString } from 'react-dom/server';\nrenderToString(null);\n",
      findings: [
        {
          messageId: 'tooLate',
          data: {
            package: 'react-dom',
            remedy: 'Set it in the environment that starts the process, or in a module that is imported before all others.',
          },
          refused: ['imports run before'],
        },
      ],
    },
    {
      name: 'in TypeScript behind the import',
      file: 'src/server.ts',
      code: "import { renderToString } from 'react-dom/server';\nif (!process.env.NODE_ENV) «process.env.NODE_ENV = 'production'»;\nrenderToString(null as never);\n",
      findings: [{ messageId: 'tooLate', refused: ['imports run before'] }],
    },
    {
      name: 'new ApolloServer, aliased',
      project: manifest('@apollo/server'),
      code: "import { ApolloServer as Server } from '@apollo/server';\nconst server = new Server({});\nif (!process.env.NODE_ENV) {\n  «process.env['NODE_ENV'] = 'production'»;\n}\n",
      findings: [
        {
          messageId: 'tooLate',
          data: { package: '@apollo/server', reason: '@apollo/server reads it when a `ApolloServer` is made.' },
          refused: ['depends on code between'],
        },
      ],
    },
    {
      name: 'inside one function',
      project: manifest('express'),
      code: "const express = require('express');\nfunction main() {\n  const app = express();\n  const { env } = process;\n  «env.NODE_ENV = 'production'»;\n  app.listen(1);\n}\nmain();\n",
      findings: [{ messageId: 'tooLate', functionName: 'main', refused: ['depends on code between'] }],
    },
    {
      name: 'set to prod in front of express',
      project: manifest('express'),
      code: "process.env.NODE_ENV = «'prod'»;\nconst app = require('express')();\n",
      findings: [
        {
          messageId: 'misspelt',
          data: { value: '`prod`', packages: 'express' },
          fixes: [{ kind: 'suggestion', output: "process.env.NODE_ENV = 'production';\nconst app = require('express')();\n" }],
        },
      ],
    },
    {
      name: 'a default that is misspelt',
      code: 'process.env.NODE_ENV ||= «"Production"»;\nimport express from \'express\';\nexpress();\n',
      findings: [
        {
          messageId: 'misspelt',
          fixes: [{ kind: 'suggestion', output: 'process.env.NODE_ENV ||= "production";\nimport express from \'express\';\nexpress();\n' }],
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
      code: "import { env } from 'node:process';\nexport const isLive = «'production '» == env.NODE_ENV;",
      findings: [
        {
          messageId: 'comparison',
          data: { value: '`production␠`' },
          fixes: [
            { kind: 'suggestion', output: "import { env } from 'node:process';\nexport const isLive = 'production' == env.NODE_ENV;" },
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
      code: "switch (process.env.NODE_ENV) {\n  case «'prodcution'»:\n    start();\n}",
      findings: [
        {
          messageId: 'comparison',
          fixes: [{ kind: 'suggestion', output: "switch (process.env.NODE_ENV) {\n  case 'production':\n    start();\n}" }],
        },
      ],
    },
  ],
};
