// What of a program's own start is passed on to a read-only run. A start script is written by whoever wrote the code, and a flag or a
// variable can lift what the permission model forbids.

/** Their value is the next word, or stands behind `=`. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  '-r',
  '--require',
  '--import',
  '--loader',
  '--experimental-loader',
  '-C',
  '--conditions',
  '--dns-result-order',
  '--max-http-header-size',
  '--stack-size',
  '--stack-trace-limit',
  '--unhandled-rejections',
]);
/**
 * Loading more of the program's code, and how it is loaded, is what the run is for. The compiler's threads are turned off by comparisons.
 */
const HARMLESS =
  /^--(?:(?:no-)?(?:warnings|deprecation|enable-source-maps|preserve-symlinks(?:-main)?|experimental-(?:strip-types|transform-types|detect-module|require-module|vm-modules|fetch|global-webcrypto|global-customevent|websocket|import-meta-resolve|json-modules|wasm-modules))|throw-deprecation|expose-gc|no-concurrent-recompilation|harmony[a-z-]*|use_strict)$/;

/** The first flag that is not passed on; undefined where all are. */
export function refusedFlag(flags: readonly string[]): string | undefined {
  for (let at = 0; at < flags.length; at += 1) {
    const flag = flags[at] ?? '';
    const [name = '', value] = flag.split('=', 2);
    if (WITH_VALUE.has(name)) at += value === undefined ? 1 : 0;
    else if (!HARMLESS.test(flag)) return flag;
  }
  return undefined;
}

/** Names that Node itself, OpenSSL, the C library, or the loader of programs reads; `NODE_ENV` and its like are for the program. */
const FOR_THE_PROGRAM = /^NODE_(?:ENV|CONFIG(?:_DIR|_ENV)?|APP_INSTANCE|PORT|HOST)$/i;
const FOR_THE_SYSTEM =
  /^(?:NODE_|LD_|DYLD_|LIBPATH$|SHLIB_PATH$|OPENSSL_|SSL_|UV_|ICU_|V8_|GLIBC_|GCONV_|MALLOC_|LOCPATH$|NLSPATH$|PATH$|PATHEXT$|COMSPEC$|SYSTEMROOT$|TMPDIR$|TEMP$|TMP$|HOME$|USERPROFILE$|NODOMETER_RUN$)/i;

/** The first variable that is not passed on; undefined where all are. */
export function refusedVariable(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return Object.keys(env).find((name) => env[name] !== undefined && FOR_THE_SYSTEM.test(name) && !FOR_THE_PROGRAM.test(name));
}
