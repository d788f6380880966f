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

/** The same, of a handler or router whose file has this text. */
const inItsFile = (name: string, text: string, { isTaken }: { isTaken: boolean }): App =>
  besideRemoved(name, "const sign = require('./sign');", '', { files: { 'routes/sign.js': text }, isTaken });

/** A class with a handler, and what else it has. */
const signer = (more: string, exported = 'new Signer()'): string => dedent`
  const registry = require('acme-registry');
  class Signer {
    ${more}
    async sign(req, res) { res.json({ for: req.body }); }
  }
  module.exports = ${exported};
`;

/** A router with a handler, and what else its file says. */
const signRouter = (more: string): string => dedent`
  const registry = require('acme-registry');
  const router = require('express').Router();
  router.get('/sign', function sign(req, res) { res.json({ for: req.body }); });
  ${more}
`;

/** A folder for each part of a program, of which the router loads one. `more`: what its file says besides. */
function besideOldFolder(name: string, more: string, { isLoaded, other = 'route' }: { isLoaded: boolean; other?: string }): App {
  const old = `components/users-old/${other}.js`;
  return {
    name,
    files: {
      'server.js': dedent`
        const app = require('express')();
        app.use('/', require('./common/router'));
        app.listen(3000);
      `,
      'common/router.js': dedent`
        const router = require('express').Router();
        router.use('/users', require('../components/users/route'));
        ${more}
        module.exports = router;
      `,
      'components/users/route.js': dedent`
        const router = require('express').Router();
        router.get('/', function list(req, res) { res.end(require('../games/' + req.query.game + '/score')()); });
        module.exports = router;
      `,
      [old]: dedent`
        const router = require('express').Router();
        const service = require('./service');
        module.exports = () => {
          router.post('/sign', function sign(req, res) { res.json(service.find(req.body)); });
          return router;
        };
      `,
      'components/users-old/service.js': 'exports.find = function find(body) { return [body]; };',
    },
    dependencies: ['express'],
    reached: ['components/users/route.js#list GET /users', ...(isLoaded ? [`${old}#sign`, 'components/users-old/service.js#find'] : [])],
    idle: isLoaded ? [] : [`${old}#sign`, 'components/users-old/service.js#find'],
  };
}

export const loadingCases: readonly App[] = [
  besideOldFolder('a folder beside the one whose router is loaded', '', { isLoaded: false }),
  besideOldFolder('the same, whose router is loaded, too', "router.use('/old', require('../components/users-old/route')());", {
    isLoaded: true,
  }),
  besideOldFolder(
    'the same beside a loader of all such folders',
    "for (const name of ['users-old']) router.use('/' + name, require('../components/' + name + '/route')());",
    { isLoaded: true },
  ),
  besideOldFolder('the same beside a loader of any file', "require('fs').readdirSync('.').forEach((name) => require(name));", {
    isLoaded: true,
  }),
  besideOldFolder('a folder whose router has another name than those that are loaded', '', { isLoaded: true, other: 'routes' }),
  besideOldFolder(
    'a folder beside one whose router is loaded, where names may say any path',
    "for (const name of ['../components/users-old/route']) router.use(require('./' + name)());",
    { isLoaded: true },
  ),
  {
    name: 'folders beside those that are loaded: of functions that a platform runs, and of other programs',
    files: {
      'server.js': dedent`
        const app = require('express')();
        app.use('/users', require('./api/users/route'));
        app.use('/list', require('./parts/index'));
        app.listen(3000);
      `,
      'api/users/route.js': router('list'),
      'api/orders/route.js': router('order'),
      'parts/index.js': router('part'),
      'jobs/index.js': `require('acme-server').start({ name: 'jobs' });\n${router('job')}`,
    },
    dependencies: ['express'],
    layout: { packages: [{ root: '/project' }], aliases: [] },
    reached: ['api/users/route.js#list', 'api/orders/route.js#order', 'parts/index.js#part', 'jobs/index.js#job'],
  },
  {
    name: 'a middleware that only a file makes which is not loaded',
    files: {
      'server.js': dedent`
        const { headers, forbid } = require('./middleware/security');
        const app = require('express')();
        require('some-config').use({ makers: [forbid] });
        app.use(headers());
        app.use('/users', require('./routes/users'));
        app.listen(3000);
      `,
      'middleware/security.js': dedent`
        exports.headers = () => function setHeaders(req, res, next) { res.setHeader('a', 'b'); next(); };
        exports.sanitize = () => function clean(req, res, next) { req.body = req.body.trim(); next(); };
        exports.forbid = () => function deny(req, res, next) { req.body = req.body.trim(); next(); };
        exports.other = () => function unknown(req, res, next) { req.body = req.body.trim(); next(); };
      `,
      'routes/users.js': router('list'),
      'routes/auth.js': dedent`
        const router = require('express').Router();
        router.use(require('../middleware/security').sanitize());
        router.use(require('../middleware/security').forbid());
        router.post('/', (req, res) => res.end());
        module.exports = router;
      `,
    },
    dependencies: ['express'],
    reached: ['middleware/security.js#setHeaders', 'middleware/security.js#unknown', 'middleware/security.js#deny'],
    idle: ['middleware/security.js#clean'],
  },
  {
    name: 'a protected method is not meant by its name on an object that is not known',
    files: {
      'server.ts': dedent`
        import express from 'express';
        import { prisma } from './prisma';
        import { Reports } from './reports';
        const app = express();
        const reports = new Reports();
        app.get('/', (req, res) => { res.json([prisma.rows.groupByDay(), prisma.rows.groupByWeek(), reports]); });
        app.listen(3000);
      `,
      'prisma.ts': dedent`
        import { connect } from 'some-database';
        export const prisma = connect();
      `,
      'reports.ts': dedent`
        export class Reports {
          protected groupByDay() { return []; }
          groupByWeek() { return []; }
        }
      `,
    },
    dependencies: ['express', 'some-database'],
    reached: ['reports.ts#Reports.groupByWeek'],
    idle: ['reports.ts#Reports.groupByDay'],
  },
  {
    name: 'a private method is meant by its name in its own class, and makes the name mean no other one',
    files: {
      'server.ts': dedent`
        import express from 'express';
        import { cache } from './cache';
        import { Plan } from './plan';
        import { Index } from './index-of-files';
        const app = express();
        app.get('/', (req, res) => { Plan.show(req.query.id); res.end(); });
        app.get('/sheet', (req, res) => { cache.get(req.query.id).buildSheet(); res.end(); });
        if (process.argv[2] === 'import') new Index().rebuildIndex();
        app.listen(3000);
      `,
      'cache.ts': dedent`
        import { LRU } from 'some-lru';
        export const cache: any = new LRU();
      `,
      'plan.ts': dedent`
        import { cache } from './cache';
        export class Plan {
          static show(id: any) {
            cache.get(id).writeSummary();
            [1].forEach(() => cache.get(id).renderAgain());
            cache.get(id).rebuildIndex();
          }
          private writeSummary() {}
          private buildSheet() {}
          private rebuildIndex() {}
          protected renderAgain() {}
        }
      `,
      'index-of-files.ts': 'export class Index { rebuildIndex() {} }',
    },
    dependencies: ['express', 'some-lru'],
    reached: ['plan.ts#Plan.writeSummary', 'plan.ts#Plan.renderAgain'],
    idle: ['plan.ts#Plan.buildSheet', 'plan.ts#Plan.rebuildIndex', 'index-of-files.ts#Index.rebuildIndex'],
  },
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
  ...[
    ['that reads its own exports to export them again', `${sign}\nmodule.exports.default = module.exports;`],
    ['that calls what it exports', `exports.now = () => Date.now();\nconst started = exports.now();\nexports.sign = ${sign.slice(17)}`],
    ['beside a property of this name', `const all = require('acme').exports;\nall.add(all.module, { exports: 1 });\n${sign}`],
    ['that asks whether it is the program', `${sign}\nif (require.main === module) console.log(typeof module);`],
    [
      'in a class that binds its methods to its object',
      signer('constructor(service) { this.service = service; this.sign = this.sign.bind(this); registry.add(this.service); }'),
    ],
    [
      'in a class that names itself in a log',
      signer("constructor() { this.log = require('./log').child({ of: this.constructor.name }); }"),
    ],
    [
      'in a class that calls its methods',
      signer('constructor() { this.load(); } load() { this.rows = []; } get size() { return this.load(); }'),
    ],
    ['in a class that hands on its object only when asked', signer('constructor() { this.rows = []; } register() { registry.add(this); }')],
    [
      'in a class beside a function with its own this',
      signer(
        'constructor() { this.rows = new (class { constructor() { registry.add(this); } })(); on(function () { registry.add(this); }); }',
      ),
    ],
    ['in a class with a static table', signer('static rows = [1]; static { this.size = this.rows.length; }', 'Signer')],
    ['in a class that nothing builds', signer('constructor() { registry.add(this); }', 'Signer')],
    ['on a router that is exported', signRouter("router.use(require('./log'));\nrouter.all('/logs', log);\nmodule.exports = router;")],
    ['on a router with two exports', signRouter('module.exports = router;\nmodule.exports.router = router;')],
  ].map(([name = '', text = '']) => inItsFile(`a removed handler ${name}`, text, { isTaken: false })),
  ...[
    ['by a member of the exports', `exports.sign = ${sign.slice(17)}\nrequire('acme-registry').add('sign', exports.sign);`],
    ['with all exports', `exports.sign = ${sign.slice(17)}\nrequire('acme-registry').add(module.exports);`],
    ['with all exports, as one object', `module.exports = { sign: ${sign.slice(17, -1)} };\nrequire('acme-registry').add(module.exports);`],
    [
      'with exports that are taken apart',
      `exports.sign = ${sign.slice(17)}\nconst { exports: all } = module;\nrequire('acme-registry').add(all);`,
    ],
    [
      'by an exported function that hands on its this',
      `module.exports = { sign: ${sign.slice(17, -1)}, add() { registry.add(this); } };\nmodule.exports.add();`,
    ],
    ['bound to its object', signer("constructor() { registry.add('sign', this.sign.bind(this)); }")],
    ['bound to its object, by another name', signer('constructor() { this.go = this.sign.bind(this); registry.add(this.go); }')],
    ['with its object, in an object', signer("constructor() { registry.add({ name: 'a', target: this }); }")],
    ['with its object, by another name', signer('constructor() { const self = this; registry.add(self); }')],
    ['with its object, by a key', signer('constructor() { for (const name of names) registry.add(this[name]); }')],
    ['with its object, in a method that is called', signer('constructor() { this.#init(); } #init() { registry.add(this); }')],
    ['with its object, in a setter', signer('constructor() { this.of = registry; } get of() { return 1; } set of(one) { one.add(this); }')],
    [
      'with its object, in an inherited method',
      signer('static { this.register(); }', 'Signer').replace('Signer {', 'Signer extends Registered {'),
    ],
    ['with its class, by its object', signer('constructor() { registry.add(this.constructor); }')],
    ['with its object, later', signer('constructor() { setTimeout(() => registry.add(this)); }')],
    ['with its object, in a field', signer('entry = registry.add(this);')],
    ['with its class, in a static block', signer('static { registry.add(this); }', 'Signer')],
    ['with its class, in a static field', signer('static entry = registry.add(this.prototype);', 'Signer')],
    ['with its class, by its own name', signer('static { registry.add(Signer); }', 'Signer').replace('class', 'module.exports = class')],
    ['its router, in an object', signRouter('registry.add({ router });\nmodule.exports = router;')],
    ['its router, in a list', signRouter("require('../list').push({ path: '/u', router });\nmodule.exports = router;")],
    ['its router, by what a registration returns', signRouter("registry.add(router.post('/', post));\nmodule.exports = router;")],
    ['its router, by the exports', signRouter('module.exports = router;\nregistry.add(module.exports);')],
  ].map(([name = '', text = '']) => inItsFile(`a removed handler that its own file hands on: ${name}`, text, { isTaken: true })),
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
