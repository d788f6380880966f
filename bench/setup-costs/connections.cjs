// One process of `node bench/setup-costs/measure.js`: ns of processor time per request through an agent or pool that is kept,
// and through one of its own. The servers of HTTP are in this process, too: both ends count. That of the database does not.
const { execFileSync } = require('node:child_process');
const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const http = require('node:http');
const https = require('node:https');
const { createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const WARM_UPS = 30;
const SAMPLES = 100;
const NS_PER_US = 1000;
const [, , cache, postgres] = process.argv;

async function nsOf(work) {
  for (let i = 0; i < WARM_UPS; i += 1) await work();
  const { user, system } = process.cpuUsage();
  for (let i = 0; i < SAMPLES; i += 1) await work();
  const used = process.cpuUsage({ user, system });
  return ((used.user + used.system) * NS_PER_US) / SAMPLES;
}

const ask = (client, port, agent) =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, agent, rejectUnauthorized: false };
    client
      .get(options, (response) => {
        response.resume();
        response.on('end', resolve);
      })
      .on('error', reject);
  });

async function ofServer(name, client, server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  // On a busy machine, a request may come after the five seconds for which a server keeps an idle connection.
  server.keepAliveTimeout = 0;
  const { port } = server.address();
  const agent = new client.Agent({ keepAlive: true });
  const kept = await nsOf(() => ask(client, port, agent));
  const own = await nsOf(() => ask(client, port, new client.Agent()));
  console.log(JSON.stringify({ name, kept, own }));
}

async function ofPostgres(url) {
  const { Pool } = createRequire(`${cache}/`)('pg');
  const pool = new Pool({ connectionString: url });
  const kept = await nsOf(() => pool.query('select 1'));
  const own = await nsOf(async () => {
    const other = new Pool({ connectionString: url });
    await other.query('select 1');
    await other.end();
  });
  console.log(JSON.stringify({ name: 'postgres', kept, own }));
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'setup-costs-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '1', '-subj', '/CN=localhost'];
  execFileSync('openssl', made, { stdio: 'ignore' });
  const answer = (request, response) => response.end('ok');
  await ofServer('http', http, http.createServer(answer));
  await ofServer('https', https, https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, answer));
  rmSync(folder, { recursive: true });
  if (postgres) await ofPostgres(postgres);
  process.exit(0);
}

main();
