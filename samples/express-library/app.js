'use strict';
const express = require('express');
const routes = require('./routes');

exports.createApp = function createApp() {
  const app = express();
  app.use('/api', routes);
  return app;
};
