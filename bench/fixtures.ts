// Runs the robustness checks on every script below a folder: `npm run bench:fixtures -- <folder>`.
// Made for @babel/parser's own fixtures (packages/babel-parser/test/fixtures of its repository), which are not part of this one.
import { fileURLToPath } from 'node:url';
import { runWatched } from '../test/robustness/watched.ts';

const LIST = fileURLToPath(new URL('../test/robustness/lists/folder.ts', import.meta.url));

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: npm run bench:fixtures -- <folder>');
  process.exitCode = 2;
} else {
  const { cases, read, findings, fixes, complaints, slowest } = await runWatched(LIST, [folder]);
  for (const complaint of complaints) console.log(complaint);
  console.log(
    `${cases} files run, ${read} of them could be parsed; ${findings} findings and ${fixes} fixes checked; slowest ${Math.round(slowest.cpuMs)} ms of processor time (${slowest.name}); ${complaints.length} complaints`,
  );
  process.exitCode = complaints.length > 0 || cases === 0 ? 1 : 0;
}
