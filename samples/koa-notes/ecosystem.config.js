module.exports = {
  apps: [
    {
      name: 'notes',
      script: 'server.js',
      env: { PORT: 3000 },
    },
  ],
};
