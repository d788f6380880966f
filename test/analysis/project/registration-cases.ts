import type { App } from './support.ts';

const S = `exports.load = function load() {};\nexports.scan = function scan() {};\nexports.idle = function idle() {};`;

/** How routes come to their handlers: wrappers, helpers that register what they are given, tables and loops over them. */
export const registrationCases: readonly App[] = [
  {
    name: 'controllers that are wrapped where they are written: each has its own route',
    files: {
      'app.js': `const app = require('express')();\nconst c = require('./c');\napp.get('/a', c.show);\napp.get('/b', c.list);`,
      'wrap.js': `exports.catchAsync = (fn) => (req, res, next) => { Promise.resolve(fn(req, res, next)).catch(next); };`,
      'c.js': `const { catchAsync } = require('./wrap');\nconst s = require('./s');\nexports.show = catchAsync(async () => s.load());\nexports.list = catchAsync(async () => s.scan());\nexports.unused = catchAsync(async () => s.idle());`, 's.js': S,
    },
    reached: ['s.js#load GET /a', 's.js#scan GET /b'], idle: ['s.js#idle'],
  },
  {
    name: 'a wrapper that takes its settings first, and one that does something itself',
    files: {
      'app.js': `const app = require('express')();\nconst c = require('./c');\nconst { allow } = require('./wrap');\napp.get('/a', allow('admin')(c.show));\napp.get('/b', allow('user')(c.list));`,
      'wrap.js': `const s = require('./s');\nexports.allow = (role) => (handler) => async function guarded(req, res) { check(role); return handler(req, res); };\nfunction check() {}`,
      'c.js': `const s = require('./s');\nexports.show = () => s.load();\nexports.list = () => s.scan();\nexports.unused = () => s.idle();`, 's.js': S,
    },
    reached: ['s.js#load GET /a', 's.js#scan GET /b', 'wrap.js#check'], idle: ['s.js#idle'],
  },
  {
    name: 'a cache that runs its function once is no wrapper',
    files: { 'app.js': `const app = require('express')();\nconst { once } = require('./once');\nconst s = require('./s');\nconst settings = once(() => s.load());\napp.get('/a', (req, res) => res.send(settings()));`, 'once.js': `exports.once = (fn) => { let value; return () => { if (value === undefined) value = fn(); return value; }; };`, 's.js': S },
    once: ['s.js#load'],
  },
  {
    name: 'what a wrapper also hands to an emitter',
    files: { 'app.js': `const app = require('express')();\nconst bus = require('./bus');\nconst s = require('./s');\nbus.onSave(() => s.load());\napp.get('/a', (req, res) => { bus.save(); res.end(); });`, 'bus.js': `const { EventEmitter } = require('events');\nconst emitter = new EventEmitter();\nexports.onSave = (fn) => { const listener = (...args) => fn(...args); emitter.on('save', listener); return listener; };\nexports.save = () => { emitter.emit('save', 1); };`, 's.js': S },
    reached: ['s.js#load GET /a'],
  },
];
