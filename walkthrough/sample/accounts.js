const { pbkdf2Sync } = require('node:crypto');

const accounts = new Map([['ann', { salt: 'pepper', key: '56999aeaa5f8348a0cf769656a007303d1bf7c8f8a398982a19378236f927596' }]]);

exports.isPassword = function isPassword(name, password) {
  const account = accounts.get(name);
  if (!account) return false;
  const key = pbkdf2Sync(password, account.salt, 100_000, 32, 'sha512');
  return key.toString('hex') === account.key;
};
