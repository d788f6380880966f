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
];
