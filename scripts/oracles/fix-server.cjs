// Runs one server of the fix programs on any Node, tells the port, and counts the processor time between two messages.
'use strict';
const { readFileSync } = require('node:fs');
const { Server } = require('node:net');
const { resolve } = require('node:path');

const NS_PER_MS = 1e6;
const US_PER_MS = 1e3;

/** Processor time in milliseconds: of the event loop's thread, and of all threads. Linux only. */
function timesNow() {
  const [loop = '0'] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  const { user, system } = process.cpuUsage();
  return { loop: Number(loop) / NS_PER_MS, all: (user + system) / US_PER_MS };
}

const { listen } = Server.prototype;
Server.prototype.listen = function announce(...args) {
  this.once('listening', () => process.send({ port: this.address().port }));
  return Reflect.apply(listen, this, args);
};

process.on('message', () => process.send(timesNow()));
process.on('disconnect', () => process.exit(0));

require(resolve(process.argv[2]));
