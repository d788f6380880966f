// The variable comes too late: Express has read it when the application was made, and compiles the template again for every page.
import { fileURLToPath } from 'node:url';
import express from 'express';

function createApp() {
  // Stands for a process that was started without the variable.
  delete process.env.NODE_ENV;
  const app = express();
  process.env.NODE_ENV = 'production';
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
