// The same shop on a machine of its own, kept alive by PM2.
module.exports = {
  apps: [
    {
      name: 'shop',
      script: 'server.js',
      env: { PORT: 3000, NODE_ENV: 'prod' },
      //                            ^ require-node-env: misspelt (not by a run)
    },
  ],
};
