// Calls and functions that look like registrations and handlers and are none.
import type { HandlerCase } from './handler-case.ts';

export const otherCases: readonly HandlerCase[] = [
  {
    name: 'settings and look-ups',
    code: `
const app = require('express')();
app.get('title');
exports.read = (server, fallback) => server.get('view engine', fallback);
config.get('db.host', (err, value) => value);
settings.get(key, () => compute());
headers.get('x');
new Map().get('/x');`,
  },
  {
    name: 'http clients',
    code: `
const axios = require('axios');
const https = require('https');
const request = require('request');
const needle = require('needle');
const api = axios.create({ baseURL });
https.get('/x', (res) => res.resume());
https.get(url, { agent }, function (response) { response.pipe(out); });
axios.get('/users/:id', handler);
api.post('/users', body);
request.get(url, (err, res, body) => body);
request.post({ url }, done);
needle.get('/x', callback);
fetcher.get('https://example.com/:id', handler);
$.get('/api/x', function (data) { show(data); });
this.$http.post('/api/x', form).then(show);
client.get('/x', (err, req, res) => res);
client.post('/todo', { task }, function (err, req, res, body) { done(body); });`,
  },
  {
    name: 'test clients and mock servers',
    file: '/project/test/x.js',
    code: `
import supertest from 'supertest';
import nock from 'nock';
import { rest, http } from 'msw';
import chai from 'chai';
const server = supertest(app);
server.get('/x', done);
supertest(app).post('/x').send(body).end(done);
chai.request(app).get('/x').end(done);
const agent = supertest.agent(app);
agent.get('/x', done);
nock('https://a.b').get('/x', (body) => body.ok).reply(200);
rest.get('/x', (req, res, ctx) => res(ctx.json({})));
http.get('/x', ({ request }) => 1);
const answer = await server2.post('/api/list', user);`,
  },
  {
    name: 'caches, databases, events, model virtuals',
    code: `
const redis = require('redis').createClient();
redis.get('/key', (err, reply) => reply);
cache.get(ctx, 'zones', () => load(ctx));
requestCache.get(ctx, key, async () => 1);
dynamoDb.put(params, (error) => error);
schema.virtual('name').get(function () { return this.first; });
ep.all('topic', 'author', function (topic, author) {});
proxy.all('a', 'b', done);
session.get(ids, (error, rows) => rows);
db.all('/select', (err, rows) => rows);
Promise.all([a, b], done);
_.get(object, '/path', fallback);`,
  },
  {
    name: 'use of other things',
    code: `
import { createApp } from 'vue';
const app = createApp({});
app.use(router);
app.use((vm) => vm);
chai.use(function (c, u) {});
axios.interceptors.request.use((config) => config, (error) => error);
i18n.use(detector, (x) => x);
unified().use(plugin, () => 1);`,
  },
  {
    name: 'sockets of a browser and of a client',
    file: '/project/app/components/Sync.tsx',
    code: `
import React from 'react';
import io from 'socket.io-client';
const socket = io();
socket.on('update', (data) => data);
export function bind(socket) { socket.on('update', (data) => data); }`,
  },
  {
    name: 'raw connections',
    code: `
const net = require('net');
const socket = net.connect(80);
socket.on('data', (chunk) => chunk);
stream.on('request', () => 1);
page.on('request', (request) => request.continue());
mongoose.connection.on('connected', () => 1);`,
  },
  {
    name: 'start-up beside the routes',
    code: `
const express = require('express');
const app = express();
function load() { return require('fs').readFileSync('x'); }
load();
app.set('port', 80);
app.listen(80, () => console.log('up'));
process.on('exit', () => {});`,
  },
  {
    name: 'a server that its first answer ends: a wizard before the start, a login',
    code: `
const http = require('node:http');
const { createServer } = http;
exports.login = () => new Promise((resolve, reject) => {
  const server = http.createServer((req, res) => {
    res.end('You can close this window.');
    server.close();
    resolve(new URL(req.url, 'http://localhost').searchParams.get('code'));
  });
  server.listen(0);
});
exports.start = () => new Promise((resolve) => {
  const server = createServer((req, res) => { res.end(load(req.url)); });
  server.listen(80, () => resolve(server));
});`,
    handlers: ['route node-http - @12'],
  },
  {
    name: "Electron's own events, and messages that windows get",
    code: `
const { app, ipcMain, ipcRenderer, BrowserWindow } = require('electron');
app.on('ready', () => {});
app.handle('x', () => {});
ipcRenderer.on('list', (event, rows) => {});
ipcMain.once('first', () => {});
ipcMain.removeHandler('read');
win.webContents.on('did-finish-load', () => {});
queue.ipc.handle('x', () => {});`,
  },
  {
    name: 'queries, mutations and routers that are no procedures',
    code: `
const api = createApi({ endpoints: (build) => ({ list: build.query({ query: (id) => id }), add: build.mutation(() => 1) }) });
const router = createRouter({ routes: pages, guard: useQuery(() => 1) });
const rows = db.withSchema('x').query((row) => row);
const named = client.input('a').query(() => 1);
const cached = store.mutation(() => 1);`,
  },
  {
    name: 'apply and call with another receiver, or without a path',
    code: `
const app = require('express')();
app.get.apply(other, ['/a', () => 1]);
app.get.call(app, 'title');
fn.apply(app, ['/a', () => 1]);
map.get.apply(map, args);`,
  },
  {
    name: 'an unused parameter and one that only sounds like a response',
    code: `
module.exports.map = (_, res) => res.json();
module.exports.forEach = (_, __, next) => next();
export const merge = (list, _, res) => res.send(list);
export const toText = (_, response) => response.text();`,
  },
  {
    name: 'caches and clients in a file that exports a router of another file',
    file: '/project/pages/api/a.js',
    dependencies: ['next', 'next-connect', 'lru'],
    code: `
import handler from '../../lib/handler';
import makeCache from '../../lib/cache';
import client from '../../lib/client';
import lru from 'lru';
const cache = makeCache();
const other = lru();
cache.get((a, b) => a);
client.post((a, b) => a);
other.get((a, b) => a);
export default handler();`,
  },
  {
    name: 'what a file exports that no framework calls, or without a package of routers',
    file: '/project/lib/cache.js',
    dependencies: ['next', 'next-connect'],
    code: `
import make from './make';
const cache = make();
cache.get((a, b) => a);
export default cache;`,
  },
  {
    name: 'the same file in a project without such routers',
    file: '/project/pages/api/a.js',
    dependencies: ['next'],
    code: `
import make from '../../lib/make';
const api = make();
api.get((a, b) => a);
export default api;`,
  },
  {
    name: 'messages of processes and threads, in files that know a broker, too',
    code: `
const dgram = require('dgram');
const Redis = require('ioredis');
const cluster = require('cluster');
const { fork } = require('child_process');
const { Worker, parentPort } = require('worker_threads');
const { Client } = require('discord.js');
process.on('message', (message) => restart(message));
require('node:process').on('message', (message) => restart(message));
cluster.on('message', (worker, message) => tell(message));
const child = fork('child.js');
child.on('message', (message) => tell(message));
const thread = new Worker('thread.js');
thread.on('message', (message) => tell(message));
new Worker('thread.js').on('message', (message) => tell(message));
parentPort.on('message', (message) => work(message));
cluster.fork().on('message', (message) => tell(message));
process.on(signal.name, () => stop());
const socket = dgram.createSocket('udp4');
socket.on('message', (message) => serve(message));
const broker = new Redis();
broker.on('message', (channel, message) => serve(message));`,
    handlers: ['message dgram - @19', 'message dgram - @21'],
  },
];
