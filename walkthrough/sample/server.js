const { createServer } = require('node:http');
const { isPassword } = require('./accounts');
const { readTerms } = require('./pages');

const server = createServer((request, response) => {
  if (request.url === '/login') {
    response.end(isPassword('ann', 'secret') ? 'Welcome' : 'Wrong password');
  } else if (request.url === '/terms') {
    response.end(readTerms());
  } else {
    response.writeHead(404).end();
  }
});

server.listen(process.env.PORT || 3000, () => console.log(`http://localhost:${server.address().port}/terms`));
