'use strict';
// The same route as in ../fastify: `nodometer compare --load --against bench/load/express …` (docs/sources.md, S10).
const express = require('express');

const app = express();
app.get('/users/:id', (request, response) => {
  response.json({ id: request.params.id, name: 'Ada', roles: ['admin', 'author'] });
});
app.listen(3000);
