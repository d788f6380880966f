// What the installed package tells about itself: its version, and where its further threads and the cache are.
import { readFileSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { cacheFolder } from '../node-versions/discovery.ts';
import { fingerprintOf, type AnalysisPlace } from '../workspace/project-index/analysis-place.ts';

declare const NODOMETER_VERSION: string | undefined;

/** The build writes the version in; from the sources it is read. */
export function packageVersion(): string {
  if (typeof NODOMETER_VERSION === 'string') return NODOMETER_VERSION;
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return version;
}

/** The same for all programs of a package, so that they share a cache. */
export function analysisPlace(): AnalysisPlace | undefined {
  if (typeof NODOMETER_VERSION !== 'string') return undefined;
  const entry = new URL('./analysis-thread.js', import.meta.url).href;
  return {
    threads: availableParallelism(),
    entry,
    fingerprint: fingerprintOf(NODOMETER_VERSION, entry),
    cacheFolder: cacheFolder({ platform: process.platform, env: process.env, home: homedir() }),
  };
}
