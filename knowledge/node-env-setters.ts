// Programs, platforms and images that decide NODE_ENV themselves. Rows without a source are taken as "not known from these files", which
// silences the rule.

/** Commands that set NODE_ENV=production when it is unset, by name and first argument (`*` for any). */
export const COMMANDS_THAT_SET_IT: readonly { command: string; argument: string; source: string }[] = [
  {
    command: 'next',
    argument: 'start',
    source: 'next 16.4.6 dist/bin/next: process.env.NODE_ENV ||= defaultEnv, production for every command but dev',
  },
  { command: 'remix-serve', argument: '*', source: '@remix-run/serve 2.17.5 dist/cli.js' },
  { command: 'react-router-serve', argument: '*', source: '@react-router/serve 7.18.4 bin.js' },
];

/** Commands that bring an environment of their own from a place that no file of the project shows. */
export const COMMANDS_WITH_HIDDEN_ENVIRONMENT: ReadonlySet<string> = new Set([
  'doppler',
  'infisical',
  'op',
  'chamber',
  'envconsul',
  'vault',
  'aws-vault',
  'berglas',
  'teller',
  'sops',
  'summon',
  'envkey-source',
  'dotenvx',
  'envdir',
  'with-contenv',
  'railway',
  'heroku',
  'vercel',
  'netlify',
]);

/**
 * Files (below the project's folder) of platforms that give the process its environment; several of them default NODE_ENV to production.
 */
export const PLATFORM_FILES: readonly {
  path: string;
  platform: string;
  source: string /** What such a file holds where its name alone is common. */;
  holds?: RegExp;
}[] = [
  { path: 'Procfile', platform: 'Heroku', source: 'heroku-buildpack-nodejs lib/environment.sh: export NODE_ENV=${NODE_ENV:-production}' },
  { path: 'app.json', platform: 'Heroku', source: 'as Procfile' },
  { path: 'render.yaml', platform: 'Render', source: 'render.com/docs/environment-variables' },
  { path: 'railway.json', platform: 'Railway', source: 'environment given by the platform' },
  { path: 'railway.toml', platform: 'Railway', source: 'environment given by the platform' },
  { path: 'nixpacks.toml', platform: 'Nixpacks', source: 'environment given by the platform' },
  { path: 'fly.toml', platform: 'Fly.io', source: 'environment given by the platform' },
  {
    path: 'app.yaml',
    platform: 'Google App Engine',
    source: 'cloud.google.com/appengine/docs/standard/nodejs/runtime',
    holds: /^runtime:/m,
  },
  { path: 'app.yml', platform: 'Google App Engine', source: 'as app.yaml', holds: /^runtime:/m },
  { path: 'manifest.yml', platform: 'Cloud Foundry', source: 'environment given by the platform', holds: /^applications:/m },
  { path: 'vercel.json', platform: 'Vercel', source: 'environment given by the platform' },
  { path: 'now.json', platform: 'Vercel', source: 'environment given by the platform' },
  { path: 'netlify.toml', platform: 'Netlify', source: 'environment given by the platform' },
  { path: 'serverless.yml', platform: 'Serverless Framework', source: 'environment given by the platform' },
  { path: 'serverless.yaml', platform: 'Serverless Framework', source: 'environment given by the platform' },
  { path: 'serverless.ts', platform: 'Serverless Framework', source: 'environment given by the platform' },
  { path: 'web.config', platform: 'IIS or Azure App Service', source: 'environment given by the platform' },
  { path: '.platform.app.yaml', platform: 'Platform.sh', source: 'environment given by the platform' },
  { path: 'captain-definition', platform: 'CapRover', source: 'environment given by the platform' },
];

/** Official images (names without a slash) that do set it or start a Node program of their own; all other official ones leave it alone. */
export const OFFICIAL_IMAGES_THAT_SET_IT: ReadonlySet<string> = new Set([
  'ghost',
  'rocket.chat',
  'mongo-express',
  'express-gateway',
  'kibana',
]);
/** Prefixes under which registries serve Docker's official images. */
export const OFFICIAL_PREFIXES: readonly string[] = [
  'docker.io/library/',
  'index.docker.io/library/',
  'registry.hub.docker.com/library/',
  'public.ecr.aws/docker/library/',
  'mirror.gcr.io/library/',
  'library/',
  'docker.io/',
  'amd64/',
  'arm64v8/',
  'arm32v7/',
];
/** Other images known to leave it alone. */
export const IMAGES_WITHOUT_IT: readonly { image: RegExp; isNodeEntrypoint: boolean; source: string }[] = [
  { image: /^mhart\/alpine-node$/, isNodeEntrypoint: false, source: 'mhart/alpine-node Dockerfile' },
  {
    image: /^gcr\.io\/distroless\/nodejs/,
    isNodeEntrypoint: true,
    source: 'GoogleContainerTools/distroless nodejs/nodejs.bzl: entrypoint /nodejs/bin/node and no environment of its own',
  },
];
