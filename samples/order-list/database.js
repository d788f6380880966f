'use strict';
const { connect, createServer } = require('node:net');
const { createInterface } = require('node:readline');

/** Stands in for a database, so that the sample needs none: it answers each line with a row for each key in it. */
const server = createServer((socket) => {
  createInterface({ input: socket.setNoDelay(true).unref() }).on('line', (line) => {
    const rows = JSON.parse(line).flat().map((id) => ({ id, name: `customer ${id}` }));
    socket.write(`${JSON.stringify(rows)}\n`);
  });
}).listen(0, '127.0.0.1');
server.unref();

const waiting = [];
let socket;

function open() {
  socket = connect(server.address().port, '127.0.0.1').setNoDelay(true).unref();
  createInterface({ input: socket }).on('line', (line) => waiting.shift()(JSON.parse(line)));
}

/** One trip to the database. */
function query(text, values) {
  return new Promise((resolve) => {
    if (!socket) open();
    waiting.push(resolve);
    socket.write(`${JSON.stringify(values)}\n`);
  });
}

module.exports = { query };
