#!/usr/bin/env node
// The executable for `runTests({ vscodeExecutablePath })`.
import '../../../scripts/typescript/register.mjs';

const { launch } = await import('./launch.ts');
process.exitCode = await launch(process.argv.slice(2));
