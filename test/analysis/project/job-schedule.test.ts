// How often a job runs at most, by the text of its schedule.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { secondsBetweenJobs, secondsBetweenRuns } from '../../../analysis/project/routes/job-schedule.ts';

const HOURS: readonly (readonly [route: string | undefined, hours: number])[] = [
  [undefined, 0],
  ['GET /', 0],
  ['JOB resize', 0],
  ['JOB send a mail to all', 0],
  ['JOB * * * * *', 0],
  ['JOB */5 * * * *', 0],
  ['JOB 0,30 * * * *', 0],
  ['JOB * * * * * *', 0],
  ['JOB */10 0 3 * * *', 0],
  ['JOB 0 */0 * * *', 0],
  ['JOB 5 * * * *', 1],
  ['JOB 0 9-17 * * 1-5', 1],
  ['JOB 0 */3 * * *', 3],
  ['JOB 0 */5 * * *', 4],
  ['JOB 30 2 * * *', 24],
  ['JOB 0 0 1 JAN *', 24],
  ['JOB 0 30 2 * * *', 24],
];

it('a schedule tells how often its job runs at most', () => {
  assert.deepEqual(
    HOURS.map(([route]) => [route, secondsBetweenRuns(route) / 3600]),
    HOURS,
  );
});

const job = (route: string): { kind: string; route: string } => ({ kind: 'job', route });

it('several jobs together run as often as each of them does', () => {
  const daily = ['JOB 30 2 * * *', 'JOB 30 3 * * *', 'JOB 30 4 * * *', 'JOB 30 5 * * *'].map(job);
  assert.equal(secondsBetweenJobs(daily) / 3600, 6);
  assert.equal(secondsBetweenJobs(daily.slice(0, 1)) / 3600, 24);
  assert.equal(secondsBetweenJobs([...daily, job('JOB * * * * *')]), 0);
  assert.equal(secondsBetweenJobs([...daily, { kind: 'route', route: 'GET /' }]), 0);
  assert.equal(secondsBetweenJobs([]), 0);
});
