// Aliases that do not come from TypeScript: `_moduleAliases` and `_moduleDirectories` in a package.json, which the package module-alias
// reads when the program starts (2.3.4, index.js), and `alias` and `root` of Babel's plugin module-resolver (5.0.3, lib/resolvePath.js).
import { join, resolve } from 'node:path';
import { isRecord } from '../../protocol/unknown-values.ts';
import type { AliasLayout } from '../../analysis/project/files/layout.ts';
import { readJson, slashes } from './json-files.ts';

/** Beside a package.json. What a babel.config.js says is code, and is not run. */
export const BABEL_FILES: readonly string[] = ['.babelrc', '.babelrc.json', 'babel.config.json'];
/** How the plugin is named: with the prefix or without it. */
const RESOLVER = /^(?:babel-plugin-)?module-resolver$/;

/** @param raw the package.json of the folder: without one, there are no such aliases */
export function readModuleAliases(folder: string, raw: Record<string, unknown> | undefined): AliasLayout[] {
  if (!raw) return [];
  const found: AliasLayout[] = [];
  const add = (aliases: unknown, roots: unknown): void => {
    const paths = pathsOf(aliases);
    if (Object.keys(paths).length > 0) found.push({ root: slashes(folder), base: slashes(folder), hasBaseUrl: false, paths });
    for (const one of textsIn(roots))
      found.push({ root: slashes(folder), base: slashes(resolve(folder, one)), hasBaseUrl: true, paths: {} });
  };
  add(raw['_moduleAliases'], raw['_moduleDirectories']);
  for (const options of [raw['babel'], ...BABEL_FILES.map((name) => readJson(join(folder, name)))].flatMap(resolverOptions))
    add(options['alias'], options['root']);
  return found;
}

/** Of the configuration itself, and of what it holds for environments that serve: `env.production`. */
function resolverOptions(config: unknown): readonly Record<string, unknown>[] {
  if (!isRecord(config)) return [];
  const environments = isRecord(config['env']) ? Object.entries(config['env']).filter(([name]) => name !== 'test') : [];
  return [config['plugins'], ...environments.map(([, one]) => isRecord(one) && one['plugins'])].flatMap((plugins) =>
    (Array.isArray(plugins) ? plugins : []).flatMap((plugin: unknown) =>
      Array.isArray(plugin) && typeof plugin[0] === 'string' && RESOLVER.test(plugin[0]) && isRecord(plugin[1]) ? [plugin[1]] : [],
    ),
  );
}

/** A name stands for a folder and what is in it. Of two that begin alike, module-alias takes the longer. */
function pathsOf(aliases: unknown): Record<string, string[]> {
  const lists = (Array.isArray(aliases) ? aliases : [aliases]).filter(isRecord);
  const pairs = lists.flatMap((list) => Object.entries(list)).filter(([name]) => !name.startsWith('^') && !name.endsWith('$'));
  const paths: Record<string, string[]> = {};
  for (const [name, target] of pairs.sort(([a], [b]) => b.length - a.length)) {
    const targets = textsIn(target).map((one) => one.replace(/\/$/, ''));
    if (name === '' || name.includes('*') || targets.length === 0) continue;
    paths[name] = targets;
    paths[`${name}/*`] = targets.map((one) => `${one}/*`);
  }
  return paths;
}

function textsIn(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string' && !one.includes('*'));
}
