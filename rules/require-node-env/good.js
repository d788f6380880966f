// Set before the application is made, as it is when the process is started with it: the template is compiled once.
import { fileURLToPath } from 'node:url';
import express from 'express';

function createApp() {
  // Stands for a process that was started without the variable.
  delete process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  const app = express();
  app.set('views', fileURLToPath(new URL('views', import.meta.url)));
  app.set('view engine', 'pug');
  return app;
}

const app = createApp();

/** The page that a route would send. */
export function renderList(title, items) {
  return new Promise((resolve, reject) => {
    app.render('list', { title, items }, (error, html) => (error ? reject(error) : resolve(html)));
  });
}
