'use strict';
// A process of its own for a long job: it may block as long as it likes.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const target = path.join(os.tmpdir(), `${process.argv[2]}-${process.pid}.txt`);
fs.writeFileSync(target, 'done\n');
fs.rmSync(target);
