// Globs of path arguments and of `overrides`. The glob library is loaded by those who have any.

export type PathTest = (path: string) => boolean;

/** A test of paths with forward slashes against globs; a glob without a slash matches in every folder. */
export async function compileGlobs(globs: readonly string[]): Promise<PathTest> {
  const { default: picomatch } = await import('picomatch');
  const patterns = globs.flatMap((glob) => {
    const trimmed = glob.replace(/^\.\//, '').replace(/\/$/, '');
    const pattern = trimmed.includes('/') ? trimmed : `**/${trimmed}`;
    // `legacy` and `legacy/` mean everything below, as people expect from .gitignore.
    return [pattern, `${pattern}/**`];
  });
  return picomatch(patterns, { dot: true });
}
