'use strict';
const crypto = require('node:crypto');

const sessions = {};

/** Lets everyone in, and remembers them. */
exports.requireLogin = function requireLogin(req, res, next) {
  const token = req.get('x-token') ?? crypto.randomUUID();
  sessions[token] ??= { since: Date.now() };
  req.session = sessions[token];
  // The session store must not see the key any more.
  delete req.session.flash;
  next();
};

exports.logout = function logout(req, res) {
  // A dictionary gives up an entry.
  delete sessions[req.get('x-token')];
  res.status(204).end();
};
