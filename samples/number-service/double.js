'use strict';
// The script of a thread. What it computes keeps nobody waiting.
const { parentPort } = require('node:worker_threads');

parentPort.on('message', (number) => parentPort.postMessage(2 * number));
