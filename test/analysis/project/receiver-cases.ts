// Methods of base classes that call what subclasses override: only the override of the instance that the method was called on.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { App } from './support.ts';

const BASE = dedent`
  export class Service {
    constructor(name) { this.name = name; }
    restart() { this.stop(); this.start(); }
    stop() { this.close(); }
    start() { if (this.name) this.open(); }
    later() { setTimeout(() => { [1].forEach(() => this.open()); }, 10); }
    pass(run) { run(this.open); }
    close() {}
  }
`;
const SUBCLASSES = dedent`
  import { Service } from './base.mjs';
  export class Mail extends Service { constructor() { super('mail'); } open() { this.#dial(); } #dial() { dialMail(); } close() { closeMail(); } }
  export class Files extends Service { open() { readFiles(); } close() { super.close(); closeFiles(); } }
  export class Old extends Files { open() { super.open(); readOld(); } }
  function dialMail() {}
  function closeMail() {}
  function readFiles() {}
  function closeFiles() {}
  function readOld() {}
`;

function app(body: string, more = ''): string {
  return dedent`
    import express from 'express';
    import { Service } from './base.mjs';
    import { Mail, Files, Old } from './services.mjs';
    const app = express();
    const mail = new Mail();
    const files = new Files('files');
    const old = new Old('old');
    files.restart();
    old.restart();
    ${more}
    app.post('/restart', (req, res) => { ${body} res.end(); });
  `;
}

function filesOf(body: string, more = ''): Record<string, string> {
  return { 'app.mjs': app(body, more), 'base.mjs': BASE, 'services.mjs': SUBCLASSES };
}

const MANY = Array.from({ length: 40 }, (_, i) => i);

export const receiverCases: readonly App[] = [
  {
    name: 'a chain of calls in the base class, from one subclass',
    files: filesOf('mail.restart();'),
    reached: ['base.mjs#start', 'services.mjs#dialMail POST /restart', 'services.mjs#closeMail'],
    idle: ['services.mjs#readFiles', 'services.mjs#closeFiles', 'services.mjs#readOld'],
  },
  {
    name: 'a call from another subclass, and super',
    files: filesOf('old.restart();'),
    reached: ['services.mjs#readOld', 'services.mjs#readFiles', 'services.mjs#closeFiles', 'base.mjs#close'],
    idle: ['services.mjs#dialMail', 'services.mjs#closeMail'],
  },
  {
    // What is in a variable of a class may be an instance of a subclass.
    name: 'a class with a subclass, but not its sibling',
    files: filesOf('files.restart();'),
    reached: ['services.mjs#readFiles', 'services.mjs#readOld'],
    idle: ['services.mjs#dialMail'],
  },
  {
    name: 'two routes and two subclasses',
    files: filesOf('mail.restart();', `app.post('/files', (req, res) => { files.restart(); res.end(); });`),
    reached: ['services.mjs#dialMail POST /restart', 'services.mjs#readFiles POST /files'],
    routes: {
      'services.mjs#dialMail': ['POST /restart'],
      'services.mjs#readFiles': ['POST /files'],
      'base.mjs#restart': ['POST /files', 'POST /restart'],
    },
  },
  {
    name: 'arrow functions that have the same this',
    files: filesOf('mail.later();'),
    reached: ['services.mjs#dialMail'],
    idle: ['services.mjs#readFiles', 'services.mjs#readOld'],
  },
  {
    name: 'one of two subclasses',
    files: filesOf('(req.body.isOld ? old : mail).restart();'),
    reached: ['services.mjs#readOld', 'services.mjs#dialMail', 'services.mjs#readFiles'],
  },
  {
    name: 'a list of some subclasses',
    files: filesOf('for (const one of [mail, old]) one.stop();'),
    reached: ['services.mjs#closeFiles', 'services.mjs#closeMail'],
    idle: ['services.mjs#readOld', 'services.mjs#dialMail'],
  },
  {
    name: 'an instance whose class a package chooses',
    files: filesOf(
      'chosen.restart();',
      dedent`
        import pick from 'pick';
        let chosen = pick('service');
        if (req.old) chosen = mail;
      `,
    ),
    reached: ['services.mjs#dialMail', 'services.mjs#readFiles', 'services.mjs#readOld'],
  },
  {
    name: 'a method of the base class that is the handler',
    files: filesOf('', `app.get('/raw', files.restart);\nmail.restart();`),
    reached: ['services.mjs#dialMail', 'services.mjs#readFiles', 'services.mjs#readOld'],
  },
  {
    name: 'a method that is passed as a callback',
    files: filesOf('mail.pass((open) => open());', 'files.pass((open) => open());'),
    reached: ['services.mjs#dialMail', 'services.mjs#readFiles'],
  },
  {
    name: 'a parameter that is declared as the base class',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import { Files, Mail, Old } from './services.mjs';
        import { Service } from './base.mjs';
        const app = express();
        for (const one of [new Mail(), new Files('f'), new Old('o')]) one.restart();
        export function register(service: Service) { app.post('/restart', (req, res) => { service.restart(); res.end(); }); }
      `,
      'base.mjs': BASE,
      'services.mjs': SUBCLASSES,
    },
    reached: ['services.mjs#dialMail', 'services.mjs#readFiles', 'services.mjs#readOld'],
  },
  {
    name: 'a parameter that is declared as a subclass with subclasses',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import { Files, Mail, Old } from './services.mjs';
        const app = express();
        for (const one of [new Mail(), new Files('f'), new Old('o')]) one.restart();
        export function register(service: Files) { app.post('/restart', (req, res) => { service.restart(); res.end(); }); }
      `,
      'base.mjs': BASE,
      'services.mjs': SUBCLASSES,
    },
    reached: ['services.mjs#readFiles', 'services.mjs#readOld'],
    idle: ['services.mjs#dialMail'],
  },
  {
    name: 'an abstract base class, with an event of one subclass',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import { Ember, Https } from './services';
        const app = express();
        const ember = new Ember();
        const https = new Https();
        https.init();
        app.post('/pages', (req, res) => { ember.pages.emit('count', 1); res.end(); });
      `,
      'base.ts': dedent`
        export abstract class Base {
          protected abstract listen(): void;
          init() { this.enable(); }
          protected enable() { try { this.listen(); } catch (e) {} }
          protected restart() { this.enable(); }
        }
      `,
      'services.ts': dedent`
        import { EventEmitter } from 'node:events';
        import { Base } from './base';
        export class Ember extends Base {
          pages = new EventEmitter();
          constructor() { super(); this.pages.on('count', () => { this.counted(); }); this.init(); }
          counted() { setTimeout(() => this.restart(), 100); }
          listen() { openSocket(); }
        }
        export class Https extends Base { listen() { readCertificates(); } }
        function openSocket() {}
        function readCertificates() {}
      `,
    },
    reached: ['services.ts#openSocket POST /pages'],
    idle: ['services.ts#readCertificates'],
  },
  {
    name: 'constructors that call what subclasses override',
    files: {
      'app.mjs': dedent`
        import express from 'express';
        import { Csv, Json } from './parsers.mjs';
        const app = express();
        const json = new Json();
        app.post('/csv', (req, res) => { res.json(new Csv(req.body).rows); });
      `,
      'parsers.mjs': dedent`
        class Parser { constructor(text) { this.setUp(); this.rows = this.parse(text); } setUp() { this.options(); } }
        export class Csv extends Parser { constructor(text) { super(text); } parse() { splitLines(); } options() { csvOptions(); } }
        export class Json extends Parser { parse() { readJson(); } options() { jsonOptions(); } }
        function splitLines() {}
        function readJson() {}
        function csvOptions() {}
        function jsonOptions() {}
      `,
    },
    reached: ['parsers.mjs#splitLines', 'parsers.mjs#csvOptions'],
    idle: ['parsers.mjs#readJson', 'parsers.mjs#jsonOptions'],
  },
  {
    name: 'a constructor that is inherited',
    files: {
      'app.mjs': dedent`
        import express from 'express';
        import { Csv, Json } from './parsers.mjs';
        const app = express();
        const json = new Json();
        app.post('/csv', (req, res) => { res.json(new Csv(req.body).rows); });
      `,
      'parsers.mjs': dedent`
        class Parser { constructor(text) { this.rows = this.parse(text); } }
        export class Csv extends Parser { parse() { splitLines(); } }
        export class Json extends Parser { parse() { readJson(); } }
        function splitLines() {}
        function readJson() {}
      `,
    },
    reached: ['parsers.mjs#splitLines'],
    idle: ['parsers.mjs#readJson'],
  },
  {
    name: 'static methods, and functions with prototypes',
    files: {
      'app.js': dedent`
        const express = require('express');
        const { Users, Posts, Dog, Cat } = require('./models');
        const app = express();
        Posts.find();
        new Cat().speak();
        app.get('/users', (req, res) => { Users.find(); new Dog().speak(); res.end(); });
      `,
      'models.js': dedent`
        const util = require('util');
        class Model { static find() { return this.query(); } }
        class Users extends Model { static query() { queryUsers(); } }
        class Posts extends Model { static query() { queryPosts(); } }
        function Animal() {}
        Animal.prototype.speak = function speak() { this.sound(); };
        function Dog() { Animal.call(this); }
        util.inherits(Dog, Animal);
        Dog.prototype.sound = function sound() { bark(); };
        function Cat() { Animal.call(this); }
        util.inherits(Cat, Animal);
        Cat.prototype.sound = function sound() { meow(); };
        function queryUsers() {}
        function queryPosts() {}
        function bark() {}
        function meow() {}
        module.exports = { Users, Posts, Dog, Cat };
      `,
    },
    reached: ['models.js#queryUsers', 'models.js#bark'],
    idle: ['models.js#queryPosts', 'models.js#meow'],
  },
  {
    name: 'get with two arguments gives data, not its own object as a chain of routes does',
    files: {
      'app.js': dedent`
        const express = require('express');
        const Users = require('./users');
        const Files = require('./files');
        const app = express();
        const users = new Users();
        const files = new Files();
        app.delete('/users/:id', async (req, res) => { const user = await users.update({ id: req.params.id }, {}); user.remove(); res.end(); });
        app.delete('/files/:id', (req, res) => { files.remove(req.params.id); res.end(); });
        app.use(require('express').Router().get('/chain', (req, res) => res.end()).get('/chained', (req, res) => chained(res)));
        function chained(res) { res.end(); }
      `,
      'users.js': dedent`
        module.exports = class Users {
          async get(key, context) { return find(key, context); }
          async update(key, context) { const user = await this.get(key, context); return user; }
          remove() { removeUser(); }
        };
        function removeUser() {}
      `,
      'files.js': dedent`
        module.exports = class Files {
          remove(id) { removeFile(id); }
        };
        function removeFile() {}
      `,
    },
    reached: ['files.js#removeFile DELETE /files/:id', 'app.js#chained GET /chained'],
    idle: ['users.js#removeUser'],
  },
  {
    name: 'a function that a constructor keeps, of this object and no other',
    files: {
      'app.mjs': dedent`
        import express from 'express';
        import { Source, Watcher } from './kept.mjs';
        const app = express();
        const settings = new Source(() => readSettings());
        const users = new Source(function load() { return readUsers(); });
        const mails = new Watcher('mails', fetchMails);
        const files = new Watcher('files', fetchFiles);
        users.get();
        let old;
        function setUp() { old = new Watcher('old', fetchOld); }
        setUp();
        app.get('/a', (req, res) => { res.json(settings.get()); });
        app.get('/b', (req, res) => { mails.start(); res.end(); });
        function readSettings() {}
        function readUsers() {}
        function fetchMails() {}
        function fetchFiles() {}
        function fetchOld() {}
      `,
      'kept.mjs': dedent`
        export class Source {
          constructor(make) { this.make = make; }
          get() { return this.#fill(); }
          #fill() { return this.make(); }
        }
        export class Watcher {
          constructor(name, getter, onChange = () => changed()) { this.name = name; this.getter = getter; this.onChange = onChange; }
          start() { this.update().then(() => this.onChange()); }
          update() { return this.getter(this.name); }
        }
        function changed() {}
      `,
    },
    reached: ['app.mjs#readSettings GET /a', 'app.mjs#fetchMails GET /b', 'kept.mjs#changed GET /b'],
    idle: ['app.mjs#readUsers', 'app.mjs#fetchFiles', 'app.mjs#fetchOld'],
  },
  {
    name: 'objects that keep a function, in a list, behind a parameter, and of a subclass',
    files: {
      'app.mjs': dedent`
        import express from 'express';
        import { Task, Late } from './task.mjs';
        const app = express();
        const tasks = [new Task(() => first()), new Task(() => second())];
        const late = new Late(() => third());
        app.get('/a', (req, res) => { for (const task of tasks) task.go(); res.end(); });
        app.get('/b', (req, res) => { run(late); res.end(); });
        function run(task) { task.go(); }
        function first() {}
        function second() {}
        function third() {}
      `,
      'task.mjs': dedent`
        export class Task {
          constructor(work) { this.work = work; }
          go() { this.work(); }
        }
        export class Late extends Task {
          go() { setTimeout(() => super.go(), 1); }
        }
      `,
    },
    reached: ['app.mjs#first GET /a', 'app.mjs#second GET /a', 'app.mjs#third GET /b'],
  },
];

/** Not edited: the objects of the file that is edited have more room in full sets. */
export const fullSetCases: readonly App[] = [
  {
    name: 'more classes than a set holds, each of which calls a method of its own',
    files: {
      'app.ts': dedent`
        import express from 'express';
        import { providers, Base, type Provider } from './providers';
        const app = express();
        const find = (name: string): Provider => providers.find((one) => one.name === name)!;
        app.get('/:name', async (req, res) => res.send(await find(req.params.name).show()));
        class Loud extends Base { open() { openLoud(); } }
        function openLoud() {}
        const loud = new Loud();
        app.get('/loud', (req, res) => { loud.start(); res.end(); });
      `,
      'providers.ts': `
        export interface Provider { name: string; show(): Promise<string>; pages(): string }
        export class Base { start() { this.open(); } open() {} }
        ${MANY.map((i) => `class P${i} extends Base implements Provider { name = 'p${i}'; ${i % 4 === 3 ? 'async show() { return this.pages(); }' : 'list() { return this.pages(); }'} pages() { return read${i}(); } }`).join('\n')}
        ${MANY.map((i) => `function read${i}() { return ''; }`).join('\n')}
        export const providers: Provider[] = [${MANY.map((i) => `new P${i}()`).join(', ')}];
      `,
    },
    reached: ['providers.ts#read3', 'providers.ts#read11', 'app.ts#openLoud GET /loud'],
    idle: ['providers.ts#read0', 'providers.ts#read20'],
  },
  {
    name: 'a method that an object has instead of what is no method of all its instances',
    files: {
      'app.js': dedent`
        const { Store, Disk, Pipe, open } = require('./stores');
        const app = require('express')();
        const store = new Store();
        const disk = new Disk({ fast: process.env.FAST === '1' });
        const pipe = new Pipe();
        pipe.closeNow = undefined;
        app.get('/text', (req, res) => { if (store.text) return res.send(store.text); res.send(store.reload(req.query.a)); });
        app.get('/set', (req, res) => { res.send(store.ready ? 'x' : store.prepare(req.query.a)); });
        app.get('/static', (req, res) => { res.send(store.isFast ? 'x' : store.readSlowly(req.query.a)); });
        app.get('/disk', (req, res) => { res.send(disk.readFast ? disk.readFast(1) : disk.readAll(req.query.a)); });
        app.get('/pipe', (req, res) => { res.send(pipe.closeNow ? pipe.closeNow() : pipe.closeLater()); });
        app.get('/open', (req, res) => { const one = open(req.query.k); if (one.closeSoon) return one.closeSoon(); one.closeAtOnce(); });
      `,
      'stores.js': dedent`
        class Store {
          get text() { return this.kept; }
          reload(name) { this.kept = name; }
          set ready(value) { this.isReady = value; }
          prepare() {}
          static isFast() { return true; }
          readSlowly() {}
        }
        class Disk {
          constructor({ fast }) { if (!fast) this.readFast = undefined; }
          readFast() {}
          readAll() {}
        }
        class Pipe { closeNow() {} closeLater() {} }
        function makeOld() { class Link { closeAtOnce() {} } return new Link(); }
        function makeNew() { class Link { closeSoon() {} } return new Link(); }
        exports.open = (k) => (k ? makeOld() : makeNew());
        Object.assign(exports, { Store, Disk, Pipe });
      `,
    },
    dependencies: ['express'],
    reached: [
      'stores.js#Store.reload GET /text',
      'stores.js#Store.prepare GET /set',
      'stores.js#Store.readSlowly GET /static',
      'stores.js#Disk.readAll GET /disk',
      'stores.js#Pipe.closeLater GET /pipe',
      'stores.js#Link.closeAtOnce GET /open',
    ],
  },
  {
    name: 'a method that an object has instead of another one, which it has, or may lack',
    files: {
      'app.js': dedent`
        const { Files, Mail, Queue } = require('./services');
        const app = require('express')();
        async function end(service, id) {
          if (typeof service?.closeAndWait === 'function') {
            await service.closeAndWait(id);
            return;
          }
          if (typeof service?.close === 'function') service.close(id);
        }
        app.post('/end', async (req, res) => { await end(new Files(), req.body.id); res.end(); });
        const stop = (service) => service.closeAndWait ? service.closeAndWait() : service.close();
        app.post('/stop', (req, res) => { stop(new Mail()); res.end(); });
        const halt = (service) => { if (service.closeAndWait && service.isOpen) return service.closeAndWait(); service.close(); };
        app.post('/halt', (req, res) => { halt(new Queue()); res.end(); });
      `,
      'services.js': dedent`
        class Files { close() { endFiles(); } async closeAndWait() { waitForFiles(); } }
        class Mail { close() { endMail(); } }
        class Queue { close() { endQueue(); } async closeAndWait() { waitForQueue(); } }
        function endFiles() {}
        function waitForFiles() {}
        function endMail() {}
        function endQueue() {}
        function waitForQueue() {}
        module.exports = { Files, Mail, Queue };
      `,
    },
    dependencies: ['express'],
    reached: [
      'services.js#waitForFiles POST /end',
      'services.js#endMail POST /stop',
      'services.js#endQueue POST /halt',
      'services.js#waitForQueue POST /halt',
    ],
    idle: ['services.js#endFiles'],
  },
  {
    name: 'methods of a class that are named as what mixes objects',
    files: {
      'server.js': dedent`
        const { Tickets } = require('./tickets');
        const app = require('express')();
        const tickets = new Tickets();
        app.post('/assign', (req, res) => { res.json(tickets.assign(req.body.id, req.body.user)); });
        const all = Object.assign({}, { list(req, res) { res.json(tickets.merge(req.body, {})); } });
        app.get('/', all.list);
        app.listen(3000);
      `,
      'tickets.js': dedent`
        exports.Tickets = class Tickets {
          assign(id, user) { return give(id, user); }
          merge(one, other) { return join(one, other); }
          extend(id, days) { return prolong(id, days); }
        };
        function give(id, user) { return [id, user]; }
        function join(one, other) { return [one, other]; }
        function prolong(id, days) { return [id, days]; }
      `,
    },
    dependencies: ['express'],
    reached: ['tickets.js#give POST /assign', 'tickets.js#join GET /'],
    idle: ['tickets.js#prolong'],
  },
];
