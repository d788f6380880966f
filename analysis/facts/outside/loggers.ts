// Libraries for logs: what makes a logger, and which of its levels are off unless somebody turns them on.

export interface Library {
  /** Levels below the default one. */
  levels: readonly string[];
  /** What returns a logger, by module: `''` is the module itself, called. */
  makers: readonly string[];
  /** Whether the module is a logger itself. */
  isLogger?: true;
  /** Whether the logger is called itself. */
  isFunction?: true;
  guard?: (logger: string, level: string) => string;
  remedy: string;
}

const isLevelEnabled = (logger: string, level: string): string => `${logger}.isLevelEnabled('${level}')`;
const enabled = (logger: string): string => `${logger}.enabled`;

/**
 * Default levels: winston `info` (https://github.com/winstonjs/winston#logging), pino `info`
 * (https://getpino.io/#/docs/api?id=level-string), bunyan `info` (https://github.com/trentm/node-bunyan#levels), log4js none
 * (https://log4js-node.github.io/log4js-node/api.html), loglevel `warn` (https://github.com/pimterry/loglevel#documentation), consola
 * `info` (https://github.com/unjs/consola#log-level), debug and `util.debuglog` none (https://github.com/debug-js/debug#usage,
 * https://nodejs.org/api/util.html#utildebuglogsection-callback). Each was tried, and the versions are on the rule's page. `isLevelEnabled`
 * of winston: https://github.com/winstonjs/winston/pull/1352.
 */
export const LIBRARIES: Readonly<Record<string, Library>> = {
  winston: {
    levels: ['debug', 'verbose', 'silly', 'http'],
    makers: ['createLogger', 'Logger', 'loggers.get', 'loggers.add'],
    isLogger: true,
    guard: isLevelEnabled,
    remedy: 'Ask first: `if (logger.isLevelEnabled(…))`.',
  },
  pino: {
    levels: ['debug', 'trace'],
    makers: ['', 'pino'],
    guard: isLevelEnabled,
    remedy: 'Pass the object as the first argument: pino writes it only if the level is on.',
  },
  bunyan: {
    levels: ['debug', 'trace'],
    makers: ['createLogger'],
    remedy: 'Pass the object as the first argument: bunyan writes it only if the level is on.',
  },
  log4js: {
    levels: ['debug', 'trace'],
    makers: ['getLogger'],
    remedy: 'Pass the object as an argument of its own: log4js makes text of it only if the level is on.',
  },
  loglevel: {
    levels: ['debug', 'trace'],
    makers: ['getLogger'],
    isLogger: true,
    remedy: 'Pass the object as an argument of its own: loglevel makes text of it only if the level is on.',
  },
  consola: {
    levels: ['debug', 'trace', 'verbose'],
    makers: ['createConsola', 'create', 'withTag', 'consola.withTag', 'consola.create'],
    isLogger: true,
    remedy: 'Pass the object as an argument of its own: consola makes text of it only if the level is on.',
  },
  debug: {
    levels: [],
    makers: ['', 'debug'],
    isFunction: true,
    guard: enabled,
    remedy: "Use a formatter, which runs only if somebody listens: `debug('body %j', body)`, or `%o`.",
  },
  util: {
    levels: [],
    makers: ['debuglog', 'debug'],
    isFunction: true,
    guard: enabled,
    remedy: "Use a formatter, which runs only if somebody listens: `debug('body %j', body)`, or `%o`.",
  },
};

/** In this file, somebody turns the level on. */
export const TURNED_ON =
  /level['"]?\s{0,3}[:=]\s{0,3}['"](?:debug|trace|silly|verbose|all)['"]|setLevel\(\s{0,3}['"](?:debug|trace|silly|verbose)['"]|\.enable\(|(?:\|\||\?\?)\s{0,3}['"](?:debug|trace|silly|verbose)['"]|setDefaultLevel\(|enableAll\(/i;

const LEVELS: ReadonlySet<string> = new Set(Object.values(LIBRARIES).flatMap(({ levels }) => levels));
const MAY_COST = /JSON\.stringify|inspect|format\(|\.join\(|toString\(['"]|toJSON\(|toObject\(/;

export function isCostlyText(text: string): boolean {
  return MAY_COST.test(text);
}

/** `log.debug(…)`, `debug(…)` */
export function isLogName(name: string, isMember: boolean): boolean {
  return isMember ? LEVELS.has(name) : /^(?:log|trace)$|debug/i.test(name);
}
