// The entry of the `nodometer` command. Kept tiny: what it loads, every start pays for.
import module from 'node:module';

const LOWEST_MAJOR = 20;

const major = Number(process.versions.node.split('.')[0]);
if (major < LOWEST_MAJOR) {
  process.stderr.write(`nodometer: needs Node ${LOWEST_MAJOR}.19 or newer, this is ${process.version}.\n`);
  process.exitCode = 2;
} else {
  // Node 22.8 and newer keep compiled code between runs; earlier ones lack the function.
  (module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
  const { runProcess } = await import('./process.ts');
  await runProcess();
}
