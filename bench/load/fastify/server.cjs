'use strict';
// The same route as in ../express (docs/sources.md, S10).
const fastify = require('fastify');

const app = fastify();
app.get('/users/:id', (request, reply) => {
  reply.send({ id: request.params.id, name: 'Ada', roles: ['admin', 'author'] });
});
app.listen({ port: 3000 });
