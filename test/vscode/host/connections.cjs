'use strict';
// Loaded into each Node process of VS Code's server: writes down whom it connects to, this machine apart, and that it is recorded at all.
// One JSON object a line.
const { ChildProcess } = require('node:child_process');
const { appendFileSync } = require('node:fs');
const dgram = require('node:dgram');
const net = require('node:net');

const file = process.env.NODOMETER_TEST_CONNECTIONS;

/** @param {Record<string, unknown>} what */
function write(what) {
  appendFileSync(file, `${JSON.stringify({ process: process.argv.join(' '), ...what })}\n`);
}

/** @param {unknown} host */
function isHere(host) {
  return host === undefined || host === null || /^(?:localhost|127\.|::1$|\[::1\]$|::ffff:127\.)/.test(String(host));
}

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  // Node's own callers pass the arguments as an array.
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const options = typeof first === 'object' && first !== null ? first : { port: first, host: second };
  if (!options.path && !isHere(options.host)) write({ host: options.host, port: options.port });
  return connect.apply(this, args);
};

const { send } = dgram.Socket.prototype;
dgram.Socket.prototype.send = function (...args) {
  const host = args.find((one) => typeof one === 'string' && /[.:]/.test(one));
  if (!isHere(host)) write({ host, port: 'udp' });
  return send.apply(this, args);
};

// VS Code takes NODE_OPTIONS from its extension host, so each process passes it on by itself.
const OPTIONS = process.env.NODE_OPTIONS;
const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  const others = (options.envPairs ?? []).filter((pair) => !/^(?:NODE_OPTIONS|NODOMETER_TEST_CONNECTIONS)=/.test(pair));
  const envPairs = [...others, `NODE_OPTIONS=${OPTIONS}`, `NODOMETER_TEST_CONNECTIONS=${file}`];
  return spawn.call(this, { ...options, envPairs });
};

write({ host: null });
