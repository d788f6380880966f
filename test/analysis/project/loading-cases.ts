// Handlers of files that the program does not load, or whose functions no file takes, beside those that are in use.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { App } from './support.ts';

const router = (handler: string): string => dedent`
  const router = require('express').Router();
  router.get('/', function ${handler}(req, res) { res.end(); });
  module.exports = router;
`;

/** A server in TypeScript, with a router in both languages. */
const inTwoLanguages = (importing: string): App['files'] => ({
  'src/server.ts': dedent`
    import express from 'express';
    ${importing}
    const app = express();
    app.use('/users', users);
    app.use('/posts', require('./routes/posts'));
    app.listen(3000);
  `,
  'src/routes/posts.js': router('inPosts'),
  'src/routes/users.ts': dedent`
    import { Router } from 'express';
    const router = Router();
    router.get('/', function inTypeScript(req, res) { res.end(); });
    export default router;
  `,
  'src/routes/users.js': dedent`
    const multer = require('multer');
    const users = require('../controllers/users');
    const router = require('express').Router();
    const upload = multer({ storage: multer.diskStorage({ filename: (req, file, done) => done(null, file.originalname) }) });
    router.get('/', users.list);
    router.post('/', upload.single('picture'), users.add);
    module.exports = router;
  `,
  'src/controllers/users.js': dedent`
    exports.list = function list(req, res) { res.json([]); };
    exports.add = function add(req, res) { res.json(req.file); };
  `,
});

/** A program that asks for something with a name that is not found, beside a controller that no file names. */
function besideStranger(name: string, stranger: string, { isLoaded }: { isLoaded: boolean }): App {
  return {
    name,
    files: {
      'server.js': dedent`
        const app = require('express')();
        const sending = () => require('${stranger}');
        app.get('/users', require('./controllers/users').list);
        app.listen(3000, sending);
      `,
      'controllers/users.js': 'exports.list = function list(req, res) { res.json([]); };',
      'controllers/mail.js': 'exports.send = function send(req, res) { res.json(req.body); };',
    },
    dependencies: ['express'],
    reached: ['controllers/users.js#list GET /users', ...(isLoaded ? ['controllers/mail.js#send'] : [])],
    idle: isLoaded ? [] : ['controllers/mail.js#send'],
  };
}

const sign = 'module.exports = async function sign(req, res) { res.json({ for: req.body }); };';

/** Routes of which one was removed, but not the import of its handler. `more` is what else the file of the routes says. */
function besideRemoved(
  name: string,
  importing: string,
  more: string,
  { files = {}, isTaken }: { files?: App['files']; isTaken: boolean },
): App {
  return {
    name,
    files: {
      'server.js': dedent`
        const app = require('express')();
        app.use('/users', require('./routes/users'));
        app.listen(3000);
      `,
      'routes/users.js': dedent`
        const router = require('express').Router();
        const list = require('./list');
        ${importing}
        router.get('/', list);
        ${more}
        module.exports = router;
      `,
      'routes/list.js': 'module.exports = function list(req, res) { res.json([req.query]); };',
      'routes/sign.js': sign,
      ...files,
    },
    reached: ['routes/list.js#list GET /users', ...(isTaken ? ['routes/sign.js#sign'] : [])],
    idle: isTaken ? [] : ['routes/sign.js#sign'],
  };
}

export const loadingCases: readonly App[] = [
  ...[
    "import users from './routes/users';",
    "const users = require('./routes/users').default;",
    "import users from './routes/users.js';",
  ].map(
    (importing): App => ({
      name: `a router in JavaScript beside the one in TypeScript that is meant: ${importing}`,
      files: inTwoLanguages(importing),
      reached: ['src/routes/users.ts#inTypeScript GET /users', 'src/routes/posts.js#inPosts GET /posts'],
      idle: ['src/controllers/users.js#list', 'src/controllers/users.js#add'],
    }),
  ),
  {
    name: 'a router in JavaScript beside one in TypeScript: JavaScript means the former',
    files: {
      ...inTwoLanguages("import users from './routes';"),
      'src/routes/index.js': "module.exports = require('./users');",
    },
    reached: ['src/controllers/users.js#list GET /users', 'src/controllers/users.js#add POST /users'],
    idle: ['src/routes/users.ts#inTypeScript'],
  },
  besideStranger('a controller that no file names, beside a package that is not in package.json', '@acme/letters', { isLoaded: false }),
  besideStranger('a controller that a name may mean which is not found', '@acme/mail', { isLoaded: true }),
  besideStranger('a controller that an alias of another tool may mean', '~/controllers/mail.js', { isLoaded: true }),
  besideStranger('a controller that an alias may mean which tells nothing of its path', '@sender', { isLoaded: true }),
  besideRemoved('a handler whose route was removed, but not its import', "const sign = require('./sign');", '', { isTaken: false }),
  besideRemoved('a handler whose route is commented out', "const sign = require('./sign');", "// router.post('/sign', sign);", {
    isTaken: false,
  }),
  besideRemoved('a controller in an object whose route was removed', "const { sign } = require('./sign');", '', {
    files: { 'routes/sign.js': 'const controller = { sign(req, res) { res.json({ for: req.body }); } };\nmodule.exports = controller;' },
    isTaken: false,
  }),
  besideRemoved('the one instance of a controller whose route was removed', "const signer = require('./sign');", '', {
    files: {
      'routes/sign.js':
        'class Signer { async sign(req, res) { res.json({ for: req.body }); } }\nconst signer = new Signer();\nmodule.exports = signer;',
    },
    isTaken: false,
  }),
  besideRemoved(
    'a handler that is registered by its name',
    "const handlers = { sign: require('./sign') };",
    'router.post(path, handlers[name]);',
    {
      isTaken: true,
    },
  ),
  besideRemoved('a handler in a list', "const sign = require('./sign');", 'for (const one of registry) one(router, [sign]);', {
    isTaken: true,
  }),
  besideRemoved('a handler that another file imports, too', "const sign = require('./sign');", '', {
    files: { 'routes/all.js': "const sign = require('./sign');\nexports.all = (add) => add(sign);" },
    isTaken: true,
  }),
  besideRemoved('a handler that its file is loaded for', "require('./sign');", '', {
    files: { 'routes/sign.js': `${sign}\nrequire('./registry').add(module.exports);` },
    isTaken: true,
  }),
  besideRemoved('a handler that its own file takes', "const sign = require('./sign');", '', {
    files: {
      'routes/sign.js': dedent`
        const registry = require('acme-registry');
        async function sign(req, res) { res.json({ for: req.body }); }
        registry.add(sign);
        module.exports = sign;
      `,
    },
    isTaken: true,
  }),
  {
    name: 'a router that its importer mounts no more, and one that it mounts',
    files: {
      'server.js': dedent`
        const app = require('express')();
        const users = require('./routes/users');
        const posts = require('./routes/posts');
        app.use('/posts', posts);
        app.listen(3000);
      `,
      'routes/users.js': router('inUsers'),
      'routes/posts.js': router('inPosts'),
    },
    reached: ['routes/posts.js#inPosts GET /posts'],
    idle: ['routes/users.js#inUsers'],
  },
  {
    name: 'a class that looks like a controller, of which only the type is named where it is injected',
    files: {
      'src/server.ts': dedent`
        import express from 'express';
        import { Signer } from './controllers/signer';
        import { build } from 'acme-injector';
        const app = express();
        app.get('/', function inRoot(req, res) { res.end(); });
        @build
        class Program { constructor(private readonly signer: Signer) {} }
        app.listen(3000);
      `,
      'src/controllers/signer.ts':
        "import { Request, Response } from 'express';\nexport class Signer { async sign(req: Request, res: Response) { res.json({ for: req.body }); } }",
    },
    reached: ['src/server.ts#inRoot GET /', 'src/controllers/signer.ts#sign'],
    idle: [],
  },
];
