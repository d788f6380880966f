// `node --import …/register.mjs file.ts` runs TypeScript from the store. tsx does so too, for any TypeScript; but it takes 0.8 s of
// processor time more to load the server (Node 20), and each test file and each command that a test starts is a process of its own.
import * as module from 'node:module';
import { load, resolve } from './hooks.mjs';

process.setSourceMapsEnabled(true);
// On Node 22.15 and newer, hooks run where the modules are loaded, without a thread.
if (module.registerHooks) module.registerHooks({ resolve, load });
else module.register('./hooks.mjs', import.meta.url);
