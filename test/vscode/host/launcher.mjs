#!/usr/bin/env node
// The executable for `runTests({ vscodeExecutablePath })`.
import { register } from 'tsx/esm/api';

register();
const { launch } = await import('./launch.ts');
process.exitCode = await launch(process.argv.slice(2));
