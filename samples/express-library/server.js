'use strict';
const { createApp } = require('./app');
const { warmUp } = require('./services/catalogue');

warmUp();

const port = process.env.PORT || 3000;
createApp().listen(port, () => console.log(`library on ${port}`));
