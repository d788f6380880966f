import Fastify from 'fastify';
import { readFileSync, promises as files } from 'node:fs';
import { scryptSync } from 'node:crypto';
import { total, label } from './totals.js';
import { checkSignature } from './signature.js';

// At start-up, once.
const taxes = JSON.parse(readFileSync(new URL('./taxes.json', import.meta.url), 'utf8'));

async function readNote(name) {
  return files.readFile(new URL(`./${name}.txt`, import.meta.url), 'utf8');
}

export function buildApp() {
  const app = Fastify();

  /** @profile GET /orders/7/total */
  app.addHook('preHandler', async (request) => {
    request.key = scryptSync(request.headers['x-key'] ?? '', 'salt', 16);
    //            ^ no-sync-in-handler: blocks (confirmed)
  });

  app.get('/orders/:id/total', async (request) => {
    const order = { lines: [2, 3.5, 4], country: request.query.country ?? 'de' };
    return { total: total(order.lines) * (1 + taxes[order.country]), label: label(order.country) };
  });

  app.get('/notes/:name', async (request) => readNote(request.params.name));

  app.route({
    method: 'POST',
    url: '/orders',
    /** @profile POST /orders -H "x-signature: 6d67b186d7c43244fb4439c01f0ca7d897b0f7a6cee6cdf3d9f868ad506a6397" {} */
    handler: async (request, reply) => {
      if (!checkSignature(request.body, request.headers['x-signature'])) return reply.code(403).send({ error: 'signature' });
      const template = readFileSync(new URL('./receipt.txt', import.meta.url), 'utf8');
      //               ^ no-sync-in-handler: blocks (seen)
      return { receipt: template };
    },
  });

  return app;
}
