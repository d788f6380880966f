'use strict';
const http = require('node:http');
const fs = require('node:fs');
const path = require('node:path');
const { gzipSync: squeeze } = require('node:zlib');
const archive = require('./archive');

const PUBLIC = path.join(__dirname, 'files');

// Read before the server listens: nobody waits for it.
const settings = JSON.parse(fs.readFileSync(path.join(__dirname, 'settings.json'), 'utf8'));

// A cache of our own with a method that happens to have Node's name.
const memory = {
  entries: new Map(),
  readFileSync(name) {
    return this.entries.get(name);
  },
};

function sizeOf(name) {
  return fs.statSync(path.join(PUBLIC, name)).size;
  //     ^ no-sync-in-handler: blocks (seen)
}

function describe(name) {
  return { name, bytes: sizeOf(name), cached: memory.readFileSync(name) !== undefined };
}

/** @profile GET /sales.csv */
function sendFile(request, response) {
  const name = path.basename(request.url);
  const file = path.join(PUBLIC, name);
  if (!fs.existsSync(file)) {
    // ^ no-sync-in-handler: blocks (seen)
    response.writeHead(404).end();
    return;
  }
  const text = fs.readFileSync(file, 'utf8');
  //           ^ no-sync-in-handler: blocks (seen)
  memory.entries.set(name, text);
  response.writeHead(200, { 'content-encoding': 'gzip' }).end(squeeze(text));
  //                                                          ^ no-sync-in-handler: blocks (confirmed)
}

let banner;

function getBanner() {
  // Only the first request reads the file.
  banner ??= fs.readFileSync(path.join(__dirname, 'banner.txt'), 'utf8');
  //         ^ no-sync-in-handler: blocksOnce (seen)
  return banner;
}

function isWebAddress(text) {
  try {
    // @3 no-throw-in-hot-path: urlProbe (seen)
    new URL(text);
    return true;
  } catch {
    return false;
  }
}

function checkLinks(links) {
  return links.filter((link) => isWebAddress(link));
}

const server = http.createServer((request, response) => {
  if (request.url === '/list') {
    response.end(JSON.stringify(settings.shown.map(describe)));
  } else if (request.url === '/banner') {
    response.end(getBanner());
  } else if (request.url === '/links') {
    response.end(JSON.stringify(checkLinks(settings.links)));
  } else if (request.url === '/archive') {
    archive.list((names) => response.end(JSON.stringify(names)));
  } else {
    sendFile(request, response);
  }
});

if (require.main === module) {
  server.listen(settings.port, () => console.log(`files on ${server.address().port}`));

  process.on('exit', () => {
    // The process is going away; nobody is served any more.
    fs.writeFileSync(path.join(__dirname, '.last-run'), String(memory.entries.size));
  });
}

module.exports = { server };
