/** Flags of Node that run our TypeScript, in a process with any working directory. */
export const TYPESCRIPT_FLAGS: readonly string[] = ['--import', new URL('./register.mjs', import.meta.url).href];
