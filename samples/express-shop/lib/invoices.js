'use strict';
const { pbkdf2Sync } = require('node:crypto');
const { execFileSync } = require('node:child_process');

/** @profile seal('invoice 1') */
function seal(text) {
  return pbkdf2Sync(text, 'invoice', 20_000, 32, 'sha256').toString('hex');
  //     ^ no-sync-in-handler: blocks (confirmed)
}

/** @profile POST /invoices/7 {} */
exports.create = (req, res) => {
  const version = execFileSync(process.execPath, ['--version'], { encoding: 'utf8', timeout: 5_000 });
  //              ^ no-sync-in-handler: blocks (confirmed)
  res.json({ id: req.params.id, seal: seal(JSON.stringify(req.body ?? {})), version: version.trim() });
};
