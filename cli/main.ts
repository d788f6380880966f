// The entry of the `nodometer` command. Kept tiny: what it loads, every start pays for.
import module from 'node:module';
import v8 from 'node:v8';

const LOWEST_MAJOR = 20;

/**
 * Lets V8 optimize functions later, by major of the Nodes that this was measured on: a run of seconds does not earn back what its compiler
 * threads
 * take. Linting Ghost took 24 % less processor time on Node 20.20, 18 % on 22.23 and 15 % on 24.21. What is inlined is
 * compiled again wherever it is called: with little of that, and somewhat earlier, Node 20.20 took about a tenth less again. The server is
 * there for hours and goes without.
 */
const LATE = '--invocation-count-for-turbofan=20000 --invocation-count-for-maglev=1500';
const OPTIMIZE_LATE: Readonly<Record<number, string>> = {
  20: '--interrupt-budget=400000 --max-inlined-bytecode-size-cumulative=100',
  22: LATE,
  24: LATE,
};

const major = Number(process.versions.node.split('.')[0]);
if (major < LOWEST_MAJOR) {
  process.stderr.write(`nodometer: requires Node ${LOWEST_MAJOR}.19 or newer, but this is ${process.version}.\n`);
  process.exitCode = 2;
} else {
  // Node 22.8 and newer keep compiled code between runs; earlier ones lack the function.
  (module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
  const flags = OPTIMIZE_LATE[major];
  if (flags !== undefined && process.argv[2] !== 'lsp') for (const flag of flags.split(' ')) v8.setFlagsFromString(flag);
  const { runProcess } = await import('./process.ts');
  await runProcess();
}
