// How often a job runs at most, by its schedule: five fields of cron (crontab(5)), or six with seconds first, as node-cron, cron, croner, and
// node-schedule take them.

const HOUR_S = 3600;
const HOURS_A_DAY = 24;
const NUMBER = /^\d{1,2}$/;

/**
 * In s: how long it takes on average from one run of several jobs to the next, at least. Four that run once a day each: 6 h. 0 if one of the
 * entry points may run more often than once an hour, or is no job.
 */
export function secondsBetweenJobs(roots: readonly { kind: string; route?: string | undefined }[]): number {
  const each = roots.map(({ kind, route }) => (kind === 'job' ? secondsBetweenRuns(route) : 0));
  const runsInSecond = each.reduce((sum, seconds) => sum + 1 / seconds, 0);
  // A job that may run at any time divides by 0, so that there is no time between.
  return each.length === 0 ? 0 : Math.round(1 / runsInSecond);
}

/** In s: `JOB 30 2 * * *` runs at most once in 86,400 s. 0 for what may run more often than once an hour, and for what is no schedule. */
export function secondsBetweenRuns(route = ''): number {
  const fields = route.startsWith('JOB ') ? route.slice('JOB '.length).trim().split(/\s+/) : [];
  const [second, minute = '', hour = ''] = fields.length === 5 ? ['0', ...fields] : fields.length === 6 ? fields : [];
  if (second === undefined || !NUMBER.test(second) || !NUMBER.test(minute) || !fields.every((field) => /^[\w*,/-]+$/.test(field))) return 0;
  if (NUMBER.test(hour)) return HOURS_A_DAY * HOUR_S;
  const [, step] = /^\*\/(\d{1,2})$/.exec(hour) ?? [];
  const hours = Math.min(Number(step ?? 1), HOURS_A_DAY);
  // Every fifth hour is 0, 5, 10, 15, and 20: the last gap is one of 4 hours.
  return hours > 0 ? Math.min(hours, HOURS_A_DAY % hours || hours) * HOUR_S : 0;
}
